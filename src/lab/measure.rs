//! Analysis of scenarios for scripts: odds, estimates, sweeps, portraits, comparisons and tunings.

use std::time::Duration;

use indexmap::IndexMap;

use super::context::WorkResult;
use super::convert::{self, LabOptions};
use super::files;
use super::results::ResultKind;
use super::scenario::Opened;
use crate::analysis::{
    CandidateGrid, Compared, Contrasting, Enough, Estimated, MeasureSelection, Odds, Pair,
    Portrait, Portraying, Sampling, Seeking, Stage, Sweep, SweepRun, Swept, Tuning, Wishes, alone,
};
use crate::catalog::{ParamSpecs, Setting};
use crate::conflict::{Changes, Conflict};
use crate::error::{Cut, Error};
use crate::game::Value;
use crate::report::shell_line;
use crate::script::Limits;

impl Opened {
    /// Exact odds under the agents seated, or why they are out of reach.
    pub(super) fn odds(&self) -> Result<WorkResult, Error> {
        let (seating, desk) = (self.seated()?, &self.desk);
        let audience = desk.audience();
        let progress = desk.begins(&*audience, "nodes", None);
        let seeking = Seeking { float: false, threads: desk.threads, nodes: u64::MAX };
        let odds = Odds::find(seating, seeking, &*progress)?;
        Ok(WorkResult::of(ResultKind::Odds, &odds, odds.cut == Some(Cut::Interrupted)))
    }

    pub(super) fn estimate(&self, n: u64, seed: u64) -> Result<WorkResult, Error> {
        let (seating, desk) = (self.seated()?, &self.desk);
        let audience = desk.audience();
        let progress = desk.begins(&*audience, "playouts", Some(n));
        let estimated = Estimated::sample(seating, desk.sampling(seed, n), &*progress)?;
        Ok(WorkResult::of(ResultKind::Odds, &estimated, estimated.cut.is_some()))
    }

    /// The odds over the values of one or two parameters.
    pub(super) fn sweep(&self, parameters: &Value, n: u64, seed: u64) -> Result<WorkResult, Error> {
        let desk = &self.desk;
        self.seated()?;
        let specs = ParamSpecs::read(self.conflict.folder.params()?.as_ref())?;
        let swept = Swept::of(&listed(parameters)?, &specs)?;
        let points = swept.iter().map(|swept| swept.values.len() as u64).product();
        let audience = desk.audience();
        let progress = desk.begins(&*audience, "points", Some(points));
        let run = SweepRun {
            catalog: &desk.catalog.borrow(),
            scenario: &self.conflict.scenario,
            changes: &self.changes,
            swept: &swept,
            limits: &desk.limits,
            memory: desk.memory(),
            sampling: desk.sampling(seed, n),
            targets: &[],
            progress: &|stage| {
                if let Stage::Points(done, _) = stage {
                    progress(done);
                }
            },
        };
        let sweep = Sweep::run(&run).map_err(|broken| broken.failed.error)?;
        Ok(WorkResult::of(ResultKind::Sweep, &sweep, sweep.cut.is_some()))
    }
}

/// The parameters of a map, each with its list of values.
pub(super) fn listed(parameters: &Value) -> Result<Vec<(String, Vec<Value>)>, Error> {
    let Value::Map(map) = parameters else {
        let message = format!("parameters must be a map of lists, got {}", parameters.kind());
        return Err(Error::usage(message));
    };
    let values = |(name, values): (&String, &Value)| match values {
        Value::List(values) => Ok((name.clone(), values.clone())),
        one => {
            let message =
                format!("`{name}`: write a range or a list of values, not {}", one.kind());
            Err(Error::usage(message))
        }
    };
    map.iter().map(values).collect()
}

/// A setup written as TOML, whose tables keep their order.
pub(super) fn setup_of(text: &str) -> Result<Value, Error> {
    use crate::catalog::{Document, FileText};
    let text = FileText { path: "the setup".to_owned(), text: text.to_owned() };
    Document::parse(text).map(|document| document.root)
}

