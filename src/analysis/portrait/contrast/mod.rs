//! Two portraits side by side: what changed rules do to a conflict, and how sure that is.
//!
//! [`measure_changes`] has the differences, [`changed_use`] what became of options and clauses, and [`certainty`] how
//! sure all of it is; [`sentences`] put it into words.

mod certainty;
mod changed_use;
mod measure_changes;
mod sentences;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Portrait;
use super::further_playouts::CHANCE;
use super::text::LATER;
use crate::analysis::equilibrium::named;
use crate::number::Quantity;
use crate::report::{self, Block, word};
use certainty::correct;
pub(crate) use certainty::holm;
pub(crate) use certainty::{Certainty, DecidedBy, Tested};
use changed_use::{Becomes, ClauseChange, OptionChange};
pub(crate) use changed_use::{FunctionUse, side_by_side};
use measure_changes::Alone;
pub(crate) use measure_changes::{MeasureChange, UTILITY, of_odds, of_pairs};
pub(crate) use sentences::{capital, under};

/// What changed rules do to a conflict.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contrast {
    /// The changes: house rules, parameters with their values; `-NAME` for a house rule that is left out.
    pub changes: Vec<String>,
    /// How many playouts each side's measures are from; 0 on the graph.
    pub playouts: u64,
    pub measures: Vec<MeasureChange>,
    /// The differences of the odds: what is measured of them besides is the same number, and has the same verdict.
    #[serde(skip)]
    pub(crate) odds: Vec<MeasureChange>,
    /// How many numbers were tested together.
    #[serde(skip)]
    tests: usize,
    pub options: Vec<OptionChange>,
    pub clauses: Vec<ClauseChange>,
    /// The functions that the first playout that ends otherwise runs more or less often.
    pub functions: Vec<FunctionUse<u64>>,
    /// Of several changes, what each does alone.
    pub alone: Vec<Alone>,
    /// Notes for the reader, one sentence each.
    pub notes: Vec<String>,
}

/// This many measures that do not change are named.
const UNCHANGED: usize = 12;

impl Contrast {
    /// What became of the odds alone, before their tests are corrected.
    pub(crate) fn of_odds(changes: &[String], odds: &[MeasureChange]) -> Contrast {
        let contrast =
            Contrast { changes: changes.to_vec(), odds: odds.to_vec(), ..Contrast::default() };
        contrast.corrected()
    }

    /// What became of the first portrait in the second, beside the `odds`, whose tests are not corrected yet. `changes` say
    /// in words what was changed; of several, `each` is the portrait with that one alone, or empty where they were not made.
    pub fn between(
        changes: Vec<String>,
        odds: Vec<MeasureChange>,
        base: &Portrait,
        house: &Portrait,
        each: &[Portrait],
    ) -> Contrast {
        let alone = match each {
            [] | [_] => Vec::new(),
            each => measure_changes::alone(base, &changes, each),
        };
        let of_both = base.notes.iter().filter(|note| house.notes.contains(note)).cloned();
        // What only one side has to say is not said of both.
        let sides = [("under the rules".to_owned(), base, house), (under(&changes), house, base)];
        let own = sides.iter().flat_map(|(side, one, other)| {
            let notes = one.notes.iter().filter(|note| !other.notes.contains(note));
            notes.map(move |note| format!("{side}: {note}"))
        });
        let notes = of_both.chain(own).collect();
        let contrast = Contrast {
            playouts: base.n.max(house.n),
            measures: measure_changes::between(base, house),
            odds,
            tests: 0,
            options: changed_use::options(base, house),
            clauses: changed_use::clauses(base, house),
            functions: Vec::new(),
            alone,
            notes,
            changes,
        };
        contrast.corrected()
    }

    /// With all that is tested corrected for each other, each number once: those of the odds are also measures.
    fn corrected(mut self) -> Contrast {
        let names: BTreeMap<&str, usize> =
            self.odds.iter().enumerate().map(|(at, one)| (one.name.as_str(), at)).collect();
        let known: Vec<Option<usize>> =
            self.measures.iter().map(|one| names.get(one.name.as_str()).copied()).collect();
        let measures = self.measures.iter_mut().zip(&known).filter(|(_, known)| known.is_none());
        let measures = measures.map(|(one, _)| &mut one.tested);
        let alone = self.alone.iter_mut().flat_map(|alone| &mut alone.measures);
        let odds = self.odds.iter_mut().map(|one| &mut one.tested);
        let alone = alone.map(|one| &mut one.tested);
        let options = self.options.iter_mut().map(|one| &mut one.tested);
        let clauses = self.clauses.iter_mut().map(|one| &mut one.tested);
        self.tests = correct(odds, alone.chain(measures).chain(options).chain(clauses));
        for (measure, at) in self.measures.iter_mut().zip(known) {
            if let Some(at) = at {
                // How far utilities are apart the odds do not say.
                let size = if measure.unit == "share" { self.odds[at].size } else { measure.size };
                *measure = MeasureChange { size, ..self.odds[at].clone() };
            }
        }
        self
    }

