//! What can be told to a line while it is typed? How it may go on, what it calls, its colours. No
//! terminal is needed, and nothing is changed.

mod brackets;
mod code;
mod command;
mod complete;
mod file;
mod hint;
mod known;
mod menu;
mod offers;
mod paint;
mod words;

use std::cell::OnceCell;

pub use brackets::{STEP, indentation};
pub use complete::{Candidate, Completion};
pub use hint::Hint;

use super::Session;
use known::Known;

/// Where a line is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The columns of the window.
    pub columns: usize,
    /// Its rows.
    pub rows: usize,
    /// The columns that are left behind the end of the line.
    pub room: usize,
    /// Whether colours tell a hint from what was typed.
    pub coloured: bool,
}

/// Guides those who type. It keeps what a session never changes: the functions of the language.
#[derive(Default)]
pub struct Guide {
    known: OnceCell<Known>,
}

impl Guide {
    /// What the word before the cursor may become.
    pub fn complete(&self, session: &Session, line: &str, cursor: usize) -> Completion {
        complete::complete(session, self.known(session), line, cursor)
    }

    /// What stands behind the line, if anything is worth it; `history` finds the newest line that
    /// begins with another.
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

    /// The line in colours; with a cursor, the bracket beside it and its partner stand out.
    pub fn paint(&self, session: &Session, line: &str, cursor: Option<usize>) -> String {
        paint::paint(session, self.known(session), line, cursor)
    }

    /// The word at the cursor that can be explained: a command, a name, else what is called there.
    pub fn word(&self, line: &str, cursor: usize) -> Option<String> {
        words::at(line, cursor)
    }

    fn known(&self, session: &Session) -> &Known {
        self.known.get_or_init(|| Known::of(session))
    }
}

/// Candidates below the line, as many rows of them as there is room for.
pub fn menu(candidates: &[Candidate], place: Place) -> String {
    menu::menu(candidates, place)
}

/// Whether a bracket stands at the cursor or before it.
pub fn is_beside_bracket(line: &str, cursor: usize) -> bool {
    let is = |at: usize| line.as_bytes().get(at).is_some_and(|byte| b"()[]{}".contains(byte));
    is(cursor) || cursor.checked_sub(1).is_some_and(is)
}
