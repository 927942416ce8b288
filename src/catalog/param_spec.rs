//! The specification of a parameter: its default, its allowed values, its meaning, its clause.

use std::cmp::Ordering;

use super::document::{DocumentTable, shown};
use crate::error::{Error, Location, nearest};
use crate::game::Value;

/// One parameter of `params.toml`.
#[derive(Clone, Debug)]
pub struct ParamSpec {
    /// Its name, as scripts read it after `params.`
    pub name: String,
    /// Its value where nobody changes it.
    pub default: Value,
    /// Its meaning, for people.
    pub meaning: String,
    /// The clause of the rules that it belongs to.
    pub clause: Option<String>,
    allowed: Allowed,
}

/// The values that are allowed: any of the parts.
#[derive(Clone, Debug)]
struct Allowed {
    /// Words, or other single values.
    values: Vec<Value>,
    number: Option<NumberRange>,
    items: Option<Box<Allowed>>,
}

/// Numbers within bounds, each bound included.
#[derive(Clone, Debug)]
struct NumberRange {
    whole: bool,
    min: Option<Value>,
    max: Option<Value>,
}

impl ParamSpec {
    pub(super) fn read(name: &str, table: &DocumentTable<'_>) -> Result<ParamSpec, Error> {
        table.only(&["default", "values", "min", "max", "whole", "items", "meaning", "clause"])?;
        let default = table.need("default")?;
        let allowed = Allowed::read(table, Some(default))?;
        let default = allowed.admit(default).ok_or_else(|| {
            table.wrong("default", &format!("must be {allowed}, got {}", shown(default)))
        })?;
        Ok(ParamSpec {
            name: name.to_owned(),
            default,
            meaning: table.need_text("meaning")?,
            clause: table.text("clause")?,
            allowed,
        })
    }

    /// The allowed values in words: `a whole number of 0 or more`, `` one of `red`, `blue` ``.
    pub fn allowed(&self) -> String {
        self.allowed.to_string()
    }

    /// All values that are allowed, in the order of the file, numbers upwards; `None` for lists
    /// and for numbers that need not be whole or lack a bound.
    pub fn all(&self) -> Option<impl Iterator<Item = Value>> {
        let numbers = match &self.allowed.number {
            None => None,
            Some(NumberRange {
                whole: true,
                min: Some(Value::Int(low)),
                max: Some(Value::Int(high)),
            }) => Some(*low..=*high),
            Some(_) => return None,
        };
        if self.allowed.items.is_some() {
            return None;
        }
        let values = self.allowed.values.clone();
        let listed = values.clone();
        let others = numbers.into_iter().flatten().map(Value::Int);
        Some(values.into_iter().chain(others.filter(move |number| !listed.contains(number))))
    }

    /// The value as the rules read it: a number that is whole by value becomes whole.
    ///
    /// # Errors
    /// [`Error::Parameter`] that says what is allowed and names the nearest word.
    pub fn check(&self, value: &Value, at: Option<Location>) -> Result<Value, Error> {
        self.allowed.admit(value).ok_or_else(|| Error::Parameter {
            name: self.name.clone(),
            message: format!("must be {}, got {}", self.allowed, shown(value)),
            nearest: value.as_text().and_then(|word| nearest(word, self.allowed.words())),
            at,
        })
    }
}

impl Allowed {
    /// Reads the keys that bound a value; a default shows what else it can be.
    fn read(table: &DocumentTable<'_>, default: Option<&Value>) -> Result<Allowed, Error> {
        let values = table.list("values")?.unwrap_or_default().to_vec();
        if let Some(odd) =
            values.iter().find(|value| value.as_list().is_some() || value.as_map().is_some())
        {
            return Err(table.must_be("values", "a list of words, numbers, or truths", odd));
        }
        let bounded = ["min", "max", "whole"].into_iter().find(|key| table.get(key).is_some());
        let items = match table.table("items")? {
            None => None,
            Some(items) => {
                if let Some(key) = bounded.or(table.get("values").map(|_| "values")) {
                    return Err(
                        table.wrong(key, "belongs in `items`, because it is about one item")
                    );
                }
                items.only(&["values", "min", "max", "whole"])?;
                Some(Box::new(Allowed::read(&items, None)?))
            }
        };
        let mut allowed = Allowed { values, number: None, items };
        if bounded.is_some() {
            allowed.number = Some(NumberRange::read(table)?);
        }
        if allowed.values.is_empty() && allowed.number.is_none() && allowed.items.is_none() {
            match default {
                Some(Value::Bool(_)) => allowed.values = vec![true.into(), false.into()],
                Some(Value::Text(_)) => {
                    return Err(table.wrong(
                        "default",
                        "is a word, so the allowed words must be listed in `values`",
                    ));
                }
                Some(Value::List(_)) => {
                    return Err(table.wrong(
                        "default",
                        "is a list, so its allowed items must be given in `items`",
                    ));
                }
                Some(Value::Map(_)) => {
                    return Err(table.wrong("default", "is a table, which no parameter can be"));
                }
                _ => allowed.number = Some(NumberRange::read(table)?),
            }
        }
        Ok(allowed)
    }

