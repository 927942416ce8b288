//! Replays the history of a playout step by step, and checks the laws, views and pictures on the way.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::hidden_state::STATES;
use crate::conflict::Conflict;
use crate::error::Error;
use crate::game::{Chance, Decision, Handler, History, Stop, Value};
use crate::handlers::{Generator, Record, Replay, Skip};
use crate::script::{Rules, State};

pub(super) struct WalkedPlayout {
    /// The answers that were given.
    pub history: History,
    /// The outcome; `None` if the answers ended before it.
    pub outcome: Option<Value>,
    /// Some states in which somebody was asked.
    pub states: Vec<Value>,
    /// Some questions, of each name one at least.
    pub questions: Vec<SeenQuestion>,
}

/// A fault, and the step at which it was found.
pub(super) struct PlayoutFault {
    pub step: u64,
    pub wrong: Wrong,
}

pub(super) enum Wrong {
    /// These laws are broken.
    Laws(Vec<String>),
    /// The picture of what this player sees failed.
    Picture(String, Box<Error>),
    /// A function of the rules failed, or the history does not fit.
    Error(Box<Error>),
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Wrong {
        Wrong::Error(Box::new(error))
    }
}

/// One in this many states and questions is checked with `view` and `picture`.
const LOOK_EVERY: usize = 4;

/// Replays a history for at most `steps` steps, up to the first fault.
pub(super) fn walk<H: Skip + 'static>(
    conflict: &Conflict,
    replay: Replay<H>,
    players: Vec<String>,
    seed: u64,
    steps: u64,
) -> Result<WalkedPlayout, PlayoutFault> {
    let look = Look::new(replay, players.clone(), Generator::playout(seed, 1), LOOK_EVERY);
    let handler = Rc::new(RefCell::new(Record::new(look)));
    let mut step = 0;
    let outcome = follow(conflict, &handler, &players, seed, steps, &mut step);
    let mut handler = handler.borrow_mut();
    let outcome = outcome.map_err(|wrong| PlayoutFault { step, wrong })?;
    if outcome.is_some() {
        let finished = handler.inner().inner().finish();
        finished.map_err(|error| PlayoutFault { step, wrong: error.into() })?;
    }
    let states = handler.inner().states().to_vec();
    let questions = handler.inner().questions().to_vec();
    Ok(WalkedPlayout { history: std::mem::take(handler.history_mut()), outcome, states, questions })
}

type Walker<H> = Rc<RefCell<Record<Look<Replay<H>>>>>;

/// The outcome, or `None` if the answers or the steps end before it.
fn follow<H: Skip + 'static>(
    conflict: &Conflict,
    handler: &Walker<H>,
    players: &[String],
    seed: u64,
    steps: u64,
    step: &mut u64,
) -> Result<Option<Value>, Wrong> {
    let rules = &conflict.rules;
    let mut rng = Generator::playout(seed, 2);
    let Some(mut state) = unless_paused(rules.begin(&conflict.setup, handler))? else {
        return Ok(None);
    };
    handler.borrow().inner().is_set_up();
    rules.sides(&state)?;
    loop {
        let broken = rules.laws(&state)?;
        if !broken.is_empty() {
            return Err(Wrong::Laws(broken));
        }
        if let Some(outcome) = rules.outcome(&state)? {
            look(rules, &state, players)?;
            return Ok(Some(outcome.value().clone()));
        }
        if rng.index(LOOK_EVERY) == 0 {
            look(rules, &state, players)?;
        }
        if *step == steps {
            return Ok(None);
        }
        *step += 1;
        if unless_paused(rules.step(&mut state, handler))?.is_none() {
            return Ok(None);
        }
    }
}

/// Computes each player's view, the picture of it, and the picture of the state: none may fail.
fn look(rules: &Rules, state: &State, players: &[String]) -> Result<(), Wrong> {
    for player in players {
        let seen = rules.view(state, player)?;
        if rules.hides() {
            let drawn = rules.picture(&State::from_value(&seen));
            drawn.map_err(|error| Wrong::Picture(player.clone(), Box::new(error)))?;
        }
    }
    rules.picture(state)?;
    Ok(())
}

fn unless_paused<T>(result: Result<T, Stop>) -> Result<Option<T>, Wrong> {
    match result {
        Ok(done) => Ok(Some(done)),
        Err(Stop::Pause) => Ok(None),
        Err(Stop::Fail(error)) => Err(Wrong::Error(error)),
    }
}

/// Lets another handler answer, and computes the views and the picture at some questions.
pub(super) struct Look<H> {
    inner: H,
    rng: Generator,
    every: usize,
    players: Vec<String>,
    /// States in which somebody was asked.
    states: Vec<Value>,
    /// Questions, each with what the player saw who was asked.
    questions: Vec<SeenQuestion>,
    /// The names of questions that there were.
    names: BTreeSet<String>,
    /// Whether there is a state yet.
    is_set_up: Cell<bool>,
}

/// A question that a player was asked, and what that player saw.
#[derive(Clone)]
pub(super) struct SeenQuestion {
    pub player: String,
    pub name: String,
    pub options: Vec<Value>,
    pub view: Value,
}

/// At most this many questions are kept of a playout.
const QUESTIONS: usize = 40;

impl<H> Look<H> {
    /// Computes the views of all players at one in `every` questions, chosen at random.
    pub(super) fn new(inner: H, players: Vec<String>, rng: Generator, every: usize) -> Look<H> {
        Look {
            inner,
            rng,
            every,
            players,
            states: Vec::new(),
            questions: Vec::new(),
            names: BTreeSet::new(),
            is_set_up: Cell::new(false),
        }
    }

    /// The setup has been made: from here on questions are kept.
    pub(super) fn is_set_up(&self) {
        self.is_set_up.set(true);
    }

    /// Some questions, of each name one at least.
    pub(super) fn questions(&self) -> &[SeenQuestion] {
        &self.questions
    }

    pub(super) fn inner(&self) -> &H {
        &self.inner
    }

    /// Some states in which somebody was asked.
    pub(super) fn states(&self) -> &[Value] {
        &self.states
    }

    fn notice(&mut self, decision: &Decision<'_>) -> Result<(), Stop> {
        let looks = self.rng.index(self.every) == 0;
        let is_new = !self.names.contains(decision.name);
        if self.is_set_up.get() && (looks || is_new) && self.questions.len() < QUESTIONS {
            self.names.insert(decision.name.to_owned());
            self.questions.push(SeenQuestion {
                player: decision.player.to_owned(),
                name: decision.name.to_owned(),
                options: decision.options.values(),
                view: decision.scene.view(decision.player)?,
            });
        }
        if looks {
            decision.scene.view(decision.player)?;
            for player in &self.players {
                decision.scene.view(player)?;
            }
            decision.scene.picture()?;
            if self.states.len() < STATES {
                self.states.push(decision.scene.state());
            }
        }
        Ok(())
    }
}

impl<H: Handler> Handler for Look<H> {
    fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop> {
        self.notice(decision)?;
        self.inner.decide(decision)
    }

    fn decide_together(&mut self, decisions: &[Decision<'_>]) -> Result<Vec<usize>, Stop> {
        for decision in decisions {
            self.notice(decision)?;
        }
        self.inner.decide_together(decisions)
    }

    fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop> {
        self.inner.roll(chance)
    }

    fn event(&mut self, text: &str) {
        self.inner.event(text);
    }

    fn listens(&self) -> bool {
        // Events are built for whoever plays, so they are built here.
        true
    }

    fn deliberates(&self) -> bool {
        self.inner.deliberates()
    }
}
