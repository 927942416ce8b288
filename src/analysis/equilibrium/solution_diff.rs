//! Compares the solutions of a scenario under its own rules and under house rules, side by side.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use serde::Serialize;

use super::sentences;
use super::solve_result::{Accuracy, named};
use super::{Solution, Solved, StrategyLine};
use crate::graph::SeenPart;
use crate::number::Quantity;
use crate::report::{self, Block, Report, headed};

/// The solution of a scenario, and that of the same under changed rules.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Moved {
    /// Under the scenario's own rules.
    pub base: Solved,
    /// Under the changed ones.
    pub house: Solved,
    /// What differs; left out if either has several equilibria, because it is then not unique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Difference {
    /// Side -> how far its expected utility moved.
    pub value: IndexMap<String, Quantity>,
}

/// Weights that moved by less than this did not move.
const STILL: f64 = 1e-6;

impl Moved {
    pub(crate) fn of(base: Solved, house: Solved) -> Moved {
        let difference = match (&base.found, &house.found) {
            (Ok(base), Ok(house)) if !is_one_of_several(base, house) => {
                let value = differences(base, house);
                let value = value.map(|(side, _, _, difference)| (side.to_owned(), difference));
                Some(Difference { value: value.collect() })
            }
            _ => None,
        };
        Moved { base, house, difference }
    }

    /// For people, values and weights beside each other, as far as they fit on two screens, or all; if the two could
    /// not both be solved, each as it is; and for programs.
    pub(crate) fn report(&self, all: bool) -> Report<'_> {
        let blocks = match (&self.base.found, &self.house.found) {
            (Ok(base), Ok(house)) => beside(base, house, all),
            _ => {
                let sides = [("as it is", &self.base), ("changed", &self.house)];
                sides.into_iter().flat_map(|(word, one)| headed(word, one.blocks(all))).collect()
            }
        };
        Report::of(self, blocks)
    }
}

fn beside(base: &Solution, house: &Solution, all: bool) -> Vec<Block> {
    let sides = [("as it is", base), ("changed", house)];
    let mut blocks = vec![
        Block::Sentence(format!("Under the changed rules: {}", house.meaning())),
        Block::Sentence(sentences::changes(base, house).join(" ")),
    ];
    for (word, solution) in sides {
        blocks.push(Block::Sentence(format!("{word}: {}", solution.heading())));
        blocks.extend(solution.notes.iter().map(Block::sentence));
    }
    let several = is_one_of_several(base, house);
    if several {
        let values = |(word, solution): (&str, &Solution)| {
            Block::Group(vec![Block::title(word), solution.all_values(all)])
        };
        blocks.extend(sides.map(values));
        blocks.push(Block::sentence(
            "where there are several equilibria the rules do not say which one is played, and so \
             there is no one difference; below, the first of each are side by side",
        ));
    } else {
        let values = differences(base, house).map(|(side, was, is, difference)| {
            vec![side.to_owned(), was.as_utility(), is.as_utility(), difference.as_utility()]
        });
        blocks.push(Block::table(["side", "value", "changed", "difference"], values));
    }
    let (was_sure, is_sure) = (Accuracy::of(base), Accuracy::of(house));
    let moves = moves((base, &was_sure), (house, &is_sure));
    if moves.is_empty() && !several {
        blocks.push(Block::sentence("what the players should do does not change"));
    }
    let count = moves.len();
    let shown = moves.into_iter().map(|(was, is)| {
        let was = was.map(|was| (was, &was_sure));
        set_beside(was, (is, &is_sure))
    });
    if all {
        blocks.extend(shown);
        return blocks;
    }
    blocks.push(Block::fold(shown, (0, 0), move |shown| {
        let sets = report::many((count - shown) as u64, "information set");
        format!("… and {sets} more that changed (`--all`, `--json`)")
    }));
    blocks
}

/// Whether one of two solutions is but one of several equilibria.
fn is_one_of_several(base: &Solution, house: &Solution) -> bool {
    !base.further.is_empty() || !house.further.is_empty()
}

