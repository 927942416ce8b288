//! What changed rules do to options and functions: dead options that are used now, clauses that run more often.

use std::collections::BTreeSet;
use std::ops::AddAssign;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::certainty::{Certainty, Tested, none_against};
use super::measure_changes::of_sums;
use crate::analysis::portrait::choice::OptionUse;
use crate::analysis::portrait::followed_playouts::OF_A_CONFLICT;
use crate::analysis::portrait::length::function_name;
use crate::analysis::portrait::{ClauseUse, Portrait};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptionChange {
    pub player: String,
    /// The name of the decision.
    pub question: String,
    pub option: String,
    /// As the rules are, the share of the decisions that offer it in which nothing is better; null where
    /// none does.
    pub base: Option<f64>,
    /// The same under the changed rules.
    pub house: Option<f64>,
    /// Whether it was dead and is alive, or the other way round, or it is offered or no more; `same` where
    /// only the shares differ.
    pub becomes: Becomes,
    /// By Fisher's exact test, which counts the up to four decisions of one conflict as one.
    #[serde(flatten)]
    pub tested: Tested,
}

/// What an option is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Becomes {
    Same,
    /// Best somewhere, and it was best nowhere.
    Alive,
    /// Best nowhere, and it was best somewhere.
    Dead,
    Offered,
    /// Not offered any more.
    Gone,
}

/// What became of a function of the rules: how often it runs in a conflict, on average.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClauseChange {
    #[serde(flatten)]
    pub of: FunctionUse<f64>,
    #[serde(flatten)]
    pub tested: Tested,
}

/// A function of the rules, and how often each side runs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionUse<N> {
    /// The clause of the rules that the comment above it begins with, if it does.
    pub clause: Option<String>,
    pub function: String,
    /// The house rule that it belongs to, if it belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// How often it runs as the rules are.
    pub base: N,
    /// How often it runs under the changed rules.
    pub house: N,
}

impl<N> FunctionUse<N> {
    pub(super) fn in_words(&self) -> String {
        function_name(self.clause.as_deref(), &self.function, self.rule.as_deref())
    }

    /// Whether no person knows it: it has no clause, and is of no house rule.
    pub(crate) fn is_nameless(&self) -> bool {
        self.clause.is_none() && self.rule.is_none()
    }
}

