//! The command `:tournament`: agents meet on the open conflict, from its beginning, under its current rules.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use indexmap::IndexMap;

use crate::catalog::FileText;
use crate::commands::{SeedArgument, WrittenArguments, one_to};
use crate::conflict::{RuleChanges, apart, replace, replaceable};
use crate::error::Error;
use crate::game::Value;
use crate::repl::{Reply, Session};
use crate::report::shell_word;
use crate::script::Limits;
use crate::tournament::results::{replay, write_games};
use crate::tournament::{
    Arena, Costs, FormatName, LeaguePage, NotableGame, NotableReason, Opening, Results, RunResult,
    Spec, Standings, TournamentState, run_aloud,
};

/// As many as a spec may ask for.
const MOST_GAMES: u64 = 1_000_000_000;

/// `:tournament`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help("The seed of the games; without it, the one after that of the open conflict")))]
pub struct Tournament {
    /// Agents, two or more; or a spec in TOML, of which all but scenarios, house rules and seed holds
    #[arg(required = true, value_name = "AGENT | SPEC.toml")]
    agent: Vec<String>,
    /// The games of each pairing; agents exchange their seats in turn [default: 100]
    #[arg(short = 'n', value_name = "N", value_parser = one_to::<u64>(MOST_GAMES), allow_negative_numbers = true)]
    n: Option<u64>,
    /// Who meets whom [default: round_robin]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(FormatName::ALL.map(FormatName::word)))]
    format: Option<String>,
    /// Play all pairings, and compute none that is small enough
    #[arg(long)]
    no_exact: bool,
    /// Keep the results in this file, and resume from those that are there
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Play nothing that is kept: say how many games there are, and about what time and room they take
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    written: WrittenArguments,
    #[command(flatten)]
    seed: SeedArgument,
}

pub(super) fn tournament(
    session: &Session,
    asked: &Tournament,
    reply: &mut Reply,
) -> Result<(), Error> {
    let play = session.open()?;
    let spec = spec(session, asked, reply)?;
    let spec_file = is_spec(&asked.agent).map(|file| ("the spec", Path::new(file)));
    let Tournament { written, .. } = asked;
    let out = asked.out.iter().map(|file| ("`--out`", file.as_path()));
    apart(spec_file.as_slice(), &out.chain(written.files()).collect::<Vec<_>>())?;
    for (_, path) in written.files() {
        replaceable(path)?;
    }
    let given = |limits: &Limits| {
        let snapshot = play.snapshot().under(limits.clone());
        snapshot.conflict(&session.catalog, &RuleChanges::default())
    };
    let limits = &session.options.limits;
    let opening = Opening {
        catalog: &session.catalog,
        limits,
        memory: limits.budget.bound(),
        rules: &[],
        place: &|_| None,
        given: Some(&given),
    };
    let arena = Arena::open(&spec, &opening)?;
    if asked.dry_run {
        let interrupt = limits.budget.interrupt().cloned().unwrap_or_default();
        let costs = Costs::of(&spec, &arena, None, (session.lab.threads(), &interrupt))?;
        session.show(reply, &costs.report());
        return Ok(());
    }
    let mut results = match &asked.out {
        Some(path) => Results::open(path, &spec, arena.conditions(), None)?,
        None => Results::in_memory(&spec, arena.conditions())?,
    };
    if let Some(beginning) = results.beginning()? {
        reply.note(beginning);
    }
    let RunResult { state, interrupted, .. } = {
        let interrupt = limits.budget.interrupt().cloned().unwrap_or_default();
        let begins = |total| session.lab.audience().begins("games", total);
        run_aloud((&spec, &arena), &mut results, (session.lab.threads(), &interrupt), &begins)?
    };
    let state = match interrupted {
        true => replay(&spec, &mut results, |_, _, _| Ok(()))?,
        false => state,
    };
    let mut standings = Standings::of(&state);
    if written.meta {
        standings = standings.with_meta(spec.seed);
    }
    session.show(reply, &standings.report(&state));
    if let [first, _, ..] = &play.players.seats()[..] {
        reply.note(format!("the first seat is `{}`", first.name));
    }
    let notable = state.notable();
    report_forfeits(&notable, reply);
    if let Some(path) = &written.games {
        write_games(&spec, &mut results, path)?;
        wrote(path, reply);
    }
    if let Some(path) = &written.report {
        write_report(path, &state, (&notable, interrupted), (&results, asked))?;
        wrote(path, reply);
    }
    results.close()?;
    if interrupted {
        reply.note(match asked.out {
            Some(_) => "interrupted: these are the standings so far; the same command resumes it",
            None => "interrupted: these are the standings so far; with `--out FILE` they are kept",
        });
    }
    Ok(())
}

