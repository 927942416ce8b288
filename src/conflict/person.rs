//! The seat of a person: it answers what was typed, and pauses the run where nothing was.

use std::cell::RefCell;
use std::rc::Rc;

use indexmap::IndexMap;

use crate::game::{Answer, Asked, Decision, Stop, Value};
use crate::graph::{Agent, Standpoint};
use crate::script::{Call, Run};

/// The moment at which a run paused: what is asked, the state and its picture.
#[derive(Clone, Debug)]
pub struct PendingQuestion {
    /// What is asked; several players of a joint decision, or one.
    pub asked: Vec<Asked>,
    /// The state in the middle of the step.
    pub state: Value,
    /// The rules' picture of it, or why there is none.
    pub picture: Result<Option<String>, String>,
    /// The functions of the rules that led to the question, innermost first.
    pub calls: Vec<Call>,
}

impl PendingQuestion {
    /// The question at which a run stopped, or the part of it that is given.
    pub(super) fn of(run: &Run, asked: Vec<Asked>) -> PendingQuestion {
        let scene = run.question().scene();
        let picture = scene.picture().map_err(|error| error.to_string());
        PendingQuestion { asked, state: scene.state(), picture, calls: run.calls() }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picked {
    /// Its place among the options, from 0.
    pub index: usize,
    /// The option itself.
    pub value: Value,
}

/// Player and decision -> the option that was picked: answers to what is asked after the history, in the
/// order given.
pub(super) type Given = IndexMap<(String, String), Picked>;

/// What was typed, shared by the seats and the one who plays; each answer is used once.
pub(super) type SharedInput = Rc<RefCell<Given>>;

pub(super) struct Person(pub SharedInput);

impl Agent for Person {
    fn name(&self) -> &str {
        "human"
    }

    fn answer(&mut self, decision: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
        let question = (decision.player.to_owned(), decision.name.to_owned());
        let picked = self.0.borrow_mut().shift_remove(&question);
        let picked = picked.filter(|picked| picked.index < decision.options.len());
        picked.map(|picked| Answer::Option(picked.index)).ok_or(Stop::Pause)
    }

    fn deliberates(&self) -> bool {
        true
    }
}
