//! How many are there, of what, and which have the most?

use std::cmp::Ordering;

use num_integer::Integer;
use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::values::{
    Checked, Ranks, amount, at_most_limit, bound, column, error, fail, hint, items, list, number,
    same, show, text, texts,
};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "counting", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// How many items of a list equal a value.
    ///
    /// `list`: a list of anything. `value`: any value; `1` equals `1.0`.
    ///
    /// # Example
    /// `count_of(["a", "b", "a"], "a")` is `2`
    #[rhai_fn(return_raw, pure)]
    pub fn count_of(list: &mut Array, value: Dynamic) -> Checked<INT> {
        bound("count_of", list, 1)?;
        Ok(list.iter().filter(|item| same(item, &value)).count() as INT)
    }

    /// Counts the items of a list by value.
    ///
    /// `list`: texts, numbers or truth values. The result is a map value -> count, the value as text.
    ///
    /// # Example
    /// `count_values(["red", "blue", "red"])` is `#{ red: 2, blue: 1 }`
    #[rhai_fn(return_raw, pure)]
    pub fn count_values(list: &mut Array) -> Checked<Map> {
        tally("count_values", list, None)
    }

    /// Counts the items of a list by value, with a 0 for each name that does not occur.
    ///
    /// `list`: texts. `names`: every value that may occur. Error: an item that is none of the names.
    ///
    /// # Example
    /// `count_values(["red", "red"], ["red", "blue"])` is `#{ red: 2, blue: 0 }`
    #[rhai_fn(name = "count_values", return_raw, pure)]
    pub fn count_values_of(list: &mut Array, names: Array) -> Checked<Map> {
        tally("count_values", list, Some(&names))
    }

    /// Counts the maps of a list by what they have under a key.
    ///
    /// `list`: maps that all have the key, with a text, number or truth value. The result is a map value -> count.
    ///
    /// # Example
    /// `count_by([#{ colour: "red" }, #{ colour: "red" }], "colour")` is `#{ red: 2 }`
    #[rhai_fn(return_raw, pure)]
    pub fn count_by(list: &mut Array, key: &str) -> Checked<Map> {
        tally("count_by", &column("count_by", list, key)?, None)
    }

    /// Counts the maps of a list by what they have under a key, with a 0 for each name that does not occur.
    ///
    /// `list`: maps that all have the key, with a text. `names`: every value that may occur.
    /// Error: a value that is none of the names.
    ///
    /// # Example
    /// `count_by([#{ colour: "red" }], "colour", ["red", "blue"])` is `#{ red: 1, blue: 0 }`
    #[rhai_fn(name = "count_by", return_raw, pure)]
    pub fn count_by_of(list: &mut Array, key: &str, names: Array) -> Checked<Map> {
        tally("count_by", &column("count_by", list, key)?, Some(&names))
    }

    /// The sum of all numbers in a list or a map.
    ///
    /// `numbers`: a list of numbers, or a map name -> number. The sum of none is 0; of whole numbers it is whole.
    /// Errors: something that is no number, or a sum too large.
    ///
    /// # Example
    /// `total(#{ red: 3, blue: 2 })` is `5`
    /// `total([1, 2, 3])` is `6`
    #[rhai_fn(return_raw, pure)]
    pub fn total(numbers: &mut Dynamic) -> Checked<Dynamic> {
        // The common case, a small map or list of whole numbers, goes without building places.
        let mut whole: Option<INT> = Some(0);
        let mut add = |value: &Dynamic| {
            whole = whole.and_then(|sum| value.as_int().ok().and_then(|n| sum.checked_add(n)));
        };
        if let Ok(map) = numbers.as_map_ref() {
            map.values().for_each(&mut add);
        } else if let Ok(list) = numbers.as_array_ref() {
            list.iter().for_each(&mut add);
        } else {
            whole = None;
        }
        match whole {
            Some(sum) => Ok(Dynamic::from_int(sum)),
            None => sum("total", &items("total", numbers)?, |i| place_in(numbers, i)),
        }
    }

    /// The sum of what the maps of a list have under a key.
    ///
    /// `list`: maps that all have the key, with a number.
    ///
    /// # Example
    /// `total([#{ rating: 2 }, #{ rating: 3 }], "rating")` is `5`
    #[rhai_fn(name = "total", return_raw, pure)]
    pub fn total_of(list: &mut Array, key: &str) -> Checked<Dynamic> {
        let values = column("total", list, key)?;
        sum("total", &values, |i| format!("list[{i}].{key}"))
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
    #[rhai_fn(return_raw)]
    pub fn ratio(part: INT, whole: INT) -> Checked<Dynamic> {
        if whole == 0 {
            return fail("ratio", "`whole` must not be 0");
        }
        let shared = i128::from(part).gcd(&i128::from(whole)) * i128::from(whole.signum());
        let lowest = |number: INT| {
            INT::try_from(i128::from(number) / shared).or_else(|_| fail("ratio", "too large"))
        };
        let (part, whole) = (lowest(part)?, lowest(whole)?);
        Ok(match whole {
            1 => Dynamic::from_int(part),
            _ => Dynamic::from_array(vec![part.into(), whole.into()]),
        })
    }

    /// The greatest number in a list or a map.
    ///
    /// `numbers`: a list of numbers, or a map name -> number. Errors: there is none, or something is no number.
    ///
    /// # Example
    /// `greatest([2, 5, 3])` is `5`
    #[rhai_fn(return_raw, pure)]
    pub fn greatest(numbers: &mut Dynamic) -> Checked<Dynamic> {
        extreme("greatest", numbers, Ordering::Greater)?
            .ok_or_else(|| error("greatest", "there are no `numbers`"))
    }

    /// The greatest number in a list or a map, or something else where there is none.
    ///
    /// `numbers`: a list of numbers, or a map name -> number. `otherwise`: the result for an empty one.
    ///
    /// # Example
    /// `greatest([], 0)` is `0`
    #[rhai_fn(name = "greatest", return_raw, pure)]
    pub fn greatest_or(numbers: &mut Dynamic, otherwise: Dynamic) -> Checked<Dynamic> {
        Ok(extreme("greatest", numbers, Ordering::Greater)?.unwrap_or(otherwise))
    }

    /// The least number in a list or a map.
    ///
    /// `numbers`: a list of numbers, or a map name -> number. Errors: there is none, or something is no number.
    ///
    /// # Example
    /// `least(#{ red: 2, blue: 1 })` is `1`
    #[rhai_fn(return_raw, pure)]
    pub fn least(numbers: &mut Dynamic) -> Checked<Dynamic> {
        extreme("least", numbers, Ordering::Less)?
            .ok_or_else(|| error("least", "there are no `numbers`"))
    }

    /// The least number in a list or a map, or something else where there is none.
    ///
    /// `numbers`: a list of numbers, or a map name -> number. `otherwise`: the result for an empty one.
    ///
    /// # Example
    /// `least([], 9)` is `9`
    #[rhai_fn(name = "least", return_raw, pure)]
    pub fn least_or(numbers: &mut Dynamic, otherwise: Dynamic) -> Checked<Dynamic> {
        Ok(extreme("least", numbers, Ordering::Less)?.unwrap_or(otherwise))
    }

    /// The names that have at least a number, in alphabetical order.
    ///
    /// `counts`: name -> whole number of 0 or more. `number`: the threshold.
    ///
    /// # Example
    /// `at_least(#{ red: 7, blue: 6, green: 9 }, 7)` is `["green", "red"]`
    #[rhai_fn(return_raw, pure)]
    pub fn at_least(counts: &mut Map, number: INT) -> Checked<Array> {
        Ok(list(reaching("at_least", counts, number)?))
    }

    /// The names that have at least a number, in an order.
    ///
    /// `counts`: name -> whole number of 0 or more. `number`: the threshold. `order`: a list with every one of these names.
    ///
    /// # Example
    /// `at_least(#{ red: 7, green: 9 }, 7, ["red", "green"])` is `["red", "green"]`
    #[rhai_fn(name = "at_least", return_raw, pure)]
    pub fn at_least_in(counts: &mut Map, number: INT, order: Array) -> Checked<Array> {
        let mut found = reaching("at_least", counts, number)?;
        Ranks::new("at_least", &order)?.sort("at_least", &mut found)?;
        Ok(list(found))
    }

    /// The names with the greatest count: one name, several if they are equal, none if all have 0.
    ///
    /// `counts`: name -> whole number of 0 or more. The result is in alphabetical order.
    ///
    /// # Example
    /// `most_of(#{ white: 3, black: 2 })` is `["white"]`
    /// `most_of(#{ white: 2, black: 2 })` is `["black", "white"]`
    #[rhai_fn(return_raw, pure)]
    pub fn most_of(counts: &mut Map) -> Checked<Array> {
        let mut most = 1;
        for (name, count) in counts.iter() {
            most = most.max(amount("most_of", format_args!("counts.{name}"), count)?);
        }
        Ok(list(reaching("most_of", counts, most)?))
    }

    /// What an amount has beyond a limit, never below 0.
    ///
    /// `amount`, `limit`: whole numbers.
    ///
    /// # Example
    /// `surplus(5, 2)` is `3`
    /// `surplus(1, 2)` is `0`
    #[rhai_fn()]
    pub fn surplus(amount: INT, limit: INT) -> INT {
        amount.saturating_sub(limit).max(0)
    }

    /// How much more each name has now than before; less is below 0.
    ///
    /// `now`, `before`: name -> whole number. The names are those of `now`: one that `before` lacks had 0, and others in `before` are passed over.
    ///
    /// # Example
    /// `change_since(#{ red: 5, blue: 1 }, #{ red: 7, green: 1 })` is `#{ red: -2, blue: 1 }`
    #[rhai_fn(return_raw, pure)]
    pub fn change_since(now: &mut Map, before: Map) -> Checked<Map> {
        let whole = |place: &str, name: &str, value: &Dynamic| {
            value.as_int().map_err(|_| {
                let got = show(value);
                error("change_since", format!("`{place}.{name}` must be a whole number, got {got}"))
            })
        };
        let mut changes = now.clone();
        for (name, value) in &mut changes {
            let now = whole("now", name, value)?;
            let then = before.get(name.as_str());
            let then = then.map_or(Ok(0), |value| whole("before", name, value))?;
            match now.checked_sub(then) {
                Some(change) => *value = Dynamic::from_int(change),
                None => return fail("change_since", format!("`{name}` changes too much")),
            }
        }
        Ok(changes)
    }

    /// Adds up counts, each times what one of it is worth: name -> number.
    ///
    /// `parts`: a list of `[counts, value]`: counts are name -> number, a value is any number. A name that some counts lack has 0 there.
    ///
    /// # Example
    /// `weighted_sum([[#{ red: 2, blue: 1 }, 5], [#{ red: -1 }, 3]])` is `#{ red: 7, blue: 5 }`
    #[rhai_fn(return_raw, pure)]
    pub fn weighted_sum(parts: &mut Array) -> Checked<Map> {
        let mut sums = Map::new();
        for (i, part) in parts.iter().enumerate() {
            let wrong = || {
                let got = show(part);
                error("weighted_sum", format!("`parts[{i}]` must be `[counts, value]`, got {got}"))
            };
            let part = part.as_array_ref().map_err(|_| wrong())?;
            let [counts, value] = &part[..] else { return Err(wrong()) };
            let counts = counts.as_map_ref().map_err(|_| wrong())?;
            if number(value).is_none() {
                return Err(not_a_number("weighted_sum", &format!("parts[{i}][1]"), value));
            }
            for (name, count) in counts.iter() {
                let sum = sums.entry(name.clone()).or_insert(Dynamic::from_int(0));
                *sum = add_product(name, sum, count, value)?;
            }
        }
        Ok(sums)
    }

    /// The list of whole numbers from one to another, both counted; empty if the second is below the first.
    ///
    /// `from`, `to`: whole numbers, at most 100,000 apart.
    ///
    /// # Example
    /// `numbers(0, 3)` is `[0, 1, 2, 3]`
    /// `numbers(1, 0)` is `[]`
    #[rhai_fn(return_raw)]
    pub fn numbers(from: INT, to: INT) -> Checked<Array> {
        at_most_limit("numbers", to.saturating_sub(from).max(0))?;
        Ok((from..=to).map(Dynamic::from_int).collect())
    }
}

