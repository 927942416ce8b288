//! The utilities after a forfeit: those of the worst end of the scenario for the agent that erred,
//! however the game went before.

use std::collections::BTreeSet;

/// The ends of a scenario, as far as they are known: seat -> utility.
///
/// Where the graph of the scenario is whole they are all there are; else those of a fixed number of
/// random playouts. So what a forfeit costs does not depend on the games before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ScenarioEnds(Vec<Vec<f64>>);

impl ScenarioEnds {
    /// The different ends among these.
    pub(super) fn of(utilities: impl IntoIterator<Item = Vec<f64>>) -> ScenarioEnds {
        let bits = |end: Vec<f64>| -> Vec<u64> {
            // One 0 for both of them.
            end.into_iter().map(|number| (number + 0.0).to_bits()).collect()
        };
        let ends: BTreeSet<Vec<u64>> = utilities.into_iter().map(bits).collect();
        ScenarioEnds(
            ends.into_iter().map(|end| end.into_iter().map(f64::from_bits).collect()).collect(),
        )
    }

    /// What each seat has where the agents in the seats of `lost` forfeit, of which the one in
    /// `erred` erred.
    ///
    /// Each seat of `lost` has the least that it has at any end. Each other one has the mean of what
    /// it has at the ends that are worst for the one that erred; where that is no more than what
    /// that one has, the most that it has at any end.
    pub(super) fn forfeited(&self, erred: usize, lost: &[usize], seats: usize) -> Vec<f64> {
        let at = |end: &Vec<f64>, seat: usize| end.get(seat).copied().unwrap_or_default();
        let all = |seat: usize| self.0.iter().map(move |end| at(end, seat));
        let least = |seat: usize| all(seat).reduce(f64::min).unwrap_or_default();
        let most = |seat: usize| all(seat).reduce(f64::max).unwrap_or_default();
        let worst = least(erred);
        let ends: Vec<&Vec<f64>> = self.0.iter().filter(|end| at(end, erred) == worst).collect();
        let of = |seat: usize| {
            if lost.contains(&seat) {
                return least(seat);
            }
            let sum: f64 = ends.iter().map(|end| at(end, seat)).sum();
            let mean = sum / ends.len().max(1) as f64;
            if mean > worst { mean } else { most(seat) }
        };
        (0..seats).map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(ends: &[[f64; 3]]) -> ScenarioEnds {
        ScenarioEnds::of(ends.iter().map(|end| end.to_vec()))
    }

    #[test]
    fn who_forfeits_has_the_worst_and_the_others_what_is_left() {
        let known = ends(&[
            [3.0, -1.0, -2.0],
            [-4.0, 3.0, 1.0],
            [-4.0, 1.0, 3.0],
            [-4.0, 1.0, 3.0],
            [0.0, 0.0, 0.0],
        ]);
        // The two different ends that are worst for the first leave the others (3 + 1) / 2 each.
        assert_eq!(known.forfeited(0, &[0], 3), [-4.0, 2.0, 2.0]);
        // The one end that is worst for the last leaves the first 3, and the second -1.
        assert_eq!(known.forfeited(2, &[2], 3), [3.0, -1.0, -2.0]);
        // Whoever holds two seats loses both.
        assert_eq!(known.forfeited(2, &[1, 2], 3), [3.0, -1.0, -2.0]);
    }

    #[test]
    fn nobody_gains_by_a_forfeit() {
        // The end that is worst for the first is worse for the second: it has its best instead.
        let known = ends(&[[-1.0, -5.0, 0.0], [2.0, 1.0, 0.0]]);
        assert_eq!(known.forfeited(0, &[0], 3), [-1.0, 1.0, 0.0]);
        assert_eq!(ScenarioEnds::default().forfeited(0, &[0], 2), [0.0, 0.0]);
    }

    #[test]
    fn the_order_in_which_ends_were_met_changes_nothing() {
        let one = [[0.1, 0.2, 0.3], [0.3, -0.0, 0.7], [0.1, 0.6, 0.9]];
        let other = [one[2], [0.3, 0.0, 0.7], one[0], one[0]];
        assert_eq!(ends(&one), ends(&other));
    }
}
