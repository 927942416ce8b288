//! The trait of agents, which pick for players, with what they know and answer; and the simplest agents.

use num_bigint::BigUint;

use super::Generator;
use crate::game::{Decision, Distribution, DistributionError, Stop, Value};

/// Why an agent answered as it did: what it expects of each option.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The player's expected utility after each option, in order.
    pub values: Vec<f64>,
    /// Of how many playouts of each option it is the mean; 0 where it is exact.
    pub playouts: u64,
}

/// Picks actions for one or more players.
pub trait Agent {
    /// What messages and tables call it.
    fn name(&self) -> &str;

    /// What it answers before anything is drawn at random. An agent that is no person is pure: the
    /// same view, player, name and options have the same answer, unless it
    /// [remembers](Agent::remembers) more. It may use the standpoint to think ahead, never to learn
    /// what is hidden from the player.
    fn answer(
        &mut self,
        decision: &Decision<'_>,
        standpoint: Standpoint<'_>,
    ) -> Result<Answer, Stop>;

    /// Picks the index of an option. The generator is this question's own: an agent may draw from
    /// it as much as it likes without moving anybody else's dice.
    fn pick(
        &mut self,
        decision: &Decision<'_>,
        standpoint: Standpoint<'_>,
        generator: &mut Generator,
    ) -> Result<usize, Stop> {
        Ok(self.answer(decision, standpoint)?.draw(decision.options.len(), generator))
    }

    /// What each option of its last answer was worth, where it weighed them and just thought about it.
    fn worth(&self) -> Option<&Worth> {
        None
    }

    /// The operations that its last answer took, where it is a script.
    fn operations(&self) -> u64 {
        0
    }

    /// Whether it goes by more than it sees at the moment: by what the player saw and did since the
    /// step began. Its answers are then known by their places alone.
    fn remembers(&self) -> bool {
        false
    }

    /// The answer that it gives to every question, for any view and options, if there is one.
    fn always(&self) -> Option<Answer> {
        None
    }

    /// Whether a pick may take long (people, search): the script's deadline pauses meanwhile.
    fn deliberates(&self) -> bool {
        false
    }
}

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Each option with the same probability.
    Any,
    /// The option at this index.
    Option(usize),
    /// Indices of options, each with its weight.
    Weights(Weights),
}

/// Indices of options with positive exact weights, in the order in which they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(Distribution);

impl Weights {
    /// Weights over indices; equal indices are merged, those of weight 0 dropped.
    pub(crate) fn new(
        pairs: impl IntoIterator<Item = (usize, BigUint)>,
    ) -> Result<Weights, DistributionError> {
        let pairs = pairs.into_iter().map(|(index, weight)| (Value::Int(index as i64), weight));
        Distribution::new(pairs).map(Weights)
    }

    /// The indices with their weights, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &BigUint)> {
        self.0.values().iter().map(index_of).zip(self.0.weights())
    }

    /// Draws an index by the weights.
    pub fn draw(&self, generator: &mut Generator) -> usize {
        index_of(&self.0.values()[generator.fall(&self.0)])
    }
}

fn index_of(value: &Value) -> usize {
    value.as_int().and_then(|index| usize::try_from(index).ok()).unwrap_or_default()
}

impl Answer {
    /// Draws the index of one of `len` options.
    pub fn draw(&self, len: usize, generator: &mut Generator) -> usize {
        match self {
            Answer::Any => generator.index(len),
            Answer::Option(index) => *index,
            Answer::Weights(weights) => weights.draw(generator),
        }
    }
}

/// The place of a question. People, and agents that go by what they see, need none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standpoint<'a> {
    /// A node of the graph that is played on, by its number; 0 is the beginning.
    pub node: u32,
    /// The indices of all answers since, of players and of chance, oldest first; those of a joint
    /// decision are in the order in which its players are asked.
    pub answers: &'a [u32],
}

impl<'a> Standpoint<'a> {
    /// At a node itself.
    pub fn at(node: u32) -> Standpoint<'static> {
        Standpoint { node, answers: &[] }
    }

    /// After these answers since the beginning.
    pub fn after(answers: &'a [u32]) -> Standpoint<'a> {
        Standpoint { node: 0, answers }
    }

    /// The node of the question, if it has one; else 0.
    pub fn known(&self) -> u32 {
        if self.answers.is_empty() { self.node } else { 0 }
    }
}

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

#[cfg(test)]
/// Answers nothing: the playout unwinds with [`Stop::Pause`] where it is asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waiting;

#[cfg(test)]
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
