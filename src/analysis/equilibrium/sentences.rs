//! What a solution means, in sentences: what to do, what never to do, what it is worth, and what house
//! rules change about that.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::solve_result::{Accuracy, named};
use super::{Solution, StrategyLine};
use crate::graph::SeenPart;
use crate::number::Quantity;
use crate::report;

/// Information sets that are reached with less chance say nothing about what to do.
const REACHED: f64 = 1e-6;
/// At most this many decisions are named, this many options of each, and this many that are never picked.
const DECISIONS: usize = 4;
const OPTIONS: usize = 3;
const NEVER: usize = 8;
/// What is seen is part of a sentence up to this length.
const SEES: usize = 40;

/// How often each option of a decision is picked, of the times that it is offered where play gets.
struct OptionFrequency<'a> {
    player: &'a str,
    name: &'a str,
    reach: f64,
    /// Option -> how often it may be right to pick it.
    picked: IndexMap<&'a str, f64>,
    /// The options that another equilibrium may pick at some line.
    as_good: BTreeSet<&'a str>,
    /// What the player sees at its most reached line, which is where it is asked first, as far as it is plain, and
    /// whether it all is; and what to do there.
    sees: (Vec<String>, bool),
    advice: String,
    /// Whether it is surely asked first there.
    is_first: bool,
    /// Whether another line says something else.
    varies: bool,
    /// How many lines of the strategy it stands for.
    lines: u64,
}

fn decisions<'a>(
    strategies: impl Iterator<Item = (&'a [StrategyLine], Accuracy<'a>)>,
) -> Vec<OptionFrequency<'a>> {
    let mut found: IndexMap<(&str, &str), OptionFrequency<'_>> = IndexMap::new();
    for (strategy, accuracy) in strategies {
        for line in strategy.iter().filter(|line| line.reach > REACHED) {
            let (player, name) = (line.player.as_str(), line.name.as_str());
            let advice = picked_most(line, &accuracy);
            let decision = found.entry((player, name)).or_insert_with(|| OptionFrequency {
                player,
                name,
                reach: 0.0,
                picked: IndexMap::new(),
                as_good: BTreeSet::new(),
                sees: seen_first(line, strategy),
                advice: advice.clone(),
                is_first: line.reach >= 1.0 - REACHED,
                varies: false,
                lines: 0,
            });
            decision.lines += 1;
            decision.reach += line.reach;
            decision.varies |= decision.advice != advice;
            for choice in &line.options {
                let share = match accuracy.is_worse(line, choice) {
                    true => 0.0,
                    false => line.reach * choice.weight_number,
                };
                *decision.picked.entry(named(&choice.option)).or_default() += share;
                if accuracy.is_as_good(line, choice) {
                    decision.as_good.insert(named(&choice.option));
                }
            }
        }
    }
    let mut all: Vec<OptionFrequency<'_>> = found.into_values().collect();
    all.sort_by(|one, other| other.reach.total_cmp(&one.reach));
    all
}

/// What a strategy that is meant as it is says to do; nothing where there is nothing to decide.
pub(crate) fn advice(strategy: &[StrategyLine]) -> Option<String> {
    let decisions = decisions(std::iter::once((strategy, Accuracy::whole())));
    (!decisions.is_empty()).then(|| what_to_do(&decisions))
}

/// What is picked most at an information set, with how often.
fn picked_most(line: &StrategyLine, accuracy: &Accuracy) -> String {
    let mut picked: Vec<(&str, f64)> = line
        .options
        .iter()
        .filter(|choice| !accuracy.is_beyond(line, choice))
        .map(|choice| (named(&choice.option), choice.weight_number))
        .filter(|(_, share)| *share > REACHED)
        .collect();
    picked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    if let [(only, _)] = picked[..] {
        return format!("always {only}");
    }
    let one =
        |(option, share): &(&str, f64)| format!("{option} ({})", report::share_percent(*share));
    report::some_of(picked.iter().map(one), OPTIONS, ", ")
}

impl<'a> OptionFrequency<'a> {
    /// What to do where it is asked first, and how many situations follow in which it may be something else. Of what
    /// is seen there as much as is plain; where that is not all that sets it off, the list of situations has it.
    fn advice(&self) -> String {
        if !self.varies {
            return self.advice.clone();
        }
        let (plain, is_all) = &self.sees;
        let plain = report::cut(&plain.join(", "), SEES);
        if self.is_first || *is_all {
            let sees = if plain.is_empty() { plain } else { format!(", seeing {plain}") };
            let rest = report::many(self.lines - 1, "more situation");
            return format!("first {}{sees}, then {rest}", self.advice);
        }
        let sees = if plain.is_empty() { plain } else { format!(" ({plain})") };
        let all = report::many(self.lines, "situation");
        format!("{} in the first of {all}{sees}", self.advice)
    }

