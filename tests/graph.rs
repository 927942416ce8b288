//! Tests the graph: its playouts are those of the script, action for action; it has as many nodes
//! as the game; it keeps its memory bound.

use std::collections::BTreeSet;
use std::sync::Arc;

use fracas::conflict::{Changes, Conflict, Seating};
use fracas::game::{Generator, History, Outcome};
use fracas::graph::{
    Bounds, Ending, Graph, InformationSets, NodeKind, Reach, Traced, WorkerFactory, explore,
};
use fracas::script::Limits;

use crate::support::{LINES, catalog, recorded, scenarios, share_of, unmanned};

const SEED: u64 = 11;

/// One playout of the script alone.
fn alone(conflict: &Conflict, seating: &Seating, playout: u64) -> (History, Outcome) {
    let mut seats = seating.seats(Generator::playout(SEED, playout)).unwrap();
    let (record, played) = recorded(conflict, |question| seats.choose(question));
    (record.history, played.outcome)
}

/// How many playouts are compared: fewer if they are long.
fn playouts(conflict: &Conflict, seating: &Seating) -> u64 {
    let (history, _) = alone(conflict, seating, 0);
    (share_of(300) / (history.len() as u64 + 1)).clamp(3, 25)
}

/// Of the script alone, on a graph that has room for all of it, and on one that is soon full.
#[test]
fn playouts_on_the_graph_are_those_of_the_script_also_where_it_is_full() {
    let catalog = catalog();
    for name in scenarios(&catalog) {
        let conflict = unmanned(&catalog, &name);
        let seating = Seating::new(&conflict, 1 << 20).unwrap();
        let count = playouts(&conflict, &seating);
        let all: Vec<_> = (0..count).map(|playout| alone(&conflict, &seating, playout)).collect();
        for memory in [64 << 20, 1 << 20] {
            let seating = Seating::new(&conflict, memory).unwrap();
            let mut runner = seating.playout_runner().unwrap();
            // Twice: once while the graph grows, once on what it has become.
            for round in 0..2 {
                for (playout, (history, outcome)) in all.iter().enumerate() {
                    let mut trace = Traced::default();
                    let generator = Generator::playout(SEED, playout as u64);
                    let ending = runner.play_traced(generator, &mut trace).unwrap();
                    let place = format!("{name}, playout {playout}, round {round}, {memory} bytes");
                    assert_eq!(trace.history().to_string(), history.to_string(), "{place}");
                    let ending = seating.graph.ending_of(ending);
                    assert_eq!(ending, Some(&Ending::of(outcome)), "{place}");
                }
            }
            assert!(seating.graph.bytes() <= memory, "{name}: {} bytes", seating.graph.bytes());
        }
    }
}

/// The information sets of a whole game: who decides, and how many nodes belong to each.
fn information_sets(name: &str) -> Vec<(String, usize)> {
    let conflict = unmanned(&catalog(), name);
    let seating = Seating::new(&conflict, 64 << 20).unwrap();
    let bounds = Bounds { threads: 1, nodes: u64::MAX };
    explore(&seating.graph, &seating, bounds, &|_| ()).unwrap();
    let (explorer, _) = seating.make_worker().unwrap();
    let mut sets = InformationSets::default();
    for number in reachable(&seating.graph) {
        if seating.graph.node(number).kind() == NodeKind::Decision {
            sets.of(&explorer, number).unwrap();
        }
    }
    let sizes = sets.sets().iter().map(|set| (set.asked.who.clone(), set.nodes.len()));
    let mut sizes: Vec<(String, usize)> = sizes.collect();
    sizes.sort();
    sizes
}

#[test]
fn kuhn_poker_has_twelve_information_sets() {
    // Six deals, and in each of them four decisions: ann's first, bob's after a check and after a
    // bet, ann's after check and bet. Whoever decides knows one card of three and what was done, so
    // that two deals look alike: 3 cards times 2 situations for each player, of 2 nodes each.
    let expected = [("ann", 2); 6].into_iter().chain([("bob", 2); 6]);
    let expected: Vec<_> = expected.map(|(name, size)| (name.to_owned(), size)).collect();
    assert_eq!(information_sets("kuhn_poker/one_hand"), expected);
}

