//! Calls the rules' function `wording`, which gives a question and its options texts for people.

use crate::error::{Error, hint, nearest};
use crate::game::{OptionWording, Value, Wording, option_name};
use crate::script::machine::{self, Texts, from_plain, plain};
use crate::script::playout::origin::State;
use crate::script::questions::views::in_words;
use crate::script::rules::Rules;

const NAME: &str = "wording";
/// The most letters of a question's text, of an option's, and of a help line; more are cut.
const QUESTION: usize = 400;
const OPTION: usize = 200;
const HELP: usize = 600;

impl Rules {
    /// The texts of a question that a player is asked, from what that player may see; none where the rules
    /// define no `wording`.
    pub fn wording(
        &self,
        seen: &State,
        player: &str,
        question: &str,
        options: &[Value],
    ) -> Result<Wording, Error> {
        if !self.defines(NAME) {
            return Ok(Wording::default());
        }
        let texts = Texts::default();
        let offered = options.iter().map(|option| from_plain(option, &texts)).collect();
        let offered = machine::Value::list(offered);
        let arguments = [machine::Value::text(player), machine::Value::text(question), offered];
        self.read_from(NAME, seen, &arguments, |worded| read(&plain(worded, NAME)?, options))
    }
}

/// What `wording` returned: a map with `text`, `help` and `options`, or nothing.
fn read(returned: &Value, options: &[Value]) -> Result<Wording, String> {
    if *returned == Value::Unit {
        return Ok(Wording::default());
    }
    let map =
        returned.as_map().ok_or_else(|| format!("must return a map, got {}", returned.kind()))?;
    only_keys(map.keys(), &["text", "help", "options"], "the map")?;
    let text = text_at(returned, "text", "`text`", QUESTION)?;
    let help = text_at(returned, "help", "`help`", HELP)?;
    let mut wording = Wording { text, help, ..Wording::default() };
    let Some(of_options) = map.get("options").filter(|given| **given != Value::Unit) else {
        return Ok(wording);
    };
    let of_options = of_options
        .as_map()
        .ok_or_else(|| format!("`options` must be a map, got {}", of_options.kind()))?;
    for (name, given) in of_options {
        let place = format!("the option {}", in_words(name));
        let own = match given {
            Value::Map(own) => {
                only_keys(own.keys(), &["text", "help"], &place)?;
                OptionWording {
                    text: text_at(given, "text", &format!("`text` of {place}"), OPTION)?,
                    help: text_at(given, "help", &format!("`help` of {place}"), HELP)?,
                }
            }
            given => OptionWording { text: text_of(given, &place, OPTION)?, help: None },
        };
        match index_of(options, name) {
            Some(index) => _ = wording.options.insert(index, own),
            None => wording.unknown.push(name.clone()),
        }
    }
    Ok(wording)
}

/// The option of a name; `yes` and `no` name true and false too.
fn index_of(options: &[Value], name: &str) -> Option<usize> {
    let named = options.iter().position(|option| option.to_string() == name);
    named.or_else(|| options.iter().position(|option| option_name(option) == name))
}

fn only_keys<'a>(
    keys: impl Iterator<Item = &'a String>,
    known: &[&str],
    place: &str,
) -> Result<(), String> {
    let mut unknown = keys.filter(|key| !known.contains(&key.as_str()));
    let Some(key) = unknown.next() else { return Ok(()) };
    let near = hint(&nearest(key, known.iter().copied()));
    Err(format!("{place} has no key {}{near}", in_words(key)))
}

fn text_at(map: &Value, key: &str, place: &str, longest: usize) -> Result<Option<String>, String> {
    map.get(key).map_or(Ok(None), |given| text_of(given, place, longest))
}

/// A text in one line, cut where it is too long; nothing where it is empty.
fn text_of(given: &Value, place: &str, longest: usize) -> Result<Option<String>, String> {
    match given {
        Value::Unit => Ok(None),
        Value::Text(text) => {
            let mut words = String::new();
            let mut left = longest;
            // What is longer than a bound is not read to its end.
            for word in text.split_whitespace() {
                if !words.is_empty() {
                    words.push(' ');
                }
                let taken: String = word.chars().take(left + 1).collect();
                left = left.saturating_sub(taken.chars().count() + 1);
                words.push_str(&taken);
                if left == 0 {
                    break;
                }
            }
            let text = crate::report::tame(&words);
            Ok((!text.is_empty()).then(|| crate::report::cut(&text, longest)))
        }
        other => Err(format!("{place} must be a text, got {}", other.kind())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_wording_of_an_option_is_said_with_its_place() {
        for (json, message) in [
            (r#"{"options": {"rock": 1}}"#, "the option `rock` must be a text, got a whole number"),
            (
                r#"{"options": {"rock": {"text": []}}}"#,
                "`text` of the option `rock` must be a text, got a list",
            ),
        ] {
            let returned: Value = serde_json::from_str(json).unwrap();
            assert_eq!(read(&returned, &["rock".into()]), Err(message.to_owned()), "{json}");
        }
    }
}
