//! What a typed line means: an answer to the open question, or a command without its mark.

use super::{Session, commands};
use crate::error::{Error, ScriptError, ScriptFault, nearest};
use crate::game::{Value, option_name};
use crate::lab::CONFLICT;
use crate::script::{KEYWORDS, TokenKind, tokens};

/// The commands that run without their mark as well: what people type who do not know it.
const WITHOUT_MARK: [&str; 4] = ["exit", "help", "quit", "undo"];

impl Session {
    /// Whether a line is a command whose mark may be left out: no answer, nothing of the person's own.
    pub(super) fn is_bare_command(&self, line: &str) -> bool {
        let word = line.split(' ').next().unwrap_or_default();
        WITHOUT_MARK.contains(&word)
            && !self.is_script(line)
            && !matches!(self.answer_in(line), Some(Ok(_)))
    }

    /// Whether a line is Rhai, although it begins with the name of a command.
    fn is_script(&self, line: &str) -> bool {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        // Two words beside each other are never Rhai.
        self.lab.has_variable(word)
            || !rest.trim_start().chars().next().is_none_or(char::is_alphanumeric)
    }

    /// The answer that a line gives, if a person is asked: an option, its place in the list, or a
    /// beginning that no other option has. A line that is none of these, but looks like an answer, and that
    /// the lab does not know either, is a mistyped answer.
    pub(super) fn answer_in(&self, line: &str) -> Option<Result<usize, Error>> {
        let line = line.trim();
        let play =
            self.play.as_ref().filter(|_| self.pending.is_empty() || self.pending == line)?;
        play.asked().filter(|_| !self.screen.is_awaiting())?;
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
                    *nearest = nearest.take().filter(|near| shape(near) != shape(line));
                }
                let options = &play.asked()?.options;
                let is_answer = is_word(line.strip_prefix('#').unwrap_or(line))
                    || are_words(line)
                    || are_numbers(line)
                    || is_shaped_like(line, options);
                let first = line.split(|letter| !is_part(letter)).next().unwrap_or_default();
                let is_variable = first == CONFLICT || self.lab.has_variable(first);
                (is_answer && !is_variable).then_some(Err(error))
            }
        }
    }

    /// Whether a line that the lab does not know may be an answer, but the conflict is over.
    pub(super) fn answers_too_late(&self, line: &str, error: &Error) -> bool {
        let unread = |error: &ScriptError| {
            matches!(error.fault, ScriptFault::UnknownVariable { .. } | ScriptFault::Syntax(_))
        };
        self.play.as_ref().is_some_and(|play| play.outcome().is_some())
            && (is_word(line) || are_words(line))
            && matches!(error, Error::Script(error) if unread(error))
    }

    /// Names the command that is nearest to a word that is no answer and that no script knows, where it begins the
    /// line: `:help` for `hlep`.
    pub(super) fn with_nearest_command(line: &str, mut error: Error) -> Error {
        let first = line.split(|letter| !is_part(letter)).next().unwrap_or_default();
        let place = match &mut error {
            Error::Answer { answer, nearest, .. } => Some((&*answer, nearest)),
            Error::Script(error) => match (&error.fault, &mut error.nearest) {
                (ScriptFault::UnknownVariable { name, .. }, nearest) if name == first => {
                    Some((name, nearest))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some((word, none @ None)) = place {
            let command = nearest(word, commands::all().map(clap::Command::get_name));
            *none = command.map(|name| format!("{}{name}", commands::MARK));
        }
        error
    }

    /// The error for a line that would be a command if it began with the mark, as one does that is typed as in a shell.
    pub(super) fn command_meant(&self, line: &str) -> Option<Error> {
        let line = line.strip_prefix("fracas ").map_or(line, str::trim_start);
        let word = line.split(' ').next().unwrap_or_default();
        let command = commands::all().map(clap::Command::get_name).find(|name| *name == word)?;
        let meant = format!("{}{command}", commands::MARK);
        let name = word.to_owned();
        (!self.is_script(line)).then_some(Error::Unknown {
            what: "name",
            name,
            nearest: Some(meant),
            known: Vec::new(),
            at: None,
        })
    }
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_word(text: &str) -> bool {
    text.chars().all(is_part)
}

/// Whether a line is names and numbers beside each other, which is never Rhai unless it begins with a keyword.
fn are_words(line: &str) -> bool {
    let keyword = line.split_whitespace().next().is_some_and(|word| KEYWORDS.contains(&word));
    !keyword && line.split_whitespace().all(is_word)
}

/// Whether a line is numbers with commas between them, which is never Rhai.
fn are_numbers(line: &str) -> bool {
    line.contains(',') && line.split(',').all(|number| number.trim().parse::<i64>().is_ok())
}

/// Whether a line is an option but for its numbers.
fn is_shaped_like(line: &str, options: &[Value]) -> bool {
    let has_number = line.contains(|letter: char| letter.is_ascii_digit());
    let own = shape(line);
    has_number && options.iter().any(|option| shape(&option_name(option)) == own)
}

/// The words and signs of a text in small letters, with a mark for each number: `0, 4` and `4,-4` are alike.
fn shape(text: &str) -> Vec<String> {
    let mut shape: Vec<String> = Vec::new();
    for token in tokens(text).iter().filter(|token| token.kind != TokenKind::Space) {
        let own = &text[token.start..token.end];
        if token.kind != TokenKind::Number {
            shape.push(own.to_lowercase());
            continue;
        }
        // The sign of a number belongs to it.
        let is_behind_word =
            shape.iter().nth_back(1).is_some_and(|one| one == "#" || one.ends_with(is_part));
        shape.pop_if(|sign| sign == "-" && !is_behind_word);
        shape.push("#".to_owned());
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_differs_from_an_option_in_numbers_alone_is_shaped_like_it() {
        let cells = ["none", "0,1", "3,3"].map(Value::from);
        for line in ["4,4", "1,1", "-1,0", " 0, 0"] {
            assert!(is_shaped_like(line.trim(), &cells), "{line}");
        }
        for line in ["4", "4,4,4", "4+4", "max(4,4)", "4;4", "x,y"] {
            assert!(!is_shaped_like(line, &cells), "{line}");
        }
        assert!(is_shaped_like("To 9 by 0", &[Value::from("to 1 by 2")]));
    }

    #[test]
    fn names_and_numbers_beside_each_other_are_no_script() {
        assert!(are_words("tile 9") && are_words("to the north"));
        assert!(are_numbers("9,9") && are_numbers("1, -2,3"));
        assert!(!are_numbers("9") && !are_numbers("9,") && !are_numbers("[1,2]"));
        for line in ["let x", "return 3", "tile(9)", "tile = 9", "a; b"] {
            assert!(!are_words(line), "{line}");
        }
    }
}
