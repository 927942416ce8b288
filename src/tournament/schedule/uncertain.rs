//! Allocates games to the neighbours in the standings whose order is least sure.

use super::super::{Ratings, Tally};
use super::format::PairGames;
use super::format::{Format, Match, Score};

/// All meet all once with exchanged seats; then the games of a whole round robin go where the
/// order is least sure, looked at anew after each round of games.
pub(super) struct Uncertain {
    agents: usize,
    pairs: PairGames,
    /// Blocks of two games with exchanged seats that each pair has played, in each scenario.
    played: Vec<Vec<u64>>,
    /// Blocks that are left.
    left: u64,
    total: u64,
}

impl Uncertain {
    /// As many games as a round robin has.
    pub(super) fn new(agents: usize, pairs: PairGames) -> Uncertain {
        let count = (agents * agents.saturating_sub(1) / 2) as u64;
        let left = count.saturating_mul(pairs.games.div_ceil(2));
        let total = left.saturating_mul(2).saturating_mul(pairs.scenarios as u64);
        Uncertain { agents, pairs, played: vec![vec![0; agents]; agents], left, total }
    }

    /// The matches of some blocks for a pair.
    fn blocks(&mut self, a: usize, b: usize, blocks: u64) -> Vec<Match> {
        let (a, b) = (a.min(b), a.max(b));
        let before = self.played[a][b] * 2;
        self.played[a][b] += blocks;
        self.left -= blocks.min(self.left);
        let pairs = PairGames { games: blocks * 2, ..self.pairs };
        pairs.matches(&[(a, b)], before)
    }
}

impl Format for Uncertain {
    fn round(&mut self, _: &[Score], tally: &Tally) -> Vec<Match> {
        if self.left == 0 {
            return Vec::new();
        }
        let everybody: Vec<(usize, usize)> =
            (0..self.agents).flat_map(|a| (a + 1..self.agents).map(move |b| (a, b))).collect();
        let played: u64 = self.played.iter().flatten().sum();
        if played == 0 {
            return everybody.into_iter().flat_map(|(a, b)| self.blocks(a, b, 1)).collect();
        }
        let ratings = Ratings::of(tally, self.agents);
        let order = ratings.order();
        let neighbours: Vec<(usize, usize)> =
            order.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let doubt: Vec<f64> = neighbours
            .iter()
            .map(|&(a, b)| {
                let sure = ratings.superiority(a, b);
                (sure * (1.0 - sure)).max(1e-6)
            })
            .collect();
        // A quarter more each time, so that the fits take little beside the games.
        let round = self.left.min((everybody.len() as u64).max(played / 4));
        let shares = shared(&doubt, round);
        let given = neighbours.into_iter().zip(shares).filter(|(_, blocks)| *blocks > 0);
        given.flat_map(|((a, b), blocks)| self.blocks(a, b, blocks)).collect()
    }

    fn total(&self) -> Option<u64> {
        Some(self.total)
    }
}

/// This many blocks in proportion to weights above 0; what is left over goes to the largest
/// remainders, of these to the first.
fn shared(weights: &[f64], blocks: u64) -> Vec<u64> {
    let total: f64 = weights.iter().sum();
    let ideal: Vec<f64> = weights.iter().map(|weight| weight / total * blocks as f64).collect();
    let mut shares: Vec<u64> = ideal.iter().map(|ideal| ideal.floor() as u64).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    let rest = |index: usize| ideal[index] - ideal[index].floor();
    order.sort_by(|&a, &b| rest(b).total_cmp(&rest(a)).then(a.cmp(&b)));
    let given: u64 = shares.iter().sum();
    for &index in order.iter().cycle().take(blocks.saturating_sub(given) as usize) {
        shares[index] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::shared;

    #[test]
    fn blocks_are_shared_by_weight() {
        assert_eq!(shared(&[0.25, 0.25], 5), [3, 2]);
        assert_eq!(shared(&[0.2, 0.1, 0.1], 8), [4, 2, 2]);
        assert_eq!(shared(&[1e-6, 1.0], 3), [0, 3]);
    }
}
