//! A handler that calls `view` and `picture` at random questions, to find errors in them.

use super::sight::STATES;
use crate::game::{Chance, Decision, Handler, Stop, Value};
use crate::handlers::Generator;

/// Lets another handler answer, and computes the views and the picture at some questions.
pub(super) struct Look<H> {
    inner: H,
    lots: Generator,
    every: usize,
    players: Vec<String>,
    /// States in which somebody was asked.
    states: Vec<Value>,
}

impl<H> Look<H> {
    /// Computes the views of all players at one in `every` questions, chosen at random.
    pub fn new(inner: H, players: Vec<String>, lots: Generator, every: usize) -> Look<H> {
        Look { inner, lots, every, players, states: Vec::new() }
    }

    /// The handler that answers.
    pub fn inner(&self) -> &H {
        &self.inner
    }

    /// Some states in which somebody was asked.
    pub fn states(&self) -> &[Value] {
        &self.states
    }

    fn notice(&mut self, decision: &Decision<'_>) -> Result<(), Stop> {
        if self.lots.index(self.every) == 0 {
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
