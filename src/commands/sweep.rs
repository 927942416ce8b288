//! The command `sweep`: a conflict under many values of its parameters.

use std::path::PathBuf;

use clap::Args;

use super::{CommandEntry, Desk, Runnable, SamplingArguments, Status, written};
use crate::analysis::{Balance, Sweep, SweepRun, Swept, Target, figures};
use crate::catalog::{ParamSpecs, Setting};
use crate::conflict::{DRAWING, replace, replaceable};
use crate::error::Error;
use crate::report::{Figure, shell_line};
use crate::script::Limits;

/// Find or estimate the odds over the values of one or two parameters
#[derive(Args, Debug)]
pub(crate) struct SweepCommand {
    /// One or two parameters: `faces=1..8` (8 included), `faces=1..9..2`, `tie=a,b`, or `tie` for all
    #[arg(required = true, value_name = "NAME=VALUES")]
    parameters: Vec<String>,
    #[command(flatten)]
    sampling: SamplingArguments,
    /// What is plotted: a player, a side, a result, or `result:NAME` (repeatable)
    #[arg(long, value_name = "NAME")]
    of: Vec<String>,
    /// Find the value at which a player's or side's utility is nearest to the mean of all players', or a result's odds to 1/2
    #[arg(long, value_name = "NAME")]
    balance: Option<String>,
    /// Write what is plotted to a file
    #[arg(long, value_name = "FILE.svg", value_parser = written(DRAWING))]
    svg: Option<PathBuf>,
}

impl Runnable for SweepCommand {
    const ENTRY: CommandEntry =
        CommandEntry { seed: Some(super::SEED), ..CommandEntry::new::<Self>("sweep") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let (scenario, changes) = desk.changed()?;
        let swept = self.swept(desk)?;
        if let Some(file) = &self.svg {
            replaceable(file)?;
        }
        let sampling = desk.sampling(&self.sampling)?;
        let seating = desk.seating(None)?;
        let target = |word: &String| Target::read(word, &seating.players);
        let balanced = self.balance.as_ref().map(target);
        let mut targets: Vec<Target> = self.of.iter().map(target).collect();
        if targets.is_empty() {
            targets.extend(balanced.clone());
        }
        let points = swept.iter().map(|swept| swept.values.len() as u64).product();
        // The time is for all points together.
        let budget = desk.limits.budget.begin(self.sampling.limit.time);
        let rules = desk.rules;
        let show = |words: &[String]| Some(shell_line(words, rules));
        let progress = desk.face.begins("points", Some(points));
        let run = SweepRun {
            catalog: desk.catalog,
            scenario: &scenario,
            changes: &changes,
            swept: &swept,
            limits: &Limits { budget, ..desk.limits.clone() },
            memory: desk.memory(),
            sampling,
            targets: &targets,
            show: &show,
            progress: &*progress,
        };
        let found = match &balanced {
            Some(target) => Balance::search(&run, target),
            None => Sweep::run(&run),
        };
        drop(progress);
        let sweep = found.map_err(|broken| desk.broken(broken))?;
        self.show(&sweep, &targets, desk)
    }
}

impl SweepCommand {
    /// The parameters with all their values checked.
    fn swept(&self, desk: &Desk<'_>) -> Result<Vec<Swept>, Error> {
        let specs = ParamSpecs::read(desk.conflict()?.folder.params()?.as_ref())?;
        let swept = Swept::read(&self.parameters, &specs);
        let swept = swept.map_err(|error| desk.or_of_setup(error))?;
        if self.balance.is_some() && swept.len() > 1 {
            return Err(Error::usage("`--balance` searches over one parameter, not two"));
        }
        let typed = desk.typed.into_iter().flat_map(|_| &desk.changes.params);
        let twice = |swept: &&Swept| typed.clone().any(|setting| setting.name == swept.name);
        match swept.iter().find(twice) {
            Some(Swept { name, .. }) => {
                Err(Error::usage(format!("`{name}` is swept, so `--param {name}=…` cannot hold")))
            }
            None => Ok(swept),
        }
    }

    fn show(
        &self,
        sweep: &Sweep,
        targets: &[Target],
        desk: &mut Desk<'_>,
    ) -> Result<Status, Error> {
        desk.face.show(&sweep.report(targets))?;
        if let Some((point, why)) = sweep.out_of_reach() {
            let at: Vec<String> =
                point.values.iter().map(|one| Setting::of(one).to_string()).collect();
            let at = at.join(", ");
            desk.face.say(&format!(
                "at {at} and at every value with playouts, exact odds are out of reach: {why}"
            ));
        }
        if let Some(cut) = sweep.cut {
            let file = if self.svg.is_some() { "; no file was written" } else { "" };
            let known = match sweep.points.first().is_some_and(|point| point.cut().is_some()) {
                true => "at the first point: these are the results of a few playouts of it",
                false => ": these are the points found before",
            };
            desk.face.cut(cut, &format!("{cut}{known}{file}"));
        } else if let Some(file) = &self.svg {
            replace(file, Figure::svg(&figures(sweep, targets)).as_bytes())?;
            desk.face.say(&format!("wrote `{}`", file.display()));
        }
        Ok(Status::of(sweep.cut).or_failed(!sweep.failed.is_empty()))
    }
}
