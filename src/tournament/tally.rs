//! The results of all games, as counts, so that the order of the games changes nothing.

mod known_odds;

use std::collections::BTreeMap;

use super::{
    Adjudicated, Cell, Evidence, ExactOdds, FirstSeat, FormatName, Game, GameResult, Lineup,
    Meeting, PairRecord, Prior, Ratings, Spec, TableGame,
};
use crate::number::Quantity;
pub(crate) use known_odds::BySeat;

/// All games so far, counted. Two tallies of the same games are equal, in any order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    games: u64,
    /// Games of two agents.
    counts: BTreeMap<Meeting, [u64; 3]>,
    /// Games of more.
    tables: BTreeMap<TableGame, u64>,
    /// Lineups whose odds are known, each with the games that it stands for.
    exact: BTreeMap<Lineup, (u64, ExactOdds)>,
    by_agent: BTreeMap<(usize, Ordered), u64>,
    by_seat: BTreeMap<(usize, usize, Ordered), u64>,
    by_result: BTreeMap<usize, BTreeMap<String, u64>>,
    forfeits: BTreeMap<usize, u64>,
    /// Those that ended before their own end, by `questions` and by `expectation`.
    adjudicated: [u64; 2],
    /// What each lineup brought its seats, where all lineups are played.
    lineups: Option<BTreeMap<Lineup, SeatPoints>>,
}

/// The games of a lineup, and the half points of each seat against the others in them.
#[derive(Clone, Debug, Default, PartialEq)]
struct SeatPoints {
    games: u64,
    halves: Vec<u64>,
}

/// A number with a total order, as a key.
#[derive(Clone, Copy, Debug)]
struct Ordered(f64);

