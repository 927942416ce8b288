//! Prints data to stdout and all else to stderr.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::common::{CommonArguments, When};
use crate::conflict::Conflict;
use crate::error::Error;
use crate::report;
use crate::report::{ErrorReport, Failed, Report, ShowStyle, shell_line, tame};

#[derive(Clone)]
pub(super) struct Output {
    pub(super) json: bool,
    /// Whether each value for programs is on a line of its own, as it is where there are many.
    pub(super) in_lines: bool,
    /// Whether boxes, redraw and spinners are left out.
    pub(super) plain: bool,
    /// Whether people asked for only data and errors.
    pub(super) quiet: bool,
    pub(super) coloured: bool,
    coloured_errors: bool,
    /// The rules folders that go before others.
    rules: Vec<PathBuf>,
}

impl Output {
    /// What the command line and the environment ask for.
    pub(super) fn new(common: &CommonArguments) -> Output {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let colours = |terminal: bool| match common.color.unwrap_or(When::Auto) {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && !set("NO_COLOR") && !is_dumb(),
        };
        Output {
            json: common.json,
            in_lines: false,
            plain: common.plain || set("ACCESSIBLE"),
            quiet: common.quiet,
            coloured: colours(std::io::stdout().is_terminal()),
            coloured_errors: colours(std::io::stderr().is_terminal()),
            rules: common.rules.clone(),
        }
    }

    /// Prints a line of data in which one word is marked, where data is coloured.
    pub(super) fn data_with_word(
        &mut self,
        before: &str,
        (word, colour): (&str, anstyle::AnsiColor),
        after: &str,
    ) -> Result<(), Error> {
        if !self.coloured {
            return self.data(&format!("{before}{word}{after}"));
        }
        let style = colour.on_default().bold();
        print_text(&format!("{}{style}{word}{style:#}{}", tame(before), tame(after)))
    }

    pub(super) fn look(&self) -> ShowStyle {
        ShowStyle { width: width(), plain: self.plain, json: self.json }
    }

    /// The width to print for, in columns.
    pub(super) fn width(&self) -> usize {
        width()
    }

    /// The columns and rows of the terminal.
    pub(super) fn size() -> (usize, usize) {
        let rows = terminal_size::terminal_size().map(|(_, rows)| usize::from(rows.0));
        (width(), rows.unwrap_or(24))
    }

    /// Prints a line of data; what commands a terminal does not pass.
    ///
    /// # Errors
    /// [`Error::File`] where stdout cannot be written; a reader that has gone is no error.
    pub(super) fn data(&mut self, text: &str) -> Result<(), Error> {
        print_text(&tame(text))
    }

    /// Prints data in sentences or lines for people: at a terminal broken at spaces.
    pub(super) fn prose(&mut self, text: &str) -> Result<(), Error> {
        match std::io::stdout().is_terminal() && !self.json {
            true => {
                let width = self.width();
                self.data(&report::wrapped(&report::stacked(text, width), width))
            }
            false => self.data(text),
        }
    }

    pub(super) fn value(&mut self, value: &impl Serialize) -> Result<(), Error> {
        print(&report::json(value, true))
    }

    /// Prints a report for programs or for people, whichever was asked for.
    pub(super) fn show(&mut self, report: &Report<'_>) -> Result<(), Error> {
        match self.json {
            true => print(&report.json(true)),
            false => self.data(&report.text(self.width(), self.plain)),
        }
    }

    pub(super) fn warnings(&mut self, conflict: &Conflict) {
        for warning in conflict.warnings() {
            self.say(&warning.to_string());
        }
    }

    /// Prints a line for people, unless they asked for quiet.
    pub(super) fn say(&mut self, text: &str) {
        if !self.quiet {
            self.complain(text);
        }
    }

    /// Prints a picture beside the data.
    pub(super) fn picture(&mut self, picture: &str) {
        if !self.quiet {
            // The margin takes two columns.
            let picture = match std::io::stderr().is_terminal() {
                true => {
                    let width = self.width().saturating_sub(2);
                    report::wrapped(&report::stacked(picture, width), width)
                }
                false => picture.to_owned(),
            };
            let _ = writeln!(std::io::stderr().lock(), "{}", tame(&report::indented(&picture, 2)));
        }
    }

    /// Prints what is wrong, for people, even to those who asked for quiet.
    pub(super) fn complain(&mut self, text: &str) {
        let text = tame(text);
        let text = shown(&text);
        let mut stderr = std::io::stderr().lock();
        // Programs find a message in a line; a terminal would break it within words.
        let _ = match stderr.is_terminal() {
            true => writeln!(stderr, "{}", report::wrapped(&text, self.width())),
            // There is nowhere to report that stderr is gone.
            false => writeln!(stderr, "{text}"),
        };
    }

    /// Prints what may be wrong, for people, even to those who asked for quiet.
    pub(super) fn warn(&mut self, text: &str) {
        self.complain(&format!("warning: {text}"));
    }

    pub(super) fn ask(&mut self, prompt: &str) {
        write_now(&tame(prompt));
    }

