//! Interning: equal things are kept once under a number, and read without a lock.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use parking_lot::Mutex;

/// Keeps different things, each under a number, from 0.
pub(in crate::graph) struct Interner<T> {
    /// Each in a box of its own: the list doubles its room, and no more than that of boxes may be
    /// unused.
    things: boxcar::Vec<Box<Interned<T>>>,
    /// Several, so that threads seldom wait for each other.
    shards: [Mutex<HashTable<u32>>; SHARDS],
    hasher: DefaultHashBuilder,
}

struct Interned<T> {
    key: Box<[u8]>,
    thing: T,
}

const SHARDS: usize = 16;

/// Room for one more in the list: the box, and whether it is there.
const PLACE: u64 = 16;

/// What one more thing takes at most besides its key and its own, beyond lists that double.
const SOME: u64 = 1 << 10;

impl<T> Default for Interner<T> {
    fn default() -> Interner<T> {
        Interner {
            things: boxcar::Vec::new(),
            shards: std::array::from_fn(|_| Mutex::default()),
            hasher: DefaultHashBuilder::default(),
        }
    }
}

impl<T> Interner<T> {
    /// The number of the thing with this key; it is made if it is new. `None` if it is new and
    /// `fits` refuses the most bytes that its place may take.
    pub(in crate::graph) fn number(
        &self,
        key: &[u8],
        make: impl FnOnce() -> T,
        fits: impl FnOnce(u64) -> bool,
    ) -> Option<u32> {
        let hash = self.hasher.hash_one(key);
        let mut shard = self.shards[hash as usize % SHARDS].lock();
        if let Some(&number) = shard.find(hash, |&number| self.key(number) == Some(key)) {
            return Some(number);
        }
        // The list may double, and the table too, of which for a moment both copies exist.
        let doubled = 2 * PLACE * self.len() as u64 + 2 * shard.allocation_size() as u64;
        if !fits(doubled + key.len() as u64 + SOME) {
            return None;
        }
        let number = self.things.push(Box::new(Interned { key: key.into(), thing: make() })) as u32;
        shard.insert_unique(hash, number, |&number| {
            self.hasher.hash_one(self.key(number).unwrap_or_default())
        });
        Some(number)
    }

    fn key(&self, number: u32) -> Option<&[u8]> {
        self.things.get(number as usize).map(|kept| &*kept.key)
    }

    #[inline]
    pub(in crate::graph) fn get(&self, number: u32) -> Option<&T> {
        self.things.get(number as usize).map(|kept| &kept.thing)
    }

    pub(in crate::graph) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.things.iter().map(|(number, kept)| (number as u32, &kept.thing))
    }

    pub(in crate::graph) fn len(&self) -> usize {
        self.things.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_things_have_one_number_whichever_thread_brings_them() {
        let interner: Interner<usize> = Interner::default();
        let numbers: Vec<Vec<Option<u32>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        (0..1000usize)
                            .map(|i| {
                                interner.number(&(i % 100).to_le_bytes(), || i % 100, |_| true)
                            })
                            .collect()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(interner.len(), 100);
        assert!(numbers.iter().all(|mine| *mine == numbers[0]));
        for (i, &number) in numbers[0].iter().enumerate() {
            assert_eq!(interner.get(number.unwrap()), Some(&(i % 100)));
        }
        assert_eq!(interner.number(b"new", || 0, |_| false), None);
        assert_eq!(interner.number(&0usize.to_le_bytes(), || 0, |_| false), numbers[0][0]);
    }
}
