//! Where are results kept? In one SQLite file, as they come; the same spec goes on where it stopped.
//!
//! The file is in WAL mode and held by one program at a time. Results are added in transactions, in
//! whatever order games end; what they come to depends on their numbers alone. A program killed at
//! any moment leaves a file from which the next one goes on.

mod export;
mod fault;
mod identity;
mod merge;
mod open;
mod replay;
mod rows;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::{Conditions, Exact, Game, GameResult, Seating, Shard, Spec};
use crate::error::Error;
pub use export::{csv, json};
pub use identity::Identity;
pub use merge::{Merged, merge};
pub use replay::{missing, replay};
use rows::Row;

/// So many results are written in one transaction at most.
const TOGETHER: usize = 2_000;
/// No result waits much longer than this for its transaction.
const LONGEST: Duration = Duration::from_millis(200);
/// So many results are read at a time.
const PAGE: usize = 4_096;

/// A file of results, or the memory where none is wanted.
pub struct Results {
    connection: Connection,
    path: PathBuf,
    identity: Identity,
    /// How many results the open transaction has; it is open where there are any, since then.
    pending: usize,
    since: Instant,
    /// Results read ahead, by number.
    page: VecDeque<Row>,
    /// From which number on the file has been read to its end.
    read_to_end: bool,
}

impl Results {
    /// The results of a tournament: a new file, or the one that is there.
    ///
    /// # Errors
    /// [`Error::OtherTournament`] names what differs where spec, scripts, version or shard do.
    /// [`Error::File`] where the file is another program's, is in use, or cannot be written; it
    /// stays as it was.
    pub fn open(
        path: &Path,
        spec: &Spec,
        conditions: &Conditions,
        shard: Option<Shard>,
    ) -> Result<Results, Error> {
        let identity = Identity::new(spec, conditions, shard);
        let connection = open::for_writing(path, &identity)?;
        let results = Results::of(connection, path)?;
        results.differ_from(&identity, path)?;
        Ok(results)
    }

    /// The results that are in a file, whatever tournament they are of.
    ///
    /// # Errors
    /// [`Error::File`] where there is none, where it is another program's, or in use.
    pub fn read(path: &Path) -> Result<Results, Error> {
        Results::of(open::for_reading(path)?, path)
    }

    /// Results that are kept in memory alone.
    ///
    /// # Errors
    /// [`Error::File`] where SQLite has no memory.
    pub fn in_memory(spec: &Spec, conditions: &Conditions) -> Result<Results, Error> {
        let identity = Identity::new(spec, conditions, None);
        Results::of(open::in_memory(&identity)?, Path::new("memory"))
    }

    fn of(connection: Connection, path: &Path) -> Result<Results, Error> {
        let identity = Identity::load(&connection, path)?;
        Ok(Results {
            connection,
            path: path.to_owned(),
            identity,
            pending: 0,
            since: Instant::now(),
            page: VecDeque::new(),
            read_to_end: false,
        })
    }

