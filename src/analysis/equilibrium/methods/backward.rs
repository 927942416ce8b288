//! Backward induction: the values of all places, worked out from the ends (Zermelo, 1913; Kuhn, 1953).

use std::collections::HashMap;

use super::super::UnsolvedReason;
use super::super::forms::place_values::{Pass, Values};
use super::super::forms::sequences::Sequences;
use super::super::matrix::{PayoffMatrix, Scalar};
use super::cycle::solve_cycle;

impl<W: Scalar> Pass<'_, W> {
    pub(crate) fn values(&self) -> Result<Values<W>, UnsolvedReason> {
        let one = self.zero_sum || self.against.is_some();
        // Where no ending has a utility for anybody there are no seats.
        let seats = self.board.seats.len();
        let width = if one { seats.min(1) } else { seats };
        let mut values = Values::nothing(self.board, width);
        for (number, places) in self.board.components().iter().rev().enumerate() {
            if number % 256 == 0 && !(self.may_continue)() {
                return Err(UnsolvedReason::Stopped);
            }
            if self.board.is_passed(places) {
                let place = places[0] as usize;
                let plan = self.plan(place, &values)?;
                values.set(place, self.worth(place, &plan, &values), plan);
            } else {
                solve_cycle(self, places, &mut values)?;
            }
        }
        Ok(values)
    }
}

// The pure strategies of two sides: a table of what each pair gives each side, and the value of
// mixes.

/// The pure strategies of two sides, and the utilities of each pair.
pub(crate) struct Pure<W> {
    /// The sequences that they are made of.
    pub sequences: Sequences<W>,
    /// Each side's strategies, as the sequences that they allow.
    pub strategies: [Vec<Vec<usize>>; 2],
    /// The utilities of each side; rows are the first side's strategies, columns the second's.
    pub tables: [PayoffMatrix<W>; 2],
}

impl<W: Scalar> Pure<W> {
    /// Works out the table of all pairs; `None` if the caller stops it.
    pub(crate) fn of(sequences: Sequences<W>, may_continue: &dyn Fn() -> bool) -> Option<Pure<W>> {
        let strategies = [sequences.pure(0), sequences.pure(1)];
        Pure::of_some(sequences, strategies, may_continue)
    }

