//! Finds the word at the cursor that can be explained.

use super::brackets::call_at;
use crate::lab::{Kind, tokens};
use crate::repl::commands::MARK;

/// The word at the cursor that can be explained: a command with its mark, a name, else the
/// function that is called there.
pub(super) fn at(line: &str, cursor: usize) -> Option<String> {
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
