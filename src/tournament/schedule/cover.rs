//! Groups agents at tables of several seats until every two agents have met.

use std::collections::BTreeSet;

/// Groups of `size` agents in which every two meet at least once, in a fixed order; every pair
/// where the size is 2, and all at one table where it seats them.
///
/// Method: greedy covering. Each group begins with the first two that have not met, and is filled
/// with the agent that has met the fewest of the group, of these the one in the fewest groups.
pub(super) fn groups(agents: usize, size: usize) -> Vec<Vec<usize>> {
    if agents <= size {
        return vec![(0..agents).collect()];
    }
    if size <= 2 {
        return (0..agents).flat_map(|a| (a + 1..agents).map(move |b| vec![a, b])).collect();
    }
    let mut unmet: BTreeSet<(usize, usize)> =
        (0..agents).flat_map(|a| (a + 1..agents).map(move |b| (a, b))).collect();
    let mut played = vec![0usize; agents];
    let mut groups = Vec::new();
    while let Some(&(a, b)) = unmet.first() {
        let mut group = vec![a, b];
        while group.len() < size {
            let met = |agent: usize| {
                group.iter().filter(|&&other| !unmet.contains(&ordered(agent, other))).count()
            };
            let free = (0..agents).filter(|agent| !group.contains(agent));
            match free.min_by_key(|&agent| (met(agent), played[agent], agent)) {
                Some(agent) => group.push(agent),
                None => break,
            }
        }
        group.sort();
        for (i, &one) in group.iter().enumerate() {
            played[one] += 1;
            group.iter().skip(i + 1).for_each(|&other| _ = unmet.remove(&(one, other)));
        }
        groups.push(group);
    }
    groups
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody() {
        for (agents, size) in [(2, 2), (5, 2), (2, 4), (4, 4), (7, 3), (9, 4), (20, 5)] {
            let groups = groups(agents, size);
            for a in 0..agents {
                for b in a + 1..agents {
                    let meets = |group: &&Vec<usize>| group.contains(&a) && group.contains(&b);
                    assert!(groups.iter().any(|group| meets(&group)), "{agents} {size}: {a} {b}");
                }
            }
            let seated = groups.iter().all(|group| group.len() == size.min(agents));
            assert!(seated, "{groups:?}");
        }
        assert_eq!(groups(3, 2), [[0, 1], [0, 2], [1, 2]]);
    }

    #[test]
    fn seven_at_tables_of_three_need_seven() {
        // The Fano plane: no two meet twice.
        assert_eq!(groups(7, 3).len(), 7);
    }
}
