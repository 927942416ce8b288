//! The arguments of `tournament`, `standings` and `merge`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::tournament::Shard;

/// `fracas tournament`.
#[derive(Args, Debug)]
pub(crate) struct TournamentCommand {
    /// The spec: scenarios, agents, format; `--seed` takes the place of its seed
    #[arg(value_name = "SPEC.toml")]
    pub spec: PathBuf,
    /// Keep the results in this file; without it, beside the spec, with `.db` for `.toml`
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Play only this part of the schedule: 2/7 is the second of seven
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Play all pairings, and compute none that is small enough; the same as `exact = false` in the spec
    #[arg(long)]
    pub no_exact: bool,
    /// What else is written.
    #[command(flatten)]
    pub written: WrittenArguments,
}

/// `fracas standings`.
#[derive(Args, Debug)]
pub(crate) struct StandingsArguments {
    /// The file of results, also while a tournament writes it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What else is written.
    #[command(flatten)]
    pub written: WrittenArguments,
}

/// `fracas merge`.
#[derive(Args, Debug)]
pub(crate) struct MergeCommand {
    /// The files of the shards; one given twice counts once
    #[arg(required = true, value_name = "FILE")]
    pub parts: Vec<PathBuf>,
    /// The file that is to have all of it; it must not be there yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// What else is written.
    #[command(flatten)]
    pub written: WrittenArguments,
}

/// What is written of a tournament, beside its results.
#[derive(Args, Debug)]
pub(crate) struct WrittenArguments {
    /// Write a page that tells all of it
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Write every game that counts: as JSON where the name ends in `.json`, else as CSV with a row for
    /// each seat
    #[arg(long, value_name = "FILE")]
    pub games: Option<PathBuf>,
}

impl WrittenArguments {
    /// All files that are written, each with the option that asks for it.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let all = [("`--report`", &self.report), ("`--games`", &self.games)];
        all.into_iter().filter_map(|(what, path)| Some((what, path.as_deref()?)))
    }
}
