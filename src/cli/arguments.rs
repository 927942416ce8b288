//! The command line: all commands with their arguments and options.

mod common;
mod odds;
mod scenario;
mod tournament;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

pub use common::{Common, When, size};
use common::{above_zero, entry, seconds, whole};

pub use odds::Odds;
pub use scenario::{SamplingArguments, ScenarioArguments};
pub use tournament::{Merge, StandingsArguments, Tournament, WrittenArguments};

use crate::analysis::Solving;
use crate::game::Entry;

/// A laboratory for conflict rules. Without a command, the prompt opens.
#[derive(Parser, Debug)]
#[command(name = "fracas", version, about, disable_help_subcommand = false)]
pub struct Arguments {
    /// What all commands understand.
    #[command(flatten)]
    pub common: Common,
    /// Run a line of the lab, as in -e 'scenario("SYSTEM/NAME").odds()'
    #[arg(short = 'e', value_name = "CODE", allow_hyphen_values = true)]
    pub evaluate: Option<String>,
    /// The command; none opens the prompt.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// List the systems; of one: scenarios, parameters, house rules, agents, functions
    List(List),
    /// Play one conflict, people at the terminal where seats are `human`
    Play(Play),
    /// Find the exact odds, or say why they are out of reach
    Odds(Odds),
    /// Estimate the odds from playouts, with 95 % intervals
    Estimate(Estimate),
    /// Find what a perfect opponent wins against agents, and how
    Exploit(Exploit),
    /// Set the rules against house rules or parameters: what do they change, and can the data tell?
    Compare(Compare),
    /// Find or estimate the odds over the values of one or two parameters
    Sweep(Sweep),
    /// Find what the players should do, and what a house rule changes about it
    Solve(Solve),
    /// Play a tournament between agents, or go on where it was stopped
    Tournament(Tournament),
    /// Print what has come of a tournament, from its file of results, also while it is played
    Standings(StandingsArguments),
    /// Join the shards of a tournament
    Merge(Merge),
    /// Measure playouts a second: script alone, fresh through the graph, and the same again
    Bench(Bench),
    /// Run a script of the lab
    Run(Run),
    /// Run a script of the lab from stdin
    #[command(name = "-")]
    Stdin(Stdin),
    /// Show a saved history
    Replay(Replay),
    /// Run cases: all of the rules folders, or those files and folders
    Test(Test),
    /// Compile rules, scenarios, house rules and agents, and play them at random under the laws
    Check(Check),
    /// Start a new system from a small complete rules folder
    New(New),
    /// Write the rules folders inside the program into a folder, to be edited
    Init(Init),
    /// Show what a script can define and call: all, a family, a function, a system's own
    Doc(Doc),
    /// Print the JSON Schema of what a command prints with `--json`
    Schema(Schema),
    /// Print completions for a shell
    Completions(Completions),
    /// Print a page of the manual, or write all of them into a folder
    Man(Man),
}

