//! What may stand on the command line?

mod tournament;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::interrupt;
use crate::analysis::Sampling;
use crate::catalog::Catalog;
use crate::conflict::Changes;
use crate::error::Error;
use crate::script::Limits;
pub use tournament::{Merge, Tournament, WrittenArguments};

/// A laboratory for conflict rules. Without a command, the prompt opens.
#[derive(Parser, Debug)]
#[command(name = "fracas", version, about, disable_help_subcommand = false)]
pub struct Arguments {
    /// What all commands understand.
    #[command(flatten)]
    pub common: Common,
    /// The command; none opens the prompt.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Understood by all commands.
#[derive(Args, Debug, Clone)]
pub struct Common {
    /// A folder of rules folders that goes before ./rules and the embedded ones (repeatable)
    #[arg(long, global = true, value_name = "DIR")]
    pub rules: Vec<PathBuf>,
    /// The seed of chance; drawn and printed where it is not given
    #[arg(long, global = true, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Print data for programs
    #[arg(long, global = true)]
    pub json: bool,
    /// No boxes, no redraw, no spinner
    #[arg(long, global = true)]
    pub plain: bool,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub color: When,
    /// Print nothing but data and errors
    #[arg(long, global = true)]
    pub quiet: bool,
    /// How many threads to use; results are the same for any number
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// How much memory the graph may take: 64M, 2G
    #[arg(long, global = true, value_name = "SIZE", default_value = "1G", value_parser = size)]
    pub graph_memory: u64,
}

/// When to use colours.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
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
    /// Play a tournament between agents, or go on where it was stopped
    Tournament(Tournament),
    /// Join the shards of a tournament
    Merge(Merge),
    /// Measure playouts a second, script alone and through the graph
    Bench(Bench),
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
    /// Print completions for a shell
    Completions(Completions),
}

/// A scenario and what is changed about it.
#[derive(Args, Debug, Clone)]
pub struct ScenarioArguments {
    /// `system/name`, or the path of a TOML file
    pub scenario: String,
    /// A house rule on top, by name or path (repeatable)
    #[arg(long, value_name = "NAME")]
    pub house: Vec<String>,
    /// A changed parameter (repeatable)
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub params: Vec<String>,
    /// An agent for a player or side (repeatable)
    #[arg(long = "seat", value_name = "PLAYER=AGENT")]
    pub seats: Vec<String>,
}

/// `fracas play`.
#[derive(Args, Debug)]
pub struct Play {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Save the history to a file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

/// `fracas odds`.
#[derive(Args, Debug)]
pub struct Odds {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Compute in intervals of floats with a proven bound, where fractions grow too long
    #[arg(long)]
    pub float: bool,
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

/// How many playouts are made.
#[derive(Args, Debug, Clone)]
pub struct SamplingArguments {
    /// How many playouts; 10000, or with `--within` as many as it takes
    #[arg(short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub n: Option<u64>,
    /// Stop once every 95 % interval is within so much of its mean
    #[arg(long, value_name = "X", value_parser = width, allow_negative_numbers = true)]
    pub within: Option<f64>,
}

/// `fracas bench`.
#[derive(Args, Debug)]
pub struct Bench {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Seconds to spend on each measurement
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = width, allow_negative_numbers = true)]
    pub time: f64,
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

impl ScenarioArguments {
    /// The arguments as they may be typed again.
    pub fn as_typed(&self) -> String {
        let mut words = vec![self.scenario.clone()];
        let all = [("--house", &self.house), ("--param", &self.params), ("--seat", &self.seats)];
        for (option, values) in all {
            words.extend(values.iter().map(|value| format!("{option} {}", quoted(value))));
        }
        words.join(" ")
    }

    /// The changes these arguments ask for.
    ///
    /// # Errors
    /// [`Error::Usage`] for what is no `NAME=VALUE`.
    pub fn changes(&self) -> Result<Changes, Error> {
        Changes::read(&self.house, &self.params, &self.seats)
    }
}

/// Playouts of an estimate where nobody says how many.
const PLAYOUTS: u64 = 10_000;
/// More playouts than this are not made for an interval.
const MOST_PLAYOUTS: u64 = 1_000_000_000;

impl SamplingArguments {
    /// How many playouts are made under a seed.
    pub fn sampling(&self, common: &Common, seed: u64) -> Sampling {
        let otherwise = if self.within.is_some() { MOST_PLAYOUTS } else { PLAYOUTS };
        let n = self.n.unwrap_or(otherwise);
        Sampling { seed, n, within: self.within, threads: common.threads() }
    }
}

impl Common {
    /// The rules folders there are.
    ///
    /// # Errors
    /// [`Error::File`] for a `--rules` folder that is not there.
    pub fn catalog(&self) -> Result<Catalog, Error> {
        Catalog::new(&self.rules)
    }

    /// The seed given, or one that is drawn.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(drawn_seed)
    }

    /// How many threads to use: as many as were asked for, or as the machine has.
    pub fn threads(&self) -> usize {
        let there = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(there, usize::from)
    }

    /// The limits of scripts; Ctrl-C stops them.
    pub fn limits(&self) -> Limits {
        Limits { interrupt: Some(interrupt::flag()), ..Limits::default() }
    }
}

/// A whole number of 64 bits.
fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-=./:,".contains(c);
    if word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A number above 0.
fn width(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "must be a number above 0, as in 0.01".to_owned())
}

/// A number of bytes: `64M`, `2G`, `65536`.
fn size(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches("ib").trim_end_matches('b');
    let (digits, unit) = match digits.char_indices().next_back() {
        Some((at, 'k')) => (&digits[..at], 1 << 10),
        Some((at, 'm')) => (&digits[..at], 1 << 20),
        Some((at, 'g')) => (&digits[..at], 1 << 30),
        _ => (digits, 1),
    };
    let bytes = digits.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    let bytes = bytes.filter(|bytes| *bytes >= LEAST_MEMORY);
    bytes.ok_or_else(|| "must be a size of 1M or more, as in 64M or 2G".to_owned())
}

/// With less there is no room for the first nodes.
const LEAST_MEMORY: u64 = 1 << 20;

/// A seed nobody chose: the hasher's own keys are drawn from the system anew in every process.
fn drawn_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // Short enough to be typed again.
    RandomState::new().hash_one(std::process::id()) % 1_000_000_000
}
