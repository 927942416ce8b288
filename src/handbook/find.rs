//! Finds what a word of the handbook names, and prints it: a function, a family, a system, or a clause.

use serde::Serialize;

use super::{HandbookEntry, LANGUAGE, constants_of, families, of_rules};
use crate::catalog::{Catalog, Folder};
use crate::conflict::{Order, compile};
use crate::error::Error;
use crate::report::{Block, Report, indented, listed, wrapped};
use crate::rulebook::{Clause, Rulebook};
use crate::script::{Limits, Rules};

/// The functions, or the clauses of rules, that a word names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct HandbookMatch {
    /// The functions, each form of one by itself.
    pub functions: Vec<HandbookEntry>,
    /// The clauses of rules; of a system all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<Clause>,
    #[serde(skip)]
    pub(super) rulebook: Option<Rulebook>,
    #[serde(skip)]
    pub(super) named: HandbookSubject,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum HandbookSubject {
    All,
    /// A family, or a system.
    Family,
    /// Functions of one name.
    Function,
    Clause,
}

impl HandbookSubject {
    fn found(self, functions: Vec<HandbookEntry>) -> HandbookMatch {
        HandbookMatch { functions, clauses: Vec::new(), rulebook: None, named: self }
    }
}

impl HandbookMatch {
    pub(crate) fn all(functions: Vec<HandbookEntry>) -> HandbookMatch {
        HandbookSubject::All.found(functions)
    }

    pub(crate) fn clauses(clauses: Vec<Clause>) -> HandbookMatch {
        HandbookMatch { clauses, ..HandbookSubject::Clause.found(Vec::new()) }
    }
}

/// Finds a word among what is known, and in the rules folders: `fewest_first`, `this.choose`,
/// `scenario.seat`, `stacks`, `territory`, `territory.meet`, `territory.T4`, `meet`, `T4`. Under house rules only in a system,
/// whose rules then come without its functions.
pub(crate) fn find(
    known: &[HandbookEntry],
    catalog: &Catalog,
    word: &str,
    house: &[String],
    limits: &Limits,
) -> Result<HandbookMatch, Error> {
    let word = word.trim_end_matches("()");
    let word = word.strip_prefix("this.").unwrap_or(word);
    let (system, function) = match word.split_once('.') {
        Some((system, function)) => (system, Some(function)),
        None => (word, None),
    };
    if !house.is_empty() {
        return under(catalog.folder(system)?, function, house, limits);
    }
    if let Some(called) = of_name(known, word) {
        return Ok(called);
    }
    let family = known.iter().filter(|entry| entry.family == word);
    let family: Vec<HandbookEntry> = family.cloned().collect();
    if !family.is_empty() {
        return Ok(HandbookSubject::Family.found(family));
    }
    if function.is_none() && !catalog.systems().any(|known| known == system) {
        return in_systems(known, catalog, word, limits);
    }
    let folder = catalog.folder(system)?;
    let rulebook = Rulebook::of(folder)?;
    let clause = function.map(|word| rulebook.named(word)).unwrap_or_default();
    if !clause.is_empty() {
        return Ok(HandbookMatch::clauses(clause));
    }
    let own = own(&*compile(folder, Order::default(), limits)?);
    let Some(function) = function else {
        let clauses = rulebook.clauses();
        let found = HandbookSubject::Family.found(own);
        return Ok(HandbookMatch { clauses, rulebook: Some(rulebook), ..found });
    };
    if let Some(named) = of_name(&own, function) {
        return Ok(named);
    }
    let about = rulebook.about(function);
    if !about.is_empty() {
        return Ok(HandbookMatch::clauses(about));
    }
    let own = own.iter().map(|entry| entry.name.as_str());
    let full: Vec<String> =
        own.chain(rulebook.ids()).map(|name| format!("{system}.{name}")).collect();
    Err(Error::unknown("function or clause", word, full.iter().map(String::as_str)))
}

/// The rules of a system under house rules, or what a word finds of them.
fn under(
    folder: &Folder,
    word: Option<&str>,
    house: &[String],
    limits: &Limits,
) -> Result<HandbookMatch, Error> {
    let order = Order::of_house(folder, house)?;
    let rules = compile(folder, order, limits)?;
    let rulebook = Rulebook::under(folder, &rules)?;
    if let Some(word) = word {
        let function = of_name(&own(&rules), word).filter(|_| rulebook.named(word).is_empty());
        let clauses = || rulebook.find(word).map(HandbookMatch::clauses);
        return function.map_or_else(clauses, Ok);
    }
    let found = HandbookMatch::clauses(rulebook.clauses());
    Ok(HandbookMatch { rulebook: Some(rulebook), ..found })
}

