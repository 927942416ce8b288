//! The random agent: picks each option with the same probability.

use super::{Agent, Answer, Standpoint};
use crate::game::{Decision, Stop};

/// Picks each option with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Random;

impl Agent for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn answer(&mut self, _: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
        Ok(Answer::Any)
    }

    fn always(&self) -> Option<Answer> {
        Some(Answer::Any)
    }
}
