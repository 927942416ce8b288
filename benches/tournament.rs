//! Benchmarks of tournaments: the work beside the games, results in a file, and the report.
//!
//! `cargo bench --bench tournament`. A promised ratio is measured in one round, both of its parts
//! by wall-clock time on two idle cores; times promised for one core are processor time. The best
//! of several rounds counts.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use fracas::catalog::{Catalog, FileText};
use fracas::error::Error;
use fracas::script::Limits;
use fracas::tournament::results::{merge, replay};
use fracas::tournament::{
    Arena, Conditions, Game, GameResult, LeaguePage, Opening, Referee, RefereeFactory, Results,
    Running, Spec, run,
};
use rustix::time::{ClockId, clock_gettime};

/// How often each is tried.
const ROUNDS: usize = 5;

fn main() {
    // `cargo test` runs benches with `--test`: nothing is measured then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    // A part of a name measures only what has it: `cargo bench --bench tournament -- report`.
    let part = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let parts: [(&str, fn()); 6] = [
        ("overhead", overhead),
        ("threads", threads),
        ("written", written),
        ("report", report),
        ("resume", resume),
        ("merge", merged),
    ];
    for (name, measure) in parts {
        if part.as_ref().is_none_or(|part| name.contains(part.as_str())) {
            measure();
        }
    }
}

/// A game of this many turns of an empty loop, which ends one of two ways.
struct Spinning(u64);

impl Referee for Spinning {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        for turn in 0..self.0 {
            std::hint::black_box(turn);
        }
        let won = if game.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 0 { 1.0 } else { -1.0 };
        Ok(GameResult { result: "over".into(), utility: vec![won, -won], ..GameResult::default() })
    }
}

impl RefereeFactory for Spinning {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(Spinning(self.0)))
    }
}

/// Playouts of 10 µs, and how long one takes truly, by the processor's clock.
fn ten_microseconds() -> (Spinning, f64) {
    let lineup = fracas::tournament::Lineup { scenario: 0, agents: vec![0, 1] };
    let game = Game { number: 0, lineup, nth: 0, seed: 0 };
    let each = |turns: u64| {
        let panel = Spinning(turns);
        let all = best(|| {
            let before = processor();
            (0..10_000).for_each(|_| drop(std::hint::black_box(panel.play(&game))));
            processor() - before
        });
        all / 10_000.0
    };
    let turns = (10e-6 / (each(10_000) / 10_000.0)) as u64;
    (Spinning(turns), each(turns))
}

fn spec(scenario: &str, agents: &str, games: u64) -> Spec {
    let text = format!(
        "scenarios = [\"{scenario}\"]\nagents = [{agents}]\nformat = \"round_robin\"\n\
         games = {games}\n"
    );
    Spec::parse(FileText { path: "bench.toml".into(), text }).expect("the spec is one")
}

fn conditions() -> Conditions {
    let seats = vec![vec!["red".to_owned(), "blue".to_owned()]];
    Conditions { version: "bench".into(), seats, ..Conditions::default() }
}

/// The time that a tournament takes with its results in a file.
fn taken(
    spec: &Spec,
    held: &Conditions,
    panel: &dyn RefereeFactory,
    threads: usize,
    file: &Path,
) -> Duration {
    let begun = Instant::now();
    let mut results = Results::open(file, spec, held, None).expect("the file is new or ours");
    let interrupt = AtomicBool::new(false);
    let running = Running { threads, interrupt: &interrupt, begins: &|_| Box::new(|_| ()) };
    run(spec, held, panel, &mut results, running).expect("the games are played");
    results.close().expect("the file is written");
    begun.elapsed()
}

fn best(mut measure: impl FnMut() -> Duration) -> f64 {
    (0..ROUNDS).map(|_| measure().as_secs_f64()).fold(f64::MAX, f64::min)
}

fn fresh(spec: &Spec, panel: &dyn RefereeFactory, threads: usize) -> f64 {
    best(|| {
        let folder = tempfile::tempdir().expect("a folder");
        taken(spec, &conditions(), panel, threads, &folder.path().join("a.db"))
    })
}

fn overhead() {
    let games = 100_000;
    let spec = spec("fake", "\"a\", \"b\"", games);
    let (panel, each) = ten_microseconds();
    let within = games as f64 * each;
    let mut spent = f64::MAX;
    let taken = best(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let before = processor();
        let taken = taken(&spec, &conditions(), &panel, 1, &folder.path().join("a.db"));
        spent = spent.min((processor() - before).as_secs_f64());
        taken
    });
    println!(
        "work outside of playouts of {:.1} µs, one thread playing, one writing: {:.1} % of the time \
         (promised under 5 %), {:.2} µs of the processor a game",
        each * 1e6,
        100.0 * (taken - within) / taken,
        (spent - within) / games as f64 * 1e6
    );
}

