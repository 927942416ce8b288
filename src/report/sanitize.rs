//! Makes the text of strangers safe to print: without control characters, or quoted for a POSIX shell.

use std::borrow::Cow;
use std::path::PathBuf;

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
fn is_wild(c: char) -> bool {
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
