//! Turns weights of sequences into a strategy: what is done at each information set, and what each side gets.

use std::collections::HashMap;

use super::super::forms::board::{Board, Mover};
use super::super::forms::board_number::BoardNumber;
use super::super::forms::game_kind::Knowledge;
use super::super::forms::place_values::{Pass, PlacePlay, Values, count};
use super::super::forms::sequences::{DecisionPoint, Sequences, add};
use super::super::forms::strategy_lines::sights;
use super::super::solution::named_gains;
use super::super::{Choice, Solution, SolutionNumber, StrategyLine, UnsolvedReason};
use super::linear_program::BestWeights;
use super::normal::Normal;
use super::sequence_weights::weights;
use crate::game::Value;
use crate::graph::Graph;

impl<W: BoardNumber> Sequences<W> {
    /// What weights of sequences mean at each information set. Where a side never comes by
    /// its own doing, the options weigh that are best there: what is done there changes nothing for
    /// anybody else.
    pub(crate) fn lines(
        &self,
        pass: &Pass<'_, W>,
        board: &Board,
        knowledge: &Knowledge,
        graph: &Graph,
        weights: &[Vec<W>; 2],
    ) -> Vec<StrategyLine> {
        let mut shares = self.shares(weights);
        let mut values = self.values(pass, board, knowledge, &shares);
        let (places, sights) = (places(board, knowledge), sights(knowledge.sets(), graph));
        let look = |set: usize, point: &DecisionPoint, values: &Values<W>| {
            let here = places.get(&set).map(Vec::as_slice).unwrap_or_default();
            self.reach_and_worth(point, here, pass, values, weights)
        };
        // Later sets first: what is best at one depends on what is done after it.
        let mut unreached: Vec<(&usize, &DecisionPoint)> = self.points.iter().collect();
        unreached.retain(|(_, point)| weights[point.seat][point.before].is_zero());
        unreached.sort_by_key(|(_, point)| std::cmp::Reverse(point.first));
        if unreached.len() * board.game.len() <= TOUCHED {
            for (set, point) in unreached {
                // Nobody gets there: without time it stays as it is.
                if !(pass.may_continue)() {
                    break;
                }
                let worth = look(*set, point, &values).1;
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
        let line = |(&set, point): (&usize, &DecisionPoint)| {
            let (reach, worth) = look(set, point, &values);
            let known = &knowledge.sets()[set];
            let weighed = known.asked.values().iter().zip(&shares[&set]).zip(worth);
            let choice = |((option, weight), worth): ((&Value, &W), W)| {
                Choice::new(option, weight.clone(), worth)
            };
            let node = known.nodes.first().copied().unwrap_or_default();
            StrategyLine {
                reach: reach.about(),
                options: weighed.map(choice).collect(),
                ..sights[set].line(known, graph, node, &[])
            }
        };
        self.points.iter().map(line).collect()
    }

    /// What weights of sequences mean for the options of each information set.
    fn shares(&self, weights: &[Vec<W>; 2]) -> HashMap<usize, Vec<W>> {
        let shares = |(&set, point): (&usize, &DecisionPoint)| {
            let own = &weights[point.seat];
            let before = &own[point.before];
            let each = W::one() / count::<W>(point.options);
            let share = |at: usize| match before.is_zero() {
                true => each.clone(),
                false => own[at].clone() / before.clone(),
            };
            (set, (point.first..point.first + point.options).map(share).collect())
        };
        self.points.iter().map(shares).collect()
    }

    /// How likely an information set is reached, and what each of its options is worth there; where the
    /// others never let it happen, all its places count alike.
    fn reach_and_worth(
        &self,
        point: &DecisionPoint,
        places: &[usize],
        pass: &Pass<'_, W>,
        values: &Values<W>,
        weights: &[Vec<W>; 2],
    ) -> (W, Vec<W>) {
        let seat = point.seat;
        let (mut reach, mut others) = (W::zero(), W::zero());
        let mut sums = vec![W::zero(); point.options];
        let mut alike = vec![W::zero(); point.options];
        for &place in places {
            let given = pass.options(place, seat, values);
            add(&mut alike, &given, &W::one());
            for (pair, chance) in &self.at[place] {
                let other = chance.clone() * weights[1 - seat][pair[1 - seat]].clone();
                reach = reach + other.clone() * weights[seat][pair[seat]].clone();
                add(&mut sums, &given, &other);
                others = others + other;
            }
        }
        let (sums, all) = match others.is_zero() {
            true => (alike, count(places.len().max(1))),
            false => (sums, others),
        };
        (reach, sums.into_iter().map(|sum| sum / all.clone()).collect())
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
                let plan = match (board.movers[place], board.table_at(place)) {
                    (Mover::Side(_), _) => PlacePlay::Weights(at(place)),
                    (_, Some(joint)) => {
                        let mut both = [at(joint.second), at(joint.second)];
                        both[joint.first] = at(place);
                        PlacePlay::Mixed(both)
                    }
                    _ => PlacePlay::None,
                };
                values.set(place, pass.worth(place, &plan, &values), plan);
            }
        }
        values
    }
}

