//! Tables of rows, and plots of their columns.

use indexmap::{IndexMap, IndexSet};
use serde::{Serialize, Serializer};

use crate::analysis::equilibrium::{curves, falling};
use crate::error::Error;
use crate::game::Value;
use crate::number::Quantity;
use crate::report::{self, Figure, Plot, Series, Table, csv_line};

/// Rows under named columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The columns, in order: keys, or paths of keys as in `results.attacker`.
    pub columns: Vec<String>,
    /// A cell for each column; nothing where a row has none.
    pub rows: Vec<Vec<Value>>,
}

/// Rows that have little in common have as many cells as all of them have columns: this many are drawn
/// and written.
const CELLS: usize = 2_000_000;

impl Sheet {
    /// All that the rows have, in the order in which they have it.
    ///
    /// # Errors
    /// [`Error::Usage`] for what is not a list of maps.
    pub fn of(rows: &Value) -> Result<Sheet, Error> {
        let mut columns = IndexSet::new();
        for row in maps(rows)? {
            paths(row, "", &mut columns);
        }
        Sheet::with(rows, columns.into_iter().collect())
    }

    /// Some columns of the rows.
    pub fn with(rows: &Value, columns: Vec<String>) -> Result<Sheet, Error> {
        let all = maps(rows)?;
        if all.len().saturating_mul(columns.len()) > CELLS {
            return Err(Error::usage(format!(
                "a table of {} rows and {} columns is too large: at most {CELLS} cells; name the \
                 columns, as in `table(rows, [\"a\", \"b\"])`",
                all.len(),
                columns.len()
            )));
        }
        for column in &columns {
            if !all.is_empty() && all.iter().all(|row| cell(row, column).is_none()) {
                let mut known = IndexSet::new();
                all.iter().for_each(|row| paths(row, "", &mut known));
                return Err(Error::unknown("column", column, known.iter().map(String::as_str)));
            }
        }
        let row = |row: &&Value| {
            columns.iter().map(|column| cell(row, column).cloned().unwrap_or_default()).collect()
        };
        let rows = all.iter().map(row).collect();
        Ok(Sheet { columns, rows })
    }

    pub(super) fn table(&self) -> Table {
        let row = |row: &Vec<Value>| row.iter().map(shown).collect();
        Table::new(self.columns.iter().cloned(), self.rows.iter().map(row))
    }

    /// As CSV (RFC 4180), with a line of column names. A number with an interval is its mean, with
    /// the columns `NAME.low` and `NAME.high` beside it.
    pub fn csv(&self) -> String {
        let spread: Vec<bool> = (0..self.columns.len())
            .map(|at| {
                self.rows
                    .iter()
                    .any(|row| row.get(at).is_some_and(|cell| cell.get("mean").is_some()))
            })
            .collect();
        let mut header = Vec::new();
        for (name, spread) in self.columns.iter().zip(&spread) {
            header.push(name.clone());
            if *spread {
                header.extend([format!("{name}.low"), format!("{name}.high")]);
            }
        }
        let mut text = line(&header);
        for row in &self.rows {
            let mut fields = Vec::new();
            for (cell, spread) in row.iter().zip(&spread) {
                let part = |key: &str| cell.get(key).map(field).unwrap_or_default();
                match (spread, cell.get("mean")) {
                    (true, Some(mean)) => fields.extend([field(mean), part("low"), part("high")]),
                    (true, None) => fields.extend([field(cell), String::new(), String::new()]),
                    (false, _) => fields.push(field(cell)),
                }
            }
            text.push_str(&line(&fields));
        }
        text
    }
}

/// For programs: a list of objects.
impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = |row: &'_ Vec<Value>| -> IndexMap<String, Value> {
            self.columns.iter().cloned().zip(row.iter().cloned()).collect()
        };
        serializer.collect_seq(self.rows.iter().map(row))
    }
}

