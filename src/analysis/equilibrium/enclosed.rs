//! Solves conflicts that are seen and decided in turn and whose states lead back to each other: floats
//! between proven bounds.

use indexmap::IndexMap;

use super::arena::{Arena, Mover};
use super::backward::{Pass, Plan, Values};
use super::board::{Board, Spot};
use super::cycle::MOST_IN_FRACTIONS;
use super::figure::proven;
use super::kind::{Kind, Knowledge};
use super::lines::lines;
use super::solution::named_gains;
use super::{Figure, Solution, Why};
use crate::analysis::{Amount, Interval};
use crate::conflict::Seating;
use crate::error::Cut;

/// Solves a board on which one side decides, or two that win from each other, in turn.
///
/// # Errors
/// [`Why::Endless`]; [`Why::Stopped`] where not even a strategy was found.
pub fn solve(
    board: &Board,
    kind: &Kind,
    knowledge: &Knowledge,
    seating: &Seating,
) -> Result<Solution, Why> {
    let go_on = || seating.go_on().is_ok();
    let arena = drawn(board);
    let ends = |seat: usize| -> Vec<Interval> {
        board.worth.iter().map(|worth| Interval::of_fraction(&worth[seat])).collect()
    };
    let own = ends(0);
    let found = arena.bounds(&own, &go_on)?;
    let picks = &found.picks;
    // What comes of the picks, and the most that a side gains by others.
    let played = arena.fixed(picks, |_| true);
    let worth = |arena: &Arena, ends: &[Interval]| -> Result<Interval, Why> {
        Ok(arena.bounds(ends, &go_on)?.worth[0])
    };
    let gets = worth(&played, &own)?;
    let most = worth(&arena.fixed(picks, |mover| mover == Mover::Least), &own)?;
    let mut gains = [most.minus(gets).high, 0.0];
    let mut value = IndexMap::new();
    for (seat, named) in board.seats.iter().enumerate() {
        let worth = match (seat, &board.opposed) {
            (0, _) => found.worth[0],
            (1, Some(opposed)) if kind.opposed => {
                let least = worth(&arena.fixed(picks, |mover| mover == Mover::Most), &own)?;
                let rate = Interval::of_fraction(&opposed.rate);
                gains[1] = gets.minus(least).times(rate).high;
                Interval::of_fraction(&opposed.most).minus(found.worth[0].times(rate))
            }
            _ => worth(&played, &ends(seat))?,
        };
        value.insert(named.name.clone(), Figure::Within(worth));
    }
    let values = Values::<f64> {
        width: 1,
        worth: found.worth.iter().map(|worth| worth.middle()).collect(),
        plans: (0..arena.len()).map(|place| plan(&arena, place, picks)).collect(),
    };
    let pass = Pass::<f64>::new(board, kind.opposed, &go_on);
    let pass = if kind.sides < 2 { pass.against(0, &[]) } else { pass };
    let reaches = arena.visits(picks, &go_on);
    let mut notes: Vec<String> = proven(&value).into_iter().collect();
    if let Some(cut) = seating.budget().cut() {
        notes.push(format!("{cut} before the bounds met"));
    }
    if found.could_stay {
        notes.push(
            "a side could go on for ever in places: only ways of playing that end are weighed"
                .to_owned(),
        );
    }
    let mut solution = Solution {
        method: "interval iteration".to_owned(),
        exact: false,
        value,
        exploitability: gains.into_iter().fold(0.0, f64::max),
        gains: named_gains(&board.seats, &gains),
        strategy: lines(&pass, &values, &reaches, knowledge, &seating.graph),
        draw: Vec::new(),
        further: Vec::new(),
        notes,
        interrupted: found.interrupted && seating.budget().cut() == Some(Cut::Interrupted),
    };
    solution.sort();
    Ok(solution)
}

fn drawn(board: &Board) -> Arena {
    let odds: Vec<Vec<Interval>> =
        board.odds.iter().map(|odds| odds.iter().map(Interval::of_fraction).collect()).collect();
    let sure = |to: &[u32]| to.iter().map(|to| (*to as usize, Interval::one())).collect();
    let mut arena = Arena::default();
    for spot in &board.spots {
        let (mover, steps): (Mover, Vec<(usize, Interval)>) = match spot {
            Spot::End(number) => (Mover::End(*number as u32), Vec::new()),
            Spot::Chance(number, to) => {
                let steps = to.iter().zip(&odds[*number]);
                (Mover::Chance, steps.map(|(to, share)| (*to as usize, *share)).collect())
            }
            Spot::Turn(1, to) => (Mover::Least, sure(to)),
            Spot::Turn(_, to) => (Mover::Most, sure(to)),
            Spot::Joint(_) | Spot::Part => (Mover::End(0), Vec::new()),
        };
        arena.push(mover, steps);
    }
    arena
}

fn plan(arena: &Arena, place: usize, picks: &[u32]) -> Plan<f64> {
    match arena.mover(place as u32).decides() {
        true => Plan::Best(vec![picks[place]]),
        false => Plan::None,
    }
}

/// Whether fractions are worth while for the places that lead back to each other: they grow longer
/// with each.
pub fn fits_fractions(board: &Board) -> bool {
    let (largest, all) = drawn(board).cycles();
    largest <= MOST_IN_FRACTIONS && all <= IN_FRACTIONS
}

/// At most so many places in all that lead back to others are worked out in fractions.
const IN_FRACTIONS: usize = 500;
