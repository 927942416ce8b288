//! Tests of reading a spec: correct ones are read as written, and each mistake is named.

use super::*;

const SPEC: &str = r#"title = "Who holds the border?"
scenarios = ["frontiers/three", "mine.toml"]
agents = ["random", "search:200", "bluffer(rate=3)"]
format = "swiss"
games = 20
rounds = 2
house = ["cheap"]
seed = 7
[stop]
within = 15
"#;

fn parse(text: &str) -> Result<Spec, Error> {
    Spec::parse(FileText { path: "cups/a.toml".into(), text: text.into() })
}

/// A spec of two agents and a scenario, in no folder.
pub(in crate::tournament) fn two_agents() -> Spec {
    let text = "scenarios = [\"ford\"]\nagents = [\"a\", \"b\"]\nformat = \"round_robin\"\n";
    Spec { folder: None, ..parse(text).unwrap() }
}

#[test]
fn all_keys_are_read() {
    let spec = parse(SPEC).unwrap();
    assert_eq!(spec.title.as_deref(), Some("Who holds the border?"));
    assert_eq!(spec.agents, ["random", "search:200", "bluffer(rate=3)"]);
    assert_eq!((spec.format, spec.games, spec.rounds), (FormatName::Swiss, 20, Some(2)));
    assert_eq!((spec.seed, spec.stop.within), (7, Some(15.0)));
    assert_eq!(spec.folder.as_deref(), Some(Path::new("cups")));
    let short = "scenarios = [\"a\"]\nagents = [\"x\", \"y\"]\nformat = \"gauntlet\"\n";
    let spec = parse(short).unwrap();
    assert_eq!((spec.games, spec.seed, spec.stop), (100, 1, StopRule::default()));
}

#[test]
fn an_anchor_is_one_of_the_agents_and_has_a_rating() {
    let of = |anchor: &str| parse(&SPEC.replace("seed = 7", &format!("anchor = {anchor}")));
    let spec = of("{ agent = \"search:200\", rating = 1500 }").unwrap();
    assert_eq!(spec.anchor, Some((1, 1500.0)));
    assert_eq!(parse(&spec.canonical()).unwrap(), spec);
    assert_eq!(of("{ agent = \"random\" }").unwrap().anchor, Some((0, 0.0)));
    for (anchor, words) in [
        ("{ agent = \"randon\" }", "did you mean `random`?"),
        ("{ rating = 3 }", "agent"),
        ("{ agent = \"random\", rating = 1e9 }", "must be from -10000 to 10000"),
        ("{ agent = \"random\", ratings = 3 }", "did you mean `rating`?"),
    ] {
        let error = of(anchor).unwrap_err().to_string();
        assert!(error.contains(words), "{anchor}: {error}");
    }
}

#[test]
fn what_ends_games_before_their_end_is_read_strictly() {
    let of = |table: &str| parse(&SPEC.replace("seed = 7", &format!("adjudicate = {table}")));
    let spec = of("{ questions = 200, beyond = 0.95, agent = \"greedy\" }").unwrap();
    assert_eq!(parse(&spec.canonical()).unwrap(), spec);
    let by = spec.adjudicate.clone().unwrap();
    assert_eq!((by.questions, by.draw, by.beyond), (Some(200), None, Some(0.95)));
    assert_eq!((by.decisions, by.playouts, by.agent.as_deref()), (4, 100, Some("greedy")));
    assert!(spec.exact && !spec.computes());
    // What is not used is no part of it.
    let draw = of("{ questions = 200, draw = 0 }").unwrap();
    assert!(draw.canonical().contains("adjudicate = { questions = 200, draw = 0.0 }\n"));
    assert_eq!(parse(&draw.canonical()).unwrap(), draw);
    for (table, words) in [
        ("{ question = 3 }", "did you mean `questions`?"),
        ("{ draw = 0 }", "needs `questions` or `beyond`"),
        ("{ questions = 0 }", "must be a whole number from 1 to 99999, got 0"),
        ("{ beyond = -1 }", "must be above 0"),
        ("{ beyond = 1e308 }", "`adjudicate.beyond` must be from 0 to 1000000000"),
        ("{ questions = 5, draw = -2e9 }", "must be from -1000000000 to 1000000000"),
        ("{ beyond = 1, draw = 0 }", "`adjudicate.draw` is for games that end after `questions`"),
        ("{ questions = 5, decisions = 3 }", "is for `beyond`"),
        ("{ questions = 5, draw = 0, playouts = 3 }", "with `draw` nothing is expected"),
        ("{ questions = 5, playouts = 0 }", "must be a whole number from 1 to 1000000"),
        ("{ questions = 5, agent = \"human\" }", "is a person"),
        ("{ questions = 5, agent = \"../b.rhai\" }", "`adjudicate.agent`"),
        ("{ questions = 5, agent = \"command(x)\" }", "list it in `agents`"),
    ] {
        let error = of(table).unwrap_err();
        assert!(error.to_string().contains(words), "{table}: {error}");
        assert_eq!(error.location().map(|at| at.line), Some(8), "{table}");
    }
}

