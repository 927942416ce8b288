//! The working memory of an agent that thinks ahead: a graph, and notes about its nodes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::forecast::Forecast;
use super::payoffs::Payoffs;
use crate::error::Error;
use crate::graph::{Explorer, Graph, Insight};
use crate::handlers::Generator;

/// Why a thought was not finished.
#[derive(Debug)]
pub enum Halted {
    /// The graph takes no more.
    Full,
    /// Something went wrong.
    Error(Error),
}

impl From<Error> for Halted {
    fn from(error: Error) -> Halted {
        Halted::Error(error)
    }
}

/// How a mind treats its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphSharing {
    /// It is shared with those who play: every node that is reached is kept, for the good of all.
    Shared,
    /// It is the mind's own: only what is thought about is kept.
    Own,
    /// As [`GraphSharing::Own`], and it makes do with the room that there is.
    Settles,
}

/// One thread's means to think ahead on one graph.
pub struct Mind {
    explorer: Explorer,
    manner: GraphSharing,
    /// Nodes and the numbers of their information sets.
    sets: HashMap<u32, u32>,
    keys: HashMap<String, u32>,
    /// The number of a question -> rounds of the game at random, and the nodes where it was asked.
    asked: HashMap<u32, Vec<(u64, u32)>>,
    rounds: u64,
    payoffs: Payoffs,
    /// The forecast of the whole game, if it is small; `None` until somebody asks.
    whole: Option<Option<Forecast>>,
}

impl Mind {
    /// A mind that knows nothing yet.
    pub fn new(explorer: Explorer, manner: GraphSharing) -> Mind {
        Mind {
            explorer,
            manner,
            sets: HashMap::new(),
            keys: HashMap::new(),
            asked: HashMap::new(),
            rounds: 0,
            payoffs: Payoffs::default(),
            whole: None,
        }
    }

    /// The mind for further thoughts, if its graph has room for them.
    pub fn kept(self) -> Option<Mind> {
        let room = !self.graph().is_full();
        room.then_some(Mind { manner: GraphSharing::Own, ..self })
    }

    /// The means to go through the graph.
    pub fn explorer(&self) -> &Explorer {
        &self.explorer
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        self.explorer.graph()
    }

    /// The node that an answer leads to; 0 where it can have none.
    #[inline]
    pub fn next(&self, node: u32, answer: usize) -> Result<u32, Halted> {
        match self.graph().node(node).to(answer) {
            0 => {
                let to = self.explorer.next(node, answer)?;
                self.there(to)
            }
            to => Ok(to),
        }
    }

    /// The node that was looked for; 0 if there is none. Fails if it may be missing only because
    /// the graph is full, unless the mind makes do with that.
    pub fn there(&self, node: u32) -> Result<u32, Halted> {
        if node == 0 && self.manner != GraphSharing::Settles && self.graph().is_full() {
            return Err(Halted::Full);
        }
        Ok(node)
    }

    /// Plays at random from an answer at a node; each player's utility at the end.
    #[inline]
    pub fn play(&mut self, from: (u32, usize), lots: &mut Generator) -> Result<&[f64], Halted> {
        let from = (from.0, from.1 as u32);
        let lays = self.manner == GraphSharing::Shared;
        let ending = self.explorer.wander(from, lots, &mut (), lays)?;
        Ok(self.payoffs(ending))
    }

    /// Each player's utility at an ending.
    #[inline]
    pub fn payoffs(&mut self, ending: u32) -> &[f64] {
        self.payoffs.of(self.explorer.graph(), ending)
    }

    /// Checks whether it should stop.
    #[inline]
    pub fn look_up(&self) -> Result<(), Halted> {
        Ok(self.explorer.rules().limits().budget.is_wanted().map_err(Error::from)?)
    }

    /// The number of the information set of a decision; it means something in this mind alone.
    pub fn set_of(&mut self, node: u32) -> Result<u32, Halted> {
        if let Some(&set) = self.sets.get(&node) {
            return Ok(set);
        }
        let insight = Insight::of(&self.explorer, node)?;
        Ok(self.note(node, insight.key))
    }

    /// Notes the information set of a decision, which is known by this key.
    pub fn note(&mut self, node: u32, key: String) -> u32 {
        let free = self.keys.len() as u32;
        let set = *self.keys.entry(key).or_insert(free);
        self.sets.insert(node, set);
        set
    }

    /// Runs `look` on the forecast of the whole game; `None` if the game is too large for one. That
    /// is noted for others, unless only this graph has no room.
    pub fn with_whole<T>(
        &mut self,
        bound: usize,
        too_large: &AtomicBool,
        look: impl FnOnce(&mut Mind, &mut Forecast) -> Result<Option<T>, Halted>,
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

    /// How many rounds of the game were played at random.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The rounds in which a question was asked, and the nodes where.
    pub fn asked(&self, question: u32) -> &[(u64, u32)] {
        self.asked.get(&question).map(Vec::as_slice).unwrap_or_default()
    }

    /// Plays the game at random once more, and notes the decisions. Round `i` is the same for all
    /// minds.
    pub fn play_round(&mut self) -> Result<(), Halted> {
        let mut lots = Generator::playout(0, self.rounds);
        let mut met: Vec<u32> = Vec::new();
        self.explorer.wander((0, 0), &mut lots, &mut met, true)?;
        for node in met {
            if self.there(node)? != 0 {
                let question = self.graph().node(node).what();
                self.asked.entry(question).or_default().push((self.rounds, node));
            }
        }
        self.rounds += 1;
        Ok(())
    }
}
