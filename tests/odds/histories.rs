//! Tests exact odds against the sum over all histories. Each history is played by the script alone,
//! without the graph; its probability is the product of the probabilities of its answers.

use std::collections::BTreeMap;

use fracas::analysis::Chances;
use fracas::conflict::{Conflict, Seating};
use fracas::game::{Answer, Generator, Question, Stop};
use fracas::graph::{Ending, SeatedAgents, Standpoint};
use fracas::number::{Fraction, Quantity, fraction};
use indexmap::IndexMap;
use num_bigint::BigUint;

use super::{exact, opened, ratio, seating};
use crate::support::{path, play, told};

/// A question of a history: the possible answers with their weights, and the one that is given.
struct Fork {
    weights: Vec<(usize, BigUint)>,
    taken: usize,
}

impl Fork {
    fn probability(&self) -> Fraction {
        let total: BigUint = self.weights.iter().map(|(_, weight)| weight).sum();
        ratio(self.weights[self.taken].1.clone(), total)
    }
}

/// Gives every answer that the seats may give, one history after another.
struct Histories {
    seats: SeatedAgents,
    forks: Vec<Fork>,
    at: usize,
}

impl Histories {
    /// Advances to the next history: the last answer that can still change is changed.
    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some(mut fork) = self.forks.pop() {
            fork.taken += 1;
            if fork.taken < fork.weights.len() {
                self.forks.push(fork);
                return true;
            }
        }
        false
    }

    fn take(
        &mut self,
        weights: impl FnOnce(&mut SeatedAgents) -> Result<Vec<(usize, BigUint)>, Stop>,
    ) -> Result<usize, Stop> {
        if self.at == self.forks.len() {
            let weights = weights(&mut self.seats)?;
            self.forks.push(Fork { weights, taken: 0 });
        }
        let fork = &self.forks[self.at];
        self.at += 1;
        Ok(fork.weights[fork.taken].0)
    }
}

impl Histories {
    fn answer(&mut self, question: &Question<'_>) -> Result<usize, Stop> {
        let decision = match question {
            Question::Decision(decision, _) => decision,
            Question::Chance(chance) => {
                let weights = chance.distribution.weights().iter().cloned().enumerate();
                return self.take(|_| Ok(weights.collect()));
            }
        };
        self.take(|seats| {
            let one = BigUint::from(1u8);
            Ok(match seats.agent(decision.player).answer(decision, Standpoint::after(&[]))? {
                Answer::Any => {
                    (0..decision.options.len()).map(|index| (index, one.clone())).collect()
                }
                Answer::Option(index) => vec![(index, one)],
                Answer::Weights(weights) => {
                    weights.iter().map(|(index, weight)| (index, weight.clone())).collect()
                }
            })
        })
    }
}

/// The odds summed over all histories, and how many histories there are.
fn enumerated(conflict: &Conflict, seating: &Seating) -> (Chances, u64) {
    let seats = seating.seats(Generator::of(0)).unwrap();
    let mut histories = Histories { seats, forks: Vec::new(), at: 0 };
    let mut results: BTreeMap<String, Fraction> = BTreeMap::new();
    let mut utility: IndexMap<String, Fraction> = IndexMap::new();
    let (mut count, mut sum) = (0, ratio(0, 1));
    loop {
        let played = play(conflict, |question| histories.answer(question));
        let outcome = played.unwrap_or_else(|stop| panic!("{}", told(stop))).outcome;
        let probability: Fraction = histories.forks.iter().map(Fork::probability).product();
        count += 1;
        sum += &probability;
        let ending = Ending::of(&outcome);
        *results.entry(ending.result).or_default() += &probability;
        for (player, number) in &ending.utility {
            *utility.entry(player.clone()).or_default() += fraction(number).unwrap() * &probability;
        }
        if !histories.advance() {
            break;
        }
    }
    assert_eq!(sum, ratio(1, 1), "{}", conflict.scenario.name);
    let results = results.into_iter().map(|(name, share)| (name, Quantity::exact(share)));
    let utility = utility.into_iter().map(|(name, mean)| (name, Quantity::exact(mean)));
    let chances =
        Chances { results: results.collect(), utility: utility.collect(), ..Chances::default() };
    (chances.in_order(&seating.players.names), count)
}

#[track_caller]
fn agree(name: &str, seats: &[(&str, &str)], at_least: u64) {
    let conflict = opened(name, seats);
    let (chances, count) = enumerated(&conflict, &seating(&conflict));
    assert!(count >= at_least, "{name} has only {count} histories");
    assert_eq!(exact(&conflict), chances, "{name}, {count} histories");
}

#[test]
fn the_odds_of_every_known_game_are_what_its_histories_say() {
    // Six deals, five ways to play each (tests/fixtures.rs).
    agree("kuhn_poker/one_hand", &[], 30);
    agree("rock_paper_scissors/once", &[], 9);
    // Four free cells.
    agree("tic_tac_toe/x_to_win", &[], 12);
    agree("dice_battle/three_against_two", &[], 7);
}

#[test]
fn the_odds_of_every_system_are_what_its_histories_say() {
    agree("territory/no_mans_land", &[], 100);
    agree("attrition/a_wait", &[], 40);
    agree("war_die/ford", &[], 10);
    let tiles = path("tests/odds/scenarios/two_by_two.toml");
    agree(tiles.to_str().unwrap(), &[], 40);
    agree("last_stand/one_blow", &[], 100);
}

#[test]
fn the_odds_of_agents_that_are_scripts_are_what_their_histories_say() {
    // This one weighs its options.
    agree("war_die/bluff", &[("red", "bluffer")], 20);
    agree("war_die/bluff", &[("red", "bluffer"), ("blue", "cautious")], 2);
    agree("territory/three_tokens", &[("white", "even_hand")], 10);
    agree("attrition/a_wait", &[("blue", "patient")], 4);
    agree("last_stand/one_blow", &[("ayla", "brawler"), ("cato", "careful")], 4);
}
