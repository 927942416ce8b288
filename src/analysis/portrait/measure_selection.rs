//! Which measures are wanted: names are checked before anything is computed.

use std::collections::{BTreeMap, BTreeSet};

use super::Portrait;
use super::ended::{is_number, parts_of};
use super::glossary::GLOSSARY;
use crate::conflict::{Conflict, Seat, Seating};
use crate::error::{Error, nearest};
use crate::game::{Generator, Value};
use crate::report;
use crate::script::{Ear, Run};

/// The prefix of the path of a number in the outcome.
const OUTCOME: &str = "outcome.";
/// This many results or parts are listed.
const LISTED: usize = 12;
/// The key of an outcome that names its result.
const RESULT: &str = "result";
/// This many playouts at random say what an outcome has.
const PROBES: u64 = 20;
/// A probe takes one in this many of the operations that a playout may take.
const OF_A_PROBE: u64 = 10;

/// What a portrait is to measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasureSelection {
    /// The names of the measures and groups that are wanted; all measures where there is none.
    only: Vec<String>,
    /// The paths of numbers in the outcome, as they were written.
    pub names: Vec<String>,
    /// Whether what takes long is only found where its name or group is among those wanted.
    sparing: bool,
}

impl MeasureSelection {
    /// Reads the names of measures, of groups, and of numbers in the outcome.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the nearest name; [`Error::Usage`] for a part of the outcome that is no
    /// number.
    pub fn read(
        words: &[String],
        conflict: &Conflict,
        seating: &Seating,
    ) -> Result<MeasureSelection, Error> {
        let seats = seating.players.seats();
        let groups = GLOSSARY.iter().filter_map(|one| one.name.split('.').next());
        let groups = groups.filter(|group| *group != OUTCOME.trim_end_matches('.'));
        let mut known: Vec<String> = groups.map(str::to_owned).collect();
        for meaning in &GLOSSARY {
            known.extend(meaning.names(seats.iter().map(|seat| seat.name.as_str())));
        }
        let mut once = BTreeSet::new();
        known.retain(|name| once.insert(name.clone()));
        let (mut wanted, mut probed) = (MeasureSelection::default(), None);
        for word in words {
            let is_named = |name: &str| {
                known.iter().any(|one| one == name)
                    || ["result.", "parts."].iter().any(|group| name.starts_with(group))
            };
            let are_several =
                word.contains(',') && word.split(',').all(|name| is_named(name.trim()));
            if known.contains(word) || (word.starts_with("result.") && !are_several) {
                wanted.only.push(word.clone());
                continue;
            }
            let Probed { outcomes, of_ends } = match &probed {
                Some(known) => known,
                None => probed.insert(Probed::of(conflict, &seats)?),
            };
            let path = word.strip_prefix(OUTCOME).unwrap_or(word);
            let is_part = seats.iter().any(|seat| is_part(word, seat));
            match outcomes.get(path) {
                _ if of_ends.contains(word) => wanted.only.push(word.clone()),
                // What no probe ended with, others may.
                None if is_part && !are_several => wanted.only.push(word.clone()),
                Some(None) => wanted.names.push(path.to_owned()),
                Some(Some(kind)) => {
                    let numbers: Vec<&str> = numbers(outcomes).collect();
                    let none = if numbers.is_empty() { "; it has none to measure" } else { "" };
                    let message = format!("`{path}` of the outcome is {kind}, no number{none}");
                    return Err(Error::Usage { message, nearest: nearest(path, numbers) });
                }
                None if word.contains(',') => {
                    let message = format!(
                        "`{word}` is more than one measure: name each in an option of its own"
                    );
                    return Err(Error::usage(message));
                }
                None => {
                    // As the word was written: with the prefix or without.
                    let prefix = word.strip_suffix(path).unwrap_or_default();
                    let numbers = numbers(outcomes).map(|path| format!("{prefix}{path}"));
                    let named = known.iter().chain(of_ends).cloned();
                    let all: Vec<String> = named.chain(numbers).collect();
                    return Err(Error::unknown("measure", word, all.iter().map(String::as_str)));
                }
            }
        }
        Ok(wanted)
    }

    /// The same, where what takes long is only found if it is named.
    #[must_use]
    pub fn sparing(self) -> MeasureSelection {
        MeasureSelection { sparing: true, ..self }
    }

    /// Whether something may be left out since it takes long.
    pub(crate) fn is_sparing(&self) -> bool {
        self.sparing && self.only.is_empty()
    }

    /// As [`MeasureSelection::read`], of at least one name: nothing else is measured, also where all of them are
    /// numbers in the outcome.
    ///
    /// # Errors
    /// As [`MeasureSelection::read`].
    pub fn only(
        words: &[String],
        conflict: &Conflict,
        seating: &Seating,
    ) -> Result<MeasureSelection, Error> {
        let mut wanted = MeasureSelection::read(words, conflict, seating)?;
        if wanted.only.is_empty() {
            wanted.only.push(OUTCOME.trim_end_matches('.').to_owned());
        }
        Ok(wanted)
    }