/// What a script hands over as parameters: a name and its values, as a map.
pub(super) fn one(name: &str, values: &rhai::Dynamic) -> Result<Value, Error> {
    let values = convert::of_dynamic(values, name)?;
    Ok(Value::Map([(name.to_owned(), values)].into_iter().collect()))
}

const PORTRAYING: [&str; 5] = ["n", "seed", "within", "time", "measures"];

impl Opened {
    /// What the conflict is like under the agents seated.
    pub(super) fn portrait(&self, options: &IndexMap<String, Value>) -> Result<WorkResult, Error> {
        let desk = &self.desk;
        let options = LabOptions::of(options, &PORTRAYING)?;
        let measures = options.texts("measures", "a name or a list of names")?;
        let n = options.whole("n")?.unwrap_or(Portraying::PLAYOUTS).max(1);
        let time = options.above_0("time")?.and_then(|time| Duration::try_from_secs_f64(time).ok());
        let within = options.above_0("within")?;
        let seed = options.whole("seed")?;
        let seating = self.seated()?;
        let wanted = MeasureSelection::read(&measures, &self.conflict, seating)?;
        let seed = seed.unwrap_or_else(|| desk.seed());
        let sampling = Sampling {
            enough: within.map_or(Enough::All, Enough::Within),
            ..desk.sampling(seed, n)
        };
        let nodes = Portraying::explores(sampling, seating);
        let portraying = Portraying { wanted: &wanted, sampling, nodes, time };
        let audience = desk.audience();
        let progress = audience.solves();
        let found = Portrait::find(&self.conflict, seating, portraying, &*progress)?;
        Ok(WorkResult::of(ResultKind::Portrait, &found, found.cut == Some(Cut::Interrupted)))
    }
}

const COMPARING: [&str; 4] = ["n", "seed", "time", "measures"];

impl Opened {
    /// The differences to another scenario: of the odds exactly where that is within reach, else from
    /// playouts in pairs; and of what the conflict is like.
    pub(super) fn compare(
        &self,
        other: &Opened,
        options: &IndexMap<String, Value>,
    ) -> Result<WorkResult, Error> {
        let desk = &self.desk;
        let options = LabOptions::of(options, &COMPARING)?;
        let (n, seed) = (options.whole("n")?, options.whole("seed")?);
        let time = options.above_0("time")?.and_then(|time| Duration::try_from_secs_f64(time).ok());
        let measures = options.texts("measures", "a name or a list of names")?;
        let seating = self.seated()?;
        let wanted = MeasureSelection::read(&measures, &self.conflict, seating)?.sparing();
        let (changes, parts) = self.changed_to(other);
        let (each, notes) = alone(&changes, |number| {
            let part = Changes { seats: self.changes.seats.clone(), ..parts[number].clone() };
            Conflict::of(
                &desk.catalog.borrow(),
                self.conflict.scenario.clone(),
                &part,
                &desk.limits,
            )
        })?;
        let (base, house) = (&*self.conflict, &*other.conflict);
        let pair = Pair::between(base, house, changes, desk.memory())?;
        let pair = pair.within(time);
        let seed = seed.unwrap_or_else(|| desk.seed());
        let n = n.map(|n| n.max(1));
        let sampling = desk.sampling(seed, n.unwrap_or(Sampling::PLAYOUTS));
        let enough = if n.is_some() { Enough::All } else { Enough::Clear };
        let contrasting = Contrasting {
            base,
            house,
            alone: &each,
            wanted: &wanted,
            sampling: Sampling { enough, ..sampling },
            memory: desk.memory() / 2,
            notes,
        };
        let audience = desk.audience();
        let progress = audience.solves();
        let compared = Compared::find(&pair, false, sampling, &*progress)?;
        let (compared, _) = compared.contrasted(&pair, &contrasting, &*progress)?;
        let cut = compared.cut.is_some_and(|cut| !matches!(cut, Cut::Time(_)));
        Ok(WorkResult::of(ResultKind::Compared, &compared, cut))
    }