    /// The verdict on a number of the odds, by the name of its measure.
    pub(crate) fn of(&self, name: &str) -> Tested {
        self.odds.iter().find(|one| one.name == name).map(|one| one.tested).unwrap_or_default()
    }

    /// Whether all that is not known to change is known not to. Ranges over equilibria may overlap without a playout.
    fn is_certain(&self) -> bool {
        self.playouts == 0
            && self.measures.iter().all(|one| one.tested.certainty != Certainty::Unknown)
    }

    /// Names the measures of which no change is known, in a sentence, if there are any.
    pub(crate) fn unchanged(&self) -> Option<String> {
        let same = self.measures.iter().filter(|one| !one.tested.is_known());
        let same = same.map(|one| format!("`{}` ({})", one.name, report::tidy(one.base)));
        let listed = report::some_of(same, UNCHANGED, ", ");
        let how = if self.is_certain() { "unchanged" } else { "not known to change" };
        (!listed.is_empty()).then(|| format!("{how}: {listed}"))
    }

    /// Whether anything was measured.
    pub fn is_empty(&self) -> bool {
        self.measures.is_empty() && self.clauses.is_empty() && self.options.is_empty()
    }
}

// The tables.

/// Of more rows than these the others are only shown by `--all`, and in JSON.
const SHOWN: usize = 8;
/// Of longer names of changes only so much heads a column.
const NAME: usize = 12;

impl Contrast {
    /// The tables: of what changed, or of all.
    pub(crate) fn blocks(&self, all: bool) -> Vec<Block> {
        let notes: Vec<String> = self.notes.iter().map(|note| capital(note)).collect();
        let notes = Block::Sentence(notes.join("\n"));
        if self.is_empty() {
            return vec![notes];
        }
        let mut blocks: Vec<Block> = self.measure_block(all).into_iter().collect();
        let shares = self.changed_beside_odds().filter(|one| one.name.starts_with("luck."));
        if shares.filter(|one| one.name != CHANCE).count() > 1 {
            blocks.push(Block::sentence(LATER));
        }
        blocks.extend(all.then(|| self.option_table()).flatten());
        blocks.extend(self.clause_block(all));
        blocks.push(Block::Sentence(self.correction()));
        blocks.extend(all.then(|| Block::Sentence(self.function_text())));
        blocks.extend(self.together_block(all));
        blocks.push(notes);
        blocks
    }

    fn measure_block(&self, all: bool) -> Option<Block> {
        // What the odds say is in their tables.
        let shown: Vec<&MeasureChange> = match all {
            true => self.measures.iter().collect(),
            false => self.changed_beside_odds().collect(),
        };
        let looked = report::many(self.measures.len() as u64, "measure");
        if self.measures.is_empty() {
            return None;
        }
        if shown.is_empty() {
            let odds = self.measures.iter().any(|one| one.tested.is_known());
            let but = if odds { " besides those of the odds" } else { "" };
            let how = if self.is_certain() { " changes" } else { " is known to change" };
            return Some(Block::Sentence(format!(
                "Of {looked} none{how}{but}; `--all` shows them."
            )));
        }
        let row = |one: &&MeasureChange| {
            let [base, difference] = one.in_words();
            vec![one.name.clone(), base, one.value(one.house), difference, one.tested.in_words()]
        };
        let header = ["measure", "rules", "changed", "difference", "how sure"];
        Some(Block::table(header, shown.iter().map(row)))
    }

    /// What `likely` means.
    fn correction(&self) -> String {
        if self.tests == 0 {
            return String::new();
        }
        // On a graph only what is sampled there beside it is tested.
        let from = match self.playouts {
            0 => String::new(),
            n => format!(
                "measures and functions are from {} a side under the same random numbers; ",
                report::many(n, "playout")
            ),
        };
        let odds = self.odds.iter().filter(|one| one.tested.p.is_some()).count();
        let half = if (1..self.tests).contains(&odds) { ", half of it for the odds" } else { "" };
        format!(
            "{from}likely: with 95 % confidence over all {} that are tested here, together (Holm's correction{half})",
            report::many(self.tests as u64, "number"),
        )
    }

    fn option_table(&self) -> Option<Block> {
        let share =
            |best: Option<f64>| best.map_or("not offered".to_owned(), report::share_percent);
        let rows = self.options.iter().map(|one| {
            let becomes = match one.becomes {
                Becomes::Same => String::new(),
                other => word(&other),
            };
            let option = format!("{}: {} {}", one.player, one.question, named(&one.option));
            vec![option, share(one.base), share(one.house), becomes]
        });
        let table = Block::table(["best option", "rules", "changed", "becomes"], rows);
        (!self.options.is_empty()).then_some(table)
    }

