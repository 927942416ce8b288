//! Stores the history of typed lines in a file of the state folder, written at each entry.

use std::path::{Path, PathBuf};

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;

use super::callbacks::Asks;
use crate::error::{Error, Reason};
use crate::repl::config_paths::history_file;

pub(super) const ENTRIES: usize = 10_000;

pub(super) struct Memory {
    /// Its path; `None` if the platform has no such folder, or writing failed.
    path: Option<PathBuf>,
    /// The error of reading the old file, until it is reported.
    wrong: Option<Error>,
}

impl Memory {
    /// Reads the history of earlier sessions into an editor.
    pub(super) fn load(editor: &mut rustyline::Editor<Asks, FileHistory>) -> Memory {
        let path = history_file();
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
