//! Completes the word before the cursor: in a command, in an answer, or in code.

use super::Known;
use super::{code, command};
use crate::game::{Value, option_name};
use crate::repl::{Session, commands};

/// One completion of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The whole word, with what follows it at once: `roll(`, `mana_value=`.
    pub text: String,
    /// The text that people see.
    pub shown: String,
    /// A short description; may be empty.
    pub note: String,
}

/// All completions of a word, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The start of the word in the line, in bytes.
    pub start: usize,
    /// The completions of the word.
    pub candidates: Vec<Candidate>,
}

impl Candidate {
    /// A candidate without a description.
    pub fn plain(text: impl Into<String>) -> Candidate {
        Candidate::noted(text, "")
    }

    /// A candidate with a description.
    pub fn noted(text: impl Into<String>, note: impl Into<String>) -> Candidate {
        let text = text.into();
        let shown = text.trim_end_matches([' ', '(', '=']).to_owned();
        Candidate { text, shown, note: note.into() }
    }
}

impl Completion {
    /// The candidates of a word that begins at `start`, each once.
    pub fn new(start: usize, candidates: impl IntoIterator<Item = Candidate>) -> Completion {
        let mut once: Vec<Candidate> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for candidate in candidates {
            if seen.insert(candidate.text.clone()) {
                once.push(candidate);
            }
        }
        Completion { start, candidates: once }
    }

    /// The text that can be inserted at once: the common beginning of all candidates, or the typed
    /// word if that beginning is no longer.
    pub fn common(&self, typed: &str) -> String {
        let mut words = self.candidates.iter().map(|candidate| candidate.text.as_str());
        let Some(first) = words.next() else { return typed.to_owned() };
        let common = words.fold(first, |common, word| {
            let same = common.char_indices().zip(word.chars());
            let differs = same.into_iter().find(|((_, a), b)| a != b);
            let most = common.len().min(word.len());
            &common[..differs.map_or(most, |((at, _), _)| at)]
        });
        // Letters may have been typed in another case.
        let longer = common.chars().count() > typed.chars().count();
        if longer || self.candidates.len() == 1 { common.to_owned() } else { typed.to_owned() }
    }
}

/// The completions of the word before the cursor.
pub(super) fn complete(session: &Session, known: &Known, line: &str, cursor: usize) -> Completion {
    let Some(before) = line.get(..cursor) else { return Completion::default() };
    let begins = before.len() - before.trim_start().len();
    if before[begins..].starts_with(commands::MARK) {
        return command::complete(session, known, before, begins + commands::MARK.len_utf8());
    }
    let answers = answers(session, &before[begins..]);
    if !answers.is_empty() {
        return Completion::new(begins, answers);
    }
    code::complete(session, known, before)
}

/// The options of the open decision that begin so, each with what the rules say of it; empty if no person
/// is asked.
pub(super) fn answers(session: &Session, typed: &str) -> Vec<Candidate> {
    let asked = session.play.as_ref().and_then(|play| play.asked());
    let Some(asked) = asked.filter(|_| !typed.contains('\n') && !session.screen.is_awaiting())
    else {
        return Vec::new();
    };
    let typed = typed.to_lowercase();
    let wording = session.words.of(asked);
    let candidate = |(index, option): (usize, &Value)| {
        let name = option_name(option);
        let begins = name.to_lowercase().starts_with(&typed);
        let text = if begins { name } else { option.to_string() };
        let note = wording.help_of_option(index).or(wording.of_option(index));
        (begins || text.to_lowercase().starts_with(&typed))
            .then(|| Candidate::noted(text, note.unwrap_or_default()))
    };
    asked.options.iter().enumerate().filter_map(candidate).collect()
}
