//! The history of a conflict: all actions of players and of chance so far, and their text format.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::Value;
use super::value::option_name;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Actor {
    /// A player, by name.
    Player(String),
    /// Chance, with the name of the roller.
    Chance(String),
}

/// One answer: who gave it, to what, and what it was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Action {
    /// The player, or chance.
    #[serde(flatten)]
    pub(crate) actor: Actor,
    /// The name of the decision or roll.
    pub name: String,
    /// What was picked, or what fell.
    #[serde(rename = "action")]
    pub value: Value,
}

/// One line of a history: an action, or those that were taken together in secret.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A decision in turn, or chance.
    One(Action),
    /// A joint decision: an action for each player who was asked.
    Together(Vec<Action>),
}

impl FromStr for Entry {
    type Err = String;

    /// Reads one line of a history.
    fn from_str(text: &str) -> Result<Entry, String> {
        let history = History::parse(text).map_err(|(_, message)| message)?;
        let mut entries = history.entries.into_iter();
        entries.next().filter(|_| entries.len() == 0).ok_or_else(|| {
            "must be one entry of a history, as in `red bid 5` or `chance red test 4`".to_owned()
        })
    }
}

impl Entry {
    /// The actions of the entry, in the order asked.
    pub fn actions(&self) -> &[Action] {
        match self {
            Entry::One(action) => std::slice::from_ref(action),
            Entry::Together(actions) => actions,
        }
    }

    /// The entry for people, with `yes` and `no` for true and false.
    pub(crate) fn in_words(&self) -> String {
        self.actions().iter().map(Action::in_words).collect::<Vec<_>>().join(AND)
    }
}

/// All actions so far, of players and of chance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// The entries, oldest first.
    pub entries: Vec<Entry>,
}

impl History {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing has been picked yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn prefix(&self, count: usize) -> History {
        History { entries: self.entries.iter().take(count).cloned().collect() }
    }

    pub(crate) fn followed_by(&self, other: &History) -> History {
        History { entries: self.entries.iter().chain(&other.entries).cloned().collect() }
    }

    pub(crate) fn begins_with(&self, other: &History) -> bool {
        self.entries.starts_with(&other.entries)
    }

    /// All actions, joint ones one after another.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.entries.iter().flat_map(Entry::actions)
    }

    /// Reads lines as [`History`]'s `Display` writes them; empty lines and `#` comments are
    /// skipped.
    ///
    /// # Errors
    /// The number of the line, from 1, and what is wrong with it.
    pub fn parse(text: &str) -> Result<History, (usize, String)> {
        let lines = (1..).zip(text.lines().map(str::trim));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let entry = |(number, line)| parse_entry(line).map_err(|message| (number, message));
        Ok(History { entries: lines.map(entry).collect::<Result<_, _>>()? })
    }
}

/// The word that opens a line of chance. A player of this name is written in quotes.
const CHANCE: &str = "chance";
/// The separator between the actions of a joint decision.
const AND: &str = " & ";

impl fmt::Display for History {
    /// One line an entry: `red bid 5`, `chance ayla test 4`, `red bid 5 & blue bid "flag"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::One(action) => write!(f, "{action}"),
            Entry::Together(actions) => {
                // A lone joint action keeps its mark, so that it reads back as a joint one; `{:#}` is for people.
                f.write_str(if actions.len() == 1 && !f.alternate() { "& " } else { "" })?;
                for (i, action) in actions.iter().enumerate() {
                    f.write_str(if i > 0 { AND } else { "" })?;
                    write!(f, "{action}")?;
                }
                Ok(())
            }
        }
    }
}

impl Action {
    /// The action for people, with `yes` and `no` for true and false.
    pub(crate) fn in_words(&self) -> String {
        match &self.value {
            Value::Bool(_) => self.with(&option_name(&self.value)),
            value => self.with(&value.literal()),
        }
    }

    fn with(&self, value: &str) -> String {
        let who = match &self.actor {
            Actor::Player(player) => word(player),
            Actor::Chance(roller) => format!("{CHANCE} {}", word(roller)),
        };
        format!("{who} {} {value}", word(&self.name))
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(&self.value.literal()))
    }
}

/// A name as it is written in a line: bare where that is plain, else a JSON text.
fn word(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(plain) && name != CHANCE {
        name.to_owned()
    } else {
        Value::from(name).literal()
    }
}

