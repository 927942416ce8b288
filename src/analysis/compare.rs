//! Finds what changed rules did: odds of both sides and their difference, exact or from playouts in
//! pairs.

mod diverge;
mod pair;
mod paired_playouts;
mod portraits;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use self::pair::Pauses;
use super::batches::{FailedPlayout, Looks};
use super::estimate::{Hearing, beside_exact, in_haste, read_seed};
use super::portrait::{
    Certainty, Contrast, DecidedBy, MeasureChange, RESULT, Tested, UTILITY, of_odds,
};
use super::{Chances, Enough, Estimated, FoundOdds, Odds, Sampling, Seeking, complete};
use crate::analysis::chances::cut_off_block;
use crate::analysis::portrait::{capital, under};
use crate::error::{Cut, Error};
use crate::game::Generator;
use crate::number::Quantity;
use crate::report;
use crate::report::{Block, Report};
pub use diverge::DivergingPlayout;
pub use pair::{ComparedVariants, Pair, Side};
pub use portraits::{Contrasting, alone};

/// What is known of one side.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Known {
    Odds(FoundOdds),
    Estimated(Estimated),
}

/// What the changed rules did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// Whether every number is exact.
    pub exact: bool,
    /// The number of pairs of playouts behind the numbers; 0 where they are not sampled.
    pub n: u64,
    /// The seed of the playouts: of all numbers where these are sampled, and of the one shown.
    #[serde(deserialize_with = "read_seed")]
    pub seed: u64,
    /// Whether all was done that was wanted.
    #[serde(default, rename = "complete", with = "complete")]
    pub cut: Option<Cut>,
    /// The rules as the scenario has them.
    pub base: Known,
    /// The changed rules.
    pub house: Known,
    /// Changed less base: of each result's probability, and of each player's utility.
    pub difference: Chances,
    /// The first playout that ends otherwise under the changed rules, if one was met.
    #[serde(default, rename = "first_different", skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstDifferent>,
    /// What became of the conflict beside its odds.
    #[serde(flatten)]
    pub contrast: Contrast,
    /// The differences of the odds, whose tests are not corrected for others yet.
    #[serde(skip)]
    pub(crate) odds: Vec<MeasureChange>,
    /// Whether it ended since the answer was clear.
    #[serde(skip)]
    pub clear: bool,
}

/// The first playout that ends otherwise under changed rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstDifferent {
    /// Its number among the playouts, from 0.
    pub playout: u64,
    /// The seed under which it is the first playout.
    #[serde(deserialize_with = "read_seed")]
    pub seed: u64,
}

impl FirstDifferent {
    fn of(seed: u64, playout: Option<u64>) -> Option<FirstDifferent> {
        playout.map(|playout| FirstDifferent { playout, seed: Generator::seed_of(seed, playout) })
    }
}

/// Why there is no exact difference.
#[derive(Clone, Debug)]
pub struct Refused {
    /// In words, with the side.
    pub reason: String,
    /// What stopped the search, if anything did.
    pub cut: Option<Cut>,
}

impl Refused {
    fn notice(&self) -> String {
        match self.cut {
            // How much time there was is said at the end.
            Some(Cut::Time(_)) => {
                "there was not enough time for exact odds; playouts in pairs are used".to_owned()
            }
            _ => format!("exact odds are out of reach ({}): playouts in pairs", self.reason),
        }
    }
}

/// This many pairs of playouts are tried to show one that ends otherwise, where odds are exact.
const TRIED: u64 = 10_000;

