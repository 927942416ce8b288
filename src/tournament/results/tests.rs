//! A disk that is full leaves what was written before; no flipped bit changes a result unseen.

use super::super::spec::two_agents;
use super::super::{Referee, RefereeFactory};
use super::*;

fn spec() -> Spec {
    Spec { games: 100_000, ..two_agents() }
}

fn conditions() -> Conditions {
    let seats = vec![vec!["red".to_owned(), "blue".to_owned()]];
    Conditions { version: "1".into(), seats, ..Conditions::default() }
}

/// Seats are exchanged from game to game.
fn game(number: u64) -> Game {
    let agents = if number.is_multiple_of(2) { vec![0, 1] } else { vec![1, 0] };
    Game { number, lineup: Lineup { scenario: 0, agents }, nth: number / 2, seed: 0 }
}

/// A new file in a folder of its own.
fn opened() -> (tempfile::TempDir, PathBuf, Results) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let results = Results::open(&path, &spec(), &conditions(), None).unwrap();
    (folder, path, results)
}

struct Nobody;

impl RefereeFactory for Nobody {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Err(Error::usage("nobody plays"))
    }
}

fn result(number: u64) -> GameResult {
    let won = (number % 3) as f64 / 7.0;
    GameResult {
        result: "over".into(),
        utility: vec![won, -won],
        questions: number,
        ..GameResult::default()
    }
}

#[test]
fn a_full_disk_is_reported_and_keeps_what_was_written() {
    let (_folder, path, mut results) = opened();
    // The disk has room for this many pages.
    results.connection.pragma_update(None, "max_page_count", 40).unwrap();
    let mut number = 0;
    let error = loop {
        match results
            .add(&Nobody, [(&game(number), &result(number))])
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
fn games_that_are_there_already_are_passed_over_with_any_games_beside_them() {
    let (_folder, path, mut results) = opened();
    let played: Vec<_> = (0..1_000).map(|number| (game(number), result(number))).collect();
    let some = |from: usize, to: usize, apart: usize| {
        played[from..to].iter().step_by(apart).map(|(game, result)| (game, result))
    };
    results.add(&Nobody, some(0, 1, 1)).unwrap();
    results.add(&Nobody, some(130, 600, 7)).unwrap();
    // Among these are some that are there: at the beginning, in the middle, next to each other, last.
    results.add(&Nobody, some(0, 1_000, 1)).unwrap();
    results.add(&Nobody, some(500, 1_000, 1)).unwrap();
    results.commit().unwrap();
    assert_eq!(results.len().unwrap(), 1_000);
    results.close().unwrap();
    // Checksums are compared as they are read.
    let mut results = Results::open(&path, &spec(), &conditions(), None).unwrap();
    for (game, result) in &played {
        assert_eq!(results.get(game).unwrap().as_ref(), Some(result));
    }
}

#[test]
fn a_damaged_file_is_reported() {
    let (_folder, path, mut results) = opened();
    (0..3_000).for_each(|number| results.add(&Nobody, [(&game(number), &result(number))]).unwrap());
    results.close().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[8_192..].fill(0xff);
    std::fs::write(&path, &bytes).unwrap();
    let failed = Results::open(&path, &spec(), &conditions(), None).and_then(|mut results| {
        (0..3_000).try_for_each(|number| results.get(&game(number)).map(|_| ()))
    });
    let error = failed.unwrap_err().to_string();
    assert!(error.contains("it is damaged") && error.contains("move it away"), "{error}");
}

#[test]
fn no_flipped_bit_changes_a_result_unseen() {
    let (_folder, path, mut results) = opened();
    (0..600).for_each(|number| results.add(&Nobody, [(&game(number), &result(number))]).unwrap());
    let lineup = Lineup { scenario: 0, agents: vec![0, 1] };
    results.add_exact(&Nobody, &lineup, None).unwrap();
    results.close().unwrap();
    let whole = std::fs::read(&path).unwrap();
    let expected: Vec<Option<GameResult>> = (0..600).map(|number| Some(result(number))).collect();
    let read = || -> Result<_, Error> {
        let mut results = Results::read(&path)?;
        let exact = results.exact(&lineup).cloned();
        let all: Vec<Option<GameResult>> =
            (0..600).map(|number| results.get(&game(number))).collect::<Result<_, Error>>()?;
        Ok((results.identity().clone(), exact, all))
    };
    let (identity, _, _) = read().unwrap();
    // Bits all over the file, each by itself: 4,001 is prime to the size of a page.
    let mut noticed = 0;
    for at in (0..whole.len() * 8).step_by(4_001) {
        let mut bytes = whole.clone();
        bytes[at / 8] ^= 1 << (at % 8);
        std::fs::write(&path, &bytes).unwrap();
        match read() {
            // What has no meaning, as room that is free, may change.
            Ok(all) => assert_eq!(all, (identity.clone(), None, expected.clone()), "bit {at}"),
            Err(error) => {
                noticed += 1;
                let message = error.to_string();
                assert!(
                    message.starts_with("cannot read `") && !message.contains("SQL"),
                    "{message}"
                );
            }
        }
    }
    assert!(noticed > 10, "{noticed}");
}

#[test]
fn whoever_reads_without_an_end_is_blamed() {
    let (_folder, path, results) = opened();
    results.close().unwrap();
    let reader = Connection::open(&path).unwrap();
    let read = || reader.query_row("SELECT count(*) FROM meta", [], |_| Ok(())).unwrap();
    // An open file that nobody reads at this moment keeps nobody from writing.
    read();
    let writer = Connection::open(&path).unwrap();
    open::write_ahead(&writer, std::time::Duration::ZERO).unwrap();
    open::settle(&writer);
    drop(writer);
    reader.execute_batch("BEGIN").unwrap();
    read();
    let writer = Connection::open(&path).unwrap();
    let busy = open::write_ahead(&writer, std::time::Duration::ZERO).unwrap_err();
    assert_eq!(busy.sqlite_error_code(), Some(rusqlite::ErrorCode::DatabaseBusy));
}
