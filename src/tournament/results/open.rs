//! Opens files of results, with care: a file of another program is not even touched.
//!
//! The file is in WAL mode while somebody writes it, who keeps a transaction open all the time: nobody
//! else can write, and everybody can read. Once it is closed, it is an ordinary file of SQLite that
//! needs no second one, so that it reads from where nothing can be written.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::Identity;
use super::fault::{self, NO_RESULTS};
use crate::error::Error;

/// What the header of each file says it is: `Frcs`.
const APPLICATION: u32 = u32::from_be_bytes(*b"Frcs");
const TABLES: u32 = 6;

const SCHEMA: &str = include_str!("schema.sql");
/// How long a program waits for another that is about to close a file.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long who writes waits for those who read an ordinary file; so long for each try, in which nobody
/// can begin to read, and so long from try to try.
const READERS: Duration = Duration::from_secs(10);
const TRY: Duration = Duration::from_millis(20);
const PAUSE: Duration = Duration::from_millis(50);

/// No statement of the schema is longer; of a longer one the beginning is read.
const LONGEST: usize = 4096;

/// Whether the tables and views of a file are ours, to the letter: others in their place, or a trigger,
/// would do something else than is asked for. Only the schema itself is read.
fn has_our_schema(connection: &Connection) -> rusqlite::Result<bool> {
    let all = |connection: &Connection| -> rusqlite::Result<Vec<[Option<String>; 4]>> {
        let select = format!(
            "SELECT type, name, tbl_name, substr(sql, 1, {LONGEST}) FROM sqlite_schema \
             ORDER BY 1, 2 LIMIT 100"
        );
        let mut statement = connection.prepare(&select)?;
        let rows = statement
            .query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
        rows.collect()
    };
    let ours = Connection::open_in_memory()?;
    ours.execute_batch(SCHEMA)?;
    Ok(all(&ours)? == all(connection)?)
}

pub(super) fn for_writing(path: &Path, identity: &Identity) -> Result<Connection, Error> {
    refuse_what_is_no_file("write", path)?;
    // The system says better than SQLite why a file cannot be written.
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|reason| Error::file("write", path, reason))?;
    check("write", path)?;
    let failed = fault::write(path);
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(failed)?;
    create(&connection, identity).map_err(failed)?;
    if !has_our_schema(&connection).map_err(failed)? {
        return Err(fault::damaged(path));
    }
    match write_ahead(&connection, READERS) {
        // Whoever writes it would have kept the tables from being looked at before.
        Err(error) if is_busy(&error) => return Err(Error::file("write", path, fault::IS_READ)),
        other => other.map_err(failed)?,
    }
    hold(&connection).map_err(failed)?;
    Ok(connection)
}

