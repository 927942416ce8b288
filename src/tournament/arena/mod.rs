//! The arena, where the games of a real tournament are played: with the rules themselves, on one
//! graph for each scenario.
//!
//! An [`Arena`] makes the referees of a real tournament. Each scenario has one graph, which all threads make larger and
//! all pairings share, and each lineup of agents has a table of their answers. A game is the playout of its number
//! under the spec's seed, so the same game ends the same way on any thread, after any other games.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::BufRead as _;

mod exact;
mod graph_referee;
mod opened_scenario;

use std::path::PathBuf;
use std::sync::Arc;

use indexmap::IndexMap;
use sha2::{Digest as _, Sha256};

use super::{
    Conditions, Forfeit, Game, GameResult, Lineup, Referee, RefereeFactory, Spec, SpecProgram,
};
use crate::agents::{AgentSpec, Crew, ThinkingPlan, beside_thoughts};
use crate::catalog::{Catalog, FileText, Folder};
use crate::conflict::Conflict;
use crate::error::{Error, Location};
use crate::report::shell_line;
use crate::script::{Import, Limits, digest, uncommented};
use graph_referee::GraphReferee;
use opened_scenario::OpenedScenario;

/// The version of fracas, and a digest of the sources that decide what agents answer and how games end:
/// `build.rs` makes it, so that two builds with other answers never pass for one.
const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("FRACAS_SOURCES"));

/// The scenarios of a spec, opened, with the agents who play them.
pub struct Arena {
    scenarios: Vec<OpenedScenario>,
    agents: Vec<String>,
    names: Vec<String>,
    rules: Vec<PathBuf>,
    conditions: Conditions,
    warnings: Vec<String>,
    /// Agent -> its processes and what it did wrong so far, where it is a program.
    crews: Vec<Arc<Crew>>,
}

impl Drop for Arena {
    fn drop(&mut self) {
        // One after another they would have to be waited for each.
        Crew::dismiss(self.crews.iter().map(|crew| &**crew));
    }
}

/// What an arena is opened under.
pub struct Opening<'a> {
    /// Where systems are found.
    pub catalog: &'a Catalog,
    /// The limits of scripts. The work before the games is interrupted, and games where a program thinks.
    pub limits: &'a Limits,
    /// The bytes that all graphs may take together, with what agents think beside them.
    pub memory: u64,
    /// The rules folders that go before others: commands that play a game again name them.
    pub rules: &'a [PathBuf],
    /// The location in its file of a place of the spec, such as `agents.2`.
    pub place: &'a dyn Fn(&str) -> Option<Location>,
    /// Makes the conflict of all scenarios of the spec, under limits of its own, in place of their files: such as the one
    /// that is open at the prompt, with its rules bent.
    pub given: Option<&'a dyn Fn() -> Result<Conflict, Error>>,
}

impl<'a> Opening<'a> {
    /// The scenarios of the catalog, under these limits, with all the memory that they allow.
    pub fn new(catalog: &'a Catalog, limits: &'a Limits) -> Opening<'a> {
        let memory = limits.budget.bound();
        Opening { catalog, limits, memory, rules: &[], place: &|_| None, given: None }
    }
}

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
        let mut conditions = Conditions { version: BUILD.to_owned(), ..Conditions::default() };
        let mut warnings = Vec::new();
        let mut scenarios = Vec::with_capacity(spec.scenarios.len());
        let crews: Vec<Arc<Crew>> = spec.agents.iter().map(|_| Arc::default()).collect();
        for number in 0..spec.scenarios.len() {
            let noted = (&mut conditions, &mut warnings);
            scenarios.push(OpenedScenario::open(spec, number, share, opening, &crews, noted)?);
        }
        let agents = spec.agents.iter().map(|word| spec.beside(word)).collect();
        let rules = opening.rules.to_vec();
        let names = spec.agents.clone();
        Ok(Arena { scenarios, agents, names, rules, conditions, warnings, crews })
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
        Ok(Box::new(GraphReferee { arena: self, runners: RefCell::default() }))
    }

    fn bound(&self, lineup: &Lineup) -> u64 {
        self.scenarios.get(lineup.scenario).map_or(0, |opened| opened.bound(&lineup.agents))
    }

    fn forfeited(&self, game: &Game, forfeit: &Forfeit) {
        let agent = game.lineup.agents.get(forfeit.seat);
        if let Some(crew) = agent.and_then(|&agent| self.crews.get(agent)) {
            crew.note(game.number, forfeit.fault);
        }
    }

    fn out(&self, lineup: &Lineup, seat: usize, why: &str) -> Result<Option<GameResult>, Error> {
        let agent = lineup.agents.get(seat).and_then(|&agent| self.names.get(agent));
        let Some((opened, agent)) = self.scenarios.get(lineup.scenario).zip(agent) else {
            return Ok(None);
        };
        graph_referee::out(opened, lineup, (seat, agent), why).map(Some)
    }

    fn command(&self, lineup: &Lineup) -> Option<String> {
        let opened = self.scenarios.get(lineup.scenario).filter(|opened| !opened.given)?;
        let mut words = vec!["play".to_owned(), opened.scenario.clone()];
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        opened.house.iter().for_each(|house| option("--house", house.clone()));
        for (seat, &agent) in opened.seats.iter().zip(&lineup.agents) {
            option("--seat", format!("{}={}", seat.name, self.agents.get(agent)?));
        }
        Some(shell_line(&words, &self.rules))
    }
}

