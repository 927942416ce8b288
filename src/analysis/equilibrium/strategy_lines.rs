//! What a player sees at an information set, in words and as data, what distinguishes it from others, and what to do.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::board::{JointDecision, Mover};
use super::matrix::linear::dominated;
use super::matrix::{Scalar, evenly};
use super::place_values::{Pass, PlacePlay, Values};
use super::{Choice, StrategyLine};
use crate::agents::SavedHeader;
use crate::analysis::visits;
use crate::explored::{Lists, components};
use crate::game::Value;
use crate::graph::{
    Answered, Graph, InformationSet, InformationSets, SeenPart, allied_answered, allied_words,
    own_answered,
};
use crate::number::{Amount, Fraction, Interval, Quantity};

/// What a player goes by at an information set, beside what is the same at all the player's others.
#[derive(Clone, Debug, Default)]
pub(crate) struct DistinctView {
    seen: Arc<[SeenPart]>,
    /// What the player answered since the beginning of the step, where the view does not show it.
    own: Vec<Answered>,
}

/// What each information set looks like: what in the view is not the same at all information sets at
/// which the same player decides the same, and what the player answered since the beginning of the step.
pub(crate) fn sights(sets: &[InformationSet], graph: &Graph) -> Vec<DistinctView> {
    let mut alike: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    for (number, set) in sets.iter().enumerate() {
        alike.entry((&set.asked.who, &set.asked.name)).or_default().push(number);
    }
    let mut sights = vec![DistinctView::default(); sets.len()];
    for numbers in alike.values() {
        // Each path, with what is there first, how many have it, and whether it is anything else anywhere.
        let mut all: HashMap<&str, (&str, usize, bool)> = HashMap::new();
        for SeenPart { path, literal } in numbers.iter().flat_map(|&number| &sets[number].seen) {
            let known = all.entry(path).or_insert((literal, 0, false));
            known.1 += 1;
            known.2 |= known.0 != &**literal;
        }
        let differs = |part: &&SeenPart| {
            let known = all.get(&*part.path);
            known.is_some_and(|(_, count, differs)| *differs || *count < numbers.len())
        };
        for &number in numbers {
            sights[number].seen = sets[number].seen.iter().filter(differs).cloned().collect();
        }
        let apart: HashSet<&[SeenPart]> =
            numbers.iter().map(|&number| &*sights[number].seen).collect();
        if apart.len() < numbers.len() {
            // What the player answered is remembered, where the view does not show it.
            for &number in numbers {
                let own = sets[number].nodes.first().map(|&node| own_answered(graph, node));
                sights[number].own = own.unwrap_or_default();
            }
        }
    }
    sights
}

impl DistinctView {
    /// The line of an information set at one of its nodes, whose player plays for a side: as if it were
    /// never reached, and without its options.
    pub(crate) fn line(
        &self,
        set: &InformationSet,
        graph: &Graph,
        node: u32,
        side: &[String],
    ) -> StrategyLine {
        let allied = allied_words(graph, node, side);
        let mut answered = self.own.clone();
        answered.extend(allied_answered(graph, node, side));
        StrategyLine {
            player: set.asked.who.clone(),
            name: set.asked.name.clone(),
            seen: self.seen.clone(),
            answered,
            key: match allied.is_empty() {
                true => set.key.clone(),
                false => SavedHeader::key(&set.key, &allied).into(),
            },
            node,
            ..StrategyLine::default()
        }
    }
}

/// How often each place is reached on average under the plans.
fn reaches<W: Scalar>(pass: &Pass<'_, W>, values: &Values<W>) -> Vec<f64> {
    let (mut to, mut shares) = (Lists::default(), Vec::new());
    for (place, plan) in values.plans.iter().enumerate() {
        let steps = pass.steps(place, plan);
        shares.extend(steps.iter().map(|(_, share)| Interval::exact(share.about())));
        to.push(steps.into_iter().map(|(to, _)| to));
    }
    match visits((&to, &shares), 0, Interval::CYCLE, pass.may_continue) {
        Ok(visits) => visits.into_iter().map(Interval::middle).collect(),
        Err(_) => passed_on((&to, &shares), pass.may_continue),
    }
}