/// The file of a spec, if that is what was named.
fn is_spec(agents: &[String]) -> Option<&str> {
    match agents {
        [file] if file.ends_with(".toml") => Some(file),
        _ => None,
    }
}

/// What is to be played: of agents, or of a file.
fn spec(session: &Session, asked: &Tournament, reply: &mut Reply) -> Result<Spec, Error> {
    let scenario = &session.open()?.conflict.scenario.name;
    let mut spec = match is_spec(&asked.agent) {
        Some(file) => {
            let mut spec = Spec::parse(FileText::read(Path::new(file))?)?;
            reply.note(format!("on the open conflict, `{scenario}`, under its current rules"));
            spec.scenarios = vec![scenario.clone()];
            spec.house.clear();
            spec.games = asked.n.unwrap_or(spec.games);
            if let Some(format) = &asked.format {
                let named = FormatName::ALL.into_iter().find(|one| one.word() == format);
                spec.format = named.unwrap_or(spec.format);
            }
            spec
        }
        None => {
            let list = |words: &[String]| {
                Value::List(words.iter().map(|word| Value::Text(word.clone())).collect())
            };
            let format = asked.format.as_deref().unwrap_or(FormatName::RoundRobin.word());
            let mut map = IndexMap::new();
            map.insert("scenarios".to_owned(), list(std::slice::from_ref(scenario)));
            map.insert("agents".to_owned(), list(&asked.agent));
            map.insert("format".to_owned(), Value::Text(format.to_owned()));
            if let Some(n) = asked.n {
                map.insert("games".to_owned(), Value::Int(n.try_into().unwrap_or(i64::MAX)));
            }
            let mut spec = Spec::from_value(&Value::Map(map))?;
            spec.name_programs()?;
            spec
        }
    };
    spec.exact &= !asked.no_exact;
    // Results are kept with a spec as TOML, which has 63 bits.
    let most = i64::MAX as u64;
    spec.seed = session.seed_apart(asked.seed.seed.map(|seed| seed & most))? & most;
    Ok(spec)
}

fn report_forfeits(notable: &[NotableGame], reply: &mut Reply) {
    for game in notable.iter().filter(|game| matches!(game.why, NotableReason::Forfeit { .. })) {
        reply.note(format!("game {}: {}", game.game.number, game.sentence()));
    }
}

fn write_report(
    path: &Path,
    state: &TournamentState<'_>,
    (notable, interrupted): (&[NotableGame], bool),
    (results, asked): (&Results, &Tournament),
) -> Result<(), Error> {
    let unfinished = "it was interrupted, and this is what is known so far";
    let seed = state.spec().seed;
    let command = line(asked, seed);
    let report = LeaguePage {
        state,
        identity: results.identity(),
        notable,
        unfinished: interrupted.then_some(unfinished),
        commands: &[command],
    };
    replace(path, report.html().as_bytes())
}

/// The command itself, as it repeats the tournament.
fn line(asked: &Tournament, seed: u64) -> String {
    let mut words: Vec<String> = asked.agent.iter().map(|word| shell_word(word)).collect();
    if let Some(n) = asked.n {
        words.extend(["-n".to_owned(), n.to_string()]);
    }
    if let Some(format) = &asked.format {
        words.extend(["--format".to_owned(), shell_word(format)]);
    }
    if asked.no_exact {
        words.push("--no-exact".to_owned());
    }
    format!(":tournament {} --seed {seed}", words.join(" "))
}

fn wrote(path: &Path, reply: &mut Reply) {
    reply.note(format!("wrote `{}`", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_of_a_report_repeats_it() {
        let mut asked = Tournament {
            agent: vec!["first".to_owned(), "bluffer(rate = 3)".to_owned()],
            n: Some(20),
            format: Some("swiss".to_owned()),
            no_exact: true,
            out: None,
            dry_run: false,
            written: WrittenArguments::default(),
            seed: SeedArgument { seed: None },
        };
        let line_of_all =
            ":tournament first 'bluffer(rate = 3)' -n 20 --format swiss --no-exact --seed 2";
        assert_eq!(line(&asked, 2), line_of_all);
        (asked.n, asked.format, asked.no_exact) = (None, None, false);
        assert_eq!(line(&asked, 2), ":tournament first 'bluffer(rate = 3)' --seed 2");
    }
}
