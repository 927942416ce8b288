//! `fracas doc`: what can a script define and call?

use std::path::Path;
use std::process::ExitCode;

use super::arguments::{Common, Doc};
use super::folder;
use super::output::Output;
use super::run::means;
use crate::conflict::{Order, compile};
use crate::error::Error;
use crate::handbook::{self, Entry, Reader};
use crate::lab::{self, Lab};

/// Runs the command.
///
/// # Errors
/// [`Error::Unknown`] with the nearest name; those of a system's rules that do not compile.
pub fn run(common: &Common, doc: &Doc, output: &mut Output) -> Result<ExitCode, Error> {
    let all = lab::known();
    if let Some(dir) = &doc.definitions {
        return write_definitions(common, dir, all, output);
    }
    match &doc.name {
        Some(word) => {
            let found = handbook::find(&all, &common.catalog()?, word, &common.limits())?;
            output.show(|| found.as_json(), |width, plain| found.as_text(width, plain))?;
        }
        None => {
            output.show(|| handbook::as_json(&all), |width, _| handbook::index(&all, width))?;
            if !output.json() {
                output.say("\n`fracas doc NAME` tells more of a function, a family or a system");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes what editors need to know: a file for each kind of script, and one for each system.
fn write_definitions(
    common: &Common,
    dir: &Path,
    mut all: Vec<Entry>,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let mut language = Lab::new(means(common)?, "lab").language();
    language.retain(|one| all.iter().all(|told| told.name != one.name));
    all.extend(language);
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (reader, name) in Reader::ALL {
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
    folder::write(dir, &files, output)
}
