//! Benchmarks of the game graph: playouts a second on it, the time to explore it, the memory of a
//! node, and the time until exact odds are found.
//!
//! `cargo bench --bench graph`. Times are processor time of one thread, the best of several
//! rounds. Only the line on two threads uses wall-clock time, as a ratio to one thread in the same
//! round.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fracas::analysis::{Odds, Seeking};
use fracas::catalog::Catalog;
use fracas::check::Check;
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::error::Error;
use fracas::game::Generator;
use fracas::graph::{AnswerCache, Bounds, Explorer, SeatedAgents, WorkerFactory, explore};
use fracas::script::{Budget, Limits, on_large_stack};
use rustix::time::{ClockId, clock_gettime};

/// Scenarios whose playouts are timed, with the playouts a second that are promised where the graph is
/// explored whole: only look-ups, no new nodes.
const PLAYOUTS: [(&str, f64); 7] = [
    ("tic_tac_toe/empty_board", 6e6),
    ("kuhn_poker/one_hand", 10e6),
    ("territory/three_tokens", 3e6),
    ("attrition/a_wait", 3e6),
    ("war_die/ford", 3e6),
    ("battle_tiles/two_tiles_each", 3e6),
    ("last_stand/one_blow", 3e6),
];

/// Scenarios that are explored up to this many nodes, by runs that are kept and by replay.
const EXPLORED: [(&str, u64); 4] = [
    ("tic_tac_toe/empty_board", u64::MAX),
    ("territory/border_clash", 10_000),
    ("battle_tiles/four_by_four", 10_000),
    ("last_stand/bridge", 10_000),
];

/// Scenarios whose exact odds are timed from scratch, with exploration, and the seconds promised.
const ODDS: [(&str, f64); 2] = [("tic_tac_toe/empty_board", 0.5), ("dice_battle/twenty_each", 0.1)];

/// Scenarios whose laws are tested in every state; promised is 1.5 times what exact odds take.
const PROVEN: [&str; 5] = [
    "attrition/card_raid",
    "territory/three_tokens",
    "war_die/ford",
    "battle_tiles/puzzle_life",
    "last_stand/one_blow",
];

/// A scenario with a large graph, to measure the bytes of a node, and how many nodes are explored.
const LARGE: (&str, u64) = ("territory/border_clash", 100_000);

/// How often each is tried; the best counts.
const ROUNDS: usize = 7;

fn main() {
    // `cargo test` runs benches with `--test`: nothing is measured then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    on_large_stack(|| {
        println!("random playouts a second, all looked up: the graph is explored whole");
        // A part of a name measures only what has it: `cargo bench --bench graph -- kuhn`.
        let part = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
        let wanted = |name: &str| part.as_ref().is_none_or(|part| name.contains(part.as_str()));
        for (name, promised) in PLAYOUTS.iter().filter(|(name, _)| wanted(name)) {
            playouts(name, *promised);
        }
        if wanted("exploring") {
            exploring();
        }
        println!("exact odds from nothing");
        for (name, promised) in ODDS.iter().filter(|(name, _)| wanted(name)) {
            odds(name, *promised);
        }
        println!("laws tested in every state, beside exact odds with random agents");
        for name in PROVEN.iter().filter(|name| wanted(name)) {
            proven(name);
        }
        if wanted("large") {
            large();
        }
    });
}

fn opened(name: &str) -> Conflict {
    let folder = |path: &str| format!("{}/{path}", env!("CARGO_MANIFEST_DIR")).into();
    let catalog = Catalog::new(&[folder("tests/fixtures/rules"), folder("rules")])
        .expect("the rules folders are there");
    let mut scenario = catalog.scenario(name).expect("the scenario is there");
    scenario.seats.clear();
    Conflict::of(&catalog, scenario, &Changes::default(), &Limits::default()).expect("it opens")
}

fn seated(name: &str) -> Seating {
    Seating::new(&opened(name), 1 << 30).expect("agents sit there")
}

/// The processor's time of this thread since it began.
fn clock() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

fn playouts(name: &str, promised: f64) {
    let seating = seated(name);
    let whole = Bounds { threads: 1, nodes: 2_000_000 };
    let begun = clock();
    let reach = explore(&seating.graph, &seating, whole, &|_| ()).expect("it can be explored");
    let explored = clock() - begun;
    let count = 1_000_000;
    let (mut best, mut both) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        let begun = clock();
        run(&seating, 0, count);
        best = best.min((clock() - begun).as_secs_f64());
        let wall = Instant::now();
        std::thread::scope(|scope| {
            for half in 0..2 {
                let seating = &seating;
                scope.spawn(move || on_large_stack(|| run(seating, half * count, count)));
            }
        });
        both = both.min(wall.elapsed().as_secs_f64());
    }
    let a_second = count as f64 / best;
    println!(
        "  {name:<28} {:>6.2} million (promised {:>4.1}), two threads {:.2} times; \
         {} nodes in {:.3} s, {:?}, {}",
        a_second / 1e6,
        promised / 1e6,
        2.0 * best / both,
        seating.graph.nodes(),
        explored.as_secs_f64(),
        reach,
        bytes(&seating),
    );
}

