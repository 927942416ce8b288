//! Formats results of the lab for people, as the commands with the same results print them.

use super::number::number_of;
use super::solution::{exploited, solved};
use super::table::{Sheet, maps};
use crate::analysis::{Chances, Number};
use crate::game::{Outcome, Value};
use crate::render;

/// A result of the lab as tables; nothing where the value is none.
pub fn report(value: &Value, width: usize, plain: bool) -> Option<String> {
    let has = |keys: &[&str]| keys.iter().all(|key| value.get(key).is_some());
    if has(&["base", "house", "difference"]) {
        return compared(value, width, plain);
    }
    if has(&["results", "utility"]) {
        return Some(format!("{}\n{}", heading(value), chances(value)?.as_text(width, plain)));
    }
    if has(&["parameters", "points"]) {
        return swept(value, width, plain);
    }
    if has(&["games", "standings", "pairings"]) {
        return standings(value, width, plain);
    }
    if has(&["seat", "against", "strategy"]) {
        return exploited(value, width, plain);
    }
    if has(&["method", "value", "strategy"]) {
        return solved(value, width, plain);
    }
    if has(&["seed", "outcome", "history", "events"]) {
        return played(value);
    }
    None
}

fn chances(value: &Value) -> Option<Chances> {
    let numbers = |key: &str| {
        let numbers = value.get(key)?.as_map()?.iter();
        numbers.map(|(name, number)| Some((name.clone(), number_of(number)?))).collect()
    };
    let results: Option<Vec<(String, Number)>> = numbers("results");
    let utility: Option<Vec<(String, Number)>> = numbers("utility");
    Some(Chances {
        results: results?.into_iter().collect(),
        utility: utility?.into_iter().collect(),
        unlisted: match value.get("unlisted").and_then(number_of) {
            Some(Number::Sampled(never)) => Some(never),
            _ => None,
        },
        cut_off: value.get("cut_off").and_then(Value::as_number).unwrap_or(0.0),
        floats: value.get("float_utilities") == Some(&Value::Bool(true)),
    })
}

/// The line above the numbers, which says how they were found.
fn heading(value: &Value) -> String {
    let count = |key: &str| value.get(key).map(ToString::to_string);
    let exact = value.get("exact") == Some(&Value::Bool(true));
    // What is compared was played in pairs.
    let noun = if value.get("difference").is_some() { "pairs of playouts" } else { "playouts" };
    let nodes = value
        .get("nodes")
        .and_then(Value::as_int)
        .map(|count| render::many(count.unsigned_abs(), "node"));
    match (nodes, count("n"), count("seed")) {
        (Some(nodes), ..) if value.get("cut_off").is_some() => {
            format!("odds with dice cut off, {nodes}")
        }
        (Some(nodes), ..) if exact => format!("exact odds, {nodes}"),
        _ if exact => "exact odds".to_owned(),
        (_, Some(n), Some(seed)) => {
            format!("estimated from {n} {noun}, seed {seed} (95 % intervals)")
        }
        _ => "odds".to_owned(),
    }
}

fn compared(value: &Value, width: usize, plain: bool) -> Option<String> {
    let (base, house) = (chances(value.get("base")?)?, chances(value.get("house")?)?);
    let difference = chances(value.get("difference")?)?;
    let none = || "never".to_owned();
    let row = |(name, points): (&String, &Number)| {
        let share = |side: &Chances| side.results.get(name).map_or_else(none, Number::as_share);
        vec![name.clone(), share(&base), share(&house), points.as_points()]
    };
    let results: Vec<_> = difference.results.iter().map(row).collect();
    let row = |(name, more): (&String, &Number)| {
        let worth = |side: &Chances| {
            side.utility.get(name).map_or_else(|| "none".to_owned(), Number::as_utility)
        };
        vec![name.clone(), worth(&base), worth(&house), more.as_utility()]
    };
    let utility: Vec<_> = difference.utility.iter().map(row).collect();
    let results = render::table(&["result", "this", "other", "points"], &results, width, plain);
    let utility = render::table(&["player", "this", "other", "difference"], &utility, width, plain);
    let unlisted = base.unlisted_text(width);
    Some(format!("{}\n{results}{unlisted}\n\n{utility}", heading(value)))
}

fn swept(value: &Value, width: usize, plain: bool) -> Option<String> {
    let points = value.get("points")?;
    let all = Sheet::of(points).ok()?;
    let told = |column: &String| {
        ["values.", "results.", "utility."].iter().any(|part| column.starts_with(part))
    };
    let mut columns: Vec<String> = all.columns.into_iter().filter(told).collect();
    // The parameters stand first.
    columns.sort_by_key(|column| !column.starts_with("values."));
    let sheet = Sheet::with(points, columns).ok()?;
    let exact =
        maps(points).ok()?.iter().filter(|point| point.get("exact") == Some(&true.into())).count();
    let what = match exact {
        all if all == sheet.rows.len() => "exact odds",
        0 => "estimates (95 % intervals)",
        _ => "exact odds and estimates (95 % intervals)",
    };
    let names: Vec<String> =
        value.get("parameters")?.as_list()?.iter().map(ToString::to_string).collect();
    let short = sheet.columns.iter().map(|column| {
        let name = column.split_once('.').map_or("", |(_, name)| name);
        if column.starts_with("utility.") { format!("utility {name}") } else { name.to_owned() }
    });
    let sheet = Sheet { columns: short.collect(), rows: sheet.rows };
    Some(format!("{what} over {}\n{}", names.join(" and "), sheet.text(width, plain)))
}

fn standings(value: &Value, width: usize, plain: bool) -> Option<String> {
    let row = |row: &&Value| {
        let number = |key: &str| row.get(key).and_then(Value::as_number);
        let rating = render::apart(number("rating")?, (number("low")?, number("high")?));
        let [rating, low, high] = rating.map(|text| text.trim().to_owned());
        let mut cells = vec![row.get("agent")?.to_string(), format!("{rating} ({low} to {high})")];
        for key in ["games", "wins", "draws", "losses"] {
            cells.push(render::count(number(key)?));
        }
        cells.push(number("score").map(render::tidy).unwrap_or_default());
        Some(cells)
    };
    let rows: Option<Vec<Vec<String>>> =
        maps(value.get("standings")?).ok()?.iter().map(row).collect();
    let games = match value.get("games")?.as_int()? {
        0 => "no game was needed: all odds are exact".to_owned(),
        games => render::many(games.unsigned_abs(), "game"),
    };
    let header = ["agent", "rating", "games", "wins", "draws", "losses", "score"];
    Some(format!("{games}\n{}", render::table(&header, &rows?, width, plain)))
}

fn played(value: &Value) -> Option<String> {
    let mut lines = vec![format!("{}, seed {}", value.get("scenario")?, value.get("seed")?)];
    lines.extend(value.get("events")?.as_list()?.iter().map(ToString::to_string));
    let outcome = Outcome::new(value.get("outcome")?.clone()).ok()?;
    lines.push(render::outcome(&outcome));
    Some(lines.join("\n"))
}
