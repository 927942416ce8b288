//! The arena, where the games of a real tournament are played: with the rules themselves, on one
//! graph for each scenario.
//!
//! An [`Arena`] is the panel of a real tournament. Each scenario has one graph, which all threads
//! make larger and all pairings share, and each lineup of agents has a table of their answers. A
//! game is the playout of its number under the spec's seed, so the same game ends the same way on
//! any thread, after any other games.

mod exact;
mod forfeit;
mod table;
mod umpire;

use std::path::PathBuf;

use indexmap::IndexMap;

use super::{Conditions, Lineup, Referee, RefereeFactory, Spec};
use crate::agents::{AgentSpec, ThinkingPlan, beside_thoughts};
use crate::catalog::{Catalog, Folder, Text};
use crate::conflict::Conflict;
use crate::error::{Error, Location};
use crate::render::shell_word;
use crate::script::{Import, Limits, digest};
use table::ScenarioTable;
use umpire::GraphReferee;

/// The scenarios of a spec, opened, with the agents who play them.
pub struct Arena {
    tables: Vec<ScenarioTable>,
    agents: Vec<String>,
    rules: Vec<PathBuf>,
    conditions: Conditions,
    warnings: Vec<String>,
}

/// What an arena is opened under.
pub struct Opening<'a> {
    /// Where systems are found.
    pub catalog: &'a Catalog,
    /// The limits of scripts. Games under way are not interrupted, but the work before them is.
    pub limits: &'a Limits,
    /// The bytes that all graphs may take together, with what agents think beside them.
    pub memory: u64,
    /// The rules folders that go before others: commands that play a game again name them.
    pub rules: &'a [PathBuf],
    /// The location in its file of a place of the spec, such as `agents.2`.
    pub place: &'a dyn Fn(&str) -> Option<Location>,
    /// Makes the conflict of all scenarios of the spec under some limits, in place of their files: such as
    /// the one that is open at the prompt, with its rules bent.
    pub given: Option<&'a MakeConflict<'a>>,
}

impl<'a> Opening<'a> {
    /// The scenarios of the catalog, under these limits, with all the memory that they allow.
    pub fn new(catalog: &'a Catalog, limits: &'a Limits) -> Opening<'a> {
        let memory = limits.budget.bound();
        Opening { catalog, limits, memory, rules: &[], place: &|_| None, given: None }
    }
}

/// Makes a conflict whose scripts are under these limits.
pub(crate) type MakeConflict<'a> = dyn Fn(&Limits) -> Result<Conflict, Error> + 'a;

impl Arena {
    /// Opens all scenarios of a spec, and finds its agents in the folder of each.
    ///
    /// The seats that agents take are the sides, where the rules define `sides`, else the players;
    /// in the order in which the setup names them. A side's utility is the mean of its players'.
    /// Players of no side keep the scenario's agent, or `random`.
    ///
    /// # Errors
    /// Those of a scenario, a house rule or an agent, with the place in the spec or in its file;
    /// [`Error::Usage`] for a scenario with fewer than two seats.
    pub fn open(spec: &Spec, opening: &Opening<'_>) -> Result<Arena, Error> {
        let share = beside_thoughts(opening.memory) / spec.scenarios.len().max(1) as u64;
        let mut scripts = IndexMap::new();
        let mut warnings = Vec::new();
        let mut tables = Vec::with_capacity(spec.scenarios.len());
        for number in 0..spec.scenarios.len() {
            tables.push(ScenarioTable::open(
                spec,
                number,
                share,
                opening,
                &mut scripts,
                &mut warnings,
            )?);
        }
        let digests = |table: &ScenarioTable| table.digests().clone();
        let (scenarios, digests) = tables.iter().map(digests).unzip();
        let conditions = Conditions {
            scenarios,
            agents: digests,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scripts,
            seats: tables.iter().map(ScenarioTable::seat_names).collect(),
        };
        let agents = spec.agents.iter().map(|word| spec.beside(word)).collect();
        let rules = opening.rules.to_vec();
        Ok(Arena { tables, agents, rules, conditions, warnings })
    }

