//! Parameter sweeps: the odds of a scenario over the values of one or two parameters.
//!
//! All points have the same seed, so that playouts differ by the parameters and by little else
//! (common random numbers).

mod balance;
mod parameter_values;
mod target;

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use super::chances::cut_off_block;
use super::estimate::{in_haste, so_far};
use super::{Chances, CountedEndings, Estimated, FailedPlayout, Known, Odds, Sampling, Seeking};
use super::{Stage, complete, halved};
use crate::catalog::{Catalog, Scenario, Setting};
use crate::conflict::{Changes, Conflict, Seating};
use crate::error::{Cut, Error, nearest};
use crate::game::Value;
use crate::number::Quantity;
use crate::report::{self, Block, ErrorReport, Report, Table};
use crate::script::Limits;
pub(crate) use balance::Balance;
pub use parameter_values::Swept;
pub(crate) use parameter_values::{items, range};
pub(crate) use target::{Target, TargetKind, figures};

/// The points of a sweep.
#[derive(Debug, Default, Serialize)]
pub struct Sweep {
    /// The parameters that are varied.
    #[serde(rename = "parameters", serialize_with = "names")]
    pub swept: Vec<Swept>,
    /// The points in the order of the values, the last parameter's first to change.
    pub points: Vec<SweepPoint>,
    /// The points that fail, which are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedPoint>,
    /// The value at which a number is nearest to even, if one was searched and found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<Balance>,
    /// Whether all points were found.
    #[serde(rename = "complete", serialize_with = "complete::serialize")]
    pub cut: Option<Cut>,
}

/// Values of the parameters with the odds there.
#[derive(Clone, Debug, Serialize)]
pub struct SweepPoint {
    /// Parameter -> its value, in the order of the sweep.
    pub values: IndexMap<String, Value>,
    /// The odds, exact but for dice without a last value, or from playouts.
    #[serde(flatten)]
    pub found: Known,
    /// How the playouts ended.
    #[serde(skip)]
    pub tally: CountedEndings,
    /// The reason why the odds are not exact, if they are not.
    #[serde(skip)]
    pub why: Option<String>,
}

/// Values of the parameters at which the rules or an agent fail.
#[derive(Debug, Serialize)]
pub struct FailedPoint {
    /// Parameter -> its value, in the order of the sweep.
    pub values: IndexMap<String, Value>,
    /// The failure, for programs.
    #[serde(rename = "error")]
    pub report: ErrorReport,
    #[serde(skip)]
    error: Error,
}

impl FailedPoint {
    fn in_words(&self) -> String {
        left_out(
            &format!("at {} it", settings(&self.values)),
            &self.error,
            self.report.again.clone(),
        )
    }
}

/// That one of several fails, why and where, with the command that shows it, if there is one.
pub(super) fn left_out(which: &str, error: &Error, again: Option<String>) -> String {
    let again = again.map_or(String::new(), |line| format!("; `{line}` shows it"));
    let at = error.location().map_or(String::new(), |at| format!(" ({at})"));
    format!("{which} fails, and is left out: {error}{at}{again}")
}

/// How many of all that fail are not reported, if not all are.
pub(super) fn more_left_out(all: usize, reported: usize, what: &str) -> Option<String> {
    let more = all.checked_sub(reported).filter(|more| *more > 0)?;
    Some(match more {
        1 => format!("1 more {what} fails, and is left out"),
        _ => format!("{more} more {what}s fail, and are left out"),
    })
}

/// No more failures than these are reported in words.
const REPORTED: usize = 3;

fn settings(values: &IndexMap<String, Value>) -> String {
    values.iter().map(|one| Setting::of(one).to_string()).collect::<Vec<_>>().join(", ")
}

impl SweepPoint {
    /// The odds, whether exact or not.
    pub fn chances(&self) -> &Chances {
        self.found.chances()
    }

    /// What it says, in a line for somebody who waits for the others.
    fn so_far(&self) -> String {
        let at: Vec<String> =
            self.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("at {} {}", at.join(", "), so_far(self.chances(), Quantity::as_share, None))
    }

    /// What stopped it before all its playouts were made, if anything did.
    pub fn cut(&self) -> Option<Cut> {
        match &self.found {
            Known::Odds(_) => None,
            Known::Estimated(estimated) => estimated.cut,
        }
    }

    /// Whether the odds are exact.
    pub fn is_exact(&self) -> bool {
        matches!(self.found, Known::Odds(_))
    }
}

