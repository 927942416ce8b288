//! The texts of compiled rules: names are kept for ever and compared by their address; others are shared,
//! and compared by how they begin.
//!
//! Only what a script or a setup writes down becomes a name, before anything runs: so no run can fill the
//! room that names have, and none finds more or less of it because of what ran before.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use hashbrown::HashMap;
use parking_lot::RwLock;

use crate::script::sandbox::memory::uncounted;

#[derive(Clone)]
pub(crate) struct Text(TextStorage);

/// Copying a name that is kept touches nothing that threads share.
#[derive(Clone)]
enum TextStorage {
    Shared(Arc<LetterIndex>),
    Kept(&'static LetterIndex),
}

struct LetterIndex {
    /// The first bytes, so that most texts are ordered by one number.
    begins: u64,
    text: Box<str>,
}

/// Texts up to this length count as nothing: they take no more room than a number and its key.
pub(super) const SHORT: usize = 32;

/// The most bytes that names take for as long as the process lives. Further ones are shared, which is
/// slower and makes no other difference: whoever has written them down holds them too.
const ROOM: usize = 8 << 20;

/// What a name takes beside its letters, with its place in the table.
const BESIDE: usize = 96;

/// The names that are kept, each once.
static NAMES: LazyLock<RwLock<KnownWords>> = LazyLock::new(RwLock::default);

#[derive(Default)]
struct KnownWords {
    kept: HashMap<&'static str, &'static LetterIndex>,
    bytes: usize,
}

impl KnownWords {
    fn find(&self, text: &str) -> Option<Text> {
        self.kept.get(text).map(|letters| Text(TextStorage::Kept(letters)))
    }

    fn is_full_for(&self, text: &str) -> bool {
        self.bytes + text.len() + BESIDE > ROOM
    }

    fn keep(&mut self, text: &str) -> Text {
        self.bytes += text.len() + BESIDE;
        let letters: &'static LetterIndex = Box::leak(Box::new(LetterIndex::new(text.into())));
        self.kept.insert(&letters.text, letters);
        Text(TextStorage::Kept(letters))
    }
}

/// The first eight bytes of a text as a number that is ordered as they are.
#[inline]
pub(crate) fn beginning(text: &str) -> u64 {
    let mut bytes = [0; 8];
    let count = text.len().min(8);
    bytes[..count].copy_from_slice(&text.as_bytes()[..count]);
    u64::from_be_bytes(bytes)
}

impl LetterIndex {
    fn new(text: Box<str>) -> LetterIndex {
        LetterIndex { begins: beginning(&text), text }
    }
}

impl Text {
    pub(crate) fn new(text: impl Into<Box<str>>) -> Text {
        Text(TextStorage::Shared(Arc::new(LetterIndex::new(text.into()))))
    }

    /// A text that is written down, in a script or a setup: short ones are kept for good, as long as there
    /// is room. It must not be made while a script runs, which would see whether there is.
    pub(crate) fn name(text: &str) -> Text {
        Text::named(text, KnownWords::is_full_for)
    }

    /// A word of the program's own, for scripts: there are few, and they are kept however full it is.
    pub(crate) fn word(text: &str) -> Text {
        Text::named(text, |_, _| false)
    }

    fn named(text: &str, is_full: impl Fn(&KnownWords, &str) -> bool) -> Text {
        if text.len() > SHORT || text.chars().any(char::is_control) {
            return Text::new(text);
        }
        let names = NAMES.read();
        if let Some(known) = names.find(text) {
            return known;
        }
        let full = is_full(&names, text);
        drop(names);
        if full {
            return Text::new(text);
        }
        let mut names = NAMES.write();
        // Whoever else waited to write may have kept it, or filled the room.
        match names.find(text) {
            Some(known) => known,
            None if is_full(&names, text) => Text::new(text),
            None => uncounted(|| names.keep(text)),
        }
    }

    /// Whether these letters are kept for good.
    #[cfg(test)]
    pub(crate) fn is_name(text: &str) -> bool {
        NAMES.read().find(text).is_some()
    }

    /// Whether letting go of it does nothing. It is short then, and holds no control characters.
    #[inline]
    pub(crate) fn is_kept(&self) -> bool {
        matches!(self.0, TextStorage::Kept(_))
    }

    #[inline(always)]
    pub(super) fn copied(&self) -> Option<Text> {
        match &self.0 {
            TextStorage::Kept(letters) => Some(Text(TextStorage::Kept(letters))),
            TextStorage::Shared(_) => None,
        }
    }

    #[inline]
    fn letters(&self) -> &LetterIndex {
        match &self.0 {
            TextStorage::Kept(letters) => letters,
            TextStorage::Shared(letters) => letters,
        }
    }

    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        &self.letters().text
    }

    /// A number that is the same for texts that read the same: how they begin.
    #[inline]
    pub(crate) fn mark(&self) -> u64 {
        self.letters().begins
    }

    /// The order beside a text whose beginning is known.
    #[inline]
    pub(crate) fn order(&self, begins: u64, text: &str) -> Ordering {
        let letters = self.letters();
        match letters.begins.cmp(&begins) {
            // Short ones differ at most in zeros, that is in their length.
            Ordering::Equal if letters.text.len() <= 8 && text.len() <= 8 => {
                letters.text.len().cmp(&text.len())
            }
            Ordering::Equal => self.as_str().cmp(text),
            order => order,
        }
    }

    /// Whether both are one text at one place, which takes no time to know.
    #[inline]
    pub(crate) fn is(&self, other: &Text) -> bool {
        match (&self.0, &other.0) {
            (TextStorage::Kept(a), TextStorage::Kept(b)) => std::ptr::eq(*a, *b),
            (TextStorage::Shared(a), TextStorage::Shared(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Text) -> bool {
        match (&self.0, &other.0) {
            // Each name is kept once.
            (TextStorage::Kept(a), TextStorage::Kept(b)) => std::ptr::eq(*a, *b),
            _ => {
                let (a, b) = (self.letters(), other.letters());
                std::ptr::eq(a, b) || a.begins == b.begins && a.text == b.text
            }
        }
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
    #[inline]
    fn cmp(&self, other: &Text) -> Ordering {
        if self.is(other) {
            Ordering::Equal
        } else {
            self.order(other.letters().begins, other.as_str())
        }
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
                assert_eq!(Text::name(a).cmp(&Text::new(*b)), i.cmp(&j), "{a:?} {b:?}");
                assert_eq!(Text::new(*a) == Text::name(b), i == j, "{a:?} {b:?}");
                assert_eq!(Text::name(a) == Text::name(b), i == j, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn a_name_is_kept_once_and_a_long_text_is_not_kept() {
        assert!(Text::name("ayla").is(&Text::name("ayla")));
        assert!(Text::word("ayla").is(&Text::name("ayla")));
        assert!(!Text::is_name("a name that nobody wrote down"));
        let long = "x".repeat(SHORT + 1);
        assert!(!Text::name(&long).is_kept() && Text::name(&long) == Text::new(long));
        assert!(!Text::name("ay\u{85}la").is_kept() && !Text::name("\n").is_kept());
    }
}
