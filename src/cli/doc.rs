//! `fracas doc`: the handbook of functions.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::common::CommonArguments;
use super::lab::lab_config;
use super::output::Output;
use super::written_files;
use crate::arguments::DocumentedArgument;
use crate::conflict::{Order, compile};
use crate::error::Error;
use crate::handbook::{self, HandbookEntry, HandbookMatch, ScriptKind};
use crate::lab::{self, Lab};
use crate::render::tame;
use crate::script::{Listing, Rules};

#[derive(Args, Debug)]
pub(super) struct DocCommand {
    #[command(flatten)]
    of: DocumentedArgument,
    /// Write definition files for editors into a folder: all that rules, agents, the lab can call
    #[arg(long, value_name = "DIR", conflicts_with = "documented")]
    definitions: Option<PathBuf>,
    /// Print the instructions that a system's function compiles to, beside its lines
    #[arg(long, value_names = ["SYSTEM", "FUNCTION"], num_args = 2, conflicts_with_all = ["documented", "definitions"])]
    code: Option<Vec<String>>,
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
    if let Some([system, function]) = doc.code.as_deref() {
        return print_code(common, system, function, output);
    }
    all.extend(lab::measures());
    all.extend(lab::wishes());
    match doc.of.word() {
        Some(word) => {
            let found = handbook::find(&all, &common.catalog()?, &word, &common.limits())?;
            output.show(&found, |width, plain| found.as_text(width, plain))?;
        }
        None => {
            let all = HandbookMatch::all(all);
            output.show(&all, |width, plain| all.as_text(width, plain))?;
            if !output.json() {
                output.say("\n`fracas doc NAME` explains a function, a family or a system");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what a function of a system compiles to: each line of the script, then its instructions.
fn print_code(
    common: &CommonArguments,
    system: &str,
    function: &str,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let rules = compile(common.catalog()?.folder(system)?, Order::default(), &common.limits())?;
    let listings = rules.listings(function);
    if listings.is_empty() {
        let known = rules.functions().map(|function| function.name.as_str());
        return Err(Error::unknown("function", function, known));
    }
    output.show(&listings, |_, _| code_as_text(&listings, &rules))?;
    Ok(ExitCode::SUCCESS)
}

fn code_as_text(listings: &[Listing], rules: &Rules) -> String {
    let mut text = String::new();
    for listing in listings {
        let at = listing.at.as_ref().map(|at| format!("  {at}")).unwrap_or_default();
        text += &format!("{}/{}{at}\n", listing.name, listing.params);
        let mut above = None;
        for line in &listing.lines {
            let here = line.at.as_ref().map(|at| (at.file.as_str(), at.line));
            if let Some((file, number)) = here.filter(|here| above != Some(*here)) {
                let source = rules.source(file).and_then(|source| source.lines().nth(number - 1));
                text += &format!("{number:>5}  {}\n", tame(source.unwrap_or_default().trim()));
            }
            above = here.or(above);
            text += &format!("{:>11}  {}\n", line.number, tame(&line.text));
        }
    }
    text
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
    written_files::write(dir, &files, output)
}
