//! The command `compare`: what changed rules do to a conflict.

use clap::Args;

use super::replay_page::side_by_side;
use super::{
    CommandEntry, Desk, FloatArgument, RuleArguments, Runnable, SamplingArguments, Status,
};
use crate::analysis::{
    Compared, ComparedVariants, Contrasting, DivergingPlayout, FirstDifferent, MeasureSelection,
    Pair, Sampling, Side, alone, items, range,
};
use crate::catalog::{ParamSpecs, SETUP};
use crate::conflict::{Changes, Conflict, Play, RuleChanges};
use crate::error::{Cut, Error};
use crate::game::Value;
use crate::report::{self, Block, Film, Table};
use crate::rulebook::Rulebook;
use crate::script::{Definition, Limits, clauses};

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
    /// Compare several changes with the rules, each alone, in one table; at most 3. Names and parameters of one are separated by commas: `deserters,tie=attacker`; a name with a dot is a key of the setup, and each value of a range a variant: `players.red.ore=1..3` (repeatable)
    #[arg(long = "variant", value_name = "NAME,…", conflicts_with_all = ["house", "params", "set"])]
    variants: Vec<String>,
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
                desk.conflict()?.scenario.system
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
        let quoted = |names: &[String]| report::enumerated(&report::ticked(names));
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
    const ENTRY: CommandEntry = CommandEntry {
        seed: Some(super::SEED),
        here: Some(
            "Begin at the current place, if nothing is hidden from anybody; only odds are compared then",
        ),
        changes: true,
        ..CommandEntry::new::<Self>("compare")
    };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        if desk.here && !self.measures.is_empty() {
            return Err(Error::usage(
                "the argument '--here' cannot be used with '--measure <NAME>'",
            ));
        }
        if !self.variants.is_empty() {
            return self.compare_variants(desk);
        }
        if let Some(other) = desk.other.take() {
            let open = |desk: &Desk<'_>, number: usize| {
                let part =
                    Changes { seats: desk.changes.seats.clone(), ..other.parts[number].clone() };
                Conflict::of(desk.catalog, desk.conflict()?.scenario.clone(), &part, &desk.limits)
            };
            let both = (desk.conflict()?, other.conflict);
            let pair = Pair::between(both.0, both.1, other.words, desk.memory())?;
            return self.compare_two(desk, both, pair, &open);
        }
        let sides = Sides::of(desk, &self.rules)?;
        let (base, base_changes) = match &sides.base {
            Some((base, changes)) => (base, changes.as_ref()),
            None => (desk.conflict()?, None),
        };
        let (house, house_changes) = (&sides.house.0, sides.house.1.as_ref());
        let pair = Pair::between(base, house, sides.words.clone(), desk.memory())?;
        desk.is_of(house);
        if let Some(play) = desk.play {
            desk.face.say(&sides.in_words(play));
        }
        if desk.here {
            desk.people(&pair.base);
            let both = [(&pair.base, base_changes), (&pair.house, house_changes)];
            desk.begin_here(&both, true)?;
            return self.odds(desk, &pair);
        }
        let open = |desk: &Desk<'_>, number: usize| sides.alone(desk, &self.rules, number);
        self.compare_two(desk, (base, house), pair, &open)
    }
}

/// A comparison: of what, what was found, and the playout that ends otherwise.
struct Made {
    pair: Pair,
    compared: Compared,
    way: Option<DivergingPlayout>,
}

