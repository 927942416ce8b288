//! The probability of each result, and what each player can expect.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Not;

use indexmap::{IndexMap, IndexSet};
use num_traits::Zero;
use serde::{Deserialize, Serialize};

use crate::conflict::Seat;
use crate::game::Value;
use crate::graph::Ending;
use crate::number::{Amount, Fraction, Quantity, fraction};
use crate::report::{self, Block};

/// The probability of each result, and each player's expected utility.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Chances {
    /// Result -> its probability, by name.
    pub results: BTreeMap<String, Quantity>,
    /// Player -> expected utility, in the order of the setup where it names them.
    pub utility: IndexMap<String, Quantity>,
    /// The probability of any one result that is not among these, where they were sampled: that it
    /// was never met does not make it impossible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlisted: Option<Quantity>,
    /// How likely, at most, more falls somewhere than what is listed of dice that have no last value;
    /// 0 where all dice have one. No probability of a result is further off than that for it.
    #[serde(default, skip_serializing_if = "Zero::is_zero")]
    pub cut_off: f64,
    /// Whether some utilities are floats of the rules: they are read as the decimals that they print as.
    #[serde(default, rename = "float_utilities", skip_serializing_if = "Not::not")]
    pub floats: bool,
}

impl Chances {
    /// These numbers less others, in fractions or within proven bounds. A result that one side lacks never
    /// occurs there, and a player without utility has none.
    pub(super) fn less(&self, base: &Chances) -> Chances {
        let zero = Quantity::zero();
        let less = |number: Option<&Quantity>, other: Option<&Quantity>| {
            number.unwrap_or(&zero).minus(other.unwrap_or(&zero))
        };
        let results: BTreeSet<&String> = base.results.keys().chain(self.results.keys()).collect();
        let players: IndexSet<&String> = base.utility.keys().chain(self.utility.keys()).collect();
        let result = |name: &String| less(self.results.get(name), base.results.get(name));
        let utility = |name: &String| less(self.utility.get(name), base.utility.get(name));
        Chances {
            results: results.into_iter().map(|name| (name.clone(), result(name))).collect(),
            utility: players.into_iter().map(|name| (name.clone(), utility(name))).collect(),
            unlisted: None,
            cut_off: base.cut_off + self.cut_off,
            floats: base.floats || self.floats,
        }
    }

