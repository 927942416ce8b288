//! Other programs read results: plain connections to the file, while a league runs and afterwards, by the
//! views that the handbook documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rusqlite::{Connection, OpenFlags};

use super::*;

/// A league in a file of its own folder.
struct Kept {
    folder: tempfile::TempDir,
    path: std::path::PathBuf,
    spec: Spec,
}

impl Kept {
    fn new(text: &str) -> Kept {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Kept { folder, path, spec: spec(text) }
    }

    /// The file of a league that was played to its end.
    fn played(text: &str, panel: &dyn RefereeFactory) -> Kept {
        let kept = Kept::new(text);
        let mut results = open(&kept.path, &kept.spec);
        play(&kept.spec, &mut results, panel, 2, None);
        results.close().unwrap();
        kept
    }
}

/// A connection as another program would open it.
fn reader(path: &Path) -> Connection {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

pub fn count(connection: &Connection, table: &str) -> u64 {
    let select = format!("SELECT count(*) FROM {table}");
    connection.query_row(&select, [], |row| row.get::<_, i64>(0)).unwrap() as u64
}

#[test]
fn others_read_it_while_it_is_written_and_afterwards() {
    let Kept { folder, path, spec } = Kept::new(EVEN);
    let mut results = open(&path, &spec);
    let begun = play(&spec, &mut results, &QUICK, 1, Some(10)).played;
    // It is still open to be written, and nobody else may write.
    let other = reader(&path);
    assert_eq!(count(&other, "games"), begun);
    assert_eq!(count(&other, "seats"), 2 * begun);
    // Somebody who reads keeps nobody from writing, and sees one moment until the end of a transaction.
    other.execute_batch("BEGIN").unwrap();
    assert_eq!(count(&other, "games"), begun);
    play(&spec, &mut results, &QUICK, 1, None);
    assert_eq!(count(&other, "games"), begun);
    other.execute_batch("COMMIT").unwrap();
    // 3 pairings in 2 scenarios, 150 games each.
    assert_eq!(count(&other, "games"), 900);
    let so_far = Results::read(&path).unwrap();
    assert_eq!(so_far.len().unwrap(), 900);
    drop(so_far);
    drop(other);
    results.close().unwrap();
    assert_eq!(count(&reader(&path), "games"), 900);
    // A copy of that one file is all that somebody needs, wherever it is.
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let copy = elsewhere.join("copy.db");
    fs::copy(&path, &copy).unwrap();
    let only_reads = |path: &Path, may: bool| {
        let mut permissions = fs::metadata(path).unwrap().permissions();
        permissions.set_readonly(may);
        fs::set_permissions(path, permissions).unwrap();
    };
    only_reads(&copy, true);
    only_reads(&elsewhere, true);
    assert_eq!(count(&reader(&copy), "games"), 900);
    assert_eq!(standings(&copy, &spec), undisturbed(&spec));
    only_reads(&elsewhere, false);
    only_reads(&copy, false);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);
}

#[test]
fn a_league_that_begins_waits_for_whoever_reads() {
    let Kept { path, spec, folder: _folder } = Kept::played(EVEN, &QUICK);
    let other = reader(&path);
    other.execute_batch("BEGIN").unwrap();
    assert_eq!(count(&other, "games"), 900);
    // Nobody can begin to read during a try to open it, which tells one try from the next.
    let third = reader(&path);
    third.busy_timeout(std::time::Duration::ZERO).unwrap();
    let may_read = || third.query_row("SELECT 1 FROM meta LIMIT 1", [], |_| Ok(())).is_ok();
    let known = std::thread::scope(|scope| {
        let opened = scope.spawn(|| open(&path, &spec).len().unwrap());
        for _ in 0..3 {
            for (may, what) in [(true, "opened"), (false, "tried again")] {
                while may_read() == may {
                    assert!(!opened.is_finished(), "nothing was {what}");
                    std::thread::yield_now();
                }
            }
        }
        // Others can begin to read while it waits.
        assert_eq!(Results::read(&path).unwrap().len().unwrap(), 900);
        other.execute_batch("COMMIT").unwrap();
        opened.join().unwrap()
    });
    assert_eq!(known, 900);
}

/// The rows of a table of the handbook that is headed by some word: its name, and the code in its last
/// column.
fn documented(headed: &str) -> Vec<(String, Vec<String>)> {
    let text = include_str!("../../scripts/README.md");
    let code = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let heading = format!("| {headed} |");
    let rows = text.lines().skip_while(|line| !line.starts_with(&heading)).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
            (cells[0].trim().trim_matches('`').to_owned(), code(cells[cells.len() - 1]))
        })
        .collect()
}

#[test]
fn views_and_tables_have_the_columns_that_the_handbook_names() {
    let Kept { path, spec, folder: _folder } = Kept::new(EVEN);
    open(&path, &spec).close().unwrap();
    let reader = reader(&path);
    for (kind, headed) in [("view", "view"), ("table", "table")] {
        let documented = documented(headed);
        let select = "SELECT name FROM sqlite_schema WHERE type = ?1";
        let mut names = reader.prepare(select).unwrap();
        let names = names.query_map([kind], |row| row.get::<_, String>(0)).unwrap();
        let names: BTreeSet<String> = names.map(Result::unwrap).collect();
        let known: BTreeSet<String> = documented.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(names, known);
        for (name, columns) in documented {
            let select = reader.prepare(&format!("SELECT * FROM {name}")).unwrap();
            assert_eq!(select.column_names(), columns, "{name}");
        }
    }
}

