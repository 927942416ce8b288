//! The probability that one of several sampled numbers is nearest to 0.
//!
//! The means of paired playouts are jointly nearly normal, with the covariance of the pairs: the
//! points share their random numbers, so what they have in common adds no doubt about which is
//! nearer. Vectors of that distribution are drawn (through the Cholesky factor of the covariance;
//! Box and Muller, Annals of Mathematical Statistics 29, 1958), and the share in which each number
//! is nearest is counted.

use crate::handlers::Generator;

/// The number of vectors that are drawn: a probability of one half is known to a third of a
/// percent.
const DRAWS: usize = 20_000;
/// The seed of the vectors, so that every run draws the same.
const SEED: u64 = 0;

/// A mean or exact number that may be nearest to 0, with its sample.
pub(super) struct SampledMean<'a> {
    /// The mean, or the exact number.
    pub middle: f64,
    /// The size of its sample; `None` if it is exact.
    pub n: Option<u64>,
    /// The first values of the sample, in their order.
    pub first: &'a [f64],
}

/// The probabilities that one number is nearer to 0 than others.
pub(super) struct BestProbability {
    /// That the best one is nearer than all others.
    pub best: f64,
    /// That each of the others is nearer than the best one.
    pub(crate) nearer: Vec<f64>,
}

/// The probability that the number at `best` is nearest to 0; `None` if one of them is the mean of
/// a single playout, which shows no spread.
pub(super) fn sure(means: &[SampledMean<'_>], best: usize) -> Option<BestProbability> {
    if means.iter().any(|mean| mean.n.is_some_and(|n| n < 2)) {
        return None;
    }
    let factor = factor(&covariance(means));
    let mut generator = Generator::playout(SEED, 0);
    let (mut first, mut nearer) = (0usize, vec![0usize; means.len()]);
    let mut drawn = vec![0.0; means.len()];
    for _ in 0..DRAWS {
        drawn.fill_with(|| normal(&mut generator));
        let distance = |i: usize| {
            let moved: f64 = factor[i].iter().zip(&drawn).map(|(part, z)| part * z).sum();
            (means[i].middle + moved).abs()
        };
        let least = distance(best);
        let mut beaten = false;
        for (i, count) in nearer.iter_mut().enumerate().filter(|(i, _)| *i != best) {
            // Equal ones are no further off, even if the last digit differs.
            let rounding = 1e-9 * (1.0 + least);
            *count += usize::from(distance(i) <= least + rounding);
            beaten |= distance(i) < least - rounding;
        }
        first += usize::from(!beaten);
    }
    let share = |count: usize| count as f64 / DRAWS as f64;
    Some(BestProbability { best: share(first), nearer: nearer.into_iter().map(share).collect() })
}

/// The covariance of the means, row by row up to the diagonal.
fn covariance(means: &[SampledMean<'_>]) -> Vec<Vec<f64>> {
    let all = || means.iter().flat_map(|mean| mean.first.iter().copied());
    let low = all().fold(f64::INFINITY, f64::min);
    let range = (all().fold(f64::NEG_INFINITY, f64::max) - low).max(0.0);
    let entry = |i: usize, j: usize| {
        let (Some(n), Some(m)) = (means[i].n, means[j].n) else { return 0.0 };
        // The sums share as many playouts as the shorter of them has.
        let shared = covariance_of(means[i].first, means[j].first) / n.max(m) as f64;
        match i == j {
            // Where all went the same way the next playout may still go another: no variance is
            // taken to be less than one playout of another kind among all would make.
            true => shared.max((range / n as f64).powi(2)),
            false => shared,
        }
    };
    (0..means.len()).map(|i| (0..=i).map(|j| entry(i, j)).collect()).collect()
}

/// The covariance of pairs, over the length that both have.
fn covariance_of(a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.len().min(b.len());
    if pairs < 2 {
        return 0.0;
    }
    let (a, b) = (&a[..pairs], &b[..pairs]);
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / pairs as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let products = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b));
    products.sum::<f64>() / (pairs - 1) as f64
}

