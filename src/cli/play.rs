//! `fracas play`; also opens the scenario and seats the agents for other commands.

use std::process::ExitCode;

use super::arguments::{self, CommonArguments};
use super::output::Output;
use super::terminal;
use crate::arguments::ScenarioArguments;
use crate::conflict::{Conflict, Play, Position, Seating, replaceable};
use crate::error::Error;
use crate::game::History;
use crate::render;
use crate::repl::Options;

pub(super) fn run(
    common: &CommonArguments,
    arguments: &arguments::PlayCommand,
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
    let after = History { entries: arguments.after.clone() };
    let hides = conflict.hides_from_people();
    let begun = Play::after(conflict, seed, &limits, after);
    // Where the entries that were given lead elsewhere, whoever gave them knows them.
    let begun = begun.map_err(|error| match error.itself() {
        Error::Diverged { .. } => error,
        _ if hides => error.veiled(),
        _ => error,
    });
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
        is_terminal: false,
    };
    // What people have played so far is kept even where they leave in the middle.
    let (play, ended) =
        terminal::play_out(play, &catalog, options, arguments.save.is_some(), output);
    let Some(play) = play else { return ended.map(|()| ExitCode::SUCCESS) };
    if let Some(path) = &arguments.save {
        play.saved().write_to(path)?;
        output.say(&format!("saved to {}", path.display()));
    }
    ended?;
    if output.json() {
        output.value(&play.played())?;
    } else if let Position::Over { outcome, .. } = play.position() {
        output.prose(&render::outcome(outcome))?;
    }
    Ok(ExitCode::SUCCESS)
}

// Opens the scenario of a command and seats its agents.

/// Opens a scenario and seats its agents; prints warnings of the rules and for whom `random` plays.
pub(super) fn seated(
    common: &CommonArguments,
    scenario: &ScenarioArguments,
    output: &mut Output,
) -> Result<(Conflict, Seating), Error> {
    let conflict = opened(common, scenario, output)?;
    let seating = Seating::new(&conflict, common.graph_memory())?;
    output.people(&seating);
    Ok((conflict, seating))
}

/// As [`seated`], but of a campaign only the first conflict, unless it is to be the whole.
pub(super) fn seated_next(
    common: &CommonArguments,
    scenario: &ScenarioArguments,
    whole: bool,
    output: &mut Output,
) -> Result<Seating, Error> {
    let mut conflict = opened(common, scenario, output)?;
    if conflict.scenario.campaign.is_some() && !whole {
        conflict = conflict.until(1)?;
        output
            .say("of the first conflict; `--whole` and `fracas estimate` take the whole campaign");
    }
    let seating = Seating::new(&conflict, common.graph_memory())?;
    output.people(&seating);
    Ok(seating)
}

fn opened(
    common: &CommonArguments,
    scenario: &ScenarioArguments,
    output: &mut Output,
) -> Result<Conflict, Error> {
    let catalog = common.catalog()?;
    let changes = scenario.changes()?;
    let conflict = Conflict::open(&catalog, &scenario.scenario, &changes, &common.limits())?;
    output.warnings(&conflict);
    Ok(conflict)
}