/// The value at a path of keys; a key that has dots of its own goes before.
pub(super) fn cell<'a>(row: &'a Value, path: &str) -> Option<&'a Value> {
    if let Some(found) = row.get(path) {
        return Some(found);
    }
    let dots = path.match_indices('.').map(|(at, _)| at);
    dots.into_iter().find_map(|at| cell(row.get(&path[..at])?, &path[at + 1..]))
}

pub(super) fn maps(rows: &Value) -> Result<Vec<&Value>, Error> {
    let list = rows.as_list().ok_or_else(|| {
        let got = if rows.as_map().is_some() { "a map" } else { rows.kind() };
        Error::usage(format!("rows must be a list of maps, got {got}"))
    })?;
    match list.iter().find(|row| row.as_map().is_none()) {
        Some(row) => {
            Err(Error::usage(format!("each row must be a map, got {} in the list", row.kind())))
        }
        None => Ok(list.iter().collect()),
    }
}

fn paths(row: &Value, before: &str, found: &mut IndexSet<String>) {
    for (key, value) in row.as_map().into_iter().flatten() {
        let path = if before.is_empty() { key.clone() } else { format!("{before}.{key}") };
        match value {
            Value::Map(map) if !map.is_empty() && Quantity::read(value).is_none() => {
                paths(value, &path, found);
            }
            _ => _ = found.insert(path),
        }
    }
}

/// A fraction with more letters than this is shown in decimals.
const LONG: usize = 11;

/// A cell for people: numbers tidy, those with an interval with it.
fn shown(cell: &Value) -> String {
    match cell {
        Value::Unit => String::new(),
        Value::Float(number) => report::tidy(*number),
        Value::Text(text) if text.len() > LONG && text.contains('/') => {
            match Quantity::read(cell) {
                Some(number) => number.as_utility(),
                None => text.clone(),
            }
        }
        Value::Map(_) => match Quantity::read(cell) {
            Some(number) => number.as_utility(),
            None => cell.to_string(),
        },
        other => other.to_string(),
    }
}

fn field(cell: &Value) -> String {
    match cell {
        Value::Unit => String::new(),
        Value::Text(text) => text.clone(),
        other => other.literal(),
    }
}

fn line(fields: &[String]) -> String {
    format!("{}\r\n", csv_line(fields))
}

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
    let over = |row: &&Value| cell(row, x).and_then(Quantity::read).map(|number| number.value);
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
            let number = Quantity::read(value)
                .ok_or_else(|| Error::usage(format!("column `{y}`: `{value}` is not a number")))?;
            let place = places[at].filter(|_| numbers).unwrap_or(at as f64);
            points.push(number.point(place));
        }
        series.push(Series { name: last(y).to_owned(), points });
    }
    let y = match ys {
        [one] => last(one).to_owned(),
        _ => ys.first().and_then(|y| y.rsplit_once('.')).map_or("", |(kind, _)| kind).to_owned(),
    };
    let title = if title.is_empty() { format!("{y} by {}", last(x)) } else { title.to_owned() };
    Ok(vec![Figure::Plot(Plot { title, x: last(x).to_owned(), y, words, series })])
}

/// What a solution that was learned shows: the exploitability over the iterations.
pub(super) fn of_solution(solution: &Value) -> Result<Vec<Figure>, Error> {
    let none = || Error::usage("nothing was learned here, so there is no curve to plot");
    let rows = maps(solution.get("course").ok_or_else(none)?)?;
    let number = |row: &Value, key: &str| row.get(key).and_then(Value::as_number);
    let point = |row: &&Value| Some((number(row, "iterations")?, number(row, "exploitability")?));
    let falling = falling("exploitability", rows.iter().filter_map(point));
    Ok(vec![Figure::Plot(curves("iterations", vec![falling]))])
}

/// What the result of a sweep over one parameter shows: the odds of each result.
pub(super) fn of_sweep(sweep: &Value) -> Result<Vec<Figure>, Error> {
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

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
