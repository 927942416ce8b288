//! Scores that the ratings do not explain, and the largest cycle of agents that beat each other.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use super::super::{Cell, Meeting, PairRecord};
use super::Evidence;
use super::likelihood::Problem;
use super::matrix::Matrix;
use crate::analysis::holm;
use crate::number::cumulative;
use crate::report::{SOME, percent, some_of};

/// Scores nearer than this to what the ratings say are near enough.
const NEAR: f64 = 0.02;
/// How likely it is at most that any of all pairings is said to be off where none is, or any of them to
/// beat the other where they are equals.
const ERROR: f64 = 0.05;

/// What ratings leave unexplained: one number for each agent cannot say who beats whom.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RatingMisfit<Agent = usize> {
    /// How many pairs of agents there are that have met.
    pub pairings: usize,
    /// How many of their scores are further from those that the ratings expect than chance explains.
    pub off: usize,
    /// The one that is furthest.
    pub worst: Option<Mismatch<Agent>>,
    /// The largest cycle of agents, each of which beats the next and the last the first: the one
    /// whose least lead is largest, and of these the shortest. Empty where there is none.
    pub cycle: Vec<Agent>,
    /// For each pair that has met, the score of the first that the ratings expect: in all scenarios together, and in
    /// each.
    #[serde(skip)]
    pub expected: BTreeMap<(Option<usize>, usize, usize), f64>,
    /// The least score of an agent of the cycle against the next.
    #[serde(skip)]
    pub least: f64,
}

/// A score that differs from the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mismatch<Agent = usize> {
    /// The agent listed first in the spec.
    pub a: Agent,
    /// The other one.
    pub b: Agent,
    /// The points of the first a game, from 0 to 1.
    #[serde(rename = "score_a")]
    pub score: f64,
    /// What the ratings expect of it.
    pub expected: f64,
}

/// What a pair did in all scenarios, and what it was expected to do.
#[derive(Default)]
struct PairResults {
    record: PairRecord,
    /// The points that the ratings expect of the games that were played, and of what is known.
    expected: [f64; 2],
    /// The games that were played, by the chances of their results, with the half points of each
    /// result: a pair that shares a place in a game of three or more has half a point for certain.
    games: Vec<([f64; 3], u64)>,
    /// By how much the points expected of what is known change with each parameter.
    slope: BTreeMap<usize, f64>,
}

impl PairResults {
    /// Takes what the pair did, of which the ratings expect this many points: games by their chances, and known odds
    /// with the change of the points of one of these games.
    fn add(
        &mut self,
        (cell, played): (Cell, bool),
        expected: f64,
        games: &[([f64; 3], f64)],
        slope: impl FnOnce() -> Vec<(usize, f64)>,
        times: f64,
    ) {
        self.expected[usize::from(!played)] += expected;
        if played {
            self.record.played = self.record.played.plus(cell);
            self.games.extend(games.iter().map(|&(chances, games)| (chances, games as u64)));
        } else {
            self.record.known = self.record.known.plus(cell);
            for (place, by) in slope() {
                *self.slope.entry(place).or_default() += by * times;
            }
        }
    }

    /// How likely chance alone brings it as far from what is expected. For games that is the exact
    /// probability; what is known differs by what other games made of the ratings, and that is normal.
    fn chance(&self, covariance: &Matrix) -> f64 {
        let PairRecord { played, known } = self.record;
        let of_games = two_sided(&self.games, played.points());
        if known.games() <= 0.0 {
            return of_games;
        }
        let along = |(&i, by): (&usize, &f64)| {
            self.slope.iter().map(|(&j, other)| by * other * covariance.at(i, j)).sum::<f64>()
        };
        let deviation = self.slope.iter().map(along).sum::<f64>().max(0.0).sqrt();
        let apart = (known.points() - self.expected[1]).abs();
        let of_known = if deviation > 0.0 { 2.0 * cumulative(-apart / deviation) } else { 0.0 };
        // Of two looks either may be off by chance.
        if played.games() > 0.0 { (2.0 * of_games.min(of_known)).min(1.0) } else { of_known }
    }
}

