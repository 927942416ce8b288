//! Finds the clauses that an id or a word of the rules names.

use schemars::JsonSchema;
use serde::Serialize;

use super::Rulebook;
use super::prose::Item;
use crate::error::Error;

/// A clause of the rules, or a word that they explain.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Clause {
    /// The name of the system.
    pub system: String,
    /// The clause, as in `W4`; the word, where one is explained by itself.
    pub id: String,
    /// Its text.
    pub text: String,
    /// Where the text from which the rules come does not have all of the clause: where the rest comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<String>,
}

impl Rulebook {
    /// All clauses, in their order.
    pub(crate) fn clauses(&self) -> Vec<Clause> {
        self.items().filter(|item| item.id.is_some()).map(|item| self.clause(item)).collect()
    }

    /// What an id names, or the clauses that are about a word: those that explain it, else those that
    /// mention it.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the nearest id or word.
    pub(crate) fn find(&self, word: &str) -> Result<Vec<Clause>, Error> {
        let found = self.named(word);
        let found = if found.is_empty() { self.about(word) } else { found };
        if found.is_empty() {
            return Err(Error::unknown("clause", word, self.ids().chain(self.words())));
        }
        Ok(found)
    }

    /// The clause of an id, in small letters too.
    pub(crate) fn named(&self, id: &str) -> Vec<Clause> {
        let is = |item: &&Item| item.id.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(id));
        self.items().filter(is).map(|item| self.clause(item)).collect()
    }

    /// The clauses that explain a word, or where none does, those that mention it.
    pub(crate) fn about(&self, word: &str) -> Vec<Clause> {
        let word = word.trim();
        if word.is_empty() {
            return Vec::new();
        }
        let explains = |item: &&Item| {
            item.words.iter().any(|own| own.eq_ignore_ascii_case(word))
                || item.text.to_lowercase().contains(&format!("*{}*", word.to_lowercase()))
        };
        let mentions = |item: &&Item| item.id.is_some() && has_word(&item.text, word);
        let all = |is: &dyn Fn(&&Item) -> bool| {
            self.items().filter(is).map(|item| self.clause(item)).collect::<Vec<_>>()
        };
        match all(&explains) {
            none if none.is_empty() => all(&mentions),
            some => some,
        }
    }

    /// A text that cites clauses, with a mark behind each that is not all in the source text: `W4, W8*`.
    pub(crate) fn marked(&self, text: &str) -> String {
        let mut marked = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
            let (before, behind) = rest.split_at(at);
            let end = behind.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(behind.len());
            marked.push_str(before);
            marked.push_str(&behind[..end]);
            marked.push_str(self.mark(&behind[..end]));
            rest = &behind[end..];
        }
        marked + rest
    }

    /// The mark behind a clause: `*` where it is not all in the source text.
    pub(crate) fn mark(&self, id: &str) -> &'static str {
        if self.beyond.contains_key(id) { "*" } else { "" }
    }

    fn clause(&self, item: &Item) -> Clause {
        let id = item.id.clone().or_else(|| item.words.first().cloned()).unwrap_or_default();
        let beyond = item.id.as_ref().and_then(|id| self.beyond.get(id)).cloned();
        Clause { system: self.system.clone(), id, text: item.text.clone(), beyond }
    }
}

/// Whether a text has a word or words, in letters of any size, and nothing of a word beside them.
fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(&word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}
