//! Lists of compiled rules: items one after another, with their size.

use std::ops::Deref;

use super::size::Size;
use super::{Text, Value};

/// A list. It is read as a slice; what changes it keeps its size.
#[derive(Debug, Default)]
pub(crate) struct List {
    items: Vec<Value>,
    size: Size,
}

impl List {
    pub(crate) fn new(items: Vec<Value>) -> List {
        let size = Size::of_items(items.iter());
        List { items, size }
    }

    #[inline]
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    #[inline]
    pub(crate) fn resized(&mut self, before: Size, after: Size) {
        if self.size.replace(before, after) {
            self.size.measure(self.items.iter());
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, item: Value) {
        self.size.items += 1;
        self.size.hold_value(&item);
        self.items.push(item);
    }

    pub(crate) fn extend(&mut self, items: &[Value]) {
        self.items.reserve(items.len());
        items.iter().cloned().for_each(|item| self.push(item));
    }

    pub(crate) fn pop(&mut self) -> Option<Value> {
        let item = self.items.pop()?;
        self.lost(&item);
        Some(item)
    }

    pub(crate) fn remove(&mut self, place: usize) -> Value {
        let item = self.items.remove(place);
        self.lost(&item);
        item
    }

    /// Puts an item before the one at a place, or at the end.
    pub(crate) fn insert(&mut self, place: usize, item: Value) {
        self.size.items += 1;
        self.size.hold(item.size());
        self.items.insert(place, item);
    }

    pub(crate) fn set(&mut self, place: usize, item: Value) {
        let after = item.size();
        let before = std::mem::replace(&mut self.items[place], item);
        self.resized(before.size(), after);
    }

    pub(crate) fn reverse(&mut self) {
        self.items.reverse();
    }

    /// The item at a place that there is, to be changed. A change of its size must be reported to the list.
    #[inline]
    pub(crate) fn item_mut(&mut self, place: usize) -> &mut Value {
        &mut self.items[place]
    }

    pub(crate) fn keep_names(&mut self, known: &impl Fn(&str) -> Option<Text>) {
        self.items.iter_mut().for_each(|item| item.keep_names(known));
    }

    pub(super) fn part(&mut self) {
        self.items.iter_mut().for_each(Value::part);
    }

    fn lost(&mut self, item: &Value) {
        self.size.items -= 1;
        self.resized(item.size(), Size::default());
    }
}

impl Clone for List {
    fn clone(&self) -> List {
        List { items: with_room(&self.items), size: self.size }
    }
}

/// Copies items that are going to be changed, with room for a few more: what is shared counts as much room for each.
pub(super) fn with_room<T: Clone>(items: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(items.len() + items.len().div_ceil(8));
    copy.extend_from_slice(items);
    copy
}

impl Deref for List {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        &self.items
    }
}
