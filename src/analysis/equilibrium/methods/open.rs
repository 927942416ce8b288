//! Solves games without hidden information by backward induction, with a certificate.

use indexmap::IndexMap;

use super::super::forms::board::Board;
use super::super::forms::kind::{GameKind, Knowing, Knowledge};
use super::super::forms::lines::{lines, reaches};
use super::super::forms::place_values::{Pass, Values};
use super::super::forms::worth::BoardNumber;
use super::super::solution::named_gains;
use super::super::{Solution, UnsolvedReason};
use crate::conflict::Seating;

/// Solves an open game: one without joint decisions, or one of two sides that win from each other.
///
/// # Errors
/// [`UnsolvedReason`] it is out of reach.
pub(crate) fn solve<W: BoardNumber>(
    board: &Board,
    kind: &GameKind,
    knowledge: &Knowledge,
    seating: &Seating,
) -> Result<Solution, UnsolvedReason> {
    let go_on = || seating.go_on().is_ok();
    let pass = Pass::<W>::new(board, kind.opposed, &go_on);
    // What one side alone decides is seen with its own eyes.
    let pass = if kind.sides < 2 { pass.against(0, &[]) } else { pass };
    let values = pass.values()?;
    let exact = W::EXACT;
    // How many sides have numbers on the board already.
    let known = match kind.sides {
        0 | 1 => 1,
        2 if kind.opposed => 2,
        _ => board.seats.len(),
    };
    let mut value = IndexMap::new();
    for (seat, own) in board.seats.iter().enumerate() {
        let worth = match seat < known {
            true => pass.own(seat, values.of(0, pass.index(seat))),
            // Who decides nothing gets what comes of what the others do.
            false => answer(board, seat, &values, &go_on)?,
        };
        value.insert(own.name.clone(), worth.into());
    }
    let gains = if exact { Vec::new() } else { gains::<W>(&pass, &values)? };
    let utilities = |place: usize, seat: usize| {
        pass.options(place, seat, &values).into_iter().map(Into::into).collect()
    };
    let sums = (&reaches(&pass, &values)[..], &utilities as &dyn Fn(usize, usize) -> _);
    let mut notes = Vec::new();
    if !kind.opposed && kind.sides > 1 {
        notes.push(
            "subgame perfect: at no place does anybody gain by deviating; where options tie there may be \
             other equilibria, with other values"
                .to_owned(),
        );
    }
    let mut solution = Solution {
        method: method(kind).to_owned(),
        exact,
        value,
        exploitability: gains.iter().copied().fold(0.0, f64::max),
        gains: named_gains(&board.seats, &gains),
        strategy: lines(&pass, &values, sums, knowledge, &seating.graph),
        notes,
        ..Solution::default()
    };
    solution.sort();
    Ok(solution)
}

fn method(kind: &GameKind) -> &'static str {
    match kind.knowing {
        Knowing::Joint => "backward induction over matrix games",
        _ => "backward induction",
    }
}

/// The utility of a side that answers the plans of the others as well as it can.
fn answer<W: BoardNumber>(
    board: &Board,
    seat: usize,
    values: &Values<W>,
    go_on: &dyn Fn() -> bool,
) -> Result<W, UnsolvedReason> {
    let best = Pass::<W>::new(board, false, go_on).against(seat, &values.plans).values()?;
    Ok(best.of(0, 0).clone())
}

/// The gain of each side that decides from answering the others' plans as well as it can.
fn gains<W: BoardNumber>(
    pass: &Pass<'_, W>,
    values: &Values<W>,
) -> Result<Vec<f64>, UnsolvedReason> {
    let gain = |seat: usize| {
        let has = pass.own(seat, values.of(0, pass.index(seat)));
        let best = answer(pass.board, seat, values, pass.go_on)?;
        Ok((best - has).about())
    };
    (0..pass.board.sides).map(gain).collect()
}
