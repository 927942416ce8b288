//! A solution of a conflict: the value of each side, and a strategy from which nobody gains much by
//! deviating.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use super::Figure;
use super::figure::bounds_as_json;
use crate::conflict::Seat;
use crate::game::Value;
use crate::graph::Answered;

/// A solution of a conflict, however it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The method, which also says what kind of solution it is: `backward induction`, `coarse
    /// correlated equilibrium by regret minimisation`, …
    pub method: String,
    /// Whether all numbers are fractions and nobody gains anything by playing otherwise.
    pub exact: bool,
    /// Side -> its expected utility, in the order of the setup.
    pub value: IndexMap<String, Figure>,
    /// The greatest gain that any side has from deviating: no perfect opponent wins more than that
    /// beyond its value. In utility. Never less than the mean of the sides' gains, which others
    /// call by this name (NashConv over the number of sides: Lanctot and others, OpenSpiel, 2019).
    /// Infinite if nothing is known of it, because play may never end or the search was stopped.
    pub exploitability: f64,
    /// Side -> the most that it gains by playing otherwise while all others play as the solution
    /// says, in the order of the setup.
    pub gains: IndexMap<String, f64>,
    /// The strategy at each information set, the most reached ones first.
    pub strategy: Vec<Line>,
    /// For a correlated equilibrium the joint strategies that are drawn for all sides together:
    /// weighted, each with the weights of the options at each information set, by the keys of the
    /// lines.
    pub draw: Vec<(f64, HashMap<String, Vec<f64>>)>,
    /// Further equilibria, if a method finds several; each as this one.
    pub further: Vec<Solution>,
    /// Notes for the reader, one sentence each.
    pub notes: Vec<String>,
    /// Whether the search was stopped before it was as near as required.
    pub interrupted: bool,
}

/// The strategy at one information set.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The player who decides.
    pub player: String,
    /// The name of the decision.
    pub name: String,
    /// The difference from the player's other information sets, in words.
    pub sees: String,
    /// The same as data: the parts of the view that are not the same at all the player's
    /// information sets with this decision, by their paths.
    pub seen: Vec<(String, Value)>,
    /// The player's information beside the view, if the view does not contain it: own answers since
    /// the beginning of the step, and those given for the same side at the same time.
    pub answered: Vec<Answered>,
    /// The player's information as one text: see [`Insight`](crate::graph::Insight). A saved
    /// strategy is looked up by it.
    pub key: String,
    /// The probability of reaching the information set when all play this solution.
    pub reach: f64,
    /// The options, in the order of the rules.
    pub options: Vec<Choice>,
}

/// An option with its weight and its utility.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The option, as people read it.
    pub option: String,
    /// The probability of picking it; the weights of a line sum to 1.
    pub weight: Figure,
    /// The expected utility of the player's side after it, if all else is played as the solution
    /// says.
    pub utility: Figure,
    /// The option that is never worse and sometimes better, if there is one.
    pub dominated: Option<String>,
}

impl Solution {
    /// Sorts the lines: the most reached first, others as they were.
    pub fn sort(&mut self) {
        self.strategy.sort_by(|a, b| b.reach.total_cmp(&a.reach));
        self.further.iter_mut().for_each(Solution::sort);
    }

    /// Brings the values into the order of the seats.
    pub fn bring_into_order(&mut self, seats: &[Seat]) {
        let place = |name: &String| seats.iter().position(|seat| seat.name == *name);
        self.value.sort_by_key(|name, _| place(name).unwrap_or(usize::MAX));
        self.gains.sort_by_key(|name, _| place(name).unwrap_or(usize::MAX));
        self.further.iter_mut().for_each(|solution| solution.bring_into_order(seats));
    }

    /// Whether another solution does the same at all information sets that are reached.
    pub fn plays_as(&self, other: &Solution) -> bool {
        let met = |solution: &Solution| -> Vec<(String, Vec<Figure>)> {
            let met = solution.strategy.iter().filter(|line| line.reach > 0.0);
            let weights = |line: &Line| line.options.iter().map(|c| c.weight.clone()).collect();
            let mut met: Vec<_> = met.map(|line| (line.key.clone(), weights(line))).collect();
            met.sort_by(|a, b| a.0.cmp(&b.0));
            met
        };
        met(self) == met(other)
    }

