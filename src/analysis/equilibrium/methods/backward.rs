//! Backward induction: the values of all places, worked out from the ends (Zermelo, 1913; Kuhn, 1953).
//!
//! Places that lead back to each other are solved together, as a fixed point. If every way of playing
//! leaves these places in the end, there is one value, and the best choice at a place does not change
//! over time (Shapley, 1953). Sweeps over the places approach it; then the best choices are kept and their equations are solved, again and again until nothing changes
//! (Hoffman and Karp, Management Science 12, 1966; Pollatschek and Avi-Itzhak, Management Science
//! 15, 1969). In fractions the result is proven: nobody can do better anywhere.

use std::collections::HashMap;

use super::super::UnsolvedReason;
use super::super::forms::board::BoardNode;
use super::super::forms::place_values::{Pass, PlacePlay, Values};
use super::super::forms::worth::BoardNumber;
use super::super::matrix::solve_equations;

/// Places that lead back to each other: at most this many.
const MOST: usize = 2_000;
/// And at most this many where equations are solved in fractions.
pub(crate) const MOST_IN_FRACTIONS: usize = 120;
const SWEEPS: usize = 2_000;
const ROUNDS: usize = 50;

impl<W: BoardNumber> Pass<'_, W> {
    /// Works all places out.
    ///
    /// # Errors
    /// [`UnsolvedReason`] places that lead back to each other are out of reach, or [`UnsolvedReason::Stopped`].
    pub(crate) fn values(&self) -> Result<Values<W>, UnsolvedReason> {
        let one = self.zero_sum || self.against.is_some();
        // Where no ending has a utility for anybody there are no seats.
        let seats = self.board.seats.len();
        let width = if one { seats.min(1) } else { seats };
        let mut values = Values::nothing(self.board, width);
        for (number, places) in self.board.components().iter().rev().enumerate() {
            if number % 256 == 0 && !(self.go_on)() {
                return Err(UnsolvedReason::Stopped);
            }
            match places {
                [place] if !self.board.next(*place as usize).contains(place) => {
                    let place = *place as usize;
                    let plan = self.plan(place, &values)?;
                    values.set(place, self.worth(place, &plan, &values), plan);
                }
                places => solve_cycle(self, places, &mut values)?,
            }
        }
        Ok(values)
    }
}

/// Works out the places of a cycle, which are sorted.
///
/// # Errors
/// [`UnsolvedReason`] they are out of reach: too many, some way of playing never ends, joint decisions in
/// fractions, or no end of improving.
fn solve_cycle<W: BoardNumber>(
    pass: &Pass<'_, W>,
    places: &[u32],
    values: &mut Values<W>,
) -> Result<(), UnsolvedReason> {
    let first = places.first().copied().unwrap_or_default() as usize;
    let exact = W::EXACT;
    let most = if exact { MOST_IN_FRACTIONS } else { MOST };
    if places.len() > most {
        return Err(UnsolvedReason::Large { size: places.len(), most, place: first });
    }
    if values.width > 1 {
        return Err(UnsolvedReason::Cycle { size: places.len(), place: first });
    }
    if let Some((size, place)) = endless(pass, places) {
        return Err(UnsolvedReason::Endless { size, place });
    }
    if values.width == 0 {
        // Nobody gets anything, and it ends.
        return Ok(());
    }
    let joint = |&place: &u32| matches!(pass.board.spots[place as usize], BoardNode::Joint(_));
    // Against what the other does a joint decision is one of one side, and fractions fit.
    if exact && pass.against.is_none() && places.iter().any(joint) {
        return Err(UnsolvedReason::Irrational { size: places.len(), place: first });
    }
    let mut last = f64::INFINITY;
    for sweep in 0..SWEEPS {
        if !(pass.go_on)() {
            return Err(UnsolvedReason::Stopped);
        }
        // Sums of fractions grow longer with each sweep: they only find a first plan.
        if exact && sweep > 2 {
            break;
        }
        last = self::sweep(pass, places, values)?;
        if last <= pass.settled() {
            break;
        }
    }
    for _ in 0..ROUNDS {
        if !(pass.go_on)() {
            return Err(UnsolvedReason::Stopped);
        }
        let before: Vec<W> = places.iter().map(|&place| values.of(place, 0).clone()).collect();
        hold(pass, places, values)?;
        let change = sweep(pass, places, values)?;
        if exact && change == 0.0 {
            return Ok(());
        }
        if !exact && change >= last {
            // Rounding is all that is left.
            places.iter().zip(before).for_each(|(&place, worth)| {
                values.worth[place as usize * values.width] = worth;
            });
            return Ok(());
        }
        last = change;
    }
    if exact { Err(UnsolvedReason::Unsettled { size: places.len(), place: first }) } else { Ok(()) }
}

