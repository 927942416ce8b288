//! Ranges of whole numbers.

/// The whole numbers from one up to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    pub start: i64,
    pub end: i64,
    pub(crate) inclusive: bool,
}

impl Range {
    /// The number at a place, counted from 0.
    pub fn nth(&self, place: i64) -> Option<i64> {
        let number = self.start.checked_add(place)?;
        (number < self.end || self.inclusive && number == self.end).then_some(number)
    }

    /// Whether a number is among them.
    pub fn holds(&self, number: i64) -> bool {
        self.start <= number && (number < self.end || self.inclusive && number == self.end)
    }
}
