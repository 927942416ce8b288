//! How do parts become one file? Game by game; what two of them both have must agree.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::super::Shard;
use super::open;
use super::rows::{self, Insert, Row};
use super::{Identity, PAGE, Results, fault, missing};
use crate::error::Error;

/// Gaps and shards that are named one by one.
const SHOWN: usize = 5;

/// What a merge came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// The games in the new file.
    pub games: u64,
    /// The numbers of games that are still to be played, in order.
    pub missing: Vec<RangeInclusive<u64>>,
    /// What each part was; nothing for one that was no shard.
    pub parts: Vec<Option<Shard>>,
}

impl Merged {
    /// What is missing in a sentence, by shards where all parts are such, else the first gaps by
    /// their numbers; nothing where all is there.
    pub fn sentence(&self) -> Option<String> {
        let count: u64 = self.missing.iter().map(|gap| gap.end() - gap.start() + 1).sum();
        (count > 0).then(|| self.by_shard().unwrap_or_else(|| self.by_game(count)))
    }

    fn by_shard(&self) -> Option<String> {
        let given: Vec<Shard> = self.parts.iter().copied().collect::<Option<_>>()?;
        let first = given.first().filter(|first| given.iter().all(|it| it.is_beside(first)))?;
        let lacks = |shard: Shard| {
            let games = match self.missing.iter().map(|gap| shard.count(gap)).sum() {
                0 => return None,
                1 => "1 game".to_owned(),
                games => format!("{games} games"),
            };
            Some(match given.contains(&shard) {
                true => format!("shard {shard} was not played to its end ({games} left)"),
                false => format!("shard {shard} is missing ({games})"),
            })
        };
        let mut told: Vec<String> = first.siblings().filter_map(lacks).take(SHOWN + 1).collect();
        if told.len() > SHOWN {
            told[SHOWN] = "…".to_owned();
        }
        Some(told.join(", "))
    }

    fn by_game(&self, count: u64) -> String {
        let gap = |gap: &RangeInclusive<u64>| match gap.end() - gap.start() {
            0 => gap.start().to_string(),
            _ => format!("{} to {}", gap.start(), gap.end()),
        };
        let mut shown: Vec<String> = self.missing.iter().take(SHOWN).map(gap).collect();
        if self.missing.len() > SHOWN {
            shown.push("…".to_owned());
        }
        let games = if count == 1 { "game is" } else { "games are" };
        format!("{count} {games} missing: {}", shown.join(", "))
    }
}

/// Joins parts of one tournament into a new file. A part given twice is taken once.
///
/// The file gets its name when it is whole, so a merge that was stopped leaves none.
///
/// # Errors
/// [`Error::OtherTournament`] where a part is of another tournament than the first one;
/// [`Error::Results`] where two of them disagree about a game; [`Error::File`] where a part cannot
/// be read, or where `out` is there already or cannot be written.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<Merged, Error> {
    if out.exists() {
        return Err(Error::file("write", out, "it is there already"));
    }
    let Some((first, others)) = parts.split_first() else {
        return Err(Error::usage("there are no parts to merge"));
    };
    // All parts are looked at before anything is written.
    let identity = Identity { shard: None, ..Results::read(first)?.identity().clone() };
    let mut shards = vec![Results::read(first)?.identity().shard];
    for path in others {
        let part = Results::read(path)?;
        shards.push(part.identity().shard);
        let differs = identity.differs_but_for_shard(part.identity());
        if !differs.is_empty() {
            return Err(Error::OtherTournament { path: path.display().to_string(), differs });
        }
    }
    let new = beside(out)?;
    let joined = join(parts, &new, out, &identity).and_then(|games| {
        let mut results = Results::read(&new)?;
        let spec = identity.read_spec(&new)?;
        let missing = missing(&spec, &mut results)?;
        results.close()?;
        std::fs::rename(&new, out).map_err(|reason| Error::file("write", out, reason))?;
        Ok(Merged { games, missing, parts: shards })
    });
    if joined.is_err() {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&new);
    }
    joined
}

/// A new empty file beside this one. A name that is taken is somebody's: another merge's, or a part.
fn beside(out: &Path) -> Result<PathBuf, Error> {
    for number in 1u64.. {
        let mut name = out.as_os_str().to_owned();
        name.push(format!(".new{number}"));
        let new = PathBuf::from(name);
        // The system says better than SQLite why a file cannot be written.
        match OpenOptions::new().write(true).create_new(true).open(&new) {
            Ok(_) => return Ok(new),
            Err(taken) if taken.kind() == ErrorKind::AlreadyExists => {}
            Err(reason) => return Err(Error::file("write", out, reason)),
        }
    }
    Err(Error::file("write", out, "all names beside it are taken"))
}

/// Writes all parts into a new file, which is to be `out`; how many games it has.
fn join(parts: &[PathBuf], new: &Path, out: &Path, identity: &Identity) -> Result<u64, Error> {
    let failed = |error: rusqlite::Error| fault::of("write", out, &error);
    let connection = open::fresh(new, identity).map_err(failed)?;
    connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    for path in parts {
        let part = Results::read(path)?;
        let (from, path) = (&part.connection, path.as_path());
        for (seating, exact) in rows::all_exact(from, path)? {
            rows::insert_exact(&connection, &seating, exact.as_ref()).map_err(failed)?;
            if rows::exact(&connection, out, &seating)?.as_ref() != Some(&exact) {
                return Err(disagrees(path, "exact odds"));
            }
        }
        let mut number = 0;
        loop {
            let page = rows::page(from, path, number, PAGE)?;
            let Some(last) = page.last() else { break };
            number = last.number + 1;
            copy(&connection, out, path, &page)?;
        }
    }
    connection.execute_batch("COMMIT").map_err(failed)?;
    let count = "SELECT count(*) FROM games";
    let games: i64 = connection.query_row(count, [], |row| row.get(0)).map_err(failed)?;
    connection.close().map_err(|(_, error)| failed(error))?;
    Ok(games as u64)
}

fn copy(to: &Connection, out: &Path, from: &Path, page: &[Row]) -> Result<(), Error> {
    let failed = |error: rusqlite::Error| fault::of("write", out, &error);
    let mut insert = Insert::prepare_for_new(to).map_err(failed)?;
    for row in page {
        let added = insert.row(row.number, &row.seating, &row.result).map_err(failed)?;
        if added == 0 && rows::page(to, out, row.number, 1)?.first() != Some(row) {
            return Err(disagrees(from, &format!("game {}", row.number)));
        }
    }
    Ok(())
}

fn disagrees(path: &Path, about: &str) -> Error {
    let message = format!("it disagrees with another part about {about}");
    Error::Results { path: path.display().to_string(), message }
}
