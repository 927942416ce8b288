//! Tests exact odds against textbook numbers. Each number is worked out in a comment, or counted by
//! a few lines of Rust that use neither the rules nor the graph.

use std::collections::HashMap;

use fracas::number::Fraction;
use num_bigint::BigInt;

use crate::support::LINES;

use super::{exact, inline, opened, ratio, result, utility};

/// Counts the games from a board to a line or a full board. For each number of marks set, `counts`
/// has how many games the first player won, how many the second, and how many are draws.
fn games(board: &mut [u8; 9], marks: usize, counts: &mut [[u64; 3]; 10]) {
    let last = if marks % 2 == 1 { 1 } else { 2 };
    if LINES.iter().any(|line| line.iter().all(|&cell| board[cell] == last)) {
        counts[marks][usize::from(last) - 1] += 1;
    } else if marks == 9 {
        counts[marks][2] += 1;
    } else {
        for cell in 0..9 {
            if board[cell] == 0 {
                board[cell] = 3 - last;
                games(board, marks + 1, counts);
                board[cell] = 0;
            }
        }
    }
}

#[test]
fn tic_tac_toe_at_random_is_won_by_x_with_737_of_1260() {
    // A game of k marks is one of 9!/(9-k)! equally likely ways to set so many. There are 1,440 won
    // by X with 5 marks, 5,328 by O with 6, 47,952 by X with 7, 72,576 by O with 8, 81,792 by X with
    // 9, and 46,080 draws: 255,168 games. So X wins with
    //   1440/15120 + 47952/181440 + 81792/362880 = 737/1260 = 0.5849…,
    // O with 5328/60480 + 72576/362880 = 121/420, and 46080/362880 = 8/63 are draws.
    let mut counts = [[0; 3]; 10];
    games(&mut [0; 9], 0, &mut counts);
    let known =
        [(5, 0, 1440), (6, 1, 5328), (7, 0, 47952), (8, 1, 72576), (9, 0, 81792), (9, 2, 46080)];
    for (marks, who, count) in known {
        assert_eq!(counts[marks][who], count);
    }
    assert_eq!(counts.iter().flatten().sum::<u64>(), 255_168);
    let ways = |marks: u64| (10 - marks..=9).product::<u64>();
    let share = |who: usize| -> Fraction {
        (1..=9).map(|marks| ratio(counts[marks as usize][who], ways(marks))).sum()
    };
    assert_eq!([0, 1, 2].map(share), [ratio(737, 1260), ratio(121, 420), ratio(8, 63)]);

    let chances = exact(&opened("tic_tac_toe/empty_board", &[]));
    assert_eq!(result(&chances, "x"), ratio(737, 1260));
    assert_eq!(result(&chances, "o"), ratio(121, 420));
    assert_eq!(result(&chances, "draw"), ratio(8, 63));
    assert_eq!(utility(&chances, "x"), ratio(737, 1260) - ratio(121, 420));
}

#[test]
fn the_first_of_two_uniform_players_of_kuhn_poker_gains_an_eighth() {
    // Every act is a pass or a bet with 1/2. Bet, pass: the second folds, with 1/4, and the first
    // gains the ante. Pass, bet, pass: the first folds, with 1/8, and loses it. All else is a
    // showdown, which either card wins as often, whatever the stakes: 1/4 - 1/8 = 1/8.
    // The first wins the hand with 1/4 and half of the showdowns: 1/4 + 1/2 (1 - 3/8) = 9/16.
    let chances = exact(&opened("kuhn_poker/one_hand", &[]));
    assert_eq!(utility(&chances, "ann"), ratio(1, 8));
    assert_eq!(utility(&chances, "bob"), ratio(-1, 8));
    assert_eq!(result(&chances, "ann"), ratio(9, 16));
}

const POOLS: &str = r#"
//! # Pools
//! More successes win.
fn setup(s) { #{ done: false, red: s.number("red"), blue: s.number("blue"), first: 0, second: 0 } }
fn step() {
    this.first = this.roll("red", "pool", successes(this.red, 6, 5));
    this.second = this.roll("blue", "pool", successes(this.blue, 10, 7));
    this.done = true;
}
fn outcome() {
    if !this.done { return; }
    let apart = this.first - this.second;
    #{
        result: if apart > 0 { "red" } else if apart < 0 { "blue" } else { "even" },
        utility: #{ red: apart, blue: -apart },
    }
}
"#;

