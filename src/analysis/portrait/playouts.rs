//! What playouts say about a conflict whose graph is too large: each measure with its interval.

use std::collections::BTreeMap;
use std::ops::Range;

use hashbrown::HashMap;

use super::ended::{Leg, parts_of, worths};
use super::glossary::{EndMeasure, is_share, said};
use super::length;
use super::portrait_measure::{MOST, Measure, NumberCounts, PlayoutMeasures};
use crate::analysis::batches::{BATCH, FailedPlayout, Looks, PlayoutWork};
use crate::analysis::estimate::so_far;
use crate::analysis::tally::{CountedEndings, EndingCounts};
use crate::analysis::{Chances, PLAYOUTS, Sampling, Stage};
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::{Outcome, Stop, Value};
use crate::graph::{Graph, PlayoutCourse, PlayoutRunner};
use crate::number::{Interval, Quantity, about};
use crate::script::{Counted, Ear, Run};

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
    endings: EndingCounts,
    /// How often each function was run, by its number.
    pub calls: HashMap<u16, u64>,
    /// The measures of each playout, in their order, where they are not too many.
    pub rows: Vec<PlayoutMeasures>,
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
                let mut batch = PlayoutResults::default();
                for playout in playouts {
                    let (number, replays) = ((sampling.seed, playout), playout < replayed);
                    let wanted = seating.is_wanted();
                    let made = wanted
                        .and_then(|()| batch.one(seating, &mut runner, number, replays, reads));
                    match made {
                        Ok(()) => {}
                        // The time is over: what the batch has by then counts.
                        Err(error) if error.is_asked_for() && batch.n > 0 => {
                            batch.cut = true;
                            break;
                        }
                        Err(error) if error.is_asked_for() => return Err(error.into()),
                        Err(error) => {
                            return Err(FailedPlayout::of(&mut runner, number, seating, error));
                        }
                    }
                }
                Ok(batch)
            })
        };
        let done = work.in_order(&maker, &mut |batch: PlayoutResults| {
            results.join(batch);
            made += BATCH;
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

    fn one(
        &mut self,
        seating: &Seating,
        runner: &mut PlayoutRunner,
        (seed, playout): (u64, u64),
        replays: bool,
        reads: Reads<'_>,
    ) -> Result<(), Error> {
        // What the script ran is counted at once where nothing else of its end is wanted.
        let ends_alone = reads.names.is_empty() && !reads.parts;
        let mut noted = runner.course((seed, playout), replays && ends_alone)?;
        let ending = noted.ending;
        let script = match noted.counted.take().filter(|_| ends_alone) {
            Some(counted) => Some((None, counted)),
            None if replays => {
                let (outcome, counted) = replay(seating, runner, &noted.answers)?;
                Some((Some(outcome), counted))
            }
            None => None,
        };
        // Only now is anything counted: a playout that fails is none.
        self.endings.count(ending);
        self.n += 1;
        self.most = self.most.max(noted.most);
        let PlayoutCourse { decisions, chance, options, .. } = noted;
        let steps = script.as_ref().map(|(_, counted)| counted.steps);
        let leg = Leg { decisions, chance, options, steps };
        *self.legs.entry(leg).or_default() += 1;
        let mut row = PlayoutMeasures { leg, ending, ..PlayoutMeasures::default() };
        if let Some((outcome, counted)) = script {
            self.replayed += 1;
            for (function, count) in &counted.calls {
                *self.calls.entry(*function).or_default() += count;
            }
            let outcome = outcome.as_ref().map(Outcome::value);
            for name in reads.names {
                let number = outcome.and_then(|outcome| at(outcome, name)).and_then(number);
                number.iter().for_each(|number| self.read(format!("outcome.{name}"), *number));
                row.outcomes.push(number);
            }
            if let Some(outcome) = outcome.filter(|_| reads.parts) {
                for (name, part) in parts_of(outcome, &seating.players.seats()) {
                    self.read(name, about(&part));
                }
            }
            if playout < REPLAYED {
                row.calls = counted.calls;
            }
        }
        if playout < MOST {
            self.rows.push(row);
        }
        Ok(())
    }

    fn read(&mut self, name: String, number: f64) {
        self.read.entry(name).or_default().add_times(number, 1);
    }

    fn join(&mut self, other: PlayoutResults) {
        self.rows.extend(other.rows);
        self.n += other.n;
        self.cut |= other.cut;
        self.replayed += other.replayed;
        self.most = self.most.max(other.most);
        for (leg, count) in other.legs {
            *self.legs.entry(leg).or_default() += count;
        }
        for (name, numbers) in other.read {
            self.read.entry(name).or_default().join(&numbers);
        }
        self.endings.add(&other.endings);
        for (function, count) in &other.calls {
            *self.calls.entry(*function).or_default() += count;
        }
    }

    fn tally(&self, graph: &Graph) -> CountedEndings {
        CountedEndings::new(&self.endings, |number| graph.ending_of(number))
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
    pub(super) fn measures(&self) -> Vec<Measure> {
        let mut all = length::sampled(&self.legs);
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
            seen.measure(name)
        }));
        all
    }

    /// What their ends say, where this seat is the first.
    pub(super) fn results(&self, seating: &Seating, first: usize) -> Vec<Measure> {
        let seats = seating.players.seats();
        let mut all = BTreeMap::new();
        for (ending, count) in self.tally(&seating.graph).iter() {
            for (measure, value) in said(ending, &seats, first) {
                let seen: &mut NumberCounts = all.entry(measure).or_default();
                seen.add_times(about(&value), count);
            }
        }
        let measure = |((entry, _, name), seen): (EndMeasure, NumberCounts)| {
            if is_share(entry) {
                let share = Quantity::share(seen.sum() as u64, self.n)?;
                return Some(Measure::new(name, &share));
            }
            seen.measure(&name)
        };
        all.into_iter().filter_map(measure).collect()
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

/// What an outcome has at a path of keys with points between them.
pub(super) fn at<'a>(outcome: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(outcome, |value, key| value.get(key))
}

/// A number of an outcome, or a fraction as a pair.
pub(super) fn number(value: &Value) -> Option<f64> {
    value.as_utility().filter(|number| number.is_finite())
}
