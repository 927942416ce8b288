//! Writes the file of a saved history; `save_reader.rs` reads it.

use std::fmt::Write;

use indexmap::IndexMap;

use super::Saved;
use super::toml_value::{self, Unwritable, key, quoted};
use crate::error::Error;
use crate::game::Value;

/// The first words of the file; the number of the format follows.
pub(super) const OPENING: &str = "fracas history";
/// The line between the header and the entries.
pub(super) const RULE: &str = "---";
/// The first words of the last line where the conflict is over; the outcome follows in JSON.
pub(super) const OUTCOME: &str = "# outcome ";
/// The last line where it is not.
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
    let house: Vec<String> = saved.house.iter().map(|name| quoted(name)).collect();
    line("house", &format!("[{}]", house.join(", ")));

    let table = saved.setup.as_map().ok_or_else(|| Error::Setup {
        place: "setup".to_owned(),
        message: format!("must be a table to be saved, got {}", saved.setup.kind()),
        nearest: None,
        at: None,
    })?;
    section(&mut out, "params", &saved.params, |name, wrong| Error::Parameter {
        name: format!("{name}{}", wrong.place),
        message: wrong.message.to_owned(),
        nearest: None,
        at: None,
    })?;
    texts(&mut out, "scripts", &saved.scripts);
    let among = saved.unseated.iter().filter(|_| !apart);
    texts(&mut out, "seats", saved.seats.iter().chain(among));
    if apart && !saved.unseated.is_empty() {
        texts(&mut out, "unseated", &saved.unseated);
    }
    let lines = [("lines", &saved.lines), ("taken_back", &saved.taken_back), ("left", &saved.left)];
    for (table, lines) in lines {
        if !lines.is_empty() {
            let _ = writeln!(out, "\n[{table}]");
        }
        for (name, history) in lines {
            let entries: Vec<String> =
                history.entries.iter().map(|entry| quoted(&entry.to_string())).collect();
            let _ = writeln!(out, "{} = [{}]", key(name), entries.join(", "));
        }
    }
    section(&mut out, "setup", table, |name, wrong| Error::Setup {
        place: format!("setup.{name}{}", wrong.place),
        message: wrong.message.to_owned(),
        nearest: None,
        at: None,
    })?;

    let _ = writeln!(out, "{RULE}\n{}{}", saved.history, closing(saved));
    Ok(out)
}

fn closing(saved: &Saved) -> String {
    match &saved.outcome {
        Some(outcome) => format!("{OUTCOME}{}", outcome.literal()),
        None => UNFINISHED.to_owned(),
    }
}

/// Writes a table of the header, a line a key.
fn section(
    out: &mut String,
    title: &str,
    table: &IndexMap<String, Value>,
    refused: impl Fn(&str, Unwritable) -> Error,
) -> Result<(), Error> {
    let _ = writeln!(out, "\n[{title}]");
    for (name, value) in table {
        let _ = write!(out, "{} = ", key(name));
        toml_value::write(value, out).map_err(|wrong| refused(name, wrong))?;
        out.push('\n');
    }
    Ok(())
}

fn texts<'a>(
    out: &mut String,
    title: &str,
    table: impl IntoIterator<Item = (&'a String, &'a String)>,
) {
    let _ = writeln!(out, "\n[{title}]");
    for (name, text) in table {
        let _ = writeln!(out, "{} = {}", key(name), quoted(text));
    }
}
