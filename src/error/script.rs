//! Errors of scripts: what is wrong, where (path, line and column), and which calls led there; and why long work was
//! stopped before its end.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::{Error, hint};

/// A mistake of a script.
#[derive(Debug)]
pub struct ScriptError {
    /// What went wrong.
    pub fault: ScriptFault,
    /// Where it went wrong.
    pub at: Option<Location>,
    /// The source line at that place, for the caret.
    pub line: Option<String>,
    /// How many characters the word at that place has.
    pub width: usize,
    /// The calls that led there, innermost first.
    pub trace: Vec<CallFrame>,
    /// The nearest name there is.
    pub nearest: Option<String>,
    /// What house rules define, where the fault came up in the rules below them.
    pub overridden: Vec<(String, Location)>,
}

/// The kinds of mistake a script can make.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptFault {
    /// It does not parse.
    Syntax(String),
    /// It failed while running.
    Failed(String),
    /// It refused something in its own words: `throw "…"`.
    Thrown(String),
    /// It passed a limit of the sandbox.
    Limit(Limit),
    /// It uses something that scripts may not use.
    Forbidden(String),
    /// A house rule overrides something that does not exist.
    DeadOverride(String),
    /// It calls a function that does not exist, or with the wrong arguments.
    UnknownFunction(UnknownFunction),
    /// It reads a field that does not exist.
    UnknownField(String),
    /// It reads a variable that does not exist.
    UnknownVariable {
        /// The name.
        name: String,
        /// Whether it was running by then; else it does not parse.
        running: bool,
    },
    /// A function returns something that its contract does not allow.
    Contract {
        /// The function.
        function: String,
        /// What is wrong.
        message: String,
    },
    /// A state breaks laws of the rules, each in their words.
    Laws(Vec<String>),
    /// A required function is missing, or takes other parameters.
    Undefined(String),
    /// A fault of the host itself, caught.
    Host(String),
    /// It was stopped from outside, which is not its mistake; an [`Error`] made from
    /// this is the reason for the stop.
    Cut(Cut),
}

impl ScriptFault {
    pub(crate) fn twice(function: &str, first: Option<Location>) -> ScriptFault {
        let first = first.map(|at| format!("; first at {at}")).unwrap_or_default();
        ScriptFault::Syntax(format!("function `{function}` is defined twice{first}"))
    }

    /// Whether it came up while a script ran, so that it may show what the script saw.
    pub(crate) fn is_of_a_run(&self) -> bool {
        !matches!(
            self,
            ScriptFault::Syntax(_)
                | ScriptFault::Forbidden(_)
                | ScriptFault::DeadOverride(_)
                | ScriptFault::Undefined(_)
                | ScriptFault::UnknownVariable { running: false, .. }
                | ScriptFault::Limit(
                    Limit::Source(_) | Limit::Sources(_) | Limit::Lines(_) | Limit::AddressSpace(_)
                )
                | ScriptFault::Cut(_)
        )
    }

    pub(crate) fn is_of_the_machine(&self) -> bool {
        matches!(self, ScriptFault::Limit(limit) if limit.is_of_the_machine())
    }
}

/// A call that fits no function.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownFunction {
    /// The name that is called.
    pub name: String,
    /// What is wrong with the call.
    pub message: String,
    /// The forms that there are, as they end the message; empty where there are none.
    pub(crate) forms: String,
}

/// The sandbox's limits, each with what it allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Operations in one step, or in one answer of an agent.
    Operations(u64),
    /// Operations in one playout.
    Playout(u64),
    /// Bytes alive at once.
    Memory(usize),
    /// Steps in a row in which nobody is asked.
    Steps(u64),
    /// Questions in one playout.
    Questions(u64),
    /// Functions that call each other, this many deep.
    Calls(usize),
    /// The size of one text, array or map.
    Size(SizeLimit),
    /// Lists and maps within each other, this many deep.
    Nesting(u32),
    /// Bytes of one file.
    Source(usize),
    /// Bytes of all files of one rules together.
    Sources(usize),
    /// Lines of all files of one rules together.
    Lines(usize),
    /// Bytes of addresses for a stack, which the process may not have.
    AddressSpace(usize),
    /// Seconds that the script itself ran: a safety net that never decides a result.
    Deadline(u64),
}

