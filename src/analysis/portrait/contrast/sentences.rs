//! What changed rules do, in sentences: what changes most first.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::certainty::{Certainty, DecidedBy};
use super::changed_use::{Becomes, OptionChange};
use super::measure_changes::{MeasureChange, UTILITY};
use super::{ClauseChange, Contrast};
use crate::analysis::portrait::further_playouts::CHANCE;
use crate::analysis::portrait::glossary::Meaning;
use crate::analysis::portrait::length::function_name;
use crate::analysis::portrait::playouts::REPLAYED;
use crate::analysis::portrait::text::options_in_words;
use crate::report;

/// Of more groups of measures than these the others are only in the table.
const MEASURES: usize = 6;
/// Of more options than these the others are only in JSON.
const OPTIONS: usize = 4;

const RESULT_STEM: &str = "result.";
/// Who has most.
const WINS: &str = "fairness.wins";

/// What of a measure's name it shares with those of which one sentence says enough. Who has most does not say what the
/// first seat is worth.
fn group(name: &str) -> &str {
    match name.starts_with(WINS) {
        true => WINS,
        false => name.split('.').next().unwrap_or(name),
    }
}

/// Measures that the tables of the odds show: how a conflict ends, and who has how much then.
pub(super) fn is_odds(name: &str) -> bool {
    [RESULT_STEM, UTILITY].iter().any(|stem| name.starts_with(stem))
}

impl Contrast {
    /// The measures of which a change is known, the largest first.
    pub fn changed(&self) -> Vec<&MeasureChange> {
        let known = self.measures.iter().filter(|one| one.tested.is_known());
        let mut changed: Vec<&MeasureChange> = known.collect();
        changed.sort_by(|a, b| b.size.total_cmp(&a.size));
        changed
    }

    /// Those that are not in the tables of the odds.
    pub(crate) fn changed_beside_odds(&self) -> impl Iterator<Item = &MeasureChange> {
        self.changed().into_iter().filter(|one| !is_odds(&one.name))
    }

    /// Whether it says who has most, and that changes by as much as a result does, which the odds say.
    fn is_of_a_result(&self, one: &MeasureChange) -> bool {
        let apart = |other: &MeasureChange| other.difference.value - one.difference.value;
        let mut results = self.measures.iter().filter(|other| other.name.starts_with(RESULT_STEM));
        one.name.starts_with(WINS) && results.any(|result| apart(result).abs() < 1e-9)
    }

    /// The largest change of the odds, and the largest other one.
    pub fn largest(&self) -> (f64, f64) {
        let most = |odds: bool| {
            let of = self.changed().into_iter().filter(|one| is_odds(&one.name) == odds);
            of.map(|one| one.size).fold(0.0, f64::max)
        };
        (most(true), most(false))
    }

    /// What changed beside the odds, in sentences; empty where nothing is known to have.
    pub fn sentences(&self) -> Vec<String> {
        let mut all = Vec::new();
        let beside: Vec<&MeasureChange> = self.changed_beside_odds().collect();
        for (certainty, between) in [(Certainty::Sure, " "), (Certainty::Likely, ", likely: ")] {
            let of = || beside.iter().filter(|one| one.tested.certainty == certainty);
            // Of a group the largest change says what the others say. How much the choices of a seat decide
            // depends on who is asked first, which takes more than a sentence.
            let mut groups = BTreeSet::new();
            let stated = of().filter(|one| !one.name.starts_with("luck.") || one.name == CHANCE);
            let stated = stated.filter(|one| !self.is_of_a_result(one));
            let largest = stated.filter(|one| groups.insert(group(&one.name)));
            let largest = largest.take(MEASURES);
            let part = |one: &&MeasureChange| {
                let unless = match one.tested.decided_by {
                    DecidedBy::RareOnes => " (unless what came seldom decides)",
                    DecidedBy::Enough | DecidedBy::Few => "",
                };
                phrase(&one.name, one.difference.value, Some(one.base)) + unless
            };
            let parts = largest.map(part);
            let mut parts: Vec<String> = parts.collect();
            let stated = parts.len();
            parts.extend(self.option_parts(certainty));
            if parts.is_empty() {
                continue;
            }
            let more = match of().count() - stated {
                0 => String::new(),
                more => format!("; {} below", report::many(more as u64, "more measure")),
            };
            let under = capital(&under(&self.changes));
            all.push(format!("{under}{between}{}{more}.", parts.join("; ")));
        }
        all.extend(self.unclear());
        all.extend(self.never());
        all
    }

