//! Writes the file of a saved history, the case file that plays a line, and values as TOML on one line; `reader.rs`
//! reads saved histories.

use std::fmt::Write;

use indexmap::IndexMap;

use super::super::{Conflict, Play};
use super::Saved;
use crate::error::Error;
use crate::game::{Actor, History, Value};

/// The first words of the file; the number of the format follows.
pub(super) const OPENING: &str = "fracas history";
pub(super) const RULE: &str = "---";
/// The first words of the last line where the conflict is over; the outcome follows in JSON.
pub(super) const OUTCOME: &str = "# outcome ";
pub(super) const UNFINISHED: &str = "# unfinished";

impl Saved {
    /// The text of the file.
    ///
    /// # Errors
    /// [`Error::Setup`] or [`Error::Parameter`] names a value that no scenario can hold either: nothing
    /// (`()` in scripts), a setup that is no table, tables nested without end.
    pub fn to_text(&self) -> Result<String, Error> {
        write(self, false)
    }

    /// The text of a file that nobody else writes, for [`Saved::read_own`]: whom a stranger's file could not
    /// seat takes no seat by it either.
    pub(crate) fn to_own_text(&self) -> Result<String, Error> {
        write(self, true)
    }
}

impl Play {
    /// The text of a case file with one case of this title, which plays the line and expects all that came of it. What
    /// no TOML can hold of the outcome is named in a comment.
    pub(crate) fn as_case(&self, title: &str) -> Result<String, Error> {
        let Conflict { scenario, rules, setup, .. } = &self.conflict;
        let mut out = "# A line of play with all it ended in, to be read and cut.\n".to_owned();
        let (system, title) = (quoted(&scenario.system), quoted(title));
        let _ = writeln!(out, "system = {system}\n\n[[case]]\ntitle = {title}");
        let is_campaign = scenario.campaign.is_some();
        if is_campaign {
            let name = scenario.name.rsplit('/').next().unwrap_or_default();
            let _ = writeln!(out, "campaign = {}", quoted(name));
        }
        if !rules.house().is_empty() {
            let _ = writeln!(out, "house = {}", list(rules.house()));
        }
        // Each conflict of a campaign has parameters and a setup of its own, which its file sets; and a case begins at
        // the setup, a campaign in one where its file says.
        let mut played = self.history();
        if !is_campaign {
            let params = self.set_params()?;
            if !params.is_empty() {
                section(&mut out, "case.params", &params, "params")?;
            }
            if let Some(setup) = setup.value.as_map() {
                section(&mut out, "case.setup", setup, "setup")?;
            }
            played = setup.begin.followed_by(&played);
        }
        for (table, chance) in [("answers", false), ("rolls", true)] {
            let answers = answers(&played, chance);
            if !answers.is_empty() {
                section(&mut out, &format!("case.{table}"), &answers, table)?;
            }
        }
        out.push_str("\n[case.expect]\n");
        if !self.events().is_empty() {
            let events = self.events().iter().map(|heard| format!("  {},\n", quoted(&heard.text)));
            let _ = writeln!(out, "events = [\n{}]", events.collect::<String>());
        }
        if let Some(asked) = self.position().asked().first() {
            let question = IndexMap::from([
                ("who".to_owned(), Value::Text(asked.who.clone())),
                ("name".to_owned(), Value::Text(asked.name.clone())),
                ("options".to_owned(), Value::List(asked.options.clone())),
            ]);
            expected(&mut out, "question", &Value::Map(question));
        }
        for (key, value) in self.outcome().and_then(Value::as_map).into_iter().flatten() {
            expected(&mut out, key, value);
        }
        Ok(out)
    }
}

/// Writes the text of a saved history. Seats that nobody takes in this folder are among the others, so that
/// they are taken in their own; with `apart` they stay as they are.
fn write(saved: &Saved, apart: bool) -> Result<String, Error> {
    let mut out = format!("{OPENING} {}\n", Saved::FORMAT);
    let mut line = |key: &str, value: &dyn std::fmt::Display| {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{key} = {value}");
    };
    line("fracas", &quoted(&saved.version));
    line("system", &quoted(&saved.system));
    line("scenario", &quoted(&saved.scenario));
    if let Some(title) = &saved.title {
        line("title", &quoted(title));
    }
    line("seed", &saved.seed);
    if let Some(name) = &saved.line {
        line("line", &quoted(name));
    }
    line("house", &list(&saved.house));
    if !saved.begin.is_empty() {
        line("begin", &entries(&saved.begin));
    }

    let table = saved.setup.as_map().ok_or_else(|| Error::Setup {
        place: "setup".to_owned(),
        message: format!("must be a table to be saved, got {}", saved.setup.kind()),
        nearest: None,
        at: None,
    })?;
    section(&mut out, "params", &saved.params, PARAMS)?;
    let text = |text: &String| quoted(text);
    rows(&mut out, "scripts", &saved.scripts, text);
    let among = saved.unseated.iter().filter(|_| !apart);
    rows(&mut out, "seats", saved.seats.iter().chain(among), text);
    if apart && !saved.unseated.is_empty() {
        rows(&mut out, "unseated", &saved.unseated, text);
    }
    let lines = [("lines", &saved.lines), ("taken_back", &saved.taken_back), ("left", &saved.left)];
    for (title, lines) in lines.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        rows(&mut out, title, lines, entries);
    }
    section(&mut out, "setup", table, "setup")?;
    let _ = write!(out, "{RULE}\n{}", saved.history);
    match &saved.outcome {
        Some(outcome) => out += &format!("{OUTCOME}{}\n", outcome.literal()),
        None => out += &format!("{UNFINISHED}\n"),
    }
    Ok(out)
}