impl PartialEq for Ordered {
    fn eq(&self, other: &Ordered) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Ordered) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Ordered) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Tally {
    pub(super) fn of(spec: &Spec) -> Tally {
        let lineups = (spec.format == FormatName::EveryLineup).then(BTreeMap::new);
        Tally { lineups, ..Tally::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Game, result: &GameResult) {
        self.games += 1;
        let lineup = &game.lineup;
        let utility = lineup.utility(&result.utility);
        match utility.len() {
            0..=2 => {
                for (meeting, order) in meetings(lineup, &utility) {
                    self.counts.entry(meeting).or_default()[order] += 1;
                }
            }
            _ => *self.tables.entry(table(lineup, &utility)).or_default() += 1,
        }
        for &(agent, utility) in &utility {
            *self.by_agent.entry((agent, Ordered(utility))).or_default() += 1;
        }
        for (seat, &utility) in result.utility.iter().enumerate() {
            *self.by_seat.entry((lineup.scenario, seat, Ordered(utility))).or_default() += 1;
        }
        let results = self.by_result.entry(lineup.scenario).or_default();
        match results.get_mut(&result.result) {
            Some(count) => *count += 1,
            None => _ = results.insert(result.result.clone(), 1),
        }
        if let Some(why) = result.adjudicated {
            self.adjudicated[why as usize] += 1;
        }
        if let Some(lineups) = &mut self.lineups {
            let all = lineups.entry(lineup.clone()).or_default();
            all.games += 1;
            all.halves.resize(lineup.agents.len(), 0);
            let halves = seat_halves(&result.utility);
            all.halves.iter_mut().zip(halves).for_each(|(sum, more)| *sum += more);
        }
        let forfeit = result.forfeit.as_ref().and_then(|lost| lineup.agents.get(lost.seat));
        if let Some(&agent) = forfeit {
            *self.forfeits.entry(agent).or_default() += 1;
        }
    }

    /// The mean score of each seat of a lineup against the others, from 0 to 1, and how many games that is of; none
    /// where its odds are known.
    pub(super) fn seat_scores(&self, lineup: &Lineup) -> Option<(Vec<f64>, u64)> {
        let score = |halves: f64| halves / 2.0 / (lineup.agents.len() as f64 - 1.0).max(1.0);
        if let Some((_, exact)) = self.exact.get(lineup) {
            let mut sums = vec![0.0; lineup.agents.len()];
            for end in &exact.ends {
                let halves = seat_halves(&end.utility);
                let more = halves.zip(&mut sums);
                more.for_each(|(halves, sum)| *sum += end.probability * score(halves as f64));
            }
            return Some((sums, 0));
        }
        let SeatPoints { games, halves } = self.lineups.as_ref()?.get(lineup)?;
        let mean = |&halves: &u64| score(halves as f64) / *games as f64;
        Some((halves.iter().map(mean).collect(), *games))
    }

    /// The games that were played.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// What each agent forfeited.
    pub fn forfeits(&self, agent: usize) -> u64 {
        self.forfeits.get(&agent).copied().unwrap_or_default()
    }

    /// How many games ended before their own end for this reason.
    pub fn adjudicated(&self, why: Adjudicated) -> u64 {
        self.adjudicated[why as usize]
    }

    pub(crate) fn games_of(&self, agent: usize) -> u64 {
        let first = (agent, Ordered(f64::NEG_INFINITY));
        let own = self.by_agent.range(first..).take_while(|((other, _), _)| *other == agent);
        own.map(|(_, count)| count).sum()
    }

    /// The ratings of this many agents from all games so far.
    pub fn ratings(&self, agents: usize) -> Ratings {
        Ratings::fit(&self.evidence(), agents, Prior::default())
    }

    /// Ratings that are drawn, from the strengths after fewer games.
    pub(crate) fn drawn_ratings(&self, agents: usize, from: &[f64]) -> Ratings {
        Ratings::drawn(&self.evidence(), agents, from)
    }

    /// What ratings are made from.
    pub fn evidence(&self) -> Evidence<'_> {
        let cell = |counts: &[u64; 3]| {
            let [wins, draws, losses] = counts.map(|count| count as f64);
            Cell { wins, draws, losses }
        };
        let played = self.counts.iter().map(|(meeting, counts)| (*meeting, cell(counts)));
        let (known, known_tables) = self.known();
        Evidence { played: played.collect(), known, tables: &self.tables, known_tables }
    }

    /// All meetings, played or known, in order; a game of three agents or more has one of each two.
    pub(crate) fn records(&self) -> BTreeMap<Meeting, PairRecord> {
        let Evidence { played, known, tables, known_tables } = self.evidence();
        let mut records: BTreeMap<Meeting, PairRecord> = BTreeMap::new();
        for (meeting, played) in played {
            records.entry(meeting).or_default().played = played;
        }
        for (meeting, known) in known {
            records.entry(meeting).or_default().known = known;
        }
        for (table, &games) in tables {
            for (meeting, order) in table.meetings() {
                records.entry(meeting).or_default().played.count(order, games as f64);
            }
        }
        for (table, games) in known_tables {
            for (meeting, order) in table.meetings() {
                records.entry(meeting).or_default().known.count(order, games);
            }
        }
        records
    }

    pub(crate) fn utility(&self, agent: usize) -> Option<Quantity> {
        let first = (agent, Ordered(f64::NEG_INFINITY));
        let own = self.by_agent.range(first..).take_while(|((other, _), _)| *other == agent);
        let sampled: Vec<(f64, u64)> = own.map(|((_, value), count)| (value.0, *count)).collect();
        let mut weighted = Vec::new();
        for (lineup, weight, end) in self.exact_ends() {
            let all = lineup.utility(&end.utility);
            if let Some((_, utility)) = all.iter().find(|(other, _)| *other == agent) {
                weighted.push((*utility, weight));
            }
        }
        Quantity::mean_with_known(&sampled, &weighted)
    }
}

/// Every pair of different agents in a game: 0 where the one listed first in the spec had
/// more utility, 1 for a draw, 2 for less.
fn meetings<'a>(
    lineup: &'a Lineup,
    utility: &'a [(usize, f64)],
) -> impl Iterator<Item = (Meeting, usize)> + 'a {
    let holder = lineup.agents.first().copied().unwrap_or_default();
    utility.iter().enumerate().flat_map(move |(i, &one)| {
        utility.iter().skip(i + 1).map(move |&other| {
            let ((a, ua), (b, ub)) = if one.0 < other.0 { (one, other) } else { (other, one) };
            let first = FirstSeat::of(holder, a, b);
            (Meeting { scenario: lineup.scenario, a, b, first }, order(ua, ub))
        })
    })
}

fn table(lineup: &Lineup, utility: &[(usize, f64)]) -> TableGame {
    let mut ranked: Vec<(usize, f64)> = utility.to_vec();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut places: Vec<(usize, usize)> = Vec::with_capacity(ranked.len());
    for (index, &(agent, utility)) in ranked.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| (ranked[before].1, places[before].1));
        let place = match before {
            Some((better, place)) if order(better, utility) == 1 => place,
            _ => index,
        };
        places.push((agent, place));
    }
    places.sort_unstable();
    let first = lineup.agents.first().copied().unwrap_or_default();
    TableGame { scenario: lineup.scenario, first, places }
}