    /// The options that are dead, alive, offered or gone, as parts of a sentence.
    fn option_parts(&self, certainty: Certainty) -> Vec<String> {
        let mut questions: IndexMap<(&str, &str), Vec<&OptionChange>> = IndexMap::new();
        for one in &self.options {
            questions.entry((&one.question, &one.option)).or_default().push(one);
        }
        let mut parts: BTreeMap<(usize, &str), Vec<&str>> = BTreeMap::new();
        for ((question, option), all) in questions {
            if all.iter().all(|one| one.tested.certainty != certainty) {
                continue;
            }
            let dead = |best: fn(&OptionChange) -> Option<f64>| {
                all.iter().filter_map(|one| best(one)).all(|best| best == 0.0)
            };
            let none =
                |best: fn(&OptionChange) -> Option<f64>| all.iter().all(|one| best(one).is_none());
            let is = |becomes: Becomes| all.iter().any(|one| one.becomes == becomes);
            let kind = match () {
                () if none(|one| one.base) => 2,
                () if none(|one| one.house) => 3,
                () if is(Becomes::Dead) && dead(|one| one.house) => 0,
                () if is(Becomes::Alive) && dead(|one| one.base) => 1,
                () => continue,
            };
            parts.entry((kind, question)).or_default().push(option);
        }
        let stated = |((kind, question), options): ((usize, &str), Vec<&str>)| {
            let one = options.len() == 1;
            let verb = if one { "is" } else { "are" };
            let what = match kind {
                0 => "never worth choosing any more",
                1 if !one => "sometimes worth choosing, and never were before",
                1 => "sometimes worth choosing, and never was before",
                2 => "offered now",
                _ => "not offered any more",
            };
            format!("{} of `{question}` {verb} {what}", options_in_words(&options, OPTIONS))
        };
        parts.into_iter().map(stated).collect()
    }

    fn unclear(&self) -> Option<String> {
        let unclear = self.measures.iter().filter(|one| one.tested.certainty == Certainty::Unknown);
        let mut unclear: Vec<&MeasureChange> = unclear.filter(|one| !is_odds(&one.name)).collect();
        unclear.sort_by(|a, b| b.size.total_cmp(&a.size));
        let most = unclear.iter().find(|one| {
            one.difference.low < one.difference.high && one.difference.half_width().is_finite()
        })?;
        if self.playouts == 0 {
            // No playout would tell: of several equilibria, or of what is proven, there are ranges.
            return Some(match unclear.len() {
                1 => {
                    format!("It is not known whether `{}` changes: its ranges overlap.", most.name)
                }
                count => format!(
                    "It is not known whether {count} measures change: their ranges overlap."
                ),
            });
        }
        let [middle, low, high] = report::apart(most.difference.value, most.difference.range());
        let whether = match unclear.len() {
            1 => format!("The data do not yet show whether `{}` changes", most.name),
            // No measure seems to change most if the largest change prints as 0.
            count if middle.parse() == Ok(0.0) => format!(
                "The data do not yet show whether {count} measures change, `{}` for one",
                most.name
            ),
            count => format!(
                "The data do not yet show whether {count} measures change; of these `{}` seems to \
                 change most",
                most.name
            ),
        };
        Some(format!("{whether} ({middle}, from {low} to {high})."))
    }

    /// In how many playouts functions were counted at the least: more than these the script runs only to
    /// read their outcomes; 0 on the graph.
    fn replayed(&self) -> u64 {
        match self.measures.iter().any(|one| one.name.starts_with("outcome.")) {
            true => self.playouts,
            false => self.playouts.min(REPLAYED),
        }
    }

    /// The house rules whose functions never run, and why nothing changed then.
    fn never(&self) -> Vec<String> {
        let mut rules: BTreeMap<&str, Vec<&ClauseChange>> = BTreeMap::new();
        for one in &self.clauses {
            if let Some(rule) = &one.of.rule {
                rules.entry(rule).or_default().push(one);
            }
        }
        let laid: BTreeSet<&str> = self.changes.iter().map(String::as_str).collect();
        let function =
            |one: &&ClauseChange| function_name(one.of.clause.as_deref(), &one.of.function, None);
        let never = |(rule, all): (&&str, &Vec<&ClauseChange>)| {
            let is = laid.iter().any(|laid| names_rule(laid, rule));
            let idle: Vec<String> =
                all.iter().filter(|one| one.of.house == 0.0).map(function).collect();
            let seen = match self.replayed() {
                0 => "in this conflict".to_owned(),
                n => format!("in {}", report::many(n, "playout")),
            };
            match idle.len() {
                0 => None,
                _ if !is => None,
                count if count == all.len() => {
                    let were = if count == 1 { "was" } else { "were" };
                    let idle = idle.join(", ");
                    Some(format!("`{rule}` never ran {seen}: {idle} {were} not called."))
                }
                _ => Some(format!("Of `{rule}` {} never ran {seen}.", idle.join(", "))),
            }
        };
        rules.iter().filter_map(never).collect()
    }
}