    fn clause_block(&self, all: bool) -> Option<Block> {
        let known = self.clauses.iter().filter(|one| all || one.tested.is_known());
        let mut shown: Vec<&ClauseChange> = known.collect();
        if !all {
            let size = |FunctionUse { base, house, .. }: &FunctionUse<f64>| {
                (house - base).abs() / house.max(*base).max(f64::MIN_POSITIVE)
            };
            // What has a clause is what people know.
            shown.sort_by(|ClauseChange { of: a, .. }, ClauseChange { of: b, .. }| {
                a.is_nameless().cmp(&b.is_nameless()).then(size(b).total_cmp(&size(a)))
            });
        }
        if shown.is_empty() {
            return None;
        }
        let left = if all { 0 } else { shown.len().saturating_sub(SHOWN) };
        shown.truncate(shown.len() - left);
        let row = |one: &&ClauseChange| {
            let (base, house) = (report::tidy(one.of.base), report::tidy(one.of.house));
            let mut row = vec![one.of.in_words(), base, house];
            if one.tested.p.is_some() {
                row.push(one.tested.in_words());
            }
            row
        };
        let rows: Vec<Vec<String>> = shown.iter().map(row).collect();
        let header = ["runs in a conflict", "rules", "changed", "how sure"];
        let sampled = rows.first().is_some_and(|row| row.len() == header.len());
        let header = if sampled { &header[..] } else { &header[..3] };
        let mut blocks = vec![Block::table(header.iter().copied(), rows)];
        if left > 0 {
            let more = report::many(left as u64, "function");
            blocks.push(Block::Sentence(format!("and {more} more; `--all` shows them")));
        }
        Some(Block::Group(blocks))
    }

    fn function_text(&self) -> String {
        if self.functions.is_empty() {
            return String::new();
        }
        let phrased = |one: &FunctionUse<u64>| {
            let times = report::many(one.house, "time");
            format!("{} {times} instead of {}", one.in_words(), one.base)
        };
        let some = report::some_of(self.functions.iter().map(phrased), SHOWN, ", ");
        format!("In the first playout that ends differently these functions run: {some}.")
    }

    fn together_block(&self, all: bool) -> Option<Block> {
        if self.alone.is_empty() {
            return None;
        }
        let known = |one: &&MeasureChange| {
            let of = |changes: &[MeasureChange]| {
                changes.iter().any(|other| other.name == one.name && other.tested.is_known())
            };
            all || of(&self.measures) || self.alone.iter().any(|alone| of(&alone.measures))
        };
        let mut shown: Vec<&MeasureChange> = self.measures.iter().filter(known).collect();
        if !all {
            shown.sort_by(|a, b| b.size.total_cmp(&a.size));
            shown.truncate(SHOWN);
        }
        let row = |one: &&MeasureChange| {
            let short = |number: f64| match one.unit.as_str() {
                "share" => report::points_of(number),
                _ => report::signed(number),
            };
            let mut row = vec![one.name.clone()];
            for alone in &self.alone {
                let own = alone.measures.iter().find(|other| other.name == one.name);
                row.push(own.map_or(String::new(), |own| short(own.difference.value)));
            }
            row.push(short(one.difference.value));
            row
        };
        if shown.is_empty() {
            return None;
        }
        let mut header = vec!["difference".to_owned()];
        header.extend(self.alone.iter().map(|alone| report::cut(&alone.change, NAME)));
        header.push("together".to_owned());
        let sentence = Block::sentence("What each change does alone, and all of them together:");
        Some(Block::Group(vec![sentence, Block::table(header, shown.iter().map(row))]))
    }
}

impl MeasureChange {
    fn value(&self, number: f64) -> String {
        match self.unit.as_str() {
            "share" => report::share_percent(number),
            _ => report::tidy(number),
        }
    }

    /// The value under the rules, and the difference.
    pub(crate) fn in_words(&self) -> [String; 2] {
        [self.value(self.base), difference(&self.unit, &self.difference)]
    }
}

pub(crate) fn difference(unit: &str, difference: &Quantity) -> String {
    let Quantity { value, fraction, .. } = difference;
    let written = fraction.as_ref().map(ToString::to_string);
    match (unit == "share", written) {
        _ if fraction.is_none() && difference.is_close() => {
            let print = if unit == "share" { report::points_of } else { report::signed };
            // What is rounded and no fraction is not to be taken for one.
            let about = if *value == 0.0 || difference.is_sampled() { "" } else { "about " };
            format!("{about}{}", print(*value))
        }
        (true, _) => difference.as_points(),
        (false, Some(fraction)) if fraction.contains('/') => {
            format!("{} ({fraction})", report::signed(*value))
        }
        (false, Some(_)) => report::signed(*value),
        (false, None) if difference.is_sampled() => {
            report::signed_between(*value, difference.range())
        }
        (false, None) => report::signed_ends(difference.range()),
    }
}
