//! Consumes the results in a file in schedule order, as when they were played.

use std::ops::RangeInclusive;

use super::super::{ExactOdds, Game, GameResult, Lineup, Next, Spec, TournamentState};
use super::Results;
use crate::error::Error;

/// The course of a tournament as far as its results are there without a gap; each game that counts
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
    let mut course = match gaps || identity.shard.is_some() {
        true => TournamentState::of_part(spec, &identity.conditions),
        false => TournamentState::new(spec, &identity.conditions),
    };
    results.rewind();
    while let Next::Game(game) = course.next(&mut |matches| Ok(exact(results, matches)))? {
        if identity.shard.is_some_and(|shard| !shard.holds(game.number)) {
            course.pass_over();
            continue;
        }
        match results.get(&game)? {
            Some(result) => {
                course.consume(&game, &result);
                visit(results, &game, &result)?;
            }
            None if gaps => course.pass_over(),
            None => break,
        }
    }
    course.close();
    Ok(course)
}

/// The numbers of the games that count and are not there, in order. Where a format looks at
/// results, the games after the first gap cannot be known, and only that gap is named.
///
/// # Errors
/// Those of [`Results::get`].
pub fn missing(spec: &Spec, results: &mut Results) -> Result<Vec<RangeInclusive<u64>>, Error> {
    let conditions = results.identity().conditions.clone();
    let mut course = TournamentState::new(spec, &conditions);
    results.rewind();
    let mut gaps: Vec<RangeInclusive<u64>> = Vec::new();
    while let Next::Game(game) = course.next(&mut |matches| Ok(exact(results, matches)))? {
        match results.get(&game)? {
            Some(result) if gaps.is_empty() => course.consume(&game, &result),
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
