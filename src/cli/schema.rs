//! `fracas schema`: the keys of what each command prints with `--json`, from the types that it prints.

use std::process::ExitCode;

use clap::Args;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use super::output::Output;
use super::written_files::WrittenFiles;
use super::{check, replay, test};
use crate::analysis::equilibrium::Exploited;
use crate::analysis::{Compared, Estimated, Moved, Odds, Portrait, Solved, Speed, Sweep, Tuned};
use crate::conflict::Played;
use crate::error::Error;
use crate::game::Value;
use crate::handbook;
use crate::listing::{System, SystemList};
use crate::render::Failed;
use crate::script::Listing;
use crate::tournament::Standings;

#[derive(Args, Debug)]
pub(super) struct SchemaCommand {
    /// The command; without one, the names of all that have a schema
    command: Option<String>,
}

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
    ("test", &[of::<test::TestReport>]),
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
pub(super) fn run(arguments: &SchemaCommand, output: &mut Output) -> Result<ExitCode, Error> {
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
