//! Finds one point of a sweep: exactly if the graph is small, else from playouts.

use indexmap::IndexMap;

use super::{SweepPoint, Swept, Target};
use crate::analysis::estimate::in_haste;
use crate::analysis::{Estimated, FailedPlayout, Known, Odds, Sampling, Seeking, Stage, halved};
use crate::catalog::{Catalog, Scenario, Setting};
use crate::conflict::{Changes, Conflict, Seating};
use crate::error::{Cut, Error};
use crate::game::Value;
use crate::script::Limits;

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
    pub(super) fn points(&self) -> Option<u64> {
        let points = self.swept.iter().map(|swept| swept.values.len() as u64);
        points.into_iter().try_fold(1, u64::checked_mul)
    }

    /// Finds a point; `done` points were found before. What stopped it if it was, except for
    /// the first point, which then has what is known so far.
    pub(super) fn find(
        &self,
        values: Vec<Value>,
        done: u64,
    ) -> Result<Result<SweepPoint, Cut>, Broken> {
        let names = self.swept.iter().map(|swept| swept.name.clone());
        let values: IndexMap<String, Value> = names.zip(values).collect();
        self.try_find(&values, done).or_else(|failed| {
            match failed.error.cut().filter(|cut| cut.is_asked_for()) {
                Some(cut) => Ok(Err(cut)),
                None => {
                    let settings = values.iter().map(|one| Setting::of(one).to_string());
                    let at = Some(settings.collect::<Vec<_>>().join(", "));
                    Err(Broken { at, error: failed.error })
                }
            }
        })
    }

    fn try_find(
        &self,
        values: &IndexMap<String, Value>,
        done: u64,
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
            _ if interrupted && done > 0 => return Ok(Err(Cut::Interrupted)),
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
        if let Some(cut) = estimated.cut.filter(|_| done > 0) {
            return Ok(Err(cut));
        }
        let (values, found) = (values.clone(), Known::Estimated(estimated));
        Ok(Ok(SweepPoint { values, found, tally, why: Some(why) }))
    }
}
