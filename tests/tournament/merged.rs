//! Tests that shards that were played apart and merged have the standings of a single run.

use std::path::PathBuf;

use fracas::game::Generator;
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
    // 3 pairings, 2 scenarios, 150 games: 900, in 128 rows of seven and one of four, in which the second part has a game.
    assert_eq!(merged.games, 900 - 128 - 129);
    assert_eq!(merged.missing[..4], [3..=4, 10..=11, 19..=20, 24..=25]);
    let sentence = merged.sentence().unwrap();
    assert_eq!(sentence, "shard 2/7 is missing (129 games), shard 3/7 is missing (128 games)");
    let mut results = open(&out, &spec);
    let run = play(&spec, &mut results, &QUICK, 3, None);
    assert_eq!(run.played, 257);
    assert_eq!(told(&run.state), undisturbed(&spec));
    assert_eq!(Merged::default().sentence(), None);
    let told = |missing: &[std::ops::RangeInclusive<u64>], parts: &[Option<&str>]| {
        let parts = parts.iter().map(|part| part.map(|part| part.parse().unwrap())).collect();
        Merged { games: 1, missing: missing.to_vec(), out: 0, parts }.sentence().unwrap()
    };
    assert_eq!(told(&[3..=3], &[None, Some("1/2")]), "1 game is missing: 3");
    assert_eq!(
        told(&[1..=2, 8..=9], &[Some("1/2"), Some("1/3")]),
        "4 games are missing: 1 to 2, 8 to 9"
    );
    // Of 1, 2, 3 and 5 the first half has 1 and 3, the other one 2 and 5.
    assert_eq!(
        told(&[1..=3, 5..=5], &[Some("1/2")]),
        "shard 1/2 was not played to its end (2 games left), shard 2/2 is missing (2 games)"
    );
}

#[test]
fn parts_of_more_games_or_another_title_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let of = |title: &str, games: u64| {
        let games = format!("games = {games}");
        spec(&format!("title = \"{title}\"\n{}", EVEN.replace("games = 150", &games)))
    };
    let (own, more) = (of("Cup", 10), of("Great cup", 20));
    for (name, spec, shard) in [("a.db", &own, "1/2"), ("b.db", &more, "2/2")] {
        let mut results = open_shard(&at(name), spec, shard);
        play(spec, &mut results, &QUICK, 1, None);
        results.close().unwrap();
    }
    // Three pairs in two scenarios have 120 games, of which the first part has every other one of the first 60.
    for parts in [["a.db", "b.db"], ["b.db", "a.db"]] {
        let out = at(&format!("all of {}", parts[0]));
        let merged = merge(&parts.map(at), &out).unwrap();
        let missing: u64 = merged.missing.iter().map(|gap| gap.end() - gap.start() + 1).sum();
        assert_eq!((merged.games, missing), (90, 30));
        assert_eq!(
            merged.sentence().unwrap(),
            "shard 1/2 was not played to its end (30 games left)"
        );
        let whole = if parts[0] == "a.db" { of("Cup", 20) } else { of("Great cup", 20) };
        let results = Results::read(&out).unwrap();
        assert_eq!(results.identity().spec, whole.canonical());
        drop(results);
        let mut results = open(&out, &whole);
        assert_eq!(play(&whole, &mut results, &QUICK, 1, None).played, 30);
        results.close().unwrap();
        assert_eq!(standings(&out, &whole), undisturbed(&whole));
    }
    // The rounds of these depend on how many games each has.
    for (name, games) in [("c.db", 10), ("d.db", 12)] {
        let swiss = spec(&SWISS.replace("games = 10", &format!("games = {games}")));
        let mut results = open(&at(name), &swiss);
        play(&swiss, &mut results, &QUICK, 1, None);
        results.close().unwrap();
    }
    let error = merge(&[at("c.db"), at("d.db")], &at("none.db")).unwrap_err();
    assert!(error.to_string().contains("`games` was 10, is 12"), "{error}");
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
    let [a, b] = ["a.db", "b.db"].map(|name| at(name).display().to_string());
    assert_eq!(
        error.to_string(),
        format!(
            "`{b}` holds the results of another tournament: `seed` was 3, is 4; `fracas standings {a}` \
             and `fracas standings {b}` show them apart"
        )
    );
    let error = merge(&[at("none.db")], &at("all.db")).unwrap_err();
    assert!(error.to_string().ends_with("none.db`: no such file or directory"), "{error}");
    // A file that is there is asked first, and stays as it is.
    let before = std::fs::read(at("b.db")).unwrap();
    let error = merge(&[at("a.db")], &at("b.db")).unwrap_err();
    assert!(error.to_string().contains("`seed` was 4, is 3"), "{error}");
    assert_eq!(std::fs::read(at("b.db")).unwrap(), before);
    assert_eq!(merge(&[], &at("all.db")).unwrap_err().kind(), "usage");
    let mut left: Vec<_> =
        folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.db", "b.db"]);
}

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

    fn command(&self, _: &Lineup) -> Option<String> {
        Some("fracas play loaded".to_owned())
    }
}

