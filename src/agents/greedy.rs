//! Picks the option with the best own expected utility if everybody plays at random from here.
//!
//! Exact where the whole game is small, or what follows is; else estimated by the same playouts for
//! each option. Options that are equally good share evenly: which of them is listed first means
//! nothing, and whoever always took that one could be read.

use std::sync::atomic::AtomicBool;

use super::decision_view::DecisionView;
use super::search_graph::forecast::Forecast;
use super::search_graph::{Halted, SearchGraph, World, unless_spent};
use crate::game::{Answer, Generator};
use crate::graph::{OF_A_NODE, Worth};

/// A game of this many nodes at most is explored whole.
pub(super) const WHOLE: usize = 2_500;
/// In a larger one, this many of the nodes that follow are explored.
pub(super) const FOLLOWING: usize = 500;
/// The playouts of all options together, and of each.
const PLAYOUTS: usize = 512;
const FEWEST: usize = 4;
const MOST: usize = 64;
/// An answer costs about this many playouts where the game is large: 128 to 512 that weigh the options
/// (more only beyond 128 options), and beside them up to 1,000 rounds that are kept for the next answers.
pub(super) const COST: u64 = PLAYOUTS as u64;
/// Utilities that differ by less, in relation, are the same but for rounding.
const ROUNDING: f64 = 1e-9;

/// The answer of a greedy player, and why; `None` where nobody knows where they are. It is noted
/// where the game is too large to be explored whole.
pub(super) fn answer(
    search_graph: &mut SearchGraph,
    view: &DecisionView,
    too_large: &AtomicBool,
) -> Result<Option<(Answer, Worth)>, Halted> {
    let whole = search_graph.with_whole(WHOLE, too_large, |search_graph, whole| {
        search_graph.allow(search_graph.thought());
        let Some(worlds) = unless_spent(view.all_worlds(search_graph, whole), None)? else {
            return Ok(None);
        };
        expected(search_graph, view, &worlds, whole)
    })?;
    let computed = |values, drawn| Worth { values, met: Vec::new(), playouts: 0, drawn };
    let worth = match whole {
        Some(values) => Some(computed(values, 0)),
        None => {
            search_graph.allow(search_graph.thought());
            let (worlds, drawn) = view.weighed_worlds(search_graph)?;
            if worlds.is_empty() {
                return Ok(None);
            }
            match unless_spent(following(search_graph, view, &worlds), None)? {
                Some(values) => Some(computed(values, drawn)),
                None => estimated(search_graph, view, (&worlds, drawn))?,
            }
        }
    };
    Ok(worth.map(|worth| (best(&worth.values), worth)))
}

fn best(values: &[f64]) -> Answer {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = highest - ROUNDING * highest.abs().max(1.0);
    let best: Vec<usize> = (0..values.len()).filter(|&option| values[option] >= least).collect();
    if best.len() > 1 && best.len() == values.len() {
        return Answer::Any;
    }
    Answer::weighed(best.into_iter().map(|option| (option, 1u8.into()))).unwrap_or(Answer::Any)
}

/// The expected utility of each option, if little follows.
fn following(
    search_graph: &mut SearchGraph,
    view: &DecisionView,
    worlds: &[World],
) -> Result<Option<Vec<f64>>, Halted> {
    search_graph.allow((FOLLOWING as u64 * OF_A_NODE).min(search_graph.thought()));
    let Some(worlds) = search_graph.decided(view.actor, worlds, FOLLOWING)? else {
        return Ok(None);
    };
    let mut after = Vec::new();
    for (world, _) in &worlds {
        for option in 0..view.options {
            after.push(search_graph.next(*world, option)?);
        }
    }
    match Forecast::of(search_graph, &after, FOLLOWING)? {
        Some(mut forecast) => expected(search_graph, view, &worlds, &mut forecast),
        None => Ok(None),
    }
}

/// The expected utility of each option at these decisions; `None` where a forecast says nothing
/// about one of them.
fn expected(
    search_graph: &mut SearchGraph,
    view: &DecisionView,
    worlds: &[World],
    forecast: &mut Forecast,
) -> Result<Option<Vec<f64>>, Halted> {
    let total = sum_of_weights(worlds);
    let mut sums = vec![0.0; view.options];
    for (world, weight) in worlds {
        for (option, sum) in sums.iter_mut().enumerate() {
            let to = search_graph.next(*world, option)?;
            match forecast.expected(search_graph, view.actor, to) {
                Some(value) => *sum += weight / total * value,
                None => return Ok(None),
            }
        }
    }
    Ok(Some(sums))
}

/// The mean utility of each option, of playouts that begin in the same worlds and use the same random numbers: as
/// many as a thought may take. `None` where those are not one for each option.
fn estimated(
    search_graph: &mut SearchGraph,
    view: &DecisionView,
    (worlds, drawn): (&[World], u64),
) -> Result<Option<Worth>, Halted> {
    let mut playouts = (PLAYOUTS / view.options).clamp(FEWEST, MOST) as u64;
    while playouts > 0 {
        let mut made = 0;
        search_graph.allow(search_graph.thought());
        match met(search_graph, view, worlds, playouts, &mut made) {
            // All begin anew, since each begins in another world: half of those that were within reach.
            Err(Halted::Spent) => playouts = made.div_ceil(2),
            met => {
                let met = met?;
                let mean = |met: &Vec<f64>| met.iter().sum::<f64>() / playouts as f64;
                let values = met.iter().map(mean).collect();
                return Ok(Some(Worth { values, met, playouts, drawn }));
            }
        }
    }
    Ok(None)
}

pub(super) fn sum_of_weights(worlds: &[World]) -> f64 {
    worlds.iter().map(|(_, weight)| weight).sum()
}

/// The world at this point of the sum of all weights; 0 of none.
pub(super) fn drawn(worlds: &[World], point: f64) -> u32 {
    let mut below = 0.0;
    let drawn = worlds.iter().find(|(_, weight)| {
        below += weight;
        point < below
    });
    drawn.or(worlds.last()).map_or(0, |&(world, _)| world)
}

/// The utilities after each option in this many playouts of each, and how many of these are made.
fn met(
    search_graph: &mut SearchGraph,
    view: &DecisionView,
    worlds: &[World],
    playouts: u64,
    made: &mut u64,
) -> Result<Vec<Vec<f64>>, Halted> {
    let mut met = vec![Vec::new(); view.options];
    let total = sum_of_weights(worlds);
    for playout in 0..playouts {
        search_graph.look_up()?;
        let mut rng = Generator::playout(view.seed(), playout);
        // Each world in proportion to its weight.
        let world = drawn(worlds, total * ((playout as f64 + 0.5) / playouts as f64));
        let at = search_graph.decision(view.actor, world, &mut rng)?;
        if at == 0 {
            met.iter_mut().for_each(|met| met.push(0.0));
            continue;
        }
        for (option, met) in met.iter_mut().enumerate() {
            met.push(search_graph.play((at, option), &mut rng.clone())?[view.actor as usize]);
        }
        *made = playout + 1;
    }
    Ok(met)
}
