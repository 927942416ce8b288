//! The horizontal scale of plots: positions in percent of the width, so that no letter shrinks with
//! it.

use crate::render::Axis;

/// Free on both sides of a picture, in percent: the numbers at the ends need room.
const MARGIN: f64 = 7.0;
/// Names longer than this are cut in a picture; the table beside it has all of them.
const LETTERS: usize = 32;

/// A scale from left to right.
pub(super) struct Scale(Axis);

/// A line of a scale.
pub(super) struct Mark {
    /// Where, in percent.
    pub at: String,
    /// Its label.
    pub text: String,
}

impl Scale {
    /// Round numbers around all of these.
    pub(super) fn around(numbers: &[f64]) -> Scale {
        Scale(Axis::around(numbers, 5))
    }

    /// Shares of 1.
    pub(super) fn shares() -> Scale {
        let marks = [0.0, 0.25, 0.5, 0.75, 1.0];
        let marks = marks.map(|share| (share, format!("{:.0} %", share * 100.0)));
        Scale(Axis { bounds: (0.0, 1.0), marks: marks.to_vec() })
    }

    /// The position of a number, in percent.
    pub(super) fn at(&self, number: f64) -> String {
        format!("{:.2}", MARGIN + self.0.share(number) * (100.0 - 2.0 * MARGIN))
    }

    /// The lines.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let mark =
            |(number, text): &(f64, String)| Mark { at: self.at(*number), text: text.clone() };
        self.0.marks.iter().map(mark).collect()
    }
}

/// A name as far as there is room for it.
pub(super) fn cut(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        return name.to_owned();
    }
    name.chars().take(LETTERS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_scale_keep_their_distance() {
        let scale = Scale::around(&[-130.0, 170.0]);
        let marks: Vec<(String, String)> =
            scale.marks().into_iter().map(|mark| (mark.text, mark.at)).collect();
        let of = |text: &str, at: &str| (text.to_owned(), at.to_owned());
        // 86 % of the width for 400 points.
        assert_eq!(marks.first(), Some(&of("-200", "7.00")));
        assert_eq!(marks.last(), Some(&of("200", "93.00")));
        assert_eq!(scale.at(0.0), "50.00");
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(cut("bluffer"), "bluffer");
        assert_eq!(cut(&"x".repeat(40)), format!("{}…", "x".repeat(31)));
    }
}