#[test]
fn nobody_sees_what_others_pick_at_the_same_time() {
    // The first of the two is asked at one node, the second at one for each of three picks.
    let sets = information_sets("rock_paper_scissors/once");
    let sizes: Vec<usize> = sets.iter().map(|(_, size)| *size).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 4);
    assert_eq!(sets.len(), 2);
}

#[test]
fn a_graph_serves_no_other_rules() {
    let catalog = catalog();
    let conflict = unmanned(&catalog, "war_die/ford");
    let seating = Seating::new(&conflict, 64 << 20).unwrap();
    let changes = Changes { house: vec!["cheap_mana".to_owned()], ..Changes::default() };
    let other = Conflict::open(&catalog, "war_die/ford", &changes, &Limits::default()).unwrap();
    let error = Seating::at(&other, seating.graph.clone()).unwrap().make_worker().err().unwrap();
    assert!(error.to_string().contains("other rules"), "{error}");
}

fn explored(name: &str, threads: usize) -> Arc<Graph> {
    let conflict = unmanned(&catalog(), name);
    let seating = Seating::new(&conflict, 256 << 20).unwrap();
    let bounds = Bounds { threads, nodes: u64::MAX };
    let reach = explore(&seating.graph, &seating, bounds, &|_| ()).unwrap();
    assert_eq!(reach, Reach::Whole, "{name}");
    seating.graph
}

#[test]
fn tic_tac_toe_has_its_5478_states() {
    // The positions of tic-tac-toe that can be reached, counted many times: 5,478. Of these 958 are
    // over (626 won by X, 316 by O, 16 draws), and in 4,520 a player is to move. With one square
    // left there is nothing to decide, so the script moves at once: those positions have no node
    // of their own. They are the boards of 5 X-moves less one, 4 O, nobody having won: of X 4 and
    // O 4 there are 126 · 5 = 630 boards, less those in which somebody has three in a row.
    let one_empty_undecided = boards().filter(|board| empty(board) == 1 && !won(board)).count();
    let over = boards().filter(|board| won(board) || empty(board) == 0).count();
    assert_eq!((over, boards().count()), (958, 5478));
    for threads in [1, 2] {
        let graph = explored("tic_tac_toe/empty_board", threads);
        let (mut ends, mut open) = (0, 0);
        count(&graph, |kind| match kind {
            NodeKind::End => ends += 1,
            _ => open += 1,
        });
        assert_eq!((ends, open), (over, 5478 - over - one_empty_undecided));
    }
}

/// Every position that can be reached, once: 0 is empty, 1 is X, 2 is O.
fn boards() -> impl Iterator<Item = [u8; 9]> {
    let mut seen = BTreeSet::from([[0; 9]]);
    let mut open = vec![[0; 9]];
    while let Some(board) = open.pop() {
        if won(&board) {
            continue;
        }
        let mark = if empty(&board) % 2 == 1 { 1 } else { 2 };
        for square in (0..9).filter(|&square| board[square] == 0) {
            let mut next = board;
            next[square] = mark;
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen.into_iter()
}

fn empty(board: &[u8; 9]) -> usize {
    board.iter().filter(|&&mark| mark == 0).count()
}

fn won(board: &[u8; 9]) -> bool {
    LINES.iter().any(|line| board[line[0]] != 0 && line.iter().all(|&i| board[i] == board[line[0]]))
}

fn count(graph: &Graph, mut of: impl FnMut(NodeKind)) {
    reachable(graph).into_iter().for_each(|number| of(graph.node(number).kind()));
}

fn reachable(graph: &Graph) -> BTreeSet<u32> {
    let mut seen = BTreeSet::from([graph.root()]);
    let mut open = vec![graph.root()];
    while let Some(number) = open.pop() {
        open.extend(graph.node(number).all().filter(|&next| seen.insert(next)));
    }
    seen
}

#[test]
fn a_thread_that_panics_ends_the_exploring_of_all() {
    let conflict = unmanned(&catalog(), "battle_tiles/dealt");
    let seating = Seating::new(&conflict, 64 << 20).unwrap();
    let bounds = Bounds { threads: 3, nodes: u64::MAX };
    let told = |_| panic!("nobody counts so far");
    let error = explore(&seating.graph, &seating, bounds, &told).unwrap_err();
    assert!(error.to_string().contains("nobody counts so far"), "{error}");
}
