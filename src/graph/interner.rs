//! Which number has this thing? Equal things are kept once, and read without a lock.

use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::script::live_bytes;

/// Keeps different things, each under a number, from 0.
pub struct Interner<T> {
    things: boxcar::Vec<(Box<[u8]>, T)>,
    /// Several, so that threads seldom wait for each other.
    shards: [Mutex<HashTable<u32>>; SHARDS],
    hasher: DefaultHashBuilder,
}

const SHARDS: usize = 16;

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
    /// The number of the thing with this key; it is made where it is new. `grew` hears how many
    /// bytes that took.
    pub fn number(&self, key: &[u8], make: impl FnOnce() -> T, grew: impl FnOnce(u64)) -> u32 {
        let hash = self.hasher.hash_one(key);
        let mut shard = lock(&self.shards[hash as usize % SHARDS]);
        if let Some(&number) = shard.find(hash, |&number| self.key(number) == Some(key)) {
            return number;
        }
        let before = live_bytes();
        let number = self.things.push((key.into(), make())) as u32;
        shard.insert_unique(hash, number, |&number| {
            self.hasher.hash_one(self.key(number).unwrap_or_default())
        });
        grew(u64::try_from(live_bytes() - before).unwrap_or_default());
        number
    }

    fn key(&self, number: u32) -> Option<&[u8]> {
        self.things.get(number as usize).map(|(key, _)| &**key)
    }

    /// The thing of a number.
    #[inline]
    pub fn get(&self, number: u32) -> Option<&T> {
        self.things.get(number as usize).map(|(_, thing)| thing)
    }

    /// All things with their numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.things.iter().map(|(number, (_, thing))| (number as u32, thing))
    }

    /// How many things there are.
    pub fn len(&self) -> usize {
        self.things.count()
    }
}

/// A lock whose holder cannot have left it half-done: nothing that is held panics in between.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_things_have_one_number_whichever_thread_brings_them() {
        let interner: Interner<usize> = Interner::default();
        let numbers: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        (0..1000usize)
                            .map(|i| interner.number(&(i % 100).to_le_bytes(), || i % 100, |_| ()))
                            .collect()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(interner.len(), 100);
        assert!(numbers.iter().all(|mine| *mine == numbers[0]));
        for (i, &number) in numbers[0].iter().enumerate() {
            assert_eq!(interner.get(number), Some(&(i % 100)));
        }
    }
}
