//! Runs the commands of the table for scripts: a map of options becomes the words of a command line.

use std::path::Path;
use std::slice;

use clap::error::{ContextKind, ContextValue};
use clap::{Args, Command};
use indexmap::IndexMap;

use super::context::WorkResult;
use super::results::ResultKind;
use super::scenario::Opened;
use super::{convert, files};
use crate::analysis::ReportsStage;
use crate::catalog::{REFUSED_PROGRAM, names_program};
use crate::commands::{CommandEntry, Desk, Face, OtherConflict, SeedArgument, Status, mistake};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::game::Value;
use crate::report::Report;

/// Options that a script calls by another name: that of the command line is taken there, or is of one thing only.
const KEYS: [(&str, &str); 2] = [("measures", "measure"), ("house", "vary-house")];

impl Opened {
    /// Runs a command of the table on the scenario, with these words of its command line; `other` is what `compare`
    /// compares it with.
    pub(super) fn run(
        &self,
        name: &str,
        kind: ResultKind,
        words: &[String],
        other: Option<OtherConflict<'_>>,
    ) -> Result<WorkResult, Error> {
        let entry = entry(name)?;
        let matches = arguments(entry).try_get_matches_from(words);
        let matches = matches.map_err(|error| of_script(&error))?;
        let job = (entry.read)(&matches).map_err(|error| of_script(&error))?;

        let lab = &*self.desk;
        let first = !self.is_seated();
        let mut face = LabFace { one: self, first, value: Value::Unit };
        let (catalog, rules) = (lab.catalog.borrow(), lab.rules.borrow());
        let means = (lab.limits.clone(), lab.threads);
        let mut desk = Desk {
            changes: self.changes.clone(),
            seated: Some(self.seating()?.clone()),
            seed: matches.get_one("seed").copied(),
            other,
            ..Desk::new(&catalog, means, &rules, Some(&self.conflict), &mut face)
        };
        let status = job(&mut desk)?;
        Ok(WorkResult { kind, value: face.value, interrupted: status == Status::Interrupted })
    }

    /// The words of options that are a map: `n: 100` is `-n 100`.
    pub(super) fn words(
        &self,
        name: &str,
        options: &IndexMap<String, Value>,
    ) -> Result<Vec<String>, Error> {
        let entry = entry(name)?;
        let program = arguments(entry);
        // What changes the rules is another scenario here.
        let is_of_lab = |one: &&clap::Arg| {
            let changes =
                entry.changes && matches!(one.get_id().as_str(), "house" | "params" | "set");
            !changes && !one.is_hide_set()
        };
        let known = program.get_arguments().filter(is_of_lab).filter_map(|one| {
            let name = one.get_long().map(str::to_owned);
            Some((name.or_else(|| one.get_short().map(String::from))?, one))
        });
        let called = |(name, one): (String, _)| {
            let other = KEYS.iter().find(|(_, own)| *own == name).map(|(key, _)| *key);
            (other.map_or(name, str::to_owned), one)
        };
        let known: Vec<(String, &clap::Arg)> = known.map(called).collect();
        let mut words = Vec::new();
        for (key, value) in options {
            let argument = known.iter().find(|(name, _)| name == key).map(|(_, one)| *one);
            let argument = argument.ok_or_else(|| {
                Error::unknown("option", key, known.iter().map(|(name, _)| name.as_str()))
            })?;
            let option = argument.get_long().map(|long| format!("--{long}"));
            let option = option.unwrap_or_else(|| format!("-{key}"));
            let is = |name: &str| {
                argument.get_value_names().is_some_and(|names| names.iter().any(|one| one == name))
            };
            let mut push = |text: &str| -> Result<(), Error> {
                let named = text.split_once('=').map_or(text, |(_, agent)| agent);
                if names_program(text) || names_program(named) {
                    return Err(Error::usage(format!("`{key}`: `{named}` {REFUSED_PROGRAM}")));
                }
                let text = match () {
                    () if is("FILE") => {
                        files::within("write", Path::new(text))?.display().to_string()
                    }
                    () if is("NAME,NAME") => files::word(&self.desk, text)?,
                    () => text.to_owned(),
                };
                words.push(format!("{option}={text}"));
                Ok(())
            };
            match value {
                _ if !argument.get_action().takes_values() => match value {
                    Value::Bool(true) => words.push(option),
                    Value::Bool(false) => {}
                    other => {
                        return Err(Error::usage(format!(
                            "the option `{key}` must be true or false, got `{other}`"
                        )));
                    }
                },
                Value::Map(map) => {
                    for (name, values) in map {
                        push(&varied(name, values)?)?;
                    }
                }
                Value::List(all) => {
                    for one in all {
                        push(&one.to_string())?;
                    }
                }
                one => push(&one.to_string())?,
            }
        }
        Ok(words)
    }
}

