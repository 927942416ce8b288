//! The arguments of the commands that measure or solve a scenario.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::arguments::{
    BenchArguments, ContrastArguments, PortraitArguments, SamplingArguments, ScenarioArguments,
    SolvingArguments, SolvingFiles, SweepArguments, TimeArgument, TuneArguments,
};
use crate::tournament::Shard;

#[derive(Args, Debug)]
pub(crate) struct OddsCommand {
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Compute in intervals of floats with a proven bound, if fractions grow too long
    #[arg(long)]
    pub float: bool,
    /// For a campaign, take all of it, not only its first conflict
    #[arg(long)]
    pub whole: bool,
    #[command(flatten)]
    pub limit: TimeArgument,
}

#[derive(Args, Debug)]
pub(crate) struct PortraitCommand {
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    #[command(flatten)]
    pub portrait: PortraitArguments,
}

#[derive(Args, Debug)]
pub(crate) struct ExploitCommand {
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    #[command(flatten)]
    pub limit: TimeArgument,
}

#[derive(Args, Debug)]
pub(crate) struct EstimateCommand {
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    #[command(flatten)]
    pub sampling: SamplingArguments,
}

#[derive(Args, Debug)]
#[command(mut_arg("n", |n| n.help(ContrastArguments::PLAYOUTS)))]
pub(crate) struct CompareCommand {
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    #[command(flatten)]
    pub sampling: SamplingArguments,
    #[command(flatten)]
    pub contrast: ContrastArguments,
    /// Compute in intervals of floats with a proven bound, if fractions grow too long
    #[arg(long)]
    pub float: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SweepCommand {
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    #[command(flatten)]
    pub sweep: SweepArguments,
    /// Write what is plotted to a file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct TuneCommand {
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    #[command(flatten)]
    pub tune: TuneArguments,
}

/// `fracas solve`.
#[derive(Args, Debug, Clone)]
#[command(mut_arg("time", |time| {
    time.help("Stop after S seconds; with changes, half of them are for the conflict as it is")
}))]
pub(crate) struct SolveCommand {
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    #[command(flatten)]
    pub files: SolvingFiles,
    #[command(flatten)]
    pub solving: SolvingArguments,
}

#[derive(Args, Debug)]
pub(crate) struct BenchCommand {
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    #[command(flatten)]
    pub bench: BenchArguments,
}

// The arguments of `tournament`, `standings` and `merge`.

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
    pub(crate) no_exact: bool,
    #[command(flatten)]
    pub written: WrittenArguments,
}

#[derive(Args, Debug)]
pub(crate) struct StandingsArguments {
    /// The file of results, also while a tournament writes it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub written: WrittenArguments,
}

#[derive(Args, Debug)]
pub(crate) struct MergeCommand {
    /// The files of the shards; one given twice counts once
    #[arg(required = true, value_name = "FILE")]
    pub parts: Vec<PathBuf>,
    /// The new file for all of it; it must not exist yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub written: WrittenArguments,
}

/// What is written of a tournament, beside its results.
#[derive(Args, Debug)]
pub(crate) struct WrittenArguments {
    /// Write a page with all results
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
