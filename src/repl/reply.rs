//! What does the session say to a line? What was asked for, what else is worth a word, a mistake.

use crate::error::Error;

/// One thing said.
#[derive(Debug)]
pub enum Said {
    /// What the line asked for.
    Data(String),
    /// What else people want to know: what happened, who is asked next.
    Note(String),
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
