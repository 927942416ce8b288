//! The command `compare`: what changed rules do to a conflict.

use clap::Args;

use super::{Desk, FloatArgument, RuleArguments, Runnable, SamplingArguments, Status};
use crate::analysis::{
    Compared, Contrasting, DivergingPlayout, FirstDifferent, MeasureSelection, Pair, Side, alone,
};
use crate::conflict::{Changes, Conflict, Play, RuleChanges};
use crate::error::Error;
use crate::report::{self, Block};

/// Compare the rules with and without house rules or changed parameters, and say how sure it is
///
/// Without options, it compares the rules of the open conflict without the house rules in force and the rules with
/// them; else the current rules and the same with one more house rule or parameter, or, with `--house -NAME`, one
/// less; from the beginning. The agent that plays for people is that of `:odds`. Nothing changes in the open
/// conflict. With `--here` the odds are compared from the current place, if the history leads there under both and
/// neither rules hide anything from anybody.
#[derive(Args, Debug)]
#[command(mut_arg("n", |n| n.help("How many pairs of playouts, and how many playouts for the portrait of each side; up to 10000 pairs until the odds are clear, and 2000 for portraits")))]
pub(crate) struct CompareCommand {
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    sampling: SamplingArguments,
    /// Compare only a measure of `portrait` or a group of them; or a number of the outcome, by its path, beside the others (repeatable)
    #[arg(long = "measure", value_name = "NAME")]
    measures: Vec<String>,
    /// Show what did not change, too
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    float: FloatArgument,
}

/// The two sides of a comparison, where they are opened for it.
struct Sides {
    /// The rules without what is compared, if they are not those of the desk.
    base: Option<(Conflict, Option<RuleChanges>)>,
    house: (Conflict, Option<RuleChanges>),
    /// How the second differs from the first.
    words: Vec<String>,
    /// The house rules that are in force, if these are what is compared: no others were named.
    laid: Vec<String>,
}

impl Sides {
    /// The conflict of the desk beside the same with the changes that were asked for; without any, the open conflict
    /// without the house rules in force beside the same with them.
    fn of(desk: &Desk<'_>, rules: &RuleArguments) -> Result<Sides, Error> {
        if !rules.is_empty() {
            let base = desk.play.map(|_| desk.under(&RuleArguments::default())).transpose()?;
            let words = rules.words();
            return Ok(Sides { base, house: desk.under(rules)?, words, laid: Vec::new() });
        }
        let Some(play) = desk.play else {
            return Err(Error::usage(format!(
                "nothing is changed: add `--house NAME` or `--param NAME=VALUE`; `fracas list {}` shows what there is",
                desk.conflict.scenario.system
            )));
        };
        let laid = play.conflict.rules.house().to_vec();
        if laid.is_empty() {
            return Err(Error::usage(
                "nothing is changed: no house rule is in force; add `--house NAME` or `--param NAME=VALUE`",
            ));
        }
        let without = RuleChanges { house: Some(Vec::new()), ..RuleChanges::default() };
        let base = Some((play.snapshot().conflict(desk.catalog, &without)?, Some(without)));
        let house = desk.under(&RuleArguments::default())?;
        Ok(Sides { base, house, words: laid.clone(), laid })
    }