    fn unpicked(&self) -> impl Iterator<Item = &'a str> {
        let unpicked = self.picked.iter().filter(|(_, sum)| **sum <= REACHED * self.reach);
        unpicked.map(|(option, _)| *option)
    }

    /// Those of them that no equilibrium picks.
    fn never(&self) -> impl Iterator<Item = &'a str> {
        self.unpicked().filter(|option| !self.as_good.contains(option))
    }
}

impl Solution {
    /// What to do, what never to do, and what it is worth: a sentence each. Where several equilibria were
    /// found, what to do is that of the first, and the others are of all.
    pub(crate) fn meaning(&self) -> String {
        let decisions = decisions(self.with_accuracy());
        let worth = format!("It is worth {}.", self.worth());
        if decisions.is_empty() {
            return format!("Nobody has anything to decide. {worth}");
        }
        let of_all = self.decisions_of_all();
        let (what, never) = (what_to_do(&decisions), never_to_do(&of_all));
        let right = match of_all.iter().any(|decision| decision.unpicked().next().is_some()) {
            true => "is right or as good",
            false => "is right",
        };
        match self.further.len() {
            0 => {
                let never = never.unwrap_or(format!("nothing, each option {right} at times"));
                format!("What to do: {what}. What never to do: {never}. {worth}")
            }
            more => {
                let count = more + 1;
                let never = never.unwrap_or(format!("nothing, each option {right} in one of them"));
                format!(
                    "What to do in the first of {count} equilibria found: {what}. What never to do in \
                     any of them: {never}. {worth}"
                )
            }
        }
    }

    fn with_accuracy(&self) -> std::iter::Once<(&[StrategyLine], Accuracy<'_>)> {
        std::iter::once((&self.strategy, Accuracy::of(self)))
    }

    fn worth(&self) -> String {
        let ranges = self.value_ranges();
        let one = |(side, [least, greatest]): (&&str, &[&Quantity; 2])| match least == greatest {
            true => format!("{} to {side}", least.as_utility()),
            false => {
                format!("between {} and {} to {side}", least.as_utility(), greatest.as_utility())
            }
        };
        let words = ranges.iter().map(one).collect::<Vec<_>>().join(", ");
        match self.further.len() {
            0 => words,
            more => format!("{words} in the {} equilibria found", more + 1),
        }
    }

    /// The decisions that are reached in some equilibrium found, with how often each option is picked in all.
    fn decisions_of_all(&self) -> Vec<OptionFrequency<'_>> {
        decisions(self.equilibria().flat_map(Solution::with_accuracy))
    }
}

