//! The mean of sampled and exact values, with its interval.

use crate::analysis::{Estimate, mean};

/// A mean with how much is known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half of its 95 % interval, Student's, as everywhere: 0 where nothing was sampled, and nothing
    /// for a single game.
    pub half: Option<f64>,
    /// Whether nothing was sampled.
    pub exact: bool,
}

impl From<Mean> for Estimate {
    fn from(Mean { mean, half, .. }: Mean) -> Estimate {
        let half = half.unwrap_or(f64::INFINITY);
        Estimate { n: 0, mean, low: mean - half, high: mean + half }
    }
}

impl Mean {
    /// The mean of sampled and of exact values, all with their weights; nothing where there are
    /// none. Exact values are known, so that only the sampled ones, by their share of the whole,
    /// leave the mean unsure.
    pub(super) fn of(sampled: &[(f64, u64)], exact: &[(f64, f64)]) -> Option<Mean> {
        let weight: f64 = exact.iter().map(|(_, weight)| weight).sum();
        let known: f64 = exact.iter().map(|(value, weight)| value * weight).sum();
        let Some(Estimate { n, mean, high, .. }) = mean(sampled) else {
            let mean = known / weight;
            return (weight > 0.0).then_some(Mean { mean, half: Some(0.0), exact: true });
        };
        let games = n as f64;
        let share = games / (games + weight);
        let half = Some((high - mean) * share).filter(|half| half.is_finite());
        Some(Mean { mean: (mean * games + known) / (games + weight), half, exact: false })
    }

    /// The mean with its interval, for people; an exact one has none.
    pub(crate) fn text(self) -> String {
        crate::render::with_margin(self.mean, self.half.filter(|_| !self.exact))
    }
}
