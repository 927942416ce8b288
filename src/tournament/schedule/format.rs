//! The trait of tournament formats (rounds of matches, each made from the scores of the last), and matches of pairs.

use std::borrow::Cow;

use serde::Serialize;

use crate::report;

/// Agents that meet in a scenario for a number of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub scenario: usize,
    /// The agents, two or more, no more than there are seats.
    pub agents: Vec<usize>,
    /// The turn of the first game: how often these have met here before.
    pub from: u64,
    pub games: u64,
}

/// The points of each of a match's agents.
pub(super) type Score = Vec<f64>;

impl Match {
    pub(super) fn add(&self, score: &mut Score, points: &[(usize, f64)], weight: f64) {
        for (agent, more) in points {
            let place = self.agents.iter().position(|other| other == agent);
            if let Some(own) = place.and_then(|place| score.get_mut(place)) {
                *own += more * weight;
            }
        }
    }
}

pub(super) trait Format {
    /// The next round's matches, from the scores of the last one's, in its order; no matches where
    /// the tournament is over.
    fn round(&mut self, last: &[Score]) -> Vec<Match>;

    fn total(&self) -> Option<u64> {
        None
    }

    fn notes(&self, _agents: &[String]) -> Vec<String> {
        Vec::new()
    }

    /// What each agent's matches came to, the best first, where matches decide; else nothing.
    fn matches(&self) -> Vec<(usize, MatchRecord)> {
        Vec::new()
    }
}

/// What the matches of an agent that are over came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MatchRecord {
    /// Those with more points of games than the other agent.
    pub wins: u64,
    /// Those that were level in the end.
    pub draws: u64,
    /// Those with fewer points.
    pub losses: u64,
    /// The rounds without a match.
    pub byes: u64,
    /// The points of all games of these matches: 1 for one won, ½ for one drawn.
    pub game_points: f64,
    /// The points that were played for: those of both agents.
    pub played_for: f64,
}

impl MatchRecord {
    /// Half points of matches: 2 for one won, and for a bye, 1 for one that was level.
    pub(super) fn halves(&self) -> u64 {
        2 * (self.wins + self.byes) + self.draws
    }

    /// The points of matches: 1 for one won, and for a bye, ½ for one that was level.
    pub fn points(&self) -> f64 {
        self.halves() as f64 / 2.0
    }

    /// The share of the points of games that were played for: who had a bye played for fewer. Equal shares are equal
    /// numbers.
    pub(super) fn share(&self) -> f64 {
        (self.game_points / self.played_for.max(1.0) * 1e6).round() / 1e6
    }

    /// The points of games for people: `5 of 6`.
    pub(in crate::tournament) fn game_points(&self) -> String {
        format!("{} of {}", report::count(self.game_points), report::count(self.played_for))
    }

