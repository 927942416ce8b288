//! Solves games without hidden information by backward induction: the values of all places, worked out from the ends
//! (Zermelo, 1913; Kuhn, 1953), with a certificate.

use indexmap::IndexMap;

use super::board::{Board, GameKind, Knowing};
use super::cycle::{MOST_IN_FRACTIONS, solve_cycle};
use super::matrix::Scalar;
use super::place_values::{Pass, PlacePlay, Repeats, Values};
use super::solution::named_gains;
use super::strategy_lines::lines;
use super::{Solution, UnsolvedReason};
use crate::conflict::Seating;
use crate::graph::InformationSets;
use crate::report;

impl<W: Scalar> Pass<'_, W> {
    pub(crate) fn values(&self) -> Result<Values<W>, UnsolvedReason> {
        let one = self.zero_sum || self.against.is_some();
        // Where no ending has a utility for anybody there are no seats.
        let seats = self.board.seats.len();
        let width = if one { seats.min(1) } else { seats };
        // No place is worth anything yet, and nobody has a plan.
        let places = self.board.game.len();
        let (worth, plans) = (vec![W::zero(); places * width], vec![PlacePlay::None; places]);
        let mut values = Values { width, worth, plans, repeats: None };
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

/// Solves an open game: one without joint decisions, or one of two sides that win from each other. `who` names one side
/// and all of them in notes.
pub(crate) fn solve_open<W: Scalar>(
    board: &Board,
    (kind, who): (&GameKind, (&str, &str)),
    known: &InformationSets,
    seating: &Seating,
) -> Result<(Solution, Repeats), UnsolvedReason> {
    let may_continue = || seating.may_continue().is_ok();
    let pass = Pass::<W>::new(board, kind.opposed, &may_continue);
    // What one side alone decides is seen with its own eyes.
    let pass = if kind.sides < 2 { pass.against(0, &[]) } else { pass };
    let values = pass.values()?;
    let exact = W::EXACT;
    // How many sides have numbers on the board already.
    let valued = match kind.sides {
        0 | 1 => 1,
        2 if kind.opposed => 2,
        _ => board.seats.len(),
    };
    let mut value = IndexMap::new();
    for (seat, own) in board.seats.iter().enumerate() {
        let worth = match seat < valued {
            true => pass.own(seat, values.of(0, pass.index(seat))),
            // Who decides nothing gets what comes of what the others do.
            false => answer(board, seat, &values, &may_continue)?,
        };
        value.insert(own.name.clone(), worth.into());
    }
    let gains = if exact { Vec::new() } else { gains::<W>(&pass, &values)? };
    let mut notes = values.repeats.map_or_else(Vec::new, |repeats| repeated(repeats, who));
    if !kind.opposed && kind.sides > 1 {
        notes.push(
            "subgame perfect: at no place does anybody gain by deviating; where options tie there may be \
             other equilibria, with other values"
                .to_owned(),
        );
    }
    let method = match kind.knowing {
        _ if values.repeats.is_some() => "value iteration",
        Knowing::Joint => "backward induction over matrix games",
        _ => "backward induction",
    };
    let mut solution = Solution {
        method: method.to_owned(),
        exact,
        value,
        exploitability: gains.iter().copied().fold(0.0, f64::max),
        gains: named_gains(&board.seats, &gains),
        strategy: lines(&pass, &values, known, &seating.graph),
        notes,
        ..Solution::default()
    };
    solution.sort();
    Ok((solution, values.repeats.unwrap_or_default()))
}

/// The utility of a side that answers the plans of the others as well as it can.
fn answer<W: Scalar>(
    board: &Board,
    seat: usize,
    values: &Values<W>,
    may_continue: &dyn Fn() -> bool,
) -> Result<W, UnsolvedReason> {
    let best = Pass::<W>::new(board, false, may_continue).against(seat, &values.plans).values()?;
    Ok(best.of(0, 0).clone())
}

/// The gain of each side that decides from answering the others' plans as well as it can.
fn gains<W: Scalar>(pass: &Pass<'_, W>, values: &Values<W>) -> Result<Vec<f64>, UnsolvedReason> {
    // Who decides alone has played the best answer already.
    if pass.against.is_some() {
        return Ok(vec![0.0; pass.board.sides]);
    }
    let gain = |seat: usize| {
        let has = pass.own(seat, values.of(0, pass.index(seat)));
        let best = answer(pass.board, seat, values, pass.may_continue)?;
        Ok((best - has).about())
    };
    (0..pass.board.sides).map(gain).collect()
}

/// Why a board on which nothing ends has no solution.
pub(crate) fn without_end(board: &Board) -> Option<UnsolvedReason> {
    let found = board.components();
    let cycle =
        found.iter().max_by_key(|places| places.len()).filter(|_| board.worth.is_empty())?;
    Some(UnsolvedReason::Endless {
        size: cycle.len(),
        place: cycle.first().map_or(0, |&at| at as usize),
    })
}

/// What is needed where values were approached since places lead back to each other, and play may be endless: what one
/// side and all of them could do.
fn repeated(repeats: Repeats, (side, sides): (&str, &str)) -> Vec<String> {
    let most = report::at_most(repeats.apart + report::ROUNDING);
    let mut notes = vec![format!(
        "states form cycles: values were approached from below and from above until they met, within {most}"
    )];
    if repeats.could_stay {
        notes.push(format!(
            "{side} could play for ever in places: only ways of playing that end are considered"
        ));
    }
    if repeats.endless > 0 {
        notes.push(format!(
            "{sides} could play for ever among {}, and nothing depends on what that is worth",
            report::many(repeats.endless as u64, "state")
        ));
    }
    notes
}

/// Whether fractions are worth while for the places that lead back to each other: they grow longer
/// with each.
pub(crate) fn fits_fractions(board: &Board) -> bool {
    let (largest, all) = board.cycles();
    largest <= MOST_IN_FRACTIONS && all <= IN_FRACTIONS
}

/// At most this many places in all that lead back to others are worked out in fractions.
const IN_FRACTIONS: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::equilibrium::board::{Mover, Opposed};
    use crate::analysis::equilibrium::test_games::{board, fraction, game, zero_sum};
    use crate::number::Fraction;

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
                let best = |worth| fraction(f64::from(u8::from(own(worth) == most)));
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
            let board = board(&game(seed, sides, inner));
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
            let mut board = board(&zero_sum(seed, 2 + seed as usize % 23));
            board.opposed = Some(Opposed { most: fraction(0.0), rate: fraction(1.0) });
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
            let mut board = board(&zero_sum(seed, 2 + seed as usize % 23));
            board.opposed = Some(Opposed { most: fraction(0.0), rate: fraction(1.0) });
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
