//! What the page of a comparison says beside its numbers: what the changed rules are, and a playout under both.

use crate::catalog::ParamSpecs;
use crate::conflict::{Conflict, Play};
use crate::error::Error;
use crate::game::Value;
use crate::report::{Block, Film, Table};
use crate::script::{Definition, Limits, clauses};

use super::replay_page::side_by_side;

/// The function of a house rule that changes parameters; they are in a table.
const PARAMS: &str = "params";

/// What changed rules say: each house rule with its reason, its functions beside those that they override, and what
/// else is changed.
///
/// # Errors
/// [`Error::Toml`] for a mistake in the parameters.
pub(super) fn changed_rules(base: &Conflict, house: &Conflict) -> Result<Vec<Block>, Error> {
    let definitions = house.rules.definitions();
    let laid = house.rules.house().iter().enumerate();
    let mut blocks = Vec::new();
    for (index, name) in laid.filter(|(_, name)| !base.rules.house().contains(name)) {
        let mut rule = reason(name, house.rules.prose(index + 1));
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

/// The title of a house rule and its prose, a sentence for each paragraph.
fn reason(name: &str, prose: &str) -> Vec<Block> {
    let title = prose.lines().find_map(|line| line.trim().strip_prefix("# ")).unwrap_or(name);
    let mut paragraphs = vec![String::new()];
    for line in prose.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        match paragraphs.last_mut() {
            // An item of a list is a paragraph of its own.
            Some(last) if !line.is_empty() && !line.starts_with("- ") => {
                let space = if last.is_empty() { "" } else { " " };
                last.push_str(&format!("{space}{line}"));
            }
            _ => paragraphs.push(line.to_owned()),
        }
    }
    let title = Block::title(format!("The house rule: {title}"));
    std::iter::once(title).chain(paragraphs.into_iter().map(Block::Sentence)).collect()
}

/// A function beside the one that it overrides.
fn beside(own: &Definition, all: &[Definition], house: &Conflict) -> Vec<Block> {
    let is_below = |one: &&Definition| {
        one.layer < own.layer
            && (&one.name, &one.parameters.len()) == (&own.name, &own.parameters.len())
    };
    let Some(below) = all.iter().filter(is_below).max_by_key(|one| one.layer) else {
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
