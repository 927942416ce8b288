//! What came of a tournament? Standings, cross table, forfeits, and the files that tell of it.

use std::fs::File;
use std::io::BufWriter;
use std::ops::RangeInclusive;
use std::path::Path;

use serde_json::json;

use super::arguments::{WrittenArguments, quoted};
use super::output::Output;
use crate::error::Error;
use crate::tournament::results::{csv, json as games_as_json, replay};
use crate::tournament::{Arena, Course, Crosstable, Forfeit, Report, Results, Spec, Standings};

/// Forfeits that are told one by one; the notes have their number.
const SHOWN: usize = 3;
/// Forfeits that a page gets to tell of.
const KEPT: usize = 100;

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
        let mut parts: Vec<String> = course.spec().title.iter().cloned().collect();
        // Plain tables have no other sign of where one ends.
        parts.push(table.text(width, plain));
        parts.push(standings.text(width, plain));
        parts.join("\n\n")
    };
    output.show(as_json, as_text)
}

/// Says of the first forfeits how the agent erred, and how to see the game again.
///
/// # Errors
/// Those of the results.
pub fn forfeits(
    spec: &Spec,
    results: &mut Results,
    arena: Option<&Arena>,
    output: &mut Output,
) -> Result<(), Error> {
    let (found, course) = found(spec, results, arena)?;
    for (number, agent, forfeit) in found.iter().take(SHOWN) {
        let again = forfeit.history.as_ref();
        let again = again.map(|again| format!("; `{again}` plays it")).unwrap_or_default();
        output.say(&format!("game {number}: `{agent}` forfeits: {}{again}", forfeit.message));
    }
    let all: u64 = (0..spec.agents.len()).map(|agent| course.tally().forfeits(agent)).sum();
    if all > SHOWN as u64 {
        output.say(&format!("and {} forfeits more", all - SHOWN as u64));
    }
    Ok(())
}

/// Writes the files that were asked for.
///
/// # Errors
/// [`Error::File`] where one cannot be written, and those of the results.
pub fn write(
    spec: &Spec,
    results: &mut Results,
    arena: Option<&Arena>,
    files: &WrittenArguments,
    output: &mut Output,
) -> Result<(), Error> {
    if let Some(path) = &files.games {
        let failed = |reason: std::io::Error| Error::file("write", path, reason);
        let mut file = BufWriter::new(File::create(path).map_err(failed)?);
        match path.extension().is_some_and(|end| end == "json") {
            true => games_as_json(spec, results, &mut file, path)?,
            false => csv(spec, results, &mut file, path)?,
        };
        wrote(path, output);
    }
    if let Some(path) = &files.report {
        let (forfeits, course) = found(spec, results, arena)?;
        let report = Report { course: &course, identity: results.identity(), forfeits: &forfeits };
        std::fs::write(path, report.html()).map_err(|reason| Error::file("write", path, reason))?;
        wrote(path, output);
    }
    Ok(())
}

fn wrote(path: &Path, output: &mut Output) {
    output.say(&format!("wrote `{}`", path.display()));
}

/// The first forfeits: number, who erred, and how; each with the command that plays it again.
type Found<'a> = (Vec<(u64, String, Forfeit)>, Course<'a>);

fn found<'a>(
    spec: &'a Spec,
    results: &mut Results,
    arena: Option<&Arena>,
) -> Result<Found<'a>, Error> {
    let mut found = Vec::new();
    let course = replay(spec, results, |game, result| {
        let Some(forfeit) = result.forfeit.as_ref().filter(|_| found.len() < KEPT) else {
            return Ok(());
        };
        let agent = game.seating.agents.get(forfeit.seat);
        let agent = agent.and_then(|&agent| spec.agents.get(agent)).cloned().unwrap_or_default();
        let again = arena.and_then(|arena| arena.again(game)).map(|words| {
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            format!("fracas {}", words.join(" "))
        });
        let history = again.or_else(|| forfeit.history.clone());
        found.push((game.number, agent, Forfeit { history, ..forfeit.clone() }));
        Ok(())
    })?;
    Ok((found, course))
}
