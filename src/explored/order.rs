//! Lists of different lengths in one list, and the sets of places that lead back to each other, in the order in
//! which a walk reaches them.

use std::ops::Range;

/// Lists, one behind the other.
#[derive(Clone, Debug)]
pub struct Lists<T> {
    /// Where each begins in `all`, and the end of the last.
    first: Vec<u32>,
    all: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists { first: vec![0], all: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// Adds the next list, and returns its number.
    pub fn push(&mut self, items: impl IntoIterator<Item = T>) -> usize {
        self.all.extend(items);
        // No machine has the memory for more items than 32 bits can count.
        self.first.push(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.len() - 1
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the items of a list are among those of all.
    pub(crate) fn range(&self, row: usize) -> Range<usize> {
        match (self.first.get(row), self.first.get(row + 1)) {
            (Some(&from), Some(&to)) => from as usize..to as usize,
            // A list that was never pushed is empty.
            _ => 0..0,
        }
    }

    /// The items of a list.
    pub fn of(&self, row: usize) -> &[T] {
        &self.all[self.range(row)]
    }

    pub(crate) fn all(&self) -> &[T] {
        &self.all
    }

    pub(crate) fn replace(&mut self, other: impl Fn(&T) -> T) {
        self.all.iter_mut().for_each(|item| *item = other(item));
    }

    pub(crate) fn shrink(&mut self) {
        self.first.shrink_to_fit();
        self.all.shrink_to_fit();
    }
}

/// Sets of places, each sorted, in an order in which no set is reached from a later one.
#[derive(Default)]
pub(crate) struct Components {
    places: Vec<u32>,
    /// The end of each set in `places`, in the order in which they were found.
    ends: Vec<u32>,
}

impl Components {
    /// The sets in the order of the walk.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &[u32]> {
        // Tarjan's method finds what is last first.
        (0..self.ends.len()).rev().map(|i| {
            let from = if i == 0 { 0 } else { self.ends[i - 1] };
            &self.places[from as usize..self.ends[i] as usize]
        })
    }
}

/// Whether a set is one place that does not lead to itself.
pub(crate) fn is_passed<I: Iterator<Item = u32>>(places: &[u32], steps: impl Fn(u32) -> I) -> bool {
    matches!(places, [one] if steps(*one).all(|to| to != *one))
}

/// No number yet: the place was not seen.
const UNSEEN: u32 = u32::MAX;
/// The place is in a component.
const CLOSED: u32 = u32::MAX;

/// The strongly connected components of what can be reached from some places by the steps of each (Tarjan, SIAM
/// Journal on Computing 1, 1972), with a list of its own in the place of recursion, since a walk may be a million
/// steps long. All places are below `len`. At each step it asks whether it may continue; `None` where not.
pub(crate) fn components_while<I: Iterator<Item = u32>>(
    len: usize,
    starts: impl IntoIterator<Item = u32>,
    steps: impl Fn(u32) -> I,
    may_continue: &dyn Fn() -> bool,
) -> Option<Components> {
    let mut found = Components::default();
    // The order in which places were first seen.
    let mut order = vec![UNSEEN; len];
    // The earliest place still open that a place leads back to.
    let mut earliest = vec![0u32; len];
    // The places that are in no component yet, and the way to the present one with the steps it has left.
    let mut open: Vec<u32> = Vec::new();
    let mut way: Vec<(u32, I)> = Vec::new();
    let mut seen = 0;
    let mut enter = |place: u32, order: &mut [u32], earliest: &mut [u32], open: &mut Vec<u32>| {
        order[place as usize] = seen;
        earliest[place as usize] = seen;
        seen += 1;
        open.push(place);
        (place, steps(place))
    };
    for start in starts {
        if order.get(start as usize) != Some(&UNSEEN) {
            continue;
        }
        way.push(enter(start, &mut order, &mut earliest, &mut open));
        while let Some((place, left)) = way.last_mut() {
            let here = *place as usize;
            if let Some(to) = left.next() {
                if !may_continue() {
                    return None;
                }
                let there = to as usize;
                if order[there] == UNSEEN {
                    way.push(enter(to, &mut order, &mut earliest, &mut open));
                } else if earliest[there] != CLOSED {
                    earliest[here] = earliest[here].min(order[there]);
                }
                continue;
            }
            way.pop();
            if let Some((before, _)) = way.last() {
                let before = *before as usize;
                earliest[before] = earliest[before].min(earliest[here]);
            }
            if earliest[here] == order[here] {
                let from = found.places.len();
                while let Some(last) = open.pop() {
                    earliest[last as usize] = CLOSED;
                    found.places.push(last);
                    if last as usize == here {
                        break;
                    }
                }
                found.places[from..].sort_unstable();
                found.ends.push(found.places.len() as u32);
            }
        }
    }
    Some(found)
}

/// The same to the end.
pub(crate) fn components<I: Iterator<Item = u32>>(
    len: usize,
    starts: impl IntoIterator<Item = u32>,
    steps: impl Fn(u32) -> I,
) -> Components {
    components_while(len, starts, steps, &|| true).unwrap_or_default()
}