    /// The same for these strategies alone.
    pub(crate) fn of_some(
        sequences: Sequences<W>,
        strategies: [Vec<Vec<usize>>; 2],
        may_continue: &dyn Fn() -> bool,
    ) -> Option<Pure<W>> {
        let mut after: HashMap<usize, Vec<(usize, &[W])>> = HashMap::new();
        for ([own, other], worth) in &sequences.ends {
            after.entry(*own).or_default().push((*other, worth));
        }
        let [rows, columns] = [strategies[0].len(), strategies[1].len()];
        let mut cells = [Vec::with_capacity(rows * columns), Vec::with_capacity(rows * columns)];
        let nothing = || vec![W::zero(); sequences.sizes[1]];
        for row in &strategies[0] {
            if !may_continue() {
                return None;
            }
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
        let tables = cells.map(|cells| PayoffMatrix::new(rows, columns, cells));
        Some(Pure { sequences, strategies, tables })
    }

    /// The average utilities of both sides from mixes of strategies.
    pub(crate) fn worth(&self, mixes: &[Vec<W>; 2]) -> [W; 2] {
        [0, 1].map(|side| {
            let rows = self.tables[side].of_rows(&mixes[1]);
            let pairs = rows.iter().zip(&mixes[0]);
            pairs.fold(W::zero(), |sum, (row, weight)| sum + row.clone() * weight.clone())
        })
    }

    /// The most that a side gains by the best of its strategies against the other's mix.
    pub(crate) fn gains(&self, mixes: &[Vec<W>; 2]) -> [f64; 2] {
        let worth = self.worth(mixes);
        let given = [self.tables[0].of_rows(&mixes[1]), self.tables[1].of_columns(&mixes[0])];
        [0, 1].map(|seat| {
            let gains =
                given[seat].iter().map(|given| (given.clone() - worth[seat].clone()).about());
            gains.fold(0.0, f64::max)
        })
    }

    /// The probability that each side plays each of its sequences under mixes of strategies, if chance and the other
    /// side let it (Kuhn, Extensive games and the problem of information, 1953).
    pub(crate) fn realized(&self, mixes: &[Vec<W>; 2]) -> [Vec<W>; 2] {
        [0, 1].map(|seat| {
            let mut weights = vec![W::zero(); self.sequences.sizes[seat]];
            for (strategy, share) in self.strategies[seat].iter().zip(&mixes[seat]) {
                for &sequence in strategy {
                    weights[sequence] = weights[sequence].clone() + share.clone();
                }
            }
            weights
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::equilibrium::forms::board::{Board, Mover, Opposed};
    use crate::analysis::equilibrium::test_games::{board, game, zero_sum};
    use crate::number::Fraction;

    fn whole(number: i64) -> Fraction {
        Fraction::from_integer(number.into())
    }

    /// What each side gets from a place on, found by walking every way of playing: who decides picks
    /// each of the best options as often.
    fn plain(board: &Board, place: usize) -> Vec<Fraction> {
        let game = &board.game;
        if let Mover::End(ending) = board.movers[place] {
            return board.worth[ending as usize].clone();
        }
        let after: Vec<_> = game.to.of(place).iter().map(|&to| plain(board, to as usize)).collect();
        let weights: Vec<Fraction> = match board.movers[place] {
            Mover::Side(side) => {
                let own = |worth: &Vec<Fraction>| worth[side as usize].clone();
                let most = after.iter().map(own).max().unwrap();
                let best = |worth| whole(i64::from(own(worth) == most));
                let count: Fraction = after.iter().map(best).sum();
                after.iter().map(|worth| best(worth) / &count).collect()
            }
            _ => {
                let all = game.weights.fractions(Fraction::clone);
                let steps = game.weights.of[game.to.range(place)].iter();
                steps.map(|&share| all[share as usize].clone()).collect()
            }
        };
        let mean = |side: usize| {
            after.iter().zip(&weights).map(|(worth, weight)| &worth[side] * weight).sum()
        };
        (0..board.seats.len()).map(mean).collect()
    }

    #[test]
    fn games_in_turn_are_worth_what_walking_every_way_of_playing_finds() {
        for seed in 0..1_000 {
            let (sides, inner) = (1 + seed as usize % 3, 2 + seed as usize % 23);
            // Utilities are whole numbers from -5 to 5, so that options often tie.
            let board = board(&game(seed, sides, inner)).0;
            let values = Pass::<Fraction>::new(&board, false, &|| true).values().unwrap();
            for place in 0..board.game.len() {
                let found: Vec<Fraction> =
                    (0..sides).map(|side| values.of(place as u32, side).clone()).collect();
                assert_eq!(found, plain(&board, place), "game {seed}, place {place}");
            }
        }
    }

    #[test]
    fn what_one_side_wins_the_other_loses_at_every_place() {
        for seed in 0..300 {
            let mut board = board(&zero_sum(seed, 2 + seed as usize % 23)).0;
            board.opposed = Some(Opposed { most: whole(0), rate: whole(1) });
            let pass = Pass::<Fraction>::new(&board, true, &|| true);
            let values = pass.values().unwrap();
            for place in 0..board.game.len() {
                let worth = values.of(place as u32, 0);
                let found = [0, 1].map(|side| pass.own(side, worth));
                assert_eq!(found.to_vec(), plain(&board, place), "game {seed}, place {place}");
            }
        }
    }

    #[test]
    fn nobody_gains_by_answering_the_mixes_of_joint_decisions() {
        let mut joined = 0;
        for seed in 0..1_000 {
            // A side decides after the other and knows nothing of it: that is a joint decision.
            let mut board = board(&zero_sum(seed, 2 + seed as usize % 23)).0;
            board.opposed = Some(Opposed { most: whole(0), rate: whole(1) });
            joined += join(&mut board);
            let pass = Pass::<Fraction>::new(&board, true, &|| true);
            let values = pass.values().unwrap();
            for side in [0, 1] {
                let has = pass.own(side, values.of(0, 0));
                let alone = Pass::<Fraction>::new(&board, false, &|| true);
                let best = alone.against(side, &values.plans).values().unwrap();
                assert_eq!(*best.of(0, 0), has, "game {seed}, side {side}");
            }
        }
        assert!(joined > 100, "{joined}");
    }

    /// Makes joint decisions of all decisions after which the other side decides, with as many options each
    /// time; returns how many.
    fn join(board: &mut Board) -> usize {
        let mut joined = 0;
        for place in 0..board.game.len() {
            let Mover::Side(first) = board.movers[place] else { continue };
            let seconds = board.game.to.of(place).to_vec();
            let options = board.game.to.of(seconds[0] as usize).len();
            let fits = |&second: &u32| {
                board.movers[second as usize] == Mover::Side(1 - first)
                    && board.game.to.of(second as usize).len() == options
            };
            if seconds.iter().all(fits) {
                board.put_together(place, first as usize);
                seconds.iter().for_each(|&second| board.movers[second as usize] = Mover::Part);
                joined += 1;
            }
        }
        joined
    }
}
