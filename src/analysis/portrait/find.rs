//! Finds the portrait of a conflict: on the graph where it can be seen whole, else from playouts.

use std::time::Duration;

use super::measure::Measure;
use super::ordered_graph::{ExploredTerrain, Hidden};
use super::series::MeasureSeries;
use super::wanted::MeasureSelection;
use super::{Meaning, Portrait};
use crate::analysis::{Sampling, Stage};
use crate::conflict::{Conflict, Seating};
use crate::error::{Cut, Error};
use crate::graph::Bounds;

/// Settings for finding a portrait.
#[derive(Clone, Copy, Debug)]
pub struct Portraying<'a> {
    /// What is to be measured.
    pub wanted: &'a MeasureSelection,
    /// How many playouts are made where the graph is too large, and how.
    pub sampling: Sampling,
    /// At most this many nodes are explored; more are not seen on the graph, but by playouts.
    pub nodes: u64,
    /// The time for all of it; what is known by then counts.
    pub time: Option<Duration>,
}

/// This many nodes are explored for each playout, and at least this many, where that is not more than what
/// an estimate explores.
pub(crate) const NODES_A_PLAYOUT: u64 = 5;
const NODES: u64 = 6_000;
/// One part in this many of the time is for exploring.
const EXPLORING: u32 = 3;
impl Portraying<'_> {
    /// How many playouts are made where nobody says how many: beside them others are made from their
    /// questions on.
    pub const PLAYOUTS: u64 = 4_000;

    /// How many nodes are explored where nobody says how many.
    pub fn explores(sampling: Sampling, seating: &Seating) -> u64 {
        let most = sampling.n.saturating_mul(NODES_A_PLAYOUT).max(NODES);
        sampling.explores(seating).min(most)
    }
}

impl Portrait {
    /// Finds the portrait of a conflict under the agents seated.
    ///
    /// # Errors
    /// Those of the rules and agents; [`Error::Interrupted`] or [`Error::Bound`] where it was stopped
    /// before anything was known.
    pub fn find(
        conflict: &Conflict,
        seating: &Seating,
        portraying: Portraying<'_>,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Portrait, Error> {
        let seating = &seating.under(seating.budget().begin(portraying.time));
        let found = Portrait {
            scenario: conflict.scenario.name.clone(),
            house: conflict.rules.house().to_vec(),
            exact: false,
            cut: None,
            seed: portraying.sampling.seed,
            n: 0,
            measures: Vec::new(),
            options: Vec::new(),
            clauses: Vec::new(),
            notes: Vec::new(),
            series: MeasureSeries::default(),
        };
        let mut work = PortraitWork { conflict, seating, portraying, progress, found, cut: None };
        work.all()?;
        let PortraitWork { mut found, cut, .. } = work;
        found.cut = cut;
        // Whoever sets a time is content with what there is by then.
        let unasked = cut.filter(|cut| !matches!(cut, Cut::Time(_)));
        if let (true, Some(cut)) = (found.measures.is_empty(), unasked) {
            return Err(cut.into());
        }
        found.measures.retain(|measure| portraying.wanted.names(&measure.name));
        found.measures.sort_by_key(place);
        Ok(found)
    }
}

/// The index of a measure among all.
pub(super) fn place(measure: &Measure) -> usize {
    Meaning::place(&measure.name).unwrap_or(usize::MAX)
}

/// A portrait that is being made.
pub(super) struct PortraitWork<'a> {
    /// The conflict.
    pub conflict: &'a Conflict,
    /// Its agents.
    pub seating: &'a Seating,
    /// What is to be found.
    pub portraying: Portraying<'a>,
    /// Hears how far it has come.
    pub progress: &'a (dyn Fn(Stage) + Sync),
    /// What was found so far.
    pub found: Portrait,
    /// Why it was stopped, if it was.
    pub cut: Option<Cut>,
}

/// What is known of the size of a conflict.
pub(super) struct ConflictSize {
    /// How many questions a conflict has, and how many of them are decisions.
    pub length: (f64, f64),
    /// At how many nodes somebody decides, where the graph is whole.
    pub places: Option<f64>,
    /// The most that any seat may win or lose.
    pub most: f64,
}

impl PortraitWork<'_> {
    fn all(&mut self) -> Result<(), Error> {
        let size = match self.seen()? {
            Some(seen) => self.on_graph(&seen)?,
            None => None,
        };
        let size = match size {
            Some(size) => Some(size),
            None if self.cut.is_none() => self.played()?,
            None => None,
        };
        let Some(size) = size.filter(|_| self.cut.is_none()) else { return Ok(()) };
        self.perfect_and_skilled(&size)
    }

    /// Keeps what came of a part; a part that was cut has nothing.
    pub(super) fn keep<T>(&mut self, part: Result<T, Error>) -> Result<Option<T>, Error> {
        match part {
            Ok(part) => Ok(Some(part)),
            Err(error) => match error.cut() {
                Some(cut) => {
                    self.cut.get_or_insert(cut);
                    Ok(None)
                }
                None => Err(error),
            },
        }
    }

    /// Whether anything of these groups is still to be found.
    pub(super) fn wants(&self, groups: &[&str]) -> bool {
        self.cut.is_none() && groups.iter().any(|group| self.portraying.wanted.has(group))
    }

    /// Explores the graph, where that is worth it.
    fn seen(&mut self) -> Result<Option<ExploredTerrain>, Error> {
        let sampling = self.portraying.sampling;
        let part = self.portraying.time.map(|time| time / EXPLORING);
        let seating = self.seating.under(self.seating.budget().begin(part));
        let bounds = Bounds { threads: sampling.threads, nodes: self.portraying.nodes };
        let seen = ExploredTerrain::explore(&seating, bounds, &|nodes| {
            (self.progress)(Stage::Nodes(nodes))
        });
        match self.keep(seen)? {
            Some(Ok(seen)) => Ok(Some(seen)),
            Some(Err(Hidden::Cut(Cut::Interrupted))) => {
                self.cut = Some(Cut::Interrupted);
                Ok(None)
            }
            Some(Err(_)) | None => {
                // A part of the time is for exploring; the rest of it is for playouts.
                if self.cut.is_some_and(|cut| cut != Cut::Interrupted) {
                    self.cut = self.seating.go_on().err().and_then(|error| error.cut());
                }
                Ok(None)
            }
        }
    }
}
