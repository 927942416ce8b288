//! Answers what the editor asks while a line is typed, out of the guide; keeps the lines that were typed.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::{FileHistory, SearchDirection};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper, Result as Typed};

use super::Terminal;
use super::keys::{Closing, Drawn, Keys};
use crate::commands::history_file;
use crate::error::{Error, Reason};
use crate::repl::Session;
use crate::repl::guide::{self, Guide, TypingSpace};

impl rustyline::hint::Hint for guide::Hint {
    fn display(&self) -> &str {
        &self.shown
    }

    fn completion(&self) -> Option<&str> {
        self.completes.as_deref()
    }
}

pub(super) struct Asks {
    session: Rc<RefCell<Session>>,
    guide: Guide,
    keys: Arc<Keys>,
    terminal: Terminal,
    prompt: usize,
    /// What Tab found for a line that has several continuations, to be shown below it.
    listed: RefCell<Option<ListedOption>>,
    /// Whether the line is drawn for the last time, without what helps to type it.
    last: Cell<bool>,
}

struct ListedOption {
    line: String,
    cursor: usize,
    candidates: Vec<guide::Suggestion>,
}

impl Asks {
    /// Asks this session; keys learn what is not finished.
    pub(super) fn new(session: Rc<RefCell<Session>>, keys: Arc<Keys>, terminal: Terminal) -> Asks {
        Asks {
            session,
            guide: Guide::default(),
            keys,
            terminal,
            prompt: 0,
            listed: RefCell::new(None),
            last: Cell::new(false),
        }
    }

    pub(super) fn begin(&mut self, prompt: &str) {
        self.prompt = prompt.chars().count();
        self.listed.replace(None);
    }

    pub(super) fn word(&self, line: &str, cursor: usize) -> Option<String> {
        self.guide.word(&*self.session.try_borrow().ok()?, line, cursor)
    }

    /// Notes how the line is on the screen, with the text after it.
    fn drawn(&self, line: &str, cursor: usize, behind: &str) {
        let columns = (self.terminal.size)().0.max(1);
        let text = format!("{}{line}{behind}", " ".repeat(self.prompt));
        let rows = text.split('\n').map(|line| line.chars().count() / columns + 1).sum();
        let (before, after) = line.split_at_checked(cursor).unwrap_or((line, ""));
        self.keys.drawn(Drawn { parts: (before.to_owned(), after.to_owned()), rows });
    }

    fn place(&self, line: &str) -> TypingSpace {
        let (columns, rows) = (self.terminal.size)();
        let columns = columns.max(1);
        let first = if line.contains('\n') { 0 } else { self.prompt };
        let last = line.rsplit('\n').next().unwrap_or_default();
        let room = columns - (first + last.chars().count()) % columns;
        TypingSpace { columns, rows, room, coloured: self.terminal.coloured }
    }

    /// What Tab found, as long as the line has not changed.
    fn menu(&self, line: &str, cursor: usize) -> Option<guide::Hint> {
        let listed = self.listed.borrow();
        let listed = listed.as_ref().filter(|one| one.line == line && one.cursor == cursor)?;
        let shown = guide::menu(&listed.candidates, self.place(line));
        Some(guide::Hint { shown, completes: None })
    }
}

impl Completer for Asks {
    type Candidate = String;

    fn complete(&self, line: &str, cursor: usize, _: &Context<'_>) -> Typed<(usize, Vec<String>)> {
        if let Some(Closing { spaces, text }) = self.keys.closing() {
            return Ok((cursor.saturating_sub(spaces), vec![text]));
        }
        let Ok(session) = self.session.try_borrow() else { return Ok((cursor, Vec::new())) };
        let found = self.guide.complete(&session, line, cursor);
        let Some(typed) = line.get(found.start..cursor) else { return Ok((cursor, Vec::new())) };
        if found.candidates.is_empty() {
            return Ok((cursor, Vec::new()));
        }
        // The editor's own list scrolls the line away and wraps: what there is to choose from
        // is shown below the line until it changes, and the editor sees one candidate.
        let text = found.common(typed);
        let line = format!("{}{text}{}", &line[..found.start], &line[cursor..]);
        let cursor = found.start + text.len();
        let several = found.candidates.len() > 1;
        let candidates = found.candidates;
        self.listed.replace(several.then_some(ListedOption { line, cursor, candidates }));
        Ok((found.start, vec![text]))
    }
}

impl Hinter for Asks {
    type Hint = guide::Hint;

