//! Prints reports as text, for terminals and, where it is plain, without what screen readers cannot read.

use super::block::SCREENS;
use super::{Block, Fold, Report, bars, indented, value, wrapped};

/// Prints blocks within a width; `plain` draws no lines and uses ASCII alone for bars and curves.
#[derive(Clone, Copy)]
struct TextPrinter {
    width: usize,
    plain: bool,
}

/// How a session prints what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowStyle {
    /// The columns to write for.
    pub width: usize,
    /// No boxes.
    pub plain: bool,
    /// For programs, a line each.
    pub json: bool,
}

impl Default for ShowStyle {
    fn default() -> ShowStyle {
        ShowStyle { width: 80, plain: false, json: false }
    }
}

impl Report<'_> {
    /// The finding in a session: as a line of JSON, or for people.
    pub(crate) fn shown(&self, look: ShowStyle) -> String {
        if look.json { self.json(false) } else { self.text(look.width, look.plain) }
    }

    /// The finding for people, within `width` columns; `plain` draws no lines and uses ASCII alone for bars and
    /// curves.
    pub fn text(&self, width: usize, plain: bool) -> String {
        text(&self.blocks, width, plain)
    }
}

pub(crate) fn text(blocks: &[Block], width: usize, plain: bool) -> String {
    TextPrinter { width, plain }.all(blocks, "\n\n")
}

impl TextPrinter {
    fn all(self, blocks: &[Block], between: &str) -> String {
        let mut text = String::new();
        for block in blocks {
            let part = match block {
                Block::Fold(fold) => self.fold(fold, &text),
                block => self.one(block),
            };
            if !part.is_empty() && !text.is_empty() {
                text.push_str(between);
            }
            text.push_str(&part);
        }
        text
    }

    fn one(self, block: &Block) -> String {
        let TextPrinter { width, plain } = self;
        match block {
            Block::Title(text) | Block::Sentence(text) => wrapped(text, width),
            Block::Code(text) => text.clone(),
            Block::Laid(lay) => lay(width),
            Block::Data(data) => value::value(data, width, plain),
            Block::Picture(text) => indented(&wrapped(text.trim_end(), width.saturating_sub(2)), 2),
            Block::Table(table) => table.text(width, plain),
            Block::Bars(lines) => bars::text(lines, width, plain),
            Block::Figure(figure) => figure.text(width, plain),
            Block::Link { words, path } => wrapped(&format!("{words}: {path}"), width),
            Block::Film(_) | Block::Download { .. } => String::new(),
            Block::Beside(columns) => {
                let below = |(title, code): &(String, String)| {
                    [wrapped(title, width), self.one(&Block::Code(code.clone()))].join("\n")
                };
                columns.iter().map(below).collect::<Vec<_>>().join("\n\n")
            }
            Block::Collapsed(title, blocks) => {
                [wrapped(title, width), self.all(blocks, "\n\n")].join("\n")
            }
            Block::Group(blocks) => self.all(blocks, "\n"),
            Block::Forms(forms) => {
                let fits = forms.iter().find(|(least, _)| *least <= width).or(forms.last());
                fits.map(|(_, blocks)| self.all(blocks, "\n\n")).unwrap_or_default()
            }
            Block::Fold(fold) => self.fold(fold, ""),
        }
    }

    /// The first parts that fit below a text, and what is said of the others.
    fn fold(self, fold: &Fold, above: &str) -> String {
        let Fold { parts, count, least, free, rest } = fold;
        let above = above.lines().count() + usize::from(!above.is_empty());
        let drawn = |shown: usize| match fold.table(shown) {
            Some(table) => table.text(self.width, self.plain),
            None => self.all(&parts[..shown], "\n\n"),
        };
        let fits = |shown: usize| above + drawn(shown).lines().count() < SCREENS + free;
        let (mut shown, mut most) = (*least.min(&parts.len()), parts.len().min(SCREENS + free));
        while shown < most {
            let more = (shown + most).div_ceil(2);
            if fits(more) {
                shown = more;
            } else {
                most = more - 1;
            }
        }
        let rest = (shown < *count).then(|| wrapped(&rest(shown), self.width));
        let parts = [drawn(shown), rest.unwrap_or_default()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(lines: usize) -> Block {
        let parts = (0..lines).map(|n| Block::sentence(n.to_string()));
        Block::fold(parts, (0, 0), move |shown| format!("{} more", lines - shown))
    }

    #[test]
    fn blocks_have_an_empty_line_between_them_unless_they_belong_together() {
        let group = vec![Block::title("odds"), Block::sentence(""), Block::sentence("a b")];
        let blocks = [Block::Group(group), Block::sentence(""), Block::Picture("x\n".to_owned())];
        assert_eq!(text(&blocks, 1, true), "odds\na\nb\n\n  x");
    }

    #[test]
    fn the_first_form_that_fits_is_printed_or_else_the_last() {
        let forms = vec![(9, vec![Block::title("wide")]), (5, vec![Block::title("less")])];
        let forms = [Block::Forms(forms)];
        assert_eq!([9, 8, 4].map(|width| text(&forms, width, true)), ["wide", "less", "less"]);
    }

    #[test]
    fn what_does_not_fit_on_two_screens_is_counted() {
        // With the empty lines between them 23 parts take 45 lines, and 24 take 47.
        assert!(text(&[fold(23)], 80, true).ends_with("22"));
        assert!(text(&[fold(24)], 80, true).ends_with("\n\n22\n\n1 more"));
        // Two lines above take one part's room.
        assert!(text(&[Block::title("a"), fold(24)], 80, true).ends_with("\n\n21\n\n2 more"));
    }
}
