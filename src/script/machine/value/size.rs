//! How large values are: kept beside each list and map, so that no limit needs to walk them.
//!
//! The size of a list or map is exactly that of all that is in it, so that neither limits nor charges
//! depend on what was in it before.

use rhai::Position;

use super::text::SHORT;
use super::{Text, Value};
use crate::script::sandbox::fuel::charge;
use crate::script::sandbox::limits::{ENTRIES, Fault, ITEMS, TEXT, too_large};

/// The deepest that lists and maps may be within each other.
pub(crate) const NESTED: u32 = 250;

/// The most bytes that a list, a map, a closure or a short text takes beside what is in it.
pub(crate) const ONE: usize = 96;
/// The most bytes that an item of a list takes, with the room that the list may have left.
pub(crate) const ITEM: usize = ONE + 2 * size_of::<Value>();
/// The same of an entry of a map, with its key.
pub(crate) const ENTRY: usize = 2 * ONE + 2 * size_of::<(Text, Value)>();

/// How much is in a value, with all that is in that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub items: u32,
    pub entries: u32,
    /// Bytes of texts that are not short.
    pub bytes: u32,
    /// How deep lists and maps are within each other.
    pub depth: u32,
    /// Values that are no plain data of whole numbers: fractions, closures, ranges.
    pub strange: u32,
}

impl Size {
    pub(crate) const NOTHING: Size = Size { items: 0, entries: 0, bytes: 0, depth: 0, strange: 0 };

    #[inline]
    pub(crate) fn of_text(text: &str) -> Size {
        let bytes = if text.len() > SHORT { text.len() as u32 } else { 0 };
        Size { bytes, ..Size::default() }
    }

    pub(crate) fn strange() -> Size {
        Size { strange: 1, ..Size::default() }
    }

    pub(crate) fn of_items<'v>(items: impl ExactSizeIterator<Item = &'v Value>) -> Size {
        let items_of = items.len() as u32;
        let mut size = Size { items: items_of, depth: 1, ..Size::default() };
        items.for_each(|item| size.hold_value(item));
        size
    }

    #[inline]
    pub(crate) fn of_key(key: &Text) -> Size {
        let bytes = if key.is_kept() { 0 } else { Size::of_text(key.as_str()).bytes };
        Size { entries: 1, bytes, ..Size::NOTHING }
    }

    pub(crate) fn of_entries<'v>(entries: impl Iterator<Item = &'v (Text, Value)>) -> Size {
        let mut size = Size { depth: 1, ..Size::default() };
        for (key, value) in entries {
            size.hold(Size::of_key(key));
            size.hold_value(value);
        }
        size
    }

    #[inline]
    pub(crate) fn hold_value(&mut self, value: &Value) {
        if !value.is_weightless() {
            self.hold(value.size());
        }
    }

    #[inline]
    pub(crate) fn hold(&mut self, inner: Size) {
        self.items = self.items.saturating_add(inner.items);
        self.entries = self.entries.saturating_add(inner.entries);
        self.bytes = self.bytes.saturating_add(inner.bytes);
        self.strange = self.strange.saturating_add(inner.strange);
        if inner.depth > 0 {
            self.depth = self.depth.max(inner.depth + 1);
        }
    }

    /// Counts something no more that lay beside what is within: a key.
    #[inline]
    pub(crate) fn release(&mut self, beside: Size) {
        // It has no depth.
        let _ = self.replace(beside, Size::default());
    }

    /// Counts that something within has another size now. Returns whether the depth must be measured:
    /// what was within may have been the deepest.
    #[inline]
    #[must_use]
    pub(crate) fn replace(&mut self, before: Size, after: Size) -> bool {
        // First what is added, so that no count falls below 0 in between; both wrap round.
        self.items = self.items.wrapping_add(after.items).wrapping_sub(before.items);
        self.entries = self.entries.wrapping_add(after.entries).wrapping_sub(before.entries);
        self.bytes = self.bytes.wrapping_add(after.bytes).wrapping_sub(before.bytes);
        self.strange = self.strange.wrapping_add(after.strange).wrapping_sub(before.strange);
        if after.depth > 0 {
            self.depth = self.depth.max(after.depth + 1);
        }
        before.depth > after.depth && before.depth + 1 == self.depth
    }

    /// Measures the depth by what is within, up to the first that is as deep as was thought.
    pub(crate) fn measure<'v>(&mut self, within: impl Iterator<Item = &'v Value>) {
        let (mut depth, mut looked) = (1, 0);
        for value in within {
            looked += 1;
            let inner = value.size().depth;
            if inner > 0 {
                depth = depth.max(inner + 1);
            }
            if depth == self.depth {
                break;
            }
        }
        charge(looked / 8);
        self.depth = depth;
    }

    /// About how many operations it takes to go through all of it.
    #[inline]
    pub(crate) fn reading(self) -> u64 {
        (u64::from(self.items) + u64::from(self.entries)) / 8 + u64::from(self.bytes) / 256
    }

    /// About how many operations it takes to make all of it: to allocate takes longer than to read.
    #[inline]
    pub(crate) fn making(self) -> u64 {
        (u64::from(self.items) + u64::from(self.entries)) / 8 * 4 + u64::from(self.bytes) / 64
    }

    /// About how many operations it takes to make all of it anew for Rhai, and to read it back.
    #[inline]
    pub(crate) fn converting(self) -> u64 {
        u64::from(self.items) + u64::from(self.entries) + u64::from(self.bytes) / 128
    }

    /// About how many operations it takes to copy all of it. A list or map that is shared is copied when one
    /// who shares it changes it; that is paid for when it is shared, since a run and its clone share more than
    /// a run alone, and must pay the same.
    #[inline]
    pub(crate) fn copying(self) -> u64 {
        (u64::from(self.items) + u64::from(self.entries)) / 32
    }

    /// About how many operations it takes to copy texts for whoever hears them, and keeps them for long.
    #[inline]
    pub(crate) fn hearing(self) -> u64 {
        u64::from(self.bytes) / 16
    }

    /// The most bytes that plain data of this size takes.
    pub(crate) fn held(self) -> usize {
        ONE + self.items as usize * ITEM + self.entries as usize * ENTRY + self.bytes as usize
    }

    #[inline]
    pub(in crate::script::machine) fn fits(self, at: Position) -> Result<(), Fault> {
        // Texts that are shared count once for each place: where they are copied, each takes room.
        if self.depth > NESTED {
            Err(too_large("Depth of nesting", at))
        } else if self.items as usize > ITEMS {
            Err(too_large("Size of array/BLOB", at))
        } else if self.entries as usize > ENTRIES {
            Err(too_large("Size of object map", at))
        } else if self.bytes as usize > TEXT {
            Err(too_large("Length of string", at))
        } else {
            Ok(())
        }
    }
}

#[inline]
pub(in crate::script::machine) fn fits(value: &Value, at: Position) -> Result<(), Fault> {
    if value.is_small() { Ok(()) } else { value.size().fits(at) }
}

#[cfg(test)]
mod tests;
