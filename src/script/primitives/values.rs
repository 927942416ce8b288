//! What do the primitives share? Reading plain data strictly, and saying what is wrong with it.

use std::collections::HashMap;
use std::fmt::Display;

use rhai::{Array, Dynamic, EvalAltResult, INT, ImmutableString, Map, Position};

use crate::error::nearest;
use crate::script::meter::charge;

/// The most items that a primitive makes.
pub(super) const LIMIT: usize = 100_000;

/// The most comparisons of small values that a primitive makes.
const WORK: usize = 10_000_000;

/// So many comparisons take the time of an operation.
const COMPARISONS: u64 = 4;

/// As many comparisons, or known words, as are never too many.
const FEW: usize = 1000;

/// The most bytes of a name.
const NAME: usize = 1000;

/// The most bytes of a word that is looked up among others.
const HINT: usize = 64;

/// How deep values may be nested to be compared.
const DEPTH: usize = 64;

/// What a primitive returns when its arguments may be wrong.
pub(super) type Checked<T> = Result<T, Box<EvalAltResult>>;

/// What a primitive changes: its first argument. All others look at theirs alone, and are `pure`.
pub(super) type Changed<T> = T;

/// The error of a primitive; Rhai adds the place of the call.
pub(super) fn error(function: &str, text: impl Display) -> Box<EvalAltResult> {
    EvalAltResult::ErrorRuntime(format!("{function}: {text}").into(), Position::NONE).into()
}

/// A failed primitive.
pub(super) fn fail<T>(function: &str, text: impl Display) -> Checked<T> {
    Err(error(function, text))
}

/// `; did you mean …?`, if a known word is near. Long words and long lists are not looked through.
pub(super) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    if word.len() > HINT {
        return String::new();
    }
    let known = known.into_iter().take(FEW).filter(|known| known.len() <= HINT);
    nearest(word, known).map(|word| format!("; did you mean `{word}`?")).unwrap_or_default()
}

/// `; did you mean …?`, if an item of a list is near.
pub(super) fn hint_in(word: &Dynamic, known: &Array) -> String {
    let Ok(word) = word.clone().into_immutable_string() else {
        return String::new();
    };
    let text = |item: &Dynamic| item.clone().into_immutable_string().ok();
    let known: Vec<ImmutableString> = known.iter().take(FEW).filter_map(text).collect();
    hint(&word, known.iter().map(ImmutableString::as_str))
}

/// A value as an error names it, never longer than a few words.
pub(super) fn show(value: &Dynamic) -> String {
    if let Ok(list) = value.as_array_ref() {
        return format!("a list of {}", list.len());
    }
    if value.is_map() {
        return "a map".to_owned();
    }
    if value.is_unit() {
        return "nothing".to_owned();
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        let mut short: String = text.chars().take(40).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        return format!("`{short}`");
    }
    match (value.as_int(), value.as_bool(), value.as_float()) {
        (Ok(number), _, _) => format!("`{number}`"),
        (_, Ok(truth), _) => format!("`{truth}`"),
        (_, _, Ok(number)) => format!("`{number}`"),
        _ => format!("a {}", value.type_name()),
    }
}

/// A whole number of 0 or more.
pub(super) fn amount(function: &str, place: impl Display, value: &Dynamic) -> Checked<INT> {
    match value.as_int() {
        Ok(number) if number >= 0 => Ok(number),
        _ => fail(
            function,
            format!("`{place}` must be a whole number of 0 or more, got {}", show(value)),
        ),
    }
}

/// An argument that must be 0 or more.
pub(super) fn not_negative(function: &str, place: &str, number: INT) -> Checked<INT> {
    if number < 0 {
        return fail(function, format!("`{place}` must be 0 or more, got `{number}`"));
    }
    Ok(number)
}

/// A text that serves as a name: one too long to be one is refused, for sorting such texts takes long.
pub(super) fn text(
    function: &str,
    place: impl Display,
    value: &Dynamic,
) -> Checked<ImmutableString> {
    match value.clone().into_immutable_string() {
        Ok(text) if text.len() <= NAME => Ok(text),
        Ok(_) => fail(function, format!("`{place}` is longer than {NAME} bytes")),
        Err(_) => fail(function, format!("`{place}` must be a text, got {}", show(value))),
    }
}

/// A list of names, which are mostly looked up or sorted afterwards.
pub(super) fn texts(function: &str, place: &str, list: &Array) -> Checked<Vec<ImmutableString>> {
    charge(2 * list.len() as u64);
    list.iter()
        .enumerate()
        .map(|(i, item)| text(function, format_args!("{place}[{i}]"), item))
        .collect()
}

/// The entry of a map, or the error that names what is near.
pub(super) fn entry<'a>(
    function: &str,
    place: &str,
    map: &'a Map,
    name: &str,
) -> Checked<&'a Dynamic> {
    map.get(name).ok_or_else(|| no_entry(function, place, map, name))
}

/// The error for a name that a map lacks.
pub(super) fn no_entry(function: &str, place: &str, map: &Map, name: &str) -> Box<EvalAltResult> {
    let near = hint(name, map.keys().map(|key| key.as_str()));
    error(function, format!("`{place}` has no `{name}`{near}"))
}

/// The value under a key of each map in a list.
pub(super) fn column(function: &str, list: &Array, key: &str) -> Checked<Vec<Dynamic>> {
    list.iter()
        .enumerate()
        .map(|(i, item)| {
            let place = || format!("list[{i}]");
            let row = item.as_map_ref().map_err(|_| {
                error(function, format!("`{}` must be a map, got {}", place(), show(item)))
            })?;
            entry(function, &place(), &row, key).cloned()
        })
        .collect()
}

