//! Counts, adds up and compares numbers: how many there are, of what, and which have the most.

use std::cmp::Ordering;

use crate::script::machine::convert::to_dynamic;
use crate::script::machine::value::{Map, Text, Value};
use macro_rules_attribute::apply;
use num_integer::Integer;

use super::primitive::{Primitive, family, part, primitive};
use super::read_arguments::{
    Checked, Ranks, amount, at_most_limit, bound, column, hint, items, list, must_be, number, show,
    text, texts,
};

pub(super) const FAMILY: &[Primitive] = family! {
    count_of, count_values, count_values_of as count_values, count_by, count_by_of as count_by,
    total, total_of as total, totals, ratio, greatest, greatest_or as greatest, least,
    least_or as least, at_least, at_least_in as at_least, surplus, change_since, weighted_sum,
    numbers,
};

/// How many items of a list equal a value.
///
/// `list`: a list of anything. `value`: any value; `1` equals `1.0`.
///
/// # Example
/// `count_of(["a", "b", "a"], "a")` is `2`
#[apply(primitive!)]
pub fn count_of(list: &[Value], value: &Value) -> Checked<i64> {
    bound(list, 1)?;
    Ok(list.iter().filter(|item| item.same(value)).count() as i64)
}

/// Counts the items of a list by value.
///
/// `list`: texts, numbers or truth values. The result is a map value -> count, the value as text.
///
/// # Example
/// `count_values(["red", "blue", "red"])` is `#{ red: 2, blue: 1 }`
#[apply(primitive!)]
pub fn count_values(list: &[Value]) -> Checked<Map> {
    tally(list, None)
}

/// Counts the items of a list by value, with a 0 for each name that does not occur.
///
/// `list`: texts. `names`: every value that may occur. Error: an item that is none of the names.
///
/// # Example
/// `count_values(["red", "red"], ["red", "blue"])` is `#{ red: 2, blue: 0 }`
#[apply(primitive!)]
pub fn count_values_of(list: &[Value], names: &[Value]) -> Checked<Map> {
    tally(list, Some(names))
}

/// Counts the maps of a list by what they have under a key.
///
/// `list`: maps that all have the key, with a text, number or truth value. The result is a map value -> count.
///
/// # Example
/// `count_by([#{ colour: "red" }, #{ colour: "red" }], "colour")` is `#{ red: 2 }`
#[apply(primitive!)]
pub fn count_by(list: &[Value], key: &Text) -> Checked<Map> {
    tally(column(list, key)?, None)
}

/// Counts the maps of a list by what they have under a key, with a 0 for each name that does not occur.
///
/// `list`: maps that all have the key, with a text. `names`: every value that may occur.
/// Error: a value that is none of the names.
///
/// # Example
/// `count_by([#{ colour: "red" }], "colour", ["red", "blue"])` is `#{ red: 1, blue: 0 }`
#[apply(primitive!)]
pub fn count_by_of(list: &[Value], key: &Text, names: &[Value]) -> Checked<Map> {
    tally(column(list, key)?, Some(names))
}

/// The sum of all numbers in a list or a map.
///
/// `numbers`: a list of numbers, or a map name -> number. The sum of none is 0; of whole numbers it is whole.
/// Errors: something that is not a number, or a sum too large.
///
/// # Example
/// `total(#{ red: 3, blue: 2 })` is `5`
/// `total([1, 2, 3])` is `6`
#[apply(primitive!)]
pub fn total(numbers: &Value) -> Checked<Value> {
    sum(items(numbers)?, |i| place_in(numbers, i))
}

/// The sum of what the maps of a list have under a key.
///
/// `list`: maps that all have the key, with a number.
///
/// # Example
/// `total([#{ rating: 2 }, #{ rating: 3 }], "rating")` is `5`
#[apply(primitive!)]
pub fn total_of(list: &[Value], key: &Text) -> Checked<Value> {
    let values = column(list, key)?;
    sum(values.into_iter(), |i| format!("list[{i}].{key}"))
}