impl From<Limit> for Error {
    /// A limit that no line passed.
    #[cold]
    fn from(limit: Limit) -> Error {
        ScriptError::new(ScriptFault::Limit(limit)).into()
    }
}

impl Limit {
    /// Whether it depends on the machine, and on what else runs there. Such a limit ends work with an
    /// error; it never decides a game.
    pub(crate) fn is_of_the_machine(&self) -> bool {
        matches!(self, Limit::Memory(_) | Limit::Deadline(_) | Limit::AddressSpace(_))
    }
}

/// How large a text, array or map may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeLimit {
    /// `text`, `array` or `map`.
    pub what: &'static str,
    /// The most bytes of a text, or items with all that is in them.
    pub most: usize,
}

/// A function as it is printed: `` `step` ``, and `` `step` of `dawn`, `dusk` `` where it is `step of dawn, dusk`, that of
/// conflicts in a campaign. That of a campaign's own script is of `the campaign`.
pub(crate) fn in_code(function: &str) -> String {
    match function.split_once(" of ") {
        Some((function, "the campaign")) => format!("`{function}` of the campaign"),
        Some((function, conflicts)) => {
            let (named, more) = match conflicts.rfind(" and ") {
                Some(end) if conflicts.ends_with(" more") => conflicts.split_at(end),
                _ => (conflicts, ""),
            };
            format!("`{function}` of `{}`{more}", named.replace(", ", "`, `"))
        }
        None => format!("`{function}`"),
    }
}

/// A call on the way to a mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFrame {
    /// The function that was called.
    pub function: String,
    /// Where it was called from.
    pub at: Option<Location>,
}

impl ScriptError {
    /// A mistake without a place.
    pub fn new(fault: ScriptFault) -> ScriptError {
        ScriptError {
            fault,
            at: None,
            line: None,
            width: 1,
            trace: Vec::new(),
            nearest: None,
            overridden: Vec::new(),
        }
    }

    /// The script error in an error: its mistake, the reason for a stop, else the error's message.
    pub fn of(error: Error) -> ScriptError {
        match error {
            Error::Script(script) => *script,
            Error::Interrupted => ScriptError::new(ScriptFault::Cut(Cut::Interrupted)),
            Error::Bound(cut) => ScriptError::new(ScriptFault::Cut(cut)),
            other => ScriptError::new(ScriptFault::Failed(other.to_string())),
        }
    }

    /// The mistake in a word, for programs.
    pub fn kind(&self) -> &'static str {
        match &self.fault {
            ScriptFault::Syntax(_) | ScriptFault::UnknownVariable { running: false, .. } => {
                "syntax"
            }
            ScriptFault::Failed(_)
            | ScriptFault::Thrown(_)
            | ScriptFault::UnknownField(_)
            | ScriptFault::UnknownVariable { .. } => "script",
            ScriptFault::Limit(_) => "limit",
            ScriptFault::Forbidden(_) => "forbidden",
            ScriptFault::DeadOverride(_) => "dead_override",
            ScriptFault::UnknownFunction(_) => "unknown_function",
            ScriptFault::Contract { .. } | ScriptFault::Undefined(_) => "contract",
            ScriptFault::Laws(_) => "law",
            ScriptFault::Host(_) => "host",
            ScriptFault::Cut(_) => "stopped",
        }
    }
}

impl std::error::Error for ScriptError {}

impl fmt::Display for ScriptError {
    /// The message alone, on one line. The caller draws place, caret and trace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.fault, hint(&self.nearest))
    }
}

