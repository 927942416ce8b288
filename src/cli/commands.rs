//! The commands: what the command line may hold, and which file runs it.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use super::common::CommonArguments;
use super::output::Output;
use super::{
    check, doc, face, lab, man, merge, new, play, prompt, replay, serve, standings, tournament,
};
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
    /// Play a tournament between agents, or resume one that was stopped
    Tournament(tournament::TournamentCommand),
    /// Print the standings of a tournament from its file of results, even while it is running
    Standings(standings::StandingsCommand),
    /// Join the shards of a tournament
    Merge(merge::MergeCommand),
    /// Run a script of the lab
    Run(lab::RunCommand),
    /// Run a script of the lab from stdin
    #[command(name = "-")]
    Stdin(lab::StdinCommand),
    /// Show a saved history
    Replay(replay::ReplayCommand),
    /// Compile rules, scenarios, house rules and agents, and test the laws in every state
    Check(check::CheckCommand),
    /// Start a new system from a small complete rules folder
    New(new::NewCommand),
    /// Copy the built-in rules folders into a folder, so that you can edit them
    Init(new::InitCommand),
    /// Show what a script can define and call: everything, a family, a function, or those of a system
    Doc(doc::DocCommand),
    /// Print completions for a shell
    Completions(man::CompletionsCommand),
    /// Print what a word may become, for the completions of a shell
    #[command(hide = true)]
    Complete(man::CompleteCommand),
    /// Print a page of the manual, or write all of them into a folder
    Man(man::ManCommand),
}

/// Runs a command, or a line of the lab; without either, the prompt opens.
pub(super) fn run(arguments: Arguments, output: &mut Output) -> Result<ExitCode, Error> {
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
        Some(Command::Play(play)) => play::run(common, play, output),
        Some(Command::Serve(serve)) => serve::run(common, serve, output),
        Some(Command::OfTable(command)) => command.run(common, output),
        Some(Command::Tournament(tournament)) => tournament::run(common, tournament, output),
        Some(Command::Standings(asked)) => standings::run(common, asked, output),
        Some(Command::Merge(merge)) => merge::run(common, merge, output),
        Some(Command::Run(run)) => lab::file(common, run, output),
        Some(Command::Stdin(stdin)) => lab::stdin(common, stdin, output),
        Some(Command::Replay(replay)) => replay::run(common, replay, output),
        Some(Command::Check(check)) => check::run(common, check, output),
        Some(Command::New(new)) => new::run(common, new, output),
        Some(Command::Init(init)) => new::init(init, output),
        Some(Command::Doc(doc)) => doc::run(common, doc, output),
        Some(Command::Completions(completions)) => {
            man::completions(completions, Arguments::command(), output)
        }
        Some(Command::Complete(asked)) => man::names(common, asked, Arguments::command(), output),
        Some(Command::Man(man)) => man::run(man, Arguments::command(), output),
        None => prompt::run(common, output),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Arguments;

    /// Options of the shell that the prompt has in another way, each with the one it is.
    const OTHERWISE: [(&str, &str, &str); 5] = [
        ("play", "after", "`:goto`, and answers"),
        ("play", "save", "`:save`"),
        ("tournament", "spec", "an argument of its own, beside agents"),
        ("tournament", "shard", "parts for several machines are of the shell"),
        ("tournament", "scenario", "the open conflict"),
    ];

    /// What changes the conflict is done to the open one: `:house`, `:params`, `:set`, `:seat`.
    const OPEN: [&str; 5] = ["scenario", "house", "params", "set", "seats"];

    #[test]
    fn what_works_on_a_scenario_works_at_the_prompt_with_the_same_options() {
        let all = Arguments::command();
        let has = |one: &clap::Command, name: &str| {
            one.get_arguments().any(|argument| argument.get_id() == name)
        };
        // Of the shell alone: a program is at the other end.
        let of_a_scenario = |one: &&clap::Command| {
            (has(one, "scenario") || has(one, "spec")) && one.get_name() != "serve"
        };
        let found: Vec<&clap::Command> = all.get_subcommands().filter(of_a_scenario).collect();
        assert!(found.len() >= 10, "{found:?}");
        for command in found {
            let name = command.get_name();
            let at_the_prompt = crate::repl::commands::find(name).unwrap();
            assert_eq!(at_the_prompt.get_name(), name);
            // What is played there is opened first.
            let at_the_prompt = match name {
                "play" => crate::repl::commands::find("open").unwrap(),
                _ => at_the_prompt,
            };
            for argument in command.get_arguments() {
                let id = argument.get_id().as_str();
                let is_other = OTHERWISE.iter().any(|(one, other, _)| (*one, *other) == (name, id));
                if is_other || OPEN.contains(&id) {
                    continue;
                }
                let same = |other: &clap::Arg| {
                    other.get_long() == argument.get_long()
                        && other.get_short() == argument.get_short()
                };
                let there = at_the_prompt.get_arguments().any(same);
                assert!(there, "`:{name}` has no `{id}`, as `fracas {name}` has");
            }
        }
        // The seed is an option of the whole program in the shell.
        for name in ["open", "estimate", "portrait", "compare", "sweep", "bench", "tournament"] {
            assert!(has(crate::repl::commands::find(name).unwrap(), "seed"), "{name}");
        }
    }
}
