//! Nodes of the graph: who is asked there, and the node that each answer leads to.
//!
//! A node is stored in [`Words`](super::store::word_memory::Words) as six words, and two for each answer:
//! 1. the header: its kind, who is asked, how many answers there are
//! 2. the number of its question or ending
//! 3. the offset of the state at the beginning of the step
//! 4. the node before it within the step; 0 for the first after a state
//! 5. the answer given there; for the first after a state, a part of the state's hash
//! 6. the operations from the state up to the node
//! 7. and on, for each answer: the node that it leads to, 0 while that is unknown, and the operations up to there

use std::sync::atomic::{AtomicU32, Ordering};

/// Words before the answers.
const HEAD: usize = 6;
/// Words of an answer.
const EACH: usize = 2;
/// More answers than this have no node: playouts go through such a question without the graph.
pub(super) const MOST_ANSWERS: usize = 16_000;
/// More players than this have no nodes.
pub(super) const MOST_ACTORS: u32 = 1 << 14;

/// What happens at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A player decides, alone or as one of a joint decision.
    Decision,
    /// Something falls, by weights.
    Chance,
    /// Something falls, and each value has weight 1.
    EvenChance,
    /// The conflict is over.
    End,
}

/// A node as it is stored.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    words: &'a [AtomicU32],
    header: u32,
}

/// Where a node is to be made: in which step, and after which answer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodePlace {
    /// The offset of the state at the beginning of the step; 0 in the setup.
    pub state: u32,
    /// The node before it within the step, and the answer given there; at the beginning 0, and a part of
    /// the hash of the state.
    pub before: (u32, u32),
    /// The operations from the state up to the node.
    pub spent: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedNode {
    pub kind: NodeKind,
    /// The number of the player who is asked; 0 where it is chance.
    pub(crate) actor: u32,
    pub answers: usize,
    /// The number of the question, or of the ending.
    pub what: u32,
    pub place: NodePlace,
}

/// Before a node that no answer leads to.
pub(super) const UNLINKED: u32 = u32::MAX;

impl PlannedNode {
    pub(super) fn words(&self) -> usize {
        HEAD + EACH * self.answers
    }

    pub(super) fn write(&self, words: &[AtomicU32]) {
        let kind = match self.kind {
            NodeKind::Decision => 0,
            NodeKind::Chance => 1,
            NodeKind::EvenChance => 2,
            NodeKind::End => 3,
        };
        let header = kind | self.actor << 2 | (self.answers as u32) << 16;
        let NodePlace { state, before, spent } = self.place;
        let head = [header, self.what, state, before.0, before.1, word_of(spent)];
        for (word, value) in words.iter().zip(head) {
            word.store(value, Ordering::Relaxed);
        }
    }
}

impl<'a> Node<'a> {
    #[inline]
    pub fn read(words: &'a [AtomicU32]) -> Node<'a> {
        Node { words, header: words.first().map_or(3, |word| word.load(Ordering::Relaxed)) }
    }

    /// What happens here.
    #[inline]
    pub fn kind(&self) -> NodeKind {
        match self.header & 3 {
            0 => NodeKind::Decision,
            1 => NodeKind::Chance,
            2 => NodeKind::EvenChance,
            _ => NodeKind::End,
        }
    }

    /// The number of the player who is asked; 0 where it is chance.
    #[inline]
    pub(crate) fn actor(&self) -> u32 {
        self.header >> 2 & (MOST_ACTORS - 1)
    }

    /// Whether this player decides here.
    #[inline]
    pub(crate) fn decides(&self, player: u32) -> bool {
        self.kind() == NodeKind::Decision && self.actor() == player
    }

    /// How many answers there are.
    #[inline]
    pub fn answers(&self) -> usize {
        (self.header >> 16) as usize
    }

    /// The node that an answer leads to; 0 while that is unknown.
    #[inline]
    pub fn to(&self, answer: usize) -> u32 {
        if answer >= self.answers() {
            return 0;
        }
        self.words.get(HEAD + EACH * answer).map_or(0, |word| word.load(Ordering::Acquire))
    }

    /// The operations from an answer, whose node is known, up to that.
    #[inline]
    pub fn cost(&self, answer: usize) -> u64 {
        self.word(HEAD + EACH * answer + 1).into()
    }

    /// The operations from the beginning of the step up to it.
    pub fn spent(&self) -> u64 {
        self.word(5).into()
    }

    /// All nodes that the answers lead to; 0 where that is unknown.
    pub fn all(&self) -> impl Iterator<Item = u32> {
        (0..self.answers()).map(|answer| self.to(answer))
    }

    /// Whether it is unknown where some answer leads.
    pub(crate) fn is_open(&self) -> bool {
        self.all().any(|to| to == 0)
    }

    /// The number of its question or ending.
    #[inline]
    pub fn what(&self) -> u32 {
        self.word(1)
    }

    /// The offset of the state at the beginning of its step.
    pub fn state(&self) -> u32 {
        self.word(2)
    }

    /// The node before it within the step, and the answer given there.
    pub fn before(&self) -> (u32, u32) {
        match self.word(3) {
            0 => (0, 0),
            before => (before, self.word(4)),
        }
    }

    /// A part of the hash of the state, at the first node after it.
    pub(super) fn tag(&self) -> u32 {
        self.word(4)
    }

    fn word(&self, at: usize) -> u32 {
        self.words.get(at).map_or(0, |word| word.load(Ordering::Relaxed))
    }

    /// Lets an answer lead to a node, and says what that takes, unless it leads somewhere already. Returns where
    /// it leads then.
    pub fn link(&self, answer: usize, to: u32, cost: u64) -> u32 {
        let at = HEAD + EACH * answer;
        let (Some(word), Some(beside)) = (self.words.get(at), self.words.get(at + 1)) else {
            return to;
        };
        // Whoever else has run there found the same.
        beside.store(word_of(cost), Ordering::Relaxed);
        match word.compare_exchange(0, to, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => to,
            Err(there) => there,
        }
    }
}

/// Operations in a word of a node: a playout takes far fewer.
pub(super) fn word_of(cost: u64) -> u32 {
    u32::try_from(cost).unwrap_or(u32::MAX)
}
