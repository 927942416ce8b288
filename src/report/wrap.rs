//! Fits long texts into the window: broken at spaces, listed, cut or indented; makes the text of strangers safe to
//! print.

use std::borrow::Cow;
use std::ops::Range;
use std::path::PathBuf;

/// A text broken at spaces to lines of a width; a longer word has a line of its own.
pub(crate) fn filled(text: &str, width: usize) -> String {
    listed(text.split_whitespace(), " ", width)
}

/// A line within a width: what is longer ends in `…`.
pub(crate) fn cut(text: &str, width: usize) -> String {
    // The text until there is no room left but for the mark.
    let (mut kept, mut column) = (0, 0);
    let mut coloured = false;
    for (at, letter) in text.char_indices() {
        let hidden = coloured || letter == '\u{1b}';
        coloured = hidden && letter != 'm';
        column += usize::from(!hidden);
        if column > width {
            return format!("{}…", &text[..kept]);
        }
        if column < width {
            kept = at + letter.len_utf8();
        }
    }
    text.to_owned()
}

/// A name within a width: of what is longer the beginning and the end, by which names differ.
pub(crate) fn cut_within(name: &str, width: usize) -> String {
    let letters = name.chars().count();
    if letters <= width {
        return name.to_owned();
    }
    let room = width.saturating_sub(1);
    let end: String = name.chars().skip(letters - room / 3).collect();
    format!("{}{end}", cut(name, width - room / 3))
}

/// A line within a width that is cut behind a word, where one ends in the second half of the width.
pub(crate) fn cut_behind_word(text: &str, width: usize) -> String {
    let cut = cut(text, width);
    let Some(kept) = cut.strip_suffix('…').filter(|_| cut != text) else { return cut };
    // What is kept ends within a word, unless a space follows.
    match kept.rfind(' ').filter(|_| !text[kept.len()..].starts_with(' ')) {
        Some(space) if columns(&kept[..space]) >= width / 2 => {
            format!("{} …", kept[..space].trim_end_matches([' ', ',', ';', ':']))
        }
        _ => cut,
    }
}

/// Words with something between them, broken at no other place.
pub(crate) fn listed<'a>(
    words: impl Iterator<Item = &'a str>,
    between: &str,
    width: usize,
) -> String {
    let mut lines = vec![String::new()];
    let mut column = 0;
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let after = if words.peek().is_some() { between.trim_end() } else { "" };
        let length = columns(word) + columns(after);
        if column > 0 && column + 1 + length > width {
            lines.push(String::new());
            column = 0;
        }
        if let Some(line) = lines.last_mut() {
            if column > 0 {
                line.push(' ');
                column += 1;
            }
            line.push_str(word);
            line.push_str(after);
            column += length;
        }
    }
    lines.join("\n")
}

