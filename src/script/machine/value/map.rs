//! Maps of compiled rules: entries sorted by their keys, searched from where one was found last.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

use super::Value;
use super::list::with_room;
use super::size::Size;
use super::text::{Text, beginning};

/// A map from texts to values, in the order of its keys.
#[derive(Debug)]
pub(crate) struct Map {
    entries: Vec<(Text, Value)>,
    size: Size,
}

/// Where in a map an instruction found its key last. Maps that one place in a script reads mostly
/// have the same keys.
#[derive(Debug, Default)]
pub(crate) struct KeyPlace(AtomicU32);

/// A copy finds keys of its own.
impl Clone for KeyPlace {
    fn clone(&self) -> KeyPlace {
        KeyPlace::default()
    }
}

/// So few keys are looked through by their places first; among more, searching is faster.
const FEW: usize = 16;

impl Map {
    pub(crate) fn with_capacity(capacity: usize) -> Map {
        Map { entries: Vec::with_capacity(capacity), size: Size { depth: 1, ..Size::default() } }
    }

    #[inline]
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    #[inline]
    pub(crate) fn resized(&mut self, before: Size, after: Size) {
        if self.size.replace(before, after) {
            self.size.measure(self.entries.iter().map(|(_, value)| value));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The place of a key, or where it would be.
    fn search(&self, key: &str) -> Result<usize, usize> {
        self.search_from(beginning(key), key)
    }

    fn search_from(&self, begins: u64, key: &str) -> Result<usize, usize> {
        self.entries.binary_search_by(|(known, _)| known.order(begins, key))
    }

    /// The same where the key is a text already.
    pub(crate) fn place(&self, key: &Text) -> Result<usize, usize> {
        if key.is_kept()
            && self.entries.len() <= FEW
            && let Some(found) = self.entries.iter().position(|(known, _)| known.is(key))
        {
            return Ok(found);
        }
        self.search_from(key.mark(), key.as_str())
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.search(key).ok().map(|at| &self.entries[at].1)
    }

    pub(crate) fn get_text(&self, key: &Text) -> Option<&Value> {
        self.place(key).ok().map(|at| &self.entries[at].1)
    }

    /// The value under a key, looked for first where it was last.
    #[inline(always)]
    pub(crate) fn get_seen(&self, key: &Text, seen: &KeyPlace) -> Option<&Value> {
        match self.entries.get(seen.0.load(Ordering::Relaxed) as usize) {
            Some((known, value)) if known.is(key) => Some(value),
            _ => self.place_anew(key, seen).ok().map(|place| &self.entries[place].1),
        }
    }

    /// Its place, or where it would be.
    #[inline]
    pub(crate) fn place_seen(&self, key: &Text, seen: &KeyPlace) -> Result<usize, usize> {
        let last = seen.0.load(Ordering::Relaxed) as usize;
        match self.entries.get(last) {
            Some((known, _)) if known.is(key) => Ok(last),
            _ => self.place_anew(key, seen),
        }
    }

    #[inline(never)]
    fn place_anew(&self, key: &Text, seen: &KeyPlace) -> Result<usize, usize> {
        let found = self.place(key)?;
        seen.0.store(found as u32, Ordering::Relaxed);
        Ok(found)
    }

    /// The value at a place that there is, to be changed. A change of its size must be reported to the map.
    #[inline]
    pub(crate) fn item_mut(&mut self, place: usize) -> &mut Value {
        &mut self.entries[place].1
    }

    pub(crate) fn insert(&mut self, key: Text, value: Value) {
        // Most maps that grow do so in the order of their keys.
        let found = match self.entries.last() {
            Some((last, _)) if *last >= key => self.place(&key),
            _ => Err(self.entries.len()),
        };
        match found {
            Ok(at) => {
                let after = value.size();
                let before = std::mem::replace(&mut self.entries[at].1, value);
                self.resized(before.size(), after);
            }
            Err(at) => self.insert_at(at, key, value),
        }
    }

    /// Puts a value under a key that is not there yet, at its place in the order.
    pub(crate) fn insert_at(&mut self, place: usize, key: Text, value: Value) {
        self.size.hold_value(&value);
        self.size.hold(Size::of_key(&key));
        self.entries.insert(place, (key, value));
    }

    /// Puts all entries of another map in, in the place of those that were there.
    pub(crate) fn mix_in(&mut self, other: &Map) {
        for (key, value) in &other.entries {
            self.insert(key.clone(), value.clone());
        }
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<Value> {
        let at = self.search(key).ok()?;
        let (key, value) = self.entries.remove(at);
        self.size.release(Size::of_key(&key));
        self.resized(value.size(), Size::default());
        Some(value)
    }

    pub(crate) fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&Text, &Value)> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// Changes all values, one after another.
    pub(crate) fn change_each(&mut self, mut work: impl FnMut(&Text, &mut Value)) {
        for (key, value) in &mut self.entries {
            work(key, value);
        }
        self.size = Size::of_entries(self.entries.iter());
    }

    pub(crate) fn keep_names(&mut self, known: &impl Fn(&str) -> Option<Text>) {
        for (key, value) in &mut self.entries {
            if !key.is_kept()
                && let Some(name) = known(key.as_str())
            {
                *key = name;
            }
            value.keep_names(known);
        }
    }

    pub(super) fn part(&mut self) {
        self.entries.iter_mut().for_each(|(_, value)| value.part());
    }

    pub(crate) fn from_sorted(entries: Vec<(Text, Value)>) -> Map {
        debug_assert!(entries.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let size = Size::of_entries(entries.iter());
        Map { entries, size }
    }
}

impl Clone for Map {
    fn clone(&self) -> Map {
        Map { entries: with_room(&self.entries), size: self.size }
    }
}

impl Default for Map {
    fn default() -> Map {
        Map::with_capacity(0)
    }
}

impl FromIterator<(Text, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(entries: I) -> Map {
        let mut map = Map::default();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl Hash for Map {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.entries.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_in_the_order_of_their_keys_and_found_where_they_were() {
        let map: Map =
            ["b", "a", "c"].iter().map(|key| (Text::new(*key), Value::text(*key))).collect();
        let keys: Vec<&str> = map.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["a", "b", "c"]);
        let seen = KeyPlace::default();
        for key in ["c", "c", "a", "d", "a"] {
            let found = map.get_seen(&Text::new(key), &seen).and_then(Value::as_text);
            assert_eq!(found.map(Text::as_str), ["a", "b", "c"].contains(&key).then_some(key));
        }
    }
}