impl Compared {
    /// Finds the odds of both sides and their difference, as far as they are within reach.
    /// `progress` hears of the nodes seen so far on a side.
    ///
    /// # Errors
    /// Those of the rules and agents.
    pub fn exactly(
        pair: &Pair,
        seeking: Seeking,
        seed: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Result<Compared, Refused>, Error> {
        let mut known = Vec::new();
        for side in Side::BOTH {
            let odds = Odds::find(pair.seating(side), seeking, progress)?;
            match odds.found {
                Ok(found) => known.push(found),
                Err(unreached) => {
                    let reason = format!("{}: {}", pair.name(side), unreached.reason);
                    return Ok(Err(Refused { reason, cut: odds.cut }));
                }
            }
        }
        let [base, house] = &known[..] else {
            return Err(Error::Interrupted);
        };
        let tried = Sampling { seed, n: TRIED, enough: Enough::All, threads: 1 };
        let first = paired_playouts::first(pair, tried)?;
        let difference = house.less(base).in_order(pair.players());
        let odds = of_odds([base, house, &difference], &BTreeMap::new());
        Ok(Ok(Compared {
            exact: base.exact && house.exact,
            n: 0,
            seed,
            contrast: Contrast::of_odds(&pair.changes, &odds),
            odds,
            difference,
            base: Known::Odds(base.clone()),
            house: Known::Odds(house.clone()),
            first: FirstDifferent::of(seed, first),
            cut: None,
            clear: false,
        }))
    }

    /// Makes playouts in pairs under common random numbers: the `i`-th question of playout `p` has
    /// the same random number on both sides, so the answers agree as long as the questions do.
    /// `progress` hears how many pairs are done.
    ///
    /// # Errors
    /// Those of the rules and agents; [`Error::Interrupted`] where not one pair was made.
    pub fn sample(
        pair: &Pair,
        sampling: Sampling,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Compared, FailedPlayout> {
        Compared::sample_up_to(pair, sampling, None, (progress, &|_| ()))
    }

    /// As [`Compared::sample`], up to the number of pairs after which `pauses` says so; hears the
    /// differences so far.
    fn sample_up_to(
        pair: &Pair,
        sampling: Sampling,
        pauses: Option<Pauses<'_>>,
        (progress, known): Hearing<'_>,
    ) -> Result<Compared, FailedPlayout> {
        let (met, cut, clear) = paired_playouts::play(pair, sampling, pauses, progress, known)?;
        let (seed, n) = (sampling.seed, met.pairs());
        let [base, house] =
            Side::BOTH.map(|side| met.side(side).in_order(&pair.seating(side).players.names));
        let differences = met.differences();
        let difference = differences.chances().in_order(pair.players());
        let looks = clear.then(|| Looks::doublings(sampling.n));
        let odds = of_odds([&base, &house, &difference], &differences.tested(looks));
        let known =
            |chances| Known::Estimated(Estimated { exact: false, seed, n, chances, cut, clear });
        Ok(Compared {
            exact: false,
            n,
            seed,
            base: known(base),
            house: known(house),
            contrast: Contrast::of_odds(&pair.changes, &odds),
            odds,
            difference,
            first: FirstDifferent::of(seed, met.first_different()),
            cut,
            clear,
        })
    }

    /// Makes a few of the pairs for somebody who interrupted the search for exact odds: they have waited
    /// for something. Another interruption ends it.
    ///
    /// # Errors
    /// As [`Compared::sample`].
    pub fn in_haste(
        pair: &Pair,
        sampling: Sampling,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Compared, FailedPlayout> {
        let budget = pair.base.budget();
        let made = in_haste(budget, sampling, |few| Compared::sample(pair, few, progress));
        Ok(Compared { cut: Some(Cut::Interrupted), ..made? })
    }
}

impl Known {
    /// The numbers.
    pub fn chances(&self) -> &Chances {
        match self {
            Known::Odds(odds) => &odds.chances,
            Known::Estimated(estimated) => &estimated.chances,
        }
    }

    /// For people, as `odds` or `estimate` prints it.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        match self {
            Known::Odds(odds) => odds.blocks(),
            Known::Estimated(estimated) => estimated.blocks(),
        }
    }
}

/// Behind a number of pairs that is smaller than it might have been, with the error that
/// [`Enough::Clear`] allows.
const CLEAR: &str =
    "; the answer is clear (in 5 of 100 comparisons at most one is wrong), `-n` makes more";

impl Compared {
    /// For people, sentences that say what the changed rules did, what changes most first, then the numbers that
    /// changed, or all of them; and for programs.
    pub fn report(&self, pair: &Pair, all: bool) -> Report<'_> {
        let odds = sentence(self, pair);
        let mut sentences = self.contrast.sentences();
        let (by_odds, beside) = self.contrast.largest();
        sentences.insert(usize::from(beside > by_odds).min(sentences.len()), odds);
        let is_sampled =
            self.n > 0 || self.contrast.measures.iter().any(|one| one.difference.is_sampled());
        let from = match (&self.base, &self.house) {
            (Known::Odds(base), Known::Odds(house)) => {
                let what = self.difference.title();
                let (base, house) = (base.nodes, house.nodes);
                let base = report::many(base, "node");
                let sampled = if is_sampled { beside_exact(self.seed) } else { String::new() };
                format!("{what}; {base} under the rules, {house} changed{sampled}")
            }
            _ => format!(
                "estimated from {} of playouts, seed {} (95 % intervals){}",
                report::many(self.n, "pair"),
                self.seed,
                if self.clear { CLEAR } else { "" }
            ),
        };
        Report::of(self, self.blocks(&sentences, from, ["rules", "changed"], all))
            .seeded(is_sampled.then_some(self.seed))
    }