/// The values of a list or a map.
pub(super) fn items(function: &str, value: &Dynamic) -> Checked<Vec<Dynamic>> {
    if let Ok(list) = value.as_array_ref() {
        return Ok(list.clone());
    }
    if let Ok(map) = value.as_map_ref() {
        return Ok(map.values().cloned().collect());
    }
    fail(function, format!("`numbers` must be a list or a map, got {}", show(value)))
}

/// Refuses what would take too long: every item of a list compared with every value.
pub(super) fn bound(function: &str, list: &[Dynamic], values: usize) -> Checked<()> {
    // Few items are compared in no time, however long the texts that a sandbox allows.
    charge((list.len() as u64).saturating_mul(values as u64) / 2);
    if list.len().saturating_mul(values) <= FEW {
        return Ok(());
    }
    let weight = list.iter().map(|item| weight(item, DEPTH)).fold(0, usize::saturating_add);
    if weight.saturating_mul(values) > WORK {
        let count = list.len();
        return fail(function, format!("comparing {count} items with {values} is too much"));
    }
    charge(weight.saturating_mul(values) as u64 / COMPARISONS);
    Ok(())
}

/// About how long it takes to compare a value, in small values.
fn weight(value: &Dynamic, depth: usize) -> usize {
    if depth == 0 {
        return 1;
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return 1 + text.len() / 256;
    }
    if let Ok(list) = value.as_array_ref() {
        return list.iter().fold(1, |sum, item| sum.saturating_add(weight(item, depth - 1)));
    }
    if let Ok(map) = value.as_map_ref() {
        return map.values().fold(1, |sum, item| sum.saturating_add(weight(item, depth - 1)));
    }
    1
}

/// The place of the first item that equals a value; an error if there is none.
pub(super) fn find(function: &str, place: &str, list: &Array, value: &Dynamic) -> Checked<usize> {
    bound(function, list, 1)?;
    list.iter().position(|item| same(item, value)).ok_or_else(|| {
        let near = hint_in(value, list);
        error(function, format!("`{place}` has no {}{near}", show(value)))
    })
}

/// Refuses to make more than [`LIMIT`] items.
pub(super) fn at_most_limit(function: &str, count: INT) -> Checked<usize> {
    match usize::try_from(count) {
        Ok(n) if n <= LIMIT => Ok(n),
        _ => fail(function, format!("`{count}` items are more than the {LIMIT} allowed")),
    }
}

/// Are two values the same plain data? Numbers compare by value: `1` is `1.0`.
pub(super) fn same(a: &Dynamic, b: &Dynamic) -> bool {
    same_to(a, b, DEPTH)
}

fn same_to(a: &Dynamic, b: &Dynamic, depth: usize) -> bool {
    if let (Ok(a), Ok(b)) = (a.as_immutable_string_ref(), b.as_immutable_string_ref()) {
        return *a == *b;
    }
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        return a == b;
    }
    if let (Some(a), Some(b)) = (number(a), number(b)) {
        return a == b;
    }
    if let (Ok(a), Ok(b)) = (a.as_bool(), b.as_bool()) {
        return a == b;
    }
    if let (Ok(a), Ok(b)) = (a.as_array_ref(), b.as_array_ref()) {
        return depth > 0
            && a.len() == b.len()
            && a.iter().zip(b.iter()).all(|(a, b)| same_to(a, b, depth - 1));
    }
    if let (Ok(a), Ok(b)) = (a.as_map_ref(), b.as_map_ref()) {
        return depth > 0
            && a.len() == b.len()
            && a.iter().zip(b.iter()).all(|((k, a), (l, b))| k == l && same_to(a, b, depth - 1));
    }
    a.is_unit() && b.is_unit()
}

/// Any number, as one that may have a fraction.
pub(super) fn number(value: &Dynamic) -> Option<f64> {
    value.as_int().map(|n| n as f64).or_else(|_| value.as_float()).ok()
}

/// The places of names in an order.
pub(super) struct Ranks {
    names: Vec<ImmutableString>,
    /// Only for long orders, where looking through them takes longer than hashing.
    index: HashMap<ImmutableString, usize>,
}

impl Ranks {
    /// Reads the argument `order`.
    pub(super) fn new(function: &str, order: &Array) -> Checked<Ranks> {
        let names = texts(function, "order", order)?;
        let mut index = HashMap::new();
        if names.len() > 16 {
            for (i, name) in names.iter().enumerate() {
                index.entry(name.clone()).or_insert(i);
            }
        }
        Ok(Ranks { names, index })
    }

    /// The place of a name, from 0.
    pub(super) fn of(&self, function: &str, name: &str) -> Checked<usize> {
        let place = if self.index.is_empty() {
            self.names.iter().position(|known| known == name)
        } else {
            self.index.get(name).copied()
        };
        place.ok_or_else(|| {
            let near = hint(name, self.names.iter().map(ImmutableString::as_str));
            error(function, format!("`order` has no `{name}`{near}"))
        })
    }

    /// Sorts names into the order.
    pub(super) fn sort(&self, function: &str, names: &mut [ImmutableString]) -> Checked<()> {
        charge(2 * names.len() as u64);
        for name in names.iter() {
            self.of(function, name)?;
        }
        names.sort_by_cached_key(|name| self.of(function, name).unwrap_or(usize::MAX));
        Ok(())
    }
}

/// Texts as a list for scripts.
pub(super) fn list(names: impl IntoIterator<Item = ImmutableString>) -> Array {
    names.into_iter().map(Dynamic::from).collect()
}
