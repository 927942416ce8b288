//! The working memory of an agent that thinks ahead: a graph, and notes about its nodes.

pub(super) mod forecast;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hashbrown::HashMap;

use self::forecast::Forecast;
use super::SharedThinking;
use crate::error::{Cut, Error, Limit, ScriptFault};
use crate::game::{Generator, Value};
use crate::graph::{Explorer, Graph, Heard, Insight, NodeKind, WorthStoring};
use crate::script::Fuel;

/// A node at which the game may be, and how likely it is beside the others.
pub(super) type World = (u32, f64);

/// How a search graph treats its graph of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GraphSharing {
    /// It is shared with those who play: every node that is reached is kept, for the good of all, as long
    /// as that saves enough.
    Shared,
    /// It is of this thread alone: only what is thought about is kept.
    Own,
    /// As [`GraphSharing::Own`], and it makes do with the room that there is.
    Settles,
}

/// One thread's means to think ahead on one graph.
pub(super) struct SearchGraph {
    explorer: Explorer,
    manner: GraphSharing,
    /// Node -> the number of its information set.
    sets: HashMap<u32, u32>,
    keys: HashMap<String, u32>,
    questions: Questions,
    /// A question by that number -> rounds of the game at random, and the nodes where it was asked.
    asked: HashMap<u32, Vec<(u64, u32)>>,
    pub(super) rounds: u64,
    /// What all rounds together may still take; `None` once that was too much.
    for_rounds: Option<Fuel>,
    /// What the thought may still take. What is known already costs as much as where it is explored.
    fuel: Fuel,
    /// Each player's utility at the endings, by their numbers; looked up once each.
    payoffs: Vec<Vec<f64>>,
    /// Whether what is played at random is still worth keeping.
    worth: WorthStoring,
    /// The forecast of the whole game, if it is small; `None` until somebody asks.
    whole: Option<Option<Forecast>>,
    /// The decisions near the beginning, each with how often random play comes there, and whether they are all there are.
    pub(super) opening: Option<(Rc<[World]>, bool)>,
}

/// So few operations of a step are not paid for again: what is explored takes as much beside them.
const LITTLE: u64 = 10_000;

impl SearchGraph {
    pub(super) fn new(
        SharedThinking { blueprint, setup, .. }: &SharedThinking,
        graph: &Arc<Graph>,
        manner: GraphSharing,
    ) -> Result<SearchGraph, Error> {
        let explorer = Explorer::new(graph, blueprint, setup)?;
        let thought = explorer.rules().limits().thought;
        Ok(SearchGraph {
            explorer,
            manner,
            sets: HashMap::new(),
            keys: HashMap::new(),
            questions: Questions::default(),
            asked: HashMap::new(),
            rounds: 0,
            for_rounds: Some(Fuel::new(thought)),
            fuel: Fuel::new(thought),
            payoffs: Vec::new(),
            worth: WorthStoring::of_thoughts(),
            whole: None,
            opening: None,
        })
    }

    /// The same for further thoughts, if it has room for them.
    pub(super) fn kept(self) -> Option<SearchGraph> {
        let room = !self.graph().is_full();
        room.then_some(SearchGraph { manner: GraphSharing::Own, ..self })
    }

    pub(super) fn explorer(&self) -> &Explorer {
        &self.explorer
    }

    pub(super) fn graph(&self) -> &Graph {
        self.explorer.graph()
    }

    /// The node that an answer leads to; 0 where it can have none.
    #[inline]
    pub(super) fn next(&mut self, node: u32, answer: usize) -> Result<u32, Halted> {
        let to = match self.graph().node(node).to(answer) {
            0 => {
                let to = self.explorer.next(node, answer)?;
                self.there(to)?
            }
            to => to,
        };
        self.pay_for_step(node)?;
        self.fuel.spend(self.explorer.graph().cost((node, answer as u32)))?;
        Ok(to)
    }

    /// What follows may take this many operations, if they are looked up and not run; beyond them it
    /// is [`Halted::Spent`].
    pub(super) fn allow(&mut self, operations: u64) {
        self.fuel = Fuel::new(operations);
    }

    /// Pays for the way of the step up to a node, from which it may be run again for each answer.
    #[inline]
    fn pay_for_step(&mut self, node: u32) -> Result<(), Limit> {
        match self.explorer.graph().cost_of_step(node) {
            ..=LITTLE => Ok(()),
            much => self.fuel.spend(much),
        }
    }

    /// As many operations as one part of a thought may take.
    pub(super) fn thought(&self) -> u64 {
        self.explorer.rules().limits().thought
    }

