//! What may stand on the command line?

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::interrupt;
use crate::catalog::Catalog;
use crate::conflict::Changes;
use crate::error::Error;
use crate::script::Limits;

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
    /// How many threads to use
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
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
    /// The changes these arguments ask for.
    ///
    /// # Errors
    /// [`Error::Usage`] for what is no `NAME=VALUE`.
    pub fn changes(&self) -> Result<Changes, Error> {
        Changes::read(&self.house, &self.params, &self.seats)
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

    /// The limits of scripts; Ctrl-C stops them.
    pub fn limits(&self) -> Limits {
        Limits { interrupt: Some(interrupt::flag()), ..Limits::default() }
    }
}

/// A whole number of 64 bits.
fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}

/// A seed nobody chose: the hasher's own keys are drawn from the system anew in every process.
fn drawn_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // Short enough to be typed again.
    RandomState::new().hash_one(std::process::id()) % 1_000_000_000
}
