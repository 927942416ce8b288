//! Memory for nodes and states: 32-bit words that many threads append to and none moves.
//!
//! Words are stored in chunks that are never moved or freed, so what was once written can be read
//! without a lock; a thread publishes what it wrote by storing its offset elsewhere, with
//! [`Ordering::Release`]. Nothing here knows what the words mean.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::error::Cut;
use crate::script::Budget;

/// Words in a chunk: 256 KiB.
const CHUNK: usize = 1 << 16;
const CHUNK_BYTES: u64 = CHUNK as u64 * 4;
/// The largest piece that can be stored.
pub(in crate::graph) const LARGEST: usize = CHUNK / 2;
/// Offsets are 32 bits: no more than 16 GiB can be stored.
const MOST_CHUNKS: usize = (1 << 32) / CHUNK;

/// One part in this many is left for what is held elsewhere and is counted after it was made.
const MARGIN: u64 = 64;

/// One part in this many is left for runs that are paused at nodes, and no more than this many bytes.
const RUNS: (u64, u64) = (12, 16 << 20);

type Chunk = Box<[AtomicU32]>;

/// Words of all threads, up to a bound.
pub(in crate::graph) struct Words {
    chunks: Box<[OnceLock<Chunk>]>,
    next: AtomicU64,
    budget: Budget,
    runs: Budget,
}

impl Words {
    /// No words yet; what they take counts against the budget.
    pub(in crate::graph) fn new(budget: &Budget) -> Words {
        let chunks = (budget.bound() / CHUNK_BYTES + 1).min(MOST_CHUNKS as u64);
        let within = budget.within(budget.bound());
        let words = Words {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            // Offset 0 means nothing.
            next: AtomicU64::new(1),
            runs: within.within((within.bound() / RUNS.0).min(RUNS.1)),
            budget: within,
        };
        words.count(chunks * size_of::<OnceLock<Chunk>>() as u64);
        words
    }

    /// The bytes that are taken: whole chunks, and what was counted besides.
    pub(in crate::graph) fn bytes(&self) -> u64 {
        self.budget.used()
    }

    /// The bound that is reached where nothing more fits.
    pub(in crate::graph) fn full(&self) -> Cut {
        self.budget.full()
    }

    pub(in crate::graph) fn bound(&self) -> u64 {
        self.budget.bound()
    }

    /// Whether this many bytes more would fit. Runs have their part whether they fill it or not, so that
    /// it does not depend on them what fits.
    pub(in crate::graph) fn fits(&self, bytes: u64) -> bool {
        self.budget.fits(bytes + self.runs.bound().saturating_sub(self.runs.used()))
    }

    /// The part of the budget for runs that are paused at nodes.
    pub(in crate::graph) fn runs(&self) -> &Budget {
        &self.runs
    }

    /// Counts bytes that are held elsewhere: as many as were found to be allocated.
    pub(in crate::graph) fn count(&self, bytes: u64) {
        self.budget.take(bytes);
    }

    pub(in crate::graph) fn uncount(&self, bytes: u64) {
        self.budget.give_back(bytes);
    }