/// The lower triangle whose product with its own transpose is the covariance. If rounding makes a
/// remaining variance negative, or it is 0, nothing is left to vary.
fn factor(covariance: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut factor: Vec<Vec<f64>> = Vec::with_capacity(covariance.len());
    for (i, entries) in covariance.iter().enumerate() {
        let mut row: Vec<f64> = Vec::with_capacity(i + 1);
        for (j, entry) in entries.iter().enumerate() {
            let above: &[f64] = if j < i { &factor[j] } else { &row };
            let known: f64 = row.iter().zip(above).take(j).map(|(a, b)| a * b).sum();
            let left = entry - known;
            let diagonal = above.get(j).copied();
            row.push(match diagonal {
                None => left.max(0.0).sqrt(),
                Some(diagonal) if diagonal * diagonal > 1e-12 * covariance[j][j] => left / diagonal,
                Some(_) => 0.0,
            });
        }
        factor.push(row);
    }
    factor
}

/// A number of the standard normal distribution.
fn normal(generator: &mut Generator) -> f64 {
    // Never 0, of which there is no logarithm.
    let mut uniform = || ((generator.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
    let (radius, angle) = ((-2.0 * uniform().ln()).sqrt(), std::f64::consts::TAU * uniform());
    radius * angle.cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1024 playouts whose mean is 0 and whose variance is `spread²` · 1024/1023.
    fn alternating(spread: f64, stride: usize) -> Vec<f64> {
        (0..1024).map(|i| if (i / stride).is_multiple_of(2) { spread } else { -spread }).collect()
    }

    fn near(a: f64, b: f64) {
        // Four standard deviations of one half estimated from 20,000 draws.
        assert!((a - b).abs() < 0.015, "{a} is not {b}");
    }

    #[test]
    fn two_means_that_are_apart_by_their_spread_are_distinguished_as_the_tables_say() {
        // Both means have a standard deviation of 1/32 and are at 0 and at 1/16, the second exactly
        // known: the first is farther where it is beyond 1/16 on either side, that is beyond two
        // standard deviations: 4.55 %.
        let first = alternating(1.0, 1);
        let means = [
            SampledMean { middle: 0.0, n: Some(1024), first: &first },
            SampledMean { middle: 1.0 / 16.0, n: None, first: &[] },
        ];
        let sure = sure(&means, 0).unwrap();
        near(sure.best, 0.9545);
        near(sure.nearer[1], 0.0455);
    }

    #[test]
    fn what_two_points_share_is_no_doubt_on_one_side_and_twice_the_doubt_across() {
        let playouts = alternating(1.0, 1);
        let mean = |middle| SampledMean { middle, n: Some(1024), first: &playouts };
        // Far above 0, the same playouts: 10/32 stays nearer than 11/32, for any true values.
        let same = sure(&[mean(10.0 / 32.0), mean(11.0 / 32.0)], 0).unwrap();
        assert_eq!(same.best, 1.0);
        // On both sides of 0, at -1 and 2 standard deviations: the second is nearer where both move
        // down by more than half a deviation: 30.85 %.
        let across = sure(&[mean(-1.0 / 32.0), mean(2.0 / 32.0)], 0).unwrap();
        near(across.best, 0.6915);
        // Independent ones above 0: the difference has √2 deviations, so 1 apart is 76.02 %.
        let other = alternating(1.0, 2);
        let apart =
            [mean(10.0 / 32.0), SampledMean { middle: 11.0 / 32.0, n: Some(1024), first: &other }];
        near(sure(&apart, 0).unwrap().best, 0.7602);
    }

    #[test]
    fn one_playout_shows_nothing_and_exact_numbers_all() {
        let exact = |middle| SampledMean { middle, n: None, first: &[] };
        assert_eq!(sure(&[exact(0.1), exact(-0.2)], 0).unwrap().best, 1.0);
        assert!(
            sure(&[exact(0.1), SampledMean { middle: 0.0, n: Some(1), first: &[1.0] }], 1)
                .is_none()
        );
    }
}
