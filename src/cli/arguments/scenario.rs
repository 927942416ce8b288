//! The arguments for a scenario and its changes (`--house`, `--seat`, parameters), for the number of
//! playouts, and for a portrait.

use std::time::Duration;

use clap::Args;

use super::Common;
use super::common::{above_zero, seconds};
use crate::agents::HUMAN;
use crate::analysis::{Portraying, Sampling};
use crate::conflict::{Changes, Conflict};
use crate::error::Error;
use crate::render::shell_word;

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

/// How many playouts are made.
#[derive(Args, Debug, Clone)]
pub struct SamplingArguments {
    /// How many playouts; 10000, or with `--within` as many as it takes
    #[arg(short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub n: Option<u64>,
    /// Stop once every 95 % interval is within so much of its mean
    #[arg(long, value_name = "X", value_parser = above_zero, allow_negative_numbers = true)]
    pub within: Option<f64>,
}

/// `fracas portrait`.
#[derive(Args, Debug)]
pub struct Portrait {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// How many playouts where the graph is too large to be seen whole; 4000, or with `--within` as many as it takes
    #[arg(short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub n: Option<u64>,
    /// Stop counting once the 95 % intervals of results and utilities are within so much of their means
    #[arg(long, value_name = "X", value_parser = above_zero, allow_negative_numbers = true)]
    pub within: Option<f64>,
    /// Stop after so many seconds, with what is known by then
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub time: Option<Duration>,
    /// Only a measure or a group of them; or a number of the outcome, by its path, beside the others (repeatable)
    #[arg(long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
}

impl ScenarioArguments {
    /// The arguments as they may be typed again.
    pub fn as_typed(&self) -> String {
        let mut words = vec![self.scenario.clone()];
        let all = [("--house", &self.house), ("--param", &self.params), ("--seat", &self.seats)];
        for (option, values) in all {
            words.extend(values.iter().map(|value| format!("{option} {}", shell_word(value))));
        }
        words.join(" ")
    }

    /// The command that plays one playout of this again, by its own seed; `random` sits in for
    /// people.
    pub fn again(&self, common: &Common, conflict: &Conflict, seed: u64) -> String {
        let mut scenario = self.clone();
        let seats = &conflict.seats;
        if seats.values().any(|agent| agent == HUMAN) {
            // Later seats go before earlier ones.
            let seat = |(seat, agent): (&String, &String)| {
                let agent = if agent == HUMAN { "random" } else { agent };
                format!("{seat}={agent}")
            };
            scenario.seats = seats.iter().map(seat).collect();
        }
        let folders = common.rules.iter().map(|folder| folder.display().to_string());
        let folders: String =
            folders.map(|folder| format!("--rules {} ", shell_word(&folder))).collect();
        format!("fracas {folders}play {} --seed {seed}", scenario.as_typed())
    }

    /// The changes these arguments ask for.
    ///
    /// # Errors
    /// [`Error::Usage`] for what is no `NAME=VALUE`.
    pub fn changes(&self) -> Result<Changes, Error> {
        Changes::read(&self.house, &self.params, &self.seats)
    }
}

/// More playouts than this are not made for an interval.
const MOST_PLAYOUTS: u64 = 1_000_000_000;

impl Portrait {
    /// How many playouts are made under a seed.
    pub fn sampling(&self, common: &Common, seed: u64) -> Sampling {
        let otherwise = if self.within.is_some() { MOST_PLAYOUTS } else { Portraying::PLAYOUTS };
        let n = self.n.unwrap_or(otherwise);
        Sampling { seed, n, within: self.within, threads: common.threads() }
    }
}

impl SamplingArguments {
    /// How many playouts are made under a seed.
    pub fn sampling(&self, common: &Common, seed: u64) -> Sampling {
        let otherwise = if self.within.is_some() { MOST_PLAYOUTS } else { Sampling::PLAYOUTS };
        let n = self.n.unwrap_or(otherwise);
        Sampling { seed, n, within: self.within, threads: common.threads() }
    }
}