/// The first sentence. Players who are to do the same are together.
fn what_to_do(decisions: &[OptionFrequency<'_>]) -> String {
    let mut alike: IndexMap<(&str, String), Vec<&str>> = IndexMap::new();
    for decision in decisions {
        alike.entry((decision.name, decision.advice())).or_default().push(decision.player);
    }
    let one = |((name, advice), players): (&(&str, String), &Vec<&str>)| {
        format!("{} at `{name}`: {advice}", report::enumerated(players))
    };
    report::some_of(alike.iter().map(one), DECISIONS, "; ")
}

/// What a player sees at a line of a strategy and at no other with the same question: first what sets it off
/// from most of the others. Lists, and what is within something, are left out: nobody reads them in a sentence. And
/// whether nothing was left out.
fn seen_first(line: &StrategyLine, strategy: &[StrategyLine]) -> (Vec<String>, bool) {
    let asked = |other: &&StrategyLine| {
        other.player == line.player && other.name == line.name && !std::ptr::eq(*other, line)
    };
    let mut others: Vec<&StrategyLine> = strategy.iter().filter(asked).collect();
    let (mut words, mut is_all) = (Vec::new(), true);
    while !others.is_empty() {
        let differing =
            |part: &SeenPart| others.iter().filter(|other| !other.seen.contains(part)).count();
        // Of several that set it off from as many, the first.
        let best = line.seen.iter().rev().max_by_key(|part| differing(part));
        let Some(part) = best.filter(|part| differing(part) > 0) else { break };
        match is_plain(part) {
            true => words.push(part.to_string()),
            false => is_all = false,
        }
        others.retain(|other| other.seen.contains(part));
    }
    if !others.is_empty() {
        words.extend(line.remembers());
    }
    (words, is_all)
}

/// Whether a part of what is seen is read like a word: it is no list or map, and not within one.
fn is_plain(part: &SeenPart) -> bool {
    !part.path.contains('.') && !part.literal.starts_with(['[', '{'])
}

/// The second sentence, if there is anything.
fn never_to_do(decisions: &[OptionFrequency<'_>]) -> Option<String> {
    let mut never: IndexMap<(&str, &str), Vec<&str>> = IndexMap::new();
    for decision in decisions {
        for option in decision.never() {
            never.entry((decision.name, option)).or_default().push(decision.player);
        }
    }
    let one = |((name, option), players): (&(&str, &str), &Vec<&str>)| {
        format!("{option} at `{name}` ({})", report::enumerated(players))
    };
    (!never.is_empty()).then(|| report::some_of(never.iter().map(one), NEVER, ", "))
}

/// Options, each with the name of its decision before it.
type NamedOptions<'a> = BTreeSet<(&'a str, &'a str)>;

/// The options that some equilibrium found picks, those that another one may pick, and those that are offered,
/// by the names of their decisions.
fn used(solution: &Solution) -> [NamedOptions<'_>; 3] {
    let [mut used, mut usable, mut offered] = [const { BTreeSet::new() }; 3];
    for decision in solution.decisions_of_all() {
        let name = decision.name;
        usable.extend(decision.as_good.iter().map(|option| (name, *option)));
        for (option, sum) in decision.picked {
            offered.insert((name, option));
            if sum > REACHED * decision.reach {
                used.insert((name, option));
            }
        }
    }
    usable.extend(&used);
    [used, usable, offered]
}

/// What house rules change about which options are picked at all, a sentence for each option.
pub(crate) fn changes(base: &Solution, house: &Solution) -> Vec<String> {
    let [[was, could, offered_before], [is, can, offered]] = [used(base), used(house)];
    let gone =
        was.difference(&can).map(|(name, option)| match offered.contains(&(*name, *option)) {
            true => format!("`{option}` is never used any more at `{name}`."),
            false => format!("`{option}` is not offered any more at `{name}`."),
        });
    let new = is.difference(&could).map(|(name, option)| {
        match offered_before.contains(&(*name, *option)) {
            true => format!("`{option}` is used now at `{name}`, and never was before."),
            false => format!("`{option}` is new at `{name}`, and used."),
        }
    });
    let mut parts: Vec<String> = gone.chain(new).collect();
    if let Some(more @ 1..) = parts.len().checked_sub(NEVER) {
        parts.truncate(NEVER);
        parts.push(format!("{} more come or go.", report::many(more as u64, "option")));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::equilibrium::Choice;
    use crate::game::Value;

    fn line(player: &str, reach: f64, weights: &[(&str, f64)]) -> StrategyLine {
        let choice = |(option, weight): &(&str, f64)| {
            Choice::new(
                &Value::from(*option),
                Quantity::from(*weight),
                Quantity::from(if *weight > 0.0 { 0.0 } else { -1.0 }),
            )
        };
        StrategyLine {
            player: player.to_owned(),
            name: "bid".to_owned(),
            reach,
            options: weights.iter().map(choice).collect(),
            ..StrategyLine::default()
        }
    }

    fn solution(strategy: Vec<StrategyLine>) -> Solution {
        let value =
            [("red".to_owned(), Quantity::from(1.5)), ("blue".to_owned(), Quantity::from(-1.5))];
        Solution { strategy, value: value.into_iter().collect(), ..Solution::default() }
    }

    #[test]
    fn a_solution_says_what_to_do_what_never_and_what_it_is_worth() {
        let mut first = line("red", 1.0, &[("1", 0.5), ("2", 0.5), ("3", 0.0)]);
        // What she sees in both says nothing.
        let mut second = line("red", 0.5, &[("1", 1.0), ("2", 0.0), ("3", 0.0)]);
        let seen = |path: &str, value: i64| SeenPart::from((path.to_owned(), Value::Int(value)));
        first.seen = [seen("hand", 7), seen("round", 1)].into();
        second.seen = [seen("hand", 7), seen("round", 2)].into();
        let solution = solution(vec![
            first,
            second,
            line("blue", 1.0, &[("1", 0.0), ("2", 1.0), ("3", 0.0)]),
            // Where nobody gets, nothing is advised.
            line("blue", 0.0, &[("1", 1.0), ("2", 0.0), ("3", 0.0)]),
        ]);
        let meaning = solution.meaning();
        assert!(
            meaning.starts_with(
                "What to do: red at `bid`: first 1 (50.00 %), 2 (50.00 %), seeing round: 1, then 1 more \
                 situation; blue at `bid`: always 2. What never to do: 3 at `bid` (red and blue), 1 at `bid` \
                 (blue). It is worth 1.5"
            ),
            "{meaning}"
        );
    }

    #[test]
    fn what_learning_has_not_removed_yet_is_no_advice() {
        // The second loses 1 in a strategy from which nobody gains more than 0.001: at most 1 in 1000 is
        // what is left of it. The third is as good as the first, and 1 in 100,000 of it changes nothing.
        let mut learned = line("red", 1.0, &[("1", 0.99949), ("2", 0.0005), ("3", 1e-5)]);
        for (choice, utility) in learned.options.iter_mut().zip([2.0, 1.0, 2.0]) {
            choice.utility_number = utility;
        }
        let mut solution = solution(vec![learned]);
        solution.exploitability = 0.001;
        let meaning = solution.meaning();
        assert!(
            meaning.starts_with(
                "What to do: red at `bid`: always 1. What never to do: 2 at `bid` (red). "
            ),
            "{meaning}"
        );
        let block = solution.strategy[0].block((&Accuracy::of(&solution), true));
        let line = report::text(&[block], 80, true);
        assert!(
            line.ends_with("2 more options: below 0.1 % each, less than the accuracy reached"),
            "{line}"
        );
        // Where all is exact, small weights are meant.
        solution.exact = true;
        assert!(solution.meaning().contains("1 (99.95 %), 2 (0.05 %), 3 (less than 0.01 %)"));
    }

    #[test]
    fn an_option_as_good_as_a_picked_one_is_not_called_never() {
        let mut shown =
            line("red", 1.0, &[("rock", 0.5), ("clone", 0.0), ("paper", 0.5), ("well", 0.0)]);
        let zero = || Quantity::from(0.0);
        shown.options[1] = Choice::new(&Value::from("clone"), zero(), zero());
        let solution = Solution { exact: true, ..solution(vec![shown]) };
        let meaning = solution.meaning();
        assert!(meaning.contains("What never to do: well at `bid` (red). "), "{meaning}");
        let text = |solution: &Solution| {
            let block = solution.strategy[0].block((&Accuracy::of(solution), true));
            report::text(&[block], 80, true)
        };
        assert!(
            text(&solution).ends_with("not here: clone (0)\nnever: well (-1)"),
            "{}",
            text(&solution)
        );
        // House rules under which it is as good as before have not taken it away, nor brought it.
        let other =
            line("red", 1.0, &[("rock", 0.0), ("clone", 0.5), ("paper", 0.5), ("well", 0.0)]);
        let other = Solution { strategy: vec![other], ..solution.clone() };
        assert_eq!(
            changes(&other, &solution),
            ["`rock` is used now at `bid`, and never was before."]
        );
        assert_eq!(changes(&solution, &other), ["`rock` is never used any more at `bid`."]);
        // Where all equilibria were found, what none of them picks is picked by none.
        let all = Solution { is_all: true, ..solution };
        assert!(
            all.meaning().contains("What never to do: clone at `bid` (red), well at `bid` (red). ")
        );
        assert!(text(&all).ends_with("never: clone (0), well (-1)"), "{}", text(&all));
    }

    #[test]
    fn of_several_equilibria_never_and_worth_are_of_all() {
        let one = |picked: &str, worth: [f64; 2]| {
            let weight = |option| (option, f64::from(u8::from(option == picked)));
            let line = line("red", 1.0, &["1", "2", "3"].map(weight));
            let mut solution = solution(vec![line]);
            for (value, worth) in solution.value.values_mut().zip(worth) {
                *value = Quantity::from(worth);
            }
            solution
        };
        let mut first = one("1", [2.0, 0.5]);
        first.further = vec![one("3", [-1.0, 0.5]), one("1", [0.0, 0.5])];
        assert_eq!(
            first.meaning(),
            "What to do in the first of 3 equilibria found: red at `bid`: always 1. What never to do in any \
             of them: 2 at `bid` (red). It is worth between -1 and 2 to red, 0.5 to blue in the 3 equilibria found."
        );
        // Under other rules what the second equilibrium does is not new.
        assert_eq!(
            changes(&first, &one("3", [0.0, 0.0])),
            ["`1` is never used any more at `bid`."]
        );
    }

    #[test]
    fn what_house_rules_bring_and_take_is_a_sentence() {
        let base = solution(vec![line("red", 1.0, &[("1", 0.5), ("2", 0.5), ("3", 0.0)])]);
        let house = solution(vec![line("red", 1.0, &[("1", 0.0), ("3", 0.5), ("4", 0.5)])]);
        assert_eq!(
            changes(&base, &house),
            [
                "`1` is never used any more at `bid`.",
                "`2` is not offered any more at `bid`.",
                "`3` is used now at `bid`, and never was before.",
                "`4` is new at `bid`, and used.",
            ]
        );
        assert_eq!(changes(&base, &base), [""; 0]);
    }
}
