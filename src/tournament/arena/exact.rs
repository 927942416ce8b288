//! Which pairings need no games? Those whose graph is small: their ends are computed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use num_traits::ToPrimitive;

use super::super::{End, Exact};
use super::seats::utility;
use super::table::lock;
use crate::agents::Found;
use crate::analysis::{Fraction, ends};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::graph::{Bounds, Ending, Reach, explore};

/// Seatings that meet no more nodes than this are computed, however few their games: nodes are met
/// once for all pairings. Where there are many agents they share [`FOR_ALL`].
const LEAST: u64 = 500;
/// Nodes that all seatings of a scenario may meet together, however few their games.
const FOR_ALL: u64 = 6_000;
/// One that meets more is not, however many its games.
const MOST: u64 = 6_000;
/// A scenario with no more nodes than this is seen whole, where somebody wants all its ends.
const WHOLE: u64 = MOST;
/// Playouts that agents may think for a seating to be computed, however few its games.
const LEAST_THOUGHT: u64 = 5_000;
/// The same, however many its games.
const THOUGHT: u64 = 40_000;

/// Computes pairings of one scenario, on graphs of its own: what games have met changes nothing, and
/// what is computed depends on the spec alone.
pub(super) struct Seeker {
    seating: Seating,
    agents: Vec<Found>,
    memory: u64,
    games: u64,
    /// Whether the scenario has been seen whole, once somebody tried.
    whole: Mutex<Option<bool>>,
}

impl Seeker {
    /// Seeks at a graph that nobody else uses, for these agents and so many games of a pairing.
    pub fn new(seating: Seating, agents: Vec<Found>, games: u64, memory: u64) -> Seeker {
        let memory = memory / 8;
        let seating = seating.afresh(memory);
        Seeker { seating, agents, memory, games, whole: Mutex::default() }
    }

    /// How many nodes may be met to compute these agents in their seats, where a game has about so
    /// many questions: about as many as the games would answer, so that no search costs more than the
    /// games that it may save. Each agent thinks once about what it knows, wherever it sits.
    pub fn bound(&self, agents: &[usize], questions: u64) -> u64 {
        let games = self.games.saturating_mul(questions);
        let different: BTreeSet<usize> = agents.iter().copied().collect();
        let found = different.into_iter().filter_map(|agent| self.agents.get(agent));
        match found.map(Found::playouts).sum() {
            0 => games.max(share(LEAST, self.agents.len())).min(MOST),
            playouts => {
                let least = share(LEAST_THOUGHT / playouts, self.agents.len());
                games.max(least).min(THOUGHT / playouts).min(MOST)
            }
        }
    }

    /// All ends of the agents in these seats; nothing where there are more nodes than the bound, or
    /// where an agent errs somewhere: then games are played, and the agent forfeits some of them.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Interrupted`].
    pub fn exact(
        &self,
        seats: &[Seat],
        agents: &[usize],
        nodes: u64,
    ) -> Result<Option<Exact>, Error> {
        let seated = seats.iter().zip(agents);
        let seated = seated.filter_map(|(seat, &agent)| {
            Some((seat.players.clone(), self.agents.get(agent)?.clone()))
        });
        let seating = self.seating.with(seated);
        let bounds = Bounds { threads: 1, nodes };
        let found = match ends(&seating, bounds) {
            // What other pairings have met may take the room that this one needs.
            Ok(None) if seating.graph.is_full() => ends(&seating.afresh(self.memory), bounds),
            found => found,
        };
        match found {
            Ok(Some(ends)) => Ok(Some(of_seats(seats, ends))),
            Ok(None) => Ok(None),
            Err(error) if matches!(error.itself(), Error::Agent { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// All ends of the scenario, where it is small enough to be seen whole.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn all_endings(&self) -> Result<Option<Vec<Ending>>, Error> {
        let endings = || self.seating.graph.endings().map(|(_, ending)| ending.clone());
        Ok(self.is_whole()?.then(|| endings().collect()))
    }

    fn is_whole(&self) -> Result<bool, Error> {
        let mut known = lock(&self.whole);
        if let Some(whole) = *known {
            return Ok(whole);
        }
        let bounds = Bounds { threads: 1, nodes: WHOLE };
        let reach = explore(&self.seating.graph, &self.seating.unmanned(), bounds, &|_| ());
        let whole = match reach {
            Ok(Reach::Cut(cut)) => return Err(cut.into()),
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            Ok(reach) => reach == Reach::Whole,
            // A branch on which the rules fail may be one that no agent takes.
            Err(_) => false,
        };
        Ok(*known.insert(whole))
    }
}

/// The nodes that a seating of two among so many agents may meet however few its games: so many at
/// most, and its share of those for all.
fn share(least: u64, agents: usize) -> u64 {
    let agents = agents as u64;
    let seatings = agents.saturating_mul(agents.saturating_sub(1)).max(1);
    least.min(FOR_ALL / seatings)
}

/// The ends as the seats see them, equal ones added up.
fn of_seats(seats: &[Seat], ends: Vec<(Ending, Fraction)>) -> Exact {
    let mut sums: BTreeMap<(String, Vec<u64>), Fraction> = BTreeMap::new();
    for (ending, chance) in ends {
        let bits = utility(seats, &ending).into_iter().map(f64::to_bits).collect();
        *sums.entry((ending.result, bits)).or_default() += chance;
    }
    let end = |((result, bits), chance): ((String, Vec<u64>), Fraction)| End {
        probability: chance.to_f64().unwrap_or_default(),
        result,
        utility: bits.into_iter().map(f64::from_bits).collect(),
    };
    Exact { ends: sums.into_iter().map(end).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_however_few_the_games_does_not_grow_with_the_field() {
        // Four agents sit in 12 ways, 40 in 1560.
        assert_eq!(share(LEAST, 4), 500);
        assert_eq!(share(LEAST, 40), 3);
        for agents in 0..200usize {
            let seatings = (agents * agents.saturating_sub(1)) as u64;
            assert!(seatings * share(LEAST, agents) <= FOR_ALL, "{agents}");
        }
    }
}
