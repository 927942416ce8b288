//! Drama: how the chances to win move along a conflict.
//!
//! Suspense and surprise after Ely, Frankel and Kamenica, Suspense and Surprise, Journal of Political
//! Economy 123, 2015: what they call the state is here whether each seat wins, and whether there is a tie.
//! Both are summed over the conflict.

use super::glossary::{Along, By, FIXED, GLOSSARY, fixed};
use super::paths::{ValuedGraph, Ways};
use super::portrait_measure::Measure;
use crate::number::Amount;

/// The drama of a graph; nothing where nobody wins.
pub(super) fn measures<A: Amount>(valued: &ValuedGraph<'_, A>, seed: u64) -> Vec<Measure> {
    let ordered = &valued.ordered;
    let is_won = |place: usize| valued.ends[place].as_ref().is_some_and(|won| !won.is_empty());
    let reached = |place: usize| ordered.is_visited(place) && is_won(place);
    if valued.seats.len() < 2
        || !(0..ordered.game.len()).any(reached)
        || valued.beliefs(0).is_empty()
    {
        return Vec::new();
    }
    let mut all: Vec<Measure> = Vec::new();
    for meaning in &GLOSSARY {
        all.extend(match meaning.by {
            By::Way(note, value) => {
                let begins =
                    |root: usize| noted(&Along::new(), |way| note(way, valued.beliefs(root)));
                let goes_on = |way: &Along, _: usize, _: usize, to: usize| {
                    noted(way, |way| note(way, valued.beliefs(to)))
                };
                let winners = |end: usize| valued.ends[end].as_deref().unwrap_or_default();
                let ways = Ways::of(ordered, seed, (begins, goes_on), size);
                ways.measure(meaning.name, |end, way| value(way, winners(end)))
            }
            By::Winner(note, value) => by_winner(valued, meaning.name, seed, note, value),
            By::Leg(_) | By::Ratio(_) | By::End(_) | By::Study => None,
        });
    }
    let (mut suspense, mut surprise) = (0.0, 0.0);
    for place in 0..ordered.game.len() {
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
    all.push(Measure::close("drama.suspense", suspense));
    all.push(Measure::close("drama.surprise", surprise));
    all
}

/// A way, and what is noted of it at one more question.
fn noted(way: &Along, note: impl FnOnce(&mut Along)) -> Along {
    let mut way = way.clone();
    note(&mut way);
    way
}

/// How much work a group is: what is noted of it is compared.
fn size(way: &Along) -> usize {
    way.len().div_ceil(2)
}

/// The mean of what is another number for each winner, over the conflicts that somebody wins; of several winners the
/// mean of theirs.
fn by_winner<A: Amount>(
    valued: &ValuedGraph<'_, A>,
    name: &str,
    seed: u64,
    note: fn(&mut Along, f64),
    value: fn(&Along) -> f64,
) -> Option<Measure> {
    let (ordered, seats) = (&valued.ordered, valued.seats.len());
    let winners = |end: usize| valued.ends[end].as_deref().unwrap_or_default();
    let along =
        |way: &Along, seat: usize, to: usize| noted(way, |way| note(way, valued.beliefs(to)[seat]));
    let of_seat = |seat: usize| {
        let begins = |root: usize| along(&Along::new(), seat, root);
        Ways::grouped(ordered, &begins, &|way: &Along, _, _, to| along(way, seat, to), size)
    };
    let grouped: Option<Vec<Ways<Along>>> = (0..seats).map(of_seat).collect();
    // What differs in the last digits alone is the same.
    let ways = match grouped {
        Some(grouped) => {
            let of_seat = |(seat, ways): (usize, Ways<Along>)| {
                let own =
                    ways.all.into_iter().filter(move |(end, ..)| winners(*end).contains(&seat));
                let part = |end: usize| 1.0 / winners(end).len() as f64;
                own.map(move |(end, way, chance)| (end, fixed(value(&way)), chance * part(end)))
            };
            let all = grouped.into_iter().enumerate().flat_map(of_seat).collect();
            Ways { all, drawn: false }
        }
        None => {
            let begins = |root: usize| -> Vec<Along> {
                (0..seats).map(|seat| along(&Along::new(), seat, root)).collect()
            };
            let goes_on = |ways: &Vec<Along>, _: usize, _: usize, to: usize| -> Vec<Along> {
                ways.iter().enumerate().map(|(seat, way)| along(way, seat, to)).collect()
            };
            let Ways { all, drawn } = Ways::drawn(ordered, seed, &begins, &goes_on);
            let mean = |(end, ways, chance): (usize, Vec<Along>, f64)| {
                let own = winners(end);
                let sum: f64 = own.iter().map(|seat| value(&ways[*seat])).sum();
                (!own.is_empty()).then(|| (end, fixed(sum / own.len() as f64), chance))
            };
            Ways { all: all.into_iter().filter_map(mean).collect(), drawn }
        }
    };
    ways.measure(name, |_, value| Some(*value as f64 / FIXED))
}

/// The sum of the squares of what each chance moved by.
fn squares(before: &[f64], after: &[f64]) -> f64 {
    before.iter().zip(after).map(|(a, b)| (a - b) * (a - b)).sum()
}