#[test]
fn views_hold_the_games_that_were_played() {
    let Kept { path, spec, folder: _folder } = Kept::played(EVEN, &QUICK);
    let reader = reader(&path);
    let mut select = reader
        .prepare(
            "SELECT game, scenario, seed, seat, agent, utility, result FROM seats ORDER BY 1, 4",
        )
        .unwrap();
    type Seats = (String, u64, Vec<usize>, Vec<f64>, String);
    let mut games: BTreeMap<i64, Seats> = BTreeMap::new();
    let mut rows = select.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let text = |column: usize| row.get::<_, String>(column).unwrap();
        let game = games.entry(row.get(0).unwrap()).or_default();
        assert_eq!(text(3), format!("seat{}", game.2.len()));
        (game.0, game.1, game.4) = (text(1), row.get::<_, i64>(2).unwrap() as u64, text(6));
        game.2.push(spec.agents.iter().position(|agent| *agent == text(4)).unwrap());
        game.3.push(row.get(5).unwrap());
    }
    assert_eq!(games.len(), 900);
    // The seed of a game is all that its dice need: thrown again, they fall in the same way.
    let dice = Dice { seed: 11, work: 0, exact: false };
    for (scenario, seed, agents, utility, result) in games.into_values() {
        let scenario = spec.scenarios.iter().position(|known| *known == scenario).unwrap();
        let lineup = Lineup { scenario, agents };
        let again = dice.play(&Game { number: 0, lineup, nth: 0, seed }).unwrap();
        assert_eq!((again.utility, again.result), (utility, result));
    }
    // Every 97th of the 900 games is a forfeit.
    let select = "SELECT count(*) FROM games WHERE forfeit = 'b.rhai:3: `<x>` is not an option'";
    assert_eq!(reader.query_row(select, [], |row| row.get::<_, i64>(0)).unwrap(), 9);
}

#[test]
fn the_view_of_computed_pairings_adds_up() {
    let Kept { path, folder: _folder, .. } =
        Kept::played(EVEN, &DicePanel { work: 0, exact: true });
    let reader = reader(&path);
    let select = "SELECT scenario, agent, sum(probability), sum(probability * utility) FROM computed \
        GROUP BY seating, seat";
    let mut select = reader.prepare(select).unwrap();
    let rows = select.query_map([], |row| {
        let words: (String, String) = (row.get(0)?, row.get(1)?);
        Ok((words, row.get::<_, f64>(2)?, row.get::<_, f64>(3)?))
    });
    let mut gains: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in rows.unwrap() {
        let ((_, agent), all, mean) = row.unwrap();
        assert_eq!(all, 1.0);
        gains.entry(agent).or_default().push(mean);
    }
    // The pairing that plays nowhere in both orders and scenarios; whoever is named first in the spec
    // wins 3 of 4.
    let sum = |agent: &str| gains[agent].iter().sum::<f64>();
    assert!(gains.values().all(|all| all.len() == 4));
    assert_eq!((gains.len(), sum("a"), sum("b")), (2, 3.0, 1.0));
}

/// Knows a pairing in one lineup alone, and one other in both.
struct HalfKnown;

impl RefereeFactory for HalfKnown {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(HalfKnown))
    }
}

impl Referee for HalfKnown {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        Dice { seed: 11, work: 0, exact: true }.play(game)
    }

    fn exact(&self, lineup: &Lineup) -> Result<Option<ExactOdds>, Error> {
        let known = lineup.agents[0] < lineup.agents[1] || !lineup.agents.contains(&2);
        if known { Dice { seed: 11, work: 0, exact: true }.exact(lineup) } else { Ok(None) }
    }
}

#[test]
fn the_view_of_computed_pairings_has_none_that_was_played() {
    let companies = |path: &Path| {
        let reader = reader(path);
        let mut select = reader.prepare("SELECT DISTINCT seating, agent FROM computed").unwrap();
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let mut by_lineup: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
        for row in rows {
            let (lineup, agent): (i64, String) = row.unwrap();
            by_lineup.entry(lineup).or_default().insert(agent);
        }
        by_lineup.into_values().collect::<Vec<_>>()
    };
    // With c in the first seat nothing is known, so all games of c are played.
    let kept = Kept::played(EVEN, &HalfKnown);
    let both = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
    // In either order and scenario.
    assert_eq!(companies(&kept.path), vec![both; 4]);
    // The same file, all of whose games are played now.
    let spec = Spec { exact: false, ..kept.spec };
    let mut results = open(&kept.path, &spec);
    play(&spec, &mut results, &HalfKnown, 2, None);
    results.close().unwrap();
    assert_eq!(companies(&kept.path), [] as [BTreeSet<String>; 0]);
}
