//! A session at the prompt: the lab, the open conflict, and what has been reported of it; `enter` runs lines.

pub(super) mod documentation;
pub(super) mod enter;
pub(super) mod hand_over;
pub(super) mod tree;
pub(super) mod unsaved;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use self::tree::{Numbers, Spot};
use self::unsaved::Keeper;
use super::{Names, Viewer};
use crate::catalog::Catalog;
use crate::commands::{Audience, FoundSolution, PageArgument, PageFile, Weighed, open_line};
use crate::conflict::Play;
use crate::error::{Error, Location};
use crate::game::{Asked, Value, Wording};
use crate::lab::{Lab, LabConfig};
use crate::report::{Block, Origin, Report, ShowStyle, indented, tame_message};
use crate::script::{Limits, State};
use serde::Serialize;

/// Of more decisions than these what was weighed is forgotten, the oldest first.
const WEIGHED: usize = 64;

/// The prompt of a line that continues a statement.
pub(super) const MORE: &str = "… ";

/// The prompt of a session in which no conflict is open, and the end of all others.
pub(super) const BARE: &str = "> ";
/// The part of the prompt that says that everything has been revealed.
pub(super) const SEES_ALL: &str = " (sees all)";

#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// The limits of scripts; whoever reads the lines lowers their interrupt before the next one.
    pub limits: Limits,
    /// The seed of the next conflict; each one after it takes the next number.
    pub seed: u64,
    /// The width of the output, in columns.
    pub width: usize,
    /// Whether tables are drawn without boxes.
    pub plain: bool,
    /// Whether results of the lab are printed as JSON, one per line.
    pub json: bool,
    /// The name of the lines in messages: `prompt`, `stdin`.
    pub name: &'static str,
    /// Whether a person types the lines and reads what comes of each before the next.
    pub is_terminal: bool,
}

impl Default for SessionOptions {
    fn default() -> SessionOptions {
        SessionOptions {
            limits: Limits::default(),
            seed: 0,
            width: 80,
            plain: false,
            json: false,
            name: "prompt",
            is_terminal: true,
        }
    }
}

/// A session at the prompt: the lab, the open conflict, and what has been reported of it.
pub struct Session {
    pub options: SessionOptions,
    /// The rules folders.
    pub catalog: Catalog,
    /// The open conflict.
    pub play: Option<Play>,
    /// Whether hidden information is shown.
    pub revealed: bool,
    /// Whether the next conflict is opened with a note on useful commands, printed once.
    pub(crate) guides: bool,
    /// Whether the rules are read again whenever a file changes.
    pub(crate) watches: bool,
    /// The result of `:solve`, until the rules change.
    pub(super) known: Option<FoundSolution>,
    /// What `:odds` said of options, the newest last.
    pub(super) weighed: Vec<Weighed>,
    /// The nodes of the tree that was printed last, each with its number.
    pub(super) tree: Vec<(usize, Spot)>,
    /// The numbers that nodes of the tree have had.
    pub(super) numbers: Numbers,
    /// Where conflicts are kept that were not saved, if anywhere.
    pub(super) keeper: Option<Keeper>,
    pub(super) edits: Option<Edited>,
    /// Where the first mistake is in rules that were edited, until they are edited again or laid.
    pub(super) mistake: Option<(Location, Edited)>,
    /// The house rule that `:house new` wrote last, until it is laid, and the text that it wrote.
    pub(super) made: Option<(String, String)>,
    /// A digest of the files of the open conflict, as they were when they were last read.
    pub(super) files_digest: Option<String>,
    /// That of the rules in force: those on disk may not compile.
    pub(super) files_in_force: Option<String>,
    pub(super) lab: Lab,
    pub(super) journal: Journal,
    /// The number of events that have been reported.
    pub(super) announced: usize,
    /// What is said of the line that runs.
    pub(super) reply: RefCell<Reply>,
    /// The command that runs, as it was typed.
    pub(super) typed: String,
    /// Who sits before the screen.
    pub screen: Screen,
    pub(super) words: QuestionWords,
    /// The lines of an unfinished statement.
    pub(super) pending: String,
    pub(super) lines: usize,
}

/// Who sits before the screen, at which several people may look one after another.
#[derive(Debug, Default)]
pub struct Screen {
    /// Whether several people look at it one after another: it is a terminal.
    pub is_shared: bool,
    /// The players of the person who looked last.
    viewer: Option<Vec<String>>,
    /// The player who is to sit down before anything is shown.
    awaited: Option<String>,
    /// How many events had been reported when these players looked last; of no players: when everybody did.
    heard: BTreeMap<Vec<String>, usize>,
}