    /// The node that was looked for; 0 if there is none. Fails if it may be missing only because
    /// the graph is full, unless it makes do with that.
    pub(super) fn there(&self, node: u32) -> Result<u32, Halted> {
        if node == 0 && self.manner != GraphSharing::Settles && self.graph().is_full() {
            return Err(Halted::Full);
        }
        Ok(node)
    }

    /// Plays at random from an answer at a node; each player's utility at the end.
    #[inline]
    pub(super) fn play(
        &mut self,
        from: (u32, usize),
        rng: &mut Generator,
    ) -> Result<&[f64], Halted> {
        let from = (from.0, from.1 as u32);
        let stores = self.manner == GraphSharing::Shared && self.worth.stores();
        self.pay_for_step(from.0)?;
        let (mut all, mut asked) = (0, 0);
        let mut count = |_: Option<u32>, looked_up: bool| {
            all += 1;
            asked += u64::from(!looked_up);
        };
        let fuel = &mut self.fuel;
        let ending = self.explorer.wander(from, rng, &mut count, (stores, fuel))?;
        self.worth.count(all, asked);
        Ok(self.payoffs(ending))
    }

    /// Each player's utility at an ending, by the numbers by which nodes know players; 0 for one
    /// to whom the rules give none.
    #[inline]
    pub(super) fn payoffs(&mut self, ending: u32) -> &[f64] {
        let (graph, at) = (self.explorer.graph(), ending as usize);
        if self.payoffs.len() <= at {
            self.payoffs.resize(at + 1, Vec::new());
        }
        if self.payoffs[at].len() < graph.actor_count() {
            let utility = graph.ending_of(ending).map(|ending| &ending.utility);
            let number = |name: &String| utility?.get(name).and_then(Value::as_utility);
            let of_players = graph.actors().map(|(_, name)| number(name).unwrap_or_default());
            self.payoffs[at] = std::iter::once(0.0).chain(of_players).collect();
        }
        &self.payoffs[at]
    }

    #[inline]
    pub(super) fn look_up(&self) -> Result<(), Halted> {
        Ok(self.explorer.rules().limits().budget.is_wanted().map_err(Error::from)?)
    }

    /// Whether the time is over; that somebody wants it to stop is an error.
    pub(super) fn is_over(&self) -> Result<bool, Halted> {
        match self.explorer.rules().limits().budget.is_wanted() {
            Err(Cut::Interrupted) => Err(Error::Interrupted.into()),
            wanted => Ok(wanted.is_err()),
        }
    }

    /// The number of the information set of a decision; it means something on this search graph alone.
    pub(super) fn set_of(&mut self, node: u32) -> Result<u32, Halted> {
        if let Some(&known) = self.sets.get(&node) {
            return Ok(known);
        }
        let insight = Insight::of(&self.explorer, node)?;
        Ok(self.note(node, &insight))
    }

    /// The number here of what is asked at a node, and of whom; not of how many others are asked at the same
    /// time, which the player may not know.
    pub(super) fn question_at(&mut self, node: u32) -> u32 {
        self.question_of(self.graph().node(node).what())
    }

    /// The same, by the number that the graph has for a question.
    pub(super) fn question_of(&mut self, number: u32) -> u32 {
        self.questions.of(self.explorer.graph(), number)
    }

    /// Whether two nodes ask the same of the same player, even if more players are asked together at one of
    /// them.
    pub(super) fn asks_alike(&mut self, one: u32, other: u32) -> bool {
        let is_decision = self.graph().node(one).kind() == NodeKind::Decision;
        is_decision && self.question_at(one) == self.question_at(other)
    }

    pub(super) fn note(&mut self, node: u32, insight: &Insight) -> u32 {
        let free = self.keys.len() as u32;
        let set = *self.keys.entry_ref(insight.key.as_str()).or_insert(free);
        self.sets.insert(node, set);
        set
    }

    /// Runs `look` on the forecast of the whole game; `None` if the game is too large for one. That
    /// is noted for others, unless only this graph has no room.
    pub(super) fn with_whole<T>(
        &mut self,
        bound: usize,
        too_large: &AtomicBool,
        look: impl FnOnce(&mut SearchGraph, &mut Forecast) -> Result<Option<T>, Halted>,
    ) -> Result<Option<T>, Halted> {
        let mut whole = match self.whole.take() {
            Some(whole) => whole,
            None if too_large.load(Ordering::Relaxed) => None,
            None => {
                let root = self.explorer.beginning()?;
                let whole = Forecast::of(self, &[self.there(root)?], bound)?;
                if whole.is_none() && !self.graph().is_full() {
                    too_large.store(true, Ordering::Relaxed);
                }
                whole
            }
        };
        let looked = match &mut whole {
            Some(whole) => look(self, whole),
            None => Ok(None),
        };
        self.whole = Some(whole);
        looked
    }

