//! How do results leave for other programs? As CSV or JSON, the games that count, in order.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Map, json};

use super::super::{Course, Game, GameResult, Spec};
use super::{Results, replay};
use crate::error::Error;

/// Writes the games that count as CSV (RFC 4180): `number,scenario,seats,agents,result,utilities,
/// questions,forfeit`; where there are several of a thing they stand in one field, parted by spaces or, for
/// agents, by ` | `.
///
/// # Errors
/// Those of [`replay`]; [`Error::File`] where `to`, called `name`, cannot be written.
pub fn csv<'a>(
    spec: &'a Spec,
    results: &mut Results,
    to: &mut dyn Write,
    name: &Path,
) -> Result<Course<'a>, Error> {
    let failed = |reason: io::Error| Error::file("write", name, reason);
    let seats = results.identity().conditions.seats.clone();
    writeln!(to, "number,scenario,seats,agents,result,utilities,questions,forfeit")
        .map_err(failed)?;
    let course = replay(spec, results, |game, result| {
        let utility: Vec<String> = result.utility.iter().map(f64::to_string).collect();
        let forfeit = result.forfeit.as_ref().map(|forfeit| forfeit.message.as_str());
        let fields = [
            game.number.to_string(),
            scenario(spec, game).to_owned(),
            seats.get(game.seating.scenario).map(|names| names.join(" ")).unwrap_or_default(),
            agents(spec, game).join(" | "),
            result.result.clone(),
            utility.join(" "),
            result.questions.to_string(),
            forfeit.unwrap_or_default().to_owned(),
        ];
        writeln!(to, "{}", fields.map(|field| quoted(&field)).join(",")).map_err(failed)
    })?;
    to.flush().map_err(failed)?;
    Ok(course)
}

/// Writes the games that count as a JSON list: `{"number", "scenario", "seats": {seat: agent},
/// "result", "utility": {seat: number}, "questions", "forfeit"}`, the last where there is one.
///
/// # Errors
/// As [`csv`].
pub fn json<'a>(
    spec: &'a Spec,
    results: &mut Results,
    to: &mut dyn Write,
    name: &Path,
) -> Result<Course<'a>, Error> {
    let failed = |reason: io::Error| Error::file("write", name, reason);
    let seats = results.identity().conditions.seats.clone();
    let mut before = "[\n";
    let course = replay(spec, results, |game, result| {
        let names = seats.get(game.seating.scenario).map(Vec::as_slice).unwrap_or_default();
        let object = object(spec, names, game, result);
        write!(to, "{before}{object}").map_err(failed)?;
        before = ",\n";
        Ok(())
    })?;
    let end = if before == "[\n" { "[]\n" } else { "\n]\n" };
    to.write_all(end.as_bytes()).and_then(|()| to.flush()).map_err(failed)?;
    Ok(course)
}

fn object(spec: &Spec, names: &[String], game: &Game, result: &GameResult) -> serde_json::Value {
    let agents = names.iter().cloned().zip(agents(spec, game)).map(|(seat, a)| (seat, json!(a)));
    let utility = names.iter().cloned().zip(&result.utility).map(|(seat, u)| (seat, json!(u)));
    let mut object = Map::from_iter([
        ("number".to_owned(), json!(game.number)),
        ("scenario".to_owned(), json!(scenario(spec, game))),
        ("seats".to_owned(), agents.collect::<Map<_, _>>().into()),
        ("result".to_owned(), json!(result.result)),
        ("utility".to_owned(), utility.collect::<Map<_, _>>().into()),
        ("questions".to_owned(), json!(result.questions)),
    ]);
    if let Some(forfeit) = &result.forfeit {
        object.insert("forfeit".to_owned(), json!(forfeit));
    }
    object.into()
}

fn scenario<'a>(spec: &'a Spec, game: &Game) -> &'a str {
    spec.scenarios.get(game.seating.scenario).map(String::as_str).unwrap_or_default()
}

fn agents<'a>(spec: &'a Spec, game: &Game) -> Vec<&'a str> {
    let name = |&agent: &usize| spec.agents.get(agent).map(String::as_str).unwrap_or_default();
    game.seating.agents.iter().map(name).collect()
}

/// A field of CSV; one that a spreadsheet would take for a formula stays a text.
fn quoted(field: &str) -> String {
    let number = field.parse::<f64>().is_ok() || field.split(' ').all(|n| n.parse::<f64>().is_ok());
    let formula = field.starts_with(['=', '+', '-', '@']) && !number;
    let field = if formula { format!("'{field}") } else { field.to_owned() };
    if field.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field
}
