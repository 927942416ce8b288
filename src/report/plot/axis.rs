//! Axes of a plot: the position of a number along the axis, and the numbers written at it.

use super::{Plot, share};

/// The bounds and marks of an axis, from the least number to the greatest.
pub(crate) struct Axis {
    /// The numbers at both ends.
    pub bounds: (f64, f64),
    /// Numbers with their labels.
    pub marks: Vec<(f64, String)>,
}

impl Axis {
    /// The position of a number, from 0 at the low end to 1 at the high end.
    pub(crate) fn share(&self, number: f64) -> f64 {
        share(number, self.bounds)
    }

    /// About `most` round numbers around all that are given; from 0 to 1 if none are given.
    pub(crate) fn around(numbers: &[f64], most: usize) -> Axis {
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = match low.is_finite() && high.is_finite() {
            true if high > low => (low, high),
            // A level line is in the middle.
            true => (low - (low.abs() / 2.0).max(0.5), high + (high.abs() / 2.0).max(0.5)),
            false => (0.0, 1.0),
        };
        let step = round_step(high / most as f64 - low / most as f64);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        // Where numbers are so large that a step is lost in rounding, or passes the last float, both
        // ends must do.
        let lost = !(last - first).is_finite() || last - first > 100.0 || first + 1.0 == first;
        if lost || !(first * step).is_finite() || !(last * step).is_finite() {
            let mark = |number: f64| (number, format!("{number:.2e}"));
            return Axis { bounds: (low, high), marks: vec![mark(low), mark(high)] };
        }
        let count = (last - first) as usize;
        let marks: Vec<(f64, String)> = (0..=count)
            .map(|i| (first + i as f64) * step)
            .map(|number| (number, written(number, step)))
            .collect();
        Axis { bounds: (first * step, last * step), marks }
    }

    /// The y axis of a plot, including error bars, with about `most` round numbers.
    pub(crate) fn up(plot: &Plot, most: usize) -> Axis {
        let ys = plot.points().flat_map(|point| {
            let (low, high) = point.range.unwrap_or((point.y, point.y));
            [point.y, low, high]
        });
        Axis::around(&ys.collect::<Vec<_>>(), most)
    }

    /// The x axis of a plot: its words, the points' own numbers if they are few, else round ones.
    pub(crate) fn across(plot: &Plot) -> Axis {
        if !plot.words.is_empty() {
            let marks = plot.words.iter().enumerate().map(|(i, word)| (i as f64, word.clone()));
            let bounds = (-0.5, plot.words.len() as f64 - 0.5);
            return Axis { bounds, marks: marks.collect() };
        }
        let mut own: Vec<f64> = plot.points().map(|point| point.x).collect();
        own.sort_by(f64::total_cmp);
        own.dedup();
        let (Some(&low), Some(&high)) = (own.first(), own.last()) else {
            return Axis::around(&own, 6);
        };
        let step = own.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let even = own.windows(2).all(|pair| pair[1] - pair[0] <= step * 1.001);
        if own.len() > 12 && !even {
            let round = Axis::around(&own, 6);
            let within = |(number, _): &(f64, String)| (low..=high).contains(number);
            return Axis {
                bounds: (low, high),
                marks: round.marks.into_iter().filter(within).collect(),
            };
        }
        let marks = own.iter().map(|number| (*number, plain_number(*number))).collect();
        Axis { bounds: (low, high), marks }
    }

    /// Every mark, or every second, third, … so that no two labels touch on an axis of this length.
    pub(crate) fn sparse(&self, length: f64, width: impl Fn(&str) -> f64) -> Vec<&(f64, String)> {
        let fit = |stride: usize| {
            let mut end = f64::NEG_INFINITY;
            self.marks.iter().step_by(stride).all(|(number, text)| {
                let (middle, half) = (self.share(*number) * length, width(text) / 2.0);
                let free = middle - half > end;
                end = middle + half;
                free
            })
        };
        let stride = (1..=self.marks.len()).find(|stride| fit(*stride)).unwrap_or(1);
        self.marks.iter().step_by(stride).collect()
    }
}

/// The least of 1, 2, 5, 10, … times a power of ten that is not below a positive length.
fn round_step(length: f64) -> f64 {
    let power = 10f64.powi(length.log10().floor() as i32);
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= length * 0.999_999);
    digit.unwrap_or(10.0) * power
}

/// A number with as many places as its step has.
fn written(number: f64, step: f64) -> String {
    if step < 1e-6 || number.abs() >= 1e9 {
        return format!("{number:.2e}");
    }
    let places = (-step.log10().floor()).max(0.0) as usize;
    let text = format!("{number:.places$}");
    // Rounding may have left a zero with a sign.
    if number == 0.0 { text.replace('-', "") } else { text }
}

/// A number of a point, in a short form.
fn plain_number(number: f64) -> String {
    let rounded = super::super::tidy(number);
    match number != 0.0 && (number.abs() < 1e-3 || number.abs() >= 1e9) {
        true => format!("{number:.2e}"),
        false => rounded,
    }
}
