//! The statistics of a search: how often each option was picked, and the utilities that followed.

use hashbrown::HashMap;

use crate::handlers::Generator;

/// The statistics of a search. Utilities are compared in the range that was seen of each player's.
#[derive(Default)]
pub(super) struct SearchTree {
    entries: Vec<TreeEntry>,
    options: Vec<Tried>,
    known: HashMap<u64, u32>,
    /// Each player's least and greatest utility, by the numbers by which nodes know players.
    ranges: Vec<(f64, f64)>,
    simulation: u32,
}

/// A decision of a player.
struct TreeEntry {
    actor: u32,
    /// The index of its first option.
    first: u32,
    count: u32,
    visits: u32,
    /// How many of the options were never picked.
    untried: u32,
    /// The simulation that was here last.
    last: u32,
}

/// An option of a decision.
#[derive(Clone, Copy, Default)]
struct Tried {
    visits: u32,
    sum: f64,
}

/// How much is explored: the factor of `sqrt(ln n / n_i)`, with utilities from 0 to 1.
const EXPLORES: f64 = 0.7;

impl SearchTree {
    /// Makes an entry for a decision: its number, and that it is new.
    pub(super) fn entry(&mut self, actor: u32, options: usize) -> (u32, bool) {
        let number = self.entries.len() as u32;
        let (first, count) = (self.options.len() as u32, options as u32);
        self.entries.push(TreeEntry { actor, first, count, visits: 0, untried: count, last: 0 });
        self.options.resize(self.options.len() + options, Tried::default());
        let actors = self.ranges.len().max(actor as usize + 1);
        self.ranges.resize(actors, (f64::INFINITY, f64::NEG_INFINITY));
        (number, true)
    }

    /// Maps a key to an entry.
    pub(super) fn know(&mut self, key: u64, entry: u32) {
        self.known.insert(key, entry);
    }

    /// The entry of a key, and whether nobody has picked there yet.
    #[inline]
    pub(super) fn known(&self, key: u64) -> Option<(u32, bool)> {
        let &entry = self.known.get(&key)?;
        Some((entry, self.entries[entry as usize].visits == 0))
    }

    /// A simulation begins.
    pub(super) fn begin(&mut self) {
        self.simulation += 1;
    }

    /// Enters a decision; false where this simulation was there already.
    #[inline]
    pub(super) fn enter(&mut self, entry: u32) -> bool {
        let last = &mut self.entries[entry as usize].last;
        std::mem::replace(last, self.simulation) != self.simulation
    }

    /// Picks an option: at random one that was never picked; else that of the highest upper bound.
    #[inline]
    pub(super) fn pick(&mut self, entry: u32, lots: &mut Generator) -> usize {
        let entry = &self.entries[entry as usize];
        let options = &self.options[entry.first as usize..][..entry.count as usize];
        if entry.untried > 0 {
            let nth = lots.index(entry.untried as usize);
            let mut untried = (0..options.len()).filter(|&option| options[option].visits == 0);
            return untried.nth(nth).unwrap_or_default();
        }
        let (low, high) = self.ranges[entry.actor as usize];
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        let log = EXPLORES * EXPLORES * f64::from(entry.visits).ln();
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (option, tried) in options.iter().enumerate() {
            let share = 1.0 / f64::from(tried.visits);
            let bound = (tried.sum * share - low) * scale + (log * share).sqrt();
            if bound > highest {
                (best, highest) = (option, bound);
            }
        }
        best
    }

    /// Adds the utilities at the end of a simulation to the options on its path.
    #[inline]
    pub(super) fn learn(&mut self, path: &[(u32, u32)], utility: &[f64]) {
        for &(entry, option) in path {
            let entry = &mut self.entries[entry as usize];
            let number = utility.get(entry.actor as usize).copied().unwrap_or_default();
            // Only players on the way: of others the graph may not even know yet that they play.
            let range = &mut self.ranges[entry.actor as usize];
            *range = (range.0.min(number), range.1.max(number));
            let tried = &mut self.options[(entry.first + option) as usize];
            entry.visits += 1;
            entry.untried -= u32::from(tried.visits == 0);
            tried.visits += 1;
            tried.sum += number;
        }
    }

    /// The option most often picked; of several the first.
    pub(super) fn most_visited(&self, entry: u32) -> usize {
        let entry = &self.entries[entry as usize];
        let options = &self.options[entry.first as usize..][..entry.count as usize];
        let most = options.iter().map(|tried| tried.visits).max().unwrap_or_default();
        options.iter().position(|tried| tried.visits == most).unwrap_or_default()
    }
}
