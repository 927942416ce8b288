//! The 95 % intervals of means, shares, differences and quotients of samples, each by its method.

use super::{Interval, Quantity};

impl Quantity {
    /// The share of `hits` among `n`, with Wilson's interval, which stays within 0 and 1 and is never
    /// empty, not even if nothing or everything hit (Wilson, Journal of the American Statistical
    /// Association 22, 1927; recommended for all n by Brown, Cai and DasGupta, Statistical Science 16,
    /// 2001). `None` if n is 0 or there are more hits than n.
    pub(crate) fn share(hits: u64, n: u64) -> Option<Quantity> {
        if n == 0 || hits > n {
            return None;
        }
        let (low, high) = wilson(hits as f64 / n as f64, n as f64);
        Some(Quantity::sampled(n, hits as f64 / n as f64, (low, high)))
    }

    /// The share of parts in wholes that come in clusters, such as decisions in conflicts, with Wilson's
    /// interval of as many independent ones as vary as much: `R (1 - R)` over the variance of the quotient
    /// (Korn and Graubard, Survey Methodology 24, 1998). These are never more than there were, so that parts
    /// that every cluster has alike are not taken for certain; and where all or none are such, as many as there
    /// are clusters. `None` where there is no whole.
    pub(crate) fn clustered_share(clusters: &[(f64, f64)], count: u64) -> Option<Quantity> {
        let filled = || clusters.iter().filter(|(_, whole)| *whole > 0.0);
        let (n, whole) = (filled().count() as u64, filled().map(|(_, whole)| whole).sum::<f64>());
        if n == 0 {
            return None;
        }
        let mean = (filled().map(|(part, _)| part).sum::<f64>() / whole).clamp(0.0, 1.0);
        let square = |(part, whole): &(f64, f64)| (part - mean * whole) * (part - mean * whole);
        let freedom = n.saturating_sub(1).max(1);
        let variance =
            filled().map(square).sum::<f64>() * n as f64 / freedom as f64 / (whole * whole);
        let clear = NORMAL_95 / student(freedom);
        let independent = match mean * (1.0 - mean) {
            none if none <= 0.0 => n as f64,
            spread => (spread / variance * clear * clear).min(count as f64),
        };
        let (low, high) = wilson(mean, independent);
        Some(Quantity::sampled(n, mean, (low, high)))
    }

    /// The mean of values, each with how often it was seen, with Student's interval (Student,
    /// Biometrika 6, 1908). For samples of hundreds that is the normal one, and the mean of bounded
    /// utilities is near enough to normal; for a few it is rightly wider.
    ///
    /// If all values seen are the same, they show no spread, however many they are, and the interval has no
    /// ends. `None` if nothing was seen, or a value is not finite.
    pub(crate) fn mean(tallies: &[(f64, u64)]) -> Option<Quantity> {
        let Moments { n, mean, variance, .. } = Moments::of(tallies)?;
        if variance <= 0.0 {
            return Some(Quantity::unbounded(n, mean));
        }
        let half = student(n - 1) * (variance / n as f64).sqrt();
        Some(Quantity::give_or_take(n, mean, half))
    }

    /// The mean of values of which some may be rare, each with how often it was seen; one that was seen 0 times is
    /// possible all the same. Of two values it has the interval of a share, of more Student's, whose degrees of freedom
    /// are those of the sample's variance (Satterthwaite, Biometrics Bulletin 2, 1946: twice the size over the kurtosis
    /// less one); where few values decide the variance, or one that was not seen might move the mean, it ends at
    /// [`bound`]. Else as [`Quantity::mean`]; not for differences, of which the values not seen may be on the other side.
    pub(crate) fn uneven_mean(tallies: &[(f64, u64)]) -> Option<Quantity> {
        Quantity::uneven(tallies, true)
    }

