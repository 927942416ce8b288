//! The cumulative distribution function of the standard normal distribution.

/// The cumulative distribution of the standard normal distribution.
///
/// Method: Taylor series about 0 (Marsaglia 2004, "Evaluating the normal distribution", Journal of
/// Statistical Software 11(4)); beyond 7 deviations it is 0 or 1.
pub fn cumulative(x: f64) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::cumulative;

    #[test]
    fn it_has_the_values_of_the_tables() {
        // Abramowitz and Stegun, table 26.1.
        for (x, value) in [(0.0, 0.5), (1.0, 0.841344746068543), (2.0, 0.977249868051821)] {
            assert!((cumulative(x) - value).abs() < 1e-14);
            assert!((cumulative(-x) - (1.0 - value)).abs() < 1e-14);
        }
        assert!((cumulative(1.959963984540054) - 0.975).abs() < 1e-14);
        assert_eq!((cumulative(9.0), cumulative(-9.0)), (1.0, 0.0));
        assert_eq!((cumulative(f64::INFINITY), cumulative(f64::NAN)), (1.0, 0.5));
    }
}
