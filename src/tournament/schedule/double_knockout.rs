//! Double knockout: two losses eliminate an agent. Agents without a loss play each other, as do
//! those with one; the last agent of each bracket plays the final.

use std::collections::BTreeSet;

use super::super::Tally;
use super::duels::{Decided, Duels, level_note};
use super::format::{Format, Match, Score};
use super::pairs::Pairs;

/// Rounds in two brackets. Of an odd number the one with the fewest byes rests, of these the one
/// that comes first in the spec; the final is played again where the unbeaten one loses it.
pub(super) struct DoubleKnockout {
    pairs: Pairs,
    losses: Vec<u8>,
    byes: Vec<u32>,
    met: BTreeSet<(usize, usize)>,
    duels: Option<Duels>,
    level: Vec<Decided>,
}

impl DoubleKnockout {
    /// Nobody has lost yet.
    pub(super) fn new(agents: usize, pairs: Pairs) -> DoubleKnockout {
        DoubleKnockout {
            pairs,
            losses: vec![0; agents],
            byes: vec![0; agents],
            met: BTreeSet::new(),
            duels: None,
            level: Vec::new(),
        }
    }

    fn with(&self, losses: u8) -> Vec<usize> {
        (0..self.losses.len()).filter(|&agent| self.losses[agent] == losses).collect()
    }

    /// Pairs the best with the last, as far as they have not met.
    fn pair(&mut self, mut group: Vec<usize>) -> Vec<(usize, usize)> {
        if group.len() % 2 == 1 {
            let rests =
                group.iter().enumerate().min_by_key(|&(_, &agent)| (self.byes[agent], agent));
            if let Some((place, &agent)) = rests {
                group.remove(place);
                self.byes[agent] += 1;
            }
        }
        let mut pairs = Vec::new();
        while !group.is_empty() {
            let one = group.remove(0);
            let new = |&other: &usize| !self.met.contains(&(one.min(other), one.max(other)));
            let place = group.iter().rposition(new).unwrap_or(group.len().saturating_sub(1));
            if place < group.len() {
                pairs.push((one, group.remove(place)));
            }
        }
        self.met.extend(pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))));
        pairs
    }

    fn next(&mut self) -> Vec<(usize, usize)> {
        let (unbeaten, beaten) = (self.with(0), self.with(1));
        match (&unbeaten[..], &beaten[..]) {
            ([one], [other]) => vec![(*one, *other)],
            // The final was lost by the unbeaten one, so both have lost once.
            ([], [_, _]) | ([_, _, ..], []) | ([_, _, ..], [_]) => {
                let group = if unbeaten.is_empty() { beaten } else { unbeaten };
                self.pair(group)
            }
            ([_] | [], [_, _, ..]) => self.pair(beaten),
            ([_, _, ..], [_, _, ..]) => {
                let mut pairs = self.pair(unbeaten);
                pairs.extend(self.pair(beaten));
                pairs
            }
            _ => Vec::new(),
        }
    }
}

impl Format for DoubleKnockout {
    fn round(&mut self, last: &[Score], _: &Tally) -> Vec<Match> {
        if let Some(duels) = &mut self.duels {
            let Some(decided) = duels.take(last) else { return duels.matches() };
            for decided in decided {
                self.losses[decided.loser] += 1;
                self.level.extend(decided.level.then_some(decided));
            }
        }
        let duels = Duels::new(self.pairs, self.next());
        let matches = duels.matches();
        self.duels = Some(duels);
        matches
    }

    fn notes(&self, agents: &[String]) -> Vec<String> {
        let mut notes: Vec<String> =
            self.level.iter().map(|decided| level_note(agents, decided)).collect();
        let mut left = (0..self.losses.len()).filter(|&agent| self.losses[agent] < 2);
        if let (Some(winner), None) = (left.next(), left.next()) {
            notes.push(format!("`{}` won the double knockout", agents[winner]));
        }
        notes
    }
}