    /// What the results are of.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The file, as the user gave it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn differ_from(&self, wanted: &Identity, path: &Path) -> Result<(), Error> {
        let differs = self.identity.differs_from(wanted);
        if differs.is_empty() {
            return Ok(());
        }
        Err(Error::OtherTournament { path: path.display().to_string(), differs })
    }

    /// How many results there are.
    ///
    /// # Errors
    /// [`Error::File`] where the file cannot be read.
    pub fn len(&self) -> Result<u64, Error> {
        let count = "SELECT count(*) FROM games";
        let count: i64 = self
            .connection
            .query_row(count, [], |row| row.get(0))
            .map_err(|error| fault::of("read", &self.path, &error))?;
        Ok(count as u64)
    }

    /// Whether there is none.
    ///
    /// # Errors
    /// As [`Results::len`].
    pub fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.len()? == 0)
    }

    /// The result of a game, if it is kept. Games are asked for by rising numbers, each once, and
    /// before they are added.
    ///
    /// # Errors
    /// [`Error::Results`] where the game of this number was another one; [`Error::File`] where the
    /// file cannot be read.
    pub fn get(&mut self, game: &Game) -> Result<Option<GameResult>, Error> {
        while self.page.front().is_some_and(|row| row.number < game.number) {
            self.page.pop_front();
        }
        if self.page.is_empty() && !self.read_to_end {
            self.page = rows::page(&self.connection, &self.path, game.number, PAGE)?.into();
            self.read_to_end = self.page.len() < PAGE;
        }
        if self.page.front().is_none_or(|row| row.number != game.number) {
            return Ok(None);
        }
        match self.page.pop_front() {
            None => Ok(None),
            Some(row) if row.seating == game.seating => Ok(Some(row.result)),
            Some(row) => Err(Error::Results {
                path: self.path.display().to_string(),
                message: format!("game {} was played by others than its spec says", row.number),
            }),
        }
    }

    /// Goes back to the first game for [`Results::get`].
    pub fn rewind(&mut self) {
        self.page.clear();
        self.read_to_end = false;
    }

    /// Adds the results of games. They are in the file after the next [`Results::commit`], which comes
    /// by itself after some number of results.
    ///
    /// # Errors
    /// [`Error::File`] where the disk is full or fails; what was committed before stays.
    pub fn add<'a>(
        &mut self,
        games: impl IntoIterator<Item = (&'a Game, &'a GameResult)>,
    ) -> Result<(), Error> {
        let mut games = games.into_iter().peekable();
        while games.peek().is_some() {
            if self.pending == 0 {
                self.since = Instant::now();
                self.written(|connection| connection.execute_batch("BEGIN IMMEDIATE"))?;
            }
            let room = TOGETHER - self.pending;
            let added = self.written(|connection| {
                let mut insert = rows::Insert::prepare(connection)?;
                let mut added = 0;
                for (game, result) in games.by_ref().take(room) {
                    insert.row(game.number, &game.seating, result)?;
                    added += 1;
                }
                Ok(added)
            })?;
            self.pending += added;
            if self.pending >= TOGETHER {
                self.commit()?;
            }
        }
        Ok(())
    }

    /// Writes what waits, in one transaction.
    ///
    /// # Errors
    /// As [`Results::add`].
    pub fn commit(&mut self) -> Result<(), Error> {
        if std::mem::take(&mut self.pending) == 0 {
            return Ok(());
        }
        self.written(|connection| connection.execute_batch("COMMIT"))
    }

    /// Writes what has waited long enough.
    ///
    /// # Errors
    /// As [`Results::add`].
    pub fn commit_what_is_old(&mut self) -> Result<(), Error> {
        if self.pending > 0 && self.since.elapsed() >= LONGEST { self.commit() } else { Ok(()) }
    }

    /// Writes; where that fails nothing is left half written.
    fn written<T>(
        &mut self,
        write: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        write(&self.connection).map_err(|error| {
            self.pending = 0;
            // The first error is the one to tell; SQLite may have rolled back by itself.
            let _ = self.connection.execute_batch("ROLLBACK");
            fault::of("write", &self.path, &error)
        })
    }

    /// What is kept of a seating: its exact ends, or that it has to be sampled; nothing where nobody
    /// has asked yet.
    ///
    /// # Errors
    /// [`Error::File`] where the file cannot be read.
    pub fn exact(&self, seating: &Seating) -> Result<Option<Option<Exact>>, Error> {
        rows::exact(&self.connection, &self.path, seating)
    }

    /// Keeps the exact ends of a seating, or that it has to be sampled, so that nobody asks again.
    ///
    /// # Errors
    /// As [`Results::add`].
    pub fn add_exact(&mut self, seating: &Seating, exact: Option<&Exact>) -> Result<(), Error> {
        rows::insert_exact(&self.connection, seating, exact)
            .map_err(|error| fault::of("write", &self.path, &error))
            .map(|_| ())
    }

    /// Writes what waits and closes the file, so that one file is all there is.
    ///
    /// # Errors
    /// As [`Results::add`].
    pub fn close(mut self) -> Result<(), Error> {
        self.commit()?;
        let path = self.path;
        self.connection.close().map_err(|(_, error)| fault::of("write", &path, &error))
    }
}