    /// The conflict with one of several changes alone, by its number.
    fn alone(
        &self,
        desk: &Desk<'_>,
        rules: &RuleArguments,
        number: usize,
    ) -> Result<Conflict, Error> {
        match (self.laid.get(number), desk.play) {
            (Some(name), Some(play)) => {
                let one = RuleChanges { house: Some(vec![name.clone()]), ..RuleChanges::default() };
                play.snapshot().conflict(desk.catalog, &one)
            }
            _ => Ok(desk.under(&rules.one(number))?.0),
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

impl Runnable for CompareCommand {
    const NAME: &'static str = "compare";
    const SEED: Option<&'static str> = Some(super::SEED);
    const HERE: Option<&'static str> = Some(
        "Begin at the current place, if nothing is hidden from anybody; only odds are compared then",
    );
    const CHANGES: bool = true;

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        if desk.here && !self.measures.is_empty() {
            return Err(Error::usage(
                "the argument '--here' cannot be used with '--measure <NAME>'",
            ));
        }
        if let Some(other) = desk.other.take() {
            let open = |desk: &Desk<'_>, number: usize| {
                let part =
                    Changes { seats: desk.changes.seats.clone(), ..other.parts[number].clone() };
                Conflict::of(desk.catalog, desk.conflict.scenario.clone(), &part, &desk.limits)
            };
            let pair = Pair::between(desk.conflict, other.conflict, other.words, desk.memory())?;
            return self.contrast(desk, (desk.conflict, other.conflict), pair, &open);
        }
        let sides = Sides::of(desk, &self.rules)?;
        let (base, base_changes) = match &sides.base {
            Some((base, changes)) => (base, changes.as_ref()),
            None => (desk.conflict, None),
        };
        let (house, house_changes) = (&sides.house.0, sides.house.1.as_ref());
        let pair = Pair::between(base, house, sides.words.clone(), desk.memory())?;
        desk.is_of(house);
        if let Some(play) = desk.play {
            desk.face.say(&sides.in_words(play));
        }
        if desk.here {
            desk.face.people(&pair.base);
            let both = [(&pair.base, base_changes), (&pair.house, house_changes)];
            desk.face.begin_here(&both, true)?;
            return self.odds(desk, &pair);
        }
        let open = |desk: &Desk<'_>, number: usize| sides.alone(desk, &self.rules, number);
        self.contrast(desk, (base, house), pair, &open)
    }
}

/// Opens the conflict with one of several changes alone, by its number.
type OpenPart<'a> = &'a dyn Fn(&Desk<'_>, usize) -> Result<Conflict, Error>;

impl CompareCommand {
    /// Compares the odds from the current place. The other measures are those of a whole conflict.
    fn odds(&self, desk: &mut Desk<'_>, pair: &Pair) -> Result<Status, Error> {
        let pair = pair.within(self.sampling.limit.time);
        let sampling = desk.sampling(&self.sampling)?;
        let progress = desk.face.begins("nodes", None);
        let found = Compared::find(&pair, self.float.float, sampling, &*progress);
        drop(progress);
        // The first playout that ends otherwise is one from here: it has no command that repeats it.
        let compared = Compared { first: None, ..found? };
        desk.face.show(&compared.report(&pair, self.all))?;
        Ok(desk.ended(compared.cut, None))
    }

    /// Compares the odds from the beginning, and all that is measured.
    fn contrast(
        &self,
        desk: &mut Desk<'_>,
        (base, house): (&Conflict, &Conflict),
        pair: Pair,
        open: OpenPart<'_>,
    ) -> Result<Status, Error> {
        let wanted = MeasureSelection::read(&self.measures, base, &pair.base)?.sparing();
        let (each, notes) = alone(&pair.changes, |number| open(desk, number))?;
        let sampling = desk.sampling(&self.sampling)?;
        desk.face.people(&pair.base);
        let pair = pair.within(self.sampling.limit.time);
        let contrasting = Contrasting {
            base,
            house,
            alone: &each,
            wanted: &wanted,
            sampling,
            memory: desk.memory() / 2,
            notes,
        };
        let progress = desk.face.begins("nodes", None);
        let found = Compared::find(&pair, self.float.float, sampling, &*progress);
        let found =
            found.and_then(|found| Ok(found.contrasted(&pair, &contrasting, &*progress)?));
        drop(progress);
        let (compared, way) = found?;
        let mut report = compared.report(&pair, self.all);
        report.blocks.extend(way.as_ref().map(DivergingPlayout::block));
        if let (Some(_), Some(FirstDifferent { seed, .. })) = (way, compared.first) {
            let lines = [Side::Base, Side::House].map(|side| desk.replay(side, seed));
            if let [Some(base), Some(house)] = lines {
                report.blocks.push(Block::Code(format!("to play it:\n  {base}\n  {house}")));
            }
        }
        desk.face.show(&report)?;
        let within = sampling.enough.within().filter(|_| compared.n > 0);
        let missed = within.and_then(|within| compared.difference.missed(within));
        Ok(desk.ended(compared.cut, missed))
    }
}
