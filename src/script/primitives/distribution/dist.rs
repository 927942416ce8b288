//! A distribution as scripts hold it.

use std::sync::Arc;

use crate::game::Distribution;

/// A distribution as scripts hold it: cheap to copy.
#[derive(Clone, Debug)]
pub(crate) struct Dist(pub Arc<Distribution>);