    /// For programs.
    pub fn as_json(&self) -> Json {
        self.json(false)
    }

    /// For a file from which an agent plays: also with the key of each information set.
    pub fn to_save(&self) -> Json {
        self.json(true)
    }

    fn json(&self, keys: bool) -> Json {
        let value = self.value.iter().map(|(side, value)| (side.clone(), value.as_json()));
        let strategy = self.strategy.iter().map(|line| line.json(keys));
        let mut json = Map::new();
        json.insert("method".to_owned(), self.method.clone().into());
        json.insert("exact".to_owned(), self.exact.into());
        json.insert("value".to_owned(), Json::Object(value.collect()));
        if let Some(bounds) = bounds_as_json(&self.value) {
            json.insert("bounds".to_owned(), bounds);
        }
        let numbers = self.value.iter().map(|(side, value)| (side.clone(), value.about().into()));
        json.insert("value_number".to_owned(), Json::Object(numbers.collect()));
        json.insert("exploitability".to_owned(), self.exploitability.into());
        json.insert("gains".to_owned(), json!(self.gains));
        json.insert("strategy".to_owned(), strategy.collect());
        if !self.draw.is_empty() {
            let joint = |(weight, picks): &(f64, HashMap<String, Vec<f64>>)| {
                let lines = self.strategy.iter().map(|line| picks.get(&line.key));
                json!({ "weight": weight, "strategy": lines.collect::<Vec<_>>() })
            };
            json.insert("draw".to_owned(), self.draw.iter().map(joint).collect());
        }
        if !self.further.is_empty() {
            let further = self.further.iter().map(|solution| solution.json(keys));
            json.insert("further".to_owned(), further.collect());
        }
        if !self.notes.is_empty() {
            json.insert("notes".to_owned(), self.notes.clone().into());
        }
        Json::Object(json)
    }
}

/// The gains of sides, by their names; a side that decides nothing gains nothing.
pub(super) fn named_gains(seats: &[Seat], gains: &[f64]) -> IndexMap<String, f64> {
    let gain = |at: usize| gains.get(at).copied().unwrap_or(0.0).max(0.0);
    seats.iter().enumerate().map(|(at, seat)| (seat.name.clone(), gain(at))).collect()
}

impl Line {
    /// For programs.
    pub fn as_json(&self) -> Json {
        self.json(false)
    }

    fn json(&self, keys: bool) -> Json {
        let mut json = Map::new();
        json.insert("player".to_owned(), self.player.clone().into());
        json.insert("name".to_owned(), self.name.clone().into());
        json.insert("sees".to_owned(), self.sees.clone().into());
        json.insert("seen".to_owned(), json!(self.seen));
        if !self.answered.is_empty() {
            json.insert("answered".to_owned(), json!(self.answered));
        }
        if keys {
            json.insert("key".to_owned(), self.key.clone().into());
        }
        json.insert("reach".to_owned(), self.reach.into());
        json.insert("options".to_owned(), self.options.iter().map(Choice::json).collect());
        Json::Object(json)
    }

    /// The option that is picked most often; of several, the first.
    pub fn best(&self) -> Option<&Choice> {
        self.options.iter().rev().max_by(|a, b| a.weight.about().total_cmp(&b.weight.about()))
    }
}

impl Choice {
    fn json(&self) -> Json {
        let mut json = Map::new();
        json.insert("option".to_owned(), self.option.clone().into());
        json.insert("weight".to_owned(), self.weight.as_json());
        json.insert("utility".to_owned(), self.utility.as_json());
        json.insert("weight_number".to_owned(), self.weight.about().into());
        json.insert("utility_number".to_owned(), self.utility.about().into());
        if let Some(bounds) = self.utility.bounds().filter(|_| self.utility.is_apart()) {
            json.insert("utility_bounds".to_owned(), bounds);
        }
        if let Some(by) = &self.dominated {
            json.insert("dominated_by".to_owned(), by.clone().into());
        }
        Json::Object(json)
    }
}
