//! Shortens a picture that is taller than the window, without a gap in the middle.

use std::ops::Range;

use super::picture::{Picture, PictureLine};
use crate::render;

/// More than this many windows are not printed of a picture that has been seen before.
const WINDOWS: usize = 2;

impl Picture {
    /// The same picture for a window that has room for this many rows. Where it is taller, blocks that have not
    /// changed are counted instead: those at its end, then texts at its top. A board is whole, and nothing
    /// between the first change and the last is left out; what is still too tall scrolls. The first picture is
    /// whole: all of it is new.
    pub fn fitting(&self, rows: usize) -> Picture {
        let changed = |line: &PictureLine| !line.changed.is_empty();
        let (first, last) =
            (self.lines.iter().position(changed), self.lines.iter().rposition(changed));
        let (Some(first), Some(last)) = (first, last) else { return self.clone() };
        if self.lines.len() <= rows {
            return self.clone();
        }
        let most = rows.saturating_mul(WINDOWS).max(2);
        let mut shown = self.without_blocks(first..last + 1, rows);
        if shown.len() > most {
            shown = first..last + 1;
        }
        let counted = |lines: usize| {
            let text = format!("… {} as before", render::many(lines as u64, "line"));
            (lines > 0).then_some(PictureLine { text, changed: Vec::new() })
        };
        let mut lines: Vec<PictureLine> = counted(shown.start).into_iter().collect();
        lines.extend(self.lines[shown.clone()].iter().cloned());
        lines.extend(counted(self.lines.len() - shown.end));
        if lines.len() > most {
            let left = lines.len() - (most - 1);
            lines.truncate(most - 1);
            let text = format!("… {left} more: `:picture` shows all");
            lines.push(PictureLine { text, changed: Vec::new() });
        }
        Picture { lines }
    }

    /// The lines that are left where as many blocks outside a range go as must.
    fn without_blocks(&self, range: Range<usize>, rows: usize) -> Range<usize> {
        let blocks = self.blocks();
        let (mut from, mut to) = (0, blocks.len());
        loop {
            let lines = blocks[from].start..blocks[to - 1].end;
            let counts = usize::from(from > 0) + usize::from(to < blocks.len());
            if lines.len() + counts <= rows {
                return lines;
            }
            if blocks[to - 1].start >= range.end {
                to -= 1;
            } else if blocks[from].end <= range.start && !is_board(&self.lines[blocks[from].start])
            {
                from += 1;
            } else {
                return lines;
            }
        }
    }

    /// The lines of each block: a board, or a text up to an empty line, which belongs to it.
    fn blocks(&self) -> Vec<Range<usize>> {
        let is_empty = |line: &PictureLine| line.text.trim().is_empty();
        let mut blocks: Vec<Range<usize>> = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &self.lines[before]);
            let continues = before.is_some_and(|before| {
                is_empty(line) || !is_empty(before) && is_board(before) == is_board(line)
            });
            match blocks.last_mut().filter(|_| continues) {
                Some(block) => block.end = at + 1,
                None => blocks.push(at..at + 1),
            }
        }
        blocks
    }
}

/// Whether a line is one of a board that is drawn with lines between its cells.
fn is_board(line: &PictureLine) -> bool {
    let text = line.text.trim();
    let edge = |letter: char| "+|│┃║├┌└┤┐┘╔╚╠╗╝╣┏┗┣┓┛┫".contains(letter);
    text.starts_with(edge) && text.ends_with(edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(now: &str, before: &str) -> Picture {
        Picture::since(now, Some(before))
    }

    #[test]
    fn a_picture_too_tall_for_the_window_leaves_out_blocks_that_have_not_changed() {
        let text = |changed: &str| format!("title\n\na\n{changed}\n\nlegend\nlegend");
        let picture = picture(&text("new"), &text("old"));
        assert_eq!(picture.fitting(7), picture);
        assert_eq!(picture.fitting(6).marked(), "  title\n\n  a\n* new\n\n  … 2 lines as before");
        assert_eq!(
            picture.fitting(5).marked(),
            "  … 2 lines as before\n  a\n* new\n\n  … 2 lines as before"
        );
        // The first one is shown whole.
        let first = Picture::since(&text("new"), None);
        assert_eq!(first.fitting(2), first);
    }

    #[test]
    fn a_board_is_never_cut() {
        let text = |cell: &str, hand: &str| {
            format!("title\n+---+\n| a |\n+---+\n| {cell} |\n+---+\nhand {hand}\nlegend")
        };
        // One cell in the middle has changed: the board is there, the text below it is not.
        let cell = picture(&text("x", "1"), &text("b", "1"));
        assert_eq!(
            cell.fitting(7).marked(),
            "  title\n  +---+\n  | a |\n  +---+\n* | x |\n  +---+\n  … 2 lines as before"
        );
        // Above what has changed it stays too, and scrolls.
        let hand = picture(&text("x", "1"), &text("x", "2"));
        assert_eq!(
            hand.fitting(6).marked(),
            "  … 1 line as before\n  +---+\n  | a |\n  +---+\n  | x |\n  +---+\n* hand 1\n  legend"
        );
    }

    #[test]
    fn of_a_picture_of_many_windows_what_has_changed_is_left() {
        let text = |changed: &str| format!("{}{changed}\n{}", "a\n".repeat(50), "b\n".repeat(50));
        let picture = picture(&text("new"), &text("old"));
        assert_eq!(
            picture.fitting(5).marked(),
            "  … 50 lines as before\n* new\n  … 50 lines as before"
        );
        let all = Picture::since(&"new\n".repeat(100), Some(&"old\n".repeat(100)));
        assert_eq!(all.fitting(5).lines.len(), 10);
        assert!(all.fitting(5).marked().ends_with("\n  … 91 more: `:picture` shows all"));
    }
}
