//! Consumes the results in a file in schedule order, as when they were played, and writes what counts as
//! JSON, for other programs.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use serde::Serialize;
use serde_json::json;

use super::super::{ExactEnd, ExactOdds, Game, GameResult, Lineup, Next, Spec, TournamentState};
use super::Results;
use crate::conflict::replace_by;
use crate::error::Error;

/// The state of a tournament as far as its results are there without a gap; each game that counts
/// is shown to `visit`. In a shard, and in a file that was merged, gaps are passed over, where the
/// schedule is the same without the results: each game counts that is there.
pub fn replay<'a>(
    spec: &'a Spec,
    results: &mut Results,
    visit: impl FnMut(&Results, &Game, &GameResult) -> Result<(), Error>,
) -> Result<TournamentState<'a>, Error> {
    replay_with(spec, results, true, visit)
}

/// As [`replay`], if wanted without how the ratings narrowed: most of the time is spent on that.
pub(crate) fn replay_with<'a>(
    spec: &'a Spec,
    results: &mut Results,
    looks: bool,
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
    if !looks {
        state = state.without_looks();
    }
    results.rewind();
    while let Next::Game(game) = state.next(&mut |matches| Ok(exact(results, matches)))? {
        if identity.shard.is_some_and(|shard| !shard.holds(game.number)) {
            state.pass_over();
            continue;
        }
        match counted(&state, &game, results.get(&game)?) {
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
pub fn missing(spec: &Spec, results: &mut Results) -> Result<Vec<RangeInclusive<u64>>, Error> {
    let conditions = results.identity().conditions.clone();
    let mut state = TournamentState::new(spec, &conditions);
    results.rewind();
    let mut gaps: Vec<RangeInclusive<u64>> = Vec::new();
    while let Next::Game(game) = state.next(&mut |matches| Ok(exact(results, matches)))? {
        let result = results.get(&game)?;
        match if gaps.is_empty() { counted(&state, &game, result) } else { result } {
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

/// A result that counts: of a program that is out of the tournament in a game its forfeit, and of another one no such.
fn counted(
    state: &TournamentState<'_>,
    game: &Game,
    result: Option<GameResult>,
) -> Option<GameResult> {
    result.filter(|result| result.out() == state.out(game).map(|(seat, _)| seat))
}

/// What is known of the matches of a round: of each, the exact ends of all its lineups.
pub(crate) fn exact(results: &Results, matches: &[Vec<Lineup>]) -> Vec<Option<Vec<ExactOdds>>> {
    let known = |lineups: &Vec<Lineup>| {
        lineups.iter().map(|lineup| results.exact(lineup).cloned()).collect()
    };
    matches.iter().map(known).collect()
}

/// Writes every game that counts to a file as JSON, whole or not at all.
pub(crate) fn write_games(spec: &Spec, results: &mut Results, path: &Path) -> Result<(), Error> {
    let mut write = |to: &mut dyn Write| json(spec, results, to, path).map(drop);
    if !path.metadata().is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        takes_games(path)?;
        return replace_by(path, &mut write);
    }
    // A pipe or a device is written to as it is.
    let opened = std::fs::OpenOptions::new().write(true).open(path);
    let file = opened.map_err(|reason| Error::file("write", path, reason))?;
    write(&mut io::BufWriter::new(file))
}

/// That games may be written to a file: there is none, it is empty, or it begins as games are written.
pub(crate) fn takes_games(path: &Path) -> Result<(), Error> {
    let mut begins = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1_000).read_to_end(&mut begins));
    let text = String::from_utf8_lossy(&begins);
    let is_list = text.starts_with("[\n{\"") && text.contains("\"scenario\":");
    match read.is_err() || text.trim().is_empty() || is_list || text.starts_with("[]") {
        true => Ok(()),
        false => {
            let reason = "it is there and has no games of a tournament: name another file";
            Err(Error::file("write", path, reason))
        }
    }
}

/// Writes what counts as a JSON list. Of a game: `{"number", "scenario", "nth", "seed", "seats": {seat:
/// agent}, "result", "utility": {seat: number}, "questions", "command", "adjudicated", "forfeit"}`, the last three
/// where there are any. Of agents in their seats that were computed and not played: `{"scenario", "seats",
/// "computed": [{"probability", "result", "utility"}]}`, with all their ends.
pub fn json<'a>(
    spec: &'a Spec,
    results: &mut Results,
    to: &mut dyn Write,
    name: &Path,
) -> Result<TournamentState<'a>, Error> {
    let failed = |reason: io::Error| Error::file("write", name, reason);
    let seats = results.identity().conditions.seats.clone();
    let names = |lineup: &Lineup| seats.get(lineup.scenario).map(Vec::as_slice).unwrap_or_default();
    let mut before = "[\n";
    let state = replay_with(spec, results, false, |results, game, result| {
        let object = object(spec, names(&game.lineup), game, result, results.command(game));
        write!(to, "{before}{object}").map_err(failed)?;
        before = ",\n";
        Ok(())
    })?;
    for (lineup, odds) in state.tally().exact_lineups() {
        let names = names(lineup);
        let end = |end: &ExactEnd| {
            let utility = by_seat(names, &end.utility);
            json!({"probability": end.probability, "result": end.result, "utility": utility})
        };
        let ends: Vec<serde_json::Value> = odds.ends.iter().map(end).collect();
        let (scenario, seats) = (spec.scenario(lineup), by_seat(names, spec.seated(lineup)));
        let object = json!({"scenario": scenario, "seats": seats, "computed": ends});
        write!(to, "{before}{object}").map_err(failed)?;
        before = ",\n";
    }
    let end = if before == "[\n" { "[]\n" } else { "\n]\n" };
    to.write_all(end.as_bytes()).and_then(|()| to.flush()).map_err(failed)?;
    Ok(state)
}

fn by_seat<T: Serialize>(
    names: &[String],
    values: impl IntoIterator<Item = T>,
) -> serde_json::Value {
    names.iter().cloned().zip(values).map(|(seat, value)| (seat, json!(value))).collect()
}

fn object(
    spec: &Spec,
    names: &[String],
    game: &Game,
    result: &GameResult,
    command: Option<String>,
) -> serde_json::Value {
    let mut object = json!({
        "number": game.number,
        "scenario": spec.scenario(&game.lineup),
        "nth": game.nth,
        "seed": game.seed,
        "seats": by_seat(names, spec.seated(&game.lineup)),
        "result": result.result,
        "utility": by_seat(names, &result.utility),
        "questions": result.questions,
    });
    for (key, value) in [
        ("command", command.map(|command| json!(command))),
        ("adjudicated", result.adjudicated.map(|why| json!(why))),
        ("forfeit", result.forfeit.as_ref().map(|forfeit| json!(forfeit))),
    ] {
        value.into_iter().for_each(|value| object[key] = value);
    }
    object
}
