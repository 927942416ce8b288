//! Checksums of the rows of a file of results, so that no damage changes the standings unseen.
//!
//! A row has a hash, and a block of rows the exclusive or of theirs and their number: rows can be added
//! in any order, and what is written is a block's difference. The hash chains the finalizer of
//! SplitMix64, which any flipped bit changes.

use std::path::Path;

use hashbrown::HashMap;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rusqlite::{Connection, OptionalExtension, params};

use super::fault;
use crate::error::Error;

/// This many games of a seating are in a block.
pub(super) const BLOCK: u64 = 128;

/// The tables that are one block each, by the number of the block; their seating is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WholeTable {
    Meta = 1,
    Seatings = 2,
    Endings = 3,
    Exact = 4,
}

/// A block: its seating, and its number.
pub(super) type BlockId = (i64, i64);

impl WholeTable {
    pub(super) fn block(self) -> BlockId {
        (0, self as i64)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    rows: i64,
    hashes: u64,
}

impl Sum {
    pub(super) fn add(&mut self, hash: u64) {
        self.rows += 1;
        self.hashes ^= hash;
    }

    pub(super) fn remove(&mut self, hash: u64) {
        self.rows -= 1;
        self.hashes ^= hash;
    }

    fn and(self, other: Sum) -> Sum {
        Sum { rows: self.rows + other.rows, hashes: self.hashes ^ other.hashes }
    }
}

/// What has been added to blocks since they were written last.
#[derive(Debug, Default)]
pub(super) struct Ledger(HashMap<BlockId, Sum>);

impl Ledger {
    /// The difference of a block, to be added to.
    pub(super) fn of(&mut self, block: BlockId) -> &mut Sum {
        self.0.entry(block).or_default()
    }

    pub(super) fn write(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        // SQLite has no exclusive or.
        let mut statement = connection.prepare_cached(
            "INSERT INTO sums VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET \
             rows = rows + ?3, sum = (sum | ?4) - (sum & ?4)",
        )?;
        for ((seating, block), Sum { rows, hashes }) in self.0.drain() {
            statement.execute(params![seating, block, rows, hashes as i64])?;
        }
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Compares the rows that were read of a block with those that were written.
    pub(super) fn verify(
        &self,
        connection: &Connection,
        path: &Path,
        block: BlockId,
        read: Sum,
    ) -> Result<(), Error> {
        let find = || {
            let select = "SELECT rows, sum FROM sums WHERE seating = ?1 AND block = ?2";
            connection
                .prepare_cached(select)?
                .query_row([block.0, block.1], |row| {
                    Ok(Sum { rows: row.get(0)?, hashes: row.get::<_, i64>(1)? as u64 })
                })
                .optional()
        };
        let written = find().map_err(fault::read(path))?.unwrap_or_default();
        let waiting = self.0.get(&block).copied().unwrap_or_default();
        if written.and(waiting) == read { Ok(()) } else { Err(fault::damaged(path)) }
    }
}

pub(super) fn numbers(all: &[u64]) -> u64 {
    all.iter().fold(all.len() as u64, |hash, &number| mix(hash ^ number))
}

pub(super) fn texts(all: &[&str]) -> u64 {
    all.iter().fold(all.len() as u64, |hash, text| {
        let chunks = text.as_bytes().chunks(8).map(|chunk| {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(bytes)
        });
        chunks.fold(mix(hash ^ text.len() as u64), |hash, number| mix(hash ^ number))
    })
}

/// One step of SplitMix64 (Steele, Lea and Flood 2014): adds its constant and mixes.
fn mix(number: u64) -> u64 {
    SplitMix64::seed_from_u64(number).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_flipped_bit_changes_a_hash() {
        let known = [7, 3, 0, u64::MAX];
        let text = "a letter to a friend";
        for at in 0..256 {
            let mut flipped = known;
            flipped[at / 64] ^= 1 << (at % 64);
            assert_ne!(numbers(&flipped), numbers(&known));
        }
        for at in 0..text.len() * 7 {
            let mut flipped = text.as_bytes().to_vec();
            flipped[at / 7] ^= 1 << (at % 7);
            assert_ne!(texts(&[std::str::from_utf8(&flipped).unwrap()]), texts(&[text]));
        }
        // Where one text ends and the next begins counts too.
        assert_ne!(texts(&["ab", "c"]), texts(&["a", "bc"]));
    }
}
