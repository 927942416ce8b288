//! Writes results and their rows: in transactions of some thousand games, or of some tenths of a second.

use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use super::super::{ExactOdds, Game, GameResult, Lineup, RefereeFactory};
use super::checksums::Ledger;
use super::rows::{self, GameRow, LineupOdds, Seated, block, id};
use super::{Results, fault, open};
use crate::error::Error;

/// This many results are written in one transaction at most.
pub(super) const TOGETHER: usize = 2_000;
/// No result waits much longer than this for its transaction.
const LONGEST: Duration = Duration::from_millis(200);

impl Results {
    /// Adds the results of games. They are in the file after the next commit, which comes
    /// by itself after some number of results.
    ///
    /// # Errors
    /// [`Error::File`] where the disk is full or fails; what was committed before stays.
    pub fn add<'a>(
        &mut self,
        factory: &dyn RefereeFactory,
        games: impl IntoIterator<Item = (&'a Game, &'a GameResult)>,
    ) -> Result<(), Error> {
        let mut games = games.into_iter().peekable();
        while games.peek().is_some() {
            self.written(|results| {
                let mut rows = Vec::new();
                for (game, result) in games.by_ref().take(TOGETHER) {
                    let command = || factory.command(&game.lineup);
                    rows.push(results.row(&game.lineup, game.nth, result, command)?);
                }
                insert(&results.connection, &mut results.ledger, &rows)?;
                results.pending += rows.len();
                Ok(())
            })?;
            if self.pending >= TOGETHER {
                self.commit()?;
            }
        }
        Ok(())
    }

    /// Takes a game out, so that another result of it can be added.
    pub(crate) fn forget(&mut self, lineup: &Lineup, nth: u64) -> Result<(), Error> {
        let Some(&lineup) = self.lineups.get(lineup) else { return Ok(()) };
        let (block, id) = (block(lineup, nth), id(lineup, nth));
        let known = self.rows(block)?.into_iter().find(|row| row.nth == nth);
        let Some(known) = known else { return Ok(()) };
        self.written(|results| {
            results.connection.prepare_cached("DELETE FROM plays WHERE id = ?1")?.execute([id])?;
            results.ledger.of(block).remove(known.hash(id));
            Ok(())
        })
    }

    /// The row of a game of a part and the number of its lineup here; what is new of both is written.
    pub(super) fn row_of(
        &mut self,
        part: &Results,
        (lineup, id): (&Lineup, i64),
        row: GameRow,
    ) -> Result<(i64, GameRow), Error> {
        let result = part.result(&row)?;
        let command = || part.commands.get(&id).cloned();
        self.written(|results| results.row(lineup, row.nth, &result, command))
    }

    pub(super) fn add_rows(&mut self, rows: &mut Vec<(i64, GameRow)>) -> Result<(), Error> {
        self.written(|results| insert(&results.connection, &mut results.ledger, rows))?;
        rows.clear();
        Ok(())
    }

    /// The row of a game and the number of its lineup; what is new of both is written.
    pub(super) fn row(
        &mut self,
        lineup: &Lineup,
        nth: u64,
        result: &GameResult,
        command: impl FnOnce() -> Option<String>,
    ) -> rusqlite::Result<(i64, GameRow)> {
        let lineup = self.number(lineup, command)?;
        let Results { connection, ledger, endings, .. } = self;
        let row = GameRow {
            nth,
            ending: endings.of(connection, ledger, result)?,
            questions: result.questions as i64,
            forfeit: result.forfeit.as_ref().map(rows::literal),
        };
        Ok((lineup, row))
    }

    /// The number of a lineup, which is written where it is new.
    pub(super) fn number(
        &mut self,
        lineup: &Lineup,
        command: impl FnOnce() -> Option<String>,
    ) -> rusqlite::Result<i64> {
        if let Some(&known) = self.lineups.get(lineup) {
            return Ok(known);
        }
        let seated = Seated { command: command(), ..self.identity.seated(&self.spec, lineup) };
        let id = rows::insert_seating(&self.connection, &mut self.ledger, &seated)?;
        self.lineups.insert(lineup.clone(), id);
        self.commands.extend(seated.command.map(|command| (id, command)));
        Ok(id)
    }

    pub(crate) fn commit(&mut self) -> Result<(), Error> {
        if self.pending == 0 {
            return Ok(());
        }
        self.written(|results| {
            results.ledger.write(&results.connection)?;
            results.connection.execute_batch("COMMIT")
        })?;
        self.pending = 0;
        // If another program has come first, this is where it shows.
        open::hold(&self.connection).map_err(fault::write(&self.path))
    }

    pub(crate) fn commit_what_is_old(&mut self) -> Result<(), Error> {
        if self.pending > 0 && self.since.elapsed() >= LONGEST { self.commit() } else { Ok(()) }
    }

    /// Writes; where that fails nothing is left half written.
    pub(super) fn written<T>(
        &mut self,
        write: impl FnOnce(&mut Results) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        if self.pending == 0 {
            self.since = Instant::now();
        }
        self.pending += 1;
        write(self).map_err(|error| {
            self.pending = 0;
            self.ledger.clear();
            // The first error is the one to report; SQLite may have rolled back by itself.
            let _ = self.connection.execute_batch("ROLLBACK");
            fault::of("write", &self.path, &error)
        })
    }

    /// Keeps the exact ends of a lineup, or that it has to be sampled, so that nobody asks again.
    pub(crate) fn add_exact(
        &mut self,
        factory: &dyn RefereeFactory,
        lineup: &Lineup,
        exact: Option<ExactOdds>,
    ) -> Result<(), Error> {
        let now = LineupOdds { bound: factory.bound(lineup), exact };
        self.note_exact(lineup, now, || factory.command(lineup))?;
        self.commit_what_is_old()
    }

    pub(super) fn note_exact(
        &mut self,
        lineup: &Lineup,
        now: LineupOdds,
        command: impl FnOnce() -> Option<String>,
    ) -> Result<(), Error> {
        self.written(|results| {
            let id = results.number(lineup, command)?;
            let Results { connection, ledger, .. } = results;
            rows::insert_exact(connection, ledger, id, (results.exact.get(&id), &now))?;
            results.exact.insert(id, now);
            Ok(())
        })
    }

    /// Closes the file as it was at the last commit.
    pub(super) fn discard(mut self) {
        self.pending = 0;
        self.ledger.clear();
        // There is an error already to report.
        let _ = self.close();
    }

    /// Writes what waits and closes the file, so that one file is all there is.
    pub fn close(mut self) -> Result<(), Error> {
        self.commit()?;
        if self.writes {
            // What is held has nothing in it.
            let _ = self.connection.execute_batch("ROLLBACK");
            self.connection.flush_prepared_statement_cache();
            open::settle(&self.connection);
        }
        let path = self.path;
        self.connection.close().map_err(|(_, error)| fault::of("write", &path, &error))
    }
}

