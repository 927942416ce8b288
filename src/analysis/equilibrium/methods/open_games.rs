//! Solves games without hidden information: those that end by backward induction, with a certificate; those
//! whose states lead back to each other in floats between proven bounds.

use indexmap::IndexMap;

use super::super::forms::board::{Board, Mover};
use super::super::forms::board_number::BoardNumber;
use super::super::forms::cyclic_game::{Plays, StochasticGame};
use super::super::forms::game_kind::{GameKind, Knowing, Knowledge};
use super::super::forms::place_values::{Pass, PlacePlay, Values};
use super::super::forms::strategy_lines::{lines, reaches};
use super::super::solution::named_gains;
use super::super::solution_number::proven;
use super::super::{Solution, SolutionNumber, UnsolvedReason};
use super::backward::MOST_IN_FRACTIONS;
use super::bounds::PlaceBounds;
use crate::conflict::Seating;
use crate::error::Cut;
use crate::graph::StoredQuestion;
use crate::number::{Amount, Interval};
use crate::report;

/// Solves an open game: one without joint decisions, or one of two sides that win from each other.
///
/// # Errors
/// [`UnsolvedReason`] it is out of reach.
pub(crate) fn solve_open<W: BoardNumber>(
    board: &Board,
    kind: &GameKind,
    knowledge: &Knowledge,
    seating: &Seating,
) -> Result<Solution, UnsolvedReason> {
    let may_continue = || seating.may_continue().is_ok();
    let pass = pass_of::<W>(board, kind, &may_continue);
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

fn pass_of<'a, W: BoardNumber>(
    board: &'a Board,
    kind: &GameKind,
    may_continue: &'a dyn Fn() -> bool,
) -> Pass<'a, W> {
    let pass = Pass::new(board, kind.opposed, may_continue);
    // What one side alone decides is seen with its own eyes.
    if kind.sides < 2 { pass.against(0, &[]) } else { pass }
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
    may_continue: &dyn Fn() -> bool,
) -> Result<W, UnsolvedReason> {
    let best = Pass::<W>::new(board, false, may_continue).against(seat, &values.plans).values()?;
    Ok(best.of(0, 0).clone())
}

/// The gain of each side that decides from answering the others' plans as well as it can.
fn gains<W: BoardNumber>(
    pass: &Pass<'_, W>,
    values: &Values<W>,
) -> Result<Vec<f64>, UnsolvedReason> {
    let gain = |seat: usize| {
        let has = pass.own(seat, values.of(0, pass.index(seat)));
        let best = answer(pass.board, seat, values, pass.may_continue)?;
        Ok((best - has).about())
    };
    (0..pass.board.sides).map(gain).collect()
}

