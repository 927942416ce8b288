//! Everything that rules are compiled from, read once; and what was compiled of it, for all threads.

use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use parking_lot::Mutex;

use super::source::Sources;
use crate::error::{Error, Location};
use crate::game::Value;
use crate::script::lint::warning::Fields;
use crate::script::machine::Shared;
use crate::script::rules::CompiledRules;
use crate::script::setup::Setup;
use crate::script::{Import, Layer, Limits, Rules, digest};

/// The scripts and parameters of rules. [`Rules`] belong to one thread; this goes to any.
#[derive(Clone, Debug)]
pub struct Blueprint {
    scripts: Arc<Scripts>,
    /// What a playout may use.
    pub limits: Limits,
    /// Who must have a utility, if that is known: see [`Rules::expect`].
    pub players: Option<BTreeSet<String>>,
}

/// Never changed, so that what was compiled stays true.
struct Scripts {
    base: Layer,
    house: Vec<Layer>,
    params: IndexMap<String, Value>,
    rules: OnceLock<Arc<CompiledRules>>,
    agents: AgentsBeside,
}

impl fmt::Debug for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} house rules", self.base.name, self.house.len())
    }
}

impl Blueprint {
    /// Rules of a system's own scripts, with house rules over them in order, and all parameters, their values checked.
    pub fn new(
        base: Layer,
        house: Vec<Layer>,
        params: IndexMap<String, Value>,
        limits: Limits,
    ) -> Blueprint {
        let (rules, agents) = (OnceLock::new(), AgentsBeside::default());
        let scripts = Arc::new(Scripts { base, house, params, rules, agents });
        Blueprint { scripts, limits, players: None }
    }

    /// The system's own scripts.
    pub fn base(&self) -> &Layer {
        &self.scripts.base
    }

    /// The house rules over them, in order.
    pub fn house(&self) -> &[Layer] {
        &self.scripts.house
    }

    /// All parameters.
    pub fn params(&self) -> &IndexMap<String, Value> {
        &self.scripts.params
    }

    /// The rules for this thread, compiled where no thread has yet.
    ///
    /// # Errors
    /// As [`Rules::load`]; [`Error::Interrupted`] or [`Error::Bound`] where that stops their
    /// constants from being read.
    pub fn rules(&self) -> Result<Rc<Rules>, Error> {
        let Scripts { base, house, params, rules: compiled, .. } = &*self.scripts;
        let limits = self.limits.clone();
        let rules = match compiled.get() {
            Some(compiled) => Rc::new(Rules::sharing(compiled.clone(), limits)),
            None => {
                let rules = Rules::load(base.clone(), house, params.clone(), limits)?;
                _ = compiled.set(rules.compiled.clone());
                rules
            }
        };
        rules.expect(self.players.clone());
        Ok(rules)
    }

    /// The agents that were compiled to play by these rules.
    pub(in crate::script) fn agents(&self) -> &AgentsBeside {
        &self.scripts.agents
    }

    /// A digest of all that decides what these rules do from a setup: scripts in their order,
    /// parameters, the setup itself, and the answers after which it begins.
    pub fn identity(&self, setup: &Setup) -> String {
        let files = |layer: &Layer| {
            let own = layer.files.iter().map(|(_, text)| digest(text));
            let imported = layer.imports.iter().flat_map(Import::parts);
            let texts: Vec<String> = own.chain(imported.map(|(_, text)| digest(&text))).collect();
            texts.join(" ")
        };
        let mut text: Vec<String> = vec![files(self.base())];
        text.extend(self.house().iter().map(files));
        let params = self.params().iter();
        let mut params: Vec<String> =
            params.map(|(name, value)| format!("{name}={}", value.literal())).collect();
        params.sort();
        text.extend(params);
        text.push(setup.value.literal());
        text.extend(setup.begin.entries.iter().map(ToString::to_string));
        digest(&text.join("\n"))
    }
}

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