fn threads() {
    let spec = spec("fake", "\"a\", \"b\"", 100_000);
    let (panel, _) = ten_microseconds();
    let (one, two) = (fresh(&spec, &panel, 1), fresh(&spec, &panel, 2));
    println!("games on two threads: {:.2} times those on one (promised 1.8)", one / two);
}

/// An arena over a scenario that ships, whose games are tabulated after the first ones.
fn arena(spec: &Spec) -> Arena {
    let folder = |path: &str| format!("{}/{path}", env!("CARGO_MANIFEST_DIR")).into();
    let catalog = Catalog::new(&[folder("tests/fixtures/rules"), folder("rules")])
        .expect("the rules folders are there");
    let (limits, memory) = (Limits::default(), 1 << 30);
    let opening = Opening { memory, ..Opening::new(&catalog, &limits) };
    Arena::open(spec, &opening).expect("the scenario opens")
}

/// An arena that computes no pairing: each game is played.
struct Sampled<'a>(&'a Arena);

/// Plays as the referee within, and knows nothing exactly.
struct Playing<'a>(Box<dyn Referee + 'a>);

impl RefereeFactory for Sampled<'_> {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(Playing(self.0.referee()?)))
    }
}

impl Referee for Playing<'_> {
    fn play(&self, game: &Game) -> Result<GameResult, Error> {
        self.0.play(game)
    }
}

fn written() {
    let games = 300_000;
    let spec = spec("war_die/border", "\"all_in\", \"bluffer\"", games);
    let arena = arena(&spec);
    let mut kept = 0;
    // By the processor's clock: both threads, the one that plays and the one that writes, share one core.
    let seconds = best(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.db");
        let before = processor();
        taken(&spec, arena.conditions(), &Sampled(&arena), 1, &file);
        let spent = processor() - before;
        kept = Results::read(&file).and_then(|results| results.len()).expect("it is there");
        spent
    });
    assert_eq!(kept, games, "each game is played and written");
    println!(
        "tabulated games played and written to SQLite: {:.0} a second of one core (promised 100,000)",
        games as f64 / seconds
    );
}

/// The processor's time of this process since it began.
fn processor() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// A file of a million results.
fn million(folder: &Path) -> (Spec, std::path::PathBuf) {
    let spec = spec("fake", "\"a\", \"b\", \"c\", \"d\", \"e\"", 100_000);
    let file = folder.join("million.db");
    taken(&spec, &conditions(), &Spinning(0), 2, &file);
    (spec, file)
}

fn report() {
    let folder = tempfile::tempdir().expect("a folder");
    let (spec, file) = million(folder.path());
    let mut bytes = 0;
    forget_peak();
    let seconds = best(|| {
        let begun = processor();
        let mut results = Results::read(&file).expect("it is there");
        let state = replay(&spec, &mut results, |_, _, _| Ok(())).expect("it reads");
        let identity = results.identity();
        let (notable, unfinished, commands) = (&[][..], None, &[][..]);
        let page = LeaguePage { state: &state, identity, notable, unfinished, commands };
        bytes = page.html().len();
        processor() - begun
    });
    println!(
        "a million results reported: {seconds:.2} s (promised 3 s), {} KiB; peak memory {} MiB \
         (promised 300)",
        bytes >> 10,
        peak().unwrap_or_default() >> 10
    );
}

fn resume() {
    let folder = tempfile::tempdir().expect("a folder");
    let (spec, file) = million(folder.path());
    let seconds = best(|| taken(&spec, &conditions(), &Spinning(0), 1, &file));
    println!("a tournament of a million results found to be done: {seconds:.2} s");
}

fn merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, file) = million(folder.path());
    let out = folder.path().join("all.db");
    let seconds = |times: usize| {
        best(|| {
            // A file that is there would be merged into.
            let _ = std::fs::remove_file(&out);
            let before = processor();
            merge(&vec![file.clone(); times], &out).expect("the files are alike");
            processor() - before
        })
    };
    let (once, twice) = (seconds(1), seconds(2));
    println!(
        "a million results merged: {:.2} µs a game; given twice, {:.2} times as long (promised under 2)",
        // Seconds for a million are microseconds for one.
        once,
        twice / once
    );
}

/// Resets the peak of memory, where the system can: see `proc_pid_clear_refs(5)`.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The peak memory of this process in KiB, where the system reports it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
