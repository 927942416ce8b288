//! Tests of the probabilities of ending and of expected visits, through cycles of every kind.

use num_bigint::BigInt;
use num_traits::{One, Zero};
use proptest::prelude::*;

use super::*;
use crate::analysis::equilibrium::solve_equations;
use crate::number::{Exact, Fraction, Interval};

/// A row for each place: the nodes that follow, with their parts of a whole.
type Chances<'a> = &'a [(&'a [(usize, u32)], u32)];

/// The expected visits in lowest terms, from node 0; enclosures are checked on the way.
fn fractions(rows: Chances) -> Vec<String> {
    let exact = solved::<Exact>(rows).unwrap();
    let around = solved::<Interval>(rows).unwrap();
    for (exact, around) in exact.iter().zip(around) {
        let fraction = exact.to_fraction();
        assert!(around.encloses(&fraction) && around.width() < 1e-12, "{around:?} {fraction}");
    }
    exact.iter().map(|amount| amount.to_fraction().to_string()).collect()
}

fn visits_in<A: Amount>(walk: &Lists<(u32, A)>, bound: usize) -> Result<Vec<A>, VisitsError> {
    let (mut to, mut chances) = (Lists::default(), Vec::new());
    for place in 0..walk.len() {
        to.push(walk.of(place).iter().map(|(to, _)| *to));
        chances.extend(walk.of(place).iter().map(|(_, chance)| chance.clone()));
    }
    visits((&to, &chances), 0, bound, &|| true)
}

fn solved<A: Amount>(rows: Chances) -> Result<Vec<A>, VisitsError> {
    let mut walk = Lists::default();
    for (steps, whole) in rows {
        let chance = |part: u32| A::ratio(&part.into(), &(*whole).into());
        walk.push(steps.iter().map(|(to, part)| (*to as u32, chance(*part))));
    }
    visits_in(&walk, 1000)
}

#[test]
fn two_ways_to_the_same_end_are_added() {
    // 1/2 at once; 1/2 to a node from which 2/3 go there too: 1/2 + 1/2 · 2/3 = 5/6.
    let rows: Chances = &[(&[(1, 1), (2, 1)], 2), (&[], 1), (&[(1, 2), (3, 1)], 3), (&[], 1)];
    assert_eq!(fractions(rows), ["1", "5/6", "1/2", "1/6"]);
}

#[test]
fn a_gambler_is_ruined_as_the_formula_says() {
    // With chances p = 2/3 up and q = 1/3 down, from 2 between 0 and 5, the chance h(i) of ruin
    // has h(i) = p h(i+1) + q h(i-1), h(0) = 1, h(5) = 0. With r = q/p = 1/2 that is
    // h(i) = (r^i - r^5) / (1 - r^5), so h(2) = (1/4 - 1/32) / (31/32) = 7/31.
    // Nodes: 0 has 2, 1 has 1, 2 has 3, 3 has 4, 4 is ruin, 5 is riches.
    let rows: Chances = &[
        (&[(2, 2), (1, 1)], 3),
        (&[(0, 2), (4, 1)], 3),
        (&[(3, 2), (0, 1)], 3),
        (&[(5, 2), (2, 1)], 3),
    ];
    assert_eq!(fractions(rows)[4..], ["7/31", "24/31"]);
}

#[test]
fn ties_are_rolled_again() {
    // Two dice: 15 of 36 are higher, 15 lower, 6 a tie: 15/30 each, after 36/30 rolls.
    let rows: Chances = &[(&[(0, 6), (1, 15), (2, 15)], 36)];
    assert_eq!(fractions(rows), ["6/5", "1/2", "1/2"]);
}

#[test]
fn a_cycle_within_a_cycle_is_left() {
    // a: half to b, half ends at x. b: a third each to a, to c, to the end y. c: half to b, half
    // stays. c = b/3 + c/2, so c = 2b/3; b = a/2 + c/2 = a/2 + b/3, so b = 3a/4;
    // a = 1 + b/3 = 1 + a/4, so a = 4/3, b = 1, c = 2/3, x = a/2 = 2/3, y = b/3 = 1/3.
    let rows: Chances =
        &[(&[(1, 1), (3, 1)], 2), (&[(0, 1), (2, 1), (4, 1)], 3), (&[(1, 1), (2, 1)], 2)];
    assert_eq!(fractions(rows), ["4/3", "1", "2/3", "2/3", "1/3"]);
}

#[test]
fn two_cycles_follow_each_other() {
    // Heads leads on, tails back to the start of each pair: a pair {0, 1} of which 1 continues, or
    // back, takes 2 visits of each; the pair {2, 3} behind it the same.
    let rows: Chances =
        &[(&[(1, 1)], 1), (&[(0, 1), (2, 1)], 2), (&[(3, 1)], 1), (&[(2, 1), (4, 1)], 2)];
    assert_eq!(fractions(rows), ["2", "2", "2", "2", "1"]);
}

#[test]
fn a_walk_of_a_million_steps_needs_no_stack() {
    let mut walk = Lists::default();
    for node in 0..1_000_000 {
        walk.push([(node + 1, Interval::one())]);
    }
    assert_eq!(visits_in(&walk, 1).unwrap()[1_000_000], Interval::one());
}

#[test]
fn a_start_that_is_an_end_ends_there() {
    assert_eq!(visits_in(&Lists::<(u32, Exact)>::default(), 1).unwrap(), [Exact::one()]);
}

#[test]
fn cycles_without_a_way_out_or_too_large_are_refused() {
    let endless: Chances = &[(&[(1, 1), (2, 1)], 2), (&[], 1), (&[(3, 1)], 1), (&[(2, 1)], 1)];
    assert_eq!(solved::<Exact>(endless), Err(VisitsError::Endless { size: 2, place: 2 }));
    let itself: Chances = &[(&[(0, 1)], 1)];
    assert_eq!(solved::<Exact>(itself), Err(VisitsError::Endless { size: 1, place: 0 }));
    // What the walk cannot reach does not matter.
    let aside: Chances = &[(&[(1, 1), (2, 0)], 1), (&[], 1), (&[(2, 1)], 1)];
    assert_eq!(fractions(aside), ["1", "1", "0"]);

    let mut ring = Lists::default();
    let half = Interval::exact(0.5);
    for node in 0..10 {
        ring.push([((node + 1) % 10, half), (10, half)]);
    }
    let error = visits_in(&ring, 9).unwrap_err();
    assert_eq!(error, VisitsError::Large { size: 10, bound: 9, place: 0 });
    assert_eq!(
        error.to_string(),
        "10 states form a cycle, more than the 9 that can be solved together"
    );
    assert!(visits_in(&ring, 10).is_ok());
}

/// The expected visits of the nodes that are no ends, by elimination with subtraction: v is
/// e + Pᵀ v, where e is 1 at node 0.
fn by_equations(rows: &[Vec<(usize, u32)>]) -> Vec<Fraction> {
    let n = rows.len();
    let mut matrix = vec![vec![Fraction::zero(); n + 1]; n];
    matrix[0][n] = Fraction::one();
    for (from, steps) in rows.iter().enumerate() {
        matrix[from][from] += Fraction::one();
        let whole: u32 = steps.iter().map(|(_, part)| part).sum();
        for (to, part) in steps.iter().filter(|(to, _)| *to < n) {
            matrix[*to][from] -= Fraction::new(BigInt::from(*part), BigInt::from(whole));
        }
    }
    solve_equations(matrix, &|| true).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn random_chains_agree_with_their_equations(
        rows in prop::collection::vec(
            (prop::collection::vec((0usize..12, 1u32..200), 0..5), 10usize..12, 1u32..40), 1..10)
    ) {
        // Every node has a step to one of two ends, so that every cycle can be left.
        let rows: Vec<Vec<(usize, u32)>> = rows.into_iter().map(|(mut steps, end, part)| {
            steps.push((end, part));
            steps
        }).collect();
        let rows: Vec<Vec<(usize, u32)>> = rows.iter().map(|steps| {
            steps.iter().map(|(to, part)| (if *to < rows.len() { *to } else { rows.len() + to % 2 }, *part)).collect()
        }).collect();
        let table: Vec<(&[(usize, u32)], u32)> = rows.iter()
            .map(|steps| (&steps[..], steps.iter().map(|(_, part)| part).sum()))
            .collect();
        let exact = solved::<Exact>(&table).unwrap();
        let around = solved::<Interval>(&table).unwrap();
        let expected = by_equations(&rows);
        let mut ends = Fraction::zero();
        for (node, amount) in exact.iter().enumerate() {
            let fraction = amount.to_fraction();
            prop_assert!(around[node].encloses(&fraction));
            prop_assert!(around[node].width() <= around[node].low * 1e-11);
            match expected.get(node) {
                Some(expected) => prop_assert_eq!(&fraction, expected),
                None => ends += fraction,
            }
        }
        // Something happens in the end.
        prop_assert_eq!(ends, Fraction::one());
        // What can be expected at a place is that of where it leads; at the beginning each end counts as often as it comes.
        let step = |(to, part): &(usize, u32)| (*to as u32, u64::from(*part));
        let mut places: Vec<Vec<(u32, u64)>> =
            rows.iter().map(|steps| steps.iter().map(step).collect()).collect();
        places.extend([vec![], vec![]]);
        let game = ExploredGame::of(&places);
        let worths = [[5u8, 1], [0, 3]].map(|both| both.map(|one| Exact::ratio(&one.into(), &2u8.into())));
        let mut worth = vec![Exact::zero(); 2 * places.len()];
        worth[2 * rows.len()..].clone_from_slice(&worths.concat());
        let mut about: Vec<f64> = worth.iter().map(Exact::about).collect();
        game.expect((&mut worth, 2), &|| true).unwrap();
        game.expect((&mut about, 2), &|| true).unwrap();
        let worth: Vec<Fraction> = worth.iter().map(Exact::to_fraction).collect();
        for number in 0..2 {
            for (place, steps) in rows.iter().enumerate() {
                let whole: u32 = steps.iter().map(|(_, part)| part).sum();
                let part = |part: u32| Fraction::new(part.into(), whole.into());
                let after = steps.iter().map(|(to, often)| part(*often) * &worth[2 * to + number]);
                prop_assert_eq!(&worth[2 * place + number], &after.sum::<Fraction>());
                let near = crate::number::about(&worth[2 * place + number]);
                prop_assert!((about[2 * place + number] - near).abs() < 1e-9);
            }
            let of_end = |end: usize| exact.get(rows.len() + end).map(Exact::to_fraction).unwrap_or_default();
            let ends = [0, 1].map(|end| of_end(end) * worths[end][number].to_fraction());
            prop_assert_eq!(&worth[number], &ends.iter().sum::<Fraction>());
        }
    }
}
