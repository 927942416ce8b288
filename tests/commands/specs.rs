//! Tests that every tournament spec that ships runs, at a small size in a folder of its own.

use std::fs;
use std::path::Path;

use super::run::fracas;
use crate::support::path;

/// Copies a folder with all below it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The specs, by the names of their files.
fn specs(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().flatten();
    let names = files.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".toml")).collect();
    names.sort();
    names
}

/// Replays every history that a page links to; each must have the same outcome.
fn replay_histories(folder: &Path, page: &str) {
    for link in page.split("href=\"page.histories/").skip(1) {
        let name = link.split('"').next().unwrap();
        let ran = fracas(&format!("replay --verify page.histories/{name}")).inside(folder).run();
        ran.succeeds().prints("the same: ");
    }
}

/// A throw that red wins, or blue, or nobody.
const LONG_SHOT: &str = r#"//! # Long shot
//! Both call a side, and a die of 6 falls: red wins on even numbers, blue on odd ones, nobody on 1.
fn setup(scenario) { #{ calls: #{}, fell: 0 } }
fn step() {
    for player in ["red", "blue"] {
        this.calls[player] = this.choose(player, "side", ["left", "right"]);
    }
    this.fell = this.roll("chance", "die", dice("1d6"));
}
fn outcome() {
    if this.fell == 0 { return; }
    let red = if this.fell == 1 { 0 } else if this.fell % 2 == 0 { 1 } else { -1 };
    let result = if red == 0 { "edge" } else if red == 1 { "red" } else { "blue" };
    #{ result: result, utility: #{ red: red, blue: -red } }
}
"#;

#[test]
fn examples_of_results_have_histories_that_replay() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("rules/long_shot");
    fs::create_dir_all(rules.join("scenarios")).unwrap();
    fs::write(rules.join("rules.rhai"), LONG_SHOT).unwrap();
    fs::write(
        rules.join("scenarios/throw.toml"),
        "system = \"long_shot\"\ntitle = \"One throw\"\n[setup]\n",
    )
    .unwrap();
    let spec = "scenarios = [\"long_shot/throw\"]\nagents = [\"first\", \"random\"]\n\
        format = \"round_robin\"\ngames = 40\nseed = 1\nexact = false\n";
    fs::write(folder.path().join("rare.toml"), spec).unwrap();
    fracas("tournament rare.toml --quiet --report page.html")
        .inside(folder.path())
        .run()
        .succeeds();
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert_eq!(page.matches("href=\"page.histories/game-").count(), 3);
    replay_histories(folder.path(), &page);
}

#[test]
fn each_spec_runs_and_says_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    copy(&path("scripts"), folder.path());
    let readme = fs::read_to_string(path("scripts/README.md")).unwrap();
    let specs = specs(folder.path());
    assert!(specs.len() >= 9, "{specs:?}");
    for name in specs {
        assert!(readme.contains(&format!("`{name}`")), "{name} has no line in scripts/README.md");
        let file = folder.path().join(&name);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("# "), "{name} does not say at its top what it shows");
        let games = text.lines().find(|line| line.starts_with("games = ")).unwrap();
        fs::write(&file, text.replace(games, "games = 2")).unwrap();
        let json = fracas(&format!("tournament {name} --json --report page.html"))
            .inside(folder.path())
            .run()
            .succeeds()
            .json();
        assert!(json["standings"].as_array().unwrap().len() >= 2, "{name}");
        let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
        assert!(page.contains("<h1>"), "{name}");
        replay_histories(folder.path(), &page);
    }
}

#[test]
#[cfg(unix)]
fn the_script_for_clusters_plays_all_shards_and_joins_them() {
    let folder = tempfile::tempdir().unwrap();
    copy(&path("scripts"), folder.path());
    let spec = folder.path().join("border.toml");
    let text = fs::read_to_string(&spec).unwrap();
    let games = text.lines().find(|line| line.starts_with("games = ")).unwrap();
    fs::write(&spec, text.replace(games, "games = 6")).unwrap();
    let program = env!("CARGO_BIN_EXE_fracas");
    let ran = std::process::Command::new("sh")
        .args(["cluster/shards.sh", "border.toml", "3", "all.db"])
        .current_dir(folder.path())
        .env("FRACAS", program)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let joined = fracas("tournament border.toml --json --out all.db").inside(folder.path()).run();
    let alone = fracas("tournament border.toml --json --out alone.db").inside(folder.path()).run();
    assert_eq!(joined.succeeds().stdout, alone.succeeds().stdout);
}
