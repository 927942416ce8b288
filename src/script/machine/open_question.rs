//! What a machine asked: who is asked what, and where the answer goes.

use std::sync::Arc;

use rhai::Position;

use super::code::Reg;
use super::value::{List, Text};
use crate::game::Distribution;

#[derive(Clone, Debug)]
pub(crate) struct OpenQuestion {
    pub asked: QuestionKind,
    /// The script's line.
    pub at: Position,
    /// What takes the answer: a register of the function that asked.
    pub to: Reg,
    pub(crate) receiver: Reg,
}

#[derive(Clone, Debug)]
pub(crate) enum QuestionKind {
    One(OfferedDecision),
    /// Several at once; those with one option are not asked.
    Together(Vec<OfferedDecision>),
    Chance {
        roller: Text,
        name: Text,
        distribution: Arc<Distribution>,
    },
    /// One of several picks that go onto the list at a place in the state.
    Onto {
        decision: OfferedDecision,
        place: Arc<List>,
        /// The last option ends it.
        may_stop: bool,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct OfferedDecision {
    pub player: Text,
    pub name: Text,
    pub options: Arc<List>,
}

impl OpenQuestion {
    pub(crate) fn name(&self) -> &str {
        match &self.asked {
            QuestionKind::One(one) | QuestionKind::Onto { decision: one, .. } => one.name.as_str(),
            QuestionKind::Together(all) => all.first().map_or("", |one| one.name.as_str()),
            QuestionKind::Chance { name, .. } => name.as_str(),
        }
    }

    /// How many answers it takes: one for each who is asked.
    pub(crate) fn parts(&self) -> usize {
        match &self.asked {
            QuestionKind::Together(all) => all.iter().filter(|one| one.is_asked()).count(),
            _ => 1,
        }
    }

    /// The decisions of a joint one that are asked, in order.
    pub(crate) fn together(&self) -> impl Iterator<Item = &OfferedDecision> {
        let all: &[OfferedDecision] = match &self.asked {
            QuestionKind::Together(all) => all,
            _ => &[],
        };
        all.iter().filter(|one| one.is_asked())
    }
}

impl OfferedDecision {
    fn is_asked(&self) -> bool {
        self.options.len() > 1
    }
}
