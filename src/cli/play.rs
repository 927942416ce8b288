//! `fracas play`: one conflict, people at the terminal where seats are `human`.

use std::process::ExitCode;

use serde_json::{Value as Json, json};

use super::arguments::{self, Common};
use super::output::Output;
use super::terminal;
use crate::conflict::{Conflict, Play, Standing, replaceable};
use crate::error::Error;
use crate::game::{Action, Actor, Outcome};
use crate::render;

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
    for warning in conflict.rules.warnings() {
        let at = warning.at.map(|at| format!("{at}: ")).unwrap_or_default();
        output.say(&format!("warning: {at}{}", warning.message));
    }
    output.say(&format!("seed {seed}"));
    let mut play = Play::begin(conflict, seed, &limits)?;
    // What people have played so far is kept even where they leave in the middle.
    let ended = terminal::play_out(&mut play, output);
    if let Some(path) = &arguments.save {
        play.saved().write_to(path)?;
        output.say(&format!("saved to {}", path.display()));
    }
    ended?;
    if output.json() {
        output.value(&standing_as_json(&play))?;
    } else if let Standing::Over { outcome, .. } = play.standing() {
        output.data(&shown(outcome))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The outcome as text: the result, then each player's utility, then the rest, key by key.
pub fn shown(outcome: &Outcome) -> String {
    let mut text = format!("result: {}", outcome.result);
    for (player, utility) in &outcome.utility {
        text.push_str(&format!("\n  {player} {}", render::signed(*utility)));
    }
    let rest = outcome.value.as_map().into_iter().flatten();
    for (key, value) in rest.filter(|(key, _)| !matches!(key.as_str(), "result" | "utility")) {
        text.push_str(&format!("\n{key}:{}", indented(value)));
    }
    text
}

/// A value below its key: tables of scalars on one line, larger ones line by line.
fn indented(value: &crate::game::Value) -> String {
    match value {
        crate::game::Value::Map(map) if !map.is_empty() => {
            map.iter().map(|(key, value)| format!("\n  {key}: {value}")).collect()
        }
        crate::game::Value::List(items) if items.iter().any(|item| item.as_map().is_some()) => {
            items.iter().map(|item| format!("\n  {item}")).collect()
        }
        other => format!(" {other}"),
    }
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
