//! How does a long text fit the window? Broken at spaces.

/// A text broken at spaces to lines of a width; a word that is longer stands alone.
pub fn filled(text: &str, width: usize) -> String {
    listed(text.split_whitespace(), " ", width)
}

/// A line within a width: what is longer ends in `…`.
pub fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    for letter in text.chars() {
        if columns(&cut) + columns(letter.encode_utf8(&mut [0; 4])) + 1 > width {
            break;
        }
        cut.push(letter);
    }
    cut.push('…');
    cut
}

/// Words with something between them, broken at no other place.
pub fn listed<'a>(words: impl Iterator<Item = &'a str>, between: &str, width: usize) -> String {
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

/// A text whose lines are its own; those that are too long are broken.
pub fn wrapped(text: &str, width: usize) -> String {
    let fits = |line: &str| columns(line) <= width;
    let line = |line: &str| if fits(line) { line.to_owned() } else { filled(line, width) };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// How many columns a text takes; colours take none.
fn columns(text: &str) -> usize {
    let mut coloured = false;
    let seen = |letter: &char| {
        let hidden = coloured || *letter == '\u{1b}';
        coloured = hidden && *letter != 'm';
        !hidden
    };
    text.chars().filter(seen).count()
}

/// A text with all its lines moved to the right; empty ones stay empty.
pub fn indented(text: &str, columns: usize) -> String {
    let line = |line: &str| format!("{}{line}", " ".repeat(columns)).trim_end().to_owned();
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_broken_at_spaces_alone() {
        assert_eq!(filled("one two  three", 7), "one two\nthree");
        assert_eq!(listed(["f(a, b)", "g(c)"].into_iter(), ", ", 9), "f(a, b),\ng(c)");
        assert_eq!(wrapped("  ab  cd\none two", 6), "ab cd\none\ntwo");
        assert_eq!(wrapped("\u{1b}[31mone\u{1b}[0m two", 7), "\u{1b}[31mone\u{1b}[0m two");
        assert_eq!(indented("a\n\nb", 2), "  a\n\n  b");
    }
}
