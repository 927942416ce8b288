//! The measures of each single playout, in order, so that two portraits can be compared playout by playout.

use std::collections::BTreeMap;

use num_traits::One;

use super::ended::parts_of;
use super::glossary::{By, EndMeasure, GLOSSARY, is_share, said};
use super::paths::ValuedGraph;
use super::playouts::{PlayoutResults, REPLAYED, at};
use super::portrait_measure::{Measure, PlayoutMeasures, WeightedValues};
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::WorkerFactory;
use crate::number::{Amount, Fraction, about, fraction};
use crate::script::Rules;

/// The playouts of which it is kept how often each function was run.
fn replayed(rows: &[PlayoutMeasures]) -> Vec<&PlayoutMeasures> {
    rows.iter().take(REPLAYED as usize).filter(|row| row.leg.steps.is_some()).collect()
}

/// A function of the rules: its name, and the house rule that it belongs to.
pub(super) type FunctionKey = (String, Option<String>);

/// For each measure its value in each playout; each mean is the value of the measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MeasureSeries {
    /// By the names of measures.
    pub measures: BTreeMap<String, Vec<f64>>,
    /// How often each function was run, in the playouts that the script ran.
    pub clauses: BTreeMap<FunctionKey, Vec<f64>>,
    /// How many playouts the script ran.
    pub replayed: usize,
    /// How many playouts would halve the intervals of what is found from further playouts, where that can
    /// be.
    pub further: Option<u64>,
}

/// What each of pairs moves their quotient of means by (the delta method), so that the mean of all is the
/// quotient; nothing over 0.
pub(super) fn of_ratio(pairs: &[(f64, f64)]) -> Option<Vec<f64>> {
    let sum = |one: fn(&(f64, f64)) -> f64| pairs.iter().map(one).sum::<f64>();
    let (part, whole) = (sum(|pair| pair.0), sum(|pair| pair.1));
    if whole == 0.0 {
        return None;
    }
    let (ratio, mean) = (part / whole, whole / pairs.len() as f64);
    Some(pairs.iter().map(|(part, whole)| ratio + (part - ratio * whole) / mean).collect())
}

impl PlayoutResults {
    /// The series of all measures that are means over playouts; none where there were too many.
    pub(super) fn series(
        &self,
        seating: &Seating,
        rules: &Rules,
        names: &[String],
        first: usize,
    ) -> MeasureSeries {
        let rows = &self.rows;
        if rows.is_empty() || rows.len() as u64 != self.n {
            return MeasureSeries::default();
        }
        let mut series = MeasureSeries::default();
        let each =
            |value: &dyn Fn(&PlayoutMeasures) -> Option<f64>| rows.iter().map(value).collect();
        let mut add = |name: String, values: Option<Vec<f64>>| {
            series.measures.extend(values.map(|values| (name, values)));
        };
        for (at, name) in names.iter().enumerate() {
            let number = |row: &PlayoutMeasures| row.outcomes.get(at).copied().flatten();
            add(format!("outcome.{name}"), each(&number));
        }
        for meaning in &GLOSSARY {
            let values = match meaning.by {
                By::Leg(count) => each(&|row| Some(count(&row.leg)? as f64)),
                By::Ratio([part, whole]) => {
                    let pair =
                        |row: &PlayoutMeasures| (part(&row.leg) as f64, whole(&row.leg) as f64);
                    of_ratio(&rows.iter().map(pair).collect::<Vec<_>>())
                }
                _ => None,
            };
            add(meaning.name.to_owned(), values);
        }
        self.ended(seating, first, &mut series);
        let replayed = replayed(rows);
        series.replayed = replayed.len();
        for one in rules.countable() {
            let values = series
                .clauses
                .entry((one.name, one.house))
                .or_insert_with(|| vec![0.0; replayed.len()]);
            for (value, row) in values.iter_mut().zip(&replayed) {
                let runs = row.calls.iter().find(|(number, _)| *number == one.number);
                *value += runs.map_or(0.0, |(_, runs)| *runs as f64);
            }
        }
        series
    }

