//! Which pairings need no games? Those whose graph is small: their ends are computed.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use num_traits::ToPrimitive;

use super::super::{End, Exact};
use super::seats::{Seat, utility};
use super::table::lock;
use crate::agents::Found;
use crate::analysis::{Fraction, ends};
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::{Bounds, Ending, Reach, explore};

/// A scenario with no more nodes than this is seen whole, once for all its pairings.
const WHOLE: u64 = 20_000;
/// In a larger one a pairing is computed that meets no more nodes than this.
const PAIRING: u64 = 2_000;
/// After so many pairings of a larger scenario that met more, no further one is tried.
const TRIES: usize = 8;

/// Computes pairings of one scenario, on graphs of its own: what games have met changes nothing.
pub(super) struct Seeker {
    seating: Seating,
    agents: Vec<Found>,
    memory: u64,
    /// Whether the scenario has been seen whole, once somebody tried.
    whole: Mutex<Option<bool>>,
    failed: AtomicUsize,
}

impl Seeker {
    /// Seeks at a graph that nobody else uses, for these agents.
    pub fn new(seating: Seating, agents: Vec<Found>, memory: u64) -> Seeker {
        let memory = memory / 8;
        let seating = seating.afresh(memory);
        Seeker { seating, agents, memory, whole: Mutex::default(), failed: AtomicUsize::new(0) }
    }

    /// All ends of the agents in these seats; nothing where that is too large, or where an agent
    /// errs somewhere: then games are played, and the agent forfeits some of them.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Interrupted`].
    pub fn exact(&self, seats: &[Seat], agents: &[usize]) -> Result<Option<Exact>, Error> {
        let whole = self.is_whole()?;
        if !whole && self.failed.load(Ordering::Relaxed) >= TRIES {
            return Ok(None);
        }
        let seated = seats.iter().zip(agents);
        let seated = seated.filter_map(|(seat, &agent)| {
            Some((seat.players.clone(), self.agents.get(agent)?.clone()))
        });
        let mut seating = self.seating.with(seated);
        if !whole {
            seating = seating.afresh(self.memory);
        }
        let nodes = if whole { WHOLE } else { PAIRING };
        match ends(&seating, Bounds { threads: 1, nodes }) {
            Ok(Some(ends)) => Ok(Some(of_seats(seats, ends))),
            Ok(None) | Err(Error::Agent { .. }) => {
                self.failed.fetch_add(1, Ordering::Relaxed);
                Ok(None)
            }
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
            Ok(Reach::Interrupted) | Err(Error::Interrupted) => return Err(Error::Interrupted),
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
