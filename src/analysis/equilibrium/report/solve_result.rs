//! The result of solving a conflict, for people and for programs: the solution or why there is none, and
//! the curve of what was learned. A solution is printed with its values first, then the strategy, the most
//! reached information sets first, with drawings of what players see there.

use std::collections::BTreeMap;

use num_traits::Zero;
use serde::{Serialize, Serializer};

use super::super::forms::game_kind::GameKind;
use super::super::methods::learner::LearningProgress;
use super::super::{Choice, Solution, SolutionNumber, StrategyLine};
use super::accuracy::Accuracy;
use crate::graph::{Explorer, Unseen, view_at};
use crate::render::{self, Plot, Point, Series};
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
    /// It was solved.
    Found {
        #[serde(flatten)]
        solution: &'a Solution,
        /// The number of nodes of the graph.
        nodes: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<&'a GameKind>,
        /// The iterations of regret minimisation; 0 where nothing was learned.
        iterations: u64,
        /// The progress of regret minimisation.
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        course: &'a [LearningProgress],
        /// How likely, at most, a single roll exceeds what is listed of dice that have no last value.
        #[serde(skip_serializing_if = "Zero::is_zero")]
        cut_off_per_roll: f64,
        /// Answers of the same step that players are not shown before they are asked.
        unseen: &'a [Unseen],
    },
    /// It was not.
    Unsolved {
        /// Always `false`.
        exact: bool,
        /// The number of nodes of the graph that were explored. Null where a bound of memory ended that: how
        /// many fit differs with the threads.
        nodes: Option<u64>,
        /// Why there is no solution, for people.
        reason: &'a str,
        /// The kind of game, if it was found out.
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<&'a GameKind>,
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
            Err(reason) => SolvedJson::Unsolved { exact: false, nodes, reason, kind },
        };
        json.serialize(serializer)
    }
}