    /// Counts a match of two agents with these points of games.
    pub(super) fn count(records: &mut [MatchRecord], (a, b): (usize, usize), points: [f64; 2]) {
        let winner = leader(points);
        for (side, agent) in [a, b].into_iter().enumerate() {
            let record = &mut records[agent];
            match winner {
                Some(winner) if winner == side => record.wins += 1,
                Some(_) => record.losses += 1,
                None => record.draws += 1,
            }
            // Sums of thirds that are equal are equal then.
            let rounded = |sum: f64| (sum * 1e9).round() / 1e9;
            record.game_points = rounded(record.game_points + points[side]);
            record.played_for = rounded(record.played_for + points[0] + points[1]);
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PairGames {
    pub scenarios: usize,
    pub games: u64,
}

impl PairGames {
    /// The matches of pairs, a pair's scenarios beside each other. `before` is how many games
    /// each has played in each scenario.
    pub(super) fn matches(&self, pairs: &[(usize, usize)], before: u64) -> Vec<Match> {
        let of = |&(a, b): &(usize, usize)| {
            (0..self.scenarios).map(move |scenario| Match {
                scenario,
                agents: vec![a, b],
                from: before,
                games: self.games,
            })
        };
        pairs.iter().flat_map(of).collect()
    }

    /// The points of each pair over all scenarios, from the scores of its matches.
    pub(super) fn points(&self, scores: &[Score]) -> Vec<[f64; 2]> {
        let side = |of: &[Score], side: usize| {
            of.iter().map(|score| score.get(side).copied().unwrap_or_default()).sum()
        };
        let pair = |of: &[Score]| [side(of, 0), side(of, 1)];
        scores.chunks(self.scenarios.max(1)).map(pair).collect()
    }
}

/// Who leads, if anybody does; what differs by rounding alone is level.
pub(super) fn leader([a, b]: [f64; 2]) -> Option<usize> {
    if (a - b).abs() <= 1e-9 * (a + b) { None } else { Some(usize::from(b > a)) }
}

// Rotation of seats: agents exchange seats from game to game, so that each has each seat equally often.

/// The agents in their seats for a turn. Within as many turns as there are agents each of them has each seat of a full
/// table once. Where there are more seats than agents they hold several, shifted along the table after each exchange;
/// where there are three or more agents, who sits beside whom changes after that.
pub(super) fn seated(agents: &[usize], seats: usize, turn: u64) -> Vec<usize> {
    let count = agents.len().max(1);
    let rotation = (turn % count as u64) as usize;
    let exchange = turn / count as u64;
    let shifts = shifts(count, seats);
    let shift = (exchange % shifts) as usize;
    // Around a table of two there is one order.
    let order = match count {
        ..=2 => Cow::Borrowed(agents),
        _ => Cow::Owned(permuted(agents, exchange / shifts)),
    };
    let agent = |seat: usize| order[((seat + shift) % seats % count + rotation) % count];
    (0..seats).filter(|_| !agents.is_empty()).map(agent).collect()
}

/// After how many turns the lineups come again; `u64::MAX` where that is beyond counting.
pub(super) fn cycle(agents: usize, seats: usize) -> u64 {
    let orders = orders(agents);
    (agents as u64).saturating_mul(shifts(agents, seats)).saturating_mul(orders)
}

fn shifts(agents: usize, seats: usize) -> u64 {
    if seats > agents { seats as u64 } else { 1 }
}

/// How many orders around the table there are, the first agent held.
fn orders(agents: usize) -> u64 {
    (2..agents as u64).fold(1, u64::saturating_mul)
}

/// The agents with all but the first in one of their orders, by its number.
fn permuted(agents: &[usize], number: u64) -> Vec<usize> {
    let mut left = agents.to_vec();
    let mut number = number % orders(agents.len()).max(1);
    let mut order = Vec::with_capacity(agents.len());
    if !left.is_empty() {
        order.push(left.remove(0));
    }
    while !left.is_empty() {
        let of_rest = orders(left.len());
        let place = (number / of_rest) as usize;
        number %= of_rest;
        order.push(left.remove(place.min(left.len() - 1)));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(agents: &[usize], seats: usize) -> Vec<Vec<usize>> {
        (0..cycle(agents.len(), seats)).map(|turn| seated(agents, seats, turn)).collect()
    }

    #[test]
    fn two_at_a_table_of_three_hold_two_seats_in_turn() {
        let text: Vec<String> = all(&[0, 1], 3)
            .iter()
            .map(|seats| seats.iter().map(|&agent| ["a", "b"][agent]).collect())
            .collect();
        assert_eq!(text, ["aba", "bab", "baa", "abb", "aab", "bba"]);
    }

    #[test]
    fn three_have_each_seat_twice_and_each_neighbour_once() {
        let lineups = all(&[0, 1, 2], 3);
        assert_eq!(lineups.len(), 6);
        let mut sorted = lineups.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 6, "all orders of three come up: {lineups:?}");
        for block in lineups.chunks(3) {
            for seat in 0..3 {
                let mut held: Vec<usize> = block.iter().map(|seats| seats[seat]).collect();
                held.sort();
                assert_eq!(held, [0, 1, 2]);
            }
        }
    }

    #[test]
    fn four_come_in_all_orders() {
        let mut lineups = all(&[0, 1, 2, 3], 4);
        lineups.sort();
        lineups.dedup();
        assert_eq!(lineups.len(), 24);
        // 25! is beyond 64 bits.
        assert_eq!(cycle(25, 25), u64::MAX);
        assert_eq!(seated(&(0..25).collect::<Vec<_>>(), 25, u64::MAX).len(), 25);
    }
}
