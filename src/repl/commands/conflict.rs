//! The commands that open and play a conflict: `:open`, `:play`, `:seat`.

use std::path::Path;

use clap::Args;

use crate::agents::HUMAN;
use crate::arguments::{ScenarioArguments, SeedArgument};
use crate::conflict::{Conflict, Play, Position, RunUntil};
use crate::error::{Error, Location};
use crate::game::History;
use crate::repl::{Reply, Session, question};

/// `:open`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help("The seed of chance; the next one where it is not given")))]
pub struct Open {
    #[command(flatten)]
    scenario: ScenarioArguments,
    #[command(flatten)]
    chance: SeedArgument,
}

pub(super) fn open(session: &mut Session, open: &Open, reply: &mut Reply) -> Result<(), Error> {
    let Open { scenario: ScenarioArguments { scenario, .. }, chance } = open;
    let (changes, given) = (open.scenario.changes()?, chance.seed);
    let limits = session.options.limits.clone();
    let conflict = Conflict::open(&session.catalog, scenario, &changes, &limits)
        .inspect_err(|error| how_to_mend(session, scenario, error, reply))?;
    for warning in conflict.warnings() {
        reply.note(warning.to_string());
    }
    let people = conflict.seats.values().any(|agent| agent == HUMAN);
    let go = if people { RunUntil::PersonAsked } else { RunUntil::NextQuestion };
    let seed = given.unwrap_or(session.options.seed);
    let hides = conflict.hides_from_people() && !session.revealed;
    let play = Play::resume(conflict, seed, &limits, History::default(), go)
        .map_err(|error| if hides { error.veiled() } else { error })?;
    session.options.seed = seed.wrapping_add(1);
    if given.is_none() {
        session.journal.fix(format!(" --seed {seed}"));
    }
    session.keep_unsaved(reply);
    let dropped = dropped(session.play.as_ref(), &play);
    reply.note(question::introduction(&play));
    dropped.into_iter().for_each(|dropped| reply.note(dropped));
    session.take_up(play);
    session.is_taken_up(None);
    session.report(reply);
    nobody_plays(session.open()?, reply);
    if session.guides && session.open()?.asked().is_some() {
        session.guides = false;
        reply.note("`:odds` weighs the options, `:why` shows which rule asks, `:edit` opens it");
    }
    Ok(())
}

/// Which house rules that were laid over the conflict before are not laid over this one, though they could be.
fn dropped(before: Option<&Play>, play: &Play) -> Option<String> {
    let before = before.filter(|one| one.conflict.folder.name() == play.conflict.folder.name())?;
    let (laid, of_scenario) = (before.conflict.rules.house(), &before.conflict.scenario.house);
    let gone =
        |name: &&String| !of_scenario.contains(name) && !play.conflict.rules.house().contains(name);
    let gone: Vec<&str> = laid.iter().filter(gone).map(String::as_str).collect();
    (!gone.is_empty()).then(|| {
        let names: Vec<String> = gone.iter().map(|name| format!("`{name}`")).collect();
        format!(
            "no longer in force: {}; `:house {}` applies {} here",
            names.join(", "),
            gone.join(" "),
            if gone.len() == 1 { "it" } else { "them" }
        )
    })
}

/// Says how to sit down, where nobody plays by hand.
fn nobody_plays(play: &Play, reply: &mut Reply) {
    let Position::Asked(moment) = play.position() else { return };
    if !play.people().is_empty() {
        return;
    }
    let decides = moment.asked.iter().find(|asked| !asked.chance).map(|asked| &asked.who);
    let Some(player) = decides.or(play.players.names.first()) else { return };
    reply.note(format!(
        "nobody plays by hand: `:seat {player} {HUMAN}` seats you, `:play` lets the agents play"
    ));
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

pub(super) fn play(
    session: &mut Session,
    seed: Option<u64>,
    reply: &mut Reply,
) -> Result<(), Error> {
    let over = matches!(session.open()?.position(), Position::Over { .. });
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
        None => session.open_mut()?.go(RunUntil::PersonAsked)?,
    }
    session.report(reply);
    Ok(())
}

pub(super) fn seat(
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
    let eyes = session.eyes()?;
    let play = session.open()?;
    let over = matches!(play.position(), Position::Over { .. });
    if play.asked().is_some() {
        session.report(reply);
    } else if !session.hands_over(&eyes, reply) && !over {
        reply.note("`:play` continues");
    }
    Ok(())
}
