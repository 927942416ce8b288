//! How sure it is that something changed: p-values, and their correction for how many there are.

use serde::{Deserialize, Serialize};

use crate::number::{NORMAL_95, Quantity, cumulative};
use crate::report::word;

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

/// What a verdict on playouts rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    #[default]
    Enough,
    /// So few pairs of playouts differ that no test says anything.
    Few,
    /// It would not be known if an end that came a few times, or one that is possible and never came, were as likely as the
    /// playouts allow.
    RareOnes,
}

impl DecidedBy {
    fn is_enough(&self) -> bool {
        *self == DecidedBy::Enough
    }
}

/// A change, and how it was tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// From playouts, the p-value, corrected by Holm's method for all numbers that a comparison tests; null where the
    /// difference is exact or proven.
    pub p: Option<f64>,
    /// Whether there is a change.
    pub certainty: Certainty,
    #[serde(default, skip_serializing_if = "DecidedBy::is_enough")]
    pub decided_by: DecidedBy,
    /// The p-value where the ends that came seldom or never are as likely as the playouts allow.
    #[serde(skip)]
    rare: f64,
}

impl Tested {
    /// What needs no test.
    pub(super) fn known(certainty: Certainty) -> Tested {
        Tested { certainty, ..Tested::default() }
    }

    /// From playouts; `same` where none differs.
    pub(super) fn sampled(p: f64, same: bool) -> Tested {
        let certainty = if same { Certainty::Same } else { Certainty::Unknown };
        Tested { p: Some(p), rare: p, certainty, ..Tested::default() }
    }

    /// Of this many pairs that differ.
    pub(super) fn of_pairs(differing: u64, p: f64, rare: f64) -> Tested {
        let few = (1..DECISIVE).contains(&differing);
        let (p, decided_by) = if few { (1.0, DecidedBy::Few) } else { (p, DecidedBy::Enough) };
        Tested { rare: p.max(rare), decided_by, ..Tested::sampled(p, differing == 0) }
    }

    pub(crate) fn is_known(&self) -> bool {
        self.certainty.is_known()
    }

    /// Whether there is a change for certain, also among this many tests (Bonferroni).
    pub(crate) fn is_clear_among(&self, tests: f64) -> bool {
        self.rare * tests < LEVEL
    }

    /// The verdict of one of this many tests alone, which no others correct any more.
    #[must_use]
    pub(crate) fn among(self, tests: f64) -> Tested {
        let is_clear = self.is_clear_among(tests);
        let certainty = if is_clear { Certainty::Likely } else { self.certainty };
        Tested { p: None, certainty, ..self }
    }

    /// How sure it is, for people.
    pub(super) fn in_words(&self) -> String {
        match (self.decided_by, self.certainty) {
            (DecidedBy::Few, Certainty::Unknown) => "no verdict: few pairs differ".to_owned(),
            (DecidedBy::RareOnes, _) => "likely, unless rare ends decide".to_owned(),
            (_, certainty) => word(&certainty),
        }
    }
}

impl Certainty {
    pub(crate) fn is_known(self) -> bool {
        matches!(self, Certainty::Sure | Certainty::Likely)
    }
}

/// Fewer pairs that differ, all in one way, have a p-value of 2/2⁵ or more.
const DECISIVE: u64 = 6;

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
    weighed_holm(&p_values.iter().map(|p| (*p, 1.0)).collect::<Vec<_>>(), all as f64)
}

/// The same where tests have parts of one whole: each p-value is multiplied by what is left of the whole over its part.
fn weighed_holm(tests: &[(f64, f64)], mut whole: f64) -> Vec<f64> {
    let weighed = |at: &usize| tests[*at].0 / tests[*at].1;
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by(|a, b| weighed(a).total_cmp(&weighed(b)));
    let (mut corrected, mut least) = (vec![1.0; tests.len()], 0.0f64);
    for at in order {
        let (p, part) = tests[at];
        least = least.max((whole / part).max(1.0) * p).min(1.0);
        corrected[at] = least;
        whole -= part;
    }
    corrected
}

