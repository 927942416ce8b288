//! Walks along paths: to read without copying what is on the way, and to change in place.

use std::sync::Arc;

use rhai::{EvalAltResult, Position};

use super::code::{CONSTANT, Path, Reg, Step, StepTarget};
use super::host::Host;
use super::interned_texts::Texts;
use super::value::{Size, Text, Value};
use crate::script::sandbox::limits::{Fault, fail};

/// The registers of a function and the program's constants, to be read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'r> {
    /// From the function's first register on.
    pub(crate) registers: &'r [Value],
    pub constants: &'r [Value],
}

impl<'r> Reading<'r> {
    #[inline]
    pub(super) fn at(self, register: Reg) -> &'r Value {
        if register < CONSTANT {
            &self.registers[register as usize]
        } else {
            &self.constants[(register - CONSTANT) as usize]
        }
    }
}

/// Of what is changed, the sizes before and after.
pub(super) type Sizes = (Size, Size);

/// The place of an index in a list, from its end where it is negative.
#[inline]
fn place(index: i64, length: usize) -> Option<usize> {
    let place = if index < 0 { index.checked_add(length as i64)? } else { index };
    usize::try_from(place).ok().filter(|place| *place < length)
}

impl Step {
    /// The place in a map or list where it leads; an error is where a map would have the key. Nothing where it can lead
    /// nowhere.
    #[inline(always)]
    fn place_in(&self, value: &Value, reading: Reading<'_>) -> Option<Result<usize, usize>> {
        match (&self.to, value) {
            (StepTarget::Field(key, seen), Value::Map(map)) => Some(map.place_seen(key, seen)),
            (StepTarget::Item(register, seen), Value::Map(map)) => {
                Some(map.place_seen(reading.at(*register).as_text()?, seen))
            }
            (StepTarget::Item(register, _), Value::List(items)) => {
                place(reading.at(*register).as_int()?, items.len()).map(Ok)
            }
            _ => None,
        }
    }

    pub(super) fn key<'s>(&'s self, reading: Reading<'s>) -> Option<&'s Text> {
        match &self.to {
            StepTarget::Field(key, _) => Some(key),
            StepTarget::Item(register, _) => reading.at(*register).as_text(),
        }
    }

    #[inline(always)]
    fn within<'v>(&self, value: &'v Value, reading: Reading<'_>) -> Option<&'v Value> {
        match (&self.to, value) {
            (StepTarget::Field(key, seen), Value::Map(map)) => map.get_seen(key, seen),
            (StepTarget::Item(register, seen), Value::Map(map)) => {
                map.get_seen(reading.at(*register).as_text()?, seen)
            }
            (StepTarget::Item(register, _), Value::List(items)) => {
                items.get(place(reading.at(*register).as_int()?, items.len())?)
            }
            _ => None,
        }
    }
}

/// Walks along a path as far as it leads into lists and maps: to what is there, with the steps that are left.
#[inline(always)]
pub(super) fn walk<'v, 's>(
    root: &'v Value,
    steps: &'s [Step],
    reading: Reading<'_>,
) -> (&'v Value, &'s [Step]) {
    let mut value = root;
    let mut rest = steps;
    while let [step, then @ ..] = rest {
        match step.within(value, reading) {
            Some(inner) => value = inner,
            None => break,
        }
        rest = then;
    }
    (value, rest)
}

/// As [`walk`], to change what is there: lists and maps on the way become the value's own. With the steps that are left
/// is where the map in which they would begin would have the next key.
#[inline(always)]
pub(super) fn walk_mut<'v, 's>(
    root: &'v mut Value,
    steps: &'s [Step],
    reading: Reading<'_>,
) -> (&'v mut Value, &'s [Step], Option<usize>) {
    let mut value = root;
    let mut rest = steps;
    while let [step, then @ ..] = rest {
        let place = match step.place_in(value, reading) {
            Some(Ok(place)) => place,
            other => return (value, rest, other.and_then(Result::err)),
        };
        value = match value {
            Value::Map(map) => Arc::make_mut(map).item_mut(place),
            Value::List(list) => Arc::make_mut(list).item_mut(place),
            other => return (other, rest, None),
        };
        rest = then;
    }
    (value, rest, None)
}

