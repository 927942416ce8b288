//! Reads the arguments of primitives strictly, and says what is wrong with them.

use std::collections::HashMap;
use std::fmt::Display;

use crate::error::{self, nearest};
use crate::script::diagnostics::type_names::a_word;
use crate::script::machine::value::{Map, Text, Value};
use crate::script::sandbox::fuel::charge;

/// The most items that a primitive makes.
pub(super) const LIMIT: usize = 100_000;

/// The most comparisons of small values that a primitive makes.
const WORK: usize = 10_000_000;

/// This many comparisons take the time of an operation.
const COMPARISONS: u64 = 4;

/// As many comparisons, or known words, as are never too many.
const FEW: usize = 1000;

/// The most bytes of a name.
const NAME: usize = 1000;

/// The most bytes of a word that is looked up among others.
const HINT: usize = 64;

/// What a primitive returns when its arguments may be wrong; whoever runs it adds its name and the place.
pub(super) type Checked<T> = Result<T, String>;

/// `; did you mean …?`, if a known word is near. Long words and long lists are not looked through.
pub(super) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    if word.len() > HINT {
        return String::new();
    }
    let known = known.into_iter().take(FEW).filter(|known| known.len() <= HINT);
    error::hint(&nearest(word, known))
}

/// A value as an error names it, never longer than a few words.
pub(super) fn show(value: &Value) -> String {
    match value {
        Value::List(list) => format!("a list of {}", list.len()),
        Value::Map(_) => "a map".to_owned(),
        Value::Unit | Value::Unbound => "nothing".to_owned(),
        Value::Text(text) => {
            let text = text.as_str();
            let mut short: String = text.chars().take(40).collect();
            if short.len() < text.len() {
                short.push('…');
            }
            format!("`{short}`")
        }
        Value::Int(number) => format!("`{number}`"),
        Value::Bool(truth) => format!("`{truth}`"),
        Value::Float(number) => format!("`{number}`"),
        Value::Char(letter) => format!("`{letter}`"),
        other => a_word(other.type_name()),
    }
}

/// The error for an argument, or a part of one, that is something else than it must be.
#[cold]
pub(super) fn must_be(wanted: &str, place: impl Display, value: &Value) -> String {
    format!("`{place}` must be {wanted}, got {}", show(value))
}

/// The error for a name that others do not include.
#[cold]
pub(super) fn lacks<'a>(
    place: impl Display,
    name: &str,
    known: impl IntoIterator<Item = &'a Text>,
) -> String {
    let near = hint(name, known.into_iter().map(Text::as_str));
    format!("`{place}` has no `{name}`{near}")
}

#[inline]
pub(super) fn amount(place: impl Display, value: &Value) -> Checked<i64> {
    match value {
        Value::Int(number) if *number >= 0 => Ok(*number),
        _ => Err(must_be("a whole number of 0 or more", place, value)),
    }
}

pub(super) fn not_negative(place: &str, number: i64) -> Checked<i64> {
    if number < 0 {
        return Err(format!("`{place}` must be 0 or more, got `{number}`"));
    }
    Ok(number)
}

/// A text that serves as a name: one too long to be one is refused, for sorting such texts takes long.
pub(super) fn text(place: impl Display, value: &Value) -> Checked<&Text> {
    match value {
        Value::Text(text) if text.as_str().len() <= NAME => Ok(text),
        Value::Text(_) => Err(format!("`{place}` is longer than {NAME} bytes")),
        _ => Err(must_be("a text", place, value)),
    }
}

/// A list of names, which are mostly looked up or sorted afterwards.
pub(super) fn texts<'v>(place: &str, list: &'v [Value]) -> Checked<Vec<&'v Text>> {
    charge(2 * list.len() as u64);
    list.iter().enumerate().map(|(i, item)| text(format_args!("{place}[{i}]"), item)).collect()
}

/// The entry of a map, or the error that names what is near.
pub(super) fn entry<'v>(place: impl Display, map: &'v Map, name: &Text) -> Checked<&'v Value> {
    map.get_text(name).ok_or_else(|| no_entry(place, map, name))
}

pub(super) fn no_entry(place: impl Display, map: &Map, name: &Text) -> String {
    lacks(place, name.as_str(), map.iter().map(|(key, _)| key))
}

