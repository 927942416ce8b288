//! Tests the bounds, and the picks that go with them, against every positional play of either side.

use proptest::prelude::*;

use super::*;
use crate::analysis::equilibrium::matrix::solve_equations;
use crate::number::Amount;

/// The kind of each place, and the places that follow: 0 to 2 are endings worth -1, 0 and 1, 3 is
/// chance, 4 and 5 the sides.
type Places = Vec<(usize, Vec<usize>)>;

const ENDS: [f64; 3] = [-1.0, 0.0, 1.0];
const MOST: usize = 4;
const LEAST: usize = 5;

fn game(places: &Places) -> StochasticGame {
    let mut game = StochasticGame::default();
    for (kind, to) in places {
        let share = Interval::ratio(&1u32.into(), &(to.len() as u32).into());
        let (mover, share) = match *kind {
            end @ 0..=2 => (Mover::End(end as u32), share),
            MOST => (Mover::MOST, Interval::one()),
            LEAST => (Mover::LEAST, Interval::one()),
            _ => (Mover::Chance, share),
        };
        let steps = to.iter().filter(|_| *kind > 2).map(|&to| (to as u32, share));
        game.push(mover, steps);
    }
    game
}

/// The places that follow each place under these picks.
fn led(places: &Places, picks: &[usize]) -> Vec<Vec<usize>> {
    let of = |(at, (kind, to)): (usize, &(usize, Vec<usize>))| match *kind {
        0..=2 => Vec::new(),
        3 => to.clone(),
        _ => vec![to[picks[at]]],
    };
    places.iter().enumerate().map(of).collect()
}

/// The places that each place may lead to, with itself.
fn reach(steps: &[Vec<usize>], within: &dyn Fn(usize) -> bool) -> Vec<u32> {
    let mut reach: Vec<u32> = (0..steps.len()).map(|at| 1 << at).collect();
    for _ in 0..steps.len() {
        for at in (0..steps.len()).filter(|&at| within(at)) {
            for &to in steps[at].iter().filter(|&&to| within(to)) {
                reach[at] |= reach[to];
            }
        }
    }
    reach
}

/// The value of playing among these places for ever; `unknown` if no rule gives one.
fn for_ever(places: &Places, class: u32, unknown: f64) -> f64 {
    let inside = |set: u32, at: usize| set & (1 << at) != 0;
    let decides =
        |side: usize| (0..places.len()).any(|at| inside(class, at) && places[at].0 == side);
    let (side, worst) = match (decides(MOST), decides(LEAST)) {
        (true, false) => (MOST, -1.0),
        (false, true) => (LEAST, 1.0),
        _ => return unknown,
    };
    // The largest set around them in which the side could stay, by trying all.
    let stays = |set: u32| {
        let keeps = |at: usize| {
            let back = |to: &usize| inside(set, *to);
            match places[at].0 {
                3 => places[at].1.iter().all(back),
                kind => kind == side && places[at].1.iter().any(back),
            }
        };
        let all: Vec<Vec<usize>> = places.iter().map(|(_, to)| to.clone()).collect();
        let reach = reach(&all, &|at| inside(set, at));
        let own = (0..places.len()).filter(|&at| inside(set, at));
        own.clone().all(keeps) && own.clone().all(|at| reach[at] & set == set)
    };
    let sets = (0u32..1 << places.len()).filter(|set| set & class == class && stays(*set));
    let largest = sets.fold(class, |all, set| all | set);
    let leaves = |at: usize| {
        inside(largest, at)
            && places[at].0 == side
            && places[at].1.iter().any(|&to| !inside(largest, to))
    };
    // Who cannot leave does not stay of their own accord.
    if (0..places.len()).any(leaves) { worst } else { unknown }
}

/// The value of the beginning under these picks.
fn worth(places: &Places, picks: &[usize], unknown: f64) -> f64 {
    let steps = led(places, picks);
    let reach = reach(&steps, &|_| true);
    let lines = (0..places.len()).map(|at| {
        let mut line = vec![0.0; places.len() + 1];
        line[at] = 1.0;
        let class = reach[at];
        let returns = (0..places.len()).all(|to| class & (1 << to) == 0 || reach[to] == class);
        match places[at].0 {
            end @ 0..=2 => line[places.len()] = ENDS[end],
            _ if returns => line[places.len()] = for_ever(places, class, unknown),
            _ => {
                let share = 1.0 / steps[at].len() as f64;
                steps[at].iter().for_each(|&to| line[to] -= share);
            }
        }
        line
    });
    solve_equations(lines.collect(), &|| true).unwrap()[0]
}

