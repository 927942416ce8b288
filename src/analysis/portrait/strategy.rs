//! Strategy: what the conflict is worth to perfect players, and how mixed their play is.

use super::ended::SAME;
use super::portrait_measure::Measure;
use crate::analysis::equilibrium::{
    Choice, Knowing, Solution, Solved, Solving, StrategyLine, mixes_one_way,
};
use crate::analysis::odds::short_of;
use crate::analysis::{Stage, exact_utility};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::graph::{Graph, Node, NodeKind, Reach, WorkerFactory};
use crate::number::{Fraction, Interval, Quantity};

/// Graphs of more nodes are not solved; of those in which something is hidden, or decided together.
const NODES: u64 = 20_000;
const NODES_OF_HIDDEN: u64 = 1_500;

/// What perfect players do, as far as it is one thing.
pub(super) struct PerfectPlay {
    /// The first equilibrium, with the others that were found.
    pub solution: Solution,
    /// Why it is but one of several that were not looked for, if it is.
    pub arbitrary: Option<&'static str>,
    /// The same of how they mix, where what they have is the same in all.
    pub mixed: Option<&'static str>,
}

/// The solution of a conflict, or why there is none here; the sides' most is what any of them may win or lose.
pub(super) fn solution(
    seating: &Seating,
    threads: usize,
    most: f64,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Result<PerfectPlay, String>, Error> {
    let (explorer, _) = seating.make_worker()?;
    let graph = &seating.graph;
    let mut questions = 0..;
    let together = questions
        .by_ref()
        .map_while(|number| graph.question_of(number))
        .any(|asked| asked.part.is_some());
    let nodes = if explorer.rules().hides() || together { NODES_OF_HIDDEN } else { NODES };
    drop(explorer);
    let beyond = |why: String| format!("{why}; `fracas solve` may do more");
    let reach = if graph.nodes() > nodes { Reach::TooMany } else { Reach::Whole };
    if let Some(why) = short_of(reach, seating, nodes) {
        return Ok(Err(beyond(why)));
    }
    let within = if most > 0.0 { Solving::WITHIN * most } else { Solving::WITHIN };
    let solving = Solving { exact: true, within, threads, nodes, ..Solving::default() };
    // How it solves is no part of what a portrait says.
    let progress = |stage: Stage| {
        if !matches!(stage, Stage::Notice(_)) {
            progress(stage);
        }
    };
    let solved = Solved::find(seating, solving, &progress)?;
    seating.is_wanted()?;
    let kind = solved.kind;
    let found = match solved.nodes {
        Some(seen) if seen > nodes => solved.found.map_err(beyond),
        _ => solved.found,
    };
    let near = |solution: Solution| match solution.exploitability <= within {
        true => Ok(solution),
        false => Err("no strategy was found that is near enough to perfect play".to_owned()),
    };
    Ok(found.and_then(near).map(|solution| {
        let settled = kind.as_ref().is_none_or(|kind| kind.settled);
        // Between two opponents all equilibria are worth the same to them.
        let opposed = kind.as_ref().is_none_or(|kind| kind.opposed || kind.sides < 2);
        let in_turn = kind.is_some_and(|kind| kind.knowing == Knowing::Turns);
        let arbitrary = match (settled, in_turn) {
            (true, _) => None,
            (_, true) if solution.strategy.iter().any(ties) => {
                Some("options tie, so that there may be other equilibria, with other values")
            }
            (_, false) if !solution.is_all => {
                Some("not all equilibria were looked for, and others may have other values")
            }
            _ => None,
        };
        let seats = seating.players.seats();
        let mixed = match opposed {
            // Who decides alone mixes only what is as good.
            true if in_turn
                && solution.strategy.iter().any(|line| line.reach > 0.0 && ties(line)) =>
            {
                Some("options tie")
            }
            true => others(&solution, seating, &seats),
            false => None,
        };
        PerfectPlay { solution, arbitrary, mixed }
    }))
}

/// Whether several options of a line are best.
fn ties(line: &StrategyLine) -> bool {
    best(line).nth(1).is_some()
}

fn best(line: &StrategyLine) -> impl Iterator<Item = &Choice> {
    let worths = line.options.iter().map(|option| option.utility_number);
    let most = worths.fold(f64::NEG_INFINITY, f64::max);
    let least = most - SAME * most.abs().max(1.0);
    line.options.iter().filter(move |option| option.utility_number >= least)
}

/// Why there are other ways of perfect play between two opponents, or of one side, if there are, or may be.
///
/// Where all that it never picks is worse than what it picks, it picks all that any way of perfect play does.
/// Each option that a side mixes, less one at each information set, is then an equation for the other side, so
/// that there is one way only where both mix as many (Bohnenblust, Karlin and Shapley, Contributions to the
/// Theory of Games I, 1950).
fn others(solution: &Solution, seating: &Seating, seats: &[Seat]) -> Option<&'static str> {
    if solution.exploitability > SAME {
        return Some("it was learned, and other strategies may be as good");
    }
    let reached = || solution.strategy.iter().filter(|line| line.reach > 0.0);
    if reached().any(|line| best(line).any(|option| option.weight_number <= 0.0)) {
        return Some("options that it never picks are as good as those that it picks");
    }
    let mixed = |seat: &Seat| -> usize {
        let own = reached().filter(|line| seat.players.contains(&line.player));
        let picked = |line: &StrategyLine| {
            line.options.iter().filter(|option| option.weight_number > 0.0).count()
        };
        own.map(|line| picked(line).saturating_sub(1)).sum()
    };
    let most = seats.iter().map(mixed).max().unwrap_or_default();
    let alike = seats.len() > 1 && seats.iter().all(|seat| mixed(seat) == most);
    match (most, alike) {
        (0, _) => None,
        // It is one way alone where these equations have one solution, which is looked at in one table.
        (_, true)
            if picked_table(solution, &seating.graph, &seats[0])
                .is_some_and(|table| mixes_one_way(&table)) =>
        {
            None
        }
        (_, true) => Some("others may be as good"),
        (_, false) => Some("a side may mix otherwise, and is as well off"),
    }
}

