//! The commands that open and play a conflict: `:open`, `:play`, `:seat`.

use std::path::Path;

use super::{Command, Completes};
use crate::agents::HUMAN;
use crate::conflict::{Changes, Conflict, Play, RunUntil, Standing};
use crate::error::{Error, Location, nearest};
use crate::game::History;
use crate::repl::{Reply, Session, question};

/// The commands of this group.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "open",
        letter: Some('o'),
        arguments: "SCENARIO [--house NAME] [--param NAME=VALUE] [--seat PLAYER=AGENT] [--seed N]",
        takes: (1, usize::MAX),
        completes: &[
            Completes::Scenario,
            Completes::Option("--house", Some(&Completes::House)),
            Completes::Option("--param", Some(&Completes::Param)),
            Completes::Option("--seat", Some(&Completes::Seat)),
            Completes::Option("--seed", Some(&Completes::Free)),
        ],
        about: "opens a scenario: `system/name`, or the path of a TOML file",
        more: "Options may be given more than once, as in a shell. Where a person is seated, it goes on until \
               one is asked; else it stands at the first question, and `:play` goes on.",
        run: open,
    },
    Command {
        name: "play",
        letter: Some('p'),
        arguments: "[SEED]",
        takes: (0, 1),
        completes: &[],
        about: "goes on until a person is asked, or to the end; after it, plays anew",
        more: "With a seed it begins anew in any case. Without one, anew means under the next seed.",
        run: play,
    },
    Command {
        name: "seat",
        letter: None,
        arguments: "PLAYER AGENT",
        takes: (2, 2),
        completes: &[Completes::Player, Completes::Agent],
        about: "seats an agent from here on: `human`, `random`, `first`, `greedy`, `search:500`, one of the system's, a file",
        more: "PLAYER may be a side, whose seat answers for all its players. `greedy` takes what is best if all play at random; `search:N` \
               makes N simulations for each answer, 500 where no number is given.",
        run: seat,
    },
];

fn open(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let (scenario, changes, given) = scenario_and_changes(words)?;
    let limits = session.options.limits.clone();
    let conflict = Conflict::open(&session.catalog, &scenario, &changes, &limits)
        .inspect_err(|error| how_to_mend(session, &scenario, error, reply))?;
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
    reply.note(question::introduction(&play));
    session.take_up(play);
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

/// The scenario and the options of `:open`, written as for a shell.
fn scenario_and_changes(words: &[String]) -> Result<(String, Changes, Option<u64>), Error> {
    const OPTIONS: [&str; 4] = ["--house", "--param", "--seat", "--seed"];
    let mut scenario: Option<String> = None;
    let mut values: [Vec<String>; 4] = Default::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if !word.starts_with("--") {
            if let Some(first) = &scenario {
                let message = format!("one scenario at a time: `{first}`, or `{word}`?");
                return Err(Error::usage(message));
            }
            scenario = Some(word.clone());
            continue;
        }
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let Some(place) = OPTIONS.iter().position(|option| *option == name) else {
            let message = format!("`:open` has no option `{name}`");
            return Err(Error::Usage { message, nearest: nearest(name, OPTIONS) });
        };
        let value = value.or_else(|| words.next().cloned());
        let missing = || Error::usage(format!("`{name}` needs a value"));
        values[place].push(value.ok_or_else(missing)?);
    }
    let missing = || Error::usage("say which scenario to open; `:list` shows what there is");
    let [house, params, seats, seeds] = values;
    let seed = seeds.last().map(|word| seed_of(word)).transpose()?;
    Ok((scenario.ok_or_else(missing)?, Changes::read(&house, &params, &seats)?, seed))
}

fn play(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let over = matches!(session.open()?.standing(), Standing::Over { .. });
    let next = session.options.seed;
    let seed = match words.first() {
        Some(word) => Some(seed_of(word)?),
        None if over => {
            session.options.seed = next.wrapping_add(1);
            session.journal.fix(format!(" {next}"));
            Some(next)
        }
        None => None,
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

fn seed_of(word: &str) -> Result<u64, Error> {
    let wrong = || format!("the seed must be a whole number of 0 or more, got `{word}`");
    word.parse().map_err(|_| Error::usage(wrong()))
}

fn seat(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let [player, agent] = words else { return Ok(()) };
    let play = session.open_mut()?;
    play.seat(player, agent)?;
    reply.note(format!("{player} is seated: {agent}"));
    if play.asked().is_some() {
        session.tell(reply);
    }
    Ok(())
}
