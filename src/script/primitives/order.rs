//! Sorts and groups: who comes first, and who comes at the same time.

use std::cmp::Ordering;

use crate::script::machine::value::{Map, Text, Value};
use macro_rules_attribute::apply;

use super::primitive::{Primitive, primitive};
use super::read_arguments::{
    Checked, LIMIT, Ranks, amount, bound, column, entry, fail, find, list, number, show, text,
    texts,
};

/// The primitives of this family.
pub(super) const FAMILY: &[Primitive] = &[
    fewest_first::PRIMITIVE,
    fewest_first_in::PRIMITIVE.named("fewest_first"),
    most_first::PRIMITIVE,
    most_first_in::PRIMITIVE.named("most_first"),
    in_order::PRIMITIVE,
    by_most::PRIMITIVE,
    sorted_by::PRIMITIVE,
    rank_by::PRIMITIVE,
    put_first::PRIMITIVE,
    next_in::PRIMITIVE,
];

/// Groups names by their count, the fewest first. Equal counts are together; names with 0 are left out.
///
/// `counts`: name -> whole number of 0 or more. The result is a list of groups, each a list of names in alphabetical order.
///
/// # Example
/// `fewest_first(#{ red: 5, blue: 3, green: 3, black: 0 })` is `[["blue", "green"], ["red"]]`
#[apply(primitive!)]
pub fn fewest_first(counts: &Map) -> Checked<Vec<Value>> {
    Ok(groups(counted("fewest_first", counts)?, i64::cmp))
}

/// Groups names by their count, the fewest first, with the names of a group in an order.
///
/// `counts`: name -> whole number of 0 or more. `order`: a list with every name that has at least 1, each once; others in it are passed over.
///
/// # Example
/// `fewest_first(#{ red: 3, blue: 3, green: 1 }, ["red", "green", "blue"])` is `[["green"], ["red", "blue"]]`
#[apply(primitive!)]
pub fn fewest_first_in(counts: &Map, order: &[Value]) -> Checked<Vec<Value>> {
    Ok(groups(counted_in("fewest_first", counts, order)?, i64::cmp))
}

/// Groups names by their count, the most first. Equal counts are together; names with 0 are left out.
///
/// `counts`: name -> whole number of 0 or more. The result is a list of groups, each a list of names in alphabetical order.
///
/// # Example
/// `most_first(#{ red: 5, blue: 3, green: 3 })` is `[["red"], ["blue", "green"]]`
#[apply(primitive!)]
pub fn most_first(counts: &Map) -> Checked<Vec<Value>> {
    Ok(groups(counted("most_first", counts)?, |a, b| b.cmp(a)))
}

/// Groups names by their count, the most first, with the names of a group in an order.
///
/// `counts`: name -> whole number of 0 or more. `order`: a list with every name that has at least 1, each once; others in it are passed over.
///
/// # Example
/// `most_first(#{ red: 3, blue: 3, green: 1 }, ["red", "green", "blue"])` is `[["red", "blue"], ["green"]]`
#[apply(primitive!)]
pub fn most_first_in(counts: &Map, order: &[Value]) -> Checked<Vec<Value>> {
    Ok(groups(counted_in("most_first", counts, order)?, |a, b| b.cmp(a)))
}

/// Sorts names into an order, the setup's for example.
///
/// `names`: a list of texts. `order`: a list that has every one of them. Error: a name that the order lacks.
///
/// # Example
/// `in_order(["blue", "red"], ["red", "green", "blue"])` is `["red", "blue"]`
#[apply(primitive!)]
pub fn in_order(names: &[Value], order: &[Value]) -> Checked<Vec<Value>> {
    let names = texts("in_order", "names", names)?;
    Ok(list(Ranks::new("in_order", order)?.sort("in_order", names)?))
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
    for name in texts("by_most", "names", names)? {
        let count = entry("by_most", "counts", counts, name)?;
        let Some(count) = count.as_int() else {
            return fail(
                "by_most",
                format!("`counts.{name}` must be a whole number, got {}", show(count)),
            );
        };
        rows.push((count, name));
    }
    rows.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    Ok(list(rows.into_iter().map(|(_, name)| name)))
}

/// Sorts maps by what they have under some keys. What is equal in all of them keeps its order.
///
/// `rows`: a list of maps. `keys`: a list of keys, the one that decides first; lowest first, or with `-` before the key highest first.
/// Under a key all have numbers, all have texts, or all have truth values (`false` is lower).
///
/// # Example
/// `sorted_by([#{ n: "a", m: 1 }, #{ n: "b", m: 3 }, #{ n: "c", m: 3 }], ["-m", "n"]).names_of("n")` is `["b", "c", "a"]`
#[apply(primitive!)]
pub fn sorted_by(rows: &[Value], keys: &[Value]) -> Checked<Vec<Value>> {
    Ok(rank("sorted_by", rows, keys)?.into_iter().flatten().collect())
}

/// Ranks maps by what they have under some keys: a list of groups, what is equal in all keys in one group.
///
/// `rows`: a list of maps. `keys`: a list of keys, the one that decides first; lowest first, or with `-` before the key highest first.
/// Under a key all have numbers, all have texts, or all have truth values (`false` is lower). In a group the order is that of `rows`.
///
/// # Example
/// `rank_by([#{ n: "a", m: 1 }, #{ n: "b", m: 3 }, #{ n: "c", m: 3 }], ["-m"])` is `[[#{ n: "b", m: 3 }, #{ n: "c", m: 3 }], [#{ n: "a", m: 1 }]]`
#[apply(primitive!)]
pub fn rank_by(rows: &[Value], keys: &[Value]) -> Checked<Vec<Value>> {
    Ok(rank("rank_by", rows, keys)?.into_iter().map(Value::list).collect())
}

