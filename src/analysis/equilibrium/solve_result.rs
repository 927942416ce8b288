//! The result of solving a conflict, for people and for programs: the solution or why there is none, and
//! the curve of what was learned. A solution is printed with its values first, then the strategy, the most
//! reached information sets first, with drawings of what players see there.

use std::collections::{BTreeMap, HashMap};

use num_traits::Zero;
use serde::{Serialize, Serializer};

use super::board::GameKind;
use super::learner::LearningProgress;
use super::{Choice, Solution, StrategyLine};
use crate::graph::{Explorer, Unseen, view_at};
use crate::number::Quantity;
use crate::report::{self, Block, Plot, Point, Report, Series};
use crate::script::State;

/// A conflict that was to be solved.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The number of nodes of the graph that were explored, unless a bound of memory ended that.
    pub nodes: Option<u64>,
    /// The kind of game, if it was found out.
    pub kind: Option<GameKind>,
    /// The solution, or why there is none.
    pub found: Result<Solution, String>,
    /// The progress of regret minimisation, report by report; empty if nothing was learned.
    pub course: Vec<LearningProgress>,
    /// Whether the search was stopped by the caller.
    pub interrupted: bool,
    /// Answers of the same step that players are not shown before they are asked.
    pub unseen: Vec<Unseen>,
    /// An upper bound of the probability that a single roll exceeds the listed values of dice
    /// without a last value.
    pub cut_off: f64,
}

/// A conflict that was to be solved, as programs get it.
#[derive(Serialize)]
#[serde(untagged)]
enum SolvedJson<'a> {
    Found {
        #[serde(flatten)]
        solution: &'a Solution,
        nodes: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<&'a GameKind>,
        /// The iterations of regret minimisation; 0 where nothing was learned.
        iterations: u64,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        course: &'a [LearningProgress],
        #[serde(skip_serializing_if = "Zero::is_zero")]
        cut_off_per_roll: f64,
        unseen: &'a [Unseen],
    },
    Unsolved {
        exact: bool,
        /// The number of nodes of the graph that were explored. Null where a bound of memory ended that: how
        /// many fit differs with the threads.
        nodes: Option<u64>,
        reason: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<&'a GameKind>,
        unseen: &'a [Unseen],
    },
}

impl Serialize for Solved {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Solved { nodes, kind, course, unseen, .. } = self;
        let (nodes, kind) = (*nodes, kind.as_ref());
        let json = match &self.found {
            Ok(solution) => SolvedJson::Found {
                solution,
                nodes,
                kind,
                iterations: course.last().map_or(0, |progress| progress.iterations),
                course,
                cut_off_per_roll: self.cut_off,
                unseen,
            },
            Err(reason) => SolvedJson::Unsolved { exact: false, nodes, reason, kind, unseen },
        };
        json.serialize(serializer)
    }
}

impl Solved {
    /// For people, what fits on two screens, or all; and for programs.
    pub fn report(&self, all: bool) -> Report<'_> {
        Report::of(self, self.blocks(all))
    }

    pub(super) fn blocks(&self, all: bool) -> Vec<Block> {
        let kind = self.kind.as_ref().zip(self.nodes);
        let kind = kind.map(|(kind, n)| format!("{}, {}", kind.words, report::many(n, "node")));
        let mut known: Vec<Block> = kind.into_iter().map(Block::Sentence).collect();
        let unseen = self.unseen.iter().take(PROBLEMS_SHOWN).map(Unseen::words);
        known.extend(unseen.map(Block::Sentence));
        if let Some(more @ 1..) = self.unseen.len().checked_sub(PROBLEMS_SHOWN) {
            let more = format!("and {more} answers more are not seen (`--json`)");
            known.push(Block::Sentence(more));
        }
        match &self.found {
            Ok(solution) => solution.blocks(known, all),
            Err(why) => {
                known.push(Block::Sentence(format!("no solution: {why}")));
                vec![Block::Group(known)]
            }
        }
    }
}

/// The most unseen answers that are listed for people.
const PROBLEMS_SHOWN: usize = 6;

impl Solved {
    /// The exploitability over the seconds passed; `None` if nothing was learned.
    pub(crate) fn curve(&self, name: &str) -> Option<Series> {
        let point =
            |progress: &LearningProgress| (progress.taken.as_secs_f64(), progress.exploitability);
        let series = falling(name, self.course.iter().map(point));
        (!self.course.is_empty()).then_some(series)
    }
}

/// Points of an exploitability as powers of ten, since it falls through many of them. An
/// exploitability of 0 has no logarithm and is left out.
pub(crate) fn falling(name: &str, points: impl Iterator<Item = (f64, f64)>) -> Series {
    let point = |(x, y): (f64, f64)| Point { x, y: y.log10(), range: None, proven: false };
    Series { name: name.to_owned(), points: points.map(point).collect() }
}

