//! Computes exact results of pairings with a small graph, so that no games have to be played.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::ToPrimitive;

use super::super::{ExactEnd, ExactOdds};
use crate::agents::AgentSpec;
use crate::analysis::{ends, explore_unmanned};
use crate::conflict::{Seat, Seating};
use crate::error::{Cut, Error};
use crate::graph::{Bounds, Ending, Reach};
use crate::number::Fraction;
use crate::script::Budget;

/// A search may visit one node for this many questions that the games of its lineup would answer,
/// so that all searches cost about a tenth of the games that they may save.
const SHARE: u64 = 10;
/// To compile rules and agents for a search costs about as much as this many nodes.
const BEGINNING: u64 = 100;
/// For any number of games, a lineup may visit this many nodes, which are visited once for all
/// pairings, and all lineups of a scenario the second number together.
const LEAST: u64 = 500;
const LEAST_OF_ALL: u64 = 6_000;
/// For any number of games, agents may think about a lineup for this many steps of playouts, and
/// about all lineups of a scenario for the second number together.
const LEAST_THOUGHT: u64 = 25_000;
const LEAST_THOUGHT_OF_ALL: u64 = 150_000;
/// For any number of games, no lineup visits more nodes or is thought about for more steps: the
/// nodes visited are lost if the program is killed, so a search has to end within a few seconds.
const MOST: u64 = 6_000;
const MOST_THOUGHT: u64 = 100_000;
/// A scenario with no more nodes than this is explored whole, where all its ends are needed.
const WHOLE: u64 = MOST;

/// What a search may take that the graph it shares with others has no room for, one at a time. It does
/// not depend on the bound of the command: that must not decide which pairings are computed.
const MEMORY: u64 = 64 << 20;

/// Computes pairings of one scenario, on graphs of its own: what games have met changes nothing, and
/// what is computed depends on the spec alone.
pub(super) struct Seeker {
    seating: Seating,
    agents: Vec<AgentSpec>,
    games: u64,
}

impl Seeker {
    /// Seeks at a graph that nobody else uses, for these agents and this many games of a pairing.
    pub(super) fn new(seating: Seating, agents: Vec<AgentSpec>, games: u64, memory: u64) -> Seeker {
        let seating = seating.afresh((memory / 8).min(MEMORY));
        Seeker { seating, agents, games }
    }

    /// How many nodes may be visited to compute these agents in their seats, where a game has about
    /// this many questions. Each agent thinks once about what it knows, in any seat.
    pub(super) fn bound(&self, agents: &[usize], questions: u64) -> u64 {
        let different: BTreeSet<usize> = agents.iter().copied().collect();
        let found = different.into_iter().filter_map(|agent| self.agents.get(agent));
        let playouts = found.map(AgentSpec::playouts).sum();
        allowed(self.games, questions, playouts, self.agents.len())
    }

