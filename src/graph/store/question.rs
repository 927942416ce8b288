//! Questions and endings as the graph stores them, each once under a number.

use std::cell::Cell;
use std::sync::atomic::Ordering;

use indexmap::IndexMap;

use crate::error::Cut;
use crate::game::{self, Distribution, Outcome, Value};
use crate::graph::Graph;

/// Different endings may take this many bytes under any bound: 64 MiB.
const ENDINGS: u64 = 64 << 20;
/// What one takes beside its texts, and for each of its players.
const ENDING: u64 = 256;
const PLAYER: u64 = 64;

impl Graph {
    /// An upper bound on the probability that a single roll is outside its list, for dice without a
    /// last value; 0 if all lists are complete.
    pub fn cut_off(&self) -> f64 {
        let cut = |(_, question): (u32, &StoredQuestion)| match &question.offer {
            Offer::Chance(falls) => falls.beyond(),
            Offer::Options(_) => None,
        };
        self.questions.iter().filter_map(cut).fold(0.0, f64::max)
    }

    /// The number of an ending.
    ///
    /// # Errors
    /// [`Cut::Memory`] for a new one where the others take all the memory that there is, or [`ENDINGS`] if
    /// that is more.
    pub(crate) fn number_of(&self, ending: Ending) -> Result<u32, Cut> {
        let key = ending.key();
        // All texts are kept twice, once in the key.
        let players = ending.utility.len() as u64;
        let (own, made) = (ENDING + PLAYER * players + 2 * key.len() as u64, Cell::new(0));
        let most = self.words.bound().max(ENDINGS);
        let fits = |more| self.of_endings.load(Ordering::Relaxed) + more + own <= most;
        let make = || {
            made.set(own);
            ending
        };
        let number = self.endings.number(&key, make, fits);
        self.grew(made.get());
        self.of_endings.fetch_add(made.get(), Ordering::Relaxed);
        number.ok_or_else(|| self.full())
    }
}

/// A question, without where it was asked.
#[derive(Clone, Debug)]
pub struct StoredQuestion {
    /// The player, or the roller.
    pub who: String,
    /// The name of the decision or roll.
    pub name: String,
    pub offer: Offer,
    /// Which part of a joint decision this is, if it is one: the number of the player asked, from 0,
    /// and how many are asked.
    pub part: Option<(usize, usize)>,
}

/// What a question offers.
#[derive(Clone, Debug)]
pub enum Offer {
    Options(Vec<Value>),
    Chance(Distribution),
}

impl StoredQuestion {
    /// Its name and who is asked, in brackets, as what follows a sentence about its place.
    pub(crate) fn in_brackets(&self) -> String {
        format!(" (`{}` asked of `{}`)", self.name, self.who)
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.values().len()
    }

    /// Whether there is none; never so at a node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What can be answered, in order.
    pub fn values(&self) -> &[Value] {
        match &self.offer {
            Offer::Options(options) => options,
            Offer::Chance(distribution) => distribution.values(),
        }
    }

    pub(crate) fn is_chance(&self) -> bool {
        matches!(self.offer, Offer::Chance(_))
    }
}

impl game::Question<'_> {
    pub(in crate::graph) fn stored(&self) -> StoredQuestion {
        match self {
            game::Question::Decision(decision, part) => StoredQuestion {
                who: decision.player.to_owned(),
                name: decision.name.to_owned(),
                offer: Offer::Options(decision.options.values()),
                part: *part,
            },
            game::Question::Chance(chance) => StoredQuestion {
                who: chance.roller.to_owned(),
                name: chance.name.to_owned(),
                offer: Offer::Chance(chance.distribution.clone()),
                part: None,
            },
        }
    }

    /// What distinguishes this question from others: each part of it has its length before it, or a
    /// length of its own.
    pub(in crate::graph) fn key(&self) -> Vec<u8> {
        let mut key = Vec::with_capacity(512);
        match self {
            game::Question::Decision(decision, part) => {
                let (nth, of) = part.unwrap_or_default();
                write_number(of + 1, &mut key);
                write_number(nth, &mut key);
                write_text(decision.player, &mut key);
                write_text(decision.name, &mut key);
                write_number(decision.options.len(), &mut key);
                decision.options.write_key(&mut key);
            }
            game::Question::Chance(chance) => {
                let falls = chance.distribution;
                write_number(0, &mut key);
                write_number(falls.beyond().is_some().into(), &mut key);
                write_text(chance.roller, &mut key);
                write_text(chance.name, &mut key);
                for (value, weight) in falls.values().iter().zip(falls.weights()) {
                    write_value(value, &mut key);
                    let digits = weight.iter_u64_digits();
                    write_number(digits.len(), &mut key);
                    digits.for_each(|digit| key.extend(digit.to_le_bytes()));
                }
            }
        }
        key
    }
}

fn write_number(number: usize, key: &mut Vec<u8>) {
    key.extend((number as u32).to_le_bytes());
}

/// Writes a text that no other text begins with.
pub(in crate::graph) fn write_text(text: &str, key: &mut Vec<u8>) {
    write_number(text.len(), key);
    key.extend(text.bytes());
}

pub(in crate::graph) fn write_value(value: &Value, key: &mut Vec<u8>) {
    match value {
        Value::Int(number) => {
            key.push(0);
            key.extend(number.to_le_bytes());
        }
        other => {
            key.push(1);
            write_text(&other.literal(), key);
        }
    }
}

/// What matters of an outcome: its result in a word, and each player's number, exactly as the
/// rules gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The result in a word.
    pub result: String,
    /// Player -> utility: a whole number, a float, or a fraction as a pair.
    pub utility: IndexMap<String, Value>,
}

impl Ending {
    /// What matters of an outcome.
    pub fn of(outcome: &Outcome) -> Ending {
        Ending { result: outcome.result.clone(), utility: outcome.exact.clone() }
    }

    pub(in crate::graph) fn key(&self) -> Vec<u8> {
        let mut key = Vec::with_capacity(64);
        write_text(&self.result, &mut key);
        for (player, number) in &self.utility {
            write_text(player, &mut key);
            write_value(number, &mut key);
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::Budget;

    #[test]
    fn different_endings_take_no_more_memory_than_there_is() {
        let graph = Graph::new(String::new(), &Budget::default().within(1 << 20));
        let ending = |number: u64| Ending {
            result: format!("{number}{}", "x".repeat(100_000)),
            utility: IndexMap::new(),
        };
        // Each takes its text twice, once as its key: 64 MiB have room for some 330.
        let count =
            (0..1_000).take_while(|number| graph.number_of(ending(*number)).is_ok()).count();
        assert!((250..336).contains(&count), "{count}");
        assert!(graph.of_endings.load(Ordering::Relaxed) <= ENDINGS);
        assert_eq!(graph.number_of(ending(7)), Ok(7), "what is there already takes nothing");
        assert!(matches!(graph.number_of(ending(2_000)), Err(Cut::Memory(_))));
    }
}