/// The functions of this name that systems define, the family of each its system; else the clauses of it.
fn in_systems(
    known: &[HandbookEntry],
    catalog: &Catalog,
    word: &str,
    limits: &Limits,
) -> Result<HandbookMatch, Error> {
    // Rules that do not compile have no functions to list; `list` shows what is wrong with them.
    let rules =
        catalog.folders().filter_map(|folder| compile(folder, Order::default(), limits).ok());
    let own: Vec<HandbookEntry> = rules.flat_map(|rules| own(&rules)).collect();
    if let Some(named) = of_name(&own, word) {
        return Ok(named);
    }
    let rulebooks = catalog.folders().filter_map(|folder| Rulebook::of(folder).ok());
    let clauses: Vec<Clause> = rulebooks.flat_map(|rulebook| rulebook.named(word)).collect();
    if !clauses.is_empty() {
        return Ok(HandbookMatch::clauses(clauses));
    }
    let names = known.iter().flat_map(|entry| [entry.name.as_str(), entry.family.as_str()]);
    let own = own.iter().map(|entry| entry.name.as_str());
    let names = names.chain(["spec"]).chain(catalog.systems()).chain(own);
    Err(Error::unknown("function", word, names))
}

fn own(rules: &Rules) -> Vec<HandbookEntry> {
    [of_rules(rules), constants_of(rules)].concat()
}

/// The functions of a name, which may be written with what they are called on, as the index lists them.
fn of_name(entries: &[HandbookEntry], name: &str) -> Option<HandbookMatch> {
    let is_it = |entry: &&HandbookEntry| {
        entry.name == name || entry.signature.split('(').next() == Some(name)
    };
    let named: Vec<_> = entries.iter().filter(is_it).cloned().collect();
    (!named.is_empty()).then(|| HandbookSubject::Function.found(named))
}

/// The indentation of calls below the name of their family.
const INDENT: usize = 2;

impl HandbookMatch {
    /// What was found, functions in full, a family as a table, all by family; and for programs.
    pub(crate) fn report(&self) -> Report<'_> {
        Report::of(self, self.blocks())
    }

    pub(crate) fn blocks(&self) -> Vec<Block> {
        match self.named {
            HandbookSubject::Function => self.functions.iter().flat_map(full).collect(),
            HandbookSubject::Family => {
                let row = |entry: &HandbookEntry| vec![entry.signature.clone(), entry.summary()];
                let rows = self.functions.iter().map(row);
                let table = Block::table(["function", "what it does"], rows);
                let rules = self.rulebook.iter().flat_map(Rulebook::blocks);
                rules.chain([table]).collect()
            }
            HandbookSubject::Clause => match &self.rulebook {
                Some(rulebook) => rulebook.blocks(),
                None => vec![clauses(&self.clauses)],
            },
            HandbookSubject::All => index(&self.functions),
        }
    }
}

/// All there is, family by family: how each function is called, those of several forms once.
fn index(entries: &[HandbookEntry]) -> Vec<Block> {
    let family = |(name, about): (&str, &str)| {
        let mut names: Vec<&str> = Vec::new();
        let mut calls: Vec<String> = Vec::new();
        for entry in entries {
            // The language has many operators and conversions that nobody looks up.
            let documented = !entry.text.is_empty() || entry.family != LANGUAGE;
            if entry.family == name && documented && !names.contains(&entry.name.as_str()) {
                names.push(&entry.name);
                calls.push(entry.call());
            }
        }
        let calls = Block::laid(move |width| {
            let within = width.saturating_sub(INDENT);
            let calls = listed(calls.iter().map(String::as_str), ", ", within);
            indented(&wrapped(&calls, within), INDENT)
        });
        Block::Group(vec![Block::Title(format!("{name}: {about}")), calls])
    };
    families(entries).into_iter().map(family).collect()
}

fn clauses(clauses: &[Clause]) -> Block {
    let mut blocks = Vec::new();
    let mut system = None;
    let several = clauses.iter().any(|clause| clause.system != clauses[0].system);
    for clause in clauses {
        if several && system != Some(&clause.system) {
            blocks.push(Block::Title(format!("{}:", clause.system)));
        }
        system = Some(&clause.system);
        blocks.push(clause.block());
    }
    Block::Group(blocks)
}

fn full(entry: &HandbookEntry) -> [Block; 3] {
    let signature = Block::Title(format!("{}    ({})", entry.signature, entry.family));
    [
        Block::Group(vec![signature, Block::sentence(&entry.text)]),
        Block::Code(entry.example.clone()),
        Block::Code(entry.place().unwrap_or_default()),
    ]
}
