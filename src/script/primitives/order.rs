//! Who comes first, and who comes at the same time?

use std::cmp::Ordering;

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::values::{
    Checked, LIMIT, Ranks, amount, bound, column, entry, fail, find, list, number, show, text,
    texts,
};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "order", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// Groups names by their count, the fewest first. Equal counts stand together; names with 0 are left out.
    ///
    /// `counts`: name -> whole number of 0 or more. The result is a list of groups, each a list of names in alphabetical order.
    ///
    /// # Example
    /// `fewest_first(#{ red: 5, blue: 3, green: 3, black: 0 })` is `[["blue", "green"], ["red"]]`
    #[rhai_fn(return_raw, pure)]
    pub fn fewest_first(counts: &mut Map) -> Checked<Array> {
        Ok(groups(counted("fewest_first", counts)?, INT::cmp))
    }

    /// Groups names by their count, the fewest first, with the names of a group in an order.
    ///
    /// `counts`: name -> whole number of 0 or more. `order`: a list with every name that has at least 1, each once; others in it are passed over.
    ///
    /// # Example
    /// `fewest_first(#{ red: 3, blue: 3, green: 1 }, ["red", "green", "blue"])` is `[["green"], ["red", "blue"]]`
    #[rhai_fn(name = "fewest_first", return_raw, pure)]
    pub fn fewest_first_in(counts: &mut Map, order: Array) -> Checked<Array> {
        Ok(groups(counted_in("fewest_first", counts, order)?, INT::cmp))
    }

    /// Groups names by their count, the most first. Equal counts stand together; names with 0 are left out.
    ///
    /// `counts`: name -> whole number of 0 or more. The result is a list of groups, each a list of names in alphabetical order.
    ///
    /// # Example
    /// `most_first(#{ red: 5, blue: 3, green: 3 })` is `[["red"], ["blue", "green"]]`
    #[rhai_fn(return_raw, pure)]
    pub fn most_first(counts: &mut Map) -> Checked<Array> {
        Ok(groups(counted("most_first", counts)?, |a, b| b.cmp(a)))
    }

    /// Groups names by their count, the most first, with the names of a group in an order.
    ///
    /// `counts`: name -> whole number of 0 or more. `order`: a list with every name that has at least 1, each once; others in it are passed over.
    ///
    /// # Example
    /// `most_first(#{ red: 3, blue: 3, green: 1 }, ["red", "green", "blue"])` is `[["red", "blue"], ["green"]]`
    #[rhai_fn(name = "most_first", return_raw, pure)]
    pub fn most_first_in(counts: &mut Map, order: Array) -> Checked<Array> {
        Ok(groups(counted_in("most_first", counts, order)?, |a, b| b.cmp(a)))
    }

    /// Sorts names into an order, the setup's for example.
    ///
    /// `names`: a list of texts. `order`: a list that has every one of them. Error: a name that the order lacks.
    ///
    /// # Example
    /// `in_order(["blue", "red"], ["red", "green", "blue"])` is `["red", "blue"]`
    #[rhai_fn(return_raw, pure)]
    pub fn in_order(names: &mut Array, order: Array) -> Checked<Array> {
        let mut sorted = texts("in_order", "names", names)?;
        Ranks::new("in_order", &order)?.sort("in_order", &mut sorted)?;
        Ok(list(sorted))
    }

    /// Sorts names by their count, the most first. Equal counts keep the order they stand in.
    ///
    /// `names`: a list of texts, in turn order for example. `counts`: a map that has a whole number for each of them.
    /// Error: a name that the map lacks.
    ///
    /// # Example
    /// `by_most(["red", "blue", "green"], #{ red: 1, blue: 3, green: 1 })` is `["blue", "red", "green"]`
    #[rhai_fn(return_raw, pure)]
    pub fn by_most(names: &mut Array, counts: Map) -> Checked<Array> {
        let mut rows = Vec::with_capacity(names.len());
        for name in texts("by_most", "names", names)? {
            let count = entry("by_most", "counts", &counts, &name)?;
            let Ok(count) = count.as_int() else {
                return fail(
                    "by_most",
                    format!("`counts.{name}` must be a whole number, got {}", show(count)),
                );
            };
            rows.push((count, name));
        }
        rows.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        Ok(rows.into_iter().map(|(_, name)| name.into()).collect())
    }

    /// Sorts maps by what they have under some keys. What is equal in all of them keeps its order.
    ///
    /// `rows`: a list of maps. `keys`: a list of keys, the one that decides first; lowest first, or with `-` before the key highest first.
    /// Under a key all have numbers, all have texts, or all have truth values (`false` is lower).
    ///
    /// # Example
    /// `sorted_by([#{ n: "a", m: 1 }, #{ n: "b", m: 3 }, #{ n: "c", m: 3 }], ["-m", "n"]).names_of("n")` is `["b", "c", "a"]`
    #[rhai_fn(return_raw, pure)]
    pub fn sorted_by(rows: &mut Array, keys: Array) -> Checked<Array> {
        let ranked = rank("sorted_by", rows, &keys)?;
        Ok(ranked.into_iter().flatten().collect())
    }

    /// Ranks maps by what they have under some keys: a list of groups, what is equal in all keys in one group.
    ///
    /// `rows`: a list of maps. `keys`: a list of keys, the one that decides first; lowest first, or with `-` before the key highest first.
    /// Under a key all have numbers, all have texts, or all have truth values (`false` is lower). In a group the order is that of `rows`.
    ///
    /// # Example
    /// `rank_by([#{ n: "a", m: 1 }, #{ n: "b", m: 3 }, #{ n: "c", m: 3 }], ["-m"])` is `[[#{ n: "b", m: 3 }, #{ n: "c", m: 3 }], [#{ n: "a", m: 1 }]]`
    #[rhai_fn(return_raw, pure)]
    pub fn rank_by(rows: &mut Array, keys: Array) -> Checked<Array> {
        Ok(rank("rank_by", rows, &keys)?.into_iter().map(Dynamic::from_array).collect())
    }

    /// A list with some values first and the others after them, otherwise in its order.
    ///
    /// `list`: a list of anything. `values`: a value, or a list of values, first in this order. Error: one that the list lacks.
    ///
    /// # Example
    /// `put_first(["red", "blue", "green"], "green")` is `["green", "red", "blue"]`
    #[rhai_fn(return_raw, pure)]
    pub fn put_first(list: &mut Array, values: Dynamic) -> Checked<Array> {
        let mut first =
            if values.is_array() { values.into_array().unwrap_or_default() } else { vec![values] };
        bound("put_first", list, first.len())?;
        let mut rest = list.clone();
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
    #[rhai_fn(return_raw, pure)]
    pub fn next_in(list: &mut Array, value: Dynamic) -> Checked<Dynamic> {
        let place = find("next_in", "list", list, &value)?;
        Ok(list[(place + 1) % list.len()].clone())
    }
}