/// The probability that k of n independent trials succeed, for each k:
/// n over k, times pᵏ (1 - p)ⁿ⁻ᵏ.
fn binomial(n: u32, p: &Fraction) -> Vec<Fraction> {
    let power = |base: &Fraction, times: u32| base.pow(times as i32);
    let choose = |k: u32| (0..k).fold(BigInt::from(1), |all, i| all * (n - i) / (i + 1));
    let missed = ratio(1, 1) - p;
    (0..=n).map(|k| power(p, k) * power(&missed, n - k) * ratio(choose(k), 1)).collect()
}

#[test]
fn a_pool_against_a_pool_is_two_binomials() {
    // Seven dice that need 5 of 6 against six that need 7 of 10. Means: 7/3 and 12/5.
    let (red, blue) = (binomial(7, &ratio(1, 3)), binomial(6, &ratio(2, 5)));
    let mut expected = [ratio(0, 1), ratio(0, 1), ratio(0, 1)];
    for (first, p) in red.iter().enumerate() {
        for (second, q) in blue.iter().enumerate() {
            expected[(first.cmp(&second) as i8 + 1) as usize] += p * q;
        }
    }
    let chances = exact(&inline(POOLS, "red = 7\nblue = 6\n"));
    for (name, share) in ["blue", "even", "red"].into_iter().zip(expected) {
        assert_eq!(result(&chances, name), share, "{name}");
    }
    assert_eq!(utility(&chances, "red"), ratio(7, 3) - ratio(12, 5));
}

/// The probability that the first side wins 0, 1, … pairs of dice, highest against highest, counted
/// over all throws.
fn pairs_won(first: usize, second: usize) -> Vec<Fraction> {
    let mut counts = vec![0u32; first.min(second) + 1];
    let all = 6u32.pow((first + second) as u32);
    for throw in 0..all {
        let die = |at: usize| throw / 6u32.pow(at as u32) % 6;
        let mut ours: Vec<u32> = (0..first).map(die).collect();
        let mut theirs: Vec<u32> = (first..first + second).map(die).collect();
        ours.sort_by(|a, b| b.cmp(a));
        theirs.sort_by(|a, b| b.cmp(a));
        counts[ours.iter().zip(theirs).filter(|(our, their)| **our > *their).count()] += 1;
    }
    counts.into_iter().map(|count| ratio(count, all)).collect()
}

#[test]
fn three_dice_against_two_lose_as_published() {
    // Of 6⁵ = 7776 throws the defenders lose two in 2890, the attackers in 2275, and each side one
    // in 2611 (J. A. Osborne, Mathematics Magazine 76, 2003, table 1).
    let won = pairs_won(3, 2);
    assert_eq!(won, [ratio(2275, 7776), ratio(2611, 7776), ratio(2890, 7776)]);
    let chances = exact(&opened("dice_battle/one_round", &[]));
    for (name, share) in ["defenders", "even", "attackers"].into_iter().zip(won) {
        assert_eq!(result(&chances, name), share, "{name}");
    }
}

/// The probability that the attackers win, with this many armies on each side: `P(a, 0) = 1`,
/// `P(0, d) = 0`, and otherwise the mean over the armies that a round leaves.
fn attackers_win(armies: usize) -> Fraction {
    let rounds: HashMap<(usize, usize), Vec<Fraction>> =
        (1..=3).flat_map(|a| (1..=2).map(move |d| ((a, d), pairs_won(a, d)))).collect();
    let mut table = vec![vec![ratio(0, 1); armies + 1]; armies + 1];
    for attackers in 1..=armies {
        table[attackers][0] = ratio(1, 1);
        for defenders in 1..=armies {
            let won = &rounds[&(attackers.min(3), defenders.min(2))];
            let pairs = won.len() - 1;
            let after = |won: usize| &table[attackers - (pairs - won)][defenders - won];
            table[attackers][defenders] =
                won.iter().enumerate().map(|(won, p)| p * after(won)).sum();
        }
    }
    table[armies][armies].clone()
}

#[test]
fn twenty_armies_win_against_twenty_as_the_recurrence_says() {
    let expected = attackers_win(20);
    let chances = exact(&opened("dice_battle/twenty_each", &[]));
    assert_eq!(result(&chances, "attackers"), expected);
    assert_eq!(result(&chances, "defenders"), ratio(1, 1) - &expected);
    // 0.633432241712489…, with an error below one in the last digit.
    let published = ratio(633_432_241_712_489u64, 1_000_000_000_000_000u64);
    let apart = expected - published;
    assert!(apart >= ratio(0, 1) && apart < ratio(1, 1_000_000_000_000_000u64), "{apart}");
}
