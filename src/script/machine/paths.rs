//! Walks along paths: to read without copying what is on the way, and to change in place.

use rhai::{EvalAltResult, Position};

use super::code::{CONSTANT, Reg, Step, StepTarget};
use super::host::Host;
use super::interned_texts::Texts;
use super::value::{Size, Value};
use crate::script::sandbox::fault::Fault;

/// The registers of a function and the program's constants, to be read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'r> {
    /// From the function's first register on.
    pub(crate) registers: &'r [Value],
    pub constants: &'r [Value],
}

impl<'r> Reading<'r> {
    /// The value in a register.
    #[inline]
    pub(super) fn at(self, register: Reg) -> &'r Value {
        if register < CONSTANT {
            &self.registers[register as usize]
        } else {
            &self.constants[(register - CONSTANT) as usize]
        }
    }
}

/// The place of an index in a list, from its end where it is negative.
#[inline]
fn place(index: i64, length: usize) -> Option<usize> {
    let place = if index < 0 { index.checked_add(length as i64)? } else { index };
    usize::try_from(place).ok().filter(|place| *place < length)
}

#[inline]
fn into<'v>(value: &'v Value, step: &Step, reading: Reading<'_>) -> Option<&'v Value> {
    match (&step.to, value) {
        (StepTarget::Field(key, seen), Value::Map(map)) => map.get_seen(key, seen),
        (StepTarget::Item(register, seen), Value::Map(map)) => match reading.at(*register) {
            Value::Text(key) => map.get_seen(key, seen),
            _ => None,
        },
        (StepTarget::Item(register, _), Value::List(items)) => match reading.at(*register) {
            Value::Int(index) => place(*index, items.len()).map(|place| &items[place]),
            _ => None,
        },
        _ => None,
    }
}

/// How far a walk came: to the value, or to the step at which it needs help.
pub(super) enum Walked<'v> {
    There(&'v Value),
    Stuck(&'v Value, usize),
}

/// Walks along a path.
#[inline]
pub(super) fn walk<'v>(root: &'v Value, steps: &[Step], reading: Reading<'_>) -> Walked<'v> {
    let mut value = root;
    for (i, step) in steps.iter().enumerate() {
        match into(value, step, reading) {
            Some(next) => value = next,
            None => return Walked::Stuck(value, i),
        }
    }
    Walked::There(value)
}

/// Walks the rest of a path whose next step leads into no list or map, or to nothing.
///
/// # Errors
/// Where there is nothing.
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
        if let Some(next) = into(&value, step, reading) {
            value = next.clone();
            continue;
        }
        value = odd_step(&value, step, reading, host, texts)?;
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

#[inline]
fn into_mut<'v>(
    value: &'v mut Value,
    step: &Step,
    reading: Reading<'_>,
    makes: bool,
) -> Option<&'v mut Value> {
    match (&step.to, value) {
        (StepTarget::Field(key, seen), Value::Map(map)) => {
            let map = std::sync::Arc::make_mut(map);
            if makes { Some(map.get_or_insert(key, seen)) } else { map.get_mut_seen(key, seen) }
        }
        (StepTarget::Item(register, seen), Value::Map(map)) => match reading.at(*register) {
            Value::Text(key) => {
                let map = std::sync::Arc::make_mut(map);
                if makes { Some(map.get_or_insert(key, seen)) } else { map.get_mut_seen(key, seen) }
            }
            _ => None,
        },
        (StepTarget::Item(register, _), Value::List(items)) => match reading.at(*register) {
            Value::Int(index) => {
                let place = place(*index, items.len())?;
                std::sync::Arc::make_mut(items).get_mut(place)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Walks along a path to change what is at its end; `makes` where the last key need not be there.
/// Returns the number of the step that leads nowhere otherwise.
#[inline]
pub(super) fn walk_mut<'v>(
    root: &'v mut Value,
    steps: &[Step],
    reading: Reading<'_>,
    makes: bool,
) -> Result<&'v mut Value, usize> {
    let mut value = root;
    for (i, step) in steps.iter().enumerate() {
        let last = i + 1 == steps.len();
        match into_mut(value, step, reading, makes && last) {
            Some(next) => value = next,
            None => return Err(i),
        }
    }
    Ok(value)
}

/// What became of a change at the end of a path.
pub(super) struct Changed<T> {
    pub result: Result<T, Fault>,
    /// Whether what the path begins at has another size now.
    pub(crate) resized: bool,
}

/// Works on what is at the end of a path, and reports the change of its size to all that contain it.
/// Returns the number of the step that leads nowhere, if one does.
#[inline]
pub(super) fn change_at<T>(
    root: &mut Value,
    steps: &[Step],
    reading: Reading<'_>,
    makes: bool,
    work: impl FnOnce(&mut Value) -> Result<T, Fault>,
) -> Result<Changed<T>, usize> {
    let Some((last, way)) = steps.split_last() else {
        return Ok(Changed { result: work(root), resized: true });
    };
    let within = walk_mut(root, way, reading, false)?;
    let before = within.size();
    let place = into_mut(within, last, reading, makes).ok_or(way.len())?;
    let inner = place.size();
    let result = work(place);
    let after = place.size();
    if after != inner {
        within.resized(inner, after);
    }
    let after = within.size();
    if after == before {
        return Ok(Changed { result, resized: false });
    }
    resize_along(root, way, reading, before, after);
    Ok(Changed { result, resized: true })
}

/// Reports to all that is on a path, but not to its end, that the end has another size now.
pub(super) fn resize_along(
    root: &mut Value,
    steps: &[Step],
    reading: Reading<'_>,
    mut before: Size,
    mut after: Size,
) {
    for above in (0..steps.len()).rev() {
        if let Ok(value) = walk_mut(root, &steps[..above], reading, false) {
            let was = value.size();
            value.resized(before, after);
            (before, after) = (was, value.size());
        }
    }
}

/// Why nothing can be changed at the end of a path.
#[cold]
pub(super) fn why_not(
    root: &Value,
    steps: &[Step],
    stuck: usize,
    reading: Reading<'_>,
    host: &Host,
    texts: &Texts,
) -> Fault {
    let step = &steps[stuck.min(steps.len().saturating_sub(1))];
    let value = match walk_on(root, &steps[..stuck], reading, host, texts) {
        Ok(value) => value,
        Err(fault) => return fault,
    };
    match odd_step(&value, step, reading, host, texts) {
        Err(fault) => fault,
        Ok(_) => super::host::fail(
            format!(
                "nothing within a {} can be changed",
                crate::script::diagnostics::type_names::word(value.type_name())
            ),
            step.at,
        ),
    }
}