fn parse_entry(line: &str) -> Result<Entry, String> {
    let joint = line.starts_with("& ");
    let mut rest = line.strip_prefix("& ").unwrap_or(line);
    let mut actions = Vec::new();
    loop {
        let (action, after) = parse_action(rest)?;
        actions.push(action);
        if after.is_empty() {
            break;
        }
        rest = after
            .strip_prefix('&')
            .ok_or_else(|| format!("expected the end of the line or `&`, found `{after}`"))?
            .trim_start();
    }
    match actions.len() {
        1 if !joint => Ok(Entry::One(actions.remove(0))),
        _ => Ok(Entry::Together(actions)),
    }
}

fn parse_action(text: &str) -> Result<(Action, &str), String> {
    let (chance, text) = match text.trim_start().strip_prefix(CHANCE) {
        Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => (true, rest),
        _ => (false, text),
    };
    let (who, text) = parse_word(text, "a player")?;
    let (name, text) = parse_word(text, "the name of a decision")?;
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = match values.next() {
        Some(Ok(value)) => value,
        _ => return Err(format!("expected an action after `{name}`, found `{}`", text.trim())),
    };
    let rest = text[values.byte_offset()..].trim();
    let actor = if chance { Actor::Chance(who) } else { Actor::Player(who) };
    Ok((Action { actor, name, value }, rest))
}

fn parse_word<'a>(text: &'a str, what: &str) -> Result<(String, &'a str), String> {
    let text = text.trim_start();
    if text.starts_with('"') {
        let mut words = serde_json::Deserializer::from_str(text).into_iter::<String>();
        return match words.next() {
            Some(Ok(word)) => Ok((word, &text[words.byte_offset()..])),
            _ => Err(format!("expected {what}, found `{text}`")),
        };
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    if end == 0 {
        return Err(format!("expected {what}, found the end of the line"));
    }
    Ok((text[..end].to_owned(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn action(actor: Actor, name: &str, value: Value) -> Action {
        Action { actor, name: name.to_owned(), value }
    }

    #[test]
    fn a_history_reads_back_as_itself() {
        let player = |name: &str| Actor::Player(name.to_owned());
        let history = History {
            entries: vec![
                Entry::One(action(player("red"), "bid", Value::Int(5))),
                Entry::One(action(Actor::Chance("ayla".into()), "test", Value::Int(4))),
                Entry::One(action(player("chance"), "pay", "2 mana & 1 ore".into())),
                Entry::One(action(player("old red"), "a \"b\"", Value::Bool(true))),
                Entry::Together(vec![
                    action(player("red"), "bid", Value::Int(5)),
                    action(player("blue"), "bid", "flag".into()),
                ]),
                Entry::Together(vec![action(player("red"), "bid", Value::Int(5))]),
            ],
        };
        let text = history.to_string();
        assert!(text.starts_with("red bid 5\nchance ayla test 4\n"), "{text}");
        assert_eq!(History::parse(&text), Ok(history));
    }

    #[test]
    fn a_broken_line_is_named_with_its_number() {
        let (line, message) = History::parse("red bid 5\n\nred bid\n").unwrap_err();
        assert_eq!(line, 3);
        assert!(message.contains("`bid`"), "{message}");
    }

    #[test]
    fn wide_spaces_are_spaces_wherever_they_stand() {
        let roll = action(Actor::Chance("ayla".into()), "test", Value::Int(4));
        let read = History::parse("& \u{3000}\u{a0}\u{a0}chance ayla test 4");
        assert_eq!(read, Ok(History { entries: vec![Entry::Together(vec![roll])] }));
    }

    /// Pieces of lines, so that what is fed is often nearly right.
    fn any_line() -> impl Strategy<Value = String> {
        let pieces = prop_oneof![
            Just("chance".to_owned()),
            Just("&".to_owned()),
            Just(" ".to_owned()),
            Just("\u{3000}".to_owned()),
            Just("\n".to_owned()),
            Just("red bid 5".to_owned()),
            Just("\"old red\"".to_owned()),
            Just("[1, {\"a\": 0.5}]".to_owned()),
            any::<String>(),
        ];
        proptest::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_text_makes_it_panic_and_what_reads_reads_back(text in any_line()) {
            if let Ok(history) = History::parse(&text) {
                prop_assert_eq!(History::parse(&history.to_string()), Ok(history));
            }
        }
    }
}