/// The value of each side, before, after, and by how much it moved.
fn differences<'a>(
    base: &'a Solution,
    house: &'a Solution,
) -> impl Iterator<Item = (&'a str, &'a Quantity, &'a Quantity, Quantity)> {
    house.value.iter().filter_map(|(side, is)| {
        let was = base.value.get(side)?;
        let difference = match (&was.fraction, &is.fraction) {
            (Some(was), Some(is)) => Quantity::from(&**is - &**was),
            _ => Quantity::from(is.value - was.value),
        };
        Some((side.as_str(), was, is, difference))
    })
}

/// The information sets that are reached and at which the strategy changed; also those that are
/// new. The most reached ones come first.
fn moves<'a>(
    (base, was_sure): (&'a Solution, &Accuracy<'_>),
    (house, is_sure): (&'a Solution, &Accuracy<'_>),
) -> Vec<(Option<&'a StrategyLine>, &'a StrategyLine)> {
    let known = LinesByView::of(base, house);
    let met = |line: &&StrategyLine| line.reach > STILL;
    let both = house.strategy.iter().filter(met).map(|is| (known.line(is), is));
    let moved = |(was, is): &(Option<&StrategyLine>, &StrategyLine)| {
        was.is_none_or(|was| differs((was, was_sure), (is, is_sure)))
    };
    both.filter(moved).collect()
}

/// The lines of a solution, found by what a player sees under other rules. A house rule may add to the
/// state, so what only one of the two knows of is left out.
struct LinesByView<'a> {
    /// By all that is seen.
    same: HashMap<LineKey<'a>, &'a StrategyLine>,
    /// By what both know of; nothing where several lines look alike so.
    common: HashMap<LineKey<'a>, Option<&'a StrategyLine>>,
    /// The paths that both know of, of each decision.
    paths: HashMap<DecisionKey<'a>, HashSet<&'a str>>,
}

/// The player and the decision; with what the player sees, in words.
type DecisionKey<'a> = (&'a str, &'a str);
type LineKey<'a> = (DecisionKey<'a>, String);

fn asked(line: &StrategyLine) -> DecisionKey<'_> {
    (&line.player, &line.name)
}

impl<'a> LinesByView<'a> {
    fn of(base: &'a Solution, house: &'a Solution) -> LinesByView<'a> {
        let paths = |solution: &'a Solution| {
            let mut paths: HashMap<DecisionKey<'a>, HashSet<&'a str>> = HashMap::new();
            for line in &solution.strategy {
                let seen = line.seen.iter().map(|part| &*part.path);
                paths.entry(asked(line)).or_default().extend(seen);
            }
            paths
        };
        let (mut paths, others) = (paths(base), paths(house));
        for (asked, own) in &mut paths {
            own.retain(|path| others.get(asked).is_some_and(|other| other.contains(path)));
        }
        let same = base.strategy.iter().map(|line| ((asked(line), line.sees()), line));
        let mut known = LinesByView { same: same.collect(), common: HashMap::new(), paths };
        for line in &base.strategy {
            let key = (asked(line), known.seen(line));
            known.common.entry(key).and_modify(|one| *one = None).or_insert(Some(line));
        }
        known
    }

    /// What both know of that a player sees there, with what the player remembers.
    fn seen(&self, line: &StrategyLine) -> String {
        let paths = self.paths.get(&asked(line));
        let is_common = |path: &str| paths.is_some_and(|paths| paths.contains(path));
        let seen: Vec<&SeenPart> = line.seen.iter().filter(|part| is_common(&part.path)).collect();
        format!("{seen:?} | {:?}", line.answered)
    }

    /// The line under the old rules at which the player sees the same.
    fn line(&self, is: &'a StrategyLine) -> Option<&'a StrategyLine> {
        let same = self.same.get(&(asked(is), is.sees())).copied();
        same.or_else(|| self.common.get(&(asked(is), self.seen(is))).copied().flatten())
    }
}

