//! The arena, where the games of a real tournament are played: with the rules themselves, on one
//! graph for each scenario.
//!
//! An [`Arena`] is the panel of a real tournament. Each scenario has one graph, which all threads
//! make larger and all pairings share, and each lineup of agents has a table of their answers. A
//! game is the playout of its number under the spec's seed, so the same game ends the same way on
//! any thread, after any other games.

mod exact;
mod files;
mod forfeit;
mod history;
mod table;
mod umpire;

use std::path::PathBuf;

use indexmap::IndexMap;

use super::{Conditions, Lineup, Referee, RefereeFactory, Spec};
use crate::agents::beside_thoughts;
use crate::catalog::Catalog;
use crate::conflict::Conflict;
use crate::error::{Error, Location};
use crate::render::shell_word;
use crate::script::Limits;
use table::Table;
use umpire::GraphReferee;

/// The scenarios of a spec, opened, with the agents who play them.
pub struct Arena {
    tables: Vec<Table>,
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
            tables.push(Table::open(spec, number, share, opening, &mut scripts, &mut warnings)?);
        }
        let digests = |table: &Table| table.digests().clone();
        let (scenarios, digests) = tables.iter().map(digests).unzip();
        let conditions = Conditions {
            scenarios,
            agents: digests,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scripts,
            seats: tables.iter().map(Table::seat_names).collect(),
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
