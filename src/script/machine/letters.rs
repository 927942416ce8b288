//! The texts of compiled rules: shared, and told apart by their place or their first bytes.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A text. Those that a script writes down are made once, and mostly told apart by their place;
/// others by how they begin.
#[derive(Clone)]
pub struct Text(Arc<Letters>);

struct Letters {
    /// The first bytes, so that most texts are ordered by one number.
    begins: u64,
    text: Box<str>,
}

/// The first eight bytes of a text as a number that is ordered as they are.
#[inline]
pub(crate) fn beginning(text: &str) -> u64 {
    let mut bytes = [0; 8];
    let count = text.len().min(8);
    bytes[..count].copy_from_slice(&text.as_bytes()[..count]);
    u64::from_be_bytes(bytes)
}

impl Text {
    /// A text of its own.
    pub fn new(text: impl Into<Box<str>>) -> Text {
        let text = text.into();
        Text(Arc::new(Letters { begins: beginning(&text), text }))
    }

    /// The letters.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The order beside a text whose beginning is known.
    #[inline]
    pub fn order(&self, begins: u64, text: &str) -> Ordering {
        match self.0.begins.cmp(&begins) {
            // Short ones are told apart by zeros at most, that is by how long they are.
            Ordering::Equal if self.0.text.len() <= 8 && text.len() <= 8 => {
                self.0.text.len().cmp(&text.len())
            }
            Ordering::Equal => self.as_str().cmp(text),
            order => order,
        }
    }

    /// Whether both are one text at one place, which takes no time to know.
    #[inline]
    pub fn is(&self, other: &Text) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Text) -> bool {
        self.is(other) || self.0.begins == other.0.begins && self.0.text == other.0.text
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Text) -> Ordering {
        if self.is(other) { Ordering::Equal } else { self.order(other.0.begins, other.as_str()) }
    }
}

impl std::borrow::Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_ordered_by_their_bytes_however_they_begin() {
        // In the order of their bytes.
        let texts = ["", "a", "a\0", "abcdefgh", "abcdefghi", "abcdefgi", "b", "\u{e9}"];
        for (i, a) in texts.iter().enumerate() {
            for (j, b) in texts.iter().enumerate() {
                assert_eq!(Text::new(*a).cmp(&Text::new(*b)), i.cmp(&j), "{a:?} {b:?}");
                assert_eq!(Text::new(*a) == Text::new(*b), i == j, "{a:?} {b:?}");
            }
        }
    }
}
