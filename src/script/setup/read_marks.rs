//! Remembers which keys of a setup were read, and which were asked for.

use std::collections::HashMap;

/// How much of a value has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// All of it.
    Whole,
    /// It was opened; what is in it is marked by itself.
    Opened,
}

/// What has been read so far.
#[derive(Clone, Default)]
pub(super) struct ReadKeys {
    pub marks: HashMap<String, Mark>,
    /// The keys that the rules asked each table for, to suggest one for a key that nobody read.
    pub asked: HashMap<String, Vec<String>>,
    /// What tables of lists are called, by their path.
    pub called: HashMap<String, String>,
}

impl ReadKeys {
    /// The most bytes that they may take.
    pub(super) fn bytes(&self) -> usize {
        // What an entry and a key take beside their letters, in tables that have just grown.
        const NOTE: usize = 160;
        let marks = self.marks.keys().map(|place| NOTE + place.len());
        let keys = |keys: &[String]| keys.iter().map(|key| NOTE + key.len()).sum::<usize>();
        let asked = self.asked.iter().map(|(path, asked)| NOTE + path.len() + keys(asked));
        let called = self.called.iter().map(|(path, name)| 2 * NOTE + path.len() + name.len());
        marks.chain(asked).chain(called).sum()
    }
}
