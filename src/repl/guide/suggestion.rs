//! The completions of a word, with what people see of them.

/// One completion of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
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
    pub candidates: Vec<Suggestion>,
}

impl Suggestion {
    /// A candidate without a description.
    pub fn plain(text: impl Into<String>) -> Suggestion {
        Suggestion::noted(text, "")
    }

    /// A candidate with a description.
    pub fn noted(text: impl Into<String>, note: impl Into<String>) -> Suggestion {
        let text = text.into();
        let shown = text.trim_end_matches([' ', '(', '=']).to_owned();
        Suggestion { text, shown, note: note.into() }
    }
}

impl Completion {
    /// The candidates of a word that begins at `start`, each once.
    pub fn new(start: usize, candidates: impl IntoIterator<Item = Suggestion>) -> Completion {
        let mut once: Vec<Suggestion> = Vec::new();
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
