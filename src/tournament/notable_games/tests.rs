//! Tests that forfeits, long games and rare results are found among all others.

use super::super::{Forfeit, Lineup};
use super::*;
use crate::catalog::Text;

fn spec() -> Spec {
    let text = "scenarios = [\"ford\"]\nagents = [\"a\", \"b\"]\nformat = \"round_robin\"\n";
    Spec::parse(Text { path: "cup.toml".into(), text: text.into() }).unwrap()
}

fn game(number: u64) -> Game {
    let lineup = Lineup { scenario: 0, agents: vec![0, 1] };
    Game { number, lineup, nth: number, seed: 0 }
}

fn ended(result: &str, questions: u64) -> GameResult {
    GameResult { result: result.into(), questions, ..GameResult::default() }
}

#[test]
fn a_mistake_is_told_once_with_how_often_it_came() {
    let mut strange = Strange::default();
    for number in 0..9 {
        let message = if number == 4 { "b.rhai:2: other" } else { "b.rhai:1: same" }.to_owned();
        let forfeit = Some(Forfeit { seat: 1, message, history: None });
        strange.see(&game(number), &GameResult { forfeit, ..ended("forfeit", 0) });
    }
    let games = strange.games(&spec());
    let sentences: Vec<String> = games.iter().map(StrangeGame::sentence).collect();
    assert_eq!(
        sentences,
        ["`b` forfeits (the first of 8 times): b.rhai:1: same", "`b` forfeits: b.rhai:2: other"]
    );
    assert_eq!([games[0].game.number, games[1].game.number], [0, 4]);
}

#[test]
fn long_games_are_far_outside_of_the_others() {
    let mut strange = Strange::default();
    // 10, 11 or 12 questions: the quartiles are 10 and 12, so the fence is 12 + 3 · 2 = 18; and
    // twice the median is 22.
    for number in 0..30 {
        strange.see(&game(number), &ended("over", 10 + number % 3));
    }
    for (number, questions) in [(30, 21), (31, 22), (32, 90)] {
        strange.see(&game(number), &ended("over", questions));
    }
    let sentences: Vec<String> = strange.games(&spec()).iter().map(StrangeGame::sentence).collect();
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
    let mut strange = Strange::default();
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
