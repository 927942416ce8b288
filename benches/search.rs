//! Benchmarks of the `search` agent: simulations a second of one thread, with the graph explored.
//!
//! `cargo bench --bench search`. Times are processor time, the best of several rounds.

use std::time::Duration;

use fracas::agents::{AgentSpec, CompiledAgents, SharedThinking};
use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::graph::{Bounds, Standpoint, WorkerFactory, explore};
use fracas::script::{Limits, on_large_stack};
use rustix::time::{ClockId, clock_gettime};

/// Scenarios, with the simulations a second that are promised for the first decision.
const PROMISED: [(&str, f64); 2] =
    [("tic_tac_toe/empty_board", 1e6), ("rock_paper_scissors/once", 1e6)];
const SIMULATIONS: u32 = 1_000_000;
/// How often each is tried; the best counts.
const ROUNDS: usize = 5;

fn main() {
    // `cargo test` runs benches with `--test`: nothing is measured then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    on_large_stack(|| {
        println!("simulations a second, graph explored");
        PROMISED.iter().for_each(|(name, promised)| measure(name, *promised));
    });
}

fn measure(name: &str, promised: f64) {
    let folder = |path: &str| format!("{}/{path}", env!("CARGO_MANIFEST_DIR")).into();
    let catalog = Catalog::new(&[folder("tests/fixtures/rules")]).expect("the folder is there");
    let mut scenario = catalog.scenario(name).expect("the scenario is there");
    scenario.seats.clear();
    let conflict = Conflict::of(&catalog, scenario, &Changes::default(), &Limits::default())
        .expect("it opens");
    let seating = Seating::new(&conflict, 1 << 30).expect("agents sit there");
    let bounds = Bounds { threads: 1, nodes: u64::MAX };
    explore(&seating.graph, &seating, bounds, &|_| ()).expect("it can be explored");
    let (explorer, _) = seating.make_worker().expect("the rules compile");
    let word = format!("search:{SIMULATIONS}");
    let found = AgentSpec::read(&word, &conflict.folder).expect("it is an agent");
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let (blueprint, setup) = (seating.blueprint.clone(), seating.setup.clone());
        // SharedThinking of its own: nothing has been thought of before.
        let shared = SharedThinking::new(blueprint, setup, seating.graph.clone(), name);
        let mut agent = found.agent(&shared, &CompiledAgents::default()).expect("it compiles");
        let root = seating.graph.root();
        let taken = explorer.visit(root, move |decision| {
            let begun = clock();
            agent.answer(decision, Standpoint::at(root))?;
            Ok(clock() - begun)
        });
        best = best.min(taken.expect("it answers").as_secs_f64());
    }
    let millions = f64::from(SIMULATIONS) / best / 1e6;
    println!("  {name:<28} {millions:>6.2} million (promised {:>4.1})", promised / 1e6);
}

/// The processor's time of this thread since it began.
fn clock() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
