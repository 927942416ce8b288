//! The setup reader of scripts: strict, in the order of the file, with a place for every error.

mod draw;
mod functions;
mod reader;

use std::sync::Arc;

pub(crate) use draw::{Beginning, Draw, Drawing};
pub(crate) use functions::{DOCUMENTATION, register};
pub(crate) use reader::{ReadSoFar, Reader, Setups};

use crate::error::Location;
use crate::game::{History, Value};

/// Finds where a place such as `setup.players.red.stock` is written in a file.
pub(crate) type Locate = Arc<dyn Fn(&str) -> Option<Location> + Send + Sync>;

/// The key of the values that may be drawn.
pub(crate) const ONE_OF: &str = "one_of";

/// What a conflict starts from.
#[derive(Clone)]
pub struct Setup {
    /// The `[setup]` table.
    pub value: Arc<Value>,
    /// The answers after which it begins.
    pub begin: Arc<History>,
    pub(crate) locate: Locate,
}

impl Setup {
    /// A setup that is in no file.
    pub fn new(value: Value) -> Setup {
        Setup::located(value, Arc::new(|_| None))
    }

    pub(crate) fn located(value: Value, locate: Locate) -> Setup {
        Setup { value: Arc::new(value), begin: Arc::default(), locate }
    }

    /// The same, begun after these answers.
    pub(crate) fn after(self, begin: &History) -> Setup {
        Setup { begin: Arc::new(begin.clone()), ..self }
    }
}