/// A list with some values first and the others after them, otherwise in its order.
///
/// `list`: a list of anything. `values`: a value, or a list of values, first in this order. Error: one that the list lacks.
///
/// # Example
/// `put_first(["red", "blue", "green"], "green")` is `["green", "red", "blue"]`
#[apply(primitive!)]
pub fn put_first(list: &[Value], values: &Value) -> Checked<Vec<Value>> {
    let mut first = values.as_list().unwrap_or(std::slice::from_ref(values)).to_vec();
    bound("put_first", list, first.len())?;
    let mut rest = list.to_vec();
    for value in &first {
        let place = find("put_first", "list", &rest, value)?;
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
    let place = find("next_in", "list", list, value)?;
    Ok(list[(place + 1) % list.len()].clone())
}

fn counted<'v>(function: &str, counts: &'v Map) -> Checked<Vec<(i64, &'v Text)>> {
    let mut rows = Vec::with_capacity(counts.len());
    for (name, count) in counts.iter() {
        let count = amount(function, format_args!("counts.{name}"), count)?;
        if count > 0 {
            rows.push((count, name));
        }
    }
    Ok(rows)
}

fn counted_in<'v>(
    function: &str,
    counts: &'v Map,
    order: &'v [Value],
) -> Checked<Vec<(i64, &'v Text)>> {
    let missing = counted(function, counts)?;
    let mut rows = Vec::with_capacity(missing.len());
    for (i, name) in order.iter().enumerate() {
        let Some(name) = name.as_text() else {
            let got = show(name);
            return fail(function, format!("`order[{i}]` must be a text, got {got}"));
        };
        let count = counts.get_text(name).and_then(Value::as_int);
        if let Some(count) = count.filter(|&count| count > 0) {
            rows.push((count, name));
        }
    }
    if rows.len() == missing.len() {
        return Ok(rows);
    }
    let ranks = Ranks::new(function, order)?;
    for (_, name) in missing {
        ranks.of(function, name)?;
    }
    fail(function, "`order` has a name twice")
}

fn groups(mut rows: Vec<(i64, &Text)>, compare: fn(&i64, &i64) -> Ordering) -> Vec<Value> {
    rows.sort_by(|(a, _), (b, _)| compare(a, b));
    rows.chunk_by(|(a, _), (b, _)| a == b)
        .map(|group| Value::list(list(group.iter().map(|(_, name)| *name))))
        .collect()
}

/// What rows are compared by under one key.
enum Column<'v> {
    Whole(Vec<i64>),
    Number(Vec<f64>),
    Text(Vec<&'v Text>),
}

impl Column<'_> {
    fn compare(&self, a: usize, b: usize) -> Ordering {
        match self {
            Column::Whole(values) => values[a].cmp(&values[b]),
            Column::Number(values) => values[a].total_cmp(&values[b]),
            Column::Text(values) => values[a].cmp(values[b]),
        }
    }
}

fn rank(function: &str, rows: &[Value], keys: &[Value]) -> Checked<Vec<Vec<Value>>> {
    if rows.len().saturating_mul(keys.len()) > 10 * LIMIT {
        let (rows, keys) = (rows.len(), keys.len());
        return fail(function, format!("comparing {rows} rows by {keys} keys is too much"));
    }
    let mut columns = Vec::with_capacity(keys.len());
    for key in texts(function, "keys", keys)? {
        let (key, falling) = match key.as_str().strip_prefix('-') {
            Some(key) => (Text::new(key), true),
            None => (key.clone(), false),
        };
        columns.push((read(function, &key, &column(function, rows, &key)?)?, falling));
    }
    let compare = |&a: &usize, &b: &usize| {
        columns.iter().fold(Ordering::Equal, |so_far, (column, falling)| {
            so_far.then_with(|| match column.compare(a, b) {
                order if *falling => order.reverse(),
                order => order,
            })
        })
    };
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(compare);
    Ok(order
        .chunk_by(|a, b| compare(a, b) == Ordering::Equal)
        .map(|group| group.iter().map(|&row| rows[row].clone()).collect())
        .collect())
}

/// A column of one kind: mixed kinds have no order.
fn read<'v>(function: &str, key: &Text, values: &[&'v Value]) -> Checked<Column<'v>> {
    let whole: Vec<i64> = values.iter().filter_map(|value| value.as_int()).collect();
    if whole.len() == values.len() {
        return Ok(Column::Whole(whole));
    }
    let truth = |value: &&Value| match value {
        Value::Bool(truth) => Some(i64::from(*truth)),
        _ => None,
    };
    let truths: Vec<i64> = values.iter().filter_map(truth).collect();
    if truths.len() == values.len() {
        return Ok(Column::Whole(truths));
    }
    // Adding 0 makes −0 a 0, which it equals.
    let numbers: Vec<f64> =
        values.iter().filter_map(|value| number(value)).map(|n| n + 0.0).collect();
    if numbers.len() == values.len() {
        return Ok(Column::Number(numbers));
    }
    if values.iter().all(|value| value.as_text().is_some()) {
        let texts = values.iter().map(|value| text(function, key, value));
        return Ok(Column::Text(texts.collect::<Checked<_>>()?));
    }
    fail(function, format!("under `{key}` all must have numbers, all texts, or all truth values"))
}