impl Screen {
    /// Another conflict is open: nobody has seen anything of it.
    pub(in crate::repl) fn is_new(&mut self) {
        *self = Screen { is_shared: self.is_shared, ..Screen::default() };
    }

    /// Whether somebody is to sit down first.
    pub(crate) fn is_awaiting(&self) -> bool {
        self.awaited.is_some()
    }

    /// The prompt before the line that is awaited.
    pub(in crate::repl) fn prompt(&self) -> Option<String> {
        let awaited = self.awaited.as_ref()?;
        Some(format!("it is {}'s turn: press Enter ", tame_message(awaited)))
    }
}

impl Session {
    /// A session in which nothing is open.
    pub fn new(catalog: Catalog, options: SessionOptions) -> Session {
        Session::with(LabConfig::new(catalog, options.limits.clone(), options.seed), options)
    }

    /// A session in which nothing is open, whose lab has these means.
    pub fn with(means: LabConfig, options: SessionOptions) -> Session {
        let catalog = means.catalog.clone();
        let lab = Lab::new(means, options.name);
        Session {
            options,
            catalog,
            play: None,
            revealed: false,
            guides: false,
            watches: false,
            known: None,
            reply: RefCell::default(),
            typed: String::new(),
            weighed: Vec::new(),
            tree: Vec::new(),
            numbers: Numbers::default(),
            keeper: None,
            edits: None,
            mistake: None,
            made: None,
            files_digest: None,
            files_in_force: None,
            lab,
            journal: Journal::default(),
            announced: 0,
            screen: Screen::default(),
            words: QuestionWords::default(),
            pending: String::new(),
            lines: 0,
        }
    }

    /// Sets the listener that the lab informs of the progress of long work.
    pub fn listen(&mut self, audience: std::rc::Rc<dyn Audience>) {
        self.lab.listen(audience);
    }

    /// The prompt before the next line.
    pub fn prompt(&self) -> String {
        if !self.pending.is_empty() {
            return MORE.to_owned();
        }
        let Some(play) = &self.play else { return format!("fracas{}", BARE) };
        if let Some(prompt) = self.screen.prompt() {
            return prompt;
        }
        let sees = if self.revealed { SEES_ALL } else { "" };
        match play.asked() {
            Some(asked) => {
                // The editor writes it unchanged, so it may not contain terminal commands.
                let (who, name) = (tame_message(&asked.who), tame_message(&asked.name));
                format!("{who}, {name}{sees}? ")
            }
            None => {
                let scenario = tame_message(&play.conflict.scenario.name);
                let entries = Viewer::of(play, self.revealed).count(&play.history());
                format!("{scenario} {entries}{sees}{}", BARE)
            }
        }
    }

    /// The viewer of the open conflict.
    pub(crate) fn viewer(&self) -> Result<Viewer, Error> {
        self.open().map(|play| Viewer::of(play, self.revealed))
    }

    /// The open conflict.
    ///
    /// # Errors
    /// [`Error::Usage`] that says how to open one.
    pub fn open(&self) -> Result<&Play, Error> {
        self.play.as_ref().ok_or_else(nothing_open)
    }

    /// The open conflict, to be changed.
    pub(crate) fn open_mut(&mut self) -> Result<&mut Play, Error> {
        self.play.as_mut().ok_or_else(nothing_open)
    }

    /// The decision that a player must make now, if the viewer may see its options.
    pub(super) fn decision(&self) -> Result<&Asked, Error> {
        self.viewer()?.decision(self.open()?)
    }

    /// Makes a conflict the open one.
    pub(crate) fn take_up(&mut self, play: Play) {
        // Its house rules are looked for and edited where they are.
        if let Cow::Owned(catalog) = self.catalog.around(&play.conflict.scenario.name) {
            self.catalog = catalog;
        }
        self.announced = 0;
        self.words = QuestionWords::default();
        self.screen.is_new();
        self.weighed.clear();
        self.tree.clear();
        self.numbers = Numbers::default();
        self.files_in_force = Some(play.digest_of_files());
        self.files_digest.clone_from(&self.files_in_force);
        self.play = Some(play);
    }

    /// Keeps what was weighed of a decision, in place of what was known of it before.
    pub(super) fn keep_weighed(&mut self, weighed: Weighed) {
        let play = self.play.as_ref();
        self.known.take_if(|known| play.is_some_and(|play| known.is_of_other_rules(play)));
        self.weighed.retain(|one| !one.is_of_same(&weighed));
        self.weighed.push(weighed);
        if self.weighed.len() > WEIGHED {
            self.weighed.remove(0);
        }
    }

