//! The command line: `main`, and the commands; related ones share a file.

mod arguments;
mod check;
mod compare;
mod config;
mod doc;
mod editor;
mod folder;
mod lab;
mod lines;
mod narrow;
mod odds;
mod output;
mod pager;
mod play;
mod progress;
mod prompt;
mod reference;
mod replay;
mod scenario;
mod solve;
mod standings;
mod sweep;
mod terminal;
mod tournament;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
pub use config::Config;
use output::Output;

use crate::error::Error;

/// Parses the command line, runs the command, prints its error. The exit code is 0 where all is
/// fine, 1 where a rule, script, case or check failed, 2 for wrong usage or input, 130 after
/// Ctrl-C, 143 after SIGTERM.
pub fn main() -> ExitCode {
    let mut arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return reference::usage(&error),
    };
    match Config::of_the_person() {
        Ok(config) => config.fill(&mut arguments.common),
        Err(error) => return Output::new(&arguments.common).error(&error),
    }
    let mut output = Output::new(&arguments.common);
    let code = run(arguments, &mut output).unwrap_or_else(|error| output.error(&error));
    // Which signal it was is known here alone.
    let interrupted = code == ExitCode::from(Error::Interrupted.exit_code());
    if interrupted { ExitCode::from(lines::code()) } else { code }
}

fn run(arguments: Arguments, output: &mut Output) -> Result<ExitCode, Error> {
    let common = &arguments.common;
    if let Some(code) = &arguments.evaluate {
        return match arguments.command {
            None => lab::line(common, code, output),
            Some(_) => Err(Error::usage(
                "`-e` runs a line of the lab and cannot be combined with a command",
            )),
        };
    }
    match &arguments.command {
        Some(Command::List(list)) => doc::list(common, list, output),
        Some(Command::Play(play)) => play::run(common, play, output),
        Some(Command::Odds(odds)) => odds::odds(common, odds, output),
        Some(Command::Portrait(portrait)) => compare::portrait(common, portrait, output),
        Some(Command::Exploit(exploit)) => solve::exploit(common, exploit, output),
        Some(Command::Estimate(estimate)) => odds::estimate(common, estimate, output),
        Some(Command::Compare(compare)) => compare::compare(common, compare, output),
        Some(Command::Sweep(sweep)) => sweep::sweep(common, sweep, output),
        Some(Command::Tune(tune)) => sweep::tune(common, tune, output),
        Some(Command::Solve(solve)) => solve::solve(common, solve, output),
        Some(Command::Tournament(tournament)) => tournament::run(common, tournament, output),
        Some(Command::Standings(asked)) => standings::run(common, asked, output),
        Some(Command::Merge(merge)) => standings::merged(common, merge, output),
        Some(Command::Bench(bench)) => odds::bench(common, bench, output),
        Some(Command::Run(run)) => lab::file(common, run, output),
        Some(Command::Stdin(stdin)) => lab::stdin(common, stdin, output),
        Some(Command::Replay(replay)) => replay::run(common, replay, output),
        Some(Command::Test(test)) => check::test(common, test, output),
        Some(Command::Check(check)) => check::check(common, check, output),
        Some(Command::New(new)) => folder::new(common, new, output),
        Some(Command::Init(init)) => folder::init(init, output),
        Some(Command::Doc(doc)) => doc::run(common, doc, output),
        Some(Command::Schema(schema)) => reference::schema(schema, output),
        Some(Command::Completions(completions)) => reference::completions(completions, output),
        Some(Command::Man(man)) => reference::man(man, output),
        None => prompt::run(common, output),
    }
}
