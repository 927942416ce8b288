//! Replies: what a line at the prompt prints, and what of the open conflict is reported after it.

use crate::error::{Error, Location};
use crate::report;

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
    /// [`Session::look_again`](super::Session::look_again) must be called.
    pub edits: Option<Location>,
}

impl Said {
    /// The part as text without colours; `None` for an error, which the caller formats.
    pub fn text(&self) -> Option<String> {
        match self {
            Said::Data(text) | Said::Note(text) | Said::End { result: text, .. } => {
                Some(text.clone())
            }
            Said::Picture(picture) => Some(report::indented(picture, 2)),
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