/// At most this many steps of a walk are passed on in a cycle.
const STEPS: usize = 300_000_000;

/// The visits of a walk, about: what arrives is passed on, again and again in a cycle, until next to nothing is left.
fn passed_on(
    (walk, shares): (&Lists<u32>, &[Interval]),
    may_continue: &dyn Fn() -> bool,
) -> Vec<f64> {
    let (mut visits, mut arrived) = (vec![0.0; walk.len()], vec![0.0; walk.len()]);
    arrived.iter_mut().take(1).for_each(|first| *first = 1.0);
    let to = |place: u32| walk.of(place as usize).iter().copied();
    for places in components(walk.len(), [0], to).iter() {
        let under_way = |arrived: &[f64]| places.iter().map(|&at| arrived[at as usize]).sum();
        let mut left: f64 = under_way(&arrived);
        for _ in 0..=STEPS / places.len() {
            for &place in places {
                let here = std::mem::take(&mut arrived[place as usize]);
                visits[place as usize] += here;
                let shares = &shares[walk.range(place as usize)];
                for (to, share) in walk.of(place as usize).iter().zip(shares) {
                    arrived[*to as usize] += here * share.middle();
                }
            }
            let before = std::mem::replace(&mut left, under_way(&arrived));
            if left <= 1e-12 || left >= before || !may_continue() {
                break;
            }
        }
    }
    visits
}

/// What to do at each decision of an open game.
pub(crate) fn lines<W: Scalar>(
    pass: &Pass<'_, W>,
    values: &Values<W>,
    known: &InformationSets,
    graph: &Graph,
) -> Vec<StrategyLine> {
    let (sights, reaches) = (sights(known.sets(), graph), reaches(pass, values));
    let mut lines = Vec::new();
    // Few fractions differ, and there are millions of options.
    let mut fractions: HashSet<Arc<Fraction>> = HashSet::new();
    let mut once = |mut number: Quantity| {
        if let Some(fraction) = &mut number.fraction {
            match fractions.get(fraction) {
                Some(known) => fraction.clone_from(known),
                None => _ = fractions.insert(fraction.clone()),
            }
        }
        number
    };
    let mut add_line = |place: usize, at: usize, seat: usize, weights: Vec<W>| {
        let node = pass.board.game.nodes[at];
        let Some(set) = known.number(node) else { return };
        let rules = &known.sets()[set];
        let options = rules.asked.values();
        let utilities = pass.options(place, seat, values);
        let better = match pass.board.table_at(place) {
            Some(joint) => better(pass, joint, seat, values),
            None => vec![None; options.len()],
        };
        let players = &pass.board.seats[seat].players;
        let matching = weights.into_iter().zip(utilities).zip(better).zip(options);
        let choice = |(((weight, utility), better), option): (((W, W), Option<usize>), &Value)| {
            let by = better.and_then(|at: usize| options.get(at)).map(Value::to_string);
            Choice {
                dominated: by,
                ..Choice::new(option, once(weight.into()), once(utility.into()))
            }
        };
        lines.push(StrategyLine {
            reach: reaches[place],
            options: matching.map(choice).collect(),
            ..sights[set].line(rules, graph, node, players)
        });
    };
    for (place, plan) in values.plans.iter().enumerate() {
        match (pass.board.movers[place], plan) {
            (Mover::Side(seat), PlacePlay::Best(best)) => {
                let weights = evenly(best, pass.board.next(place).len());
                add_line(place, place, seat as usize, weights);
            }
            (Mover::Both(_), PlacePlay::Mixed(mixed)) => {
                let Some(joint) = pass.board.table_at(place) else { continue };
                let first = joint.first;
                add_line(place, place, first, mixed[first].clone());
                add_line(place, joint.second, 1 - first, mixed[1 - first].clone());
            }
            _ => {}
        }
    }
    lines
}

/// Which option is never worse than each of a side's options in a joint decision, and sometimes better.
fn better<W: Scalar>(
    pass: &Pass<'_, W>,
    joint: &JointDecision,
    seat: usize,
    values: &Values<W>,
) -> Vec<Option<usize>> {
    let table = pass.table(joint, values);
    let table = if seat == 0 { table } else { table.turned() };
    dominated(&table, pass.may_continue)
}
