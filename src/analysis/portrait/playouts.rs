//! What playouts say about a conflict whose graph is too large: each measure with its interval.

use std::collections::BTreeMap;
use std::ops::Range;

use hashbrown::HashMap;

use super::ended::{advantage, parts_of, worths};
use super::glossary::{EndMeasure, is_share, said};
use super::portrait_measure::{MOST, Measure, NumberCounts, PlayoutMeasures};
use crate::analysis::batches::{BATCH, FailedPlayout, Looks, PlayoutWork};
use crate::analysis::estimate::so_far;
use crate::analysis::tally::{CountedEndings, EndingCounts};
use crate::analysis::{Chances, PLAYOUTS, Sampling, Stage};
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::{Outcome, Stop, Value};
use crate::graph::{Graph, PlayoutCourse, PlayoutRunner};
use crate::number::{Interval, Quantity};
use crate::script::{Counted, Ear, Run};

/// In this many playouts it is counted what the script runs. Where more of the outcome is wanted than the end says,
/// and where agents think, they are run once more for that.
pub(crate) const REPLAYED: u64 = 2_000;

#[derive(Clone, Debug, Default)]
pub(super) struct PlayoutResults {
    pub n: u64,
    /// How many of them were run by the script.
    pub replayed: u64,
    decisions: NumberCounts,
    chance: NumberCounts,
    steps: NumberCounts,
    /// How many options and decisions there were, and how often.
    options: BTreeMap<(u64, u64), u64>,
    most: u64,
    outcomes: Vec<NumberCounts>,
    /// The parts of utilities, by the names of their measures, where an end has them.
    parts: BTreeMap<String, NumberCounts>,
    endings: EndingCounts<u32>,
    /// How often each function was run, by its number.
    pub calls: HashMap<u16, u64>,
    /// The measures of each playout, in their order, where they are not too many.
    pub rows: Vec<PlayoutMeasures>,
    /// Whether somebody wanted it to stop before its time.
    pub cut: bool,
}

