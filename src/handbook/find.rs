//! What does a word of the handbook name? A function, a family, a system, or a system's function.

use super::{Entry, entries, of_rules};
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

/// Finds a word: `fewest_first`, `stacks`, `territory`, `territory.meet`.
///
/// # Errors
/// [`Error::Unknown`] with the nearest name; those of a system's rules that do not compile.
pub fn find(catalog: &Catalog, word: &str, limits: &Limits) -> Result<Found, Error> {
    let all = entries();
    let called: Vec<Entry> = all.iter().filter(|entry| entry.name == word).cloned().collect();
    if !called.is_empty() {
        return Ok(Found::Functions(called));
    }
    let family: Vec<Entry> = all.iter().filter(|entry| entry.family == word).cloned().collect();
    if !family.is_empty() {
        return Ok(Found::Family(family));
    }
    let (system, function) = match word.split_once('.') {
        Some((system, function)) => (system, Some(function)),
        None => (word, None),
    };
    if function.is_none() && !catalog.systems().any(|known| known == system) {
        let names = all.iter().flat_map(|entry| [entry.name.as_str(), entry.family.as_str()]);
        return Err(Error::unknown("function", word, names.chain(catalog.systems())));
    }
    let own = of_rules(&compile(catalog.folder(system)?, Order::default(), limits)?);
    let Some(function) = function else { return Ok(Found::Family(own)) };
    let named: Vec<Entry> = own.iter().filter(|entry| entry.name == function).cloned().collect();
    if !named.is_empty() {
        return Ok(Found::Functions(named));
    }
    let full: Vec<String> = own.iter().map(|entry| format!("{system}.{}", entry.name)).collect();
    Err(Error::unknown("function", word, full.iter().map(String::as_str)))
}
