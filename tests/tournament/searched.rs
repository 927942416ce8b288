//! A search for exact pairings is kept as it goes, so that no kill loses what it found.

use std::process::{Child, Command, Stdio};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use super::*;

/// Ten pairings in both orders: 20 lineups to look into.
const FIVE: &str = "scenarios = [\"ford\"]\nagents = [\"a\", \"b\", \"c\", \"d\", \"e\"]\n\
    format = \"round_robin\"\ngames = 10\nseed = 3\n";
/// In a league that is killed again and again each search takes so long: several times as long in all as
/// anything waits to be kept.
const SLOWLY: Duration = Duration::from_millis(60);
/// So many are found before the search of the child takes for ever.
const FOUND: u64 = 7;

/// Names the file of results for the child.
const SEARCH: &str = "FRACAS_TOURNAMENT_SEARCH";

/// Counts searches, each of which takes so long; from some number on they do not end.
struct Searching {
    count: AtomicU64,
    last: u64,
    takes: Duration,
}

struct Searcher<'a>(&'a Searching);

impl RefereeFactory for Searching {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(Searcher(self)))
    }
}

impl Referee for Searcher<'_> {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        panic!("game {} needs not be played", game.number)
    }

    fn exact(&self, lineup: &Lineup) -> Result<Option<ExactOdds>, Error> {
        if self.0.count.fetch_add(1, Ordering::Relaxed) >= self.0.last {
            let (never, nobody) = (Mutex::new(()), Condvar::new());
            let guard = never.lock().unwrap();
            drop(nobody.wait_while(guard, |()| true));
        }
        std::thread::sleep(self.0.takes);
        Dice { seed: 11, work: 0, exact: true }.exact(lineup)
    }
}

#[test]
fn searches_in_a_child_if_it_is_told_to() {
    let Ok(told) = std::env::var(SEARCH) else { return };
    let (last, takes) = match told.split_once('|') {
        Some(_) => (u64::MAX, SLOWLY),
        None => (FOUND, Duration::ZERO),
    };
    let spec = spec(FIVE);
    let mut results = open(Path::new(told.split('|').next().unwrap()), &spec);
    play(&spec, &mut results, &Searching { count: 0.into(), last, takes }, 1, None);
    results.close().unwrap();
}

/// A child that searches as it is told.
fn child(told: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tournament::searched::searches_in_a_child_if_it_is_told_to"])
        .env(SEARCH, told)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// How many lineups are kept in a file that somebody may be writing.
fn kept(path: &Path) -> Option<i64> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let reader = rusqlite::Connection::open_with_flags(path, flags).ok()?;
    reader.query_row("SELECT count(*) FROM exact", [], |row| row.get(0)).ok()
}

/// A child that dies with this test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_search_that_is_killed_keeps_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut child = Killed(child(path.to_str().unwrap()));
    // Nothing more is found, and still all of it comes into the file by itself.
    while kept(&path) != Some(FOUND as i64) {
        assert!(child.0.try_wait().unwrap().is_none(), "the child has ended");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    drop(child);
    let spec = spec(FIVE);
    let mut results = open(&path, &spec);
    let rest = Searching { count: 0.into(), last: u64::MAX, takes: Duration::ZERO };
    let run = play(&spec, &mut results, &rest, 2, None);
    assert_eq!((run.played, run.interrupted), (0, false));
    assert_eq!(rest.count.load(Ordering::Relaxed), 20 - FOUND);
}

#[test]
fn a_league_that_is_killed_again_and_again_within_its_search_comes_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let told = format!("{}|slowly", path.display());
    let (mut kills, mut before) = (0, 0);
    // A child is killed as soon as it has kept anything more than the one before.
    let ended = loop {
        let mut child = Killed(child(&told));
        let ended = loop {
            if let Some(ended) = child.0.try_wait().unwrap() {
                break Some(ended);
            }
            match kept(&path) {
                Some(now) if now > before => break None,
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        if let Some(ended) = ended {
            break ended;
        }
        drop(child);
        // It may have kept more until it died.
        before = kept(&path).unwrap_or(before);
        kills += 1;
        assert!(kills <= 20, "each keeps a lineup at least");
    };
    assert!(ended.success() && kills > 2, "{kills}");
    let spec = spec(FIVE);
    let mut results = open(&path, &spec);
    let rest = Searching { count: 0.into(), last: u64::MAX, takes: Duration::ZERO };
    let run = play(&spec, &mut results, &rest, 1, None);
    assert_eq!((run.played, run.interrupted), (0, false));
    assert_eq!(rest.count.load(Ordering::Relaxed), 0, "all was found before");
}

/// Raises the interrupt after so much work: a lineup looked into, or a game played.
struct Working<'a> {
    interrupt: &'a AtomicBool,
    left: AtomicU64,
}

struct Worker<'a>(&'a Working<'a>);

impl Worker<'_> {
    fn work<T>(&self, done: T) -> T {
        if self.0.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.0.interrupt.store(true, Ordering::Relaxed);
        }
        done
    }
}

impl RefereeFactory for Working<'_> {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(Worker(self)))
    }
}

impl Referee for Worker<'_> {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        self.work(Dice { seed: 11, work: 0, exact: true }.play(game))
    }

    fn exact(&self, lineup: &Lineup) -> Result<Option<ExactOdds>, Error> {
        self.work(Dice { seed: 11, work: 0, exact: true }.exact(lineup))
    }
}

#[test]
fn a_league_that_is_stopped_again_and_again_advances_each_time() {
    // The 6 lineups of the first scenario are computed and 2 of the second; of the two pairings that play
    // there, one lineup is looked into before 40 games are played.
    let spec = spec(&EVEN.replace("games = 150", "games = 10"));
    let expected = {
        let mut results = Results::in_memory(&spec, &conditions(&spec)).unwrap();
        told(&play(&spec, &mut results, &DicePanel { work: 0, exact: true }, 1, None).state)
    };
    let folder = tempfile::tempdir().unwrap();
    for (threads, work, most) in [(1, 1, 50), (1, 4, 13), (3, 4, 13)] {
        let path = folder.path().join(format!("{threads}-{work}.db"));
        let on_disk = || {
            let reader = rusqlite::Connection::open(&path).unwrap();
            ["plays", "exact"].map(|table| super::readers::count(&reader, table)).iter().sum()
        };
        let (mut before, mut stops) = (0, 0);
        loop {
            let mut results = open(&path, &spec);
            let interrupt = AtomicBool::new(false);
            let panel = Working { interrupt: &interrupt, left: work.into() };
            let running = Running { threads, interrupt: &interrupt, begins: &|_| Box::new(|_| ()) };
            let run = run(&spec, &conditions(&spec), &panel, &mut results, running).unwrap();
            let done = (!run.interrupted).then(|| told(&run.state));
            results.close().unwrap();
            let now: u64 = on_disk();
            if let Some(told) = done {
                assert_eq!(told, expected);
                assert_eq!(now, 50);
                break;
            }
            assert!(now >= before + work, "{now} after {before}");
            (before, stops) = (now, stops + 1);
        }
        assert!(stops <= most, "{stops}");
    }
}
