//! The works that are counted: random playouts by the script alone, playouts through the graph, and exploring, on the
//! rules of the contract, which never change.
//!
//! `cargo bench --bench works` prints the processor's time of one piece of each work; `cargo bench --bench works --
//! NAME COUNT` makes so many pieces of one and prints nothing. `benches/count` counts their instructions.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fracas::catalog::{Catalog, FileText, Scenario};
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::game::Generator;
use fracas::graph::{Bounds, explore};
use fracas::script::{Ear, Limits, Run, on_large_stack};
use rustix::time::{ClockId, clock_gettime};

/// The works, with how many pieces of each are timed. Those named like a system are playouts of its script alone.
const WORKS: [(&str, u64); 8] = [
    ("territory", 4_000),
    ("attrition", 800),
    ("war_die", 4_000),
    ("battle_tiles", 800),
    ("last_stand", 800),
    ("tic_tac_toe", 200_000),
    ("through_graph", 800),
    ("exploring", 20_000),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    // `cargo test` runs benches with `--test`: nothing is measured then.
    if words.iter().any(|word| word == "--test") {
        return;
    }
    on_large_stack(|| match &words[..] {
        [] => WORKS.iter().for_each(|(name, count)| {
            let begun = processor_time();
            work(name, *count);
            let each = (processor_time() - begun).as_secs_f64() / *count as f64;
            println!("{name:<14} {:>10.3} µs each", each * 1e6);
        }),
        [name, count] => work(name, count.parse().expect("a count")),
        _ => eprintln!("no words, or the name of a work and a count"),
    });
}

/// So many pieces of a work: playouts, or nodes of the graph.
fn work(name: &str, count: u64) {
    match name {
        "tic_tac_toe" => {
            let scenario = catalog().scenario("tic_tac_toe/empty_board").expect("it is there");
            by_graph(&opened(scenario), count);
        }
        // Of a conflict that is too large for it: the same playouts as by its script alone.
        "through_graph" => by_graph(&opened(benched("battle_tiles")), count),
        "exploring" => {
            let scenario = catalog().scenario("last_stand/bridge").expect("it is there");
            let seating = seated(&opened(scenario));
            let bounds = Bounds { threads: 1, nodes: count };
            explore(&seating.graph, &seating, bounds, &|_| ()).expect("it can be explored");
        }
        system => by_script(system, count),
    }
}

fn by_script(system: &str, count: u64) {
    let conflict = opened(benched(system));
    for playout in 0..count {
        let mut generator = Generator::playout(1, playout);
        let run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
        black_box(run.finish(|question| Ok(generator.sample(question))).expect("it plays"));
    }
}

fn by_graph(conflict: &Conflict, count: u64) {
    let mut runner = seated(conflict).playout_runner().expect("the rules compile");
    for playout in 0..count {
        black_box(runner.play(Generator::playout(1, playout)).expect("it ends"));
    }
}

fn benched(system: &str) -> Scenario {
    let file = contract("bench").join(format!("{system}.toml"));
    let text = std::fs::read_to_string(&file).expect("the name of a work");
    let text = FileText { path: file.display().to_string(), text };
    Scenario::parse(system, text).expect("a scenario")
}

fn contract(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contract").join(folder)
}

fn catalog() -> Catalog {
    Catalog::new(&[contract("rules")]).expect("the rules of the contract")
}

fn opened(mut scenario: Scenario) -> Conflict {
    scenario.seats.clear();
    Conflict::of(&catalog(), scenario, &Changes::default(), &Limits::default()).expect("it opens")
}

fn seated(conflict: &Conflict) -> Seating {
    Seating::new(conflict, 1 << 30).expect("agents sit there")
}

/// The processor's time of this thread: what others do on the machine hardly counts.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
