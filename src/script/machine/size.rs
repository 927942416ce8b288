//! How large values are: kept beside each list and map, so that no limit needs to walk them.
//!
//! The items, entries, bytes and strange values of a list or map are exactly those of all that is in it,
//! so that what is charged by them does not depend on what was in it before. Its depth may be too large,
//! as what is taken out does not make it less; where it passes a limit, it is counted anew, with that of
//! all that is in it, before anybody is told.

use std::sync::Arc;

use rhai::{EvalAltResult, Position};

use super::host::Fault;
use super::value::{Text, Value};
use crate::script::engine::{ENTRIES, ITEMS, TEXT};
use crate::script::meter::charge;

/// The deepest that lists and maps may lie within each other.
pub const NESTED: u32 = 250;

/// Texts up to this length count as nothing: they take no more room than a number and its key.
const SHORT: usize = 32;

/// How much is in a value, with all that is in that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Items of lists.
    pub items: u32,
    /// Entries of maps.
    pub entries: u32,
    /// Bytes of texts that are not short.
    pub bytes: u32,
    /// How deep lists and maps lie within each other.
    pub depth: u32,
    /// Values that are no plain data of whole numbers: fractions, closures, ranges.
    pub strange: u32,
}

impl Size {
    /// The size of a text.
    #[inline]
    pub fn of_text(text: &str) -> Size {
        let bytes = if text.len() > SHORT { text.len() as u32 } else { 0 };
        Size { bytes, ..Size::default() }
    }

    /// The size of what is no plain data.
    pub fn strange() -> Size {
        Size { strange: 1, ..Size::default() }
    }

    /// The size of a list of these items.
    pub fn of_items<'v>(items: impl ExactSizeIterator<Item = &'v Value>) -> Size {
        let items_of = items.len() as u32;
        let mut size = Size { items: items_of, depth: 1, ..Size::default() };
        items.for_each(|item| size.hold(item.size()));
        size
    }

    /// What a key adds to the size of a map, beside its value.
    #[inline]
    pub fn of_key(key: &str) -> Size {
        Size { entries: 1, ..Size::of_text(key) }
    }

    /// The size of a map of these entries.
    pub fn of_entries<'v>(entries: impl Iterator<Item = &'v (Text, Value)>) -> Size {
        let mut size = Size { depth: 1, ..Size::default() };
        for (key, value) in entries {
            size.hold(Size::of_key(key.as_str()));
            size.hold(value.size());
        }
        size
    }

    /// Counts something that lies within.
    #[inline]
    pub fn hold(&mut self, inner: Size) {
        self.items = self.items.saturating_add(inner.items);
        self.entries = self.entries.saturating_add(inner.entries);
        self.bytes = self.bytes.saturating_add(inner.bytes);
        self.strange = self.strange.saturating_add(inner.strange);
        if inner.depth > 0 {
            self.depth = self.depth.max(inner.depth + 1);
        }
    }

    /// Counts something no more that lay within; the depth stays.
    #[inline]
    pub fn release(&mut self, inner: Size) {
        self.items = self.items.saturating_sub(inner.items);
        self.entries = self.entries.saturating_sub(inner.entries);
        self.bytes = self.bytes.saturating_sub(inner.bytes);
        self.strange = self.strange.saturating_sub(inner.strange);
    }

    /// By how much it has changed since it was another: counts that wrap round where they fell, and the
    /// new depth where that is greater.
    #[inline]
    pub fn change_from(self, before: Size) -> Size {
        Size {
            items: self.items.wrapping_sub(before.items),
            entries: self.entries.wrapping_sub(before.entries),
            bytes: self.bytes.wrapping_sub(before.bytes),
            strange: self.strange.wrapping_sub(before.strange),
            depth: if self.depth > before.depth { self.depth } else { 0 },
        }
    }

    /// Counts that something within has changed by so much.
    #[inline]
    pub fn change(&mut self, by: Size) {
        self.items = self.items.wrapping_add(by.items);
        self.entries = self.entries.wrapping_add(by.entries);
        self.bytes = self.bytes.wrapping_add(by.bytes);
        self.strange = self.strange.wrapping_add(by.strange);
        if by.depth > 0 {
            self.depth = self.depth.max(by.depth + 1);
        }
    }

    /// The same, that deep within something.
    pub fn within(self, levels: usize) -> Size {
        let depth = if self.depth > 0 { self.depth + levels as u32 } else { 0 };
        Size { depth, ..self }
    }

    /// Whether it is that of what holds nothing.
    #[inline]
    pub fn is_nothing(self) -> bool {
        self == Size::default()
    }

    /// About how many operations it takes to go through all of it.
    #[inline]
    pub fn reading(self) -> u64 {
        (u64::from(self.items) + u64::from(self.entries)) / 8 + u64::from(self.bytes) / 256
    }

    /// About how many operations it takes to make all of it: to allocate takes longer than to read.
    #[inline]
    pub fn making(self) -> u64 {
        (u64::from(self.items) + u64::from(self.entries)) / 8 * 4 + u64::from(self.bytes) / 64
    }

    /// About how many operations it takes to make all of it anew for Rhai, and to read it back.
    #[inline]
    pub fn converting(self) -> u64 {
        u64::from(self.items) + u64::from(self.entries) + u64::from(self.bytes) / 128
    }

    #[inline]
    fn fits(self) -> bool {
        self.items as usize <= ITEMS
            && self.entries as usize <= ENTRIES
            && self.bytes as usize <= TEXT
            && self.depth <= NESTED
    }
}

