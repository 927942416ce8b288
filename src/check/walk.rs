//! Replays the history of a playout step by step, and checks the laws, views and pictures between
//! the steps.

use std::cell::RefCell;
use std::rc::Rc;

use super::look::{Look, Seen};
use crate::conflict::Conflict;
use crate::error::Error;
use crate::game::{History, Stop, Value};
use crate::handlers::{Generator, Record, Replay, Skip};
use crate::script::{Rules, State};

/// The result of a walk.
pub(super) struct Walked {
    /// The answers that were given.
    pub history: History,
    /// The outcome; `None` if the answers ended before it.
    pub outcome: Option<Value>,
    /// Some states in which somebody was asked.
    pub states: Vec<Value>,
    /// Some questions, of each name one at least.
    pub questions: Vec<Seen>,
}

/// A fault, and the step at which it was found.
pub(super) struct Fault {
    pub step: u64,
    pub wrong: Wrong,
}

/// The kinds of faults.
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
) -> Result<Walked, Fault> {
    let look = Look::new(replay, players.clone(), Generator::playout(seed, 1), LOOK_EVERY);
    let handler = Rc::new(RefCell::new(Record::new(look)));
    let mut step = 0;
    let outcome = follow(conflict, &handler, &players, seed, steps, &mut step);
    let mut handler = handler.borrow_mut();
    let outcome = outcome.map_err(|wrong| Fault { step, wrong })?;
    if outcome.is_some() {
        let finished = handler.inner().inner().finish();
        finished.map_err(|error| Fault { step, wrong: error.into() })?;
    }
    let states = handler.inner().states().to_vec();
    let questions = handler.inner().questions().to_vec();
    Ok(Walked { history: std::mem::take(handler.history_mut()), outcome, states, questions })
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
