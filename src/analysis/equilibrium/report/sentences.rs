//! What a solution means, in sentences: what to do, what never to do, what it is worth, and what house
//! rules change about that.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::super::{Choice, Solution, StrategyLine};
use super::solve_result::named;
use crate::render;

/// Information sets that are reached with less chance say nothing about what to do.
const REACHED: f64 = 1e-6;
/// At most this many decisions are named, this many options of each, and this many that are never picked.
const DECISIONS: usize = 4;
const OPTIONS: usize = 3;
const NEVER: usize = 8;

/// How often each option of a decision is picked, of the times that it is offered where play gets.
struct OptionFrequency<'a> {
    player: &'a str,
    name: &'a str,
    /// How often it is reached.
    reach: f64,
    /// Option -> how often it is picked.
    picked: IndexMap<&'a str, f64>,
    /// One of its lines, and whether another one says something else.
    first: &'a StrategyLine,
    varies: bool,
    /// How many lines of the strategy it stands for.
    lines: u64,
}

/// The decisions that are reached, the most reached ones first.
fn decisions(strategy: &[StrategyLine]) -> Vec<OptionFrequency<'_>> {
    let mut found: IndexMap<(&str, &str), OptionFrequency<'_>> = IndexMap::new();
    for line in strategy.iter().filter(|line| line.reach > REACHED) {
        let (player, name) = (line.player.as_str(), line.name.as_str());
        let decision = found.entry((player, name)).or_insert_with(|| OptionFrequency {
            player,
            name,
            reach: 0.0,
            picked: IndexMap::new(),
            first: line,
            varies: false,
            lines: 0,
        });
        decision.lines += 1;
        decision.reach += line.reach;
        let weights = |line: &StrategyLine| -> Vec<(String, f64)> {
            let weight = |one: &Choice| (one.option.clone(), one.weight.about());
            line.options.iter().map(weight).collect()
        };
        decision.varies |= weights(decision.first) != weights(line);
        for choice in &line.options {
            *decision.picked.entry(named(&choice.option)).or_default() +=
                line.reach * choice.weight.about();
        }
    }
    let mut all: Vec<OptionFrequency<'_>> = found.into_values().collect();
    all.sort_by(|one, other| other.reach.total_cmp(&one.reach));
    all
}

impl OptionFrequency<'_> {
    /// What is picked most, with how often.
    fn advice(&self) -> String {
        let mut picked: Vec<(&str, f64)> =
            self.picked.iter().map(|(option, sum)| (*option, sum / self.reach)).collect();
        picked.retain(|(_, share)| *share > REACHED);
        picked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        if let [(only, _)] = picked[..] {
            return format!("always {only}");
        }
        let one =
            |(option, share): &(&str, f64)| format!("{option} ({})", render::share_percent(*share));
        let mut parts: Vec<String> = picked.iter().take(OPTIONS).map(one).collect();
        if let Some(more @ 1..) = picked.len().checked_sub(OPTIONS) {
            parts.push(format!("{more} more"));
        }
        // In a game with something to see there is more to it than how often.
        let varies = match self.varies {
            true => format!(", over {} together", render::many(self.lines, "situation")),
            false => String::new(),
        };
        format!("{}{varies}", parts.join(", "))
    }

    fn never(&self) -> impl Iterator<Item = &str> {
        self.picked
            .iter()
            .filter(|(_, sum)| **sum <= REACHED * self.reach)
            .map(|(option, _)| *option)
    }
}

impl Solution {
    /// What to do, what never to do, and what it is worth: a sentence each.
    pub(crate) fn meaning(&self) -> String {
        let decisions = decisions(&self.strategy);
        let worth: Vec<String> = self
            .value
            .iter()
            .map(|(side, value)| format!("{} to {side}", value.as_utility()))
            .collect();
        let worth = format!("It is worth {}.", worth.join(", "));
        if decisions.is_empty() {
            return format!("Nobody has anything to decide. {worth}");
        }
        format!("{} {} {worth}", what_to_do(&decisions), never_to_do(&decisions))
    }
}

