//! Rhai's natives on maps, ported to the machine's values.

use std::sync::Arc;

use super::{Native, Ported};
use crate::script::machine::code::Texts;
use crate::script::machine::value::Value;

pub(super) const PORTED: &[Ported] = &[
    ("get", 2, Native::Reads(get)),
    ("keys", 1, Native::Reads(keys)),
    ("values", 1, Native::Reads(values)),
    ("mixin", 2, Native::Change(mixin)),
];

fn get(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    Some(on.as_map()?.get_text(rest[0].as_text()?).cloned().unwrap_or_default())
}

fn keys(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    let map = on.as_map()?;
    Some(Value::list(map.iter().map(|(key, _)| Value::Text(key.clone())).collect()))
}

fn values(on: &Value, _: &[Value], _: &Texts) -> Option<Value> {
    Some(Value::list(on.as_map()?.iter().map(|(_, value)| value.clone()).collect()))
}

fn mixin(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    let (Value::Map(map), Value::Map(more)) = (on, &rest[0]) else { return None };
    Arc::make_mut(map).mix_in(more);
    Some(Value::Unit)
}
