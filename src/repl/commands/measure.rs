//! The commands that measure the open conflict, as those of the shell measure a scenario: `:estimate`,

use std::path::PathBuf;

use clap::Args;

use super::open_position;
use super::seated::{SEED, memory, report_cut, report_first_seat, report_people, sampling, seated};
use crate::analysis::{
    Balance, Best, Estimated, MeasureSelection, Portrait, Portraying, Speed, Sweep, SweepRun,
    Tuning, figures,
};
use crate::arguments::{
    BenchArguments, PageArgument, PortraitArguments, SamplingArguments, SeedArgument,
    SweepArguments, TuneArguments,
};
use crate::catalog::Setting;
use crate::conflict::{Changes, RuleChanges, Seating, replace, replaceable};
use crate::error::Error;
use crate::repl::{Reply, Session};
use crate::report::{Figure, shell_line};
use crate::script::Limits;

/// `:estimate`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub struct EstimateArgs {
    #[command(flatten)]
    sampling: SamplingArguments,
    #[command(flatten)]
    seed: SeedArgument,
    #[command(flatten)]
    pub(super) page: PageArgument,
    /// Begin at the current place; what is hidden from the one who is asked stays hidden
    #[arg(long)]
    here: bool,
}

/// `:sweep`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub struct SweepArgs {
    #[command(flatten)]
    sweep: SweepArguments,
    #[command(flatten)]
    seed: SeedArgument,
    #[command(flatten)]
    pub(super) page: PageArgument,
    /// Write what is plotted to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// `:portrait`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub struct PortraitArgs {
    #[command(flatten)]
    portrait: PortraitArguments,
    #[command(flatten)]
    seed: SeedArgument,
    #[command(flatten)]
    pub(super) page: PageArgument,
    /// Refused, with the reason: it is of a whole conflict
    #[arg(long, hide = true)]
    here: bool,
}

/// `:bench`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub struct Bench {
    #[command(flatten)]
    bench: BenchArguments,
    #[command(flatten)]
    seed: SeedArgument,
}

pub(super) fn estimate(
    session: &Session,
    estimate: &EstimateArgs,
    reply: &mut Reply,
) -> Result<(), Error> {
    let sampling = sampling(session, &estimate.sampling, estimate.seed)?;
    let time = estimate.sampling.limit.time;
    let (seating, here) = match estimate.here {
        true => {
            let (seating, here) = open_position::here(session, sampling.n, time, reply)?;
            (seating, Some(here))
        }
        false => (seated(session, time, reply)?, None),
    };
    let from = here.as_ref().map_or(&[][..], |here| &here.nodes);
    let audience = session.lab.audience();
    let progress = audience.solves();
    let made = Estimated::watched(&seating, sampling, from, &*progress);
    drop(progress);
    let estimated = made?;
    session.show(reply, &estimated.report());
    here.iter().for_each(|here| open_position::report(here, reply));
    report_cut(estimated.cut, reply);
    Ok(())
}

/// Finds the odds over the values of parameters.
pub(super) fn sweep(session: &Session, sweep: &SweepArgs, reply: &mut Reply) -> Result<(), Error> {
    let play = session.open()?;
    let asked = &sweep.sweep;
    let conflict = play.snapshot().conflict(&session.catalog, &RuleChanges::default())?;
    let swept = asked.swept(&conflict)?;
    if let Some(file) = &sweep.svg {
        replaceable(file)?;
    }
    let sampling = sampling(session, &asked.sampling, sweep.seed)?;
    let seating = seated(session, None, reply)?;
    let (balanced, targets) = asked.targets(&seating.players);
    let seats = play.conflict.seats.clone().into_iter().collect();
    let changes = Changes { seats, ..conflict.changes.clone() };
    let limits = &session.options.limits;
    let budget = limits.budget.begin(asked.sampling.limit.time);
    let audience = session.lab.audience();
    let progress = audience.solves();
    let run = SweepRun {
        catalog: &session.catalog,
        scenario: &conflict.scenario,
        changes: &changes,
        swept: &swept,
        limits: &Limits { budget, ..limits.clone() },
        memory: memory(session),
        sampling,
        targets: &targets,
        progress: &*progress,
    };
    let found = match &balanced {
        Some(target) => Balance::search(&run, target),
        None => Sweep::run(&run),
    };
    drop(progress);
    let swept = found.map_err(|broken| broken.failed.error)?;
    session.show(reply, &swept.report(&targets));
    report_cut(swept.cut, reply);
    match &sweep.svg {
        Some(_) if swept.cut.is_some() => reply.note("no file was written"),
        Some(file) => {
            replace(file, Figure::svg(&figures(&swept, &targets)).as_bytes())?;
            reply.note(format!("wrote `{}`", file.display()));
        }
        None => {}
    }
    Ok(())
}

