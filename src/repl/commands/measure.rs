//! The commands that measure the open conflict from its beginning, as those of the shell measure a
//! scenario: `:estimate`, `:compare`, `:sweep`, `:bench`, `:exploit`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{diff, here};
use crate::agents::HUMAN;
use crate::analysis::equilibrium::Exploit;
use crate::analysis::{
    Balance, Compared, Contrasting, Estimated, Over, Pair, Sampling, Speed, Stage, Sweep as Swept,
    Wanted, alone, figures,
};
use crate::arguments::{
    BenchArguments, ContrastArguments, RuleArguments, SamplingArguments, SeedArgument,
    SweepArguments, TimeArgument,
};
use crate::conflict::{Changes, RuleChanges, Seat, Seating, replace, replaceable};
use crate::error::{Cut, Error};
use crate::graph::Bounds;
use crate::render::Figure;
use crate::repl::{Reply, Session};
use crate::script::Limits;

/// What the option `--here` means for tools that need all to be known.
pub(super) const HERE: &str =
    "Begin where the conflict stands, where nothing is hidden from anybody";

/// `:exploit`.
#[derive(Args, Debug)]
pub struct Exploiting {
    /// How long it may take.
    #[command(flatten)]
    limit: TimeArgument,
    #[arg(long, help = HERE)]
    here: bool,
}

/// What the option `--seed` means here.
pub(super) const SEED: &str = "The seed of playouts; without it, the one after that of the open conflict, whose own is refused";

/// `:estimate`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub struct Estimate {
    /// How many playouts.
    #[command(flatten)]
    sampling: SamplingArguments,
    /// Their seed.
    #[command(flatten)]
    seed: SeedArgument,
    /// Begin where the conflict stands; what is hidden from the one who is asked stays so
    #[arg(long)]
    here: bool,
}

/// `:compare`.
#[derive(Args, Debug)]
#[command(mut_args(|argument| match argument.get_id().as_str() {
    "seed" => argument.help(SEED),
    "n" => argument.help(ContrastArguments::PLAYOUTS),
    _ => diff::or_without(argument),
}))]
pub struct Compare {
    /// The other rules.
    #[command(flatten)]
    rules: RuleArguments,
    /// How many playouts, where exact odds are out of reach.
    #[command(flatten)]
    sampling: SamplingArguments,
    /// What is compared beside the odds.
    #[command(flatten)]
    contrast: ContrastArguments,
    /// Their seed.
    #[command(flatten)]
    seed: SeedArgument,
    /// Compute in intervals of floats with a proven bound, where fractions grow too long
    #[arg(long)]
    float: bool,
    /// Begin where the conflict stands, where nothing is hidden from anybody; only odds are compared then
    #[arg(long, conflicts_with = "measures")]
    here: bool,
}

/// `:sweep`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub struct Sweep {
    /// The parameters and what is looked at.
    #[command(flatten)]
    sweep: SweepArguments,
    /// The seed of playouts.
    #[command(flatten)]
    seed: SeedArgument,
    /// Write what is plotted to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// `:bench`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help(SEED)))]
pub struct Bench {
    /// How long it takes.
    #[command(flatten)]
    bench: BenchArguments,
    /// The seed of playouts.
    #[command(flatten)]
    seed: SeedArgument,
}

