//! Tests the handbook (`rules/README.md`): its lists are generated, its claims about the language
//! hold, and the system that it teaches is checked, tested and played.
//!
//! `FRACAS_BLESS=1 cargo test handbook` rewrites the generated lists.

use std::fs;
use std::path::Path;

use indexmap::IndexMap;
use serde_json::Value as Json;

use fracas::cases::{find, run_file};
use fracas::catalog::{Catalog, FileKind};
use fracas::check::{Check, Level};
use fracas::conflict::{Changes, Conflict, Play, Position};
use fracas::game::Value;
use fracas::handbook::HandbookEntry;
use fracas::lab::{Lab, LabConfig, LineResult, documentation, known, measures, wishes};
use fracas::script::Limits;

use crate::commands::run::fracas;
use crate::support::{path, same_as_file};

/// The families that have a section of their own; all others are primitives.
const OWN: [&str; 5] = ["contract", "effects", "setup", "distributions", "lab"];

fn page() -> String {
    fs::read_to_string(path("rules/README.md")).unwrap()
}

/// A list of the handbook: each function with what it does, and its examples.
fn section(name: &str) -> String {
    if name == "measures" {
        return list(measures().iter());
    }
    if name == "wishes" {
        return list(wishes().iter());
    }
    if name == "keys" {
        return keys();
    }
    let all = known();
    if name != "primitives" {
        return list(all.iter().filter(|entry| entry.family == name));
    }
    let primitives: Vec<&HandbookEntry> =
        all.iter().filter(|entry| !OWN.contains(&&entry.family[..])).collect();
    let mut families: Vec<&str> = primitives.iter().map(|entry| &entry.family[..]).collect();
    families.dedup();
    let family = |name: &str| {
        let own = primitives.iter().copied().filter(|entry| entry.family == name);
        format!("### {}\n\n{}", name, list(own))
    };
    families.into_iter().map(family).collect::<Vec<String>>().join("\n")
}

/// The commands that print what a script prints.
const SCRIPTED: [&str; 2] = ["run", "<"];

/// Maps whose keys are names: of players, results, parameters, agents, clauses.
const NAMED: [&str; 12] = [
    "results",
    "utility",
    "value",
    "value_number",
    "gains",
    "values",
    "against",
    "params",
    "seats",
    "parts",
    "moved",
    "clauses",
];

/// What rules return as they like, and solutions inside a solution.
const WITHOUT_KEYS: [&str; 5] = ["outcome", "action", "sees", "further", "setup"];

/// The keys that objects have, in the order in which they are met.
#[derive(Default)]
struct Keys(IndexMap<String, Keys>);

impl Keys {
    fn add(&mut self, value: &Json) {
        match value {
            Json::Array(items) => items.iter().for_each(|item| self.add(item)),
            Json::Object(fields) => {
                for (key, value) in fields {
                    let below = self.0.entry(key.clone()).or_default();
                    if WITHOUT_KEYS.contains(&&key[..]) {
                        continue;
                    }
                    match value {
                        Json::Object(named) if NAMED.contains(&&key[..]) => {
                            named.values().for_each(|value| below.add(value));
                        }
                        value => below.add(value),
                    }
                }
            }
            _ => {}
        }
    }

    fn text(&self) -> String {
        let key = |(name, below): (&String, &Keys)| match below.0.is_empty() {
            true => format!("`{name}`"),
            false => format!("`{name}` ({})", below.text()),
        };
        self.0.iter().map(key).collect::<Vec<String>>().join(", ")
    }
}