    fn uneven(tallies: &[(f64, u64)], bounded: bool) -> Option<Quantity> {
        let Moments { n, mean, variance, freedom, .. } = Moments::of(tallies)?;
        let plain = Quantity::mean(tallies)?;
        let possible = tallies.iter().map(|(value, _)| *value).filter(|value| value.is_finite());
        let (least, most) =
            possible.fold((mean, mean), |(least, most), value| (least.min(value), most.max(value)));
        if least == most || variance <= 0.0 && tallies.iter().all(|(_, count)| *count > 0) {
            return Some(plain);
        }
        let seen = |wanted: f64| -> u64 {
            tallies.iter().filter(|(value, _)| *value == wanted).map(|(_, count)| count).sum()
        };
        let hits = seen(most);
        if hits + seen(least) == n {
            let part = Quantity::share(hits, n)?;
            let (low, high) =
                (least + (most - least) * part.low, least + (most - least) * part.high);
            // A few may have two values of many.
            return Some(match n < FEW && plain.low.is_finite() {
                true => Quantity::sampled(n, mean, (low.min(plain.low), high.max(plain.high))),
                false => Quantity::sampled(n, mean, (low.min(mean), high.max(mean))),
            });
        }
        // What did not vary has no spread, and may have no degree of freedom.
        let half = match variance > 0.0 {
            true => student(freedom) * (variance / n as f64).sqrt(),
            false => 0.0,
        };
        let few = bounded && freedom < DECIDING && freedom < n / 4;
        // Whether one more value there would move the mean by more than a tenth of the half-width.
        let moves = |far: f64| bounded && (far - mean).abs() / n as f64 > half / 10.0;
        let high = match few || seen(most) == 0 && moves(most) {
            true => bound(tallies, most),
            false => mean + half,
        };
        let low = match few || seen(least) == 0 && moves(least) {
            true => {
                let turned: Vec<(f64, u64)> =
                    tallies.iter().map(|(value, count)| (-value, *count)).collect();
                -bound(&turned, -least)
            }
            false => mean - half,
        };
        Some(Quantity::sampled(n, mean, (low, high)))
    }

    /// A number of a sample, by what it is without each one of them: with the jackknife's variance (Efron and
    /// Stein, Annals of Statistics 9, 1981), and degrees of freedom as in [`Quantity::uneven_mean`]. Where it is always
    /// the same the interval has no ends. `None` for fewer than two, or where it is not finite without one.
    pub(crate) fn jackknife(number: f64, without: &[f64]) -> Option<Quantity> {
        let tallies: Vec<(f64, u64)> = without.iter().map(|one| (*one, 1)).collect();
        let Moments { n, variance, freedom, range, .. } =
            Moments::of(&tallies).filter(|of| of.n > 1)?;
        // What differs by rounding alone has no spread.
        if range.1 - range.0 <= 1e-12 * number.abs() {
            return Some(Quantity::unbounded(n, number));
        }
        let (count, others) = (n as f64, n as f64 - 1.0);
        let half = student(freedom) * (others * others / count * variance).sqrt();
        Some(Quantity::give_or_take(n, number, half))
    }

    /// The difference of two shares of the same `n` pairs, where `first` pairs hit on the first side
    /// alone and `second` on the second alone: with the interval of Agresti and Min, which adds half a
    /// pair to each of the four cells (Statistics in Medicine 24, 2005). So it is not empty if no pair
    /// differs, because the next one might. `None` if n is 0 or less than the number of pairs that
    /// differ.
    pub(crate) fn share_difference(first: u64, second: u64, n: u64) -> Option<Quantity> {
        if n == 0 || first.checked_add(second).is_none_or(|differ| differ > n) {
            return None;
        }
        let (one, other) = (first as f64, second as f64);
        let mean = (one - other) / n as f64;
        let more = n as f64 + 2.0;
        let middle = (one - other) / more;
        let half = NORMAL_95 * ((one + other + 1.0) / more - middle * middle).max(0.0).sqrt()
            / more.sqrt();
        let (low, high) = ((middle - half).clamp(-1.0, mean), (middle + half).clamp(mean, 1.0));
        Some(Quantity::sampled(n, mean, (low, high)))
    }

    /// The mean of values, which may be differences: as [`Quantity::uneven_mean`], but without a bound; `None` where
    /// nothing was seen.
    pub(crate) fn mean_of(values: &[f64]) -> Option<Quantity> {
        Quantity::uneven(&tallied(values), false)
    }

    /// The quotient of the means of pairs, by what it is without each of them (see [`Quantity::jackknife`]); `None`
    /// over 0.
    pub(crate) fn ratio(pairs: &[(f64, f64)]) -> Option<Quantity> {
        let sum = |one: fn(&(f64, f64)) -> f64| pairs.iter().map(one).sum::<f64>();
        let (part, whole) = (sum(|pair| pair.0), sum(|pair| pair.1));
        if whole == 0.0 {
            return None;
        }
        let ratio = part / whole;
        let without: Vec<f64> =
            pairs.iter().map(|pair| (part - pair.0) / (whole - pair.1)).collect();
        // Where all comes from one pair, it may be anything.
        let anything = || Quantity::sampled(pairs.len() as u64, ratio, (f64::MIN, f64::MAX));
        Some(Quantity::jackknife(ratio, &without).unwrap_or_else(anything))
    }