pub(super) fn portrait(
    session: &Session,
    asked: &PortraitArgs,
    reply: &mut Reply,
) -> Result<(), Error> {
    let PortraitArgs { portrait: asked, seed, here, .. } = asked;
    if *here {
        return Err(Error::usage(
            "a portrait is of a whole conflict: its length, turns and luck are counted from the setup on; \
             `:estimate --here` and `:odds` begin at the current place",
        ));
    }
    let play = session.open()?;
    let seating = play.seating()?;
    let wanted = MeasureSelection::read(&asked.measures, &play.conflict, &seating)?;
    let sampling = asked.sampling(session.lab.threads(), session.seed_apart(seed.seed)?);
    let nodes = Portraying::explores(sampling, &seating);
    let time = asked.sampling.limit.time;
    let portraying = Portraying { wanted: &wanted, sampling, nodes, time };
    let audience = session.lab.audience();
    let progress = audience.solves();
    portraying.foretell(&seating, &*progress);
    let found = Portrait::find(&play.conflict, &seating, portraying, &*progress);
    drop(progress);
    let portrait = found?;
    report_people(&seating, reply);
    session.show(reply, &portrait.report());
    report_first_seat(play, reply);
    report_cut(portrait.cut, reply);
    Ok(())
}

pub(super) fn bench(session: &Session, bench: &Bench, reply: &mut Reply) -> Result<(), Error> {
    let seed = session.seed_apart(bench.seed.seed)?;
    let seating = seated(session, None, reply)?;
    let speed = Speed::measure(&seating, seed, bench.bench.time)?;
    session.show(reply, &speed.report());
    Ok(())
}

/// `:tune`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub struct Tune {
    #[command(flatten)]
    tune: TuneArguments,
    #[command(flatten)]
    seed: SeedArgument,
    #[command(flatten)]
    pub(super) page: PageArgument,
}

pub(super) fn tune(session: &Session, asked: &Tune, reply: &mut Reply) -> Result<(), Error> {
    let play = session.open()?;
    let limits = &session.options.limits;
    // The time is for all candidates together.
    let limits = Limits { budget: limits.budget.begin(asked.tune.limit.time), ..limits.clone() };
    let laid = play.conflict.rules.house();
    if let Some(house) = asked.tune.vary_house.iter().find(|house| laid.contains(house)) {
        return Err(Error::usage(format!(
            "`{house}` is already in force, so it cannot be varied; `:house -{house}` removes it first"
        )));
    }
    let conflict = play.snapshot().conflict(&session.catalog, &RuleChanges::default())?;
    let memory = limits.budget.bound();
    let seating = Seating::new(&conflict, memory)?;
    let grid = asked.tune.grid((&session.catalog, &conflict, &limits))?;
    let wishes = asked.tune.wishes(&conflict, &seating)?;
    let seats = play.conflict.seats.clone().into_iter().collect();
    let changes = Changes { seats, ..conflict.changes.clone() };
    let seed = session.seed_apart(asked.seed.seed)?;
    let rules = session.lab.rules();
    let show = |words: &[String]| Some(shell_line(words, &rules));
    let audience = session.lab.audience();
    let progress = audience.solves();
    let tuning = Tuning {
        catalog: &session.catalog,
        scenario: &conflict.scenario,
        changes: &changes,
        limits: &limits,
        memory,
        sampling: asked.tune.sampling(session.lab.threads(), seed),
        grid: &grid,
        wishes: &wishes,
        show: &show,
        progress: &*progress,
    };
    let found = tuning.find();
    drop(progress);
    let tuned = found.map_err(|broken| {
        broken.at.iter().for_each(|at| reply.note(format!("it failed at {at}")));
        broken.error
    })?;
    report_people(&seating, reply);
    let see = |best: &Best| {
        let params = best.values.iter().map(|(name, value)| Setting::of((name, value)).to_string());
        let house = (!best.house.is_empty()).then(|| format!(":house {}", best.house.join(" ")));
        let params = (!best.values.is_empty())
            .then(|| format!(":params {}", params.collect::<Vec<_>>().join(" ")));
        let lines: Vec<String> = house.into_iter().chain(params).collect();
        Some(lines.join(", then ")).filter(|line| !line.is_empty())
    };
    session.show(reply, &tuned.report(see));
    report_cut(tuned.cut, reply);
    Ok(())
}