/// All ways to pick at the places of a side; elsewhere as in `picks`.
fn ways(places: &Places, side: usize, picks: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![picks.to_vec()];
    for (at, (kind, to)) in places.iter().enumerate() {
        if *kind == side {
            let one = |picks: &Vec<usize>| {
                let picks = picks.clone();
                (0..to.len()).map(move |step| {
                    let mut picks = picks.clone();
                    picks[at] = step;
                    picks
                })
            };
            all = all.iter().flat_map(one).collect();
        }
    }
    all
}

fn least(places: &Places, picks: &[usize], unknown: f64) -> f64 {
    let ways = ways(places, LEAST, picks);
    ways.iter().map(|picks| worth(places, picks, unknown)).fold(f64::INFINITY, f64::min)
}

fn most(places: &Places, picks: &[usize], unknown: f64) -> f64 {
    let ways = ways(places, MOST, picks);
    ways.iter().map(|picks| worth(places, picks, unknown)).fold(f64::NEG_INFINITY, f64::max)
}

fn agrees(places: &Places) -> Result<(), TestCaseError> {
    let game = game(places);
    let ends: Vec<Interval> = ENDS.iter().map(|end| Interval::exact(*end)).collect();
    let found = game.bounds(&ends, &|| true);
    let first = vec![0; places.len()];
    for (unknown, bound) in [(-1.0, found.worth[0].low), (1.0, found.worth[0].high)] {
        let own = ways(places, MOST, &first);
        let low = own.iter().map(|picks| least(places, picks, unknown));
        let low = low.fold(f64::NEG_INFINITY, f64::max);
        let its = ways(places, LEAST, &first);
        let high = its.iter().map(|picks| most(places, picks, unknown));
        let high = high.fold(f64::INFINITY, f64::min);
        prop_assert!((low - high).abs() < 1e-9, "{low} {high}");
        prop_assert!((bound - low).abs() < 1e-9, "{bound} for {low}, unknown {unknown}");
    }
    let picks: Vec<usize> = found.plays.picks.iter().map(|&pick| pick as usize).collect();
    let gets = least(places, &picks, -1.0);
    prop_assert!(gets > found.worth[0].low - 1e-9, "gets {gets}, not {:?}", found.worth[0]);
    let gives = most(places, &picks, 1.0);
    prop_assert!(gives < found.worth[0].high + 1e-9, "gives {gives}, not {:?}", found.worth[0]);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn bounds_are_those_of_the_best_positional_play(
        places in prop::collection::vec((3usize..6, prop::collection::vec(0usize..8, 2..4)), 2..6)
    ) {
        // The endings come after the places; all of them are there, so that the range is.
        let count = places.len();
        let mut places: Places = places
            .into_iter()
            .map(|(kind, to)| (kind, to.into_iter().map(|to| to % (count + 3)).collect()))
            .collect();
        places.extend((0..3).map(|end| (end, Vec::new())));
        agrees(&places)?;
    }
}

#[test]
fn numbers_whose_difference_is_no_float_are_distinguished() {
    let huge = 1.7e308;
    let ends = [-huge, 0.0, huge].map(Interval::exact);
    // A coin that is thrown again half of the time, and else wins or loses as often: nothing.
    let coin: Places = vec![(3, vec![1, 0]), (3, vec![2, 3]), (0, vec![]), (2, vec![])];
    let found = game(&coin).bounds(&ends, &|| true);
    assert!(found.worth[0].contains(0.0) && found.worth[0].width() < 1e297, "{:?}", found.worth[0]);
    assert_eq!(found.apart(), 0);
    // Nothing, or a mill that nobody can stop: from nothing to the greatest.
    let mill: Places =
        vec![(MOST, vec![1, 2]), (1, vec![]), (3, vec![2]), (0, vec![]), (2, vec![])];
    let found = game(&mill).bounds(&ends, &|| true);
    assert_eq!((found.worth[0].low, found.worth[0].high), (0.0, huge));
    assert_eq!(found.apart(), 2);
    assert!(found.say_something().is_ok());
    // The mill alone says nothing.
    let found = game(&vec![(3, vec![0]), (0, vec![]), (2, vec![])]).bounds(&ends, &|| true);
    assert!(found.say_something().is_err());
    // Matching pennies.
    let mut pennies = StochasticGame::default();
    let to = [1, 2, 2, 1].map(|to| (to, Interval::one()));
    pennies.push(Mover::Both(2), to);
    pennies.push(Mover::End(0), []);
    pennies.push(Mover::End(2), []);
    let found = pennies.bounds(&ends, &|| true);
    assert!(found.worth[0].contains(0.0) && found.worth[0].width() < 1e295, "{:?}", found.worth[0]);
}
