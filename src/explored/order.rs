//! Lists of different lengths in one list; the sets of places that lead back to each other, in the order in which a walk
//! reaches them; and those that can be kept from leaving for ever (end components), with the shortest loop among them.

use std::collections::VecDeque;
use std::ops::Range;

use hashbrown::HashMap;

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

/// The ways that can be chosen at a place, each with all places that it may lead to. What is none of the places
/// is outside.
pub(crate) type PlaceWays = Vec<Vec<usize>>;

/// Whether a way leads nowhere but to places of a set.
fn stays(way: &[usize], inside: impl Fn(usize) -> bool) -> bool {
    way.iter().all(|&to| inside(to))
}

/// The largest parts of a sorted set of places that can be kept from leaving, and lead back to each other;
/// nothing where the search may not continue.
pub(crate) fn lasting_sets(
    ways: &[PlaceWays],
    set: Vec<usize>,
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<Vec<usize>>> {
    let (mut open, mut found) = (vec![set], Vec::new());
    while let Some(set) = open.pop() {
        if !may_continue() {
            return None;
        }
        let kept = kept_inside(ways, &set);
        let staying = |own: u32| {
            let ways = ways[kept[own as usize]].iter();
            let ways = ways.filter(|way| stays(way, |at| kept.binary_search(&at).is_ok()));
            let inside = ways.flatten().filter_map(|at| kept.binary_search(at).ok());
            inside.map(|own| own as u32)
        };
        let parts = components(kept.len(), 0..kept.len() as u32, staying);
        let lasts = |part: &&[u32]| match part {
            [one] => staying(*one).any(|to| to == *one),
            _ => true,
        };
        let named = |part: &[u32]| part.iter().map(|&own| kept[own as usize]).collect();
        let parts: Vec<Vec<usize>> = parts.iter().filter(lasts).map(named).collect();
        match &parts[..] {
            [one] if one.len() == set.len() => found.push(set),
            _ => open.extend(parts),
        }
    }
    Some(found)
}

/// The places of a sorted set that can be kept from leaving it. Where something is given, all that may follow must
/// lead back (de Alfaro, "Formal Verification of Probabilistic Systems", 1997).
pub(crate) fn kept_inside(ways: &[PlaceWays], set: &[usize]) -> Vec<usize> {
    let number = |at: usize| set.binary_search(&at).ok();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); set.len()];
    for (own, &at) in set.iter().enumerate() {
        let inside = ways[at].iter().flatten().filter_map(|&to| number(to));
        inside.for_each(|to| before[to].push(own));
    }
    let mut kept = vec![true; set.len()];
    let mut open: Vec<usize> = (0..set.len()).collect();
    while let Some(own) = open.pop() {
        let inside = |at: usize| number(at).is_some_and(|own| kept[own]);
        if kept[own] && !ways[set[own]].iter().any(|way| stays(way, inside)) {
            kept[own] = false;
            open.extend(&before[own]);
        }
    }
    set.iter().zip(kept).filter(|(_, kept)| *kept).map(|(&at, _)| at).collect()
}

/// The shortest loop within any of these sets, which are sorted: its places from the first on. Of loops as short, the
/// one with the first place. Where the search may not continue it is the shortest so far.
pub(crate) fn shortest_loop(
    ways: &[PlaceWays],
    sets: &[Vec<usize>],
    may_continue: &dyn Fn() -> bool,
) -> Option<Vec<usize>> {
    let starts = sets.iter().flat_map(|set| set.iter().map(move |&start| (start, set)));
    let mut starts: Vec<(usize, &Vec<usize>)> = starts.collect();
    starts.sort_unstable_by_key(|(start, _)| *start);
    let mut best: Option<Vec<usize>> = None;
    for (start, set) in starts {
        if !may_continue() {
            break;
        }
        let fewer = best.as_ref().map_or(usize::MAX, Vec::len);
        best = loop_from(ways, (start, set), fewer).or(best);
    }
    best
}

/// The shortest loop from a place through later ones of its set, if it has fewer than this many places.
fn loop_from(
    ways: &[PlaceWays],
    (start, set): (usize, &[usize]),
    fewer: usize,
) -> Option<Vec<usize>> {
    let mut before: HashMap<usize, (usize, usize)> = HashMap::from_iter([(start, (start, 1))]);
    let mut open = VecDeque::from([start]);
    while let Some(place) = open.pop_front() {
        let length = before[&place].1;
        if length >= fewer {
            return None;
        }
        for &to in ways[place].iter().flatten() {
            if to == start {
                let back = |at: &usize| (*at != start).then(|| before[at].0);
                let mut places: Vec<usize> = std::iter::successors(Some(place), back).collect();
                places.reverse();
                return Some(places);
            }
            if to > start && set.binary_search(&to).is_ok() && !before.contains_key(&to) {
                before.insert(to, (place, length + 1));
                open.push_back(to);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places with where they lead; at odd ones something falls.
    fn found(board: &[&[usize]]) -> (Vec<Vec<usize>>, Option<Vec<usize>>) {
        let ways = |(place, steps): (usize, &&[usize])| match place % 2 {
            _ if steps.is_empty() => Vec::new(),
            0 => steps.iter().map(|&to| vec![to]).collect(),
            _ => vec![steps.to_vec()],
        };
        let ways: Vec<PlaceWays> = board.iter().enumerate().map(ways).collect();
        let sets = lasting_sets(&ways, (0..board.len()).collect(), &|| true).unwrap();
        let shortest = shortest_loop(&ways, &sets, &|| true);
        (sets, shortest)
    }

    #[test]
    fn a_loop_that_a_roll_may_leave_is_none_that_players_can_walk_for_ever() {
        // 0 leads to 1, which may lead back or to the end 2.
        assert_eq!(found(&[&[1], &[0, 2], &[]]), (vec![], None));
        // With every roll leading back it is.
        assert_eq!(found(&[&[1, 2], &[0, 0], &[]]), (vec![vec![0, 1]], Some(vec![0, 1])));
    }

    #[test]
    fn the_shortest_loop_is_found_and_of_those_as_short_the_first() {
        // 0 to 2 to 4 and back; 4 to 6 and back.
        let board: [&[usize]; 9] = [&[2], &[], &[4], &[], &[0, 6], &[], &[4], &[], &[]];
        assert_eq!(found(&board).1, Some(vec![4, 6]));
    }

    #[test]
    fn a_search_that_may_not_continue_finds_nothing() {
        let ways: Vec<PlaceWays> = vec![vec![vec![0]]];
        assert_eq!(lasting_sets(&ways, vec![0], &|| false), None);
        assert_eq!(shortest_loop(&ways, &[vec![0]], &|| false), None);
        assert_eq!(shortest_loop(&ways, &[vec![0]], &|| true), Some(vec![0]));
    }
}
