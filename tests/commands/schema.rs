//! Tests that the schema of each command is the one in the repository, and that what the commands
//! print for programs keeps to it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::run::{Ran, fracas};
use super::scratch::Scratch;
use crate::support::{blessing, path, same_as_file};

/// Lines that together print what each command may print, in the order in which they are run: some
/// read what others wrote.
const LINES: [&str; 60] = [
    "list",
    "list duel",
    "list broken",
    "list nowhere",
    "play war_die/ford --seat red=random --seat blue=random --save one.history",
    "play war_die/ford --seat green=random",
    "replay one.history",
    "replay one.history --to 0",
    "replay one.history --verify",
    "replay other.history --force",
    "replay other.history --force --verify",
    "odds war_die/ford --seat red=random",
    "odds war_die/ford --seat red=random --float",
    "odds war_die/campaign --graph-memory 1M",
    "odds broken/one",
    "estimate war_die/ford -n 50",
    "estimate war_die/ford -n 1",
    "portrait war_die/ford -n 50",
    "portrait war_die/campaign -n 16 --measure length --measure luck",
    "portrait war_die/ford --measure nothing",
    "compare war_die/ford --house attacker_wins_ties",
    "compare war_die/ford --house attacker_wins_ties --float",
    "compare last_stand/duel --param positioning_adds_morale=false -n 20",
    "compare war_die/ford --house half_price --param tie=attacker",
    "compare war_die/ford --house half_price --measure nothing",
    "compare war_die/ford",
    "sweep war_die/ford faces=2..4 --balance red",
    "sweep attrition/siege needed_tokens=6..7 -n 20 --balance red",
    "sweep war_die/ford faces=2..3 tie",
    "tune war_die/ford --vary faces=2..3 --vary-house half_price --want length<=3",
    "tune war_die/campaign --vary faces=2,3 --want length<=3 --want strategy.unused<1 -n 16 --time 2",
    "tune war_die/ford --vary faces=2..3 --want lenght<=3",
    "solve war_die/ford",
    "solve war_die/ford --house attacker_wins_ties",
    "solve war_die/ford --exact",
    "solve war_die/bluff --within 5",
    "solve territory/three_tokens --save saved.json",
    "solve war_die/campaign --time 0.1",
    "exploit war_die/ford --seat red=random",
    "exploit territory/three_tokens --seat white=random",
    "exploit war_die/ford",
    "tournament cup.toml --out one.db",
    "tournament cup.toml --out part.db --shard 1/2",
    "standings one.db",
    "standings nowhere.db",
    "merge part.db --out merged.db",
    "bench war_die/ford --time 0.01",
    "run script.rhai",
    "run wrong.rhai",
    "test rules/duel",
    "test wrong.toml",
    "check duel --playouts 5",
    "check broken",
    "new another",
    "new another",
    "init there",
    "doc fewest_first",
    "doc duel",
    "doc --code war_die step",
    "man --dir pages",
];

#[test]
fn the_schema_of_each_command_is_the_one_in_the_repository() {
    let names = fracas("schema").run().succeeds().stdout;
    for name in names.lines() {
        let schema = fracas("schema").with(name).run().succeeds();
        same_as_file(&path(&format!("tests/golden/schema/{name}.json")), &schema.stdout);
        // It asks for something, and of all that is not described says nothing.
        let validator = jsonschema::validator_for(&schema.json()).unwrap();
        assert!(!validator.is_valid(&json!({ "error": "no" })) || name == "run", "{name}");
    }
    let files = std::fs::read_dir(path("tests/golden/schema")).unwrap();
    let files = files.map(|file| file.unwrap().path().file_stem().unwrap().to_owned());
    let files: BTreeSet<String> = files.map(|name| name.into_string().unwrap()).collect();
    assert!(blessing() || files == names.lines().map(str::to_owned).collect());
}

#[test]
fn all_that_commands_print_for_programs_keeps_to_their_schemas() {
    let scratch = Scratch::with_duel();
    let cup = "scenarios = [\"territory/three_tokens\", \"territory/border_clash\"]\n\
               agents = [\"even_hand\", \"fortress\", \"random\"]\nformat = \"round_robin\"\n\
               games = 4\nseed = 3\n";
    scratch.write("cup.toml", cup);
    scratch.write("script.rhai", "scenario(\"war_die/ford\").estimate(20)");
    scratch.write("wrong.rhai", "let x = 1;\nnowhere(x)");
    scratch.write("rules/broken/rules.rhai", "//! # Broken\nfn step() { nowhere(); }\n");
    scratch.write("rules/broken/scenarios/one.toml", "system = \"broken\"\nseats = 3\n");
    let wrong = "system = \"duel\"\n[[case]]\ntitle = \"wrong\"\nscenario = \"duel/one_round\"\n\
                 outcome = { result = \"nobody\" }\n";
    scratch.write("wrong.toml", wrong);
    let run = |line: &str| -> Ran {
        let line = format!("{line} --json --quiet --seed 7 --threads 2");
        fracas(&line).inside(scratch.path()).run()
    };
    let mut left: BTreeSet<String> =
        fracas("schema").run().stdout.lines().map(str::to_owned).collect();
    for line in LINES {
        if line.contains("other.history") {
            let saved = scratch.read("one.history");
            let last = saved.lines().last().unwrap();
            scratch.write("other.history", saved.replace(last, "outcome {\"result\": \"other\"}"));
        }
        let name = line.split(' ').next().unwrap();
        let schema = fracas("schema").with(name).run().succeeds().json();
        let printed: Value = run(line).json();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let wrong: Vec<String> =
            validator.iter_errors(&printed).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{line}: {wrong:?}\n{printed:#}");
        described(line, &printed, &schema);
        left.remove(name);
    }
    assert!(left.is_empty(), "no line of {left:?}");
}

/// Whether every key of an object of which the schema knows any other is described there: a key that
/// nobody describes would be valid too.
fn described(line: &str, printed: &Value, schema: &Value) {
    fn properties<'a>(schema: &'a Value, found: &mut BTreeSet<&'a str>) {
        match schema {
            Value::Object(fields) => {
                let own = fields.get("properties").and_then(Value::as_object);
                found.extend(own.into_iter().flat_map(|own| own.keys().map(String::as_str)));
                fields.values().for_each(|part| properties(part, found));
            }
            Value::Array(parts) => parts.iter().for_each(|part| properties(part, found)),
            _ => {}
        }
    }
    let mut known = BTreeSet::new();
    properties(schema, &mut known);
    for key in printed.as_object().into_iter().flat_map(|fields| fields.keys()) {
        assert!(known.contains(key.as_str()) || line.starts_with("run"), "{line}: `{key}`");
    }
}

#[test]
fn the_commands_that_have_a_schema_are_listed_and_an_unknown_one_is_told_the_nearest() {
    let names = fracas("schema --json").run().succeeds().json();
    assert!(names["commands"].as_array().unwrap().contains(&json!("odds")), "{names}");
    fracas("schema oods").run().exits(2).says("unknown command `oods`; did you mean `odds`?");
}