#[test]
fn the_canonical_text_is_the_same_however_the_spec_was_written() {
    let spec = parse(SPEC).unwrap();
    let again = parse(&spec.canonical()).unwrap();
    assert_eq!(again, spec);
    let turned = SPEC.replace("games = 20\n", "").replace("seed = 7", "games=20\nseed=7 # x");
    assert_eq!(parse(&turned).unwrap().digest(), spec.digest());
    assert_ne!(parse(&SPEC.replace("= 7", "= 8")).unwrap().digest(), spec.digest());
    let sprt = "scenarios = [\"a\"]\nagents = [\"x\\u0007\", \"y\\\"\"]\nformat = \"round_robin\"\n\
        [stop]\nsprt = {elo0=-1, elo1=2.5}\n";
    let spec = parse(sprt).unwrap();
    assert_eq!(parse(&spec.canonical()).unwrap(), spec);
    assert_eq!(spec.stop.sprt.unwrap().alpha, 0.05);
}

#[test]
fn the_documented_keys_are_those_that_are_read() {
    const LINES: &str = r#"title = "a"
scenarios = ["a"]
format = "swiss"
games = 3
rounds = 1
house = ["b"]
seed = 4
exact = true
adjudicate.questions = 5
adjudicate.draw = 0
adjudicate.beyond = 1
adjudicate.decisions = 2
adjudicate.playouts = 9
adjudicate.agent = "first"
anchor.agent = "mine"
anchor.rating = 7
stop.within = 20
stop.sprt.elo0 = 0
stop.sprt.elo1 = 9
stop.sprt.alpha = 0.1
stop.sprt.beta = 0.1
agents = "#;
    const PROGRAM: [(&str, &str); 3] =
        [("name", "\"mine\""), ("command", "\"python3 mine.py\""), ("ms", "9")];
    // A list of lists is no value of any key.
    let text = |keeps: &dyn Fn(&str) -> bool, wrong: &str| {
        let line = |key: &str, value: &str| {
            let value = if key == wrong { "[[0]]" } else { value };
            keeps(key).then(|| format!("{} = {value}", key.trim_start_matches("agents.")))
        };
        let program =
            PROGRAM.iter().filter_map(|(key, value)| line(&format!("agents.{key}"), value));
        let agents = format!("[\"first\", {{ {} }}]", program.collect::<Vec<_>>().join(", "));
        let lines = LINES.lines().filter_map(|line| line.split_once(" = "));
        let lines = lines.filter_map(|(key, value)| match key {
            "agents" => line(key, &agents),
            _ => line(key, value),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    parse(&text(&|_| true, "")).unwrap();
    let required = |key: &str| all_keys().any(|one| one.key == key && one.required);
    parse(&text(&required, "")).unwrap();
    for SpecKey { key, required, .. } in all_keys() {
        let place = key.replace("agents.", "agents.1.");
        let wrong = parse(&text(&|_| true, key)).unwrap_err().to_string();
        assert!(wrong.contains(&format!("`{place}")), "{key}: {wrong}");
        if required {
            let missing = parse(&text(&|one| one != key, "")).unwrap_err().to_string();
            assert!(missing.contains(&format!("`{place}` is missing")), "{key}: {missing}");
        }
    }
}

#[test]
fn a_program_has_a_name_in_a_line() {
    let of = |name: &str| {
        let agent = format!("{{ name = \"{name}\", command = \"python3 mine.py\" }}");
        parse(&SPEC.replace("\"search:200\"", &agent))
    };
    of(&"m".repeat(40)).unwrap();
    for (name, why) in [
        ("a\\nb", "`agents.1.name` must be plain text in one line, got '\\n' in it"),
        ("a\\u001b[31m", "`agents.1.name` must be plain text in one line, got '\\u{1b}' in it"),
        ("x\\u202ey", "`agents.1.name` must be plain text in one line, got '\\u{202e}' in it"),
        ("\\u200b", "`agents.1.name` must be plain text in one line, got '\\u{200b}' in it"),
        ("", "`agents.1.name` is empty"),
        (" ", "`agents.1.name` is empty"),
        (&"m".repeat(41), "`agents.1.name` must have at most 40 characters, got 41"),
    ] {
        let error = of(name).unwrap_err();
        assert!(error.to_string().contains(why), "{name}: {error}");
        assert_eq!(error.location().map(|at| at.line), Some(3), "{name}");
    }
}

#[test]
fn a_map_of_a_script_reads_like_the_file() {
    let map = serde_json::json!({
        "title": "Who holds the border?", "scenarios": ["frontiers/three", "mine.toml"],
        "agents": ["random", "search:200", "bluffer(rate=3)"], "format": "swiss", "games": 20,
        "rounds": 2, "house": ["cheap"], "seed": 7, "stop": {"within": 15}
    });
    let value: Value = serde_json::from_value(map).unwrap();
    assert_eq!(Spec::from_value(&value).unwrap().canonical(), parse(SPEC).unwrap().canonical());
    let error = Spec::from_value(&serde_json::from_str(r#"{"agent": []}"#).unwrap()).unwrap_err();
    let printed = error.to_string();
    assert_eq!(printed, "unknown key `agent`; did you mean `agents`?");
    assert_eq!(error.kind(), "usage");
    let error = Spec::from_value(&Value::Int(3)).unwrap_err();
    assert_eq!(error.to_string(), "a tournament must be a table, got a whole number");
}

/// A line a mistake: what is written otherwise in the spec, how, where the error is, what it says.
const MISTAKES: &str = r#"games = 20 | matches = 20 | 5:1 | unknown key `matches`; the keys here are `title`, `scenarios`, `agents`, `format`, `games`, `rounds`, `house`, `seed`, `exact`, `adjudicate`, `anchor`, `stop`
games = 20 | exact = 20 | 5:9 | `exact` must be `true` or `false`, got 20
games = 20 | games = 0 | 5:9 | `games` must be a whole number from 1 to 1000000000, got 0
games = 20 | games = 2.5 | 5:9 | `games` must be a whole number from 1 to 1000000000, got 2.5
seed = 7 | seed = -7 | 8:8 | `seed` must be a whole number from 0 to 9223372036854775807, got -7
"swiss" | "swis" | 4:10 | `format` must be one of `round_robin`, `swiss`, `knockout`, `gauntlet`, `every_lineup`, got `swis`; did you mean `swiss`?
"swiss" | "knockout" | 6:10 | `rounds` is for `swiss`, not for `knockout`
"random" | "search:200" | 3:25 | `agents.1` is listed twice: `search:200`
"random" | "human" | 3:11 | `agents.0` is a person, who plays no tournament
"random" | 3 | 3:11 | `agents.0` must be a text, or a table of `name` and `command`, got 3
["frontiers/three", "mine.toml"] | [] | 2:13 | `scenarios` must have 1 to 500 items, got 0
"mine.toml" | " " | 2:33 | `scenarios.1` is empty
within = 15 | within = 0 | 10:10 | `stop.within` must be above 0: it is a number of Elo points
within = 15 | witin = 15 | 10:1 | unknown key `stop.witin`; did you mean `within`?
within = 15 | within = "x" | 10:10 | `stop.within` must be a number, got `x`
within = 15 | sprt = {elo0=0, elo1=1} | 10:1 | `stop.sprt` is for two agents, and here are 3
within = 15 | sprt = {elo0=3, elo1=1} | 10:22 | `stop.sprt.elo1` must be above `elo0`, 3, got 1
within = 15 | sprt = {elo0=3} | 10:1 | `stop.sprt.elo1` is missing
within = 15 | sprt = {elo0=0, elo1=1, alpha=0.5} | 10:31 | `stop.sprt.alpha` must be above 0 and below 0.5, got 0.5
within = 15 | allocate = "uncertain" | 10:12 | `stop.allocate` is no longer a key: all pairings play the same number of games. Delete the line
format = "swiss"\n |  | 1:1 | `format` is missing
[stop]\nwithin = 15 | stop = 3 | 9:8 | `stop` must be a table, got 3"#;

#[test]
fn mistakes_are_named_with_their_place() {
    for line in MISTAKES.lines() {
        let parts: Vec<String> = line.split(" | ").map(|part| part.replace("\\n", "\n")).collect();
        let [was, is, at, message] = &parts[..] else { panic!("{line}") };
        assert!(SPEC.contains(was.as_str()), "{was}");
        let error = parse(&SPEC.replacen(was, is, 1)).unwrap_err();
        let place = format!("cups/a.toml:{at}");
        assert_eq!(error.to_string(), *message);
        assert_eq!(error.location().unwrap().to_string(), place, "{message}");
    }
}

#[test]
fn files_are_looked_for_beside_the_spec_first() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.rhai"), "").unwrap();
    let path = folder.path().join("a.toml").display().to_string();
    let spec = Spec::parse(FileText { path, text: SPEC.to_owned() }).unwrap();
    let mine = folder.path().join("mine.rhai").display().to_string();
    assert_eq!(spec.beside("mine.rhai(rate=3)"), format!("{mine}(rate=3)"));
    assert_eq!(spec.beside("other.rhai"), "other.rhai");
    assert_eq!(spec.beside("random"), "random");
}
