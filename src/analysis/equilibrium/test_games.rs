//! Games for tests: small random ones, and Kuhn poker built by hand.

use std::cell::Cell;
use std::collections::HashMap;

use super::board::{Board, Mover};
use super::extensive_form::{ALWAYS, ExtensiveForm, FormError, Role};
use super::matrix::Scalar;
use crate::conflict::Seat;
use crate::explored::ExploredGame;
use crate::game::Generator;
use crate::number::Fraction;

/// A node of a list; nodes are named by their places in it, the first is the beginning.
#[derive(Clone, Debug)]
pub(super) enum NodePlan {
    /// The utility for each side.
    End(Vec<f64>),
    /// The nodes that follow, each with its part of the chances.
    Chance(Vec<(u64, usize)>),
    /// A side decides in an information set; each option leads to a node.
    Decision { side: usize, set: usize, to: Vec<usize> },
}

pub(super) fn tree(plans: &[NodePlan]) -> Result<ExtensiveForm, FormError> {
    let (mut movers, mut sets, mut worth) = (Vec::new(), Vec::new(), Vec::new());
    let mut places = Vec::new();
    for plan in plans {
        let (mover, to, in_set) = match plan {
            NodePlan::End(numbers) => {
                worth.push(numbers.iter().map(|&number| fraction(number)).collect());
                (Mover::End(worth.len() as u32 - 1), Vec::new(), usize::MAX)
            }
            NodePlan::Chance(falls) => {
                let falls = falls.iter().map(|&(part, to)| (to as u32, part));
                (Mover::Chance, falls.collect(), usize::MAX)
            }
            NodePlan::Decision { side, set, to } => {
                let to = to.iter().map(|&to| (to as u32, 1)).collect();
                (Mover::Side(*side as u32), to, *set)
            }
        };
        movers.push(mover);
        places.push(to);
        sets.push(in_set as u32);
    }
    let sides = worth.first().map_or(0, Vec::len);
    let game = ExploredGame::of(&places);
    ExtensiveForm::of(seats(sides), game, (&movers, &sets), &worth, ALWAYS)
}

/// The same game made again in any numbers, until the caller stops it.
pub(super) fn again<W: Scalar>(
    tree: &ExtensiveForm,
    may_continue: &dyn Fn() -> bool,
) -> Result<ExtensiveForm<W>, FormError> {
    let Board { seats, game, movers, worth, .. } = board(tree);
    let set = |role: &Role| if let Role::Set(set) = role { *set } else { u32::MAX };
    let sets: Vec<u32> = tree.roles.iter().map(set).collect();
    ExtensiveForm::of(seats, game, (&movers, &sets), &worth, may_continue)
}

/// The last own pick of a side: the information set and the option, or `None` before the first.
type LastPick = Option<(usize, usize)>;

/// A random game of this many sides in which all remember what they did, with this many nodes at most
/// that are no ends.
pub(super) fn game(seed: u64, sides: usize, inner: usize) -> ExtensiveForm {
    let mut rng = Generator::of(seed);
    let mut plans: Vec<NodePlan> = Vec::new();
    let mut pasts: Vec<Vec<LastPick>> = vec![vec![None; sides]];
    // Side, past and options of each information set.
    let mut sets: Vec<(usize, LastPick, usize)> = Vec::new();
    while plans.len() < pasts.len() {
        let past = pasts[plans.len()].clone();
        let options = 2 + rng.index(2);
        let places = pasts.len()..pasts.len() + options;
        let kind = rng.index(4 + sides);
        if plans.len() >= inner || (kind == 0 && !plans.is_empty()) {
            let worth = (0..sides).map(|_| rng.index(11) as f64 - 5.0).collect::<Vec<_>>();
            plans.push(NodePlan::End(worth));
            continue;
        }
        if kind == 1 {
            let falls = places.clone().map(|place| (1 + rng.index(4) as u64, place));
            plans.push(NodePlan::Chance(falls.collect()));
            pasts.extend(places.map(|_| past.clone()));
            continue;
        }
        let side = kind % sides;
        let same: Vec<usize> =
            (0..sets.len()).filter(|&set| sets[set] == (side, past[side], options)).collect();
        let set = match same.is_empty() || rng.index(3) == 0 {
            true => {
                sets.push((side, past[side], options));
                sets.len() - 1
            }
            false => same[rng.index(same.len())],
        };
        for option in 0..options {
            let mut after = past.clone();
            after[side] = Some((set, option));
            pasts.push(after);
        }
        plans.push(NodePlan::Decision { side, set, to: places.collect() });
    }
    tree(&plans).unwrap()
}