    /// The quotient of the means of pairs that were each seen so often, with the interval of the delta method: the
    /// spread of what each pair is off (Cochran, Sampling Techniques, 1977, section 6.4); `None` over 0.
    pub(crate) fn tallied_ratio(pairs: &[((f64, f64), u64)]) -> Option<Quantity> {
        let sum = |one: fn(&(f64, f64)) -> f64| -> f64 {
            pairs.iter().map(|(pair, count)| one(pair) * *count as f64).sum()
        };
        let n: u64 = pairs.iter().map(|(_, count)| count).sum();
        let (part, whole) = (sum(|pair| pair.0), sum(|pair| pair.1));
        if n == 0 || whole == 0.0 {
            return None;
        }
        let (ratio, scale) = (part / whole, whole / n as f64);
        let off = |((part, whole), count): &((f64, f64), u64)| {
            let off = (part - ratio * whole) / scale;
            // What is off by rounding alone has no spread.
            (if off.abs() <= ROUNDING * ratio.abs() { 0.0 } else { off }, *count)
        };
        let off = Quantity::uneven(&pairs.iter().map(off).collect::<Vec<_>>(), false)?;
        Some(Quantity::sampled(
            n,
            ratio,
            (ratio + off.low - off.value, ratio + off.high - off.value),
        ))
    }

    /// The mean of estimates whose errors may be correlated, as under the same random numbers: the ends are the means
    /// of the ends.
    pub(crate) fn mean_of_correlated(all: &[Quantity]) -> Option<Quantity> {
        let mean = |of: fn(&Quantity) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
        let ends = (mean(|one| one.low), mean(|one| one.high));
        Some(Quantity::sampled(all.first()?.n(), mean(|one| one.value), ends))
    }

    /// The mean of sampled and of known values, all with their weights: only the sampled ones, by their share of the
    /// whole, leave it unsure. `None` where there are none.
    pub(crate) fn mean_with_known(
        sampled: &[(f64, u64)],
        known: &[(f64, f64)],
    ) -> Option<Quantity> {
        let weight: f64 = known.iter().map(|(_, weight)| weight).sum();
        let sum: f64 = known.iter().map(|(value, weight)| value * weight).sum();
        let Some(seen) = Quantity::mean(sampled) else {
            return (weight > 0.0).then(|| Quantity::proven(Interval::exact(sum / weight)));
        };
        let games = seen.n() as f64;
        let share = games / (games + weight);
        let (mean, half) =
            ((seen.value * games + sum) / (games + weight), (seen.high - seen.value) * share);
        Some(Quantity::give_or_take(seen.n(), mean, half))
    }

    /// Whether it is known that it is not 0, though it may be the most striking of this many: of twenty 95 % intervals
    /// one is wrong, so each has its part of what all may err (Bonferroni).
    pub(crate) fn is_clear_of(&self, count: usize) -> bool {
        if !self.is_sampled() {
            return self.is_clear();
        }
        let wider = passed_with(0.025 / count.max(1) as f64) / NORMAL_95;
        let nearest = if self.value > 0.0 { self.low } else { self.high };
        self.is_clear() && (self.value - nearest).abs() * wider < self.value.abs()
    }
}

/// Values, each with how often it was seen.
pub(crate) fn tallied(values: &[f64]) -> Vec<(f64, u64)> {
    let mut tallied: Vec<(f64, u64)> = Vec::new();
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    for value in sorted {
        match tallied.last_mut() {
            Some((known, count)) if *known == value => *count += 1,
            _ => tallied.push((value, 1)),
        }
    }
    tallied
}

/// A number as a key in the order of `f64::total_cmp`.
pub(crate) fn order_key(number: f64) -> i64 {
    flipped(number.to_bits() as i64)
}

/// The number of such a key.
pub(crate) fn of_order_key(key: i64) -> f64 {
    f64::from_bits(flipped(key) as u64)
}

