//! Finds strange games: forfeits, games much longer than others, and rare results.
//!
//! Games are seen one by one and only a few are kept, so a million games take no more memory.

use std::collections::BTreeMap;

use super::{Game, GameResult, Spec};

/// Different forfeits that are kept: each agent's each mistake once.
const FORFEITS: usize = 50;
/// Long games that are kept of each scenario.
const LONG: usize = 3;
/// Rare results that are kept of each scenario.
const RARE: usize = 3;
/// With fewer games than this in its scenario no game is long, and with fewer than `1 / SELDOM` no
/// result is rare.
const ENOUGH: u64 = 20;
/// A result is rare if it occurred in fewer games than one of this many.
const SELDOM: u64 = 100;
/// Where a scenario has more different results than this, they are no words but accounts.
const WORDS: usize = 1_000;

/// Looks for games that ended strangely among all that it sees.
#[derive(Clone, Debug, Default)]
pub(crate) struct NotableGames {
    /// Agent and mistake -> the first such game, and how many there were.
    forfeits: BTreeMap<(usize, String), (Game, GameResult, u64)>,
    scenarios: BTreeMap<usize, ScenarioGames>,
}

/// The games of a scenario that no agent forfeited.
#[derive(Clone, Debug, Default)]
struct ScenarioGames {
    games: u64,
    /// Questions -> games that had this many.
    lengths: BTreeMap<u64, u64>,
    /// The longest games, the longest first.
    longest: Vec<(Game, GameResult)>,
    /// Result -> the first game with it, and how many there were.
    results: BTreeMap<String, (Game, GameResult, u64)>,
}

/// A game that ended strangely.
#[derive(Clone, Debug, PartialEq)]
pub struct NotableGame {
    /// The game.
    pub game: Game,
    /// How it ended.
    pub result: GameResult,
    /// The reason why it is strange.
    pub why: NotableReason,
    /// Where its history is saved: a path relative to the folder of the report.
    pub history: Option<String>,
    /// The command that plays it again.
    pub command: Option<String>,
}

/// The reason why a game is strange.
#[derive(Clone, Debug, PartialEq)]
pub enum NotableReason {
    /// An agent erred.
    Forfeit {
        /// The agent.
        agent: String,
        /// How often it made the same mistake, this game counted.
        times: u64,
    },
    /// It had many more questions than other games of its scenario.
    Long {
        /// How many the game in the middle had.
        median: u64,
    },
    /// Its result hardly ever occurred in its scenario.
    Rare {
        /// The games that ended so.
        games: u64,
        /// All games of the scenario.
        of: u64,
    },
}

impl NotableGames {
    /// What counts as strange, for people.
    pub(crate) const MEANING: &'static str = "Strange is a game that an agent forfeited by an error; one \
        with at least twice as many questions as the median game of its scenario, and more than the \
        upper quartile by three times the distance of the quartiles (Tukey's outer fence); and one \
        whose result came in fewer than 1 of 100 games of its scenario.";

    pub(crate) fn see(&mut self, game: &Game, result: &GameResult) {
        match &result.forfeit {
            Some(forfeit) => {
                let agent = game.lineup.agents.get(forfeit.seat).copied().unwrap_or_default();
                let key = (agent, forfeit.message.clone());
                let room = self.forfeits.len() < FORFEITS;
                match self.forfeits.get_mut(&key) {
                    Some((_, _, times)) => *times += 1,
                    None if room => {
                        self.forfeits.insert(key, (game.clone(), result.clone(), 1));
                    }
                    None => {}
                }
            }
            None => self.scenarios.entry(game.lineup.scenario).or_default().see(game, result),
        }
    }

    /// The games that ended strangely: forfeits, long ones, rare ones, each in the order of their
    /// numbers.
    pub(crate) fn games(self, spec: &Spec) -> Vec<NotableGame> {
        let name = |agent: usize| spec.agents.get(agent).cloned().unwrap_or_default();
        let forfeits = self.forfeits.into_iter().map(|((agent, _), (game, result, times))| {
            NotableGame::new(game, result, NotableReason::Forfeit { agent: name(agent), times })
        });
        let mut found: Vec<NotableGame> = forfeits.collect();
        found.extend(self.scenarios.into_values().flat_map(ScenarioGames::strange));
        let kind = |why: &NotableReason| match why {
            NotableReason::Forfeit { .. } => 0,
            NotableReason::Long { .. } => 1,
            NotableReason::Rare { .. } => 2,
        };
        found.sort_by_key(|strange| (kind(&strange.why), strange.game.number));
        found
    }
}

impl ScenarioGames {
    fn see(&mut self, game: &Game, result: &GameResult) {
        self.games += 1;
        *self.lengths.entry(result.questions).or_default() += 1;
        let longer = |kept: &(Game, GameResult)| kept.1.questions >= result.questions;
        let place = self.longest.partition_point(longer);
        if place < LONG {
            self.longest.insert(place, (game.clone(), result.clone()));
            self.longest.truncate(LONG);
        }
        let full = self.results.len() > WORDS;
        match self.results.get_mut(&result.result) {
            Some((_, _, games)) => *games += 1,
            None if full => {}
            None => {
                let first = (game.clone(), result.clone(), 1);
                self.results.insert(result.result.clone(), first);
            }
        }
    }