/// A picture of two columns: where it is too wide, the right one is below the left one. It has them where each
/// line has one ` |`, in the same column.
pub(crate) fn stacked(picture: &str, width: usize) -> String {
    let parts: Vec<(&str, &str)> =
        picture.lines().filter_map(|line| line.split_once(" |")).collect();
    let fits = picture.lines().all(|line| columns(line) <= width);
    let left = parts.first().map_or(0, |(left, _)| columns(left));
    let are_two = parts.len() == picture.lines().count()
        && parts.iter().all(|(own, right)| columns(own) == left && !right.contains('|'));
    if fits || !are_two || parts.len() < 2 {
        return picture.to_owned();
    }
    let right = parts.iter().map(|(_, right)| right.strip_prefix(' ').unwrap_or(right));
    let lines = parts.iter().map(|(left, _)| left.trim_end()).chain(right);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// A text whose lines are its own; those that are too long are broken at spaces, and continue as far
/// to the right as they begin. Nothing else changes, so columns stay columns.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let line = |line: &str| {
        let pieces = pieces(line, width);
        let between = format!("\n{}", " ".repeat(indentation(line, width)));
        pieces.iter().map(|piece| &line[piece.clone()]).collect::<Vec<_>>().join(&between)
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The pieces of a line that fit within a width one below the other, each but the first behind the
/// line's indentation: the bytes of each, without the spaces at which it is broken. A word that is
/// longer stays whole.
pub(crate) fn pieces(line: &str, width: usize) -> Vec<Range<usize>> {
    let indent = indentation(line, width);
    let (mut pieces, mut start, mut column) = (Vec::new(), 0, 0);
    // The spaces before the word that is read, and the columns of that word so far.
    let (mut gap, mut word) = (0..0, 0);
    // Whether a word is before that gap in the piece: else there is no place to break it.
    let (mut begun, mut behind) = (false, false);
    let mut coloured = false;
    for (at, letter) in line.char_indices() {
        coloured = coloured || letter == '\u{1b}';
        if coloured {
            coloured = letter != 'm';
            continue;
        }
        column += 1;
        if letter == ' ' {
            if gap.end != at {
                gap.start = at;
            }
            (gap.end, word) = (at + 1, 0);
            behind = begun;
            continue;
        }
        word += 1;
        begun = true;
        if column > width && behind {
            pieces.push(start..gap.start);
            (start, column, behind) = (gap.end, indent + word, false);
        }
    }
    pieces.push(start..line.len());
    pieces
}

/// How far in a line begins, as far as that leaves room for the text.
fn indentation(line: &str, width: usize) -> usize {
    (line.len() - line.trim_start_matches(' ').len()).min(width / 2)
}

/// How many columns a text takes; colours take none.
pub(crate) fn columns(text: &str) -> usize {
    let mut coloured = false;
    let seen = |letter: &char| {
        let hidden = coloured || *letter == '\u{1b}';
        coloured = hidden && *letter != 'm';
        !hidden
    };
    text.chars().filter(seen).count()
}

/// Entries in columns that are read downwards, as wide as the widest, this far apart, in this many lines at most; and
/// how many of the entries these hold. What is wider than the width is cut.
pub(crate) fn in_columns(
    entries: &[String],
    (width, gap): (usize, usize),
    lines: usize,
) -> (Vec<String>, usize) {
    let cut: Vec<String> = entries.iter().map(|entry| cut(entry, width)).collect();
    let widest = cut.iter().map(|entry| columns(entry)).max().unwrap_or(0);
    let across = ((width + gap) / (widest + gap).max(1)).max(1);
    let high = cut.len().div_ceil(across).min(lines);
    let shown = (high * across).min(cut.len());
    let line = |row: usize| {
        let cells = cut[..shown].iter().skip(row).step_by(high);
        let cells: Vec<String> = cells.map(|cell| format!("{cell:<widest$}")).collect();
        cells.join(&" ".repeat(gap)).trim_end().to_owned()
    };
    ((0..high).map(line).collect(), shown)
}

/// A text with all its lines moved to the right; empty ones stay empty.
pub(crate) fn indented(text: &str, columns: usize) -> String {
    let line = |line: &str| format!("{}{line}", " ".repeat(columns)).trim_end().to_owned();
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A space at which no cell is broken; no script has a use for it.
pub(super) const GLUE: char = '\u{e000}';

/// A cell in which no number is apart from its `%`.
pub(super) fn with_percent(cell: &str) -> String {
    cell.replace(" %", &format!("{GLUE}%"))
}

/// A cell in which no number is apart from its `%` or its interval.
pub(super) fn with_interval(cell: &str) -> String {
    let number = |letter: char| letter.is_ascii_digit() || " .,+-/%()to".contains(letter);
    match cell.chars().all(number) && cell.contains(|letter: char| letter.is_ascii_digit()) {
        true => cell.replace(' ', &GLUE.to_string()),
        false => with_percent(cell),
    }
}

/// The most letters of a script's own text in an error.
const LONGEST: usize = 500;

/// The text with a mark for each control character except line ends and tabs: without it an event
/// or a source line could clear the screen or overwrite it.
pub(crate) fn tame(text: &str) -> Cow<'_, str> {
    // Nearly all texts are plain, and that is quickly seen.
    let plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if !text.bytes().all(plain) && text.chars().any(is_wild) {
        text.chars().map(|c| if is_wild(c) { '\u{fffd}' } else { c }).collect()
    } else {
        Cow::Borrowed(text)
    }
}

/// The same without the characters by which tables, charts and sentences of ours are drawn, for a terminal that
/// shows ASCII alone. Where one becomes several, spaces behind it make room. Letters are those of rules, and stay.
pub(crate) fn ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut wider = 0;
    for letter in text.chars() {
        match drawn(letter) {
            Some(others) => {
                wider += others.len() - 1;
                plain.push_str(others);
            }
            None if letter == ' ' && wider > 0 && plain.ends_with(' ') => wider -= 1,
            None => {
                wider = if letter == '\n' { 0 } else { wider };
                plain.push(letter);
            }
        }
    }
    Cow::Owned(plain)
}