impl RatingMisfit {
    /// Compares all pairs with what fitted parameters of this covariance expect.
    pub(super) fn of(
        evidence: &Evidence<'_>,
        problem: &Problem,
        (at, covariance): (&[f64], &Matrix),
        agents: usize,
    ) -> RatingMisfit {
        let mut pairs: BTreeMap<(usize, usize), PairResults> = BTreeMap::new();
        // The points that are expected in each scenario, and the games there.
        let mut apart: BTreeMap<(usize, usize, usize), [f64; 2]> = BTreeMap::new();
        let mut there = |meeting: &Meeting, expected: f64, games: f64| {
            let one = apart.entry((meeting.scenario, meeting.a, meeting.b)).or_default();
            *one = [one[0] + expected, one[1] + games];
        };
        for (cells, played) in [(&evidence.played, true), (&evidence.known, false)] {
            for (meeting, &cell) in cells {
                let pair = pairs.entry((meeting.a, meeting.b)).or_default();
                let chances = problem.chances(at, meeting);
                let expected = (chances[0] + chances[1] / 2.0) * cell.games();
                there(meeting, expected, cell.games());
                let slope = || problem.slope_of_points(at, meeting);
                let games = [(chances, cell.games())];
                pair.add((cell, played), expected, &games, slope, cell.games());
            }
        }
        // Of games of three agents or more the ratings expect who does better, where two do not share a place; of a
        // draw they expect nothing.
        for ((meeting, [a, b], shared, played), cell) in evidence.ordered() {
            let pair = pairs.entry((meeting.a, meeting.b)).or_default();
            let sat = [&(meeting.a, a), &(meeting.b, b)];
            let (chance, slope) = problem.ahead(at, meeting.scenario, sat, shared);
            let decided = cell.wins + cell.losses;
            let expected = chance * decided + cell.draws / 2.0;
            there(&meeting, expected, cell.games());
            let games = [([chance, 0.0, 1.0 - chance], decided), ([0.0, 1.0, 0.0], cell.draws)];
            pair.add((cell, played), expected, &games, || slope, decided);
        }
        let mut misfit = RatingMisfit { pairings: pairs.len(), ..RatingMisfit::default() };
        let (mut far, mut beaten) = (Vec::new(), Vec::new());
        for (&(a, b), pair) in &pairs {
            let Some(score) = pair.record.score() else { continue };
            let games = pair.record.played.plus(pair.record.known).games();
            let found =
                Mismatch { a, b, score, expected: (pair.expected[0] + pair.expected[1]) / games };
            misfit.expected.insert((None, a, b), found.expected);
            if found.distance() > NEAR {
                far.push((pair.chance(covariance), found));
            }
            let Cell { wins, losses, .. } = pair.record.played;
            // Were they equals, each decided game would be won by either as likely.
            let even = [([0.5, 0.0, 0.5], (wins + losses) as u64)];
            let sure =
                pair.record.is_exact() || two_sided(&even, wins) * (pairs.len() as f64) < ERROR;
            let lead = score - 0.5;
            if lead.abs() > 1e-9 && sure {
                beaten.push(if lead > 0.0 { (lead, a, b) } else { (-lead, b, a) });
            }
        }
        let apart = apart.into_iter().filter(|(_, [_, games])| *games > 0.0);
        misfit.expected.extend(
            apart.map(|((scenario, a, b), [points, games])| {
                ((Some(scenario), a, b), points / games)
            }),
        );
        far.sort_by(|one, other| one.0.total_cmp(&other.0));
        let chances: Vec<f64> = far.iter().map(|(chance, _)| *chance).collect();
        let off = far.iter().zip(holm(&chances, pairs.len() as u64));
        for ((_, found), _) in off.filter(|(_, corrected)| *corrected < ERROR) {
            misfit.off += 1;
            if misfit.worst.is_none_or(|worst| worst.distance() < found.distance()) {
                misfit.worst = Some(*found);
            }
        }
        if let Some((cycle, least)) = largest_cycle(beaten, agents) {
            (misfit.cycle, misfit.least) = (cycle, 0.5 + least);
        }
        misfit
    }

