//! The command that compares the open conflict with what other rules would make of it: `:compare`.

use clap::Args;

use super::measure::{SEED, memory, sampling, tell_cut, tell_people};
use super::{diff, here};
use crate::analysis::{Compared, Contrasting, MeasureSelection, Pair, alone};
use crate::arguments::{ContrastArguments, RuleArguments, SamplingArguments, SeedArgument};
use crate::error::Error;
use crate::repl::{Reply, Session};

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
    let wanted = MeasureSelection::read(measures, &play.conflict, &pair.base)?.sparing();
    let (each, notes) = alone(&pair.changes, |number| opened(&compare.rules.one(number)))?;
    let pair = pair.within(compare.sampling.limit.time);
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
    let pair = pair.within(compare.sampling.limit.time);
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
