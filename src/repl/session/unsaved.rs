//! Keeps conflicts that were played and not saved in the state folder, and offers them at the next start.
//!
//! Each has a file of its own, named after the time and the process, so that two prompts never write the
//! same one. How many there are, and how large, is bounded: the oldest makes room.

use std::cmp::Reverse;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::conflict::{Play, Saved, replace};
use crate::error::Error;
use crate::game::History;
use crate::repl::Session;
use crate::report::{ago, many};

/// How many conflicts are kept.
const FILES: usize = 20;
/// The bytes that all of them may have together, and a single one.
const BYTES: u64 = 16 << 20;
const LARGEST: u64 = 4 << 20;
/// This many are offered at the start.
const OFFERED: usize = 3;
/// The beginning of a file, in which its scenario and its folder are named.
const BEGINNING: u64 = 8 << 10;
const ENDING: &str = "history";
/// What comes before the folder in which a conflict was played, in a comment of its file.
const FOLDER: &str = "# played in ";

/// Of a session without a keeper, as one is whose lines come from a pipe.
pub(in crate::repl) const NOT_KEPT: &str = "conflicts that were not saved are kept and listed only at a terminal, with a folder to keep them in";

/// Where conflicts that were not saved are kept, and what is known of the open one.
#[derive(Debug)]
pub(in crate::repl) struct Keeper {
    folder: PathBuf,
    /// The file in which the open conflict is kept, or was.
    file: Option<HeldFile>,
    /// The ways of the open conflict that are saved elsewhere, or kept.
    safe: Vec<History>,
}

/// A file, and what was in it when this session read or wrote it.
#[derive(Debug)]
struct HeldFile {
    path: PathBuf,
    text: Vec<u8>,
    /// Locked while the conflict is open, so that other sessions leave it alone.
    lock: Option<fs::File>,
}

impl HeldFile {
    fn new(path: PathBuf, text: Vec<u8>) -> HeldFile {
        let lock = fs::File::open(&path).ok().filter(|file| !is_locked(file));
        HeldFile { path, text, lock }
    }

    /// Whether it is there, and nobody else has written it since.
    fn is_own(&self) -> bool {
        fs::read(&self.path).is_ok_and(|text| text == self.text)
    }
}

/// Whether another session has locked a file; else it is locked now, until it is closed.
#[cfg(unix)]
fn is_locked(file: &fs::File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    flock(file, FlockOperation::NonBlockingLockExclusive) == Err(rustix::io::Errno::WOULDBLOCK)
}

#[cfg(not(unix))]
fn is_locked(_: &fs::File) -> bool {
    false
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::repl) struct Unsaved {
    pub file: PathBuf,
    pub scenario: String,
    /// How long ago it was left.
    pub(crate) age: Duration,
    /// The folder in which it was played.
    pub folder: Option<String>,
}

impl Keeper {
    /// A keeper that uses this folder, which is made once there is something to keep.
    pub(in crate::repl) fn new(folder: PathBuf) -> Keeper {
        Keeper { folder, file: None, safe: Vec::new() }
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten();
        let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        paths.filter(|path| path.extension().is_some_and(|end| end == ENDING))
    }

    /// What is kept and open in no other session, the newest first.
    pub(in crate::repl) fn all(&self) -> Vec<Unsaved> {
        let open = self.open();
        let is_free = |path: &PathBuf| {
            open == Some(path) || fs::File::open(path).is_ok_and(|file| !is_locked(&file))
        };
        let files = self.files().filter(is_free);
        let mut all: Vec<Unsaved> = files.filter_map(|path| Unsaved::read(&path)).collect();
        all.sort_by(|one, other| (one.age, &one.file).cmp(&(other.age, &other.file)));
        all
    }

    /// What can be resumed, the newest first: what is kept, but for the open conflict.
    pub(in crate::repl) fn others(&self) -> Vec<Unsaved> {
        let mut all = self.all();
        all.retain(|unsaved| Some(&unsaved.file) != self.open());
        all
    }

    /// The file of the open conflict.
    fn open(&self) -> Option<&PathBuf> {
        self.file.as_ref().map(|held| &held.path)
    }

    /// Whether a path is one of a kept conflict.
    pub(in crate::repl) fn has(&self, path: &Path) -> bool {
        path.parent() == Some(&self.folder)
    }

    /// The open conflict is another one, which is as this file has it; or a new one.
    pub(in crate::repl) fn take_up(&mut self, file: Option<&Path>, ways: Vec<History>) {
        let file = file.filter(|file| self.has(file));
        self.file =
            file.map(|path| HeldFile::new(path.to_owned(), fs::read(path).unwrap_or_default()));
        self.safe = ways;
    }

