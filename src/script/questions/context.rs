//! The context of a running script: the meter, the setups it reads, and what it announced.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use rhai::Position;

use crate::error::Error;
use crate::report::tame;
use crate::script::playout::call_counter::CallCounter;
use crate::script::sandbox::fuel::{Meter, Stopped};
use crate::script::sandbox::limits::{Fault, Limits, unwind};
use crate::script::setup::Setups;

/// The bytes that may be kept of one event; there may be many of those.
const OF_AN_EVENT: usize = 256;

/// What host functions share with the playout that runs them.
#[derive(Default)]
pub struct Context {
    /// Counts and stops.
    pub meter: Meter,
    /// The setups that are being read in this run.
    pub setups: Setups,
    /// How often each function is run.
    pub calls: CallCounter,
    /// Whether anybody hears events.
    listens: Cell<bool>,
    /// The events that nobody has taken yet.
    heard: RefCell<VecDeque<String>>,
}

impl Context {
    /// A context in which nothing runs yet.
    pub fn new(limits: Limits) -> Rc<Context> {
        Rc::new(Context { meter: Meter::new(limits), ..Context::default() })
    }

    /// Whether anybody hears events.
    pub fn listens(&self) -> bool {
        self.listens.get()
    }

    /// Says whether anybody hears events from now on; returns whether somebody did.
    pub(crate) fn hears(&self, listens: bool) -> bool {
        self.listens.replace(listens)
    }

    pub(crate) fn announce(&self, text: &str) {
        if self.listens() {
            let keep = || self.heard.borrow_mut().push_back(tame(text).into_owned());
            self.meter.aside(OF_AN_EVENT, keep);
        }
    }

    /// The events that were announced since this was asked last.
    pub(crate) fn take_heard(&self) -> VecDeque<String> {
        std::mem::take(&mut self.heard.borrow_mut())
    }

    /// Ends the script with an error of the host's own, even if a native replaces the error that
    /// unwinds.
    pub fn refuse(&self, error: Error, at: Position) -> Fault {
        self.meter.stop(Stopped::Failed(Box::new(error)));
        unwind(at)
    }
}
