//! Escapes text for HTML, in elements and in attributes.

use std::fmt::{Result, Write};

use askama::filters::{Escaper, Html};

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
