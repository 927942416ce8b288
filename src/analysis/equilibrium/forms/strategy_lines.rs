//! What a player sees at an information set, in words and as data, what distinguishes it from others, and what to do.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::matrix::PayoffMatrix;
use super::super::matrix::linear::dominated;
use super::super::{Choice, SolutionNumber, StrategyLine};
use super::board::{BoardNode, JointDecision};
use super::board_number::BoardNumber;
use super::game_kind::Knowledge;
use super::place_values::{Pass, PlacePlay, Values};
use crate::agents::SavedHeader;
use crate::analysis::{Interval, visits};
use crate::explored::Lists;
use crate::game::Value;
use crate::graph::{Answered, Graph, InformationSet, allied_answered, allied_words, own_answered};

/// What a player goes by at an information set, beside what is the same at all the player's others.
#[derive(Clone, Debug, Default)]
pub(crate) struct DistinctView {
    words: String,
    /// The parts of the view that differ, by their paths.
    seen: Vec<(String, Value)>,
    /// What the player answered since the beginning of the step, where the view does not show it.
    own: Vec<Answered>,
}

/// What each information set looks like: what in the view is not the same at all information sets at
/// which the same player decides the same, and what the player answered since the beginning of the step.
pub(crate) fn sights(sets: &[InformationSet], graph: &Graph) -> Vec<DistinctView> {
    let leaves: Vec<BTreeMap<String, Leaf<'_>>> = sets.iter().map(|set| flat(&set.view)).collect();
    let mut alike: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    for (number, set) in sets.iter().enumerate() {
        alike.entry((&set.player, &set.name)).or_default().push(number);
    }
    let mut sights = vec![DistinctView::default(); sets.len()];
    for numbers in alike.values() {
        let mut seen: BTreeMap<&String, (&String, usize, bool)> = BTreeMap::new();
        for (path, (text, _)) in numbers.iter().flat_map(|&number| &leaves[number]) {
            let entry = seen.entry(path).or_insert((text, 0, false));
            entry.1 += 1;
            entry.2 |= entry.0 != text;
        }
        let differs = |path: &String| {
            seen.get(path).is_some_and(|(_, count, differs)| *differs || *count < numbers.len())
        };
        for &number in numbers {
            let matching = || leaves[number].iter().filter(|(path, _)| differs(path));
            let parts: Vec<String> =
                matching().map(|(path, (text, _))| format!("{path}: {text}")).collect();
            sights[number].words = parts.join(", ");
            let pair = |(path, (_, value)): (&String, &Leaf<'_>)| (path.clone(), (*value).clone());
            sights[number].seen = matching().map(pair).collect();
        }
        let apart: HashSet<&String> = numbers.iter().map(|&number| &sights[number].words).collect();
        if apart.len() < numbers.len() {
            // What the player answered is remembered, where the view does not show it.
            numbers.iter().for_each(|&number| sights[number].add_own(&sets[number], graph));
        }
    }
    sights
}

impl DistinctView {
    /// Adds what the player answered since the beginning of the step.
    fn add_own(&mut self, set: &InformationSet, graph: &Graph) {
        self.own = set.nodes.first().map(|&node| own_answered(graph, node)).unwrap_or_default();
        for (_, name, value) in &self.own {
            let between = if self.words.is_empty() { "" } else { ", " };
            self.words.push_str(&format!("{between}own {name}: {value}"));
        }
    }

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
        let parts = [&self.words, &allied].into_iter().filter(|part| !part.is_empty());
        let mut answered = self.own.clone();
        answered.extend(allied_answered(graph, node, side));
        StrategyLine {
            player: set.player.clone(),
            name: set.name.clone(),
            sees: parts.cloned().collect::<Vec<_>>().join(", "),
            seen: self.seen.clone(),
            answered,
            key: SavedHeader::key(&set.key, &allied),
            set: set.key.clone(),
            picture: None,
            reach: 0.0,
            options: Vec::new(),
        }
    }
}

/// A part of a value that is no table, and as text.
type Leaf<'a> = (String, &'a Value);

/// The parts of a value that are no tables, by their paths; lists are kept whole.
fn flat(value: &Value) -> BTreeMap<String, Leaf<'_>> {
    let mut leaves = BTreeMap::new();
    let mut open = vec![(String::new(), value)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Map(map) => open.extend(map.iter().map(|(key, item)| {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                (path, item)
            })),
            other => _ = leaves.insert(path, (other.to_string(), other)),
        }
    }
    leaves
}

/// How often each place is reached on average under the plans.
pub(crate) fn reaches<W: BoardNumber>(pass: &Pass<'_, W>, values: &Values<W>) -> Vec<f64> {
    let mut walk = Lists::default();
    for (place, plan) in values.plans.iter().enumerate() {
        let steps = pass.steps(place, plan).into_iter();
        walk.push(steps.map(|(to, share)| (to, Interval::exact(share.about()))));
    }
    let places = values.plans.len();
    match visits(&walk, 0, places, pass.may_continue) {
        Ok(visits) => visits.into_iter().map(Interval::middle).collect(),
        Err(_) => vec![0.0; places],
    }
}

/// What to do at each decision of an open game, of which each place is reached so often, and where each
/// option of a side is worth that.
pub(crate) fn lines<W: BoardNumber>(
    pass: &Pass<'_, W>,
    values: &Values<W>,
    (reaches, utilities): (&[f64], &dyn Fn(usize, usize) -> Vec<SolutionNumber>),
    knowledge: &Knowledge,
    graph: &Graph,
) -> Vec<StrategyLine> {
    let sights = sights(&knowledge.sets, graph);
    let mut lines = Vec::new();
    let mut add_line = |place: usize, at: usize, seat: usize, weights: Vec<W>| {
        let Some(set) = knowledge.of_places[at] else { return };
        let known = &knowledge.sets[set];
        let options = &known.options;
        let utilities = utilities(place, seat);
        let better = match &pass.board.spots[place] {
            BoardNode::Joint(joint) => better(pass, joint, seat, values),
            _ => vec![None; options.len()],
        };
        let players = &pass.board.seats[seat].players;
        let matching = weights.into_iter().zip(utilities).zip(better).zip(options);
        let choice = |(((weight, utility), better), option): (
            ((W, SolutionNumber), Option<usize>),
            &Value,
        )| {
            let by = better.and_then(|at: usize| options.get(at)).map(Value::to_string);
            Choice { dominated: by, ..Choice::new(option, weight, utility) }
        };
        lines.push(StrategyLine {
            reach: reaches[place],
            options: matching.map(choice).collect(),
            ..sights[set].line(known, graph, pass.board.nodes[at], players)
        });
    };
    for (place, plan) in values.plans.iter().enumerate() {
        match (&pass.board.spots[place], plan) {
            (BoardNode::Turn(seat, to), PlacePlay::Best(best)) => {
                let share = W::one() / super::place_values::count::<W>(best.len());
                let mut weights = vec![W::zero(); to.len()];
                best.iter().for_each(|&at| weights[at as usize] = share.clone());
                add_line(place, place, *seat, weights);
            }
            (BoardNode::Joint(joint), PlacePlay::Mixed(mixed)) => {
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
fn better<W: BoardNumber>(
    pass: &Pass<'_, W>,
    joint: &JointDecision,
    seat: usize,
    values: &Values<W>,
) -> Vec<Option<usize>> {
    let table = PayoffMatrix::new(joint.size[0], joint.size[1], pass.cells(joint, values));
    let table = if seat == 0 { table } else { table.turned() };
    dominated(&table, pass.may_continue)
}
