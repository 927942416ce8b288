//! How does a result stand in a table? Seats and utilities as JSON lists, so that SQL reads them too.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Statement, params};

use super::super::{Exact, GameResult, Seating};
use super::fault;
use crate::error::Error;

/// A game with its result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub number: u64,
    pub seating: Seating,
    pub result: GameResult,
}

/// Adds a row; an error where the number is there.
pub(super) const INSERT: &str = "INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
/// Adds a row where the number is not there.
pub(super) const INSERT_NEW: &str =
    "INSERT OR IGNORE INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

/// Adds a row by one of these; how many were added.
pub(super) fn insert(statement: &mut Statement<'_>, row: &Row) -> rusqlite::Result<usize> {
    let forfeit = row.result.forfeit.as_ref().map(literal);
    statement.execute(params![
        row.number as i64,
        row.seating.scenario as i64,
        literal(&row.seating.agents),
        row.result.result,
        literal(&row.result.utility),
        row.result.questions as i64,
        forfeit,
    ])
}

/// The rows from a number on, so many at most.
pub(super) fn page(
    connection: &Connection,
    path: &Path,
    from: u64,
    most: usize,
) -> Result<Vec<Row>, Error> {
    let select = "SELECT * FROM games WHERE number >= ?1 ORDER BY number LIMIT ?2";
    let read = || -> rusqlite::Result<Vec<Option<Row>>> {
        let mut statement = connection.prepare(select)?;
        let rows = statement.query_map([from as i64, most as i64], |row| {
            Ok(Stored {
                number: row.get(0)?,
                scenario: row.get(1)?,
                seats: row.get(2)?,
                result: row.get(3)?,
                utility: row.get(4)?,
                questions: row.get(5)?,
                forfeit: row.get(6)?,
            }
            .decode())
        })?;
        rows.collect()
    };
    let rows = read().map_err(|error| fault::of("read", path, &error))?;
    let damaged = || Error::file("read", path, "it is damaged: a result in it is none");
    rows.into_iter().collect::<Option<Vec<Row>>>().ok_or_else(damaged)
}

/// A row as it stands in the table.
struct Stored {
    number: i64,
    scenario: i64,
    seats: String,
    result: String,
    utility: String,
    questions: i64,
    forfeit: Option<String>,
}

impl Stored {
    /// Nothing where a column does not hold what it ought to.
    fn decode(self) -> Option<Row> {
        let forfeit = self.forfeit.as_deref().map(serde_json::from_str).transpose().ok()?;
        let seating = Seating {
            scenario: usize::try_from(self.scenario).ok()?,
            agents: serde_json::from_str(&self.seats).ok()?,
        };
        let utility = serde_json::from_str(&self.utility).ok()?;
        let questions = u64::try_from(self.questions).ok()?;
        let result = GameResult { result: self.result, utility, questions, forfeit };
        Some(Row { number: u64::try_from(self.number).ok()?, seating, result })
    }
}

/// What is known of a seating: its exact ends, or that it has to be sampled; nothing where nobody
/// has asked.
pub(super) fn exact(
    connection: &Connection,
    path: &Path,
    seating: &Seating,
) -> Result<Option<Option<Exact>>, Error> {
    let select = "SELECT ends FROM exact WHERE scenario = ?1 AND seats = ?2";
    let key = params![seating.scenario as i64, literal(&seating.agents)];
    let ends: Option<String> = connection
        .query_row(select, key, |row| row.get(0))
        .optional()
        .map_err(|error| fault::of("read", path, &error))?;
    let damaged = |_| Error::file("read", path, "it is damaged: exact odds in it are none");
    ends.map(|ends| serde_json::from_str(&ends)).transpose().map_err(damaged)
}

/// Keeps the exact ends of a seating, or that it has none, where it is not there; how many were
/// added.
pub(super) fn insert_exact(
    connection: &Connection,
    seating: &Seating,
    exact: Option<&Exact>,
) -> rusqlite::Result<usize> {
    connection.execute(
        "INSERT OR IGNORE INTO exact VALUES (?1, ?2, ?3)",
        params![seating.scenario as i64, literal(&seating.agents), literal(&exact)],
    )
}

/// All seatings that somebody asked for.
pub(super) fn all_exact(
    connection: &Connection,
    path: &Path,
) -> Result<Vec<(Seating, Option<Exact>)>, Error> {
    let read = || -> rusqlite::Result<Vec<(i64, String, String)>> {
        let mut statement = connection.prepare("SELECT * FROM exact ORDER BY scenario, seats")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        rows.collect()
    };
    let rows = read().map_err(|error| fault::of("read", path, &error))?;
    let decode = |(scenario, seats, ends): (i64, String, String)| {
        let agents = serde_json::from_str(&seats).ok()?;
        let seating = Seating { scenario: usize::try_from(scenario).ok()?, agents };
        Some((seating, serde_json::from_str(&ends).ok()?))
    };
    let damaged = || Error::file("read", path, "it is damaged: exact odds in it are none");
    rows.into_iter().map(decode).collect::<Option<_>>().ok_or_else(damaged)
}

/// The JSON of plain lists and structs, which cannot fail.
fn literal(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
