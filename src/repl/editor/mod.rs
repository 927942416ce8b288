//! Reads lines that are typed at a terminal. The only place that knows the line editor.

mod callbacks;
mod keys;

use std::cell::RefCell;
use std::io::ErrorKind;
use std::rc::Rc;
use std::sync::Arc;

use rustyline::config::{BellStyle, ColorMode, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;

use super::Session;
use super::guide::STEP;
use crate::error::Error;
use callbacks::{Asks, Memory};
use keys::{Keys, Leave};

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub enum Read {
    /// A line, or several that belong together.
    Line(String),
    /// F1: a word is to be explained; the typed text is there again at the next reading.
    Explain(String),
    /// Ctrl-C: the typed text is gone.
    Cleared(String),
    /// The line was ended from aside, on a screen where it took this many rows; what was typed is
    /// there again at the next reading.
    Woken(usize),
    /// Ctrl-D: no more lines come.
    End,
}

/// How a terminal is used.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether it shows colours.
    pub coloured: bool,
    /// Its columns and rows, asked anew whenever they matter: windows change.
    pub size: fn() -> (usize, usize),
}

/// Signals news to the person who types a line.
pub(crate) type Herald = Box<dyn FnMut(&str) + Send>;

pub(crate) struct Editor {
    inner: rustyline::Editor<Asks, FileHistory>,
    memory: Memory,
    keys: Arc<Keys>,
    terminal: Terminal,
    /// The text of the line at the next reading, before and after the cursor.
    typed: Option<(String, String)>,
}

impl Editor {
    pub(crate) fn new(session: Rc<RefCell<Session>>, terminal: Terminal) -> Result<Editor, Error> {
        let colours = if terminal.coloured { ColorMode::Forced } else { ColorMode::Disabled };
        let config = Config::builder()
            .max_history_size(callbacks::ENTRIES)
            .and_then(|config| config.history_ignore_dups(true))
            .map(|config| config.history_ignore_space(true).bell_style(BellStyle::None))
            .map(|config| config.completion_type(CompletionType::List))
            .map(|config| config.indent_size(STEP).color_mode(colours).build());
        let editor = config.and_then(rustyline::Editor::with_config);
        let mut inner = editor
            .map_err(|error| Error::file("use", "the terminal", callbacks::reason_of(error)))?;
        let keys = Arc::<Keys>::default();
        keys::bind(&mut inner, &keys);
        inner.set_helper(Some(Asks::new(session, keys.clone(), terminal)));
        let memory = Memory::load(&mut inner);
        Ok(Editor { inner, memory, keys, terminal, typed: None })
    }

    /// Reads a line, or several that belong together.
    pub(crate) fn read(&mut self, prompt: &str) -> Result<Read, Error> {
        let bold = anstyle::Style::new().bold();
        let styled = format!("{bold}{prompt}{bold:#}");
        let shown = if self.terminal.coloured { styled.as_str() } else { prompt };
        self.keys.begin();
        if let Some(asks) = self.inner.helper_mut() {
            asks.begin(prompt);
        }
        let (before, behind) = self.typed.take().unwrap_or_default();
        let read = loop {
            let initial = (before.as_str(), behind.as_str());
            match self.inner.readline_with_initial(&(prompt, shown), initial) {
                // A byte that is no letter of UTF-8 takes away what was typed, and nothing else.
                Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {}
                read => break read,
            }
        };
        match (read, self.keys.left()) {
            (Ok(line), Some(Leave::Cleared)) => Ok(Read::Cleared(line)),
            (Err(ReadlineError::Interrupted), _) => Ok(match self.keys.woken() {
                Some(drawn) => {
                    self.typed = Some(drawn.parts);
                    Read::Woken(drawn.rows)
                }
                None => Read::Cleared(String::new()),
            }),
            (Ok(line), Some(Leave::Explain(cursor))) => Ok(self.explain(line, cursor)),
            (Ok(line), None) => Ok(Read::Line(line)),
            (Err(ReadlineError::Eof), _) => Ok(Read::End),
            (Err(error), _) => {
                Err(Error::file("read", "the terminal", callbacks::reason_of(error)))
            }
        }
    }

    /// A signal of news, from any thread, for the person who types a line: it ends the line where the
    /// platform can do that, else it writes a text above it. Nothing where the terminal cannot.
    pub(crate) fn herald(&mut self) -> Option<Herald> {
        // With it the editor waits for more than keys, for signals too.
        let mut printer = self.inner.create_external_printer().ok()?;
        let keys = self.keys.clone();
        Some(Box::new(move |text| {
            if !cfg!(unix) {
                // A terminal that is gone hears of nothing.
                _ = rustyline::ExternalPrinter::print(&mut printer, format!("{text}\n"));
            }
            keys.wake();
        }))
    }

    /// Lets the next line begin with a letter that was typed elsewhere.
    pub(crate) fn begin_with(&mut self, typed: Option<char>) {
        if let Some(letter) = typed {
            self.typed = Some((letter.to_string(), String::new()));
        }
    }

    /// Keeps a line in the history and in its file. A failing file is reported once.
    ///
    /// # Errors
    /// [`Error::File`], the first time.
    pub(crate) fn remember(&mut self, line: &str) -> Result<(), Error> {
        self.memory.keep(&mut self.inner, line)
    }

    fn explain(&mut self, line: String, cursor: usize) -> Read {
        let word = self.inner.helper().and_then(|asks| asks.word(&line, cursor));
        let (before, behind) = line.split_at_checked(cursor).unwrap_or((&line, ""));
        self.typed = Some((before.to_owned(), behind.to_owned()));
        Read::Explain(word.unwrap_or_default())
    }
}
