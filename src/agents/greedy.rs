//! What is best one step ahead? The option with the best own expected utility if all goes on at random.
//!
//! Exact where little can follow, else estimated by the same playouts for each option. Options that
//! are equally good share evenly: which of them stands first in a list means nothing, and whoever
//! always took that one could be read.

use std::collections::HashMap;

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::mind::{Halted, Mind};
use super::outlook::Outlook;
use crate::graph::{Kind, Offer};
use crate::handlers::{Answer, Generator, Weights};

/// Where more nodes than this follow, playouts estimate.
const NODES: usize = 500;
/// The playouts of all options together, and of each.
const PLAYOUTS: usize = 512;
const FEWEST: usize = 4;
const MOST: usize = 64;
/// About how many playouts an answer costs, where few options are weighed.
pub const COST: u64 = 2 * MOST as u64;
/// Utilities that differ by less, in relation, are the same but for rounding.
const ROUNDING: f64 = 1e-9;

/// The answer of a greedy player.
pub fn answer(mind: &mut Mind, outlook: &Outlook, worlds: &[u32]) -> Result<Answer, Halted> {
    let values = match exact(mind, outlook, worlds)? {
        Some(values) => values,
        None => estimated(mind, outlook, worlds)?,
    };
    Ok(best(&values))
}

/// The best options, each as likely as the others.
fn best(values: &[f64]) -> Answer {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = highest - ROUNDING * highest.abs().max(1.0);
    let best: Vec<usize> = (0..values.len()).filter(|&option| values[option] >= least).collect();
    match best[..] {
        [only] => Answer::Option(only),
        _ if best.len() == values.len() => Answer::Any,
        _ => {
            let even = best.iter().map(|&option| (option, BigUint::from(1u8)));
            Weights::new(even).map_or(Answer::Any, Answer::Weights)
        }
    }
}

/// The expected utility of each option over all worlds; `None` where too much follows.
fn exact(mind: &mut Mind, outlook: &Outlook, worlds: &[u32]) -> Result<Option<Vec<f64>>, Halted> {
    let mut sums = vec![0.0; outlook.options];
    let mut expected = Expected { actor: outlook.actor, known: HashMap::new(), met: 0 };
    for &world in worlds {
        // Of a joint decision each answer of those asked before is as likely as the others.
        let mut open = vec![(world, 0, 1.0)];
        while let Some((at, nth, share)) = open.pop() {
            let options = mind.graph().node(at).answers();
            for option in 0..options {
                let to = mind.next(at, option)?;
                let value = match nth < outlook.nth {
                    true if to == 0 => return Ok(None),
                    true => {
                        open.push((to, nth + 1, share / options as f64));
                        continue;
                    }
                    false => expected.at(mind, to)?,
                };
                match (value, sums.get_mut(option)) {
                    (Some(value), Some(sum)) => *sum += share * value,
                    _ => return Ok(None),
                }
            }
            expected.met += 1;
            if expected.met > NODES {
                return Ok(None);
            }
        }
    }
    Ok(Some(sums))
}

/// Expected utilities of a player if all goes on at random.
struct Expected {
    actor: u32,
    /// `None` while a node is being worked out.
    known: HashMap<u32, Option<f64>>,
    met: usize,
}

impl Expected {
    /// The expected utility at a node; `None` where it has none in reach: too much follows, or it
    /// leads back to itself.
    fn at(&mut self, mind: &mut Mind, node: u32) -> Result<Option<f64>, Halted> {
        let mut open = vec![(node, false)];
        while let Some((at, seen)) = open.pop() {
            if at == 0 || self.met > NODES {
                return Ok(None);
            }
            if seen {
                let value = self.of_answers(mind, at)?;
                self.known.insert(at, Some(value));
                continue;
            }
            match self.known.get(&at) {
                Some(Some(_)) => continue,
                // It waits for what follows, and this is what follows.
                Some(None) => return Ok(None),
                None => {}
            }
            self.met += 1;
            let met = mind.graph().node(at);
            let (kind, what, answers) = (met.kind(), met.what(), met.answers());
            if kind == Kind::End {
                let value = mind.payoffs(what)[self.actor as usize];
                self.known.insert(at, Some(value));
                continue;
            }
            if answers > NODES {
                return Ok(None);
            }
            self.known.insert(at, None);
            open.push((at, true));
            for answer in (0..answers).rev() {
                let to = mind.next(at, answer)?;
                if !matches!(self.known.get(&to), Some(Some(_))) {
                    open.push((to, false));
                }
            }
        }
        Ok(self.known.get(&node).copied().flatten())
    }

    /// The mean over the answers at a node, by their weights.
    fn of_answers(&self, mind: &Mind, at: u32) -> Result<f64, Halted> {
        let graph = mind.graph();
        let node = graph.node(at);
        let value =
            |answer| self.known.get(&node.to(answer)).copied().flatten().unwrap_or_default();
        let answers = node.answers();
        Ok(match graph.question(node).map(|question| &question.offer) {
            Some(Offer::Chance(falls)) => {
                let total = falls.total().to_f64().unwrap_or(f64::INFINITY);
                let weight = |index: usize| falls.weights()[index].to_f64().unwrap_or_default();
                (0..answers).map(|answer| weight(answer) / total * value(answer)).sum()
            }
            _ => (0..answers).map(value).sum::<f64>() / answers as f64,
        })
    }
}

/// The mean utility of each option, of playouts that begin in the same worlds and draw the same lots.
fn estimated(mind: &mut Mind, outlook: &Outlook, worlds: &[u32]) -> Result<Vec<f64>, Halted> {
    let playouts = (PLAYOUTS / outlook.options).clamp(FEWEST, MOST);
    let mut sums = vec![0.0; outlook.options];
    for playout in 0..playouts as u64 {
        mind.look_up()?;
        let mut lots = Generator::playout(outlook.seed(), playout);
        let mut at = worlds[lots.index(worlds.len())];
        for _ in 0..outlook.nth {
            let answer = mind.graph().draw(mind.graph().node(at), &mut lots);
            at = mind.next(at, answer)?;
        }
        if at == 0 {
            continue;
        }
        for (option, sum) in sums.iter_mut().enumerate() {
            *sum += mind.play((at, option), &mut lots.clone())?[outlook.actor as usize];
        }
    }
    Ok(sums)
}