/// The sum of each map: the `utility` of an outcome from its `parts`.
///
/// `maps`: a map name -> map of numbers, whose sum is the number of the name.
///
/// # Example
/// `totals(#{ red: #{ ford: 3, "2 mana paid": -4 }, blue: #{} })` is `#{ blue: 0, red: -1 }`
#[apply(primitive!)]
pub fn totals(maps: &Map) -> Checked<Map> {
    let mut sums = Vec::with_capacity(maps.len());
    for (name, numbers) in maps.iter() {
        let place = |i: usize| match numbers.as_map().and_then(|map| map.iter().nth(i)) {
            Some((label, _)) => format!("maps.{name}.{label}"),
            None => format!("maps.{name}"),
        };
        let numbers: &Map = part(format_args!("maps.{name}"), numbers)?;
        sums.push((name.clone(), sum(numbers.iter().map(|(_, number)| number), place)?));
    }
    Ok(Map::from_sorted(sums))
}

/// A fraction that stays exact: a utility may be one, where a float would be rounded.
///
/// `part`, `whole`: whole numbers, `whole` not 0. The result is a whole number where it is one, else
/// the pair of both in lowest terms, part first. Only as a utility is a pair a number.
///
/// # Example
/// `ratio(2, 6)` is `[1, 3]`
/// `ratio(1, -7)` is `[-1, 7]`
/// `ratio(6, 3)` is `2`
#[apply(primitive!)]
pub fn ratio(part: i64, whole: i64) -> Checked<Value> {
    if whole == 0 {
        return Err("`whole` must not be 0".to_owned());
    }
    let shared = i128::from(part).gcd(&i128::from(whole)) * i128::from(whole.signum());
    let lowest = |number: i64| {
        i64::try_from(i128::from(number) / shared).map_err(|_| "too large".to_owned())
    };
    let (part, whole) = (lowest(part)?, lowest(whole)?);
    Ok(match whole {
        1 => Value::Int(part),
        _ => Value::list(vec![Value::Int(part), Value::Int(whole)]),
    })
}

/// The greatest number in a list or a map.
///
/// `numbers`: a list of numbers, or a map name -> number. Errors: there is none, or something is not a number.
///
/// # Example
/// `greatest([2, 5, 3])` is `5`
#[apply(primitive!)]
pub fn greatest(numbers: &Value) -> Checked<Value> {
    extreme(numbers, Ordering::Greater)?.ok_or_else(|| "there are no `numbers`".to_owned())
}

/// The greatest number in a list or a map, or something else where there is none.
///
/// `numbers`: a list of numbers, or a map name -> number. `otherwise`: the result for an empty one.
///
/// # Example
/// `greatest([], 0)` is `0`
#[apply(primitive!)]
pub fn greatest_or(numbers: &Value, otherwise: &Value) -> Checked<Value> {
    let greatest = extreme(numbers, Ordering::Greater)?;
    Ok(greatest.unwrap_or_else(|| otherwise.clone()))
}

/// The least number in a list or a map.
///
/// `numbers`: a list of numbers, or a map name -> number. Errors: there is none, or something is not a number.
///
/// # Example
/// `least(#{ red: 2, blue: 1 })` is `1`
#[apply(primitive!)]
pub fn least(numbers: &Value) -> Checked<Value> {
    extreme(numbers, Ordering::Less)?.ok_or_else(|| "there are no `numbers`".to_owned())
}

/// The least number in a list or a map, or something else where there is none.
///
/// `numbers`: a list of numbers, or a map name -> number. `otherwise`: the result for an empty one.
///
/// # Example
/// `least([], 9)` is `9`
#[apply(primitive!)]
pub fn least_or(numbers: &Value, otherwise: &Value) -> Checked<Value> {
    let least = extreme(numbers, Ordering::Less)?;
    Ok(least.unwrap_or_else(|| otherwise.clone()))
}

