//! The referee of one thread: seats the agents, plays the games, calls forfeits, ends games before their own end (after
//! some questions, or where a seat has long known what to expect), and plays a game again.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::super::{Adjudicated, Adjudication, ExactOdds, Game, GameResult, Lineup, Referee};
use super::Arena;
use super::opened_scenario::OpenedScenario;
use crate::catalog::Catalog;
use crate::conflict::{Changes, Conflict, Play, RunUntil, Saved, Seat};
use crate::error::Error;
use crate::game::{Generator, History};
use crate::graph::{PlayedPart, PlayoutRunner, WorkerFactory};
use crate::script::Limits;

pub(super) struct GraphReferee<'a> {
    pub(super) arena: &'a Arena,
    /// Scenario -> what plays it; made when it is first played.
    pub(super) runners: RefCell<HashMap<usize, ScenarioRunner>>,
}

/// The result of a game that ended before its own end.
const ADJUDICATED: &str = "adjudicated";

pub(super) struct ScenarioRunner {
    runner: PlayoutRunner,
    /// Which of the scenario's own agents answers for which player.
    kept: Vec<(String, usize)>,
    /// Seat -> agent, as they sit now.
    seated: Vec<usize>,
    /// Whether what can be expected of a game is being found out, and the agents are none of it.
    expects: bool,
}

impl<'a> GraphReferee<'a> {
    /// The words after `fracas` that play a game.
    fn words(&self, opened: &OpenedScenario, game: &Game) -> Vec<String> {
        let mut words = opened.crowd.words();
        for (seat, &agent) in opened.seats.iter().zip(&game.lineup.agents) {
            let agent = self.arena.agents.get(agent).map_or("random", String::as_str);
            words.extend(["--seat".to_owned(), format!("{}={agent}", seat.name)]);
        }
        words.extend(["--seed".to_owned(), game.seed.to_string()]);
        words
    }

    fn opened(&self, lineup: &Lineup) -> Result<&'a OpenedScenario, Error> {
        let there = self.arena.scenarios.get(lineup.scenario);
        let lost = || Error::usage("a game names a scenario that the tournament does not have");
        there.ok_or_else(lost)
    }
}

impl Referee for GraphReferee<'_> {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        let opened = self.opened(&game.lineup)?;
        let mut agents = game.lineup.agents.iter().enumerate();
        let out = agents.find_map(|(seat, &agent)| {
            let why = self.arena.crews.get(agent)?.out(game.number)?;
            Some((seat, self.arena.names.get(agent)?, why))
        });
        if let Some((seat, agent, why)) = out {
            return self::out(opened, &game.lineup, (seat, agent), why);
        }
        let mut runners = self.runners.borrow_mut();
        let scenario_runner = match runners.entry(game.lineup.scenario) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(ScenarioRunner::new(opened)?),
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
                    && let Some(crew) = self.arena.crews.get(*agent)
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

    fn seat(&mut self, opened: &OpenedScenario, agents: &[usize]) {
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

    /// Plays a game to its end, or to where it is adjudicated. Its own answers are those that it has without that.
    fn play_adjudicated(
        &mut self,
        opened: &OpenedScenario,
        game: &Game,
        by: &Adjudication,
    ) -> Result<GameResult, Error> {
        let mut beginning = PlayedPart::default();
        let most = by.questions.unwrap_or(u64::MAX);
        // Where nothing is expected on the way, the game is played in one go.
        let mut until = by.beyond.map_or(most, |_| 1);
        // Seat -> after how many of its decisions in a row it has expected as much; below 0 where it was the negative.
        let mut sure = vec![0_i64; opened.seats.len()];
        let ended = |why, utility, questions| GameResult {
            result: ADJUDICATED.to_owned(),
            utility,
            questions,
            forfeit: None,
            adjudicated: Some(why),
        };
        loop {
            let generator = Generator::playout(game.seed, 0);
            if let Some(ending) = self.runner.play_until(generator, &mut beginning, until)? {
                return Ok(result(opened, ending, self.runner.questions()));
            }
            let decided = |seat: &Seat| seat.players.contains(&beginning.last);
            if let Some(beyond) = by.beyond
                && let Some(seat) = opened.seats.iter().position(decided)
            {
                let expected = self.expected(opened, game, by, &beginning.answers)?;
                let own = expected.get(seat).copied().unwrap_or_default();
                let way = if own < 0.0 { -1 } else { 1 };
                sure[seat] = match own.abs() >= beyond {
                    true if sure[seat].signum() == way => sure[seat] + way,
                    true => way,
                    false => 0,
                };
                if sure[seat].unsigned_abs() >= by.decisions {
                    return Ok(ended(Adjudicated::Expectation, expected, until));
                }
            }
            if until >= most {
                let utility = match by.draw {
                    Some(draw) => vec![draw; opened.seats.len()],
                    None => self.expected(opened, game, by, &beginning.answers)?,
                };
                return Ok(ended(Adjudicated::Questions, utility, until));
            }
            until += 1;
        }
    }

    /// The mean utility of each seat after these answers, of playouts of the game's own seed.
    fn expected(
        &mut self,
        opened: &OpenedScenario,
        game: &Game,
        by: &Adjudication,
        answers: &[u32],
    ) -> Result<Vec<f64>, Error> {
        // Who plays the game plays on as well, and forfeits for a mistake here too; another agent forfeits nothing.
        if let Some(rest) = opened.rest {
            self.expects = true;
            self.seat(opened, &vec![rest; opened.seats.len()]);
        }
        let mut sums = vec![0.0; opened.seats.len()];
        for playout in 1..=by.playouts {
            // Playout 0 is the game; no other place of it has these.
            let number = ((answers.len() as u64) << 32) + playout;
            let generator = Generator::playout(game.seed, number);
            let ending = self.runner.play_traced(generator, &mut &answers[..])?;
            let ending = opened.crowd.graph.ending_of(ending).ok_or(Error::Interrupted)?;
            sums.iter_mut().zip(opened.utility(ending)).for_each(|(sum, utility)| *sum += utility);
        }
        self.expects = false;
        self.seat(opened, &game.lineup.agents);
        Ok(sums.into_iter().map(|sum| sum / by.playouts as f64).collect())
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

fn result(opened: &OpenedScenario, ending: u32, questions: u64) -> GameResult {
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
    /// adjudicated up to where that ended it. Nothing where the game does not end with that result any more, for
    /// example because the limit of time ended it.
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
            return Ok(play.outcome().is_none().then(|| play.saved()));
        }
        let failure = play.go_furthest()?;
        let same =
            match (play.position().outcome(), failure.as_ref().map(Error::itself), &result.forfeit)
            {
                (_, Some(Error::Agent { .. }), Some(_)) => true,
                (Some(outcome), None, None) => outcome.result == result.result,
                _ => false,
            };
        Ok(same.then(|| play.saved()))
    }
}
