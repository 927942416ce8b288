//! Splits the line of a command into words: at spaces, except within quotes.

use crate::error::Error;

/// A word of a command's line, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its start in the line, in bytes.
    pub start: usize,
    pub text: String,
}

/// The words of a whole line.
///
/// # Errors
/// [`Error::Usage`] for a quote that is not closed.
pub(crate) fn split(line: &str) -> Result<Vec<String>, Error> {
    let (mut words, quote) = typed(line, 0);
    if let Some(mark) = quote {
        return Err(Error::usage(format!("the {mark} is not closed")));
    }
    words.pop_if(|last| last.start == line.len());
    Ok(words.into_iter().map(|word| word.text).collect())
}

/// The words of a line from a position, and the quote that is open; the last word is being typed, and is
/// empty after a space. Quotes of either kind keep a word together.
pub(crate) fn typed(line: &str, from: usize) -> (Vec<Word>, Option<char>) {
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
    (words, quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_a_word_together() {
        let words = split("  a --param name=\"two words\" '' b ").unwrap();
        assert_eq!(words, ["a", "--param", "name=two words", "", "b"]);
        assert_eq!(split("a ''").unwrap(), ["a", ""]);
        assert!(split(" ").unwrap().is_empty());
        assert!(split("say \"this").is_err());
    }

    #[test]
    fn words_keep_their_places() {
        let (words, quote) = typed(":open a/b  \"two wo", 1);
        let found: Vec<(usize, &str)> =
            words.iter().map(|word| (word.start, word.text.as_str())).collect();
        assert_eq!((found, quote), (vec![(1, "open"), (6, "a/b"), (11, "two wo")], Some('"')));
        let (words, _) = typed(":load ", 1);
        assert_eq!(words.last(), Some(&Word { start: 6, text: String::new() }));
    }
}
