//! Calls the rules' functions that look at a state: `view`, `picture`, `drawing`, `laws`, `reachable`, `check_rules`,
//! `sides`, and `wording`, which gives a question and its options texts for people.

use crate::error::{Error, ScriptFault, hint, nearest};
use crate::game::{OptionWording, Value, Wording, brief, option_name};
use crate::report::{SvgDrawing, cut, some_of, tame};
use crate::script::lexer::is_word;
use crate::script::machine::{self, Texts, from_plain, plain};
use crate::script::playout::origin::State;
use crate::script::rules::Rules;
use indexmap::IndexMap;

impl Rules {
    /// Whether the rules say who sees what; where they do not, everybody sees everything.
    pub fn hides(&self) -> bool {
        // A campaign has a view of its own, which hides as much as those of its systems.
        self.defines("view") && !(self.is_campaign() && self.compiled.whole_view)
    }

    /// Whether the `view` tries to hide something: it does more than to return all of the state.
    pub fn means_to_hide(&self) -> bool {
        self.hides() && !self.compiled.whole_view
    }

    /// What a player may see of a state between two steps: all of it where the rules define no `view`. At a question
    /// the `Scene` of a run says it, whose state the step has changed by then.
    pub fn view(&self, state: &State, player: &str) -> Result<Value, Error> {
        if !self.defines("view") || state.0.as_map().is_none() {
            return Ok(state.value());
        }
        self.read_from("view", state, &[machine::Value::text(player)], seen_of)
    }

    /// The rules' picture of a state, where they draw one.
    pub fn picture(&self, state: &State) -> Result<Option<String>, Error> {
        // As long as the setup is drawn there is nothing to draw a picture of.
        if !self.defines("picture") || state.0.as_map().is_none() {
            return Ok(None);
        }
        self.read_from("picture", state, &[], |drawn| drawn_of(drawn).map(Some))
    }

    pub(crate) fn drawing(&self, state: &State) -> Result<Option<SvgDrawing>, Error> {
        if !self.defines("drawing") || state.0.as_map().is_none() {
            return Ok(None);
        }
        self.read_from("drawing", state, &[], |shapes| {
            // Unlike in a state, numbers need not be whole.
            let drawing = SvgDrawing::read(&machine::to_plain(shapes))?;
            Ok((!drawing.is_empty()).then_some(drawing))
        })
    }

    /// The laws that a state breaks, in words; none where the rules define no `laws`.
    pub fn laws(&self, state: &State) -> Result<Vec<String>, Error> {
        if !self.defines("laws") {
            return Ok(Vec::new());
        }
        self.read_from("laws", state, &[], |broken| {
            texts(broken).ok_or_else(|| {
                let got = got(broken, |item| item.as_text().is_none());
                format!("must return a list of texts, got {got}")
            })
        })
    }

    pub(crate) fn keep_laws(&self, state: &State) -> Result<(), Error> {
        match self.laws(state)? {
            broken if broken.is_empty() => Ok(()),
            broken => Err(self.at_function("laws", &state.0, ScriptFault::Laws(broken)).into()),
        }
    }

    /// What must be possible somewhere, each with whether it is so in a state; nothing where the rules define no
    /// `reachable`.
    pub(crate) fn reachable(&self, state: &State) -> Result<Vec<(String, bool)>, Error> {
        if !self.defines("reachable") {
            return Ok(Vec::new());
        }
        self.read_from("reachable", state, &[], |named| {
            let read = |(name, is): (&machine::Text, &machine::Value)| match is {
                machine::Value::Bool(is) => Some((tame(name.as_str()).into_owned(), *is)),
                _ => None,
            };
            let found = named.as_map().and_then(|map| map.iter().map(read).collect());
            found.ok_or_else(|| {
                let got = got(named, |item| !matches!(item, Value::Bool(_)));
                format!("must return a map of names to true or false, got {got}")
            })
        })
    }

    /// The error of a `reachable` that returned these names, and others in the state before: the first one that only
    /// one of them has.
    pub(crate) fn other_names(&self, before: &[String], names: &[String]) -> Error {
        let only = |ones: &[String], others: &[String]| -> Option<(String, String)> {
            let one = ones.iter().find(|one| !others.contains(one))?;
            Some((brief(one), hint(&nearest(one, others.iter().map(String::as_str)))))
        };
        let new = only(names, before).map(|(one, near)| format!("`{one}` is new here{near}"));
        let gone = || only(before, names).map(|(one, _)| format!("`{one}` is not here"));
        let differs = new.or_else(gone).unwrap_or_default();
        let message = format!("must return the same names in every state: {differs}");
        self.contract("reachable", &machine::Value::Unit, message)
    }

