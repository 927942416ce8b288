//! Tests that a tournament loses nothing when its process is killed at random moments.

use std::process::{Command, Stdio};
use std::time::Duration;

use fracas::game::Generator;
use fracas::tournament::results::merge;

use super::*;

/// How often a tournament is killed; `FRACAS_KILLS` asks for more.
const KILLS: usize = 12;

/// Two pairings of 3,000 games each in two scenarios.
const MERGED: &str = "scenarios = [\"ford\", \"hill\"]\nagents = [\"a\", \"b\", \"c\"]\n\
    format = \"gauntlet\"\ngames = 3000\nseed = 3\n";

pub fn text(name: &str) -> &'static str {
    match name {
        "even" => EVEN,
        "within" => WITHIN,
        _ => SWISS,
    }
}

/// Plays in a child process that is killed after some time; returns whether it finished before.
fn played(path: &Path, name: &str, shard: &str, after: Option<Duration>) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tournament::child::plays_the_tournament_it_is_told_to"])
        .env(super::child::PLAY, format!("{}|{name}|{shard}", path.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let Some(after) = after {
        std::thread::sleep(after);
        // On Unix this is SIGKILL.
        let _ = child.kill();
    }
    let output = child.wait_with_output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!complaint.contains("panicked"), "{complaint}");
    output.status.success()
}

#[test]
fn killed_at_random_it_ends_in_the_same_bytes() {
    let kills = std::env::var("FRACAS_KILLS").ok().and_then(|kills| kills.parse().ok());
    let kills: usize = kills.unwrap_or(KILLS);
    let folder = tempfile::tempdir().unwrap();
    let mut generator = Generator::playout(4, 4);
    let names = ["even", "within", "swiss"];
    let (mut killed, mut round) = (0, 0);
    while killed < kills {
        let name = names[round % names.len()];
        let spec = spec(text(name));
        let path = folder.path().join(format!("{round}.db"));
        loop {
            // The first moments matter most: that is when the file is made.
            let after =
                Duration::from_micros(generator.below(200_000).min(generator.below(200_000)));
            if played(&path, name, "", Some(after)) {
                break;
            }
            killed += 1;
            if generator.below(3) == 0 {
                assert!(played(&path, name, "", None));
                break;
            }
        }
        assert_eq!(standings(&path, &spec), undisturbed(&spec), "{name}");
        round += 1;
    }
}

#[test]
fn killed_shards_are_merged_as_if_they_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(EVEN);
    let parts: Vec<_> = (1..=7)
        .map(|index| {
            let path = folder.path().join(format!("part{index}.db"));
            let shard = format!("{index}/7");
            if index % 2 == 1 {
                played(&path, "even", &shard, Some(Duration::from_millis(30 + 10 * index)));
            }
            // The first one is merged as the kill left it.
            if index > 1 {
                assert!(played(&path, "even", &shard, None));
            }
            path
        })
        .collect();
    let there: Vec<_> = parts.into_iter().filter(|path| Results::read(path).is_ok()).collect();
    assert!(there.len() >= 6);
    let out = folder.path().join("all.db");
    let merged = merge(&there, &out).unwrap();
    let missing: u64 = merged.missing.iter().map(|gap| gap.end() - gap.start() + 1).sum();
    assert_eq!(merged.games + missing, 900);
    let first: Shard = "1/7".parse().unwrap();
    assert!(merged.missing.iter().flat_map(|gap| gap.clone()).all(|number| first.holds(number)));
    let mut results = open(&out, &spec);
    play(&spec, &mut results, &QUICK, 2, None);
    results.close().unwrap();
    assert_eq!(standings(&out, &spec), undisturbed(&spec));
}

#[test]
fn a_merge_that_is_killed_leaves_a_file_as_it_was_or_whole() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(MERGED);
    let [first, second] = ["1/2", "2/2"].map(|shard| {
        let path = folder.path().join(format!("{}.db", shard.replace('/', "-")));
        let mut results = open_shard(&path, &spec, shard);
        play(&spec, &mut results, &QUICK, 2, None);
        results.close().unwrap();
        path
    });
    let expected = undisturbed(&spec);
    let out = folder.path().join("all.db");
    let mut generator = Generator::playout(8, 8);
    let mut seen = [0, 0];
    for _ in 0..8 {
        // The file is there with one half, or new.
        for begun in [true, false] {
            if begun {
                merge(std::slice::from_ref(&first), &out).unwrap();
            }
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "tournament::child::merges_what_it_is_told_to"])
                .env(
                    super::child::MERGE,
                    [&out, &first, &second].map(|path| path.to_str().unwrap()).join("|"),
                )
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_micros(generator.below(400_000)));
            let _ = child.kill();
            child.wait().unwrap();
            match Results::read(&out).map(|results| results.len().unwrap()) {
                Ok(12_000) => seen[1] += 1,
                Ok(games) => {
                    assert!(begun && games == 6_000, "{games}");
                    seen[0] += 1;
                }
                Err(_) => assert!(!begun && !out.exists()),
            }
            merge(&[second.clone(), first.clone()], &out).unwrap();
            assert_eq!(standings(&out, &spec), expected);
            std::fs::remove_file(&out).unwrap();
        }
    }
    assert!(seen[0] > 0, "every merge was over before it was killed");
}
