//! Drama: how the chances to win move along a conflict.
//!
//! Suspense and surprise after Ely, Frankel and Kamenica, Suspense and Surprise, Journal of Political
//! Economy 123, 2015: what they call the state is here whether each seat wins, and whether there is a tie.
//! Both are summed over the conflict.

use super::paths::ValuedGraph;
use super::paths::Ways;
use super::portrait_measure::Measure;
use super::strategy::{SAME, leader};
use crate::number::Amount;

/// A winner whose chance stays above this has won.
pub(super) const DECIDED: f64 = 0.9;

/// The drama of a graph; nothing where nobody wins.
pub(super) fn measures<A: Amount>(valued: &ValuedGraph<'_, A>, seed: u64) -> Vec<Measure> {
    let ordered = &valued.ordered;
    let is_won = |place: usize| valued.ends[place].as_ref().is_some_and(|won| !won.is_empty());
    let reached = |place: usize| ordered.is_visited(place) && is_won(place);
    if valued.seats.len() < 2 || !(0..ordered.len()).any(reached) || valued.beliefs(0).is_empty() {
        return Vec::new();
    }
    let lead = |place: usize| leader(valued.beliefs(place));
    let leads = Ways::of(
        ordered,
        seed,
        |root| (lead(root), 0u32),
        |(leader, changes), _, _, to| changed(*leader, *changes, lead(to)),
    );
    let mut all: Vec<Measure> = Vec::new();
    all.extend(
        leads.measure("drama.lead_changes", "changes", |_, (_, changes)| Some(f64::from(*changes))),
    );
    let chance = |seat: usize, place: usize| fixed(valued.beliefs(place)[seat]);
    let lower = |low: &u64, seat: usize, to: usize| chance(seat, to).min(*low);
    let lowest = |low: &u64| *low as f64 / FIXED;
    all.extend(by_winner(valued, "drama.comeback", seed, chance, lower, lowest));
    let (mut suspense, mut surprise) = (0.0, 0.0);
    for place in 0..ordered.len() {
        let visits = ordered.visits[place].about();
        if visits == 0.0 {
            continue;
        }
        let here = valued.beliefs(place);
        let moves = ordered.edges(place).filter(|edge| !edge.chance.is_zero());
        let moves = moves.map(|edge| (edge.chance.about(), squares(here, valued.beliefs(edge.to))));
        let (mut variance, mut moved) = (0.0, 0.0);
        for (chance, square) in moves {
            variance += chance * square;
            moved += chance * square.sqrt();
        }
        suspense += visits * variance.sqrt();
        surprise += visits * moved;
    }
    all.push(Measure::close("drama.suspense", "chance", suspense));
    all.push(Measure::close("drama.surprise", "chance", surprise));
    let sure = |seat: usize, place: usize| valued.beliefs(place)[seat] > DECIDED + SAME;
    let begins = |seat: usize, root: usize| (0u32, u32::from(!sure(seat, root)));
    let goes_on = |&(time, from): &(u32, u32), seat: usize, to: usize| {
        (time + 1, if sure(seat, to) { from } else { time + 2 })
    };
    let share = |&(time, from): &(u32, u32)| f64::from(from) / f64::from(time.max(1));
    all.extend(by_winner(valued, "drama.decided", seed, begins, goes_on, share));
    all
}

/// The mean of a share that is another one for each winner, over the conflicts that somebody wins; of
/// several winners the mean of theirs. `first` and `along` say what matters to a seat.
fn by_winner<A: Amount, S: Ord + Clone>(
    valued: &ValuedGraph<'_, A>,
    name: &str,
    seed: u64,
    first: impl Fn(usize, usize) -> S,
    along: impl Fn(&S, usize, usize) -> S,
    share: impl Fn(&S) -> f64,
) -> Option<Measure> {
    let (ordered, seats) = (&valued.ordered, valued.seats.len());
    let winners = |end: usize| valued.ends[end].as_deref().unwrap_or_default();
    let of_seat = |seat: usize| {
        let begins = |root: usize| first(seat, root);
        Ways::grouped(ordered, &begins, &|state: &S, _, _, to| along(state, seat, to))
    };
    let grouped: Option<Vec<Ways<S>>> = (0..seats).map(of_seat).collect();
    // What differs in the last digits alone is the same.
    let ways = match grouped {
        Some(grouped) => {
            let of_seat = |(seat, ways): (usize, Ways<S>)| {
                let own =
                    ways.all.into_iter().filter(move |(end, ..)| winners(*end).contains(&seat));
                let part = |end: usize| 1.0 / winners(end).len() as f64;
                let share = &share;
                own.map(move |(end, state, chance)| (end, fixed(share(&state)), chance * part(end)))
            };
            let all = grouped.into_iter().enumerate().flat_map(of_seat).collect();
            Ways { all, drawn: false }
        }
        None => {
            let begins =
                |root: usize| -> Vec<S> { (0..seats).map(|seat| first(seat, root)).collect() };
            let goes_on = |states: &Vec<S>, _: usize, _: usize, to: usize| -> Vec<S> {
                states.iter().enumerate().map(|(seat, state)| along(state, seat, to)).collect()
            };
            let Ways { all, drawn } = Ways::drawn(ordered, seed, &begins, &goes_on);
            let mean = |(end, states, chance): (usize, Vec<S>, f64)| {
                let own = winners(end);
                let sum: f64 = own.iter().map(|seat| share(&states[*seat])).sum();
                (!own.is_empty()).then(|| (end, fixed(sum / own.len() as f64), chance))
            };
            Ways { all: all.into_iter().filter_map(mean).collect(), drawn }
        }
    };
    ways.measure(name, "share", |_, value| Some(*value as f64 / FIXED))
}

/// The next leader, and how often the lead has changed by then: who leads first changes nothing, and
/// where nobody leads the last leader is remembered.
fn changed(leader: Option<usize>, changes: u32, now: Option<usize>) -> (Option<usize>, u32) {
    match (leader, now) {
        (Some(before), Some(after)) if before != after => (now, changes + 1),
        (_, Some(_)) => (now, changes),
        (leader, None) => (leader, changes),
    }
}

/// The sum of the squares of what each chance moved by.
fn squares(before: &[f64], after: &[f64]) -> f64 {
    before.iter().zip(after).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Chances are distinguished to this many parts of 1.
const FIXED: f64 = 1e12;

fn fixed(chance: f64) -> u64 {
    // Never below 0, and far below what 64 bits hold.
    (chance * FIXED).round() as u64
}