/// What became of the options of both sides, question by question.
pub(super) fn options(base: &Portrait, house: &Portrait) -> Vec<OptionChange> {
    type Question<'a> = (&'a str, &'a str);
    fn asks(portrait: &Portrait) -> BTreeSet<Question<'_>> {
        portrait.options.iter().map(|one| (&*one.player, &*one.question)).collect()
    }
    let mut both: IndexMap<(Question<'_>, &str), [Option<&OptionUse>; 2]> = IndexMap::new();
    for (side, portrait) in [base, house].into_iter().enumerate() {
        for one in &portrait.options {
            let question: Question<'_> = (&one.player, &one.question);
            both.entry((question, &one.option)).or_default()[side] = Some(one);
        }
    }
    // Where nobody asks at all there is nothing to say of its options.
    let (first, second) = (asks(base), asks(house));
    both.retain(|(asked, _), _| first.contains(asked) && second.contains(asked));
    let change = |(((player, question), option), [one, other]): (
        (Question<'_>, &str),
        [Option<&OptionUse>; 2],
    )| {
        let (becomes, p) = becomes(one, other);
        let tested = match p {
            Some(p) => Tested::sampled(p, becomes == Becomes::Same),
            None if becomes == Becomes::Same => Tested::default(),
            None => Tested::known(Certainty::Sure),
        };
        OptionChange {
            player: player.to_owned(),
            question: question.to_owned(),
            option: option.to_owned(),
            base: one.map(|one| one.best),
            house: other.map(|one| one.best),
            becomes,
            tested,
        }
    };
    both.into_iter().map(change).collect()
}

/// What an option is now; from playouts with a p-value.
fn becomes(one: Option<&OptionUse>, other: Option<&OptionUse>) -> (Becomes, Option<f64>) {
    let sampled = one.or(other).is_some_and(|one| one.weighed.is_some());
    let p = |p: f64| sampled.then_some(p);
    let (Some(one), Some(other)) = (one, other) else {
        // That a few playouts offer it not does not say that none does.
        let is = if one.is_none() { Becomes::Offered } else { Becomes::Gone };
        return if sampled { (Becomes::Same, p(1.0)) } else { (is, None) };
    };
    let count = |one: &OptionUse| one.weighed.unwrap_or_default();
    let best = |one: &OptionUse| (one.best * count(one) as f64).round() as u64;
    // Decisions of one conflict depend on each other: at worst all that were weighed say the same.
    let against = |none: u64, some: u64, n: u64| {
        none_against(none / OF_A_CONFLICT, some / OF_A_CONFLICT, n / OF_A_CONFLICT)
    };
    match (one.is_dead(), other.is_dead()) {
        (true, false) if other.best > 0.0 => {
            (Becomes::Alive, p(against(count(one), best(other), count(other))))
        }
        (false, true) if one.best > 0.0 => {
            (Becomes::Dead, p(against(count(other), best(one), count(one))))
        }
        _ => (Becomes::Same, p(1.0)),
    }
}

/// A function: the clause of the rules that it is of, its name, and the house rule that it belongs to.
pub(crate) type Name = (Option<String>, String, Option<String>);

/// The functions of both sides, in their order: where a house rule's function runs in place of that of the
/// rules, both are one.
pub(crate) fn side_by_side<N: Copy + Default + AddAssign + PartialOrd>(
    base: impl Iterator<Item = (Name, N)>,
    house: impl Iterator<Item = (Name, N)>,
) -> Vec<FunctionUse<N>> {
    let mut found: Vec<FunctionUse<N>> = Vec::new();
    let none = N::default();
    let base = base.map(|(name, often)| (name, often, none));
    let house = house.map(|(name, often)| (name, none, often));
    for ((clause, function, rule), base, house) in base.chain(house) {
        let is = |one: &&mut FunctionUse<N>| (&one.function, &one.rule) == (&function, &rule);
        if let Some(known) = found.iter_mut().find(is) {
            known.base += base;
            known.house += house;
            continue;
        }
        found.push(FunctionUse { clause, function, rule, base, house });
    }
    let replaced =
        |one: &FunctionUse<N>| one.rule.is_none() && one.base > none && one.house == none;
    let old: Vec<FunctionUse<N>> = found.iter().filter(|one| replaced(one)).cloned().collect();
    for FunctionUse { clause, function, base, .. } in old {
        let new = found.iter_mut().find(|one| {
            let is_new = one.rule.is_some() && one.base == none && one.house > none;
            one.function == function && is_new
        });
        if let Some(new) = new {
            new.base = base;
            new.clause = clause.or(new.clause.take());
            found.retain(|one| one.function != function || !replaced(one));
        }
    }
    found
}

/// What became of the functions of both sides, in the order of the text.
pub(super) fn clauses(base: &Portrait, house: &Portrait) -> Vec<ClauseChange> {
    // Where one side was stopped before its functions were counted, nothing is known of them.
    if base.clauses.is_empty() || house.clauses.is_empty() {
        return Vec::new();
    }
    let runs = |portrait: &Portrait| {
        let all = portrait.clauses.clone().into_iter();
        all.map(|ClauseUse { clause, function, house, runs }| ((clause, function, house), runs))
    };
    let found = side_by_side(runs(base), runs(house));
    let change = |of: FunctionUse<f64>| ClauseChange { of, tested: Tested::default() };
    let mut found: Vec<ClauseChange> = found.into_iter().map(change).collect();
    let sampled = base.n > 0 || house.n > 0;
    if !sampled {
        /// Sums of floats miss each other by their last digits.
        const ROUNDING: f64 = 1e-9;
        for one in &mut found {
            let near = ROUNDING * one.of.base.abs().max(1.0);
            let differs = (one.of.house - one.of.base).abs() > near;
            if differs {
                one.tested = Tested::known(Certainty::Sure);
            }
        }
        return found;
    }
    // A side that was stopped has fewer; the first ones of both are pairs.
    let n = base.runs.replayed.min(house.runs.replayed);
    for one in &mut found {
        let values = |portrait: &Portrait, rule: &Option<String>| {
            portrait.runs.of.get(&(one.of.function.clone(), rule.clone())).cloned()
        };
        let none = || vec![0.0; n];
        // What a house rule replaces is the function of the rules.
        let first = values(base, &one.of.rule)
            .or_else(|| values(base, &None).filter(|_| one.of.base > 0.0));
        let (first, second) = (first.unwrap_or_else(none), values(house, &one.of.rule));
        let second = second.unwrap_or_else(none);
        let apart: Vec<f64> = first.iter().zip(&second).map(|(a, b)| b - a).collect();
        let untested = || Tested::sampled(1.0, one.of.base == one.of.house);
        one.tested = of_sums(&apart, false).map_or_else(untested, |(_, tested)| tested);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_of_one_conflict_count_as_one() {
        let weighed = |count: u64, best: f64| OptionUse {
            player: "red".to_owned(),
            question: "pick".to_owned(),
            option: "a".to_owned(),
            offered: 1.0,
            best,
            weighed: Some(count),
        };
        // Best in 8 of 40, and never in 40: those are 2 of 10, and none of 10. Of 20 balls both drawn
        // are in one urn of 10 with a chance of (10/20) (9/19), twice.
        let (dead, alive) = (weighed(40, 0.0), weighed(40, 0.2));
        for (one, other, becomes) in
            [(&dead, &alive, Becomes::Alive), (&alive, &dead, Becomes::Dead)]
        {
            let (is, p) = super::becomes(Some(one), Some(other));
            assert_eq!(is, becomes);
            assert!((p.unwrap() - 9.0 / 19.0).abs() < 1e-12, "{p:?}");
        }
    }
}
