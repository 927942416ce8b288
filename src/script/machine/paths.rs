//! Walks along paths: to read without copying what is on the way, and to change in place.

use std::sync::Arc;

use rhai::{EvalAltResult, Position};

use super::code::{CONSTANT, Path, Reg, Step, StepTarget};
use super::host::Host;
use super::interned_texts::Texts;
use super::value::{Size, Text, Value};
use crate::script::sandbox::fault::Fault;

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

/// The place of an index in a list, from its end where it is negative.
#[inline]
fn place(index: i64, length: usize) -> Option<usize> {
    let place = if index < 0 { index.checked_add(length as i64)? } else { index };
    usize::try_from(place).ok().filter(|place| *place < length)
}

impl Step {
    /// The place in a map or list where the step leads.
    #[inline]
    fn place_in(&self, value: &Value, reading: Reading<'_>) -> Option<usize> {
        match (&self.to, value) {
            (StepTarget::Field(key, seen), Value::Map(map)) => map.place_seen(key, seen),
            (StepTarget::Item(register, seen), Value::Map(map)) => {
                map.place_seen(reading.at(*register).as_text()?, seen)
            }
            (StepTarget::Item(register, _), Value::List(items)) => {
                place(reading.at(*register).as_int()?, items.len())
            }
            _ => None,
        }
    }

    /// The key that the step names.
    fn key<'s>(&'s self, reading: Reading<'s>) -> Option<&'s Text> {
        match &self.to {
            StepTarget::Field(key, _) => Some(key),
            StepTarget::Item(register, _) => reading.at(*register).as_text(),
        }
    }
}

/// What a walk passes: a value to be read, or one to be changed.
pub(super) trait Passed: Sized {
    fn seen(&self) -> &Value;
    /// What is in it at a place that there is.
    fn within(self, place: usize) -> Self;
}

impl Passed for &Value {
    #[inline]
    fn seen(&self) -> &Value {
        self
    }

    #[inline]
    fn within(self, place: usize) -> Self {
        match self {
            Value::Map(map) => map.value(place),
            Value::List(items) => &items[place],
            _ => self,
        }
    }
}

impl Passed for &mut Value {
    #[inline]
    fn seen(&self) -> &Value {
        self
    }

    #[inline]
    fn within(self, place: usize) -> Self {
        match self {
            Value::Map(map) => Arc::make_mut(map).value_mut(place),
            Value::List(items) => Arc::make_mut(items).item_mut(place),
            _ => self,
        }
    }
}

/// Walks along a path: to what is there, or to what leads no further, with the number of the step that needs help.
#[inline]
pub(super) fn walk<V: Passed>(
    root: V,
    steps: &[Step],
    reading: Reading<'_>,
) -> Result<V, (V, usize)> {
    let mut value = root;
    for (i, step) in steps.iter().enumerate() {
        match step.place_in(value.seen(), reading) {
            Some(place) => value = value.within(place),
            None => return Err((value, i)),
        }
    }
    Ok(value)
}

/// What is at the end of a path, or where that needs a closer look.
#[inline(never)]
pub(super) fn look<'r>(reading: Reading<'r>, path: &Path) -> Result<&'r Value, (&'r Value, usize)> {
    walk(reading.at(path.root), &path.steps, reading)
}

/// Whether all that is left of a path is `.len`.
#[inline]
pub(super) fn is_length(rest: &[Step]) -> bool {
    matches!(rest, [Step { to: StepTarget::Field(key, _), .. }] if key.as_str() == "len")
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
        value = match walk(&value, std::slice::from_ref(step), reading) {
            Ok(next) => next.clone(),
            Err(_) => odd_step(&value, step, reading, host, texts)?,
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

/// Puts nothing under the key that the last step of a path names, where there is a map and no such key. Returns
/// whether it did.
#[cold]
pub(super) fn make_entry(root: &mut Value, steps: &[Step], reading: Reading<'_>) -> bool {
    let Some((last, way)) = steps.split_last() else { return false };
    let (Ok(Value::Map(map)), Some(key)) = (walk(&mut *root, way, reading), last.key(reading))
    else {
        return false;
    };
    let before = map.size();
    Arc::make_mut(map).insert(key.clone(), Value::Unit);
    let after = map.size();
    resize(root, way, reading, (before, after));
    true
}

/// Reports to all that is on a path, but not to its end, that the end has another size now. Returns that of the root
/// before and after.
pub(super) fn resize(
    root: &mut Value,
    steps: &[Step],
    reading: Reading<'_>,
    end: (Size, Size),
) -> (Size, Size) {
    let Some((step, rest)) = steps.split_first() else { return end };
    let was = root.size();
    if let Some(place) = step.place_in(root, reading) {
        let (before, after) = resize((&mut *root).within(place), rest, reading, end);
        root.resized(before, after);
    }
    (was, root.size())
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