/// The keys of `--json` by command: those of what the contract expects; of `bench` and a dry run, which print other
/// numbers each time; and of `new`, which would write into the contract's rules.
fn keys() -> String {
    let mut commands: IndexMap<String, Keys> = IndexMap::new();
    let mut add = |command: &str, printed: Json| {
        let failed = printed.get("error").is_some_and(Json::is_object);
        let command = if failed { "an error, of any command" } else { command };
        commands.entry(command.to_owned()).or_default().add(&printed);
    };
    let mut files: Vec<_> = fs::read_dir(path("tests/contract/expected"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        for part in fs::read_to_string(file).unwrap().split("\n$ ") {
            let mut lines = part.trim_start_matches("$ ").splitn(3, '\n');
            let line = lines.next().unwrap();
            let command = line.split(' ').next().unwrap();
            // Very long texts are not kept whole.
            let printed =
                serde_json::Deserializer::from_str(lines.last().unwrap()).into_iter().next();
            if let Some(Ok(printed)) = printed.filter(|_| !SCRIPTED.contains(&command)) {
                add(command, printed);
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let spec = "tests/contract/inputs/lineups.toml";
    fs::copy(path(spec), folder.path().join("lineups.toml")).unwrap();
    let frozen = path("tests/contract/rules");
    let dry = format!("tournament lineups.toml --dry-run --no-exact --rules {}", frozen.display());
    for line in ["bench war_die/ford --time 0.01", "new another", &dry] {
        let ran = fracas(&format!("{line} --json --quiet")).inside(folder.path()).run().succeeds();
        add(line.split(' ').next().unwrap(), ran.json());
    }
    commands.sort_keys();
    let line = |(command, keys): (&String, &Keys)| format!("- **{command}**: {}\n", keys.text());
    commands.iter().map(line).collect()
}

fn list<'a>(entries: impl Iterator<Item = &'a HandbookEntry>) -> String {
    let mut text = String::new();
    for entry in entries {
        let words: Vec<&str> =
            entry.text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        text.push_str(&format!("- **`{}`** {}\n", entry.signature, words.join(" ")));
        for line in entry.example.lines() {
            let line = if line.starts_with('`') { line.to_owned() } else { fenced(line) };
            text.push_str(&format!("  - {line}\n"));
        }
    }
    text
}

/// A line of code in back-ticks, even if it contains back-ticks itself.
fn fenced(code: &str) -> String {
    if code.contains('`') { format!("`` {code} ``") } else { format!("`{code}`") }
}

#[test]
fn the_handbook_lists_all_that_a_script_can_call() {
    let mut text = String::new();
    let mut skipping = false;
    let mut filled = Vec::new();
    let page = page();
    for line in page.lines() {
        let mark = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        skipping &= mark != Some("end");
        if !skipping {
            text.push_str(line);
            text.push('\n');
        }
        if let Some(name) = mark.filter(|name| *name != "end") {
            text.push_str(&format!("\n{}\n", section(name)));
            filled.push(name);
            skipping = true;
        }
    }
    assert_eq!(filled[..4], OWN[..4]);
    assert_eq!(filled[4..], ["primitives", "lab", "wishes", "measures", "keys"]);
    same_as_file(&path("rules/README.md"), &text);
}

/// The files that the page shows: fenced blocks with a path after the language.
fn files() -> Vec<(String, String)> {
    let page = page();
    let mut files = Vec::new();
    let mut blocks = page.split("```");
    // Every other piece stands between fences.
    while let (Some(_), Some(block)) = (blocks.next(), blocks.next()) {
        let (head, text) = block.split_once('\n').unwrap();
        if let Some((_, name)) = head.split_once(' ') {
            files.push((name.to_owned(), text.to_owned()));
        }
    }
    files
}

fn write_system(folder: &Path) {
    for (name, text) in files() {
        let file = folder.join("tug_of_war").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

#[test]
fn the_system_that_the_handbook_teaches_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    write_system(folder.path());
    let catalog = Catalog::new(&[folder.path().to_owned()]).unwrap();
    let limits = Limits::default();
    let tug = catalog.folder("tug_of_war").unwrap();
    for kind in [FileKind::Scenario, FileKind::House, FileKind::Agent, FileKind::Case] {
        assert!(!tug.names(kind).is_empty(), "the page shows a {}", kind.what());
    }

    // Checked: a system this small is told to have more of everything, and no more than that.
    let check = Check {
        catalog: &catalog,
        limits: &limits,
        seed: 1,
        playouts: 200,
        nodes: 10_000,
        time: None,
        rules: &[],
        threads: 1,
        progress: &|_| (),
    };
    let findings = check.folder(tug).unwrap().findings;
    for finding in &findings {
        let small = finding.message.contains("should have");
        assert!(finding.level == Level::Warning && small, "{}", finding.message);
    }

    // Tested.
    let mut passed = 0;
    for file in find(&catalog, &[folder.path().join("tug_of_war")]).unwrap() {
        let result = run_file(&catalog, &file.unwrap(), &limits).unwrap();
        assert_eq!(result.failures, []);
        passed += result.passed;
    }
    assert_eq!(passed, 6);

    // Played, with a person in red's seat who always spends the most, and with the house rule.
    let changes = Changes {
        seats: vec![("red".to_owned(), "human".to_owned())],
        house: vec!["second_wind".to_owned()],
        ..Changes::default()
    };
    let conflict = Conflict::open(&catalog, "tug_of_war/short", &changes, &limits).unwrap();
    let mut play = Play::begin(conflict, 1, &limits).unwrap();
    let mut spent = Vec::new();
    while let Some(asked) = play.asked() {
        spent.push(asked.options.last().unwrap().as_int().unwrap());
        play.answer(asked.options.len() - 1).unwrap();
    }
    // Of a strength of 5: 3, then 2, then a second wind of 1.
    assert_eq!(spent, [3, 2, 1]);
    let Position::Over { outcome, .. } = play.position() else { panic!("it is not over") };
    // Blue spends the middle: of 0 to 3 it is 2, of 0 to 3 again 2, of 0 and 1 the 1. So red wins
    // the first round, and slips decide the others.
    let left = outcome.value().get("left").unwrap();
    assert_eq!(left.to_string(), "{ blue: 0, red: 0 }");
    assert_eq!(play.events().len(), 3);
    assert!(play.events()[0].text.starts_with("3 against 2: the rope is at 1"));
}

#[test]
fn a_scenario_begins_after_the_answers_that_the_page_shows() {
    let folder = tempfile::tempdir().unwrap();
    write_system(folder.path());
    let page = page();
    let begin = page.split('`').find(|code| code.starts_with("begin = [")).unwrap();
    let file = folder.path().join("tug_of_war/scenarios/short.toml");
    let short = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{begin}\n{short}")).unwrap();
    let catalog = Catalog::new(&[folder.path().to_owned()]).unwrap();
    let (changes, limits) = (Changes::default(), Limits::default());
    let conflict = Conflict::open(&catalog, "tug_of_war/short", &changes, &limits).unwrap();
    let play = Play::begin(conflict, 1, &limits).unwrap();
    assert!(matches!(play.position(), Position::Over { .. }));
}

#[test]
fn the_page_names_the_limits_that_scripts_have() {
    let (limits, page) = (Limits::default(), page().replace([',', '\n'], ""));
    for (most, what) in [
        (limits.leg, "operations; a playout"),
        (limits.questions, "questions"),
        (limits.steps, "steps in a row"),
        (Limits::for_agents().leg, "operations. Lines"),
    ] {
        assert!(
            page.replace(' ', "").contains(&format!("{most}{}", what.replace(' ', ""))),
            "{most} {what}"
        );
    }
    assert!(page.contains(&limits.playout.to_string()));
}

/// The traps of the page that fit in a line, each as a statement that is true.
const TRAPS: &str = r#"
fn setup(scenario) {
    let state = #{ true_facts: [], order: [] };
    let tokens = [#{ used: false }];
    for token in tokens { token.used = true; }
    state.true_facts.push(!tokens[0].used);
    for at in 0..tokens.len { tokens[at].used = true; }
    state.true_facts.push(tokens[0].used);
    grow(tokens);
    state.true_facts.push(tokens.len == 1);
    state.take("x");
    state.true_facts.push(state.order == ["x"]);
    state.true_facts.push(1 != "1" && () != 0 && 1 == 1.0);
    state.true_facts.push(7 / 2 == 3);
    let map = #{ b: 1, a: 2 };
    state.true_facts.push(map.keys() == ["a", "b"]);
    let player = "c";
    map[player] = 3;
    state.true_facts.push(map.c == 3);
    state.true_facts.push(kept() == 5 && nothing() == ());
    state.true_facts.push(`${1 + 1}` == "2" && "${1 + 1}" != "2");
    state
}
fn grow(tokens) { tokens.push(1); }
fn take(word) { this.order.push(word); }
fn kept() { 5; }
fn nothing() { return; }
fn step() { }
fn outcome() { #{ result: "over", utility: #{}, facts: this.true_facts } }
"#;

#[test]
fn the_traps_of_the_language_are_as_the_handbook_says() {
    let folder = tempfile::tempdir().unwrap();
    let traps = folder.path().join("traps");
    fs::create_dir_all(traps.join("scenarios")).unwrap();
    fs::write(traps.join("rules.rhai"), TRAPS).unwrap();
    fs::write(traps.join("scenarios/one.toml"), "system = \"traps\"\n").unwrap();
    let catalog = Catalog::new(&[folder.path().to_owned()]).unwrap();
    let conflict =
        Conflict::open(&catalog, "traps/one", &Changes::default(), &Limits::default()).unwrap();
    let play = Play::begin(conflict, 0, &Limits::default()).unwrap();
    let Position::Over { outcome, .. } = play.position() else { panic!("it is not over") };
    let facts = outcome.value().get("facts").and_then(Value::as_list).unwrap();
    assert_eq!(facts.len(), 10);
    for (number, fact) in facts.iter().enumerate() {
        assert_eq!(*fact, Value::Bool(true), "fact {} of 10", number + 1);
    }
}

#[test]
fn the_examples_of_the_lab_are_so() {
    let means = || LabConfig::new(crate::support::catalog(), Limits::default(), 1);
    let value = |line: &str| match Lab::new(means(), "example").evaluate(line, 1) {
        Ok(LineResult::Value(value)) => value,
        other => panic!("`{line}`: {other:?}"),
    };
    let lab = Lab::new(means(), "example");
    let mut facts = 0;
    for entry in documentation() {
        assert!(!entry.text.is_empty() && !entry.example.is_empty(), "{}", entry.signature);
        for line in entry.example.lines() {
            let fact = line.strip_prefix('`').and_then(|line| line.strip_suffix('`'));
            match fact.and_then(|fact| fact.split_once("` is `")) {
                Some((left, right)) => assert_eq!(value(left), value(right), "{line}"),
                None => assert!(lab.compiles(line), "{line}"),
            }
            facts += usize::from(fact.is_some());
        }
    }
    assert!(facts > 20, "{facts}");
}
