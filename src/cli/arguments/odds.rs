//! The arguments of `fracas odds`.

use clap::Args;

use super::ScenarioArguments;

/// `fracas odds`.
#[derive(Args, Debug)]
pub struct Odds {
    /// What is played.
    #[command(flatten)]
    pub scenario: ScenarioArguments,
    /// Compute in intervals of floats with a proven bound, where fractions grow too long
    #[arg(long)]
    pub float: bool,
    /// Of a campaign, take all of it, not its first conflict alone
    #[arg(long)]
    pub whole: bool,
}