/// Notes the rules, parameters, house rules and setup of a conflict, and the scripts and solutions of
/// its agents. Returns the digest of all but the agents, and that of each agent.
fn digests_of_files(
    conflict: &Conflict,
    agents: &[AgentSpec],
    spec: &Spec,
    files: &mut IndexMap<String, String>,
) -> Result<(String, Vec<String>), Error> {
    let Conflict { folder, blueprint, scenario, .. } = conflict;
    let mut note = |path: &str, digest: String| {
        let name = name(path, folder, spec);
        // Two files of the same name are listed by their paths.
        match files.get(&name) {
            Some(there) if *there != digest => _ = files.insert(path.to_owned(), digest.clone()),
            _ => _ = files.insert(name.clone(), digest.clone()),
        }
        format!("{name} {digest}\n")
    };
    let layers = std::iter::once(blueprint.base()).chain(blueprint.house());
    let mut of_scenario = String::new();
    for (path, text) in layers.flat_map(|layer| &layer.files) {
        of_scenario += &note(path, digest(&uncommented(text)));
    }
    let imports = blueprint.base().imports.iter().flat_map(Import::parts);
    imports.for_each(|(path, text)| of_scenario += &note(&path, digest(&uncommented(&text))));
    if let Some(FileText { path, text }) = folder.params()? {
        of_scenario += &note(&path, digest(&text));
    }
    if let Some(document) = &scenario.document {
        of_scenario += &note(&document.path, digest(&document.text));
    }
    let of_agent = |found: &AgentSpec| match found {
        AgentSpec::Script(layer, _) => {
            let digested = |(path, text): &(String, String)| note(path, digest(&uncommented(text)));
            let files = layer.files.iter().map(digested);
            digest(&files.collect::<String>())
        }
        AgentSpec::Thinker(ThinkingPlan::Solved(saved)) => {
            digest(&note(&saved.path, saved.digest.clone()))
        }
        AgentSpec::Program(program) => {
            let named =
                spec.programs.get(&program.name).map(|SpecProgram { command, ms }| (command, ms));
            let digested = |path: &String| Some(note(path, digest_of_file(path)?));
            let files: String = program.files().filter_map(digested).collect();
            let name = program.own_name(&scenario.name);
            let name = name.map(|name| format!("{name:?}\n")).unwrap_or_default();
            digest(&format!("{named:?}\n{name}{files}"))
        }
        // What they are is a matter of the build of fracas.
        _ => String::new(),
    };
    let of_agents = agents.iter().map(of_agent).collect();
    Ok((digest(&of_scenario), of_agents))
}

