//! Who hears what a script says while it runs? Whoever runs it; nobody has to.

use crate::analysis::Stage;

/// Hears of work of the lab while it is done. What nobody takes here is kept for the reply.
pub trait Audience {
    /// A line was printed; false where nobody takes it at once.
    fn printed(&self, _text: &str) -> bool {
        false
    }

    /// Something is worth a word beside the results; false where nobody takes it at once.
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

/// Nobody is there: all is kept for the reply.
pub struct Nobody;

impl Audience for Nobody {}