    /// Sums endings, each with how likely it is, in fractions or within bounds.
    pub fn sum<'a, A: Amount>(endings: impl IntoIterator<Item = (&'a Ending, A)>) -> Chances {
        let mut results: BTreeMap<String, A> = BTreeMap::new();
        let mut utility: IndexMap<String, Quantity> = IndexMap::new();
        let mut floats = false;
        for (ending, chance) in endings {
            results.entry(ending.result.clone()).or_insert_with(A::zero).add_assign(&chance);
            let share = chance.quantity();
            for (player, number) in &ending.utility {
                floats |= matches!(number, Value::Float(float) if float.fract() != 0.0);
                let sum = utility.entry(player.clone()).or_insert_with(|| A::zero().quantity());
                // That it is a number, the outcome's reading has made sure.
                let number = Quantity::exact(fraction(number).unwrap_or_default());
                *sum = sum.plus(&share.times(&number));
            }
        }
        let results = results.into_iter().map(|(name, chance)| (name, chance.quantity()));
        Chances { results: results.collect(), utility, unlisted: None, cut_off: 0.0, floats }
    }

    /// The chances from playouts, by how often each ending came.
    pub fn sampled(tally: &CountedEndings) -> Chances {
        let n = tally.playouts();
        let mut results: BTreeMap<String, u64> = BTreeMap::new();
        let mut players: IndexSet<&String> = IndexSet::new();
        for (ending, count) in tally.iter() {
            *results.entry(ending.result.clone()).or_default() += count;
            players.extend(ending.utility.keys());
        }
        let results = results.into_iter();
        let shares = results.filter_map(|(name, hits)| Some((name, Quantity::share(hits, n)?)));
        let means = players.into_iter().filter_map(|player| {
            // Whom an ending does not name has nothing of it, as in exact odds.
            let of = |ending: &Ending| ending.utility.get(player).and_then(Value::as_utility);
            let mut seen: Vec<(f64, u64)> = tally
                .iter()
                .map(|(ending, count)| (of(ending).unwrap_or_default(), count))
                .collect();
            // The order in which endings were met must not move the last digit.
            seen.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            Some((player.clone(), Quantity::uneven_mean(&seen)?))
        });
        Chances {
            results: shares.collect(),
            utility: means.collect(),
            unlisted: Quantity::share(0, n),
            cut_off: 0.0,
            floats: false,
        }
    }

    /// Lists these results too: those that were not met have the interval of none among all.
    #[must_use]
    pub fn listing<'a>(mut self, names: impl IntoIterator<Item = &'a String>) -> Chances {
        if let Some(never) = &self.unlisted {
            for name in names {
                self.results.entry(name.clone()).or_insert_with(|| never.clone());
            }
        }
        self
    }

    /// Brings the players into an order, those that are in it.
    pub fn in_order<'a>(mut self, players: impl IntoIterator<Item = &'a String>) -> Chances {
        let order: Vec<&String> = players.into_iter().collect();
        let place = |name: &String| order.iter().position(|known| *known == name);
        self.utility.sort_by_key(|name, _| place(name).unwrap_or(usize::MAX));
        self
    }

    /// The widest half of an interval of any number here.
    pub(crate) fn half_width(&self) -> f64 {
        let all = self.results.values().chain(self.utility.values());
        all.map(Quantity::half_width).fold(0.0, f64::max)
    }

    /// Why not every number here is within a distance of its mean, if so: an average that never varied has no
    /// interval, and more playouts need not give it one.
    pub fn missed(&self, within: f64) -> Option<String> {
        let all = || self.results.values().chain(self.utility.values());
        if all().any(|number| !number.is_unvaried() && number.half_width() > within) {
            return Some(format!("not every interval is within {within} yet: raise `-n`"));
        }
        // A result and a player may have the same name.
        let results = self.results.iter().map(|(name, number)| (format!("`{name}`"), number));
        let utility = self.utility.iter();
        let utility = utility.map(|(name, number)| (format!("the utility of `{name}`"), number));
        let same = results.chain(utility).filter(|(_, number)| number.is_unvaried());
        let same: Vec<String> = same.map(|(name, _)| name).collect();
        let means = match same.len() {
            0 => return None,
            1 => "its mean is",
            _ => "their means are",
        };
        let same = report::enumerated(&same);
        Some(format!(
            "{same} never varied in these playouts: it is not known whether {means} within {within}"
        ))
    }

    /// Whether this many playouts are enough for every interval to be within a distance of its mean. An average
    /// that never varied has none, and is not: it is waited for up to [`UNVARIED`].
    pub(crate) fn is_enough(&self, within: f64, playouts: u64) -> bool {
        let all = self.results.values().chain(self.utility.values());
        all.filter(|number| is_waited_for(number, playouts))
            .all(|number| number.half_width() <= within)
    }

    /// The utility whose interval is furthest from being within a distance of its mean, while all results are closer.
    pub(crate) fn waits_for(&self, within: Option<f64>) -> Option<(&String, &Quantity)> {
        let is_waited_for = |number: &&Quantity| is_waited_for(number, number.n());
        let results = self.results.values().filter(is_waited_for);
        let bound = results.map(Quantity::half_width).fold(within?, f64::max);
        let utility = self.utility.iter().filter(|(_, number)| is_waited_for(number));
        let wider = utility.filter(|(_, number)| number.half_width() > bound);
        wider.max_by(|(_, one), (_, other)| one.half_width().total_cmp(&other.half_width()))
    }

    /// Whether every number is known to a percent: of all, or of the spread of utilities. What is the same in
    /// all of a thousand playouts or more is clear to a percent of them.
    pub(crate) fn is_clear(&self, spread: f64) -> bool {
        let within = |most: f64| {
            move |number: &Quantity| number.half_width() <= most || number.is_unvaried()
        };
        self.results.values().all(within(SMALL))
            && self.utility.values().all(within(SMALL * spread))
    }

    /// Whether every number is an exact fraction, of dice that are not cut off.
    pub fn is_exact(&self) -> bool {
        self.cut_off == 0.0 && self.is_in_fractions()
    }

    pub(crate) fn is_in_fractions(&self) -> bool {
        self.results.values().chain(self.utility.values()).all(|number| number.fraction.is_some())
    }

    /// For people: what odds are called that are as sure as these.
    pub fn title(&self) -> &'static str {
        match (self.is_exact(), self.is_in_fractions()) {
            (true, _) => "exact odds",
            (false, true) => "odds with dice cut off",
            (false, false) => "odds, within bounds",
        }
    }

    pub(crate) fn blocks(&self) -> Vec<Block> {
        let results = self.results.iter();
        let results = results.map(|(name, number)| vec![name.clone(), number.as_share()]);
        let utility = self.utility.iter();
        let utility = utility.map(|(name, number)| vec![name.clone(), number.as_utility()]);
        let results = Block::table(["result", "odds"], results);
        vec![
            Block::Group(vec![results, self.unlisted_note()]),
            Block::table(["player", "utility"], utility),
            Block::sentence(if self.floats { FLOATS } else { "" }),
            cut_off_block(self.cut_off),
        ]
    }

    /// For people, below a table of results: how likely those are that it does not list.
    pub(crate) fn unlisted_note(&self) -> Block {
        let text = |never: &Quantity| {
            let bound = report::share_at_most(never.high);
            format!("any result not listed: at most {bound} (95 %)")
        };
        Block::Sentence(self.unlisted.as_ref().map(text).unwrap_or_default())
    }
}

/// Endings, each with how often it came; one that came 0 times is possible all the same.
#[derive(Clone, Debug, Default)]
pub struct CountedEndings(Vec<(Ending, u64)>);

