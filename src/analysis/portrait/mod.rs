//! The portrait of a conflict: how long it is, how much there is to decide, whether it is fair, decisive
//! and dramatic, what comes of luck and what of choice, and which clauses of the rules do it.
//!
//! [`Portrait`] is what is found, [`Measure`] one number of it. The measures of a graph that was seen whole are in
//! [`valued_graph`], [`length`] and [`choice`], those from playouts in [`playouts`] and [`followed_playouts`].

mod choice;
mod contrast;
mod ended;
mod followed_playouts;
mod forecast;
mod further_playouts;
mod glossary;
mod length;
mod measure_selection;
mod playouts;
mod portrait_measure;
mod skill;
mod strategy;
mod text;
mod valued_graph;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use crate::agents::{AgentSpec, SavedStrategy, ThinkingPlan};
use crate::analysis::chances::cut_off_note;
use crate::analysis::visits::VisitsError;
use crate::analysis::{Sampling, Stage};
use crate::conflict::{Conflict, Seating};
use crate::error::{Cut, Error};
use crate::explored::ExploredGame;
use crate::graph::{Bounds, NodeKind, Reach, WorkerFactory};
use crate::number::{Amount, Exact, Interval, Quantity};
use crate::report;
use choice::OptionUse;
pub(crate) use contrast::{
    Certainty, Contrast, DecidedBy, FunctionUse, MeasureChange, Tested, UTILITY, capital,
    difference, holm, of_odds, of_pairs, side_by_side, under,
};
use followed_playouts::FollowedQuery;
use glossary::FIRST_SEAT;
pub(crate) use glossary::{GLOSSARY, Meaning};
use length::{ClauseUse, EdgeRuns, uses};
pub use measure_selection::MeasureSelection;
pub(crate) use playouts::REPLAYED;
use playouts::{FunctionRuns, PlayoutResults, Reads};
pub(crate) use portrait_measure::Measure;
#[cfg(test)]
pub(crate) use portrait_measure::Spread;
use skill::{Rung, SkillEffort, Turns, rungs};
use strategy::PerfectPlay;
pub(crate) use valued_graph::is_far_larger;
use valued_graph::{ValuedGraph, explore_beyond, outcomes, results};

/// The portrait of a conflict under the agents seated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// How often each function was run in each of the first playouts.
    #[serde(skip)]
    pub(crate) runs: FunctionRuns,
    /// How many playouts would halve the intervals of what is found from further playouts, where that can be.
    #[serde(skip)]
    further: Option<u64>,
    /// What perfect players have and how they mix, in each equilibrium that was found.
    #[serde(skip)]
    pub(crate) by_equilibrium: Vec<Vec<Measure>>,
    /// Of each group that only some ends have, if the ends were read for it, the names of all its measures.
    #[serde(skip)]
    of_ends: BTreeMap<&'static str, BTreeSet<String>>,
    /// The names of the seats, of which each may have parts of its utility.
    #[serde(skip)]
    seats: Vec<String>,
}

/// What only some ends have; the others have 0 of it.
pub(crate) const RESULT: &str = "result";
const PARTS: &str = "parts";

impl Portrait {
    /// What this many playouts say, and nothing else.
    #[cfg(test)]
    pub(crate) fn of_playouts(n: u64, measures: Vec<Measure>) -> Portrait {
        Portrait { n, measures, ..Portrait::default() }
    }