    fn ended(&self, seating: &Seating, first: usize, series: &mut MeasureSeries) {
        let (seats, count) = (seating.players.seats(), self.rows.len());
        // What each different ending says, by the names of the measures.
        let mut known: BTreeMap<u32, Vec<(String, f64)>> = BTreeMap::new();
        for row in &self.rows {
            known.entry(row.ending).or_insert_with(|| {
                let Some(ending) = seating.graph.ending_of(row.ending) else { return Vec::new() };
                let said = said(ending, &seats, first).into_iter();
                said.map(|((_, _, name), value)| (name, about(&value))).collect()
            });
        }
        for (at, row) in self.rows.iter().enumerate() {
            for (name, value) in known.get(&row.ending).into_iter().flatten() {
                match series.measures.get_mut(name) {
                    Some(values) => values[at] = *value,
                    None => {
                        let mut values = vec![0.0; count];
                        values[at] = *value;
                        series.measures.insert(name.clone(), values);
                    }
                }
            }
        }
    }
}

pub(super) fn measures<A: Amount>(valued: &ValuedGraph<'_, A>, first: usize) -> Vec<Measure> {
    let mut all: BTreeMap<EndMeasure, WeightedValues<A>> = BTreeMap::new();
    for (_, ending, chance) in valued.ended() {
        for (measure, value) in said(ending, &valued.seats, first) {
            all.entry(measure).or_default().add(value, chance);
        }
    }
    let measure = |((entry, _, name), values): (EndMeasure, WeightedValues<A>)| {
        if is_share(entry) {
            return Measure::new(name, &values.chance(&Fraction::one()).quantity());
        }
        Measure::new(name, &values.mean()).spreading(values.spread())
    };
    all.into_iter().map(measure).collect()
}

/// The means of parts of utilities, where they are wanted, and of the numbers of these names that outcomes have. No
/// part is known where the first end has none.
pub(super) fn outcomes<A: Amount>(
    valued: &ValuedGraph<'_, A>,
    mut parts: bool,
    names: &[String],
) -> Result<Vec<Measure>, Error> {
    if !parts && names.is_empty() {
        return Ok(Vec::new());
    }
    let (explorer, _) = valued.seating.make_worker()?;
    let mut all: BTreeMap<String, WeightedValues<A>> = BTreeMap::new();
    for (place, _, chance) in valued.ended() {
        if !parts && names.is_empty() {
            break;
        }
        valued.seating.may_continue()?;
        let Some(outcome) = explorer.outcome(valued.ordered.game.nodes[place])? else { continue };
        parts &= outcome.get("parts").is_some();
        let of_parts = if parts { parts_of(&outcome, &valued.seats) } else { BTreeMap::new() };
        let number =
            |name: &String| Some((format!("outcome.{name}"), fraction(at(&outcome, name)?)?));
        for (name, number) in of_parts.into_iter().chain(names.iter().filter_map(number)) {
            all.entry(name).or_default().add(number, chance);
        }
    }
    let measure = |(name, all): (String, WeightedValues<A>)| {
        if name.starts_with("parts.") {
            return Some(Measure::new(name, &all.mean()));
        }
        let mean = all.share_of(&all.mean())?;
        Some(Measure::new(name, &mean).spreading(all.spread()))
    };
    Ok(all.into_iter().filter_map(measure).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::portrait::ended::Leg;

    #[test]
    fn functions_are_counted_in_the_first_playouts_only() {
        // Where outcomes are read the script runs all playouts, but the calls of the later are not kept:
        // what runs once in each of the first 2,000 of 3,000 has a mean of 1, and not of 2/3.
        let row = |at: u64| {
            let calls = if at < REPLAYED { vec![(7, 1)] } else { Vec::new() };
            let leg = Leg { steps: Some(3), ..Leg::default() };
            PlayoutMeasures { leg, calls, ..PlayoutMeasures::default() }
        };
        let rows: Vec<PlayoutMeasures> = (0..3_000).map(row).collect();
        let found = replayed(&rows);
        assert_eq!(found.len(), 2_000);
        assert!(found.iter().all(|row| row.calls == [(7, 1)]));
        assert_eq!(replayed(&rows[..10]).len(), 10);
        assert!(replayed(&[PlayoutMeasures::default()]).is_empty());
    }
}
