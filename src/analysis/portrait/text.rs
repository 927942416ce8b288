//! A portrait for people: one screen of numbers with bars and small plots.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::glossary::Meaning;
use super::length::function_name;
use super::portrait_measure::Measure;
use super::{ClauseUse, Portrait};
use crate::analysis::equilibrium::named;
use crate::analysis::estimate::beside_exact;
use crate::report::{self, Bar, BarMark, Block, Report};

/// Longer names and values are cut.
const NAME: usize = 22;
const VALUE: usize = 40;
/// Of more seats, results or functions than these the others are only in JSON.
const SHOWN: usize = 8;
/// This many of the functions that run most often are listed.
const FUNCTIONS: usize = 5;
/// What the shares of seats are of, beside results that have names of their own.
const MOST: &str = "who has most is counted by utility; results are called as the rules call them";
/// Why alike players have unlike shares of luck.
pub(super) const LATER: &str = "luck: what two choices do only together counts for the later one, so that of alike players the \
    one who is asked last has more, also where they choose at once";
/// Intervals narrow with the root of the number of playouts: this many times as many halve them.
pub(super) const HALVES: u64 = 4;

impl Portrait {
    /// For people and for programs.
    pub fn report(&self) -> Report<'_> {
        let mut blocks = vec![Block::Title(self.heading()), Block::Bars(self.lines())];
        blocks.extend(self.readings().map(Block::sentence));
        for (what, names) in [("never best", self.dead()), ("never run", self.never())] {
            if !names.is_empty() {
                blocks.push(Block::Sentence(format!("{what}: {names}")));
            }
        }
        blocks.extend(self.notes.iter().map(Block::sentence));
        blocks.push(Block::Sentence(self.narrower()));
        Report::of(self, blocks).seeded(self.is_sampled().then_some(self.seed))
    }

    /// Whether any number rests on playouts: on a graph that was explored whole, matches of agents do, and ways
    /// that are drawn.
    fn is_sampled(&self) -> bool {
        self.n > 0 || self.measures.iter().any(|one| one.quantity.is_sampled())
    }

    fn heading(&self) -> String {
        let house: Vec<String> =
            self.house.iter().map(|house| format!(" --house {house}")).collect();
        let how = match (self.exact, self.n) {
            (true, _) => "exact".to_owned(),
            (false, 0) if self.measures.is_empty() => {
                return format!("{}{}: nothing is known yet", self.scenario, house.concat());
            }
            (false, 0) if self.cut.is_some() => "exact".to_owned(),
            (false, 0) => "exact but for dice that are cut off".to_owned(),
            (false, n) => {
                format!("{}, seed {} (95 % intervals)", report::many(n, "playout"), self.seed)
            }
        };
        let partial = if self.cut.is_none() { "" } else { ", in part" };
        let sampled = match self.n == 0 && self.is_sampled() {
            true => beside_exact(self.seed),
            false => String::new(),
        };
        format!("{}{}: {how}{partial}{sampled}", self.scenario, house.concat())
    }

    fn lines(&self) -> Vec<Bar> {
        let mut lines: Vec<Bar> = Vec::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for measure in &self.measures {
            let (group, name) = Meaning::label(&measure.name);
            // Names of seats and results may be many.
            let stem = measure.name.rsplit_once('.').map_or("", |(stem, _)| stem);
            let count = counts.entry(stem.to_owned()).or_default();
            *count += 1;
            if *count > SHOWN {
                continue;
            }
            lines.push(Bar {
                group: group.to_owned(),
                name: report::cut(&name, NAME),
                value: report::cut(&printed(measure), VALUE),
                mark: mark(measure),
            });
        }
        let most = self.clauses.iter().map(|one| one.runs).fold(0.0, f64::max);
        let mut shown: Vec<&ClauseUse> = self.clauses.iter().filter(|one| one.runs > 0.0).collect();
        // What a house rule does comes first.
        shown.sort_by(|a, b| {
            b.house.is_some().cmp(&a.house.is_some()).then(b.runs.total_cmp(&a.runs))
        });
        let house = shown.iter().filter(|one| one.house.is_some()).count();
        for one in shown.into_iter().take(FUNCTIONS.max(house.min(SHOWN))) {
            lines.push(Bar {
                group: "clauses".to_owned(),
                name: label(one),
                value: format!(
                    "{} {}",
                    report::tidy(one.runs),
                    if one.runs == 1.0 { "run" } else { "runs" }
                ),
                mark: BarMark::Share(one.runs / most),
            });
        }
        lines
    }

    /// What measures beside each other may be misread as.
    fn readings(&self) -> impl Iterator<Item = &'static str> {
        let of = |stem: &'static str| {
            self.measures.iter().filter_map(move |one| Some((one.name.strip_prefix(stem)?, one)))
        };
        let is_seat = |name: &str| of("fairness.wins.").any(|(seat, _)| seat == name);
        let has_words = of("result.")
            .any(|(name, one)| one.unit == "share" && name != "ties" && !is_seat(name));
        let has_most = has_words && of("fairness.wins.").next().is_some();
        let choose =
            of("luck.").filter(|(seat, one)| *seat != "chance" && one.quantity.value > 0.0).count();
        let texts = [(has_most, MOST), (choose > 1, LATER)];
        texts.into_iter().filter_map(|(said, text)| said.then_some(text))
    }

    /// The options that are never best, by question.
    fn dead(&self) -> String {
        let mut all: IndexMap<(&str, &str), bool> = IndexMap::new();
        for one in self.options.iter().filter(|one| one.offered > 0.0) {
            *all.entry((&one.question, &one.option)).or_insert(true) &= one.is_dead();
        }
        let dead = all.into_iter().filter(|(_, dead)| *dead);
        let mut questions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        dead.for_each(|((question, option), _)| {
            questions.entry(question).or_default().push(option)
        });
        let printed = |(question, options): (&&str, &Vec<&str>)| {
            format!("{} of `{question}`", options_in_words(options, SHOWN))
        };
        report::some_of(questions.iter().map(printed), SHOWN, "; ")
    }

    /// How many playouts would halve the intervals.
    fn narrower(&self) -> String {
        let uncertain = self.measures.iter().any(|one| !one.quantity.is_close());
        if self.n == 0 || self.cut.is_some() || !uncertain {
            return String::new();
        }
        let further = self.further.filter(|n| *n > HALVES * self.n);
        let further = further.map(|n| {
            let n = report::about(n as f64).replace(',', "");
            format!("; those of drama, luck and what options are worth take `-n {n}`")
        });
        let n = HALVES * self.n;
        format!("`-n {n}` would halve the intervals{}", further.unwrap_or_default())
    }

    /// The functions with a clause or of a house rule that never run.
    fn never(&self) -> String {
        let never = self.clauses.iter().filter(|one| one.runs == 0.0);
        let printed = never.filter(|one| one.clause.is_some() || one.house.is_some());
        report::some_of(printed.map(function), SHOWN, "; ")
    }
}

