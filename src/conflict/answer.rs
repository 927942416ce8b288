//! What is a person asked, and what does a typed word answer?

use super::{Go, Play, Standing};
use crate::error::{Error, nearest};
use crate::game::{Asked, Value};

impl Play {
    /// The decision a person is asked now.
    pub fn asked(&self) -> Option<&Asked> {
        match self.standing() {
            // Of a joint decision a person may not be the first who is asked.
            Standing::Asked(moment) => {
                moment.asked.iter().find(|asked| !asked.chance && self.is_person(&asked.who))
            }
            Standing::Over { .. } => None,
        }
    }

    /// Answers what a person is asked now, with an option's index, and goes on.
    ///
    /// # Errors
    /// [`Error::Usage`] where nobody is asked or there is no such option; else the rules' own.
    /// After an error everything stands as before.
    pub fn answer(&mut self, index: usize) -> Result<(), Error> {
        let Some(asked) = self.asked() else { return Err(nobody()) };
        if index >= asked.options.len() {
            let most = asked.options.len();
            return Err(Error::usage(format!("there are {most} options, counted from 1")));
        }
        let mut given = self.given.clone();
        given.insert((asked.who.clone(), asked.name.clone()), index);
        self.stand_on(self.seed, self.line.clone(), given, Go::On)
    }

    /// The index of the option that a typed word means: its text, a beginning that no other option
    /// has, or its place in the list, from 1. An option that is a number is meant by that number
    /// alone, and beside one no number means a place.
    ///
    /// # Errors
    /// [`Error::Ambiguous`] for the beginning of several options; else [`Error::Answer`] with the
    /// nearest option that is no number.
    pub fn read_option(&self, word: &str) -> Result<usize, Error> {
        let asked = self.asked().ok_or_else(nobody)?;
        meant(&asked.options, word).ok_or_else(|| {
            let options: Vec<String> = begun(&asked.options, word).map(|(_, text)| text).collect();
            if !options.is_empty() {
                return Error::Ambiguous { answer: word.to_owned(), options };
            }
            let texts: Vec<String> = worded(&asked.options).map(|(_, text)| text).collect();
            Error::Answer {
                answer: word.to_owned(),
                nearest: nearest(word, texts.iter().map(String::as_str)),
                asked: Box::new(asked.clone()),
            }
        })
    }
}

/// The options that are no numbers, as a person reads them. One number is no misspelling, and no
/// beginning, of another.
fn worded(options: &[Value]) -> impl Iterator<Item = (usize, String)> {
    let options = options.iter().enumerate();
    options
        .filter(|(_, value)| value.as_number().is_none())
        .map(|(i, value)| (i, value.to_string()))
}

fn meant(options: &[Value], word: &str) -> Option<usize> {
    if let Some(index) = options.iter().position(|option| option.to_string() == word) {
        return Some(index);
    }
    let numbers = options.iter().any(|option| option.as_number().is_some());
    if let Ok(place) = word.parse::<usize>()
        && (1..=options.len()).contains(&place)
        && !numbers
    {
        return Some(place - 1);
    }
    let mut begun = begun(options, word);
    match (begun.next(), begun.next()) {
        (Some((index, _)), None) => Some(index),
        _ => None,
    }
}

/// The options that begin with a word.
fn begun(options: &[Value], word: &str) -> impl Iterator<Item = (usize, String)> {
    let begins = |text: &str| text.to_lowercase().starts_with(&word.to_lowercase());
    worded(options).filter(move |(_, text)| !word.is_empty() && begins(text))
}

fn nobody() -> Error {
    Error::usage("no person is asked anything now")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(options: &str, word: &str) -> Option<usize> {
        let options: Value = serde_json::from_str(options).unwrap();
        meant(options.as_list().unwrap(), word)
    }

    #[test]
    fn a_number_means_itself_where_options_are_numbers() {
        let tens = "[10, 20, 30]";
        assert_eq!(reads(tens, "20"), Some(1));
        for none in ["1", "2", "3", "", "100"] {
            assert_eq!(reads(tens, none), None, "`{none}`");
        }
        let mixed = r#"["flag", 1, 2, 30]"#;
        assert_eq!(reads(mixed, "1"), Some(1));
        assert_eq!(reads(mixed, "f"), Some(0));
        for none in ["3", "4"] {
            assert_eq!(reads(mixed, none), None, "`{none}`");
        }
    }

    #[test]
    fn a_word_means_a_text_a_place_or_a_beginning() {
        let words = r#"["rock", "paper", "scissors", "rocket"]"#;
        assert_eq!(reads(words, "rock"), Some(0));
        assert_eq!(reads(words, "ro"), None);
        assert_eq!(reads(words, "Sci"), Some(2));
        assert_eq!(reads(words, "2"), Some(1));
        assert_eq!(reads(words, "5"), None);
    }

    #[test]
    fn a_beginning_of_several_options_begins_them_all() {
        let options: Value = serde_json::from_str(r#"["rock", "paper", "rocket", 7]"#).unwrap();
        let texts = |word: &str| -> Vec<String> {
            begun(options.as_list().unwrap(), word).map(|(_, text)| text).collect()
        };
        assert_eq!(texts("Ro"), ["rock", "rocket"]);
        assert_eq!(texts("7"), [""; 0]);
        assert_eq!(texts(""), [""; 0]);
    }
}
