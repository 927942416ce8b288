//! The handler for people: it answers with what they typed, and pauses where they typed nothing.

use std::cell::RefCell;
use std::rc::Rc;

use indexmap::IndexMap;

use crate::error::Error;
use crate::game::{Asked, Chance, Decision, Handler, Scene, Stop, Value};
use crate::handlers::{Agent, Answer, Skip, Standpoint};
use crate::script::Call;

/// The moment at which a playout paused: what is asked, the state and its picture.
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
    fn of(asked: Vec<Asked>, scene: &dyn Scene) -> PendingQuestion {
        let picture = scene.picture().map_err(|error| error.to_string());
        PendingQuestion { asked, state: scene.state(), picture, calls: Vec::new() }
    }
}

/// An option that a person picked.
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

/// What the people at the terminal have typed, and where they are asked next.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingInput {
    /// What they answer when they are asked; each answer is used once.
    pub given: Given,
    /// Where the playout paused.
    pub moment: Option<PendingQuestion>,
}

/// What was typed, shared by the handlers and the one who plays.
pub(super) type SharedInput = Rc<RefCell<PendingInput>>;

/// A seat of a person.
pub(super) struct Person(pub SharedInput);

impl Agent for Person {
    fn name(&self) -> &str {
        "human"
    }

    fn answer(&mut self, decision: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
        let mut input = self.0.borrow_mut();
        let question = (decision.player.to_owned(), decision.name.to_owned());
        if let Some(picked) = input.given.shift_remove(&question)
            && picked.index < decision.options.len()
        {
            return Ok(Answer::Option(picked.index));
        }
        input.moment = Some(PendingQuestion::of(vec![decision.into()], decision.scene));
        Err(Stop::Pause)
    }

    fn deliberates(&self) -> bool {
        true
    }
}

/// Pauses at the first question, no matter who is asked.
pub(super) struct Halt(pub SharedInput);

impl Halt {
    fn halt<T>(&self, asked: Vec<Asked>, scene: &dyn Scene) -> Result<T, Stop> {
        self.0.borrow_mut().moment = Some(PendingQuestion::of(asked, scene));
        Err(Stop::Pause)
    }
}

impl Handler for Halt {
    fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop> {
        self.halt(vec![decision.into()], decision.scene)
    }

    fn decide_together(&mut self, decisions: &[Decision<'_>]) -> Result<Vec<usize>, Stop> {
        let asked = decisions.iter().map(Into::into).collect();
        match decisions.first() {
            Some(first) => self.halt(asked, first.scene),
            None => Err(Error::usage("nobody is asked").into()),
        }
    }

    fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop> {
        self.halt(vec![chance.into()], chance.scene)
    }
}

impl Skip for Halt {
    fn skip_question(&mut self) {}
}
