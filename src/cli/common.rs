//! The options that all commands share, such as `--seed`, `--json` and `--threads`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::catalog::Catalog;
use crate::cli::stdin_lines;
use crate::commands::{SeedArgument, one_to};
use crate::error::Error;
use crate::graph::all_threads;
use crate::script::{Budget, Limits, MEMORY};

/// Understood by all commands.
#[derive(Args, Debug, Clone)]
pub(crate) struct CommonArguments {
    /// A folder of rules folders that takes precedence over ./rules and the built-in ones (repeatable)
    #[arg(long, global = true, value_name = "DIR")]
    pub rules: Vec<PathBuf>,
    #[command(flatten)]
    pub chance: SeedArgument,
    /// Print data for programs
    #[arg(long, global = true)]
    pub json: bool,
    /// No boxes, no redraw, no spinner
    #[arg(long, global = true)]
    pub plain: bool,
    /// When to use colours [default: auto]
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    pub color: Option<When>,
    /// Print only data and errors
    #[arg(long, global = true)]
    pub quiet: bool,
    /// How many threads to use; results are the same for any number
    #[arg(long, global = true, value_name = "N", value_parser = one_to::<u16>(u16::MAX.into()), allow_negative_numbers = true)]
    pub threads: Option<u16>,
    /// How much memory the work may take, with its graph and the thoughts of agents: 64M, 2G [default: 1G]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub(crate) graph_memory: Option<u64>,
}

/// When to use colours.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl CommonArguments {
    pub(crate) fn catalog(&self) -> Result<Catalog, Error> {
        Catalog::new(&self.rules)
    }

    /// The seed given, or one that is drawn.
    pub(crate) fn seed(&self) -> u64 {
        self.chance.seed.unwrap_or_else(drawn_seed)
    }

    /// How many threads to use: as many as were asked for, or as the machine has.
    pub(crate) fn threads(&self) -> usize {
        self.threads.map_or_else(all_threads, usize::from)
    }

    /// How much memory the work may take, in bytes.
    pub(crate) fn graph_memory(&self) -> u64 {
        self.graph_memory.unwrap_or(MEMORY)
    }

    /// The limits of scripts, and of the work that they are a part of; Ctrl-C stops them.
    pub(crate) fn limits(&self) -> Limits {
        let budget = Budget::new(self.graph_memory()).interrupted_by(Some(stdin_lines::flag()));
        Limits { budget, ..Limits::default() }
    }
}

/// A number of bytes: `64M`, `2G`, `65536`.
pub(super) fn size(text: &str) -> Result<u64, String> {
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
