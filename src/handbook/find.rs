//! Finds what a word of the handbook names: a function, a family, a system, or a system's function.

use super::{Entry, of_rules};
use crate::catalog::Catalog;
use crate::conflict::{Order, compile};
use crate::error::Error;
use crate::script::Limits;

/// What a word named.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Functions of one name, with all their forms.
    Functions(Vec<Entry>),
    /// All of a family, or all of a system's own.
    Family(Vec<Entry>),
}

/// Finds a word among what is known, and in the rules folders: `fewest_first`, `this.choose`,
/// `stacks`, `territory`, `territory.meet`, `meet`.
///
/// # Errors
/// [`Error::Unknown`] with the nearest name; those of a system's rules that do not compile.
pub fn find(
    known: &[Entry],
    catalog: &Catalog,
    word: &str,
    limits: &Limits,
) -> Result<Found, Error> {
    let word = word.trim_end_matches("()");
    let word = word.strip_prefix("this.").unwrap_or(word);
    let called = of(known, |entry| entry.name == word);
    if !called.is_empty() {
        return Ok(Found::Functions(called));
    }
    let family = of(known, |entry| entry.family == word);
    if !family.is_empty() {
        return Ok(Found::Family(family));
    }
    let (system, function) = match word.split_once('.') {
        Some((system, function)) => (system, Some(function)),
        None => (word, None),
    };
    if function.is_none() && !catalog.systems().any(|known| known == system) {
        return in_systems(known, catalog, word, limits);
    }
    let own = of_rules(&compile(catalog.folder(system)?, Order::default(), limits)?);
    let Some(function) = function else { return Ok(Found::Family(own)) };
    let named = of(&own, |entry| entry.name == function);
    if !named.is_empty() {
        return Ok(Found::Functions(named));
    }
    let full: Vec<String> = own.iter().map(|entry| format!("{system}.{}", entry.name)).collect();
    Err(Error::unknown("function", word, full.iter().map(String::as_str)))
}

/// The functions of this name that systems define; the family of each is its system.
fn in_systems(
    known: &[Entry],
    catalog: &Catalog,
    word: &str,
    limits: &Limits,
) -> Result<Found, Error> {
    // Rules that do not compile have no functions to tell of; `list` shows what is wrong with them.
    let rules =
        catalog.folders().filter_map(|folder| compile(folder, Order::default(), limits).ok());
    let own: Vec<Entry> = rules.flat_map(|rules| of_rules(&rules)).collect();
    let named = of(&own, |entry| entry.name == word);
    if !named.is_empty() {
        return Ok(Found::Functions(named));
    }
    let names = known.iter().flat_map(|entry| [entry.name.as_str(), entry.family.as_str()]);
    let names = names.chain(catalog.systems()).chain(own.iter().map(|entry| entry.name.as_str()));
    Err(Error::unknown("function", word, names))
}

fn of(entries: &[Entry], wanted: impl Fn(&Entry) -> bool) -> Vec<Entry> {
    entries.iter().filter(|entry| wanted(entry)).cloned().collect()
}
