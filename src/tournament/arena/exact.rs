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

/// Nodes for each game of a pairing that may be met to save it: to meet them costs less than games.
const NODES_A_GAME: u64 = 4;
/// A pairing that meets no more nodes than this is computed, however few its games.
const LEAST: u64 = 500;
/// One that meets more is not, however many its games.
const MOST: u64 = 6_000;
/// A scenario with no more nodes than this is seen whole, once for all its pairings.
const WHOLE: u64 = MOST;
/// Playouts that agents may think for a pairing to be computed: that is done by one thread before
/// the first game, and must not take longer than a few of the games would.
const THOUGHT: u64 = 40_000;

/// Computes pairings of one scenario, on graphs of its own: what games have met changes nothing, and
/// what is computed depends on the spec alone.
pub(super) struct Seeker {
    seating: Seating,
    agents: Vec<Found>,
    memory: u64,
    /// How many nodes a pairing may meet.
    pairing: u64,
    /// Whether the scenario has been seen whole, once somebody tried.
    whole: Mutex<Option<bool>>,
}

impl Seeker {
    /// Seeks at a graph that nobody else uses, for these agents and so many games of a pairing.
    pub fn new(seating: Seating, agents: Vec<Found>, games: u64, memory: u64) -> Seeker {
        let memory = memory / 8;
        let seating = seating.afresh(memory);
        let pairing = games.saturating_mul(NODES_A_GAME).clamp(LEAST, MOST);
        Seeker { seating, agents, memory, pairing, whole: Mutex::default() }
    }

    /// All ends of the agents in these seats; nothing where that is too large, or where an agent
    /// errs somewhere: then games are played, and the agent forfeits some of them.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Interrupted`].
    pub fn exact(&self, seats: &[Seat], agents: &[usize]) -> Result<Option<Exact>, Error> {
        let whole = self.is_whole()?;
        let seated = seats.iter().zip(agents);
        let seated = seated.filter_map(|(seat, &agent)| {
            Some((seat.players.clone(), self.agents.get(agent)?.clone()))
        });
        let mut seating = self.seating.with(seated);
        if !whole {
            seating = seating.afresh(self.memory);
        }
        let nodes = if whole { u64::MAX } else { self.pairing };
        let nodes = nodes.min(self.thinkable(agents));
        match ends(&seating, Bounds { threads: 1, nodes }) {
            Ok(Some(ends)) => Ok(Some(of_seats(seats, ends))),
            Ok(None) | Err(Error::Agent { .. }) => Ok(None),
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

    /// How many nodes may be met for what the answers of these agents cost; each agent thinks once
    /// about what it knows, wherever it sits.
    fn thinkable(&self, agents: &[usize]) -> u64 {
        let different: BTreeSet<usize> = agents.iter().copied().collect();
        let found = different.into_iter().filter_map(|agent| self.agents.get(agent));
        match found.map(Found::playouts).sum() {
            0 => u64::MAX,
            playouts => THOUGHT / playouts,
        }
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
