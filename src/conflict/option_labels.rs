//! Labels the options of a question with numbers, with letters, or not at all.

use crate::game::{Value, option_name};

/// How the options of a list are counted for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Places {
    /// Not at all: they are numbers themselves, or begin with what would count them.
    None,
    /// From 1 on.
    Numbers,
    /// From `a` on: some option holds a number. The same question keeps its letters, whichever options are left.
    Letters,
}

impl Places {
    /// How these options are counted.
    pub(crate) fn of(options: &[Value]) -> Places {
        if options.iter().any(|option| option.as_number().is_some()) {
            return Places::None;
        }
        let names: Vec<String> =
            options.iter().map(|option| option_name(option).to_lowercase()).collect();
        if names.iter().all(|name| numbers(name).next().is_none()) {
            return Places::Numbers;
        }
        let looks_like_a_letter = |(i, name): (usize, &String)| {
            let ends = (1..=LETTERS).filter_map(|end| name.get(..end));
            ends.filter_map(place_of).any(|place| place != i && place < names.len())
        };
        match names.iter().enumerate().any(looks_like_a_letter) {
            true => Places::None,
            false => Places::Letters,
        }
    }

    /// The mark before an option in the list, by its index: `3`, `c`; nothing where none is counted.
    pub(crate) fn label(self, index: usize) -> String {
        match self {
            Places::None => String::new(),
            Places::Numbers => (index + 1).to_string(),
            Places::Letters => letters(index),
        }
    }
}

/// No list is so long that a place has more letters.
const LETTERS: usize = 5;

/// The letters of a place: `a` to `z`, then `aa` to `zz`, and so on.
fn letters(index: usize) -> String {
    let (mut left, mut word) = (index + 1, Vec::new());
    while left > 0 {
        word.push((b'a' + ((left - 1) % 26) as u8) as char);
        left = (left - 1) / 26;
    }
    word.iter().rev().collect()
}

/// The index of the place with these letters.
pub(super) fn place_of(letters: &str) -> Option<usize> {
    let is_place = (1..=LETTERS).contains(&letters.len())
        && letters.bytes().all(|letter| letter.is_ascii_lowercase());
    let digit = |place: usize, letter: u8| place * 26 + usize::from(letter - b'a') + 1;
    is_place.then(|| letters.bytes().fold(0, digit) - 1)
}

/// The whole numbers that a text holds as words, or begins with.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = usize> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    words.chain([&text[..digits]]).filter_map(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_count_where_a_number_could_look_like_an_option() {
        let places = |options: &str| {
            let options: Value = serde_json::from_str(options).unwrap();
            Places::of(options.as_list().unwrap())
        };
        assert_eq!(places(r#"["tile 2", "tile 3"]"#), Places::Letters);
        assert_eq!(places(r#"["tile 1", "tile 2", "tile 30"]"#), Places::Letters);
        assert_eq!(places(r#"["north", "south"]"#), Places::Numbers);
        assert_eq!(places(r#"["1 mana", "2 mana"]"#), Places::Letters);
        assert_eq!(places(r#"["a1", "a2", "b1"]"#), Places::Numbers);
        assert_eq!(places(r#"["flag", 1]"#), Places::None);
        // The second letter would look like the beginning of the third option.
        assert_eq!(places(r#"["2 ore", "1 ore", "beg"]"#), Places::None);
        assert_eq!(places(r#"["2 ore", "1 ore", "do"]"#), Places::Letters);
        let all: Vec<String> = [0, 25, 26, 51, 52, 701, 702].map(letters).into();
        assert_eq!(all, ["a", "z", "aa", "az", "ba", "zz", "aaa"]);
        assert!((0..2_000).all(|index| place_of(&letters(index)) == Some(index)));
    }
}
