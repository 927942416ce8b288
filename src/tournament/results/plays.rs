//! Writes the rows of games, many at once.

use rusqlite::{Connection, ErrorCode};

use super::rows::{Row, block, id};
use super::sums::Ledger;

/// Adds games of lineups, but those that are there; how many were added.
pub(super) fn insert(
    connection: &Connection,
    ledger: &mut Ledger,
    games: &[(i64, Row)],
) -> rusqlite::Result<usize> {
    let mut games: Vec<Play<'_>> =
        games.iter().map(|(lineup, row)| (id(*lineup, row.nth), *lineup, row)).collect();
    // Rows beside each other are written to the same page.
    games.sort_unstable_by_key(|(id, ..)| *id);
    let mut all = 0;
    let mut left = &games[..];
    while !left.is_empty() {
        let (added, met) = match left.get(..TOGETHER) {
            Some(together) => insert_together(connection, together)?,
            None => insert_together(connection, &left[..1])?,
        };
        for (id, lineup, row) in &left[..added] {
            ledger.of(block(*lineup, row.nth)).add(row.hash(*id));
        }
        all += added;
        left = &left[added + usize::from(met)..];
    }
    Ok(all)
}

/// A game's number, its lineup and its row.
type Play<'a> = (i64, i64, &'a Row);

/// So many rows are inserted by one statement, where there are as many.
const TOGETHER: usize = 64;

/// Adds games up to the first that is there; how many that were, and whether one was there.
fn insert_together(connection: &Connection, games: &[Play<'_>]) -> rusqlite::Result<(usize, bool)> {
    let rows = vec!["(?, ?, ?, ?)"; games.len()].join(", ");
    let mut insert =
        connection.prepare_cached(&format!("INSERT OR FAIL INTO plays VALUES {rows}"))?;
    for (at, (id, _, row)) in games.iter().enumerate() {
        insert.raw_bind_parameter(4 * at + 1, id)?;
        insert.raw_bind_parameter(4 * at + 2, row.ending)?;
        insert.raw_bind_parameter(4 * at + 3, row.questions)?;
        insert.raw_bind_parameter(4 * at + 4, &row.forfeit)?;
    }
    match insert.raw_execute() {
        Ok(added) => Ok((added, false)),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            // Those before it stay.
            let added = usize::try_from(connection.changes()).unwrap_or_default();
            Ok((added, true))
        }
        Err(error) => Err(error),
    }
}