fn entries(history: &History) -> String {
    list(&history.entries.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// Who -> the name of what was asked -> the answers in order, of players or of chance.
fn answers(history: &History, chance: bool) -> IndexMap<String, Value> {
    let mut all: IndexMap<String, IndexMap<String, Vec<Value>>> = IndexMap::new();
    for action in history.actions() {
        let who = match &action.actor {
            Actor::Player(who) if !chance => who,
            Actor::Chance(who) if chance => who,
            _ => continue,
        };
        let of = all.entry(who.clone()).or_default();
        of.entry(action.name.clone()).or_default().push(action.value.clone());
    }
    let named = |names: IndexMap<String, Vec<Value>>| {
        Value::Map(names.into_iter().map(|(name, given)| (name, Value::List(given))).collect())
    };
    all.into_iter().map(|(who, names)| (who, named(names))).collect()
}

/// Writes what is expected under a key, or why it cannot be.
fn expected(out: &mut String, name: &str, value: &Value) {
    let mut text = String::new();
    let _ = match write_value(value, &mut text) {
        Ok(()) => writeln!(out, "{} = {text}", toml_key(name)),
        Err(wrong) => {
            let place = quoted(&format!("{name}{}", wrong.place));
            writeln!(out, "# {place} is left out: {}", wrong.message)
        }
    };
}

/// The place of parameters, which have an error of their own.
const PARAMS: &str = "";

/// Writes a table of the header, a line a key; an error names the value by its place below this one.
pub(crate) fn section(
    out: &mut String,
    title: &str,
    table: &IndexMap<String, Value>,
    place: &str,
) -> Result<(), Error> {
    let _ = writeln!(out, "\n[{title}]");
    for (name, value) in table {
        let _ = write!(out, "{} = ", toml_key(name));
        write_value(value, out).map_err(|wrong| {
            let (message, nearest, at) = (wrong.message.to_owned(), None, None);
            let name = format!("{name}{}", wrong.place);
            match place {
                PARAMS => Error::Parameter { name, message, nearest, at },
                _ => Error::Setup { place: format!("{place}.{name}"), message, nearest, at },
            }
        })?;
        out.push('\n');
    }
    Ok(())
}

fn rows<'a, T: 'a>(
    out: &mut String,
    title: &str,
    table: impl IntoIterator<Item = (&'a String, &'a T)>,
    written: impl Fn(&T) -> String,
) {
    let _ = writeln!(out, "\n[{title}]");
    for (name, value) in table {
        let _ = writeln!(out, "{} = {}", toml_key(name), written(value));
    }
}

pub(crate) fn list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
}

/// A value as TOML on one line; nothing where it cannot be written.
pub(crate) fn as_toml(value: &Value) -> Option<String> {
    let mut out = String::new();
    write_value(value, &mut out).is_ok().then_some(out)
}

/// Deeper values are refused: readers of TOML give up at about 80.
const DEEPEST: usize = 64;

/// Why a value cannot be written: where in it, and what is wrong there.
#[derive(Debug)]
struct Unwritable {
    /// The path from the value on: empty, or `.red.stock`, `.wars[0]`.
    place: String,
    message: &'static str,
}

fn write_value(value: &Value, out: &mut String) -> Result<(), Unwritable> {
    write_at(value, String::new(), 0, out)
}

fn write_at(
    value: &Value,
    place: String,
    depth: usize,
    out: &mut String,
) -> Result<(), Unwritable> {
    if depth > DEEPEST {
        let message = "it is nested too deeply to be saved";
        return Err(Unwritable { place: String::new(), message });
    }
    match value {
        Value::Unit => {
            let message = "nothing cannot be saved; leave the key out";
            return Err(Unwritable { place, message });
        }
        Value::Bool(_) | Value::Int(_) => out.push_str(&value.to_string()),
        Value::Float(number) if number.is_nan() => out.push_str("nan"),
        // Rust's `{:?}` writes the shortest number that reads back as itself, always with a point
        // or an exponent, and `inf` as TOML does.
        Value::Float(number) => out.push_str(&format!("{number:?}")),
        Value::Text(text) => out.push_str(&quoted(text)),
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_at(item, format!("{place}[{i}]"), depth + 1, out)?;
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (i, (name, item)) in map.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { " " });
                out.push_str(&toml_key(name));
                out.push_str(" = ");
                write_at(item, format!("{place}.{name}"), depth + 1, out)?;
            }
            out.push_str(if map.is_empty() { "}" } else { " }" });
        }
    }
    Ok(())
}

/// A key as it is written in TOML: bare where it may be, else quoted.
pub(crate) fn toml_key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) }
}

/// A text as JSON writes it, which TOML reads as the same text.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).literal()
}

pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(json: &str) -> Value {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn tables_and_lists_keep_their_order_on_one_line() {
        let mut out = String::new();
        let json = r#"{"b": {"x y": "a\n\"b\""}, "a": [1, 0.5, true, {}, [], 1e300], "": -3}"#;
        write_value(&value(json), &mut out).unwrap();
        assert_eq!(
            out,
            r#"{ b = { "x y" = "a\n\"b\"" }, a = [1, 0.5, true, {}, [], 1e300], "" = -3 }"#
        );
    }

    #[test]
    fn nothing_is_refused_with_its_place() {
        let refused = write_value(&value(r#"{"a": [{"b": 1}, {"b": null}]}"#), &mut String::new());
        assert_eq!(refused.unwrap_err().place, ".a[1].b");
    }
}
