//! How large is a number on average, and how sure is that?

/// A mean with how much is known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half of its 95 % interval (1.96 standard errors): 0 where nothing was sampled, and nothing
    /// for a single game.
    pub half: Option<f64>,
    /// Whether nothing was sampled.
    pub exact: bool,
}

impl Mean {
    /// The mean of sampled and of exact values, all with their weights; nothing where there are
    /// none. Exact values are known, so that only the sampled ones, by their share of the whole,
    /// leave the mean unsure.
    pub(super) fn of(sampled: &[(f64, f64)], exact: &[(f64, f64)]) -> Option<Mean> {
        let sum = |all: &[(f64, f64)]| all.iter().map(|(_, weight)| weight).sum::<f64>();
        let total = |all: &[(f64, f64)]| all.iter().map(|(value, weight)| value * weight).sum();
        let (games, weight) = (sum(sampled), sum(sampled) + sum(exact));
        if weight <= 0.0 {
            return None;
        }
        let (own, known): (f64, f64) = (total(sampled), total(exact));
        let mean = (own + known) / weight;
        if games <= 0.0 {
            return Some(Mean { mean, half: Some(0.0), exact: true });
        }
        let centre = own / games;
        let squares: f64 =
            sampled.iter().map(|(value, weight)| (value - centre).powi(2) * weight).sum();
        let error = || (squares / (games - 1.0) / games).sqrt() * games / weight;
        let half = (games > 1.0).then(|| 1.96 * error());
        Some(Mean { mean, half, exact: false })
    }

    /// The mean with its interval, for people; an exact one has none.
    pub fn text(self) -> String {
        crate::render::with_margin(self.mean, self.half.filter(|_| !self.exact))
    }
}
