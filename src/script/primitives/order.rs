//! Sorts and groups: who comes first, and who comes at the same time.

use std::cmp::Ordering;

use crate::script::machine::value::{Map, Text, Value};
use macro_rules_attribute::apply;

use super::primitive::{Primitive, family, part, primitive};
use super::read_arguments::{Checked, Ranks, amount, bound, entry, find, list, texts};

pub(super) const FAMILY: &[Primitive] = family! {
    fewest_first, fewest_first_in as fewest_first, most_first, most_first_in as most_first,
    in_order, by_most, put_first, next_in,
};

/// Groups names by their count, the fewest first. Equal counts are together; names with 0 are left out.
///
/// `counts`: name -> whole number of 0 or more. The result is a list of groups, each a list of names in alphabetical order.
///
/// # Example
/// `fewest_first(#{ red: 5, blue: 3, green: 3, black: 0 })` is `[["blue", "green"], ["red"]]`
#[apply(primitive!)]
pub fn fewest_first(counts: &Map) -> Checked<Vec<Value>> {
    Ok(groups(counted(counts)?, i64::cmp))
}

/// Groups names by their count, the fewest first, with the names of a group in an order.
///
/// `counts`: name -> whole number of 0 or more. `order`: a list with every name that has at least 1, each once; others in it are passed over.
///
/// # Example
/// `fewest_first(#{ red: 3, blue: 3, green: 1 }, ["red", "green", "blue"])` is `[["green"], ["red", "blue"]]`
#[apply(primitive!)]
pub fn fewest_first_in(counts: &Map, order: &[Value]) -> Checked<Vec<Value>> {
    Ok(groups(counted_in(counts, order)?, i64::cmp))
}

/// Groups names by their count, the most first. Equal counts are together; names with 0 are left out.
///
/// `counts`: name -> whole number of 0 or more. The result is a list of groups, each a list of names in alphabetical order.
///
/// # Example
/// `most_first(#{ red: 5, blue: 3, green: 3 })` is `[["red"], ["blue", "green"]]`
#[apply(primitive!)]
pub fn most_first(counts: &Map) -> Checked<Vec<Value>> {
    Ok(groups(counted(counts)?, |a, b| b.cmp(a)))
}

/// Groups names by their count, the most first, with the names of a group in an order.
///
/// `counts`: name -> whole number of 0 or more. `order`: a list with every name that has at least 1, each once; others in it are passed over.
///
/// # Example
/// `most_first(#{ red: 3, blue: 3, green: 1 }, ["red", "green", "blue"])` is `[["red", "blue"], ["green"]]`
#[apply(primitive!)]
pub fn most_first_in(counts: &Map, order: &[Value]) -> Checked<Vec<Value>> {
    Ok(groups(counted_in(counts, order)?, |a, b| b.cmp(a)))
}

/// Sorts names into an order, the setup's for example.
///
/// `names`: a list of texts. `order`: a list that has every one of them. Error: a name that the order lacks.
///
/// # Example
/// `in_order(["blue", "red"], ["red", "green", "blue"])` is `["red", "blue"]`
#[apply(primitive!)]
pub fn in_order(names: &[Value], order: &[Value]) -> Checked<Vec<Value>> {
    let names = texts("names", names)?;
    Ok(list(Ranks::new(order)?.sort(names)?))
}

/// Sorts names by their count, the most first. Equal counts keep their order.
///
/// `names`: a list of texts, in turn order for example. `counts`: a map that has a whole number for each of them.
/// Error: a name that the map lacks.
///
/// # Example
/// `by_most(["red", "blue", "green"], #{ red: 1, blue: 3, green: 1 })` is `["blue", "red", "green"]`
#[apply(primitive!)]
pub fn by_most(names: &[Value], counts: &Map) -> Checked<Vec<Value>> {
    let mut rows = Vec::with_capacity(names.len());
    for name in texts("names", names)? {
        let count = entry("counts", counts, name)?;
        rows.push((part::<i64>(format_args!("counts.{name}"), count)?, name));
    }
    rows.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    Ok(list(rows.into_iter().map(|(_, name)| name)))
}

/// A list with some values first and the others after them, otherwise in its order.
///
/// `list`: a list of anything. `values`: a value, or a list of values, first in this order. Of equal ones in the list the first is moved. Error: one that the list lacks.
///
/// # Example
/// `put_first(["red", "blue", "green"], "green")` is `["green", "red", "blue"]`
#[apply(primitive!)]
pub fn put_first(list: &[Value], values: &Value) -> Checked<Vec<Value>> {
    let mut first = values.as_list().unwrap_or(std::slice::from_ref(values)).to_vec();
    bound(list, first.len())?;
    let mut rest = list.to_vec();
    for value in &first {
        let place = find("list", &rest, value)?;
        drop(rest.remove(place));
    }
    first.append(&mut rest);
    Ok(first)
}

/// The value that follows another in a list; after the last comes the first again.
///
/// `list`: a list of anything, players in turn order for example. Error: the value is not in it.
///
/// # Example
/// `next_in(["red", "blue"], "red")` is `"blue"`
/// `next_in(["red", "blue"], "blue")` is `"red"`
#[apply(primitive!)]
pub fn next_in(list: &[Value], value: &Value) -> Checked<Value> {
    let place = find("list", list, value)?;
    Ok(list[(place + 1) % list.len()].clone())
}

fn counted(counts: &Map) -> Checked<Vec<(i64, &Text)>> {
    let mut rows = Vec::with_capacity(counts.len());
    for (name, count) in counts.iter() {
        let count = amount(format_args!("counts.{name}"), count)?;
        if count > 0 {
            rows.push((count, name));
        }
    }
    Ok(rows)
}

fn counted_in<'v>(counts: &'v Map, order: &'v [Value]) -> Checked<Vec<(i64, &'v Text)>> {
    let missing = counted(counts)?;
    let mut rows = Vec::with_capacity(missing.len());
    for (i, name) in order.iter().enumerate() {
        let name: &Text = part(format_args!("order[{i}]"), name)?;
        let count = counts.get_text(name).and_then(Value::as_int);
        if let Some(count) = count.filter(|&count| count > 0) {
            rows.push((count, name));
        }
    }
    if rows.len() == missing.len() {
        return Ok(rows);
    }
    let ranks = Ranks::new(order)?;
    for (_, name) in missing {
        ranks.of(name)?;
    }
    Err("`order` has a name twice".to_owned())
}

fn groups(mut rows: Vec<(i64, &Text)>, compare: fn(&i64, &i64) -> Ordering) -> Vec<Value> {
    rows.sort_by(|(a, _), (b, _)| compare(a, b));
    rows.chunk_by(|(a, _), (b, _)| a == b)
        .map(|group| Value::list(list(group.iter().map(|(_, name)| *name))))
        .collect()
}
