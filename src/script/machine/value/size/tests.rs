//! Tests that sizes are those of what is there, and that limits count no more.

use std::sync::Arc;

use super::*;
use crate::script::machine::value::Closure;
use crate::script::machine::{Map, Text};

/// This many lists within each other.
fn nested(levels: u32) -> Value {
    (1..levels).fold(Value::list(Vec::new()), |inner, _| Value::list(vec![inner]))
}

#[test]
fn a_size_is_that_of_what_is_there_whatever_was_there() {
    let text = Value::text("x".repeat(1000));
    let mut list = Value::list(vec![text.clone(), Value::Int(1)]);
    let size = Size { items: 2, bytes: 1000, depth: 1, ..Size::default() };
    assert_eq!(list.size(), size);
    let items = list.as_list_mut().unwrap();
    items.push(nested(NESTED));
    assert_eq!(items.size().depth, NESTED + 1);
    items.set(2, nested(3));
    assert_eq!(items.size().depth, 4);
    items.insert(0, text.clone());
    items.set(0, Value::Unit);
    items.remove(0);
    items.pop();
    assert_eq!(list.size(), size);
    let mut map = Map::default();
    for value in [nested(9), list, Value::Int(1)] {
        map.insert(Text::new("y".repeat(100)), value);
    }
    assert_eq!(map.size(), Size { entries: 1, bytes: 100, depth: 1, ..Size::default() });
    map.insert(Text::new("z"), text.clone());
    map.change_each(|_, value| *value = Value::list(vec![Value::Unit; 3]));
    // Two lists of three.
    assert_eq!(map.size(), Size { entries: 2, items: 6, bytes: 100, depth: 2, strange: 0 });
    map.remove(&"y".repeat(100));
    map.remove("z");
    assert_eq!(map.size(), Size { depth: 1, ..Size::default() });
}

#[test]
fn what_a_closure_has_captured_counts_with_it() {
    let inner = Value::list(vec![Value::Int(1)]);
    let closure = || Closure::new(0, Text::new("f"), vec![inner.clone()]);
    let both = [closure(), closure()].map(|one| Value::Function(Arc::new(one)));
    let list = Value::list(both.to_vec());
    // Two closures, each of a list of one.
    assert_eq!(list.size(), Size { items: 6, depth: 3, strange: 2, bytes: 0, entries: 0 });
}

#[test]
fn a_list_that_holds_itself_twice_over_and_over_is_refused() {
    let mut list = Value::list(vec![Value::Int(1)]);
    for _ in 0..13 {
        list = Value::list(vec![list.clone(), list]);
    }
    // 2 + 4 + … + 2^13 lists, and 2^13 times the number.
    assert_eq!(list.size().items, (1 << 14) - 2 + (1 << 13));
    assert!(fits(&list, Position::NONE).is_err());
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    let list = nested(NESTED);
    fits(&list, Position::NONE).unwrap();
    assert!(fits(&Value::list(vec![list]), Position::NONE).is_err());
}

#[test]
fn closures_in_many_places_are_refused() {
    let mut nested = Value::Int(1);
    for _ in 0..60 {
        let twice = vec![nested.clone(), nested];
        nested = Value::Function(Arc::new(Closure::new(0, Text::new("f"), twice)));
    }
    // 2^60 places.
    let refused = fits(&nested, Position::NONE).unwrap_err();
    assert!(format!("{refused:?}").contains("Size of array"), "{refused:?}");
}
