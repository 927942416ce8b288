//! Checks a rules folder: compiles all of it, plays it at random under its laws, and returns every
//! finding with its place.

mod clauses;
mod contents;
mod finding;
mod hidden_state;
mod playouts;
mod replayed_steps;
mod rules;
mod scenario;

pub(crate) use finding::Finding;
pub use finding::Level;

use crate::catalog::{Catalog, FileKind, Folder, Scenario};
use crate::error::Error;
use crate::script::Limits;
use finding::Findings;

/// The settings of a check: where the rules are, and how much is played.
pub struct Check<'a> {
    /// The catalog in which scenarios find their rules.
    pub catalog: &'a Catalog,
    /// The limits of scripts.
    pub limits: &'a Limits,
    /// The seed of the first playout; each later one takes the next number.
    pub seed: u64,
    /// The number of playouts of each scenario.
    pub playouts: u64,
    /// The beginning of the commands that replay a playout: `fracas`, `fracas --rules DIR`.
    pub command: String,
    /// Hears what is being checked.
    pub progress: &'a dyn Fn(String),
}

/// House rules and agents are played less often than scenarios: there are more pairs of them.
const HOUSE_PLAYOUTS: u64 = 10;
const AGENT_PLAYOUTS: u64 = 20;

impl Check<'_> {
    /// Checks all of a rules folder, which must be one of the catalog.
    pub fn folder(&self, folder: &Folder) -> Result<Vec<Finding>, Error> {
        let mut findings = Findings::default();
        contents::check(self, folder, &mut findings)?;
        clauses::check(folder, &mut findings);
        if let Some(mut fields) = rules::check(self, folder, &mut findings)? {
            // What goes wrong in a scenario by itself would go wrong again with every house rule.
            let mut scenarios = Vec::new();
            for scenario in self.scenarios(folder, &mut findings)? {
                if scenario::check(self, &scenario, &mut findings)? {
                    scenarios.push(scenario);
                }
            }
            rules::report_sight(self, folder, &mut findings);
            for name in folder.names(FileKind::Campaign) {
                match folder.campaign(&name) {
                    Ok(campaign) => _ = scenario::check(self, &campaign, &mut findings)?,
                    Err(error) => findings.fault(&error, || None)?,
                }
            }
            for name in folder.names(FileKind::House) {
                rules::check_house(self, folder, &name, &scenarios, &mut fields, &mut findings)?;
            }
            for name in folder.names(FileKind::Agent) {
                rules::check_agent(self, folder, &name, &scenarios, &fields, &mut findings)?;
            }
        }
        Ok(findings.sorted())
    }

    /// Checks one house rule of a folder, which must be one of the catalog; given by name or path.
    ///
    /// # Errors
    /// A house rule that does not exist; [`Error::Interrupted`]; [`Error::Bound`].
    pub fn house(&self, folder: &Folder, word: &str) -> Result<Vec<Finding>, Error> {
        let text = folder.find(FileKind::House, word)?;
        let mut findings = Findings::default();
        // Of the rules and their scenarios only mistakes that prevent the house rule from working are reported.
        let mut others = Findings::default();
        let Some(mut fields) = rules::check(self, folder, &mut others)? else {
            return Ok(others.sorted());
        };
        let scenarios = self.scenarios(folder, &mut others)?;
        clauses::check_script(folder, &text, &mut findings);
        rules::check_house(self, folder, word, &scenarios, &mut fields, &mut findings)?;
        Ok(findings.sorted())
    }

    /// Checks one scenario, given by name or path.
    ///
    /// # Errors
    /// A scenario that does not exist; [`Error::Interrupted`]; [`Error::Bound`].
    pub fn scenario(&self, word: &str) -> Result<Vec<Finding>, Error> {
        let mut findings = Findings::default();
        match self.catalog.scenario(word) {
            Ok(scenario) => {
                scenario::check(self, &scenario, &mut findings)?;
            }
            // A mistake in the file, or in what a campaign names.
            Err(error) if error.location().is_some() => findings.fault(&error, || None)?,
            Err(error) => return Err(error),
        }
        Ok(findings.sorted())
    }

    fn scenarios(&self, folder: &Folder, findings: &mut Findings) -> Result<Vec<Scenario>, Error> {
        let mut scenarios = Vec::new();
        for name in folder.names(FileKind::Scenario) {
            match folder.scenario(&name) {
                Ok(scenario) => scenarios.push(scenario),
                Err(error) => findings.fault(&error, || None)?,
            }
        }
        Ok(scenarios)
    }
}
