//! What do the results in a file come to? They are consumed in schedule order, as when they were played.

use std::ops::RangeInclusive;

use super::super::{Course, Exact, Game, GameResult, Next, Seating, Spec};
use super::Results;
use crate::error::Error;

/// The course of a tournament as far as its results are there without a gap; each game that counts
/// is shown to `visit`. The results of a shard are consumed all, without its gaps.
///
/// # Errors
/// Those of [`Results::get`], and of `visit`.
pub fn replay<'a>(
    spec: &'a Spec,
    results: &mut Results,
    mut visit: impl FnMut(&Game, &GameResult) -> Result<(), Error>,
) -> Result<Course<'a>, Error> {
    let identity = results.identity().clone();
    let mut course = match identity.shard {
        Some(_) => Course::of_part(spec, &identity.conditions),
        None => Course::new(spec, &identity.conditions),
    };
    results.rewind();
    while let Next::Game(game) = course.next(&mut |seating, _| exact(results, seating))? {
        if identity.shard.is_some_and(|shard| !shard.holds(game.number)) {
            course.pass_over();
            continue;
        }
        let Some(result) = results.get(&game)? else { break };
        course.consume(&game, &result);
        visit(&game, &result)?;
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
    let mut course = Course::new(spec, &conditions);
    results.rewind();
    let mut gaps: Vec<RangeInclusive<u64>> = Vec::new();
    while let Next::Game(game) = course.next(&mut |seating, _| exact(results, seating))? {
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

fn exact(results: &Results, seating: &Seating) -> Result<Option<Exact>, Error> {
    results.exact(seating).map(Option::flatten)
}
