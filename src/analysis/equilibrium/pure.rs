//! What comes of every pair of pure strategies? A table for each side, and what a mix of them means.

use std::collections::HashMap;

use super::Figure;
use super::backward::{Pass, Plan, Values};
use super::board::{Board, Spot};
use super::kind::Knowledge;
use super::lines::sights;
use super::matrix::Table;
use super::sequences::Sequences;
use super::worth::Worth;
use super::{Choice, Line};
use crate::game::Value;
use crate::graph::Graph;

/// The pure strategies of two sides, and what each pair gives.
pub struct Pure<W> {
    /// What they are made of.
    pub sequences: Sequences<W>,
    /// Each side's strategies, as the sequences that they allow.
    pub strategies: [Vec<Vec<usize>>; 2],
    /// What each side gets; rows are the first side's strategies, columns the second's.
    pub tables: [Table<W>; 2],
}

impl<W: Worth> Pure<W> {
    /// Works out the table of all pairs.
    pub fn of(sequences: Sequences<W>) -> Pure<W> {
        let strategies = [sequences.pure(0), sequences.pure(1)];
        let mut after: HashMap<usize, Vec<(usize, &[W; 2])>> = HashMap::new();
        for ([own, other], worth) in &sequences.ends {
            after.entry(*own).or_default().push((*other, worth));
        }
        let [rows, columns] = [strategies[0].len(), strategies[1].len()];
        let mut cells = [Vec::with_capacity(rows * columns), Vec::with_capacity(rows * columns)];
        let nothing = || vec![W::zero(); sequences.of[1].len()];
        for row in &strategies[0] {
            let mut sums = [nothing(), nothing()];
            for (other, worth) in row.iter().filter_map(|own| after.get(own)).flatten() {
                for (sums, worth) in sums.iter_mut().zip(worth.iter()) {
                    sums[*other] = sums[*other].clone() + worth.clone();
                }
            }
            for column in &strategies[1] {
                for (cells, sums) in cells.iter_mut().zip(&sums) {
                    let parts =
                        column.iter().map(|&other| &sums[other]).filter(|sum| !sum.is_zero());
                    cells.push(parts.fold(W::zero(), |sum, part| sum + part.clone()));
                }
            }
        }
        let tables = cells.map(|cells| Table::new(rows, columns, cells));
        Pure { sequences, strategies, tables }
    }

    /// What both sides get on average from mixes of strategies.
    pub fn worth(&self, mixes: &[Vec<W>; 2]) -> [W; 2] {
        [0, 1].map(|side| {
            let rows = self.tables[side].of_rows(&mixes[1]);
            let pairs = rows.iter().zip(&mixes[0]);
            pairs.fold(W::zero(), |sum, (row, weight)| sum + row.clone() * weight.clone())
        })
    }

    /// How likely a side plays each of its sequences, if chance and the other side let it.
    fn weights(&self, seat: usize, mix: &[W]) -> Vec<W> {
        let mut weights = vec![W::zero(); self.sequences.of[seat].len()];
        for (strategy, share) in self.strategies[seat].iter().zip(mix) {
            for &sequence in strategy {
                weights[sequence] = weights[sequence].clone() + share.clone();
            }
        }
        weights
    }

    /// What mixes of strategies mean at each information set (Kuhn, Extensive games and the problem
    /// of information, 1953). Where a side never comes by its own doing, all options weigh alike.
    pub fn lines(
        &self,
        pass: &Pass<'_, W>,
        board: &Board,
        knowledge: &Knowledge,
        graph: &Graph,
        mixes: &[Vec<W>; 2],
    ) -> Vec<Line> {
        let weights = [self.weights(0, &mixes[0]), self.weights(1, &mixes[1])];
        let shares: HashMap<usize, Vec<W>> = self
            .sequences
            .stands
            .iter()
            .map(|(&set, stand)| {
                let own = &weights[stand.seat];
                let before = &own[stand.before];
                let each = W::one() / super::backward::count::<W>(stand.options);
                let share = |at: usize| match before.is_zero() {
                    true => each.clone(),
                    false => own[at].clone() / before.clone(),
                };
                (set, (stand.first..stand.first + stand.options).map(share).collect())
            })
            .collect();
        let values = self.values(pass, board, knowledge, &shares);
        let sights = sights(&knowledge.sets, graph);
        // Which places belong to a set: for joint decisions where both parts begin.
        let mut places: HashMap<usize, Vec<usize>> = HashMap::new();
        for (place, spot) in board.spots.iter().enumerate() {
            let at: &[usize] = match spot {
                Spot::Turn(..) => &[place],
                Spot::Joint(joint) => &[place, joint.second],
                _ => &[],
            };
            for set in at.iter().filter_map(|&at| knowledge.of_places[at]) {
                places.entry(set).or_default().push(place);
            }
        }
        let line = |(&set, stand): (&usize, &super::sequences::Stand)| {
            let seat = stand.seat;
            let mut reach = W::zero();
            let mut others = W::zero();
            let mut sums = vec![W::zero(); stand.options];
            for &place in places.get(&set).into_iter().flatten() {
                let given = pass.options(place, seat, &values);
                for (pair, chance) in &self.sequences.at[place] {
                    let other = chance.clone() * weights[1 - seat][pair[1 - seat]].clone();
                    reach = reach + other.clone() * weights[seat][pair[seat]].clone();
                    for (sum, given) in sums.iter_mut().zip(&given) {
                        *sum = sum.clone() + given.clone() * other.clone();
                    }
                    others = others + other;
                }
            }
            let known = &knowledge.sets[set];
            let utility = |sum: &W| -> Figure {
                match others.is_zero() {
                    true => W::zero().into(),
                    false => (sum.clone() / others.clone()).into(),
                }
            };
            let told = known.options.iter().zip(&shares[&set]).zip(&sums);
            let choice = |((option, weight), sum): ((&Value, &W), &W)| Choice {
                option: option.to_string(),
                weight: weight.clone().into(),
                utility: utility(sum),
                dominated: None,
            };
            Line {
                player: known.player.clone(),
                name: known.name.clone(),
                sees: sights[set].clone(),
                key: known.key.to_string(),
                reach: reach.about(),
                options: told.map(choice).collect(),
            }
        };
        self.sequences.stands.iter().map(line).collect()
    }

    /// What each place is worth where all play by these shares.
    fn values(
        &self,
        pass: &Pass<'_, W>,
        board: &Board,
        knowledge: &Knowledge,
        shares: &HashMap<usize, Vec<W>>,
    ) -> Values<W> {
        let mut values = Values::nothing(board, 2);
        let at = |place: usize| {
            let set = knowledge.of_places[place];
            set.and_then(|set| shares.get(&set)).cloned().unwrap_or_default()
        };
        for places in board.components().iter().rev() {
            for &place in places {
                let place = place as usize;
                let plan = match &board.spots[place] {
                    Spot::Turn(..) => Plan::Weights(at(place)),
                    Spot::Joint(joint) => {
                        let mut both = [at(joint.second), at(joint.second)];
                        both[joint.first] = at(place);
                        Plan::Mixed(both)
                    }
                    _ => Plan::None,
                };
                values.set(place, pass.worth(place, &plan, &values), plan);
            }
        }
        values
    }
}
