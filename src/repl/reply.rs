//! What does the session say to a line? What was asked for, what else is worth a word, a mistake.

use super::Picture;
use crate::error::{Error, Location};

/// One thing said.
#[derive(Debug)]
pub enum Said {
    /// What the line asked for.
    Data(String),
    /// What else people want to know: what happened, who is asked next.
    Note(String),
    /// The rules' picture of where the conflict stands, with what has changed.
    Picture(Picture),
    /// How the conflict ended.
    End(String),
    /// What is wrong with the line.
    Error(Error),
}

/// All that is said to a line, in order.
#[derive(Debug, Default)]
pub struct Reply {
    /// What is said.
    pub said: Vec<Said>,
    /// The line is the beginning of something; more lines are wanted.
    pub more: bool,
    /// The session is to end.
    pub ends: bool,
    /// A file is to be edited here; [`Session::look_again`](super::Session::look_again) then hears
    /// what became of it.
    pub edits: Option<Location>,
}

impl Said {
    /// What is said as text without colours; nothing for a mistake, which is drawn by whoever shows it.
    pub fn text(&self) -> Option<String> {
        match self {
            Said::Data(text) | Said::Note(text) | Said::End(text) => Some(text.clone()),
            Said::Picture(picture) => Some(picture.marked()),
            Said::Error(_) => None,
        }
    }
}

impl Reply {
    /// Says what was asked for.
    pub fn data(&mut self, text: impl Into<String>) {
        self.said.push(Said::Data(text.into()));
    }

    /// Says what else is worth a word.
    pub fn note(&mut self, text: impl Into<String>) {
        self.said.push(Said::Note(text.into()));
    }

    /// What is wrong, if anything is.
    pub fn error(&self) -> Option<&Error> {
        self.said.iter().find_map(|said| match said {
            Said::Error(error) => Some(error),
            _ => None,
        })
    }
}
