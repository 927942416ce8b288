//! The results of all games, as counts, so that the order of the games changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Adjudicated, Cell, Evidence, ExactEnd, ExactOdds, FirstSeat, FormatName, Game, GameResult,
    Lineup, Meeting, PairRecord, Prior, Ratings, Spec, TableGame,
};
use crate::number::{Quantity, of_order_key, order_key};

/// All games so far, counted. Two tallies of the same games are equal, in any order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    games: u64,
    /// Games of two agents.
    counts: BTreeMap<Meeting, [u64; 3]>,
    /// Games of more.
    tables: BTreeMap<TableGame, u64>,
    /// Lineups whose odds are known, each with the games that it stands for.
    exact: BTreeMap<Lineup, (f64, ExactOdds)>,
    /// Agent, and utility by [`order_key`], of games against others.
    by_agent: BTreeMap<(usize, i64), u64>,
    /// Scenario, seat, and utility by [`order_key`].
    by_seat: BTreeMap<(usize, usize, i64), u64>,
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

impl Tally {
    pub(super) fn of(spec: &Spec) -> Tally {
        let lineups = (spec.format == FormatName::EveryLineup).then(BTreeMap::new);
        Tally { lineups, ..Tally::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Game, result: &GameResult) {
        self.games += 1;
        let lineup = &game.lineup;
        let (by_seat, forfeiter) = (result.standing(lineup), result.forfeiter(lineup));
        let standing = lineup.utility(&by_seat);
        match standing.len() {
            0..=2 => {
                for (meeting, order) in meetings(lineup, &standing) {
                    self.counts.entry(meeting).or_default()[order] += 1;
                }
            }
            _ => *self.tables.entry(table(lineup, &standing, forfeiter)).or_default() += 1,
        }
        for &(agent, utility) in others(&lineup.utility(&result.utility)) {
            *self.by_agent.entry((agent, order_key(utility))).or_default() += 1;
        }
        for (seat, &utility) in result.utility.iter().enumerate() {
            *self.by_seat.entry((lineup.scenario, seat, order_key(utility))).or_default() += 1;
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
            let halves = halves(&by_seat);
            all.halves.iter_mut().zip(halves).for_each(|(sum, more)| *sum += more);
        }
        if let Some(agent) = forfeiter {
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
                let halves = halves(&end.utility);
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

    /// The games that an agent played against others.
    pub(crate) fn games_of(&self, agent: usize) -> u64 {
        self.by_agent.range((agent, i64::MIN)..=(agent, i64::MAX)).map(|(_, count)| count).sum()
    }

    /// The ratings of this many agents from all games so far.
    pub fn ratings(&self, agents: usize) -> Ratings {
        Ratings::fit(&self.evidence(), agents, Prior::default())
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
        let evidence = self.evidence();
        let mut records: BTreeMap<Meeting, PairRecord> = BTreeMap::new();
        for (&meeting, &played) in &evidence.played {
            records.entry(meeting).or_default().played = played;
        }
        for (&meeting, &known) in &evidence.known {
            records.entry(meeting).or_default().known = known;
        }
        for (table, games, is_played) in evidence.tables() {
            for (meeting, order, _) in table.meetings() {
                let record = records.entry(meeting).or_default();
                let cell = if is_played { &mut record.played } else { &mut record.known };
                cell.count(order, games);
            }
        }
        records
    }

    /// The mean utility of an agent against others; exact lineups weigh as in the ratings.
    pub(crate) fn utility(&self, agent: usize) -> Option<Quantity> {
        let own = self.by_agent.range((agent, i64::MIN)..=(agent, i64::MAX));
        let sampled: Vec<_> =
            own.map(|((_, value), count)| (of_order_key(*value), *count)).collect();
        let mut weighted = Vec::new();
        for (lineup, weight, end) in self.exact_ends() {
            let all = lineup.utility(&end.utility);
            let own = others(&all).iter().find(|(other, _)| *other == agent);
            weighted.extend(own.map(|(_, utility)| (*utility, weight)));
        }
        Quantity::mean_with_known(&sampled, &weighted)
    }

    /// Notes the odds of a lineup, which need not be played this many times.
    pub(crate) fn add_exact(&mut self, lineup: &Lineup, exact: &ExactOdds, games: f64) {
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
        self.exact.values().map(|(games, _)| games).sum::<f64>().round() as u64
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
    fn known(&self) -> (BTreeMap<Meeting, Cell>, BTreeMap<TableGame, f64>) {
        let mut cells: BTreeMap<Meeting, Cell> = BTreeMap::new();
        let mut tables: BTreeMap<TableGame, f64> = BTreeMap::new();
        for (lineup, weight, end) in self.exact_ends() {
            let utility = lineup.utility(&end.utility);
            if utility.len() > 2 {
                *tables.entry(table(lineup, &utility, None)).or_default() += weight;
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
    /// A match weighs as many games as it stands for, but no more than the match that was played most has had by now:
    /// with the weight of all games that are asked for, what is known would decide what only the games to come can say.
    fn exact_ends(&self) -> impl Iterator<Item = (&Lineup, f64, &ExactEnd)> {
        // All games are counted only where there is something beside them.
        let most = if self.exact.is_empty() { None } else { self.most_played() };
        let stand_for =
            summed(self.exact.iter().map(|(lineup, (games, _))| (company(lineup), *games)));
        self.exact.iter().flat_map(move |(lineup, (games, exact))| {
            let all = stand_for.get(&company(lineup)).copied().unwrap_or_default();
            let share = most.map_or(1.0, |most| (most / all).min(1.0));
            let weight = games * share;
            exact.ends.iter().map(move |end| (lineup, end.probability * weight, end))
        })
    }

    /// The games of the match that was played most; nothing where none was.
    fn most_played(&self) -> Option<f64> {
        let pairs = self.counts.iter().map(|(meeting, counts)| {
            ((meeting.scenario, vec![meeting.a, meeting.b]), counts.iter().sum::<u64>() as f64)
        });
        let tables = self.tables.iter().map(|(table, &games)| {
            let agents = table.places.iter().map(|(agent, _)| *agent).collect();
            ((table.scenario, agents), games as f64)
        });
        summed(pairs.chain(tables)).into_values().max_by(f64::total_cmp)
    }

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
                games[usize::from(table.holder() != *agent)] += count;
            }
        }
        all
    }

    /// The mean utility of a seat of a scenario, whoever held it; exact lineups weigh as in the ratings.
    pub(crate) fn seat_utility(&self, scenario: usize, seat: usize) -> Option<Quantity> {
        let own = self.by_seat.range((scenario, seat, i64::MIN)..=(scenario, seat, i64::MAX));
        let sampled: Vec<_> =
            own.map(|((.., value), count)| (of_order_key(*value), *count)).collect();
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

/// What an agent's meetings in a scenario came to, by the seat it held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BySeat {
    pub first: PairRecord,
    pub other: PairRecord,
    /// The games that it played in the first seat, and in another one.
    pub games: [u64; 2],
}

/// The agents of a match in a scenario, in the order of the spec.
type Company = (usize, Vec<usize>);

/// Who sits at a table, in any seats.
fn company(lineup: &Lineup) -> Company {
    let agents: BTreeSet<usize> = lineup.agents.iter().copied().collect();
    (lineup.scenario, agents.into_iter().collect())
}

fn summed(all: impl Iterator<Item = (Company, f64)>) -> BTreeMap<Company, f64> {
    let mut sums = BTreeMap::new();
    all.for_each(|(company, games)| *sums.entry(company).or_default() += games);
    sums
}

/// The utility of each agent of a game, where it is one against others: one agent in all seats shows nothing of it.
fn others(utility: &[(usize, f64)]) -> &[(usize, f64)] {
    if utility.len() > 1 { utility } else { &[] }
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

fn table(lineup: &Lineup, utility: &[(usize, f64)], forfeiter: Option<usize>) -> TableGame {
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
    TableGame { scenario: lineup.scenario, seated: lineup.agents.clone(), places, forfeiter }
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

/// The half points of each against the others: 2 for each that has less utility, 1 for each that has the same.
fn halves(utility: &[f64]) -> impl Iterator<Item = u64> {
    utility.iter().enumerate().map(|(seat, &own)| {
        let others = utility.iter().enumerate().filter(|(other, _)| *other != seat);
        others.map(|(_, &other)| 2 - order(own, other) as u64).sum()
    })
}

/// The points of each agent of a lineup against all others in the game: 1 for each it did better
/// than, ½ for each it did as well as; by the order of the seats.
pub(super) fn points(lineup: &Lineup, by_seat: &[f64]) -> Vec<(usize, f64)> {
    let (agents, utility): (Vec<usize>, Vec<f64>) = lineup.utility(by_seat).into_iter().unzip();
    let points = halves(&utility).map(|halves| halves as f64 / 2.0);
    agents.into_iter().zip(points).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{AgentFault, Error};
    use crate::number::Basis;

    fn lineup(agents: &[usize]) -> Lineup {
        Lineup { scenario: 0, agents: agents.to_vec() }
    }

    fn game(agents: &[usize]) -> Game {
        Game { number: 0, lineup: lineup(agents), nth: 0, seed: 0 }
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
    fn who_forfeits_loses_to_each_and_the_others_have_no_game() {
        let forfeited = |utility: &[f64], seat| {
            let error = Error::agent("broken", AgentFault::Own, "it ended");
            GameResult::forfeited(seat, &error, utility.to_vec())
        };
        let mut tally = Tally::default();
        // The worst that the second seat can have is better than all that is left to the first.
        tally.add(&game(&[0, 1]), &forfeited(&[-8.0, -1.0], 1));
        tally.add(&game(&[2, 0, 1]), &forfeited(&[5.0, 3.0, 4.0], 2));
        let records = tally.records();
        let won = Cell { wins: 1.0, ..Cell::default() };
        let at =
            |a, b, first| records.get(&Meeting { scenario: 0, a, b, first }).map(|of| of.played);
        assert_eq!(at(0, 1, FirstSeat::A), Some(won));
        assert_eq!(at(0, 1, FirstSeat::Neither), Some(won));
        assert_eq!(at(1, 2, FirstSeat::B), Some(won.turned()));
        assert_eq!((at(0, 2, FirstSeat::B), records.len()), (None, 3));
        // The utilities count as they are.
        assert_eq!(tally.utility(1).unwrap().value, 1.5);
        let of_three = tally.tables.keys().next().map(TableGame::stages);
        assert_eq!(of_three, Some(vec![(vec![0, 1], vec![0]), (vec![2, 1], vec![2])]));
        let unbroken = points(
            &lineup(&[2, 0, 1]),
            &forfeited(&[5.0, 3.0, 4.0], 2).standing(&lineup(&[2, 0, 1])),
        );
        assert_eq!(unbroken, [(2, 1.5), (0, 1.5), (1, 0.0)]);
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

    fn cell(wins: f64, losses: f64) -> Cell {
        Cell { wins, draws: 0.0, losses }
    }

    fn end(probability: f64, utility: &[f64]) -> ExactEnd {
        ExactEnd { probability, result: "over".into(), utility: utility.to_vec() }
    }

    fn play(tally: &mut Tally, agents: &[usize], utility: &[f64]) {
        tally.add(&game(agents), &ended(utility));
    }

    #[test]
    fn an_exact_lineup_weighs_as_the_games_it_replaces_and_is_none() {
        let exact = ExactOdds { ends: vec![end(0.25, &[1.0, -1.0]), end(0.75, &[0.0, 0.0])] };
        let mut tally = Tally::default();
        tally.add_exact(&lineup(&[1, 0]), &exact, 8.0);
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
        tally.add_exact(&lineup(&[0, 1]), &wins(0.6), 150.0);
        tally.add_exact(&lineup(&[1, 0]), &wins(0.4), 150.0);
        tally.add_exact(&lineup(&[0, 2]), &wins(2.0 / 3.0), 300.0);
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
        // Three games say little of 1 and 2, even if much is known of the others: in a fit of equal weights one of
        // three pairings has all the noise, some 400 / ln 10 · 1.96 · 2 / √3 points, of which the ratings have a part.
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
    fn a_game_of_an_agent_against_itself_is_no_game_against_others() {
        let mut tally = Tally::default();
        play(&mut tally, &[0, 1], &[1., 0.]);
        play(&mut tally, &[0, 0], &[-4., -2.]);
        // In the last an agent has two seats of three, and their mean.
        play(&mut tally, &[0, 1, 0], &[1., 1., 2.]);
        tally.add_exact(&lineup(&[1, 1]), &ExactOdds { ends: vec![end(1.0, &[9., 9.])] }, 1.0);
        assert_eq!((tally.games(), [0, 1].map(|agent| tally.games_of(agent))), (3, [2, 2]));
        let utility = |agent| tally.utility(agent).unwrap().value;
        assert_eq!([utility(0), utility(1)], [1.25, 0.5]);
        // The seats have all games: 1, -4, 1, and the 9 that is known.
        assert_eq!(tally.seat_utility(0, 0).unwrap().value, 1.75);
    }

    #[test]
    fn a_table_of_three_weighs_as_a_match() {
        let mut tally = Tally::default();
        let exact = ExactOdds { ends: vec![end(1.0, &[2., 1., 0.])] };
        tally.add_exact(&lineup(&[0, 1, 2]), &exact, 30.0);
        tally.add_exact(&lineup(&[1, 2, 0]), &exact, 30.0);
        for _ in 0..6 {
            play(&mut tally, &[0, 1, 3], &[1., 1., 1.]);
        }
        // Six games of three were played, so that each of two lineups weighs three: 2 and 0 in those, 1 in the games.
        let mean = tally.utility(0).unwrap().value;
        assert!((mean - (3. * 2. + 3. * 0. + 6. * 1.) / 12.).abs() < 1e-12, "{mean}");
    }

    #[test]
    fn results_are_counted_by_seat_whether_played_or_exact() {
        let mut tally = Tally::default();
        // The first seat wins both games, held by 0 and then by 1.
        for agents in [[0, 1], [1, 0]] {
            tally.add(&game(&agents), &GameResult { result: "red".into(), ..ended(&[1.0, -1.0]) });
        }
        let end = |probability, result: &str, utility: [f64; 2]| ExactEnd {
            result: result.into(),
            ..end(probability, &utility)
        };
        let ends = vec![end(0.75, "red", [1.0, -1.0]), end(0.25, "blue", [-1.0, 1.0])];
        tally.add_exact(&lineup(&[0, 2]), &ExactOdds { ends }, 4.0);
        let by_seat = &tally.by_seat()[&0];
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
