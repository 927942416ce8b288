//! Consumes the results in a file in schedule order, as when they were played, and writes the games that
//! count for other programs: as CSV or JSON.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use serde_json::{Map, json};

use super::super::{ExactOdds, Game, GameResult, Lineup, Next, Spec, TournamentState};
use super::Results;
use crate::conflict::replace;
use crate::error::Error;

/// The state of a tournament as far as its results are there without a gap; each game that counts
/// is shown to `visit`. In a shard, and in a file that was merged, gaps are passed over, where the
/// schedule is the same without the results: each game counts that is there.
///
/// # Errors
/// Those of [`Results::get`], and of `visit`.
pub fn replay<'a>(
    spec: &'a Spec,
    results: &mut Results,
    mut visit: impl FnMut(&Results, &Game, &GameResult) -> Result<(), Error>,
) -> Result<TournamentState<'a>, Error> {
    let identity = results.identity().clone();
    let gaps = identity.merged
        && TournamentState::can_be_split(spec)
        && !missing(spec, results)?.is_empty();
    let mut state = match gaps || identity.shard.is_some() {
        true => TournamentState::of_part(spec, &identity.conditions),
        false => TournamentState::new(spec, &identity.conditions),
    };
    results.rewind();
    while let Next::Game(game) = state.next(&mut |matches| Ok(exact(results, matches)))? {
        if identity.shard.is_some_and(|shard| !shard.holds(game.number)) {
            state.pass_over();
            continue;
        }
        match results.get(&game)? {
            Some(result) => {
                state.consume(&game, &result);
                visit(results, &game, &result)?;
            }
            None if gaps => state.pass_over(),
            None => break,
        }
    }
    state.close();
    Ok(state)
}

/// The numbers of the games that count and are not there, in order. Where a format looks at
/// results, the games after the first gap cannot be known, and only that gap is named.
///
/// # Errors
/// Those of [`Results::get`].
pub fn missing(spec: &Spec, results: &mut Results) -> Result<Vec<RangeInclusive<u64>>, Error> {
    let conditions = results.identity().conditions.clone();
    let mut state = TournamentState::new(spec, &conditions);
    results.rewind();
    let mut gaps: Vec<RangeInclusive<u64>> = Vec::new();
    while let Next::Game(game) = state.next(&mut |matches| Ok(exact(results, matches)))? {
        match results.get(&game)? {
            Some(result) if gaps.is_empty() => state.consume(&game, &result),
            Some(_) => {}
            None => match gaps.last_mut() {
                Some(last) if last.end() + 1 == game.number => *last = *last.start()..=game.number,
                _ => gaps.push(game.number..=game.number),
            },
        }
    }
    results.rewind();
    Ok(gaps)
}

/// What is known of the matches of a round: of each, the exact ends of all its lineups.
pub(crate) fn exact(results: &Results, matches: &[Vec<Lineup>]) -> Vec<Option<Vec<ExactOdds>>> {
    let known = |lineups: &Vec<Lineup>| {
        lineups.iter().map(|lineup| results.exact(lineup).cloned()).collect()
    };
    matches.iter().map(known).collect()
}

/// Writes every game that counts to a file, whole or not at all: as JSON where its name ends in `.json`,
/// else as CSV.
///
/// # Errors
/// [`Error::File`] where it cannot be written, and those of the results.
pub(crate) fn write_games(spec: &Spec, results: &mut Results, path: &Path) -> Result<(), Error> {
    let mut text = Vec::new();
    match path.extension().is_some_and(|end| end == "json") {
        true => json(spec, results, &mut text, path)?,
        false => csv(spec, results, &mut text, path)?,
    };
    match path.metadata().is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        // A pipe or a device is written to as it is.
        true => std::fs::write(path, &text).map_err(|reason| Error::file("write", path, reason)),
        false => replace(path, &text),
    }
}

