//! The commands `doc`: the handbook of functions; and `list`: the systems, and what their rules folders hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{CommandEntry, Desk, Runnable, Status};
use crate::conflict::{Order, compile, replace};
use crate::error::{Error, nearest};
use crate::handbook::{self, HandbookEntry, HandbookMatch, ScriptKind};
use crate::listing::{self, Detail, ScenarioSummary};
use crate::report::{Block, Report};
use crate::tournament::report_of_keys;

/// Show what a script can define and call: everything, a family, a function, or those of a system
///
/// It knows the functions of the open rules, and your own. For a family it lists the functions: `stacks`, `yours`. For a
/// system it shows the rules in prose too: `:doc territory`, or one clause of them, `:doc territory T4`.
#[derive(Args, Debug)]
pub(crate) struct DocCommand {
    /// A function, a family, a system, a clause of its rules; `spec`, the keys of a tournament's file; without one, the index
    #[arg(value_name = "NAME")]
    documented: Option<String>,
    /// Of a system: a function, a clause of its rules, or a word in them
    #[arg(value_name = "FUNCTION|CLAUSE")]
    clause: Option<String>,
    /// Of a system: its rules in prose, as they are under a house rule, by name or path (repeatable)
    #[arg(long, value_name = "NAME", requires = "documented")]
    house: Vec<String>,
    /// Write definition files for editors into a folder: all that rules, agents, the lab can call
    #[arg(long, value_name = "DIR", conflicts_with = "documented")]
    definitions: Option<PathBuf>,
}

impl Runnable for DocCommand {
    const ENTRY: CommandEntry =
        CommandEntry { alias: Some("d"), open_to_all: true, ..CommandEntry::alone::<Self>("doc") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        match (&self.definitions, &self.documented, &self.clause) {
            (Some(dir), ..) => write_definitions(dir, desk)?,
            (_, None, _) => {
                desk.face.show(&HandbookMatch::all(desk.face.documented()).report())?;
                desk.face.say("\n`doc NAME` explains a function, a family or a system");
            }
            (_, Some(word), None) if word == "spec" => desk.face.show(&report_of_keys())?,
            (_, Some(name), clause) => {
                let part = clause.iter().map(|part| format!(".{part}"));
                let word = format!("{name}{}", part.collect::<String>());
                let known = desk.face.documented();
                let find = |known: &[HandbookEntry]| {
                    handbook::find(known, desk.catalog, &word, &self.house, &desk.limits)
                };
                let found = match find(&known) {
                    Err(error @ Error::Unknown { .. }) => {
                        // What the language brings along is no part of the handbook.
                        let callable = desk.face.callable()?;
                        match names(&callable, name) {
                            true => find(&[known, callable].concat()),
                            false => Err(error),
                        }
                    }
                    found => found,
                };
                let is_path = name.contains('/') || name.ends_with(".toml");
                let is_scenario = || is_path && desk.catalog.scenario(name).is_ok();
                if matches!(found, Err(Error::Unknown { .. })) && clause.is_none() && is_scenario()
                {
                    return Err(Error::usage(format!(
                        "`{name}` is a scenario, and the handbook has none; `list` shows it"
                    )));
                }
                desk.face.show(&found?.report())?;
            }
        }
        Ok(Status::Done)
    }
}

/// Whether one of these is meant, even if the word is misspelt.
fn names(entries: &[HandbookEntry], word: &str) -> bool {
    let mut names = entries.iter().map(|entry| entry.name.as_str());
    names.clone().any(|name| word.trim_end_matches("()") == name)
        || nearest(word, &mut names).is_some()
}

/// Writes what editors need to know: a file for each kind of script, and one for each system.
fn write_definitions(dir: &Path, desk: &mut Desk<'_>) -> Result<(), Error> {
    let all = desk.face.callable()?;
    let kinds = ScriptKind::ALL.into_iter();
    let text = |reader| handbook::definitions(reader, &all).into_bytes();
    let mut files: Vec<(String, Vec<u8>)> =
        kinds.map(|(reader, name)| (name.to_owned(), text(reader))).collect();
    for system in desk.catalog.folders() {
        let rules = match compile(system, Order::default(), &desk.limits) {
            Ok(rules) => rules,
            Err(error) if error.cut().is_some() => return Err(error),
            // Whoever mends these rules needs the definitions of all others.
            Err(error) => {
                let left_out = format!("warning: `{}` is left out: {error}", system.name());
                desk.face.complain(&left_out);
                continue;
            }
        };
        let text = handbook::of_system(&handbook::of_rules(&rules));
        files.push((format!("{}.d.rhai", system.name()), text.into_bytes()));
    }
    desk.face.show(&write_files(dir, &files)?)
}

/// Writes files, each a name and its text, into a folder that is made where it is missing, and lists them. Older files
/// of these names are replaced.
///
/// # Errors
/// [`Error::File`] where one cannot be written; those before it stay.
pub(crate) fn write_files(
    dir: &Path,
    files: &[(String, Vec<u8>)],
) -> Result<Report<'static>, Error> {
    std::fs::create_dir_all(dir).map_err(|error| Error::file("make", dir, error))?;
    let write = |(name, text): &(String, Vec<u8>)| {
        let path = dir.join(name);
        replace(&path, text).map(|()| path)
    };
    Ok(listed_files(&files.iter().map(write).collect::<Result<Vec<_>, _>>()?))
}

/// The files that were written, a line each.
pub(crate) fn listed_files(paths: &[PathBuf]) -> Report<'static> {
    let files: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let lines = vec![Block::Code(files.join("\n"))];
    Report::of(BTreeMap::from([("files", files)]), lines)
}

/// List the systems; of one: scenarios, parameters, house rules, agents, functions
#[derive(Args, Debug)]
pub(crate) struct ListCommand {
    /// The system, or a scenario as in `system/name`; without one, all systems
    system: Option<String>,
    /// List its functions
    #[arg(long, requires = "system")]
    functions: bool,
    /// Show all of it in tables
    #[arg(long, requires = "system", conflicts_with = "functions")]
    all: bool,
}

impl Runnable for ListCommand {
    const ENTRY: CommandEntry =
        CommandEntry { alias: Some("l"), open_to_all: true, ..CommandEntry::alone::<Self>("list") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let (catalog, limits) = (desk.catalog, &desk.limits);
        let Some(name) = &self.system else {
            desk.face.show(&listing::systems(catalog, limits).report())?;
            return Ok(Status::Done);
        };
        let is_scenario = name.ends_with(".toml") || name.contains('/');
        match is_scenario && catalog.folder(name).is_err() {
            true => desk.face.show(&ScenarioSummary::of(&catalog.scenario(name)?).report())?,
            false => {
                let listed = listing::system(catalog, name, limits)?;
                desk.face.show(&listed.report(self.detail()))?;
            }
        }
        Ok(Status::Done)
    }
}

impl ListCommand {
    fn detail(&self) -> Detail {
        match (self.functions, self.all) {
            (true, _) => Detail::Functions,
            (_, true) => Detail::All,
            _ => Detail::Short,
        }
    }
}
