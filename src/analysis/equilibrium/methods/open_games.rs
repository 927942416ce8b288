//! Solves games without hidden information by backward induction, with a certificate.

use indexmap::IndexMap;

use super::super::forms::board::Board;
use super::super::forms::game_kind::{GameKind, Knowing, Knowledge};
use super::super::forms::place_values::{Pass, Repeats, Values};
use super::super::forms::strategy_lines::lines;
use super::super::matrix::Scalar;
use super::super::solution::named_gains;
use super::super::{Solution, UnsolvedReason};
use super::cycle::MOST_IN_FRACTIONS;
use crate::conflict::Seating;
use crate::report;

/// Solves an open game: one without joint decisions, or one of two sides that win from each other. `who` names one side
/// and all of them in notes.
pub(crate) fn solve_open<W: Scalar>(
    board: &Board,
    (kind, who): (&GameKind, (&str, &str)),
    knowledge: &Knowledge,
    seating: &Seating,
) -> Result<(Solution, Repeats), UnsolvedReason> {
    let may_continue = || seating.may_continue().is_ok();
    let pass = Pass::<W>::new(board, kind.opposed, &may_continue);
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
        strategy: lines(&pass, &values, knowledge, &seating.graph),
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
