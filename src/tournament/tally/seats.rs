//! The results of a scenario by how they ended, and by who held which seat.

use std::collections::BTreeMap;

use super::super::{FirstSeat, Mean, Meeting, PairRecord};
use super::{Ordered, Tally};

/// What an agent's meetings in a scenario came to, by the seat it held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BySeat {
    /// While it held the first seat.
    pub first: PairRecord,
    /// While it held another one.
    pub other: PairRecord,
}

impl Tally {
    /// What the meetings of each agent came to in a scenario; nothing for those who had none.
    pub(crate) fn by_seat(&self, scenario: usize) -> BTreeMap<usize, BySeat> {
        let mut agents: BTreeMap<usize, BySeat> = BTreeMap::new();
        let here = |(meeting, _): &(Meeting, PairRecord)| meeting.scenario == scenario;
        for (Meeting { a, b, first, .. }, record) in self.records().into_iter().filter(here) {
            for (agent, holder, record) in
                [(a, FirstSeat::A, record), (b, FirstSeat::B, record.turned())]
            {
                let own = agents.entry(agent).or_default();
                match first == holder {
                    true => own.first = own.first.plus(record),
                    false => own.other = own.other.plus(record),
                }
            }
        }
        agents
    }

    /// The mean utility of a seat of a scenario, whoever held it; exact lineups weigh as in the
    /// ratings.
    pub(crate) fn seat_utility(&self, scenario: usize, seat: usize) -> Option<Mean> {
        let first = (scenario, seat, Ordered(f64::NEG_INFINITY));
        let own =
            self.by_seat.range(first..).take_while(|((s, t, _), _)| (*s, *t) == (scenario, seat));
        let sampled: Vec<(f64, u64)> =
            own.map(|((_, _, value), count)| (value.0, *count)).collect();
        let mut weighted = Vec::new();
        for (_, weight, end) in self.exact_ends().filter(|(it, ..)| it.scenario == scenario) {
            weighted.push((end.utility.get(seat).copied().unwrap_or_default(), weight));
        }
        Mean::of(&sampled, &weighted)
    }

    /// How often each result came in games of a scenario, and its share, the most frequent first;
    /// in the share exact lineups weigh as in the ratings.
    pub fn results(&self, scenario: usize) -> Vec<(&str, u64, f64)> {
        let mut all: BTreeMap<&str, (u64, f64)> = BTreeMap::new();
        let counted = self.by_result.get(&scenario).into_iter().flatten();
        all.extend(counted.map(|(result, &count)| (result.as_str(), (count, count as f64))));
        for (_, weight, end) in self.exact_ends().filter(|(it, ..)| it.scenario == scenario) {
            all.entry(&end.result).or_default().1 += weight;
        }
        let total: f64 = all.values().map(|(_, weight)| weight).sum();
        let shares =
            all.into_iter().map(|(result, (games, weight))| (result, games, weight / total));
        let mut shares: Vec<(&str, u64, f64)> = shares.collect();
        shares.sort_by(|a, b| b.2.total_cmp(&a.2));
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Cell, ExactEnd, ExactOdds, Game, GameResult, Lineup};
    use super::*;

    fn lineup(agents: [usize; 2]) -> Lineup {
        Lineup { scenario: 0, agents: agents.to_vec() }
    }

    #[test]
    fn results_are_told_by_seat_whether_played_or_exact() {
        let mut tally = Tally::default();
        // The first seat wins both games, held by 0 and then by 1.
        for (number, agents) in [(0, [0, 1]), (1, [1, 0])] {
            let game = Game { number, lineup: lineup(agents), nth: number, seed: 0 };
            let utility = vec![1.0, -1.0];
            let result = GameResult { result: "red".into(), utility, ..GameResult::default() };
            tally.add(&game, &result);
        }
        let end = |probability, result: &str, utility: [f64; 2]| ExactEnd {
            probability,
            result: result.into(),
            utility: utility.to_vec(),
        };
        let ends = vec![end(0.75, "red", [1.0, -1.0]), end(0.25, "blue", [-1.0, 1.0])];
        tally.add_exact(&lineup([0, 2]), &ExactOdds { ends }, 4);
        let by_seat = tally.by_seat(0);
        let cell = |wins, losses| Cell { wins, draws: 0.0, losses };
        // Two games of the other match were played, so four that are known weigh two.
        assert_eq!(by_seat[&0].first, PairRecord { played: cell(1.0, 0.0), known: cell(1.5, 0.5) });
        assert_eq!(
            by_seat[&0].other,
            PairRecord { played: cell(0.0, 1.0), ..PairRecord::default() }
        );
        assert_eq!(by_seat[&2].first, PairRecord::default());
        assert_eq!(
            by_seat[&2].other,
            PairRecord { known: cell(0.5, 1.5), ..PairRecord::default() }
        );
        // 2 + 1.5 of 4.
        assert_eq!(tally.results(0), [("red", 2, 7.0 / 8.0), ("blue", 0, 1.0 / 8.0)]);
        // (2 · 1 + 1.5 · 1 − 0.5 · 1) / 4
        assert!((tally.seat_utility(0, 0).unwrap().mean - 3.0 / 4.0).abs() < 1e-12);
        assert!(tally.by_seat(1).is_empty() && tally.seat_utility(1, 0).is_none());
    }
}
