//! The options that several commands share, and the errors of their parser.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args};

use crate::agents::HUMAN;
use crate::analysis::{Enough, Sampling};
use crate::catalog::SETUP;
use crate::conflict::{Changes, Conflict, Play, RuleChanges, WrittenFile, named};
use crate::error::Error;
use crate::report::shell_word;

/// Reads the name of a file that a command writes.
pub(crate) fn written(kind: WrittenFile) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |path| named(kind, &path).map(|()| path))
}

/// A scenario and what is changed about it.
#[derive(Args, Debug, Clone)]
pub(crate) struct ScenarioArguments {
    #[command(flatten)]
    pub named: SeatedScenario,
    #[command(flatten)]
    pub rules: RuleArguments,
}

/// A scenario and who sits in its seats.
#[derive(Args, Debug, Clone)]
pub(crate) struct SeatedScenario {
    /// `system/name`, or the path of a TOML file
    pub scenario: String,
    /// An agent for a player or side (repeatable)
    #[arg(long = "seat", value_name = "PLAYER=AGENT")]
    pub seats: Vec<String>,
}

/// Changes to the rules of a conflict.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct RuleArguments {
    /// A house rule on top, by name or path (repeatable)
    #[arg(long, value_name = "NAME")]
    pub house: Vec<String>,
    /// A changed parameter (repeatable)
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub params: Vec<String>,
    /// A changed value of the setup, as in `players.red.ore=2` (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// The seed of chance.
#[derive(Args, Debug, Clone, Copy)]
pub(crate) struct SeedArgument {
    /// The seed of chance; drawn and printed if it is not given
    #[arg(long, global = true, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub seed: Option<u64>,
}

/// What the option `--seed` means at the prompt.
pub(crate) const SEED: &str = "The seed of playouts; without it, the one after that of the open conflict, whose own is refused";

/// What the option `--here` does for tools that need all to be known.
pub(crate) const HERE: &str = "Begin at the current place, if nothing is hidden from anybody";

/// How long a command may take.
#[derive(Args, Debug, Clone, Copy, Default)]
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

/// A saved history.
#[derive(Args, Debug)]
pub(crate) struct SavedArguments {
    /// The saved history
    pub file: PathBuf,
    /// Continue under changed rules, to the first divergence
    #[arg(long)]
    pub force: bool,
}

impl ScenarioArguments {
    /// The arguments as they may be typed again.
    pub(crate) fn as_typed(&self) -> String {
        let mut words = vec![self.named.scenario.clone()];
        let RuleArguments { house, params, set } = &self.rules;
        let seats = &self.named.seats;
        let all = [("--house", house), ("--param", params), ("--set", set), ("--seat", seats)];
        for (option, values) in all {
            words.extend(values.iter().map(|value| format!("{option} {}", shell_word(value))));
        }
        words.join(" ")
    }

    /// The command that plays one playout of this again, by its own seed, without people.
    pub(crate) fn again(&self, rules: &[PathBuf], conflict: &Conflict, seed: u64) -> String {
        let mut scenario = self.clone();
        if conflict.seats.values().any(|agent| agent == HUMAN) {
            // Later seats go before earlier ones.
            let seats = conflict.unmanned().map(|(seat, agent)| format!("{seat}={agent}"));
            scenario.named.seats = seats.collect();
        }
        let folders = rules.iter().map(|folder| folder.display().to_string());
        let folders: String =
            folders.map(|folder| format!("--rules {} ", shell_word(&folder))).collect();
        format!("fracas {folders}play {} --seed {seed}", scenario.as_typed())
    }

    pub(crate) fn changes(&self) -> Result<Changes, Error> {
        Changes::read(&self.rules.house, &self.rules.settings(), &self.named.seats)
    }
}

impl RuleArguments {
    /// Whether nothing is changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.house.is_empty() && self.params.is_empty() && self.set.is_empty()
    }

    /// The changes, house rules first.
    pub(crate) fn words(&self) -> Vec<String> {
        [&self.house[..], &self.settings()].concat()
    }

    /// Parameters, then values of the setup.
    pub(crate) fn settings(&self) -> Vec<String> {
        [&self.params[..], &in_setup(&self.set)].concat()
    }
}

/// Values of the setup as settings, which begin with `setup.`.
pub(crate) fn in_setup(set: &[String]) -> Vec<String> {
    let one = |word: &String| format!("{SETUP}{}", word.strip_prefix(SETUP).unwrap_or(word));
    set.iter().map(one).collect()
}

/// More playouts than this are not made for an interval.
const MOST_PLAYOUTS: u64 = 1_000_000_000;

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

impl RuleArguments {
    /// One of the changes, by its number among all, house rules first.
    pub(crate) fn one(&self, number: usize) -> RuleArguments {
        let settings = self.settings();
        let one = number.checked_sub(self.house.len()).and_then(|at| settings.get(at));
        RuleArguments {
            house: self.house.get(number).cloned().into_iter().collect(),
            params: one.cloned().into_iter().collect(),
            set: Vec::new(),
        }
    }

    /// The changes to the rules of the open conflict; `-NAME` is without a house rule.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a house rule that is not in force, [`Error::Usage`] for one that is already.
    pub(crate) fn over(&self, play: &Play) -> Result<RuleChanges, Error> {
        let mut laid = play.conflict.rules.house().to_vec();
        for house in &self.house {
            match house.strip_prefix('-') {
                Some(name) => _ = laid.remove(laid_at(&laid, name)?),
                // Laid twice it would change twice what it changes.
                None if laid.contains(house) => {
                    return Err(Error::usage(format!(
                        "`{house}` is already in force; `--house -{house}` removes it"
                    )));
                }
                None => laid.push(house.clone()),
            }
        }
        let params = Changes::read(&[], &self.settings(), &[])?.params;
        Ok(RuleChanges { house: (!self.house.is_empty()).then_some(laid), params })
    }
}

/// Where a house rule is among those in force: by its name, or by that of its file.
pub(crate) fn laid_at(laid: &[String], name: &str) -> Result<usize, Error> {
    let stem = |one: &String| Path::new(one).file_stem().is_some_and(|stem| stem == name);
    let at = laid.iter().position(|one| one == name).or_else(|| laid.iter().position(stem));
    at.ok_or_else(|| Error::unknown("house rule in force", name, laid.iter().map(String::as_str)))
}

/// Lets a house rule be taken away by `-NAME`.
pub(crate) fn or_without(argument: Arg) -> Arg {
    match argument.get_id() == "house" {
        true => argument
            .allow_hyphen_values(true)
            .help("A house rule on top, by name or path; `-NAME` is without one (repeatable)"),
        false => argument,
    }
}

// Numbers on a command line, each with the error that says what it must be.

pub(crate) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}

/// A whole number from 1 to this one.
pub(crate) fn one_to<T: TryFrom<u64>>(most: u64) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("must be a whole number from 1 to {most}"))
    }
}

/// A number of things.
pub(crate) fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "must be a whole number of 0 or more".to_owned())
}

/// A number above 0.
pub(crate) fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "must be a number above 0, as in 0.01".to_owned())
}

/// A time in seconds; one that no duration is long enough for is as long as there is.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    above_zero(text).map(|time| Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX))
}