/// This many places are gone through at most, one after the other, for sets that nobody reaches.
const TOUCHED: usize = 20_000_000;

// Solves zero-sum games of two sides with hidden information by the linear program of their
// sequences.
//
// See [`program`](super::program) and [`sequence_weights`](super::sequence_weights).

/// The most sequences of a side, and the most pairs of sequences that end the game: beyond these,
/// regret minimisation is faster.
const SEQUENCES: usize = 5_000;
const ENDS: usize = 200_000;

impl Normal<'_> {
    /// Solves a game in which one side wins what the other loses, by its sequences.
    ///
    /// # Errors
    /// [`UnsolvedReason::Strategies`] if there are too many sequences, or the program does not converge;
    /// [`UnsolvedReason::Stopped`].
    pub(crate) fn sequence_form(
        &self,
        pass: &Pass<'_, f64>,
        game: &Sequences<f64>,
    ) -> Result<Solution, UnsolvedReason> {
        let sizes = [game.of[0].len(), game.of[1].len()];
        if sizes.iter().any(|size| *size > SEQUENCES) {
            let [own, other] = sizes;
            let beyond =
                format!("and {own} and {other} sequences of answers, more than {SEQUENCES}");
            return Err(self.too_many(game, beyond));
        }
        let ends = game.ends.len();
        if ends > ENDS {
            let beyond =
                format!("whose sequences of answers end in {ends} pairs, more than {ENDS}");
            return Err(self.too_many(game, beyond));
        }
        let found = match BestWeights::solve(game, self.seating.budget()) {
            Some(found) => found,
            None if (pass.may_continue)() => {
                let [own, other] = sizes;
                let beyond = format!(
                    "and the linear program of their {own} and {other} sequences of answers does not \
                     come near in floats"
                );
                return Err(self.too_many(game, beyond));
            }
            None => return Err(UnsolvedReason::Stopped),
        };
        let weights = weights(game, &found);
        let gains = game.gains(&weights);
        let names = self.board.seats.iter().map(|seat| seat.name.clone());
        let worth = game.all_worth(&weights);
        let value =
            names.zip(worth.into_iter().map(|worth| -> SolutionNumber { worth.into() })).collect();
        let graph = &self.seating.graph;
        let mut solution = Solution {
            method: format!("sequence form of {} and {} sequences", sizes[0], sizes[1]),
            value,
            exploitability: gains.into_iter().fold(0.0, f64::max),
            gains: named_gains(&self.board.seats, &gains),
            strategy: game.lines(pass, self.board, self.knowledge, graph, &weights),
            ..Solution::default()
        };
        solution.sort();
        Ok(solution)
    }
}

/// The places of each information set; of a joint decision those where it begins.
fn places(board: &Board, knowledge: &Knowledge) -> HashMap<usize, Vec<usize>> {
    let mut places: HashMap<usize, Vec<usize>> = HashMap::new();
    for (place, &mover) in board.movers.iter().enumerate() {
        let at: &[usize] = match (mover, board.table_at(place)) {
            (Mover::Side(_), _) => &[place],
            (_, Some(joint)) => &[place, joint.second],
            _ => &[],
        };
        for set in at.iter().filter_map(|&at| knowledge.of_places[at]) {
            places.entry(set).or_default().push(place);
        }
    }
    places
}
