//! What became of options and of functions: dead options that are alive, clauses that run more often.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::certainty::{Certainty, holm, none_against};
use super::combined::{Sampled, of_sums};
use crate::analysis::portrait::choice::OptionUse;
use crate::analysis::portrait::courses::OF_A_CONFLICT;
use crate::analysis::portrait::{ClauseUse, Portrait};

/// What became of an option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OptionChange {
    /// The player.
    pub player: String,
    /// The name of the decision.
    pub question: String,
    /// The option.
    pub option: String,
    /// As the rules are, the share of the decisions that offer it in which nothing is better; null where
    /// none does.
    pub base: Option<f64>,
    /// The same under the changed rules.
    pub house: Option<f64>,
    /// Whether it was dead and is alive, or the other way round, or it is offered or no more; `same` where
    /// only the shares differ.
    pub becomes: Becomes,
    /// From playouts, the p-value by Fisher's exact test, which counts the up to four decisions of one
    /// conflict as one, corrected for the number of options by Holm's method; null where it is exact.
    pub p: Option<f64>,
    /// Whether it is so.
    pub certainty: Certainty,
}

/// What an option is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Becomes {
    /// What it was.
    Same,
    /// Best somewhere, and it was best nowhere.
    Alive,
    /// Best nowhere, and it was best somewhere.
    Dead,
    /// Offered, and it was not.
    Offered,
    /// Not offered any more.
    Gone,
}

/// What became of a function of the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClauseChange {
    /// The clause of the rules that the comment above it begins with, if it does.
    pub clause: Option<String>,
    /// The function.
    pub function: String,
    /// The house rule that it belongs to, if it belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// How often it runs in a conflict as the rules are, on average.
    pub base: f64,
    /// How often it runs under the changed rules.
    pub house: f64,
    /// From playouts, the p-value, corrected for the number of functions by Holm's method; null where the
    /// difference is exact.
    pub p: Option<f64>,
    /// Whether there is a change.
    pub certainty: Certainty,
}

/// What became of the options of both sides, question by question.
pub fn options(base: &Portrait, house: &Portrait) -> Vec<OptionChange> {
    type Key<'a> = (&'a str, &'a str, &'a str);
    let keyed = |portrait: &'_ Portrait| -> BTreeMap<(String, String, String), OptionUse> {
        let key = |one: &OptionUse| (one.player.clone(), one.question.clone(), one.option.clone());
        portrait.options.iter().map(|one| (key(one), one.clone())).collect()
    };
    let asks = |portrait: &Portrait| -> BTreeSet<(String, String)> {
        portrait.options.iter().map(|one| (one.player.clone(), one.question.clone())).collect()
    };
    let (first, second) = (keyed(base), keyed(house));
    let (asked, asks) = (asks(base), asks(house));
    let mut order: Vec<Key<'_>> = Vec::new();
    let mut listed = BTreeSet::new();
    for one in base.options.iter().chain(&house.options) {
        let key = (one.player.as_str(), one.question.as_str(), one.option.as_str());
        if listed.insert(key) {
            order.push(key);
        }
    }
    let mut found = Vec::new();
    for (player, question, option) in order {
        let key = (player.to_owned(), question.to_owned(), option.to_owned());
        let both = (player.to_owned(), question.to_owned());
        // Where nobody asks at all there is nothing to say of its options.
        if !asked.contains(&both) || !asks.contains(&both) {
            continue;
        }
        let (one, other) = (first.get(&key), second.get(&key));
        let (becomes, p) = becomes(one, other);
        found.push(OptionChange {
            player: player.to_owned(),
            question: question.to_owned(),
            option: option.to_owned(),
            base: one.map(|one| one.best),
            house: other.map(|one| one.best),
            becomes,
            p,
            certainty: Certainty::Same,
        });
    }
    let all: Vec<f64> = found.iter().filter_map(|one| one.p).collect();
    let mut corrected = holm(&all).into_iter();
    for one in &mut found {
        let same = one.becomes == Becomes::Same;
        one.certainty = match one.p {
            Some(_) => {
                one.p = corrected.next();
                Certainty::of(one.p.unwrap_or(1.0), same)
            }
            None if same => Certainty::Same,
            None => Certainty::Sure,
        };
    }
    found
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

/// What became of the functions of both sides, in the order of the text.
pub fn clauses(base: &Portrait, house: &Portrait) -> Vec<ClauseChange> {
    let mut found: Vec<ClauseChange> = Vec::new();
    let mut add = |portrait: &Portrait, runs: fn(&mut ClauseChange) -> &mut f64| {
        for ClauseUse { clause, function, house, runs: often } in &portrait.clauses {
            let is = |one: &&mut ClauseChange| one.function == *function && one.rule == *house;
            if let Some(known) = found.iter_mut().find(is) {
                *runs(known) += often;
                continue;
            }
            let (clause, function, rule) = (clause.clone(), function.clone(), house.clone());
            let mut new = ClauseChange {
                clause,
                function,
                rule,
                base: 0.0,
                house: 0.0,
                p: None,
                certainty: Certainty::Same,
            };
            *runs(&mut new) += often;
            found.push(new);
        }
    };
    add(base, |one| &mut one.base);
    add(house, |one| &mut one.house);
    replace(&mut found);
    let sampled = base.n > 0 || house.n > 0;
    if !sampled {
        /// Sums of floats miss each other by their last digits.
        const ROUNDING: f64 = 1e-9;
        for one in &mut found {
            let near = ROUNDING * one.base.abs().max(1.0);
            let differs = (one.house - one.base).abs() > near;
            one.certainty = if differs { Certainty::Sure } else { Certainty::Same };
        }
        return found;
    }
    let n = base.series.replayed;
    let pairs = n == house.series.replayed && n > 0;
    let tested = found.iter().map(|one| {
        if !pairs {
            return None;
        }
        let values = |portrait: &Portrait, rule: &Option<String>| {
            portrait.series.clauses.get(&(one.function.clone(), rule.clone())).cloned()
        };
        let none = || vec![0.0; n];
        // What a house rule replaces is the function of the rules.
        let first =
            values(base, &one.rule).or_else(|| values(base, &None).filter(|_| one.base > 0.0));
        let (first, second) = (first.unwrap_or_else(none), values(house, &one.rule));
        let second = second.unwrap_or_else(none);
        let apart: Vec<f64> = first.iter().zip(&second).map(|(a, b)| b - a).collect();
        of_sums(&apart, false)
    });
    let tested: Vec<Option<Sampled>> = tested.collect();
    let p = |one: &Option<Sampled>| one.as_ref().map_or(1.0, |one| one.p);
    let corrected = holm(&tested.iter().map(p).collect::<Vec<_>>());
    for ((one, tested), p) in found.iter_mut().zip(tested).zip(corrected) {
        one.p = Some(p);
        let same = tested.map_or(one.base == one.house, |tested| tested.same);
        one.certainty = Certainty::of(p, same);
    }
    found
}

/// Where a house rule's function runs in place of that of the rules, both are one.
fn replace(found: &mut Vec<ClauseChange>) {
    let replaced = |one: &ClauseChange| one.rule.is_none() && one.base > 0.0 && one.house == 0.0;
    let old: Vec<ClauseChange> = found.iter().filter(|one| replaced(one)).cloned().collect();
    for old in old {
        let new = found.iter_mut().find(|one| {
            one.function == old.function && one.rule.is_some() && one.base == 0.0 && one.house > 0.0
        });
        if let Some(new) = new {
            new.base = old.base;
            new.clause = old.clause.clone().or(new.clause.take());
            found.retain(|one| one.function != old.function || !replaced(one));
        }
    }
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
