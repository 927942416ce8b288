//! The command that searches rules under which the open conflict is as wanted: `:tune`.

use clap::Args;

use crate::analysis::{CommandFormat, Tuning};
use crate::arguments::{SeedArgument, TuneArguments};
use crate::conflict::{Changes, RuleChanges, Seating};
use crate::error::Error;
use crate::render::{shell_line, shell_word};
use crate::repl::{Reply, Session};
use crate::script::Limits;

/// `:tune`.
#[derive(Args, Debug)]
#[command(mut_arg("seed", |seed| seed.help(super::measure::SEED)))]
pub struct Tune {
    #[command(flatten)]
    tune: TuneArguments,
    #[command(flatten)]
    seed: SeedArgument,
}

/// Tunes it.
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
    let conflict = play.ground().conflict(&session.catalog, &RuleChanges::default())?;
    let memory = limits.budget.bound();
    let seating = Seating::new(&conflict, memory)?;
    let grid = asked.tune.grid((&session.catalog, &conflict, &limits))?;
    let wishes = asked.tune.wishes(&conflict, &seating)?;
    let seats = play.conflict.seats.clone().into_iter().collect();
    let changes = Changes { seats, ..conflict.changes.clone() };
    let seed = session.seed_apart(asked.seed.seed)?;
    let rules = session.lab.rules();
    let show = |words: &[String]| Some(shell_line(words, &rules));
    let go_on = |_: &[String], own: &[String]| {
        let words: Vec<String> = own.iter().map(|word| shell_word(word)).collect();
        Some(format!(":tune {}", words.join(" ")))
    };
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
        again: CommandFormat { show: &show, go_on: &go_on },
        progress: &*progress,
    };
    let found = tuning.find();
    drop(progress);
    let tuned = found.map_err(|broken| {
        broken.at.iter().for_each(|at| reply.note(format!("it failed at {at}")));
        broken.error
    })?;
    super::measure::tell_people(&seating, reply);
    session.show(reply, || &tuned, |width, plain| tuned.as_text(width, plain));
    super::measure::tell_cut(tuned.cut, reply);
    Ok(())
}
