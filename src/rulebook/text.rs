//! Formats the rulebook, or clauses of it, as text for people.

use super::prose::Block;
use super::{Clause, Rulebook};
use crate::render::{filled, tame};

/// What a mark behind a clause means.
const MARKED: &str = "* not in the source text, or not all of it; the clause by itself says more";
/// The spaces between a clause and its text, and the least room that a text has.
const GAP: usize = 2;
const NARROW: usize = 20;
/// The mark of an item that is no clause.
const ITEM: &str = "-";

impl Rulebook {
    /// What the mark behind a clause means, if any clause has it.
    pub(crate) fn legend(&self) -> Option<&'static str> {
        (!self.beyond.is_empty()).then_some(MARKED)
    }

    /// All of the rules in prose, within `width` columns.
    pub(crate) fn as_text(&self, width: usize) -> String {
        let widest = self.ids().map(|id| id.len() + self.mark(id).len()).max().unwrap_or(0);
        let mut text = String::new();
        let mut list = false;
        for block in &self.blocks {
            let is_item = matches!(block, Block::Item(_));
            let gap = if text.is_empty() {
                ""
            } else if list && is_item {
                "\n"
            } else {
                "\n\n"
            };
            let opens = matches!(block, Block::Item(_)) && !list && text.ends_with(':');
            text.push_str(if opens { "\n" } else { gap });
            text.push_str(&match block {
                Block::Heading(heading) => filled(&plain(heading), width),
                Block::Paragraph(paragraph) => filled(&plain(paragraph), width),
                Block::Lines(lines) => lines.clone(),
                Block::Item(item) => {
                    let column = |id| (format!("{id}{}", self.mark(id)), widest + GAP);
                    let other = || (ITEM.to_owned(), ITEM.len() + 1);
                    let (id, column) = item.id.as_deref().map_or_else(other, column);
                    hanging(&id, column, &item.text, width)
                }
            });
            list = is_item;
        }
        if let Some(legend) = self.legend() {
            text.push_str(&format!("\n\n{}", filled(legend, width)));
        }
        tame(&text).into_owned()
    }
}

impl Clause {
    /// The clause, and what of it is not in the source text, within `width` columns.
    pub(crate) fn as_text(&self, width: usize) -> String {
        // A word is at the beginning of its own text.
        if self.text.starts_with('`') || self.id.is_empty() {
            return tame(&filled(&plain(&self.text), width)).into_owned();
        }
        let mark = if self.beyond.is_some() { "*" } else { "" };
        let id = format!("{}{mark}", self.id);
        let column = id.chars().count() + GAP;
        let mut text = hanging(&id, column, &self.text, width);
        if let Some(beyond) = &self.beyond {
            let beyond = format!("Not all in the source text. {beyond}");
            text.push_str(&format!("\n{}", hanging("*", column, &beyond, width)));
        }
        tame(&text).into_owned()
    }
}

/// A text after a word in a column of its own.
fn hanging(word: &str, column: usize, text: &str, width: usize) -> String {
    let text = filled(&plain(text), width.saturating_sub(column).max(NARROW));
    let text = text.replace('\n', &format!("\n{}", " ".repeat(column)));
    format!("{word:<column$}{text}")
}

/// A text without the marks of emphasis; a `*` between spaces is none.
fn plain(text: &str) -> String {
    let words = text.split(' ');
    let plain = |word: &str| if word == "*" { word.to_owned() } else { word.replace('*', "") };
    words.map(plain).collect::<Vec<_>>().join(" ")
}