    pub(crate) fn notes(&self, agents: &[String]) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(Mismatch { a, b, score, expected }) = self.worst {
            notes.push(format!(
                "the ratings do not explain {} of {} pairings: they expect {} for `{}` against `{}`, which \
                 scores {}",
                self.off,
                self.pairings,
                percent(expected),
                agents[a],
                agents[b],
                percent(score)
            ));
        }
        if !self.cycle.is_empty() {
            let next = self.cycle.iter().cycle().skip(1);
            let beats = self.cycle.iter().zip(next);
            let beats = beats.map(|(&a, &b)| format!("`{}` beats `{}`", agents[a], agents[b]));
            let more = if self.least < 1.0 { " or more" } else { "" };
            let (beats, least) = (some_of(beats, SOME, ", "), percent(self.least));
            notes.push(format!("no order holds: {beats}, each with {least}{more}"));
        }
        notes
    }

    pub(crate) fn named(&self, agents: &[String]) -> RatingMisfit<String> {
        let name = |agent: usize| agents[agent].clone();
        let named = |Mismatch { a, b, score, expected }| Mismatch {
            a: name(a),
            b: name(b),
            score,
            expected,
        };
        RatingMisfit {
            worst: self.worst.map(named),
            cycle: self.cycle.iter().map(|&agent| name(agent)).collect(),
            pairings: self.pairings,
            off: self.off,
            least: self.least,
            expected: self.expected.clone(),
        }
    }
}

impl Mismatch {
    fn distance(&self) -> f64 {
        (self.score - self.expected).abs()
    }
}

/// Sums whose deviation is more half points than this are taken for normal.
const NORMAL: f64 = 100.0;

/// Fewer deviations from the mean than these are no doubt: no tail is computed.
const NO_DOUBT: f64 = 1.5;

/// How likely games with these chances of wins, draws and losses bring points that are as unlikely on
/// their side as these: twice the smaller tail of their distribution; 1 near its mean.
fn two_sided(games: &[([f64; 3], u64)], points: f64) -> f64 {
    let (mut mean, mut variance) = (0.0, 0.0);
    for &([win, draw, _], games) in games {
        let each = 2.0 * win + draw;
        mean += each * games as f64;
        variance += (4.0 * win + draw - each * each).max(0.0) * games as f64;
    }
    let at = (points * 2.0).round();
    if (at - mean).abs() < NO_DOUBT * variance.sqrt() {
        return 1.0;
    }
    if variance > NORMAL * NORMAL {
        // Half a step nearer: the sum is whole.
        return (2.0 * cumulative(-((at - mean).abs() - 0.5).max(0.0) / variance.sqrt())).min(1.0);
    }
    let mut sum = HalfPoints { least: 0, chances: vec![1.0] };
    for &([win, draw, loss], games) in games {
        let of_all = match draw > 0.0 {
            true => HalfPoints { least: 0, chances: vec![loss, draw, win] }.times(games),
            false => HalfPoints::decided(win, games),
        };
        sum = sum.plus(&of_all);
    }
    let (mut below, mut above) = (0.0, 0.0);
    for (half_points, chance) in (sum.least..).zip(&sum.chances) {
        below += if half_points as f64 <= at { *chance } else { 0.0 };
        above += if half_points as f64 >= at { *chance } else { 0.0 };
    }
    (2.0 * f64::min(below, above)).min(1.0)
}

/// What is less likely is all but impossible.
const LEAST_CHANCE: f64 = 1e-18;

/// How likely each number of half points is, from the least on; what is all but impossible is left out.
#[derive(Clone)]
struct HalfPoints {
    least: u64,
    chances: Vec<f64>,
}

