//! One scenario of a tournament: its rules and seats, a graph, and the answers of each lineup.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::super::{Adjudication, Conditions, ExactOdds, Spec};
use super::ScenarioEnds;
use super::exact::Seeker;
use super::{Opening, digests_of_files};
use crate::agents::{AgentSpec, Crew};
use crate::catalog::{FileKind, Folder};
use crate::conflict::{Changes, Conflict, Players, Seat, Seating};
use crate::error::{Error, Location};
use crate::game::Generator;
use crate::graph::{AnswerCache, Ending};
use crate::script::{Ear, Run};

/// Answers of this many lineups are kept for each scenario; past it all are worked out anew.
const MOST_LINEUPS: usize = 4_096;
/// Random playouts whose ends represent all, where the graph is too large to be explored whole.
const PLAYOUTS: u64 = 1_000;
/// Random playouts that measure how long a game is.
const PROBES: u64 = 16;

pub(super) struct OpenedScenario {
    /// The scenario, by name or path.
    pub(super) scenario: String,
    /// Whether its conflict was given: then no command of the shell opens it.
    pub(super) given: bool,
    pub(super) house: Vec<String>,
    pub(super) seats: Vec<Seat>,
    /// All agents of the spec; those that the scenario keeps come before them.
    pub(super) crowd: Seating,
    /// How many agents of the crowd are the scenario's own; those of the spec come after them.
    pub(super) kept: usize,
    pub(super) adjudicate: Option<Adjudication>,
    /// Who plays on where what can be expected is found out, by the number among the spec's agents; one that plays no
    /// games comes last. Nothing where those do who play the game.
    pub(super) rest: Option<usize>,
    seeker: Seeker,
    /// Seat -> agent, and the answers of that lineup.
    answers: Mutex<HashMap<Vec<usize>, Arc<AnswerCache>>>,
    ends: Mutex<Option<Arc<ScenarioEnds>>>,
    /// About how many questions a game has, once somebody asked.
    questions: OnceLock<u64>,
    seed: u64,
}

