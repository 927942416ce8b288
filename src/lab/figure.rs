//! Makes plots from rows: a curve for each column, over the numbers or words of another column.

use super::report::ResultKind;
use super::table::{Sheet, cell, maps};
use crate::analysis::Number;
use crate::analysis::equilibrium::{curves, falling};
use crate::error::Error;
use crate::game::Value;
use crate::render::{Figure, Plot, Point, Series};

/// Curves of some columns over another.
pub(super) fn plot(
    rows: &Value,
    x: &str,
    ys: &[String],
    title: &str,
) -> Result<Vec<Figure>, Error> {
    let columns = std::iter::once(x.to_owned()).chain(ys.iter().cloned()).collect();
    // Refuses columns that are not there.
    Sheet::with(rows, columns)?;
    let rows = maps(rows)?;
    let over = |row: &&Value| cell(row, x).and_then(Number::read).map(|number| number.middle());
    let places: Vec<Option<f64>> = rows.iter().map(over).collect();
    let numbers = places.iter().all(Option::is_some);
    let words = match numbers {
        true => Vec::new(),
        false => rows
            .iter()
            .map(|row| cell(row, x).map(ToString::to_string).unwrap_or_default())
            .collect(),
    };
    let mut series = Vec::new();
    for y in ys {
        let mut points = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let Some(value) = cell(row, y).filter(|value| **value != Value::Unit) else { continue };
            let number = Number::read(value)
                .ok_or_else(|| Error::usage(format!("column `{y}`: `{value}` is not a number")))?;
            let place = places[at].filter(|_| numbers).unwrap_or(at as f64);
            points.push(mark(place, &number));
        }
        series.push(Series { name: last(y).to_owned(), points });
    }
    let y = match ys {
        [one] => last(one).to_owned(),
        _ => ys.first().and_then(|y| y.rsplit_once('.')).map_or("", |(kind, _)| kind).to_owned(),
    };
    let title = if title.is_empty() { format!("{y} by {}", last(x)) } else { title.to_owned() };
    let range = "95 % interval".to_owned();
    Ok(vec![Figure::Plot(Plot { title, x: last(x).to_owned(), y, words, range, series })])
}

/// What the result of a sweep over one parameter shows, the odds of each result; or a solution that was
/// learned, the exploitability over the iterations.
pub(super) fn of_result(kind: Option<ResultKind>, result: &Value) -> Result<Vec<Figure>, Error> {
    match kind {
        Some(ResultKind::Solution | ResultKind::Exploited) => of_solution(result),
        _ => of_sweep(result),
    }
}

fn of_solution(solution: &Value) -> Result<Vec<Figure>, Error> {
    let none =
        || Error::usage("there was no time to learn anything here, so there is no curve to plot");
    let rows = maps(solution.get("course").ok_or_else(none)?)?;
    let number = |row: &Value, key: &str| row.get(key).and_then(Value::as_number);
    let point = |row: &&Value| Some((number(row, "iterations")?, number(row, "exploitability")?));
    let falling = falling("exploitability", rows.iter().filter_map(point));
    Ok(vec![Figure::Plot(curves("iterations", vec![falling]))])
}

fn of_sweep(sweep: &Value) -> Result<Vec<Figure>, Error> {
    let parts = sweep.get("points").zip(sweep.get("parameters").and_then(Value::as_list));
    let Some((points, [Value::Text(name)])) = parts else {
        return Err(Error::usage(
            "plot the result of a sweep over one parameter, a solution, or rows: `plot(rows, \"x\", \"y\")`",
        ));
    };
    let all = Sheet::of(points)?.columns.into_iter();
    let odds: Vec<String> = all.filter(|column| column.starts_with("results.")).collect();
    plot(points, &format!("values.{name}"), &odds, &format!("odds by {name}"))
}

fn mark(x: f64, number: &Number) -> Point {
    let range = number.exact().is_none().then(|| number.range());
    Point { x, y: number.middle(), range }
}

/// The last key of a path.
fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
