//! The command that compares the open conflict with what other rules would make of it: `:compare`.

use clap::Args;

use super::seated::{SEED, memory, report_cut, sampling};
use super::{diff, open_position};
use crate::analysis::{Compared, Contrasting, DivergingPlayout, MeasureSelection, Pair, alone};
use crate::arguments::{
    ContrastArguments, FloatArgument, PageArgument, RuleArguments, SamplingArguments, SeedArgument,
};
use crate::conflict::{Play, RuleChanges};
use crate::error::Error;
use crate::repl::session::seats::{for_people, seats_in_words};
use crate::repl::{Reply, Session};
use crate::report::{self, Block};

/// `:compare`.
#[derive(Args, Debug)]
#[command(mut_args(|argument| match argument.get_id().as_str() {
    "seed" => argument.help(SEED),
    "n" => argument.help(ContrastArguments::PLAYOUTS),
    _ => diff::or_without(argument),
}))]
pub struct Compare {
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    sampling: SamplingArguments,
    #[command(flatten)]
    contrast: ContrastArguments,
    #[command(flatten)]
    seed: SeedArgument,
    #[command(flatten)]
    float: FloatArgument,
    #[command(flatten)]
    pub(super) page: PageArgument,
    /// Begin at the current place, if nothing is hidden from anybody; only odds are compared then
    #[arg(long, conflicts_with = "measures")]
    here: bool,
}

struct Sides {
    base: RuleChanges,
    changed: RuleChanges,
    /// How the second differs from the first.
    words: Vec<String>,
    /// The house rules that are laid, where these are what is compared: no others were named.
    laid: Vec<String>,
}

impl Sides {
    /// The rules as they are open beside those with the changes that were asked for; without any, the rules
    /// without the house rules that are laid beside those with them.
    fn of(play: &Play, rules: &RuleArguments) -> Result<Sides, Error> {
        if !rules.is_empty() {
            let changed = diff::changes(play, rules)?;
            let base = RuleChanges::default();
            return Ok(Sides { base, changed, words: rules.words(), laid: Vec::new() });
        }
        let laid = play.conflict.rules.house().to_vec();
        if laid.is_empty() {
            return Err(Error::usage(
                "nothing is changed: no house rule is in force; add `--house NAME` or `--param NAME=VALUE`",
            ));
        }
        let base = RuleChanges { house: Some(Vec::new()), ..RuleChanges::default() };
        Ok(Sides { base, changed: RuleChanges::default(), words: laid.clone(), laid })
    }

    /// The changes that make one of several alone, by its number.
    fn alone(
        &self,
        play: &Play,
        rules: &RuleArguments,
        number: usize,
    ) -> Result<RuleChanges, Error> {
        match self.laid.get(number) {
            Some(name) => {
                Ok(RuleChanges { house: Some(vec![name.clone()]), ..RuleChanges::default() })
            }
            None => diff::changes(play, &rules.one(number)),
        }
    }

    /// What the two columns are.
    fn in_words(&self, play: &Play) -> String {
        let quoted = |names: &[String]| {
            report::enumerated(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
        };
        if !self.laid.is_empty() {
            let laid = quoted(&self.laid);
            return format!("rules: without {laid}; changed: with {laid}, as they are open");
        }
        let open = match play.conflict.rules.house() {
            [] => String::new(),
            laid => format!(", with {}", quoted(laid)),
        };
        let changes = self.words.iter().map(|word| match word.strip_prefix('-') {
            Some(name) => format!("without `{name}`"),
            None => format!("with `{word}`"),
        });
        let changes = report::enumerated(&changes.collect::<Vec<_>>());
        format!("rules: as they are open{open}; changed: {changes}")
    }
}

pub(super) fn compare(
    session: &Session,
    compare: &Compare,
    reply: &mut Reply,
) -> Result<(), Error> {
    let play = session.open()?;
    let sides = Sides::of(play, &compare.rules)?;
    let opened = |changes: &RuleChanges| play.snapshot().conflict(&session.catalog, changes);
    let (base, other) = (opened(&sides.base)?, opened(&sides.changed)?);
    let add_note = |text: &str, reply: &mut Reply| {
        reply.note(report::wrapped(text, session.options.width));
    };
    add_note(&sides.in_words(play), reply);
    let another = match for_people(play) {
        Some(_) => "; `:seat` seats an agent for you",
        None => "",
    };
    let seats = seats_in_words(play, &play.conflict.default_agent.word, None);
    if !seats.is_empty() {
        add_note(&format!("{seats}{another}"), reply);
    }
    let memory = memory(session);
    let pair = Pair::between(&base, &other, sides.words.clone(), memory)?;
    if compare.here {
        return compare_here(session, compare, &sides, pair, reply);
    }
    let measures = &compare.contrast.measures;
    let wanted = MeasureSelection::read(measures, &base, &pair.base)?.sparing();
    let (each, notes) =
        alone(&pair.changes, |number| opened(&sides.alone(play, &compare.rules, number)?))?;
    let pair = pair.within(compare.sampling.limit.time);
    let sampling = sampling(session, &compare.sampling, compare.seed)?;
    let contrasting = Contrasting {
        base: &base,
        house: &other,
        alone: &each,
        wanted: &wanted,
        sampling,
        memory: memory / 2,
        notes,
    };
    let audience = session.lab.audience();
    let progress = audience.solves();
    let found = Compared::find(&pair, compare.float.float, sampling, &*progress);
    let found = found.and_then(|found| Ok(found.contrasted(&pair, &contrasting, &*progress)?));
    drop(progress);
    let (compared, way) = found?;
    let mut report = compared.report(&pair, compare.contrast.all);
    let way = way.as_ref().map(DivergingPlayout::block);
    let last = report.blocks.pop().into_iter().chain(way).collect();
    report.blocks.push(Block::Group(last));
    session.show(reply, &report);
    report_cut(compared.cut, reply);
    Ok(())
}

/// Compares the odds from the current place. The other measures are those of a whole conflict.
fn compare_here(
    session: &Session,
    compare: &Compare,
    sides: &Sides,
    pair: Pair,
    reply: &mut Reply,
) -> Result<(), Error> {
    let pair = pair.within(compare.sampling.limit.time);
    open_position::begin_here(
        session,
        [(&pair.base, Some(&sides.base)), (&pair.house, Some(&sides.changed))],
        reply,
    )?;
    let sampling = sampling(session, &compare.sampling, compare.seed)?;
    let audience = session.lab.audience();
    let progress = audience.solves();
    let found = Compared::find(&pair, compare.float.float, sampling, &*progress);
    drop(progress);
    // The first playout that ends otherwise is one from here: it has no command that repeats it.
    let compared = Compared { first: None, ..found? };
    session.show(reply, &compared.report(&pair, compare.contrast.all));
    report_cut(compared.cut, reply);
    Ok(())
}