/// The bytes of a node, with its state.
fn bytes(seating: &Seating) -> String {
    let graph = &seating.graph;
    format!("{:.0} bytes a node", graph.bytes() as f64 / graph.nodes() as f64)
}

fn run(seating: &Seating, from: u64, count: u64) {
    let mut runner = seating.playout_runner().expect("the rules compile");
    for playout in from..from + count {
        black_box(runner.play(Generator::playout(1, playout)).expect("it ends"));
    }
}

/// A factory whose explorers keep no runs.
struct Replaying<'a>(&'a Seating);

impl WorkerFactory for Replaying<'_> {
    fn make_worker(&self) -> Result<(Explorer, SeatedAgents), Error> {
        let (explorer, seats) = self.0.make_worker()?;
        Ok((explorer.keeping(0), seats))
    }

    fn answers(&self) -> &Arc<AnswerCache> {
        self.0.answers()
    }

    fn words(&self) -> Vec<String> {
        self.0.words()
    }

    fn budget(&self) -> &Budget {
        self.0.budget()
    }
}

fn exploring() {
    println!("exploring from nothing, beside the same by replay");
    for (name, nodes) in EXPLORED {
        let (mut kept, mut replayed, mut seen) = (f64::MAX, f64::MAX, 0);
        for _ in 0..ROUNDS {
            let bounds = Bounds { threads: 1, nodes };
            let timed = |replays: bool| {
                let seating = seated(name);
                let factory: &dyn WorkerFactory =
                    if replays { &Replaying(&seating) } else { &seating };
                let begun = clock();
                explore(&seating.graph, factory, bounds, &|_| ()).expect("it can be explored");
                ((clock() - begun).as_secs_f64(), seating.graph.nodes())
            };
            let (seconds, nodes) = timed(false);
            (kept, seen) = (kept.min(seconds), nodes);
            replayed = replayed.min(timed(true).0);
        }
        println!(
            "  {name:<28} {seen} nodes in {kept:.3} s, {:.0} a second, {:.1} times those by replay",
            seen as f64 / kept,
            replayed / kept
        );
    }
    println!("  (promised: tic-tac-toe in 0.05 s)");
}

fn odds(name: &str, promised: f64) {
    let conflict = opened(name);
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let seating = Seating::new(&conflict, 1 << 30).expect("agents sit there");
        let begun = clock();
        let seeking = Seeking { float: false, threads: 1, nodes: u64::MAX };
        let odds = Odds::find(&seating, seeking, &|_| ()).expect("the rules run");
        assert!(black_box(odds).found.is_ok_and(|chances| chances.is_exact()));
        best = best.min((clock() - begun).as_secs_f64());
    }
    println!("  {name:<28} {best:.3} s (promised {promised} s)");
}

fn proven(name: &str) {
    let conflict = opened(name);
    let folder = |path: &str| format!("{}/{path}", env!("CARGO_MANIFEST_DIR")).into();
    let catalog = Catalog::new(&[folder("rules")]).expect("the rules folder is there");
    // Opening and lints take as long where nothing is proven.
    let checked = |nodes: u64| {
        let check = Check {
            catalog: &catalog,
            limits: &Limits::default(),
            seed: 1,
            playouts: 0,
            nodes,
            time: None,
            rules: &[],
            threads: 1,
            progress: &|_| (),
        };
        let begun = clock();
        let report = check.scenario(name).expect("it is checked");
        assert!(report.proofs.iter().all(|proof| proof.states.is_some() == (nodes > 0)));
        (clock() - begun).as_secs_f64()
    };
    let (mut whole, mut besides, mut odds) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        let begun = clock();
        let seating = Seating::new(&conflict, 1 << 30).expect("agents sit there");
        let seeking = Seeking { float: false, threads: 1, nodes: u64::MAX };
        black_box(Odds::find(&seating, seeking, &|_| ()).expect("the rules run"));
        odds = odds.min((clock() - begun).as_secs_f64());
        whole = whole.min(checked(1_000_000));
        besides = besides.min(checked(0));
    }
    let proof = whole - besides;
    println!("  {name:<28} {proof:.3} s, odds {odds:.3} s: {:.2} times", proof / odds);
}

fn large() {
    let (name, nodes) = LARGE;
    let seating = seated(name);
    let bounds = Bounds { threads: 1, nodes };
    let reach = explore(&seating.graph, &seating, bounds, &|_| ()).expect("it can be explored");
    let seen = seating.graph.nodes();
    println!("{name}: {seen} nodes, {reach:?}, {} (promised 200)", bytes(&seating));
}
