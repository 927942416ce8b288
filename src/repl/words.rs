//! Splits the line of a command into words: at spaces, except within quotes.

use crate::error::Error;

/// The words of a line; quotes of either kind keep a word together.
///
/// # Errors
/// [`Error::Usage`] for a quote that is not closed.
pub fn split(line: &str) -> Result<Vec<String>, Error> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for letter in line.chars() {
        match quote {
            Some(mark) if letter == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                word.get_or_insert_default();
                quote = Some(letter);
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    if let Some(mark) = quote {
        return Err(Error::usage(format!("the {mark} is not closed")));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_keep_a_word_together() {
        let words = split("  a --param name=\"two words\" '' b ").unwrap();
        assert_eq!(words, ["a", "--param", "name=two words", "", "b"]);
        assert!(split("say \"this").is_err());
    }
}