    /// A measure by its name.
    pub fn measure(&self, name: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.name == name)
    }

    /// Whether it is the share of a result that never comes, or a part of a utility that no end has: it is 0 then.
    pub(crate) fn is_without(&self, name: &str) -> bool {
        self.others(name).is_some()
    }

    /// The results or parts of utilities that there are, where this is none of them.
    fn others(&self, name: &str) -> Option<&BTreeSet<String>> {
        let (group, of) = name.split_once('.')?;
        let names = self.of_ends.get(group)?;
        // A seat names all of its parts; else one name may begin another.
        let is_seat = group == PARTS && self.seats.iter().any(|seat| seat == of);
        let within = |one: &String| {
            let rest = one.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || is_seat && rest.starts_with('.'))
        };
        (!of.is_empty() && !names.iter().any(within)).then_some(names)
    }

    /// Adds measures that are all there are of a group that only some ends have.
    fn add_of_ends(&mut self, group: &'static str, measures: Vec<Measure>) {
        let of_group = measures.iter().filter(|measure| measure.group() == group);
        self.of_ends.insert(group, of_group.map(|measure| measure.name.clone()).collect());
        self.measures.extend(measures);
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
pub(crate) const NODES_A_PLAYOUT: u64 = 10;
const NODES: u64 = 6_000;
/// One part in this many of the time is for exploring.
const EXPLORING: u32 = 3;
impl Portraying<'_> {
    /// How many playouts are made where nobody says how many: beside them others are made from their
    /// questions on.
    pub const PLAYOUTS: u64 = 2_000;

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
            seed: portraying.sampling.seed,
            seats: seating.players.seats().into_iter().map(|seat| seat.name).collect(),
            ..Portrait::default()
        };
        let mut work = PortraitWork { conflict, seating, portraying, progress, found };
        work.all()?;
        let mut found = work.found;
        // Whoever sets a time is content with what there is by then.
        let unasked = found.cut.filter(|cut| !matches!(cut, Cut::Time(_)));
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
}

/// Takes what the first seat is worth as the agents sit from the measures.
fn as_they_sit(measures: &mut Vec<Measure>) -> Option<Measure> {
    let at = measures.iter().position(|measure| measure.name == FIRST_SEAT)?;
    Some(measures.remove(at))
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
        if let Some(cut) = self.found.cut.filter(|cut| !cut.is_asked_for()) {
            // Sums over the graph take memory beside it; playouts can do without.
            (self.found, size) = (unmeasured, None);
            self.found.notes.push(format!("{cut}: all measures are from playouts"));
        }
        let size = match size {
            Some(size) => Some(size),
            None if self.found.cut.is_none() => self.played()?,
            None => None,
        };
        let Some(size) = size.filter(|_| self.found.cut.is_none()) else { return Ok(()) };
        self.perfect_and_skilled(&size)
    }

    /// Keeps what came of a part; a part that was cut has nothing.
    fn keep<T>(&mut self, part: Result<T, Error>) -> Result<Option<T>, Error> {
        match part {
            Ok(part) => Ok(Some(part)),
            Err(error) => match error.cut() {
                Some(cut) => {
                    self.found.cut.get_or_insert(cut);
                    Ok(None)
                }
                None => Err(error),
            },
        }
    }

    /// Whether anything of these groups is still to be found.
    fn wants(&self, groups: &[&str]) -> bool {
        self.found.cut.is_none() && groups.iter().any(|group| self.portraying.wanted.has(group))
    }

    /// Explores the graph, where that is worth it.
    fn seen(&mut self) -> Result<Option<ExploredGame>, Error> {
        let sampling = self.portraying.sampling;
        let part = self.portraying.time.map(|time| time / EXPLORING);
        let seating = self.seating.under(self.seating.budget().begin(part));
        let bounds = Bounds { threads: sampling.threads, nodes: self.portraying.nodes };
        let seen = match is_far_larger(&seating, bounds.nodes) {
            Ok(true) => Ok(Err(Reach::TooMany)),
            // What fails here is reported by the work itself.
            Ok(false) | Err(_) => explore_beyond(&seating, bounds, self.progress),
        };
        match self.keep(seen)? {
            Some(Ok(seen)) => Ok(Some(seen)),
            Some(Err(Reach::Cut(Cut::Interrupted))) => {
                self.found.cut = Some(Cut::Interrupted);
                Ok(None)
            }
            Some(Err(_)) | None => {
                // A part of the time is for exploring; the rest of it is for playouts.
                if self.found.cut.is_some_and(|cut| cut != Cut::Interrupted) {
                    self.found.cut =
                        self.seating.may_continue().err().and_then(|error| error.cut());
                }
                Ok(None)
            }
        }
    }
}