fn tally(function: &str, values: &[Dynamic], known: Option<&Array>) -> Checked<Map> {
    let mut counts = Map::new();
    if let Some(known) = known {
        for name in texts(function, "names", known)? {
            counts.insert(name.as_str().into(), Dynamic::from_int(0));
        }
    }
    for value in values {
        let name: ImmutableString = if value.is_string() {
            text(function, "value", value)?
        } else if value.is_int() || value.is_bool() || value.is_float() {
            value.to_string().into()
        } else {
            return fail(function, format!("{} cannot be counted", show(value)));
        };
        match counts.get_mut(name.as_str()) {
            Some(count) => *count = Dynamic::from_int(count.as_int().unwrap_or(0) + 1),
            None if known.is_some() => {
                let near = hint(&name, counts.keys().map(|key| key.as_str()));
                return fail(function, format!("`names` has no {}{near}", show(value)));
            }
            None => {
                counts.insert(name.as_str().into(), Dynamic::from_int(1));
            }
        }
    }
    Ok(counts)
}

fn sum(function: &str, values: &[Dynamic], place: impl Fn(usize) -> String) -> Checked<Dynamic> {
    if values.iter().all(Dynamic::is_int) {
        let mut whole = values.iter().filter_map(|value| value.as_int().ok());
        return match whole.try_fold(0, INT::checked_add) {
            Some(sum) => Ok(Dynamic::from_int(sum)),
            None => fail(function, "the sum is too large"),
        };
    }
    let mut sum = 0.0;
    for (i, value) in values.iter().enumerate() {
        sum += number(value).ok_or_else(|| not_a_number(function, &place(i), value))?;
    }
    Ok(Dynamic::from_float(sum))
}

