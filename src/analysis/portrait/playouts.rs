//! What playouts say about a conflict whose graph is too large: each measure with its interval, and with its value in
//! each single playout.

use std::collections::BTreeMap;
use std::ops::Range;

use hashbrown::HashMap;
use indexmap::IndexSet;

use super::ended::{Leg, at, parts_of, worths};
use super::glossary::{EndMeasure, is_share, said};
use super::length;
use super::portrait_measure::{Measure, NumberCounts};
use crate::analysis::batches::{BATCH, FailedPlayout, Looks, PlayoutWork, batch};
use crate::analysis::chances::CountedEndings;
use crate::analysis::estimate::so_far;
use crate::analysis::{Chances, PLAYOUTS, Sampling, Stage};
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::{Outcome, Stop};
use crate::graph::{Graph, PlayoutCourse, PlayoutRunner};
use crate::number::{Interval, Quantity, about};
use crate::script::{Counted, Ear, Rules, Run};

/// In this many playouts it is counted what the script runs. Where more of the outcome is wanted than the end says,
/// and where agents think, they are run once more for that.
pub(crate) const REPLAYED: u64 = 2_000;

/// What is read of playouts beside how they end.
#[derive(Clone, Copy, Default)]
pub(super) struct Reads<'a> {
    /// The paths of the wanted numbers of outcomes.
    pub names: &'a [String],
    /// Whether parts of utilities are wanted.
    pub parts: bool,
    /// Whether anything is to be counted that only the script knows: its steps and the functions that it runs.
    pub runs: bool,
}

/// Of more playouts than these it is not kept what each says.
const MOST: u64 = 200_000;

/// What one playout says.
#[derive(Clone, Debug, Default)]
struct PlayoutRow {
    leg: Leg,
    ending: u32,
    /// The most options that a decision had.
    most: u64,
    /// The numbers at the wanted paths of the outcome.
    outcomes: Vec<Option<f64>>,
    /// The parts of utilities, by the names of their measures.
    parts: BTreeMap<String, f64>,
    /// How often each function was run, by its number, if the script ran it.
    calls: Vec<(u16, u64)>,
}

