//! How sure it is that something changed: p-values, and their correction for how many there are.

use serde::{Deserialize, Serialize};

use crate::number::{NORMAL_95, Quantity, cumulative};

/// What is known of a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// There is none: both numbers are exact and the same, or no playout differs.
    #[default]
    Same,
    /// It is exact, or proven.
    Sure,
    /// Playouts show it with 95 % confidence, among all that were looked at.
    Likely,
    /// Playouts do not show whether there is one.
    #[serde(rename = "cannot tell")]
    Unknown,
}

impl Certainty {
    /// What is known before a test; `same` where no playout differs.
    pub(super) fn untested(same: bool) -> Certainty {
        if same { Certainty::Same } else { Certainty::Unknown }
    }

    pub(crate) fn is_known(self) -> bool {
        matches!(self, Certainty::Sure | Certainty::Likely)
    }
}

/// Below this a corrected p-value says that there is a change.
const LEVEL: f64 = 0.05;

/// The p-value of an estimate that may be 0, two-sided: by the normal distribution, with the standard
/// error that its 95 % interval gives; 1 where there is none.
pub(super) fn p_value(estimate: &Quantity) -> f64 {
    let half = (estimate.high - estimate.low) / 2.0;
    let middle = f64::midpoint(estimate.low, estimate.high);
    match half > 0.0 && half.is_finite() {
        true => two_sided(NORMAL_95 * middle.abs() / half),
        false => 1.0,
    }
}

fn two_sided(deviations: f64) -> f64 {
    (2.0 * (1.0 - cumulative(deviations))).clamp(0.0, 1.0)
}

/// Pairs of which this many differ one way and this many the other (McNemar, Psychometrika 12, 1947): the
/// exact two-sided p-value of the sign test, by the normal distribution where they are many.
pub(super) fn sign_test(one: u64, other: u64) -> f64 {
    /// More are near enough to normal.
    const MANY: u64 = 1000;
    let (n, less) = (one + other, one.min(other));
    if n == 0 {
        return 1.0;
    }
    if n > MANY {
        let apart = one.abs_diff(other).saturating_sub(1);
        return two_sided(apart as f64 / (n as f64).sqrt());
    }
    let (mut sum, mut chance) = (0.0, 0.5f64.powi(n as i32));
    for k in 0..=less {
        sum += chance;
        chance *= (n - k) as f64 / (k + 1) as f64;
    }
    (2.0 * sum).min(1.0)
}

/// The two-sided p-value, by Fisher's exact test, of what never happens in a sample of size `none` and `some`
/// times in another of size `n`: twice the chance that all of these fall into the other.
pub(super) fn none_against(none: u64, some: u64, n: u64) -> f64 {
    let all = (none + n) as f64;
    let chance = |at: u64| (n.saturating_sub(at)) as f64 / (all - at as f64);
    (2.0 * (0..some.min(n)).map(chance).product::<f64>()).min(1.0)
}

/// Holm's correction of the p-values of `all` tests (Scandinavian Journal of Statistics 6, 1979), of which
/// those not given found nothing: the least is multiplied by how many there are, the next by one less;
/// none is less than the one before. For all that is below 5 % after it, the chance that any of it is
/// false is 5 % at most.
pub(crate) fn holm(p_values: &[f64], all: u64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let (mut corrected, mut least) = (vec![1.0; p_values.len()], 0.0f64);
    for (rank, at) in order.into_iter().enumerate() {
        let left = all.saturating_sub(rank as u64).max(1);
        least = least.max(left as f64 * p_values[at]).min(1.0);
        corrected[at] = least;
    }
    corrected
}

/// Corrects p-values for each other, and marks what is likely by them; what has none is no test.
pub(super) fn correct<'a>(all: impl Iterator<Item = (&'a mut Option<f64>, &'a mut Certainty)>) {
    let tests = all.filter_map(|(p, certainty)| Some((p.as_mut()?, certainty)));
    let tests: Vec<(&mut f64, &mut Certainty)> = tests.collect();
    let p_values: Vec<f64> = tests.iter().map(|(p, _)| **p).collect();
    let corrected = holm(&p_values, p_values.len() as u64);
    for ((p, certainty), corrected) in tests.into_iter().zip(corrected) {
        *p = corrected;
        if corrected < LEVEL {
            *certainty = Certainty::Likely;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn holm_steps_down_from_the_least() {
        // Of four: 0.01 · 4, then 0.02 · 3 = 0.06, then 0.03 · 2 = 0.06, then 0.04 · 1, which is less than
        // the one before it.
        let corrected = holm(&[0.03, 0.01, 0.04, 0.02], 4);
        for (found, wanted) in corrected.into_iter().zip([0.06, 0.04, 0.06, 0.06]) {
            near(found, wanted);
        }
        assert_eq!(holm(&[0.7, 0.6], 2), [1.0, 1.0]);
        assert!(holm(&[], 0).is_empty());
        // One more that found nothing: 0.01 · 5, 0.02 · 4, and 0.02 · 3 is less than that; 0.5 · 2 is 1.
        for (found, wanted) in
            holm(&[0.02, 0.5, 0.01, 0.02], 5).into_iter().zip([0.08, 1.0, 0.05, 0.08])
        {
            near(found, wanted);
        }
    }

    #[test]
    fn the_sign_test_counts_coins() {
        // Of five coins none or all fall alike: 2/32. Of six at most one: 2 (1 + 6)/64.
        near(sign_test(5, 0), 2.0 / 32.0);
        near(sign_test(1, 5), 14.0 / 64.0);
        near(sign_test(3, 3), 1.0);
        assert_eq!(sign_test(0, 0), 1.0);
        assert!(sign_test(4000, 0) < 1e-12 && sign_test(2000, 2001) > 0.9);
    }

    #[test]
    fn fishers_test_draws_without_putting_back() {
        // Two of four balls are in the second urn of two: (2/4) (1/3), twice.
        near(none_against(2, 2, 2), 1.0 / 3.0);
        near(none_against(5, 0, 5), 1.0);
    }

    #[test]
    fn a_p_value_is_5_percent_where_the_interval_ends_at_0() {
        let of = |mean, low, high| p_value(&Quantity::sampled(100, mean, (low, high)));
        near(of(0.5, 0.0, 1.0), 0.05);
        near(of(0.0, -1.0, 1.0), 1.0);
        near(of(1.0, f64::NEG_INFINITY, f64::INFINITY), 1.0);
    }
}
