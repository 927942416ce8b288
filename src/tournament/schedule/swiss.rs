//! Swiss tournament: agents with similar scores that have not met yet meet each other.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::super::Tally;
use super::format::{Format, Match, Score};
use super::pairs::{Pairs, leader};
use super::swiss_pairing::pair;

/// Rounds by score: 2 for a match won, 1 for one that is level, 2 for a bye. Of an odd number the
/// last one that has not had a bye rests.
pub(super) struct Swiss {
    pairs: Pairs,
    rounds: u64,
    round: u64,
    scores: Vec<u32>,
    points: Vec<f64>,
    met: BTreeSet<(usize, usize)>,
    byes: Vec<Option<u64>>,
    last: Vec<(usize, usize)>,
    repeats: usize,
}

impl Swiss {
    /// So many rounds.
    pub(super) fn new(agents: usize, rounds: u64, pairs: Pairs) -> Swiss {
        Swiss {
            pairs,
            rounds,
            round: 0,
            scores: vec![0; agents],
            points: vec![0.0; agents],
            met: BTreeSet::new(),
            byes: vec![None; agents],
            last: Vec::new(),
            repeats: 0,
        }
    }

    fn count(&mut self, last: &[Score]) {
        for (&(a, b), points) in self.last.iter().zip(self.pairs.points(last)) {
            match leader(points) {
                Some(side) => self.scores[[a, b][side]] += 2,
                None => [a, b].iter().for_each(|&agent| self.scores[agent] += 1),
            }
            self.points[a] += points[0];
            self.points[b] += points[1];
        }
    }

    /// All agents, the best first: by score, by points, in the order of the spec.
    fn ranked(&self) -> Vec<usize> {
        let mut ranked: Vec<usize> = (0..self.scores.len()).collect();
        ranked.sort_by(|&a, &b| {
            let score = Reverse(self.scores[a]).cmp(&Reverse(self.scores[b]));
            score.then(self.points[b].total_cmp(&self.points[a])).then(a.cmp(&b))
        });
        ranked
    }
}

impl Format for Swiss {
    fn round(&mut self, last: &[Score], _: &Tally) -> Vec<Match> {
        self.count(last);
        self.last.clear();
        if self.round == self.rounds {
            return Vec::new();
        }
        self.round += 1;
        let mut ranked = self.ranked();
        if ranked.len() % 2 == 1 {
            let new = |&agent: &usize| self.byes[agent].is_none();
            let place = ranked.iter().rposition(new).unwrap_or(ranked.len() - 1);
            let agent = ranked.remove(place);
            self.byes[agent] = Some(self.round);
            self.scores[agent] += 2;
        }
        let (pairs, repeats) = pair(&ranked, &self.scores, &self.met);
        self.repeats += repeats;
        self.met.extend(pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))));
        self.last = pairs;
        self.pairs.matches(&self.last, 0)
    }

    fn notes(&self, agents: &[String]) -> Vec<String> {
        let byes = self.byes.iter().zip(agents).filter_map(|(bye, agent)| {
            bye.map(|round| format!("`{agent}` had a bye in round {round}"))
        });
        let mut notes: Vec<String> = byes.collect();
        if self.repeats > 0 {
            notes
                .push(format!("{} pairings had to be repeated: no others were left", self.repeats));
        }
        let leader = self.ranked().into_iter().next();
        if let (Some(leader), true) = (leader, self.last.is_empty() && self.round > 0) {
            let score = f64::from(self.scores[leader]) / 2.0;
            notes
                .push(format!("`{}` leads with {score} of {} matches", agents[leader], self.round));
        }
        notes
    }
}