    fn hint(&self, line: &str, cursor: usize, context: &Context<'_>) -> Option<guide::Hint> {
        let hint = self.hinted(line, cursor, context);
        self.drawn(line, cursor, hint.as_ref().map_or("", |hint| hint.shown.as_str()));
        hint
    }
}

impl Asks {
    fn hinted(&self, line: &str, cursor: usize, context: &Context<'_>) -> Option<guide::Hint> {
        let session = self.session.try_borrow().ok()?;
        self.keys.typed(line, session.is_unfinished(line));
        if self.keys.searches() {
            return None;
        }
        if let Some(menu) = self.menu(line, cursor) {
            return Some(menu);
        }
        let history = |begins: &str| {
            let last = context.history().len().checked_sub(1)?;
            let found = context.history().starts_with(begins, last, SearchDirection::Reverse);
            found.ok().flatten().map(|found| found.entry.into_owned())
        };
        self.guide.hint(&session, line, cursor, self.place(line), &history)
    }
}

impl Highlighter for Asks {
    fn highlight<'l>(&self, line: &'l str, cursor: usize) -> Cow<'l, str> {
        let Ok(session) = self.session.try_borrow() else { return Cow::Borrowed(line) };
        let cursor = (!self.last.get()).then_some(cursor);
        Cow::Owned(self.guide.paint(&session, line, cursor))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        let dim = anstyle::Style::new().dimmed();
        Cow::Owned(format!("{dim}{hint}{dim:#}"))
    }

    fn highlight_char(&self, line: &str, cursor: usize, kind: CmdKind) -> bool {
        self.last.set(kind == CmdKind::ForcedRefresh);
        if kind == CmdKind::MoveCursor {
            self.drawn(line, cursor, "");
        }
        match kind {
            // A bracket and its partner may be highlighted, or no longer.
            CmdKind::MoveCursor => guide::is_beside_bracket(line, cursor),
            CmdKind::Other | CmdKind::ForcedRefresh => !line.is_empty(),
        }
    }
}

impl Validator for Asks {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> Typed<ValidationResult> {
        let unfinished =
            self.session.try_borrow().is_ok_and(|session| session.is_unfinished(typed.input()));
        Ok(if unfinished { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Helper for Asks {}

pub(super) const ENTRIES: usize = 10_000;

pub(super) struct Memory {
    /// Its path; `None` if the platform has no such folder, a pipe or a device is there, or writing failed.
    path: Option<PathBuf>,
    /// The error of reading the old file, until it is reported.
    wrong: Option<Error>,
}

impl Memory {
    pub(super) fn load(editor: &mut rustyline::Editor<Asks, FileHistory>) -> Memory {
        // Whoever opens a pipe waits for ever; a device keeps nothing.
        let keeps = |path: &PathBuf| {
            path.metadata().map_or(true, |found| found.is_file() || found.is_dir())
        };
        let path = history_file().filter(keeps);
        let old = path.as_ref().filter(|path| path.exists());
        let wrong = old.and_then(|path| {
            let reason = editor.load_history(path).err()?;
            Some(laid_aside(path, &reason_of(reason)))
        });
        Memory { path, wrong }
    }

    /// Keeps a line. The error of a file that fails is reported once.
    ///
    /// # Errors
    /// [`Error::File`], the first time; or, once, that the old history could not be read.
    pub(super) fn keep(
        &mut self,
        editor: &mut rustyline::Editor<Asks, FileHistory>,
        line: &str,
    ) -> Result<(), Error> {
        let kept = editor.add_history_entry(line);
        let Some(path) = self.path.clone().filter(|_| matches!(kept, Ok(true))) else {
            return Ok(());
        };
        append(editor, &path).map_err(|reason| {
            self.path = None;
            Error::file("write the history to", &path, reason)
        })?;
        self.wrong.take().map_or(Ok(()), Err)
    }
}

/// Renames a history that cannot be read to make room for a new one; the error says what was done.
fn laid_aside(path: &Path, reason: &Reason) -> Error {
    let aside = path.with_extension("unreadable");
    let done = match std::fs::rename(path, &aside) {
        Ok(()) => format!("it is kept as `{}`, and a new one begins", aside.display()),
        Err(_) => "it stays where it is".to_owned(),
    };
    Error::file("read the history in", path, format!("{reason}; {done}"))
}

fn append(editor: &mut rustyline::Editor<Asks, FileHistory>, path: &Path) -> Result<(), Reason> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Reason::from)?;
    }
    editor.append_history(path).map_err(reason_of)
}

/// The reason of an error of the editor.
pub(super) fn reason_of(error: ReadlineError) -> Reason {
    match error {
        ReadlineError::Io(error) => error.into(),
        other => other.to_string().into(),
    }
}
