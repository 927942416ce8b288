//! The trait of all agents, which pick for players; people at the prompt are agents too.

use super::{Answer, Generator, Standpoint};
use crate::game::{Decision, Stop};

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
    ///
    /// # Errors
    /// [`Stop`] ends the playout here.
    fn answer(
        &mut self,
        decision: &Decision<'_>,
        standpoint: Standpoint<'_>,
    ) -> Result<Answer, Stop>;

    /// Picks the index of an option. The generator is this question's own: an agent may draw from
    /// it as much as it likes without moving anybody else's dice.
    ///
    /// # Errors
    /// [`Stop`] ends the playout here.
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
