//! The referee of one thread: seats the agents, plays the games, calls forfeits, and plays a game again.

use std::cell::RefCell;
use std::sync::Arc;

use super::super::{ExactOdds, Game, GameResult, Lineup, Referee};
use super::Arena;
use super::opened_scenario::OpenedScenario;
use crate::agents::Crew;
use crate::catalog::Catalog;
use crate::conflict::{Changes, Conflict, Play, Position, RunUntil, Saved};
use crate::error::Error;
use crate::game::{Generator, History};
use crate::graph::{PlayoutRunner, WorkerFactory};
use crate::script::Limits;

pub(super) struct GraphReferee<'a> {
    scenarios: &'a [OpenedScenario],
    /// The words of the spec for the agents.
    agents: &'a [String],
    /// Their names there.
    names: &'a [String],
    /// The processes of those that are programs, and what these did wrong.
    crews: &'a [Arc<Crew>],
    /// Scenario -> what plays it; made when it is first played.
    runners: RefCell<Vec<Option<ScenarioRunner>>>,
}

pub(super) struct ScenarioRunner {
    pub(super) runner: PlayoutRunner,
    /// Which of the scenario's own agents answers for which player.
    kept: Vec<(String, usize)>,
    /// Seat -> agent, as they sit now.
    seated: Vec<usize>,
    /// Whether what can be expected of a game is being found out, and the agents are none of it.
    pub(super) expects: bool,
}

impl<'a> GraphReferee<'a> {
    /// A referee for games of these agents in these scenarios.
    pub(super) fn new(
        scenarios: &'a [OpenedScenario],
        (agents, names): (&'a [String], &'a [String]),
        crews: &'a [Arc<Crew>],
    ) -> GraphReferee<'a> {
        let runners = RefCell::new(scenarios.iter().map(|_| None).collect());
        GraphReferee { scenarios, agents, names, crews, runners }
    }

    /// The words after `fracas` that play a game.
    fn words(&self, opened: &OpenedScenario, game: &Game) -> Vec<String> {
        let mut words = opened.crowd.words();
        for (seat, &agent) in opened.seats.iter().zip(&game.lineup.agents) {
            let agent = self.agents.get(agent).map_or("random", String::as_str);
            words.extend(["--seat".to_owned(), format!("{}={agent}", seat.name)]);
        }
        words.extend(["--seed".to_owned(), game.seed.to_string()]);
        words
    }

    fn opened(&self, lineup: &Lineup) -> Result<&'a OpenedScenario, Error> {
        let there = self.scenarios.get(lineup.scenario);
        there.ok_or_else(|| {
            Error::usage("a game names a scenario that the tournament does not have")
        })
    }
}

impl Referee for GraphReferee<'_> {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        let opened = self.opened(&game.lineup)?;
        let mut agents = game.lineup.agents.iter().enumerate();
        let out = agents.find_map(|(seat, &agent)| {
            let why = self.crews.get(agent)?.out(game.number)?;
            Some((seat, self.names.get(agent)?, why))
        });
        if let Some((seat, agent, why)) = out {
            return self::out(opened, &game.lineup, (seat, agent), why);
        }
        let mut runners = self.runners.borrow_mut();
        let Some(scenario_runner) = runners.get_mut(game.lineup.scenario) else {
            return Err(Error::usage("a game names a scenario that the tournament does not have"));
        };
        let scenario_runner = match scenario_runner {
            Some(scenario_runner) => scenario_runner,
            None => scenario_runner.insert(ScenarioRunner::new(opened)?),
        };
        scenario_runner.seat(opened, &game.lineup.agents);
        let played = match &opened.adjudicate {
            None => scenario_runner
                .runner
                .play(Generator::playout(game.seed, 0))
                .map(|ending| result(opened, ending, scenario_runner.runner.questions())),
            Some(by) => scenario_runner.play_adjudicated(opened, game, by),
        };
        match played {
            Ok(result) => Ok(result),
            Err(error) if std::mem::take(&mut scenario_runner.expects) => Err(error),
            Err(error) if error.forfeits() => {
                let Some(seat) = scenario_runner.who_erred(opened) else { return Err(error) };
                if let (Some(agent), Error::Agent { fault, .. }) =
                    (game.lineup.agents.get(seat), error.itself())
                    && let Some(crew) = self.crews.get(*agent)
                {
                    crew.note(game.number, *fault);
                }
                let cost = cost(opened, &game.lineup, seat)?;
                Ok(GameResult::forfeited(seat, error.itself(), cost))
            }
            Err(error) => Err(error.reached(|| {
                let generator = Generator::playout(game.seed, 0);
                let history = scenario_runner.runner.history_of_failed(generator)?;
                Some((history, self.words(opened, game)))
            })),
        }
    }

    fn exact(&self, lineup: &Lineup) -> Result<Option<ExactOdds>, Error> {
        self.opened(lineup)?.exact(&lineup.agents)
    }
}

