//! The arguments that commands of the shell and of the prompt share, and the errors of their parser.

mod page;
mod solving;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::error::{ContextKind, ContextValue};

use crate::agents::HUMAN;
use crate::analysis::{Enough, Portraying, Sampling, Swept, Target};
use crate::catalog::ParamSpecs;
use crate::conflict::{Changes, Conflict, Players};
use crate::error::Error;
use crate::listing::Detail;
use crate::report::shell_word;

pub(crate) use page::{PageArgument, PageFile, open_line};
pub(crate) use solving::{
    ContrastArguments, SolvingArguments, SolvingFiles, TuneArguments, above_zero, count, one_to,
    seconds, whole,
};

/// A scenario and what is changed about it.
#[derive(Args, Debug, Clone)]
pub(crate) struct ScenarioArguments {
    /// `system/name`, or the path of a TOML file
    pub scenario: String,
    #[command(flatten)]
    pub rules: RuleArguments,
    /// An agent for a player or side (repeatable)
    #[arg(long = "seat", value_name = "PLAYER=AGENT")]
    pub seats: Vec<String>,
}

/// Changes to the rules of a conflict.
#[derive(Args, Debug, Clone)]
pub(crate) struct RuleArguments {
    /// A house rule on top, by name or path (repeatable)
    #[arg(long, value_name = "NAME")]
    pub house: Vec<String>,
    /// A changed parameter (repeatable)
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub params: Vec<String>,
}

/// The seed of chance.
#[derive(Args, Debug, Clone, Copy)]
pub(crate) struct SeedArgument {
    /// The seed of chance; drawn and printed if it is not given
    #[arg(long, global = true, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub seed: Option<u64>,
}

/// How long a command may take.
#[derive(Args, Debug, Clone, Copy)]
pub(crate) struct TimeArgument {
    /// Stop after S seconds, and report what is known by then
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub time: Option<Duration>,
}

/// Whether odds are fractions.
#[derive(Args, Debug, Clone, Copy)]
pub(crate) struct FloatArgument {
    /// Compute in intervals of floats with a proven bound, if fractions grow too long
    #[arg(long)]
    pub float: bool,
}

/// How many playouts are made.
#[derive(Args, Debug, Clone, Copy)]
pub(crate) struct PlayoutsArgument {
    /// How many playouts; up to 10000 until the answer is clear, or with `--within` as many as it takes
    #[arg(short = 'n', value_name = "N", value_parser = one_to::<u64>(u64::MAX), allow_negative_numbers = true)]
    pub n: Option<u64>,
}

/// How many playouts are made, or how close they must come.
#[derive(Args, Debug, Clone)]
pub(crate) struct SamplingArguments {
    #[command(flatten)]
    pub playouts: PlayoutsArgument,
    /// Stop once every 95 % interval is within X of its mean
    #[arg(long, value_name = "X", value_parser = above_zero, allow_negative_numbers = true)]
    pub within: Option<f64>,
    #[command(flatten)]
    pub limit: TimeArgument,
}

/// Which parameters are varied, and what is looked at.
#[derive(Args, Debug)]
pub(crate) struct SweepArguments {
    /// One or two parameters: `faces=1..8` (8 included), `faces=1..9..2`, `tie=a,b`, or `tie` for all
    #[arg(required = true, value_name = "NAME=VALUES")]
    pub parameters: Vec<String>,
    #[command(flatten)]
    pub sampling: SamplingArguments,
    /// What is plotted: a player, a side, a result, or `result:NAME` (repeatable)
    #[arg(long, value_name = "NAME")]
    pub of: Vec<String>,
    /// Find the value at which a player's or side's utility is nearest to the mean of all players', or a result's odds to 1/2
    #[arg(long, value_name = "NAME")]
    pub balance: Option<String>,
}

/// What is measured of a conflict, and from how many playouts.
#[derive(Args, Debug)]
#[command(mut_args(|argument| match argument.get_id().as_str() {
    "n" => argument.help("How many playouts, if the graph is too large to explore fully; 4000, or with `--within` as many as it takes"),
    "within" => argument.help("Stop once the 95 % intervals of results and utilities are within X of their means"),
    _ => argument,
}))]
pub(crate) struct PortraitArguments {
    #[command(flatten)]
    pub sampling: SamplingArguments,
    /// Only a measure or a group of them; or a number of the outcome, by its path, beside the others (repeatable)
    #[arg(long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
}

/// How long a measurement of speed takes.
#[derive(Args, Debug)]
pub(crate) struct BenchArguments {
    /// CPU seconds to spend on each measurement
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds, allow_negative_numbers = true)]
    pub time: Duration,
}

/// A saved history.
#[derive(Args, Debug)]
pub(crate) struct SavedArguments {
    /// The saved history
    pub file: PathBuf,
    /// Continue under changed rules, to the first divergence
    #[arg(long)]
    pub force: bool,
}

/// A system, or all.
#[derive(Args, Debug)]
pub struct SystemArgument {
    /// The system; without one, all systems
    pub system: Option<String>,
    /// List its functions
    #[arg(long, requires = "system")]
    pub functions: bool,
    /// Show all of it in tables
    #[arg(long, requires = "system", conflicts_with = "functions")]
    pub all: bool,
}