pub(crate) fn curves(x: &str, series: Vec<Series>) -> Plot {
    Plot {
        title: format!("exploitability by {x}"),
        x: x.to_owned(),
        y: "log10 of exploitability".to_owned(),
        series,
        ..Plot::default()
    }
}

const DRAWN: usize = 24;

/// The most equilibria whose values are printed where not all is.
const VALUES: usize = 8;

impl Solution {
    /// For people, what fits on two screens, or all; and for programs.
    pub fn report(&self, all: bool) -> Report<'_> {
        Report::of(self, self.blocks(Vec::new(), all))
    }

    /// For people: what it means, then, below what is known of the game, the numbers, as far as they fit on two
    /// screens, or all.
    fn blocks(&self, mut known: Vec<Block>, all: bool) -> Vec<Block> {
        let free = known.len();
        known.push(Block::Sentence(self.heading()));
        let row = |(side, value): (&String, &Quantity)| vec![side.clone(), value.as_utility()];
        let mut blocks = vec![
            Block::Sentence(self.meaning()),
            Block::Group(known),
            match self.further.len() {
                0 => Block::table(["side", "value"], self.value.iter().map(row)),
                _ => self.all_values(all),
            },
        ];
        blocks.extend(self.notes.iter().map(Block::sentence));
        let alone = self.further.is_empty();
        let accuracies: Vec<Accuracy<'_>> = self.equilibria().map(Accuracy::of).collect();
        let (mut sets, mut ends) = (Vec::new(), Vec::new());
        for (number, one) in self.equilibria().enumerate() {
            let lines = one.strategy.iter().enumerate();
            // The heading is a part of the first information set, so that it is not alone.
            sets.extend(lines.map(|(at, line)| (line, number, at == 0 && !alone)));
            ends.push(sets.len());
        }
        let sets = sets.into_iter().map(|(line, number, headed)| {
            let block = line.block((&accuracies[number], alone));
            let title = headed.then(|| Block::Title(format!("equilibrium {}", number + 1)));
            Block::Group(title.into_iter().chain([block]).collect())
        });
        if all {
            blocks.extend(sets);
            return blocks;
        }
        let count = sets.len();
        blocks.push(Block::fold(sets, (0, free), move |shown| {
            let sets = report::many((count - shown) as u64, "information set");
            let of = match ends.iter().skip(1).filter(|end| **end > shown).count() {
                0 => String::new(),
                1 => ", some of 1 further equilibrium".to_owned(),
                many => format!(", some of {many} further equilibria"),
            };
            format!("… and {sets} more{of} (`--all`, `--json`)")
        }));
        blocks
    }

    pub(super) fn all_values(&self, all: bool) -> Block {
        let header = std::iter::once("equilibrium").chain(self.value.keys().map(String::as_str));
        let row = |(number, one): (usize, &Solution)| {
            let number = (number + 1).to_string();
            let values = one.value.values().map(Quantity::as_utility);
            std::iter::once(number).chain(values).collect()
        };
        let shown = if all { usize::MAX } else { VALUES };
        let mut blocks =
            vec![Block::table(header, self.equilibria().enumerate().take(shown).map(row))];
        if let Some(more @ 1..) = (self.further.len() + 1).checked_sub(shown) {
            blocks.push(Block::Sentence(format!("… and {more} more")));
        }
        Block::Group(blocks)
    }

    /// The method, and how sure it is.
    pub(crate) fn heading(&self) -> String {
        match self.exact {
            true => format!("{}, exact: nobody gains by playing differently", self.method),
            false if self.exploitability.is_infinite() => {
                format!("{}: what a side gains by playing differently is not known", self.method)
            }
            false => {
                let most = report::at_most(self.exploitability);
                format!("{}: no side gains more than {most} by playing differently", self.method)
            }
        }
    }
}

impl StrategyLine {
    /// The expected number of visits, which can exceed 1 if states lead back to each other.
    pub(crate) fn often(&self) -> String {
        match self.reach > 1.0 + 1e-9 {
            true => format!("{} times", report::tidy(self.reach)),
            false => report::share_percent(self.reach.min(1.0)),
        }
    }

    /// What the best option is worth.
    fn most(&self) -> f64 {
        self.options.iter().map(|one| one.utility_number).fold(f64::NAN, f64::max)
    }

    /// The player, the decision and what the player sees: in data, or below it in a picture.
    pub(crate) fn heading(&self) -> Vec<Block> {
        let head = format!("{} · {}, reached {}", self.player, self.name, self.often());
        match &self.picture {
            Some(picture) => vec![Block::Title(head), Block::Picture(picture.clone())],
            None if !self.differs() => vec![Block::Title(head)],
            None => vec![Block::Title(format!("{head}; sees {}", self.sees()))],
        }
    }

