//! The commands that open and play a conflict: `:open`, `:play`, `:seat`.

use std::path::Path;

use clap::Args;

use crate::agents::HUMAN;
use crate::arguments::{ScenarioArguments, SeedArgument};
use crate::conflict::{Conflict, Play, RunUntil, Standing};
use crate::error::{Error, Location};
use crate::game::History;
use crate::repl::{Reply, Session, question};

/// `:open`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help("The seed of chance; the next one where it is not given")))]
pub struct Open {
    /// What is opened.
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// Its seed.
    #[command(flatten)]
    chance: SeedArgument,
}

/// Opens a scenario.
pub fn open(session: &mut Session, open: &Open, reply: &mut Reply) -> Result<(), Error> {
    let Open { scenario: ScenarioArguments { scenario, .. }, chance } = open;
    let (changes, given) = (open.scenario.changes()?, chance.seed);
    let limits = session.options.limits.clone();
    let conflict = Conflict::open(&session.catalog, scenario, &changes, &limits)
        .inspect_err(|error| how_to_mend(session, scenario, error, reply))?;
    for warning in conflict.warnings() {
        reply.note(warning.to_string());
    }
    let people = conflict.seats.values().any(|agent| agent == HUMAN);
    let go = if people { RunUntil::On } else { RunUntil::Stay };
    let seed = given.unwrap_or(session.options.seed);
    let hides = conflict.hides_from_people() && !session.revealed;
    let play = Play::resume(conflict, seed, &limits, History::default(), go)
        .map_err(|error| if hides { error.veiled() } else { error })?;
    session.options.seed = seed.wrapping_add(1);
    if given.is_none() {
        session.journal.fix(format!(" --seed {seed}"));
    }
    session.keep_unsaved(reply);
    reply.note(question::introduction(&play));
    session.take_up(play);
    session.is_taken_up(None);
    session.tell(reply);
    if session.guides && session.open()?.asked().is_some() {
        session.guides = false;
        reply.note("`:odds` weighs the options, `:why` tells which rule asks, `:edit` opens it");
    }
    Ok(())
}

/// Adds a note on how to open rules with a mistake in an editor.
fn how_to_mend(session: &Session, scenario: &str, error: &Error, reply: &mut Reply) {
    let on_disk = |at: &&Location| Path::new(&at.file).is_file();
    let system = scenario.split('/').next().unwrap_or_default();
    let system = session.catalog.folder(system).map(|folder| folder.name());
    if let (Error::Script(_), Some(_), Ok(system)) =
        (error, error.location().filter(on_disk), system)
    {
        reply.note(format!("`:edit {system}` opens these rules at the mistake"));
    }
}

/// Plays on, or anew under a seed.
pub fn play(session: &mut Session, seed: Option<u64>, reply: &mut Reply) -> Result<(), Error> {
    let over = matches!(session.open()?.standing(), Standing::Over { .. });
    let next = session.options.seed;
    let seed = match seed {
        None if over => {
            session.options.seed = next.wrapping_add(1);
            session.journal.fix(format!(" {next}"));
            Some(next)
        }
        given => given,
    };
    match seed {
        Some(seed) => {
            session.open_mut()?.anew(seed)?;
            reply.note(format!("seed {seed}"));
            let play = session.play.take();
            play.into_iter().for_each(|play| session.take_up(play));
        }
        None if session.open()?.asked().is_some() => {}
        None => session.open_mut()?.go(RunUntil::On)?,
    }
    session.tell(reply);
    Ok(())
}

/// Seats an agent.
pub fn seat(
    session: &mut Session,
    player: &str,
    agent: &str,
    reply: &mut Reply,
) -> Result<(), Error> {
    let play = session.open_mut()?;
    play.seat(player, agent)?;
    // What was weighed is of those who sat there before, and who sees what may be another.
    session.weighed.clear();
    session.tree.clear();
    reply.note(format!("{player} is seated: {agent}"));
    let play = session.open()?;
    if play.asked().is_some() {
        session.tell(reply);
    }
    Ok(())
}
