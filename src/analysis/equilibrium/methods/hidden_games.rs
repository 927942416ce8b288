//! Solves conflicts with hidden information by regret minimisation on their information sets.

use std::time::Instant;

use indexmap::IndexMap;

use super::super::forms::extensive_form::ExtensiveForm;
use super::super::forms::strategy::{self, worths};
use super::super::forms::strategy_lines::sights;
use super::super::forms::tree::Tree;
use super::super::solution::{Choice, Solution, SolutionNumber, StrategyLine, named_gains};
use super::super::stop_check::{ALWAYS, StopCheck};
use super::best_response::Responder;
use super::learner::{Learned, Learner, LearningProgress, OnProgress, Until};
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::{Explorer, InformationSets};
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
    let drawn = ExtensiveForm::draw(seating, explorer, known, &|_| true)?;
    // Once it has learned, it takes about as long to say for each information set what to do there.
    let kept = 2 * begun.elapsed();
    let until = Until { time: until.time.map(|time| time - kept.min(time / 2)), ..until };
    let mut solution = match drawn.tree.deciding() {
        0 | 1 => match alone(seating, &drawn, known) {
            Some(solution) => solution,
            None => return Err(seating.stopped()),
        },
        _ if drawn.tree.is_opposed() => by_turns(seating, &drawn, known, until, on_progress)?,
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
    let tree = &drawn.tree;
    let may_continue = || seating.may_continue().is_ok();
    let (wanted, mut responder) = (StopCheck::new(&may_continue), Responder::new(tree));
    let mut picks = strategy::even(tree);
    for side in 0..tree.sides().len() {
        let best = responder.best(side, &picks, &wanted)?;
        for (&set, &pick) in tree.recall().sets(side).iter().zip(&best.picks) {
            picks[tree.sets()[set as usize].slots()].fill(0.0);
            picks[pick as usize] = 1.0;
        }
    }
    let gains = responder.gains(&picks, &wanted)?;
    let method = "best response to chance".to_owned();
    Some(Solution { method, ..played(seating, drawn, known, &picks, &gains) })
}

/// What comes of a strategy, and what each side gains by playing differently.
fn played(
    seating: &Seating,
    drawn: &ExtensiveForm,
    known: &InformationSets,
    strategy: &[f64],
    gains: &[f64],
) -> Solution {
    let tree = &drawn.tree;
    let (worths, met) = (worths(tree, strategy), met(tree, strategy));
    Solution {
        value: named(drawn, &strategy::expected(tree, strategy)),
        exploitability: gains.iter().copied().fold(0.0, f64::max),
        gains: named_gains(&drawn.seats, gains),
        strategy: lines(seating, drawn, known, strategy, &worths, &met),
        ..Solution::default()
    }
}

/// The probability of reaching each information set.
pub(crate) fn met(tree: &Tree, strategy: &[f64]) -> Vec<f64> {
    let mut reach = Vec::new();
    _ = strategy::reaches_while(tree, strategy, None, &mut reach, &StopCheck::new(ALWAYS));
    let of_set = |nodes: &[u32]| nodes.iter().map(|&node| reach[node as usize]).sum();
    tree.sets().iter().map(|set| of_set(&set.nodes)).collect()
}

/// Solves a game of two sides in which one wins what the other loses.
fn by_turns(
    seating: &Seating,
    drawn: &ExtensiveForm,
    known: &InformationSets,
    until: Until,
    on_progress: &mut OnProgress<'_>,
) -> Result<Solution, Error> {
    let tree = &drawn.tree;
    let mut learner = Learner::new(tree, SEED);
    let learned = learner.learn(tree, until, on_progress, &|| seating.may_continue())?;
    let Learned { progress, judged: (strategy, gains), interrupted } = learned;
    let mut notes = vec![counted(&progress)];
    if let Learner::Sampled(sampling) = &learner {
        notes.push(format!("samples were drawn, seed {}", sampling.seed()));
    }
    Ok(Solution {
        method: learner.method().to_owned(),
        exploitability: progress.exploitability,
        notes,
        interrupted,
        ..played(seating, drawn, known, &strategy, &gains)
    })
}

fn counted(progress: &LearningProgress) -> String {
    report::many(progress.iterations, "iteration")
}

pub(crate) fn named(drawn: &ExtensiveForm, values: &[f64]) -> IndexMap<String, SolutionNumber> {
    let named = drawn.seats.iter().zip(values);
    named.map(|(seat, &value)| (seat.name.clone(), SolutionNumber::Near(value))).collect()
}

/// A strategy line by line: weights and worths by slots, and the probability of reaching each set.
pub(crate) fn lines(
    seating: &Seating,
    drawn: &ExtensiveForm,
    known: &InformationSets,
    weights: &[f64],
    worths: &[f64],
    reached: &[f64],
) -> Vec<StrategyLine> {
    let sights = sights(known.sets(), &seating.graph);
    let mut lines = Vec::new();
    for ((set, (number, _)), &reach) in drawn.tree.sets().iter().zip(&drawn.sets).zip(reached) {
        let Some(rules) = known.sets().get(*number) else { continue };
        let node = set.nodes.first().map_or(0, |&node| drawn.node(node as usize));
        let side = &drawn.seats[set.side as usize].players;
        let choice = |(option, slot): (&crate::game::Value, usize)| {
            Choice::new(option, weights[slot], worths[slot])
        };
        lines.push(StrategyLine {
            reach,
            options: rules.asked.values().iter().zip(set.slots()).map(choice).collect(),
            ..sights[*number].line(rules, &seating.graph, node, side)
        });
    }
    lines
}