/// The first of some options, and how many more there are.
pub(super) fn options_in_words(options: &[&str], most: usize) -> String {
    report::some_of(options.iter().map(|one| format!("`{}`", named(one))), most, ", ")
}

/// A function in no more room than sets it apart from others: in a campaign it is named with the first of its conflicts, whole.
fn label(one: &ClauseUse) -> String {
    match (one.function.contains(" of "), one.function.split_once(", ")) {
        (false, _) => report::cut(&function(one), NAME),
        (true, None) => function(one),
        (true, Some((first, _))) => {
            let house = one.house.as_ref().map(|house| format!(" ({house})")).unwrap_or_default();
            format!("{}, …{house}", function_name(one.clause.as_deref(), first, None))
        }
    }
}

fn function(one: &ClauseUse) -> String {
    function_name(one.clause.as_deref(), &one.function, one.house.as_deref())
}

fn printed(measure: &Measure) -> String {
    let Measure { unit, quantity, .. } = measure;
    let value = quantity.as_measure(unit == "share");
    match unit == "bits" && quantity.fraction.is_none() && quantity.is_close() {
        true => format!("{value} {}", if quantity.value == 1.0 { "bit" } else { "bits" }),
        false => value,
    }
}

fn mark(measure: &Measure) -> BarMark {
    match &measure.spread {
        _ if measure.unit == "share" => BarMark::Share(measure.quantity.value),
        Some(spread) => BarMark::Spread((spread.p5, spread.p95), spread.shares.clone()),
        None => BarMark::None,
    }
}
