//! `fracas compare`: what changed rules do, and whether the data can tell.

use std::process::ExitCode;

use super::arguments::{self, Common};
use super::output::Output;
use super::progress::Progress;
use super::sampled;
use crate::analysis::{Compared, FirstDifferent, Pair, Side, Way};
use crate::arguments::ScenarioArguments;
use crate::conflict::{Changes, Conflict};
use crate::error::Error;

/// Runs the command.
///
/// # Errors
/// Those of the scenario, the rules and the agents; [`Error::Usage`] where nothing is changed.
pub fn run(
    common: &Common,
    arguments: &arguments::Compare,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    let changed = arguments.scenario.changes()?;
    let seated = Changes { seats: changed.seats.clone(), ..Changes::default() };
    let scenario = catalog.scenario(&arguments.scenario.scenario)?;
    let base = Conflict::of(&catalog, scenario.clone(), &seated, &limits)?;
    let house = Conflict::of(&catalog, scenario, &changed, &limits)?;
    let pair = Pair::new(&base, &house, common.graph_memory())?;
    output.warnings(&house);
    output.people(&pair.base);
    let again = Again { common, scenario: &arguments.scenario, conflict: &base };

    let seed = common.seed();
    let sampling = arguments.sampling.sampling(common.threads(), seed);
    let budget = pair.base.budget().begin(arguments.sampling.limit.time);
    let pair = pair.with_seatings(|seating| seating.under(budget.clone()));
    let progress = Progress::new(output, "nodes", None);
    let stage = |stage| progress.stage(stage);
    let found = Compared::find(&pair, arguments.float, sampling, &stage);
    drop(progress);
    let compared = found?;
    show(&compared, &pair, &again, output)?;
    let missed = |within: &f64| compared.n > 0 && !compared.is_within(*within);
    Ok(sampled::exit(compared.cut, sampling.enough.within().filter(missed), output))
}

fn show(
    compared: &Compared,
    pair: &Pair,
    again: &Again<'_>,
    output: &mut Output,
) -> Result<(), Error> {
    if output.json() {
        return output.value(compared);
    }
    let (width, plain) = (output.width(), output.plain());
    output.data(&compared.as_text(pair, width, plain))?;
    let Some(FirstDifferent { playout, seed }) = compared.first else { return Ok(()) };
    match Way::of(pair, playout, seed) {
        Ok(way) => output.data(&format!("\n{}", way.as_text(width)))?,
        // Whoever interrupted has the numbers all the same.
        Err(error) if error.is_asked_for() => return Ok(()),
        Err(error) => return Err(error),
    }
    let (base, house) = (again.line(Side::Base, seed), again.line(Side::House, seed));
    // Not wrapped: these lines are to be typed again.
    output.data(&format!("\nto play it:\n  {base}\n  {house}"))
}

/// How one playout of either side is played again.
struct Again<'a> {
    common: &'a Common,
    scenario: &'a ScenarioArguments,
    conflict: &'a Conflict,
}

impl Again<'_> {
    /// The command line.
    fn line(&self, side: Side, seed: u64) -> String {
        let mut scenario = self.scenario.clone();
        if side == Side::Base {
            scenario.rules.house.clear();
            scenario.rules.params.clear();
        }
        scenario.again(&self.common.rules, self.conflict, seed)
    }
}
