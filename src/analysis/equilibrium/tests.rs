//! Tests the methods against each other, against brute force and against published values.

use std::cell::Cell;

use super::extensive_form::{ALWAYS, ExtensiveForm, FIRST, FormError, STEPS, StopCheck};
use super::learner::{Learner, Until};
use super::strategy::{Responder, even, expected, in_proportion};
use super::test_games::{NodePlan, again, game, kuhn, refused_after, table, tree, zero_sum};
use crate::error::Error;
use crate::game::Generator;

/// A strategy in which nothing is even.
fn any(tree: &ExtensiveForm, seed: u64) -> Vec<f64> {
    let mut rng = Generator::of(seed);
    let sums: Vec<f64> = (0..tree.slots).map(|_| rng.index(5) as f64).collect();
    in_proportion(tree, &sums)
}

/// The best value of a side over all its pure strategies, tried one by one; `None` if they are too
/// many to be tried.
fn best_by_force(tree: &ExtensiveForm, side: usize, strategy: &[f64]) -> Option<f64> {
    let sets = &tree.recall.sets[side];
    let count = |&set: &u32| tree.sets[set as usize].options as usize;
    let many: usize = sets.iter().map(count).try_fold(1usize, |a, b| a.checked_mul(b))?;
    if many > 3000 {
        return None;
    }
    let mut best = f64::NEG_INFINITY;
    for mut number in 0..many {
        let mut pure = strategy.to_vec();
        for set in sets {
            let set = &tree.sets[*set as usize];
            let (first, options) = (set.first as usize, set.options as usize);
            pure[first..first + options].fill(0.0);
            pure[first + number % options] = 1.0;
            number /= options;
        }
        best = best.max(expected(tree, &pure)[side]);
    }
    Some(best)
}

