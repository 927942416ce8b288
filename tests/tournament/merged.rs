//! Tests that shards that were played apart and merged have the standings of a single run.

use std::path::PathBuf;

use fracas::handlers::Generator;
use fracas::tournament::Claim;
use fracas::tournament::results::{Merged, merge};

use super::*;

const SHARDS: u64 = 7;

fn played(folder: &Path, spec: &Spec) -> Vec<PathBuf> {
    let mut generator = Generator::playout(2, 2);
    (1..=SHARDS)
        .map(|index| {
            let path = folder.join(format!("part{index}.db"));
            // Every other one is stopped in the middle, and goes on.
            for most in [Some(1 + generator.below(40)), None] {
                let mut results = open_shard(&path, spec, &format!("{index}/{SHARDS}"));
                play(spec, &mut results, &QUICK, 2, most.filter(|_| index % 2 == 0));
                results.close().unwrap();
            }
            path
        })
        .collect()
}

#[test]
fn seven_shards_come_to_the_standings_of_a_single_run() {
    for text in [EVEN, WITHIN] {
        let folder = tempfile::tempdir().unwrap();
        let spec = spec(text);
        let mut parts = played(folder.path(), &spec);
        // A part that is given twice is taken once, and the order is nobody's business.
        parts.reverse();
        parts.push(parts[2].clone());
        let out = folder.path().join("all.db");
        let merged = merge(&parts, &out).unwrap();
        assert_eq!(merged.missing, []);
        assert_eq!(standings(&out, &spec), undisturbed(&spec), "{text}");
        // What is merged is a tournament like any other.
        let mut results = open(&out, &spec);
        let run = play(&spec, &mut results, &QUICK, 2, None);
        assert_eq!((run.played, run.interrupted), (0, false));
    }
}

#[test]
fn what_is_missing_is_named_and_can_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(EVEN);
    let mut parts = played(folder.path(), &spec);
    parts.remove(1);
    parts.remove(1);
    let out = folder.path().join("all.db");
    let merged = merge(&parts, &out).unwrap();
    // 3 pairings, 2 scenarios, 150 games: 900, of which 1, 2, 8, 9, … 897, 898 are missing.
    assert_eq!(merged.games, 900 - 2 * 129);
    assert_eq!(merged.missing[..2], [1..=2, 8..=9]);
    let sentence = merged.sentence().unwrap();
    assert_eq!(sentence, "shard 2/7 is missing (129 games), shard 3/7 is missing (129 games)");
    let mut results = open(&out, &spec);
    let run = play(&spec, &mut results, &QUICK, 3, None);
    assert_eq!(run.played, 258);
    assert_eq!(told(&run.state), undisturbed(&spec));
    assert_eq!(Merged::default().sentence(), None);
    let told = |missing: &[std::ops::RangeInclusive<u64>], parts: &[Option<&str>]| {
        let parts = parts.iter().map(|part| part.map(|part| part.parse().unwrap())).collect();
        Merged { games: 1, missing: missing.to_vec(), parts }.sentence().unwrap()
    };
    assert_eq!(told(&[3..=3], &[None, Some("1/2")]), "1 game is missing: 3");
    assert_eq!(
        told(&[1..=2, 8..=9], &[Some("1/2"), Some("1/3")]),
        "4 games are missing: 1 to 2, 8 to 9"
    );
    // Of 1, 2, 3 and 5 the first half has 2, the other one 1, 3 and 5.
    assert_eq!(
        told(&[1..=3, 5..=5], &[Some("1/2")]),
        "shard 1/2 was not played to its end (1 game left), shard 2/2 is missing (3 games)"
    );
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let own = spec(EVEN);
    let other = spec(&EVEN.replace("seed = 3", "seed = 4"));
    for (name, spec) in [("a.db", &own), ("b.db", &other)] {
        let mut results = open(&at(name), spec);
        play(spec, &mut results, &QUICK, 1, None);
        results.close().unwrap();
    }
    let error = merge(&[at("a.db"), at("b.db")], &at("all.db")).unwrap_err();
    assert!(error.to_string().ends_with("another tournament: `seed` was 3, is 4"), "{error}");
    let error = merge(&[at("none.db")], &at("all.db")).unwrap_err();
    assert!(error.to_string().ends_with("none.db`: no such file or directory"), "{error}");
    let error = merge(&[at("a.db")], &at("b.db")).unwrap_err();
    assert!(error.to_string().ends_with("it is there already"), "{error}");
    assert_eq!(merge(&[], &at("all.db")).unwrap_err().kind(), "usage");
    let mut left: Vec<_> =
        folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.db", "b.db"]);
}

