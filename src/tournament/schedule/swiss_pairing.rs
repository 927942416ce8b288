//! Pairing of a Swiss round: the upper half of a score group meets its lower half, as in the Dutch
//! system (FIDE Handbook C.04.3), without its rules for colours.

use std::collections::BTreeSet;

/// How many pairings are tried before one more repeat is allowed.
const TRIES: usize = 20_000;

/// Pairs all agents, the best first in `ranked`, an even number; how many pairs have met before.
///
/// From the top each is paired with the one half a score group below, else with the nearest below
/// that, else with those between, else with a floater from the next group. A pairing that leaves
/// others with nobody new is taken back. Repeats are allowed only where there is no other way.
pub(super) fn pair(
    ranked: &[usize],
    scores: &[u32],
    met: &BTreeSet<(usize, usize)>,
) -> (Vec<(usize, usize)>, usize) {
    for repeats in 0..=ranked.len() / 2 {
        let mut search = Search { scores, met, tries: TRIES, pairs: Vec::new() };
        if search.pair(ranked, repeats) {
            return (search.pairs, repeats);
        }
    }
    // With as many repeats as pairs the first try succeeds, so this is not reached.
    (Vec::new(), 0)
}

struct Search<'a> {
    scores: &'a [u32],
    met: &'a BTreeSet<(usize, usize)>,
    tries: usize,
    pairs: Vec<(usize, usize)>,
}

impl Search<'_> {
    fn pair(&mut self, left: &[usize], repeats: usize) -> bool {
        let Some((&first, others)) = left.split_first() else { return true };
        for place in self.preferred(first, others) {
            if self.tries == 0 {
                return false;
            }
            let other = others[place];
            let again = usize::from(self.met.contains(&(first.min(other), first.max(other))));
            if again > repeats {
                continue;
            }
            self.tries -= 1;
            let mut rest = others.to_vec();
            rest.remove(place);
            self.pairs.push((first, other));
            if self.pair(&rest, repeats - again) {
                return true;
            }
            self.pairs.pop();
        }
        false
    }

    /// The places of those who may be paired with the first one, the best choice first.
    fn preferred(&self, first: usize, others: &[usize]) -> Vec<usize> {
        let same = |&&other: &&usize| self.scores[other] == self.scores[first];
        let group = others.iter().take_while(same).count();
        let half = group.div_ceil(2).saturating_sub(1);
        let upper = (0..half).rev();
        (half..group).chain(upper).chain(group..others.len()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_half_meets_the_lower_half() {
        let all: Vec<usize> = (0..8).collect();
        let (pairs, repeats) = pair(&all, &[0; 8], &BTreeSet::new());
        assert_eq!((pairs, repeats), (vec![(0, 4), (1, 5), (2, 6), (3, 7)], 0));
        // Two groups of three: the last of each has nobody, and they meet.
        let (pairs, _) = pair(&[0, 1, 2, 3, 4, 5], &[2, 2, 2, 0, 0, 0], &BTreeSet::new());
        assert_eq!(pairs, [(0, 1), (2, 3), (4, 5)]);
    }

    #[test]
    fn who_has_met_does_not_meet_again_while_there_are_others() {
        let met = BTreeSet::from([(0, 2), (1, 3)]);
        let (pairs, repeats) = pair(&[0, 1, 2, 3], &[0; 4], &met);
        assert_eq!((pairs, repeats), (vec![(0, 3), (1, 2)], 0));
        // Of six that met across two halves, each half is a triangle, and one pair must repeat.
        let met = (0..3).flat_map(|a| (3..6).map(move |b| (a, b))).collect();
        let (pairs, repeats) = pair(&[0, 1, 2, 3, 4, 5], &[0; 6], &met);
        assert_eq!((pairs.len(), repeats), (3, 1));
    }

    #[test]
    fn all_met_is_repeated_without_searching_for_ever() {
        let met = (0..40).flat_map(|a| (a + 1..40).map(move |b| (a, b))).collect();
        let all: Vec<usize> = (0..40).collect();
        assert_eq!(pair(&all, &[0; 40], &met).1, 20);
    }
}
