//! An agent that always picks the first option: the simplest agent that repeats itself.

use super::{Agent, Answer, Standpoint};
use crate::game::{Decision, Stop};

/// Picks the first option.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl Agent for First {
    fn name(&self) -> &str {
        "first"
    }

    fn answer(&mut self, _: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
        Ok(Answer::Option(0))
    }

    fn always(&self) -> Option<Answer> {
        Some(Answer::Option(0))
    }
}
