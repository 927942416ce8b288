//! Duels: matches that must have a winner, with extra games for those that are level.

use super::format::{Match, Score};
use super::pairs::{Pairs, leader};

/// How often level matches are played again before the agent that is first in the spec advances.
const AGAIN: u64 = 3;

/// The matches of a round that must have winners.
pub(super) struct Duels {
    pairs: Pairs,
    duels: Vec<(usize, usize)>,
    points: Vec<[f64; 2]>,
    /// The duels of the last matches, by index.
    playing: Vec<usize>,
    times: u64,
}

/// Who won a duel, and who lost it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    pub winner: usize,
    pub loser: usize,
    /// Whether the games left it level, and the order of the spec decided.
    pub level: bool,
}

impl Duels {
    /// New duels.
    pub(super) fn new(pairs: Pairs, duels: Vec<(usize, usize)>) -> Duels {
        let points = vec![[0.0; 2]; duels.len()];
        let playing = (0..duels.len()).collect();
        Duels { pairs, duels, points, playing, times: 0 }
    }

    /// The matches to be played now.
    pub(super) fn matches(&self) -> Vec<Match> {
        let now: Vec<(usize, usize)> = self.playing.iter().map(|&duel| self.duels[duel]).collect();
        self.pairs.matches(&now, self.times.saturating_mul(self.pairs.games))
    }

    /// Takes the scores of those matches; all winners once there are some.
    pub(super) fn take(&mut self, scores: &[Score]) -> Option<Vec<Decided>> {
        for (points, &duel) in self.pairs.points(scores).iter().zip(&self.playing) {
            self.points[duel][0] += points[0];
            self.points[duel][1] += points[1];
        }
        self.times += 1;
        self.playing.retain(|&duel| leader(self.points[duel]).is_none());
        if !self.playing.is_empty() && self.times <= AGAIN {
            return None;
        }
        let decide = |(&(a, b), points): (&(usize, usize), &[f64; 2])| {
            let (winner, loser) = match leader(*points) {
                Some(0) => (a, b),
                Some(_) => (b, a),
                None => (a.min(b), a.max(b)),
            };
            Decided { winner, loser, level: leader(*points).is_none() }
        };
        Some(self.duels.iter().zip(&self.points).map(decide).collect())
    }
}

/// The note on a duel that was level.
pub(super) fn level_note(agents: &[String], decided: &Decided) -> String {
    let Decided { winner, loser, .. } = *decided;
    let games = AGAIN + 1;
    format!(
        "`{}` and `{}` were level after {games} times the games; the first in the spec went on",
        agents[winner], agents[loser]
    )
}
