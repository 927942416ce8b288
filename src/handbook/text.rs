//! Formats handbook entries as text for people.

use super::find::Named;
use super::{Entry, HandbookMatch, LANGUAGE, families};
use crate::render::{indented, listed, table, wrapped};
use crate::rulebook::Clause;

/// The indentation of calls below the name of their family.
const INDENT: usize = 2;

impl HandbookMatch {
    /// What was found, within `width` columns: functions in full, a family as a table, all by family.
    pub(crate) fn as_text(&self, width: usize, plain: bool) -> String {
        match self.named {
            Named::Function => {
                let full: Vec<String> =
                    self.functions.iter().map(|entry| full(entry, width)).collect();
                full.join("\n\n")
            }
            Named::Family => {
                let row = |entry: &Entry| vec![entry.signature.clone(), entry.summary()];
                let rows: Vec<Vec<String>> = self.functions.iter().map(row).collect();
                let table = table(&["function", "what it does"], &rows, width, plain);
                match &self.rulebook {
                    Some(rulebook) => format!("{}\n\n{table}", rulebook.as_text(width)),
                    None => table,
                }
            }
            Named::Clause => clauses(&self.clauses, width),
            Named::All => index(&self.functions, width),
        }
    }
}

/// All there is, family by family: how each function is called, those of several forms once.
fn index(entries: &[Entry], width: usize) -> String {
    let family = |(name, about): (&str, &str)| {
        let mut names: Vec<&str> = Vec::new();
        let mut calls: Vec<String> = Vec::new();
        for entry in entries {
            // The language has many operators and conversions that nobody looks up.
            let told = !entry.text.is_empty() || entry.family != LANGUAGE;
            if entry.family == name && told && !names.contains(&entry.name.as_str()) {
                names.push(&entry.name);
                calls.push(entry.call());
            }
        }
        let within = width.saturating_sub(INDENT);
        let calls = wrapped(&listed(calls.iter().map(String::as_str), ", ", within), within);
        format!("{}\n{}", wrapped(&format!("{name}: {about}"), width), indented(&calls, INDENT))
    };
    families(entries).into_iter().map(family).collect::<Vec<_>>().join("\n\n")
}

/// Clauses below each other, with their system where there are several.
fn clauses(clauses: &[Clause], width: usize) -> String {
    let mut text: Vec<String> = Vec::new();
    let mut system = None;
    let several = clauses.iter().any(|clause| clause.system != clauses[0].system);
    for clause in clauses {
        if several && system != Some(&clause.system) {
            text.push(format!("{}:", clause.system));
        }
        system = Some(&clause.system);
        text.push(clause.as_text(width));
    }
    text.join("\n")
}

/// All of one entry.
fn full(entry: &Entry, width: usize) -> String {
    let mut text = wrapped(&format!("{}    ({})", entry.signature, entry.family), width);
    if !entry.text.is_empty() {
        text.push_str(&format!("\n{}", wrapped(&entry.text, width)));
    }
    for more in [Some(entry.example.clone()), entry.place()].into_iter().flatten() {
        if !more.is_empty() {
            text.push_str(&format!("\n\n{more}"));
        }
    }
    text
}