/// Solves a board on which one side decides, or two that win from each other.
///
/// # Errors
/// [`UnsolvedReason::Endless`] where bounds say nothing since play may be endless.
pub(crate) fn solve_enclosed(
    board: &Board,
    kind: &GameKind,
    knowledge: &Knowledge,
    seating: &Seating,
) -> Result<Solution, UnsolvedReason> {
    let may_continue = || seating.may_continue().is_ok();
    let game = drawn(board);
    let ends = |seat: usize| -> Vec<Interval> {
        board.worth.iter().map(|worth| Interval::of_fraction(&worth[seat])).collect()
    };
    let own = ends(0);
    let found = game.bounds(&own, &may_continue).say_something()?;
    let plays = &found.plays;
    // What comes of what both do, and the most that a side gains by doing otherwise.
    let played = game.fixed(plays, |_| true);
    let worth =
        |game: &StochasticGame, ends: &[Interval]| game.bounds(ends, &may_continue).worth[0];
    let gets = worth(&played, &own);
    // Where both could play for ever, what a side gets against the other is within the bounds that the
    // other's play was proven by; alone it could not be distinguished from a side that stays by itself.
    let endless = found.endless.size > 0;
    let against = |other: Mover| match endless {
        true => found.worth[0],
        false => worth(&game.fixed(plays, |mover| mover == other), &own),
    };
    let most = against(Mover::LEAST);
    let mut gains = [most.minus(gets).high, 0.0];
    let mut value = IndexMap::new();
    for (seat, named) in board.seats.iter().enumerate() {
        let worth = match (seat, &board.opposed) {
            (0, _) => found.worth[0],
            (1, Some(opposed)) if kind.opposed => {
                let least = against(Mover::MOST);
                gains[1] = gets.minus(least).times(Interval::of_fraction(&opposed.rate)).high;
                opposed.second(found.worth[0])
            }
            _ => worth(&played, &ends(seat)),
        };
        value.insert(named.name.clone(), SolutionNumber::Within(worth));
    }
    if gains.iter().any(|&gain| found.is_wide(gain)) {
        // No rule bounds it, or it was stopped before it was known: such bounds say nothing.
        gains = [f64::INFINITY; 2];
    }
    let values = Values::<f64> {
        width: 1,
        worth: found.worth.iter().map(|worth| worth.middle()).collect(),
        plans: (0..game.len()).map(|place| plan(&game, place, plays)).collect(),
    };
    let pass = pass_of::<f64>(board, kind, &may_continue);
    let reaches = game.visits(plays, &may_continue);
    let utilities = |place: usize, seat: usize| {
        let own = |worth: Interval| match (seat, &board.opposed) {
            (1, Some(opposed)) => opposed.second(worth),
            _ => worth,
        };
        let options = game.options(place as u32, seat, plays, &found.worth).into_iter();
        options.map(|worth| SolutionNumber::Within(own(worth))).collect()
    };
    let mut notes: Vec<String> = proven(&value).into_iter().collect();
    if let Some(cut) = seating.budget().cut() {
        notes.push(format!("{cut} before the bounds met"));
    }
    let asked = board.question(&seating.graph, found.endless.place);
    // Where at most one side decides, nobody keeps it up with anybody.
    let who = if kind.sides < 2 { "it" } else { "the sides" };
    notes.extend(for_ever(&found, ("a side", who), UTILITIES, asked));
    let mut solution = Solution {
        method: "interval iteration".to_owned(),
        exact: false,
        value,
        exploitability: gains.into_iter().fold(0.0, f64::max),
        gains: named_gains(&board.seats, &gains),
        strategy: lines(&pass, &values, (&reaches, &utilities), knowledge, &seating.graph),
        notes,
        interrupted: found.interrupted && seating.budget().cut() == Some(Cut::Interrupted),
        ..Solution::default()
    };
    solution.sort();
    Ok(solution)
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

fn drawn(board: &Board) -> StochasticGame {
    let shares = board.game.weights.shares(Interval::of_ratio);
    let mut game = StochasticGame::default();
    for (place, &mover) in board.movers.iter().enumerate() {
        let to = board.next(place).iter().copied();
        match mover {
            Mover::Chance => {
                let of = board.game.weights.of[board.game.to.range(place)].iter();
                game.push(mover, to.zip(of.map(|&share| shares[share as usize])));
            }
            _ => game.push(mover, to.map(|to| (to, Interval::one()))),
        }
    }
    game
}

/// Between what that is which no rule says, where all endings are known.
pub(crate) const UTILITIES: &str = "between the least and the greatest utility";

/// What is needed where play may be endless: what one side and all of them could do, between
/// what that is taken to be worth; `asked` says what is decided at a place.
pub(crate) fn for_ever(
    found: &PlaceBounds,
    (side, sides): (&str, &str),
    range: &str,
    asked: Option<&StoredQuestion>,
) -> Vec<String> {
    let mut notes = Vec::new();
    if found.could_stay {
        notes.push(format!(
            "{side} could play for ever in places: only ways of playing that end are considered"
        ));
    }
    let among = match found.endless.size {
        0 => {
            if found.apart() > 0 && !found.interrupted {
                let states = report::many(found.apart() as u64, "state");
                notes.push(format!(
                    "bounds come together slowly: those of {states} are still apart"
                ));
            }
            return notes;
        }
        1 => "in one state".to_owned(),
        many => format!("among {many} states"),
    };
    let at = asked.map(StoredQuestion::in_brackets).unwrap_or_default();
    let first = format!(
        "{sides} could play for ever {among}{at}, and no rule says what that is worth: it is assumed to \
         be {range}"
    );
    notes.push(match found.apart() {
        0 => format!("{first}, and nothing depends on where"),
        1 => format!("{first}, and the bounds of 1 state do not meet"),
        many => format!("{first}, and the bounds of {many} states do not meet"),
    });
    notes
}

fn plan(game: &StochasticGame, place: usize, plays: &Plays) -> PlacePlay<f64> {
    let weights = |weights: &Vec<f64>| {
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    };
    match (game.mover(place as u32), plays.mixed.get(&(place as u32))) {
        (mover, _) if mover.decides() => PlacePlay::Best(vec![plays.picks[place]]),
        (_, Some([rows, columns])) => PlacePlay::Mixed([weights(rows), weights(columns)]),
        _ => PlacePlay::None,
    }
}

/// Whether fractions are worth while for the places that lead back to each other: they grow longer
/// with each.
pub(crate) fn fits_fractions(board: &Board) -> bool {
    let (largest, all) = board.cycles();
    largest <= MOST_IN_FRACTIONS && all <= IN_FRACTIONS
}

/// At most this many places in all that lead back to others are worked out in fractions.
const IN_FRACTIONS: usize = 500;
