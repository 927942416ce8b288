//! What a person is asked, how its options are counted, which of them a typed word answers, and what was picked
//! so far.

use super::play::Picked;
use super::{Play, RunUntil};
use crate::error::{Error, nearest};
use crate::game::{Action, Actor, Asked, Value, option_name};

impl Play {
    /// The decision a person is asked now.
    pub fn asked(&self) -> Option<&Asked> {
        // Of a joint decision a person may not be the first who is asked.
        let mut asked = self.position().asked().iter();
        asked.find(|asked| !asked.chance && self.is_person(&asked.who))
    }

    /// The decision that a player is to take now: of a person, else of who comes first.
    pub fn decision(&self) -> Option<&Asked> {
        let next = self.position().asked().first();
        self.asked().or(next.filter(|asked| !asked.chance))
    }

    /// Answers what a person is asked now, with an option's index, and continues.
    ///
    /// # Errors
    /// [`Error::Usage`] where nobody is asked or there is no such option; else the rules' own.
    /// After an error everything is as before; a mistake of the rules or of an agent has all answers
    /// that lead there, and the words that play them again.
    pub fn answer(&mut self, index: usize) -> Result<(), Error> {
        let Some(asked) = self.asked() else { return Err(nobody()) };
        if index >= asked.options.len() {
            let most = asked.options.len();
            return Err(Error::usage(format!("there are {most} options, counted from 1")));
        }
        let mut given = self.given.clone();
        let picked = Picked { index, value: asked.options[index].clone() };
        given.insert((asked.who.clone(), asked.name.clone()), picked);
        let moved =
            self.move_to(self.seed, self.line.clone(), given.clone(), RunUntil::PersonAsked);
        moved.map_err(|error| error.reached(|| self.led_to_failure(given)))
    }

    /// The index of the option that a typed word means: its text, its letter or number in the list, or a
    /// beginning that no other option has. `#3` is the third one in any list. A number alone is a place
    /// only in a list that counts with numbers, and an option that is a number is meant by that number
    /// alone. `yes` and `no` are true and false.
    pub(crate) fn read_option(&self, word: &str) -> Result<usize, Error> {
        let asked = self.asked().ok_or_else(nobody)?;
        meant(&asked.options, word)?.ok_or_else(|| {
            let options: Vec<String> = begun(&asked.options, word).map(|(_, text)| text).collect();
            if !options.is_empty() {
                return Error::Ambiguous { answer: word.to_owned(), options };
            }
            Error::Answer {
                answer: word.to_owned(),
                nearest: nearest(word, worded(&asked.options).map(|(_, text)| text)),
                asked: Box::new(asked.clone()),
            }
        })
    }

    /// What the player who is asked has picked so far of the same question in this step, and what players
    /// of the same seat have picked of the joint decision that waits for this answer.
    pub(crate) fn picked_so_far(&self) -> Vec<Action> {
        let Some(asked) = self.asked() else { return Vec::new() };
        let history = self.history();
        let of_step = history.entries.iter().skip(self.step_began).flat_map(|one| one.actions());
        let is_same = |action: &&Action| {
            action.name == asked.name && action.actor == Actor::Player(asked.who.clone())
        };
        let mut picked: Vec<Action> = of_step.filter(is_same).cloned().collect();
        let seat = self.seat_of(&asked.who);
        let together = self.given.iter().filter(|((player, name), _)| {
            *name == asked.name && *player != asked.who && self.seat_of(player) == seat
        });
        picked.extend(together.map(|((player, name), picked)| Action {
            actor: Actor::Player(player.clone()),
            name: name.clone(),
            value: picked.value.clone(),
        }));
        picked
    }
}

/// The options that are no numbers, as a person reads them. One number is no misspelling, and no
/// beginning, of another.
fn worded(options: &[Value]) -> impl Iterator<Item = (usize, String)> {
    let options = options.iter().enumerate().filter(|(_, value)| value.as_number().is_none());
    options.map(|(i, value)| (i, option_name(value)))
}

/// The mark before a number that is a place in any list.
const MARK: char = '#';
/// More options than these are not listed where a number may be any of them.
const LISTED: usize = 5;

fn meant(options: &[Value], word: &str) -> Result<Option<usize>, Error> {
    let exactly =
        |text: &dyn Fn(&Value) -> String| options.iter().position(|option| text(option) == word);
    let named = exactly(&|option| option.to_string()).or_else(|| exactly(&option_name));
    if named.is_some() {
        return Ok(named);
    }
    let place = |word: &str| {
        let place = word.parse::<usize>().ok()?.checked_sub(1)?;
        (place < options.len()).then_some(place)
    };
    if let Some(number) = word.strip_prefix(MARK) {
        return Ok(place(number));
    }
    let places = Places::of(options);
    if let (Ok(number), true) = (word.parse::<usize>(), places != Places::None) {
        return match place(word).filter(|_| places == Places::Numbers) {
            Some(place) => Ok(Some(place)),
            None => numbered(options, number, word),
        };
    }
    let lower = word.to_lowercase();
    if places == Places::Letters
        && let Some(place) = place_of(&lower).filter(|place| *place < options.len())
    {
        return Ok(Some(place));
    }
    let mut alike = worded(options).filter(|(_, text)| text.to_lowercase() == lower);
    if let (Some((index, _)), None) = (alike.next(), alike.next()) {
        return Ok(Some(index));
    }
    let mut begun = begun(options, word);
    if let (Some((index, _)), None) = (begun.next(), begun.next()) {
        return Ok(Some(index));
    }
    // True and false have the names `yes` and `no`, and can be meant by a beginning of their own too.
    let truth =
        |option: &Value| matches!(option, Value::Bool(_)) && option.to_string().starts_with(&lower);
    let truths = options.iter().position(truth).filter(|_| !word.is_empty());
    Ok(truths.filter(|_| self::begun(options, word).next().is_none()))
}