/// The digest of a file of any kind; nothing where it cannot be read.
fn digest_of_file(path: &str) -> Option<String> {
    let mut file = std::io::BufReader::new(std::fs::File::open(path).ok()?);
    let mut sum = Sha256::new();
    loop {
        let part = file.fill_buf().ok()?;
        if part.is_empty() {
            break;
        }
        sum.update(part);
        let length = part.len();
        file.consume(length);
    }
    Some(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
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

// The utilities after a forfeit: those of the worst end of the scenario for the agent that erred,
// however the game went before.

/// The ends of a scenario, as far as they are known: seat -> utility.
///
/// Where the graph of the scenario is whole they are all there are; else those of a fixed number of
/// random playouts. So what a forfeit costs does not depend on the games before it.
#[derive(Clone, Debug, Default, PartialEq)]
struct ScenarioEnds(Vec<Vec<f64>>);

impl ScenarioEnds {
    /// The different ends among these.
    fn of(utilities: impl IntoIterator<Item = Vec<f64>>) -> ScenarioEnds {
        let bits = |end: Vec<f64>| -> Vec<u64> {
            // One 0 for both of them.
            end.into_iter().map(|number| (number + 0.0).to_bits()).collect()
        };
        let ends: BTreeSet<Vec<u64>> = utilities.into_iter().map(bits).collect();
        ScenarioEnds(
            ends.into_iter().map(|end| end.into_iter().map(f64::from_bits).collect()).collect(),
        )
    }

    /// What each seat has where the agents in the seats of `lost` forfeit, of which the one in `erred` erred.
    ///
    /// Each seat of `lost` has the least that it has at any end. Each other one has the mean of what
    /// it has at the ends that are worst for the one that erred; where that is no more than what
    /// that one has, the most that it has at any end.
    fn forfeited(&self, erred: usize, lost: &[usize], seats: usize) -> Vec<f64> {
        let at = |end: &Vec<f64>, seat: usize| end.get(seat).copied().unwrap_or_default();
        let all = |seat: usize| self.0.iter().map(move |end| at(end, seat));
        let least = |seat: usize| all(seat).reduce(f64::min).unwrap_or_default();
        let most = |seat: usize| all(seat).reduce(f64::max).unwrap_or_default();
        let worst = least(erred);
        let ends: Vec<&Vec<f64>> = self.0.iter().filter(|end| at(end, erred) == worst).collect();
        let of = |seat: usize| {
            if lost.contains(&seat) {
                return least(seat);
            }
            let sum: f64 = ends.iter().map(|end| at(end, seat)).sum();
            let mean = sum / ends.len().max(1) as f64;
            if mean > worst { mean } else { most(seat) }
        };
        (0..seats).map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(ends: &[[f64; 3]]) -> ScenarioEnds {
        ScenarioEnds::of(ends.iter().map(|end| end.to_vec()))
    }

    #[test]
    fn who_forfeits_has_the_worst_and_the_others_what_is_left() {
        let known = ends(&[
            [3.0, -1.0, -2.0],
            [-4.0, 3.0, 1.0],
            [-4.0, 1.0, 3.0],
            [-4.0, 1.0, 3.0],
            [0.0, 0.0, 0.0],
        ]);
        // The two different ends that are worst for the first leave the others (3 + 1) / 2 each.
        assert_eq!(known.forfeited(0, &[0], 3), [-4.0, 2.0, 2.0]);
        // The one end that is worst for the last leaves the first 3, and the second -1.
        assert_eq!(known.forfeited(2, &[2], 3), [3.0, -1.0, -2.0]);
        // Whoever holds two seats loses both.
        assert_eq!(known.forfeited(2, &[1, 2], 3), [3.0, -1.0, -2.0]);
    }

    #[test]
    fn nobody_gains_by_a_forfeit() {
        // The end that is worst for the first is worse for the second: it has its best instead.
        let known = ends(&[[-1.0, -5.0, 0.0], [2.0, 1.0, 0.0]]);
        assert_eq!(known.forfeited(0, &[0], 3), [-1.0, 1.0, 0.0]);
        assert_eq!(ScenarioEnds::default().forfeited(0, &[0], 2), [0.0, 0.0]);
    }

    #[test]
    fn the_order_in_which_ends_were_met_changes_nothing() {
        let one = [[0.1, 0.2, 0.3], [0.3, -0.0, 0.7], [0.1, 0.6, 0.9]];
        let other = [one[2], [0.3, 0.0, 0.7], one[0], one[0]];
        assert_eq!(ends(&one), ends(&other));
    }
}
