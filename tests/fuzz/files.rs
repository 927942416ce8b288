//! Targets for files of text: what they are read as, and what is done with what was read.

use std::path::{Path, PathBuf};

use fracas::agents::SavedStrategy;
use fracas::catalog::{CaseFile, Catalog, FileText, ParamSpecs, Scenario};
use fracas::cli::Config;
use fracas::conflict::{Changes, Conflict, Play, RunUntil, Saved};
use fracas::error::Error;
use fracas::game::History;
use fracas::script::Limits;
use fracas::tournament::Spec;
use fracas::{cases, report};

use super::target::all;
use crate::target;

pub fn catalog() -> Catalog {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Catalog::new(&[root.join("tests/fixtures/rules"), root.join("rules")]).unwrap()
}

/// Little enough for many runs.
pub fn limits() -> Limits {
    let (leg, steps, questions) = (100_000, 200, 400);
    Limits { leg, steps, questions, ..Limits::default() }
}

fn text(bytes: &[u8]) -> Option<FileText> {
    FileText::from_bytes("fuzz.toml".to_owned(), bytes).ok()
}

/// Errors are shown too, in all ways.
pub fn shown(error: &Error) {
    report::as_text(error, true, 60);
    serde_json::to_string(&report::ErrorReport::of(error)).unwrap();
}

/// What there is where there was no error.
pub fn told<T>(result: Result<T, Error>) -> Option<T> {
    result.inspect_err(shown).ok()
}

/// A file that each run writes anew, in a folder of its own.
struct Kept(#[allow(dead_code)] tempfile::TempDir, PathBuf);

impl Kept {
    fn new(name: &str) -> Kept {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        Kept(folder, path)
    }

    fn write(&self, bytes: &[u8]) -> &Path {
        std::fs::write(&self.1, bytes).unwrap();
        &self.1
    }
}

fn scenarios() -> Vec<Vec<u8>> {
    let mut seeds = all("rules", ".toml");
    seeds.retain(|seed| {
        seed.starts_with(b"system") && !seed.windows(8).any(|part| part == b"[[case]]")
    });
    seeds
}

/// The shipped campaigns as files that lie in no rules folder.
fn campaigns() -> Vec<Vec<u8>> {
    let mut seeds = all("rules", ".toml");
    seeds.retain(|seed| seed.windows(12).any(|part| part == b"[[conflict]]"));
    let own = |seed: Vec<u8>| {
        let text = String::from_utf8(seed).unwrap();
        let system = if text.contains("wolves") { "last_stand" } else { "war_die" };
        text.replace("scenario = \"", &format!("scenario = \"{system}/")).into_bytes()
    };
    seeds.into_iter().map(own).collect()
}

target!(campaign, campaigns(), {
    let (catalog, kept) = (catalog(), Kept::new("fuzz.toml"));
    move |bytes: &[u8]| {
        let path = kept.write(bytes).display().to_string();
        let Some(mut scenario) = told(catalog.scenario(&path)) else { return false };
        scenario.seats.clear();
        let opened = Conflict::of(&catalog, scenario, &Changes::default(), &limits());
        let Some(conflict) = told(opened) else { return false };
        told(Play::begin(conflict, 1, &limits())).is_some()
    }
});

target!(scenario, scenarios(), {
    let catalog = catalog();
    move |bytes: &[u8]| {
        let Some(text) = text(bytes) else { return false };
        let Some(scenario) = told(Scenario::parse("x/fuzz", text)) else { return false };
        let mut scenario = scenario;
        scenario.seats.clear();
        let opened = Conflict::of(&catalog, scenario, &Changes::default(), &limits());
        let Some(conflict) = told(opened) else { return false };
        told(Play::begin(conflict, 1, &limits())).is_some()
    }
});

target!(
    case,
    all("rules", "s.toml").into_iter().chain(all("tests/fixtures/rules", ".toml")).collect(),
    {
        let catalog = catalog();
        move |bytes: &[u8]| {
            let Some(file) = text(bytes).and_then(|text| told(CaseFile::parse(text))) else {
                return false;
            };
            let mut file = file;
            file.cases.truncate(3);
            told(cases::run_file(&catalog, &file, &limits())).is_some()
        }
    }
);

target!(params, all("rules", "params.toml"), |bytes: &[u8]| {
    let Some(specs) = text(bytes).and_then(|text| told(ParamSpecs::read(Some(&text)))) else {
        return false;
    };
    specs.iter().all(|spec| !spec.allowed().is_empty()) && told(specs.resolve([])).is_some()
});

target!(spec, all("scripts", ".toml"), |bytes: &[u8]| {
    let Some(spec) = text(bytes).and_then(|text| told(Spec::parse(text))) else { return false };
    !spec.canonical().is_empty() && !spec.digest().is_empty()
});

/// Saved conflicts of the scenarios that ship, as far as they are played without people.
fn histories() -> Vec<Vec<u8>> {
    let catalog = catalog();
    let names =
        ["war_die/ford", "territory/three_tokens", "kuhn_poker/one_hand", "tic_tac_toe/empty"];
    let mut seeds = all("tests/fuzz/seeds", ".history");
    for name in names {
        let Ok(scenario) = catalog.scenario(name) else { continue };
        let Ok(conflict) = Conflict::of(&catalog, scenario, &Changes::default(), &limits()) else {
            continue;
        };
        let played =
            Play::resume(conflict, 1, &limits(), History::default(), RunUntil::PersonAsked);
        seeds.extend(
            played.iter().filter_map(|play| play.saved().to_text().ok()).map(String::into_bytes),
        );
    }
    seeds
}

target!(history, histories(), {
    let (catalog, kept) = (catalog(), Kept::new("a.history"));
    move |bytes: &[u8]| {
        let Some(saved) = told(Saved::read_from(kept.write(bytes))) else { return false };
        let again = saved.to_text().map(|text| Saved::parse("again", &text).unwrap().history);
        assert!(again.is_ok_and(|again| again == saved.history));
        told(
            Play::load(&catalog, &saved, &limits(), true)
                .map(|loaded| serde_json::to_string(&loaded.play.played()).unwrap()),
        )
        .is_some()
    }
});

target!(config, all("tests/fuzz/seeds", "config.toml"), {
    let kept = Kept::new("config.toml");
    move |bytes: &[u8]| told(Config::read(kept.write(bytes))).is_some()
});

target!(solution, all("tests/fuzz/seeds", "solution.json"), {
    let kept = Kept::new("s.json");
    move |bytes: &[u8]| told(SavedStrategy::read(kept.write(bytes).to_str().unwrap())).is_some()
});
