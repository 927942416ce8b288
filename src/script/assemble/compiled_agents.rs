//! What threads share of the agents that play by the same rules.

use std::sync::Arc;

use indexmap::IndexMap;
use parking_lot::Mutex;

use super::layers::Layer;
use super::source::Sources;
use crate::error::Location;
use crate::game::Value;
use crate::script::lint::warning::Fields;
use crate::script::machine::Shared;

/// What is found out of an agent when it is compiled: threads that ask the same agent share it.
pub(in crate::script) struct CompiledAgent {
    /// What it was compiled from, with the rules that it calls.
    pub(in crate::script) script: Layer,
    /// The parameters given to it.
    pub(in crate::script) changed: IndexMap<String, Value>,
    /// All its parameters.
    pub(in crate::script) params: IndexMap<String, Value>,
    pub(in crate::script) program: Shared,
    pub(in crate::script) sources: Arc<Sources>,
    pub(in crate::script) fields: Fields,
    pub(in crate::script) decides_at: Option<Location>,
}

/// An agent beside the rules that it calls, and beside others with the conflicts of a campaign that are played by these.
#[derive(Clone)]
pub(in crate::script) struct BesideEach {
    pub(in crate::script) first: Arc<CompiledAgent>,
    pub(in crate::script) others: Vec<(Vec<usize>, Arc<CompiledAgent>)>,
}

/// The agents that any thread has compiled to play by the same rules.
#[derive(Default)]
pub(in crate::script) struct AgentsBeside(Mutex<Vec<BesideEach>>);

impl AgentsBeside {
    pub(in crate::script) fn known(
        &self,
        script: &Layer,
        changed: &IndexMap<String, Value>,
    ) -> Option<BesideEach> {
        let is_it = |known: &&BesideEach| {
            let CompiledAgent { script: of, changed: under, .. } = &*known.first;
            (&of.name, &of.files, under) == (&script.name, &script.files, changed)
        };
        self.0.lock().iter().find(is_it).cloned()
    }

    pub(in crate::script) fn add(&self, agent: BesideEach) {
        self.0.lock().push(agent);
    }
}