    /// The value, if allowed, in the kind that rules expect.
    fn admit(&self, value: &Value) -> Option<Value> {
        if let Some(listed) = self.values.iter().find(|listed| *listed == value) {
            return Some(listed.clone());
        }
        match (value, &self.number, &self.items) {
            (Value::List(list), _, Some(items)) => {
                list.iter().map(|item| items.admit(item)).collect::<Option<_>>().map(Value::List)
            }
            (_, Some(range), _) => range.admit(value),
            _ => None,
        }
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.values.iter().filter_map(Value::as_text)
    }
}

impl std::fmt::Display for Allowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words: Vec<String> = self.values.iter().map(|value| format!("`{value}`")).collect();
        match &words[..] {
            [] => {}
            [one] => f.write_str(one)?,
            [one, other] if self.values.iter().all(|value| matches!(value, Value::Bool(_))) => {
                write!(f, "{one} or {other}")?;
            }
            many => write!(f, "one of {}", many.join(", "))?,
        }
        if !words.is_empty() && self.number.is_some() {
            f.write_str(", or ")?;
        }
        if let Some(range) = &self.number {
            write!(f, "{range}")?;
        }
        match &self.items {
            Some(items) => write!(f, "a list, each item {items}"),
            None => Ok(()),
        }
    }
}

impl NumberRange {
    fn read(table: &DocumentTable<'_>) -> Result<NumberRange, Error> {
        let whole = match table.get("whole") {
            None => true,
            Some(Value::Bool(whole)) => *whole,
            Some(other) => return Err(table.must_be("whole", "`true` or `false`", other)),
        };
        let any = NumberRange { whole, min: None, max: None };
        let bound = |key| match table.get(key) {
            None => Ok(None),
            Some(value) => match any.admit(value) {
                Some(number) => Ok(Some(number)),
                None => Err(table.must_be(key, &any.to_string(), value)),
            },
        };
        let (min, max) = (bound("min")?, bound("max")?);
        match (&min, &max) {
            (Some(low), Some(high)) if order(low, high).is_gt() => {
                Err(table.wrong("min", &format!("is above `max`: {low} > {high}")))
            }
            _ => Ok(NumberRange { whole, min, max }),
        }
    }

    fn admit(&self, value: &Value) -> Option<Value> {
        let number = match value {
            Value::Int(_) => value.clone(),
            Value::Float(number) if self.whole => Value::Int(whole(*number)?),
            Value::Float(number) if number.is_finite() => value.clone(),
            _ => return None,
        };
        let high_enough = self.min.as_ref().is_none_or(|min| order(&number, min).is_ge());
        let low_enough = self.max.as_ref().is_none_or(|max| order(&number, max).is_le());
        (high_enough && low_enough).then_some(number)
    }
}

impl std::fmt::Display for NumberRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.whole { "a whole number" } else { "a number" })?;
        match (&self.min, &self.max) {
            (None, None) => Ok(()),
            (Some(min), None) => write!(f, " of {min} or more"),
            (None, Some(max)) => write!(f, " of {max} or less"),
            (Some(min), Some(max)) => write!(f, " from {min} to {max}"),
        }
    }
}

/// The integer that equals a number, if there is one that 64 bits hold.
fn whole(number: f64) -> Option<i64> {
    let limit = i64::MAX as f64; // 2^63: the first that does not fit
    (number.fract() == 0.0 && (-limit..limit).contains(&number)).then_some(number as i64)
}

/// Compares numbers by value; integers exactly.
fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        _ => a.as_number().partial_cmp(&b.as_number()).unwrap_or(Ordering::Equal),
    }
}
