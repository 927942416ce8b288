//! An agent that never answers: the playout pauses at its turn.

use super::{Agent, Answer, Standpoint};
use crate::game::{Decision, Stop};

/// Answers nothing: the playout unwinds with [`Stop::Pause`] where it is asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waiting;

impl Agent for Waiting {
    fn name(&self) -> &str {
        "waiting"
    }

    fn answer(&mut self, _: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
        Err(Stop::Pause)
    }

    fn deliberates(&self) -> bool {
        true
    }
}
