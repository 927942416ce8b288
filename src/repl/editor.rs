//! How are lines typed at a terminal? The only place that knows the line editor.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use etcetera::BaseStrategy;
use rustyline::completion::Completer;
use rustyline::config::{BellStyle, ColorMode, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Helper, Result as Typed};

use super::Session;
use crate::error::Error;

/// How many entries the history keeps.
const ENTRIES: usize = 10_000;

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub enum Read {
    /// A line, or several that belong together.
    Line(String),
    /// Ctrl-C: what stood there is gone.
    Cleared,
    /// Ctrl-D: no more lines come.
    End,
}

/// A line editor with the history of all sessions.
pub struct Editor {
    inner: rustyline::Editor<Asks, FileHistory>,
    /// Where the history is kept; `None` where there is no such place, or it failed.
    history: Option<PathBuf>,
    coloured: bool,
}

impl Editor {
    /// An editor that asks the session what is finished; `coloured` lets the prompt stand out.
    ///
    /// # Errors
    /// [`Error::File`] where the terminal cannot be used.
    pub fn new(session: Rc<RefCell<Session>>, coloured: bool) -> Result<Editor, Error> {
        let colours = if coloured { ColorMode::Forced } else { ColorMode::Disabled };
        let config = Config::builder()
            .max_history_size(ENTRIES)
            .and_then(|config| config.history_ignore_dups(true))
            .map(|config| config.history_ignore_space(true).bell_style(BellStyle::None))
            .map(|config| config.color_mode(colours).build());
        let editor = config.and_then(rustyline::Editor::with_config);
        let mut inner = editor.map_err(|error| Error::file("use", "the terminal", error))?;
        inner.set_helper(Some(Asks(session)));
        let history = history_file();
        if let Some(path) = history.as_ref().filter(|path| path.exists()) {
            // A history that does not read is told where it cannot be written either.
            let _ = inner.load_history(path);
        }
        Ok(Editor { inner, history, coloured })
    }

    /// Reads a line, or several that belong together.
    ///
    /// # Errors
    /// [`Error::File`] where the terminal cannot be read.
    pub fn read(&mut self, prompt: &str) -> Result<Read, Error> {
        let bold = anstyle::Style::new().bold();
        let styled = format!("{bold}{prompt}{bold:#}");
        let shown = if self.coloured { styled.as_str() } else { prompt };
        match self.inner.readline(&(prompt, shown)) {
            Ok(line) => Ok(Read::Line(line)),
            Err(ReadlineError::Interrupted) => Ok(Read::Cleared),
            Err(ReadlineError::Eof) => Ok(Read::End),
            Err(error) => Err(Error::file("read", "the terminal", error)),
        }
    }

    /// Keeps a line in the history and in its file. A file that fails is told once.
    ///
    /// # Errors
    /// [`Error::File`], the first time.
    pub fn remember(&mut self, line: &str) -> Result<(), Error> {
        let kept = self.inner.add_history_entry(line);
        let Some(path) = self.history.clone().filter(|_| matches!(kept, Ok(true))) else {
            return Ok(());
        };
        self.append(&path).map_err(|reason| {
            self.history = None;
            Error::file("write the history to", &path, reason)
        })
    }

    fn append(&mut self, path: &Path) -> Result<(), String> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        self.inner.append_history(path).map_err(|error| error.to_string())
    }
}

/// `fracas/history` in the folder where the platform keeps the state of programs.
fn history_file() -> Option<PathBuf> {
    let places = etcetera::choose_base_strategy().ok()?;
    let folder = places.state_dir().unwrap_or_else(|| places.data_dir());
    Some(folder.join("fracas").join("history"))
}

/// What the editor asks the session while a line is typed.
struct Asks(Rc<RefCell<Session>>);

impl Validator for Asks {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> Typed<ValidationResult> {
        let unfinished =
            self.0.try_borrow().is_ok_and(|session| session.is_unfinished(typed.input()));
        Ok(if unfinished { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Completer for Asks {
    type Candidate = String;
}

impl Hinter for Asks {
    type Hint = String;
}

impl Highlighter for Asks {}

impl Helper for Asks {}
