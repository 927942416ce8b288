//! Scores that the ratings do not explain, and the largest cycle of agents that beat each other.

use std::collections::{BTreeMap, VecDeque};

use schemars::JsonSchema;
use serde::Serialize;

use super::super::{Cell, Meeting, PairRecord};
use super::Evidence;
use super::likelihood::Problem;
use super::matrix::Matrix;
use crate::analysis::{NORMAL_95, cumulative};
use crate::render::percent;

/// Scores nearer than this to what the ratings say are near enough.
const NEAR: f64 = 0.02;
/// How likely it is at most that one of all pairings is said to be off where none is.
const ERROR: f64 = 0.05;

/// What ratings leave unexplained: one number for each agent cannot say who beats whom.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RatingMisfit<Agent = usize> {
    /// How many pairs of agents there are that have met.
    pub pairings: usize,
    /// How many of their scores are further from those that the ratings expect than chance explains.
    pub off: usize,
    /// The one that is furthest.
    pub worst: Option<Mismatch<Agent>>,
    /// The largest cycle of agents, each of which beats the next and the last the first: the one
    /// whose least lead is largest, and of these the shortest. Empty where there is none.
    pub cycle: Vec<Agent>,
    /// The least score of an agent of the cycle against the next.
    #[serde(skip)]
    pub least: f64,
}

/// A score that differs from the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Mismatch<Agent = usize> {
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
    expected: f64,
    /// The variance of the points that were sampled.
    noise: f64,
    /// By how much the points expected of what is known change with each parameter.
    slope: BTreeMap<usize, f64>,
}

impl PairResults {
    /// The variance of what it did beside what was expected: that of its own games, and where its odds
    /// are known, that of the ratings, which other games made.
    fn variance(&self, covariance: &Matrix) -> f64 {
        let along = |(&i, by): (&usize, &f64)| {
            self.slope.iter().map(|(&j, other)| by * other * covariance.at(i, j)).sum::<f64>()
        };
        self.noise + self.slope.iter().map(along).sum::<f64>().max(0.0)
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
        let mut add = |meeting: &Meeting, cell: &Cell, played: bool| {
            let Some((expected, variance)) = problem.expected(at, meeting) else { return };
            let pair = pairs.entry((meeting.a, meeting.b)).or_default();
            let record = match played {
                true => PairRecord { played: *cell, ..PairRecord::default() },
                false => PairRecord { known: *cell, ..PairRecord::default() },
            };
            pair.record = pair.record.plus(record);
            pair.expected += expected * cell.games();
            if played {
                pair.noise += variance * cell.games();
                return;
            }
            for (place, by) in problem.slope_of_points(at, meeting) {
                *pair.slope.entry(place).or_default() += by * cell.games();
            }
        };
        evidence.played.iter().for_each(|(meeting, cell)| add(meeting, cell, true));
        evidence.known.iter().for_each(|(meeting, cell)| add(meeting, cell, false));
        let mut misfit = RatingMisfit { pairings: pairs.len(), ..RatingMisfit::default() };
        let mut beaten = Vec::new();
        for (&(a, b), pair) in &pairs {
            let Some(score) = pair.record.score() else { continue };
            let games = pair.record.played.plus(pair.record.known).games();
            let found = Mismatch { a, b, score, expected: pair.expected / games };
            if found.is_off(pair.variance(covariance).sqrt() / games, pairs.len()) {
                misfit.off += 1;
                if misfit.worst.is_none_or(|worst| worst.distance() < found.distance()) {
                    misfit.worst = Some(found);
                }
            }
            let Cell { wins, losses, .. } = pair.record.played;
            // Were they equals, each decided game would be won by either as likely.
            let sure = NORMAL_95 * (wins + losses).sqrt() / 2.0 / games;
            let lead = score - 0.5;
            if lead.abs() > sure.max(1e-9) {
                beaten.push(if lead > 0.0 { (lead, a, b) } else { (-lead, b, a) });
            }
        }
        if let Some((cycle, least)) = largest_cycle(beaten, agents) {
            (misfit.cycle, misfit.least) = (cycle, 0.5 + least);
        }
        misfit
    }

    /// What is to be said of it, one sentence each.
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
            let beats: Vec<String> =
                beats.map(|(&a, &b)| format!("`{}` beats `{}`", agents[a], agents[b])).collect();
            let more = if self.least < 1.0 { " or more" } else { "" };
            let (beats, least) = (beats.join(", "), percent(self.least));
            notes.push(format!("no order holds: {beats}, each with {least}{more}"));
        }
        notes
    }

    /// The same with the agents' words.
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
        }
    }
}

impl Mismatch {
    fn distance(&self) -> f64 {
        (self.score - self.expected).abs()
    }

    /// Whether chance does not explain it, where this many are looked at.
    fn is_off(&self, deviation: f64, looked: usize) -> bool {
        let tail = match deviation > 0.0 {
            true => 2.0 * cumulative(-self.distance() / deviation),
            false => 0.0,
        };
        self.distance() > NEAR && tail * (looked as f64) < ERROR
    }
}

/// The cycle whose least lead is largest, with that lead: leads are taken from the largest on until
/// they close a cycle.
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
    use super::largest_cycle;

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
