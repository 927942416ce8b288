//! A handler that calls `view` and `picture` at random questions, to find errors in them.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::sight::STATES;
use crate::game::{Chance, Decision, Handler, Stop, Value};
use crate::handlers::Generator;

/// Lets another handler answer, and computes the views and the picture at some questions.
pub(super) struct Look<H> {
    inner: H,
    rng: Generator,
    every: usize,
    players: Vec<String>,
    /// States in which somebody was asked.
    states: Vec<Value>,
    /// Questions, each with what the player saw who was asked.
    questions: Vec<Seen>,
    /// The names of questions that there were.
    names: BTreeSet<String>,
    /// Whether there is a state yet.
    is_set_up: Cell<bool>,
}

/// A question that a player was asked, and what that player saw.
#[derive(Clone)]
pub(super) struct Seen {
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
    pub(super) fn questions(&self) -> &[Seen] {
        &self.questions
    }

    /// The handler that answers.
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
            self.questions.push(Seen {
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
