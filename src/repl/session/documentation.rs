//! Prints documentation or source for a name with one or two question marks behind it.

use crate::error::Error;
use crate::handbook;
use crate::lab;
use crate::repl::commands::{self, MARK};
use crate::repl::{Reply, Session};
use crate::script::definitions;

/// The part of a name's documentation that a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::repl) enum WantedTopic {
    Text,
    Source,
}

/// The name that a line asks about: `name?`, `name??`, `?name`, `system.name?`, `:command?`.
pub(in crate::repl) fn asked(line: &str) -> Option<(&str, WantedTopic)> {
    let line = line.trim();
    let (name, wanted) = if let Some(name) = line.strip_suffix("??") {
        (name, WantedTopic::Source)
    } else if let Some(name) = line.strip_suffix('?') {
        (name, WantedTopic::Text)
    } else {
        (line.strip_prefix('?')?.trim_start(), WantedTopic::Text)
    };
    let name = name.trim_end_matches("()");
    let plain = name.strip_prefix(MARK).unwrap_or(name);
    let is_name = !plain.is_empty()
        && plain.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && plain.chars().all(|letter| letter.is_alphanumeric() || "_.".contains(letter));
    is_name.then_some((name, wanted))
}

impl Session {
    /// Explains a name, and returns the reply.
    pub fn explain(&mut self, name: &str) -> Reply {
        self.explain_name(name).unwrap_or_else(|error| self.fail(error));
        self.take_reply()
    }

    /// Explains a name: a command with its mark; a clause, an option, the open question; a function, a
    /// family, a system. An empty name means the current place: the question, the result, else the help.
    pub(super) fn explain_name(&mut self, name: &str) -> Result<(), Error> {
        if let Some(command) = name.strip_prefix(MARK) {
            return commands::run(self, &format!("help {command}"));
        }
        if self.screen.is_awaiting() {
            self.note("press Enter first: the explanation may be for the next player alone");
            return Ok(());
        }
        if commands::explain(self, name)? {
            return Ok(());
        }
        match name {
            "" => commands::run(self, "help"),
            name => commands::run(self, &format!("doc {name}")),
        }
    }

    /// Shows the source of a function that a line or the open rules define. Any other name is
    /// explained instead.
    pub(crate) fn show_source(&mut self, name: &str) -> Result<(), Error> {
        let defined = self.lab.defining().find_map(|(file, first, text)| {
            let all = definitions(file, text, 0).into_iter();
            let found = all.rev().find(|one| one.name == name && !one.constant)?;
            Some(format!("// {file}:{}\n{}", first + found.at.line - 1, found.text))
        });
        if let Some(text) = defined {
            self.data(text);
            return Ok(());
        }
        let open = self.play.as_ref();
        let of_rules = open.is_some_and(|play| {
            play.conflict.rules.functions().any(|function| function.name == name)
        });
        if of_rules {
            return commands::run(self, &format!("rules {name}"));
        }
        self.explain_name(name)?;
        if !name.starts_with(MARK) {
            let mut host = lab::known();
            host.retain(|one| one.family != handbook::CONTRACT_FAMILY);
            host.extend(self.lab.language());
            self.note(match host.iter().any(|one| one.name == name) {
                true => "it is written in Rust, not in a script",
                false => {
                    "rules define it: once a scenario is open (`:open`), its text is shown here"
                }
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_mark_behind_one_name_asks_about_it() {
        for (line, expected) in [
            ("trim?", Some(("trim", WantedTopic::Text))),
            ("trim??", Some(("trim", WantedTopic::Source))),
            (" ?trim ", Some(("trim", WantedTopic::Text))),
            ("trim()?", Some(("trim", WantedTopic::Text))),
            ("a.b?", Some(("a.b", WantedTopic::Text))),
            (":open?", Some((":open", WantedTopic::Text))),
            ("x ??", None),
            ("?", None),
            ("3?", None),
            ("f(1)?", None),
            ("a?.b", None),
        ] {
            assert_eq!(asked(line), expected, "{line}");
        }
    }
}
