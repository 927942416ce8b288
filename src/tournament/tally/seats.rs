//! What does a seat come to? The results of a scenario by how they ended, and by who held which seat.

use std::collections::BTreeMap;

use super::super::{Cell, First, Mean, Meeting};
use super::{Ordered, Tally};

/// What an agent's meetings in a scenario came to, by the seat it held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BySeat {
    /// While it held the first seat.
    pub first: Cell,
    /// While it held another one.
    pub other: Cell,
}

impl Tally {
    /// What the meetings of each agent came to in a scenario; nothing for those who had none.
    pub fn by_seat(&self, scenario: usize) -> BTreeMap<usize, BySeat> {
        let mut agents: BTreeMap<usize, BySeat> = BTreeMap::new();
        let cells = self.cells().into_iter().filter(|(meeting, _)| meeting.scenario == scenario);
        for (Meeting { a, b, first, .. }, cell) in cells {
            for (agent, holder, cell) in [(a, First::A, cell), (b, First::B, cell.turned())] {
                let own = agents.entry(agent).or_default();
                match first == holder {
                    true => own.first = own.first.plus(cell),
                    false => own.other = own.other.plus(cell),
                }
            }
        }
        agents
    }

    /// The mean utility of a seat of a scenario, whoever held it; exact seatings weigh as the games
    /// they stand for.
    pub fn seat_utility(&self, scenario: usize, seat: usize) -> Option<Mean> {
        let first = (scenario, seat, Ordered(f64::NEG_INFINITY));
        let own =
            self.by_seat.range(first..).take_while(|((s, t, _), _)| (*s, *t) == (scenario, seat));
        let sampled: Vec<(f64, f64)> =
            own.map(|((_, _, value), count)| (value.0, *count as f64)).collect();
        let mut weighted = Vec::new();
        for (weight, end) in self.exact_ends(scenario) {
            weighted.push((end.utility.get(seat).copied().unwrap_or_default(), weight));
        }
        Mean::of(&sampled, &weighted)
    }

    /// How often each result came in a scenario, the most frequent first; exact seatings weigh as the
    /// games they stand for.
    pub fn results(&self, scenario: usize) -> Vec<(&str, f64)> {
        let mut all: BTreeMap<&str, f64> = BTreeMap::new();
        let counted = self.by_result.get(&scenario).into_iter().flatten();
        all.extend(counted.map(|(result, count)| (result.as_str(), *count as f64)));
        for (weight, end) in self.exact_ends(scenario) {
            *all.entry(&end.result).or_default() += weight;
        }
        let mut all: Vec<(&str, f64)> = all.into_iter().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }

    /// The ends of a scenario's exact seatings, each with the games that it stands for.
    fn exact_ends(&self, scenario: usize) -> impl Iterator<Item = (f64, &super::super::End)> {
        let own = self.exact.iter().filter(move |(seating, _)| seating.scenario == scenario);
        own.flat_map(|(_, (games, exact))| {
            exact.ends.iter().map(|end| (end.probability * *games as f64, end))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{End, Exact, Game, GameResult, Seating};
    use super::*;

    fn seating(agents: [usize; 2]) -> Seating {
        Seating { scenario: 0, agents: agents.to_vec() }
    }

    #[test]
    fn results_are_told_by_seat_whether_played_or_exact() {
        let mut tally = Tally::default();
        // The first seat wins both games, held by 0 and then by 1.
        for (number, agents) in [(0, [0, 1]), (1, [1, 0])] {
            let game = Game { number, seating: seating(agents), playout: number };
            let utility = vec![1.0, -1.0];
            let result = GameResult { result: "red".into(), utility, ..GameResult::default() };
            tally.add(&game, &result);
        }
        let end = |probability, result: &str, utility: [f64; 2]| End {
            probability,
            result: result.into(),
            utility: utility.to_vec(),
        };
        let ends = vec![end(0.75, "red", [1.0, -1.0]), end(0.25, "blue", [-1.0, 1.0])];
        tally.add_exact(&seating([0, 2]), &Exact { ends }, 4);
        let by_seat = tally.by_seat(0);
        assert_eq!(by_seat[&0].first, Cell { wins: 4.0, draws: 0.0, losses: 1.0 });
        assert_eq!(by_seat[&0].other, Cell { wins: 0.0, draws: 0.0, losses: 1.0 });
        assert_eq!(by_seat[&2].first, Cell::default());
        assert_eq!(by_seat[&2].other, Cell { wins: 1.0, draws: 0.0, losses: 3.0 });
        assert_eq!(tally.results(0), [("red", 5.0), ("blue", 1.0)]);
        // (2 · 1 + 3 · 1 − 1 · 1) / 6
        assert!((tally.seat_utility(0, 0).unwrap().mean - 4.0 / 6.0).abs() < 1e-12);
        assert!(tally.by_seat(1).is_empty() && tally.seat_utility(1, 0).is_none());
    }
}
