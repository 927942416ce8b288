//! Reads what a line means that is no command: an answer to the open question, or a command without its mark.

use super::{Session, commands};
use crate::conflict::Places;
use crate::error::Error;

impl Session {
    /// The answer that a line gives, if a person is asked: an option, its place in the list, or a
    /// beginning that no other option has. A lone word or number that is none of these, and that
    /// the lab does not know either, is a mistyped answer.
    pub(super) fn answer_in(&self, line: &str) -> Option<Result<usize, Error>> {
        let line = line.trim();
        let play =
            self.play.as_ref().filter(|_| self.pending.is_empty() || self.pending == line)?;
        play.asked()?;
        if line.is_empty() || line.starts_with(commands::MARK) {
            return None;
        }
        match play.read_option(line) {
            Ok(index) => Some(Ok(index)),
            Err(mut error) => {
                // Whoever is asked knows the question; where the rules ask it is no matter here. A
                // number is no misspelt other number.
                if let Error::Answer { asked, nearest, .. } = &mut error {
                    asked.at = None;
                    let numbers = Places::of(&asked.options) == Places::None;
                    *nearest = nearest.take().filter(|_| !numbers);
                }
                let mut word = line.strip_prefix('#').unwrap_or(line).chars();
                let is_word = word.all(|letter| letter.is_alphanumeric() || letter == '_');
                (is_word && !self.lab.has_variable(line)).then_some(Err(error))
            }
        }
    }

    /// The error for a line that would be a command if it began with the mark.
    pub(super) fn command_meant(&self, line: &str) -> Option<Error> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let command = match word {
            "exit" => "quit",
            "?" => "help",
            word => commands::all().map(clap::Command::get_name).find(|name| *name == word)?,
        };
        // Two words beside each other are never Rhai.
        let is_script = self.lab.has_variable(word)
            || !rest.trim_start().chars().next().is_none_or(char::is_alphanumeric);
        let meant = format!("{}{command}", commands::MARK);
        let name = word.to_owned();
        (!is_script).then_some(Error::Unknown {
            what: "name",
            name,
            nearest: Some(meant),
            known: Vec::new(),
            at: None,
        })
    }
}