impl HalfPoints {
    fn plus(&self, other: &HalfPoints) -> HalfPoints {
        let mut chances = vec![0.0; self.chances.len() + other.chances.len() - 1];
        // Games that cannot be drawn bring whole points alone.
        let possible = |(_, chance): &(usize, &f64)| **chance > 0.0;
        for (place, chance) in self.chances.iter().enumerate().filter(possible) {
            let row = chances[place..].iter_mut().zip(&other.chances);
            row.for_each(|(sum, along)| *sum += chance * along);
        }
        let likely = |chance: &f64| *chance > LEAST_CHANCE;
        let first = chances.iter().position(likely).unwrap_or_default();
        let last = chances.iter().rposition(likely).unwrap_or_default();
        chances.truncate(last + 1);
        chances.drain(..first);
        HalfPoints { least: self.least + other.least + first as u64, chances }
    }

    /// The sum of this many games that are won with this chance and else lost: from the likeliest number of wins, each
    /// number has a known share of the chance of the one beside it.
    fn decided(win: f64, games: u64) -> HalfPoints {
        let win = win.clamp(0.0, 1.0);
        let loss = 1.0 - win;
        let likeliest = (((games + 1) as f64 * win) as u64).min(games);
        let likely = |chance: &f64| *chance > LEAST_CHANCE;
        let mut more = 1.0;
        let above = (likeliest..games).map(|wins| {
            more *= (games - wins) as f64 / (wins + 1) as f64 * win / loss;
            more
        });
        let above: Vec<f64> = above.take_while(likely).collect();
        let mut fewer = 1.0;
        let below = (1..=likeliest).rev().map(|wins| {
            fewer *= wins as f64 / (games - wins + 1) as f64 * loss / win;
            fewer
        });
        let below: Vec<f64> = below.take_while(likely).collect();
        let all = 1.0 + above.iter().chain(&below).sum::<f64>();
        let least = 2 * (likeliest - below.len() as u64);
        let mut chances = Vec::with_capacity(2 * (below.len() + above.len()) + 1);
        for chance in below.iter().rev().chain([&1.0]).chain(&above) {
            // A win is two half points.
            if !chances.is_empty() {
                chances.push(0.0);
            }
            chances.push(chance / all);
        }
        HalfPoints { least, chances }
    }

    /// The sum of this many of the same.
    fn times(&self, mut games: u64) -> HalfPoints {
        let (mut sum, mut power) = (HalfPoints { least: 0, chances: vec![1.0] }, self.clone());
        while games > 0 {
            if games % 2 == 1 {
                sum = sum.plus(&power);
            }
            games /= 2;
            if games > 0 {
                power = power.plus(&power);
            }
        }
        sum
    }
}

/// The cycle whose least lead is largest, with that lead: leads are taken from the largest on until they close a cycle.
fn largest_cycle(mut leads: Vec<(f64, usize, usize)>, agents: usize) -> Option<(Vec<usize>, f64)> {
    leads.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut without, mut with) = (0, leads.len());
    if is_ordered(&leads, agents) {
        return None;
    }
    while with - without > 1 {
        let middle = usize::midpoint(without, with);
        if is_ordered(&leads[..middle], agents) { without = middle } else { with = middle }
    }
    let (least, from, to) = leads[with - 1];
    // The shortest way back from the one that the closing lead goes to.
    let mut came = vec![None; agents];
    let mut open = VecDeque::from([to]);
    while let Some(at) = open.pop_front().filter(|&at| at != from) {
        for &(_, _, next) in leads[..with].iter().filter(|(_, winner, _)| *winner == at) {
            if came[next].is_none() && next != to {
                came[next] = Some(at);
                open.push_back(next);
            }
        }
    }
    let mut cycle: Vec<usize> =
        std::iter::successors(Some(from), |&at| came[at].filter(|_| at != to)).collect();
    cycle.reverse();
    let first = (0..cycle.len()).min_by_key(|&place| cycle[place])?;
    cycle.rotate_left(first);
    Some((cycle, least))
}

