//! Joins parts into one file, game by game; games about which they disagree are left out.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::super::{Lineup, Shard};
use super::{Identity, Results, missing, open};
use crate::error::Error;
use crate::render;

/// Gaps and shards that are named one by one.
const SHOWN: usize = 5;
/// Disputed games of which the file notes who claims what.
const MOST_DISPUTED: usize = 1_000;

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
                games => render::many(games, "game"),
            };
            Some(match given.contains(&shard) {
                true => format!("shard {shard} was not played to its end ({games} left)"),
                false => format!("shard {shard} is missing ({games})"),
            })
        };
        let mut listed: Vec<String> = first.siblings().filter_map(lacks).take(SHOWN + 1).collect();
        if listed.len() > SHOWN {
            listed[SHOWN] = "…".to_owned();
        }
        Some(listed.join(", "))
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
/// The file gets its name when it is whole, so a merge that was stopped leaves none. A game of which
/// parts have different results does not count: it is missing, and noted as disputed.
///
/// # Errors
/// [`Error::OtherTournament`] where a part is of another tournament than the first one;
/// [`Error::Results`] where two of them disagree about exact odds; [`Error::File`] where a part cannot
/// be read, or where `out` is there already or cannot be written.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<Merged, Error> {
    if out.exists() {
        return Err(Error::file("write", out, "it is there already"));
    }
    let Some((first, others)) = parts.split_first() else {
        return Err(Error::usage("there are no parts to merge"));
    };
    // All parts are looked at before anything is written.
    let first = Results::read(first)?.identity().clone();
    let mut shards = vec![first.shard];
    for path in others {
        let part = Results::read(path)?;
        shards.push(part.identity().shard);
        let differs = first.differs_from(part.identity());
        if !differs.is_empty() {
            return Err(Error::OtherTournament { path: path.display().to_string(), differs });
        }
    }
    let identity = Identity { shard: None, merged: true, ..first };
    let new = beside(out)?;
    let joined = join(parts, &new, out, &identity).and_then(|()| {
        let mut results = Results::read(&new)?;
        let spec = identity.read_spec(&new)?;
        let missing = missing(&spec, &mut results)?;
        let games = results.len()?;
        results.close()?;
        std::fs::rename(&new, out).map_err(|reason| Error::file("write", out, reason))?;
        Ok(Merged { games, missing, parts: shards })
    });
    joined.map_err(|error| {
        // The first error is the one to report, and the file is known by the name it was to get.
        let _ = std::fs::remove_file(&new);
        let is_new = |path: &String| Path::new(path) == new;
        match error {
            Error::File { action, path, reason, at } if is_new(&path) => {
                Error::File { action, path: out.display().to_string(), reason, at }
            }
            Error::Results { path, message } if is_new(&path) => {
                Error::Results { path: out.display().to_string(), message }
            }
            other => other,
        }
    })
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
    Err(Error::file("write", out, "all names next to it are taken"))
}

/// A game, in any file.
type GameKey = (Lineup, u64);

/// Writes all parts into a new file, which is to be `out`.
fn join(parts: &[PathBuf], new: &Path, out: &Path, identity: &Identity) -> Result<(), Error> {
    let mut joined = Results::of(open::for_writing(new, identity)?, out, identity.clone(), true)?;
    let mut disputed = BTreeSet::new();
    for path in parts {
        let part = Results::read(path)?;
        add_exact(&mut joined, &part)?;
        part.each(|part, lineup, row| {
            let result = part.result(&row)?;
            if joined.adds(part, lineup, row.nth, &result)? {
                return Ok(());
            }
            if joined.at(lineup, row.nth)?.as_ref() != Some(&result) {
                disputed.insert((lineup.clone(), row.nth));
            }
            Ok(())
        })?;
    }
    for (lineup, nth) in &disputed {
        joined.take_out(lineup, *nth)?;
    }
    // Who claims what is looked up once it is known about which games.
    let shown: BTreeSet<&GameKey> = disputed.iter().take(MOST_DISPUTED).collect();
    for path in if shown.is_empty() { &[] } else { parts } {
        let part = Results::read(path)?;
        for (lineup, nth) in &shown {
            if let Some(result) = part.at(lineup, *nth)? {
                joined.dispute(lineup, *nth, &path.display().to_string(), &result)?;
            }
        }
    }
    joined.close()
}

fn add_exact(joined: &mut Results, part: &Results) -> Result<(), Error> {
    for (lineup, id) in &part.lineups {
        let Some(sought) = part.exact.get(id) else { continue };
        let known = joined.sought(lineup);
        if known.is_some_and(|known| known.bound == sought.bound && known != sought) {
            let path = part.path().display().to_string();
            let message = "it disagrees with another part about exact odds".to_owned();
            return Err(Error::Results { path, message });
        }
        if known.is_none() {
            let command = part.commands.get(id).cloned();
            joined.note_exact(lineup, sought.clone(), || command)?;
        }
    }
    Ok(())
}