    pub(super) fn look(&self) -> ShowStyle {
        let SessionOptions { width, plain, json, .. } = self.options;
        ShowStyle { width, plain, json }
    }

    /// The page that the command that runs writes its finding to, if one was asked for: of the open conflict, at its
    /// current place or from its beginning.
    pub(super) fn page(
        &self,
        name: &str,
        page: &PageArgument,
        is_here: bool,
        is_seeded: bool,
    ) -> Result<Option<PageFile>, Error> {
        let play = self.open()?;
        let entries = match is_here {
            true => {
                let (viewer, history) = (self.viewer()?, play.history());
                let mut entries = viewer.entries(&history, Names::Recorded);
                if viewer.misses(&history) {
                    entries.push(
                        "# without the entries that are hidden from whoever looked".to_owned(),
                    );
                }
                entries
            }
            false => Vec::new(),
        };
        let commands = format!("{}\n{}", open_line(&play.conflict), self.typed);
        let origin = Origin { commands, entries, ..Origin::default() };
        let mut page = page.file(name, is_seeded, origin)?;
        page.iter_mut().for_each(|page| page.is_of(&play.conflict));
        Ok(page)
    }

    /// Adds rows to the reply, each as data and as text: a list for programs, else a line each.
    pub(super) fn list<T: Serialize>(&self, rows: impl Iterator<Item = (T, String)>) {
        let (data, lines): (Vec<T>, Vec<String>) = rows.unzip();
        if self.options.json || !lines.is_empty() {
            self.show(&Report::of(data, vec![Block::Code(lines.join("\n"))]));
        }
    }

    /// Adds a report to the reply: as one line of JSON, or as text for the session's columns.
    pub(super) fn show(&self, report: &Report<'_>) {
        self.data(report.shown(self.look()));
    }
}

impl Session {
    /// Adds a result that the line asked for to the reply.
    pub(super) fn data(&self, text: impl Into<String>) {
        self.say(Said::Data(text.into()));
    }

    /// Adds a note.
    pub(super) fn note(&self, text: impl Into<String>) {
        self.say(Said::Note(text.into()));
    }

    pub(super) fn fail(&self, error: Error) {
        self.say(Said::Error(error));
    }

    pub(super) fn say(&self, said: Said) {
        self.reply.borrow_mut().said.push(said);
    }

    /// A place in a file is to be edited.
    pub(super) fn edit_at(&self, at: Location) {
        self.reply.borrow_mut().edits = Some(at);
    }

    /// What there is of a reply by now.
    pub fn take_reply(&self) -> Reply {
        self.reply.take()
    }
}

fn nothing_open() -> Error {
    Error::usage("no conflict is open; `:open SCENARIO` opens one, `:list` shows what there is")
}

/// Rules of which no conflict is open, in the editor.
#[derive(Clone, Debug)]
pub(crate) struct Edited {
    pub(in crate::repl) system: String,
    /// The house rule that is edited, if it is one.
    pub(in crate::repl) house: Option<String>,
}

/// The words of the question that was shown last.
#[derive(Default)]
pub(super) struct QuestionWords {
    /// The question, and what the player saw then.
    of: Option<(Asked, Value)>,
    wording: Wording,
    /// The last mistake that was shown; the same one is not shown again.
    mistake: Option<String>,
    /// What is known where no question was worded.
    none: OnceCell<Wording>,
}

impl QuestionWords {
    /// The words of a question; nothing where it was not worded.
    pub(super) fn of(&self, asked: &Asked) -> &Wording {
        match &self.of {
            Some((known, _)) if known == asked => &self.wording,
            _ => self.none.get_or_init(Wording::default),
        }
    }
}

impl Session {
    pub(super) fn wording(&self) -> Option<&Wording> {
        Some(self.words.of(self.play.as_ref()?.asked()?))
    }

    /// Finds the words of the open question, where a person is asked. A mistake in the rules' `wording` is
    /// noted once with its place, and the question goes without words.
    pub(super) fn word_question(&mut self) {
        let Some(play) = &self.play else { return };
        let Some(asked) = play.asked().filter(|_| play.conflict.rules.defines("wording")) else {
            self.words.of = None;
            return;
        };
        let found = play.conflict.rules.view(&play.state(), &asked.who);
        if let (Some((known, before)), Ok(seen)) = (&self.words.of, &found)
            && known == asked
            && before == seen
        {
            return;
        }
        let seen = found.as_ref().ok().cloned().unwrap_or_default();
        let found = found.and_then(|seen| worded(play, asked, &seen));
        let of = Some((asked.clone(), seen));
        let (wording, mistake) = match found {
            Ok(wording) => (wording, None),
            // As long as the setup asks there is no state yet, so no words are owed.
            Err(_) if play.is_setting_up() => (Wording::default(), None),
            Err(error) => {
                let at = error.location().map(|at| format!(" ({at})")).unwrap_or_default();
                (Wording::default(), Some(format!("no words for the question: {error}{at}")))
            }
        };
        self.words.of = of;
        self.words.wording = wording;
        if let Some(mistake) = mistake
            && self.words.mistake.as_ref() != Some(&mistake)
        {
            self.note(mistake.clone());
            self.words.mistake = Some(mistake);
        }
    }
}

