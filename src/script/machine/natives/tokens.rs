//! Natives on tokens, tiles and stress, ported.

use super::lists::{few, whole};
use super::{Native, Ported};
use crate::script::machine::code::Texts;
use crate::script::machine::map::Map;
use crate::script::machine::value::Value;
use std::sync::Arc;

pub(super) const PORTED: &[Ported] = &[
    ("turn_tile", 2, Native::Reads(turn_tile)),
    ("apply_stress", 2, Native::Reads(apply_stress)),
    ("match_stacks", 2, Native::Reads(match_stacks)),
    ("remove_token", 2, Native::Change(remove_token)),
    ("put_first", 2, Native::Reads(put_first)),
];

fn turn_tile(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let (mut turned, turns) = (on.as_list()?.to_vec(), rest[0].as_int()?);
    if !turned.is_empty() {
        let turns = turns.rem_euclid(turned.len() as i64) as usize;
        turned.rotate_right(turns);
    }
    Some(Value::list(turned))
}

fn apply_stress(on: &Value, rest: &[Value], texts: &Texts) -> Option<Value> {
    let stress = rest[0].as_int().filter(|stress| *stress >= 0)?;
    let mut ratings = whole(on)?;
    if ratings.iter().any(|rating| *rating < 0) {
        return None;
    }
    let highest = ratings.iter().copied().max().unwrap_or(0);
    ratings.retain(|rating| stress > 0 && *rating >= stress);
    ratings.sort_unstable();
    ratings.dedup();
    let suffices = stress == 0 || !ratings.is_empty();
    let (taken, rest) = if suffices { (0, 0) } else { (highest, stress - highest) };
    let options = Value::list(ratings.into_iter().map(Value::Int).collect());
    Some(Value::map(Map::from_sorted(vec![
        (texts.find("options"), options),
        (texts.find("rest"), Value::Int(rest)),
        (texts.find("taken"), Value::Int(taken)),
    ])))
}

fn match_stacks(on: &Value, rest: &[Value], texts: &Texts) -> Option<Value> {
    let (a, b) = (on.as_list()?, rest[0].as_list()?);
    let blank = Value::Text(texts.find("blank"));
    let pair = |i: usize| {
        let token = |stack: &[Value]| stack.get(i).unwrap_or(&blank).clone();
        Value::list(vec![token(a), token(b)])
    };
    Some(Value::list((0..a.len().max(b.len())).map(pair).collect()))
}

fn remove_token(on: &mut Value, rest: &mut [Value], _: &Texts) -> Option<Value> {
    match (&mut *on, &rest[0]) {
        (Value::List(items), what) if few(items.len(), 1) => {
            let place = items.iter().position(|item| item.same(what))?;
            Arc::make_mut(items).remove(place);
        }
        (Value::Map(map), Value::Text(what)) => {
            let have = map.get_text(what)?.as_int().filter(|have| *have >= 1)?;
            Arc::make_mut(map).insert(what.clone(), Value::Int(have - 1));
        }
        _ => return None,
    }
    Some(on.clone())
}

fn put_first(on: &Value, rest: &[Value], _: &Texts) -> Option<Value> {
    let mut left = on.as_list().filter(|items| items.len() <= 30)?.to_vec();
    let mut first = match &rest[0] {
        Value::List(values) => values.to_vec(),
        value => vec![value.clone()],
    };
    for value in &first {
        let place = left.iter().position(|item| item.same(value))?;
        left.remove(place);
    }
    first.append(&mut left);
    Some(Value::list(first))
}
