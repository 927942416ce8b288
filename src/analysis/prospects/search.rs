//! Finds the place of a decision in the graph, and makes playouts from there.

use num_bigint::BigUint;

use super::{Effort, OpenDecision, Prospect, Prospects};
use crate::agents::SavedHeader;
use crate::analysis::estimate::Rounds;
use crate::analysis::growing_state::growing_state;
use crate::analysis::{Chances, Stage};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::game::{Distribution, Generator, History, Value};
use crate::graph::{Graph, Insight, PlayoutRunner, Reach, WorkerFactory, with_history_to_failure};

/// The place in the graph, and the agents that play from there.
pub(super) struct ProspectsSearch<'a> {
    pub(super) seating: &'a Seating,
    history: &'a History,
    pub(super) runner: PlayoutRunner,
    /// The node at which the decision, or the joint one that it is part of, begins.
    pub(super) begins: u32,
    pub(super) node: u32,
    pub(super) options: Vec<Value>,
    /// Whether the rules hide something from the player who is asked.
    pub(super) hides: bool,
    /// What keeps states from repeating, where not all could be explored.
    growing: Option<String>,
}

impl<'a> ProspectsSearch<'a> {
    pub(super) fn begin(
        seating: &'a Seating,
        place: OpenDecision<'a>,
    ) -> Result<ProspectsSearch<'a>, Error> {
        let runner = seating.playout_runner()?;
        let begins = after(&runner, place.history)?;
        let node = part(&runner, begins, place)?;
        let graph = runner.explorer().graph();
        let options = graph.question_at(node).map(|asked| asked.values().to_vec());
        let hides = runner.explorer().rules().hides() && !place.revealed;
        let options = options.unwrap_or_default();
        let history = place.history;
        let growing = None;
        Ok(ProspectsSearch { seating, history, runner, begins, node, options, hides, growing })
    }

    /// What the player who is asked goes by; nothing where that is not known.
    pub(super) fn key(&self) -> Result<Option<String>, Error> {
        let explorer = self.runner.explorer();
        let graph = explorer.graph();
        let who = |node: u32| graph.question_at(node).map(|asked| &asked.who);
        let Some(asked) = who(self.node) else { return Ok(None) };
        let own = self.seating.players.beside(asked);
        let mut at = self.node;
        while at != self.begins {
            at = graph.node(at).before().0;
            if who(at).is_some_and(|who| own.contains(who)) {
                return Ok(None);
            }
        }
        let insight = Insight::of(explorer, self.node)?;
        Ok(Some(SavedHeader::key(&insight.key, "")))
    }

    pub(super) fn find(
        mut self,
        effort: Effort,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Prospects, Error> {
        self.try_find(effort, progress).map_err(|error| {
            // Another world than this one may be where it failed.
            let before = (!self.hides).then_some((self.begins, self.history));
            with_history_to_failure(error, self.runner.explorer(), before, || self.seating.words())
        })
    }

    fn try_find(
        &mut self,
        effort: Effort,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Prospects, Error> {
        // A few playouts first: whoever interrupts the exploring has something.
        let few = (FEW / self.options.len().max(1) as u64).clamp(1, effort.n.max(1));
        let (worlds, mut sample) = (self.worlds(effort.n)?, Rounds::of(self.options.len()));
        let report = |done| progress(Stage::Playouts(done, Some(effort.n)));
        self.sample_more((&mut sample, &worlds), few, effort.seed, &report)?;
        if effort.nodes > 0 && sample.cut.is_none() {
            // Half of the time is left to the playouts.
            let half = effort.time.map(|time| time / 2);
            let seating = self.seating.under(self.seating.budget().begin(half));
            match self.explored(&seating, effort, &|nodes| progress(Stage::Nodes(nodes)))? {
                Exploration::All(options, nodes) => {
                    return Ok(self.prospects(options, Some(nodes), (0, 0, 0), None));
                }
                // Whoever interrupts has waited long enough.
                Exploration::Cut(Cut::Interrupted) => sample.cut = Some(Cut::Interrupted),
                Exploration::Cut(_) | Exploration::Not => {}
            }
        }
        self.sample_more((&mut sample, &worlds), effort.n, effort.seed, &report)?;
        let (graph, names) = (self.runner.explorer().graph(), &self.seating.players.names);
        let chances =
            |ends: &Vec<u32>| Rounds::chances(ends, |end| graph.ending_of(end)).in_order(names);
        let options = sample.ends.iter().map(chances).collect();
        let from = (sample.made(), effort.seed, worlds.len());
        Ok(self.prospects(options, None, from, sample.cut))
    }

    fn prospects(
        &self,
        chances: Vec<Chances>,
        nodes: Option<u64>,
        (n, seed, worlds): (u64, u64, usize),
        cut: Option<Cut>,
    ) -> Prospects {
        let exact = nodes.is_some() && chances.iter().all(Chances::is_exact);
        let option = |(option, chances): (&Value, Chances)| {
            let (option, weight, value) = (option.clone(), None, None);
            Prospect { option, chances, weight, value }
        };
        let options = self.options.iter().zip(chances).map(option).collect();
        let hidden = self.hides || self.node != self.begins;
        let worlds = if self.hides { worlds } else { 0 };
        let interrupted = cut == Some(Cut::Interrupted);
        let growing = self.growing.clone();
        Prospects { exact, nodes, n, seed, hidden, worlds, interrupted, cut, growing, options }
    }

    /// What becomes of exploring where a graph is not whole that was explored so far.
    pub(super) fn short_of(&mut self, reach: Reach, seating: &Seating) -> Option<Exploration> {
        let short = match reach {
            Reach::Whole => return None,
            Reach::Cut(cut) => Exploration::Cut(cut),
            _ => Exploration::Not,
        };
        if reach != Reach::Drawn && !matches!(short, Exploration::Cut(Cut::Interrupted)) {
            self.growing = growing_state(seating);
        }
        Some(short)
    }

    /// The nodes that look alike to the player who is asked; about this many.
    pub(super) fn worlds(&self, n: u64) -> Result<Vec<u32>, Error> {
        let worlds = match self.hides {
            true => {
                self.seating.look_alikes(self.node, usize::try_from(n).unwrap_or(usize::MAX))?
            }
            false => vec![self.begins],
        };
        if worlds.is_empty() {
            return Err(Error::usage(
                "no random playout reached a place that looks like this one; after `:reveal` none is needed",
            ));
        }
        Ok(worlds)
    }

    /// Makes playouts until there are this many of each option: the same worlds and dice for all.
    fn sample_more(
        &mut self,
        (sample, worlds): (&mut Rounds, &[u32]),
        n: u64,
        seed: u64,
        report: &dyn Fn(u64),
    ) -> Result<(), Error> {
        sample.make(n, report, |made| {
            let rng = Generator::playout(seed, made);
            let mut fallen = rng.clone();
            // Each world in its turn: they were sampled.
            let turn = made % worlds.len().max(1) as u64;
            let mut at = worlds.get(turn as usize).copied().unwrap_or(self.begins);
            while !asks_the_same(self.runner.explorer().graph(), at, self.node) {
                let shares = self.runner.shares(at)?;
                let answer = drawn(shares, |shares| fallen.fall(shares))?;
                at = known(self.runner.explorer().next(at, answer)?)?;
            }
            let ending = |option: usize| {
                self.seating.is_wanted()?;
                let to = known(self.runner.explorer().next(at, option)?)?;
                self.runner.play_from(to, rng.clone(), &mut ())
            };
            (0..self.options.len()).map(ending).collect()
        })
    }
}

/// This many playouts are made before anything is explored, for all options together.
const FEW: u64 = 1000;

/// An answer by its share, where `fall` picks the number of one of them.
pub(in crate::analysis) fn drawn(
    shares: Vec<(usize, BigUint)>,
    fall: impl FnOnce(&Distribution) -> usize,
) -> Result<usize, Error> {
    let none = || Error::usage("nobody answers at this node of the graph");
    let pairs = shares.into_iter().map(|(answer, share)| (Value::Int(answer as i64), share));
    let dist = Distribution::new(pairs.collect::<Vec<_>>()).map_err(|_| none())?;
    let fell = dist.values().get(fall(&dist)).and_then(Value::as_int);
    usize::try_from(fell.ok_or_else(none)?).map_err(|_| none())
}

pub(super) enum Exploration {
    All(Vec<Chances>, u64),
    Cut(Cut),
    Not,
}

pub(super) fn after(runner: &PlayoutRunner, history: &History) -> Result<u32, Error> {
    Ok(nodes_along(runner, history)?.last().copied().unwrap_or_default())
}

/// The nodes along a history: the one at the beginning, and the one after each answer.
pub(in crate::analysis) fn nodes_along(
    runner: &PlayoutRunner,
    history: &History,
) -> Result<Vec<u32>, Error> {
    let explorer = runner.explorer();
    let mut at = known(explorer.beginning()?)?;
    let mut nodes = vec![at];
    for action in history.actions() {
        let graph = explorer.graph();
        let asked = graph.question_at(at);
        let answer =
            asked.and_then(|asked| asked.values().iter().position(|one| *one == action.value));
        let answer =
            answer.ok_or_else(|| Error::usage("the history leads to no node of the graph"))?;
        at = known(explorer.next(at, answer)?)?;
        nodes.push(at);
    }
    Ok(nodes)
}

/// The node of a player's part of a joint decision that begins at a node; what others answer before is
/// hidden, and any answer leads to a node that looks the same.
fn part(runner: &PlayoutRunner, begins: u32, place: OpenDecision<'_>) -> Result<u32, Error> {
    let explorer = runner.explorer();
    let mut at = begins;
    loop {
        let graph = explorer.graph();
        let asked = graph.question_at(at);
        match asked {
            Some(asked) if asked.who == place.who && asked.name == place.name => return Ok(at),
            Some(asked) if asked.part.is_some() => at = known(explorer.next(at, 0)?)?,
            _ => return Err(Error::usage("nobody decides at this node of the graph")),
        }
    }
}

/// Whether a player is asked the same at two nodes, for any answers of others, and however many of them are asked at
/// the same time.
pub(super) fn asks_the_same(graph: &Graph, one: u32, other: u32) -> bool {
    let asked = |node: u32| graph.question_at(node).filter(|asked| !asked.is_chance());
    let (Some(one), Some(other)) = (asked(one), asked(other)) else { return false };
    (&one.who, &one.name, one.values()) == (&other.who, &other.name, other.values())
}

pub(in crate::analysis) fn known(node: u32) -> Result<u32, Error> {
    match node {
        0 => Err(Error::usage("the graph has no room for what follows; there are no odds")),
        node => Ok(node),
    }
}