/// A mistake in words that name options as a script does.
fn of_script(error: &clap::Error) -> Error {
    let named = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(one)) => slice::from_ref(one),
        Some(ContextValue::Strings(all)) => all,
        _ => &[],
    };
    let mut found = mistake(error);
    if let Error::Usage { message, .. } = &mut found {
        for option in named.iter().filter(|option| option.starts_with('-')) {
            let name = option.trim_start_matches('-').split(' ').next().unwrap_or_default();
            let name = KEYS.iter().find(|(_, own)| *own == name).map_or(name, |(key, _)| key);
            let bare = message.replace(&format!("'{option}'"), option);
            *message = bare.replace(option.as_str(), &format!("`{name}`"));
        }
    }
    found
}

fn entry(name: &str) -> Result<&'static CommandEntry, Error> {
    CommandEntry::of(name).ok_or_else(|| Error::unknown("command", name, [""; 0]))
}

fn arguments(entry: &CommandEntry) -> Command {
    let program = Command::new("").no_binary_name(true).disable_help_flag(true);
    entry.elsewhere(entry.arguments(SeedArgument::augment_args(program)))
}

/// A parameter with its values, as a command line lists them.
fn varied(name: &str, values: &Value) -> Result<String, Error> {
    let Value::List(values) = values else {
        let kind = values.kind();
        return Err(Error::usage(format!(
            "`{name}`: write a range or a list of values, not {kind}"
        )));
    };
    if values.is_empty() {
        return Err(Error::usage(format!("`{name}`: there is no value to try")));
    }
    let values: Vec<String> = values.iter().map(Value::literal).collect();
    Ok(format!("{name}={}", values.join(",")))
}

/// The parameters of a map, each with its list of values.
pub(super) fn listed(parameters: &Value) -> Result<Vec<String>, Error> {
    let Value::Map(map) = parameters else {
        let message = format!("parameters must be a map of lists, got {}", parameters.kind());
        return Err(Error::usage(message));
    };
    map.iter().map(|(name, values)| varied(name, values)).collect()
}

/// Keeps what was found as a value.
struct LabFace<'a> {
    one: &'a Opened,
    /// Whether nobody has yet been seated, so that nothing was said of people.
    first: bool,
    value: Value,
}

impl Face for LabFace<'_> {
    fn say(&mut self, text: &str) {
        self.one.desk.note(text);
    }

    fn show(&mut self, report: &Report<'_>) -> Result<(), Error> {
        self.value = convert::of_json(&report.data());
        Ok(())
    }

    fn seed(&mut self, named: Option<u64>) -> Result<u64, Error> {
        Ok(named.unwrap_or_else(|| self.one.desk.seed()))
    }

    fn people(&mut self, seating: &Seating) {
        if self.first {
            seating.in_sentences(|seat| self.seat(seat)).iter().for_each(|people| self.say(people));
        }
    }

    fn seat(&self, seat: &str) -> String {
        format!(".seat(\"{seat}\", AGENT)")
    }

    fn opponent(&self, seat: &str) -> String {
        format!(".exploit(\"{seat}\")")
    }

    fn begins(&mut self, what: &'static str, total: Option<u64>) -> ReportsStage {
        self.one.desk.begins(what, total)
    }

    fn cut(&mut self, cut: Cut, known: &str) {
        // What was interrupted is printed and ends the script.
        if cut != Cut::Interrupted {
            self.say(known);
        }
    }
}
