//! HTML tables of the report, with captions, heads and room to scroll; and the escaping of all its text.

use std::fmt::{Result, Write};

use askama::Template;
use askama::filters::{Escaper, Html};

/// Numbers below heads; the first cell of each row heads it.
#[derive(Template)]
#[template(path = "table.html", config = "src/tournament/report/askama.toml")]
pub(super) struct HtmlTable {
    pub caption: String,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl HtmlTable {
    /// A table with these heads.
    pub(super) fn new(caption: &str, header: &[&str], rows: Vec<Vec<String>>) -> HtmlTable {
        let header = header.iter().map(|head| (*head).to_owned()).collect();
        HtmlTable { caption: caption.to_owned(), header, rows }
    }
}

/// Escapes text in elements and in attributes; control characters and marks that turn the direction
/// of the line are replaced by U+FFFD.
#[derive(Clone, Copy)]
pub(super) struct Tame;

impl Escaper for Tame {
    fn write_escaped_str<W: Write>(&self, dest: W, text: &str) -> Result {
        Html.write_escaped_str(dest, &crate::render::tame(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let mut page = String::new();
        Tame.write_escaped_str(&mut page, "<script>alert('&\"')</script>\u{202e}").unwrap();
        let own = ["<", ">", "'", "\"", "\u{202e}"];
        assert!(own.iter().all(|letter| !page.contains(letter)), "{page}");
        assert!(page.ends_with('\u{fffd}'), "{page}");
    }
}