impl PlayoutRow {
    fn of(
        seating: &Seating,
        runner: &mut PlayoutRunner,
        (seed, playout): (u64, u64),
        replays: bool,
        reads: Reads<'_>,
    ) -> Result<PlayoutRow, Error> {
        // What the script ran is counted at once where nothing else of its end is wanted.
        let ends_alone = reads.names.is_empty() && !reads.parts;
        let mut noted = runner.course((seed, playout), replays && ends_alone)?;
        let (outcome, counted) = match noted.counted.take().filter(|_| ends_alone) {
            Some(counted) => (None, Some(counted)),
            None if replays => {
                let (outcome, counted) = replay(seating, runner, &noted.answers)?;
                (Some(outcome), Some(counted))
            }
            None => (None, None),
        };
        let PlayoutCourse { decisions, chance, options, ending, most, .. } = noted;
        let steps = counted.as_ref().map(|counted| counted.steps);
        let outcome = outcome.as_ref().map(Outcome::value);
        let number = |name: &String| outcome.and_then(|outcome| at(outcome, name)?.as_utility());
        let parts = outcome.filter(|_| reads.parts);
        let parts = parts.map(|outcome| parts_of(outcome, &seating.players.seats()));
        Ok(PlayoutRow {
            leg: Leg { decisions, chance, options, steps },
            ending,
            most,
            outcomes: reads.names.iter().filter(|_| replays).map(number).collect(),
            parts: parts.into_iter().flatten().map(|(name, part)| (name, about(&part))).collect(),
            calls: counted.map(|counted| counted.calls).unwrap_or_default(),
        })
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct PlayoutResults {
    pub n: u64,
    /// How many of them were run by the script.
    pub replayed: u64,
    /// How many of them had these numbers of questions and steps.
    legs: BTreeMap<Leg, u64>,
    most: u64,
    /// What is read from outcomes, by the names of the measures, where an outcome has it.
    read: BTreeMap<String, NumberCounts>,
    /// How often each ending came, by its number.
    endings: HashMap<u32, u64>,
    /// How often each function was run, by its number.
    pub calls: HashMap<u16, u64>,
    /// What each playout says, in their order, where they are not too many.
    rows: Vec<PlayoutRow>,
    /// Whether somebody wanted it to stop before its time.
    pub cut: bool,
}

impl PlayoutResults {
    pub(super) fn make(
        seating: &Seating,
        sampling: Sampling,
        reads: Reads<'_>,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<PlayoutResults, FailedPlayout> {
        let replayed = match (reads.names.is_empty(), reads.runs || reads.parts) {
            (true, false) => 0,
            (true, true) => REPLAYED,
            (false, _) => u64::MAX,
        };
        let mut results = PlayoutResults::default();
        let (mut made, mut looks) = (0, Looks::often());
        let total = sampling.known_total();
        progress(Stage::Begin(PLAYOUTS));
        let done = |done| progress(Stage::Playouts(done, total));
        let work = PlayoutWork { n: sampling.n, threads: sampling.threads, progress: &done };
        let maker = || {
            let mut runner = seating.playout_runner()?;
            Ok(move |playouts: Range<u64>| {
                batch(playouts, |playout| {
                    let (number, replays) = ((sampling.seed, playout), playout < replayed);
                    let row = seating.is_wanted().and_then(|()| {
                        PlayoutRow::of(seating, &mut runner, number, replays, reads)
                    });
                    row.map_err(|error| FailedPlayout::of(&mut runner, number, seating, error))
                })
            })
        };
        let outcomes = reads.names.iter().map(|name| format!("outcome.{name}"));
        let outcomes: Vec<String> = outcomes.collect();
        let done = work.in_order(&maker, &mut |rows: Vec<PlayoutRow>| {
            rows.into_iter().for_each(|row| results.add(row, &outcomes));
            made += BATCH;
            // The time is over where a batch is short: what it has by then counts.
            results.cut = results.n < made.min(sampling.n);
            if results.cut {
                return true;
            }
            if !looks.is_due(made) {
                return false;
            }
            let chances = results.chances(seating);
            progress(Stage::Known(so_far(&chances, Quantity::as_share, sampling.enough.within())));
            sampling.enough.within().is_some_and(|within| chances.is_enough(within, made))
        });
        match done {
            Ok(cut) => results.cut |= cut.is_some(),
            // The time of all is over; what there is by then counts.
            Err(FailedPlayout { error, .. }) if error.cut().is_some() && results.n > 0 => {
                results.cut = true
            }
            Err(failed) => return Err(failed),
        }
        Ok(results)
    }

    /// Counts a playout, with the names of the measures of what is read from outcomes.
    fn add(&mut self, mut row: PlayoutRow, outcomes: &[String]) {
        *self.endings.entry(row.ending).or_default() += 1;
        *self.legs.entry(row.leg).or_default() += 1;
        self.most = self.most.max(row.most);
        self.replayed += u64::from(row.leg.steps.is_some());
        for (function, count) in &row.calls {
            *self.calls.entry(*function).or_default() += count;
        }
        let named =
            outcomes.iter().zip(&row.outcomes).filter_map(|(name, one)| Some((name, (*one)?)));
        let parts = std::mem::take(&mut row.parts);
        for (name, number) in named.chain(parts.iter().map(|(name, part)| (name, *part))) {
            match self.read.get_mut(name) {
                Some(seen) => seen.add_times(number, 1),
                None => self.read.entry(name.clone()).or_default().add_times(number, 1),
            }
        }
        if self.n >= REPLAYED {
            row.calls = Vec::new();
        }
        if self.n < MOST {
            self.rows.push(row);
        }
        self.n += 1;
    }

    fn tally(&self, graph: &Graph) -> CountedEndings {
        let counts = self.endings.iter().map(|(&number, &count)| (number, count));
        CountedEndings::new(counts, |number| graph.ending_of(number))
    }

    fn chances(&self, seating: &Seating) -> Chances {
        Chances::sampled(&self.tally(&seating.graph))
    }

    pub(super) fn questions(&self) -> f64 {
        let questions = |(leg, count): (&Leg, &u64)| (leg.decisions + leg.chance) * count;
        self.legs.iter().map(questions).sum::<u64>() as f64 / self.n.max(1) as f64
    }

    /// What is counted from question to question, and what is read from outcomes: a part of a utility that an end does
    /// not have is 0 there.
    pub(super) fn measures(&self, names: &[String]) -> Vec<Measure> {
        let each: Vec<Leg> = self.each().iter().map(|row| row.leg).collect();
        let mut all = length::sampled(&self.legs, &each);
        if self.legs.keys().any(|leg| leg.decisions > 0) {
            // The most that any playout met: there may be more where none came.
            let (value, high) = (self.most as f64, f64::INFINITY);
            let most = Quantity { value, ..Quantity::proven(Interval { low: value, high }) };
            all.push(Measure::new("choice.most", &most));
        }
        all.extend(self.read.iter().filter_map(|(name, seen)| {
            let mut seen = seen.clone();
            if let (true, without @ 1..) =
                (name.starts_with("parts."), self.replayed - seen.count())
            {
                seen.add_times(0.0, without);
            }
            let path = name.strip_prefix("outcome.");
            let at = path.and_then(|path| names.iter().position(|one| one == path));
            let value = |row: &PlayoutRow| *row.outcomes.get(at?)?;
            Some(seen.measure(name)?.with_values(self.each().iter().map(value).collect()))
        }));
        all
    }

    /// What their ends say, where this seat is the first.
    pub(super) fn results(&self, seating: &Seating, first: usize) -> Vec<Measure> {
        let seats = seating.players.seats();
        let mut all: BTreeMap<EndMeasure, EndNumbers> = BTreeMap::new();
        for (&number, &count) in &self.endings {
            let Some(ending) = seating.graph.ending_of(number) else { continue };
            for (measure, value) in said(ending, &seats, first) {
                let (seen, of_endings) = all.entry(measure).or_default();
                let value = about(&value);
                seen.add_times(value, count);
                of_endings.insert(number, value);
            }
        }
        let measure = |((entry, _, name), (seen, of_endings)): (EndMeasure, EndNumbers)| {
            let value = |row: &PlayoutRow| of_endings.get(&row.ending).copied().unwrap_or_default();
            let measure = match is_share(entry) {
                true => Measure::new(name, &Quantity::share(seen.sum() as u64, self.n)?),
                false => seen.measure(&name)?,
            };
            Some(measure.with_values(Some(self.each().iter().map(value).collect())))
        };
        all.into_iter().filter_map(measure).collect()
    }

    /// What each playout says, in their order; nothing where they were too many.
    fn each(&self) -> &[PlayoutRow] {
        if self.rows.len() as u64 == self.n { &self.rows } else { &[] }
    }

    /// How often each function was run, in each playout that the script ran.
    pub(super) fn runs(&self, rules: &Rules) -> FunctionRuns {
        let replayed = replayed(self.each());
        if replayed.is_empty() {
            return FunctionRuns::default();
        }
        let mut functions: IndexSet<FunctionKey> = IndexSet::new();
        let all = rules.countable().into_iter();
        let column_of: HashMap<u16, usize> =
            all.map(|one| (one.number, functions.insert_full((one.name, one.house)).0)).collect();
        let mut columns = vec![vec![0.0; replayed.len()]; functions.len()];
        for (at, row) in replayed.iter().enumerate() {
            for (number, runs) in &row.calls {
                if let Some(column) = column_of.get(number) {
                    columns[*column][at] += *runs as f64;
                }
            }
        }
        let of = functions.into_iter().zip(columns).collect();
        FunctionRuns { of, replayed: replayed.len() }
    }

    /// For each seat the difference of the most and the least that it has in any playout.
    pub(super) fn range(&self, seating: &Seating) -> Vec<f64> {
        let seats = seating.players.seats();
        let mut range = vec![(f64::INFINITY, f64::NEG_INFINITY); seats.len()];
        for (ending, _) in self.tally(&seating.graph).iter() {
            for ((least, most), worth) in range.iter_mut().zip(worths(ending, &seats)) {
                let worth = about(&worth);
                (*least, *most) = (least.min(worth), most.max(worth));
            }
        }
        range.into_iter().map(|(least, most)| (most - least).max(0.0)).collect()
    }
}

/// Runs a playout once more, by the script alone: how it ended, and which functions ran.
fn replay(
    seating: &Seating,
    runner: &PlayoutRunner,
    answers: &[u32],
) -> Result<(Outcome, Counted), Error> {
    let rules = runner.explorer().rules();
    let mut given = answers.iter().map(|answer| *answer as usize);
    rules.count_calls();
    let run = Run::begin(rules, &seating.setup, Ear::Deaf);
    let played = run.finish(|_| given.next().ok_or(Stop::Pause));
    let counted = rules.counted();
    Ok((played?.outcome, counted))
}

/// How often each number of a measure was seen, and the number that each ending has.
type EndNumbers = (NumberCounts, HashMap<u32, f64>);

/// The playouts of which it is kept how often each function was run.
fn replayed(rows: &[PlayoutRow]) -> Vec<&PlayoutRow> {
    rows.iter().take(REPLAYED as usize).filter(|row| row.leg.steps.is_some()).collect()
}

/// A function of the rules: its name, and the house rule that it belongs to.
type FunctionKey = (String, Option<String>);

/// How often each function was run in each of some playouts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FunctionRuns {
    pub of: BTreeMap<FunctionKey, Vec<f64>>,
    /// How many playouts the script ran.
    pub replayed: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_counted_in_the_first_playouts_only() {
        // Where outcomes are read the script runs all playouts, but the calls of the later are not kept:
        // what runs once in each of the first 2,000 of 3,000 has a mean of 1, and not of 2/3.
        let row = |at: u64| {
            let calls = if at < REPLAYED { vec![(7, 1)] } else { Vec::new() };
            let leg = Leg { steps: Some(3), ..Leg::default() };
            PlayoutRow { leg, calls, ..PlayoutRow::default() }
        };
        let rows: Vec<PlayoutRow> = (0..3_000).map(row).collect();
        let found = replayed(&rows);
        assert_eq!(found.len(), 2_000);
        assert!(found.iter().all(|row| row.calls == [(7, 1)]));
        assert_eq!(replayed(&rows[..10]).len(), 10);
        assert!(replayed(&[PlayoutRow::default()]).is_empty());
    }
}
