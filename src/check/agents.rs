//! Checks the agents of a rules folder: each must compile and play every scenario without error.

use super::Check;
use super::finding::{Findings, script, top_of};
use super::playouts::{command, is_of_setup, play};
use crate::agents::{self, Surroundings};
use crate::catalog::{Folder, Kind, Scenario};
use crate::conflict::{Changes, Conflict, Players};
use crate::error::Error;
use crate::handlers::{Generator, SeatedAgents};
use crate::script::Fields;

/// Compiles an agent and lets it play every scenario: in all seats, and against chance.
pub(super) fn check(
    check: &Check<'_>,
    folder: &Folder,
    name: &str,
    scenarios: &[Scenario],
    seen: &Fields,
    findings: &mut Findings,
) -> Result<(), Error> {
    let Some(text) = script(folder, Kind::Agent, name, findings)? else { return Ok(()) };
    match agents::warnings(name, folder, check.limits, seen) {
        Ok(warnings) => {
            for warning in warnings {
                findings.warning(warning.at, warning.message);
            }
        }
        Err(error) => return findings.fault(&error, || top_of(text.path)),
    }
    if agents::built_in().any(|(word, _)| word.split([':', '(']).next() == Some(name)) {
        let message =
            format!("`{name}` is an agent of every system; this one has to be seated by its path");
        findings.warning(top_of(text.path), message);
    }
    for scenario in scenarios {
        let changes = Changes::default();
        let opened = Conflict::of(check.catalog, scenario.clone(), &changes, check.limits);
        // What is wrong without the agent is already reported.
        let Ok(conflict) = opened else { continue };
        let Ok(players) = Players::find(&conflict) else { continue };
        plays(check, &conflict, &players, name, findings)?;
    }
    Ok(())
}

fn plays(
    check: &Check<'_>,
    conflict: &Conflict,
    players: &Players,
    name: &str,
    findings: &mut Findings,
) -> Result<(), Error> {
    let (blueprint, setup) = (conflict.blueprint.clone(), conflict.setup.clone());
    let surroundings = Surroundings::alone(blueprint, setup);
    for number in 0..super::AGENT_PLAYOUTS {
        let seed = check.seed.wrapping_add(number);
        let seated = seated(players, number);
        let mut seats = SeatedAgents::new(Generator::playout(seed, 0));
        for player in &seated {
            seats = seats.seat(*player, agents::find(name, &conflict.folder, &surroundings)?);
        }
        let Err(error) = play(conflict, seats).1 else { continue };
        if is_of_setup(&error) {
            return Ok(());
        }
        let agent = |player: &String| if seated.contains(&player) { name } else { "random" };
        let seating = players.names.iter().map(|player| (player.as_str(), agent(player)));
        let around = format!(
            "scenario `{}`, seed {seed}: {{}}; played again by `{}`",
            conflict.scenario.name,
            command(check, conflict, seed, seating)
        );
        return findings.fault_of(name, &error, &around, || None);
    }
    Ok(())
}

/// The players that the agent plays: all in every second playout, else one after another.
fn seated(players: &Players, number: u64) -> Vec<&String> {
    let count = players.names.len().max(1);
    match number % 2 {
        0 => players.names.iter().collect(),
        _ => players.names.get_index(number as usize / 2 % count).into_iter().collect(),
    }
}