    /// The open conflict is saved elsewhere.
    fn saved(&mut self, ways: Vec<History>) {
        // What another session has kept there since is not saved.
        if let Some(held) = self.file.take().filter(HeldFile::is_own) {
            // One that somebody else has removed is gone all the same.
            _ = fs::remove_file(held.path);
        }
        self.safe = ways;
    }

    /// Keeps a conflict, in place of what is kept of it already, unless another session has written that.
    fn keep(&mut self, play: &Play) -> Result<PathBuf, Error> {
        let text = play.saved().to_own_text()?;
        let folder = std::env::current_dir().unwrap_or_default();
        let folder = folder.display().to_string().replace(char::is_control, " ");
        // The second line: however long what follows is, it is in the beginning.
        let text = text.replacen('\n', &format!("\n{FOLDER}{folder}\n"), 1);
        if text.len() as u64 > LARGEST {
            return Err(Error::file("keep", &self.folder, "the history is too large; `:save` it"));
        }
        let failed = |reason| Error::file("write", &self.folder, reason);
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let own = self.file.as_ref().filter(|held| held.is_own());
        let file = own.map_or_else(|| self.name(), |held| held.path.clone());
        replace(&file, text.as_bytes())?;
        self.file = Some(HeldFile::new(file.clone(), text.into_bytes()));
        self.make_room(&file);
        Ok(file)
    }

    /// A name that no other process takes, and this one has not taken.
    fn name(&self) -> PathBuf {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let process = std::process::id();
        let name = |number| self.folder.join(format!("{now}-{process}-{number}.{ENDING}"));
        (1_u64..).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(0))
    }

    /// Removes the oldest where there are too many, but never this one. Those that cannot be read count too.
    fn make_room(&self, newest: &Path) {
        let mut own: Vec<_> = self
            .files()
            .filter_map(|file| {
                let known = file.metadata().ok().filter(fs::Metadata::is_file)?;
                Some((Reverse(known.modified().ok()), file, known.len()))
            })
            .collect();
        own.sort();
        let mut bytes = 0;
        for (number, (_, file, size)) in own.into_iter().enumerate() {
            bytes += size;
            if (number >= FILES || bytes > BYTES) && file != newest {
                _ = fs::remove_file(&file);
            }
        }
    }
}

impl Unsaved {
    fn read(file: &Path) -> Option<Unsaved> {
        let known = file.metadata().ok().filter(fs::Metadata::is_file)?;
        let mut beginning = Vec::new();
        fs::File::open(file).ok()?.take(BEGINNING).read_to_end(&mut beginning).ok()?;
        let text = String::from_utf8_lossy(&beginning);
        let scenario = text.lines().find_map(|line| line.strip_prefix("scenario = "))?;
        let folder = text.lines().find_map(|line| line.strip_prefix(FOLDER)).map(str::to_owned);
        let age = known.modified().ok().and_then(|at| SystemTime::now().duration_since(at).ok());
        Some(Unsaved {
            file: file.to_owned(),
            scenario: scenario.trim_matches('"').to_owned(),
            age: age.unwrap_or_default(),
            folder,
        })
    }

    /// The folder in which it was played, if that is another one.
    fn elsewhere(&self) -> Option<&String> {
        let here = std::env::current_dir().unwrap_or_default().display().to_string();
        self.folder.as_ref().filter(|folder| **folder != here)
    }

    /// What it is, in a line: its scenario, when it was left, and where if it was elsewhere.
    pub(in crate::repl) fn sentence(&self) -> String {
        let elsewhere =
            self.elsewhere().map(|folder| format!(", in `{folder}`")).unwrap_or_default();
        format!("{}, {}{elsewhere}", self.scenario, ago(self.age))
    }
}

impl Session {
    /// Keeps what is not saved in a folder from here on.
    pub fn keep_in(&mut self, folder: PathBuf) {
        self.keeper = Some(Keeper::new(folder));
    }

    /// What earlier sessions left without saving it, in a note each.
    pub fn offers(&self) -> Vec<String> {
        let all = self.keeper.as_ref().map(Keeper::all).unwrap_or_default();
        // What was played elsewhere may have its rules there.
        let here = (1..).zip(&all).filter(|(_, unsaved)| unsaved.elsewhere().is_none());
        let mut notes: Vec<String> = here
            .map(|(number, unsaved)| {
                let what = unsaved.sentence();
                format!("a conflict was not saved: {what}; `:load #{number}` resumes it")
            })
            .collect();
        if let Some(more @ 1..) = notes.len().checked_sub(OFFERED) {
            notes.truncate(OFFERED);
            let more = many(more as u64, "conflict");
            notes.push(format!("and {more} more; `:load` lists them"));
        }
        notes
    }