impl SystemArgument {
    pub(crate) fn detail(&self) -> Detail {
        match (self.functions, self.all) {
            (true, _) => Detail::Functions,
            (_, true) => Detail::All,
            _ => Detail::Screen,
        }
    }
}

/// Something that the handbook documents, or all.
#[derive(Args, Debug)]
pub struct DocumentedArgument {
    /// A function, a family, a system, a clause of its rules; without one, the index
    #[arg(value_name = "NAME")]
    pub documented: Option<String>,
    /// Of a system: a function, a clause of its rules, or a word in them
    #[arg(value_name = "FUNCTION|CLAUSE")]
    pub clause: Option<String>,
}

impl DocumentedArgument {
    /// The name that is looked up: `territory.T4` for `territory` and `T4`.
    pub(crate) fn word(&self) -> Option<String> {
        let name = self.documented.as_ref()?;
        Some(match &self.clause {
            Some(part) => format!("{name}.{part}"),
            None => name.clone(),
        })
    }
}

impl ScenarioArguments {
    /// The arguments as they may be typed again.
    pub(crate) fn as_typed(&self) -> String {
        let mut words = vec![self.scenario.clone()];
        let RuleArguments { house, params } = &self.rules;
        let all = [("--house", house), ("--param", params), ("--seat", &self.seats)];
        for (option, values) in all {
            words.extend(values.iter().map(|value| format!("{option} {}", shell_word(value))));
        }
        words.join(" ")
    }

    /// The command that plays one playout of this again, by its own seed, without people.
    pub(crate) fn again(&self, rules: &[PathBuf], conflict: &Conflict, seed: u64) -> String {
        let mut scenario = self.clone();
        let seats = &conflict.seats;
        if seats.values().any(|agent| agent == HUMAN) {
            // Later seats go before earlier ones.
            let seat = |(seat, agent): (&String, &String)| {
                format!("{seat}={}", conflict.agent_or_default(agent))
            };
            scenario.seats = seats.iter().map(seat).collect();
        }
        let folders = rules.iter().map(|folder| folder.display().to_string());
        let folders: String =
            folders.map(|folder| format!("--rules {} ", shell_word(&folder))).collect();
        format!("fracas {folders}play {} --seed {seed}", scenario.as_typed())
    }

    pub(crate) fn changes(&self) -> Result<Changes, Error> {
        Changes::read(&self.rules.house, &self.rules.params, &self.seats)
    }
}

impl RuleArguments {
    /// Whether nothing is changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.house.is_empty() && self.params.is_empty()
    }

    /// The changes as they were typed.
    pub(crate) fn words(&self) -> Vec<String> {
        [&self.house[..], &self.params].concat()
    }
}

impl SweepArguments {
    /// The parameters with all their values checked.
    pub(crate) fn swept(&self, conflict: &Conflict) -> Result<Vec<Swept>, Error> {
        let specs = ParamSpecs::read(conflict.folder.params()?.as_ref())?;
        let swept = Swept::read(&self.parameters, &specs)?;
        if self.balance.is_some() && swept.len() > 1 {
            return Err(Error::usage("`--balance` searches over one parameter, not two"));
        }
        Ok(swept)
    }

    /// What is balanced, and what is looked at.
    pub(crate) fn targets(&self, players: &Players) -> (Option<Target>, Vec<Target>) {
        let target = |word: &String| Target::read(word, players);
        let balanced = self.balance.as_ref().map(target);
        let mut targets: Vec<Target> = self.of.iter().map(target).collect();
        if targets.is_empty() {
            targets.extend(balanced.clone());
        }
        (balanced, targets)
    }
}

/// More playouts than this are not made for an interval.
const MOST_PLAYOUTS: u64 = 1_000_000_000;

impl PortraitArguments {
    /// How many playouts are made under a seed, on this many threads.
    pub(crate) fn sampling(&self, threads: usize, seed: u64) -> Sampling {
        let asked = self.sampling.sampling(threads, seed);
        match asked.enough {
            Enough::Clear => Sampling { n: Portraying::PLAYOUTS, enough: Enough::All, ..asked },
            Enough::All | Enough::Within(_) => asked,
        }
    }
}

impl SamplingArguments {
    /// How many playouts are made under a seed, on this many threads.
    pub(crate) fn sampling(&self, threads: usize, seed: u64) -> Sampling {
        let otherwise = if self.within.is_some() { MOST_PLAYOUTS } else { Sampling::PLAYOUTS };
        let n = self.playouts.n.unwrap_or(otherwise);
        let enough = match (self.within, self.playouts.n) {
            (Some(within), _) => Enough::Within(within),
            (None, Some(_)) => Enough::All,
            (None, None) => Enough::Clear,
        };
        Sampling { seed, n, enough, threads }
    }
}

/// The error of the parser in one line, without its advice; and the word that it suggests.
pub(crate) fn mistake(error: &clap::Error) -> Error {
    let text = error.to_string();
    // The first paragraph is the mistake; advice, usage and help are paragraphs of their own.
    let said = text.lines().take_while(|line| !line.is_empty());
    let said: Vec<&str> = said.map(str::trim).collect();
    let suggested =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
            .into_iter()
            .find_map(|kind| match error.get(kind)? {
                ContextValue::String(word) => Some(word.clone()),
                ContextValue::Strings(words) => words.first().cloned(),
                _ => None,
            });
    let message = said.join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    Error::Usage { message, nearest: suggested }
}