/// Recomputes each place from the values of the others, and returns the largest change.
fn sweep<W: BoardNumber>(
    pass: &Pass<'_, W>,
    places: &[u32],
    values: &mut Values<W>,
) -> Result<f64, UnsolvedReason> {
    let mut largest = 0.0_f64;
    for &place in places.iter().rev() {
        let place = place as usize;
        let plan = pass.plan(place, values)?;
        let worth = pass.worth(place, &plan, values);
        let change = worth[0].clone() - values.of(place as u32, 0).clone();
        if !change.is_zero() {
            // A fraction that is not nothing may be less than the least float.
            largest = largest.max(change.about().abs()).max(f64::MIN_POSITIVE);
        }
        values.set(place, worth, plan);
    }
    Ok(largest)
}

/// Solves the values of the places under the plans that are known.
fn hold<W: BoardNumber>(
    pass: &Pass<'_, W>,
    places: &[u32],
    values: &mut Values<W>,
) -> Result<(), UnsolvedReason> {
    let count = places.len();
    let numbers: HashMap<u32, usize> =
        places.iter().enumerate().map(|(number, &place)| (place, number)).collect();
    let mut lines = Vec::with_capacity(count);
    for (number, &place) in places.iter().enumerate() {
        let mut line = vec![W::zero(); count + 1];
        line[number] = W::one();
        for (to, share) in pass.steps(place as usize, &values.plans[place as usize]) {
            let (at, part) = match numbers.get(&to) {
                Some(&at) => (at, W::zero() - share),
                None => (count, share * values.of(to, 0).clone()),
            };
            line[at] = line[at].clone() + part;
        }
        lines.push(line);
    }
    let first = places.first().copied().unwrap_or_default() as usize;
    let solved = solve_equations(lines, pass.go_on).ok_or_else(|| match (pass.go_on)() {
        true => UnsolvedReason::Unsettled { size: count, place: first },
        false => UnsolvedReason::Stopped,
    })?;
    for (&place, worth) in places.iter().zip(solved) {
        values.worth[place as usize * values.width] = worth;
    }
    Ok(())
}

/// Places where players who work together could stay for ever: their number, and one of them. At
/// chance places, everything that may be drawn must lead back.
fn endless<W: BoardNumber>(pass: &Pass<'_, W>, places: &[u32]) -> Option<(usize, usize)> {
    let mut stay: Vec<u32> = places.to_vec();
    loop {
        let stays = |to: &u32| stay.binary_search(to).is_ok();
        let kept: Vec<u32> = stay
            .iter()
            .copied()
            .filter(|&place| {
                let place = place as usize;
                match (&pass.board.spots[place], pass.against) {
                    (BoardNode::Chance(odds, to), _) => {
                        let falls = |(_, share): &(&u32, &W)| !share.is_zero();
                        to.iter().zip(pass.chances(*odds)).filter(falls).all(|(to, _)| stays(to))
                    }
                    // What the others do is no more open than chance is.
                    (BoardNode::Turn(seat, _), Some((free, plans))) if free != *seat => {
                        pass.steps(place, &plans[place]).iter().all(|(to, _)| stays(to))
                    }
                    (BoardNode::Joint(joint), Some((free, plans))) => match &plans[place] {
                        PlacePlay::Mixed(mixed) if free < mixed.len() => {
                            joint.keeps(free, &mixed[1 - free], stays)
                        }
                        _ => joint.to.iter().any(stays),
                    },
                    _ => pass.board.next(place).iter().any(stays),
                }
            })
            .collect();
        if kept.len() == stay.len() {
            return stay.first().map(|&first| (stay.len(), first as usize));
        }
        stay = kept;
    }
}