fn names<S: Serializer>(swept: &[Swept], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(swept.iter().map(|swept| &swept.name))
}

impl Sweep {
    /// Finds all points; those that fail are left out.
    ///
    /// # Errors
    /// Those of the rules and agents where all points fail, or one runs into a limit, with the values at which they
    /// occurred;
    /// [`Error::Unknown`] for a target that no point has;
    /// [`Error::Interrupted`] where no point was found.
    pub fn run(run: &SweepRun<'_>) -> Result<Sweep, Broken> {
        let mut sweep = Sweep::find(run)?;
        sweep.check(run.targets)?;
        sweep.list_results();
        Ok(sweep)
    }

    /// As [`Sweep::run`], but there may be no points.
    fn find(run: &SweepRun<'_>) -> Result<Sweep, Broken> {
        let mut sweep = Sweep { swept: run.swept.to_vec(), ..Sweep::default() };
        let names = || run.swept.iter().map(|swept| swept.name.clone());
        for values in combinations(run.swept) {
            let values: IndexMap<String, Value> = names().zip(values).collect();
            let done = (sweep.points.len() + sweep.failed.len()) as u64;
            (run.progress)(Stage::Points(done, run.points()));
            let is_first = sweep.points.is_empty();
            match run.find(&values, done, is_first) {
                Ok(Ok(point)) => {
                    (run.progress)(Stage::Known(point.so_far()));
                    sweep.cut = point.cut();
                    sweep.points.push(point);
                }
                Ok(Err(cut)) => sweep.cut = Some(cut),
                Err(error) => {
                    let mut report = ErrorReport::of(&error);
                    report.again = error.again().and_then(|words| (run.show)(words));
                    sweep.failed.push(FailedPoint { values, report, error });
                    continue;
                }
            }
            if sweep.cut.is_some() {
                break;
            }
            if is_first {
                sweep.reject_mistyped(run.targets)?;
            }
        }
        Ok(sweep)
    }

    /// Lists at each sampled point the results of the other points.
    fn list_results(&mut self) {
        let names = results(self);
        for point in &mut self.points {
            if let Known::Estimated(estimated) = &mut point.found {
                estimated.chances = std::mem::take(&mut estimated.chances).listing(&names);
            }
        }
    }

    /// After the first point a name that it does not have, but that is much like one of its names,
    /// is a mistake; any other may still occur, as a result that is impossible at some values.
    fn reject_mistyped(&self, targets: &[Target]) -> Result<(), Broken> {
        for target in targets {
            let names = self.points.iter().flat_map(|point| {
                point.chances().results.keys().chain(point.chances().utility.keys())
            });
            let met = self.points.iter().any(|point| target.is_met(point));
            if !met && nearest(&target.name, names.map(String::as_str)).is_some() {
                return Err(target.unknown(&self.points).into());
            }
        }
        Ok(())
    }

    fn check(&mut self, targets: &[Target]) -> Result<(), Broken> {
        if self.points.is_empty() {
            return Err(match (self.cut, self.failed.is_empty()) {
                (None, false) => {
                    let FailedPoint { values, error, .. } = self.failed.swap_remove(0);
                    Broken { at: Some(settings(&values)), error }
                }
                (cut, _) => cut.map_or(Error::Interrupted, Error::from).into(),
            });
        }
        let met = |target: &&Target| self.points.iter().any(|point| target.is_met(point));
        match targets.iter().find(|target| !met(target)) {
            // A result may have been among the points that were not found.
            Some(target) if self.cut.is_none() && self.failed.is_empty() => {
                Err(target.unknown(&self.points).into())
            }
            _ => Ok(()),
        }
    }

    /// The first point whose odds are not exact, and why they are not.
    pub(crate) fn out_of_reach(&self) -> Option<(&SweepPoint, &str)> {
        self.points.iter().find_map(|point| Some((point, point.why.as_deref()?)))
    }

    /// The greatest chance, of all points, of a roll beyond the listed values of dice without a
    /// last value.
    pub fn cut_off(&self) -> f64 {
        self.points.iter().map(|point| point.chances().cut_off).fold(0.0, f64::max)
    }

    fn seed(&self) -> Option<u64> {
        self.points.iter().find_map(|point| match &point.found {
            Known::Estimated(estimated) => Some(estimated.seed),
            Known::Odds(_) => None,
        })
    }

