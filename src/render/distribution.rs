//! Formats a distribution: its values with their weights and chances, and the mean.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::{aligned, table, tidy};
use crate::game::{Distribution, Value};

/// The most values that are listed; the rest are counted.
const ROWS: usize = 60;

/// A table of values, weights and chances, and the mean where all values are numbers.
pub(crate) fn distribution(distribution: &Distribution, width: usize, plain: bool) -> String {
    let total = distribution.total();
    let pairs = || distribution.values().iter().zip(distribution.weights());
    let percents: Vec<f64> =
        pairs().take(ROWS).map(|(_, weight)| ratio(weight.clone() * 100u8, total)).collect();
    let row = |((value, weight), percent): ((&Value, &BigUint), String)| {
        vec![value.to_string(), weight.to_string(), format!("{percent} %")]
    };
    let rows: Vec<Vec<String>> = pairs().zip(aligned(&percents)).map(row).collect();
    let mut text = table(&["value", "weight", "chance"], &rows, width, plain);
    let left = distribution.values().len().saturating_sub(ROWS);
    if left > 0 {
        text.push_str(&format!("\n… and {left} values more"));
    }
    let weighed: Option<BigInt> = pairs()
        .map(|(value, weight)| Some(BigInt::from(value.as_int()?) * BigInt::from(weight.clone())))
        .sum();
    match weighed.map(|sum| BigRational::new(sum, BigInt::from(total.clone()))) {
        Some(mean) => {
            let rounded = tidy(mean.to_f64().unwrap_or(f64::NAN));
            let exact = if mean.is_integer() { String::new() } else { format!(" ({mean})") };
            text.push_str(&format!("\ntotal {total}, mean {rounded}{exact}"));
        }
        None => text.push_str(&format!("\ntotal {total}")),
    }
    text
}

fn ratio(part: BigUint, total: &BigUint) -> f64 {
    BigRational::new(part.into(), total.clone().into()).to_f64().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_and_the_mean_are_worked_out() {
        // Two coins: 0, 1, 1, 2 heads.
        let pairs = [(0, 1u8), (1, 2), (2, 1)];
        let pairs = pairs.map(|(value, weight)| (Value::Int(value), BigUint::from(weight)));
        let coins = Distribution::new(pairs.to_vec()).unwrap();
        let text = distribution(&coins, 80, true);
        assert!(text.contains("25 %") && text.contains("50 %"), "{text}");
        // A coin that falls on its edge once in eight times: 12.5 %, beside which 50 % has a place too.
        let edge = [(0, 3u8), (1, 4), (2, 1)];
        let edge = edge.map(|(value, weight)| (Value::Int(value), BigUint::from(weight)));
        let below = distribution(&Distribution::new(edge.to_vec()).unwrap(), 80, true);
        let points: Vec<_> =
            below.lines().skip(1).take(3).map(|line| line.rfind('.').unwrap()).collect();
        assert!(points.windows(2).all(|two| two[0] == two[1]), "{below}");
        assert!(below.contains("50.0 %"), "{below}");
        assert!(text.ends_with("total 4, mean 1"), "{text}");

        let words = vec![(Value::from("hit"), BigUint::from(1u8)), (1.into(), BigUint::from(2u8))];
        let text = distribution(&Distribution::new(words).unwrap(), 80, true);
        assert!(text.contains("33.3333 %") && text.ends_with("total 3"), "{text}");
    }
}
