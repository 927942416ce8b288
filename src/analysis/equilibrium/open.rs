//! What should be done where nothing is hidden? The board worked out, with a certificate.

use super::backward::{Pass, Values};
use super::board::Board;
use super::kind::{Kind, Knowing, Knowledge};
use super::lines::lines;
use super::worth::Worth;
use super::{Figure, Solution, Why};
use crate::conflict::Seating;

/// Solves an open game: one without joint decisions, or one of two sides that win from each other.
///
/// # Errors
/// [`Why`] it is out of reach.
pub fn solve<W: Worth>(
    board: &Board,
    kind: &Kind,
    knowledge: &Knowledge,
    seating: &Seating,
) -> Result<Solution, Why> {
    let go_on = || seating.go_on().is_ok();
    let pass = Pass::<W>::new(board, kind.is_zero_sum(), &go_on);
    let values = pass.values()?;
    let exact = pass.tiny.is_zero();
    let side = |(seat, own): (usize, &crate::conflict::Seat)| {
        let value: Figure = pass.own(seat, values.of(0, pass.index(seat))).into();
        (own.name.clone(), value)
    };
    let exploitability = if exact { 0.0 } else { gap::<W>(board, kind, &values, &go_on)? };
    let mut notes = Vec::new();
    if !kind.is_zero_sum() && kind.sides > 1 {
        notes.push(
            "subgame perfect: at no place does anybody gain by deviating; where options tie there may be \
             other equilibria, with other values"
                .to_owned(),
        );
    }
    let mut solution = Solution {
        method: method(kind).to_owned(),
        exact,
        value: board.seats.iter().enumerate().map(side).collect(),
        exploitability,
        strategy: lines(&pass, &values, knowledge, &seating.graph),
        further: Vec::new(),
        notes,
        interrupted: false,
    };
    solution.sort();
    Ok(solution)
}

fn method(kind: &Kind) -> &'static str {
    match kind.knowing {
        Knowing::Joint => "backward induction over matrix games",
        _ => "backward induction",
    }
}

/// Half of what both sides could gain together by playing otherwise: each answers the other's
/// strategy as well as it can.
fn gap<W: Worth>(
    board: &Board,
    kind: &Kind,
    values: &Values<W>,
    go_on: &dyn Fn() -> bool,
) -> Result<f64, Why> {
    let zero_sum = kind.is_zero_sum();
    let mut gains = 0.0;
    for seat in 0..board.seats.len() {
        let pass = Pass::<W>::new(board, zero_sum, go_on).against(seat, &values.plans);
        let best = pass.values()?;
        let of = |values: &Values<W>| pass.own(seat, values.of(0, pass.index(seat))).about();
        let gain = (of(&best) - of(values)).max(0.0);
        gains = if zero_sum { gains + gain / 2.0 } else { f64::max(gains, gain) };
    }
    Ok(gains)
}
