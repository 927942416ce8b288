//! Sums up what the conflicts of a campaign brought, and lets their players trade places.

use indexmap::IndexMap;
use macro_rules_attribute::apply;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::primitive::{Primitive, family, primitive};
use super::read_arguments::{Checked, text};
use crate::game;
use crate::script::machine::Texts;
use crate::script::machine::convert::{from_plain, outcome_of, to_plain};
use crate::script::machine::value::{Map, Text, Value};
use crate::script::sandbox::fuel::charge;

pub(super) const FAMILY: &[Primitive] = family! { most_alone, total_utility, renamed };

/// As many outcomes are summed at most: a campaign has no more conflicts.
const OUTCOMES: usize = 100;
/// The bytes of a new name, which data may have very often.
const NAME: usize = 200;

/// Who has the greatest number, and `"draw"` where several have: the `result` of a campaign's outcome.
///
/// `utility`: a number for each player, or a pair as of `ratio`.
///
/// # Example
/// `most_alone(#{ red: 2, blue: [1, 3] })` is `"red"`
/// `most_alone(#{ red: 1, blue: 1 })` is `"draw"`
#[apply(primitive!)]
pub fn most_alone(utility: &Map) -> Checked<String> {
    let wanted = || "takes a map of numbers, or of fractions as of `ratio(1, 3)`".to_owned();
    charge(4 * utility.len() as u64);
    let numbers =
        utility.iter().map(|(player, number)| Some((rational(&to_plain(number))?, player)));
    let numbers: Vec<_> = numbers.collect::<Option<_>>().ok_or_else(wanted)?;
    let most = numbers.iter().map(|(number, _)| number).max();
    let mut first = numbers.iter().filter(|(number, _)| Some(number) == most);
    Ok(match (first.next(), first.next()) {
        (Some((_, player)), None) => player.as_str().to_owned(),
        _ => "draw".to_owned(),
    })
}

/// What each player has gained in all conflicts so far, as exact numbers: the `utility` of a campaign's outcome.
///
/// `past`: outcomes, each with a `result` and a `utility`. Numbers that are not whole are pairs, as of `ratio`.
///
/// # Example
/// `total_utility([#{ result: "red", utility: #{ red: 1 } }, #{ result: "", utility: #{ red: [1, 2] } }])` is `#{ red: [3, 2] }`
#[apply(primitive!)]
pub fn total_utility(past: &[Value]) -> Checked<Map> {
    if past.len() > OUTCOMES {
        return Err(format!("takes a list of outcomes, {OUTCOMES} at most"));
    }
    let mut sums: IndexMap<String, BigRational> = IndexMap::new();
    for outcome in past {
        let outcome = outcome_of(outcome.clone())?;
        charge(4 * outcome.exact.len() as u64);
        for (player, number) in outcome.exact {
            *sums.entry(player).or_default() += rational(&number).unwrap_or_default();
        }
    }
    let texts = Texts::default();
    let written = |(player, sum): (String, BigRational)| {
        let number = pair(&sum).ok_or_else(|| format!("{sum} has no room in 64 bits"))?;
        Ok((Text::new(player), from_plain(&number, &texts)))
    };
    sums.into_iter().map(written).collect()
}

/// The same data with names exchanged, in keys and in texts: two players trade places.
///
/// `data`: any. `names`: for each name the one that takes its place, of 200 bytes at most. Error: two keys of a map that
/// become one.
///
/// # Example
/// `renamed(#{ red: ["blue", 1] }, #{ red: "blue", blue: "red" })` is `#{ blue: ["red", 1] }`
#[apply(primitive!)]
pub fn renamed(data: &Value, names: &Map) -> Checked<Value> {
    for (name, other) in names.iter() {
        if text(format_args!("names.{name}"), other)?.as_str().len() > NAME {
            return Err(format!("a name has at most {NAME} bytes"));
        }
    }
    charge(data.size().converting());
    exchanged(data, names)
}

fn exchanged(data: &Value, names: &Map) -> Checked<Value> {
    let named = |name: &Text| names.get_text(name).and_then(Value::as_text).unwrap_or(name).clone();
    Ok(match data {
        Value::Text(text) => Value::Text(named(text)),
        Value::List(items) => {
            let items = items.iter().map(|item| exchanged(item, names));
            Value::list(items.collect::<Checked<_>>()?)
        }
        Value::Map(map) => {
            let mut renamed = Map::default();
            for (key, item) in map.iter() {
                let new = named(key);
                if renamed.get_text(&new).is_some() {
                    return Err(format!(
                        "two keys become `{new}`: give the other one a new name, too"
                    ));
                }
                renamed.insert(new, exchanged(item, names)?);
            }
            Value::map(renamed)
        }
        other => other.clone(),
    })
}

/// A number as utilities hold it: whole, or a pair.
pub(in crate::script) fn pair(number: &BigRational) -> Option<game::Value> {
    let (part, whole) = (number.numer().to_i64()?, number.denom().to_i64()?);
    Some(match whole {
        1 => game::Value::Int(part),
        whole => game::Value::List(vec![game::Value::Int(part), game::Value::Int(whole)]),
    })
}

fn rational(number: &game::Value) -> Option<BigRational> {
    match number.as_pair() {
        Some((part, whole)) => Some(BigRational::new(part.into(), whole.into())),
        None => BigRational::from_float(number.as_number()?),
    }
}
