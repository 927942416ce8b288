//! Analysis of scenarios for scripts: odds, estimates, sweeps and portraits, as the commands give them to
//! programs.

use super::context::WorkResult;
use super::convert;
use super::convert::LabOptions;
use super::report::ResultKind;
use super::scenario::Opened;
use crate::analysis::{Enough, MeasureSelection, Portrait, Portraying, Sampling};
use crate::analysis::{Estimated, Odds, Over, Seeking, Stage, Sweep, Swept};
use crate::catalog::ParamSpecs;
use crate::error::{Cut, Error};
use crate::game::Value;
use indexmap::IndexMap;
use std::time::Duration;

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

    /// The odds, estimated from playouts.
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
        let over = Over {
            catalog: &desk.catalog.borrow(),
            scenario: &self.conflict.scenario,
            changes: &self.changes,
            swept: &swept,
            limits: &desk.limits,
            memory: desk.memory(),
            sampling: desk.sampling(seed, n),
            balanced: None,
            targets: &[],
            progress: &|stage| {
                if let Stage::Points(done, _) = stage {
                    progress(done);
                }
            },
        };
        let sweep = Sweep::run(&over).map_err(|broken| broken.failed.error)?;
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
    use crate::catalog::{Document, Text};
    let text = Text { path: "the setup".to_owned(), text: text.to_owned() };
    Document::parse(text).map(|document| document.root)
}

/// What a script hands over as parameters: a name and its values, as a map.
pub(super) fn one(name: &str, values: &rhai::Dynamic) -> Result<Value, Error> {
    let values = convert::of_dynamic(values, name)?;
    Ok(Value::Map([(name.to_owned(), values)].into_iter().collect()))
}

/// What can be said of how to measure.
const OPTIONS: [&str; 5] = ["n", "seed", "within", "time", "measures"];

impl Opened {
    /// What the conflict is like under the agents seated.
    pub(super) fn portrait(&self, options: &IndexMap<String, Value>) -> Result<WorkResult, Error> {
        let desk = &self.desk;
        let options = LabOptions::of(options, &OPTIONS)?;
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
