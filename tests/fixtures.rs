//! Tests known numbers of published games. Their rules are fixtures of the tests: none of them
//! ships, and the host knows none of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use fracas::conflict::Conflict;
use fracas::game::Outcome;
use fracas::script::{Ear, Rules, Run, State};
use num_bigint::BigInt;
use num_rational::Ratio;

use crate::support::{Walk, catalog, recorded, told, unmanned};

type Fraction = Ratio<BigInt>;

/// A history with its probability if every option is equally likely.
struct Walked {
    history: String,
    probability: Fraction,
    outcome: Outcome,
}

/// All histories of a conflict.
fn walk(conflict: &Conflict) -> Vec<Walked> {
    let mut all = Vec::new();
    let mut walk = Walk::default();
    loop {
        let (record, played) = recorded(conflict, |question| Ok(walk.answer(question)));
        let whole = |number: usize| BigInt::from(number);
        let picked = walk.offered.iter().map(|&count| Ratio::new(whole(1), whole(count)));
        let fell = walk.fell.iter().map(|(distribution, at)| {
            let share = distribution.probability(*at);
            Ratio::new(share.numer().clone().into(), share.denom().clone().into())
        });
        all.push(Walked {
            history: record.history.to_string(),
            probability: picked.chain(fell).product(),
            outcome: played.outcome,
        });
        if !walk.advance() {
            return all;
        }
    }
}

fn expected_utility(walked: &[Walked], player: &str) -> Fraction {
    let of = |walked: &Walked| {
        let utility = walked.outcome.utility[player];
        assert_eq!(utility.fract(), 0.0);
        &walked.probability * Fraction::from_integer(BigInt::from(utility as i64))
    };
    walked.iter().map(of).sum()
}

#[test]
fn the_first_player_of_kuhn_poker_gains_an_eighth_where_both_play_at_random() {
    let walked = walk(&unmanned(&catalog(), "kuhn_poker/one_hand"));
    // Six deals, and five ways to play each: pass pass, pass bet pass, pass bet bet, bet pass, bet bet.
    assert_eq!(walked.len(), 6 * 5);
    let one = Fraction::from_integer(1.into());
    assert_eq!(walked.iter().map(|walked| walked.probability.clone()).sum::<Fraction>(), one);
    // Showdowns cancel out over the deals. The first folds an ante with 1/8, the second with 1/4.
    assert_eq!(expected_utility(&walked, "ann"), Ratio::new(1.into(), 8.into()));
    assert_eq!(expected_utility(&walked, "bob"), Ratio::new((-1).into(), 8.into()));
}

#[test]
fn rock_paper_scissors_has_nine_outcomes_three_of_each_kind() {
    let walked = walk(&unmanned(&catalog(), "rock_paper_scissors/once"));
    let histories: BTreeSet<&str> = walked.iter().map(|walked| &walked.history[..]).collect();
    assert_eq!((walked.len(), histories.len()), (9, 9));
    let mut results: BTreeMap<&str, u32> = BTreeMap::new();
    for walked in &walked {
        *results.entry(&walked.outcome.result).or_default() += 1;
        let beats = ["rock\" & bob hand \"scissors", "paper\" & bob hand \"rock"];
        let beats = beats.into_iter().chain(["scissors\" & bob hand \"paper"]);
        let won = beats.into_iter().any(|hands| walked.history.contains(hands));
        assert_eq!(walked.outcome.result == "ann", won, "{}", walked.history);
    }
    assert_eq!(results, [("ann", 3), ("bob", 3), ("draw", 3)].into());
    assert_eq!(expected_utility(&walked, "ann"), Fraction::default());
}

/// How many histories lead from a state to each result.
type Ways = BTreeMap<String, u64>;

/// Counts the histories from a state; equal states are counted once and then looked up.
fn count(rules: &Rc<Rules>, state: &State, known: &mut HashMap<String, Ways>) -> Ways {
    let key = state.value().literal();
    if let Some(ways) = known.get(&key) {
        return ways.clone();
    }
    let mut ways = Ways::new();
    match rules.outcome(state).unwrap() {
        Some(outcome) => {
            ways.insert(outcome.result, 1);
        }
        None => {
            let mut walk = Walk::default();
            loop {
                let mut run = Run::at(rules, state.clone(), Ear::Deaf);
                let reached = run.reach(|question| Ok(walk.answer(question)));
                reached.unwrap_or_else(|stop| panic!("{}", told(stop)));
                for (result, more) in count(rules, run.state().unwrap(), known) {
                    *ways.entry(result).or_default() += more;
                }
                if !walk.advance() {
                    break;
                }
            }
        }
    }
    known.insert(key, ways.clone());
    ways
}

#[test]
fn tic_tac_toe_is_played_in_255168_ways_over_5478_boards() {
    let conflict = unmanned(&catalog(), "tic_tac_toe/empty_board");
    let mut run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
    run.next().unwrap();
    let mut known = HashMap::new();
    let ways = count(&conflict.rules, run.state().unwrap(), &mut known);
    assert_eq!(known.len(), 5_478);
    assert_eq!(ways.values().sum::<u64>(), 255_168);
    let expected = [("draw", 46_080), ("o", 77_904), ("x", 131_184)];
    assert_eq!(ways, expected.map(|(result, count)| (result.to_owned(), count)).into());
}
