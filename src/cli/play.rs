//! `fracas play`: one conflict, people at the terminal where seats are `human`.

use std::process::ExitCode;

use serde_json::{Value as Json, json};

use super::arguments::{self, Common};
use super::output::Output;
use super::terminal;
use crate::conflict::{Conflict, Play, Standing, replaceable};
use crate::error::Error;
use crate::game::{Action, Actor};
use crate::render;
use crate::repl::Options;

/// Runs the command.
///
/// # Errors
/// Those of the scenario, the rules and the file to save to.
pub fn run(
    common: &Common,
    arguments: &arguments::Play,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    let changes = arguments.scenario.changes()?;
    let conflict = Conflict::open(&catalog, &arguments.scenario.scenario, &changes, &limits)?;
    if let Some(path) = &arguments.save {
        // Nobody plays for an hour to hear that it cannot be kept.
        replaceable(path)?;
    }
    let seed = common.seed();
    output.warnings(&conflict);
    let begun = Play::begin(conflict, seed, &limits);
    // A seat that nobody can take has nothing to do with chance.
    if begun.as_ref().err().is_none_or(|error| error.exit_code() != 2) {
        output.say(&format!("seed {seed}"));
    }
    let play = begun?;
    let options = Options {
        limits,
        seed,
        width: output.width(),
        plain: output.plain(),
        json: false,
        name: "stdin",
    };
    // What people have played so far is kept even where they leave in the middle.
    let (play, ended) = terminal::play_out(play, &catalog, options, output);
    let Some(play) = play else { return ended.map(|()| ExitCode::SUCCESS) };
    if let Some(path) = &arguments.save {
        play.saved().write_to(path)?;
        output.say(&format!("saved to {}", path.display()));
    }
    ended?;
    if output.json() {
        output.value(&standing_as_json(&play))?;
    } else if let Standing::Over { outcome, .. } = play.standing() {
        output.data(&render::outcome(outcome))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The conflict for programs; without an outcome where it is not over.
pub fn standing_as_json(play: &Play) -> Json {
    let outcome = match play.standing() {
        Standing::Over { outcome, .. } => Some(&outcome.value),
        Standing::Asked(_) => None,
    };
    let history: Vec<Json> = play.history().actions().map(action_as_json).collect();
    let events: Vec<&str> = play.events().iter().map(|heard| heard.text.as_str()).collect();
    json!({
        "system": play.conflict.scenario.system,
        "scenario": play.conflict.scenario.name,
        "seed": play.seed,
        "outcome": outcome,
        "history": history,
        "events": events,
    })
}

fn action_as_json(action: &Action) -> Json {
    let (key, who) = match &action.actor {
        Actor::Player(player) => ("player", player),
        Actor::Chance(roller) => ("chance", roller),
    };
    json!({ key: who, "name": action.name, "action": action.value })
}