/// 0 for more, 1 for the same but for rounding, 2 for less.
fn order(a: f64, b: f64) -> usize {
    if (a - b).abs() <= 1e-12 * (a.abs() + b.abs()) {
        1
    } else if a > b {
        0
    } else {
        2
    }
}

/// The half points of each seat against the others: 2 for each that has less utility, 1 for each that has the same.
fn seat_halves(utility: &[f64]) -> impl Iterator<Item = u64> {
    utility.iter().enumerate().map(|(seat, &own)| {
        let others = utility.iter().enumerate().filter(|(other, _)| *other != seat);
        others.map(|(_, &other)| 2 - order(own, other) as u64).sum()
    })
}

/// The points of each agent of a lineup against all others in the game: 1 for each it did better
/// than, ½ for each it did as well as; by the order of the seats.
pub(super) fn points(lineup: &Lineup, by_seat: &[f64]) -> Vec<(usize, f64)> {
    let utility = lineup.utility(by_seat);
    let against = |&(agent, mine): &(usize, f64)| {
        let others = utility.iter().filter(|(other, _)| *other != agent);
        let points = others.map(|&(_, theirs)| 1.0 - order(mine, theirs) as f64 / 2.0);
        (agent, points.sum())
    };
    utility.iter().map(against).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(agents: &[usize]) -> Game {
        let lineup = Lineup { scenario: 0, agents: agents.to_vec() };
        Game { number: 0, lineup, nth: 0, seed: 0 }
    }

    fn ended(utility: &[f64]) -> GameResult {
        GameResult { result: "over".into(), utility: utility.to_vec(), ..GameResult::default() }
    }

    #[test]
    fn every_pair_in_a_game_counts_by_utility() {
        let mut tally = Tally::default();
        // Agent 2 holds the first seat; 0 does best, 1 and 2 do alike.
        tally.add(&game(&[2, 0, 1]), &ended(&[1.0, 3.0, 1.0]));
        let records = tally.records();
        let at = |a, b, first| records[&Meeting { scenario: 0, a, b, first }].played;
        assert_eq!(at(0, 1, FirstSeat::Neither), Cell { wins: 1.0, ..Cell::default() });
        assert_eq!(at(0, 2, FirstSeat::B), Cell { wins: 1.0, ..Cell::default() });
        assert_eq!(at(1, 2, FirstSeat::B), Cell { draws: 1.0, ..Cell::default() });
        assert_eq!(
            points(&game(&[2, 0, 1]).lineup, &[1.0, 3.0, 1.0]),
            [(2, 0.5), (0, 2.0), (1, 0.5)]
        );
    }

    #[test]
    fn the_order_of_games_changes_nothing() {
        let games: Vec<(Game, GameResult)> = (0..60)
            .map(|i| {
                let seats = [[0, 1], [1, 0], [2, 1]][i % 3];
                (game(&seats), ended(&[(i % 7) as f64 / 3.0, (i % 5) as f64 / 3.0]))
            })
            .collect();
        let (mut forth, mut back) = (Tally::default(), Tally::default());
        games.iter().for_each(|(game, result)| forth.add(game, result));
        games.iter().rev().for_each(|(game, result)| back.add(game, result));
        assert_eq!(forth, back);
        assert_eq!(forth.utility(1), back.utility(1));
    }

    #[test]
    fn means_have_the_interval_of_their_sample() {
        let mut tally = Tally::default();
        for utility in [1.0, 0.0, 1.0, 0.0] {
            tally.add(&game(&[0, 1]), &ended(&[utility, 1.0 - utility]));
        }
        // The variance of the sample is 4 · ¼ / 3 = ⅓, so the standard error is √(1/12).
        let mean = tally.utility(0).unwrap();
        assert_eq!(mean.value, 0.5);
        // Student's point for three degrees of freedom is 3.182 (Abramowitz and Stegun, table 26.10).
        assert!((mean.half_width() - 3.182 / 12f64.sqrt()).abs() < 2e-4);
        assert_eq!(tally.utility(2), None);
        assert_eq!(tally.seat_utility(0, 1).unwrap().value, 0.5);
    }
}
