//! Tests the memory bound (`--graph-memory`) that the graph, computations on it and agents share,
//! and the time limit of every phase. A computation that is cut names its bound; one that is not
//! cut has the same result under any bound.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fracas::analysis::{Odds, Seeking, Solved, Solving};
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::error::{Cut, Error};
use fracas::game::Generator;
use fracas::graph::{Bounds, Reach, explore};
use fracas::script::{Budget, Limits};

use crate::support::catalog;

fn open(name: &str, seats: &[(&str, &str)], budget: &Budget) -> Conflict {
    let seats = seats.iter().map(|(seat, agent)| (seat.to_string(), agent.to_string())).collect();
    let changes = Changes { seats, ..Changes::default() };
    let limits = Limits { budget: budget.clone(), ..Limits::default() };
    Conflict::open(&catalog(), name, &changes, &limits).unwrap()
}

fn solving(time: Option<Duration>) -> Solving {
    Solving { exact: false, within: 0.1, time, threads: 2, nodes: u64::MAX, work: None }
}

fn reason(solved: Solved) -> String {
    assert!(!solved.interrupted);
    solved.found.unwrap_err()
}

#[test]
fn a_time_limit_holds_from_the_first_node_on() {
    let conflict = open("last_stand/last_blows", &[], &Budget::default());
    let seating = Seating::new(&conflict, 64 << 20).unwrap();
    let solved = Solved::find(&seating, solving(Some(Duration::ZERO)), &|_| ()).unwrap();
    let why = reason(solved);
    assert!(why.starts_with("the time limit of 0 s was reached (`--time` sets another)"), "{why}");
}

/// A game that is explored with enough memory, so that only what is computed next is cut.
fn explored(name: &str) -> Seating {
    let conflict = open(name, &[], &Budget::default());
    let seating = Seating::new(&conflict, 256 << 20).unwrap().unmanned();
    let bounds = Bounds { threads: 2, nodes: u64::MAX };
    assert_eq!(explore(&seating.graph, &seating, bounds, &|_| ()).unwrap(), Reach::Whole);
    seating
}

#[test]
fn what_is_computed_on_the_graph_counts_against_the_bound() {
    // All is seen in turn; two sides learn; a table of strategies.
    for name in ["tic_tac_toe/empty_board", "leduc_poker/one_hand", "kuhn_poker/one_hand"] {
        let seating = explored(name);
        let roomy = Solved::find(&seating, solving(None), &|_| ()).unwrap().found.unwrap();
        let mut cut = 0;
        for bound in [12, 17, 22, 27].map(|power| 1 << power) {
            let budget = Budget::new(bound);
            let solved = Solved::find(&seating.under(budget.clone()), solving(None), &|_| ());
            match solved.unwrap().found {
                Ok(solution) => assert_eq!(solution.value, roomy.value, "{name} under {bound}"),
                Err(why) => {
                    assert!(why.contains("--graph-memory"), "{name} under {bound}: {why}");
                    cut += 1;
                }
            }
            assert_eq!(budget.used(), 0, "{name}: what was counted is given back");
        }
        assert!((1..4).contains(&cut), "{name}: cut {cut} times");
    }
}

#[test]
fn odds_count_against_the_bound() {
    let seating = explored("tic_tac_toe/empty_board");
    let seeking = Seeking { float: false, threads: 1, nodes: u64::MAX };
    let find = |bound| {
        let budget = Budget::new(bound);
        Odds::find(&seating.under(budget), seeking, &|_| ()).unwrap().found
    };
    let why = find(1 << 18).unwrap_err();
    assert!(why.reason.contains("--graph-memory"), "{}", why.reason);
    assert_eq!(find(64 << 20), find(512 << 20));
    find(64 << 20).unwrap();
}

#[test]
fn thoughts_of_agents_count_against_the_bound_and_stay_the_same() {
    let seats = [("white", "search:20"), ("black", "search:20")];
    let played = |memory: u64| {
        let budget = Budget::new(memory);
        let conflict = open("territory/three_tokens", &seats, &budget);
        let seating = Seating::new(&conflict, memory).unwrap();
        let (most, done) = (AtomicU64::new(0), AtomicBool::new(false));
        let look = || _ = most.fetch_max(budget.used(), Ordering::Relaxed);
        let mut runner = seating.playout_runner().unwrap();
        let endings: Result<Vec<_>, _> = std::thread::scope(|scope| {
            // What a thought takes while it lasts counts too.
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    look();
                    std::thread::yield_now();
                }
            });
            let play = |playout| {
                let ending = runner.play(Generator::playout(5, playout));
                look();
                ending.map(|ending| seating.graph.ending_of(ending).cloned())
            };
            let endings = (0..3).map(play).collect();
            done.store(true, Ordering::Relaxed);
            endings
        });
        let most = most.into_inner();
        assert!(most > 0 && most <= memory, "{most} bytes of {memory}");
        assert!(seating.graph.bytes() <= memory / 2, "the agents have their half");
        drop((runner, seating));
        assert_eq!(budget.used(), 0, "what was counted is given back");
        endings.unwrap()
    };
    assert_eq!(played(1 << 30), played(24 << 20));
}

#[test]
fn an_agent_that_thinks_plays_the_same_under_any_bound_or_says_which_left_no_room() {
    let seats = [("white", "search:20"), ("black", "random")];
    let played = |memory: u64| -> Result<_, Error> {
        let budget = Budget::new(memory);
        let seating = Seating::new(&open("territory/three_tokens", &seats, &budget), memory)?;
        let mut runner = seating.playout_runner()?;
        let ending = runner.play(Generator::playout(5, 0))?;
        Ok((seating.graph.is_full(), seating.graph.ending_of(ending).cloned()))
    };
    let (full, roomy) = played(1 << 30).unwrap();
    assert!(!full);
    let (mut same, mut refused) = (0, 0);
    for bound in (12..=24).map(|power| 1 << power) {
        match played(bound) {
            // The graph that all share may be full: thoughts have their own part of the bound.
            Ok((_, ending)) => {
                assert_eq!(ending, roomy, "under {bound}");
                same += 1;
            }
            Err(error) => {
                let why = error.to_string();
                let told = Cut::Memory(bound).to_string();
                assert!(why.contains(&told), "under {bound}: {why}");
                refused += 1;
            }
        }
    }
    assert!(same > 0 && refused > 0, "{same} {refused}");
}

#[test]
fn progress_counts_what_is_seen_and_not_what_agents_explore() {
    let conflict =
        open("leduc_poker/one_hand", &[("ann", "search:5"), ("bob", "random")], &Budget::default());
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    let told = AtomicU64::new(0);
    let known = AtomicU64::new(0);
    let bounds = Bounds { threads: 1, nodes: 100_000 };
    let progress = |nodes| {
        told.store(nodes, Ordering::Relaxed);
        known.store(seating.graph.nodes(), Ordering::Relaxed);
    };
    explore(&seating.graph, &seating, bounds, &progress).unwrap();
    let (told, known) = (told.into_inner(), known.into_inner());
    // Bob and the cards bring ann to 349 nodes; what she thinks of beside those is more.
    assert!((64..=349).contains(&told) && told < known, "{told} of {known}");
}