    pub(super) fn erase(&mut self, written: &str) {
        write_now(&format!("\r{}\r", " ".repeat(written.chars().count())));
    }

    /// Clears the terminal, with what has gone from its window where it can; one that is to draw nothing
    /// again gets empty rows. Does nothing where stderr is no terminal.
    pub(super) fn clear(&mut self) {
        let rows = if std::io::stderr().is_terminal() { Output::size().1 } else { 0 };
        match (rows, self.plain || is_dumb()) {
            (0, _) => {}
            (rows, true) => write_now(&"\n".repeat(rows)),
            (_, false) => write_now("\x1b[H\x1b[2J\x1b[3J"),
        }
    }

    /// Erases the rows above the one where the cursor is.
    pub(super) fn erase_rows(&mut self, rows: usize) {
        write_now(&format!("\x1b[{rows}A\r\x1b[J"));
    }

    pub(super) fn error(&mut self, error: &Error) -> ExitCode {
        if self.json {
            let mut report = ErrorReport::of(error);
            match self.again(error) {
                Some(again) if again.len() <= LONGEST_OF_JSON => report.again = Some(again),
                // No shell takes a line like that.
                again => report.again_left_out = again.map(|again| again.len()),
            }
            print_failed(report, !self.in_lines);
        } else {
            write_now(&format!("{}\n", self.error_text(error)));
        }
        ExitCode::from(error.exit_code())
    }

    /// An error as it is printed for people.
    pub(super) fn error_text(&self, error: &Error) -> String {
        let width = self.width();
        // All of it is tamed there, where the colours are added.
        let text = report::as_text(error, self.coloured_errors, width);
        // A program that reads stderr finds a message in a line; source lines are cut to the width.
        let text = match std::io::stderr().is_terminal() {
            true => report::wrapped(&text, width),
            false => text,
        };
        match self.again(error) {
            // Not wrapped: this line is to be typed again.
            Some(again) if again.len() <= LONGEST => {
                format!("{text}\n  play it again: `{}`", tame(&again))
            }
            Some(again) if again.len() <= LONGEST_OF_JSON => {
                format!("{text}\n  `--json` has the command that plays it again")
            }
            Some(_) => format!("{text}\n  the command that plays it again is too long for a shell"),
            None => text,
        }
    }

    /// The line that plays again what led to an error, if it is known.
    fn again(&self, error: &Error) -> Option<String> {
        Some(shell_line(error.again()?, &self.rules))
    }
}

/// A longer line that plays something again is left to programs.
const LONGEST: usize = 4_000;
/// The longest line that is printed for programs, in bytes: systems take no longer ones.
const LONGEST_OF_JSON: usize = 1 << 17;

/// Prints an error for programs, on one line or in lines; on stderr where stdout cannot be written.
pub(super) fn print_failed(error: ErrorReport, pretty: bool) {
    let text = report::json(&Failed { error }, pretty);
    if print(&text).is_err() {
        // There is nowhere to report that stderr is gone, too.
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }
}

pub(super) fn print_text(text: &str) -> Result<(), Error> {
    print(&shown(text))
}

/// Whether whoever read stdout has had enough.
static IS_LEFT: AtomicBool = AtomicBool::new(false);

pub(super) fn is_left() -> bool {
    IS_LEFT.load(Ordering::Relaxed)
}

/// Prints a line, unless nobody reads any more: what is done is done to its end, as files may be written there.
fn print(text: &str) -> Result<(), Error> {
    if is_left() {
        return Ok(());
    }
    printed(writeln!(std::io::stdout().lock(), "{text}"))
}

/// What came of printing to stdout: that nobody reads any more is no error.
pub(super) fn printed(written: std::io::Result<()>) -> Result<(), Error> {
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            IS_LEFT.store(true, Ordering::Relaxed);
            Ok(())
        }
        other => other.map_err(|error| Error::file("write", "stdout", error)),
    }
}

/// Writes on stderr what is no whole line.
pub(super) fn write_now(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // There is nowhere to report that stderr is gone.
    let _ = write!(stderr, "{}", shown(text)).and_then(|()| stderr.flush());
}

/// A text as it is shown: in ASCII where the person's locale names another encoding than UTF-8.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    static IS_ASCII: LazyLock<bool> = LazyLock::new(|| {
        // The first that is set decides, as for all programs; where none is, nobody asks for anything.
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].map(|name| std::env::var(name).ok());
        let locale = names.into_iter().flatten().find(|value| !value.is_empty());
        locale.is_some_and(|locale| !locale.to_lowercase().replace('-', "").contains("utf8"))
    });
    if *IS_ASCII { report::ascii(text) } else { Cow::Borrowed(text) }
}

/// No terminal is wider, so all that is drawn within a width has a bound.
const WIDEST: usize = 10_000;

/// The width of the terminal in columns; 80 where there is none.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns
        .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
        .unwrap_or(80)
        .min(WIDEST)
}

/// Whether the terminal says that it cannot draw anything again.
pub(super) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}
