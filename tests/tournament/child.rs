//! A tournament in a process of its own, to be killed: this test binary again, told by an environment
//! variable what to play.

use super::*;

/// Names the file of results, the kind of spec, and the shard.
pub const PLAY: &str = "FRACAS_TOURNAMENT_PLAY";

#[test]
fn plays_the_tournament_it_is_told_to() {
    let Ok(told) = std::env::var(PLAY) else { return };
    let [path, text, shard] = told.split('|').collect::<Vec<_>>()[..] else { panic!("{told}") };
    let spec = spec(super::killed::text(text));
    let shard = (!shard.is_empty()).then(|| shard.parse().unwrap());
    let mut results = Results::open(Path::new(path), &spec, &conditions(&spec), shard).unwrap();
    let panel = DicePanel { work: 40_000, exact: false };
    play(&spec, &mut results, &panel, 2, None);
    results.close().unwrap();
}

/// Names the file to merge into, and the parts.
pub const MERGE: &str = "FRACAS_TOURNAMENT_MERGE";

#[test]
fn merges_what_it_is_told_to() {
    let Ok(told) = std::env::var(MERGE) else { return };
    let mut files = told.split('|').map(std::path::PathBuf::from);
    let out = files.next().unwrap();
    fracas::tournament::results::merge(&files.collect::<Vec<_>>(), &out).unwrap();
}
