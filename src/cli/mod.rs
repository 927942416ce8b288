//! The command line: `main`, and a file for each command.

mod commands;
mod common;
mod config;
mod editor;
mod face;
mod lab;
mod man;
mod output;
mod pager;
mod play;
mod progress;
mod prompt;
mod prompt_watch;
mod replay;
mod serve;
mod stdin_lines;
mod typist;

use std::process::ExitCode;

use clap::FromArgMatches;

use commands::Arguments;
pub use config::Config;
use output::{Output, print_failed, print_text, printed, shown, write_now};

use crate::commands::mistake;
use crate::error::Error;
use crate::report::{ErrorReport, as_text};

/// Parses the command line, runs the command, prints its error. The exit code is 0 where all is
/// fine, 1 where a rule, script, case or check failed or nothing was found within time and memory, 2 for wrong usage or input, 130 after
/// Ctrl-C, 143 after SIGTERM.
pub fn main() -> ExitCode {
    let matches = commands::command().try_get_matches();
    let mut arguments = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    match Config::of_the_person() {
        Ok(config) => config.fill(&mut arguments.common),
        Err(error) => return Output::new(&arguments.common).error(&error),
    }
    let mut output = Output::new(&arguments.common);
    let code = commands::run(arguments, &mut output).unwrap_or_else(|error| output.error(&error));
    // Which signal it was is known here alone.
    let interrupted = code == ExitCode::from(Error::Interrupted.exit_code());
    if interrupted { ExitCode::from(stdin_lines::code()) } else { code }
}

/// Prints what clap says about the command line; errors as JSON where that was asked for.
fn usage(error: &clap::Error) -> ExitCode {
    let asked_json = std::env::args_os().any(|argument| argument == "--json");
    if error.use_stderr() && asked_json {
        print_failed(ErrorReport::of(&mistake(error)), true);
        return ExitCode::from(2);
    }
    let is_utf8 = shown("…") == "…";
    if error.use_stderr() {
        match is_utf8 {
            // There is nowhere to report that the stream is gone.
            true => error.print().unwrap_or_default(),
            false => write_now(&error.render().to_string()),
        }
        return ExitCode::from(2);
    }
    let asked = match is_utf8 {
        true => printed(error.print()),
        false => print_text(error.render().to_string().trim_end()),
    };
    match asked {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            write_now(&format!("{}\n", as_text(&error, false, Output::size().0)));
            ExitCode::from(error.exit_code())
        }
    }
}
