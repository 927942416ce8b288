//! Finds what has changed in a picture since it was last seen: line by line, and within a line word by word.

use std::hash::Hash;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::render;

/// The mark in the margin of a changed line, if nothing can be shown in bold. It is no `>`,
/// so that a line of a picture that is pasted back is never taken for one that was typed.
const MARK: &str = "* ";
/// The margin of all other lines.
const MARGIN: &str = "  ";

/// A picture with what has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Its lines, from the top down.
    pub lines: Vec<PictureLine>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PictureLine {
    /// What is there.
    pub text: String,
    /// The characters that have changed, counted from 0, in order.
    pub changed: Vec<Range<usize>>,
}

impl Picture {
    /// A picture and what has changed since another one; nothing where there was none.
    pub fn since(text: &str, before: Option<&str>) -> Picture {
        let now: Vec<&str> = text.lines().map(str::trim_end).collect();
        let changed = match before {
            None => vec![Vec::new(); now.len()],
            Some(before) => {
                let before: Vec<&str> = before.lines().map(str::trim_end).collect();
                changes(&before, &now)
            }
        };
        let line = |(text, changed): (&str, Vec<Range<usize>>)| PictureLine {
            text: text.to_owned(),
            changed,
        };
        Picture { lines: now.into_iter().zip(changed).map(line).collect() }
    }

    /// The same picture with its long lines broken at spaces, so that no terminal breaks them within
    /// a word.
    pub fn within(&self, width: usize) -> Picture {
        Picture { lines: self.lines.iter().flat_map(|line| line.within(width)).collect() }
    }

