//! Lays out completion candidates below a line: one per row with its description, or in columns.

use super::{Candidate, Place};
use crate::render;

const GAP: usize = 2;

/// The rows of a window that are left free for the lines above.
const ABOVE: usize = 4;

/// Candidates below the line, as many rows as there is room for, each within the columns. Those
/// that are too many are counted; a row begins with the end of the one before it.
pub(super) fn menu(candidates: &[Candidate], place: Place) -> String {
    let columns = place.columns.saturating_sub(1).max(1);
    let rows = place.rows.saturating_sub(ABOVE).clamp(1, 20);
    let widest = candidates.iter().map(|one| length(&one.shown)).max().unwrap_or_default();
    let noted = candidates.iter().any(|one| !one.note.is_empty());
    let lines: Vec<String> = if noted && candidates.len() <= rows {
        let name = widest.min(columns / 2);
        let row = |one: &Candidate| {
            let row = format!("{:<name$}  {}", one.shown, one.note);
            cut(row.trim_end(), columns)
        };
        candidates.iter().map(row).collect()
    } else {
        in_columns(candidates, widest.min(columns), columns, rows)
    };
    lines.iter().map(|line| format!("\n{line}")).collect()
}

/// Column after column, as in a list of files.
fn in_columns(all: &[Candidate], widest: usize, columns: usize, rows: usize) -> Vec<String> {
    let across = ((columns + GAP) / (widest + GAP)).max(1);
    let fits = across * rows >= all.len();
    // The last row is for the count of those that find no room.
    let shown = if fits { all.len() } else { across * rows.saturating_sub(1) };
    let down = shown.div_ceil(across);
    let mut lines = Vec::new();
    for row in 0..down {
        let mut line = String::new();
        for one in all[..shown].iter().skip(row).step_by(down) {
            if !line.is_empty() {
                line.push_str(&" ".repeat(GAP));
            }
            line.push_str(&format!("{:<widest$}", cut(&one.shown, widest)));
        }
        lines.push(cut(line.trim_end(), columns));
    }
    if !fits {
        lines.push(cut(&format!("… and {} more", all.len() - shown), columns));
    }
    lines
}

/// A text on one line that is no wider than this many columns.
pub(super) fn cut(text: &str, columns: usize) -> String {
    render::cut(&render::tame_message(text), columns)
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(columns: usize, rows: usize) -> Place {
        Place { columns, rows, room: columns, coloured: true }
    }

    #[test]
    fn plain_candidates_stand_in_columns() {
        let all: Vec<Candidate> = ('a'..='g').map(Candidate::plain).collect();
        assert_eq!(menu(&all, place(11, 30)), "\na  c  e  g\nb  d  f");
        assert_eq!(menu(&all, place(80, 30)), "\na  b  c  d  e  f  g");
    }

    #[test]
    fn what_finds_no_room_is_counted_and_cut() {
        let all: Vec<Candidate> =
            (0..400).map(|i| Candidate::plain(format!("an option of length {i:03}"))).collect();
        for (columns, rows) in [(20, 8), (40, 10), (80, 24), (1, 1)] {
            let text = menu(&all, place(columns, rows));
            let lines: Vec<&str> = text.lines().skip(1).collect();
            assert!(lines.len() < rows.max(2), "{columns}x{rows}: {text}");
            assert!(lines.iter().all(|line| line.chars().count() <= columns), "{text}");
        }
        assert!(menu(&all, place(40, 10)).ends_with("\n… and 395 more"));
    }

    #[test]
    fn a_word_on_each_is_beside_it() {
        let all =
            [Candidate::noted("roll(", "Rolls."), Candidate::noted("rank(", "Ranks all of it.")];
        assert_eq!(menu(&all, place(20, 30)), "\nroll  Rolls.\nrank  Ranks all of…");
    }
}