/// Of negative numbers all bits but the sign turned; twice is as it was.
fn flipped(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// Sums of floats miss each other by this part.
const ROUNDING: f64 = 1e-12;

/// Wilson's interval of a share among this many, which need not be a whole number.
fn wilson(mean: f64, count: f64) -> (f64, f64) {
    let z2 = NORMAL_95 * NORMAL_95;
    let scale = 1.0 + z2 / count;
    let middle = (mean + z2 / (2.0 * count)) / scale;
    let square = mean * (1.0 - mean) / count + z2 / (4.0 * count * count);
    let half = NORMAL_95 * square.max(0.0).sqrt() / scale;
    // At the borders the bound is the share itself, which rounding may miss.
    let low = if mean <= 0.0 { 0.0 } else { (middle - half).clamp(0.0, mean) };
    let high = if mean >= 1.0 { 1.0 } else { (middle + half).clamp(mean, 1.0) };
    (low, high)
}

/// From about as many degrees of freedom on Student's interval of skewed values is as good as the bound.
const DECIDING: u64 = 50;

/// What a mean is above in one of 40 samples at most, for any distribution, if no value is greater than `most`: that
/// of the values seen and one more of the greatest, all with random weights (Gaffke, "Three test statistics for a
/// nonparametric one-sided hypothesis on the mean of a nonnegative variable", Mathematical Methods of Statistics 14,
/// 2005). Of two values it is the bound of Clopper and Pearson.
fn bound(tallies: &[(f64, u64)], most: f64) -> f64 {
    let with_most = tallies.iter().copied().chain([(most, 1)]).filter(|(_, count)| *count > 0);
    let mut parts: Vec<(f64, f64)> = Vec::new();
    for (value, count) in with_most {
        match parts.last_mut() {
            // Many ends have one utility, in a row.
            Some((known, sum)) if *known == value => *sum += count as f64,
            _ => parts.push((value, count as f64)),
        }
    }
    let count: f64 = parts.iter().map(|(_, count)| count).sum();
    let mean = parts.iter().map(|(value, count)| value * count).sum::<f64>() / count;
    let (mut low, mut high) = (mean, most);
    for _ in 0..HALVED {
        // To a thousandth of the distance from the mean.
        if high - low <= 1e-3 * (low - mean) {
            break;
        }
        let middle = f64::midpoint(low, high);
        let is_below = negative(&parts.iter().map(|(v, c)| (v - middle, *c)).collect::<Vec<_>>());
        if is_below < 0.975 { low = middle } else { high = middle }
    }
    high
}

/// The two-sided p-value of a mean that may be 0, each value with how often it was seen, for any distribution between these
/// ends and those that were seen: 0 is what the mean is beyond as seldom, by Gaffke's [`bound`].
pub(crate) fn p_value_between(tallies: &[(f64, u64)], (least, most): (f64, f64)) -> f64 {
    let seen = || tallies.iter().filter(|(_, count)| *count > 0);
    let sum: f64 = seen().map(|(value, count)| value * *count as f64).sum();
    let (sign, far) = if sum < 0.0 { (-1.0, -most) } else { (1.0, least) };
    let far = seen().map(|(value, _)| sign * value).fold(far, f64::min);
    let parts = seen().map(|(value, count)| (sign * value, *count as f64));
    let parts: Vec<(f64, f64)> =
        parts.chain([(far, 1.0)]).filter(|(value, _)| *value != 0.0).collect();
    match parts.iter().any(|(value, _)| *value < 0.0) {
        true => (2.0 * negative(&parts)).clamp(0.0, 1.0),
        false => 0.0,
    }
}

/// As often a float can be halved with effect.
const HALVED: u32 = 60;

/// The probability that a sum is negative of factors times random numbers, which have gamma distributions of these shapes:
/// its characteristic function inverted (Gil-Pelaez, Biometrika 38, 1951) in steps so small that the sum passes
/// their period with a chance below e^-40 (Davies, Biometrika 60, 1973).
fn negative(parts: &[(f64, f64)]) -> f64 {
    let largest = parts.iter().map(|(factor, _)| factor.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let parts: Vec<(f64, f64)> =
        parts.iter().map(|(factor, shape)| (factor / largest, *shape)).collect();
    let mean: f64 = parts.iter().map(|(factor, shape)| factor * shape).sum();
    let spread = parts.iter().map(|(factor, shape)| factor * factor * shape).sum::<f64>().sqrt();
    let step = std::f64::consts::TAU / (40.0 * spread + 2.0 * mean.abs());
    let mut sum = 0.0;
    for number in 0..STEPS {
        let at = f64::from(number) + 0.5;
        let (turned, shrunk) =
            parts.iter().fold((0.0, 0.0), |(turned, shrunk), (factor, shape)| {
                let by = factor * at * step;
                (turned + shape * by.atan(), shrunk + shape * (by * by).ln_1p())
            });
        let size = (-shrunk / 2.0).exp() / at;
        sum += size * turned.sin();
        if size < 1e-7 {
            break;
        }
    }
    0.5 - sum / std::f64::consts::PI
}

/// Beyond these steps what is left is small, however slowly it shrinks.
const STEPS: u32 = 100_000;

/// What a sample says of a distribution.
struct Moments {
    n: u64,
    mean: f64,
    /// The variance, estimated without bias; 0 where all values are the same.
    variance: f64,
    /// The degrees of freedom of that: one less than the size, or fewer where some values are far off.
    freedom: u64,
    /// The least and the greatest value that was seen.
    range: (f64, f64),
}

impl Moments {
    /// `None` if nothing was seen, or a value is not finite.
    fn of(tallies: &[(f64, u64)]) -> Option<Moments> {
        let seen = || tallies.iter().filter(|(_, count)| *count > 0);
        let n: u64 = seen().map(|(_, count)| count).sum();
        if n == 0 || seen().any(|(value, _)| !value.is_finite()) {
            return None;
        }
        let count = n as f64;
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            seen().map(|(value, count)| of(*value) * *count as f64).sum()
        };
        // Two passes: sums of squares would lose the spread of values that are far from 0.
        let rough = sum(&|value| value) / count;
        let mean = rough + sum(&|value| value - rough) / count;
        let range = seen().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), (value, _)| {
            (least.min(*value), most.max(*value))
        });
        if range.0 == range.1 {
            return Some(Moments { n, mean, variance: 0.0, freedom: n - 1, range });
        }
        let squares = sum(&|value| (value - mean).powi(2));
        let kurtosis = count * sum(&|value| (value - mean).powi(4)) / (squares * squares);
        let freedom = (2.0 * count / (kurtosis - 1.0).max(f64::MIN_POSITIVE)) as u64;
        let (variance, freedom) = (squares / (count - 1.0), freedom.clamp(1, n - 1));
        Some(Moments { n, mean, variance, freedom, range })
    }
}