    /// For people, the table, its sources, the figures and the balance; and for programs.
    pub fn report(&self, targets: &[Target]) -> Report<'_> {
        let mut blocks = vec![Block::Title(heading(self)), forms(self)];
        blocks.extend(figures(self, targets).into_iter().map(Block::Figure));
        blocks.extend(self.balance.as_ref().map(Balance::in_words).map(Block::Sentence));
        let failed = self.failed.iter().take(REPORTED);
        blocks.extend(failed.map(|failed| Block::Sentence(failed.in_words())));
        let more = more_left_out(self.failed.len(), REPORTED, "point");
        blocks.extend(more.map(Block::Sentence));
        blocks.push(cut_off_block(self.cut_off()));
        Report::of(self, blocks).seeded(self.seed())
    }
}

/// All combinations of values, the last parameter's first to change.
fn combinations(swept: &[Swept]) -> Vec<Vec<Value>> {
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for swept in swept {
        let with = |values: &Vec<Value>| {
            let values = values.clone();
            swept.values.iter().map(move |value| [values.clone(), vec![value.clone()]].concat())
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

fn results(sweep: &Sweep) -> Vec<String> {
    let all = sweep.points.iter().flat_map(|point| point.chances().results.keys().cloned());
    all.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The players of all points, in the order in which points name them.
fn players(sweep: &Sweep) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for player in sweep.points.iter().flat_map(|point| point.chances().utility.keys()) {
        if !all.contains(player) {
            all.push(player.clone());
        }
    }
    all
}

/// The table: with fractions if there is room, with intervals below their numbers or in two tables if there is
/// little. Where nothing fits, each row is a list.
fn forms(sweep: &Sweep) -> Block {
    let odds: Vec<Target> = results(sweep).iter().map(|name| Target::result(name)).collect();
    let utility: Vec<Target> = players(sweep).iter().map(|name| Target::player(name)).collect();
    let all: Vec<Target> = odds.iter().chain(&utility).cloned().collect();
    let tables = |parts: &[&[Target]], form| {
        let tables: Vec<Table> = parts.iter().map(|part| table(sweep, part, form)).collect();
        let width = tables.iter().map(Table::width).max().unwrap_or(0);
        (width, tables.into_iter().map(Block::Table).collect())
    };
    Block::Forms(vec![
        tables(&[&all], Form::Full),
        tables(&[&all], Form::Short),
        tables(&[&all], Form::Stacked),
        tables(&[&odds, &utility], Form::Stacked),
        tables(&[&all], Form::Short),
    ])
}

/// A line on how the points were found: exactly or from playouts.
fn heading(sweep: &Sweep) -> String {
    let exact = sweep.points.iter().filter(|point| point.is_exact()).count();
    let names: Vec<&str> = sweep.swept.iter().map(|swept| swept.name.as_str()).collect();
    let names = names.join(" and ");
    let what = if exact == 0 { "estimates" } else { "exact odds and estimates" };
    match sweep.seed() {
        None if sweep.cut_off() > 0.0 => format!("odds with dice cut off over {names}"),
        None => format!("exact odds over {names}"),
        Some(seed) => {
            format!("{what} over {names} (95 % intervals, seed {seed} at every value)")
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// With fractions.
    Full,
    /// Without them.
    Short,
    /// Without them, and intervals below their numbers.
    Stacked,
}

fn table(sweep: &Sweep, targets: &[Target], form: Form) -> Table {
    let mut header: Vec<String> = sweep.swept.iter().map(|swept| swept.name.clone()).collect();
    header.push("how".to_owned());
    header.extend(targets.iter().map(Target::title));
    let row = |point: &SweepPoint| {
        let mut row: Vec<String> = point.values.values().map(ToString::to_string).collect();
        row.push(match &point.found {
            Known::Odds(odds) if odds.exact => "exact".to_owned(),
            Known::Odds(_) => "cut off".to_owned(),
            Known::Estimated(estimated) => stacked(format!("{} playouts", estimated.n), form),
        });
        row.extend(targets.iter().map(|target| match target.number(point) {
            Some(number) => cell(target, &number, form),
            None => "-".to_owned(),
        }));
        row
    };
    Table::new(header, sweep.points.iter().map(row))
}

fn cell(target: &Target, number: &Quantity, form: Form) -> String {
    let odds = target.measure == TargetKind::Odds;
    match (number.fraction.is_some() && form != Form::Full, odds) {
        (true, true) => report::share_percent(number.value),
        (true, false) => report::tidy(number.value),
        (false, true) => stacked(number.as_share(), form),
        (false, false) => stacked(number.as_utility(), form),
    }
}

/// A text with its second part on a line of its own, if the form is stacked.
fn stacked(text: String, form: Form) -> String {
    match form {
        Form::Stacked => text.replacen(" (", "\n(", 1).replacen(" playouts", "\nplayouts", 1),
        _ => text,
    }
}

// One point: exactly if the graph is small, else from playouts.

/// A scenario, its varied parameters and the settings of the sweep.
pub struct SweepRun<'a> {
    /// The catalog with the scenario's rules.
    pub catalog: &'a Catalog,
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The changes at all points.
    pub changes: &'a Changes,
    /// The parameters that are varied.
    pub swept: &'a [Swept],
    /// The limits of a playout.
    pub limits: &'a Limits,
    /// The most bytes that the graph of a point may take.
    pub memory: u64,
    /// The sampling of playouts, the same at all points.
    pub sampling: Sampling,
    /// The numbers to look at; each must exist at some point.
    pub targets: &'a [Target],
    /// The command line of the words that play something again, where there is one.
    pub show: &'a (dyn Fn(&[String]) -> Option<String> + Sync),
    /// Called repeatedly with the number of points done, and with what the last one says.
    pub progress: &'a (dyn Fn(Stage) + Sync),
}

/// A point of a sweep or a candidate of a tuning that failed.
#[derive(Debug)]
pub struct Broken {
    /// What is varied there, in words, if it was a single one.
    pub at: Option<String>,
    /// The failure.
    pub error: Error,
}

impl From<Error> for Broken {
    fn from(error: Error) -> Broken {
        Broken { at: None, error }
    }
}

impl SweepRun<'_> {
    fn points(&self) -> Option<u64> {
        let points = self.swept.iter().map(|swept| swept.values.len() as u64);
        points.into_iter().try_fold(1, u64::checked_mul)
    }

    /// Finds a point; `done` points were tried before. What stopped it if it was, except for the first point that is
    /// found, which then has what is known so far.
    fn find(
        &self,
        values: &IndexMap<String, Value>,
        done: u64,
        is_first: bool,
    ) -> Result<Result<SweepPoint, Cut>, Error> {
        self.try_find(values, done, is_first).or_else(|failed| {
            match failed.error.cut().filter(|cut| cut.is_asked_for()) {
                Some(cut) => Ok(Err(cut)),
                None => Err(failed.error),
            }
        })
    }

    fn try_find(
        &self,
        values: &IndexMap<String, Value>,
        done: u64,
        is_first: bool,
    ) -> Result<Result<SweepPoint, Cut>, FailedPlayout> {
        let mut changes = self.changes.clone();
        changes.params.extend(values.iter().map(Setting::of));
        let conflict = Conflict::of(self.catalog, self.scenario.clone(), &changes, self.limits)?;
        let seating = Seating::new(&conflict, self.memory)?;
        let progress = |_| (self.progress)(Stage::Points(done, self.points()));
        let nodes = self.sampling.explores(&seating);
        let seeking = Seeking { float: false, threads: self.sampling.threads, nodes };
        let odds = Odds::find(&halved(&seating), seeking, &progress)?;
        let interrupted = odds.cut == Some(Cut::Interrupted);
        let why = match odds.found {
            // Of the first point something is shown whenever it is stopped: else there is nothing.
            _ if interrupted && !is_first => return Ok(Err(Cut::Interrupted)),
            Ok(odds) => {
                let (values, found) = (values.clone(), Known::Odds(odds));
                return Ok(Ok(SweepPoint { values, found, tally: Default::default(), why: None }));
            }
            Err(unreached) => unreached.reason,
        };
        let sample = |sampling: Sampling| Estimated::counted(&seating, sampling, &progress);
        let (mut estimated, tally) = match interrupted {
            true => in_haste(seating.budget(), self.sampling, sample)?,
            false => sample(self.sampling)?,
        };
        if interrupted {
            estimated.cut = odds.cut;
        }
        if let Some(cut) = estimated.cut.filter(|_| !is_first) {
            return Ok(Err(cut));
        }
        let (values, found) = (values.clone(), Known::Estimated(estimated));
        Ok(Ok(SweepPoint { values, found, tally, why: Some(why) }))
    }
}
