//! The umpire of one thread: seats the agents, plays the games, calls forfeits, and plays a game again.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::{ExactOdds, Forfeit, Game, GameResult, Lineup, Referee};
use super::Arena;
use super::scenario_table::ScenarioTable;
use crate::catalog::Catalog;
use crate::conflict::{Changes, Conflict, Play, Position, RunUntil, Saved};
use crate::error::Error;
use crate::game::History;
use crate::graph::{PlayoutRunner, Traced, WorkerFactory};
use crate::handlers::Generator;
use crate::script::Limits;

/// The word for a game that an agent lost by an error.
const FORFEIT: &str = "forfeit";

/// Plays the games of one thread.
pub(super) struct GraphReferee<'a> {
    tables: &'a [ScenarioTable],
    /// The words of the spec for the agents.
    agents: &'a [String],
    /// Scenario -> what plays it; made when it is first played.
    boards: RefCell<Vec<Option<ScenarioRunner>>>,
}

/// What plays a scenario on one thread.
struct ScenarioRunner {
    runner: PlayoutRunner,
    /// Which of the scenario's own agents answers for which player.
    kept: Vec<(String, usize)>,
    /// Seat -> agent, as they sit now.
    seated: Vec<usize>,
}

impl<'a> GraphReferee<'a> {
    /// An umpire for games of these agents at these tables.
    pub(super) fn new(tables: &'a [ScenarioTable], agents: &'a [String]) -> GraphReferee<'a> {
        let boards = RefCell::new(tables.iter().map(|_| None).collect());
        GraphReferee { tables, agents, boards }
    }

    /// The words after `fracas` that play a game.
    fn words(&self, table: &ScenarioTable, game: &Game) -> Vec<String> {
        let mut words = table.crowd.words();
        for (seat, &agent) in table.seats.iter().zip(&game.lineup.agents) {
            let agent = self.agents.get(agent).map_or("random", String::as_str);
            words.extend(["--seat".to_owned(), format!("{}={agent}", seat.name)]);
        }
        words.extend(["--seed".to_owned(), game.seed.to_string()]);
        words
    }

    fn table(&self, lineup: &Lineup) -> Result<&'a ScenarioTable, Error> {
        let there = self.tables.get(lineup.scenario);
        there.ok_or_else(|| Error::usage("a game is of a scenario that is not there"))
    }
}

impl Referee for GraphReferee<'_> {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        let table = self.table(&game.lineup)?;
        let mut boards = self.boards.borrow_mut();
        let Some(board) = boards.get_mut(game.lineup.scenario) else {
            return Err(Error::usage("a game is of a scenario that is not there"));
        };
        let board = match board {
            Some(board) => board,
            None => board.insert(ScenarioRunner::new(table)?),
        };
        board.seat(table, &game.lineup.agents);
        match board.runner.play(Generator::playout(game.seed, 0)) {
            Ok(ending) => Ok(result(table, ending, board.runner.questions())),
            Err(error) if error.forfeits() => {
                let Some(seat) = board.who_erred(table) else { return Err(error) };
                forfeit(table, &game.lineup, seat, error.itself())
            }
            Err(error) => Err(error.reached(|| {
                let trace = Rc::new(RefCell::new(Traced::default()));
                // It fails again where it failed.
                let _ = board.runner.play_traced(Generator::playout(game.seed, 0), &trace);
                let history = trace.borrow().whole()?;
                Some((history, self.words(table, game)))
            })),
        }
    }

    fn exact(&self, lineup: &Lineup) -> Result<Option<ExactOdds>, Error> {
        self.table(lineup)?.exact(&lineup.agents)
    }
}

impl ScenarioRunner {
    fn new(table: &ScenarioTable) -> Result<ScenarioRunner, Error> {
        let (explorer, seats) = table.crowd.make_worker()?;
        let kept = seats.routes().to_vec();
        let answers = table.crowd.answers().clone();
        Ok(ScenarioRunner {
            runner: PlayoutRunner::new(explorer, seats, answers),
            kept,
            seated: Vec::new(),
        })
    }

    fn seat(&mut self, table: &ScenarioTable, agents: &[usize]) {
        if self.seated == agents {
            return;
        }
        let mut routes = self.kept.clone();
        for (seat, &agent) in table.seats.iter().zip(agents) {
            for player in &seat.players {
                routes.retain(|(seated, _)| seated != player);
                routes.push((player.clone(), table.kept + agent));
            }
        }
        self.runner.reseat(&routes, table.answers(agents));
        self.seated = agents.to_vec();
    }

    /// The seat whose agent erred; nothing where it is an agent of the scenario's own.
    fn who_erred(&self, table: &ScenarioTable) -> Option<usize> {
        let (player, agent) = self.runner.asked()?;
        if agent < table.kept {
            return None;
        }
        table.seats.iter().position(|seat| seat.players.contains(&player))
    }
}

fn result(table: &ScenarioTable, ending: u32, questions: u64) -> GameResult {
    match table.crowd.graph.ending_of(ending) {
        Some(ending) => GameResult {
            result: ending.result.clone(),
            utility: table.utility(ending),
            questions,
            forfeit: None,
        },
        None => GameResult::default(),
    }
}

/// An agent that errs loses the game in all its seats.
fn forfeit(
    table: &ScenarioTable,
    lineup: &Lineup,
    seat: usize,
    error: &Error,
) -> Result<GameResult, Error> {
    let erred = lineup.agents.get(seat);
    let held = (0..lineup.agents.len()).filter(|&other| lineup.agents.get(other) == erred);
    let lost: Vec<usize> = held.collect();
    let utility = table.ends()?.forfeited(seat, &lost, lineup.agents.len());
    let at = error.location().map(|at| format!(" ({at})")).unwrap_or_default();
    let forfeit = Forfeit { seat, message: format!("{error}{at}"), history: None };
    let result = FORFEIT.to_owned();
    Ok(GameResult { result, utility, questions: 0, forfeit: Some(forfeit) })
}

impl Arena {
    /// The history of a game; of a forfeited one, up to the question at which the agent erred.
    /// Nothing where the game does not end with that result any more, for example because the limit
    /// of time ended it.
    pub fn history(
        &self,
        game: &Game,
        result: &GameResult,
        catalog: &Catalog,
        limits: &Limits,
    ) -> Result<Option<Saved>, Error> {
        let Some(table) = self.tables.get(game.lineup.scenario) else { return Ok(None) };
        let seats = table.seats.iter().zip(&game.lineup.agents);
        let seats = seats.filter_map(|(seat, &agent)| {
            self.agents.get(agent).map(|word| (seat.name.clone(), word.clone()))
        });
        let changes =
            Changes { house: table.house.clone(), seats: seats.collect(), ..Changes::default() };
        let conflict = Conflict::open(catalog, &table.scenario, &changes, limits)?;
        let mut play =
            Play::resume(conflict, game.seed, limits, History::default(), RunUntil::NextQuestion)?;
        let failure = play.go_furthest()?;
        let same = match (play.position(), failure.as_ref().map(Error::itself), &result.forfeit) {
            (_, Some(Error::Agent { .. }), Some(_)) => true,
            (Position::Over { outcome, .. }, None, None) => outcome.result == result.result,
            _ => false,
        };
        Ok(same.then(|| play.saved()))
    }
}
