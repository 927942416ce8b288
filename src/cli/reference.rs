//! `fracas schema`, `man` and `completions`, and the usage that the parser of the command line prints.

use std::process::ExitCode;

use clap::CommandFactory;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use super::arguments::{self, Arguments, CompletionsCommand, ManCommand};
use super::folder::{self, WrittenFiles};
use super::output::{Output, print_failed};
use super::{check, replay};
use crate::analysis::equilibrium::Exploited;
use crate::analysis::{Compared, Estimated, Moved, Odds, Portrait, Solved, Speed, Sweep, Tuned};
use crate::arguments::mistake;
use crate::conflict::Played;
use crate::error::Error;
use crate::game::Value;
use crate::handbook;
use crate::listing::{System, SystemList};
use crate::render::{ErrorReport, Failed};
use crate::script::Listing;
use crate::tournament::Standings;

type MakeSchema = fn(&mut SchemaGenerator) -> Schema;

/// The commands that print JSON, each with the types of which it prints one.
const COMMANDS: [(&str, &[MakeSchema]); 22] = [
    ("list", &[of::<SystemList>, of::<System>]),
    ("play", &[of::<Played>]),
    ("odds", &[of::<Odds>]),
    ("estimate", &[of::<Estimated>]),
    ("portrait", &[of::<Portrait>]),
    ("exploit", &[of::<Exploited>]),
    ("compare", &[of::<Compared>]),
    ("sweep", &[of::<Sweep>]),
    ("tune", &[of::<Tuned>]),
    ("solve", &[of::<Solved>, of::<Moved>]),
    ("tournament", &[of::<Standings>]),
    ("standings", &[of::<Standings>]),
    ("merge", &[of::<Standings>]),
    ("bench", &[of::<Speed>]),
    // A script prints what it likes, a value a line.
    ("run", &[of::<Value>]),
    ("replay", &[of::<Played>, of::<replay::Verified>]),
    ("test", &[of::<check::TestReport>]),
    ("check", &[of::<check::CheckReport>]),
    ("new", &[of::<WrittenFiles>]),
    ("init", &[of::<WrittenFiles>]),
    ("doc", &[of::<handbook::HandbookMatch>, of::<Vec<Listing>>, of::<WrittenFiles>]),
    ("man", &[of::<WrittenFiles>]),
];

#[derive(Serialize)]
struct CommandNames {
    commands: Vec<&'static str>,
}

/// Prints the schema of a command, or the names of all that have one.
pub(super) fn schema(
    arguments: &arguments::SchemaCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let commands: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    match &arguments.command {
        None => {
            output.show(&CommandNames { commands: commands.clone() }, |_, _| commands.join("\n"))?
        }
        Some(word) => {
            let found = COMMANDS.iter().find(|(name, _)| name == word);
            let missing = || Error::unknown("command", word, commands);
            let (name, makes) = found.ok_or_else(missing)?;
            output.value(&schema_of(name, makes))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// One of these types, or an error.
fn schema_of(name: &str, makes: &[MakeSchema]) -> serde_json::Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let makes = makes.iter().copied().chain([of::<Failed> as MakeSchema]);
    let any: Vec<Schema> = makes.map(|make| make(&mut generator)).collect();
    let definitions = generator.take_definitions(true);
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("fracas {name} --json"),
        "anyOf": any,
        "$defs": definitions,
    })
}

// Prints what the parser of the command line says: for people as it is, for programs as JSON.

/// Prints what clap says about the command line; errors as JSON where that was asked for.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    let asked_json = std::env::args_os().any(|argument| argument == "--json");
    if error.use_stderr() && asked_json {
        print_failed(ErrorReport::of(&mistake(error)));
        return ExitCode::from(2);
    }
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

// `fracas man` and `fracas completions`: the pages of the manual, and what a shell needs to complete words.

/// Prints a page, or writes all of them into a folder.
pub(super) fn man(man: &ManCommand, output: &mut Output) -> Result<ExitCode, Error> {
    let mut program = Arguments::command();
    program.build();
    let Some(dir) = &man.dir else {
        let page = match &man.command {
            None => page("fracas", program)?,
            Some(name) => {
                let known = program.get_subcommands().map(clap::Command::get_name);
                let missing = Error::unknown("command", name, known);
                let command = program.find_subcommand(name).ok_or(missing)?;
                page(&format!("fracas-{name}"), command.clone())?
            }
        };
        output.data(String::from_utf8_lossy(&page).trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let commands = program.get_subcommands().filter(|one| !one.is_hide_set());
    let pages = commands.map(|one| (format!("fracas-{}", one.get_name()), one.clone()));
    let pages = std::iter::once(("fracas".to_owned(), program.clone())).chain(pages);
    let files: Result<Vec<_>, Error> =
        pages.map(|(name, command)| Ok((format!("{name}.1"), page(&name, command)?))).collect();
    folder::write(dir, &files?, output)
}

fn page(name: &str, command: clap::Command) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    let command = command.display_name(name.to_owned()).version(env!("CARGO_PKG_VERSION"));
    let page = clap_mangen::Man::new(command).title(name);
    page.render(&mut text).map_err(|error| Error::file("write", name, error))?;
    Ok(text)
}

/// Prints what a shell needs to complete commands and options.
pub(super) fn completions(
    completions: &CompletionsCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(completions.shell, &mut command, "fracas", &mut script);
    output.data(String::from_utf8_lossy(&script).trim_end())?;
    Ok(ExitCode::SUCCESS)
}
