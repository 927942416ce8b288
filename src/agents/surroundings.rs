//! What must an agent be given that thinks ahead? The rules, the setup and the graph it is asked on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::graph::Graph;
use crate::handlers::Answer;
use crate::script::{Blueprint, Budget, Setup};

/// What agents of one conflict share, on any number of threads.
#[derive(Clone)]
pub struct Surroundings {
    /// What the rules are compiled from.
    pub blueprint: Blueprint,
    /// What the conflict starts from.
    pub setup: Setup,
    /// The graph that is played on; [`Standpoint`](crate::handlers::Standpoint)s name its nodes.
    pub graph: Arc<Graph>,
    thoughts: Arc<Thoughts>,
}

/// What has been thought through: the answer by a digest of who thought and of what was known.
type Thoughts = Mutex<HashMap<Digest, Answer>>;

/// A SHA-256 digest.
pub(super) type Digest = [u8; 32];

impl Surroundings {
    /// The surroundings of a conflict that is played on this graph.
    pub fn new(blueprint: Blueprint, setup: Setup, graph: Arc<Graph>) -> Surroundings {
        Surroundings { blueprint, setup, graph, thoughts: Arc::default() }
    }

    /// The surroundings of a conflict that is played by the script alone: the agents share a graph
    /// of their own.
    pub fn alone(blueprint: Blueprint, setup: Setup) -> Surroundings {
        let budget = &blueprint.limits.budget;
        let graph = Arc::new(Graph::new(blueprint.identity(&setup.value), budget));
        Surroundings::new(blueprint, setup, graph)
    }

    /// What all that is done with them may take.
    pub(super) fn budget(&self) -> &Budget {
        &self.blueprint.limits.budget
    }

    /// The answer to what was thought through before.
    pub(super) fn thought(&self, digest: &Digest) -> Option<Answer> {
        let thoughts = self.thoughts.lock().unwrap_or_else(PoisonError::into_inner);
        thoughts.get(digest).cloned()
    }

    /// Keeps an answer.
    pub(super) fn keep(&self, digest: Digest, answer: &Answer) {
        let mut thoughts = self.thoughts.lock().unwrap_or_else(PoisonError::into_inner);
        thoughts.insert(digest, answer.clone());
    }
}
