//! What stands in the handbook? One entry a function, in families.

use super::contract::CONTRACT;
use crate::error::Location;
use crate::script::primitives::{self, Doc};
use crate::script::{EFFECTS, READER, distributions};

/// What people may read of one function. One with several forms has one of these for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The family it belongs to: `contract`, `effects`, `setup`, …; of a system's own function
    /// the system's name.
    pub family: String,
    /// The name it is called by.
    pub name: String,
    /// How it is called: `fewest_first(counts: map, order: list) -> list`.
    pub signature: String,
    /// What it does; the first line is a sentence of its own.
    pub text: String,
    /// Lines of code; empty where there is none.
    pub example: String,
    /// Where it is defined, if in a script.
    pub at: Option<Location>,
}

impl Entry {
    /// The first line of the text.
    pub fn summary(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }

    fn plain(family: &str, signature: &str, text: &str, example: &str) -> Entry {
        let called = signature.split('(').next().unwrap_or_default();
        Entry {
            family: family.to_owned(),
            name: called.rsplit(['.', ' ']).next().unwrap_or_default().to_owned(),
            signature: signature.to_owned(),
            text: text.to_owned(),
            example: example.to_owned(),
            at: None,
        }
    }
}

impl From<Doc> for Entry {
    fn from(doc: Doc) -> Entry {
        Entry {
            family: doc.family.to_owned(),
            name: doc.name,
            signature: doc.signature,
            text: doc.text,
            example: doc.example,
            at: None,
        }
    }
}

/// All that a script can define or call, family by family.
pub fn entries() -> Vec<Entry> {
    let contract = CONTRACT
        .iter()
        .map(|(signature, text, example)| Entry::plain("contract", signature, text, example));
    let pairs = |family: &'static str, pairs: &'static [(&'static str, &'static str)]| {
        pairs.iter().map(move |(signature, text)| Entry::plain(family, signature, text, ""))
    };
    contract
        .chain(pairs("effects", &EFFECTS))
        .chain(pairs("setup", &READER))
        .chain(distributions().into_iter().map(Entry::from))
        .chain(primitives::documentation().into_iter().map(Entry::from))
        .collect()
}

/// The families in the order of the entries, each with what it is about.
pub fn families() -> Vec<(String, &'static str)> {
    let mut families: Vec<(String, &'static str)> = Vec::new();
    for entry in entries() {
        if families.iter().all(|(name, _)| *name != entry.family) {
            let about = match entry.family.as_str() {
                "contract" => "what rules, house rules and agents define",
                "effects" => "how rules ask and announce; `this` is the state",
                "setup" => "how `setup(scenario)` reads the scenario",
                "distributions" => "what may fall",
                _ => "primitives: functions on plain data",
            };
            families.push((entry.family, about));
        }
    }
    families
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_a_name_a_signature_and_a_sentence() {
        for entry in entries() {
            let plain = |c: char| c.is_alphanumeric() || c == '_';
            assert!(!entry.name.is_empty() && entry.name.chars().all(plain), "{entry:?}");
            assert!(entry.signature.contains(&format!("{}(", entry.name)), "{entry:?}");
            assert!(entry.summary().ends_with('.'), "{entry:?}");
        }
    }

    #[test]
    fn the_contract_comes_first_and_each_family_once() {
        let names: Vec<String> = families().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names[..4], ["contract", "effects", "setup", "distributions"]);
        let mut once = names.clone();
        once.dedup();
        assert_eq!(once, names);
    }
}