/// Whether nobody beats somebody who beats them by way of others.
fn is_ordered(leads: &[(f64, usize, usize)], agents: usize) -> bool {
    let mut beaten = vec![Vec::new(); agents];
    let mut by = vec![0; agents];
    for &(_, winner, loser) in leads {
        beaten[winner].push(loser);
        by[loser] += 1;
    }
    let mut free: Vec<usize> = (0..agents).filter(|&agent| by[agent] == 0).collect();
    let mut done = 0;
    while let Some(agent) = free.pop() {
        done += 1;
        for &loser in &beaten[agent] {
            by[loser] -= 1;
            if by[loser] == 0 {
                free.push(loser);
            }
        }
    }
    done == agents
}

#[cfg(test)]
mod tests {
    use super::{largest_cycle, two_sided};

    #[test]
    fn tails_are_exact() {
        // Two games at 1/10: none is won in 81 of 100, both in 1.
        assert!((two_sided(&[([0.1, 0.0, 0.9], 2)], 2.0) - 0.02).abs() < 1e-12);
        assert_eq!(two_sided(&[([0.1, 0.0, 0.9], 2)], 0.0), 1.0);
        // Ten wins of ten at 1/2.
        assert!((two_sided(&[([0.5, 0.0, 0.5], 10)], 10.0) - 2.0 / 1024.0).abs() < 1e-12);
        // Two wins where each result is as likely, and what is near the mean.
        let third = [1.0 / 3.0; 3];
        assert!((two_sided(&[(third, 1), (third, 1)], 2.0) - 2.0 / 9.0).abs() < 1e-12);
        assert_eq!(two_sided(&[(third, 1), (third, 1)], 1.5), 1.0);
        // One that is near impossible: 1 − (1 − 10⁻⁶)^1000, to first order 1000 · 10⁻⁶.
        let rare = two_sided(&[([1e-6, 0.0, 1.0 - 1e-6], 1_000)], 1.0);
        assert!((rare - 2.0 * (1.0 - (1.0 - 1e-6f64).powi(1_000))).abs() < 1e-12, "{rare}");
        // Games that are always won, and never.
        assert_eq!(two_sided(&[([1.0, 0.0, 0.0], 7), ([0.0, 0.0, 1.0], 3)], 7.0), 1.0);
        // Two at 1/10 and two at 1/2 are all won in 1 of 400.
        let mixed = [([0.1, 0.0, 0.9], 2), ([0.5, 0.0, 0.5], 2)];
        assert!((two_sided(&mixed, 4.0) - 2.0 / 400.0).abs() < 1e-12);
        // 20,000 games are exact, 50,000 normal: 3 deviations beyond the mean have 0.0027.
        for games in [20_000u64, 50_000] {
            let points = games as f64 / 2.0 + 1.5 * (games as f64).sqrt();
            let found = two_sided(&[([0.5, 0.0, 0.5], games)], points.round());
            assert!((found - 0.0027).abs() < 2e-4, "{games} {found}");
        }
    }

    #[test]
    fn the_cycle_of_the_largest_leads_is_found() {
        // 0 > 1 > 2 > 0 has a least lead of 0.1; 1 > 2 > 3 > 1 one of 0.2.
        let leads = vec![(0.4, 0, 1), (0.3, 1, 2), (0.1, 2, 0), (0.2, 2, 3), (0.25, 3, 1)];
        assert_eq!(largest_cycle(leads.clone(), 4), Some((vec![1, 2, 3], 0.2)));
        assert_eq!(largest_cycle(leads[..3].to_vec(), 4), Some((vec![0, 1, 2], 0.1)));
        assert_eq!(largest_cycle(leads[..2].to_vec(), 4), None);
        assert_eq!(largest_cycle(Vec::new(), 0), None);
        // Of two ways back the shorter one.
        let leads = vec![(0.4, 0, 1), (0.4, 1, 2), (0.4, 2, 3), (0.4, 1, 3), (0.3, 3, 0)];
        assert_eq!(largest_cycle(leads, 4), Some((vec![0, 1, 3], 0.3)));
    }
}