/// Corrects the p-values of all tests of a comparison for each other, and marks what is likely by them, and by what that
/// is decided. The odds have one half of the 5 % and all else the other: they are what is asked first, and few beside
/// many. Says how many tests there are.
pub(super) fn correct<'a>(
    odds: impl Iterator<Item = &'a mut Tested>,
    others: impl Iterator<Item = &'a mut Tested>,
) -> usize {
    let both = [odds.collect::<Vec<_>>(), others.collect()];
    let both = both.map(|some| some.into_iter().filter(|one| one.p.is_some()).collect::<Vec<_>>());
    let whole = both.iter().filter(|some| !some.is_empty()).count() as f64;
    let parts = |some: Vec<&'a mut Tested>| {
        let part = 1.0 / some.len() as f64;
        some.into_iter().map(move |one| (one, part))
    };
    let mut tests: Vec<(&mut Tested, f64)> = both.into_iter().flat_map(parts).collect();
    let corrected = |of: fn(&Tested) -> f64, tests: &[(&mut Tested, f64)]| {
        weighed_holm(&tests.iter().map(|(one, part)| (of(one), *part)).collect::<Vec<_>>(), whole)
    };
    let p_values = corrected(|one| one.p.unwrap_or(1.0), &tests);
    let rare = corrected(|one| one.rare, &tests);
    for (((one, _), p), rare) in tests.iter_mut().zip(p_values).zip(rare) {
        one.p = Some(p);
        if p < LEVEL {
            one.certainty = Certainty::Likely;
            one.decided_by = if rare < LEVEL { DecidedBy::Enough } else { DecidedBy::RareOnes };
        }
    }
    tests.len()
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
    fn the_odds_have_half_of_the_error_beside_any_number_of_others() {
        let of = |p: f64| Tested::sampled(p, false);
        let (mut odds, mut others) =
            ([of(0.001), of(0.02)], [of(0.003), of(0.0001), of(0.5), of(0.9)]);
        assert_eq!(correct(odds.iter_mut(), others.iter_mut()), 6);
        // Parts of a half of each of two, and of a quarter of each of four: 0.0001 · 2/¼, 0.001 · (2 − ¼)/½,
        // 0.003 · (2 − ¾)/¼, 0.02 · (2 − 1)/½; the others have ½ left, so 0.5 · ½/¼.
        for (one, p) in odds.iter().zip([0.0035, 0.04]) {
            near(one.p.unwrap(), p);
        }
        for (one, p) in others.iter().zip([0.015, 0.0008, 1.0, 1.0]) {
            near(one.p.unwrap(), p);
        }
        assert!(odds.iter().all(Tested::is_known) && others[..2].iter().all(Tested::is_known));
    }

    #[test]
    fn a_verdict_knows_whether_few_pairs_or_rare_ends_decide_it() {
        let mut all = [
            Tested::of_pairs(5, 1e-9, 0.0),
            Tested::of_pairs(6, 0.001, 0.0),
            Tested::of_pairs(2000, 0.001, 0.27),
            Tested::of_pairs(0, 1.0, 0.0),
            Tested::known(Certainty::Sure),
        ];
        // Four tests: 0.001 · 4, and 0.27 · 3 is no proof.
        assert_eq!(correct([].iter_mut(), all.iter_mut()), 4);
        assert_eq!(
            all.map(|one| (one.certainty, one.decided_by)),
            [
                (Certainty::Unknown, DecidedBy::Few),
                (Certainty::Likely, DecidedBy::Enough),
                (Certainty::Likely, DecidedBy::RareOnes),
                (Certainty::Same, DecidedBy::Enough),
                (Certainty::Sure, DecidedBy::Enough),
            ]
        );
        near(all[1].p.unwrap(), 0.004);
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