/// A file to read from, as it is at this moment, whoever writes it meanwhile. What a killed program
/// left is mended, where it can be written.
pub(super) fn for_reading(path: &Path) -> Result<Connection, Error> {
    refuse_what_is_no_file("read", path)?;
    File::open(path).map_err(|reason| Error::file("read", path, reason))?;
    if check("read", path)? == 0 {
        return Err(Error::file("read", path, NO_RESULTS));
    }
    let readable = |connection: Connection| {
        connection.busy_timeout(PATIENCE)?;
        // All that is read belongs to one moment.
        connection.execute_batch("BEGIN")?;
        if !has_our_schema(&connection)? {
            return Err(rusqlite::Error::InvalidQuery);
        }
        connection.query_row("SELECT count(*) FROM meta", [], |_| Ok(()))?;
        Ok(connection)
    };
    let first = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(readable);
    let first = match first {
        Ok(connection) => return Ok(connection),
        Err(error) => error,
    };
    if let Ok(connection) = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(readable) {
        return Ok(connection);
    }
    let log = beside(path, "-wal");
    if log.exists() {
        return copied(path, &log, readable).map_err(|_| fault::of("read", path, &first));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let read = immutable(path).and_then(|address| connect(&address, flags).and_then(readable).ok());
    read.ok_or_else(|| fault::of("read", path, &first))
}

/// The file beside another one whose name ends so.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// A copy of a file, and of the log that a killed program left beside it, from a folder where nothing
/// can be written. It is removed as soon as it is open, or by the system with other temporary files.
fn copied(
    path: &Path,
    log: &Path,
    readable: impl Fn(Connection) -> rusqlite::Result<Connection>,
) -> Result<Connection, Error> {
    let failed = |reason: std::io::Error| Error::file("read", path, reason);
    let folder = (0u32..)
        .map(|number| format!("fracas-{}-{number}", std::process::id()))
        .map(|name| std::env::temp_dir().join(name))
        .find(|folder| !folder.exists())
        .ok_or_else(|| fault::damaged(path))?;
    std::fs::create_dir(&folder).map_err(failed)?;
    let (copy, copied_log) = (folder.join("copy.db"), folder.join("copy.db-wal"));
    // Their permissions are not copied: the copies can be written.
    let copy_of = |from: &Path, to: &Path| {
        std::io::copy(&mut File::open(from)?, &mut File::create(to)?).map(|_| ())
    };
    let copied = copy_of(path, &copy).and_then(|()| copy_of(log, &copied_log)).map_err(failed);
    let read = copied.and_then(|()| {
        let read = connect(&copy, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(readable);
        read.map_err(fault::read(path))
    });
    // Where an open file cannot be removed, it stays.
    let _ = std::fs::remove_dir_all(&folder);
    read
}

/// The address of a file in a folder where nothing can be written, not even what SQLite writes to
/// read: of one that was closed, so that all of it is in the file itself.
fn immutable(path: &Path) -> Option<PathBuf> {
    // What means something in an address: https://www.sqlite.org/uri.html, section 3.1.
    let plain = path.canonicalize().ok()?.to_str()?.to_owned();
    let plain = plain.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Some(format!("file:{plain}?immutable=1").into())
}

pub(super) fn in_memory(identity: &Identity) -> Result<Connection, Error> {
    let failed = fault::write(Path::new("memory"));
    let connection = Connection::open_in_memory().map_err(failed)?;
    create(&connection, identity).and_then(|()| hold(&connection)).map_err(failed)?;
    Ok(connection)
}

/// A value of a file is at most so long, in bytes; a longer one is refused before it is read.
const LONGEST_VALUE: i32 = 16 << 20;

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    Ok(connection)
}

/// Refuses a pipe or a device, also in the place of what SQLite has beside a file: whoever opens a pipe
/// waits for another program, perhaps for ever.
fn refuse_what_is_no_file(action: &'static str, path: &Path) -> Result<(), Error> {
    let is_other =
        |path: &Path| path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_other(path) {
        return Err(Error::file(action, path, NO_RESULTS));
    }
    let others = ["-wal", "-shm", "-journal"].map(|end| beside(path, end));
    match others.iter().find(|other| is_other(other)) {
        Some(other) => Err(Error::file(action, other, "it is a pipe or a device, not a file")),
        None => Ok(()),
    }
}

/// Refuses what is not a file of results, by its first bytes alone; how many it has of them. An empty
/// file may become one.
fn check(action: &'static str, path: &Path) -> Result<usize, Error> {
    let failed = |reason: std::io::Error| Error::file("read", path, reason);
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
        _ => Err(Error::file(
            action,
            path,
            "it was written by another version of fracas; play again into another file, or read it \
             with that version",
        )),
    }
}

/// Switches to WAL mode. At that moment nobody may read the file; who does is waited for.
pub(super) fn write_ahead(connection: &Connection, wait: Duration) -> rusqlite::Result<()> {
    let begun = Instant::now();
    let mode = |_: &rusqlite::Row<'_>| Ok(());
    connection.busy_timeout(TRY)?;
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", mode) {
            Err(error) if is_busy(&error) && begun.elapsed() < wait => std::thread::sleep(PAUSE),
            other => break other?,
        }
    }
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "synchronous", "NORMAL")
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// Begins the transaction that keeps others from writing; it ends with the program, however that does.
pub(super) fn hold(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")
}

/// Makes one file of it that needs no other, where nobody reads it just now.
pub(super) fn settle(connection: &Connection) {
    let mode = |_: &rusqlite::Row<'_>| Ok(());
    // Where somebody reads it, it stays in two files, of which all can be read.
    let _ = connection.pragma_update_and_check(None, "journal_mode", "DELETE", mode);
}

/// The tables and all that distinguishes them, in one transaction: a file has all of it or nothing.
fn create(connection: &Connection, identity: &Identity) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let made = (|| {
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if tables == 0 {
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.pragma_update(None, "user_version", TABLES)?;
            connection.execute_batch(SCHEMA)?;
            identity.save(connection)?;
            return connection.execute_batch("COMMIT");
        }
        // A commit, even of nothing, would need a file that nobody reads.
        connection.execute_batch("ROLLBACK")
    })();
    if made.is_err() {
        // The first error is the one to report.
        let _ = connection.execute_batch("ROLLBACK");
    }
    made
}
