//! Everything that rules are compiled from, read once so that every thread compiles the same.

use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexMap;

use crate::error::Error;
use crate::game::Value;
use crate::script::setup::Setup;
use crate::script::{Import, Layer, Limits, Rules, digest};

/// The scripts and parameters of rules. [`Rules`] belong to one thread; this goes to any.
#[derive(Clone, Debug)]
pub struct Blueprint {
    /// The system's own scripts.
    pub base: Layer,
    /// The house rules over them, in order.
    pub house: Vec<Layer>,
    /// All parameters, their values checked.
    pub params: IndexMap<String, Value>,
    /// What a playout may use.
    pub limits: Limits,
    /// Who must have a utility, if that is known: see [`Rules::expect`].
    pub players: Option<BTreeSet<String>>,
}

impl Blueprint {
    /// Compiles the rules.
    ///
    /// # Errors
    /// As [`Rules::load`]; [`Error::Interrupted`] or [`Error::Bound`] where that stops their
    /// constants from being read.
    pub fn rules(&self) -> Result<Rc<Rules>, Error> {
        let (params, limits) = (self.params.clone(), self.limits.clone());
        let rules = Rules::load(self.base.clone(), &self.house, params, limits)?;
        rules.expect(self.players.clone());
        Ok(rules)
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
        let mut text: Vec<String> = vec![files(&self.base)];
        text.extend(self.house.iter().map(files));
        let mut params: Vec<String> =
            self.params.iter().map(|(name, value)| format!("{name}={}", value.literal())).collect();
        params.sort();
        text.extend(params);
        text.push(setup.value.literal());
        text.extend(setup.begin.entries.iter().map(ToString::to_string));
        digest(&text.join("\n"))
    }
}
