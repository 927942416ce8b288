//! The page of a finding as a file: `--html` in the shell and at the prompt.

use std::path::{Path, PathBuf};

use clap::Args;

use super::written;
use crate::catalog::FileKind;
use crate::conflict::{Changes, Conflict, PAGE, Seating, replace, replaceable};
use crate::error::Error;
use crate::game::Value;
use crate::report::{Block, Origin, Page, Report, enumerated, shell_word, stacked};
use crate::script::{State, digest};

/// Where the page of a finding goes.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct PageArgument {
    /// Write what is printed to a page for a browser, too
    #[arg(long, value_name = "FILE.html", value_parser = written(PAGE))]
    pub html: Option<PathBuf>,
}

/// A page that is to be written once there is a finding.
pub(crate) struct PageFile {
    path: PathBuf,
    /// The name of the command.
    command: String,
    /// What the finding is of, and what is changed about it.
    conflict: (String, String),
    /// Who plays, in a sentence; empty where nobody does.
    players: String,
    origin: Origin,
    /// Whether the command names the seed.
    is_seeded: bool,
    /// What a page says beside what is printed: before it, and after it.
    pub(super) beside: [Vec<Block>; 2],
}

impl PageArgument {
    /// The page that a command is to write, tested before long work begins.
    ///
    /// # Errors
    /// [`Error::File`] where the file could not be replaced.
    pub(crate) fn file(
        &self,
        command: &str,
        is_seeded: bool,
        origin: Origin,
    ) -> Result<Option<PageFile>, Error> {
        let Some(path) = &self.html else { return Ok(None) };
        replaceable(path)?;
        let (conflict, players, beside) = Default::default();
        let (path, command) = (path.clone(), command.to_owned());
        Ok(Some(PageFile { path, command, conflict, players, origin, is_seeded, beside }))
    }
}

/// The line of the prompt that opens a conflict as it is open.
pub(crate) fn open_line(conflict: &Conflict) -> String {
    let Changes { house, without, params, seats } = &conflict.changes;
    let mut words = vec![":open".to_owned(), shell_word(&conflict.scenario.name)];
    let mut add = |option: &str, value: String| {
        words.extend([option.to_owned(), shell_word(&value)]);
    };
    house.iter().for_each(|house| add("--house", house.clone()));
    without.iter().for_each(|house| add("--house", format!("-{house}")));
    params.iter().for_each(|setting| add("--param", setting.to_string()));
    seats.iter().for_each(|(seat, agent)| add("--seat", format!("{seat}={agent}")));
    words.join(" ")
}

/// The title of a conflict; and its name, with what is changed about it.
pub(super) fn heading(conflict: &Conflict) -> (String, String) {
    let scenario = &conflict.scenario;
    let title = scenario.title.as_ref().unwrap_or(&scenario.name);
    let changes = conflict.rules.house().iter().map(|house| format!("house rule `{house}`"));
    let params = conflict.changes.params.iter().map(|setting| format!("`{setting}`"));
    let changes: Vec<String> = changes.chain(params).collect();
    let with = match &changes[..] {
        [] => String::new(),
        changes => format!(", with {}", enumerated(changes)),
    };
    (title.clone(), format!("`{}`{with}", scenario.name))
}

/// Writes the drawing of a state, or of what a player sees of it, whole or not at all. What is read aloud of it is the
/// picture.
///
/// # Errors
/// Those of the rules; [`Error::Usage`] where there is nothing drawn; [`Error::File`].
pub(crate) fn write_drawing(conflict: &Conflict, seen: &State, path: &Path) -> Result<(), Error> {
    let Some(drawing) = conflict.rules.drawing(seen)? else {
        let message = match seen.value() {
            Value::Map(_) => "these rules make no drawing here",
            _ => "there is nothing to draw yet: the setup still asks",
        };
        return Err(Error::usage(message));
    };
    let picture = conflict.rules.picture(seen).ok().flatten();
    // Read aloud, one column comes after the other.
    let words = picture.map_or_else(|| drawing.words(), |picture| stacked(&picture, 0));
    replace(path, drawing.svg(&heading(conflict).0, &words).as_bytes())
}

/// Each file that decides what is played, and its digest: of the rules, their parameters and the scenario.
pub(super) fn digests(conflict: &Conflict) -> Vec<(String, String)> {
    let scenario = &conflict.scenario;
    let mut all: Vec<(String, String)> = conflict.rules.digests().clone().into_iter().collect();
    // One that cannot be read any more is a mistake elsewhere.
    let params = conflict.folder.params().ok().flatten();
    all.extend(params.map(|file| (in_folder("", &file.path), digest(&file.text))));
    let kind = if scenario.campaign.is_some() { FileKind::Campaign } else { FileKind::Scenario };
    let document = scenario.document.iter();
    all.extend(document.map(|file| (in_folder(kind.folder(), &file.path), digest(&file.text))));
    all
}

/// A file as pages name it: by its place in a rules folder.
fn in_folder(folder: &str, path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

impl PageFile {
    /// Notes which conflict the finding is of; of several the last heads the page, and the rules of all were read.
    pub(crate) fn is_of(&mut self, conflict: &Conflict) {
        self.conflict = heading(conflict);
        self.were_read(digests(conflict));
    }

    fn were_read(&mut self, digests: impl IntoIterator<Item = (String, String)>) {
        for (file, digest) in digests {
            match self.origin.digests.iter_mut().find(|(other, _)| *other == file) {
                Some((_, other)) => *other = digest,
                None => self.origin.digests.push((file, digest)),
            }
        }
    }

    /// Notes who plays, in a sentence.
    pub(super) fn is_played(&mut self, players: &str) {
        self.players = format!("; {players}");
    }

    /// Notes who plays.
    pub(crate) fn is_played_by(&mut self, seating: &Seating) {
        self.is_played(&seating.who_plays());
        let agents = FileKind::Agent.folder();
        let scripts = seating.scripts();
        self.were_read(scripts.map(|(path, text)| (in_folder(agents, path), digest(text))));
    }

    /// Writes the page, whole or not at all, and returns a sentence about that.
    ///
    /// # Errors
    /// [`Error::File`]; a file that was there before is then unchanged.
    pub(crate) fn write(&self, report: &Report<'_>) -> Result<String, Error> {
        let mut origin = self.origin.clone();
        origin.seed = report.seed;
        if let Some(seed) = report.seed.filter(|_| !self.is_seeded) {
            origin.commands.push_str(&format!(" --seed {seed}"));
        }
        let repeat = origin.blocks();
        let (of, lead) = &self.conflict;
        let (first, rest) = self.command.split_at(1);
        let title = format!("{}{rest}: {of}", first.to_uppercase());
        let [before, after] = &self.beside;
        let blocks: [&[Block]; 4] = [before, &report.blocks, after, &repeat];
        let lead = &format!("{lead}{}", self.players);
        let page = Page { title: &title, lead, blocks: &blocks, ..Page::default() };
        replace(&self.path, page.html().as_bytes())?;
        Ok(format!("wrote `{}`", self.path.display()))
    }
}
