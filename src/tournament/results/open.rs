//! How is a file of results opened? With care: what is another program's is not even touched.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::Identity;
use super::fault::{self, NO_RESULTS};
use crate::error::Error;

/// What the header of each file says it is: `Frcs`.
const APPLICATION: u32 = u32::from_be_bytes(*b"Frcs");
/// The version of the tables.
const TABLES: u32 = 2;

const SCHEMA: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    scenario INTEGER NOT NULL,
    seats TEXT NOT NULL,
    result TEXT NOT NULL,
    utility TEXT NOT NULL,
    questions INTEGER NOT NULL,
    forfeit TEXT
);
CREATE TABLE exact (
    scenario INTEGER NOT NULL,
    seats TEXT NOT NULL,
    ends TEXT NOT NULL,
    PRIMARY KEY (scenario, seats)
) WITHOUT ROWID;
";

/// A file to write to, made where there is none.
pub(super) fn for_writing(path: &Path, identity: &Identity) -> Result<Connection, Error> {
    // The system says better than SQLite why a file cannot be written.
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|reason| Error::file("write", path, reason))?;
    check("write", path)?;
    let failed = |error: rusqlite::Error| fault::of("write", path, &error);
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(failed)?;
    prepare(&connection, identity).map_err(failed)?;
    Ok(connection)
}

/// A file to read from. One that a killed program left is mended first, where it can be written.
pub(super) fn for_reading(path: &Path) -> Result<Connection, Error> {
    File::open(path).map_err(|reason| Error::file("read", path, reason))?;
    if check("read", path)? == 0 {
        return Err(Error::file("read", path, NO_RESULTS));
    }
    let failed = |error: rusqlite::Error| fault::of("read", path, &error);
    let readable = |connection: Connection| {
        connection.query_row("SELECT count(*) FROM meta", [], |_| Ok(()))?;
        Ok(connection)
    };
    let first = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(readable);
    let first = match first {
        Ok(connection) => return Ok(connection),
        Err(error) => error,
    };
    let read_only = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(readable);
    read_only.map_err(|_| failed(first))
}

/// Results in memory.
pub(super) fn in_memory(identity: &Identity) -> Result<Connection, Error> {
    let failed = |error: rusqlite::Error| fault::of("write", Path::new("memory"), &error);
    let connection = Connection::open_in_memory().map_err(failed)?;
    prepare(&connection, identity).map_err(failed)?;
    Ok(connection)
}

/// A new file that is not shared and not yet known under its name: what becomes of it shows at the
/// end.
pub(super) fn fresh(path: &Path, identity: &Identity) -> Result<Connection, Error> {
    let failed = |error: rusqlite::Error| fault::of("write", path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = connect(path, flags).map_err(failed)?;
    create(&connection, identity).map_err(failed)?;
    Ok(connection)
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// Refuses what is no file of results, by its first bytes alone; how many it has of them. An empty
/// file may become one.
fn check(action: &'static str, path: &Path) -> Result<usize, Error> {
    let failed = |reason: std::io::Error| Error::file("read", path, reason);
    let found = std::fs::metadata(path).map_err(failed)?;
    if !found.is_file() {
        return Err(Error::file(action, path, NO_RESULTS));
    }
    let mut header = Vec::new();
    File::open(path).map_err(failed)?.take(100).read_to_end(&mut header).map_err(failed)?;
    if header.is_empty() {
        return Ok(0);
    }
    let number = |at: usize| {
        let bytes = header.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_be_bytes)
    };
    // The format of the header: https://www.sqlite.org/fileformat.html, section 1.3.
    if !header.starts_with(b"SQLite format 3\0") || number(68) != Some(APPLICATION) {
        return Err(Error::file(action, path, NO_RESULTS));
    }
    match number(60) {
        Some(TABLES) => Ok(header.len()),
        _ => Err(Error::file(action, path, "it was written by another version of fracas")),
    }
}

/// Holds the file, and makes its tables where it is new.
fn prepare(connection: &Connection, identity: &Identity) -> rusqlite::Result<()> {
    connection.busy_timeout(std::time::Duration::from_millis(500))?;
    // One program at a time; the lock goes with the program, however that ends.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    create(connection, identity)?;
    let mode = |_: &rusqlite::Row<'_>| Ok(());
    connection.pragma_update_and_check(None, "journal_mode", "WAL", mode)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // An empty transaction takes the lock now, not with the first result.
    connection.execute_batch("BEGIN IMMEDIATE; COMMIT;")
}

/// The tables and all that tells them apart, in one transaction: a file has all of it or nothing.
fn create(connection: &Connection, identity: &Identity) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let made = (|| {
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if tables == 0 {
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.pragma_update(None, "user_version", TABLES)?;
            connection.execute_batch(SCHEMA)?;
            identity.save(connection)?;
        }
        connection.execute_batch("COMMIT")
    })();
    if made.is_err() {
        // The first error is the one to tell.
        let _ = connection.execute_batch("ROLLBACK");
    }
    made
}