/// What is printed in ASCII in place of a character that is ours.
fn drawn(letter: char) -> Option<&'static str> {
    Some(match letter {
        '…' => "...",
        '±' => "+-",
        '─' | '━' | '▄' => "-",
        '═' | '▅' => "=",
        '│' | '┃' | '║' => "|",
        '┌'..='╋' | '╒'..='╬' | '▆' => "+",
        '·' | '░' | '▂' => ".",
        '▁' => "_",
        '▃' | '▒' => ":",
        '▓' | '□' => "%",
        '▇' | '●' => "*",
        '█' | '■' => "#",
        '○' => "o",
        '▲' => "^",
        '△' => "A",
        '◆' => "x",
        '◇' => "v",
        '⏎' => "/",
        '\u{fffd}' => "?",
        _ => return None,
    })
}

/// The same on one line, and no longer than an error may be.
pub(crate) fn tame_message(text: &str) -> String {
    let letters = text.chars().take(LONGEST).map(|c| match c {
        '\n' | '\t' => ' ',
        wild if is_wild(wild) => '\u{fffd}',
        other => other,
    });
    let mut message: String = letters.collect();
    if text.chars().nth(LONGEST).is_some() {
        message.push('…');
    }
    message
}

/// JSON with an escape for each of these characters: it reads back as the same value.
pub(crate) fn tame_json(json: &str) -> Cow<'_, str> {
    // They can only be within texts, where the escape means the same.
    if !json.chars().any(is_wild) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        match is_wild(letter) {
            true => {
                let units = &mut [0; 2];
                let units = letter.encode_utf16(units).iter();
                escaped.extend(units.map(|unit| format!("\\u{unit:04x}")));
            }
            false => escaped.push(letter),
        }
    }
    Cow::Owned(escaped)
}

/// A text that is part of a line, on that line: an end of a line within it is shown as a sign, so that no
/// name or option can look like two.
pub(crate) fn in_line(text: &str) -> String {
    text.replace('\n', "⏎")
}

/// A text of several lines below which others follow: all but its first line are indented, so that none
/// can look like a line of ours.
pub(crate) fn below_each_other(text: &str) -> String {
    text.replace('\n', "\n          ")
}

/// Control characters, the marks that turn the direction of a line around, and those that take no room:
/// two names that look the same could else be different.
pub(crate) fn is_wild(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// The parts of a text, and whether each is written from right to left. Without marks of its own a browser moves the
/// numbers and signs beside such a part to its other side.
pub(crate) fn directions(text: &str) -> Vec<(bool, &str)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(from) = rest.find(is_turned) {
        // A name of several words is one part; what separates names is between two.
        let mut end = from;
        for (at, letter) in rest[from..].char_indices() {
            match letter {
                letter if is_turned(letter) => end = from + at + letter.len_utf8(),
                ' ' | '-' | '\'' | '"' => {}
                _ => break,
            }
        }
        parts.extend([(false, &rest[..from]), (true, &rest[from..end])]);
        rest = &rest[end..];
    }
    parts.push((false, rest));
    parts.retain(|(_, part)| !part.is_empty());
    parts
}

/// Letters that are written from right to left: Hebrew, Arabic, Syriac and others, by the blocks that Unicode keeps for
/// them (UAX 9).
fn is_turned(letter: char) -> bool {
    matches!(
        letter,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
    )
}