impl Solved {
    /// For people: what fits on two screens, or all.
    pub fn as_text(&self, width: usize, plain: bool, all: bool) -> String {
        let kind = self
            .kind
            .as_ref()
            .zip(self.nodes)
            .map(|(kind, nodes)| format!("{}, {}\n", kind.words, render::many(nodes, "node")));
        let mut kind = kind.unwrap_or_default();
        for unseen in self.unseen.iter().take(PROBLEMS_SHOWN) {
            kind.push_str(&format!("{}\n", render::wrapped(&unseen.words(), width)));
        }
        if let Some(more @ 1..) = self.unseen.len().checked_sub(PROBLEMS_SHOWN) {
            kind.push_str(&format!("and {more} answers more are not seen (`--json`)\n"));
        }
        match &self.found {
            Ok(solution) => solution.as_text_about(&kind, width, plain, all),
            Err(why) => format!("{kind}{}", render::wrapped(&format!("no solution: {why}"), width)),
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
    let point = |(x, y): (f64, f64)| Point { x, y: y.log10(), range: None };
    Series { name: name.to_owned(), points: points.map(point).collect() }
}

/// Curves of an exploitability over `x`.
pub(crate) fn curves(x: &str, series: Vec<Series>) -> Plot {
    Plot {
        title: format!("exploitability by {x}"),
        x: x.to_owned(),
        y: "log10 of exploitability".to_owned(),
        series,
        ..Plot::default()
    }
}

/// The most information sets that are drawn.
const DRAWN: usize = 24;

/// The most equilibria whose values are printed where not all is.
const VALUES: usize = 8;

/// How many lines fit on two screens, without those that say what kind of game it is.
const LINES: usize = 46;

/// Parts of a text with an empty line between them, as many as fit on two screens.
pub(crate) struct Screens {
    parts: Vec<String>,
    lines: usize,
    /// Whether there is room for all.
    all: bool,
}

impl Screens {
    pub(crate) fn new(all: bool) -> Screens {
        Screens { parts: Vec::new(), lines: 0, all }
    }

    /// Adds a part in any case.
    pub(crate) fn add(&mut self, part: String) {
        self.lines += part.lines().count() + 1;
        self.parts.push(part);
    }

    /// Whether there is room for a part, with a last line about the rest.
    pub(crate) fn fits(&self, part: &str) -> bool {
        self.all || part.lines().count() < self.room()
    }

    /// How many lines there is room for.
    pub(crate) fn room(&self) -> usize {
        LINES.saturating_sub(self.lines)
    }

    /// Adds parts up to the first for which there is no room, a last line about the rest included; returns how
    /// many were left out.
    pub(crate) fn add_fitting(&mut self, parts: impl ExactSizeIterator<Item = String>) -> usize {
        let count = parts.len();
        for (added, part) in parts.enumerate() {
            if !self.fits(&part) {
                return count - added;
            }
            self.add(part);
        }
        0
    }

    pub(crate) fn text(self) -> String {
        self.parts.join("\n\n")
    }
}

impl Solution {
    /// For people: what it means, then the numbers, as far as they fit on two screens.
    pub fn as_text(&self, width: usize, plain: bool) -> String {
        self.as_text_about("", width, plain, false)
    }

    /// As [`Solution::as_text`], with what kind of game it is between the two; if wanted, with all numbers.
    pub(crate) fn as_text_about(&self, kind: &str, width: usize, plain: bool, all: bool) -> String {
        let mut screens = Screens::new(all);
        screens.add(render::wrapped(&self.meaning(), width));
        screens.add(self.heading());
        screens.add(match self.further.len() {
            0 => {
                let row = |(side, value): (&String, &SolutionNumber)| {
                    vec![side.clone(), value.as_utility()]
                };
                let rows: Vec<Vec<String>> = self.value.iter().map(row).collect();
                render::table(&["side", "value"], &rows, width, plain)
            }
            _ => self.all_values(width, plain, all),
        });
        self.notes.iter().for_each(|note| screens.add(render::wrapped(note, width)));
        let mut left = (0, 0);
        for (number, one) in self.equilibria().enumerate() {
            let (accuracy, alone) = (Accuracy::of(one), self.further.is_empty());
            // The heading is a part of the first information set, so that it is not alone.
            let blocks = one.strategy.iter().enumerate().map(|(at, line)| {
                let text = line.as_text((&accuracy, alone), width, plain);
                match at {
                    0 if !alone => format!("equilibrium {}\n{text}", number + 1),
                    _ => text,
                }
            });
            let count = blocks.len();
            left.0 += if left == (0, 0) { screens.add_fitting(blocks) } else { count };
            left.1 += usize::from(number > 0 && left.0 > 0);
        }
        if let (sets @ 1.., equilibria) = left {
            let sets = render::many(sets as u64, "information set");
            let of = match equilibria {
                0 => String::new(),
                1 => ", some of 1 further equilibrium".to_owned(),
                many => format!(", some of {many} further equilibria"),
            };
            screens.add(format!("… and {sets} more{of} (`--all`, `--json`)"));
        }
        let text = screens.text();
        // The kind of game comes before the method.
        match text.split_once("\n\n") {
            Some((meaning, numbers)) => format!("{meaning}\n\n{kind}{numbers}"),
            None => text,
        }
    }

    /// The value of each equilibrium for each side.
    pub(super) fn all_values(&self, width: usize, plain: bool, all: bool) -> String {
        let mut heads = vec!["equilibrium"];
        heads.extend(self.value.keys().map(String::as_str));
        let row = |(number, one): (usize, &Solution)| {
            let number = (number + 1).to_string();
            let values = one.value.values().map(SolutionNumber::as_utility);
            std::iter::once(number).chain(values).collect()
        };
        let shown = if all { usize::MAX } else { VALUES };
        let rows: Vec<Vec<String>> = self.equilibria().enumerate().take(shown).map(row).collect();
        let mut text = render::table(&heads, &rows, width, plain);
        if let Some(more @ 1..) = (self.further.len() + 1).checked_sub(rows.len()) {
            text.push_str(&format!("\n… and {more} more"));
        }
        text
    }

    /// The method, and how sure it is.
    pub(crate) fn heading(&self) -> String {
        match self.exact {
            true => format!("{}, exact: nobody gains by playing differently", self.method),
            false if self.exploitability.is_infinite() => {
                format!("{}: what a side gains by playing differently is not known", self.method)
            }
            false => {
                let most = render::at_most(self.exploitability);
                format!("{}: no side gains more than {most} by playing differently", self.method)
            }
        }
    }
}

impl StrategyLine {
    /// The expected number of visits, which can exceed 1 if states lead back to each other.
    pub(crate) fn often(&self) -> String {
        match self.reach > 1.0 + 1e-9 {
            true => format!("{} times", render::tidy(self.reach)),
            false => render::share_percent(self.reach.min(1.0)),
        }
    }

    /// The player, the decision and what the player sees: in data, or below it in a picture.
    pub(crate) fn heading(&self, width: usize) -> String {
        let head = format!("{} · {}, reached {}", self.player, self.name, self.often());
        match &self.picture {
            Some(picture) => {
                let room = width.saturating_sub(2);
                let mut text = render::wrapped(&head, width);
                for line in render::wrapped(picture.trim_end(), room).lines() {
                    text.push_str(&format!("\n  {}", line.trim_end()));
                }
                text
            }
            None if self.sees.is_empty() => render::wrapped(&head, width),
            None => render::wrapped(&format!("{head}; sees {}", self.sees), width),
        }
    }

    /// For people: the player, the decision, what the player sees, and the weight of each option; those of
    /// less weight than the accuracy in one line. Only where the equilibrium is `alone`, an option that it does not pick
    /// is never picked, unless it is as good.
    pub(crate) fn as_text(
        &self,
        (accuracy, alone): (&Accuracy<'_>, bool),
        width: usize,
        plain: bool,
    ) -> String {
        let used = self.options.iter().filter(|choice| !choice.weight.is_zero());
        let sure = used.filter(|choice| !accuracy.is_beyond(self, choice));
        let rows: Vec<Vec<String>> = sure.map(Choice::row).collect();
        let mut text = self.heading(width);
        text.push('\n');
        text.push_str(&render::table(&["option", "weight", "utility"], &rows, width, plain));
        let one = |choice: &&Choice| match &choice.dominated {
            Some(by) => format!("{} (`{}` dominates it)", named(&choice.option), named(by)),
            None => format!("{} ({})", named(&choice.option), choice.utility_text()),
        };
        let unused = self.options.iter().filter(|choice| choice.weight.is_zero());
        let (here, never): (Vec<&Choice>, Vec<&Choice>) =
            unused.partition(|choice| !alone || accuracy.is_as_good(self, choice));
        let row = |(word, unused): (&str, Vec<&Choice>)| {
            let all: Vec<String> = unused.iter().map(one).collect();
            (!all.is_empty()).then(|| format!("{word}: {}", all.join(", ")))
        };
        let unused = [("not here", here), ("never", never)].into_iter().filter_map(row);
        for line in accuracy.rest(self).into_iter().chain(unused) {
            text.push('\n');
            text.push_str(&render::wrapped(&line, width));
        }
        text
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
        vec![named(&self.option).to_owned(), self.weight.as_share(), self.utility_text()]
    }
}

/// No longer picture is kept, in bytes.
const LONGEST: usize = 4_000;

/// Draws the first lines of a solution, as far as the rules draw what a player sees. Where two of a
/// decision look the same, the picture says too little, and what is seen is printed as data.
pub(crate) fn draw(solution: &mut Solution, explorer: &Explorer) {
    let rules = explorer.rules();
    let shown = solution.strategy.iter_mut().take(DRAWN);
    let mut drawn: Vec<&mut StrategyLine> = shown.filter(|line| !line.sees.is_empty()).collect();
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
