//! Swiss tournament: agents with similar scores that have not met yet meet each other. The upper half of a score group
//! meets its lower half, as in the Dutch system (FIDE Handbook C.04.3), without its rules for colours.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::format::{Format, Match, PairGames, Score, leader};
use crate::report::{SOME, some_of};

/// Rounds by score: 2 for a match won, 1 for one that is level, 2 for a bye. Of an odd number the
/// last one that has not had a bye rests.
pub(super) struct Swiss {
    pairs: PairGames,
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
    pub(super) fn new(agents: usize, rounds: u64, pairs: PairGames) -> Swiss {
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
    fn round(&mut self, last: &[Score]) -> Vec<Match> {
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
        let byes = self
            .byes
            .iter()
            .zip(agents)
            .filter_map(|(bye, agent)| bye.map(|round| format!("`{agent}` in round {round}")));
        let byes: Vec<String> = byes.collect();
        let mut notes = Vec::new();
        if !byes.is_empty() {
            notes.push(format!("had a bye: {}", some_of(byes, SOME, ", ")));
        }
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

/// How many pairings are tried before one more repeat is allowed.
const TRIES: usize = 20_000;

/// Pairs all agents, the best first in `ranked`, an even number; how many pairs have met before.
///
/// From the top each is paired with the one half a score group below, else with the nearest below
/// that, else with those between, else with a floater from the next group. A pairing that leaves
/// others with nobody new is taken back. Repeats are allowed only where there is no other way.
pub(super) fn pair(
    ranked: &[usize],
    scores: &[u32],
    met: &BTreeSet<(usize, usize)>,
) -> (Vec<(usize, usize)>, usize) {
    for repeats in 0..=ranked.len() / 2 {
        let mut search = PairingSearch { scores, met, tries: TRIES, pairs: Vec::new() };
        if search.pair(ranked, repeats) {
            return (search.pairs, repeats);
        }
    }
    // With as many repeats as pairs the first try succeeds, so this is not reached.
    (Vec::new(), 0)
}

struct PairingSearch<'a> {
    scores: &'a [u32],
    met: &'a BTreeSet<(usize, usize)>,
    tries: usize,
    pairs: Vec<(usize, usize)>,
}

impl PairingSearch<'_> {
    fn pair(&mut self, left: &[usize], repeats: usize) -> bool {
        let Some((&first, others)) = left.split_first() else { return true };
        for place in self.preferred(first, others) {
            if self.tries == 0 {
                return false;
            }
            let other = others[place];
            let again = usize::from(self.met.contains(&(first.min(other), first.max(other))));
            if again > repeats {
                continue;
            }
            self.tries -= 1;
            let mut rest = others.to_vec();
            rest.remove(place);
            self.pairs.push((first, other));
            if self.pair(&rest, repeats - again) {
                return true;
            }
            self.pairs.pop();
        }
        false
    }

    /// The places of those who may be paired with the first one, the best choice first.
    fn preferred(&self, first: usize, others: &[usize]) -> Vec<usize> {
        let same = |&&other: &&usize| self.scores[other] == self.scores[first];
        let group = others.iter().take_while(same).count();
        let half = group.div_ceil(2).saturating_sub(1);
        let upper = (0..half).rev();
        (half..group).chain(upper).chain(group..others.len()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_half_meets_the_lower_half() {
        let all: Vec<usize> = (0..8).collect();
        let (pairs, repeats) = pair(&all, &[0; 8], &BTreeSet::new());
        assert_eq!((pairs, repeats), (vec![(0, 4), (1, 5), (2, 6), (3, 7)], 0));
        // Two groups of three: the last of each has nobody, and they meet.
        let (pairs, _) = pair(&[0, 1, 2, 3, 4, 5], &[2, 2, 2, 0, 0, 0], &BTreeSet::new());
        assert_eq!(pairs, [(0, 1), (2, 3), (4, 5)]);
    }

    #[test]
    fn who_has_met_does_not_meet_again_while_there_are_others() {
        let met = BTreeSet::from([(0, 2), (1, 3)]);
        let (pairs, repeats) = pair(&[0, 1, 2, 3], &[0; 4], &met);
        assert_eq!((pairs, repeats), (vec![(0, 3), (1, 2)], 0));
        // Of six that met across two halves, each half is a triangle, and one pair must repeat.
        let met = (0..3).flat_map(|a| (3..6).map(move |b| (a, b))).collect();
        let (pairs, repeats) = pair(&[0, 1, 2, 3, 4, 5], &[0; 6], &met);
        assert_eq!((pairs.len(), repeats), (3, 1));
    }

    #[test]
    fn all_met_is_repeated_without_searching_for_ever() {
        let met = (0..40).flat_map(|a| (a + 1..40).map(move |b| (a, b))).collect();
        let all: Vec<usize> = (0..40).collect();
        assert_eq!(pair(&all, &[0; 40], &met).1, 20);
    }
}
