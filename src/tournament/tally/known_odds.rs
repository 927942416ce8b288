//! Lineups whose odds are known without games, and how much they weigh beside games.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Cell, ExactEnd, ExactOdds, FirstSeat, Lineup, Meeting, PairRecord, TableGame};
use super::{Ordered, Tally, meetings, table};
use crate::number::Quantity;

/// The agents of a match in a scenario, in the order of the spec.
type Company = (usize, Vec<usize>);

impl Tally {
    /// Notes the odds of a lineup, which need not be played this many times.
    pub(crate) fn add_exact(&mut self, lineup: &Lineup, exact: &ExactOdds, games: u64) {
        match self.exact.get_mut(lineup) {
            Some((count, _)) => *count += games,
            None => _ = self.exact.insert(lineup.clone(), (games, exact.clone())),
        }
    }

    pub(crate) fn exact_lineups(&self) -> impl Iterator<Item = (&Lineup, &ExactOdds)> {
        self.exact.iter().map(|(lineup, (_, exact))| (lineup, exact))
    }

    /// The games that exact lineups stand for: they need not be played.
    pub fn computed(&self) -> u64 {
        self.exact.values().map(|(games, _)| games).sum()
    }

    /// How many pairings of two agents in a scenario have odds that are known.
    pub(crate) fn exact_pairs(&self) -> usize {
        let records = self.records();
        let known = records.iter().filter(|(_, record)| record.known.games() > 0.0);
        let pairs = known.map(|(meeting, _)| (meeting.scenario, meeting.a, meeting.b));
        pairs.collect::<BTreeSet<_>>().len()
    }

    /// What is known of games of two agents, and of three or more, in order: what as many games as they
    /// weigh bring on average.
    pub(super) fn known(&self) -> (BTreeMap<Meeting, Cell>, BTreeMap<TableGame, f64>) {
        let mut cells: BTreeMap<Meeting, Cell> = BTreeMap::new();
        let mut tables: BTreeMap<TableGame, f64> = BTreeMap::new();
        for (lineup, weight, end) in self.exact_ends() {
            let utility = lineup.utility(&end.utility);
            if utility.len() > 2 {
                *tables.entry(table(lineup, &utility)).or_default() += weight;
                continue;
            }
            for (meeting, order) in meetings(lineup, &utility) {
                cells.entry(meeting).or_default().count(order, weight);
            }
        }
        (cells, tables)
    }

    /// The ends of all exact lineups, each with the games that it weighs.
    ///
    /// A match weighs as many games as it stands for, but no more than the match that was played most
    /// has had by now: with the weight of all games that are asked for, what is known would decide what
    /// only the games to come can say.
    pub(super) fn exact_ends(&self) -> impl Iterator<Item = (&Lineup, f64, &ExactEnd)> {
        // All games are counted only where there is something beside them.
        let most = if self.exact.is_empty() { None } else { self.most_played() };
        let stand_for =
            summed(self.exact.iter().map(|(lineup, (games, _))| (company(lineup), *games)));
        self.exact.iter().flat_map(move |(lineup, (games, exact))| {
            let all = stand_for.get(&company(lineup)).copied().unwrap_or_default();
            let share = most.map_or(1.0, |most| (most as f64 / all as f64).min(1.0));
            let weight = *games as f64 * share;
            exact.ends.iter().map(move |end| (lineup, end.probability * weight, end))
        })
    }

    /// The games of the match that was played most; nothing where none was.
    fn most_played(&self) -> Option<u64> {
        let pairs = self.counts.iter().map(|(meeting, counts)| {
            ((meeting.scenario, vec![meeting.a, meeting.b]), counts.iter().sum())
        });
        let tables = self.tables.iter().map(|(table, &games)| {
            ((table.scenario, table.places.iter().map(|(agent, _)| *agent).collect()), games)
        });
        summed(pairs.chain(tables)).into_values().max()
    }
}

/// Who sits at a table, in any seats.
fn company(lineup: &Lineup) -> Company {
    let agents: BTreeSet<usize> = lineup.agents.iter().copied().collect();
    (lineup.scenario, agents.into_iter().collect())
}

fn summed(all: impl Iterator<Item = (Company, u64)>) -> BTreeMap<Company, u64> {
    let mut sums = BTreeMap::new();
    all.for_each(|(company, games)| *sums.entry(company).or_default() += games);
    sums
}

// The results of a scenario by how they ended, and by who held which seat.

