//! The functions of the language and the host that a line can call, collected once per session.

use std::collections::{BTreeMap, BTreeSet};

use crate::handbook::Entry;
use crate::lab;
use crate::repl::Session;

/// The functions that lines can call without having defined them, by name.
pub(super) struct Known {
    functions: BTreeMap<String, Vec<Entry>>,
    /// The names of all documented functions and families.
    pub told: BTreeSet<String>,
}

impl Known {
    /// The functions for a session's lines. The handbook's text on one replaces the engine's.
    pub(super) fn of(session: &Session) -> Known {
        let handbook = lab::known();
        let mut functions: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        for entry in session.lab.language() {
            functions.entry(entry.name.clone()).or_default().push(entry);
        }
        for (name, forms) in &mut functions {
            let told =
                |entry: &&Entry| entry.name == *name && !entry.signature.starts_with("this.");
            let better: Vec<Entry> = handbook.iter().filter(told).cloned().collect();
            if !better.is_empty() {
                *forms = better;
            }
        }
        let names = handbook.iter().flat_map(|entry| [&entry.name, &entry.family]);
        let worded = functions.values().flatten().filter(|entry| !entry.text.is_empty());
        let told = names.chain(worded.map(|entry| &entry.name)).cloned().collect();
        Known { functions, told }
    }

    /// The forms of a function; empty if there is no such function.
    pub(super) fn forms(&self, name: &str) -> &[Entry] {
        self.functions.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The functions whose names begin so, each with its forms.
    pub(super) fn beginning<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a [Entry]> {
        let from = self.functions.range(word.to_owned()..);
        from.take_while(move |(name, _)| name.starts_with(word)).map(|(_, forms)| forms.as_slice())
    }
}
