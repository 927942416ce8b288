//! `fracas odds`, `estimate` and `bench`: the odds of a conflict, exact or from playouts, and how fast it is.

use std::process::ExitCode;

use super::arguments::{self, CommonArguments};
use super::output::Output;
use super::progress::{PLAYOUTS, Progress};
use super::scenario::{sampled, seated, seated_next};
use crate::analysis::{Estimated, Odds, Seeking, Speed};
use crate::error::{Cut, Error};

pub(super) fn odds(
    common: &CommonArguments,
    arguments: &arguments::OddsCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let seating = seated_next(common, &arguments.scenario, arguments.whole, output)?;
    let progress = Progress::new(output, "nodes", None);
    let seeking = Seeking { float: arguments.float, threads: common.threads(), nodes: u64::MAX };
    let seating = seating.under(seating.budget().begin(arguments.limit.time));
    let odds = Odds::find(&seating, seeking, &|nodes| progress.at(nodes))?;
    drop(progress);
    output.show(&odds, |width, plain| odds.as_text(width, plain))?;
    Ok(ExitCode::from(match &odds.found {
        Ok(_) => 0,
        Err(_) => match odds.cut {
            Some(Cut::Time(_)) => 0,
            Some(Cut::Interrupted) => 130,
            Some(Cut::Memory(_)) | None => 1,
        },
    }))
}

pub(super) fn estimate(
    common: &CommonArguments,
    arguments: &arguments::EstimateCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let (_, seating) = seated(common, &arguments.scenario, output)?;
    let seed = common.seed();
    let sampling = arguments.sampling.sampling(common.threads(), seed);
    let seating = seating.under(seating.budget().begin(arguments.sampling.limit.time));
    let progress = Progress::new(output, PLAYOUTS, sampling.known_total());
    let made = Estimated::watched(&seating, sampling, &[], &|stage| progress.stage(stage));
    drop(progress);
    let estimated = made?;
    output.show(&estimated, |width, plain| estimated.as_text(width, plain))?;
    let missed = sampling.enough.within().filter(|within| !estimated.is_within(*within));
    Ok(sampled(estimated.cut, missed, output))
}

pub(super) fn bench(
    common: &CommonArguments,
    arguments: &arguments::BenchCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let (_, seating) = seated(common, &arguments.scenario, output)?;
    let seed = common.seed();
    output.say(&format!("seed {seed}"));
    let speed = Speed::measure(&seating, seed, arguments.bench.time)?;
    output.show(&speed, |width, plain| speed.as_text(width, plain))?;
    Ok(ExitCode::SUCCESS)
}
