//! Does a disk that is full leave what was written before?

use super::super::{FormatName, Stop};
use super::*;

fn spec() -> Spec {
    Spec {
        title: None,
        scenarios: vec!["ford".into()],
        agents: vec!["a".into(), "b".into()],
        format: FormatName::RoundRobin,
        games: 100_000,
        rounds: None,
        house: Vec::new(),
        seed: 1,
        stop: Stop::default(),
        folder: None,
    }
}

fn conditions() -> Conditions {
    let seats = vec![vec!["red".to_owned(), "blue".to_owned()]];
    Conditions { version: "1".into(), seats, ..Conditions::default() }
}

fn game(number: u64) -> Game {
    let agents = if number.is_multiple_of(2) { vec![0, 1] } else { vec![1, 0] };
    Game { number, seating: Seating { scenario: 0, agents }, playout: number }
}

fn result(number: u64) -> GameResult {
    let won = (number % 3) as f64 / 7.0;
    GameResult { result: "over".into(), utility: vec![won, -won], questions: number, forfeit: None }
}

#[test]
fn a_full_disk_is_told_and_keeps_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut results = Results::open(&path, &spec(), &conditions(), None).unwrap();
    // The disk has room for so many pages.
    results.connection.pragma_update(None, "max_page_count", 40).unwrap();
    let mut number = 0;
    let error = loop {
        match results
            .add(&game(number), result(number))
            .and_then(|()| if number % 100 == 99 { results.commit() } else { Ok(()) })
        {
            Ok(()) => number += 1,
            Err(error) => break error,
        }
    };
    let said = error.to_string();
    assert!(said.ends_with("a.db`: the disk is full; what was written before is kept"), "{said}");
    drop(results);
    let mut results = Results::open(&path, &spec(), &conditions(), None).unwrap();
    let kept = results.len().unwrap();
    assert_eq!(kept, number / 100 * 100);
    for number in 0..kept {
        assert_eq!(results.get(&game(number)).unwrap(), Some(result(number)));
    }
    assert_eq!(results.get(&game(kept)).unwrap(), None);
}

#[test]
fn results_read_back_as_they_were_and_games_of_others_are_refused() {
    let mut results = Results::in_memory(&spec(), &conditions()).unwrap();
    for number in [0, 1, 2, 9_000] {
        results.add(&game(number), result(number)).unwrap();
    }
    assert_eq!(results.len().unwrap(), 4);
    results.commit().unwrap();
    assert_eq!(results.get(&game(1)).unwrap(), Some(result(1)));
    assert_eq!(results.get(&game(5)).unwrap(), None);
    assert_eq!(results.get(&game(9_000)).unwrap(), Some(result(9_000)));
    results.rewind();
    let other = Game { seating: game(1).seating, ..game(0) };
    let error = results.get(&other).unwrap_err().to_string();
    assert_eq!(error, "`memory`: game 0 was played by others than its spec says");
}

#[test]
fn a_damaged_file_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut results = Results::open(&path, &spec(), &conditions(), None).unwrap();
    (0..3_000).for_each(|number| results.add(&game(number), result(number)).unwrap());
    results.close().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[8_192..].fill(0xff);
    std::fs::write(&path, &bytes).unwrap();
    let failed = Results::open(&path, &spec(), &conditions(), None).and_then(|mut results| {
        (0..3_000).try_for_each(|number| results.get(&game(number)).map(|_| ()))
    });
    let error = failed.unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
}
