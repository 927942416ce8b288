//! Natives that call a closure for each item of a list: `filter`, `map`, `sort` and their like.
//!
//! The closure runs on the same machine, on top of the function that called; it cannot ask.

use std::cmp::Ordering;

use super::basic_values::{Loop, Native, Ported};
use crate::script::machine::value::Value;
use crate::script::sandbox::limits::Fault;

pub(super) const PORTED: &[Ported] = &[
    ("all", 2, Native::Loop(Loop::All)),
    ("filter", 2, Native::Loop(Loop::Filter)),
    ("find", 2, Native::Loop(Loop::Find)),
    ("find_map", 2, Native::Loop(Loop::FindMap)),
    ("index_of", 2, Native::Loop(Loop::IndexOf)),
    ("map", 2, Native::Loop(Loop::Map)),
    ("reduce", 2, Native::Loop(Loop::Reduce)),
    ("reduce", 3, Native::Loop(Loop::Reduce)),
    ("retain", 2, Native::Loop(Loop::Retain)),
    ("some", 2, Native::Loop(Loop::Some)),
    ("sort", 2, Native::Loop(Loop::Sort)),
];

/// Calls the closure with some of these arguments, as many as it takes.
pub(super) type Caller<'c> = dyn FnMut(&[Value]) -> Result<Value, Fault> + 'c;

impl Loop {
    /// Runs over the items of a list, which it may change; `first` is the start of a `reduce`.
    pub(crate) fn run(
        self,
        list: &mut Value,
        first: Value,
        call: &mut Caller<'_>,
    ) -> Result<Value, Fault> {
        let items = list.as_list().map(<[Value]>::to_vec).unwrap_or_default();
        let with_number = |i: usize, item: &Value| [item.clone(), Value::Int(i as i64)];
        let (mut kept, mut left_out) = (Vec::new(), Vec::new());
        let mut folded = first;
        if self == Loop::Sort {
            return sort(list, items, call);
        }
        for (i, item) in items.iter().enumerate() {
            let result = if self == Loop::Reduce {
                call(&[std::mem::take(&mut folded), item.clone(), Value::Int(i as i64)])?
            } else {
                call(&with_number(i, item))?
            };
            // What is no truth value counts as false, as in the language.
            let holds = matches!(result, Value::Bool(true));
            match self {
                Loop::All if !holds => return Ok(Value::Bool(false)),
                Loop::Some if holds => return Ok(Value::Bool(true)),
                Loop::Find if holds => return Ok(item.clone()),
                Loop::FindMap if !matches!(result, Value::Unit) => return Ok(result),
                Loop::IndexOf if holds => return Ok(Value::Int(i as i64)),
                Loop::Filter | Loop::Retain if holds => kept.push(item.clone()),
                Loop::Retain => left_out.push(item.clone()),
                Loop::Map => kept.push(result),
                Loop::Reduce => folded = result,
                _ => {}
            }
        }
        Ok(match self {
            Loop::All => Value::Bool(true),
            Loop::Some => Value::Bool(false),
            Loop::IndexOf => Value::Int(-1),
            Loop::Reduce => folded,
            Loop::Filter | Loop::Map => Value::list(kept),
            Loop::Retain => {
                *list = Value::list(kept);
                Value::list(left_out)
            }
            _ => Value::Unit,
        })
    }
}

fn sort(list: &mut Value, mut items: Vec<Value>, call: &mut Caller<'_>) -> Result<Value, Fault> {
    let mut failed = None;
    items.sort_by(|a, b| {
        if failed.is_some() {
            return Ordering::Equal;
        }
        match call(&[a.clone(), b.clone()]) {
            Ok(Value::Int(order)) => order.cmp(&0),
            Ok(Value::Bool(true)) => Ordering::Less,
            Ok(Value::Bool(false)) => Ordering::Greater,
            Ok(_) => Ordering::Equal,
            Err(fault) => {
                failed = Some(fault);
                Ordering::Equal
            }
        }
    });
    if let Some(fault) = failed {
        return Err(fault);
    }
    *list = Value::list(items);
    Ok(Value::Unit)
}