#[test]
fn games_about_which_parts_disagree_do_not_count_until_they_are_played_again() {
    /// The dice, but one game in a hundred has another result.
    struct Loaded;
    impl Referee for Loaded {
        fn play(&self, game: &Game) -> Result<GameResult, Error> {
            let thrown = Dice { seed: 11, work: 0, exact: false }.play(game)?;
            let loaded = GameResult { utility: vec![99.0, 0.0], ..thrown.clone() };
            Ok(if game.number % 100 == 7 { loaded } else { thrown })
        }
    }
    impl RefereeFactory for Loaded {
        fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
            Ok(Box::new(Loaded))
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let [one, other, all] = ["one.db", "other.db", "all.db"].map(|name| folder.path().join(name));
    let spec = spec(EVEN);
    for (path, panel) in [(&one, &QUICK as &dyn RefereeFactory), (&other, &Loaded)] {
        let mut results = open(path, &spec);
        play(&spec, &mut results, panel, 1, None);
        results.close().unwrap();
    }
    let merged = merge(&[one.clone(), other.clone()], &all).unwrap();
    // Of 900 games, those numbered 7, 107, … 807.
    assert_eq!(merged.games, 891);
    let expected: Vec<_> = (0..9).map(|hundred| hundred * 100 + 7..=hundred * 100 + 7).collect();
    assert_eq!(merged.missing, expected);
    let disputed = Results::read(&all).unwrap().disputed().unwrap();
    assert_eq!(disputed.len(), 9);
    for game in &disputed {
        let [first, second] = &game.results[..] else { panic!() };
        let utility = |claim: &Claim| claim.utility.values().copied().collect::<Vec<f64>>();
        let (thrown, loaded) = (utility(first), utility(second));
        assert_eq!([&first.file, &second.file], [&one, &other].map(|path| path.to_str().unwrap()));
        assert!(loaded == [99.0, 0.0] && thrown != loaded, "{game:?}");
    }
    let mut results = open(&all, &spec);
    let run = play(&spec, &mut results, &QUICK, 2, None);
    assert_eq!((run.played, told(&run.state)), (9, undisturbed(&spec)));
    // Once they have been played again, nothing is disputed any more.
    assert_eq!(results.disputed().unwrap(), []);
}

#[test]
fn a_gap_does_not_hide_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(EVEN);
    let mut parts = played(folder.path(), &spec);
    parts.remove(0);
    let out = folder.path().join("all.db");
    let merged = merge(&parts, &out).unwrap();
    let mut results = Results::read(&out).unwrap();
    let state = replay(&spec, &mut results, |_, _, _| Ok(())).unwrap();
    // The first game is missing; 900 games have 129 whose numbers 7 divides.
    assert_eq!((merged.missing[0].clone(), state.tally().games()), (0..=0, 900 - 129));
}

#[test]
fn what_looks_at_results_cannot_be_split() {
    for (text, what) in [
        (SWISS, "`format = \"swiss\"` looks at the results so far, so it cannot be split"),
        (
            UNCERTAIN,
            "`allocate = \"uncertain\"` looks at the results so far, so it cannot be split",
        ),
    ] {
        assert_eq!(Shard::check(&spec(text)).unwrap_err().to_string(), what);
    }
    Shard::check(&spec(EVEN)).unwrap();
}