impl OpenedScenario {
    /// Opens a scenario of the spec, by its number, with a graph that may take this many bytes. What its
    /// results are of is noted in `conditions`, and what its rules warn of in `warnings`.
    pub(super) fn open(
        spec: &Spec,
        number: usize,
        memory: u64,
        opening: &Opening<'_>,
        crews: &[Arc<Crew>],
        (conditions, warnings): (&mut Conditions, &mut Vec<String>),
    ) -> Result<OpenedScenario, Error> {
        let word = spec.scenarios.get(number).map(|word| spec.beside(word)).unwrap_or_default();
        let house: Vec<String> = spec.house.iter().map(|word| spec.beside(word)).collect();
        let read = || {
            let at = || (opening.place)(&format!("scenarios.{number}"));
            let catalog = opening.catalog.around(&word);
            let scenario = catalog.scenario(&word).map_err(|error| error.placed(at))?;
            let folder = catalog.folder(scenario.first_system());
            house_is_there(folder.map_err(|error| error.placed(at))?, &house, opening)?;
            let changes = Changes { house: house.clone(), ..Changes::default() };
            Conflict::of(&catalog, scenario, &changes, opening.limits)
        };
        let mut conflict = opening.given.map_or_else(read, |make| make())?;
        let seats = Players::find(&conflict)?.seats();
        if seats.len() < 2 {
            // Rules that fail at once have no seats either, and that is what has to be mended.
            let mut generator = Generator::playout(0, 0);
            let run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
            run.finish(|question| Ok(generator.sample(question)))?;
            let message = format!(
                "scenario `{word}` has {} for an agent, and a tournament needs two",
                if seats.is_empty() { "no seat" } else { "one seat" }
            );
            return Err(Error::usage(message));
        }
        leave(&mut conflict, &seats)?;
        let searching = Seating::new(&conflict, memory)?;
        warnings.extend(conflict.warnings().iter().map(ToString::to_string));
        let agents = agents(
            (spec, crews),
            (&conflict.scenario.system, &conflict.folder),
            &searching,
            opening,
        )?;
        let scripts = &mut conditions.scripts;
        let (mut digest, mut of_agents) = digests_of_files(&conflict, &agents, spec, scripts)?;
        // Whoever plays no games decides all the same how they end.
        digest.extend(of_agents.drain(spec.agents.len()..));
        if opening.given.is_some() {
            // Its parameters and its setup are in no file.
            digest += &conflict.blueprint.identity(&conflict.setup);
        }
        conditions.scenarios.push(digest);
        conditions.agents.push(of_agents);
        conditions.seats.push(seats.iter().map(|seat| seat.name.clone()).collect());
        conditions.titles.push(conflict.scenario.title.clone().unwrap_or_default());
        for (word, found) in spec.agents.iter().zip(&agents).filter(|_| number == 0) {
            if let AgentSpec::Program(program) = found {
                let name = program.own_name(&conflict.scenario.name);
                conditions.programs.extend(name.map(|name| (word.clone(), name)));
            }
        }
        // Ctrl-C stops all that comes before the games, and lets those under way finish. But a program may think for minutes.
        let thinks = agents.iter().any(|found| matches!(found, AgentSpec::Program(_)));
        let interrupt = searching.budget().interrupt().filter(|_| thinks).cloned();
        let playing = searching.under(searching.budget().clone().interrupted_by(interrupt));
        let kept = playing.agents();
        let rest = spec.adjudicate.as_ref().and_then(|by| by.agent.as_ref());
        let rest = rest.map(|word| {
            let own = spec.agents.iter().position(|agent| agent == word);
            own.unwrap_or(spec.agents.len())
        });
        Ok(OpenedScenario {
            scenario: word,
            given: opening.given.is_some(),
            house,
            crowd: playing.with(agents.iter().map(|found| (Vec::new(), found.clone()))),
            kept,
            adjudicate: spec.adjudicate.clone(),
            rest,
            seeker: Seeker::new(searching, agents, spec.games, memory),
            seats,
            answers: Mutex::default(),
            ends: Mutex::default(),
            questions: OnceLock::new(),
            seed: spec.seed,
        })
    }

    pub(super) fn answers(&self, agents: &[usize]) -> Arc<AnswerCache> {
        let mut all = self.answers.lock();
        if let Some(known) = all.get(agents) {
            return known.clone();
        }
        if all.len() >= MOST_LINEUPS {
            all.clear();
        }
        let none = || Arc::new(AnswerCache::new(&self.crowd.graph));
        all.entry(agents.to_vec()).or_insert_with(none).clone()
    }

    pub(super) fn utility(&self, ending: &Ending) -> Vec<f64> {
        self.seats.iter().map(|seat| seat.utility(ending)).collect()
    }

    pub(super) fn exact(&self, agents: &[usize]) -> Result<Option<ExactOdds>, Error> {
        self.seeker.exact(&self.seats, agents, self.bound(agents))
    }

    pub(super) fn bound(&self, agents: &[usize]) -> u64 {
        self.seeker.bound(agents, *self.questions.get_or_init(|| self.count_questions()))
    }

    /// How many questions a game has, as the mean of a few random playouts that are always the same.
    fn count_questions(&self) -> u64 {
        let Ok(mut runner) = self.crowd.unmanned().playout_runner() else { return 1 };
        // A playout in which the rules fail says nothing of others.
        let played = (0..PROBES).filter_map(|probe| {
            runner.play(Generator::playout(0, probe)).ok().map(|_| runner.questions())
        });
        (played.sum::<u64>() / PROBES).max(1)
    }

