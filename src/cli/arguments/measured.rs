//! The arguments of the commands that measure or solve a scenario.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::arguments::{
    BenchArguments, ContrastArguments, PortraitArguments, SamplingArguments, ScenarioArguments,
    SolvingArguments, SolvingFiles, SweepArguments, TimeArgument, TuneArguments,
};
use crate::tournament::Shard;

/// `fracas odds`.
#[derive(Args, Debug)]
pub(crate) struct OddsCommand {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Compute in intervals of floats with a proven bound, if fractions grow too long
    #[arg(long)]
    pub float: bool,
    /// For a campaign, take all of it, not only its first conflict
    #[arg(long)]
    pub whole: bool,
    /// How long it may take.
    #[command(flatten)]
    pub limit: TimeArgument,
}

/// `fracas portrait`.
#[derive(Args, Debug)]
pub(crate) struct PortraitCommand {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// What is measured.
    #[command(flatten)]
    pub portrait: PortraitArguments,
}

/// `fracas exploit`.
#[derive(Args, Debug)]
pub(crate) struct ExploitCommand {
    /// What is played; the perfect opponent sits where no agent is seated by `--seat`.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// How long it may take.
    #[command(flatten)]
    pub limit: TimeArgument,
}

/// `fracas estimate`.
#[derive(Args, Debug)]
pub(crate) struct EstimateCommand {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// How many playouts.
    #[command(flatten)]
    pub sampling: SamplingArguments,
}

/// `fracas compare`.
#[derive(Args, Debug)]
#[command(mut_arg("n", |n| n.help(ContrastArguments::PLAYOUTS)))]
pub(crate) struct CompareCommand {
    /// What is played, and what is changed about it; seats are the same on both sides.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// How many playouts, where exact odds are out of reach.
    #[command(flatten)]
    pub sampling: SamplingArguments,
    /// What is compared beside the odds.
    #[command(flatten)]
    pub contrast: ContrastArguments,
    /// Compute in intervals of floats with a proven bound, if fractions grow too long
    #[arg(long)]
    pub float: bool,
}

/// `fracas sweep`.
#[derive(Args, Debug)]
pub(crate) struct SweepCommand {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// The parameters and what is looked at.
    #[command(flatten)]
    pub sweep: SweepArguments,
    /// Write what is plotted to a file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// `fracas tune`.
#[derive(Args, Debug)]
pub(crate) struct TuneCommand {
    /// What is played, and what is the same for all candidates.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// What is varied, and what is wanted.
    #[command(flatten)]
    pub tune: TuneArguments,
}

/// `fracas solve`.
#[derive(Args, Debug, Clone)]
#[command(mut_arg("time", |time| {
    time.help("Stop after S seconds; with changes, half of them are for the conflict as it is")
}))]
pub(crate) struct SolveCommand {
    /// What is solved, whoever sits in its seats; with changes, as it is and changed.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// What is written.
    #[command(flatten)]
    pub files: SolvingFiles,
    /// How it is solved.
    #[command(flatten)]
    pub solving: SolvingArguments,
}

/// `fracas bench`.
#[derive(Args, Debug)]
pub(crate) struct BenchCommand {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// How long it takes.
    #[command(flatten)]
    pub bench: BenchArguments,
}

// The arguments of `tournament`, `standings` and `merge`.

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
    pub(crate) no_exact: bool,
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
    /// The new file for all of it; it must not exist yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// What else is written.
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