impl PlayoutResults {
    /// Makes playouts. `paths` are the wanted paths of the outcome, `parts` whether those of utilities are; `runs` says whether anything is to
    /// be counted that only the script knows: its steps and the functions that it runs.
    pub(super) fn make(
        seating: &Seating,
        sampling: Sampling,
        ((paths, parts), runs): ((&[Vec<String>], bool), bool),
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<PlayoutResults, FailedPlayout> {
        let replayed = match (paths.is_empty(), runs || parts) {
            (true, false) => 0,
            (true, true) => REPLAYED,
            (false, _) => u64::MAX,
        };
        let mut results = PlayoutResults::of_none(paths);
        let (mut made, mut looks) = (0, Looks::often());
        let total = sampling.known_total();
        progress(Stage::Begin(PLAYOUTS));
        let done = |done| progress(Stage::Playouts(done, total));
        let work = PlayoutWork { n: sampling.n, threads: sampling.threads, progress: &done };
        let maker = || {
            let mut runner = seating.playout_runner()?;
            Ok(move |playouts: Range<u64>| {
                let mut batch = PlayoutResults::of_none(paths);
                for playout in playouts {
                    let (number, replays) = ((sampling.seed, playout), playout < replayed);
                    let wanted = seating.is_wanted();
                    let made = wanted.and_then(|()| {
                        batch.one(seating, &mut runner, number, replays, (paths, parts))
                    });
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
            progress(Stage::Known(so_far(&chances, Quantity::as_share)));
            sampling.enough.within().is_some_and(|within| chances.is_enough(within, made))
        });
        match done {
            Ok(done) => results.cut |= done.cut().is_some(),
            // The time of all is over; what there is by then counts.
            Err(FailedPlayout { error, .. }) if error.cut().is_some() && results.n > 0 => {
                results.cut = true
            }
            Err(failed) => return Err(failed),
        }
        Ok(results)
    }

    fn of_none(paths: &[Vec<String>]) -> PlayoutResults {
        let outcomes = vec![NumberCounts::default(); paths.len()];
        PlayoutResults { outcomes, ..PlayoutResults::default() }
    }

    fn one(
        &mut self,
        seating: &Seating,
        runner: &mut PlayoutRunner,
        (seed, playout): (u64, u64),
        replays: bool,
        (paths, parts): (&[Vec<String>], bool),
    ) -> Result<(), Error> {
        // What the script ran is counted at once where nothing else of its end is wanted.
        let ends_alone = paths.is_empty() && !parts;
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
        self.decisions.add(noted.decisions as f64);
        self.chance.add(noted.chance as f64);
        self.most = self.most.max(noted.most);
        *self.options.entry((noted.options, noted.decisions)).or_default() += 1;
        let PlayoutCourse { decisions, chance, options, .. } = noted;
        let mut row =
            PlayoutMeasures { decisions, chance, options, ending, ..PlayoutMeasures::default() };
        let Some((outcome, counted)) = script else {
            self.keep(row, playout);
            return Ok(());
        };
        self.replayed += 1;
        self.steps.add(counted.steps as f64);
        for (function, count) in &counted.calls {
            *self.calls.entry(*function).or_default() += count;
        }
        for (path, seen) in paths.iter().zip(&mut self.outcomes) {
            let outcome = outcome.as_ref().map(Outcome::value);
            let number = outcome.and_then(|outcome| at(outcome, path)).and_then(number);
            number.iter().for_each(|number| seen.add(*number));
            row.outcomes.push(number);
        }
        if let Some(outcome) = outcome.as_ref().filter(|_| parts) {
            for (name, part) in parts_of(outcome.value(), &seating.players.seats()) {
                self.parts.entry(name).or_default().add(Interval::of_fraction(&part).middle());
            }
        }
        row.steps = Some(counted.steps);
        if playout < REPLAYED {
            row.calls = counted.calls;
        }
        self.keep(row, playout);
        Ok(())
    }

    fn keep(&mut self, row: PlayoutMeasures, playout: u64) {
        if playout < MOST {
            self.rows.push(row);
        }
    }

    fn join(&mut self, other: PlayoutResults) {
        self.rows.extend(other.rows);
        self.n += other.n;
        self.cut |= other.cut;
        self.replayed += other.replayed;
        self.decisions.join(&other.decisions);
        self.chance.join(&other.chance);
        self.steps.join(&other.steps);
        self.most = self.most.max(other.most);
        for (pair, count) in &other.options {
            *self.options.entry(*pair).or_default() += count;
        }
        self.outcomes.iter_mut().zip(&other.outcomes).for_each(|(own, its)| own.join(its));
        for (name, parts) in &other.parts {
            self.parts.entry(name.clone()).or_default().join(parts);
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
        (self.decisions.sum() + self.chance.sum()) / self.n.max(1) as f64
    }

    pub(super) fn course(&self) -> Vec<Measure> {
        let mut all: Vec<Measure> = Vec::new();
        all.extend(self.decisions.measure("length.decisions"));
        all.extend(self.chance.measure("length.chance"));
        all.extend(self.steps.measure("length.steps"));
        let pairs = self
            .options
            .iter()
            .map(|(&(options, decisions), &count)| ((options as f64, decisions as f64), count));
        if let Some(options) = Quantity::tallied_ratio(&pairs.collect::<Vec<_>>()) {
            all.push(Measure::new("choice.options", &options));
            // The most that any playout met: there may be more where none came.
            let (value, high) = (self.most as f64, f64::INFINITY);
            let most = Quantity { value, ..Quantity::proven(Interval { low: value, high }) };
            all.push(Measure::new("choice.most", &most));
        }
        all
    }

    /// What utilities are made of; an end without a part has 0 of it.
    pub(super) fn parts(&self) -> Vec<Measure> {
        let measure = |(name, seen): (&String, &NumberCounts)| {
            let mut all = seen.clone();
            let without = self.replayed - seen.count();
            if without > 0 {
                all.add_times(0.0, without);
            }
            all.measure(name)
        };
        self.parts.iter().filter_map(measure).collect()
    }

    pub(super) fn outcomes(&self, names: &[String]) -> Vec<Measure> {
        let named = names.iter().zip(&self.outcomes);
        named.filter_map(|(name, seen)| seen.measure(&format!("outcome.{name}"))).collect()
    }

    pub(super) fn results(&self, seating: &Seating) -> Vec<Measure> {
        let seats = seating.players.seats();
        let mut all = BTreeMap::new();
        for (ending, count) in self.tally(&seating.graph).iter() {
            for (measure, value) in said(ending, &seats) {
                let seen: &mut NumberCounts = all.entry(measure).or_default();
                seen.add_times(Interval::of_fraction(&value).middle(), count);
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

    /// What the first seat has more than the others on average.
    pub(super) fn first_seat(&self, seating: &Seating, of: usize) -> Option<Quantity> {
        let seats = seating.players.seats();
        let mut seen = Vec::new();
        for (ending, count) in self.tally(&seating.graph).iter() {
            let advantage = advantage(&worths(ending, &seats), of)?;
            seen.push((Interval::of_fraction(&advantage).middle(), count));
        }
        Quantity::uneven_mean(&seen)
    }

    /// For each seat the difference of the most and the least that it has in any playout.
    pub(super) fn range(&self, seating: &Seating) -> Vec<f64> {
        let seats = seating.players.seats();
        let mut range = vec![(f64::INFINITY, f64::NEG_INFINITY); seats.len()];
        for (ending, _) in self.tally(&seating.graph).iter() {
            for ((least, most), worth) in range.iter_mut().zip(worths(ending, &seats)) {
                let worth = Interval::of_fraction(&worth).middle();
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

pub(super) fn at<'a>(outcome: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(outcome, |value, key| value.get(key))
}

/// A number of an outcome, or a fraction as a pair.
pub(super) fn number(value: &Value) -> Option<f64> {
    value.as_utility().filter(|number| number.is_finite())
}
