//! What came of a tournament? Standings, cross table, forfeits, and the files that tell of it.

use std::ops::RangeInclusive;
use std::path::Path;

use serde_json::json;

use super::output::Output;
use crate::conflict::replace;
use crate::error::Error;
use crate::tournament::results::{csv, json as games_as_json};
use crate::tournament::{
    ByScenario, Course, Crosstable, Results, Spec, Standings, StrangeGame, Why,
};

/// Prints standings and cross table, for people or for programs; with the games that are missing.
///
/// # Errors
/// As [`Output::data`].
pub fn show(
    course: &Course<'_>,
    missing: &[RangeInclusive<u64>],
    output: &mut Output,
) -> Result<(), Error> {
    let standings = Standings::of(course);
    let order: Vec<usize> = standings.rows.iter().map(|row| row.index).collect();
    let table = Crosstable::of(course, &order);
    let as_json = || {
        let mut json = standings.json(&table);
        if let (false, Some(object)) = (missing.is_empty(), json.as_object_mut()) {
            let gaps = missing.iter().map(|gap| json!([gap.start(), gap.end()]));
            object.insert("missing".to_owned(), gaps.collect());
        }
        json
    };
    let as_text = |width: usize, plain: bool| {
        if is_empty(course) {
            return "no game is over yet".to_owned();
        }
        let mut parts: Vec<String> = course.spec().title.iter().cloned().collect();
        // Plain tables have no other sign of where one ends.
        parts.push(table.text(width, plain));
        // One league over all scenarios hides in which of them an agent is good.
        parts.extend(ByScenario::of(course, &order).text(width, plain));
        parts.push(standings.text(width, plain));
        parts.join("\n\n")
    };
    output.show(as_json, as_text)
}

/// Whether nothing is known yet, neither from games nor without them.
pub fn is_empty(course: &Course<'_>) -> bool {
    course.tally().games() + course.tally().computed() == 0
}

/// Says of each agent's each mistake how it erred, and how to see the first such game again.
pub fn forfeits(course: &Course<'_>, strange: &[StrangeGame], output: &mut Output) {
    let forfeits = strange.iter().filter_map(|game| match game.why {
        Why::Forfeit { times, .. } => Some((game, times)),
        _ => None,
    });
    let mut told = 0;
    for (game, times) in forfeits {
        let again = game.command.as_ref();
        let again = again.map(|again| format!("; `{again}` plays it")).unwrap_or_default();
        output.say(&format!("game {}: {}{again}", game.game.number, game.sentence()));
        told += times;
    }
    let agents = 0..course.spec().agents.len();
    let all: u64 = agents.map(|agent| course.tally().forfeits(agent)).sum();
    if all > told {
        output.say(&format!("and {} forfeits more", all - told));
    }
}

/// Writes every game that counts to a file, if one was asked for; whole, or not at all.
///
/// # Errors
/// [`Error::File`] where it cannot be written, and those of the results.
pub fn games(
    spec: &Spec,
    results: &mut Results,
    path: Option<&Path>,
    output: &mut Output,
) -> Result<(), Error> {
    let Some(path) = path else { return Ok(()) };
    let mut text = Vec::new();
    match path.extension().is_some_and(|end| end == "json") {
        true => games_as_json(spec, results, &mut text, path)?,
        false => csv(spec, results, &mut text, path)?,
    };
    match path.metadata().is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        // A pipe or a device is written to as it is.
        true => std::fs::write(path, &text).map_err(|reason| Error::file("write", path, reason))?,
        false => replace(path, &text)?,
    }
    wrote(path, output);
    Ok(())
}

/// Says that a file is there.
pub fn wrote(path: &Path, output: &mut Output) {
    output.say(&format!("wrote `{}`", path.display()));
}
