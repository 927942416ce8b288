//! Tuning of scenarios for scripts: the parameters and house rules under which one is as wanted.

use std::time::Duration;

use super::context::WorkResult;
use super::convert::LabOptions;
use super::files;
use super::measure::listed;
use super::report::ResultKind;
use super::scenario::Opened;
use crate::analysis::{CandidateGrid, CommandFormat, Portraying, Swept, Tuning, Wishes};
use crate::error::{Cut, Error};
use crate::game::Value;
use crate::render::shell_line;
use crate::script::Limits;

/// What can be said of a tuning.
const OPTIONS: [&str; 7] = ["vary", "house", "want", "among", "n", "seed", "time"];

impl Opened {
    /// The parameters and house rules under which the conflict is as wanted.
    pub(super) fn tune(&self, options: &Value) -> Result<WorkResult, Error> {
        let desk = &self.desk;
        let Value::Map(map) = options else {
            return Err(Error::usage(format!("a tuning takes a map, got {}", options.kind())));
        };
        let options = LabOptions::of(map, &OPTIONS)?;
        let n = options.whole("n")?.unwrap_or(Portraying::PLAYOUTS).max(1);
        let seed = options.whole("seed")?;
        let time = options.above_0("time")?.and_then(|time| Duration::try_from_secs_f64(time).ok());
        let house = options.texts("house", "a name or a list of names")?;
        let house: Vec<String> =
            house.iter().map(|name| files::word(desk, name)).collect::<Result<_, _>>()?;
        let want = options.texts("want", "a wish or a list of wishes")?;
        let among = options.get("among").map(ToString::to_string);
        let varied = options.get("vary").map(listed).transpose()?.unwrap_or_default();

        let limits = &desk.limits;
        let limits = Limits { budget: limits.budget.begin(time), ..limits.clone() };
        let (catalog, conflict) = (&*desk.catalog.borrow(), &*self.conflict);
        let params = Swept::each_of(&varied, &CandidateGrid::specs(conflict)?)?;
        let grid =
            CandidateGrid::new(params, &house, among.as_deref(), (catalog, conflict, &limits))?;
        let wishes = Wishes::read(&want, conflict, self.seated()?)?;
        let rules = desk.rules.borrow().clone();
        let show = |words: &[String]| Some(shell_line(words, &rules));
        let go_on = |beside: &[String], own: &[String]| {
            let words = [&["tune".to_owned()], beside, own].concat();
            (!beside.is_empty()).then(|| shell_line(&words, &rules))
        };
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
            again: CommandFormat { show: &show, go_on: &go_on },
            progress: &*progress,
        };
        let tuned = tuning.find().map_err(|broken| {
            broken.at.iter().for_each(|at| desk.note(&format!("it failed at {at}")));
            broken.error
        })?;
        Ok(WorkResult::of(ResultKind::Tuned, &tuned, tuned.cut == Some(Cut::Interrupted)))
    }
}
