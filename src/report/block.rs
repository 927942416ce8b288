//! Reports: what a command found, as JSON for programs and as blocks that printers print for people.

use serde::Serialize;

use super::wrap::tame_json;
use super::{Bar, Figure, Film, Table, columns, indented, wrapped};
use crate::game::Value;

/// How many lines fit on two screens.
pub(super) const SCREENS: usize = 46;

/// No more parts of a fold are kept, for pages have room for all of most.
const MOST: usize = 1_000;

/// The least room that a text beside a word has.
const NARROW: usize = 20;
/// In fewer columns than these a text that would be far to the right is only so far.
const ROOMY: usize = 60;
const WIDE: usize = 20;
const DEEP: usize = 6;

/// What a command found.
pub struct Report<'a> {
    data: Box<dyn InJson + 'a>,
    /// The finding for people, from the top down.
    pub blocks: Vec<Block>,
    pub(crate) seed: Option<u64>,
}

/// A part of a report for people. Printers leave an empty line between two of them, and leave out those that
/// hold nothing.
pub enum Block {
    /// Heads what follows.
    Title(String),
    /// Sentences, broken at spaces; each line of the text begins a new one.
    Sentence(String),
    /// Lines that stay as they are: they are typed again, or laid out already.
    Code(String),
    /// A text that is laid out within a width in a way of its own.
    Laid(Box<dyn Fn(usize) -> String>),
    /// Data of any shape: on one line if it fits, else as a list, a tree or a table.
    Data(Value),
    /// What rules draw.
    Picture(String),
    /// Rows below a header.
    Table(Table),
    /// Numbers with pictures of them.
    Bars(Vec<Bar>),
    /// Curves, or a shaded grid.
    Figure(Figure),
    /// A file beside, as a page links to it.
    Link {
        words: String,
        /// From where the page is.
        path: String,
    },
    /// Data that the reader of a page saves as a file; a terminal has commands for it.
    Download { words: String, name: String, text: String },
    /// What the reader of a page steps through; on a terminal there is none. A page has one at most.
    Film(Film),
    /// Code of several, each below its title, side by side where there is room.
    Beside(Vec<(String, String)>),
    /// Blocks below a title, which a page shows only where it is opened.
    Collapsed(String, Vec<Block>),
    /// Blocks that belong together, without an empty line between them.
    Group(Vec<Block>),
    /// Forms of the same, the fullest first, each with the columns that it takes; the first that fits is printed,
    /// else the last.
    Forms(Vec<(usize, Vec<Block>)>),
    /// As many as fit on two screens.
    Fold(Fold),
}

/// Blocks, or tables of a row each that are printed as one, of which only the first are printed where all are more
/// than two screens.
pub struct Fold {
    /// The first of them.
    pub(super) parts: Vec<Block>,
    pub(super) count: usize,
    /// This many are printed in any case.
    pub(super) least: usize,
    /// Lines before them that are not counted as part of a screen.
    pub(super) free: usize,
    /// What is said of the others, after as many as were printed.
    pub(super) rest: Box<dyn Fn(usize) -> String>,
}

impl Fold {
    /// Its parts as one table, if all of this many are tables.
    pub(super) fn table(&self, shown: usize) -> Option<Table> {
        let tables: Option<Vec<&Table>> = self.parts[..shown]
            .iter()
            .map(|block| match block {
                Block::Table(table) => Some(table),
                _ => None,
            })
            .collect();
        Table::joined(tables?.into_iter())
    }
}

impl<'a> Report<'a> {
    /// A report of what serializes to the JSON that programs read.
    pub fn of(data: impl Serialize + 'a, blocks: Vec<Block>) -> Report<'a> {
        Report { data: Box::new(data), blocks, seed: None }
    }

    /// The same, sampled under a seed.
    pub(crate) fn seeded(self, seed: impl Into<Option<u64>>) -> Report<'a> {
        Report { seed: seed.into(), ..self }
    }

    /// The finding for programs, on one line or in lines.
    pub fn json(&self, pretty: bool) -> String {
        self.data.json(pretty)
    }

    /// The finding as scripts read it.
    pub(crate) fn data(&self) -> serde_json::Value {
        self.data.value()
    }
}

/// Data for programs, on one line or in lines.
pub(crate) fn json(data: &impl Serialize, pretty: bool) -> String {
    let json = if pretty { serde_json::to_string_pretty } else { serde_json::to_string };
    // Writing fails only where a map has keys that are no texts, and no finding has one.
    tame_json(&json(data).unwrap_or_default()).into_owned()
}

/// Data of any type that can be written as JSON.
trait InJson {
    fn json(&self, pretty: bool) -> String;
    fn value(&self) -> serde_json::Value;
}

impl<T: Serialize> InJson for T {
    fn json(&self, pretty: bool) -> String {
        json(self, pretty)
    }

    fn value(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Block {
    pub(crate) fn title(text: impl Into<String>) -> Block {
        Block::Title(text.into())
    }

    pub(crate) fn sentence(text: impl Into<String>) -> Block {
        Block::Sentence(text.into())
    }

    pub(crate) fn laid(lay: impl Fn(usize) -> String + 'static) -> Block {
        Block::Laid(Box::new(lay))
    }

    /// A text to the right of a word, from a column on; below it where the word is longer, or there is no room beside a
    /// wide column.
    pub(crate) fn hanging(word: impl Into<String>, column: usize, text: String) -> Block {
        let word = word.into();
        Block::laid(move |width| {
            let column = if column > WIDE && width < ROOMY { DEEP } else { column };
            let text = wrapped(&text, width.saturating_sub(column).max(NARROW));
            match columns(&word) + usize::from(column > WIDE) < column {
                true => {
                    let text = text.replace('\n', &format!("\n{}", " ".repeat(column)));
                    format!("{word:<column$}{text}")
                }
                false => format!("{word}\n{}", indented(&text, column)),
            }
        })
    }

    pub(crate) fn table<N: Into<String>>(
        header: impl IntoIterator<Item = N>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Block {
        Block::Table(Table::new(header, rows))
    }

    /// All of these blocks, or as many as fit on two screens: then `rest` says what is left out after as many as
    /// were printed. `free` lines before them do not count.
    pub(crate) fn fold(
        parts: impl ExactSizeIterator<Item = Block>,
        (least, free): (usize, usize),
        rest: impl Fn(usize) -> String + 'static,
    ) -> Block {
        let count = parts.len();
        let parts = parts.take(MOST).collect();
        Block::Fold(Fold { parts, count, least, free, rest: Box::new(rest) })
    }
}

/// Blocks of which the first has a title directly above it.
pub(crate) fn headed(title: impl Into<String>, blocks: Vec<Block>) -> Vec<Block> {
    let mut blocks = blocks.into_iter();
    let first = std::iter::once(Block::title(title)).chain(blocks.next());
    std::iter::once(Block::Group(first.collect())).chain(blocks).collect()
}