/// Whether a change is this house rule: by its name, or by the path of its file.
fn names_rule(change: &str, rule: &str) -> bool {
    let stem = std::path::Path::new(change).file_stem().and_then(|stem| stem.to_str());
    change == rule || stem == Some(rule)
}

// Changes of rules and of measures as parts of sentences.

/// The changes as they begin a sentence: `Under `a` and without `b``.
pub(crate) fn under(changes: &[String]) -> String {
    let quoted = |names: Vec<&str>| report::enumerated(&report::ticked(names));
    let with: Vec<&str> =
        changes.iter().filter(|one| !one.starts_with('-')).map(String::as_str).collect();
    let without: Vec<&str> = changes.iter().filter_map(|one| one.strip_prefix('-')).collect();
    match (with.is_empty(), without.is_empty()) {
        (_, true) => format!("under {}", quoted(with)),
        (true, false) => format!("without {}", quoted(without)),
        (false, false) => {
            format!("under {} without {}", quoted(with), quoted(without))
        }
    }
}

pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

/// A number in three digits: `0.0754`, `1.4`, `12`.
pub(super) fn three(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return report::tidy(number);
    }
    let places = (2.0 - number.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{number:.places$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// What a difference of a measure is, as a part of a sentence; `base` is what it was, where that is printed.
pub(super) fn phrase(name: &str, difference: f64, base: Option<f64>) -> String {
    let up = difference > 0.0;
    match base.filter(|base| *base > 0.0) {
        // What has no unit that people know is set against what it was.
        Some(base) if Meaning::of(name).is_some_and(|one| one.unit == "chance") => {
            let percent = three(100.0 * (difference / base).abs());
            let more = if up { "more" } else { "less" };
            format!("a conflict has {percent} % {more} {}", Meaning::label(name).1)
        }
        _ => {
            let sizes = [1.0, 100.0].map(|times| three(times * difference.abs()));
            Meaning::change(name, sizes.each_ref().map(String::as_str), up)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn changes_begin_a_sentence_that_can_be_read() {
        assert_eq!(under(&named(&["a"])), "under `a`");
        assert_eq!(under(&named(&["a", "b=2", "c"])), "under `a`, `b=2` and `c`");
        assert_eq!(capital(&under(&named(&["-a"]))), "Without `a`");
        assert_eq!(under(&named(&["a", "-b"])), "under `a` without `b`");
    }

    #[test]
    fn a_difference_is_a_part_of_a_sentence() {
        let suspense = phrase("drama.suspense", -0.1, Some(0.4));
        assert_eq!(suspense, "a conflict has 25 % less suspense");
        for (name, difference, said) in [
            ("length.decisions", 1.4, "a conflict is 1.4 decisions longer"),
            ("length.decisions", -1.0, "a conflict is 1 decision shorter"),
            ("drama.lead_changes", 0.0754, "a conflict has 0.0754 more lead changes"),
            ("length.steps", -1.0, "a conflict takes 1 fewer step"),
            ("choice.forced", 0.5, "a decision has only one sensible option 50 points more often"),
            ("luck.chance", -0.12, "chance decides 12 points less"),
            ("luck.red", 0.01, "what red chooses decides 1 point more"),
            ("ties", 0.12345, "ties come 12.3 points more often"),
            ("fairness.first_seat", -0.25, "the first seat is worth 0.25 less"),
            ("outcome.cities.left", 2.0, "`cities.left` is 2 higher"),
            ("skill.search:100", 0.2, "`search:100` beats the agent below it 20 points more often"),
        ] {
            assert_eq!(phrase(name, difference, None), said);
        }
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!([1234.5, 12.0, 1.25, 0.07536].map(three), ["1234", "12", "1.25", "0.0754"]);
        assert_eq!(three(0.0), "0");
    }

    #[test]
    fn what_never_ran_is_said_of_the_playouts_that_were_looked_at() {
        let stated = |playouts: u64, measure: &str| {
            let contrast = json!({
                "changes": ["idle"],
                "playouts": playouts,
                "measures": [{
                    "name": measure, "unit": "number", "base": 1, "house": 1, "difference": 0, "low": 0,
                    "high": 0, "certainty": "same", "size": 0,
                }],
                "clauses": [{
                    "function": "edge", "rule": "idle", "base": 0, "house": 0, "certainty": "same",
                }],
            });
            let contrast: Contrast = serde_json::from_value(contrast).unwrap();
            contrast.never().concat()
        };
        let never = |seen: &str| format!("`idle` never ran {seen}: `edge` was not called.");
        assert_eq!(stated(10_000, "ties"), never("in 2000 playouts"));
        assert_eq!(stated(500, "ties"), never("in 500 playouts"));
        assert_eq!(stated(0, "ties"), never("in this conflict"));
        // To read an outcome the script runs all.
        assert_eq!(stated(10_000, "outcome.rounds"), never("in 10000 playouts"));
    }
}
