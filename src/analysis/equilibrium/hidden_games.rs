//! Solves conflicts with hidden information by regret minimisation on their information sets.

use std::time::Instant;

use indexmap::IndexMap;

use super::extensive_form::{ExtensiveForm, StopCheck};
use super::learner::{Learned, Learner, OnProgress, Until};
use super::matrix::Scalar;
use super::solution::{Choice, Solution, StrategyLine, named_gains};
use super::strategy::{Responder, even, expected, met, worths};
use super::strategy_lines::sights;
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::Value;
use crate::graph::{Explorer, InformationSets};
use crate::number::Quantity;
use crate::report;

/// The seed of the samples, if any are drawn.
const SEED: u64 = 0;

/// Solves a conflict whose graph has been explored for all play. `on_progress` is called with the
/// progress; an interruption is no error, but gives a solution less near.
///
/// # Errors
/// As [`ExtensiveForm::draw`]; [`Error::Unsolved`] if one side may win what no other loses.
pub fn solve_hidden(
    seating: &Seating,
    explorer: &Explorer,
    known: &mut InformationSets,
    until: Until,
    on_progress: &mut OnProgress<'_>,
) -> Result<Solution, Error> {
    let begun = Instant::now();
    let drawn: ExtensiveForm = ExtensiveForm::draw(seating, explorer, known, &|_| true)?;
    // Once it has learned, it takes about as long to say for each information set what to do there.
    let kept = 2 * begun.elapsed();
    let until = Until { time: until.time.map(|time| time - kept.min(time / 2)), ..until };
    let mut solution = match drawn.deciding().count() {
        0 | 1 => match alone(seating, &drawn, known) {
            Some(solution) => solution,
            None => return Err(seating.stopped()),
        },
        _ if drawn.opposed => by_turns(seating, &drawn, known, until, on_progress)?,
        _ => {
            return Err(Error::unsolved(
                "no method fits more than two sides, nor two that can both win",
            ));
        }
    };
    solution.sort();
    Ok(solution)
}

/// Solves a game of one side, which has nothing to learn because nobody answers. `None` if it was
/// stopped.
fn alone(seating: &Seating, drawn: &ExtensiveForm, known: &InformationSets) -> Option<Solution> {
    let may_continue = || seating.may_continue().is_ok();
    let (wanted, mut responder) = (StopCheck::new(&may_continue), Responder::new(drawn));
    let mut picks = even(drawn);
    for side in 0..drawn.sides() {
        let best = responder.best(side, &picks, &wanted)?;
        for (&set, &pick) in drawn.recall.sets[side].iter().zip(&best.picks) {
            picks[drawn.sets[set as usize].slots()].fill(0.0);
            picks[pick as usize] = 1.0;
        }
    }
    let gains = responder.gains(&picks, &wanted)?;
    let method = "best response to chance".to_owned();
    Some(Solution { method, ..played(seating, drawn, known, &picks, &gains) })
}

/// What comes of a strategy, and what each side gains by playing differently.
pub(crate) fn played<W: Scalar>(
    seating: &Seating,
    drawn: &ExtensiveForm<W>,
    known: &InformationSets,
    strategy: &[W],
    gains: &[f64],
) -> Solution {
    Solution {
        value: named(drawn, strategy),
        exploitability: gains.iter().copied().fold(0.0, f64::max),
        gains: named_gains(&drawn.seats, gains),
        strategy: lines(seating, drawn, known, strategy),
        ..Solution::default()
    }
}

/// Solves a game of two sides in which one wins what the other loses.
fn by_turns(
    seating: &Seating,
    drawn: &ExtensiveForm,
    known: &InformationSets,
    until: Until,
    on_progress: &mut OnProgress<'_>,
) -> Result<Solution, Error> {
    let mut learner = Learner::new(drawn, SEED);
    let learned = learner.learn(until, on_progress, &|| seating.may_continue())?;
    let Learned { progress, judged: (strategy, gains), interrupted } = learned;
    let mut notes = vec![report::many(progress.iterations, "iteration")];
    notes.extend(learner.seed().map(|seed| format!("samples were drawn, seed {seed}")));
    Ok(Solution {
        method: learner.method().to_owned(),
        exploitability: progress.exploitability,
        notes,
        interrupted,
        ..played(seating, drawn, known, &strategy, &gains)
    })
}

/// What each seat can expect of a strategy.
pub(crate) fn named<W: Scalar>(
    drawn: &ExtensiveForm<W>,
    strategy: &[W],
) -> IndexMap<String, Quantity> {
    let named = drawn.seats.iter().zip(expected(drawn, strategy));
    named.map(|(seat, value)| (seat.name.clone(), value.into())).collect()
}

pub(crate) fn lines<W: Scalar>(
    seating: &Seating,
    drawn: &ExtensiveForm<W>,
    known: &InformationSets,
    weights: &[W],
) -> Vec<StrategyLine> {
    let sights = sights(known.sets(), &seating.graph);
    let (worths, reached) = (worths(drawn, weights), met(drawn, weights));
    let mut lines = Vec::new();
    for ((set, (number, _)), reach) in drawn.sets.iter().zip(&drawn.of_rules).zip(reached) {
        let Some(rules) = known.sets().get(*number) else { continue };
        let node = set.nodes.first().map_or(0, |&node| drawn.game.nodes[node as usize]);
        let side = &drawn.seats[set.side as usize].players;
        let choice = |(option, slot): (&Value, usize)| {
            Choice::new(option, weights[slot].clone(), worths[slot].clone())
        };
        lines.push(StrategyLine {
            reach,
            options: rules.asked.values().iter().zip(set.slots()).map(choice).collect(),
            ..sights[*number].line(rules, &seating.graph, node, side)
        });
    }
    lines
}
