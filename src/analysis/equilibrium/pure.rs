//! What comes of every pair of pure strategies? A table for each side, and what a mix of them means.

use std::collections::HashMap;

use super::backward::{Pass, Plan, Values, count};
use super::board::{Board, Spot};
use super::kind::Knowledge;
use super::lines::sights;
use super::matrix::Table;
use super::sequences::{Sequences, Stand};
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
        Pure::of_some(sequences, strategies)
    }

    /// The same for these strategies alone.
    pub fn of_some(sequences: Sequences<W>, strategies: [Vec<Vec<usize>>; 2]) -> Pure<W> {
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

    /// What all sides get, those that decide nowhere after the first two.
    pub fn all_worth(&self, mixes: &[Vec<W>; 2]) -> Vec<W> {
        let mut worth = self.worth(mixes).to_vec();
        let weights = [self.weights(0, &mixes[0]), self.weights(1, &mixes[1])];
        for ([own, other], given) in &self.sequences.others {
            worth.resize(2 + given.len(), W::zero());
            let share = weights[0][*own].clone() * weights[1][*other].clone();
            for (sum, given) in worth[2..].iter_mut().zip(given) {
                *sum = sum.clone() + given.clone() * share.clone();
            }
        }
        worth
    }

    /// The most that a side gains by the best of its strategies against the other's mix.
    pub fn gap(&self, mixes: &[Vec<W>; 2]) -> f64 {
        let worth = self.worth(mixes);
        let given = [self.tables[0].of_rows(&mixes[1]), self.tables[1].of_columns(&mixes[0])];
        let gains = given.iter().zip(&worth).flat_map(|(given, worth)| {
            given.iter().map(move |given| (given.clone() - worth.clone()).about())
        });
        gains.fold(0.0, f64::max)
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
    /// of information, 1953). Where a side never comes by its own doing, the options weigh that are
    /// best there: what is done there changes nothing for anybody else.
    pub fn lines(
        &self,
        pass: &Pass<'_, W>,
        board: &Board,
        knowledge: &Knowledge,
        graph: &Graph,
        mixes: &[Vec<W>; 2],
    ) -> Vec<Line> {
        let weights = [self.weights(0, &mixes[0]), self.weights(1, &mixes[1])];
        let mut shares: HashMap<usize, Vec<W>> = self
            .sequences
            .stands
            .iter()
            .map(|(&set, stand)| {
                let own = &weights[stand.seat];
                let before = &own[stand.before];
                let each = W::one() / count::<W>(stand.options);
                let share = |at: usize| match before.is_zero() {
                    true => each.clone(),
                    false => own[at].clone() / before.clone(),
                };
                (set, (stand.first..stand.first + stand.options).map(share).collect())
            })
            .collect();
        let mut values = self.values(pass, board, knowledge, &shares);
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
        // How likely a set is reached, and what each of its options is worth there; where the others
        // never let it come to that, all its nodes count alike.
        let look = |set: usize, stand: &Stand, values: &Values<W>| -> (W, Vec<W>) {
            let seat = stand.seat;
            let mut reach = W::zero();
            let mut others = W::zero();
            let mut sums = vec![W::zero(); stand.options];
            let mut alike = vec![W::zero(); stand.options];
            let here = places.get(&set).map(Vec::as_slice).unwrap_or_default();
            for &place in here {
                let given = pass.options(place, seat, values);
                add(&mut alike, &given, &W::one());
                for (pair, chance) in &self.sequences.at[place] {
                    let other = chance.clone() * weights[1 - seat][pair[1 - seat]].clone();
                    reach = reach + other.clone() * weights[seat][pair[seat]].clone();
                    add(&mut sums, &given, &other);
                    others = others + other;
                }
            }
            let (sums, all) = match others.is_zero() {
                true => (alike, count(here.len().max(1))),
                false => (sums, others),
            };
            (reach, sums.into_iter().map(|sum| sum / all.clone()).collect())
        };
        // Later sets first: what is best at one depends on what is done after it.
        let mut unreached: Vec<(&usize, &Stand)> = self.sequences.stands.iter().collect();
        unreached.retain(|(_, stand)| weights[stand.seat][stand.before].is_zero());
        unreached.sort_by_key(|(_, stand)| std::cmp::Reverse(stand.first));
        if unreached.len() * board.spots.len() <= TOUCHED {
            for (set, stand) in unreached {
                let worth = look(*set, stand, &values).1;
                let Some(best) = worth.iter().cloned().reduce(|a, b| if b > a { b } else { a })
                else {
                    continue;
                };
                let near = |worth: &W| (best.clone() - worth.clone()) <= pass.tiny;
                let each = W::one() / count::<W>(worth.iter().filter(|worth| near(worth)).count());
                let share = |worth| if near(worth) { each.clone() } else { W::zero() };
                shares.insert(*set, worth.iter().map(share).collect());
                values = self.values(pass, board, knowledge, &shares);
            }
        }
        let line = |(&set, stand): (&usize, &Stand)| {
            let (reach, worth) = look(set, stand, &values);
            let known = &knowledge.sets[set];
            let told = known.options.iter().zip(&shares[&set]).zip(worth);
            let choice = |((option, weight), worth): ((&Value, &W), W)| Choice {
                option: option.to_string(),
                weight: weight.clone().into(),
                utility: worth.into(),
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
        let mut values = Values::nothing(board, board.seats.len());
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

/// So many places are gone through at most, one after the other, for sets that nobody comes to.
const TOUCHED: usize = 20_000_000;

/// Adds numbers, each so many times.
fn add<W: Worth>(sums: &mut [W], given: &[W], times: &W) {
    for (sum, given) in sums.iter_mut().zip(given) {
        *sum = sum.clone() + given.clone() * times.clone();
    }
}