    /// All ends of the agents in these seats; nothing where there are more nodes than the bound, or
    /// where an agent errs somewhere: then games are played, and the agent forfeits some of them.
    pub(super) fn exact(
        &self,
        seats: &[Seat],
        agents: &[usize],
        nodes: u64,
    ) -> Result<Option<ExactOdds>, Error> {
        if nodes == 0 {
            return Ok(None);
        }
        let seated = seats.iter().zip(agents);
        let seated = seated.filter_map(|(seat, &agent)| {
            Some((seat.players.clone(), self.agents.get(agent)?.clone()))
        });
        let seating = self.seating.with(seated);
        let bounds = Bounds { threads: 1, nodes };
        let found = alone_if_need_be(&seating, |seating| ends(seating, bounds));
        match found {
            Ok(Some(ends)) => Ok(Some(of_seats(seats, ends))),
            Ok(None) => Ok(None),
            Err(error) if error.forfeits() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// All ends of the scenario, where it is small enough to be explored whole.
    pub(super) fn all_endings(&self) -> Result<Option<Vec<Ending>>, Error> {
        alone_if_need_be(&self.seating, |seating| {
            let bounds = Bounds { threads: 1, nodes: WHOLE };
            match explore_unmanned(seating, bounds)? {
                Some(Reach::Cut(cut)) => Err(cut.into()),
                Some(Reach::Whole) => {
                    Ok(Some(seating.graph.endings().map(|(_, ending)| ending.clone()).collect()))
                }
                _ => Ok(None),
            }
        })
    }
}

/// Looks for something at the graph that all searches share, and at one of its own where that has no
/// room; nothing where that has none either.
fn alone_if_need_be<T>(
    seating: &Seating,
    find: impl Fn(&Seating) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    let is_full = |error: &Error| matches!(error.itself(), Error::Bound(Cut::Memory(_)));
    match find(seating) {
        Ok(None) if seating.graph.is_full() => {}
        Err(error) if is_full(&error) => {}
        found => return found,
    }
    let budget = seating.budget();
    let _one_at_a_time = budget.gate();
    let own = Budget::new(MEMORY).interrupted_by(budget.interrupt().cloned());
    match find(&seating.under(own).afresh(MEMORY)) {
        Err(error) if is_full(&error) => Ok(None),
        found => found,
    }
}

/// The nodes that a lineup of two may visit, for a number of games, the questions of a game, the
/// playouts that the agents make for an answer, and the number of agents in the field.
fn allowed(games: u64, questions: u64, playouts: u64, field: usize) -> u64 {
    let field = field as u64;
    let lineups = field.saturating_mul(field.saturating_sub(1)).max(1);
    // A playout has about as many steps as a game has questions.
    let steps = playouts.saturating_mul(questions).max(1);
    let least = LEAST.min(LEAST_OF_ALL / lineups);
    let least = least.min(LEAST_THOUGHT.min(LEAST_THOUGHT_OF_ALL / lineups) / steps);
    // At nodes where agents think for long, all else costs little.
    let beginning = BEGINNING / steps;
    let least = if least < beginning { 0 } else { least };
    let share = (games.saturating_mul(questions) / SHARE).saturating_sub(beginning);
    share.max(least).min(MOST).min(MOST_THOUGHT / steps)
}

/// The ends as the seats see them, equal ones added up.
fn of_seats(seats: &[Seat], ends: Vec<(Ending, Fraction)>) -> ExactOdds {
    let mut sums: BTreeMap<(String, Vec<u64>), Fraction> = BTreeMap::new();
    for (ending, chance) in ends {
        let bits = seats.iter().map(|seat| seat.utility(&ending).to_bits()).collect();
        *sums.entry((ending.result, bits)).or_default() += chance;
    }
    let end = |((result, bits), chance): ((String, Vec<u64>), Fraction)| ExactEnd {
        probability: chance.to_f64().unwrap_or_default(),
        result,
        utility: bits.into_iter().map(f64::from_bits).collect(),
    };
    ExactOdds { ends: sums.into_iter().map(end).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_costs_a_tenth_of_the_games_that_it_may_save() {
        // 1000 games of 40 questions would answer 40,000; 25,000 of 40 a million.
        assert_eq!(allowed(1_000, 40, 0, 4), 3_900);
        assert_eq!(allowed(25_000, 40, 0, 4), MOST);
        // Two agents that play 10 playouts of 40 steps for an answer think 800 steps at a node.
        assert_eq!(allowed(100, 40, 20, 20), 125);
        assert_eq!(allowed(20, 40, 20, 20), 80);
    }

    #[test]
    fn what_is_searched_however_few_the_games_does_not_grow_with_the_field() {
        // Four agents sit in 12 ways, 40 in 1560.
        assert_eq!([allowed(0, 40, 0, 4), allowed(0, 40, 0, 8)], [500, 107]);
        // A share of 3 nodes, or of 8 where there are two games, does not pay to begin.
        assert_eq!([allowed(0, 40, 0, 40), allowed(2, 40, 0, 40)], [0, 0]);
        // A hand of three questions: 25,000 steps are 50 nodes for agents with 504 at a node.
        assert_eq!([allowed(0, 3, 168, 3), allowed(0, 3, 168, 40)], [49, 0]);
        for field in 0..200usize {
            let lineups = (field * field.saturating_sub(1)) as u64;
            assert!(lineups * allowed(0, 40, 0, field) <= LEAST_OF_ALL, "{field}");
            let thought = allowed(0, 40, 1, field) * 40;
            assert!(lineups * thought <= LEAST_THOUGHT_OF_ALL, "{field}");
        }
    }

    #[test]
    fn no_search_is_too_long_to_end_between_two_kills() {
        for (games, questions, playouts) in
            [(100, 50, 20), (1 << 40, 300, 2_000), (u64::MAX, 9, 1), (50, 1, 1 << 40)]
        {
            let thought = allowed(games, questions, playouts, 5) * questions * playouts;
            assert!(thought <= MOST_THOUGHT, "{thought}");
        }
    }
}
