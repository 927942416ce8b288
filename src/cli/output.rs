//! Where does what is printed go? Data to stdout, all else to stderr.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::arguments::{Common, When};
use crate::error::Error;
use crate::render;

/// How this run prints.
pub struct Output {
    json: bool,
    plain: bool,
    quiet: bool,
    coloured: bool,
    coloured_errors: bool,
}

impl Output {
    /// What the command line and the environment ask for.
    pub fn new(common: &Common) -> Output {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let colours = |terminal: bool| match common.color {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && !set("NO_COLOR"),
        };
        Output {
            json: common.json,
            plain: common.plain || set("ACCESSIBLE"),
            quiet: common.quiet,
            coloured: colours(std::io::stdout().is_terminal()),
            coloured_errors: colours(std::io::stderr().is_terminal()),
        }
    }

    /// Whether data is printed for programs.
    pub fn json(&self) -> bool {
        self.json
    }

    /// Whether boxes, redraw and spinners are left out.
    pub fn plain(&self) -> bool {
        self.plain
    }

    /// A word of data in bold and a colour, where data is coloured.
    pub fn coloured_word(&self, word: &str, colour: anstyle::AnsiColor) -> String {
        if self.coloured {
            let style = colour.on_default().bold();
            format!("{style}{word}{style:#}")
        } else {
            word.to_owned()
        }
    }

    /// Whether data is coloured.
    pub fn coloured(&self) -> bool {
        self.coloured
    }

    /// The width to print for, in columns.
    pub fn width(&self) -> usize {
        width()
    }

    /// Prints a line of data.
    ///
    /// # Errors
    /// [`Error::File`] where stdout cannot be written; a reader that has gone is no error.
    pub fn data(&mut self, text: &str) -> Result<(), Error> {
        match writeln!(std::io::stdout().lock(), "{text}") {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                // Whoever read has had enough; so have we.
                std::process::exit(0)
            }
            other => other.map_err(|error| Error::file("write", "stdout", error)),
        }
    }

    /// Prints a value for programs.
    ///
    /// # Errors
    /// As [`Output::data`].
    pub fn value(&mut self, value: &serde_json::Value) -> Result<(), Error> {
        self.data(&format!("{value:#}"))
    }

    /// Prints the files that were written, a line each.
    ///
    /// # Errors
    /// As [`Output::data`].
    pub fn files(&mut self, paths: &[PathBuf]) -> Result<(), Error> {
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        if self.json {
            return self.value(&serde_json::json!({ "files": paths }));
        }
        paths.iter().try_for_each(|path| self.data(path))
    }

    /// Prints a line for people, unless they asked for quiet.
    pub fn say(&mut self, text: &str) {
        if !self.quiet {
            // Nobody can be told that stderr is gone.
            let _ = writeln!(std::io::stderr().lock(), "{text}");
        }
    }

    /// Prints what is wrong, for people, even to those who asked for quiet.
    pub fn complain(&mut self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }

    /// Prints what may be wrong, for people, even to those who asked for quiet.
    pub fn warn(&mut self, text: &str) {
        self.complain(&format!("warning: {text}"));
    }

    /// Prints what stands before the line that a person is to type.
    pub fn ask(&mut self, prompt: &str) {
        let mut stderr = std::io::stderr().lock();
        // Nobody can be told that stderr is gone.
        let _ = write!(stderr, "{prompt}").and_then(|()| stderr.flush());
    }

    /// Prints an error and returns its exit code.
    pub fn error(&mut self, error: &Error) -> ExitCode {
        if self.json {
            let _ = writeln!(std::io::stdout().lock(), "{:#}", render::as_json(error));
        } else {
            let text = render::as_text(error, self.coloured_errors, self.width());
            let _ = writeln!(std::io::stderr().lock(), "{text}");
        }
        ExitCode::from(error.exit_code())
    }
}

/// The width of the terminal in columns; 80 where there is none.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns
        .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
        .unwrap_or(80)
}

/// Prints what clap says about the command line; errors as JSON where that was asked for.
pub fn usage(error: &clap::Error) -> ExitCode {
    let asked_json = std::env::args_os().any(|argument| argument == "--json");
    if error.use_stderr() && asked_json {
        let _ = writeln!(std::io::stdout().lock(), "{:#}", render::as_json(&in_a_line(error)));
        return ExitCode::from(2);
    }
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

/// What clap says, without its advice, in one line; and the word that it suggests.
fn in_a_line(error: &clap::Error) -> Error {
    use clap::error::{ContextKind, ContextValue};
    let text = error.to_string();
    let said = text.lines().map(str::trim).take_while(|line| {
        let advice = line.starts_with("tip:") || line.starts_with("Usage:");
        !advice && !line.starts_with("For more information")
    });
    let said: Vec<&str> = said.filter(|line| !line.is_empty()).collect();
    let suggested =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
            .into_iter()
            .find_map(|kind| match error.get(kind)? {
                ContextValue::String(word) => Some(word.clone()),
                ContextValue::Strings(words) => words.first().cloned(),
                _ => None,
            });
    let message = said.join(" ").trim_start_matches("error: ").to_owned();
    Error::Usage { message, nearest: suggested }
}
