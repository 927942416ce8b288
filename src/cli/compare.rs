//! `fracas compare`: what changed rules do, and whether the data can tell.

use std::process::ExitCode;

use super::arguments::{self, Common};
use super::output::Output;
use super::progress::Progress;
use super::sampled;
use crate::analysis::{Compared, FirstDifferent, Pair, Seeking, Side, Way};
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
    let progress = Progress::new(output, "nodes", None);
    let nodes = sampling.explores(&pair.base);
    let seeking = Seeking { float: arguments.float, threads: sampling.threads, nodes };
    let found = Compared::exactly(&pair, seeking, seed, &|nodes| progress.at(nodes))?;
    drop(progress);
    let compared = match found {
        Ok(compared) => compared,
        Err(refused) if refused.interrupted => {
            output
                .say("no exact odds: interrupted; a few playouts in pairs, Ctrl-C ends those too");
            let progress = Progress::new(output, "playouts", None);
            let made = Compared::in_haste(&pair, sampling, &|done| progress.at(done));
            drop(progress);
            made?
        }
        Err(refused) => {
            let reason = refused.reason;
            output.say(&format!("exact odds are out of reach ({reason}): playouts in pairs"));
            // How many an interval will take nobody knows.
            let total = sampling.within.is_none().then_some(sampling.n);
            let progress = Progress::new(output, "playouts", total);
            let made = Compared::sample(&pair, sampling, &|done| progress.at(done));
            drop(progress);
            made?
        }
    };
    show(&compared, &pair, &again, output)?;
    let missed = |within: &f64| compared.n > 0 && !compared.is_within(*within);
    Ok(sampled::exit(compared.interrupted, sampling.within.filter(missed), output))
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
        Err(Error::Interrupted) => return Ok(()),
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