impl fmt::Display for ScriptFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScriptFault::Syntax(text)
            | ScriptFault::Failed(text)
            | ScriptFault::Thrown(text)
            | ScriptFault::Forbidden(text)
            | ScriptFault::DeadOverride(text)
            | ScriptFault::Undefined(text) => f.write_str(text),
            ScriptFault::UnknownFunction(UnknownFunction { message, forms, .. }) => {
                write!(f, "{message}{forms}")
            }
            ScriptFault::UnknownField(name) => write!(f, "there is no field `{name}`"),
            ScriptFault::UnknownVariable { name, .. } => write!(f, "there is no variable `{name}`"),
            ScriptFault::Contract { function, message } => {
                write!(f, "{}: {message}", in_code(function))
            }
            ScriptFault::Laws(broken) => write!(f, "a law is broken: {}", broken.join("; ")),
            ScriptFault::Limit(limit) => write!(f, "limit passed: {limit}"),
            ScriptFault::Host(text) => write!(f, "the host failed, which is our mistake: {text}"),
            ScriptFault::Cut(cut) => write!(f, "{cut}"),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Operations(n) => write!(f, "more than {n} operations"),
            Limit::Playout(n) => write!(f, "more than {n} operations in one playout"),
            Limit::Memory(n) => write!(f, "more than {} MiB alive at once", n >> 20),
            Limit::Steps(n) => write!(f, "more than {n} steps without an outcome"),
            Limit::Questions(n) => write!(f, "more than {n} questions"),
            Limit::Calls(n) => write!(f, "functions call each other more than {n} deep"),
            Limit::Size(SizeLimit { what, most }) => {
                let of = if *what == "text" { "bytes" } else { "items, nested ones counted" };
                write!(f, "the {what} grew too large: more than {most} {of}")
            }
            Limit::Nesting(n) => write!(f, "lists and maps within each other, more than {n} deep"),
            Limit::Source(n) => write!(f, "more than {} KiB of source", n >> 10),
            Limit::Sources(n) => write!(
                f,
                "more than {} KiB of source in all files together, those of imports and house rules too",
                n >> 10
            ),
            Limit::Lines(n) => write!(
                f,
                "more than {n} lines in all files together, those of imports and house rules too"
            ),
            Limit::AddressSpace(n) => write!(
                f,
                "each thread needs {} MiB of addresses for its stack, and the process may not have them; \
                 use fewer `--threads`, or raise `ulimit -v`",
                n >> 20
            ),
            Limit::Deadline(n) => write!(f, "still running after {n} s of its own time"),
        }
    }
}

/// A point in a file, as editors count: lines and columns from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Location {
    /// The file's path, as the user would open it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1; `None` where only the line is known.
    #[serde(skip)]
    pub column: Option<usize>,
}

impl Location {
    /// The first line of a file, for what is said of the whole file.
    pub(crate) fn top(file: impl Into<String>) -> Location {
        Location { file: file.into(), line: 1, column: None }
    }

    /// The point at a byte offset of a text; offsets past the end are clamped to it.
    pub(crate) fn in_text(file: &str, text: &str, offset: usize) -> Location {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Location { file: file.to_owned(), line, column: Some(column) }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "{}:{}:{column}", self.file, self.line),
            None => write!(f, "{}:{}", self.file, self.line),
        }
    }
}

/// What stopped long work. A bound names its number and the option that sets another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cut {
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
    /// The time limit.
    #[error("the time limit of {} s was reached (`--time` sets another)", .0.as_secs_f64())]
    Time(Duration),
    /// The memory bound, in bytes.
    #[error(
        "the memory bound of {} was reached (`--graph-memory`, or `graph_memory` in config.toml, \
         sets another)",
        bytes(*.0)
    )]
    Memory(u64),
}

impl Cut {
    /// Whether somebody asked for it, at once or by a time limit: then what is known is printed.
    pub(crate) fn is_asked_for(self) -> bool {
        !matches!(self, Cut::Memory(_))
    }
}

impl Serialize for Cut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A number of bytes as `--graph-memory` reads it: `64M`, in whole units where it is one.
fn bytes(number: u64) -> String {
    let units = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")];
    let unit = units.iter().find(|(size, _)| number >= *size && number.is_multiple_of(*size));
    unit.map_or_else(|| number.to_string(), |(size, name)| format!("{}{name}", number / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_becomes_line_and_column_in_characters() {
        let at = |offset| Location::in_text("a.toml", "é = 1\nb = 2\n", offset).to_string();
        assert_eq!(at(0), "a.toml:1:1");
        assert_eq!(at(3), "a.toml:1:3");
        assert_eq!(at(7), "a.toml:2:1");
        assert_eq!(at(99), "a.toml:3:1");
    }

    #[test]
    fn a_bound_is_named_with_its_number_and_its_option() {
        let message = |cut: Cut| cut.to_string();
        assert_eq!(
            message(Cut::Time(Duration::from_millis(1500))),
            "the time limit of 1.5 s was reached (`--time` sets another)"
        );
        for (bound, text) in [(3 << 20, "3M"), (1 << 30, "1G"), (1 << 20 | 1, "1048577")] {
            let start = format!("the memory bound of {text} was reached (`--graph-memory`, ");
            assert!(message(Cut::Memory(bound)).starts_with(&start));
        }
    }
}
