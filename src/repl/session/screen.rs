//! The screen that several people may look at one after another.

use crate::report::tame_message;

/// Who sits before the screen.
#[derive(Debug, Default)]
pub struct Screen {
    /// Whether several people look at it one after another: it is a terminal.
    pub is_shared: bool,
    /// The players of the person who looked last.
    pub(super) viewer: Option<Vec<String>>,
    /// The player who is to sit down before anything is shown.
    pub(super) awaited: Option<String>,
}

impl Screen {
    /// Another conflict is open: nobody has seen anything of it.
    pub(in crate::repl) fn is_new(&mut self) {
        (self.viewer, self.awaited) = (None, None);
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
