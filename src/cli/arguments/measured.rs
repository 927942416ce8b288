//! The arguments of the commands that measure or solve a scenario.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{
    BenchArguments, ContrastArguments, PortraitArguments, SamplingArguments, ScenarioArguments,
    SolvingArguments, SolvingFiles, SweepArguments, TimeArgument, TuneArguments,
};

/// `fracas odds`.
#[derive(Args, Debug)]
pub(crate) struct OddsCommand {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Compute in intervals of floats with a proven bound, where fractions grow too long
    #[arg(long)]
    pub float: bool,
    /// Of a campaign, take all of it, not its first conflict alone
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
    /// Compute in intervals of floats with a proven bound, where fractions grow too long
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
    time.help("Stop after so many seconds; with changes, half of them are for the conflict as it is")
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
