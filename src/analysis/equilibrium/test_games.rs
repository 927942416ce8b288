//! Games for tests: small random ones, and Kuhn poker built by hand.

use std::collections::HashMap;

use super::forms::board::{Board, Mover};
use super::forms::game_kind::Knowledge;
use super::forms::tree::{Role, Tree, TreeError};
use super::matrix::Scalar;
use super::stop_check::ALWAYS;
use crate::conflict::Seat;
use crate::explored::ExploredGame;
use crate::game::Generator;
use crate::graph::InformationSets;
use crate::number::Fraction;

/// A node of a list; nodes are named by their places in it, the first is the beginning.
#[derive(Clone, Debug)]
pub(super) enum NodePlan {
    /// The utility for each side.
    End(Vec<f64>),
    /// The nodes that follow, each with its chance; the chances sum to 1.
    Chance(Vec<(f64, usize)>),
    /// A side decides in an information set; each option leads to a node.
    Decision { side: usize, set: usize, to: Vec<usize> },
}

/// Probabilities of random games are whole numbers of these parts: weights are at most 4 each, of three.
const PARTS: f64 = 27_720.0;

pub(super) fn tree(sides: Vec<String>, plans: &[NodePlan]) -> Result<Tree, TreeError> {
    tree_while(sides, plans, ALWAYS)
}

/// The same game in fractions.
pub(super) fn fractions(tree: &Tree) -> Tree<Fraction> {
    tree_while(tree.sides().to_vec(), &plans(tree), ALWAYS).unwrap()
}

/// A game in any numbers, until the caller stops it.
pub(super) fn tree_while<W: Scalar>(
    sides: Vec<String>,
    plans: &[NodePlan],
    may_continue: &dyn Fn() -> bool,
) -> Result<Tree<W>, TreeError> {
    let (mut movers, mut sets, mut payoffs) = (Vec::new(), Vec::new(), Vec::new());
    let mut places = Vec::new();
    let mut endings = 0;
    for plan in plans {
        let (mover, to, in_set) = match plan {
            NodePlan::End(worth) => {
                let number = |worth: &f64| W::of(&Fraction::from_float(*worth).unwrap());
                payoffs.extend(worth.iter().map(number));
                endings += 1;
                (Mover::End(endings - 1), Vec::new(), usize::MAX)
            }
            NodePlan::Chance(falls) => {
                let part = |chance: &f64| (chance * PARTS).round() as u64;
                let falls = falls.iter().map(|(chance, to)| (*to as u32, part(chance)));
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
    Tree::of(sides, &ExploredGame::of(&places), (&movers, &sets), payoffs, may_continue)
}

/// The last own pick of a side: the information set and the option, or `None` before the first.
type LastPick = Option<(usize, usize)>;

/// A random game of this many sides in which all remember what they did, with this many nodes at most
/// that are no ends.
pub(super) fn game(seed: u64, sides: usize, inner: usize) -> Tree {
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
            let weights: Vec<f64> = places.clone().map(|_| 1.0 + rng.index(4) as f64).collect();
            let total: f64 = weights.iter().sum();
            let falls = weights.iter().map(|weight| weight / total).zip(places.clone());
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
    tree(names(sides), &plans).unwrap()
}

/// As [`game`], of two sides, one of which wins what the other loses.
pub(super) fn zero_sum(seed: u64, inner: usize) -> Tree {
    let mut plans = plans(&game(seed, 2, inner));
    for plan in &mut plans {
        if let NodePlan::End(worth) = plan {
            worth[1] = -worth[0];
        }
    }
    tree(names(2), &plans).unwrap()
}

/// The plans of a game, by its own numbers.
pub(super) fn plans(tree: &Tree) -> Vec<NodePlan> {
    let plan = |node: usize| {
        let to = tree.to()[tree.answers(node)].iter().map(|&to| to as usize);
        match tree.roles[node] {
            Role::End(ending) => NodePlan::End(tree.payoffs(ending).to_vec()),
            Role::Chance => {
                NodePlan::Chance(tree.chances[tree.answers(node)].iter().copied().zip(to).collect())
            }
            Role::Set(set) => NodePlan::Decision {
                side: tree.sets[set as usize].side as usize,
                set: set as usize,
                to: to.collect(),
            },
        }
    };
    (0..tree.len()).map(plan).collect()
}

/// A random game as a board, in numbers that fractions hold.
pub(super) fn board(tree: &Tree) -> (Board, Knowledge) {
    let whole = |number: f64| Fraction::from_integer((number as i64).into());
    let seat = |name: &String| Seat { name: name.clone(), players: vec![name.clone()] };
    let (mut movers, mut places, mut worth, mut of_places) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (node, role) in tree.roles.iter().enumerate() {
        let answers = tree.answers(node);
        let to = tree.to()[answers.clone()].iter();
        of_places.push(match role {
            Role::Set(set) => Some(*set as usize),
            _ => None,
        });
        movers.push(match role {
            Role::End(ending) => {
                worth.push(tree.payoffs(*ending).iter().map(|worth| whole(*worth)).collect());
                Mover::End(worth.len() as u32 - 1)
            }
            Role::Chance => Mover::Chance,
            Role::Set(set) => Mover::Side(tree.sets[*set as usize].side),
        });
        let part = |share: &f64| (share * PARTS).round() as u64;
        places.push(to.copied().zip(tree.chances[answers].iter().map(part)).collect());
    }
    let board = Board {
        seats: tree.sides().iter().map(seat).collect(),
        sides: tree.sides().len(),
        opposed: None,
        game: ExploredGame::of(&places),
        movers,
        joint: HashMap::new(),
        worth,
        floats: false,
        crowded: None,
    };
    let information = InformationSets::default();
    (board, Knowledge { of_places, information })
}

/// A game of one joint decision of two sides, with the utilities of both for each pair of options.
pub(super) fn table(rows: usize, worth: &[(f64, f64)]) -> Tree {
    let columns = worth.len() / rows;
    let mut plans = vec![NodePlan::Decision { side: 0, set: 0, to: (1..=rows).collect() }];
    for row in 0..rows {
        let first = 1 + rows + row * columns;
        plans.push(NodePlan::Decision { side: 1, set: 1, to: (first..first + columns).collect() });
    }
    plans.extend(worth.iter().map(|(row, column)| NodePlan::End(vec![*row, *column])));
    tree(names(2), &plans).unwrap()
}

/// Kuhn poker (Kuhn, 1950): cards 1 to 3, a pass or a bet each, antes and bets of 1.
pub(super) fn kuhn() -> Tree {
    let mut plans = vec![NodePlan::Chance(Vec::new())];
    let mut deals = Vec::new();
    for first in 0..3 {
        for second in (0..3).filter(|&second| second != first) {
            let at = plans.len();
            deals.push((1.0 / 6.0, at));
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
    tree(names(2), &plans).unwrap()
}

fn names(sides: usize) -> Vec<String> {
    (0..sides).map(|side| format!("side {side}")).collect()
}
