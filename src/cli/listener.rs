//! Prints the output of a lab script while it runs: data on stdout, notes and progress on stderr.

use std::cell::RefCell;

use super::output::Output;
use super::progress::Progress;
use crate::analysis::Stage;
use crate::lab::Audience;

/// Prints at once what a script prints, and shows how far long work has come.
pub(super) struct Listener {
    output: RefCell<Output>,
    /// Whether lines are printed here, or kept for a reply.
    prints: bool,
}

impl Listener {
    /// For a script, whose lines are printed at once.
    pub(super) fn of_script(output: &Output) -> Listener {
        Listener { output: RefCell::new(output.clone()), prints: true }
    }

    /// For a line of the prompt, whose reply is printed when it is whole.
    pub(super) fn of_prompt(output: &Output) -> Listener {
        Listener { output: RefCell::new(output.clone()), prints: false }
    }
}

impl Audience for Listener {
    fn printed(&self, text: &str) -> bool {
        // Where stdout cannot be written the result of the script will say so.
        self.prints && self.output.borrow_mut().data(text).is_ok()
    }

    fn noted(&self, text: &str) -> bool {
        if self.prints {
            self.output.borrow_mut().say(text);
        }
        self.prints
    }

    fn begins<'a>(
        &'a self,
        what: &'static str,
        total: Option<u64>,
    ) -> Box<dyn Fn(u64) + Sync + 'a> {
        let progress = Progress::new(&self.output.borrow(), what, total);
        Box::new(move |done| progress.at(done))
    }

    fn solves<'a>(&'a self) -> Box<dyn Fn(Stage) + Sync + 'a> {
        let progress = Progress::new(&self.output.borrow(), "nodes", None);
        Box::new(move |stage| progress.stage(stage))
    }
}
