//! Lists of compiled rules: items one after another, with their size.

use std::ops::Deref;

use super::size::Size;
use super::value::Value;

/// A list. It is read as a slice; what changes it keeps its size.
#[derive(Clone, Debug, Default)]
pub struct List {
    items: Vec<Value>,
    size: Size,
}

impl List {
    /// A list of these items.
    pub fn new(items: Vec<Value>) -> List {
        let size = Size::of_items(items.iter());
        List { items, size }
    }

    /// Its size, with all that is in it.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Its size, to be changed as something in it grew or was counted anew.
    #[inline]
    pub fn size_mut(&mut self) -> &mut Size {
        &mut self.size
    }

    /// Adds an item at the end.
    #[inline]
    pub fn push(&mut self, item: Value) {
        self.size.items += 1;
        self.size.hold(item.size());
        self.items.push(item);
    }

    /// Adds items at the end.
    pub fn extend(&mut self, items: &[Value]) {
        self.items.reserve(items.len());
        items.iter().cloned().for_each(|item| self.push(item));
    }

    /// Takes the last item.
    pub fn pop(&mut self) -> Option<Value> {
        self.items.pop().inspect(|_| self.shrink())
    }

    /// Takes the item at a place that there is.
    pub fn remove(&mut self, place: usize) -> Value {
        self.shrink();
        self.items.remove(place)
    }

    /// Puts an item before the one at a place, or at the end.
    pub fn insert(&mut self, place: usize, item: Value) {
        self.size.items += 1;
        self.size.hold(item.size());
        self.items.insert(place, item);
    }

    /// Puts an item in the place of another.
    pub fn set(&mut self, place: usize, item: Value) {
        self.size.hold(item.size());
        self.items[place] = item;
    }

    /// Turns the order round.
    pub fn reverse(&mut self) {
        self.items.reverse();
    }

    /// The item at a place. Where it grows, the list's size must be told.
    #[inline]
    pub fn get_mut(&mut self, place: usize) -> Option<&mut Value> {
        self.items.get_mut(place)
    }

    /// The items, to be changed. Where one grows, the list's size must be told.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.items.iter_mut()
    }

    fn shrink(&mut self) {
        self.size.items -= 1;
    }
}

impl Deref for List {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        &self.items
    }
}