/// `fracas play`.
#[derive(Args, Debug)]
pub struct Play {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Begin after an entry of a history, such as `red bid 5` (repeatable)
    #[arg(long, value_name = "ENTRY", value_parser = entry, allow_hyphen_values = true)]
    pub after: Vec<Entry>,
    /// Save the history to a file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

/// `fracas exploit`.
#[derive(Args, Debug)]
pub struct Exploit {
    /// What is played; the perfect opponent sits where no agent is seated by `--seat`.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub time: Option<Duration>,
}

/// `fracas estimate`.
#[derive(Args, Debug)]
pub struct Estimate {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// How many playouts.
    #[command(flatten)]
    pub sampling: SamplingArguments,
}

/// `fracas compare`.
#[derive(Args, Debug)]
pub struct Compare {
    /// What is played, and what is changed about it; seats are the same on both sides.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// How many playouts, where exact odds are out of reach.
    #[command(flatten)]
    pub sampling: SamplingArguments,
    /// Compute in intervals of floats with a proven bound, where fractions grow too long
    #[arg(long)]
    pub float: bool,
}

/// `fracas sweep`.
#[derive(Args, Debug)]
pub struct Sweep {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// One or two parameters: `faces=1..8` (8 included), `faces=1..9..2`, `tie=a,b`, or `tie` for all
    #[arg(required = true, value_name = "NAME=VALUES")]
    pub parameters: Vec<String>,
    /// How many playouts, where the odds are not exact.
    #[command(flatten)]
    pub sampling: SamplingArguments,
    /// What is plotted: a player, a side, a result, or `result:NAME` (repeatable)
    #[arg(long, value_name = "NAME")]
    pub of: Vec<String>,
    /// Search the value at which a player's or side's utility is nearest to the mean of all players', or a result's odds to 1/2
    #[arg(long, value_name = "NAME")]
    pub balance: Option<String>,
    /// Write what is plotted to a file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// `fracas solve`.
#[derive(Args, Debug, Clone)]
pub struct Solve {
    /// What is solved, whoever sits in its seats; with changes, as it is and changed.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Save the strategy to a file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Keep regret minimisation that is stopped in a file, and go on from there
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Draw the exploitability over the seconds as SVG, where it is a matter of time
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Compute in fractions, joint decisions too
    #[arg(long)]
    pub exact: bool,
    /// Where it is a matter of time: stop once the exploitability is within so much
    #[arg(long, value_name = "X", default_value_t = Solving::WITHIN, value_parser = above_zero, allow_negative_numbers = true)]
    pub within: f64,
    /// Stop after so many seconds; with changes, half of them are for the conflict as it is
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub time: Option<Duration>,
}

/// `fracas run`.
#[derive(Args, Debug)]
pub struct Run {
    /// The script
    #[arg(value_name = "FILE.rhai")]
    pub file: PathBuf,
    /// What the script finds as `args`; behind `--` also what begins with `-`
    #[arg(value_name = "ARG")]
    pub arguments: Vec<String>,
}

/// `fracas -`.
#[derive(Args, Debug)]
pub struct Stdin {
    /// What the script finds as `args`
    #[arg(value_name = "ARG")]
    pub arguments: Vec<String>,
}

/// `fracas bench`.
#[derive(Args, Debug)]
pub struct Bench {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Seconds of the processor to spend on each measurement
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds, allow_negative_numbers = true)]
    pub time: Duration,
}

/// `fracas list`.
#[derive(Args, Debug)]
pub struct List {
    /// The system; without one, all systems
    pub system: Option<String>,
}

/// `fracas check`.
#[derive(Args, Debug)]
pub struct Check {
    /// Systems, rules folders, scenario files; without one, all systems
    #[arg(value_name = "SYSTEM|PATH")]
    pub targets: Vec<String>,
    /// How many random playouts of each scenario
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole, allow_negative_numbers = true)]
    pub playouts: u64,
}

/// `fracas new`.
#[derive(Args, Debug)]
pub struct New {
    /// Its name: lower-case letters, digits and `_`
    pub name: String,
}

/// `fracas init`.
#[derive(Args, Debug)]
pub struct Init {
    /// The folder, made where it is missing
    pub dir: PathBuf,
}

/// `fracas doc`.
#[derive(Args, Debug)]
pub struct Doc {
    /// A function, a family, a system, or SYSTEM.FUNCTION; without one, the index
    pub name: Option<String>,
    /// Write definition files for editors into a folder: all that rules, agents, the lab can call
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    pub definitions: Option<PathBuf>,
    /// Print the instructions that a system's function compiles to, beside its lines
    #[arg(long, value_names = ["SYSTEM", "FUNCTION"], num_args = 2, conflicts_with_all = ["name", "definitions"])]
    pub code: Option<Vec<String>>,
}

/// `fracas schema`.
#[derive(Args, Debug)]
pub struct Schema {
    /// The command; without one, the names of all that have a schema
    pub command: Option<String>,
}

/// `fracas man`.
#[derive(Args, Debug)]
pub struct Man {
    /// The command; without one, the program
    pub command: Option<String>,
    /// Write all pages into a folder, made where it is missing
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub dir: Option<PathBuf>,
}

/// `fracas completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `fracas replay`.
#[derive(Args, Debug)]
pub struct Replay {
    /// The saved history
    pub file: PathBuf,
    /// Stop after this many entries
    #[arg(long, value_name = "N")]
    pub to: Option<usize>,
    /// Go on under changed rules, to the first divergence
    #[arg(long)]
    pub force: bool,
    /// Only test that it comes to the same outcome
    #[arg(long, conflicts_with = "to")]
    pub verify: bool,
}

/// `fracas test`.
#[derive(Args, Debug)]
pub struct Test {
    /// Case files, or folders with case files in them
    pub paths: Vec<PathBuf>,
}
