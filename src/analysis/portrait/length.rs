//! Length: how many decisions, chance events and steps a conflict has.

use super::ground::Ground;
use super::legs::Legs;
use super::measure::Measure;
use super::paths::Ways;
use super::weight::{Weighed, Weight, sum};
use crate::analysis::{Fraction, Number};
use crate::graph::Kind;

/// The length of conflicts on a graph.
pub(super) fn measures<A: Weight>(
    ground: &Ground<'_, A>,
    legs: Option<&Legs>,
    seed: u64,
) -> Vec<Measure> {
    let (terrain, graph) = (&ground.terrain, &*ground.seating.graph);
    let kind = |place: usize| terrain.node(graph, place).kind();
    let decides = |place: usize| u64::from(kind(place) == Kind::Decision);
    let falls = |place: usize| u64::from(matches!(kind(place), Kind::Chance | Kind::EvenChance));
    let counted = |name: &str, unit: &str, count: &dyn Fn(usize, usize) -> u64, first: u64| {
        let ways = Ways::of(
            terrain,
            seed,
            |_| first,
            |so_far, place, edge, _| so_far + count(place, edge),
        );
        ways.measure(name, unit, |_, count| Some(*count as f64))
    };
    let mean = |count: &dyn Fn(usize) -> u64| {
        let mut visits = A::zero();
        let counted = (0..terrain.len()).filter(|&place| count(place) > 0);
        counted.for_each(|place| visits.add_assign(&terrain.visits[place]));
        visits.number()
    };
    let mut all = Vec::new();
    let mut add = |measure: Option<Measure>, mean: Number| {
        let Some(measure) = measure else { return };
        let Measure { name, unit, spread, .. } = measure;
        all.push(Measure { spread, ..Measure::new(name, &unit, &mean) });
    };
    let decisions = counted("length.decisions", "decisions", &|place, _| decides(place), 0);
    add(decisions, mean(&decides));
    let chance = counted("length.chance", "chance events", &|place, _| falls(place), 0);
    add(chance, mean(&falls));
    if let Some(legs) = legs {
        let count = |place: usize, edge: usize| legs.steps(place, edge);
        let steps = counted("length.steps", "steps", &count, legs.first_steps());
        let mut weighed = Weighed::default();
        for (counted, runs) in legs.runs(terrain) {
            weighed.add(Fraction::from_integer(counted.steps.into()), &runs);
        }
        let none = Number::Exact(Fraction::default());
        add(steps, sum(&none, &weighed.mean()));
    }
    all
}
