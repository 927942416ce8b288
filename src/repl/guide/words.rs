//! Splits the line of a command into words while it is typed, and finds the word at the cursor.

use super::brackets::call_at;
use crate::lab::{Kind, tokens};
use crate::repl::commands::MARK;

/// A word of a command's line, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its start in the line, in bytes.
    pub start: usize,
    /// The text so far.
    pub text: String,
}

/// The words of a line from a position; the last one is being typed, and is empty after a space.
pub fn split(line: &str, from: usize) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word = Word { start: from, text: String::new() };
    let mut quote: Option<char> = None;
    for (at, letter) in line[from..].char_indices().map(|(at, letter)| (from + at, letter)) {
        match quote {
            Some(mark) if letter == mark => quote = None,
            Some(_) => word.text.push(letter),
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None if letter.is_whitespace() => {
                let next = Word { start: at + letter.len_utf8(), text: String::new() };
                let done = std::mem::replace(&mut word, next);
                if done.start < at {
                    words.push(done);
                }
            }
            None => word.text.push(letter),
        }
    }
    words.push(word);
    words
}

/// The word at the cursor that can be explained: a command with its mark, a name, else the
/// function that is called there.
pub fn at(line: &str, cursor: usize) -> Option<String> {
    let before = line.get(..cursor)?;
    let trimmed = line.trim_start();
    if let Some(command) = trimmed.strip_prefix(MARK) {
        let name = command.split_whitespace().next().unwrap_or_default();
        let ends = line.len() - trimmed.len() + MARK.len_utf8() + name.len();
        if cursor <= ends || !before[ends..].trim_end().contains(' ') {
            return Some(format!("{MARK}{name}"));
        }
    }
    let all = tokens(line);
    let beside = all
        .iter()
        .find(|token| token.kind == Kind::Word && token.start <= cursor && cursor <= token.end);
    match beside {
        Some(token) => Some(line[token.start..token.end].to_owned()),
        None => call_at(before).map(|call| call.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_places() {
        let words = split(":open a/b  \"two wo", 1);
        let told: Vec<(usize, &str)> =
            words.iter().map(|word| (word.start, word.text.as_str())).collect();
        assert_eq!(told, [(1, "open"), (6, "a/b"), (11, "two wo")]);
        assert_eq!(split(":load ", 1).last(), Some(&Word { start: 6, text: String::new() }));
    }

    #[test]
    fn the_word_at_the_cursor_is_explained() {
        for (line, cursor, word) in [
            ("trim(x)", 2, Some("trim")),
            ("trim(x)", 4, Some("trim")),
            ("trim(1, 2)", 8, Some("trim")),
            (":open a", 2, Some(":open")),
            (":doc trim", 8, Some("trim")),
            ("1 + 2", 2, None),
            ("", 0, None),
        ] {
            assert_eq!(at(line, cursor).as_deref(), word, "{line} {cursor}");
        }
    }
}
