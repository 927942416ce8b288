//! The commands: what the command line may hold, and which file runs it.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use super::common::CommonArguments;
use super::output::Output;
use super::{face, lab, man, play, prompt, replay, serve};
use crate::commands::examples;
use crate::error::Error;

/// A laboratory for conflict rules. Without a command, the prompt opens.
#[derive(Parser)]
#[command(name = "fracas", version, about, disable_help_subcommand = false)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub common: CommonArguments,
    /// Run a line of the lab, as in -e 'scenario("SYSTEM/NAME").odds()'
    #[arg(short = 'e', value_name = "CODE", allow_hyphen_values = true)]
    pub evaluate: Option<String>,
    /// The command; none opens the prompt.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Subcommand)]
pub(super) enum Command {
    /// Play one conflict; people answer at the terminal where seats are `human`
    Play(play::PlayCommand),
    /// Play with a program: requests and replies are lines of JSON on stdin and stdout, or of a connection
    Serve(serve::ServeCommand),
    #[command(flatten)]
    OfTable(face::OfTable),
    /// Run a script of the lab
    Run(lab::RunCommand),
    /// Run a script of the lab from stdin
    #[command(name = "-")]
    Stdin(lab::StdinCommand),
    /// Show a saved history
    Replay(replay::ReplayCommand),
    /// Print completions for a shell
    Completions(man::CompletionsCommand),
    /// Print what a word may become, for the completions of a shell
    #[command(hide = true)]
    Complete(man::CompleteCommand),
    /// Print a page of the manual, or write all of them into a folder
    Man(man::ManCommand),
}

/// Of these nothing depends on chance, and nothing takes long.
const AT_ONCE: [&str; 7] = ["list", "doc", "new", "init", "completions", "complete", "man"];

/// The command line, with two examples of each command.
pub(super) fn command() -> clap::Command {
    let all = Arguments::command();
    let names: Vec<String> = all.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let idle = all.get_arguments();
    let idle =
        idle.filter(|one| ["seed", "threads", "graph_memory"].contains(&one.get_id().as_str()));
    let idle: Vec<clap::Arg> = idle.map(|one| one.clone().hide(true)).collect();
    names.into_iter().fold(all, |all, name| {
        let lines = examples(&name).map(|line| format!("\n  fracas {line}")).collect::<String>();
        let at_once = AT_ONCE.contains(&name.as_str());
        all.mut_subcommand(name, |one| {
            let one = if at_once { one.args(&idle) } else { one };
            if lines.is_empty() { one } else { one.after_help(format!("Examples:{lines}")) }
        })
    })
}

/// Runs a command, or a line of the lab; without either, the prompt opens.
pub(super) fn run(arguments: Arguments, output: &mut Output) -> Result<ExitCode, Error> {
    let common = &arguments.common;
    output.in_lines = matches!(arguments.command, None | Some(Command::Run(_) | Command::Stdin(_)));
    if let Some(code) = &arguments.evaluate {
        return match arguments.command {
            None => lab::line(common, code, output),
            Some(_) => Err(Error::usage(
                "`-e` runs a line of the lab and cannot be combined with a command",
            )),
        };
    }
    match &arguments.command {
        Some(Command::Play(play)) => play::run(common, play, output),
        Some(Command::Serve(serve)) => serve::run(common, serve, output),
        Some(Command::OfTable(command)) => command.run(common, output),
        Some(Command::Run(run)) => lab::file(common, run, output),
        Some(Command::Stdin(stdin)) => lab::stdin(common, stdin, output),
        Some(Command::Replay(replay)) => replay::run(common, replay, output),
        Some(Command::Completions(completions)) => man::completions(completions, command(), output),
        Some(Command::Complete(asked)) => man::names(common, asked, command(), output),
        Some(Command::Man(man)) => man::run(man, command(), output),
        None => prompt::run(common, output),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Arguments;

    /// What the prompt has in another way: entries of a history are answers and `:goto`, the file is `:save`.
    const OTHERWISE: [&str; 2] = ["after", "save"];

    #[test]
    fn what_is_played_is_opened_at_the_prompt_with_the_same_options() {
        let all = Arguments::command();
        let play = all.find_subcommand("play").unwrap();
        let open = crate::repl::commands::find("open").unwrap();
        for argument in
            play.get_arguments().filter(|one| !OTHERWISE.contains(&one.get_id().as_str()))
        {
            let same = |other: &clap::Arg| {
                other.get_long() == argument.get_long() && other.get_short() == argument.get_short()
            };
            assert!(open.get_arguments().any(same), "{argument}");
        }
    }
}