fn numbered(options: &[Value], number: usize, answer: &str) -> Result<Option<usize>, Error> {
    let texts = options.iter().map(Value::to_string).enumerate();
    let holds = |(_, text): &(usize, String)| numbers(text).any(|held| held == number);
    let held: Vec<(usize, String)> = texts.filter(holds).take(LISTED).collect();
    match &held[..] {
        [] => Ok(None),
        [(only, _)] => Ok(Some(*only)),
        _ => {
            let options = held.into_iter().map(|(_, text)| text).collect();
            Err(Error::Numbered { answer: answer.to_owned(), options })
        }
    }
}

fn begun(options: &[Value], word: &str) -> impl Iterator<Item = (usize, String)> {
    let begins = |text: &str| text.to_lowercase().starts_with(&word.to_lowercase());
    worded(options).filter(move |(_, text)| !word.is_empty() && begins(text))
}

fn nobody() -> Error {
    Error::usage("no person is asked anything now")
}

/// How the options of a list are counted for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Places {
    /// Not at all: they are numbers themselves, or begin with what would count them.
    None,
    Numbers,
    /// From `a` on: some option holds a number. The same question keeps its letters, whichever options are left.
    Letters,
}

impl Places {
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

fn letters(index: usize) -> String {
    let (mut left, mut word) = (index + 1, Vec::new());
    while left > 0 {
        word.push((b'a' + ((left - 1) % 26) as u8) as char);
        left = (left - 1) / 26;
    }
    word.iter().rev().collect()
}

fn place_of(letters: &str) -> Option<usize> {
    let is_place = (1..=LETTERS).contains(&letters.len())
        && letters.bytes().all(|letter| letter.is_ascii_lowercase());
    let digit = |place: usize, letter: u8| place * 26 + usize::from(letter - b'a') + 1;
    is_place.then(|| letters.bytes().fold(0, digit) - 1)
}

/// The whole numbers that a text holds as words, or begins with.
fn numbers(text: &str) -> impl Iterator<Item = usize> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    words.chain([&text[..digits]]).filter_map(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(options: &str) -> Vec<Value> {
        serde_json::from_str(options).unwrap()
    }

    fn reads(options: &str, word: &str) -> Option<usize> {
        meant(&values(options), word).unwrap_or(None)
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
    fn a_number_that_several_options_hold_plays_none_and_is_no_place_among_letters() {
        let tiles = r#"["tile 2", "tile 3", "tile 4", "tile 9", "rest"]"#;
        // The list counts a, b, c, d, e, so a number can only be that of a tile.
        let readings = ["3", "#3", "c", "C", "tile 3", "9", "rest"].map(|word| reads(tiles, word));
        assert_eq!(readings, [1, 2, 2, 2, 1, 3, 4].map(Some));
        assert_eq!(
            ["0", "1", "5", "6", "#6", "#0", "#", "f"].map(|word| reads(tiles, word)),
            [None; 8]
        );
        let sizes = r#"["1x2", "1x3", "2x2"]"#;
        assert_eq!(reads(sizes, "2"), Some(2));
        let doubt = meant(&values(sizes), "1").unwrap_err().to_string();
        assert_eq!(doubt, "`1` may be `1x2` or `1x3`");
    }

    #[test]
    fn yes_and_no_are_true_and_false() {
        let truth = "[true, false]";
        assert_eq!(["yes", "Y", "no", "n"].map(|word| reads(truth, word)), [0, 0, 1, 1].map(Some));
        assert_eq!(["t", "false", "2"].map(|word| reads(truth, word)), [0, 1, 1].map(Some));
        // A whole name goes before a beginning.
        assert_eq!(reads(r#"["not yet", true, false]"#, "no"), Some(2));
        assert_eq!(reads(r#"["not yet", true, false]"#, "n"), None);
        assert_eq!(reads(r#"["No", "Nothing"]"#, "no"), Some(0));
        assert_eq!(["y", "n"].map(|word| reads(r#"["Yes", "No"]"#, word)), [0, 1].map(Some));
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
        let options = values(r#"["rock", "paper", "rocket", 7]"#);
        let texts =
            |word: &str| begun(&options, word).map(|(_, text)| text).collect::<Vec<String>>();
        assert_eq!(texts("Ro"), ["rock", "rocket"]);
        assert_eq!(texts("7"), [""; 0]);
        assert_eq!(texts(""), [""; 0]);
    }

    #[test]
    fn letters_count_where_a_number_could_look_like_an_option() {
        let places = |options: &str| Places::of(&values(options));
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