    pub(super) fn asked(&self, question: u32) -> &[(u64, u32)] {
        self.asked.get(&question).map(Vec::as_slice).unwrap_or_default()
    }

    /// Plays the game at random once more, and notes the decisions; not where the rounds have taken all
    /// that they may. Round `i` is the same for all search graphs.
    pub(super) fn play_round(&mut self) -> Result<bool, Halted> {
        let Some(mut fuel) = self.for_rounds else { return Ok(false) };
        let mut rng = Generator::playout(0, self.rounds);
        let mut met: Vec<u32> = Vec::new();
        let mut hear = |node: Option<u32>, _: bool| met.extend(node);
        let played = self.explorer.wander((0, 0), &mut rng, &mut hear, (true, &mut fuel));
        match played.map_err(Halted::from) {
            Err(Halted::Spent) => {
                self.for_rounds = None;
                return Ok(false);
            }
            played => played?,
        };
        // A round counts as a whole or, where the graph had no room for all of it, not at all.
        for &node in &met {
            self.there(node)?;
        }
        for node in met.into_iter().filter(|&node| node != 0) {
            let question = self.question_at(node);
            self.asked.entry(question).or_default().push((self.rounds, node));
        }
        self.rounds += 1;
        self.for_rounds = Some(fuel);
        Ok(true)
    }

    /// Plays the game at random from its beginning, but for a player who answers as is known: by the numbers of
    /// [`SearchGraph::question_at`]. The node where the player is asked what is `sought` after that; nothing where
    /// something else is asked of the player, or the game ends.
    pub(super) fn play_as_known(
        &mut self,
        (player, own): (u32, &[(u32, u32)]),
        sought: u32,
        rng: &mut Generator,
    ) -> Result<Option<u32>, Halted> {
        let SearchGraph { explorer, questions, fuel, .. } = self;
        let graph = explorer.graph();
        let (mut own, mut met) = (own.iter(), None);
        let mut hear = |node: Option<u32>, _: bool| {
            let Some(at) = node else { return Heard::Draws };
            if at == 0 {
                met = Some(at);
                return Heard::Stops;
            }
            if graph.node(at).actor() != player {
                return Heard::Draws;
            }
            let asked = questions.of(graph, graph.node(at).what());
            match own.next() {
                Some(&(known, answer)) if asked == known => return Heard::Answers(answer),
                None if asked == sought => met = Some(at),
                _ => {}
            }
            Heard::Stops
        };
        explorer.wander_while((0, 0), rng, &mut hear, (true, fuel))?;
        // Where the graph has no room, nobody knows who is asked.
        if met == Some(0) { Err(Halted::Full) } else { Ok(met) }
    }
}

/// What is asked, and of whom, by numbers.
#[derive(Debug, Default)]
struct Questions {
    /// The number of a question on the graph -> its number here.
    known: HashMap<u32, u32>,
    contents: HashMap<String, u32>,
}

impl Questions {
    fn of(&mut self, graph: &Graph, number: u32) -> u32 {
        if let Some(&known) = self.known.get(&number) {
            return known;
        }
        let content = graph.question_of(number).map(|asked| {
            let options = Value::List(asked.values().into());
            Value::List([(&*asked.who).into(), (&*asked.name).into(), options].into()).literal()
        });
        let free = self.contents.len() as u32;
        let same = *self.contents.entry(content.unwrap_or_default()).or_insert(free);
        self.known.insert(number, same);
        same
    }
}

#[derive(Debug)]
pub(super) enum Halted {
    Full,
    /// The thought has taken all the operations that it may take.
    Spent,
    Error(Error),
}

impl From<Limit> for Halted {
    fn from(_: Limit) -> Halted {
        Halted::Spent
    }
}

impl From<Error> for Halted {
    fn from(error: Error) -> Halted {
        match &error {
            Error::Script(script)
                if matches!(script.fault, ScriptFault::Limit(Limit::Playout(_))) =>
            {
                Halted::Spent
            }
            _ => Halted::Error(error),
        }
    }
}

/// What was found, or what is made do with where all operations are spent.
pub(super) fn unless_spent<T>(found: Result<T, Halted>, otherwise: T) -> Result<T, Halted> {
    match found {
        Err(Halted::Spent) => Ok(otherwise),
        found => found,
    }
}
