//! The arguments of comparisons beside those of the odds.

use clap::Args;

use super::RuleArguments;

/// What is compared beside the odds, and how much of it is shown.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct ContrastArguments {
    /// Compare only a measure of `portrait` or a group of them; or a number of the outcome, by its path, beside the others (repeatable)
    #[arg(long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Show what did not change, too
    #[arg(long)]
    pub all: bool,
}

impl ContrastArguments {
    /// What `-n` means for a comparison.
    pub(crate) const PLAYOUTS: &str = "How many pairs of playouts, and so many for the portrait of each side; up to 10000 pairs until the odds are clear, and 2000 for portraits";
}

impl RuleArguments {
    /// One of the changes, by its number among all, house rules first.
    pub(crate) fn one(&self, number: usize) -> RuleArguments {
        let param = number.checked_sub(self.house.len()).and_then(|at| self.params.get(at));
        RuleArguments {
            house: self.house.get(number).cloned().into_iter().collect(),
            params: param.cloned().into_iter().collect(),
        }
    }
}