/// Estimates the odds.
pub(super) fn estimate(
    session: &Session,
    estimate: &Estimate,
    reply: &mut Reply,
) -> Result<(), Error> {
    let sampling = sampling(session, &estimate.sampling, estimate.seed)?;
    let time = estimate.sampling.limit.time;
    let (seating, here) = match estimate.here {
        true => {
            let (seating, here) = here::here(session, sampling.n, time, reply)?;
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
    session.show(reply, || &estimated, |width, plain| estimated.as_text(width, plain));
    here.iter().for_each(|here| here::tell(here, reply));
    tell_cut(estimated.cut, reply);
    Ok(())
}

/// Compares with other rules.
pub(super) fn compare(
    session: &Session,
    compare: &Compare,
    reply: &mut Reply,
) -> Result<(), Error> {
    let play = session.open()?;
    if compare.rules.is_empty() {
        let laid = play.conflict.rules.house().iter();
        let without: String = laid.map(|name| format!(", `--house -{name}`")).collect();
        return Err(Error::usage(format!(
            "nothing is changed: add `--house NAME`{without} or `--param NAME=VALUE`"
        )));
    }
    let opened = |rules: &RuleArguments| {
        play.ground().conflict(&session.catalog, &diff::changes(play, rules)?)
    };
    let other = opened(&compare.rules)?;
    let (words, memory) = (compare.rules.words(), memory(session));
    let pair = Pair::between(&play.conflict, &other, words, memory)?;
    if compare.here {
        return compare_here(session, compare, pair, reply);
    }
    let measures = &compare.contrast.measures;
    let wanted = Wanted::read(measures, &play.conflict, &pair.base)?.sparing();
    let (each, notes) = alone(&pair.changes, |number| opened(&compare.rules.one(number)))?;
    let budget = pair.base.budget().begin(compare.sampling.limit.time);
    let pair = pair.with_seatings(|seating| seating.under(budget.clone()));
    tell_people(&pair.base, reply);
    let sampling = sampling(session, &compare.sampling, compare.seed)?;
    let contrasting = Contrasting {
        base: &play.conflict,
        house: &other,
        alone: &each,
        wanted: &wanted,
        sampling,
        memory: memory / 2,
        notes,
    };
    let audience = session.lab.audience();
    let progress = audience.solves();
    let found = Compared::find(&pair, compare.float, sampling, &*progress);
    let found = found.and_then(|found| Ok(found.contrasted(&pair, &contrasting, &*progress)?));
    drop(progress);
    let (compared, way) = found?;
    let text = |width, plain| {
        let way = way.as_ref().map(|way| format!("\n{}", way.as_text(width))).unwrap_or_default();
        format!("{}{way}", compared.as_text(&pair, compare.contrast.all, width, plain))
    };
    session.show(reply, || &compared, text);
    tell_cut(compared.cut, reply);
    Ok(())
}

/// Compares the odds from where the conflict stands. The other measures are those of a whole conflict.
fn compare_here(
    session: &Session,
    compare: &Compare,
    pair: Pair,
    reply: &mut Reply,
) -> Result<(), Error> {
    let budget = pair.base.budget().begin(compare.sampling.limit.time);
    let pair = pair.with_seatings(|seating| seating.under(budget.clone()));
    let changes = diff::changes(session.open()?, &compare.rules)?;
    here::begin_here(session, [(&pair.base, None), (&pair.house, Some(&changes))], reply)?;
    tell_people(&pair.base, reply);
    let sampling = sampling(session, &compare.sampling, compare.seed)?;
    let audience = session.lab.audience();
    let progress = audience.solves();
    let found = Compared::find(&pair, compare.float, sampling, &*progress);
    drop(progress);
    // The first playout that ends otherwise is one from here: it has no command that repeats it.
    let compared = Compared { first: None, ..found? };
    let text = |width, plain| compared.as_text(&pair, compare.contrast.all, width, plain);
    session.show(reply, || &compared, text);
    tell_cut(compared.cut, reply);
    Ok(())
}

/// Finds the odds over the values of parameters.
pub(super) fn sweep(session: &Session, sweep: &Sweep, reply: &mut Reply) -> Result<(), Error> {
    let play = session.open()?;
    let asked = &sweep.sweep;
    let conflict = play.ground().conflict(&session.catalog, &RuleChanges::default())?;
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
    let over = Over {
        catalog: &session.catalog,
        scenario: &conflict.scenario,
        changes: &changes,
        swept: &swept,
        limits: &Limits { budget, ..limits.clone() },
        memory: memory(session),
        sampling,
        balanced: balanced.as_ref(),
        targets: &targets,
        progress: &*progress,
    };
    let found = match &balanced {
        Some(target) => Balance::search(&over, target),
        None => Swept::run(&over),
    };
    drop(progress);
    let swept = found.map_err(|broken| broken.failed.error)?;
    session.show(reply, || &swept, |width, plain| swept.as_text(&targets, width, plain));
    tell_cut(swept.cut, reply);
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

/// Measures playouts a second.
pub(super) fn bench(session: &Session, bench: &Bench, reply: &mut Reply) -> Result<(), Error> {
    let seed = session.seed_apart(bench.seed.seed)?;
    let seating = seated(session, None, reply)?;
    let speed = Speed::measure(&seating, seed, bench.bench.time)?;
    session.show(reply, || &speed, |width, plain| speed.as_text(width, plain));
    Ok(())
}

/// Finds what a perfect opponent wins in the one seat that no agent has.
pub(super) fn exploit(
    session: &Session,
    asked: &Exploiting,
    reply: &mut Reply,
) -> Result<(), Error> {
    let conflict = &session.open()?.conflict;
    let seating = seated(session, asked.limit.time, &mut Reply::default())?;
    let agents = conflict.seats.iter().filter(|(_, agent)| *agent != HUMAN);
    let named: Vec<&str> = agents.map(|(seat, _)| seat.as_str()).collect();
    let left = Exploit::seats_left(conflict, &seating, &named)?;
    let [seat] = &left[..] else {
        let names: Vec<&str> = left.iter().map(|seat| seat.name.as_str()).collect();
        return Err(Error::usage(match &names[..] {
            [] => "an agent sits in every seat; `:seat PLAYER human` leaves one to the perfect \
                   opponent"
                .to_owned(),
            names => format!(
                "the perfect opponent takes one seat, and {} are free; `:seat PLAYER AGENT` says who \
                 sits in the others",
                names.join(", ")
            ),
        }));
    };
    if asked.here {
        here::begin_here(session, [(&seating, None)], reply)?;
    }
    let agents = |other: &Seat| Exploit::sitting(conflict, &seating, other).to_owned();
    let threads = session.lab.threads();
    let bounds = Bounds { threads, nodes: u64::MAX };
    let audience = session.lab.audience();
    let progress = audience.solves();
    let seen = |nodes| progress(Stage::Nodes(nodes));
    let found = Exploit::find(&seating, seat, agents, bounds, &seen)?;
    let found = found.measured(&seating, threads, &*progress);
    drop(progress);
    session.show(reply, || &found, |width, plain| found.as_text(width, plain));
    Ok(())
}

/// The seats of the open conflict at its beginning, on a graph of their own; says for whom `random` plays.
fn seated(session: &Session, time: Option<Duration>, reply: &mut Reply) -> Result<Seating, Error> {
    let seating = Seating::new(&session.open()?.conflict, memory(session))?;
    tell_people(&seating, reply);
    let budget = seating.budget().begin(time);
    Ok(seating.under(budget))
}

fn memory(session: &Session) -> u64 {
    session.options.limits.budget.bound()
}

fn sampling(
    session: &Session,
    asked: &SamplingArguments,
    seed: SeedArgument,
) -> Result<Sampling, Error> {
    Ok(asked.sampling(session.lab.threads(), session.seed_apart(seed.seed)?))
}

/// Says for whom `random` plays.
pub(super) fn tell_people(seating: &Seating, reply: &mut Reply) {
    if !seating.people.is_empty() {
        reply.note(format!("`random` sits in for people: {}", seating.people.join(", ")));
    }
}

/// Says that it was stopped.
pub(super) fn tell_cut(cut: Option<Cut>, reply: &mut Reply) {
    if let Some(cut) = cut {
        reply.note(format!("{cut}: this is what was known by then"));
    }
}