    /// The file of a conflict that was not saved, by its number.
    pub(in crate::repl) fn unsaved(&self, number: usize) -> Result<PathBuf, Error> {
        let keeper = self.keeper.as_ref().ok_or_else(|| Error::usage(NOT_KEPT))?;
        let all = keeper.others();
        let found = number.checked_sub(1).and_then(|index| all.get(index));
        found.map(|unsaved| unsaved.file.clone()).ok_or_else(|| {
            let there = match all.len() {
                0 => "none is there".to_owned(),
                count => format!("`:load` lists {}", many(count as u64, "conflict")),
            };
            Error::usage(format!("no conflict #{number} was left without being saved; {there}"))
        })
    }

    /// Reads a saved history, or one that was kept here.
    pub(in crate::repl) fn read_saved(&self, path: &Path) -> Result<Saved, Error> {
        match self.keeper.as_ref().is_some_and(|keeper| keeper.has(path)) {
            // It was written here, and names what it named in its session.
            true => Saved::read_own(path),
            false => Saved::read_from(path),
        }
    }

    /// Leaves the open conflict: keeps it where something of it is not saved, and says where it can be found.
    pub fn keep_unsaved(&mut self) {
        self.keep_before(None);
    }

    /// As [`Session::keep_unsaved`], before what this file has is resumed.
    pub(in crate::repl) fn keep_before(&mut self, next: Option<&Path>) {
        self.kept(next).into_iter().for_each(|kept| self.note(kept));
        if let Some(held) = self.keeper.as_mut().and_then(|keeper| keeper.file.as_mut()) {
            held.lock = None;
        }
    }

    /// What becomes of the open conflict where the program ends now, if something of it is not saved; it is kept,
    /// unless that fails.
    pub(crate) fn kept(&mut self, next: Option<&Path>) -> Option<String> {
        match self.keep_quietly() {
            Ok(Some(file)) => {
                let name = self.play.as_ref().map(|play| play.conflict.scenario.name.as_str());
                let mut all = self.keeper.as_ref().map(Keeper::all).unwrap_or_default();
                // Its number while the next one is open.
                all.retain(|unsaved| unsaved.file == file || Some(unsaved.file.as_path()) != next);
                let number = all.iter().position(|unsaved| unsaved.file == file).unwrap_or(0) + 1;
                let name = name.unwrap_or_default();
                Some(format!(
                    "{name} was not saved; `:load #{number}` resumes it at the prompt, also after the next start"
                ))
            }
            Ok(None) => None,
            Err(error) => Some(format!("what was not saved is not kept: {error}")),
        }
    }

    /// Keeps the open conflict where something of it is not saved; returns the file of one that is kept and
    /// not saved.
    pub(crate) fn keep_quietly(&mut self) -> Result<Option<PathBuf>, Error> {
        let (Some(keeper), Some(play)) = (&mut self.keeper, &self.play) else { return Ok(None) };
        let ways = ways(play);
        let is_safe = |way: &History| keeper.safe.iter().any(|safe| safe.begins_with(way));
        let is_played = |way: &History| way.entries.iter().any(|entry| play.is_of_person(entry));
        let kept = keeper.file.as_ref().map(|held| held.path.clone());
        // To make room, or by another session, it may have been removed since it was read.
        let is_there = kept.as_ref().is_none_or(|file| file.exists());
        if is_there && ways.iter().all(|way| is_safe(way) || !is_played(way)) {
            return Ok(kept);
        }
        let file = keeper.keep(play)?;
        keeper.safe = ways;
        Ok(Some(file))
    }

    /// The open conflict is saved, or over: what was kept of it is not needed any more.
    pub(crate) fn is_saved(&mut self) {
        if let (Some(keeper), Some(play)) = (&mut self.keeper, &self.play) {
            keeper.saved(ways(play));
        }
    }

    /// The open conflict is another one: a new one, or what a file has.
    pub(in crate::repl) fn is_taken_up(&mut self, file: Option<&Path>) {
        if let (Some(keeper), Some(play)) = (&mut self.keeper, &self.play) {
            let ways = if file.is_some() { ways(play) } else { Vec::new() };
            keeper.take_up(file, ways);
        }
    }
}

fn ways(play: &Play) -> Vec<History> {
    play.ways().into_iter().map(|way| way.history).collect()
}