/// What an agent's meetings in a scenario came to, by the seat it held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BySeat {
    pub first: PairRecord,
    pub other: PairRecord,
    /// The games that it played in the first seat, and in another one.
    pub games: [u64; 2],
}

impl Tally {
    pub(crate) fn by_seat(&self) -> BTreeMap<usize, BTreeMap<usize, BySeat>> {
        let mut all: BTreeMap<usize, BTreeMap<usize, BySeat>> = BTreeMap::new();
        for (Meeting { scenario, a, b, first }, record) in self.records() {
            let agents = all.entry(scenario).or_default();
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
        for (&Meeting { scenario, a, b, first }, counts) in &self.counts {
            let agents = all.entry(scenario).or_default();
            for (agent, holder) in [(a, FirstSeat::A), (b, FirstSeat::B)] {
                let games = &mut agents.entry(agent).or_default().games;
                games[usize::from(first != holder)] += counts.iter().sum::<u64>();
            }
        }
        for (table, count) in &self.tables {
            let agents = all.entry(table.scenario).or_default();
            for (agent, _) in &table.places {
                let games = &mut agents.entry(*agent).or_default().games;
                games[usize::from(table.first != *agent)] += count;
            }
        }
        all
    }

    /// The mean utility of a seat of a scenario, whoever held it; exact lineups weigh as in the
    /// ratings.
    pub(crate) fn seat_utility(&self, scenario: usize, seat: usize) -> Option<Quantity> {
        let first = (scenario, seat, Ordered(f64::NEG_INFINITY));
        let own =
            self.by_seat.range(first..).take_while(|((s, t, _), _)| (*s, *t) == (scenario, seat));
        let sampled: Vec<(f64, u64)> =
            own.map(|((_, _, value), count)| (value.0, *count)).collect();
        let mut weighted = Vec::new();
        for (_, weight, end) in self.exact_ends().filter(|(it, ..)| it.scenario == scenario) {
            weighted.push((end.utility.get(seat).copied().unwrap_or_default(), weight));
        }
        Quantity::mean_with_known(&sampled, &weighted)
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
    use super::super::super::{FirstSeat, Game, GameResult};
    use super::*;
    use crate::number::Basis;

    fn lineup(agents: &[usize]) -> Lineup {
        Lineup { scenario: 0, agents: agents.to_vec() }
    }

    fn end(probability: f64, utility: &[f64]) -> ExactEnd {
        ExactEnd { probability, result: "over".into(), utility: utility.to_vec() }
    }

    fn play(tally: &mut Tally, agents: &[usize], utility: &[f64]) {
        let game = Game { number: 0, lineup: lineup(agents), nth: 0, seed: 0 };
        tally.add(&game, &GameResult { utility: utility.to_vec(), ..GameResult::default() });
    }

    #[test]
    fn an_exact_lineup_weighs_as_the_games_it_replaces_and_is_none() {
        let exact = ExactOdds { ends: vec![end(0.25, &[1.0, -1.0]), end(0.75, &[0.0, 0.0])] };
        let mut tally = Tally::default();
        tally.add_exact(&lineup(&[1, 0]), &exact, 8);
        let meeting = Meeting { scenario: 0, a: 0, b: 1, first: FirstSeat::B };
        assert_eq!(tally.records()[&meeting].known, Cell { wins: 0.0, draws: 6.0, losses: 2.0 });
        assert!(tally.evidence().played.is_empty() && tally.records()[&meeting].is_exact());
        let exact = tally.utility(1).unwrap();
        assert_eq!((exact.value, exact.range(), exact.basis), (0.25, (0.25, 0.25), Basis::Proven));
        // As soon as two games of another match were played, at 3 and 1, it weighs two as well. The
        // variance of those is 2, so the standard error of their mean is 1, and of the mean of all
        // half of that. Student's point for one degree of freedom is 12.7062.
        play(&mut tally, &[1, 2], &[3.0, 0.0]);
        play(&mut tally, &[1, 2], &[1.0, 0.0]);
        let mean = tally.utility(1).unwrap();
        assert!((mean.value - (2.0 * 2.0 + 2.0 * 0.25) / 4.0).abs() < 1e-12, "{mean:?}");
        assert!(mean.is_sampled());
        assert!((mean.half_width() - 12.7062 * 2.0 / 4.0).abs() < 1e-4);
        assert_eq!((tally.exact_pairs(), tally.games(), tally.computed()), (1, 2, 8));
    }

    #[test]
    fn what_is_known_weighs_no_more_than_the_match_that_was_played_most() {
        // 300 games of each pairing are asked for; of the one that is sampled, three have been played.
        let wins = |share: f64| ExactOdds {
            ends: vec![end(share, &[1., 0.]), end(1. - share, &[0., 1.])],
        };
        let mut tally = Tally::default();
        tally.add_exact(&lineup(&[0, 1]), &wins(0.6), 150);
        tally.add_exact(&lineup(&[1, 0]), &wins(0.4), 150);
        tally.add_exact(&lineup(&[0, 2]), &wins(2.0 / 3.0), 300);
        let cell = |wins, losses| Cell { wins, draws: 0.0, losses };
        let at = |tally: &Tally, b, first| {
            tally.records()[&Meeting { scenario: 0, a: 0, b, first }].known
        };
        let near = |found: Cell, expected: Cell| {
            let apart = |a: f64, b: f64| (a - b).abs() < 1e-9;
            assert!(apart(found.wins, expected.wins) && apart(found.losses, expected.losses));
        };
        near(at(&tally, 1, FirstSeat::A), cell(90.0, 60.0));
        for (agents, utility) in [([1, 2], [1., 0.]), ([1, 2], [0., 1.]), ([2, 1], [1., 0.])] {
            play(&mut tally, &agents, &utility);
        }
        // A hundredth of each, both seats of a pairing counted together.
        near(at(&tally, 1, FirstSeat::A), cell(0.9, 0.6));
        near(at(&tally, 1, FirstSeat::B), cell(0.9, 0.6));
        near(at(&tally, 2, FirstSeat::A), cell(2.0, 1.0));
        // Three games say little of 1 and 2, even if much is known of the others: in a fit of equal weights
        // one of three pairings has all the noise, some 400 / ln 10 · 1.96 · 2 / √3 points, of which the
        // ratings have a part.
        assert!(tally.ratings(3).widest() > 50.0);
    }

    #[test]
    fn a_game_of_three_counts_once_for_each_of_them() {
        let mut tally = Tally::default();
        for agents in [[0, 1, 2], [1, 2, 0], [0, 2, 3]] {
            play(&mut tally, &agents, &[1., 0., 0.]);
        }
        assert_eq!([0, 1, 2, 3].map(|agent| tally.games_of(agent)), [3, 2, 3, 1]);
        let by_seat = &tally.by_seat()[&0];
        assert_eq!(
            [0, 1, 2, 3].map(|agent| by_seat[&agent].games),
            [[2, 1], [1, 1], [0, 3], [0, 1]]
        );
    }

    #[test]
    fn a_table_of_three_weighs_as_a_match() {
        let mut tally = Tally::default();
        let exact = ExactOdds { ends: vec![end(1.0, &[2., 1., 0.])] };
        tally.add_exact(&lineup(&[0, 1, 2]), &exact, 30);
        tally.add_exact(&lineup(&[1, 2, 0]), &exact, 30);
        for _ in 0..6 {
            play(&mut tally, &[0, 1, 3], &[1., 1., 1.]);
        }
        // Six games of three were played, so that each of two lineups weighs three: 2 and 0 in those,
        // 1 in the games.
        let mean = tally.utility(0).unwrap().value;
        assert!((mean - (3. * 2. + 3. * 0. + 6. * 1.) / 12.).abs() < 1e-12, "{mean}");
    }
}

#[cfg(test)]
mod seats_tests {
    use super::super::super::{Cell, ExactEnd, ExactOdds, Game, GameResult, Lineup};
    use super::*;

    fn lineup(agents: [usize; 2]) -> Lineup {
        Lineup { scenario: 0, agents: agents.to_vec() }
    }

    #[test]
    fn results_are_counted_by_seat_whether_played_or_exact() {
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
        let by_seat = &tally.by_seat()[&0];
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
        assert_eq!((by_seat[&0].games, by_seat[&2].games), ([1, 1], [0, 0]));
        // 2 + 1.5 of 4.
        assert_eq!(tally.results(0), [("red", 2, 7.0 / 8.0), ("blue", 0, 1.0 / 8.0)]);
        // (2 · 1 + 1.5 · 1 − 0.5 · 1) / 4
        assert!((tally.seat_utility(0, 0).unwrap().value - 3.0 / 4.0).abs() < 1e-12);
        assert!(tally.by_seat().len() == 1 && tally.seat_utility(1, 0).is_none());
    }
}