/// The distance from the mean within which 95 % of a normal distribution is, in standard
/// deviations.
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The normal approximation says nothing of fewer playouts than these.
pub(crate) const FEW: u64 = 30;

/// The cumulative distribution of the standard normal distribution.
///
/// Method: Taylor series about 0 (Marsaglia 2004, "Evaluating the normal distribution", Journal of
/// Statistical Software 11(4)); beyond 7 deviations it is 0 or 1.
pub(crate) fn cumulative(x: f64) -> f64 {
    if x.is_nan() {
        return 0.5;
    }
    if x.abs() > 7.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    loop {
        odd += 2.0;
        term *= x * x / odd;
        let next = sum + term;
        if next == sum {
            break;
        }
        sum = next;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

/// The point that a standard normal variable passes with this probability, which is below 1/2.
pub(crate) fn passed_with(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    while high - low > 1e-12 {
        let middle = f64::midpoint(low, high);
        if 1.0 - cumulative(middle) > probability { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Student's 97.5 % points for 1 to 10 degrees of freedom (Abramowitz and Stegun, Handbook of
/// Mathematical Functions, table 26.10, with more digits).
const STUDENT: [f64; 10] = [
    12.706_204_7,
    4.302_652_73,
    3.182_446_31,
    2.776_445_11,
    2.570_581_84,
    2.446_911_85,
    2.364_624_25,
    2.306_004_14,
    2.262_157_16,
    2.228_138_85,
];

/// Student's 97.5 % point, beyond the table by the expansion about the normal one
/// (Abramowitz and Stegun, 26.7.5).
fn student(freedom: u64) -> f64 {
    let listed =
        usize::try_from(freedom).ok().and_then(|freedom| STUDENT.get(freedom.wrapping_sub(1)));
    if let Some(point) = listed {
        return *point;
    }
    let (z, n) = (NORMAL_95, freedom as f64);
    let z2 = z * z;
    let terms = [
        z * (z2 + 1.0) / 4.0,
        z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
        z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0,
        z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0,
    ];
    z + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / n)
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn near(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    fn covers(estimate: Option<Quantity>, number: f64) -> bool {
        estimate.is_some_and(|found| (found.low..=found.high).contains(&number))
    }

    #[test]
    fn shares_have_the_published_intervals() {
        // Newcombe, Statistics in Medicine 17, 1998, table I, method 3.
        for (hits, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = Quantity::share(hits, n).unwrap();
            near(found.low, low, 5e-5);
            near(found.high, high, 5e-5);
            // Hits and misses mirror each other.
            let misses = Quantity::share(n - hits, n).unwrap();
            near(misses.low, 1.0 - found.high, 1e-12);
        }
        assert_eq!(Quantity::share(0, 20).unwrap().low, 0.0);
        assert_eq!(Quantity::share(20, 20).unwrap().high, 1.0);
        assert!(Quantity::share(0, 0).is_none() && Quantity::share(2, 1).is_none());
    }

    #[test]
    fn students_points_are_those_of_the_tables() {
        // Abramowitz and Stegun, table 26.10.
        for (freedom, point) in [
            (1, 12.706),
            (5, 2.571),
            (11, 2.201),
            (15, 2.131),
            (30, 2.042),
            (60, 2.0),
            (120, 1.980),
        ] {
            near(student(freedom), point, 5e-4);
        }
        near(student(u64::MAX), NORMAL_95, 1e-15);
    }

    #[test]
    fn the_normal_distribution_has_the_values_of_the_tables() {
        // Abramowitz and Stegun, table 26.1.
        for (x, value) in [(0.0, 0.5), (1.0, 0.841344746068543), (2.0, 0.977249868051821)] {
            assert!((cumulative(x) - value).abs() < 1e-14);
            assert!((cumulative(-x) - (1.0 - value)).abs() < 1e-14);
        }
        assert!((cumulative(NORMAL_95) - 0.975).abs() < 1e-14);
        near(passed_with(0.025), NORMAL_95, 1e-10);
        near(passed_with(0.00135), 3.0, 1e-4);
        assert_eq!((cumulative(9.0), cumulative(-9.0)), (1.0, 0.0));
        assert_eq!((cumulative(f64::INFINITY), cumulative(f64::NAN)), (1.0, 0.5));
    }

    #[test]
    fn the_mean_of_a_known_sample_is_that_of_its_publication() {
        // Student's first example, the hours of sleep that two drugs gave to ten patients
        // (Biometrika 6, 1908, section IX): means 0.75 and 2.33, difference 1.58 with a standard
        // deviation of 1.17 by the divisor n, so of 1.23 by n - 1.
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let once = |values: [f64; 10]| values.map(|value| (value, 1));
        near(Quantity::mean(&once(first)).unwrap().value, 0.75, 1e-12);
        near(Quantity::mean(&once(second)).unwrap().value, 2.33, 1e-12);
        let apart = second.into_iter().zip(first).map(|(second, first)| (second - first, 1));
        let apart = Quantity::mean(&apart.collect::<Vec<_>>()).unwrap();
        near(apart.value, 1.58, 1e-12);
        // R's t.test(extra ~ group, paired) on the data set `sleep` prints this interval.
        near(apart.low, 0.7001142, 5e-7);
        near(apart.high, 2.4598858, 5e-7);
    }

    #[test]
    fn tallies_are_as_good_as_single_values_wherever_they_lie() {
        let tallied = Quantity::mean(&[(1.0, 3), (-1.0, 2), (7.0, 0)]).unwrap();
        let single = Quantity::mean(&[(1.0, 1), (-1.0, 1), (1.0, 1), (-1.0, 1), (1.0, 1)]).unwrap();
        near(tallied.value, 0.2, 1e-15);
        near(tallied.low, single.low, 1e-12);
        let far = Quantity::mean(&[(1e9 + 1.0, 3), (1e9 - 1.0, 2)]).unwrap();
        near(far.high - far.value, tallied.high - tallied.value, 1e-6);
        assert!(Quantity::mean(&[]).is_none() && Quantity::mean(&[(f64::NAN, 1)]).is_none());
        // What is alike shows no spread, however often it is seen.
        assert!(
            covers(Quantity::mean(&[(3.0, 1)]), 1e300)
                && covers(Quantity::mean(&[(0.1, 20), (0.1, 9)]), -1e300)
        );
        assert!(
            covers(Quantity::mean(&[(3.0, 5_000)]), 3.1)
                && !covers(Quantity::mean(&[(3.0, 28), (2.0, 1)]), 4.0)
        );
        assert_eq!(Quantity::mean(&[(0.1, 10)]).unwrap().value, 0.1);
    }

    #[test]
    fn two_values_have_the_interval_of_a_share_and_rare_ones_few_degrees_of_freedom() {
        // Newcombe, table I: 15 of 148 are 0.0624 to 0.1605; of -1 and 3 that is -1 + 4 of each.
        let found = Quantity::uneven_mean(&[(-1.0, 133), (3.0, 15)]).unwrap();
        near(found.low, -1.0 + 4.0 * 0.0624, 3e-4);
        near(found.high, -1.0 + 4.0 * 0.1605, 3e-4);
        // 30 times 1, -1 and 0, 2 and -2 twice: the fourth moment is (60 + 64)/94, the variance (60 + 16)/94 and
        // Bessel's 94/93: there are 2 × 94/(1.319149/0.808511² - 1) = 184 degrees of freedom, more than there are values.
        let found = Quantity::uneven_mean(&[(0.0, 30), (1.0, 30), (-1.0, 30), (2.0, 2), (-2.0, 2)])
            .unwrap();
        near(found.high, 1.985_801_8 * (76.0f64 / 93.0 / 94.0).sqrt(), 1e-6);
        near(found.low, -found.high, 1e-12);
        // 98 of 0, one each of 10 and -10: the variance is 200/99, the fourth moment 200, so the kurtosis is
        // 200 / 2² = 50, and there are 200/49 = 4 degrees of freedom: 2.776 √(200/99/100) to either side.
        let rare = [vec![0.0; 98], vec![10.0, -10.0]].concat();
        let found = Quantity::mean_of(&rare).unwrap();
        near(found.high, 2.776_445_11 * (2.0f64 / 99.0).sqrt(), 1e-9);
        near(found.low, -found.high, 1e-12);
        assert!(
            Quantity::uneven_mean(&[(4.0, 500)])
                .is_some_and(|found| found.low == f64::NEG_INFINITY)
        );
    }

    #[test]
    fn what_was_seldom_or_never_seen_bounds_a_mean() {
        // Clopper and Pearson's of Newcombe's table I: 15 of 148, 0 of 20 and 1 of 29.
        near(bound(&[(0.0, 133), (1.0, 15)], 1.0), 0.1617, 1e-4);
        near(-bound(&[(-1.0, 15), (0.0, 133)], 0.0), 0.0578, 1e-4);
        near(bound(&[(3.0, 20)], 7.0), 3.0 + 4.0 * 0.1684, 1e-3);
        near(bound(&[(0.0, 28), (1.0, 1)], 1.0), 0.1776, 1e-4);
        // The mean of two possible values of which one was met, also of few, is that of a share of 0.
        let found = Quantity::uneven_mean(&[(3.0, 20), (7.0, 0)]).unwrap();
        assert!(
            found.low == 3.0 && (found.high - 3.0 - 4.0 * 0.1611).abs() < 4e-4,
            "{}",
            found.high
        );
        // One of the middle: of 1 of 1 Clopper and Pearson have 0.025 to 1.
        let found = Quantity::uneven_mean(&[(1.0, 0), (3.0, 1), (7.0, 0)]).unwrap();
        near(found.high, 3.0 + 4.0 * 0.975, 1e-2);
        near(found.low, 3.0 - 2.0 * 0.975, 1e-2);
        // None of a million: -ln 0.025 of them.
        let many = [(-1.0, 333_333), (0.0, 333_334), (1.0, 333_333)];
        near(bound(&many, 999.0), 999.0 * 3.689e-6, 1e-4 + 2e-3);
        near(bound(&[(0.0, 1_000_000)], 1e160) / 1e160, 3.689e-6, 1e-8);
        // A prize of 999 with one chance in 100, else -1, 0 or 1, equally often: the mean is 9.99.
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut covered = |chance: u64, n: u64, known: bool| {
            let truth = 999.0 / chance as f64;
            let seen = |_| -> bool {
                let mut counts = [0; 4];
                for _ in 0..n {
                    let drawn = generator.next_u64() % (3 * chance);
                    counts[if drawn < 3 { 3 } else { (drawn % 3) as usize }] += 1;
                }
                let tallies =
                    [(-1.0, counts[0]), (0.0, counts[1]), (1.0, counts[2]), (999.0, counts[3])];
                let tallies = if known || counts[3] > 0 { &tallies[..] } else { &tallies[..3] };
                let found = Quantity::uneven_mean(tallies);
                assert!(
                    found.as_ref().is_some_and(|found| -1.0 <= found.low && found.high <= 999.0)
                );
                covers(found, truth)
            };
            (0..1000).map(seen).filter(|covers| *covers).count()
        };
        // Of a prize met twice, seven and twenty times on average.
        for n in [200, 700, 2000] {
            let count = covered(100, n, true);
            assert!(count >= 945, "{n}: {count}");
        }
        // Once in twenty samples: who does not know of it cannot be right; who does is.
        assert!(covered(4000, 200, true) >= 940 && covered(4000, 200, false) < 100);
    }

    #[test]
    fn a_mean_beyond_0_has_the_p_value_of_a_share() {
        // Of 20 draws with one chance in 10 five or more hit with a chance of 0.0431745, and 2 or fewer of 40 with one of
        // 0.2228080 (R's pbinom): what is one less than the chance above or below 0 has that p-value, twice.
        let p = |hits: u64, n: u64| {
            let draws = [(0.9, hits), (-0.1, n - hits)];
            let turned = draws.map(|(value, count)| (-value, count));
            let [one, other] = [(&draws, (-0.1, 0.9)), (&turned, (-0.9, 0.1))]
                .map(|(draws, possible)| p_value_between(draws, possible));
            near(one, other, 1e-9);
            one
        };
        near(p(5, 20), 2.0 * 0.043_174_5, 2e-6);
        near(p(2, 40), 2.0 * 0.222_808_1, 2e-6);
        // What cannot be below 0 is not; 2000 of 1 are no proof against one of -999: e^-λ with λ = 2000/999.
        assert_eq!(p_value_between(&[(1.0, 9), (0.0, 9)], (0.0, 1.0)), 0.0);
        near(p_value_between(&[(1.0, 2000)], (-999.0, 1.0)), 2.0 * 0.135_2, 1e-3);
    }

    #[test]
    fn the_most_striking_of_many_must_be_clearer_than_one_alone() {
        // 2.3 standard errors from 0: passed by chance in 2 of 100 tries, so in half of 35.
        let striking = Quantity::give_or_take(200, 0.81, 0.689);
        assert!(striking.is_clear() && striking.is_clear_of(1) && !striking.is_clear_of(35));
        // 12.6 of them.
        let sure = Quantity::give_or_take(200, -2.6, 0.404);
        assert!(sure.is_clear_of(35) && sure.is_clear_of(1_000_000));
        assert!(!Quantity::give_or_take(200, 0.0, 0.1).is_clear_of(1));
        let proven = Quantity::proven(Interval { low: 0.01, high: 0.9 });
        assert!(proven.is_clear_of(35));
        assert!(Quantity::exact("1/1000".parse().unwrap()).is_clear_of(35));
    }

    #[test]
    fn the_jackknife_of_a_mean_is_students_interval() {
        // Without each of 1, 2, 3, 4 and 5 their mean is (15 - x)/4; the kurtosis is 34/5 / 2² = 1.7.
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        let found = Quantity::jackknife(3.0, &values.map(|value| (15.0 - value) / 4.0)).unwrap();
        near(found.high, Quantity::mean(&values.map(|value| (value, 1))).unwrap().high, 1e-12);
        assert!(
            covers(Quantity::jackknife(1.0, &[1.0; 50]), 1e300)
                && Quantity::jackknife(1.0, &[1.0]).is_none()
        );
    }

    #[test]
    fn a_share_in_clusters_counts_what_varies() {
        let interval = |clusters: &[(f64, f64)], count| {
            let found = Quantity::clustered_share(clusters, count).unwrap();
            (found.low, found.high)
        };
        let wilson =
            |hits, n| Quantity::share(hits, n).map(|found| (found.low, found.high)).unwrap();
        // 20 clusters of two each, of which none are such: as of 20, Newcombe's 0 to 0.1611.
        assert_eq!(interval(&[(0.0, 2.0); 20], 40), wilson(0, 20));
        // Half of each: no more is known than of 40.
        assert_eq!(interval(&[(1.0, 2.0); 20], 40), wilson(20, 40));
        // All of one half of the clusters and none of the other: about as of 20, by Student's wider.
        let (low, high) = interval(&[[(2.0, 2.0); 10], [(0.0, 2.0); 10]].concat(), 40);
        let (narrow, wide) = (wilson(10, 20), wilson(8, 16));
        assert!(wide.0 < low && low < narrow.0 && narrow.1 < high && high < wide.1, "{low} {high}");
        assert!(Quantity::clustered_share(&[(0.0, 0.0)], 0).is_none());
    }

    #[test]
    fn the_difference_of_paired_shares_is_that_of_the_corrected_cells() {
        // 4 pairs of 98 hit first alone and none second alone. With half a pair in each cell these
        // are 4.5 and 0.5 of 100: the difference 0.04, its variance (0.05 - 0.0016) / 100.
        let found = Quantity::share_difference(4, 0, 98).unwrap();
        near(found.value, 4.0 / 98.0, 1e-15);
        let half = NORMAL_95 * 0.0484f64.sqrt() / 10.0;
        near(found.low, 0.04 - half, 1e-12);
        near(found.high, 0.04 + half, 1e-12);
        let turned = Quantity::share_difference(0, 4, 98).unwrap();
        assert_eq!((turned.low, turned.high), (-found.high, -found.low));
        // Where no pair differs the variance is 1 / 100 of 1 / 100.
        let none = Quantity::share_difference(0, 0, 98).unwrap();
        near(none.high, NORMAL_95 / 100.0, 1e-12);
        assert!(none.value == 0.0 && covers(Some(none), -0.01));
        assert_eq!(Quantity::share_difference(3, 0, 3).unwrap().high, 1.0);
        assert!(
            Quantity::share_difference(0, 0, 0).is_none()
                && Quantity::share_difference(2, 2, 3).is_none()
        );
    }

    #[test]
    fn ninety_five_of_a_hundred_intervals_cover_the_truth() {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut die = |sides: u64| generator.next_u64() % sides;
        let (mut shares, mut means, mut differences) = (0, 0, 0);
        for _ in 0..2000 {
            // A share of 3/10 in 100; the mean 3.5 of 12 dice; a difference of 1 of two dice.
            let hits = (0..100).filter(|_| die(10) < 3).count() as u64;
            shares += u32::from(covers(Quantity::share(hits, 100), 0.3));
            let dice: Vec<(f64, u64)> = (0..12).map(|_| (die(6) as f64 + 1.0, 1)).collect();
            means += u32::from(covers(Quantity::mean(&dice), 3.5));
            let apart: Vec<(f64, u64)> =
                (0..30).map(|_| (die(8) as f64 - die(6) as f64, 1)).collect();
            differences += u32::from(covers(Quantity::mean(&apart), 1.0));
        }
        for covered in [shares, means, differences] {
            assert!((1860..=1940).contains(&covered), "{shares} {means} {differences}");
        }
    }
}
