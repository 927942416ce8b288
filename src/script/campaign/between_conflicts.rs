//! What becomes of setups and outcomes between two conflicts: order of keys, names, exact sums.

use indexmap::IndexMap;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rhai::{Dynamic, Map};

use crate::error::Error;
use crate::game::{Outcome, Value};
use crate::script::value::to_value;

/// As many outcomes are summed at most: a campaign has no more conflicts.
const MOST: usize = 100;

/// What is at a place such as `setup.players.red`.
pub(super) fn at<'v>(setup: &'v Value, place: &str) -> Option<&'v Value> {
    place.split('.').skip(1).try_fold(setup, |value, key| match value {
        Value::List(items) => items.get(key.parse::<usize>().ok()?),
        value => value.get(key),
    })
}

/// Data with the keys of each table in the order that the table had before, then in that in which a
/// name appears anywhere, then as they are.
pub(super) fn ordered(
    value: Value,
    before: Option<&Value>,
    order: &IndexMap<String, usize>,
) -> Value {
    match value {
        Value::Map(map) => {
            let was = before.and_then(Value::as_map);
            let place = |key: &str| {
                let there = was.and_then(|was| was.get_index_of(key));
                let named = order.get(key).copied();
                (there.unwrap_or(usize::MAX), named.unwrap_or(usize::MAX))
            };
            let mut entries: Vec<(String, Value)> = map.into_iter().collect();
            entries.sort_by_key(|(key, _)| place(key));
            let inner = |(key, item): (String, Value)| {
                let item = ordered(item, was.and_then(|was| was.get(&key)), order);
                (key, item)
            };
            Value::Map(entries.into_iter().map(inner).collect())
        }
        Value::List(items) => {
            let was = before.and_then(Value::as_list);
            let inner = |(index, item): (usize, Value)| {
                ordered(item, was.and_then(|was| was.get(index)), order)
            };
            Value::List(items.into_iter().enumerate().map(inner).collect())
        }
        other => other,
    }
}

/// Data in which each number that is not whole is a pair of whole numbers, its fraction.
pub(super) fn exact(value: &Value) -> Result<Value, String> {
    Ok(match value {
        Value::Float(number) => {
            let fraction = BigRational::from_float(*number);
            let pair = fraction.as_ref().and_then(pair);
            pair.ok_or_else(|| format!("{number} is not a fraction of two numbers of 64 bits"))?
        }
        Value::List(items) => Value::List(items.iter().map(exact).collect::<Result<_, _>>()?),
        Value::Map(map) => {
            let each = |(key, item): (&String, &Value)| Ok((key.clone(), exact(item)?));
            Value::Map(map.iter().map(each).collect::<Result<_, String>>()?)
        }
        other => other.clone(),
    })
}

/// A number as utilities hold it: whole, or a pair.
fn pair(number: &BigRational) -> Option<Value> {
    let (part, whole) = (number.numer().to_i64()?, number.denom().to_i64()?);
    Some(match whole {
        1 => Value::Int(part),
        whole => Value::List(vec![Value::Int(part), Value::Int(whole)]),
    })
}

/// A utility as an exact number.
fn rational(number: &Value) -> Option<BigRational> {
    match number.as_pair() {
        Some((part, whole)) => Some(BigRational::new(part.into(), whole.into())),
        None => BigRational::from_float(number.as_number()?),
    }
}

/// Who has more than all others.
pub(super) fn most_alone(utility: &Dynamic) -> Result<String, Error> {
    let wrong = |message: String| Error::usage(format!("most_alone: {message}"));
    let utility = to_value(utility, "utility").map_err(wrong)?;
    let wanted = || wrong("takes a map of numbers, or of fractions as of `ratio(1, 3)`".to_owned());
    let numbers = utility.as_map().ok_or_else(wanted)?.iter();
    let numbers = numbers.map(|(player, number)| Some((rational(number)?, player)));
    let numbers: Vec<_> = numbers.collect::<Option<_>>().ok_or_else(wanted)?;
    let most = numbers.iter().map(|(number, _)| number).max();
    let mut first = numbers.iter().filter(|(number, _)| Some(number) == most);
    Ok(match (first.next(), first.next()) {
        (Some((_, player)), None) => (*player).clone(),
        _ => "draw".to_owned(),
    })
}

/// The sum of the utilities of several outcomes.
pub(super) fn total(past: &Dynamic) -> Result<Value, Error> {
    let wrong = |message: String| Error::usage(format!("total_utility: {message}"));
    let past = to_value(past, "past").map_err(wrong)?;
    let mut sums: IndexMap<String, BigRational> = IndexMap::new();
    let past = past.as_list().filter(|past| past.len() <= MOST);
    let wanted = || wrong(format!("takes a list of outcomes, {MOST} at most"));
    for outcome in past.ok_or_else(wanted)? {
        for (player, number) in &Outcome::new(outcome.clone()).map_err(wrong)?.exact {
            *sums.entry(player.clone()).or_default() += rational(number).unwrap_or_default();
        }
    }
    let written = |(player, sum): (String, BigRational)| {
        let number = pair(&sum).ok_or_else(|| wrong(format!("{sum} has no room in 64 bits")))?;
        Ok((player, number))
    };
    sums.into_iter().map(written).collect::<Result<_, Error>>().map(Value::Map)
}

/// Data with other names in keys and texts.
pub(super) fn renamed(data: &Value, names: &Map) -> Value {
    let named = |name: &String| match names.get(name.as_str()) {
        Some(other) => other.to_string(),
        None => name.clone(),
    };
    match data {
        Value::Text(text) => Value::Text(named(text)),
        Value::List(items) => Value::List(items.iter().map(|item| renamed(item, names)).collect()),
        Value::Map(map) => {
            let each = |(key, item)| (named(key), renamed(item, names));
            Value::Map(map.iter().map(each).collect())
        }
        other => other.clone(),
    }
}