    /// What its results are of, beside the spec.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// What the rules warn of, one sentence each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl RefereeFactory for Arena {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(GraphReferee::new(&self.tables, &self.agents)))
    }

    fn bound(&self, lineup: &Lineup) -> u64 {
        self.tables.get(lineup.scenario).map_or(0, |table| table.bound(&lineup.agents))
    }

    fn command(&self, lineup: &Lineup) -> Option<String> {
        let table = self.tables.get(lineup.scenario).filter(|table| !table.is_given())?;
        let mut words = ["fracas", "play", table.scenario()].map(shell_word).to_vec();
        let mut option = |name: &str, value: &str| {
            words.extend([name.to_owned(), shell_word(value)]);
        };
        table.house().iter().for_each(|house| option("--house", house));
        for (seat, &agent) in table.seats().iter().zip(&lineup.agents) {
            option("--seat", &format!("{}={}", seat.name, self.agents.get(agent)?));
        }
        self.rules.iter().for_each(|folder| option("--rules", &folder.display().to_string()));
        Some(words.join(" "))
    }
}

/// Notes the rules, parameters, house rules and setup of a conflict, and the scripts and solutions of
/// its agents. Returns the digest of all but the agents, and that of each agent.
///
/// # Errors
/// [`Error::File`] where the folder cannot be read any more.
fn digests_of_files(
    conflict: &Conflict,
    agents: &[AgentSpec],
    spec: &Spec,
    files: &mut IndexMap<String, String>,
) -> Result<(String, Vec<String>), Error> {
    let Conflict { folder, blueprint, scenario, .. } = conflict;
    let mut note = |path: &str, digest: String| {
        let name = name(path, folder, spec);
        // Two files of one name stand under their paths.
        match files.get(&name) {
            Some(there) if *there != digest => _ = files.insert(path.to_owned(), digest.clone()),
            _ => _ = files.insert(name.clone(), digest.clone()),
        }
        format!("{name} {digest}\n")
    };
    let layers = std::iter::once(&blueprint.base).chain(&blueprint.house);
    let mut of_scenario = String::new();
    for (path, text) in layers.flat_map(|layer| &layer.files) {
        of_scenario += &note(path, digest(text));
    }
    let imports = blueprint.base.imports.iter().flat_map(Import::parts);
    imports.for_each(|(path, text)| of_scenario += &note(&path, digest(&text)));
    if let Some(Text { path, text }) = folder.params()? {
        of_scenario += &note(&path, digest(&text));
    }
    if let Some(document) = &scenario.document {
        of_scenario += &note(&document.path, digest(&document.text));
    }
    let of_agent = |found: &AgentSpec| match found {
        AgentSpec::Script(layer, _) => {
            let files = layer.files.iter().map(|(path, text)| note(path, digest(text)));
            digest(&files.collect::<String>())
        }
        AgentSpec::Thinker(ThinkingPlan::Solved(saved)) => {
            digest(&note(saved.path(), saved.digest().to_owned()))
        }
        // What they are is a matter of the version of fracas.
        _ => String::new(),
    };
    let of_agents = agents.iter().map(of_agent).collect();
    Ok((digest(&of_scenario), of_agents))
}

/// What a file is called: below its system, or below the folder of the spec; else its path.
fn name(path: &str, folder: &Folder, spec: &Spec) -> String {
    let below = |root: &str| {
        let rest = path.strip_prefix(root)?.trim_start_matches(['/', '\\']);
        Some(rest.replace('\\', "/"))
    };
    if let Some(rest) = below(&folder.path()) {
        return format!("{}/{rest}", folder.name());
    }
    let of_spec = spec.folder.as_ref().map(|root| root.display().to_string());
    let of_spec = of_spec.filter(|root| !root.is_empty());
    of_spec.and_then(|root| below(&root)).unwrap_or_else(|| path.to_owned())
}