/// Opens the conflict with one of several changes alone, by its number.
type OpenPart<'a> = &'a dyn Fn(&Desk<'_>, usize) -> Result<Conflict, Error>;

/// More variants do not fit beside each other.
const VARIANTS: usize = 3;

impl CompareCommand {
    /// Compares the odds from the current place. The other measures are those of a whole conflict.
    fn odds(&self, desk: &mut Desk<'_>, pair: &Pair) -> Result<Status, Error> {
        let pair = pair.within(self.sampling.limit.time);
        let sampling = desk.sampling(&self.sampling)?;
        let found = desk.work(("nodes", None), |progress| {
            Compared::find(&pair, self.float.float, sampling, progress)
        });
        // The first playout that ends otherwise is one from here: it has no command that repeats it.
        let compared = Compared { first: None, ..found? };
        desk.face.show(&compared.report(&pair, self.all))?;
        Ok(desk.ended(compared.cut, None))
    }

    /// Compares the odds from the beginning, and all that is measured; of several comparisons each has a share of
    /// the time.
    fn contrast(
        &self,
        desk: &mut Desk<'_>,
        (base, house): (&Conflict, &Conflict),
        pair: Pair,
        open: OpenPart<'_>,
        (sampling, of): (Sampling, u32),
    ) -> Result<Made, Error> {
        let wanted = MeasureSelection::read(&self.measures, base, &pair.base)?.sparing();
        let (each, notes) = alone(&pair.changes, |number| open(desk, number))?;
        let pair = pair.within(self.sampling.limit.time.map(|time| time / of));
        let contrasting = Contrasting {
            base,
            house,
            alone: &each,
            wanted: &wanted,
            sampling,
            memory: desk.memory() / 2,
            notes,
        };
        let (compared, way) = desk.work(("nodes", None), |progress| {
            let found = Compared::find(&pair, self.float.float, sampling, progress)?;
            found.contrasted(&pair, &contrasting, progress)
        })?;
        Ok(Made { pair, compared, way })
    }

    /// Compares two rules from the beginning, and shows what is other.
    fn compare_two(
        &self,
        desk: &mut Desk<'_>,
        (base, house): (&Conflict, &Conflict),
        pair: Pair,
        open: OpenPart<'_>,
    ) -> Result<Status, Error> {
        desk.people(&pair.base);
        let sampling = desk.sampling(&self.sampling)?;
        let Made { pair, compared, way } =
            self.contrast(desk, (base, house), pair, open, (sampling, 1))?;
        let first = compared.first.filter(|_| way.is_some());
        on_page(desk, base, &[(pair.changes.join(", "), house)], first)?;
        let mut report = compared.report(&pair, self.all);
        report.blocks.extend(way.as_ref().map(DivergingPlayout::block));
        if let Some(FirstDifferent { seed, .. }) = first {
            let lines = [Side::Base, Side::House].map(|side| desk.replay(side, seed));
            if let [Some(base), Some(house)] = lines {
                report.blocks.push(Block::Code(format!("to play it:\n  {base}\n  {house}")));
            }
        }
        desk.face.show(&report)?;
        Ok(desk.ended(compared.cut, missed(&compared, sampling)))
    }

    /// Compares several changes with the rules, each alone, and shows them in one table.
    fn compare_variants(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let mut rules: Vec<RuleArguments> = Vec::new();
        for word in &self.variants {
            rules.extend(variants(word)?);
        }
        let count = rules.len();
        fit(count)?;
        if desk.here || desk.other.is_some() {
            return Err(Error::usage("variants are compared with the rules, from the beginning"));
        }
        let sides = rules.iter().map(|rules| Sides::of(desk, rules));
        let sides = sides.collect::<Result<Vec<Sides>, Error>>();
        let sides = sides.map_err(|error| desk.or_of_setup(error))?;
        let base = sides.first().and_then(|sides| Some(&sides.base.as_ref()?.0));
        let base = base.unwrap_or(desk.conflict()?);
        sides.iter().for_each(|sides| desk.is_of(&sides.house.0));
        desk.face.page().into_iter().for_each(|page| page.is_of(base));
        let sampling = desk.sampling(&self.sampling)?;
        let mut made: Vec<Made> = Vec::new();
        for (sides, rules) in sides.iter().zip(&rules) {
            let both = (base, &sides.house.0);
            let pair = Pair::between(both.0, both.1, sides.words.clone(), desk.memory())?;
            if made.is_empty() {
                desk.people(&pair.base);
            }
            let open = |desk: &Desk<'_>, number: usize| sides.alone(desk, rules, number);
            made.push(self.contrast(desk, both, pair, &open, (sampling, count as u32))?);
            if made.last().is_some_and(|one| one.compared.cut == Some(Cut::Interrupted)) {
                break;
            }
        }
        let first = made.iter().find_map(|one| one.compared.first.filter(|_| one.way.is_some()));
        let named = made.iter().zip(&sides);
        let named = named.map(|(one, sides)| (one.pair.changes.join(", "), &sides.house.0));
        on_page(desk, base, &named.collect::<Vec<_>>(), first)?;
        let (pairs, variants): (Vec<Pair>, Vec<Compared>) =
            made.into_iter().map(|one| (one.pair, one.compared)).unzip();
        let compared = ComparedVariants { variants };
        desk.face.show(&compared.report(&pairs, self.all))?;
        let cut = compared.variants.iter().find_map(|one| one.cut);
        Ok(desk.ended(cut, compared.variants.iter().find_map(|one| missed(one, sampling))))
    }
}

/// Why the answer is not as close as was asked for, if it is not.
fn missed(compared: &Compared, sampling: Sampling) -> Option<String> {
    let within = sampling.enough.within().filter(|_| compared.n > 0)?;
    compared.difference.missed(within)
}

/// Refuses more variants than fit beside each other.
fn fit(count: usize) -> Result<(), Error> {
    match count > VARIANTS {
        true => {
            Err(Error::usage(format!("{count} variants are more than fit: at most {VARIANTS}")))
        }
        false => Ok(()),
    }
}

/// The changes that a variant names. Where it has a range, as in `faces=4..6`, each of its values is a variant.
fn variants(word: &str) -> Result<Vec<RuleArguments>, Error> {
    let mut all = vec![RuleArguments::default()];
    for part in items(word).into_iter().map(str::trim) {
        let Some((name, text)) = part.split_once('=') else {
            all.iter_mut().for_each(|one| one.house.push(part.to_owned()));
            continue;
        };
        let (name, text) = (name.trim(), text.trim());
        let refused = |why| Error::usage(format!("`{part}`: {why}"));
        let values = match range(text).transpose().map_err(refused)? {
            Some(range) => range.iter().map(Value::literal).collect(),
            None => vec![text.to_owned()],
        };
        fit(all.len() * values.len())?;
        let with = |one: &RuleArguments, value: &String| {
            let mut one = one.clone();
            // As in a sweep, a name with a dot is a key of the setup.
            match name.contains('.') {
                true => {
                    let key = name.strip_prefix(SETUP).unwrap_or(name);
                    one.set.push(format!("{key}={value}"));
                }
                false => one.params.push(format!("{name}={value}")),
            }
            one
        };
        let each =
            |one: &RuleArguments| values.iter().map(|value| with(one, value)).collect::<Vec<_>>();
        all = all.iter().flat_map(each).collect();
    }
    Ok(all)
}

/// Says on the page, if there is one, what the changed rules are, and shows the first playout that ends otherwise.
fn on_page(
    desk: &mut Desk<'_>,
    base: &Conflict,
    changed: &[(String, &Conflict)],
    first: Option<FirstDifferent>,
) -> Result<(), Error> {
    if desk.face.page().is_none() {
        return Ok(());
    }
    let mut before = Vec::new();
    for (_, house) in changed {
        before.extend(changed_rules(base, house)?);
    }
    let after = match first {
        Some(FirstDifferent { playout, seed }) => {
            let mut lines = vec![("the rules".to_owned(), base)];
            lines.extend(changed.iter().map(|(name, house)| (name.clone(), *house)));
            vec![
                Block::title("The first playout that ends otherwise"),
                Block::sentence(format!(
                    "Playout {playout}, under the same random numbers, with seed {seed}."
                )),
                Block::Film(playout_film(lines, seed, &desk.limits)?),
            ]
        }
        None => Vec::new(),
    };
    if let Some(page) = desk.face.page() {
        page.beside = [before, after];
    }
    Ok(())
}

/// The function of a house rule that changes parameters; they are in a table.
const PARAMS: &str = "params";

/// What changed rules say: each house rule with its reason, its functions beside those that they override, and what
/// else is changed.
///
/// # Errors
/// [`Error::Toml`] for a mistake in the parameters.
pub(super) fn changed_rules(base: &Conflict, house: &Conflict) -> Result<Vec<Block>, Error> {
    let definitions = house.rules.definitions();
    let book = Rulebook::under(&house.folder, &house.rules)?;
    let laid = house.rules.house().iter().enumerate();
    let mut blocks = Vec::new();
    for (index, name) in laid.filter(|(_, name)| !base.rules.house().contains(name)) {
        let mut rule = book.of_house(index, name);
        let own = definitions.iter().filter(|one| one.layer == index + 1 && one.name != PARAMS);
        rule.extend(own.map(|one| Block::Group(beside(one, &definitions, house))));
        blocks.push(Block::Group(rule));
    }
    let taken = base.rules.house().iter().filter(|name| !house.rules.house().contains(name));
    blocks.extend(
        taken.map(|name| Block::sentence(format!("The house rule `{name}` is taken away."))),
    );
    let rows = [params(base, house)?, setup(base, house)].concat();
    let rows = Table::new(["parameter", "rules", "changed", "meaning"], rows);
    blocks.push(Block::Table(rows.captioned("what has another value")));
    Ok(blocks)
}

/// A function beside the one that it overrides.
fn beside(own: &Definition, all: &[Definition], house: &Conflict) -> Vec<Block> {
    let Some(below) = own.overridden(all) else {
        return vec![Block::title(format!("`{}` is new", own.name)), Block::Code(own.text.clone())];
    };
    let clause = clauses(&below.comments).map(|(cited, _)| format!(", by {cited}"));
    let layer = |one: &Definition| match one
        .layer
        .checked_sub(1)
        .and_then(|at| house.rules.house().get(at))
    {
        Some(name) => format!("in `{name}`"),
        None => "in the rules".to_owned(),
    };
    let column = |one: &Definition| (layer(one), one.text.clone());
    let title = format!("`{}`{}", own.name, clause.unwrap_or_default());
    vec![Block::title(title), Block::Beside(vec![column(below), column(own)])]
}

/// The parameters of another value.
fn params(base: &Conflict, house: &Conflict) -> Result<Vec<Vec<String>>, Error> {
    let specs = ParamSpecs::read(house.folder.params()?.as_ref())?;
    let row = |(name, value): (&String, &Value)| {
        let before = base.rules.params().get(name).filter(|before| *before != value)?;
        let meaning = specs.get(name).map(|spec| spec.meaning.clone()).unwrap_or_default();
        Some(vec![name.clone(), before.to_string(), value.to_string(), meaning])
    };
    Ok(house.rules.params().iter().filter_map(row).collect())
}

/// The values of the setup that are changed.
fn setup(base: &Conflict, house: &Conflict) -> Vec<Vec<String>> {
    let added = house.changes.params.iter().filter(|one| !base.changes.params.contains(one));
    let row = |setting: &crate::catalog::Setting| {
        let (key, value) = (setting.of_setup()?.to_owned(), setting.value.to_string());
        Some(vec![key, "as in the scenario".to_owned(), value, "in the setup".to_owned()])
    };
    added.filter_map(row).collect()
}

/// The first playout of a seed under each of these rules, side by side, with agents in place of people.
pub(super) fn playout_film(
    lines: Vec<(String, &Conflict)>,
    seed: u64,
    limits: &Limits,
) -> Result<Film, Error> {
    let played = |(name, conflict): (String, &Conflict)| {
        let mut conflict = conflict.clone();
        let unmanned = conflict.unmanned();
        conflict.seats =
            unmanned.map(|(seat, agent)| (seat.to_owned(), agent.to_owned())).collect();
        Ok((name, Play::begin(conflict, seed, limits)?))
    };
    side_by_side(lines.into_iter().map(played).collect::<Result<_, Error>>()?)
}