/// Of more nodes than these no fractions are kept: all numbers are enclosed between floats.
const FRACTIONS: usize = 20_000;

/// The drama that playouts do not say.
const ON_GRAPHS: [&str; 4] =
    ["drama.lead_changes", "drama.half_time", "drama.suspense", "drama.decided"];

impl PortraitWork<'_> {
    /// What is known on a graph that was seen whole; nothing where it has cycles that are not solved.
    fn on_graph(&mut self, seen: ExploredGame) -> Result<Option<ConflictSize>, Error> {
        let _charge = self.seating.budget().charge_thread();
        if seen.len() <= FRACTIONS {
            match self.keep(ValuedGraph::<Exact>::of(self.seating, seen.clone()))? {
                Some(Err(VisitsError::Large { .. })) => {}
                valued => return self.weighed(valued),
            }
        }
        let valued = self.keep(ValuedGraph::<Interval>::of(self.seating, seen))?;
        self.weighed(valued)
    }

    /// The same of a graph that was valued, if it could be.
    fn weighed<A: Amount>(
        &mut self,
        valued: Option<Result<ValuedGraph<'_, A>, VisitsError>>,
    ) -> Result<Option<ConflictSize>, Error> {
        let (seating, sampling) = (self.seating, self.portraying.sampling);
        let valued = match valued {
            Some(Ok(valued)) if valued.is_soon_left() => valued,
            Some(unsolved) => {
                let seldom = "states of this conflict form cycles that are seldom left";
                let why = unsolved.err().map_or(seldom.to_owned(), |why| why.to_string());
                self.found.notes.push(format!("{why}: all measures are from playouts"));
                return Ok(None);
            }
            None => return Ok(None),
        };
        let cut_off = seating.graph.cut_off();
        self.found.exact = cut_off == 0.0;
        if cut_off > 0.0 {
            self.found.notes.push(cut_off_note(cut_off));
        }
        let turns = Turns::of(self.conflict, seating);
        self.found.add_of_ends(RESULT, results(&valued, turns.first));
        let bounds = Bounds { threads: sampling.threads, nodes: self.portraying.nodes };
        let progress = self.progress;
        let worth = |other: &Seating| -> Result<Option<Quantity>, Error> {
            let Ok(seen) = explore_beyond(other, bounds, progress)? else { return Ok(None) };
            let Ok(valued) = ValuedGraph::<A>::of(other, seen)? else { return Ok(None) };
            Ok(as_they_sit(&mut results(&valued, turns.first)).map(|sits| sits.quantity))
        };
        self.first_seat(&turns, &worth)?;
        let edge_runs = match self.wants(&["length.steps", "clauses"]) {
            true => self.keep(EdgeRuns::run(seating, &valued.visited, sampling.threads))?,
            false => None,
        };
        let wants = |name: &str| self.wants(&[name]);
        let length = length::measures(&valued, edge_runs.as_ref(), sampling.seed, &wants);
        self.found.measures.extend(length);
        if self.wants(&["choice"])
            && let Some((measures, options)) = self.keep(choice::measures(&valued))?
        {
            self.found.measures.extend(measures);
            self.found.options = options;
        }
        if self.wants(&["drama"]) {
            self.found.measures.extend(valued_graph::drama(&valued, sampling.seed));
        }
        if self.wants(&["luck"]) {
            let luck = self.keep(further_playouts::measures(&valued))?;
            self.found.measures.extend(luck.into_iter().flatten());
        }
        let names = &self.portraying.wanted.names;
        let named = self.portraying.wanted.reads_parts();
        let read = outcomes(&valued, self.wants(&[PARTS]).then_some(named), names);
        match self.keep(read)? {
            Some((read, true)) => self.found.add_of_ends(PARTS, read),
            read => self.found.measures.extend(read.into_iter().flat_map(|(read, _)| read)),
        }
        if let Some(edge_runs) = edge_runs.filter(|_| self.portraying.wanted.has("clauses")) {
            let mut runs: HashMap<u16, f64> = HashMap::new();
            for (counted, often) in edge_runs.runs(&valued.visited) {
                for (function, count) in &counted.calls {
                    *runs.entry(*function).or_default() += often.about() * *count as f64;
                }
            }
            self.found.clauses = uses(&self.conflict.rules, &runs);
        }
        let graph = &*seating.graph;
        let kind = |place: usize| valued.visited.node(graph, place).kind();
        let questions = valued.often(|kind| kind != NodeKind::End);
        let decisions = valued.often(|kind| kind == NodeKind::Decision);
        let decides =
            (0..valued.visited.game.len()).filter(|&place| kind(place) == NodeKind::Decision);
        Ok(Some(ConflictSize {
            length: (questions, decisions),
            places: Some(decides.count() as f64),
            most: valued.range.iter().copied().fold(0.0, f64::max),
        }))
    }

    fn played(&mut self) -> Result<Option<ConflictSize>, Error> {
        let (seating, sampling) = (self.seating, self.portraying.sampling);
        let names = &self.portraying.wanted.names;
        let parts = self.portraying.wanted.reads_parts();
        let reads = Reads { names, parts, runs: self.wants(&["length.steps", "clauses"]) };
        let estimates = PlayoutResults::make(seating, sampling, reads, self.progress);
        let estimates = estimates.map_err(Error::from);
        let Some(estimates) = self.keep(estimates)? else { return Ok(None) };
        if estimates.cut {
            self.found.cut =
                seating.is_wanted().err().and_then(|error| error.cut()).or(Some(Cut::Interrupted));
        }
        self.found.n = estimates.n;
        match parts {
            true => self.found.add_of_ends(PARTS, estimates.measures(names)),
            false => self.found.measures.extend(estimates.measures(names)),
        }
        let turns = Turns::of(self.conflict, seating);
        self.found.add_of_ends(RESULT, estimates.results(seating, turns.first));
        if self.portraying.wanted.has("clauses") {
            let often = |(&function, &count): (&u16, &u64)| {
                (function, count as f64 / estimates.replayed.max(1) as f64)
            };
            let runs = estimates.calls.iter().map(often).collect();
            self.found.clauses = uses(&self.conflict.rules, &runs);
        }
        self.found.runs = estimates.runs(&self.conflict.rules);
        let progress = self.progress;
        // Their odds are not those of the conflict as it is.
        let counted = |stage: Stage| {
            if matches!(stage, Stage::Begin(_) | Stage::Playouts(..)) {
                progress(stage);
            }
        };
        let worth = |other: &Seating| -> Result<Option<Quantity>, Error> {
            let results = PlayoutResults::make(other, sampling, Reads::default(), &counted)?;
            Ok(as_they_sit(&mut results.results(other, turns.first)).map(|sits| sits.quantity))
        };
        self.first_seat(&turns, &worth)?;
        let range = estimates.range(seating);
        let most = range.iter().copied().fold(0.0, f64::max);
        let (mut on_graphs, mut has_drama) = (Vec::new(), false);
        const WHAT: &str = "drama, luck and what options are worth are";
        let looks_ahead =
            self.wants(&["drama", "luck", "choice"]) && self.portraying.wanted.looks_ahead();
        if looks_ahead && !seating.tabulates()? {
            self.found.notes.push(format!(
                "{WHAT} left out: an agent does not say that it is pure, so that its answers cannot be \
                 tabulated"
            ));
        } else if looks_ahead {
            let wish = FollowedQuery {
                seating,
                sampling: Sampling { n: estimates.n.min(sampling.n), ..sampling },
                questions: estimates.questions(),
                range,
                wanted: self.portraying.wanted,
                progress: self.progress,
            };
            let courses = wish.find();
            if let Some(courses) = self.keep(courses)? {
                let cut = courses.cut.as_ref().and_then(Error::cut);
                self.found.cut = self.found.cut.or(cut);
                self.found.notes.push(match (courses.n, cut) {
                    (0, Some(cut)) => format!("{WHAT} left out: {cut}"),
                    (n, _) => {
                        let conflicts = report::many(n, "conflict");
                        format!(
                            "{WHAT} from {conflicts} beside those, with playouts from each question"
                        )
                    }
                });
                has_drama = !courses.notes.is_empty()
                    || courses.measures.iter().any(|measure| measure.group() == "drama");
                self.found.notes.extend(courses.notes);
                self.found.measures.extend(courses.measures);
                self.found.further = courses.further;
                self.found.options = courses.options;
            }
        }
        let decisions =
            self.found.measure("length.decisions").map_or(0.0, |found| found.quantity.value);
        if has_drama {
            on_graphs.extend(ON_GRAPHS);
        }
        if decisions > 0.0 && self.portraying.wanted.solves() {
            on_graphs.extend(["fairness.value", "strategy"]);
        }
        on_graphs.retain(|name| self.portraying.wanted.has(name));
        if !on_graphs.is_empty() {
            let named = report::ticked(&on_graphs);
            let verb = if named.len() == 1 { "is" } else { "are" };
            self.found.notes.push(format!(
                "{} {verb} left out: that takes a graph that is seen whole",
                report::enumerated(&named)
            ));
        }
        Ok(Some(ConflictSize { length: (estimates.questions(), decisions), places: None, most }))
    }

    /// Puts what the first seat is worth over all turns in the place of what it is worth as the agents sit.
    fn first_seat(
        &mut self,
        turns: &Turns<'_>,
        worth: &dyn Fn(&Seating) -> Result<Option<Quantity>, Error>,
    ) -> Result<(), Error> {
        let mine = as_they_sit(&mut self.found.measures);
        let Some(mine) = mine.filter(|_| self.wants(&[FIRST_SEAT])) else { return Ok(()) };
        match self.keep(turns.first_seat(self.seating, mine.quantity, worth))? {
            Some(Ok(Some(worth))) => {
                let worth = Measure::new(FIRST_SEAT, &worth);
                self.found.measures.push(Measure { values: mine.values, ..worth });
            }
            Some(Err(why)) => self.found.notes.push(why),
            Some(Ok(None)) | None => {}
        }
        Ok(())
    }

    /// What perfect players would do, and the ladder of skill with them on top.
    fn perfect_and_skilled(&mut self, size: &ConflictSize) -> Result<(), Error> {
        let (seating, sampling) = (self.seating, self.portraying.sampling);
        let threads = sampling.threads;
        let decides = size.length.1 > 0.0;
        let mut ladder = rungs();
        if decides && size.places.is_some() && self.portraying.wanted.solves() {
            let mixed = self.portraying.wanted.has("strategy");
            let is_told = mixed || self.portraying.wanted.has("fairness.value");
            let solution = strategy::solution(seating, threads, size.most, self.progress);
            let solution = self.keep(solution)?;
            let note = match &solution {
                Some(Ok(perfect)) => perfect.note(mixed),
                Some(Err(why)) => Some(strategy::without(why)),
                None => None,
            };
            self.found.notes.extend(note.filter(|_| is_told));
            if let Some(Ok(perfect)) = solution {
                self.found.by_equilibrium = perfect.by_equilibrium(seating);
                self.found.measures.extend(PerfectPlay::ranges(&self.found.by_equilibrium));
                let saved = perfect.solution.saved(self.conflict, &seating.players).to_string();
                let saved = SavedStrategy::parse("the solution", &saved)?;
                let agent = AgentSpec::Thinker(ThinkingPlan::Solved(saved));
                ladder.push(Rung { name: "solved", agent, cost: 0.0 });
                let several = perfect.solution.equilibria().count();
                if several > 1 && self.portraying.wanted.has("skill") {
                    let note = format!("`solved` plays the first of {several} equilibria found");
                    self.found.notes.push(note);
                }
            }
        }
        if decides && self.wants(&["skill"]) && self.portraying.wanted.climbs() {
            let effort = SkillEffort::of(sampling, size.length, size.places);
            let climbed = skill::climb(seating, &ladder, &effort, self.progress);
            if let Some((measures, note)) = self.keep(climbed)? {
                self.found.measures.extend(measures);
                self.found.notes.extend(note);
            }
        }
        Ok(())
    }
}