    /// Sentences, the numbers below a heading, with words for the two sides, and what else changed.
    pub(crate) fn blocks(
        &self,
        sentences: &[String],
        heading: String,
        [own, other]: [&str; 2],
        all: bool,
    ) -> Vec<Block> {
        let (base, house) = (self.base.chances(), self.house.chances());
        let none = || "never".to_owned();
        let result = |(name, difference): (&String, &Quantity)| {
            let share = |side: &Chances| side.results.get(name).map_or_else(none, |n| n.as_share());
            vec![name.clone(), share(base), share(house), difference.as_points()]
        };
        let nothing = || "none".to_owned();
        let utility = |(name, difference): (&String, &Quantity)| {
            let worth =
                |side: &Chances| side.utility.get(name).map_or_else(nothing, |n| n.as_utility());
            vec![name.clone(), worth(base), worth(house), difference.as_utility()]
        };
        let results = self.difference.results.iter().map(result);
        let utility = self.difference.utility.iter().map(utility);
        let results = Block::table(["result", own, other, "points"], results);
        let mut blocks = vec![
            Block::Sentence(sentences.join("\n")),
            Block::Group(vec![Block::Title(heading), results, base.unlisted_note()]),
            Block::table(["player", own, other, "difference"], utility),
            cut_off_block(self.difference.cut_off),
        ];
        blocks.extend(self.contrast.blocks(all));
        blocks
    }
}

/// What the changed rules do to the odds in one sentence, and whether the data can show it.
fn sentence(compared: &Compared, pair: &Pair) -> String {
    if pair.is_same() {
        let verb = if pair.changes.len() == 1 { "changes" } else { "change" };
        let names = pair.name(Side::House);
        return format!("{names} {verb} nothing: rules and parameters are the same as without.");
    }
    let under = under(&pair.changes);
    match compared.base {
        Known::Odds(_) => surely(&compared.difference, pair, &capital(&under)),
        Known::Estimated(_) => perhaps(compared, pair, &under),
    }
}

fn surely(difference: &Chances, pair: &Pair, under: &str) -> String {
    let sure = difference.cut_off == 0.0;
    let clear = |_: &str, number: &Quantity| number.is_clear();
    let result = largest(difference.results.iter(), pair, &clear);
    let shown = |number: &Quantity| number.is_clear() && number.value.abs() > difference.cut_off;
    if let Some((name, number)) = result.filter(|(_, number)| shown(number)) {
        let (who, more) = (comes(pair, name), often(number.value));
        let points = 100.0 * number.value.abs();
        return match exact_text(number).filter(|_| sure) {
            Some(text) if text.len() <= SHORT => {
                format!("{under} {who} exactly {text} ({points:.2} percentage points) {more}.")
            }
            _ => format!("{under} {who} {points:.2} percentage points {more}."),
        };
    }
    let utility = largest(difference.utility.iter(), pair, &clear);
    if let Some((name, number)) = utility.filter(|(_, number)| number.is_clear()) {
        let higher = higher(number.value);
        let much = match exact_text(number).filter(|_| sure) {
            Some(text) if text.len() <= SHORT => format!("exactly {text}"),
            _ => report::tidy(number.value.abs()),
        };
        return format!(
            "{under} every result is as likely as before, but the utility of {name} is \
             {much} {higher}."
        );
    }
    match difference.is_exact() {
        true => format!("{under} all odds and utilities stay exactly as they were."),
        false => format!("{under} all odds and utilities stay as they were, within bounds."),
    }
}