/// The dice, with a command that plays them.
struct Fair;

impl RefereeFactory for Fair {
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error> {
        QUICK.referee()
    }

    fn command(&self, _: &Lineup) -> Option<String> {
        Some("fracas play fair".to_owned())
    }
}

#[test]
fn parts_that_disagree_about_a_game_are_refused_with_the_command_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other, all] = ["one.db", "other.db", "all.db"].map(|name| folder.path().join(name));
    let spec = spec(&EVEN.replace("\"ford\", \"hill\"", "\"ford\"").replace(", \"c\"", ""));
    for (path, panel) in [(&one, &Fair as &dyn RefereeFactory), (&other, &Loaded)] {
        let mut results = open(path, &spec);
        let running = Running {
            threads: 1,
            interrupt: &AtomicBool::new(false),
            begins: &|_| Box::new(|_| ()),
        };
        run(&spec, &conditions(&spec), panel, &mut results, running).unwrap();
        results.close().unwrap();
    }
    let error = merge(&[one.clone(), other.clone()], &all).unwrap_err();
    assert_eq!((error.kind(), error.exit_code()), ("results", 2));
    let said = error.to_string();
    // Games 7 and 107 are odd, so `b` sits first: they are the fourth and the 54th of that lineup.
    let first = spec.first_seed(&Lineup { scenario: 0, agents: vec![1, 0] });
    for words in [
        format!(
            "`{}`: it has another result of a game of ford with [\"b\",\"a\"]",
            other.display()
        ),
        format!("`{}` has ", one.display()),
        format!("by `fracas play fair --seed {}`", first + 3),
        format!("`{}` has seat", other.display()),
        format!("with 99 / 0, by `fracas play loaded --seed {}`", first + 3),
        "leave out the file that is wrong".to_owned(),
    ] {
        assert!(said.contains(&words), "{words}\n{said}");
    }
    // Nothing is left of it, and a file that is there keeps what it had.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    let before = standings(&one, &spec);
    merge(std::slice::from_ref(&other), &one).unwrap_err();
    assert_eq!(standings(&one, &spec), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_merge_adds_to_a_file_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(EVEN);
    let parts = played(folder.path(), &spec);
    let out = folder.path().join("all.db");
    // One shard of seven has 129 or 128 of 900 games.
    let games: Vec<u64> =
        parts.iter().map(|part| merge(std::slice::from_ref(part), &out).unwrap().games).collect();
    assert_eq!(games, [129, 258, 386, 514, 642, 771, 900]);
    assert_eq!(standings(&out, &spec), undisturbed(&spec));
    // What is there already changes nothing, and one file is all there is.
    assert_eq!(merge(&parts, &out).unwrap().games, 900);
    assert_eq!(standings(&out, &spec), undisturbed(&spec));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 8);
    let mut results = open(&out, &spec);
    assert_eq!(play(&spec, &mut results, &QUICK, 2, None).played, 0);
    // Whoever writes the file keeps it from being merged into.
    let error = merge(&parts, &out).unwrap_err();
    assert!(error.to_string().contains("another program has it open to write"), "{error}");
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
    // 900 games are 128 rows of seven, in each of which the first part has a game, and four more, of which it has one.
    assert_eq!((merged.missing[0].clone(), state.tally().games()), (2..=2, 900 - 129));
}

#[test]
fn what_looks_at_results_cannot_be_split() {
    let what = "`format = \"swiss\"` looks at the results so far, so it cannot be split";
    assert_eq!(Shard::check(&spec(SWISS)).unwrap_err().to_string(), what);
    Shard::check(&spec(EVEN)).unwrap();
}