/// What the options that are picked bring a seat, where the conflict is one decision of each of two sides, neither of
/// which knows the other's.
fn picked_table(solution: &Solution, graph: &Graph, seat: &Seat) -> Option<Vec<Vec<Fraction>>> {
    let picked = |node: Node<'_>| -> Option<Vec<u32>> {
        let asked = graph.question(node).filter(|_| node.kind() == NodeKind::Decision)?;
        let is_of = |line: &&StrategyLine| (&line.player, &line.name) == (&asked.who, &asked.name);
        let mut lines = solution.strategy.iter().filter(is_of);
        let (Some(line), None) = (lines.next(), lines.next()) else { return None };
        let weighed = line.options.iter().zip(node.all());
        Some(weighed.filter(|(one, _)| one.weight_number > 0.0).map(|(_, to)| to).collect())
    };
    let brings = |to: u32| Some(exact_utility(seat, graph.ending(graph.node(to))?));
    let row = |to: u32| picked(graph.node(to))?.into_iter().map(brings).collect();
    picked(graph.node(graph.root()))?.into_iter().map(row).collect()
}

/// The measures that take a solution, in words.
const WHAT: &str = "what perfect players have and how they mix";

/// What the reader has to know where there is no solution.
pub(super) fn without(why: &str) -> String {
    format!("{WHAT} are left out: {why}")
}

impl PerfectPlay {
    /// What perfect players have, how mixed their play is, and how much of what is offered it never picks, in each
    /// equilibrium that was found.
    pub(super) fn by_equilibrium(&self, seating: &Seating) -> Vec<Vec<Measure>> {
        let PerfectPlay { solution, arbitrary: None, mixed } = self else { return Vec::new() };
        let mixes = |one: &Solution| match mixed {
            Some(_) => Vec::new(),
            None => measures(one, seating),
        };
        let of_one = |one| values(one).into_iter().chain(mixes(one)).collect();
        solution.equilibria().map(of_one).collect()
    }

    pub(super) fn ranges(every: &[Vec<Measure>]) -> Vec<Measure> {
        let ranging = |first: &Measure| {
            let of_name = |one: &&Measure| one.name == first.name;
            let same = |one: &Measure| one.quantity.range() == first.quantity.range();
            let all = || every.iter().flatten().filter(of_name);
            if all().all(same) {
                return first.clone();
            }
            let low = all().map(|one| one.quantity.low).fold(f64::INFINITY, f64::min);
            let high = all().map(|one| one.quantity.high).fold(f64::NEG_INFINITY, f64::max);
            // No equilibrium need have what is in the middle.
            let value = first.quantity.value;
            let range = Quantity { value, ..Quantity::proven(Interval { low, high }) };
            Measure::new(first.name.clone(), &range)
        };
        every.first().into_iter().flatten().map(ranging).collect()
    }

    /// What the reader has to know of it, who may want to know only what they have.
    pub(super) fn note(&self, wants_mixed: bool) -> Option<String> {
        let several = self.solution.equilibria().count();
        match (self.arbitrary, self.mixed) {
            (Some(why), _) => Some(without(why)),
            (None, Some(why)) => {
                wants_mixed.then(|| format!("how perfect players mix is left out: {why}"))
            }
            (None, None) if several > 1 => {
                Some(format!("{WHAT} range over the {several} equilibria found"))
            }
            (None, None) => None,
        }
    }
}

fn values(solution: &Solution) -> Vec<Measure> {
    let value = |(seat, value): (&String, &Quantity)| {
        let name = format!("fairness.value.{seat}");
        // Nobody gains more than this by playing otherwise.
        let off = solution.exploitability;
        let within = Interval { low: value.value - off, high: value.value + off };
        let exact = value.fraction.as_deref().cloned().map(Quantity::exact);
        let number = exact.unwrap_or_else(|| Quantity::proven(within));
        Measure::new(name, &number)
    };
    solution.value.iter().map(value).collect()
}

/// How mixed the play is, by seat, and how much of what is offered it never picks.
fn measures(solution: &Solution, seating: &Seating) -> Vec<Measure> {
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
        all.push(Measure::close(name, entropy.sum::<f64>() / often));
    }
    let (mut offered, mut unused) = (0.0, 0.0);
    for choice in reached().flat_map(|line| &line.options) {
        offered += 1.0;
        unused += f64::from(u8::from(choice.weight_number <= 0.0));
    }
    if offered > 0.0 {
        all.push(Measure::close("strategy.unused", unused / offered));
    }
    all
}
