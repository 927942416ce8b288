//! Which weights of a learned strategy are less than the accuracy that it reached, and so no advice; which
//! options another equilibrium may pick.

use std::collections::HashMap;

use super::super::{Choice, Solution, StrategyLine};
use crate::report;

/// How sure the weights of a solution are.
pub(crate) struct Accuracy<'a> {
    /// What a side may gain at most by playing otherwise; infinite where all weights are meant.
    gain: f64,
    /// Player -> how far its utilities are apart.
    spread: HashMap<&'a str, f64>,
    /// Whether no other equilibrium picks what those that were found do not.
    is_all: bool,
}

/// Greater weights are never taken for what learning left over.
const SMALL: f64 = 0.01;
/// Gains below this are rounding.
const ROUNDING: f64 = 1e-9;

impl<'a> Accuracy<'a> {
    /// All weights are meant.
    pub(crate) fn whole() -> Accuracy<'a> {
        Accuracy { gain: f64::INFINITY, spread: HashMap::new(), is_all: false }
    }

    pub(crate) fn of(solution: &'a Solution) -> Accuracy<'a> {
        let mut range: HashMap<&str, (f64, f64)> = HashMap::new();
        for line in &solution.strategy {
            let (low, high) =
                range.entry(&line.player).or_insert((f64::INFINITY, f64::NEG_INFINITY));
            for choice in &line.options {
                *low = low.min(choice.utility_number);
                *high = high.max(choice.utility_number);
            }
        }
        let gain = if solution.exact { f64::INFINITY } else { solution.exploitability };
        let spread = range.into_iter().map(|(player, (low, high))| (player, high - low));
        let is_all = solution.is_all;
        Accuracy { gain: gain.max(ROUNDING), spread: spread.collect(), is_all }
    }

    /// Whether an option that is picked now and then is worse than another by more than anybody gains: the
    /// more exact the solution, the less often it is picked.
    pub(crate) fn is_worse(&self, line: &StrategyLine, choice: &Choice) -> bool {
        let best = line.options.iter().map(|one| one.utility_number).fold(f64::NAN, f64::max);
        let lost = line.reach.min(1.0) * (best - choice.utility_number);
        self.gain.is_finite() && choice.weight.about() < SMALL && lost > self.gain
    }

    /// Whether another equilibrium may pick an option: as far as is known it is worth as much as the best, and
    /// not all equilibria were found. What is worse against the strategies of the others is in no equilibrium
    /// between two opponents, for each of these is one with the strategies of any other.
    pub(crate) fn is_as_good(&self, line: &StrategyLine, choice: &Choice) -> bool {
        let best = line.options.iter().map(|one| one.utility_number).fold(f64::NAN, f64::max);
        let lost = best - choice.utility_number;
        let nothing = match self.gain.is_finite() {
            true => line.reach.min(1.0) * lost <= self.gain,
            false => lost <= ROUNDING * best.abs().max(1.0),
        };
        nothing && !self.is_all
    }

    /// Whether the weight of an option is above 0 but less than the accuracy: the option is worse, or picked
    /// so seldom that it makes no difference.
    pub(crate) fn is_beyond(&self, line: &StrategyLine, choice: &Choice) -> bool {
        let (weight, spread) = (choice.weight.about(), self.spread.get(line.player.as_str()));
        let little = self.gain.is_finite()
            && weight < SMALL
            && weight * spread.copied().unwrap_or_default() <= self.gain;
        weight > 0.0 && (little || self.is_worse(line, choice))
    }

    /// The options with such weights in a sentence, if there are any.
    pub(crate) fn rest(&self, line: &StrategyLine) -> Option<String> {
        let beyond = line.options.iter().filter(|choice| self.is_beyond(line, choice));
        let weights: Vec<f64> = beyond.map(|choice| choice.weight.about()).collect();
        let most = weights.iter().copied().reduce(f64::max)?;
        let bound = [0.0001, 0.001].into_iter().find(|bound| most < *bound).unwrap_or(SMALL);
        let each = if weights.len() > 1 { " each" } else { "" };
        Some(format!(
            "{}: below {} %{each}, less than the accuracy reached",
            report::many(weights.len() as u64, "more option"),
            bound * 100.0
        ))
    }
}