    /// The ends that decide what a forfeit costs: all of them where the graph of the scenario is explored whole, else
    /// those of [`PLAYOUTS`] random playouts under the spec's seed. They are found once.
    pub(super) fn ends(&self) -> Result<Arc<ScenarioEnds>, Error> {
        let mut known = self.ends.lock();
        if let Some(ends) = &*known {
            return Ok(ends.clone());
        }
        let ends = match self.seeker.all_endings()? {
            Some(endings) => ScenarioEnds::of(endings.iter().map(|ending| self.utility(ending))),
            None => {
                let mut runner = self.crowd.unmanned().playout_runner()?;
                let mut met = Vec::new();
                for playout in 0..PLAYOUTS {
                    let ending = runner.play(Generator::playout(self.seed, playout))?;
                    met.extend(self.crowd.graph.ending_of(ending).map(|it| self.utility(it)));
                }
                ScenarioEnds::of(met)
            }
        };
        Ok(known.insert(Arc::new(ends)).clone())
    }
}

/// Looks for the spec's house rules in the folder of a system.
fn house_is_there(folder: &Folder, house: &[String], opening: &Opening<'_>) -> Result<(), Error> {
    for (number, name) in house.iter().enumerate() {
        let found = folder.find(FileKind::House, name);
        found.map_err(|error| error.placed(|| (opening.place)(&format!("house.{number}"))))?;
    }
    Ok(())
}

/// Takes the scenario's own agents out of all seats that agents of the spec take.
fn leave(conflict: &mut Conflict, taken: &[Seat]) -> Result<(), Error> {
    let players = Players::find(conflict)?;
    let is_taken = |player: &String| taken.iter().any(|seat| seat.players.contains(player));
    let free = |seat: &str| match players.of_seat(seat) {
        Ok(players) => !players.iter().all(is_taken),
        // It names nobody, which is reported where the seats are given out.
        Err(_) => true,
    };
    conflict.seats.retain(|seat, _| free(seat));
    Ok(())
}

/// Finds the spec's agents, and the one who plays on where that is another one, and makes each once, so that a mistake
/// shows before any game.
fn agents(
    (spec, crews): (&Spec, &[Arc<Crew>]),
    (system, folder): (&str, &Folder),
    seating: &Seating,
    opening: &Opening<'_>,
) -> Result<Vec<AgentSpec>, Error> {
    let find = |(number, word, place): (usize, &String, String)| {
        let read = match spec.programs.contains_key(word) {
            true => AgentSpec::of_person(&spec.beside(word), folder),
            false => AgentSpec::read(&spec.beside(word), folder),
        };
        let found = read.and_then(|found| {
            let found = match (found, crews.get(number)) {
                (AgentSpec::Program(program), Some(crew)) => {
                    AgentSpec::Program(Arc::new(program.under(crew)))
                }
                (found, _) => found,
            };
            seating.with([(Vec::new(), found.clone())]).begin_agents().map(|()| found)
        });
        found.map_err(|error| {
            let at = (opening.place)(&place);
            in_spec(error, at, Some(system).filter(|_| spec.scenarios.len() > 1))
        })
    };
    let own = spec.agents.iter().enumerate();
    let own = own.map(|(number, word)| (number, word, format!("agents.{number}")));
    let rest = spec.adjudicate.iter().filter_map(|by| by.agent.as_ref());
    let rest = rest.filter(|word| !spec.agents.contains(word));
    own.chain(rest.map(|word| (spec.agents.len(), word, "adjudicate.agent".to_owned())))
        .map(find)
        .collect()
}

/// The error of an agent's word, with the word's place in the spec, and with the system where there may be several.
fn in_spec(error: Error, at: Option<Location>, system: Option<&str>) -> Error {
    let error = match (error, system) {
        (Error::Unknown { what, name, nearest, .. }, Some(system)) => {
            Error::Usage { message: format!("unknown {what} `{name}` in `{system}`"), nearest }
        }
        (error, _) => error,
    };
    match (error, at) {
        (Error::Usage { message, nearest }, Some(at)) => Error::Toml { at, message, nearest },
        (error @ Error::Results { .. }, Some(at)) => {
            Error::Toml { at, message: error.to_string(), nearest: None }
        }
        (error, at) => error.placed(|| at),
    }
}
