//! Do shards that were played apart come to what one run comes to?

use std::path::PathBuf;

use fracas::handlers::Generator;
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
    assert_eq!(told(&run.course), undisturbed(&spec));
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
    for (name, spec, work) in [("a.db", &own, 0), ("b.db", &other, 0), ("c.db", &own, 1)] {
        let mut results = open(&at(name), spec);
        let panel = Loaded(work);
        play(spec, &mut results, &panel, 1, None);
        results.close().unwrap();
    }
    let error = merge(&[at("a.db"), at("b.db")], &at("all.db")).unwrap_err();
    assert!(error.to_string().ends_with("another tournament: `seed` was 3, is 4"), "{error}");
    let error = merge(&[at("a.db"), at("c.db")], &at("all.db")).unwrap_err();
    assert!(
        error.to_string().ends_with("c.db`: it disagrees with another part about game 0"),
        "{error}"
    );
    let error = merge(&[at("none.db")], &at("all.db")).unwrap_err();
    assert!(error.to_string().ends_with("none.db`: no such file or directory"), "{error}");
    let error = merge(&[at("a.db")], &at("c.db")).unwrap_err();
    assert!(error.to_string().ends_with("it is there already"), "{error}");
    assert_eq!(merge(&[], &at("all.db")).unwrap_err().kind(), "usage");
    let mut left: Vec<_> =
        folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.db", "b.db", "c.db"]);
}

/// The dice, with another seed where they are loaded.
struct Loaded(u64);

impl Panel for Loaded {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        Ok(Box::new(Dice { seed: 11 + self.0, work: 0, exact: false }))
    }
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
