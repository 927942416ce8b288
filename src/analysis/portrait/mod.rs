//! The portrait of a conflict: how long it is, how much there is to decide, whether it is fair, decisive
//! and dramatic, what comes of luck and what of choice, and which clauses of the rules do it.
//!
//! [`Portrait`] is what is found, [`Measure`] one number of it. A graph in the order in which it is looked
//! through is in [`ordered_graph`]; its measures are in [`length`], [`choice`], [`drama`] and [`paths`], those
//! from playouts in [`playouts`] and [`followed_playouts`].

mod choice;
mod contrast;
mod drama;
mod ended;
mod followed_playouts;
mod forecast;
mod further_playouts;
mod glossary;
mod length;
mod measure_selection;
mod ordered_graph;
mod paths;
mod playouts;
mod portrait_measure;
mod portrait_work;
mod series;
mod skill;
mod strategy;
mod text;
mod weighted_sums;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::analysis::{Sampling, Stage};
use crate::conflict::{Conflict, Seating};
use crate::error::{Cut, Error};
use crate::explored::ExploredGame;
use crate::graph::Bounds;
use choice::OptionUse;
pub(crate) use contrast::{
    Contrast, FunctionRuns, FunctionUse, capital, difference, holm, side_by_side, under,
};
pub(crate) use glossary::{GLOSSARY, Meaning};
use length::ClauseUse;
pub use measure_selection::MeasureSelection;
use ordered_graph::{Unexplored, explore_beyond};
pub(crate) use playouts::REPLAYED;
pub(crate) use portrait_measure::Measure;
use series::MeasureSeries;

/// The portrait of a conflict under the agents seated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Portrait {
    /// The scenario.
    pub scenario: String,
    /// The house rules laid over its rules.
    pub house: Vec<String>,
    /// Whether the whole graph was seen: what is a fraction then is exact, and the rest is enclosed.
    pub exact: bool,
    /// Whether all was found that was wanted: nothing was stopped before its time.
    #[serde(default, rename = "complete", with = "super::complete")]
    pub cut: Option<Cut>,
    /// The seed of all that was sampled.
    #[serde(deserialize_with = "super::estimate::read_seed")]
    pub seed: u64,
    /// How many playouts were counted; 0 on the graph.
    pub n: u64,
    /// The measures.
    pub measures: Vec<Measure>,
    /// The options of decisions.
    pub options: Vec<OptionUse>,
    /// The functions of the rules.
    pub clauses: Vec<ClauseUse>,
    /// Notes for the reader, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(skip)]
    pub(crate) series: MeasureSeries,
    /// What perfect players have and how they mix, in each equilibrium that was found.
    #[serde(skip)]
    pub(crate) by_equilibrium: Vec<Vec<Measure>>,
}

impl Portrait {
    /// A measure by its name.
    pub fn measure(&self, name: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.name == name)
    }
}

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
            by_equilibrium: Vec::new(),
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

fn place(measure: &Measure) -> usize {
    Meaning::place(&measure.name).unwrap_or(usize::MAX)
}

struct PortraitWork<'a> {
    pub conflict: &'a Conflict,
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

struct ConflictSize {
    /// How many questions a conflict has, and how many of them are decisions.
    pub length: (f64, f64),
    /// At how many nodes somebody decides, where the graph is whole.
    pub places: Option<f64>,
    /// The most that any seat may win or lose.
    pub most: f64,
}

impl PortraitWork<'_> {
    fn all(&mut self) -> Result<(), Error> {
        let unmeasured = self.found.clone();
        let mut size = match self.seen()? {
            Some(seen) => self.on_graph(seen)?,
            None => None,
        };
        if let Some(cut) = self.cut.filter(|cut| !cut.is_asked_for()) {
            // Sums over the graph take memory beside it; playouts can do without.
            (self.found, self.cut, size) = (unmeasured, None, None);
            self.found.notes.push(format!("{cut}: all measures are from playouts"));
        }
        let size = match size {
            Some(size) => Some(size),
            None if self.cut.is_none() => self.played()?,
            None => None,
        };
        let Some(size) = size.filter(|_| self.cut.is_none()) else { return Ok(()) };
        self.perfect_and_skilled(&size)
    }

    /// Keeps what came of a part; a part that was cut has nothing.
    fn keep<T>(&mut self, part: Result<T, Error>) -> Result<Option<T>, Error> {
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
    fn wants(&self, groups: &[&str]) -> bool {
        self.cut.is_none() && groups.iter().any(|group| self.portraying.wanted.has(group))
    }

    /// Explores the graph, where that is worth it.
    fn seen(&mut self) -> Result<Option<ExploredGame>, Error> {
        let sampling = self.portraying.sampling;
        let part = self.portraying.time.map(|time| time / EXPLORING);
        let seating = self.seating.under(self.seating.budget().begin(part));
        let bounds = Bounds { threads: sampling.threads, nodes: self.portraying.nodes };
        let seen = explore_beyond(&seating, bounds, self.progress);
        match self.keep(seen)? {
            Some(Ok(seen)) => Ok(Some(seen)),
            Some(Err(Unexplored::Cut(Cut::Interrupted))) => {
                self.cut = Some(Cut::Interrupted);
                Ok(None)
            }
            Some(Err(_)) | None => {
                // A part of the time is for exploring; the rest of it is for playouts.
                if self.cut.is_some_and(|cut| cut != Cut::Interrupted) {
                    self.cut = self.seating.may_continue().err().and_then(|error| error.cut());
                }
                Ok(None)
            }
        }
    }
}