/// The names that have at least a number, in alphabetical order.
///
/// `counts`: name -> whole number of 0 or more. `number`: the threshold.
///
/// # Example
/// `at_least(#{ red: 7, blue: 6, green: 9 }, 7)` is `["green", "red"]`
#[apply(primitive!)]
pub fn at_least(counts: &Map, number: i64) -> Checked<Vec<Value>> {
    reaching(counts, number, |name| Value::Text(name.clone()))
}

/// The names that have at least a number, in an order.
///
/// `counts`: name -> whole number of 0 or more. `number`: the threshold. `order`: a list with every one of these names.
///
/// # Example
/// `at_least(#{ red: 7, green: 9 }, 7, ["red", "green"])` is `["red", "green"]`
#[apply(primitive!)]
pub fn at_least_in(counts: &Map, number: i64, order: &[Value]) -> Checked<Vec<Value>> {
    let found = reaching(counts, number, |name| name)?;
    Ok(list(Ranks::new(order)?.sort(found)?))
}

/// What an amount has beyond a limit, never below 0.
///
/// `amount`, `limit`: whole numbers.
///
/// # Example
/// `surplus(5, 2)` is `3`
/// `surplus(1, 2)` is `0`
#[apply(primitive!)]
pub fn surplus(amount: i64, limit: i64) -> i64 {
    amount.saturating_sub(limit).max(0)
}

/// How much more each name has now than before; less is below 0.
///
/// `now`, `before`: name -> whole number. The names are those of `now`: one that `before` lacks had 0, and others in `before` are passed over.
///
/// # Example
/// `change_since(#{ red: 5, blue: 1 }, #{ red: 7, green: 1 })` is `#{ red: -2, blue: 1 }`
#[apply(primitive!)]
pub fn change_since(now: &Map, before: &Map) -> Checked<Map> {
    let mut changes = Vec::with_capacity(now.len());
    for (name, value) in now.iter() {
        let now: i64 = part(format_args!("now.{name}"), value)?;
        let then = before.get_text(name).map(|value| part(format_args!("before.{name}"), value));
        let then = then.unwrap_or(Ok(0))?;
        let Some(change) = now.checked_sub(then) else {
            return Err(format!("`{name}` changes too much"));
        };
        changes.push((name.clone(), Value::Int(change)));
    }
    Ok(Map::from_sorted(changes))
}

/// Adds up counts, each times what one of it is worth: name -> number.
///
/// `parts`: a list of `[counts, value]`: counts are name -> number, a value is any number. A name that some counts lack has 0 there.
///
/// # Example
/// `weighted_sum([[#{ red: 2, blue: 1 }, 5], [#{ red: -1 }, 3]])` is `#{ red: 7, blue: 5 }`
#[apply(primitive!)]
pub fn weighted_sum(parts: &[Value]) -> Checked<Map> {
    let mut sums = Map::default();
    for (i, part) in parts.iter().enumerate() {
        let pair = part.as_list().and_then(|pair| match pair {
            [counts, value] => Some((counts.as_map()?, value)),
            _ => None,
        });
        let no_pair = || must_be("`[counts, value]`", format_args!("parts[{i}]"), part);
        let (counts, value) = pair.ok_or_else(no_pair)?;
        if number(value).is_none() {
            return Err(must_be("a number", format_args!("parts[{i}][1]"), value));
        }
        for (name, count) in counts.iter() {
            let before = sums.get_text(name).unwrap_or(&Value::Int(0));
            let sum = add_product(name, before, count, value)?;
            sums.insert(name.clone(), sum);
        }
    }
    Ok(sums)
}

/// The list of whole numbers from one to another, both counted; empty if the second is below the first.
///
/// `from`, `to`: whole numbers.
///
/// # Example
/// `numbers(0, 3)` is `[0, 1, 2, 3]`
/// `numbers(1, 0)` is `[]`
#[apply(primitive!)]
pub fn numbers(from: i64, to: i64) -> Checked<Vec<Value>> {
    at_most_limit(to.saturating_sub(from).max(0))?;
    Ok((from..=to).map(Value::Int).collect())
}