/// A word for a POSIX shell, quoted if necessary.
pub(crate) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+=./:@%,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A `fracas` command for the shell: its words, then a `--rules` option for each folder.
pub(crate) fn shell_line(words: &[String], rules: &[PathBuf]) -> String {
    let mut line: Vec<String> = std::iter::once("fracas".to_owned()).collect();
    line.extend(words.iter().map(|word| shell_word(word)));
    for folder in rules {
        line.extend(["--rules".to_owned(), shell_word(&folder.display().to_string())]);
    }
    line.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_broken_at_spaces_alone() {
        assert_eq!(filled("one two  three", 7), "one two\nthree");
        assert_eq!(listed(["f(a, b)", "g(c)"].into_iter(), ", ", 9), "f(a, b),\ng(c)");
        assert_eq!(wrapped("  ab  cd\none two", 6), "  ab\n  cd\none\ntwo");
        assert_eq!(wrapped("a b\n  to north  and   far", 12), "a b\n  to north\n  and   far");
        assert_eq!(wrapped("alongerword  is  whole", 5), "alongerword\nis\nwhole");
        assert_eq!(wrapped("   alongerword", 5), "   alongerword");
        assert_eq!(wrapped("\u{1b}[31mone\u{1b}[0m two", 7), "\u{1b}[31mone\u{1b}[0m two");
        assert_eq!(indented("a\n\nb", 2), "  a\n\n  b");
    }

    #[test]
    fn two_columns_that_are_too_wide_are_below_each_other() {
        let two = "north   | south\n  a     |   b\n        |   c";
        assert_eq!(stacked(two, 15), two);
        assert_eq!(stacked(two, 14), "north\n  a\nsouth\n  b\n  c");
        // Lines of one table belong together, and so do those of a grid.
        for other in ["red     | 1\nbid", "red | 1\nblue | 2", "a | b | c\nd | e | f", "a | b"] {
            assert_eq!(stacked(other, 4), other);
        }
    }

    #[test]
    fn what_is_cut_ends_in_a_mark_within_the_width() {
        for (text, width, cut_to) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("äöüß", 3, "äö…"),
            ("ab", 1, "…"),
            ("a", 0, "…"),
            ("", 0, ""),
            ("\u{1b}[31mabcd\u{1b}[0m", 3, "\u{1b}[31mab…"),
            ("\u{1b}[31mabc\u{1b}[0m", 3, "\u{1b}[31mabc\u{1b}[0m"),
        ] {
            assert_eq!(cut(text, width), cut_to, "{text} in {width}");
        }
        // Each letter is looked at once, however many fit.
        assert_eq!(cut(&"x".repeat(1_000_000), 900_000).chars().count(), 900_000);
    }

    #[test]
    fn a_line_is_cut_behind_a_word() {
        let line = "500 of 1000; best so far: region_worth=3";
        assert_eq!(cut_behind_word(line, 40), line);
        assert_eq!(cut_behind_word(line, 30), "500 of 1000; best so far …");
        assert_eq!(cut_behind_word(line, 23), "500 of 1000; best so …");
        // A long word is cut rather than left out.
        assert_eq!(cut_behind_word("a bcdefghij", 6), "a bcd…");
    }

    #[test]
    fn a_word_without_end_behind_spaces_without_end_stays_whole() {
        let line = format!("{}{} b", " ".repeat(200_000), "x".repeat(200_000));
        assert_eq!(pieces(&line, 80), [0..400_000, 400_001..400_002]);
    }
}

#[cfg(test)]
mod sanitize_tests {
    use super::{shell_word, *};

    #[test]
    fn commands_for_the_terminal_do_not_pass() {
        assert_eq!(tame("a\x1b[2Jb\n"), "a\u{fffd}[2Jb\n");
        assert_eq!(tame("naïve\tword"), "naïve\tword");
        assert_eq!(tame("re\u{200b}d \u{feff}"), "re\u{fffd}d \u{fffd}");
        assert_eq!(in_line("one\n  2  two"), "one⏎  2  two");
        assert_eq!(tame_message("a\nb\x07\u{202e}"), "a b\u{fffd}\u{fffd}");
        assert_eq!(tame_json("\"a\u{9b}\""), "\"a\\u009b\"");
        assert_eq!(tame_json("\"\u{e0001}\""), "\"\\udb40\\udc01\"");
        assert_eq!(tame_message(&"x".repeat(600)).chars().count(), 501);
    }

    #[test]
    fn what_a_shell_would_read_otherwise_is_quoted() {
        assert_eq!(shell_word("duel/ford"), "duel/ford");
        assert_eq!(shell_word("red=bluffer(rate=3)"), "'red=bluffer(rate=3)'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
