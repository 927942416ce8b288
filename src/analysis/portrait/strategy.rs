//! Strategy: what the conflict is worth to perfect players, and how mixed their play is.

use super::measure::Measure;
use crate::analysis::equilibrium::{Solution, Solved, Solving, Stage};
use crate::analysis::{Interval, Number, SolutionNumber};
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::WorkerFactory;

/// Graphs of more nodes are not solved; of those in which something is hidden, or decided together.
const NODES: u64 = 20_000;
const NODES_OF_HIDDEN: u64 = 1_500;

/// The solution of a conflict, if it is small enough; the sides' most is what any of them may win or
/// lose.
///
/// # Errors
/// Those of the rules.
pub(super) fn solution(
    seating: &Seating,
    threads: usize,
    most: f64,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Option<Solution>, Error> {
    let (explorer, _) = seating.make_worker()?;
    let graph = &seating.graph;
    let mut questions = 0..;
    let together = questions
        .by_ref()
        .map_while(|number| graph.question_of(number))
        .any(|asked| asked.part.is_some());
    let nodes = if explorer.rules().hides() || together { NODES_OF_HIDDEN } else { NODES };
    drop(explorer);
    if graph.nodes() > nodes {
        return Ok(None);
    }
    let within = if most > 0.0 { Solving::WITHIN * most } else { Solving::WITHIN };
    let solving = Solving { exact: true, within, time: None, threads, nodes, checkpoint: None };
    // How it solves is no part of what a portrait says.
    let progress = |stage: Stage| {
        if !matches!(stage, Stage::Told(_)) {
            progress(stage);
        }
    };
    let solved = Solved::find(seating, solving, &progress)?;
    seating.is_wanted()?;
    Ok(solved.found.ok().filter(|solution| solution.exploitability <= within))
}

/// What perfect players have.
pub(super) fn values(solution: &Solution) -> Vec<Measure> {
    let value = |(seat, value): (&String, &SolutionNumber)| {
        let name = format!("fairness.value.{seat}");
        let number = match value {
            SolutionNumber::Exact(exact) => Number::Exact(exact.clone()),
            SolutionNumber::Within(bounds) => Number::Enclosed(*bounds),
            // Nobody gains more than this by playing otherwise.
            SolutionNumber::Near(value) => {
                let off = solution.exploitability;
                Number::Enclosed(Interval { low: value - off, high: value + off })
            }
        };
        Measure::new(name, "utility", &number)
    };
    solution.value.iter().map(value).collect()
}

/// How mixed the play is, by seat, and how much of what is offered it never picks.
pub(super) fn measures(solution: &Solution, seating: &Seating) -> Vec<Measure> {
    let reached = || solution.strategy.iter().filter(|line| line.reach > 0.0);
    let mut all = Vec::new();
    for seat in seating.players.seats() {
        let own = || reached().filter(|line| seat.players.contains(&line.player));
        let often: f64 = own().map(|line| line.reach).sum();
        if often <= 0.0 {
            continue;
        }
        let bits = |weight: f64| if weight > 0.0 { -weight * weight.log2() } else { 0.0 };
        let entropy = own().map(|line| {
            line.reach * line.options.iter().map(|one| bits(one.weight_number)).sum::<f64>()
        });
        let name = format!("strategy.entropy.{}", seat.name);
        all.push(Measure::close(name, "bits", entropy.sum::<f64>() / often));
    }
    let (mut offered, mut unused) = (0.0, 0.0);
    for choice in reached().flat_map(|line| &line.options) {
        offered += 1.0;
        unused += f64::from(u8::from(choice.weight_number <= 0.0));
    }
    if offered > 0.0 {
        all.push(Measure::close("strategy.unused", "share", unused / offered));
    }
    all
}