/// The first sentence. Players who are to do the same are together.
fn what_to_do(decisions: &[OptionFrequency<'_>]) -> String {
    let mut alike: IndexMap<(&str, String), Vec<&str>> = IndexMap::new();
    for decision in decisions {
        alike.entry((decision.name, decision.advice())).or_default().push(decision.player);
    }
    let one = |((name, advice), players): (&(&str, String), &Vec<&str>)| {
        format!("{} at `{name}`: {advice}", render::enumerated(players))
    };
    let mut parts: Vec<String> = alike.iter().take(DECISIONS).map(one).collect();
    if let Some(more @ 1..) = alike.len().checked_sub(DECISIONS) {
        parts.push(format!("{more} more"));
    }
    format!("What to do: {}.", parts.join("; "))
}

/// The second sentence. Players are named only where others who are offered an option do pick it.
fn never_to_do(decisions: &[OptionFrequency<'_>]) -> String {
    let mut never: IndexMap<(&str, &str), Vec<&str>> = IndexMap::new();
    for decision in decisions {
        for option in decision.never() {
            never.entry((decision.name, option)).or_default().push(decision.player);
        }
    }
    let offered = |name: &str, option: &str| {
        let offers =
            |one: &&OptionFrequency<'_>| one.name == name && one.picked.contains_key(option);
        decisions.iter().filter(offers).count()
    };
    let one = |((name, option), players): (&(&str, &str), &Vec<&str>)| match players.len()
        == offered(name, option)
    {
        true => format!("{option} at `{name}`"),
        false => format!("{option} at `{name}` ({})", render::enumerated(players)),
    };
    let mut parts: Vec<String> = never.iter().take(NEVER).map(one).collect();
    if let Some(more @ 1..) = never.len().checked_sub(NEVER) {
        parts.push(format!("{more} more"));
    }
    match parts.is_empty() {
        true => "What never to do: nothing, each option is right at times.".to_owned(),
        false => format!("What never to do: {}.", parts.join(", ")),
    }
}

/// Options, each with the name of its decision before it.
type NamedOptions<'a> = BTreeSet<(&'a str, &'a str)>;

/// The options that are picked, and those that are offered, by the names of their decisions.
fn used(strategy: &[StrategyLine]) -> (NamedOptions<'_>, NamedOptions<'_>) {
    let (mut used, mut offered) = (BTreeSet::new(), BTreeSet::new());
    for decision in decisions(strategy) {
        for (option, sum) in decision.picked {
            offered.insert((decision.name, option));
            if sum > REACHED * decision.reach {
                used.insert((decision.name, option));
            }
        }
    }
    (used, offered)
}

/// What house rules change about which options are picked at all, a sentence for each option.
pub(crate) fn changes(base: &Solution, house: &Solution) -> Vec<String> {
    let ((was, offered_before), (is, offered)) = (used(&base.strategy), used(&house.strategy));
    let gone =
        was.difference(&is).map(|(name, option)| match offered.contains(&(*name, *option)) {
            true => format!("`{option}` is never used any more at `{name}`."),
            false => format!("`{option}` is not offered any more at `{name}`."),
        });
    let new = is.difference(&was).map(|(name, option)| {
        match offered_before.contains(&(*name, *option)) {
            true => format!("`{option}` is used now at `{name}`, and never was before."),
            false => format!("`{option}` is new at `{name}`, and used."),
        }
    });
    let mut parts: Vec<String> = gone.chain(new).collect();
    if let Some(more @ 1..) = parts.len().checked_sub(NEVER) {
        parts.truncate(NEVER);
        parts.push(format!("{} more come or go.", render::many(more as u64, "option")));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::equilibrium::SolutionNumber;
    use crate::game::Value;

    fn line(player: &str, reach: f64, weights: &[(&str, f64)]) -> StrategyLine {
        let choice = |(option, weight): &(&str, f64)| {
            Choice::new(
                &Value::from(*option),
                SolutionNumber::Near(*weight),
                SolutionNumber::Near(0.0),
            )
        };
        StrategyLine {
            player: player.to_owned(),
            name: "bid".to_owned(),
            sees: String::new(),
            seen: Vec::new(),
            answered: Vec::new(),
            key: String::new(),
            reach,
            picture: None,
            set: "".into(),
            options: weights.iter().map(choice).collect(),
        }
    }

    fn solution(strategy: Vec<StrategyLine>) -> Solution {
        let value = [
            ("red".to_owned(), SolutionNumber::Near(1.5)),
            ("blue".to_owned(), SolutionNumber::Near(-1.5)),
        ];
        Solution { strategy, value: value.into_iter().collect(), ..Solution::default() }
    }

    #[test]
    fn a_solution_says_what_to_do_what_never_and_what_it_is_worth() {
        let solution = solution(vec![
            // Red picks 1 in a half of 1 and in all of 0.5: in a share of 1 / 1.5 of all.
            line("red", 1.0, &[("1", 0.5), ("2", 0.5), ("3", 0.0)]),
            line("red", 0.5, &[("1", 1.0), ("2", 0.0), ("3", 0.0)]),
            line("blue", 1.0, &[("1", 0.0), ("2", 1.0), ("3", 0.0)]),
            // Where nobody gets, nothing is advised.
            line("blue", 0.0, &[("1", 1.0), ("2", 0.0), ("3", 0.0)]),
        ]);
        let meaning = solution.meaning();
        assert!(
            meaning.starts_with(
                "What to do: red at `bid`: 1 (66.67 %), 2 (33.33 %), over 2 situations together; blue at `bid`: always 2. What never \
                 to do: 3 at `bid`, 1 at `bid` (blue). It is worth 1.5"
            ),
            "{meaning}"
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