/// How an error names an item of the argument `numbers`.
fn place_in(numbers: &Dynamic, i: usize) -> String {
    match numbers.as_map_ref().ok().and_then(|map| map.keys().nth(i).cloned()) {
        Some(name) => format!("numbers.{name}"),
        None => format!("numbers[{i}]"),
    }
}

/// `sum + count × value`, whole as long as all three are.
fn add_product(name: &str, sum: &Dynamic, count: &Dynamic, value: &Dynamic) -> Checked<Dynamic> {
    if let (Ok(sum), Ok(count), Ok(value)) = (sum.as_int(), count.as_int(), value.as_int()) {
        return match count.checked_mul(value).and_then(|product| sum.checked_add(product)) {
            Some(sum) => Ok(Dynamic::from_int(sum)),
            None => fail("weighted_sum", format!("the sum of `{name}` is too large")),
        };
    }
    match (number(sum), number(count), number(value)) {
        (Some(sum), Some(count), Some(value)) => Ok(Dynamic::from_float(sum + count * value)),
        _ => Err(not_a_number("weighted_sum", name, count)),
    }
}

fn not_a_number(function: &str, place: &str, value: &Dynamic) -> Box<EvalAltResult> {
    error(function, format!("`{place}` must be a number, got {}", show(value)))
}

fn extreme(function: &str, numbers: &Dynamic, wanted: Ordering) -> Checked<Option<Dynamic>> {
    let mut best: Option<Dynamic> = None;
    for (i, value) in items(function, numbers)?.into_iter().enumerate() {
        let Some(this) = number(&value) else {
            return Err(not_a_number(function, &place_in(numbers, i), &value));
        };
        let better = best.as_ref().is_none_or(|best| match (value.as_int(), best.as_int()) {
            (Ok(this), Ok(best)) => this.cmp(&best) == wanted,
            _ => number(best).and_then(|best| this.partial_cmp(&best)) == Some(wanted),
        });
        if better {
            best = Some(value);
        }
    }
    Ok(best)
}

fn reaching(function: &str, counts: &Map, number: INT) -> Checked<Vec<ImmutableString>> {
    let mut found = Vec::new();
    for (name, count) in counts {
        if amount(function, format_args!("counts.{name}"), count)? >= number {
            found.push(name.as_str().into());
        }
    }
    Ok(found)
}