    /// Refuses rules in which their own `check_rules` finds mistakes, at a state after `setup`. The place is
    /// that of the function or constant whose name the first text begins with.
    pub(crate) fn check_rules(&self, state: &State) -> Result<(), Error> {
        let mistakes = self.read_from("check_rules", state, &[], |mistakes| {
            let words = |found: &Vec<String>| found.iter().all(|text| !text.trim().is_empty());
            let wrong = || "must return a list of texts, none of them empty".to_owned();
            texts(mistakes).filter(words).ok_or_else(wrong)
        })?;
        let Some(first) = mistakes.first().cloned() else { return Ok(()) };
        let word = first.trim_start_matches('`').split(|c| !is_word(c));
        let word = word.take(1).collect::<String>();
        let named = self.definitions().into_iter().rev().find(|known| known.name == word);
        let function = self.functions().find(|known| known.name == "check_rules");
        let at = named.map(|named| named.at).or_else(|| function.and_then(|f| f.at.clone()));
        Err(self.script_error(at, ScriptFault::Thrown(some_of(mistakes, LISTED, "; "))).into())
    }

    /// Which players one seat answers for; `None` where each answers for themself.
    pub fn sides(&self, state: &State) -> Result<Option<IndexMap<String, Vec<String>>>, Error> {
        if !self.defines("sides") {
            return Ok(None);
        }
        self.read_from("sides", state, &[], |sides| {
            let read = |(side, players): (&machine::Text, &machine::Value)| {
                Some((side.to_string(), texts(players)?))
            };
            let sides = sides.as_map().and_then(|map| map.iter().map(read).collect());
            let sides: IndexMap<String, Vec<String>> =
                sides.ok_or_else(|| "must return a map of lists of names".to_owned())?;
            let mut of: IndexMap<&str, &str> = IndexMap::new();
            for (side, player) in
                sides.iter().flat_map(|(side, all)| all.iter().map(move |one| (side, one)))
            {
                if let Some(other) = of.insert(player, side) {
                    let [player, other, side] = [&**player, other, side].map(in_words);
                    let place = match other == side {
                        true => format!("twice in {side}"),
                        false => format!("in {other} and in {side}"),
                    };
                    return Err(format!("must name each player once: {player} is {place}"));
                }
            }
            Ok(Some(sides))
        })
    }
}

/// Of the mistakes of rules, this many are listed.
const LISTED: usize = 3;

/// What a `view` returned, which must be a map.
pub(in crate::script) fn seen_of(returned: &machine::Value) -> Result<Value, String> {
    match plain(returned, "view")? {
        seen @ Value::Map(_) => Ok(seen),
        other => Err(format!("must return a map, got {}", other.kind())),
    }
}

/// What a `picture` returned, which must be a text.
pub(in crate::script) fn drawn_of(returned: &machine::Value) -> Result<String, String> {
    match plain(returned, "picture")? {
        Value::Text(text) => Ok(tame(&text).into_owned()),
        other => Err(format!("must return a text, got {}", other.kind())),
    }
}

/// A script's own word in a message.
fn in_words(word: &str) -> String {
    format!("`{}`", brief(&word))
}

/// The kind of a value; of a list or a map with the first item that is wrong in it.
fn got(value: &machine::Value, is_wrong: impl Fn(&Value) -> bool) -> String {
    let Ok(value) = plain(value, "value") else { return "something else".to_owned() };
    let item = match &value {
        Value::List(items) => items.iter().find(|item| is_wrong(item)),
        Value::Map(entries) => entries.values().find(|item| is_wrong(item)),
        _ => None,
    };
    let item = item.map(|item| format!(" with {} in it", item.kind()));
    format!("{}{}", value.kind(), item.unwrap_or_default())
}

/// The texts of a list, if it is one of nothing else.
fn texts(list: &machine::Value) -> Option<Vec<String>> {
    let text = |item: &machine::Value| Some(tame(item.as_text()?.as_str()).into_owned());
    list.as_list()?.iter().map(text).collect()
}

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
        if !self.defines("wording") {
            return Ok(Wording::default());
        }
        let texts = Texts::default();
        let offered = options.iter().map(|option| from_plain(option, &texts)).collect();
        let offered = machine::Value::list(offered);
        let arguments = [machine::Value::text(player), machine::Value::text(question), offered];
        self.read_from("wording", seen, &arguments, |worded| {
            read_wording(&plain(worded, "wording")?, options)
        })
    }
}

/// What `wording` returned: a map with `text`, `help` and `options`, or nothing.
fn read_wording(returned: &Value, options: &[Value]) -> Result<Wording, String> {
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
            let text = tame(&words);
            Ok((!text.is_empty()).then(|| cut(&text, longest)))
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
            assert_eq!(
                read_wording(&returned, &["rock".into()]),
                Err(message.to_owned()),
                "{json}"
            );
        }
    }
}