fn counted(function: &str, counts: &Map) -> Checked<Vec<(INT, Dynamic)>> {
    let mut rows = Vec::with_capacity(counts.len());
    for (name, count) in counts {
        let count = amount(function, format_args!("counts.{name}"), count)?;
        if count > 0 {
            rows.push((count, name.as_str().into()));
        }
    }
    Ok(rows)
}

fn counted_in(function: &str, counts: &Map, order: Array) -> Checked<Vec<(INT, Dynamic)>> {
    let mut missing = 0_usize;
    for (name, count) in counts {
        if amount(function, format_args!("counts.{name}"), count)? > 0 {
            missing += 1;
        }
    }
    let mut rows = Vec::with_capacity(missing);
    for (i, name) in order.iter().enumerate() {
        let count = match name.as_immutable_string_ref() {
            Ok(name) => counts.get(name.as_str()).and_then(|count| count.as_int().ok()),
            Err(_) => {
                let got = show(name);
                return fail(function, format!("`order[{i}]` must be a text, got {got}"));
            }
        };
        if let Some(count) = count.filter(|&count| count > 0) {
            rows.push((count, name.clone()));
        }
    }
    if rows.len() == missing {
        return Ok(rows);
    }
    let ranks = Ranks::new(function, &order)?;
    for (name, count) in counts {
        if count.as_int().is_ok_and(|count| count > 0) {
            ranks.of(function, name)?;
        }
    }
    fail(function, "`order` has a name twice")
}

fn groups(mut rows: Vec<(INT, Dynamic)>, compare: fn(&INT, &INT) -> Ordering) -> Array {
    rows.sort_by(|(a, _), (b, _)| compare(a, b));
    rows.chunk_by(|(a, _), (b, _)| a == b)
        .map(|group| group.iter().map(|(_, name)| name.clone()).collect::<Array>().into())
        .collect()
}

/// What rows are compared by under one key.
enum Column {
    Whole(Vec<INT>),
    Number(Vec<f64>),
    Text(Vec<ImmutableString>),
}

impl Column {
    fn compare(&self, a: usize, b: usize) -> Ordering {
        match self {
            Column::Whole(values) => values[a].cmp(&values[b]),
            Column::Number(values) => values[a].total_cmp(&values[b]),
            Column::Text(values) => values[a].cmp(&values[b]),
        }
    }
}

fn rank(function: &str, rows: &Array, keys: &Array) -> Checked<Vec<Array>> {
    if rows.len().saturating_mul(keys.len()) > 10 * LIMIT {
        let (rows, keys) = (rows.len(), keys.len());
        return fail(function, format!("comparing {rows} rows by {keys} keys is too much"));
    }
    let mut columns = Vec::with_capacity(keys.len());
    for key in texts(function, "keys", keys)? {
        let (key, falling) = match key.strip_prefix('-') {
            Some(key) => (key, true),
            None => (key.as_str(), false),
        };
        columns.push((read(function, key, &column(function, rows, key)?)?, falling));
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
fn read(function: &str, key: &str, values: &[Dynamic]) -> Checked<Column> {
    if values.iter().all(Dynamic::is_int) {
        return Ok(Column::Whole(values.iter().filter_map(|v| v.as_int().ok()).collect()));
    }
    if values.iter().all(Dynamic::is_bool) {
        let whole = |v: &Dynamic| v.as_bool().ok().map(INT::from);
        return Ok(Column::Whole(values.iter().filter_map(whole).collect()));
    }
    // Adding 0 makes −0 a 0, which it equals.
    let numbers: Vec<f64> = values.iter().filter_map(number).map(|n| n + 0.0).collect();
    if numbers.len() == values.len() {
        return Ok(Column::Number(numbers));
    }
    if values.iter().all(Dynamic::is_string) {
        let texts = values.iter().map(|value| text(function, key, value));
        return Ok(Column::Text(texts.collect::<Checked<_>>()?));
    }
    fail(function, format!("under `{key}` all must have numbers, all texts, or all truth values"))
}