    /// As text without colours: a mark in the margin of each line that has changed.
    pub fn marked(&self) -> String {
        let line = |line: &PictureLine| {
            let margin = if line.changed.is_empty() { MARGIN } else { MARK };
            format!("{margin}{}", line.text).trim_end().to_owned()
        };
        self.lines.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl PictureLine {
    fn within(&self, width: usize) -> Vec<PictureLine> {
        let letters = |bytes: &str| bytes.chars().count();
        let cut = render::pieces(&self.text, width);
        let last = cut.len().saturating_sub(1);
        // The pieces are in order, and so do the changes: each is read once.
        let (mut byte, mut letter, mut first) = (0, 0, 0);
        let line = |(i, piece): (usize, Range<usize>)| {
            let indent = if i == 0 { 0 } else { render::indentation(&self.text, width) };
            let start = letter + letters(&self.text[byte..piece.start]);
            let end = start + letters(&self.text[piece.clone()]);
            (byte, letter) = (piece.end, end);
            first += self.changed[first..].iter().take_while(|range| range.end < start).count();
            let near = self.changed[first..].iter().take_while(|range| range.start <= end);
            let within = |range: &Range<usize>| {
                let (from, to) = (range.start.clamp(start, end), range.end.clamp(start, end));
                // A change at the very end is one of the last piece.
                let is_here = from < to || range.is_empty() && i == last;
                is_here.then(|| from - start + indent..to - start + indent)
            };
            let text = format!("{}{}", " ".repeat(indent), &self.text[piece]);
            PictureLine { text, changed: near.filter_map(within).collect() }
        };
        cut.into_iter().enumerate().map(line).collect()
    }

    /// The line in pieces, each with whether it has changed.
    pub(crate) fn pieces(&self) -> Vec<(String, bool)> {
        let mut pieces: Vec<(String, bool)> = Vec::new();
        let mut changed = self.changed.iter().peekable();
        for (at, letter) in self.text.chars().enumerate() {
            while changed.next_if(|range| range.end <= at).is_some() {}
            let new = changed.peek().is_some_and(|range| range.contains(&at));
            match pieces.last_mut().filter(|(_, last)| *last == new) {
                Some((piece, _)) => piece.push(letter),
                None => pieces.push((letter.to_string(), new)),
            }
        }
        pieces
    }
}

/// What has changed in each line. Pictures of the same height are compared line by line; of others
/// the lines are paired that are alike, in order.
fn changes(before: &[&str], now: &[&str]) -> Vec<Vec<Range<usize>>> {
    if before.len() == now.len() {
        return before.iter().zip(now).map(|(before, now)| words(before, now)).collect();
    }
    let mut changed: Vec<_> = now.iter().map(|line| words("", line)).collect();
    alike(before, now).into_iter().for_each(|(_, kept)| changed[kept].clear());
    changed
}

/// The words of a line that differ from those in the same columns before. A line of which nothing is
/// left but less than there was has changed at its end.
fn words(before: &str, now: &str) -> Vec<Range<usize>> {
    if before == now {
        return Vec::new();
    }
    let before: Vec<char> = before.chars().collect();
    let now: Vec<char> = now.chars().collect();
    let differs = |at: usize| before.get(at).unwrap_or(&' ') != &now[at];
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < now.len() {
        let end = at + now[at..].iter().take_while(|letter| !letter.is_whitespace()).count();
        if end == at {
            at += 1;
            continue;
        }
        // Letters after a word that is shorter now belong to it.
        let longer = before.get(end).is_some_and(|letter| !letter.is_whitespace());
        if (at..end).any(differs) || longer {
            match ranges.last_mut().filter(|last| last.end + 1 == at) {
                Some(last) => last.end = end,
                None => ranges.push(at..end),
            }
        }
        at = end;
    }
    if ranges.is_empty() {
        ranges.push(now.len()..now.len());
    }
    ranges
}

/// The places of lines that both have, in order: a longest sequence of them, unless they are so
/// long and so different that looking for it would take too much time (Myers, 1986, "An O(ND)
/// Difference Algorithm and Its Variations", in linear space and cut short by heuristics).
pub(super) fn alike<T: Copy + Default + Eq + Hash>(before: &[T], now: &[T]) -> Vec<(usize, usize)> {
    let mut input = InternedInput::default();
    input.update_before(before.iter().copied());
    input.update_after(now.iter().copied());
    let diff = Diff::compute(Algorithm::Myers, &input);
    let kept = (0..before.len()).filter(|&at| !diff.is_removed(at as u32));
    kept.zip((0..now.len()).filter(|&at| !diff.is_added(at as u32))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_picture_has_no_mark() {
        assert_eq!(Picture::since("a\n b\n", None).marked(), "  a\n   b");
    }

    #[test]
    fn changed_lines_are_marked_and_changed_words_known() {
        let picture = Picture::since("gold 3 | gold 12\nend", Some("gold 5 | gold 12\nend"));
        assert_eq!(picture.marked(), "* gold 3 | gold 12\n  end");
        let pieces: Vec<(&str, bool)> = vec![("gold ", false), ("3", true), (" | gold 12", false)];
        let found = picture.lines[0].pieces();
        let found: Vec<(&str, bool)> =
            found.iter().map(|(text, new)| (text.as_str(), *new)).collect();
        assert_eq!(found, pieces);
    }

    #[test]
    fn a_word_that_grew_shrank_or_went_is_a_change() {
        let ends = |before, now| -> Vec<(usize, usize)> {
            words(before, now).into_iter().map(|range| (range.start, range.end)).collect()
        };
        assert_eq!(ends("hand 12 x", "hand 1  x"), [(5, 6)]);
        assert_eq!(ends("hand 1", "hand 1 two three"), [(7, 16)]);
        // Nothing is bold, but the line is marked.
        assert_eq!(ends("hand 1 two", "hand 1"), [(6, 6)]);
        assert!(words("hand 1", "hand 1").is_empty());
    }

    #[test]
    fn a_long_line_is_broken_with_what_has_changed_in_it() {
        let picture = Picture::since("  red has three left", Some("  red had three left"));
        let broken = picture.within(10);
        let found: Vec<(&str, Vec<(usize, usize)>)> = broken
            .lines
            .iter()
            .map(|line| {
                let ends = line.changed.iter().map(|range| (range.start, range.end));
                (line.text.as_str(), ends.collect())
            })
            .collect();
        assert_eq!(found, [("  red has", vec![(6, 9)]), ("  three", vec![]), ("  left", vec![])]);
        // What is gone from the end is gone from the last piece.
        let shorter = Picture::since("one two", Some("one two three")).within(4);
        assert_eq!(shorter.marked(), "  one\n* two");
    }

    #[test]
    fn lines_that_come_or_go_leave_the_others_as_they_were() {
        let picture = Picture::since("a\nnew\nb", Some("a\nb"));
        assert_eq!(picture.marked(), "  a\n* new\n  b");
        assert_eq!(Picture::since("b", Some("a\nb")).marked(), "  b");
        assert_eq!(alike(&[1, 2, 3, 4], &[2, 9, 4]), [(1, 0), (3, 2)]);
    }

    #[test]
    fn long_pictures_that_have_nothing_in_common_are_compared_too() {
        // A table of lines by lines would take 150 GiB.
        let lines = |from: usize, to: usize| -> Vec<usize> { (from..to).collect() };
        assert_eq!(alike(&lines(0, 200_000), &lines(200_000, 300_001)), []);
        // Half of the lines come back, among as many others.
        let before = lines(0, 200_000);
        let now: Vec<usize> =
            (0..200_001).map(|at| if at % 2 == 0 { at } else { at + 1_000_000 }).collect();
        let kept = alike(&before, &now);
        assert!(kept.iter().all(|&(one, other)| before[one] == now[other]));
        assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    }

    #[test]
    fn a_long_line_is_cut_in_pieces_in_one_go() {
        let now: String = (0..200_000).map(|at| format!("{} ", at % 2)).collect();
        let before = now.replace('1', "0");
        let picture = Picture::since(&now, Some(&before));
        // Each 1 is a change of its own, and the words between are none.
        assert_eq!(picture.lines[0].changed.len(), 100_000);
        assert_eq!(picture.lines[0].pieces().len(), 200_000);
        // Ten columns take five of the digits, with a space behind each but the last.
        let broken = picture.within(10);
        assert_eq!(broken.lines.len(), 40_000);
        let changed: usize = broken.lines.iter().map(|line| line.changed.len()).sum();
        assert_eq!(changed, 100_000);
    }
}