/// Refuses a value that is too large.
///
/// # Errors
/// Which limit it passes.
#[inline]
pub fn fits(value: &mut Value, at: Position) -> Result<(), Fault> {
    if value.size().fits() { Ok(()) } else { recount(value, at) }
}

#[cold]
fn recount(value: &mut Value, at: Position) -> Result<(), Fault> {
    let mut counted = Counted::new();
    let size = count(value, &mut counted);
    // To count is work, and what grows and shrinks near a limit is counted again and again.
    charge(size.reading());
    // Texts that are shared count once for each place: where they are copied, each takes room.
    let what = if size.depth > NESTED {
        "Depth of nesting"
    } else if size.items as usize > ITEMS {
        "Size of array/BLOB"
    } else if size.entries as usize > ENTRIES {
        "Size of object map"
    } else if size.bytes as usize > TEXT {
        "Length of string"
    } else {
        correct(value, &counted, &mut 0);
        return Ok(());
    };
    Err(EvalAltResult::ErrorDataTooLarge(what.into(), at).into())
}

/// The true size of each list, map and closure, outer ones before what is in them, with the place after what is
/// in it.
type Counted = Vec<(Size, usize)>;

/// Counts through all that is in a value, or through so much that a limit is passed: what is in many
/// places may be a million times as large as the memory it takes.
fn count(value: &Value, counted: &mut Counted) -> Size {
    if !matches!(value, Value::List(_) | Value::Map(_) | Value::Function(_)) {
        return value.size();
    }
    let place = counted.len();
    let mut size = Size { depth: 1, ..Size::default() };
    counted.push((size, place));
    let mut hold = |size: &mut Size, key: Size, item: &Value| {
        if size.fits() {
            size.hold(key);
            size.hold(count(item, counted));
        }
    };
    match value {
        Value::List(list) => {
            size.items = list.len() as u32;
            list.iter().for_each(|item| hold(&mut size, Size::default(), item));
        }
        Value::Map(map) => {
            for (key, item) in map.iter() {
                hold(&mut size, Size::of_key(key.as_str()), item);
            }
        }
        Value::Function(closure) => {
            size.items = closure.captured.len() as u32;
            size.hold(Size::strange());
            closure.captured.iter().for_each(|item| hold(&mut size, Size::default(), item));
        }
        _ => {}
    }
    counted[place] = (size, counted.len());
    size
}

/// Gives a value and all that is in it their true sizes.
fn correct(value: &mut Value, counted: &Counted, place: &mut usize) {
    if !matches!(value, Value::List(_) | Value::Map(_) | Value::Function(_)) {
        return;
    }
    let (size, after) = counted[*place];
    if value.size() == size {
        // Nothing in it can have a size that is too large: this one would be too large as well.
        *place = after;
        return;
    }
    *place += 1;
    value.set_size(size);
    match value {
        Value::List(list) => {
            Arc::make_mut(list).iter_mut().for_each(|item| correct(item, counted, place));
        }
        Value::Map(map) => {
            Arc::make_mut(map).iter_mut().for_each(|(_, item)| correct(item, counted, place));
        }
        Value::Function(closure) => {
            let captured = &mut Arc::make_mut(closure).captured;
            captured.iter_mut().for_each(|item| correct(item, counted, place));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
