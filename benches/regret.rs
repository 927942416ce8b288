//! Benchmarks of regret minimisation on hidden games: iterations a second, and the time to a
//! solution.
//!
//! `cargo bench --bench regret`. Times are processor time, the best of several rounds.

use std::time::Duration;

use fracas::analysis::equilibrium::{ExtensiveForm, Learner, Responder, Until, solve_hidden};
use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::graph::{Bounds, InformationSets, WorkerFactory, explore};
use fracas::script::{Limits, on_large_stack};
use rustix::time::{ClockId, clock_gettime};

/// How often each is tried; the best counts.
const ROUNDS: usize = 5;
/// Iterations a second of CFR+ on Kuhn poker that are promised.
const KUHN: f64 = 150_000.0;
/// The exploitability of Leduc poker that is promised, and the seconds to get there.
const LEDUC: (f64, f64) = (0.0026, 1.0);

fn main() {
    // `cargo test` runs benches with `--test`: nothing is measured then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    on_large_stack(|| {
        kuhn();
        leduc();
        war();
    });
}

fn kuhn() {
    let (drawn, _) = drawn("kuhn_poker/one_hand");
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let mut regret = Learner::whole(&drawn);
        let begun = clock();
        (0..100_000).for_each(|_| regret.iterate());
        best = best.min((clock() - begun).as_secs_f64());
    }
    let rate = 100_000.0 / best;
    println!("CFR+ on Kuhn poker: {rate:.0} iterations a second (promised {KUHN:.0})");
}

fn leduc() {
    let mut best = (f64::MAX, f64::MAX, 0);
    for _ in 0..ROUNDS {
        let begun = clock();
        let (drawn, _) = drawn("leduc_poker/one_hand");
        let ready = clock();
        let mut learner = Learner::new(&drawn, 0);
        let mut responder = Responder::new(&drawn);
        while responder.exploitability(&learner.average()) > LEDUC.0 {
            (0..10).for_each(|_| learner.iterate());
        }
        let all = (clock() - begun).as_secs_f64();
        if all < best.0 {
            best = (all, (clock() - ready).as_secs_f64(), learner.iterations());
        }
    }
    let (all, learned, iterations) = best;
    println!(
        "Leduc poker to exploitability {}: {learned:.3} s, {iterations} iterations; {all:.3} s from \
         nothing (promised {:.1} s)",
        LEDUC.0, LEDUC.1
    );
}

fn war() {
    let mut best = (f64::MAX, 0.0);
    for _ in 0..ROUNDS {
        let begun = clock();
        let seating = seating("war_die/ford");
        let (explorer, _) = seating.make_worker().expect("the rules compile");
        let until = Until { within: 0.01, time: None, work: None };
        let known = &mut InformationSets::default();
        let solution = solve_hidden(&seating, &explorer, known, until, &mut |_| Ok(()));
        let left = solution.expect("it is solved").exploitability;
        let taken = (clock() - begun).as_secs_f64();
        if taken < best.0 {
            best = (taken, left);
        }
    }
    println!(
        "war_die/ford, one war, from nothing: {:.3} s, nobody gains more than {:.4} (promised 1 s)",
        best.0, best.1
    );
}

/// A conflict without agents, explored.
fn seating(name: &str) -> Seating {
    let folder = |path: &str| format!("{}/{path}", env!("CARGO_MANIFEST_DIR")).into();
    let folders = [folder("tests/fixtures/rules"), folder("rules")];
    let catalog = Catalog::new(&folders).expect("the folders are there");
    let mut scenario = catalog.scenario(name).expect("the scenario is there");
    scenario.seats.clear();
    let conflict = Conflict::of(&catalog, scenario, &Changes::default(), &Limits::default())
        .expect("it opens");
    let seating = Seating::new(&conflict, 1 << 30).expect("agents sit there");
    let bounds = Bounds { threads: 1, nodes: u64::MAX };
    explore(&seating.graph, &seating, bounds, &|_| ()).expect("it can be explored");
    seating
}

fn drawn(name: &str) -> (ExtensiveForm, Seating) {
    let seating = seating(name);
    let (explorer, _) = seating.make_worker().expect("the rules compile");
    let known = &mut InformationSets::default();
    (ExtensiveForm::draw(&seating, &explorer, known, &|_| true).expect("it can be solved"), seating)
}

/// The processor's time of this thread since it began.
fn clock() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
