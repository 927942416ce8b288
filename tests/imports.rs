//! Tests rules that import other rules: the functions play as written and keep their own names,
//! histories and errors name the imported files, and impossible imports are refused.

use std::fs;
use std::path::Path;

use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict, Play, Position};
use fracas::error::Error;
use fracas::script::Limits;

/// The imported system: a constant, a parameter, a function that uses `this`, and one that has the
/// name of a function of the host.
const OTHER: &str = r#"//! # Other
const SIDES = 6;
fn setup(scenario) { #{ n: 0 } }
fn step() { this.n = 1; }
fn outcome() { if this.n == 1 { #{ result: "over", utility: #{} } } }
fn total(list, factor) { let sum = 0; for item in list { sum += item * factor; } sum }
fn worth() { total([SIDES, params.extra], 10) + total([1, 2]) }
fn count_up() { this.n += self_made(); }
fn self_made() { worth() }
fn fails() { [][this.n] }
"#;

const RULES: &str = r#"//! # Importer
import "other" as far;
const SIDES = 1;
fn setup(scenario) { #{ n: SIDES, players: scenario.words("players") } }
fn step() {
    this.far::count_up();
    this.n += far::SIDES;
    let bid = this.choose(this.players[0], "bid", ["low", "high"]);
    if bid == "high" { this.far::fails(); }
    this.over = `${far::worth()}`;
}
fn outcome() { if "over" in this { #{ result: this.over, utility: #{ red: this.n } } } }
fn worth() { 1000 }
"#;

fn write(folder: &Path, system: &str, rules: &str) {
    let own = folder.join(system);
    fs::create_dir_all(own.join("scenarios")).unwrap();
    fs::write(own.join("rules.rhai"), rules).unwrap();
    let scenario = format!("system = \"{system}\"\n[setup]\nplayers = [\"red\"]\n");
    fs::write(own.join("scenarios/one.toml"), scenario).unwrap();
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "other", OTHER);
    let params = "[extra]\ndefault = 4\nmeaning = \"m\"\n";
    fs::write(folder.path().join("other/params.toml"), params).unwrap();
    write(folder.path(), "importer", RULES);
    folder
}

fn open(folder: &Path, agent: &str) -> Result<Conflict, Error> {
    let catalog = Catalog::new(&[folder.to_owned()]).unwrap();
    let seats = vec![("red".to_owned(), agent.to_owned())];
    let changes = Changes { seats, ..Changes::default() };
    Conflict::open(&catalog, "importer/one", &changes, &Limits::default())
}

fn error(folder: &Path, rules: &str) -> Error {
    write(folder, "importer", rules);
    open(folder, "first").err().expect("it is refused")
}

#[test]
fn imported_functions_have_their_own_names_constants_and_parameters() {
    let folder = folder();
    let conflict = open(folder.path(), "first").unwrap();
    // Of its own it shows nothing but its own.
    assert!(conflict.rules.functions().all(|function| !function.name.contains("fails")));
    let play = Play::begin(conflict, 1, &Limits::default()).unwrap();
    let Position::Over { outcome, .. } = play.position() else { panic!("it goes on") };
    // (6 + 4) × 10, and 1 + 2 by the host's own `total`: 103. It began with 1, and adds 103 and 6.
    assert_eq!(outcome.result, "103");
    assert_eq!(outcome.utility["red"], 110.0);
}

#[test]
fn a_history_names_the_imported_scripts_and_is_refused_where_they_changed() {
    let folder = folder();
    let limits = Limits::default();
    let identity = || {
        let conflict = open(folder.path(), "first").unwrap();
        conflict.blueprint.identity(&conflict.setup)
    };
    let before = identity();
    let saved = Play::begin(open(folder.path(), "first").unwrap(), 1, &limits).unwrap().saved();
    let scripts: Vec<&String> = saved.scripts.keys().collect();
    assert_eq!(scripts, ["rules.rhai", "other/rules.rhai", "other/params"]);

    let params = folder.path().join("other/params.toml");
    fs::write(&params, "[extra]\ndefault = 5\nmeaning = \"m\"\n").unwrap();
    assert_ne!(identity(), before);
    let catalog = Catalog::new(&[folder.path().to_owned()]).unwrap();
    let refused = Play::load(&catalog, &saved, &limits, false).err().unwrap();
    assert!(matches!(refused, Error::ChangedRules { .. }), "{refused}");
    assert!(refused.to_string().contains("other/params"), "{refused}");
}

#[test]
fn a_mistake_in_an_imported_function_has_its_place_and_the_calls_that_led_there() {
    let folder = folder();
    let always_high = folder.path().join("high.rhai");
    fs::write(&always_high, "fn decide(view, decision) { \"high\" }").unwrap();
    let conflict = open(folder.path(), always_high.to_str().unwrap()).unwrap();
    let error = Play::begin(conflict, 1, &Limits::default()).err().unwrap();
    let Error::Script(script) = &error else { panic!("{error}") };
    let at = script.at.as_ref().unwrap();
    assert!(at.file.ends_with("other/rules.rhai") && at.line == 10, "{at}");
    let frame = &script.trace[0];
    assert_eq!(frame.function, "far::fails");
    assert_eq!(frame.at.as_ref().map(|at| (at.line, at.column)), Some((9, Some(29))));
}

#[test]
fn imports_that_cannot_be_are_refused_with_their_place() {
    let folder = folder();
    let here = folder.path();
    for (rules, why, line) in [
        ("// One.\nimport \"othr\" as far;", "unknown system `othr`; did you mean `other`?", 2),
        ("import \"other\";", "write an import as `import \"system\" as name;`", 1),
        (
            "import \"importer\" as far;",
            "`importer` imports `importer` itself; imports go one level deep",
            1,
        ),
        (
            "import \"other\" as far;\nfn setup(scenario) { #{} }\nfn step() { far::wort(); }\nfn outcome() {}",
            "there is no function `far::wort`; did you mean `far::worth`?",
            3,
        ),
        // What comes later is no import, and nothing else may be one.
        ("fn setup(scenario) { #{} }\nimport \"other\" as far;", "scripts may not use `import`", 2),
    ] {
        let error = error(here, rules);
        assert_eq!(error.to_string(), why, "{rules}");
        assert_eq!(error.location().map(|at| at.line), Some(line), "{rules}");
    }
}
