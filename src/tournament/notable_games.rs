//! Keeps games to look at: forfeits, and an example of each result.
//!
//! Games are seen one by one and only a few are kept, so a million games take no more memory.

use std::collections::BTreeMap;

use super::{Adjudicated, Game, GameResult, Spec};
use crate::report::{many, tidy};

/// Different forfeits that are kept: each agent's each mistake once, and no more of an agent.
const FORFEITS: usize = 50;
const OF_AN_AGENT: usize = 5;
/// Results of a scenario of which an example is kept.
const RESULTS: usize = 10;

#[derive(Clone, Debug, Default)]
pub(crate) struct NotableGames {
    /// Agent and mistake, but for the numbers in it -> the first such game, and how many there were.
    forfeits: BTreeMap<(usize, String), (Game, GameResult, u64)>,
    /// Scenario -> result -> the first game with it.
    examples: BTreeMap<usize, BTreeMap<String, (Game, GameResult)>>,
}

/// A game to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct NotableGame {
    /// The game.
    pub game: Game,
    /// How it ended.
    pub result: GameResult,
    /// Of a forfeit the agent, and how often it made the same mistake, this game counted; any other game is the first
    /// of its scenario that ended so.
    pub forfeit: Option<(String, u64)>,
    /// Where its history is saved: a path relative to the folder of the report.
    pub history: Option<String>,
    /// The command that plays it again.
    pub command: Option<String>,
}

impl NotableGames {
    pub(crate) fn see(&mut self, game: &Game, result: &GameResult) {
        match &result.forfeit {
            Some(forfeit) => {
                let agent = result.forfeiter(&game.lineup).unwrap_or_default();
                let mistake: String =
                    forfeit.message.chars().filter(|letter| !letter.is_ascii_digit()).collect();
                let key = (agent, mistake);
                if let Some((_, _, times)) = self.forfeits.get_mut(&key) {
                    *times += 1;
                    return;
                }
                let own = self.forfeits.range((agent, String::new())..(agent + 1, String::new()));
                if self.forfeits.len() < FORFEITS && own.count() < OF_AN_AGENT {
                    self.forfeits.insert(key, (game.clone(), result.clone(), 1));
                }
            }
            None => {
                let examples = self.examples.entry(game.lineup.scenario).or_default();
                if examples.len() < RESULTS && !examples.contains_key(&result.result) {
                    examples.insert(result.result.clone(), (game.clone(), result.clone()));
                }
            }
        }
    }

    /// The forfeits, then the examples by scenario, each in the order of their numbers.
    pub(crate) fn games(self, spec: &Spec) -> Vec<NotableGame> {
        let forfeits = self.forfeits.into_iter().map(|((agent, _), (game, result, times))| {
            NotableGame::new(game, result, Some((spec.agent(agent).to_owned(), times)))
        });
        let mut found: Vec<NotableGame> = forfeits.collect();
        found.sort_by_key(|notable| notable.game.number);
        for examples in self.examples.into_values() {
            let examples = examples.into_values();
            let example = |(game, result)| NotableGame::new(game, result, None);
            let mut examples: Vec<NotableGame> = examples.map(example).collect();
            examples.sort_by_key(|notable| notable.game.number);
            found.extend(examples);
        }
        found
    }
}

impl NotableGame {
    fn new(game: Game, result: GameResult, forfeit: Option<(String, u64)>) -> NotableGame {
        let command = result.forfeit.as_ref().and_then(|forfeit| forfeit.history.clone());
        NotableGame { game, result, forfeit, history: None, command }
    }

    /// The reason in words, as a sentence without its end.
    pub(crate) fn sentence(&self) -> String {
        let Some((agent, times)) = &self.forfeit else { return self.ending() };
        let message = self.result.forfeit.as_ref().map(|forfeit| forfeit.message.as_str());
        let often = match times {
            1 => String::new(),
            times => format!(" (the first of {times} times)"),
        };
        format!("`{agent}` forfeits{often}: {}", message.unwrap_or_default())
    }

    fn ending(&self) -> String {
        let GameResult { result, utility, questions, adjudicated, .. } = &self.result;
        let why = match adjudicated {
            None => return format!("it ended with `{result}`"),
            Some(Adjudicated::Questions) => "",
            Some(Adjudicated::Expectation) => ", as a seat had long expected as much",
        };
        let utility: Vec<String> = utility.iter().copied().map(tidy).collect();
        let questions = many(*questions, "question");
        format!("it was adjudicated {} after {questions}{why}", utility.join(" / "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::two_agents;
    use super::super::{Forfeit, Lineup};
    use super::*;

    fn game(number: u64) -> Game {
        let lineup = Lineup { scenario: 0, agents: vec![0, 1] };
        Game { number, lineup, nth: number, seed: 0 }
    }

    fn ended(result: &str, questions: u64) -> GameResult {
        GameResult { result: result.into(), questions, ..GameResult::default() }
    }

    #[test]
    fn a_mistake_is_listed_once_with_how_often_it_came() {
        let mut notable = NotableGames::default();
        for number in 0..9 {
            let message = if number == 4 { "b.rhai:2: other" } else { "b.rhai:1: same" }.to_owned();
            let fault = crate::error::AgentFault::Own;
            let forfeit = Some(Forfeit { seat: 1, message, fault, history: None });
            notable.see(&game(number), &GameResult { forfeit, ..ended("forfeit", 0) });
        }
        let games = notable.games(&two_agents());
        let sentences: Vec<String> = games.iter().map(NotableGame::sentence).collect();
        assert_eq!(
            sentences,
            [
                "`b` forfeits (the first of 8 times): b.rhai:1: same",
                "`b` forfeits: b.rhai:2: other"
            ]
        );
        assert_eq!([games[0].game.number, games[1].game.number], [0, 4]);
    }

    #[test]
    fn the_first_game_of_each_result_is_an_example() {
        let mut notable = NotableGames::default();
        for (number, result) in (0..).zip(["red", "red", "draw", "blue", "draw"]) {
            notable.see(&game(number), &ended(result, 5));
        }
        let games = notable.clone().games(&two_agents());
        let found: Vec<(u64, String)> =
            games.iter().map(|one| (one.game.number, one.sentence())).collect();
        let ends = |number, result: &str| (number, format!("it ended with `{result}`"));
        assert_eq!(found, [ends(0, "red"), ends(2, "draw"), ends(3, "blue")]);
        // Of results without number only a few are kept.
        (5..1_000).for_each(|number| notable.see(&game(number), &ended(&number.to_string(), 5)));
        assert_eq!(notable.games(&two_agents()).len(), RESULTS);
    }
}
