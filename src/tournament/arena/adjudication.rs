//! Adjudication: ends games before their own end, after some questions, or where a seat has long known what to expect.

use super::super::{Adjudicated, Adjudication, Game, GameResult};
use super::graph_referee::{ScenarioRunner, result};
use super::opened_scenario::OpenedScenario;
use crate::error::Error;
use crate::game::Generator;
use crate::graph::PlayedPart;

const ADJUDICATED: &str = "adjudicated";

impl ScenarioRunner {
    /// Plays a game to its end, or to where it is adjudicated. Its own answers are those that it has without that.
    pub(super) fn play_adjudicated(
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
            let decided = |seat: &crate::conflict::Seat| seat.players.contains(&beginning.last);
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
}