    /// The questions of the game at this share of all, the shortest first.
    fn quantile(&self, share: f64) -> u64 {
        let rank = (self.games as f64 * share).ceil() as u64;
        let mut before = 0;
        let mut reached = self.lengths.iter().filter(|(_, games)| {
            before += **games;
            before >= rank
        });
        reached.next().map(|(questions, _)| *questions).unwrap_or_default()
    }

    fn strange(self) -> Vec<NotableGame> {
        let [lower, median, upper] = [0.25, 0.5, 0.75].map(|share| self.quantile(share));
        // The outer fence of Tukey (1977, Exploratory Data Analysis, section 2D).
        let fence = upper + 3 * (upper - lower);
        let of = self.games;
        let long = self.longest.into_iter().filter(|(_, result)| {
            of >= ENOUGH && result.questions > fence && result.questions >= 2 * median.max(1)
        });
        let long = long
            .map(|(game, result)| NotableGame::new(game, result, NotableReason::Long { median }));
        let mut found: Vec<NotableGame> = long.collect();
        if self.results.len() <= WORDS {
            let rare = self.results.into_values().filter(|(_, _, games)| games * SELDOM < of);
            let rare = rare.map(|(game, result, games)| {
                NotableGame::new(game, result, NotableReason::Rare { games, of })
            });
            let mut rare: Vec<NotableGame> = rare.collect();
            rare.sort_by_key(|strange| match strange.why {
                NotableReason::Rare { games, .. } => (games, strange.game.number),
                _ => (0, strange.game.number),
            });
            found.extend(rare.into_iter().take(RARE));
        }
        found
    }
}

impl NotableGame {
    fn new(game: Game, result: GameResult, why: NotableReason) -> NotableGame {
        let again = result.forfeit.as_ref().and_then(|forfeit| forfeit.history.clone());
        NotableGame { game, result, why, history: None, command: again }
    }

    /// The reason in words, as a sentence without its end.
    pub(crate) fn sentence(&self) -> String {
        match (&self.why, &self.result.forfeit) {
            (NotableReason::Forfeit { agent, times }, forfeit) => {
                let message = forfeit.as_ref().map(|forfeit| forfeit.message.as_str());
                let often = match times {
                    1 => String::new(),
                    times => format!(" (the first of {times} times)"),
                };
                format!("`{agent}` forfeits{often}: {}", message.unwrap_or_default())
            }
            (NotableReason::Long { median }, _) => format!(
                "it had {} questions, where the median of its scenario is {median}",
                self.result.questions
            ),
            (NotableReason::Rare { games, of }, _) => format!(
                "it ended with `{}`, as {games} of {of} games of its scenario did",
                self.result.result
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Forfeit, Lineup};
    use super::*;
    use crate::catalog::FileText;

    fn spec() -> Spec {
        let text = "scenarios = [\"ford\"]\nagents = [\"a\", \"b\"]\nformat = \"round_robin\"\n";
        Spec::parse(FileText { path: "cup.toml".into(), text: text.into() }).unwrap()
    }

    fn game(number: u64) -> Game {
        let lineup = Lineup { scenario: 0, agents: vec![0, 1] };
        Game { number, lineup, nth: number, seed: 0 }
    }

    fn ended(result: &str, questions: u64) -> GameResult {
        GameResult { result: result.into(), questions, ..GameResult::default() }
    }

    #[test]
    fn a_mistake_is_listed_once_with_how_often_it_came() {
        let mut strange = NotableGames::default();
        for number in 0..9 {
            let message = if number == 4 { "b.rhai:2: other" } else { "b.rhai:1: same" }.to_owned();
            let forfeit = Some(Forfeit { seat: 1, message, history: None });
            strange.see(&game(number), &GameResult { forfeit, ..ended("forfeit", 0) });
        }
        let games = strange.games(&spec());
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
    fn long_games_are_far_outside_of_the_others() {
        let mut strange = NotableGames::default();
        // 10, 11 or 12 questions: the quartiles are 10 and 12, so the fence is 12 + 3 · 2 = 18; and
        // twice the median is 22.
        for number in 0..30 {
            strange.see(&game(number), &ended("over", 10 + number % 3));
        }
        for (number, questions) in [(30, 21), (31, 22), (32, 90)] {
            strange.see(&game(number), &ended("over", questions));
        }
        let sentences: Vec<String> =
            strange.games(&spec()).iter().map(NotableGame::sentence).collect();
        assert_eq!(
            sentences,
            [
                "it had 22 questions, where the median of its scenario is 11",
                "it had 90 questions, where the median of its scenario is 11"
            ]
        );
    }

    #[test]
    fn a_result_is_rare_in_fewer_than_one_of_a_hundred_games() {
        let mut strange = NotableGames::default();
        for number in 0..300 {
            let result = match number {
                7 | 9 => "draw",
                20..23 => "flood",
                _ => "red",
            };
            strange.see(&game(number), &ended(result, 5));
        }
        // 3 of 300 are one of a hundred.
        let games = strange.games(&spec());
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].why, NotableReason::Rare { games: 2, of: 300 });
        assert_eq!(games[0].game.number, 7);
        let said = games[0].sentence();
        assert_eq!(said, "it ended with `draw`, as 2 of 300 games of its scenario did");
    }
}