pub(super) fn resized(
    whole: &mut Value,
    steps: &[Step],
    reading: Reading<'_>,
    (before, after): Sizes,
) {
    let mut value = whole;
    let mut rest = steps;
    while let [step, then @ ..] = rest {
        let place = step.place_in(value, reading).and_then(Result::ok).unwrap_or_default();
        macro_rules! within {
            ($all:expr) => {{
                let all = Arc::make_mut($all);
                // What is as deep as before makes the same difference everywhere; depth is counted from within
                // outwards.
                if before.depth != after.depth && !then.is_empty() {
                    let inner = all.item_mut(place);
                    let was = inner.size();
                    resized(inner, then, reading, (before, after));
                    let is = inner.size();
                    return all.resized(was, is);
                }
                all.resized(before, after);
                all.item_mut(place)
            }};
        }
        value = match value {
            Value::Map(map) => within!(map),
            Value::List(list) => within!(list),
            _ => return,
        };
        rest = then;
    }
}

/// As [`walk`], to read, with how many steps are left.
#[inline(never)]
pub(super) fn look<'r>(
    registers: &'r [Value],
    constants: &'r [Value],
    path: &Path,
) -> (&'r Value, usize) {
    let reading = Reading { registers, constants };
    let (value, rest) = walk(reading.at(path.root), &path.steps, reading);
    (value, rest.len())
}

#[inline]
pub(super) fn is_length(path: &Path) -> bool {
    matches!(&*path.steps, [.., Step { to: StepTarget::Field(key, _), .. }] if key.as_str() == "len")
}

/// Walks the rest of a path whose next step leads into no list or map, or to nothing.
#[cold]
pub(super) fn walk_on(
    root: &Value,
    steps: &[Step],
    reading: Reading<'_>,
    host: &Host,
    texts: &Texts,
) -> Result<Value, Fault> {
    let mut value = root.clone();
    for step in steps {
        if step.elvis && matches!(value, Value::Unit) {
            return Ok(Value::Unit);
        }
        value = match step.within(&value, reading) {
            Some(inner) => inner.clone(),
            None => odd_step(&value, step, reading, host, texts)?,
        };
    }
    Ok(value)
}

fn odd_step(
    value: &Value,
    step: &Step,
    reading: Reading<'_>,
    host: &Host,
    texts: &Texts,
) -> Result<Value, Fault> {
    match (&step.to, value) {
        (_, Value::Unbound) => Err(EvalAltResult::ErrorUnboundThis(step.whole).into()),
        (StepTarget::Field(key, _), Value::Map(_)) => Err(missing(key.as_str(), step.at)),
        (StepTarget::Field(key, _), Value::List(items)) if key.as_str() == "len" => {
            Ok(Value::Int(items.len() as i64))
        }
        (StepTarget::Field(key, _), Value::Text(text)) if key.as_str() == "len" => {
            host.charge(value.letters(), step.at)?;
            Ok(Value::Int(text.as_str().chars().count() as i64))
        }
        (StepTarget::Field(key, _), _) => host.field(value, key.as_str(), texts, step.at),
        (StepTarget::Item(register, _), _) => {
            host.item(value, reading.at(*register), texts, step.at, step.whole)
        }
    }
}

fn missing(key: &str, at: Position) -> Fault {
    EvalAltResult::ErrorPropertyNotFound(key.to_owned(), at).into()
}

/// Why nothing can be changed where the next step of a path leads into no list or map.
#[cold]
pub(super) fn why_not(
    value: &Value,
    step: &Step,
    reading: Reading<'_>,
    host: &Host,
    texts: &Texts,
) -> Fault {
    match odd_step(value, step, reading, host, texts) {
        Err(fault) => fault,
        Ok(_) => fail(
            format!(
                "nothing within a {} can be changed",
                crate::script::diagnostics::type_names::word(value.type_name())
            ),
            step.at,
        ),
    }
}