impl ScenarioRunner {
    fn new(opened: &OpenedScenario) -> Result<ScenarioRunner, Error> {
        let (explorer, seats) = opened.crowd.make_worker()?;
        let kept = seats.routes().to_vec();
        let answers = opened.crowd.answers().clone();
        Ok(ScenarioRunner {
            runner: PlayoutRunner::new(explorer, seats, answers),
            kept,
            seated: Vec::new(),
            expects: false,
        })
    }

    pub(super) fn seat(&mut self, opened: &OpenedScenario, agents: &[usize]) {
        if self.seated == agents {
            return;
        }
        let mut routes = self.kept.clone();
        for (seat, &agent) in opened.seats.iter().zip(agents) {
            for player in &seat.players {
                routes.retain(|(seated, _)| seated != player);
                routes.push((player.clone(), opened.kept + agent));
            }
        }
        self.runner.reseat(&routes, opened.answers(agents));
        self.seated = agents.to_vec();
    }

    /// The seat whose agent erred; nothing where it is an agent of the scenario's own.
    fn who_erred(&self, opened: &OpenedScenario) -> Option<usize> {
        let (player, agent) = self.runner.asked()?;
        if agent < opened.kept {
            return None;
        }
        opened.seats.iter().position(|seat| seat.players.contains(&player))
    }
}

pub(super) fn result(opened: &OpenedScenario, ending: u32, questions: u64) -> GameResult {
    match opened.crowd.graph.ending_of(ending) {
        Some(ending) => GameResult {
            result: ending.result.clone(),
            utility: opened.utility(ending),
            questions,
            ..GameResult::default()
        },
        None => GameResult::default(),
    }
}

pub(super) fn out(
    opened: &OpenedScenario,
    lineup: &Lineup,
    (seat, agent): (usize, &str),
    why: &str,
) -> Result<GameResult, Error> {
    Ok(GameResult::out_of(agent, seat, why, cost(opened, lineup, seat)?))
}

/// What each seat has where the agent in this one errs: it loses the game in all its seats.
fn cost(opened: &OpenedScenario, lineup: &Lineup, seat: usize) -> Result<Vec<f64>, Error> {
    Ok(opened.ends()?.forfeited(seat, &lineup.held_beside(seat), lineup.agents.len()))
}

impl Arena {
    /// The history of a game; of a forfeited one, up to the question at which the agent erred, and of one that was
    /// adjudicated up to where that ended it.
    /// Nothing where the game does not end with that result any more, for example because the limit
    /// of time ended it.
    pub fn history(
        &self,
        game: &Game,
        result: &GameResult,
        catalog: &Catalog,
        limits: &Limits,
    ) -> Result<Option<Saved>, Error> {
        let Some(opened) = self.scenarios.get(game.lineup.scenario) else { return Ok(None) };
        let seats = opened.seats.iter().zip(&game.lineup.agents);
        let seats = seats.filter_map(|(seat, &agent)| {
            self.agents.get(agent).map(|word| (seat.name.clone(), word.clone()))
        });
        let changes =
            Changes { house: opened.house.clone(), seats: seats.collect(), ..Changes::default() };
        let conflict = Conflict::open(catalog, &opened.scenario, &changes, limits)?;
        let begun = match result.adjudicated {
            Some(_) => {
                let mut runner = ScenarioRunner::new(opened)?;
                runner.seat(opened, &game.lineup.agents);
                let generator = Generator::playout(game.seed, 0);
                runner.runner.history_until(generator, result.questions)?.unwrap_or_default()
            }
            None => History::default(),
        };
        let mut play = Play::resume(conflict, game.seed, limits, begun, RunUntil::NextQuestion)?;
        if result.adjudicated.is_some() {
            let asked = matches!(play.position(), Position::Asked(_));
            return Ok(asked.then(|| play.saved()));
        }
        let failure = play.go_furthest()?;
        let same = match (play.position(), failure.as_ref().map(Error::itself), &result.forfeit) {
            (_, Some(Error::Agent { .. }), Some(_)) => true,
            (Position::Over { outcome, .. }, None, None) => outcome.result == result.result,
            _ => false,
        };
        Ok(same.then(|| play.saved()))
    }
}
