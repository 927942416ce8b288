//! A run of the rules that stands at a question: it can be cloned, and resumed with any answer.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::context::MayAsk;
use super::machine::Machine;
use super::meter::Used;
use super::rules::Rules;
use super::start::State;
use crate::game::Stop;

/// A run that a handler paused in a step. It can be resumed on the rules that it ran on, as
/// [`Origin::Suspended`](super::Origin::Suspended): the same is asked again, and limits hold as if
/// nobody had paused.
#[derive(Clone)]
pub struct Suspended {
    machine: Machine,
    used: Used,
    asked: Rc<BTreeSet<String>>,
}

/// The most bytes that a name in a set takes beside its letters.
const NAME: usize = 64;

impl Suspended {
    /// The most bytes that it may take; what it shares with others counts whole.
    pub fn bytes(&self) -> usize {
        let asked = self.asked.iter().map(|player| NAME + player.len());
        size_of::<Suspended>() + self.machine.bytes() + asked.sum::<usize>()
    }
}

impl Rules {
    /// The run that a handler paused last. Nothing where that was in the setup, which notes what it
    /// has read, or where anything else of these rules was run since.
    pub fn suspended(&self) -> Option<Suspended> {
        let (machine, used) = self.runner.paused("step")?;
        Some(Suspended { machine, used, asked: self.context.asked.borrow().clone() })
    }

    /// Runs on to the end of the step.
    pub(super) fn resume(&self, suspended: Suspended) -> Result<State, Stop> {
        let Suspended { machine, used, asked } = suspended;
        self.context.meter.resume(&used);
        self.context.asked.replace(asked);
        self.stepped(self.runner.go_on("step", MayAsk::Allowed, machine)?)
    }
}
