//! The progress of regret minimisation: its exploitability over time, as a curve.

use super::{Solved, Told};
use crate::render::{Plot, Point, Series};

impl Solved {
    /// The exploitability over the seconds passed; `None` if nothing was learned.
    pub(crate) fn curve(&self, name: &str) -> Option<Series> {
        let point = |told: &Told| (told.taken.as_secs_f64(), told.exploitability);
        let series = falling(name, self.course.iter().map(point));
        (!self.course.is_empty()).then_some(series)
    }
}

/// Points of an exploitability as powers of ten, since it falls through many of them. An
/// exploitability of 0 has no logarithm and is left out.
pub(crate) fn falling(name: &str, points: impl Iterator<Item = (f64, f64)>) -> Series {
    let point = |(x, y): (f64, f64)| Point { x, y: y.log10(), range: None };
    Series { name: name.to_owned(), points: points.map(point).collect() }
}

/// Curves of an exploitability over `x`.
pub(crate) fn curves(x: &str, series: Vec<Series>) -> Plot {
    Plot {
        title: format!("exploitability by {x}"),
        x: x.to_owned(),
        y: "log10 of exploitability".to_owned(),
        series,
        ..Plot::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_power_of_ten_is_a_step_down() {
        let plot = curves("seconds", vec![falling("a", [(1.0, 0.1), (2.0, 0.001)].into_iter())]);
        let points: Vec<(f64, f64)> =
            plot.series[0].points.iter().map(|point| (point.x, point.y)).collect();
        assert_eq!(points, [(1.0, -1.0), (2.0, -3.0)]);
        // What is not exploitable at all is nowhere on the axis.
        let none = curves("seconds", vec![falling("a", [(1.0, 0.0)].into_iter())]);
        assert!(none.svg().starts_with("<svg"));
    }
}
