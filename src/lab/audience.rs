//! The trait for listeners that receive the output, notes and progress of a running script.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::analysis::Stage;

/// Hears of work of the lab while it is done. Output that is not taken here is kept for the reply.
pub trait Audience {
    /// A line was printed; false where nobody takes it at once.
    fn printed(&self, _text: &str) -> bool {
        false
    }

    /// A note beside the results; false where nobody takes it at once.
    fn noted(&self, _text: &str) -> bool {
        false
    }

    /// Long work begins: so many `what`, if it is known how many. The function hears how many are
    /// done; the work is over when it is dropped.
    fn begins<'a>(
        &'a self,
        _what: &'static str,
        _total: Option<u64>,
    ) -> Box<dyn Fn(u64) + Sync + 'a> {
        Box::new(|_| ())
    }

    /// A search for odds or for an equilibrium begins; the function hears how far it has come.
    fn solves<'a>(&'a self) -> Box<dyn Fn(Stage) + Sync + 'a> {
        Box::new(|_| ())
    }
}

/// How far long work has come.
#[derive(Clone, Debug)]
pub(super) struct Far {
    /// What is counted.
    pub what: &'static str,
    /// How many there are, if it is known.
    pub total: Option<u64>,
    /// How many are done.
    pub done: Arc<AtomicU64>,
}

impl fmt::Display for Far {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, what) = (self.done.load(Ordering::Relaxed), self.what);
        match self.total {
            Some(total) => write!(f, "{done} of {total} {what}"),
            None => write!(f, "{done} {what}"),
        }
    }
}

/// Nobody is there: all is kept for the reply.
pub(crate) struct Nobody;

impl Audience for Nobody {}
