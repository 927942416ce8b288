//! What a person is asked, and which option a typed word answers.

use super::{Play, RunUntil, Standing};
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
    /// After an error everything stands as before; a mistake of the rules or of an agent has all answers
    /// that lead there, and the words that play them again.
    pub fn answer(&mut self, index: usize) -> Result<(), Error> {
        let Some(asked) = self.asked() else { return Err(nobody()) };
        if index >= asked.options.len() {
            let most = asked.options.len();
            return Err(Error::usage(format!("there are {most} options, counted from 1")));
        }
        let mut given = self.given.clone();
        given.insert((asked.who.clone(), asked.name.clone()), index);
        let stood = self.stand_on(self.seed, self.line.clone(), given.clone(), RunUntil::On);
        stood.map_err(|error| error.reached(|| self.led_to_failure(given)))
    }

    /// The index of the option that a typed word means: its text, a beginning that no other option
    /// has, or its place in the list, from 1. `#3` is the third one in any list. A number alone is a
    /// place only where no other option holds that number, and an option that is a number is meant by
    /// that number alone. `yes` and `no` are true and false.
    ///
    /// # Errors
    /// [`Error::Ambiguous`] for the beginning of several options; [`Error::Numbered`] for a number
    /// that may mean several; else [`Error::Answer`] with the nearest option that is no number.
    pub fn read_option(&self, word: &str) -> Result<usize, Error> {
        let asked = self.asked().ok_or_else(nobody)?;
        meant(&asked.options, word)?.ok_or_else(|| {
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

/// How the options of a list are numbered for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Not at all: they are numbers themselves.
    None,
    /// From 1 on.
    Plain,
    /// With a `#` before each place: some option holds a number that is the place of another.
    Marked,
}

impl Places {
    /// How these options are numbered.
    pub fn of(options: &[Value]) -> Places {
        if options.iter().any(|option| option.as_number().is_some()) {
            return Places::None;
        }
        let other = |(i, option): (usize, &Value)| {
            let places = 1..=options.len();
            numbers(&option.to_string()).any(|number| number != i + 1 && places.contains(&number))
        };
        if options.iter().enumerate().any(other) { Places::Marked } else { Places::Plain }
    }
}

/// The whole numbers that a text holds as words, or begins with.
fn numbers(text: &str) -> impl Iterator<Item = usize> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    words.chain([&text[..digits]]).filter_map(|word| word.parse().ok())
}

/// The options that are no numbers, as a person reads them. One number is no misspelling, and no
/// beginning, of another.
fn worded(options: &[Value]) -> impl Iterator<Item = (usize, String)> {
    let options = options.iter().enumerate();
    options
        .filter(|(_, value)| value.as_number().is_none())
        .map(|(i, value)| (i, value.to_string()))
}

/// The mark before a number that is a place in any list.
const MARK: char = '#';
/// More options than these are not listed where a number may be any of them.
const LISTED: usize = 5;

fn meant(options: &[Value], word: &str) -> Result<Option<usize>, Error> {
    if let Some(index) = options.iter().position(|option| option.to_string() == word) {
        return Ok(Some(index));
    }
    let place = |word: &str| {
        let place = word.parse::<usize>().ok()?.checked_sub(1)?;
        (place < options.len()).then_some(place)
    };
    if let Some(number) = word.strip_prefix(MARK) {
        return Ok(place(number));
    }
    if let (Ok(number), true) = (word.parse::<usize>(), Places::of(options) != Places::None) {
        return numbered(options, number, place(word), word);
    }
    let mut begun = begun(options, word);
    Ok(match (begun.next(), begun.next()) {
        (Some((index, _)), None) => Some(index),
        (None, _) => {
            let truth = match word.to_lowercase().as_str() {
                "yes" | "y" => true,
                "no" | "n" => false,
                _ => return Ok(None),
            };
            options.iter().position(|option| *option == Value::Bool(truth))
        }
        _ => None,
    })
}

/// The only option that a number can mean: the one at its place, or one that holds it.
fn numbered(
    options: &[Value],
    number: usize,
    place: Option<usize>,
    answer: &str,
) -> Result<Option<usize>, Error> {
    let holds = |index: &usize| {
        Some(*index) != place && numbers(&options[*index].to_string()).any(|held| held == number)
    };
    let mut held = (0..options.len()).filter(holds);
    match (place, held.next()) {
        (place, None) => return Ok(place),
        (None, Some(only)) if held.next().is_none() => return Ok(Some(only)),
        _ => {}
    }
    let held = (0..options.len()).filter(holds).take(LISTED);
    Err(Error::Numbered {
        answer: answer.to_owned(),
        place: place.map(|place| options[place].to_string()),
        options: held.map(|index| options[index].to_string()).collect(),
    })
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
        meant(options.as_list().unwrap(), word).unwrap_or(None)
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

    fn doubt(options: &str, word: &str) -> String {
        let options: Value = serde_json::from_str(options).unwrap();
        meant(options.as_list().unwrap(), word).unwrap_err().to_string()
    }

    #[test]
    fn a_number_that_may_be_a_place_or_a_part_of_another_option_plays_neither() {
        let tiles = r#"["tile 2", "tile 3", "tile 4", "tile 9", "rest"]"#;
        assert_eq!(doubt(tiles, "3"), "`3` may be `#3` (`tile 4`) or `tile 3`");
        assert_eq!(reads(tiles, "#3"), Some(2));
        assert_eq!(reads(tiles, "tile 3"), Some(1));
        // Nothing else is 1, 5 or 9.
        assert_eq!(["1", "5", "9"].map(|word| reads(tiles, word)), [Some(0), Some(4), Some(3)]);
        assert_eq!(["0", "6", "#6", "#0", "#"].map(|word| reads(tiles, word)), [None; 5]);
        // A beginning is an answer too, so a number that begins an option is doubtful as well.
        assert_eq!(doubt(r#"["1x2", "1x3", "2x2"]"#, "2"), "`2` may be `#2` (`1x3`) or `2x2`");
        assert_eq!(
            doubt(r#"["pay 7 ore", "pay 7 wood"]"#, "7"),
            "`7` may be `pay 7 ore` or `pay 7 wood`"
        );
    }

    #[test]
    fn places_are_marked_where_a_number_could_mean_two_options() {
        let places = |options: &str| {
            let options: Value = serde_json::from_str(options).unwrap();
            Places::of(options.as_list().unwrap())
        };
        assert_eq!(places(r#"["tile 2", "tile 3"]"#), Places::Marked);
        assert_eq!(places(r#"["tile 1", "tile 2", "tile 30"]"#), Places::Plain);
        assert_eq!(places(r#"["a1", "a2", "b1"]"#), Places::Plain);
        assert_eq!(places(r#"["flag", 1]"#), Places::None);
    }

    #[test]
    fn yes_and_no_are_true_and_false() {
        let truth = "[true, false]";
        assert_eq!(["yes", "Y", "no", "n"].map(|word| reads(truth, word)), [0, 0, 1, 1].map(Some));
        assert_eq!(["t", "false", "2"].map(|word| reads(truth, word)), [0, 1, 1].map(Some));
        // What the options say themselves goes before.
        assert_eq!(reads(r#"["not yet", true, false]"#, "no"), Some(0));
        assert_eq!(reads(r#"["rock", "paper"]"#, "yes"), None);
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
