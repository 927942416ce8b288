//! Tests that sizes are those of what is there, and that limits count no more.

use super::*;
use crate::script::machine::value::Closure;
use crate::script::machine::{Map, Text};

/// So many lists within each other.
fn nested(levels: u32) -> Value {
    (1..levels).fold(Value::list(Vec::new()), |inner, _| Value::list(vec![inner]))
}

/// An empty list that held lists as deep as they may be.
fn once_deep() -> Value {
    let mut list = Value::list(Vec::new());
    list.as_list_mut().unwrap().push(nested(NESTED - 1));
    list.as_list_mut().unwrap().pop();
    assert_eq!(list.size(), Size { depth: NESTED, ..Size::default() });
    list
}

#[test]
fn a_size_is_that_of_what_is_there_whatever_was_there() {
    let text = Value::text("x".repeat(1000));
    let mut list = Value::list(vec![text.clone(), Value::Int(1)]);
    let size = Size { items: 2, bytes: 1000, depth: 1, ..Size::default() };
    assert_eq!(list.size(), size);
    let items = list.as_list_mut().unwrap();
    items.push(text.clone());
    items.pop();
    items.insert(0, text.clone());
    items.set(0, Value::Unit);
    items.remove(0);
    assert_eq!(list.size(), size);
    let mut map = Map::default();
    for value in [text.clone(), list, Value::Int(1)] {
        map.insert(Text::new("y".repeat(100)), value);
    }
    assert_eq!(map.size(), Size { entries: 1, bytes: 100, depth: 2, ..Size::default() });
    map.insert(Text::new("z"), text.clone());
    map.change_each(|_, value| *value = Value::list(vec![Value::Unit; 3]));
    // Two lists of three.
    assert_eq!(map.size(), Size { entries: 2, items: 6, bytes: 100, depth: 2, strange: 0 });
    map.remove(&"y".repeat(100));
    map.remove("z");
    assert_eq!(map.size(), Size { depth: 2, ..Size::default() });
}

#[test]
fn the_depth_of_what_lies_within_is_counted_anew_where_it_passes_the_limit() {
    let inner = once_deep();
    let shared = inner.clone();
    let mut outer = Value::list(vec![Value::map(Map::from_sorted(vec![(Text::new("a"), inner)]))]);
    assert_eq!(outer.size().depth, NESTED + 2);
    fits(&mut outer, Position::NONE).unwrap();
    // A list of a map of one entry, an empty list.
    assert_eq!(outer.size(), Size { items: 1, entries: 1, depth: 3, ..Size::default() });
    let map = outer.as_list().unwrap()[0].as_map().unwrap();
    assert_eq!(map.size(), Size { entries: 1, depth: 2, ..Size::default() });
    assert_eq!(map.get("a").unwrap().size(), Size { depth: 1, ..Size::default() });
    // Whoever shares it keeps what they had.
    assert_eq!(shared.size().depth, NESTED);
}

#[test]
fn the_depth_of_what_a_closure_has_captured_is_counted_anew_too() {
    let closure = || Closure::new(0, Text::new("f"), vec![once_deep()]);
    let both = [closure(), closure()].map(|one| Value::Function(Arc::new(one)));
    let mut list = Value::list(both.to_vec());
    assert_eq!(list.size().depth, NESTED + 2);
    fits(&mut list, Position::NONE).unwrap();
    // Two closures, each of an empty list.
    assert_eq!(list.size(), Size { items: 4, depth: 3, strange: 2, bytes: 0, entries: 0 });
    assert_eq!(list.as_list().unwrap()[0].size().depth, 2);
}

#[test]
fn a_list_that_holds_itself_twice_over_and_over_is_refused() {
    let mut list = Value::list(vec![Value::Int(1)]);
    for _ in 0..13 {
        list = Value::list(vec![list.clone(), list]);
    }
    // 2 + 4 + … + 2^13 lists, and 2^13 times the number.
    assert_eq!(list.size().items, (1 << 14) - 2 + (1 << 13));
    assert!(fits(&mut list, Position::NONE).is_err());
}

#[test]
fn what_passes_a_limit_is_counted_no_further() {
    // Of depth 200, each list twice in the next: 2^200 items, in the memory of 400.
    let mut list = Value::list(vec![Value::Int(1)]);
    for _ in 0..200 {
        list = Value::list(vec![list.clone(), list]);
    }
    let size = count(&list, &mut Counted::new());
    assert!(size.items as usize > ITEMS && (size.items as usize) < 3 * ITEMS, "{size:?}");
    assert!(fits(&mut list, Position::NONE).is_err());
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    let mut list = Value::list(Vec::new());
    for _ in 1..NESTED {
        list = Value::list(vec![list]);
    }
    fits(&mut list, Position::NONE).unwrap();
    assert!(fits(&mut Value::list(vec![list]), Position::NONE).is_err());
}

#[test]
fn closures_in_many_places_are_counted_no_further_than_a_limit() {
    let mut nested = Value::Int(1);
    for _ in 0..60 {
        let twice = vec![nested.clone(), nested];
        nested = Value::Function(Arc::new(Closure::new(0, Text::new("f"), twice)));
    }
    // 2^60 places: a count of them all would not end.
    let refused = fits(&mut nested, Position::NONE).unwrap_err();
    assert!(format!("{refused:?}").contains("Size of array"), "{refused:?}");
}