    /// The shares of results and the parts of utilities that ends of playouts at random have, by the names of their
    /// measures: a mistyped one may be meant for one of them.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn of_ends(conflict: &Conflict, seating: &Seating) -> Result<BTreeSet<String>, Error> {
        Ok(Probed::of(conflict, &seating.players.seats())?.of_ends)
    }

    /// Says of each share of a result and part of a utility that is named, and that no end in any of these portraits
    /// has, which there are.
    pub(crate) fn absent(&self, portraits: &[&Portrait]) -> Vec<String> {
        let absent = self.only.iter().filter_map(|word| {
            let names = portraits.iter().map(|portrait| portrait.others(word));
            let names: Option<Vec<&BTreeSet<String>>> = names.collect();
            let all: BTreeSet<&String> = names?.into_iter().flatten().collect();
            let all = report::some_of(report::ticked(&all), LISTED, ", ");
            let there = if all.is_empty() { "none" } else { &all };
            Some(format!("no end has `{word}`; ends have {there}"))
        });
        absent.collect()
    }

    /// Whether anything of a group is wanted, or of a part of it, such as `fairness.value`.
    pub fn has(&self, group: &str) -> bool {
        let within = |word: &str, group: &str| {
            let rest = word.strip_prefix(group);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let of = |word: &String| within(word, group) || within(group, word);
        self.only.is_empty() || self.only.iter().any(of)
    }

    /// Whether the parts of utilities are asked for by name, so that playouts are run once more for them.
    pub(super) fn reads_parts(&self) -> bool {
        !self.only.is_empty() && self.has("parts")
    }

    /// Whether what options are worth, drama and luck are to be found from further playouts, where the
    /// graph does not say them.
    pub(crate) fn looks_ahead(&self) -> bool {
        self.would(&["drama", "luck", "choice"])
    }

    /// Whether that takes further playouts: what options are worth is weighed without.
    pub(super) fn follows(&self) -> bool {
        self.has("drama") || self.has("luck")
    }

    pub(crate) fn solves(&self) -> bool {
        let value = |word: &String| word.starts_with("fairness.value");
        self.would(&["strategy", "skill"])
            || self.has("fairness.value") && (!self.sparing || self.only.iter().any(value))
    }

    pub(crate) fn climbs(&self) -> bool {
        self.would(&["skill"])
    }

    /// Whether any of these groups is wanted though it takes long.
    fn would(&self, groups: &[&str]) -> bool {
        !self.is_sparing() && groups.iter().any(|group| self.has(group))
    }

    /// Whether a measure is wanted.
    pub fn names(&self, measure: &str) -> bool {
        let is = |word: &String| {
            measure
                .strip_prefix(word.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        measure.starts_with(OUTCOME) || self.only.is_empty() || self.only.iter().any(is)
    }
}

/// The paths of an outcome, each with what it is if it is not a number.
type OutcomePaths = BTreeMap<String, Option<&'static str>>;

/// Whether a word names a part of a seat's utility, whether or not there is such a part.
fn is_part(word: &str, seat: &Seat) -> bool {
    let of_seat = word.strip_prefix("parts.").and_then(|word| word.strip_prefix(&seat.name));
    of_seat.is_some_and(|rest| rest.starts_with('.') && rest.len() > 1)
}

fn numbers(outcomes: &OutcomePaths) -> impl Iterator<Item = &str> {
    outcomes.iter().filter(|(_, kind)| kind.is_none()).map(|(path, _)| path.as_str())
}

/// What the ends of some playouts at random have.
#[derive(Default)]
struct Probed {
    /// The paths of their outcomes.
    outcomes: OutcomePaths,
    /// The measures of their results and of the parts of utilities.
    of_ends: BTreeSet<String>,
}

impl Probed {
    fn of(conflict: &Conflict, seats: &[Seat]) -> Result<Probed, Error> {
        let mut found = Probed::default();
        probe(conflict, |outcome| {
            paths(outcome, &mut Vec::new(), &mut found.outcomes);
            let result = outcome.get(RESULT).and_then(Value::as_text);
            found.of_ends.extend(result.map(|result| format!("result.{result}")));
            found.of_ends.extend(parts_of(outcome, seats).into_keys());
        })?;
        Ok(found)
    }
}

/// Looks at the outcomes of some playouts at random.
fn probe(conflict: &Conflict, mut look: impl FnMut(&Value)) -> Result<(), Error> {
    let most = conflict.rules.limits().playout / OF_A_PROBE;
    for seed in 0..PROBES {
        let mut generator = Generator::playout(seed, 0);
        let run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf).within(most);
        match run.finish(|question| Ok(generator.sample(question))) {
            Ok(played) => look(played.outcome.value()),
            Err(stop) => match Error::from(stop) {
                Error::Interrupted => return Err(Error::Interrupted),
                // What fails here fails again where it counts.
                _ => continue,
            },
        }
    }
    Ok(())
}

/// More paths than these no outcome is read for.
const PATHS: usize = 10_000;

fn paths(value: &Value, before: &mut Vec<String>, found: &mut OutcomePaths) {
    if !before.is_empty() && found.len() < PATHS {
        let kind = if is_number(&before[0], value) { None } else { Some(value.kind()) };
        let known = found.entry(before.join(".")).or_insert(kind);
        // What is a number in some outcomes is one.
        *known = known.and(kind);
    }
    let Value::Map(map) = value else { return };
    for key in map.keys() {
        before.push(key.clone());
        if let Some(value) = value.get(key) {
            paths(value, before, found);
        }
        before.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_all_of_its_measures_and_a_name_is_one() {
        let wanted = |words: &[&str]| MeasureSelection {
            only: words.iter().map(|&word| word.to_owned()).collect(),
            ..MeasureSelection::default()
        };
        let one = wanted(&["length", "fairness.wins.red"]);
        assert!(one.has("length") && one.has("fairness") && !one.has("luck"));
        assert!(one.has("length.steps") && !one.has("fairness.value") && !one.has("leng"));
        assert!(one.names("length.steps") && one.names("fairness.wins.red"));
        assert!(!one.names("fairness.wins.redder") && !one.names("fairness.utility.red"));
        assert!(one.names("outcome.left") && wanted(&[]).names("anything"));
    }
}
