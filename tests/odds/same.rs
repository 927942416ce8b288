//! Numbers are the same whoever works them out, and however many do.

use fracas::analysis::{Enough, Estimated, Sampling, Seeking, Stage};
use fracas::catalog::{Catalog, FileKind};

use super::{SEEKING, odds, opened, seating};
use crate::support::{catalog, path, unmanned};

/// Scenarios with chance, choices, secrets and scripts.
const TRIED: [(&str, &[(&str, &str)]); 4] = [
    ("kuhn_poker/one_hand", &[]),
    ("tic_tac_toe/x_to_win", &[]),
    ("territory/no_mans_land", &[("white", "even_hand")]),
    ("war_die/bluff", &[("red", "bluffer")]),
];

#[test]
fn estimates_are_the_same_for_any_number_of_threads() {
    for (name, seats) in TRIED {
        let conflict = opened(name, seats);
        let sampled = |threads: usize, enough: Enough| {
            let sampling = Sampling { seed: 5, n: 3000, enough, threads };
            let estimated =
                Estimated::watched(&seating(&conflict), sampling, &[], &|_| ()).unwrap();
            (estimated.n, estimated.chances)
        };
        for enough in [Enough::All, Enough::Within(0.05), Enough::Clear] {
            let alone = sampled(1, enough);
            for threads in [2, 5] {
                assert_eq!(sampled(threads, enough), alone, "{name} by {threads}, {enough:?}");
            }
        }
    }
}

#[test]
fn whoever_waits_for_an_estimate_hears_what_is_known_with_intervals() {
    let conflict = opened("kuhn_poker/one_hand", &[]);
    let sampling = Sampling { seed: 5, n: 3000, enough: Enough::All, threads: 1 };
    let heard = std::sync::Mutex::new(Vec::new());
    let stage = |stage| heard.lock().unwrap().push(stage);
    let watched = Estimated::watched(&seating(&conflict), sampling, &[], &stage).unwrap();
    let alone = Estimated::watched(&seating(&conflict), sampling, &[], &|_| ()).unwrap();
    assert_eq!(watched.chances, alone.chances, "whoever listens changes nothing");
    let heard = heard.into_inner().unwrap();
    let known = heard.iter().find_map(|stage| match stage {
        Stage::Known(text) => Some(text.clone()),
        _ => None,
    });
    // Two results, the likelier one first; played at random ann wins the more chips, 1/8 a hand.
    let known = known.unwrap();
    assert!(known.starts_with("ann ") && known.contains(", bob "), "{known}");
    assert_eq!(known.matches(" to ").count(), 2, "{known}");
}

/// Small for a program that is optimized, and minutes for a test: `cargo bench` explores it whole.
const BENCHED: [&str; 1] = ["battle_tiles/two_tiles_each"];

#[test]
fn what_calls_itself_small_is_and_each_system_has_one() {
    let catalog = catalog();
    let shipped = Catalog::new(&[path("rules")]).unwrap();
    for folder in shipped.folders() {
        let titled = |name: &String| {
            let title = folder.scenario(name).unwrap().title.unwrap_or_default();
            title.to_lowercase().contains("small enough for exact odds")
        };
        let small: Vec<String> =
            folder.names(FileKind::Scenario).into_iter().filter(titled).collect();
        assert!(!small.is_empty(), "{} has no small scenario", folder.name());
        let named = small.into_iter().map(|name| format!("{}/{name}", folder.name()));
        for name in named.filter(|name| !BENCHED.contains(&name.as_str())) {
            let conflict = unmanned(&catalog, &name);
            // So many nodes are what the prompt explores unasked.
            let odds = odds(&seating(&conflict), Seeking { nodes: 50_000, ..SEEKING });
            assert!(odds.found.is_ok(), "{name}: {:?}", odds.found);
        }
    }
}

#[test]
fn odds_are_the_same_for_any_number_of_threads() {
    for (name, seats) in TRIED {
        let conflict = opened(name, seats);
        let by = |threads: usize| {
            odds(&seating(&conflict), Seeking { threads, ..SEEKING }).found.unwrap()
        };
        let alone = by(1);
        for threads in [2, 5] {
            assert_eq!(by(threads), alone, "{name} by {threads}");
        }
    }
}

#[test]
fn odds_of_a_graph_that_playouts_have_grown_are_those_of_a_new_one() {
    let conflict = opened("war_die/bluff", &[("red", "bluffer")]);
    let grown = seating(&conflict);
    let sampling = Sampling { seed: 3, n: 20, enough: Enough::All, threads: 2 };
    Estimated::watched(&grown, sampling, &[], &|_| ()).unwrap();
    let (grown, new) = (odds(&grown, SEEKING), odds(&seating(&conflict), SEEKING));
    assert_eq!(grown.found, new.found);
}
