//! A place in a file: path, line and column.

use std::fmt;

use serde::Serialize;

/// A point in a file, as editors count: lines and columns from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Location {
    /// The file's path, as the user would open it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1; `None` where only the line is known.
    #[serde(skip)]
    pub column: Option<usize>,
}

impl Location {
    /// The point at a byte offset of a text; offsets past the end are clamped to it.
    pub(crate) fn in_text(file: &str, text: &str, offset: usize) -> Location {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Location { file: file.to_owned(), line, column: Some(column) }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "{}:{}:{column}", self.file, self.line),
            None => write!(f, "{}:{}", self.file, self.line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_becomes_line_and_column_in_characters() {
        let at = |offset| Location::in_text("a.toml", "é = 1\nb = 2\n", offset).to_string();
        assert_eq!(at(0), "a.toml:1:1");
        assert_eq!(at(3), "a.toml:1:3");
        assert_eq!(at(7), "a.toml:2:1");
        assert_eq!(at(99), "a.toml:3:1");
    }
}
