//! The command line: all commands with their arguments and options.

mod common;
mod measured;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use common::entry;
pub(super) use common::{CommonArguments, When, size};
pub(super) use measured::{
    BenchCommand, CompareCommand, EstimateCommand, ExploitCommand, OddsCommand, PortraitCommand,
    SolveCommand, SweepCommand, TuneCommand,
};
pub(super) use measured::{MergeCommand, StandingsArguments, TournamentCommand, WrittenArguments};

use crate::arguments::{
    DocumentedArgument, SavedArguments, ScenarioArguments, SystemArgument, count, whole,
};
use crate::game::Entry;

/// A laboratory for conflict rules. Without a command, the prompt opens.
#[derive(Parser, Debug)]
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
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// List the systems; of one: scenarios, parameters, house rules, agents, functions
    List(SystemArgument),
    /// Play one conflict; people answer at the terminal where seats are `human`
    Play(PlayCommand),
    /// Find the exact odds, or say why they are out of reach
    Odds(OddsCommand),
    /// Estimate the odds from playouts, with 95 % intervals
    Estimate(EstimateCommand),
    /// Measure what a conflict is like: length, choice, fairness, drama, luck, skill, clauses
    Portrait(PortraitCommand),
    /// Find what a perfect opponent wins against agents, and how
    Exploit(ExploitCommand),
    /// Compare the rules with and without house rules or changed parameters, and say how sure it is
    Compare(CompareCommand),
    /// Find or estimate the odds over the values of one or two parameters
    Sweep(SweepCommand),
    /// Find the parameters and house rules that make a conflict as you want it
    Tune(TuneCommand),
    /// Find what the players should do, and what a house rule changes about it
    Solve(SolveCommand),
    /// Play a tournament between agents, or resume one that was stopped
    Tournament(TournamentCommand),
    /// Print the standings of a tournament from its file of results, even while it is running
    Standings(StandingsArguments),
    /// Join the shards of a tournament
    Merge(MergeCommand),
    /// Measure playouts per second: the script alone, new ones through the graph, the same ones again
    Bench(BenchCommand),
    /// Run a script of the lab
    Run(RunCommand),
    /// Run a script of the lab from stdin
    #[command(name = "-")]
    Stdin(StdinArguments),
    /// Show a saved history
    Replay(ReplayCommand),
    /// Run the cases of all rules folders, or those at the given paths
    Test(TestCommand),
    /// Compile rules, scenarios, house rules and agents, and check their laws in random playouts
    Check(CheckCommand),
    /// Start a new system from a small complete rules folder
    New(NewCommand),
    /// Copy the built-in rules folders into a folder, so that you can edit them
    Init(InitCommand),
    /// Show what a script can define and call: everything, a family, a function, or those of a system
    Doc(DocCommand),
    /// Print the JSON Schema of what a command prints with `--json`
    Schema(SchemaCommand),
    /// Print completions for a shell
    Completions(CompletionsCommand),
    /// Print a page of the manual, or write all of them into a folder
    Man(ManCommand),
}

#[derive(Args, Debug)]
pub(super) struct PlayCommand {
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Begin after an entry of a history, such as `red bid 5` (repeatable)
    #[arg(long, value_name = "ENTRY", value_parser = entry, allow_hyphen_values = true)]
    pub after: Vec<Entry>,
    /// Save the history to a file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct RunCommand {
    /// The script
    #[arg(value_name = "FILE.rhai")]
    pub file: PathBuf,
    /// The words that the script finds as `args`; after `--` also those that begin with `-`
    #[arg(value_name = "ARG")]
    pub arguments: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct StdinArguments {
    /// The words that the script finds as `args`
    #[arg(value_name = "ARG")]
    pub arguments: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct CheckCommand {
    /// Systems, rules folders, scenario files; without one, all systems
    #[arg(value_name = "SYSTEM|PATH")]
    pub targets: Vec<String>,
    /// Check a house rule alone, by name or path, over the system named or the one whose folder it is in (repeatable)
    #[arg(long, value_name = "NAME|FILE")]
    pub house: Vec<String>,
    /// How many random playouts of each scenario
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole, allow_negative_numbers = true)]
    pub playouts: u64,
}

#[derive(Args, Debug)]
pub(super) struct NewCommand {
    /// Its name: lower-case letters, digits and `_`
    pub name: String,
}

#[derive(Args, Debug)]
pub(super) struct InitCommand {
    /// The folder, made where it is missing
    pub dir: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct DocCommand {
    #[command(flatten)]
    pub of: DocumentedArgument,
    /// Write definition files for editors into a folder: all that rules, agents, the lab can call
    #[arg(long, value_name = "DIR", conflicts_with = "documented")]
    pub definitions: Option<PathBuf>,
    /// Print the instructions that a system's function compiles to, beside its lines
    #[arg(long, value_names = ["SYSTEM", "FUNCTION"], num_args = 2, conflicts_with_all = ["documented", "definitions"])]
    pub code: Option<Vec<String>>,
}

#[derive(Args, Debug)]
pub(super) struct SchemaCommand {
    /// The command; without one, the names of all that have a schema
    pub command: Option<String>,
}

#[derive(Args, Debug)]
pub(super) struct ManCommand {
    /// The command; without one, the program
    pub command: Option<String>,
    /// Write all pages into a folder, made where it is missing
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub dir: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct CompletionsCommand {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(super) struct ReplayCommand {
    #[command(flatten)]
    pub saved: SavedArguments,
    /// Stop after this many entries
    #[arg(long, value_name = "N", value_parser = count)]
    pub to: Option<usize>,
    /// Only test that it has the same outcome
    #[arg(long, conflicts_with = "to")]
    pub verify: bool,
}

#[derive(Args, Debug)]
pub(super) struct TestCommand {
    /// Case files, or folders with case files in them
    pub paths: Vec<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Arguments;

    /// Options of the shell that the prompt has in another way, each with the one it is.
    const OTHERWISE: [(&str, &str, &str); 7] = [
        ("play", "after", "`:goto`, and answers"),
        ("play", "save", "`:save`"),
        ("odds", "float", "`:odds` weighs the options of the open decision"),
        ("odds", "whole", "`:odds` weighs the options of the open decision"),
        ("tournament", "spec", "an argument of its own, beside agents"),
        ("tournament", "shard", "parts for several machines are of the shell"),
        ("tournament", "scenario", "the open conflict"),
    ];

    /// What changes the conflict is done to the open one: `:house`, `:params`, `:seat`.
    const OPEN: [&str; 4] = ["scenario", "house", "params", "seats"];

    #[test]
    fn what_works_on_a_scenario_works_at_the_prompt_with_the_same_options() {
        let all = Arguments::command();
        let has = |one: &clap::Command, name: &str| {
            one.get_arguments().any(|argument| argument.get_id() == name)
        };
        let of_a_scenario = |one: &&clap::Command| has(one, "scenario") || has(one, "spec");
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
