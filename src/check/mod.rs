//! Checks a rules folder: compiles all of it, plays it at random, tests its laws in every state where those can all be
//! seen, and returns every finding with its place.

mod conformance;
mod contents;
mod finding;
mod mutation;
mod playouts;
mod proof;
mod replayed_steps;
mod rules;
mod scenario;

pub use conformance::Conformance;
pub use finding::{CheckReport, Finding, Level, Proof, Reached};
pub use mutation::{Change, ClauseScore, Mutant, Mutating, Mutation, Survivor};

use std::path::PathBuf;
use std::time::Duration;

use crate::catalog::{Catalog, FileKind, Folder, Scenario};
use crate::conflict::Changes;
use crate::error::Error;
use crate::graph::shared_out;
use crate::script::{Fields, Limits};
use finding::Findings;

pub struct Check<'a> {
    pub catalog: &'a Catalog,
    pub limits: &'a Limits,
    /// The seed of the first playout; each later one takes the next number.
    pub seed: u64,
    /// Of each scenario.
    pub playouts: u64,
    /// How many nodes of a scenario are explored at most, so that its laws are tested in every state.
    pub nodes: u64,
    /// How long that may take; without a limit, as long as it takes.
    pub time: Option<Duration>,
    /// The rules folders that the commands name which play a finding again.
    pub rules: &'a [PathBuf],
    /// How many threads check; one at least. What they find is the same for any number.
    pub threads: usize,
    pub progress: &'a (dyn Fn(String) + Sync),
}

/// House rules and agents are played less often than scenarios: there are more pairs of them.
const HOUSE_PLAYOUTS: u64 = 10;
const AGENT_PLAYOUTS: u64 = 20;

impl Check<'_> {
    pub fn folder(&self, folder: &Folder) -> Result<CheckReport, Error> {
        let mut findings = Findings::default();
        contents::check(self, folder, &mut findings)?;
        contents::check_clauses(folder, &mut findings);
        if let Some(mut fields) = rules::check(self, folder, &mut findings)? {
            let mut scenarios = read(folder, FileKind::Scenario, &mut findings)?;
            let sound = self.played(&scenarios, &mut findings)?;
            rules::report_sight(self, folder, &mut findings);
            let campaigns = read(folder, FileKind::Campaign, &mut findings)?;
            self.played(&campaigns, &mut findings)?;
            let all = [FileKind::Scenario, FileKind::Campaign].map(|kind| folder.names(kind).len());
            proof::report_reachable((all.iter().sum(), true), &mut findings);
            // What goes wrong in a scenario by itself would go wrong again with every house rule.
            keep(&mut scenarios, sound);
            let houses = folder.names(FileKind::House);
            let declared = self.pieces(&houses, &mut findings, |name, findings| {
                rules::check_house(self, folder, name, &scenarios, findings)
            })?;
            declared.iter().flatten().for_each(|declared: &Fields| fields.join(declared));
            let mut agents = folder.names(FileKind::Agent);
            let sound = self.pieces(&agents, &mut findings, |name, findings| {
                rules::check_agent(self, folder, name, &fields, findings)
            })?;
            keep(&mut agents, sound);
            // One that thinks takes longer than all others together.
            let seated: Vec<(&String, &Scenario)> = agents
                .iter()
                .flat_map(|name| scenarios.iter().map(move |scenario| (name, scenario)))
                .collect();
            self.pieces(&seated, &mut findings, |(name, scenario), findings| {
                rules::play_agent(self, scenario, name, findings)
            })?;
        }
        Ok(findings.sorted())
    }

    fn played(&self, all: &[Scenario], findings: &mut Findings) -> Result<Vec<bool>, Error> {
        self.pieces(all, findings, |one, findings| {
            let looks = scenario::is_looked_into(one, all);
            scenario::check(self, (one, &Changes::default()), looks, findings)
        })
    }

    /// Checks each of these, on all threads; what is found is in their order.
    fn pieces<P: Sync, T: Send>(
        &self,
        pieces: &[P],
        findings: &mut Findings,
        check: impl Fn(&P, &mut Findings) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let worker = || {
            Ok(|piece: usize| {
                let mut found = Findings::default();
                let checked = check(&pieces[piece], &mut found)?;
                Ok((checked, found))
            })
        };
        let worked = shared_out(self.threads, pieces.len(), worker)?;
        if let Some(cut) = worked.cut {
            return Err(cut);
        }
        let (checked, found): (Vec<T>, Vec<Findings>) = worked.done.into_iter().unzip();
        found.into_iter().for_each(|found| findings.join(found));
        Ok(checked)
    }

    /// Checks one house rule of a folder, which must be one of the catalog; given by name or path.
    pub fn house(&self, folder: &Folder, word: &str) -> Result<CheckReport, Error> {
        let text = folder.find(FileKind::House, word)?;
        let mut findings = Findings::default();
        // Of the rules and their scenarios only mistakes that prevent the house rule from working are reported.
        let mut others = Findings::default();
        if rules::check(self, folder, &mut others)?.is_none() {
            return Ok(others.sorted());
        }
        let scenarios = read(folder, FileKind::Scenario, &mut others)?;
        contents::check_script(folder, &text, &mut findings);
        rules::check_house(self, folder, word, &scenarios, &mut findings)?;
        Ok(findings.sorted())
    }

    /// Checks one scenario, given by name or path.
    pub fn scenario(&self, word: &str) -> Result<CheckReport, Error> {
        match self.catalog.scenario(word) {
            Ok(scenario) => self.conflict(&scenario, &Changes::default()),
            // A mistake in the file, or in what a campaign names.
            Err(error) if error.location().is_some() => {
                let mut findings = Findings::default();
                findings.fault(&error, || None)?;
                Ok(findings.sorted())
            }
            Err(error) => Err(error),
        }
    }

    /// Checks a scenario under changes.
    pub fn conflict(&self, scenario: &Scenario, changes: &Changes) -> Result<CheckReport, Error> {
        let mut findings = Findings::default();
        scenario::check(self, (scenario, changes), true, &mut findings)?;
        let folder = self.catalog.folder(scenario.first_system())?;
        let names = folder.names(FileKind::Scenario);
        let alone = matches!(&names[..], [one] if scenario.name.ends_with(&format!("/{one}")));
        proof::report_reachable((1, alone), &mut findings);
        Ok(findings.sorted())
    }
}

/// The scenarios or campaigns of a folder; one that does not read is a finding.
fn read(folder: &Folder, kind: FileKind, findings: &mut Findings) -> Result<Vec<Scenario>, Error> {
    let mut all = Vec::new();
    for name in folder.names(kind) {
        let one = match kind {
            FileKind::Campaign => folder.campaign(&name),
            _ => folder.scenario(&name),
        };
        match one {
            Ok(one) => all.push(one),
            Err(error) => findings.fault(&error, || None)?,
        }
    }
    Ok(all)
}

/// Keeps what is sound, of which it is known in the same order.
fn keep<T>(all: &mut Vec<T>, sound: Vec<bool>) {
    let mut sound = sound.into_iter();
    all.retain(|_| sound.next() == Some(true));
}
