//! Tests that the graph keeps its memory bound, by the bytes really allocated, and how many bytes a
//! node takes.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use fracas::conflict::{Conflict, Seating};
use fracas::game::Generator;
use fracas::graph::{Bounds, Graph, Reach, WorkerFactory, explore};
use fracas::script::{live_bytes, on_large_stack};

use super::{inline, opened, with_agent};

const BOUND: u64 = 8 << 20;

/// A graph that was grown on this thread until nothing more fitted, and how many live bytes of this
/// thread belong to it. The seating that made it grow is dropped before they are counted.
fn grown(conflict: &Conflict, grow: impl FnOnce(&Seating)) -> (Arc<Graph>, u64) {
    // What this thread makes once and keeps is made before.
    let small = Seating::new(conflict, 1 << 20).unwrap();
    play(&small, 0..1);
    explore(&small.graph, &small, Bounds { threads: 1, nodes: u64::MAX }, &|_| ()).unwrap();
    play(&small, 0..5);
    drop(small);
    let before = live_bytes();
    let seating = Seating::new(conflict, BOUND).unwrap();
    on_large_stack(|| grow(&seating));
    let graph = seating.graph.clone();
    // With the answers of agents, which count as long as they are there.
    let counted = graph.bytes();
    assert!(counted <= BOUND, "{counted} bytes");
    drop(seating);
    (graph, u64::try_from(live_bytes() - before).unwrap())
}

/// Checks that the counted bytes are the allocated bytes, and that these nearly fill the bound.
#[track_caller]
fn honest(graph: &Graph, allocated: u64) {
    honest_without_answers(graph, allocated);
    assert!(allocated > BOUND - BOUND / 8, "full at {allocated} bytes");
}

/// Checks that the counted bytes are the allocated bytes, with a small tolerance, and that these
/// are at most the bound.
#[track_caller]
fn honest_without_answers(graph: &Graph, allocated: u64) {
    assert!(graph.is_full());
    assert!(allocated <= BOUND, "{allocated} bytes are allocated");
    let counted = graph.bytes();
    let apart = counted.abs_diff(allocated);
    assert!(apart < BOUND / 1000, "{counted} bytes counted, {allocated} allocated");
}

fn play(seating: &Seating, playouts: Range<u64>) {
    let mut runner = seating.playout_runner().unwrap();
    for playout in playouts {
        runner.play(Generator::playout(1, playout)).unwrap();
    }
}

#[test]
fn exploring_five_by_five_tiles_keeps_the_bound_and_playouts_go_on() {
    let conflict = opened("battle_tiles/dealt", &[]);
    let (graph, allocated) = grown(&conflict, |seating| {
        let bounds = Bounds { threads: 1, nodes: u64::MAX };
        let reach = explore(&seating.graph, seating, bounds, &|_| ()).unwrap();
        assert_eq!(reach, Reach::Full);
        play(seating, 0..5);
    });
    honest(&graph, allocated);
}

#[test]
fn playouts_of_five_by_five_tiles_keep_the_bound() {
    let conflict = opened("battle_tiles/dealt", &[]);
    // Those who go on for long find out that it is too large, and store no more.
    let (graph, allocated) = grown(&conflict, |seating| {
        (0..20).for_each(|part| play(seating, 20 * part..20 * part + 20))
    });
    honest(&graph, allocated);
}

/// An agent that prefers what its place on the grid says.
const AGENT: &str = r#"
fn decide(view, decision) {
    let ways = decision.options;
    weighted([[ways[view.x % 4], 3], [ways[view.y % 4], 2], [ways[0], 1]])
}
"#;

#[test]
fn answers_of_agents_count_against_the_bound_and_go_with_them() {
    let conflict = with_agent(GRID, AGENT, "side = 4000\n", &[("red", "own")]);
    let (graph, allocated) = grown(&conflict, |seating| {
        play(seating, 0..20);
        let node = seating.graph.root();
        assert!(seating.answers().at(node).is_some());
        // Where nothing more is kept, what is answered stays the same.
        let roomy = Seating::new(&conflict, 256 << 20).unwrap();
        let ends = |seating: &Seating| {
            let mut runner = seating.playout_runner().unwrap();
            let mut end = |playout| runner.play(Generator::playout(2, playout)).unwrap();
            (0..5).map(|playout| seating.graph.ending_of(end(playout)).cloned()).collect::<Vec<_>>()
        };
        assert_eq!(ends(seating), ends(&roomy));
    });
    // The answers are gone, and so is their count.
    honest_without_answers(&graph, allocated);
}

/// A piece moves from corner to corner of a square, to the right or up, one or two fields at a
/// time.
const GRID: &str = r#"
//! # Grid
//! A piece goes from corner to corner.
fn setup(s) { #{ x: 0, y: 0, side: s.number("side") } }
fn step() {
    switch this.choose("red", "way", ["right", "up", "far right", "far up"]) {
        "right" => this.x += 1,
        "up" => this.y += 1,
        "far right" => this.x += 2,
        _ => this.y += 2,
    }
}
fn outcome() {
    if this.x >= this.side { #{ result: "right", utility: #{ red: 1 } } }
    else if this.y >= this.side { #{ result: "up", utility: #{ red: -1 } } }
}
"#;

#[test]
fn a_node_takes_at_most_200_bytes_besides_its_state() {
    // 320 · 320 places, and the ends.
    let conflict = inline(GRID, "side = 320\n");
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    let before = live_bytes();
    let bounds = Bounds { threads: 1, nodes: u64::MAX };
    assert_eq!(explore(&seating.graph, &seating, bounds, &|_| ()).unwrap(), Reach::Whole);
    let graph = &seating.graph;
    let grew = u64::try_from(live_bytes() - before).unwrap();
    assert!(grew <= graph.bytes());
    assert!(graph.nodes() >= 100_000, "{} nodes", graph.nodes());
    // Every state lies there once: three numbers with their names.
    let (mut seen, mut open, mut states) = (BTreeSet::new(), vec![graph.root()], 0u64);
    while let Some(number) = open.pop() {
        let node = graph.node(number);
        states += graph.state_bytes(node).map_or(0, |state| state.len() as u64);
        open.extend(node.all().filter(|&next| next != 0 && seen.insert(next)));
    }
    let besides = graph.bytes() - states;
    assert!(besides <= 200 * graph.nodes(), "{} bytes a node", besides / graph.nodes());
    let state = states / graph.nodes();
    assert!((12..=80).contains(&state), "{state} bytes a state");
}
