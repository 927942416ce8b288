//! Completion, hints and colours for a line while it is typed. No terminal is needed, and nothing
//! is changed.

mod brackets;
mod code;
mod command;
mod complete;
mod completes;
mod file;
mod hint;
mod known;
mod menu;
mod offers;
mod paint;
mod words;

use std::cell::OnceCell;

pub(crate) use brackets::{STEP, dedentation, indentation};
pub use complete::{Candidate, Completion};
pub use hint::Hint;

use super::Session;
use known::Known;

/// The space of the terminal in which a line is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The columns of the window.
    pub columns: usize,
    /// Its rows.
    pub rows: usize,
    /// The columns that are free after the end of the line.
    pub room: usize,
    /// Whether colours distinguish a hint from the typed text.
    pub coloured: bool,
}

/// Completes, hints and colours. It caches the functions of the language, which never change.
#[derive(Default)]
pub struct Guide {
    known: OnceCell<Known>,
}

impl Guide {
    /// The completions of the word before the cursor.
    pub fn complete(&self, session: &Session, line: &str, cursor: usize) -> Completion {
        complete::complete(session, self.known(session), line, cursor)
    }

    /// The hint after the line, if there is one; `history` finds the newest earlier line that
    /// begins with the given text.
    pub fn hint(
        &self,
        session: &Session,
        line: &str,
        cursor: usize,
        place: Place,
        history: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Hint> {
        hint::hint(session, self.known(session), (line, cursor), place, history)
    }

    /// The line in colours; with a cursor, the bracket beside it and its partner are highlighted.
    pub fn paint(&self, session: &Session, line: &str, cursor: Option<usize>) -> String {
        paint::paint(session, self.known(session), line, cursor)
    }

    /// The word at the cursor that can be explained: the line, where it is an answer; a command, a name,
    /// else the function called.
    pub fn word(&self, session: &Session, line: &str, cursor: usize) -> Option<String> {
        match session.answer_in(line) {
            Some(Ok(_)) => Some(line.trim().to_owned()),
            _ => words::at(line, cursor),
        }
    }

    fn known(&self, session: &Session) -> &Known {
        self.known.get_or_init(|| Known::of(session))
    }
}

/// Candidates below the line, as many rows of them as there is room for.
pub fn menu(candidates: &[Candidate], place: Place) -> String {
    menu::menu(candidates, place)
}

/// Whether there is a bracket at the cursor or just before it.
pub fn is_beside_bracket(line: &str, cursor: usize) -> bool {
    let is = |at: usize| line.as_bytes().get(at).is_some_and(|byte| b"()[]{}".contains(byte));
    is(cursor) || cursor.checked_sub(1).is_some_and(is)
}