    /// In words how another scenario differs, and the changes that make each of the differences alone. Of
    /// scenarios that differ in more than house rules and parameters, the other one.
    fn changed_to(&self, other: &Opened) -> (Vec<String>, Vec<Changes>) {
        let (own, its) = (&self.changes, &other.changes);
        let same = self.conflict.scenario.name == other.conflict.scenario.name
            && self.conflict.scenario.setup == other.conflict.scenario.setup
            && (&own.seats, &own.without) == (&its.seats, &its.without);
        let house = its.house.strip_prefix(&own.house[..]).filter(|_| same);
        let is = |one: &Setting, two: &Setting| one.name == two.name && one.value == two.value;
        let begins = its.params.len() >= own.params.len()
            && own.params.iter().zip(&its.params).all(|(one, two)| is(one, two));
        let params = begins.then(|| &its.params[own.params.len()..]);
        let (Some(house), Some(params)) = (house, params) else {
            return (vec![other.title()], vec![its.clone()]);
        };
        let mut all: Vec<(String, Changes)> = Vec::new();
        for name in house {
            let mut part = own.clone();
            part.house.push(name.clone());
            all.push((name.clone(), part));
        }
        for one in params {
            let mut part = own.clone();
            part.params.push(one.clone());
            all.push((format!("{}={}", one.name, one.value), part));
        }
        match all.is_empty() {
            true => (vec![other.title()], vec![its.clone()]),
            false => all.into_iter().unzip(),
        }
    }
}

const TUNING: [&str; 6] = ["vary", "house", "want", "n", "seed", "time"];

impl Opened {
    /// The parameters and house rules under which the conflict is as wanted.
    pub(super) fn tune(&self, options: &Value) -> Result<WorkResult, Error> {
        let desk = &self.desk;
        let Value::Map(map) = options else {
            return Err(Error::usage(format!("a tuning takes a map, got {}", options.kind())));
        };
        let options = LabOptions::of(map, &TUNING)?;
        let n = options.whole("n")?.unwrap_or(Portraying::PLAYOUTS).max(1);
        let seed = options.whole("seed")?;
        let time = options.above_0("time")?.and_then(|time| Duration::try_from_secs_f64(time).ok());
        let house = options.texts("house", "a name or a list of names")?;
        let house: Vec<String> =
            house.iter().map(|name| files::word(desk, name)).collect::<Result<_, _>>()?;
        let want = options.texts("want", "a wish or a list of wishes")?;
        let varied = options.get("vary").map(listed).transpose()?.unwrap_or_default();

        let limits = &desk.limits;
        let limits = Limits { budget: limits.budget.begin(time), ..limits.clone() };
        let (catalog, conflict) = (&*desk.catalog.borrow(), &*self.conflict);
        let params = Swept::each_of(&varied, &CandidateGrid::specs(conflict)?)?;
        let grid = CandidateGrid::new(params, &house, (catalog, conflict, &limits))?;
        let wishes = Wishes::read(&want, conflict, self.seated()?)?;
        let rules = desk.rules.borrow().clone();
        let show = |words: &[String]| Some(shell_line(words, &rules));
        let audience = desk.audience();
        let progress = audience.solves();
        let tuning = Tuning {
            catalog,
            scenario: &conflict.scenario,
            changes: &self.changes,
            limits: &limits,
            memory: desk.memory(),
            sampling: desk.sampling(seed.unwrap_or_else(|| desk.seed()), n),
            grid: &grid,
            wishes: &wishes,
            show: &show,
            progress: &*progress,
        };
        let tuned = tuning.find().map_err(|broken| {
            broken.at.iter().for_each(|at| desk.note(&format!("it failed at {at}")));
            broken.error
        })?;
        Ok(WorkResult::of(ResultKind::Tuned, &tuned, tuned.cut == Some(Cut::Interrupted)))
    }
}
