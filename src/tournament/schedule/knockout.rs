//! Knockout: winners meet until one is left; the order of the spec is the seeding.

use std::cmp::Reverse;

use super::format::{Format, Match, MatchRecord, PairGames, Score, leader};
use crate::report::{SOME, some_of};

/// A bracket in which the first two of the spec can only meet in the final. Where the number of
/// agents is no power of two the first ones of the spec need not play the first round.
pub(super) struct Knockout {
    pairs: PairGames,
    /// Who is left, in the order of the bracket; nobody in the places of byes.
    bracket: Vec<Option<usize>>,
    duels: Option<Duels>,
    /// The duels that the order of the spec decided, the winner first.
    level: Vec<(usize, usize)>,
    records: Vec<MatchRecord>,
}

impl Knockout {
    pub(super) fn new(agents: usize, pairs: PairGames) -> Knockout {
        let size = agents.next_power_of_two();
        let mut order = vec![0];
        while order.len() < size {
            let last = order.len() * 2 - 1;
            order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
        }
        let bracket = order.into_iter().map(|seed| (seed < agents).then_some(seed)).collect();
        let records = vec![MatchRecord::default(); agents];
        Knockout { pairs, bracket, duels: None, level: Vec::new(), records }
    }

    fn advance(&mut self, decided: Vec<(usize, usize)>) {
        let mut winners = decided.into_iter().map(|(winner, _)| winner);
        let next = |pair: &[Option<usize>]| match pair {
            [Some(_), Some(_)] => winners.next(),
            [one, other] => one.or(*other),
            _ => None,
        };
        self.bracket = self.bracket.chunks(2).map(next).collect();
    }
}

impl Format for Knockout {
    fn round(&mut self, last: &[Score]) -> Vec<Match> {
        if let Some(duels) = &mut self.duels {
            let Some(decided) = duels.take(last) else { return duels.matches() };
            self.level.extend(duels.playing.iter().map(|&duel| decided[duel]));
            for (&pair, points) in duels.duels.iter().zip(&duels.points) {
                MatchRecord::count(&mut self.records, pair, *points);
            }
            self.advance(decided);
        }
        for pair in self.bracket.chunks(2) {
            if let &[Some(rests), None] | &[None, Some(rests)] = pair {
                self.records[rests].byes += 1;
            }
        }
        let meet = |pair: &[Option<usize>]| Some((pair.first().copied()??, pair.get(1).copied()??));
        let duels = self.bracket.chunks(2).filter_map(meet).collect();
        self.duels.insert(Duels::new(self.pairs, duels)).matches()
    }

    fn notes(&self, agents: &[String]) -> Vec<String> {
        let games = AGAIN + 1;
        let pair = |&(first, other): &(usize, usize)| {
            format!("`{}` before `{}`", agents[first], agents[other])
        };
        let level: Vec<String> = self.level.iter().map(pair).collect();
        let mut notes = Vec::new();
        if !level.is_empty() {
            let were = if level.len() == 1 { "match was" } else { "matches were" };
            notes.push(format!(
                "{} {were} level after {games} times the games, and the first in the spec advanced: {}",
                level.len(),
                some_of(level, SOME, ", ")
            ));
        }
        if let [Some(winner)] = self.bracket[..] {
            notes.push(format!("`{}` won the knockout", agents[winner]));
        }
        notes
    }

    /// Whoever is still in, then those that came further.
    fn matches(&self) -> Vec<(usize, MatchRecord)> {
        let mut all: Vec<(usize, MatchRecord)> = self.records.iter().copied().enumerate().collect();
        all.sort_by_key(|(agent, MatchRecord { wins, draws, losses, byes, .. })| {
            (!self.bracket.contains(&Some(*agent)), Reverse(wins + draws + losses + byes))
        });
        all
    }
}

/// How often level matches are played again before the agent that is first in the spec advances.
const AGAIN: u64 = 3;

/// The matches of a round that must have winners.
struct Duels {
    pairs: PairGames,
    duels: Vec<(usize, usize)>,
    points: Vec<[f64; 2]>,
    /// The duels that are level, by index.
    playing: Vec<usize>,
    times: u64,
}

impl Duels {
    fn new(pairs: PairGames, duels: Vec<(usize, usize)>) -> Duels {
        let points = vec![[0.0; 2]; duels.len()];
        let playing = (0..duels.len()).collect();
        Duels { pairs, duels, points, playing, times: 0 }
    }

    fn matches(&self) -> Vec<Match> {
        let now: Vec<(usize, usize)> = self.playing.iter().map(|&duel| self.duels[duel]).collect();
        self.pairs.matches(&now, self.times.saturating_mul(self.pairs.games))
    }

    /// Takes the scores of those matches; who won and who lost, once there are winners.
    fn take(&mut self, scores: &[Score]) -> Option<Vec<(usize, usize)>> {
        for (points, &duel) in self.pairs.points(scores).iter().zip(&self.playing) {
            self.points[duel][0] += points[0];
            self.points[duel][1] += points[1];
        }
        self.times += 1;
        self.playing.retain(|&duel| leader(self.points[duel]).is_none());
        if !self.playing.is_empty() && self.times <= AGAIN {
            return None;
        }
        let decide = |(&(a, b), points): (&(usize, usize), &[f64; 2])| match leader(*points) {
            Some(0) => (a, b),
            Some(_) => (b, a),
            None => (a.min(b), a.max(b)),
        };
        Some(self.duels.iter().zip(&self.points).map(decide).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_came_further_is_before_others_whatever_its_matches_came_to() {
        // The first of three rests, the others are level each time, and the one of these that is first in the spec wins.
        let mut knockout = Knockout::new(3, PairGames { scenarios: 1, games: 2 });
        assert_eq!(knockout.round(&[]).len(), 1);
        for _ in 0..=AGAIN {
            assert_eq!(knockout.round(&[vec![1.0, 1.0]]).len(), 1);
        }
        assert!(knockout.round(&[vec![0.0, 2.0]]).is_empty());
        let none = MatchRecord::default();
        assert_eq!(
            knockout.matches(),
            [
                (1, MatchRecord { wins: 1, draws: 1, game_points: 6.0, played_for: 10.0, ..none }),
                (0, MatchRecord { losses: 1, byes: 1, played_for: 2.0, ..none }),
                (2, MatchRecord { draws: 1, game_points: 4.0, played_for: 8.0, ..none }),
            ]
        );
    }
}
