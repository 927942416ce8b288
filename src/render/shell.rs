//! Quotes words and command lines for a POSIX shell.

use std::path::PathBuf;

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
    use super::shell_word;

    #[test]
    fn what_a_shell_would_read_otherwise_is_quoted() {
        assert_eq!(shell_word("duel/ford"), "duel/ford");
        assert_eq!(shell_word("red=bluffer(rate=3)"), "'red=bluffer(rate=3)'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