    /// For people: the player, the decision, what the player sees, and the weight of each option; those of less weight
    /// than the accuracy in one line. Only where the equilibrium is `alone`, an option that it does not pick is never
    /// picked, unless it is as good.
    pub(crate) fn block(&self, (accuracy, alone): (&Accuracy<'_>, bool)) -> Block {
        let used = self.options.iter().filter(|choice| choice.weight_number != 0.0);
        let sure = used.filter(|choice| !accuracy.is_beyond(self, choice));
        let mut blocks = self.heading();
        blocks.push(Block::table(["option", "weight", "utility"], sure.map(Choice::row)));
        let one = |choice: &&Choice| match &choice.dominated {
            Some(by) => format!("{} (`{}` dominates it)", named(&choice.option), named(by)),
            None => format!("{} ({})", named(&choice.option), choice.utility.as_utility()),
        };
        let unused = self.options.iter().filter(|choice| choice.weight_number == 0.0);
        let (here, never): (Vec<&Choice>, Vec<&Choice>) =
            unused.partition(|choice| !alone || accuracy.is_as_good(self, choice));
        let row = |(word, unused): (&str, Vec<&Choice>)| {
            let all: Vec<String> = unused.iter().map(one).collect();
            (!all.is_empty()).then(|| format!("{word}: {}", all.join(", ")))
        };
        let unused = [("not here", here), ("never", never)].into_iter().filter_map(row);
        blocks.extend(accuracy.rest(self).into_iter().chain(unused).map(Block::Sentence));
        Block::Group(blocks)
    }
}

/// An option as people type it. A solution keeps the texts of options, among them those of true and false.
pub(crate) fn named(option: &str) -> &str {
    match option {
        "true" => "yes",
        "false" => "no",
        other => other,
    }
}

impl Choice {
    fn row(&self) -> Vec<String> {
        vec![named(&self.option).to_owned(), self.weight.as_share(), self.utility.as_utility()]
    }
}

/// No longer picture is kept, in bytes.
const LONGEST: usize = 4_000;

/// Draws the first lines of a solution, as far as the rules draw what a player sees. Where two of a
/// decision look the same, the picture says too little, and what is seen is printed as data.
pub(crate) fn draw(solution: &mut Solution, explorer: &Explorer) {
    let rules = explorer.rules();
    let shown = solution.strategy.iter_mut().take(DRAWN);
    let mut drawn: Vec<&mut StrategyLine> = shown.filter(|line| line.differs()).collect();
    for line in &mut drawn {
        let view = view_at(explorer, line.node);
        // A picture may fail on a view that is no full state.
        let picture = view.and_then(|view| rules.picture(&State::from_value(&view)).ok().flatten());
        line.picture =
            picture.filter(|picture| !picture.trim().is_empty() && picture.len() <= LONGEST);
    }
    let mut alike: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    let key =
        |line: &StrategyLine| Some((line.player.clone(), line.name.clone(), line.picture.clone()?));
    for key in drawn.iter().filter_map(|line| key(line)) {
        *alike.entry(key).or_default() += 1;
    }
    for line in drawn {
        if key(line).is_some_and(|key| alike[&key] > 1) {
            line.picture = None;
        }
    }
}

// Which weights of a learned strategy are less than the accuracy that it reached, and so no advice; which
// options another equilibrium may pick.

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
        let lost = line.reach.min(1.0) * (line.most() - choice.utility_number);
        self.gain.is_finite() && choice.weight_number < SMALL && lost > self.gain
    }

    /// Whether another equilibrium may pick an option: as far as is known it is worth as much as the best, and
    /// not all equilibria were found. What is worse against the strategies of the others is in no equilibrium
    /// between two opponents, for each of these is one with the strategies of any other.
    pub(crate) fn is_as_good(&self, line: &StrategyLine, choice: &Choice) -> bool {
        let best = line.most();
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
        let (weight, spread) = (choice.weight_number, self.spread.get(line.player.as_str()));
        let little = self.gain.is_finite()
            && weight < SMALL
            && weight * spread.copied().unwrap_or_default() <= self.gain;
        weight > 0.0 && (little || self.is_worse(line, choice))
    }

    /// The options with such weights in a sentence, if there are any.
    pub(crate) fn rest(&self, line: &StrategyLine) -> Option<String> {
        let beyond = line.options.iter().filter(|choice| self.is_beyond(line, choice));
        let weights: Vec<f64> = beyond.map(|choice| choice.weight_number).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_power_of_ten_is_a_step_down() {
        let plot = curves("seconds", vec![falling("a", [(1.0, 0.1), (2.0, 0.001)].into_iter())]);
        let points: Vec<(f64, f64)> =
            plot.series[0].points.iter().map(|point| (point.x, point.y)).collect();
        assert_eq!(points, [(1.0, -1.0), (2.0, -3.0)]);
        // What is not exploitable at all is nowhere on the axis.
        let none = curves("seconds", vec![falling("a", [(1.0, 0.0)].into_iter())]);
        assert!(none.svg().starts_with("<svg"));
    }
}