/// As [`game`], of two sides, one of which wins what the other loses.
pub(super) fn zero_sum(seed: u64, inner: usize) -> ExtensiveForm {
    let mut tree = game(seed, 2, inner);
    tree.payoffs.chunks_mut(2).for_each(|worth| worth[1] = -worth[0]);
    tree
}

/// A random game as a board.
pub(super) fn board(tree: &ExtensiveForm) -> Board {
    let mover = |role: &Role| match *role {
        Role::End(ending) => Mover::End(ending),
        Role::Chance => Mover::Chance,
        Role::Set(set) => Mover::Side(tree.sets[set as usize].side),
    };
    let worth = tree.all_payoffs().map(|worth| worth.iter().map(|&one| fraction(one)).collect());
    let movers = tree.roles.iter().map(mover).collect();
    board_of(tree.sides(), tree.game.clone(), movers, worth.collect())
}

/// A board of these places, on which all sides decide.
pub(super) fn board_of(
    sides: usize,
    game: ExploredGame,
    movers: Vec<Mover>,
    worth: Vec<Vec<Fraction>>,
) -> Board {
    let (seats, opposed, joint, floats) = (seats(sides), None, HashMap::new(), false);
    Board { seats, sides, opposed, game, movers, joint, worth, floats, crowded: false }
}

/// A game of one joint decision of two sides, with the utilities of both for each pair of options.
pub(super) fn table(rows: usize, worth: &[(f64, f64)]) -> ExtensiveForm {
    let columns = worth.len() / rows;
    let mut plans = vec![NodePlan::Decision { side: 0, set: 0, to: (1..=rows).collect() }];
    for row in 0..rows {
        let first = 1 + rows + row * columns;
        plans.push(NodePlan::Decision { side: 1, set: 1, to: (first..first + columns).collect() });
    }
    plans.extend(worth.iter().map(|(row, column)| NodePlan::End(vec![*row, *column])));
    tree(&plans).unwrap()
}

/// Kuhn poker (Kuhn, 1950): cards 1 to 3, a pass or a bet each, antes and bets of 1.
pub(super) fn kuhn() -> ExtensiveForm {
    let mut plans = vec![NodePlan::Chance(Vec::new())];
    let mut deals = Vec::new();
    for first in 0..3 {
        for second in (0..3).filter(|&second| second != first) {
            let at = plans.len();
            deals.push((1, at));
            let show = if first > second { 1.0 } else { -1.0 };
            let end = |worth: f64| NodePlan::End(vec![worth, -worth]);
            let act = |side: usize, set: usize, to: [usize; 2]| NodePlan::Decision {
                side,
                set,
                to: to.map(|to| at + to).to_vec(),
            };
            // Sets: first's opening, second after a pass, second after a bet, first after both.
            plans.push(act(0, first, [1, 2]));
            plans.push(act(1, 3 + second, [3, 4]));
            plans.push(act(1, 6 + second, [5, 6]));
            plans.push(end(show));
            plans.push(act(0, 9 + first, [7, 8]));
            plans.push(end(1.0));
            plans.push(end(2.0 * show));
            plans.push(end(-1.0));
            plans.push(end(2.0 * show));
        }
    }
    plans[0] = NodePlan::Chance(deals);
    tree(&plans).unwrap()
}

fn seats(sides: usize) -> Vec<Seat> {
    let seat = |name: String| Seat { players: vec![name.clone()], name };
    (0..sides).map(|side| seat(format!("side {side}"))).collect()
}

pub(super) fn fraction(number: f64) -> Fraction {
    Fraction::from_float(number).unwrap()
}

/// What comes of work that asks whether it may continue and is refused after this many times; and how often it asks.
pub(super) fn refused_after<T>(
    refused: usize,
    work: impl FnOnce(&dyn Fn() -> bool) -> T,
) -> (T, usize) {
    let asked = Cell::new(0);
    let done = work(&|| {
        asked.set(asked.get() + 1);
        asked.get() <= refused
    });
    (done, asked.get())
}