/// Writes the games that count as CSV (RFC 4180), a row for each seat of each game: `game,scenario,nth,
/// seed,seat,agent,utility,result,questions,forfeit,command`. `nth` is how often the same agents sat in
/// the same seats before; the forfeit is in the row of the seat whose agent erred.
///
/// # Errors
/// Those of [`replay`]; [`Error::File`] where `to`, called `name`, cannot be written.
pub fn csv<'a>(
    spec: &'a Spec,
    results: &mut Results,
    to: &mut dyn Write,
    name: &Path,
) -> Result<TournamentState<'a>, Error> {
    let failed = |reason: io::Error| Error::file("write", name, reason);
    writeln!(to, "game,scenario,nth,seed,seat,agent,utility,result,questions,forfeit,command")
        .map_err(failed)?;
    let state = write_each(spec, results, name, |names, game, result, command| {
        let command = command.unwrap_or_default();
        for (seat, (name, agent)) in names.iter().zip(agents(spec, game)).enumerate() {
            let utility = result.utility.get(seat).map(f64::to_string);
            let forfeit = result.forfeit.as_ref().filter(|forfeit| forfeit.seat == seat);
            let fields = [
                game.number.to_string(),
                scenario(spec, game).to_owned(),
                game.nth.to_string(),
                game.seed.to_string(),
                name.clone(),
                agent.to_owned(),
                utility.unwrap_or_default(),
                result.result.clone(),
                result.questions.to_string(),
                forfeit.map(|forfeit| forfeit.message.clone()).unwrap_or_default(),
                command.clone(),
            ];
            writeln!(to, "{}", fields.map(|field| quoted(&field)).join(","))?;
        }
        Ok(())
    })?;
    to.flush().map_err(failed)?;
    Ok(state)
}

/// Writes the games that count as a JSON list: `{"number", "scenario", "nth", "seed", "seats": {seat:
/// agent}, "result", "utility": {seat: number}, "questions", "command", "forfeit"}`, the last two where
/// there are any.
pub fn json<'a>(
    spec: &'a Spec,
    results: &mut Results,
    to: &mut dyn Write,
    name: &Path,
) -> Result<TournamentState<'a>, Error> {
    let failed = |reason: io::Error| Error::file("write", name, reason);
    let mut before = "[\n";
    let state = write_each(spec, results, name, |names, game, result, command| {
        write!(to, "{before}{}", object(spec, names, game, result, command))?;
        before = ",\n";
        Ok(())
    })?;
    let end = if before == "[\n" { "[]\n" } else { "\n]\n" };
    to.write_all(end.as_bytes()).and_then(|()| to.flush()).map_err(failed)?;
    Ok(state)
}

/// Writes each game that counts, with the names of its seats and the command that shows it.
fn write_each<'a>(
    spec: &'a Spec,
    results: &mut Results,
    name: &Path,
    mut write: impl FnMut(&[String], &Game, &GameResult, Option<String>) -> io::Result<()>,
) -> Result<TournamentState<'a>, Error> {
    let seats = results.identity().conditions.seats.clone();
    replay(spec, results, |results, game, result| {
        let names = seats.get(game.lineup.scenario).map(Vec::as_slice).unwrap_or_default();
        write(names, game, result, results.command(game))
            .map_err(|reason| Error::file("write", name, reason))
    })
}

fn object(
    spec: &Spec,
    names: &[String],
    game: &Game,
    result: &GameResult,
    command: Option<String>,
) -> serde_json::Value {
    let agents = names.iter().cloned().zip(agents(spec, game)).map(|(seat, a)| (seat, json!(a)));
    let utility = names.iter().cloned().zip(&result.utility).map(|(seat, u)| (seat, json!(u)));
    let mut object = Map::from_iter([
        ("number".to_owned(), json!(game.number)),
        ("scenario".to_owned(), json!(scenario(spec, game))),
        ("nth".to_owned(), json!(game.nth)),
        ("seed".to_owned(), json!(game.seed)),
        ("seats".to_owned(), agents.collect::<Map<_, _>>().into()),
        ("result".to_owned(), json!(result.result)),
        ("utility".to_owned(), utility.collect::<Map<_, _>>().into()),
        ("questions".to_owned(), json!(result.questions)),
    ]);
    if let Some(command) = command {
        object.insert("command".to_owned(), json!(command));
    }
    if let Some(forfeit) = &result.forfeit {
        object.insert("forfeit".to_owned(), json!(forfeit));
    }
    object.into()
}

fn scenario<'a>(spec: &'a Spec, game: &Game) -> &'a str {
    spec.scenarios.get(game.lineup.scenario).map(String::as_str).unwrap_or_default()
}

fn agents<'a>(spec: &'a Spec, game: &Game) -> Vec<&'a str> {
    let name = |&agent: &usize| spec.agents.get(agent).map(String::as_str).unwrap_or_default();
    game.lineup.agents.iter().map(name).collect()
}

/// A field of CSV; one that a spreadsheet would take for a formula stays a text.
fn quoted(field: &str) -> String {
    let number = field.parse::<f64>().is_ok();
    let formula = field.starts_with(['=', '+', '-', '@']) && !number;
    let field = if formula { format!("'{field}") } else { field.to_owned() };
    if field.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field
}
