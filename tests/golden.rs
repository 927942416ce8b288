//! Compares a playthrough of every rules folder with its golden file, word by word.
//!
//! A golden file is `tests/golden/SYSTEM/SCENARIO.txt`. `FRACAS_BLESS=1 cargo test golden` rewrites
//! all of them, and writes one for every rules folder that has none.

use std::fs;

use fracas::catalog::{Catalog, FileKind, Folder};
use fracas::game::Generator;
use fracas::script::{Ear, Run};

use crate::support::{blessing, catalog, path, same_as_file, scenarios, unmanned};

mod playthrough;

/// The scenarios of a system that have a golden file.
fn recorded(system: &str) -> Vec<String> {
    let Ok(files) = fs::read_dir(path(&format!("tests/golden/{system}"))) else {
        return Vec::new();
    };
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// The scenario whose playthrough is the shortest of a folder.
fn shortest(folder: &Folder) -> String {
    let length = |name: &String| playthrough::write(&format!("{}/{name}", folder.name())).len();
    folder
        .names(FileKind::Scenario)
        .into_iter()
        .min_by_key(length)
        .expect("a folder with scenarios")
}

#[test]
fn every_rules_folder_has_a_golden_playthrough() {
    let catalog = catalog();
    for folder in catalog.folders() {
        let mut names = recorded(folder.name());
        if names.is_empty() && blessing() {
            names.push(shortest(folder));
        }
        assert!(
            !names.is_empty(),
            "`{}` has no playthrough; `FRACAS_BLESS=1 cargo test golden` writes one",
            folder.name()
        );
        for name in names {
            let scenario = format!("{}/{name}", folder.name());
            let file = path(&format!("tests/golden/{scenario}.txt"));
            same_as_file(&file, &playthrough::write(&scenario));
        }
    }
}

#[test]
fn every_golden_file_belongs_to_a_scenario() {
    let known = scenarios(&catalog());
    for system in fs::read_dir(path("tests/golden")).unwrap() {
        let system = system.unwrap();
        if !system.path().is_dir() {
            continue;
        }
        let system = system.file_name().into_string().unwrap();
        for name in recorded(&system) {
            let name = format!("{system}/{name}");
            assert!(known.contains(&name), "there is no scenario `{name}`; remove its golden file");
        }
    }
}

#[test]
fn every_shipped_outcome_says_what_each_utility_is_made_of() {
    let catalog = Catalog::new(&[]).unwrap();
    for name in scenarios(&catalog) {
        let conflict = unmanned(&catalog, &name);
        for seed in 0..3 {
            let mut generator = Generator::playout(seed, 0);
            let run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
            let end = run.finish(|question| Ok(generator.sample(question)));
            let outcome = end.unwrap_or_else(|_| panic!("{name} does not end")).outcome;
            for (player, utility) in &outcome.utility {
                let parts = outcome.value().get("parts").and_then(|parts| parts.get(player));
                assert!(parts.is_some(), "{name}: {player}");
                let sum: f64 = outcome.parts(player).iter().map(|(_, part)| part).sum();
                assert!((sum - utility).abs() < 1e-9, "{name}: {player} {sum} {utility}");
            }
        }
    }
}
