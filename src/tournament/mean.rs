//! How large is a number on average, and how sure is that?

/// A mean with how much is known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half of its 95 % interval (1.96 standard errors); nothing for fewer than two games.
    pub half: Option<f64>,
}

impl Mean {
    /// The mean of values with their weights; nothing where there are none.
    pub(super) fn of(weighted: &[(f64, f64)]) -> Option<Mean> {
        let weight: f64 = weighted.iter().map(|(_, weight)| weight).sum();
        if weight <= 0.0 {
            return None;
        }
        let mean = weighted.iter().map(|(value, weight)| value * weight).sum::<f64>() / weight;
        let squares: f64 =
            weighted.iter().map(|(value, weight)| (value - mean).powi(2) * weight).sum();
        let half = (weight > 1.0).then(|| 1.96 * (squares / (weight - 1.0) / weight).sqrt());
        Some(Mean { mean, half })
    }

    /// The mean with its interval, for people.
    pub fn text(self) -> String {
        crate::render::with_margin(self.mean, self.half)
    }
}