    /// Room for a piece of this many words, all 0; `None` if it is too large or the bound is reached.
    pub(in crate::graph) fn allocate(&self, length: usize) -> Option<u32> {
        if length > LARGEST {
            return None;
        }
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            // A piece is within one chunk, so that it can be read as one slice.
            let left = CHUNK as u64 - next % CHUNK as u64;
            let start = if left < length as u64 { next + left } else { next };
            let end = start + length as u64;
            let chunk = self.chunks.get((end - 1) as usize / CHUNK)?;
            let more = if chunk.get().is_some() { 0 } else { CHUNK_BYTES };
            if !self.fits(more + self.budget.bound() / MARGIN) {
                return None;
            }
            match self.next.compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    chunk.get_or_init(|| {
                        self.count(CHUNK_BYTES);
                        (0..CHUNK).map(|_| AtomicU32::new(0)).collect()
                    });
                    return u32::try_from(start).ok();
                }
                Err(now) => next = now,
            }
        }
    }

    /// The words from an offset to the end of its chunk; none if nothing was stored there.
    #[inline]
    pub(in crate::graph) fn from(&self, offset: u32) -> &[AtomicU32] {
        let chunk = self.chunks.get(offset as usize / CHUNK).and_then(OnceLock::get);
        chunk.and_then(|words| words.get(offset as usize % CHUNK..)).unwrap_or_default()
    }

    /// Stores bytes, with their number before them.
    pub(in crate::graph) fn lay_bytes(&self, bytes: &[u8]) -> Option<u32> {
        let offset = self.allocate(bytes_taken(bytes) / 4)?;
        let words = self.from(offset);
        words.first()?.store(bytes.len() as u32, Ordering::Relaxed);
        for (word, value) in words[1..].iter().zip(words_of(bytes)) {
            word.store(value, Ordering::Relaxed);
        }
        Some(offset)
    }

    pub(in crate::graph) fn are_bytes(&self, offset: u32, bytes: &[u8]) -> bool {
        let Some((length, words)) = self.from(offset).split_first() else { return false };
        if length.load(Ordering::Relaxed) as usize != bytes.len() {
            return false;
        }
        // Nearly always they are: to look for the first word that differs would take longer.
        let (whole, rest) = bytes.as_chunks::<4>();
        let differing = words.iter().zip(whole).fold(0, |sum, (word, four)| {
            sum | (word.load(Ordering::Relaxed) ^ u32::from_le_bytes(*four))
        });
        let last = || words_of(rest).zip(&words[whole.len()..]);
        differing == 0 && last().all(|(value, word)| word.load(Ordering::Relaxed) == value)
    }

    pub(in crate::graph) fn bytes_at(&self, offset: u32) -> Vec<u8> {
        let Some((length, words)) = self.from(offset).split_first() else { return Vec::new() };
        let length = length.load(Ordering::Relaxed) as usize;
        let mut bytes = vec![0; length.next_multiple_of(4)];
        for (four, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *four = word.load(Ordering::Relaxed).to_le_bytes();
        }
        bytes.truncate(length);
        bytes
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        self.uncount(self.bytes());
    }
}

/// The bytes that stored bytes take, with their number before them.
fn bytes_taken(bytes: &[u8]) -> usize {
    4 + 4 * bytes.len().div_ceil(4)
}

/// Four bytes in each word; in the last up to four, and zeros.
fn words_of(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (whole, rest) = bytes.as_chunks::<4>();
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    let whole = whole.iter().map(|four| u32::from_le_bytes(*four));
    whole.chain((!rest.is_empty()).then_some(u32::from_le_bytes(last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_are_distinguished() {
        let words = Words::new(&Budget::new(1 << 20));
        let texts: [&[u8]; 4] = [b"", b"a", b"abcd", b"abcde"];
        let offsets = texts.map(|text| words.lay_bytes(text).unwrap());
        for (text, offset) in texts.iter().zip(offsets) {
            assert_eq!(words.bytes_at(offset), *text);
            for other in texts {
                assert_eq!(words.are_bytes(offset, other), other == *text);
            }
        }
    }

    #[test]
    fn no_piece_spans_two_chunks_and_the_bound_is_kept() {
        let bound = 4 * CHUNK as u64 * 4;
        let words = Words::new(&Budget::new(bound));
        let mut taken = 0;
        while let Some(offset) = words.allocate(1000) {
            assert!(words.from(offset).len() >= 1000);
            taken += 1;
        }
        // Three chunks of 65 pieces: the table of chunks takes a little of the fourth.
        assert_eq!(taken, 3 * 65);
        assert!(words.bytes() <= bound);
        assert_eq!(words.allocate(LARGEST + 1), None);
    }

    #[test]
    fn threads_get_different_words() {
        let words = Words::new(&Budget::new(8 << 20));
        std::thread::scope(|scope| {
            for mark in 1..=4 {
                let words = &words;
                scope.spawn(move || {
                    let mine: Vec<u32> = (0..5000).map_while(|_| words.allocate(7)).collect();
                    for &offset in &mine {
                        for word in &words.from(offset)[..7] {
                            word.store(mark, Ordering::Relaxed);
                        }
                    }
                    for &offset in &mine {
                        let at = &words.from(offset)[..7];
                        assert!(at.iter().all(|word| word.load(Ordering::Relaxed) == mark));
                    }
                });
            }
        });
    }
}
