//! Natives on texts, and on values of any kind, ported.

use super::{Native, Ported};
use crate::script::machine::code::Texts;
use crate::script::machine::value::Value;

pub(super) const PORTED: &[Ported] =
    &[("type_of", 1, Native::Reads(type_of)), ("to_string", 1, Native::Reads(to_string))];

fn type_of(on: &Value, _: &[Value], texts: &Texts) -> Option<Value> {
    Some(Value::Text(texts.find(on.type_name())))
}

fn to_string(on: &Value, _: &[Value], texts: &Texts) -> Option<Value> {
    match on {
        Value::Text(_) => Some(on.clone()),
        Value::Int(number) => Some(Value::Text(texts.find(&number.to_string()))),
        _ => None,
    }
}
