//! `fracas doc`: the handbook of functions.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::lab::lab_config;
use super::output::Output;
use super::output::write_files;
use crate::commands::DocumentedArgument;
use crate::conflict::{Order, compile};
use crate::error::Error;
use crate::handbook::{self, HandbookEntry, HandbookMatch, ScriptKind};
use crate::lab::{self, Lab};
use crate::tournament::keys;

#[derive(Args, Debug)]
pub(super) struct DocCommand {
    #[command(flatten)]
    of: DocumentedArgument,
    /// Of a system: its rules in prose, as they are under a house rule, by name or path (repeatable)
    #[arg(long, value_name = "NAME", requires = "documented")]
    house: Vec<String>,
    /// Write definition files for editors into a folder: all that rules, agents, the lab can call
    #[arg(long, value_name = "DIR", conflicts_with = "documented")]
    definitions: Option<PathBuf>,
}

pub(super) fn run(
    common: &CommonArguments,
    doc: &DocCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let mut all = lab::known();
    if let Some(dir) = &doc.definitions {
        return write_definitions(common, dir, all, output);
    }
    all.extend(lab::measures());
    all.extend(lab::wishes());
    match doc.of.word() {
        Some(word) if word == "spec" => output.show(&keys::report())?,
        Some(word) => {
            let found =
                handbook::find(&all, &common.catalog()?, &word, &doc.house, &common.limits())?;
            output.show(&found.report())?;
        }
        None => {
            let all = HandbookMatch::all(all);
            output.show(&all.report())?;
            if !output.json() {
                output.say("\n`fracas doc NAME` explains a function, a family or a system");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes what editors need to know: a file for each kind of script, and one for each system.
fn write_definitions(
    common: &CommonArguments,
    dir: &Path,
    mut all: Vec<HandbookEntry>,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let mut language = Lab::new(lab_config(common)?, "lab").language();
    language.retain(|one| all.iter().all(|documented| documented.name != one.name));
    all.extend(language);
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (reader, name) in ScriptKind::ALL {
        files.push((name.to_owned(), handbook::definitions(reader, &all).into_bytes()));
    }
    let catalog = common.catalog()?;
    for system in catalog.folders() {
        let rules = match compile(system, Order::default(), &common.limits()) {
            Ok(rules) => rules,
            Err(error) if error.cut().is_some() => return Err(error),
            // Whoever mends these rules needs the definitions of all others.
            Err(error) => {
                output.warn(&format!("`{}` is left out: {error}", system.name()));
                continue;
            }
        };
        let text = handbook::of_system(&handbook::of_rules(&rules));
        files.push((format!("{}.d.rhai", system.name()), text.into_bytes()));
    }
    write_files(dir, &files, output)
}