/// Adds games of lineups, but those that are there.
pub(super) fn insert(
    connection: &Connection,
    ledger: &mut Ledger,
    games: &[(i64, GameRow)],
) -> rusqlite::Result<()> {
    let mut games: Vec<NumberedRow<'_>> =
        games.iter().map(|(lineup, row)| (id(*lineup, row.nth), *lineup, row)).collect();
    // Rows beside each other are written to the same page.
    games.sort_unstable_by_key(|(id, ..)| *id);
    let mut left = &games[..];
    while !left.is_empty() {
        let (added, met) = match left.get(..IN_STATEMENT) {
            Some(together) => insert_together(connection, together)?,
            None => insert_together(connection, &left[..1])?,
        };
        for (id, lineup, row) in &left[..added] {
            ledger.of(block(*lineup, row.nth)).add(row.hash(*id));
        }
        left = &left[added + usize::from(met)..];
    }
    Ok(())
}

type NumberedRow<'a> = (i64, i64, &'a GameRow);

/// This many rows are inserted by one statement, where there are as many.
const IN_STATEMENT: usize = 64;

/// Adds games up to the first that is there; how many that were, and whether one was there.
fn insert_together(
    connection: &Connection,
    games: &[NumberedRow<'_>],
) -> rusqlite::Result<(usize, bool)> {
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