#[test]
fn best_responses_are_those_of_brute_force_over_pure_strategies() {
    let mut tried = 0;
    for seed in 0..400 {
        let sides = 2 + (seed % 2) as usize;
        let tree = game(seed, sides, 4 + (seed % 16) as usize);
        let strategy = any(&tree, seed);
        let mut responder = Responder::new(&tree);
        for side in 0..sides {
            let Some(best) = best_by_force(&tree, side, &strategy) else { continue };
            tried += 1;
            let found = responder.best(side, &strategy, &StopCheck::new(ALWAYS)).unwrap();
            assert!((found.value - best).abs() < 1e-9, "{seed} {side}: {} {best}", found.value);
            // The picks bring what they promise.
            let mut pure = strategy.clone();
            for (&set, &pick) in tree.recall.sets[side].iter().zip(&found.picks) {
                let set = &tree.sets[set as usize];
                pure[set.slots()].fill(0.0);
                pure[pick as usize] = 1.0;
            }
            assert!((expected(&tree, &pure)[side] - best).abs() < 1e-9, "{seed} {side}");
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn regrets_come_near_an_equilibrium_of_random_games() {
    for seed in 0..40 {
        let tree = zero_sum(seed, 24);
        let mut regret = Learner::whole(&tree);
        (0..2000).for_each(|_| regret.iterate());
        let left = Responder::new(&tree).exploitability(&regret.average());
        assert!(left < 0.01, "{seed}: {left}");
    }
}

#[test]
fn the_first_player_of_kuhn_poker_loses_an_eighteenth() {
    // Kuhn, 1950: the value is -1/18, and the second player's equilibrium is unique: with a 1 they
    // bet a third of the time after a pass, with a 2 they call a third of the time.
    let tree = kuhn();
    let mut learner = Learner::new(&tree, 0);
    let until = Until { within: 1e-4, time: None, work: None };
    let mut heard = 0;
    let mut on_progress = |_: &_| {
        heard += 1;
        Ok(())
    };
    let progress = learner.learn(until, &mut on_progress, &|| Ok(())).unwrap().progress;
    assert!(progress.exploitability <= 1e-4 && heard > 3);
    let strategy = learner.average();
    let value = expected(&tree, &strategy);
    assert!((value[0] + 1.0 / 18.0).abs() < 2e-4, "{value:?}");
    let bets = |set: usize| strategy[tree.sets[set].first as usize + 1];
    assert!((bets(3) - 1.0 / 3.0).abs() < 0.02, "{}", bets(3));
    assert!((bets(7) - 1.0 / 3.0).abs() < 0.02, "{}", bets(7));
    // The first bets with a 3 three times as often as with a 1.
    assert!((bets(2) - 3.0 * bets(0)).abs() < 0.03, "{} {}", bets(2), bets(0));
}

#[test]
fn samples_come_near_the_same() {
    let tree = kuhn();
    let mut sampling = Learner::sampled(&tree, 1);
    (0..60_000).for_each(|_| sampling.iterate());
    let left = Responder::new(&tree).exploitability(&sampling.average());
    assert!(left < 0.01, "{left}");
}

#[test]
fn who_forgets_what_they_did_is_refused_with_the_information_set() {
    let decide = |set, to: [usize; 2]| NodePlan::Decision { side: 0, set, to: to.to_vec() };
    let end = |worth: f64| NodePlan::End(vec![worth, -worth]);
    // The side picks twice and forgets its first pick.
    let mut forgets = vec![decide(0, [1, 2]), decide(1, [3, 4]), decide(1, [5, 6])];
    forgets.extend([end(1.0), end(0.0), end(0.0), end(1.0)]);
    let refused = tree(&forgets).unwrap_err();
    assert!(matches!(refused, FormError::Forgets { set: 1 }), "{refused:?}");
    // Who meets the same information set twice in one game forgets even that.
    let twice = [decide(0, [1, 2]), decide(0, [3, 4]), end(0.0), end(1.0), end(2.0)];
    assert!(matches!(tree(&twice), Err(FormError::Forgets { set: 0 })));
    // Two ways to one node that is known for sure are forgotten without harm.
    let known = [decide(0, [1, 1]), decide(1, [2, 3]), end(1.0), end(2.0)];
    let known = tree(&known).unwrap();
    assert_eq!(known.recall.before[1], [0, 1]);
    assert_eq!(known.recall.before[0], [FIRST]);
    let best = Responder::new(&known).best(0, &even(&known), &StopCheck::new(ALWAYS));
    assert_eq!(best.unwrap().value, 2.0);
}

#[test]
fn what_leads_back_to_itself_is_refused() {
    let around = [
        NodePlan::Chance(vec![(1, 1), (1, 2)]),
        NodePlan::Chance(vec![(1, 0)]),
        NodePlan::End(vec![1.0]),
    ];
    let refused = tree(&around).unwrap_err();
    assert!(matches!(refused, FormError::Cycle(0)), "{refused:?}");
}

#[test]
fn the_greatest_gain_is_that_of_one_side_and_not_the_mean() {
    // Pennies: ann shows heads for sure, bob either alike. Ann gains nothing, bob 1 by tails.
    let tree = table(2, &[(1.0, -1.0), (-1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)]);
    let mut strategy = even(&tree);
    let ann = tree.sets.iter().find(|set| set.side == 0).unwrap().first as usize;
    strategy[ann..ann + 2].copy_from_slice(&[1.0, 0.0]);
    let mut responder = Responder::new(&tree);
    let gains = responder.gains(&strategy, &StopCheck::new(ALWAYS)).unwrap();
    assert_eq!((gains[0].max(gains[1]), gains[0].min(gains[1])), (1.0, 0.0));
    assert_eq!(responder.exploitability(&strategy), 0.5);
}

/// Matching pennies in two rounds; after the first nobody knows who won it, nor needs to: the
/// second is worth the same. `worth` is the utility of matching for each side then.
fn two_rounds(worth: [f64; 2]) -> ExtensiveForm {
    let decide = |side, set, to: [usize; 2]| NodePlan::Decision { side, set, to: to.to_vec() };
    let won = || NodePlan::End(worth.to_vec());
    let lost = || NodePlan::End(vec![0.0, 0.0]);
    let mut game = vec![decide(0, 0, [1, 2]), decide(1, 1, [3, 3]), decide(1, 1, [3, 3])];
    game.extend([decide(0, 2, [4, 5]), decide(1, 3, [6, 7]), decide(1, 3, [8, 9])]);
    game.extend([won(), lost(), lost(), won()]);
    tree(&game).unwrap()
}

#[test]
fn who_knew_all_before_others_decided_unseen_forgets_nothing_that_matters() {
    let tree = two_rounds([1.0, -1.0]);
    // The second side's last set has two nodes and two pasts, but both nodes follow from one.
    assert_eq!(tree.recall.before[3].len(), 2);
    assert!(tree.recall.from_one.contains(&3) && !tree.recall.from_one.contains(&1));
    // Matched half of the time: 1/2 to the first, and nobody can do better.
    let mut learner = Learner::new(&tree, 0);
    let until = Until { within: 1e-3, time: None, work: None };
    let progress = learner.learn(until, &mut |_| Ok(()), &|| Ok(())).unwrap().progress;
    assert!(progress.exploitability <= 1e-3);
    let value = expected(&tree, &learner.average());
    assert!((value[0] - 0.5).abs() <= 1e-3, "{value:?}");
}

// Work that is stopped.

/// Thousands of nodes, each reached in one way.
fn large() -> ExtensiveForm {
    let tree = (0..).map(|seed| zero_sum(seed, 3000)).find(|tree| tree.len() > 5000);
    tree.unwrap()
}

/// How often work asks whether to continue. Refused at any of these, it stops there and asks no more.
#[track_caller]
fn asks(work: impl Fn(&dyn Fn() -> bool) -> bool) -> usize {
    let (done, all) = refused_after(usize::MAX, &work);
    assert!(done);
    for refused in 0..all {
        assert_eq!(refused_after(refused, &work), (false, refused + 1));
    }
    all
}

#[test]
fn making_a_tree_asks_in_each_of_its_passes() {
    let tree = large();
    let asked = asks(|may_continue| match again::<f64>(&tree, may_continue) {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error, FormError::Stopped);
            false
        }
    });
    // Nodes are brought into order, found to lead nowhere back and laid, their parents found, and each of two sides
    // tested.
    assert_eq!(asked, 6 * tree.len() / STEPS as usize);
}

#[test]
fn a_best_response_asks_in_each_of_its_passes() {
    let tree = large();
    let even = even(&tree);
    let asked = asks(|may_continue| {
        Responder::new(&tree).best(0, &even, &StopCheck::new(may_continue)).is_some()
    });
    // How likely each node is reached; then each unit in order and valued, of which there are fewer.
    let ends = tree.all_payoffs().count();
    assert!(asked >= (tree.len() + 3 * ends) / STEPS as usize, "{asked}");
    // What was stopped answers as well another time.
    let mut responder = Responder::new(&tree);
    let best = responder.best(1, &even, &StopCheck::new(ALWAYS));
    assert_eq!(responder.best(0, &even, &StopCheck::new(&|| false)), None);
    assert_eq!(responder.best(1, &even, &StopCheck::new(ALWAYS)), best);
}

#[test]
fn an_iteration_asks_all_the_while() {
    let tree = large();
    let asked = asks(|may_continue| {
        Learner::whole(&tree).iterate_while(&StopCheck::new(may_continue)).is_some()
    });
    // For each of two sides once down and once up.
    assert_eq!(asked, 4 * tree.len() / STEPS as usize);
    let asked = asks(|may_continue| {
        let (mut sampling, wanted) = (Learner::sampled(&tree, 3), StopCheck::new(may_continue));
        (0..40).all(|_| sampling.iterate_while(&wanted).is_some())
    });
    assert!(asked > 0);
}

#[test]
fn learning_that_is_stopped_hands_on_what_was_judged_last() {
    let tree = large();
    let until = Until { within: 0.0, time: None, work: None };
    let (mut stopped, mut judged) = (0, 0);
    for refused in [0, 20, 60, 100, 200] {
        let asked = Cell::new(0);
        let mut learner = Learner::new(&tree, 0);
        let learned = learner.learn(until, &mut |_| Ok(()), &|| {
            asked.set(asked.get() + 1);
            if asked.get() > refused { Err(Error::Interrupted) } else { Ok(()) }
        });
        match learned {
            Err(error) => {
                assert!(matches!(error, Error::Interrupted));
                stopped += 1;
            }
            Ok(learned) => {
                assert!(learned.interrupted);
                let (strategy, gains) = learned.judged;
                let again = Responder::new(&tree).gains(&strategy, &StopCheck::new(ALWAYS));
                assert_eq!(again, Some(gains));
                judged += 1;
            }
        }
    }
    assert!(stopped > 0 && judged > 0, "{stopped} {judged}");
}