fn perhaps(compared: &Compared, pair: &Pair, under: &str) -> String {
    let Compared { difference, contrast, n, .. } = compared;
    let begins = capital(under);
    if compared.first.is_none() {
        return format!(
            "{begins} not one of {n} playouts ended differently: the data do not show whether \
             the odds change."
        );
    }
    let of_result = |name: &str| contrast.of(&format!("{RESULT}.{name}"));
    let of_utility = |name: &str| contrast.of(&format!("{UTILITY}{name}"));
    let result = largest(difference.results.iter(), pair, &|name, _| of_result(name).is_known());
    let utility = largest(difference.utility.iter(), pair, &|name, _| of_utility(name).is_known());
    let Some((name, number)) = result else { return format!("{begins} nothing was seen.") };
    let (who, tested) = (comes(pair, name), of_result(name));
    if let Some((name, number)) = utility.filter(|(name, _)| of_utility(name).is_known())
        && !tested.is_known()
    {
        let [middle, low, high] = sizes(number, 1.0);
        let unless = match of_utility(name).decided_by {
            DecidedBy::RareOnes => RARE,
            DecidedBy::Enough | DecidedBy::Few => "",
        };
        return format!(
            "{begins} the utility of {name} is {middle} {} ({low} to {high}): the data \
             show it{unless}. They do not show how often each result comes.",
            higher(number.value)
        );
    }
    if tested.is_known() {
        let [middle, low, high] = sizes(number, 100.0);
        return format!(
            "{begins} {who} {middle} percentage points {} ({low} to {high}): the data \
             show it.{}",
            often(number.value),
            compared.undecided(&of_utility)
        );
    }
    let between = |number: &Quantity, unit: f64| {
        let (low, high) = number.range();
        let [_, low, high] = report::apart(0.0, (unit * low, unit * high));
        format!("{low} to {high}")
    };
    let (whether, tested) = match utility.filter(|_| tested.certainty == Certainty::Same) {
        Some((name, number)) => {
            let range = between(number, 1.0);
            let whether = format!("the utility of {name} is higher or lower {under} ({range})");
            (whether, of_utility(name))
        }
        None => {
            let range = between(number, 100.0);
            (format!("{who} more often or less {under} ({range} percentage points)"), tested)
        }
    };
    match tested.decided_by {
        DecidedBy::Few => format!(
            "No verdict on whether {whether}: too few of {n} pairs of playouts differ in it."
        ),
        DecidedBy::Enough | DecidedBy::RareOnes => {
            format!("The data do not show whether {whether}.")
        }
    }
}

/// Behind a verdict on a utility.
const RARE: &str = ", unless an end that came seldom or never outweighs the others";

impl Compared {
    /// A sentence on the utilities of which few playouts, or ends that come seldom, decide whether they change.
    fn undecided(&self, of: &dyn Fn(&str) -> Tested) -> String {
        let by = |by: DecidedBy| -> Vec<&String> {
            self.difference.utility.keys().filter(|player| of(player).decided_by == by).collect()
        };
        let said = |players: Vec<&String>, [before, behind]: [&str; 2]| match players.is_empty() {
            true => String::new(),
            false => format!(" {before} the utility of {}{behind}.", report::enumerated(&players)),
        };
        let few = ["There is no verdict on", ": too few pairs of playouts differ in it"];
        let rare = ["They also show a change of", RARE];
        [said(by(DecidedBy::Few), few), said(by(DecidedBy::RareOnes), rare)].concat()
    }
}

/// Fractions of more characters than this are not printed in the sentence.
const SHORT: usize = 24;

/// The number that differs most: clear differences before unclear ones, players before other
/// results.
fn largest<'a>(
    numbers: impl Iterator<Item = (&'a String, &'a Quantity)>,
    pair: &Pair,
    is_known: &dyn Fn(&str, &Quantity) -> bool,
) -> Option<(&'a String, &'a Quantity)> {
    let mut numbers: Vec<(&String, &Quantity)> = numbers.collect();
    let place = |name: &str| pair.players().get_index_of(name).unwrap_or(usize::MAX);
    numbers.sort_by_key(|(name, _)| (!pair.is_somebody(name), place(name)));
    let size = |number: &Quantity| number.value.abs();
    let mut best: Option<(&String, &Quantity)> = None;
    for (name, number) in numbers {
        let better = |(known, other): (&String, &Quantity)| {
            (is_known(name, number), size(number)) > (is_known(known, other), size(other))
        };
        if best.is_none_or(better) {
            best = Some((name, number));
        }
    }
    best
}

/// `red wins`, or `the result `alliance` comes`.
fn comes(pair: &Pair, result: &str) -> String {
    if pair.is_somebody(result) {
        format!("{result} wins")
    } else {
        format!("the result `{result}` comes")
    }
}

fn often(difference: f64) -> &'static str {
    if difference < 0.0 { "less often" } else { "more often" }
}

fn higher(difference: f64) -> &'static str {
    if difference < 0.0 { "lower" } else { "higher" }
}

fn exact_text(number: &Quantity) -> Option<String> {
    number.fraction.as_ref().map(|fraction| fraction.to_string().trim_start_matches('-').to_owned())
}

/// The size of a difference and where it may be, from the smaller end, times a unit.
fn sizes(number: &Quantity, unit: f64) -> [String; 3] {
    let (low, high) = number.range();
    let sign = if number.value < 0.0 { -unit } else { unit };
    let (one, other) = (sign * low, sign * high);
    report::apart(sign * number.value, (one.min(other), one.max(other)))
}