type SureLine<'a> = (&'a StrategyLine, &'a Accuracy<'a>);

/// The weight of an option, if it is offered; 0 where it is less than the accuracy.
fn weight((line, accuracy): SureLine<'_>, option: &str) -> Option<f64> {
    let choice = line.options.iter().find(|choice| choice.option == option)?;
    let beyond = accuracy.is_beyond(line, choice);
    Some(if beyond { 0.0 } else { choice.weight_number })
}

fn differs(was: SureLine<'_>, is: SureLine<'_>) -> bool {
    let weight = |line, option: &str| weight(line, option).unwrap_or_default();
    let moved = |option: &str| (weight(was, option) - weight(is, option)).abs() > STILL;
    was.0.options.iter().chain(&is.0.options).any(|choice| moved(&choice.option))
}

fn set_beside(was: Option<SureLine<'_>>, is: SureLine<'_>) -> Block {
    let mut options: Vec<&str> = is.0.options.iter().map(|choice| choice.option.as_str()).collect();
    for choice in was.iter().flat_map(|(line, _)| &line.options) {
        if !options.contains(&choice.option.as_str()) {
            options.push(&choice.option);
        }
    }
    let cell = |line: Option<SureLine<'_>>, option: &str| {
        let found = line.and_then(|(line, _)| line.options.iter().find(|c| c.option == option));
        found.map_or_else(|| "-".to_owned(), |choice| choice.weight.as_share())
    };
    let weighs = |line: Option<SureLine<'_>>, option: &str| {
        line.and_then(|line| weight(line, option)).is_some_and(|weight| weight > 0.0)
    };
    let rows = options
        .into_iter()
        .filter(|option| weighs(was, option) || weighs(Some(is), option))
        .map(|option| vec![named(option).to_owned(), cell(was, option), cell(Some(is), option)]);
    let mut blocks = is.0.heading();
    blocks.push(Block::table(["option", "weight", "changed"], rows));
    Block::Group(blocks)
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::game::Value;

    /// What is seen: path and number.
    type Seen = [(&'static str, i64)];

    fn line(seen: &Seen) -> StrategyLine {
        let part = |(path, value): &(&str, i64)| ((*path).to_owned(), Value::Int(*value)).into();
        StrategyLine {
            player: "ann".to_owned(),
            name: "act".to_owned(),
            seen: seen.iter().map(part).collect(),
            reach: 1.0,
            ..StrategyLine::default()
        }
    }

    fn found(base: &[&Seen], house: &[&Seen]) -> Vec<Option<usize>> {
        let solution = |lines: &[&Seen]| Solution {
            strategy: lines.iter().map(|seen| line(seen)).collect(),
            ..Solution::default()
        };
        let (base, house) = (solution(base), solution(house));
        let known = LinesByView::of(&base, &house);
        let place =
            |line: &StrategyLine| base.strategy.iter().position(|one| std::ptr::eq(one, line));
        house.strategy.iter().map(|line| known.line(line).and_then(place)).collect()
    }

    #[test]
    fn what_a_house_rule_adds_to_the_state_does_not_part_what_was_the_same() {
        // The house rule marks cards; by the cards alone the first is the first, the second the second.
        let base: [&Seen; 2] = [&[("card", 1)], &[("card", 2)]];
        let marked: [&Seen; 3] =
            [&[("card", 1), ("mark", 7)], &[("card", 2), ("mark", 8)], &[("card", 2), ("mark", 9)]];
        assert_eq!(found(&base, &marked), [Some(0), Some(1), Some(1)]);
        // A card that there was not before is new.
        assert_eq!(found(&base, &[&[("card", 3), ("mark", 7)]]), [None]);
        // Where both looked alike by what is left, nobody knows which it was.
        let both: [&Seen; 2] = [&[("card", 1), ("suit", 1)], &[("card", 1), ("suit", 2)]];
        assert_eq!(found(&both, &[&[("card", 1)]]), [None]);
    }
}