impl CountedEndings {
    /// The endings of numbers that a graph gave to them, each with how often it came, in an order of their own,
    /// because the numbers depend on the order of exploration.
    pub fn new<'a>(
        counts: impl IntoIterator<Item = (u32, u64)>,
        ending: impl Fn(u32) -> Option<&'a Ending>,
    ) -> CountedEndings {
        let mut sums: HashMap<u32, u64> = HashMap::new();
        for (number, times) in counts {
            *sums.entry(number).or_default() += times;
        }
        let met = sums.into_iter();
        let met = met.filter_map(|(number, count)| Some((ending(number)?.clone(), count)));
        let mut met: Vec<(Ending, u64)> = met.collect();
        met.sort_by_cached_key(|(ending, _)| format!("{ending:?}"));
        CountedEndings(met)
    }

    /// The endings with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&Ending, u64)> {
        self.0.iter().map(|(ending, count)| (ending, *count))
    }

    /// How far apart the utilities are that were met; where they are all the same, those that are possible.
    pub fn spread(&self) -> f64 {
        let met = self.iter().filter(|(_, count)| *count > 0).map(|(ending, _)| ending);
        match spread(met) {
            0.0 => spread(self.iter().map(|(ending, _)| ending)),
            met => met,
        }
    }

    /// The number of playouts that were counted.
    pub fn playouts(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }
}

/// How far apart the utilities of endings are.
pub(super) fn spread<'a>(endings: impl Iterator<Item = &'a Ending>) -> f64 {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for utility in endings.flat_map(|ending| ending.utility.values()) {
        let utility = utility.as_utility().unwrap_or_default();
        (low, high) = (low.min(utility), high.max(utility));
    }
    (high - low).max(0.0)
}

const FLOATS: &str = "the odds have that certainty; the utilities are floats of the rules, read as the \
                      decimals that they print as (`ratio(1, 3)` is exact)";

/// For people, below odds: that dice were cut off, and what that means; nothing where none were.
pub(crate) fn cut_off_block(cut_off: f64) -> Block {
    if cut_off == 0.0 {
        return Block::sentence("");
    }
    Block::Sentence(format!(
        "dice that explode have no last value: these are the odds of dice that are cut off. With a \
         chance of at most {} more falls than is listed, and no result is further off than that; what \
         a utility lacks is what such a fall would add to it.",
        report::at_most(cut_off)
    ))
}

/// The note on numbers for which dice without a last value were cut off.
pub(super) fn cut_off_note(cut_off: f64) -> String {
    format!(
        "dice that explode have no last value: these are the numbers of dice that are cut off, and a \
         roll goes beyond them with a chance of at most {}",
        report::at_most(cut_off)
    )
}

pub(crate) fn exact_utility(seat: &Seat, ending: &Ending) -> Fraction {
    seat.mean(|player| fraction(ending.utility.get(player)?))
}

/// Averages that are the same in this many playouts may never vary.
const UNVARIED: u64 = 100_000;

/// Whether more playouts than these may give a number an interval that is narrow enough.
fn is_waited_for(number: &Quantity, playouts: u64) -> bool {
    playouts < UNVARIED || !number.is_unvaried()
}

/// A difference is small where it is no more than this: of a probability, or of all utilities met.
pub(super) const SMALL: f64 = 0.01;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_utility_that_is_waited_for_is_the_widest_where_results_are_closer() {
        let ending = |result: &str, red: i64, white: i64| Ending {
            result: result.to_owned(),
            utility: IndexMap::from([
                ("red".to_owned(), Value::Int(red)),
                ("white".to_owned(), Value::Int(white)),
                ("bank".to_owned(), Value::Int(0)),
            ]),
        };
        let ends = [ending("held", 9, 1), ending("lost", -9, 0)];
        let met = |times| {
            let counts = [(0, times), (1, times)];
            Chances::sampled(&CountedEndings::new(counts, |at| ends.get(at as usize)))
        };
        // The bank's has not varied yet, and has no interval so soon: nothing is wider.
        assert_eq!(met(500).waits_for(Some(0.01)).map(|(player, _)| player.as_str()), Some("bank"));
        let known = met(50_000);
        // Of 100,000 halves: shares are within 0.0031, red's utility, 18 times as wide, within 0.056.
        let waits_for = |within| known.waits_for(within).map(|(player, _)| player.as_str());
        assert_eq!(waits_for(Some(0.01)), Some("red"));
        assert_eq!(waits_for(Some(0.06)), None);
        assert_eq!(waits_for(None), None);
    }

    #[test]
    fn a_result_that_others_met_is_listed_with_its_interval() {
        let ending = Ending { result: "over".to_owned(), utility: IndexMap::new() };
        let sampled = Chances::sampled(&CountedEndings::new([(0, 20)], |_| Some(&ending)));
        let listed = sampled.listing(&["elsewhere".to_owned(), "over".to_owned()]);
        // Newcombe, Statistics in Medicine 17, 1998, table I, method 3: none of 20.
        let (low, high) = listed.results["elsewhere"].range();
        assert!(low == 0.0 && (high - 0.1611).abs() < 5e-5, "{high}");
        assert_eq!(listed.results["over"].value, 1.0);
        // What is known exactly has all its results: none can be added.
        let exact = Chances::default().listing(&["elsewhere".to_owned()]);
        assert!(exact.results.is_empty() && exact.unlisted.is_none());
    }
}
