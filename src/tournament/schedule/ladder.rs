//! Ladder: neighbours meet, and the lower one takes the higher rung by winning.

use super::super::Tally;
use super::format::{Format, Match, Score};
use super::format::{PairGames, leader};

/// Rungs in the order of the spec. In one round the first meets the second, the third the fourth
/// and so on; in the next the second meets the third.
pub(super) struct Ladder {
    pairs: PairGames,
    rungs: Vec<usize>,
    round: u64,
    rounds: u64,
}

impl Ladder {
    /// A ladder of so many agents, for a number of rounds.
    pub(super) fn new(agents: usize, rounds: u64, pairs: PairGames) -> Ladder {
        Ladder { pairs, rungs: (0..agents).collect(), round: 0, rounds }
    }

    /// The first rung that plays in a round.
    fn start(&self, round: u64) -> usize {
        if self.rungs.len() == 2 { 0 } else { (round % 2) as usize }
    }
}

impl Format for Ladder {
    fn round(&mut self, last: &[Score], _: &Tally) -> Vec<Match> {
        if self.round > 0 {
            let start = self.start(self.round - 1);
            let points = self.pairs.points(last);
            for (pair, points) in self.rungs[start..].chunks_exact_mut(2).zip(points) {
                if leader(points) == Some(1) {
                    pair.swap(0, 1);
                }
            }
        }
        if self.round == self.rounds {
            return Vec::new();
        }
        let pairs: Vec<(usize, usize)> = self.rungs[self.start(self.round)..]
            .chunks_exact(2)
            .map(|pair| (pair[0], pair[1]))
            .collect();
        self.round += 1;
        self.pairs.matches(&pairs, 0)
    }

    fn notes(&self, agents: &[String]) -> Vec<String> {
        let names: Vec<String> =
            self.rungs.iter().map(|&agent| format!("`{}`", agents[agent])).collect();
        vec![format!("the ladder after {} rounds: {}", self.round, names.join(", "))]
    }
}
