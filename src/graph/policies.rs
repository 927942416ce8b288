//! Policies of players: all options equally likely, always the same one, or their agents' answers.

use std::sync::Arc;

use num_bigint::BigUint;

use super::answer_cache::AnswerCache;
use super::node::NodeKind;
use super::seats::SeatedAgents;
use super::store::Graph;
use super::store::question::Offer;
use crate::game::{Answer, Distribution};

/// How a player's answers are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// Each option is equally likely.
    Any,
    /// Always the option at this index.
    Always(usize),
    /// As the agent answers what it sees: see [`AnswerCache`].
    Agent,
}

/// The policies of the players, by the numbers by which nodes know them; number 0 is chance.
#[derive(Clone, Debug)]
pub(crate) struct Policies(Vec<Option<Policy>>);

impl Default for Policies {
    fn default() -> Policies {
        Policies(vec![Some(Policy::Any)])
    }
}

/// How likely the answers at a node are.
pub(crate) enum Shares<'a> {
    /// The same share for each of this many answers.
    Even(usize),
    /// One of them is certain.
    One(usize),
    /// What falls, by weights.
    Chance(&'a Distribution),
    /// As an agent weighs them.
    Weights(Arc<Answer>),
}

impl Policies {
    #[inline]
    pub(crate) fn get(&self, actor: u32) -> Option<Policy> {
        self.0.get(actor as usize).copied().flatten()
    }

    /// Learns the policies of the players that the graph knows by now.
    pub(crate) fn update_from(&mut self, graph: &Graph, seats: &mut SeatedAgents) {
        // By their numbers: of two that come at once the second may be seen first.
        for (number, player) in graph.actors() {
            let number = number as usize;
            if number >= self.0.len() {
                self.0.resize(number + 1, None);
            }
            self.0[number].get_or_insert_with(|| of(seats.agent(player).always()));
        }
    }

    /// How likely the answers at a node are; `None` where an agent's answer is not worked out, a
    /// player is not known yet, or the conflict is over.
    pub(crate) fn shares<'a>(
        &self,
        graph: &'a Graph,
        number: u32,
        answers: &AnswerCache,
    ) -> Option<Shares<'a>> {
        let node = graph.node(number);
        Some(match node.kind() {
            NodeKind::End => return None,
            NodeKind::EvenChance => Shares::Even(node.answers()),
            NodeKind::Chance => match &graph.question(node)?.offer {
                Offer::Chance(distribution) => Shares::Chance(distribution),
                Offer::Options(_) => return None,
            },
            NodeKind::Decision => match self.get(node.actor())? {
                Policy::Any => Shares::Even(node.answers()),
                Policy::Always(index) => Shares::One(index),
                Policy::Agent => weighed(answers.at(number)?, node.answers()),
            },
        })
    }
}

fn of(always: Option<Answer>) -> Policy {
    match always {
        Some(Answer::Any) => Policy::Any,
        Some(Answer::Option(index)) => Policy::Always(index),
        Some(Answer::Weights(_)) | None => Policy::Agent,
    }
}

/// The shares of an agent's answer to this many options.
pub(super) fn weighed<'a>(answer: Arc<Answer>, options: usize) -> Shares<'a> {
    match &*answer {
        Answer::Any => Shares::Even(options),
        Answer::Option(index) => Shares::One(*index),
        Answer::Weights(_) => Shares::Weights(answer),
    }
}

impl Shares<'_> {
    /// The answers that may be given, each with its weight.
    pub(crate) fn weights(&self) -> Vec<(usize, BigUint)> {
        match self {
            Shares::Even(count) => (0..*count).map(|index| (index, 1u8.into())).collect(),
            Shares::One(index) => vec![(*index, 1u8.into())],
            Shares::Chance(weighed) => weighed.weights().iter().cloned().enumerate().collect(),
            Shares::Weights(answer) => match &**answer {
                Answer::Weights(weights) => {
                    weights.iter().map(|(index, weight)| (index, weight.clone())).collect()
                }
                _ => Vec::new(),
            },
        }
    }

    pub(crate) fn indices(&self) -> Vec<usize> {
        match self {
            Shares::Even(count) => (0..*count).collect(),
            Shares::One(index) => vec![*index],
            Shares::Chance(weighed) => (0..weighed.weights().len()).collect(),
            Shares::Weights(answer) => match &**answer {
                Answer::Weights(weights) => weights.iter().map(|(index, _)| index).collect(),
                _ => Vec::new(),
            },
        }
    }
}