fn worded(play: &Play, asked: &Asked, seen: &Value) -> Result<Wording, Error> {
    let seen = State::from_value(seen);
    play.conflict.rules.wording(&seen, &asked.who, &asked.name, &asked.options)
}

/// One part of a reply.
#[derive(Debug)]
pub enum Said {
    /// The result that the line asked for.
    Data(String),
    /// Further information for people: what happened, who is asked next.
    Note(String),
    /// The rules' picture of the current state.
    Picture(String),
    /// The outcome of the conflict: the result with the utilities, and what else the rules gave of it.
    End { result: String, rest: String },
    /// Another person is to look: the terminal is cleared.
    Clear,
    /// An error in the line.
    Error(Error),
}

/// The reply to a line.
#[derive(Debug, Default)]
pub struct Reply {
    /// The parts of the reply, in order.
    pub said: Vec<Said>,
    /// The line is the beginning of a statement; more lines are needed.
    pub more: bool,
    /// The session must end.
    pub ends: bool,
    /// It is printed whole, however tall it is: a picture is to be seen beside the question.
    pub(crate) unpaged: bool,
    /// The location in a file to be edited; afterwards
    /// [`Session::look_again`] must be called.
    pub edits: Option<Location>,
}

impl Said {
    /// The part as text without colours; `None` for an error, which the caller formats.
    pub fn text(&self) -> Option<String> {
        match self {
            Said::Data(text) | Said::Note(text) | Said::End { result: text, .. } => {
                Some(text.clone())
            }
            Said::Picture(picture) => Some(indented(picture, 2)),
            Said::Error(_) | Said::Clear => None,
        }
    }
}

impl Reply {
    /// The first error, if there is one.
    pub fn error(&self) -> Option<&Error> {
        self.said.iter().find_map(|said| match said {
            Said::Error(error) => Some(error),
            _ => None,
        })
    }
}

/// The lines of a session that were run, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    entries: Vec<JournalEntry>,
    /// The text to append to the line that is being run, so that it does the same when run again.
    behind: Option<String>,
}

/// A line, or several that belong together.
#[derive(Clone, Debug)]
struct JournalEntry {
    text: String,
    /// Whether the lab ran it: no command, and no answer.
    is_script: bool,
}

impl Journal {
    /// How the file of its lines begins.
    pub(super) const LINES: &str = "// The lines of a session";
    /// How the file of its statements begins.
    pub(super) const SCRIPT: &str = "//! The statements of a session";

    /// Sets the text that fixes what the line that is being run leaves to chance: a seed.
    pub(super) fn fix(&mut self, behind: String) {
        self.behind = Some(behind);
    }

    pub(super) fn keep(&mut self, text: &str, is_script: bool) {
        let behind = self.behind.take();
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let text = format!("{text}{}", behind.unwrap_or_default());
        self.entries.push(JournalEntry { text, is_script });
    }

    /// Forgets the seed of a line that failed.
    pub(super) fn drop_line(&mut self) {
        self.behind = None;
    }

    /// All lines, to be read from stdin.
    pub(super) fn as_lines(&self) -> String {
        let about = format!("{}: `fracas < FILE` runs them again.\n", Journal::LINES);
        let lines = self.entries.iter().map(|entry| format!("{}\n", entry.text));
        std::iter::once(about).chain(lines).collect()
    }

    /// The statements alone; commands and answers are comments.
    pub(super) fn as_script(&self) -> String {
        let about = format!("{}. Commands and answers are comments.\n\n", Journal::SCRIPT);
        let lines = self.entries.iter().map(|entry| match entry.is_script {
            true => {
                let text = entry.text.trim_end();
                // Beside others a statement needs its end.
                let ended = text.ends_with([';', '}']);
                format!("{text}{}\n", if ended { "" } else { ";" })
            }
            false => entry.text.lines().map(|line| format!("// {line}\n")).collect(),
        });
        std::iter::once(about).chain(lines).collect()
    }
}