pub(super) fn column<'v>(list: &'v [Value], key: &Text) -> Checked<Vec<&'v Value>> {
    let value = |(i, item): (usize, &'v Value)| match item {
        Value::Map(row) => entry(format_args!("list[{i}]"), row, key),
        _ => Err(must_be("a map", format_args!("list[{i}]"), item)),
    };
    list.iter().enumerate().map(value).collect()
}

pub(super) fn items(value: &Value) -> Checked<impl Iterator<Item = &Value> + Clone> {
    let (list, map) = match value {
        Value::List(list) => (&list[..], None),
        Value::Map(map) => (&[][..], Some(map)),
        _ => return Err(must_be("a list or a map", "numbers", value)),
    };
    Ok(list.iter().chain(map.into_iter().flat_map(|map| map.iter().map(|(_, value)| value))))
}

/// Refuses what would take too long: every item of a list compared with every value.
pub(super) fn bound(list: &[Value], values: usize) -> Checked<()> {
    // Few items are compared in no time, however long the texts that a sandbox allows.
    charge((list.len() as u64).saturating_mul(values as u64) / 2);
    if list.len().saturating_mul(values) <= FEW {
        return Ok(());
    }
    let weight = list.iter().map(weight).fold(0, usize::saturating_add);
    if weight.saturating_mul(values) > WORK {
        let count = list.len();
        return Err(format!("comparing {count} items with {values} is too much"));
    }
    charge(weight.saturating_mul(values) as u64 / COMPARISONS);
    Ok(())
}

/// About how long it takes to compare a value, in small values.
fn weight(value: &Value) -> usize {
    let size = value.size();
    let parts = (size.items as usize).saturating_add(size.entries as usize);
    parts.saturating_add(1 + size.bytes as usize / 256)
}

/// The place of the first item that equals a value; an error if there is none.
pub(super) fn find(place: impl Display, list: &[Value], value: &Value) -> Checked<usize> {
    bound(list, 1)?;
    list.iter().position(|item| item.same(value)).ok_or_else(|| {
        let known = list.iter().take(FEW).filter_map(Value::as_text).map(Text::as_str);
        let near = value.as_text().map(|word| hint(word.as_str(), known)).unwrap_or_default();
        format!("`{place}` has no {}{near}", show(value))
    })
}

pub(super) fn at_most_limit(count: i64) -> Checked<usize> {
    match usize::try_from(count) {
        Ok(n) if n <= LIMIT => Ok(n),
        _ => Err(format!("`{count}` items are more than the {LIMIT} allowed")),
    }
}

pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

/// The places of names in an order.
pub(super) struct Ranks<'v> {
    names: Vec<&'v Text>,
    /// Only for long orders, where looking through them takes longer than hashing.
    index: HashMap<&'v Text, usize>,
}

impl<'v> Ranks<'v> {
    pub(super) fn new(order: &'v [Value]) -> Checked<Ranks<'v>> {
        let names = texts("order", order)?;
        let mut index = HashMap::new();
        if names.len() > 16 {
            for (i, name) in names.iter().enumerate() {
                index.entry(*name).or_insert(i);
            }
        }
        Ok(Ranks { names, index })
    }

    pub(super) fn of(&self, name: &Text) -> Checked<usize> {
        let place = if self.index.is_empty() {
            self.names.iter().position(|known| *known == name)
        } else {
            self.index.get(name).copied()
        };
        place.ok_or_else(|| lacks("order", name.as_str(), self.names.iter().copied()))
    }

    pub(super) fn sort(&self, names: Vec<&'v Text>) -> Checked<Vec<&'v Text>> {
        charge(2 * names.len() as u64);
        let mut ranked = Vec::with_capacity(names.len());
        for name in names {
            ranked.push((self.of(name)?, name));
        }
        ranked.sort_by_key(|(place, _)| *place);
        Ok(ranked.into_iter().map(|(_, name)| name).collect())
    }
}

pub(super) fn list<'v>(names: impl IntoIterator<Item = &'v Text>) -> Vec<Value> {
    names.into_iter().cloned().map(Value::Text).collect()
}