fn tally<'v>(values: impl IntoIterator<Item = &'v Value>, known: Option<&[Value]>) -> Checked<Map> {
    let mut counts = Map::default();
    for name in texts("names", known.unwrap_or_default())? {
        counts.insert(name.clone(), Value::Int(0));
    }
    for value in values {
        let name = match value {
            Value::Text(_) => text("value", value)?.clone(),
            Value::Char(letter) => Text::new(letter.to_string()),
            Value::Int(number) => Text::new(number.to_string()),
            Value::Bool(truth) => Text::new(truth.to_string()),
            Value::Float(_) => Text::new(to_dynamic(value).to_string()),
            _ => return Err(format!("{} cannot be counted", show(value))),
        };
        let before = counts.get_text(&name).and_then(Value::as_int);
        if before.is_none() && known.is_some() {
            let near = hint(name.as_str(), counts.iter().map(|(name, _)| name.as_str()));
            return Err(format!("`names` has no {}{near}", show(value)));
        }
        counts.insert(name, Value::Int(before.unwrap_or(0) + 1));
    }
    Ok(counts)
}

fn sum<'v>(
    values: impl Iterator<Item = &'v Value> + Clone,
    place: impl Fn(usize) -> String,
) -> Checked<Value> {
    let whole = |sum: Option<i64>, value: &'v Value| sum?.checked_add(value.as_int()?);
    if let Some(sum) = values.clone().fold(Some(0), whole) {
        return Ok(Value::Int(sum));
    }
    if values.clone().all(|value| value.as_int().is_some()) {
        return Err("the sum is too large".to_owned());
    }
    let mut sum = 0.0;
    for (i, value) in values.enumerate() {
        sum += number(value).ok_or_else(|| must_be("a number", place(i), value))?;
    }
    Ok(Value::Float(sum))
}

/// How an error names an item of the argument `numbers`.
fn place_in(numbers: &Value, i: usize) -> String {
    match numbers.as_map().and_then(|map| map.iter().nth(i)) {
        Some((name, _)) => format!("numbers.{name}"),
        None => format!("numbers[{i}]"),
    }
}

fn add_product(name: &Text, sum: &Value, count: &Value, value: &Value) -> Checked<Value> {
    if let (Value::Int(sum), Value::Int(count), Value::Int(value)) = (sum, count, value) {
        return match count.checked_mul(*value).and_then(|product| sum.checked_add(product)) {
            Some(sum) => Ok(Value::Int(sum)),
            None => Err(format!("the sum of `{name}` is too large")),
        };
    }
    match (number(sum), number(count), number(value)) {
        (Some(sum), Some(count), Some(value)) => Ok(Value::Float(sum + count * value)),
        _ => Err(must_be("a number", name, count)),
    }
}

fn extreme(numbers: &Value, wanted: Ordering) -> Checked<Option<Value>> {
    let mut best: Option<&Value> = None;
    for (i, value) in items(numbers)?.enumerate() {
        let Some(this) = number(value) else {
            return Err(must_be("a number", place_in(numbers, i), value));
        };
        let better = best.is_none_or(|best| match (value, best) {
            (Value::Int(this), Value::Int(best)) => this.cmp(best) == wanted,
            _ => number(best).and_then(|best| this.partial_cmp(&best)) == Some(wanted),
        });
        if better {
            best = Some(value);
        }
    }
    Ok(best.cloned())
}

fn reaching<'v, T>(counts: &'v Map, number: i64, of: impl Fn(&'v Text) -> T) -> Checked<Vec<T>> {
    let mut found = Vec::new();
    for (name, count) in counts.iter() {
        if amount(format_args!("counts.{name}"), count)? >= number {
            found.push(of(name));
        }
    }
    Ok(found)
}
