//! Tests campaigns: conflicts one after another, played, taken back, kept and weighed as one.

use std::fs;
use std::path::Path;

use fracas::analysis::{Enough, Estimated, Odds, Sampling, Seeking};
use fracas::catalog::Catalog;
use fracas::check::Check;
use fracas::conflict::{Changes, Conflict, Play, Position, RunUntil, Saved, Seating};
use fracas::error::Error;
use fracas::game::{Generator, Value};
use fracas::script::{Ear, Limits, Run, Turn};

use crate::support::catalog;

/// A coin with so many chances for red; who wins has a half.
const FLIP: &str = r#"//! # Flip
fn setup(scenario) { #{ heads: scenario.number("heads"), of: scenario.number("of"), won: () } }
fn step() {
    this.won = this.roll("coin", "flip", weighted([["red", this.heads], ["blue", this.of - this.heads]]));
}
fn outcome() {
    if this.won == () { return; }
    let utility = #{ red: 0, blue: 0 };
    utility[this.won] = worth();
    #{ result: this.won, utility: utility }
}
fn worth() { 0.5 }
"#;

/// The first player names a number up to `most`, gets it from the second, and keeps it to themself.
const ASK: &str = r#"//! # Ask
fn setup(scenario) {
    #{ players: scenario.words("players"), most: scenario.number("most", 3), named: (), told: false }
}
fn step() {
    let all = [];
    for number in 1..=this.most { all.push(number); }
    this.named = this.choose(this.players[0], "name", all);
}
fn view(player) {
    let seen = this;
    if player != this.players[0] { seen.named = "hidden"; }
    seen
}
fn outcome() {
    if this.named == () { return; }
    let utility = #{};
    utility[this.players[0]] = this.named;
    utility[this.players[1]] = -this.named;
    #{ result: this.players[0], utility: utility, named: this.named }
}
"#;

/// A folder with both systems, and files beside them.
struct Ground(tempfile::TempDir);

impl Ground {
    fn new() -> Ground {
        let ground = Ground(tempfile::tempdir().unwrap());
        for (system, rules, setup) in
            [("flip", FLIP, "heads = 1\nof = 2\n"), ("ask", ASK, "players = [\"red\", \"blue\"]\n")]
        {
            ground.write(&format!("rules/{system}/rules.rhai"), rules);
            let scenario = format!("system = \"{system}\"\ntitle = \"t\"\n[setup]\n{setup}");
            ground.write(&format!("rules/{system}/scenarios/one.toml"), &scenario);
        }
        let double = "fn worth() { let other = super(); other + other }\n";
        ground.write("rules/flip/house/double.rhai", double);
        ground
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn catalog(&self) -> Catalog {
        Catalog::new(&[self.0.path().join("rules")]).unwrap()
    }

    /// Opens a campaign with this text.
    fn open(&self, text: &str, seats: &[&str]) -> Result<Conflict, Error> {
        self.write("c.toml", text);
        let seats: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
        let changes = Changes::read(&[], &[], &seats)?;
        Conflict::open(&self.catalog(), &self.path("c.toml"), &changes, &Limits::default())
    }

    fn begin(&self, text: &str, seats: &[&str]) -> Play {
        Play::begin(self.open(text, seats).unwrap(), 0, &Limits::default()).unwrap()
    }
}

/// Three conflicts of two systems: a flip, one that leans to who won it, and a number for blue, which
/// is asked only where red won the second.
const THREE: &str = r#"title = "Two flips and a number"
script = '''
fn leaning(setup, past) {
    setup.heads = if past[0].result == "red" { 3 } else { 1 };
    setup.of = 4;
    setup
}
fn number(setup, past) {
    if past[1].result == "blue" { return; }
    renamed(setup, #{ red: "blue", blue: "red" })
}
'''
[[conflict]]
name = "first"
scenario = "flip/one"
[[conflict]]
name = "second"
scenario = "flip/one"
begin = "leaning"
[[conflict]]
name = "third"
scenario = "ask/one"
begin = "number"
"#;

/// Names with their exact numbers.
type Numbers = Vec<(String, String)>;

fn odds(conflict: &Conflict) -> (Numbers, Numbers) {
    let seating = Seating::new(conflict, 1 << 28).unwrap();
    let seeking = Seeking { float: false, threads: 1, nodes: u64::MAX };
    let odds = Odds::find(&seating, seeking, &|_| ()).unwrap();
    let json = serde_json::to_value(&odds).unwrap();
    let all = |key: &str| -> Numbers {
        let map = json[key].as_object().unwrap_or_else(|| panic!("{json}"));
        map.iter().map(|(name, it)| (name.clone(), it.as_str().unwrap().to_owned())).collect()
    };
    (all("results"), all("utility"))
}

fn pairs(all: &[(&str, &str)]) -> Numbers {
    all.iter().map(|(name, number)| (name.to_string(), number.to_string())).collect()
}

/// Red wins the first flip with 1/2, and then the second with 3/4, else with 1/4: 1/2 in all.
/// - Red has half of each: 1/4 + 1/4. Where red won the second (1/2), blue takes 1, 2 or 3 from red, 2 on
///   average: red has 1/2 - 1, blue 1/2 + 1.
/// - Without a third, it is even where red won the first and blue the second (1/2 · 1/4); else, blue won
///   both. With a third, blue has 1 or more, and red at most 1 less that.
#[test]
fn the_whole_is_worth_what_was_worked_out() {
    let ground = Ground::new();
    let conflict = ground.open(THREE, &["blue=random"]).unwrap();
    let (results, utility) = odds(&conflict);
    assert_eq!(results, pairs(&[("blue", "7/8"), ("draw", "1/8")]));
    let sorted = |mut all: Numbers| {
        all.sort();
        all
    };
    assert_eq!(sorted(utility), pairs(&[("blue", "3/2"), ("red", "-1/2")]));

    let seating = Seating::new(&conflict, 1 << 28).unwrap();
    let sampling = Sampling { seed: 7, n: 4_000, enough: Enough::All, threads: 1 };
    let estimated = Estimated::watched(&seating, sampling, &[], &|_| ()).unwrap();
    let json = serde_json::to_value(&estimated).unwrap();
    for (kind, name, number) in
        [("results", "draw", 0.125), ("utility", "red", -0.5), ("utility", "blue", 1.5)]
    {
        let one = &json[kind][name];
        let (low, high) = (one["low"].as_f64().unwrap(), one["high"].as_f64().unwrap());
        assert!(low <= number && number <= high, "{kind} {name}: {one}");
    }
}

/// The rules of each conflict check themselves when the campaign opens, each under its own house rules.
#[test]
fn each_conflict_checks_its_rules_when_the_campaign_opens() {
    let ground = Ground::new();
    let check =
        "fn check_rules() { if worth() + this.heads > 2 { [\"worth: too much\"] } else { [] } }\n";
    ground.write("rules/flip/rules.rhai", &format!("{FLIP}{check}"));
    ground.open(THREE, &[]).unwrap();
    let second = "name = \"second\"\nscenario = \"flip/one\"";
    let dear = THREE.replace(second, &format!("{second}\nhouse = [\"dear\"]"));
    let house = "//! # Dear\n\nfn worth() {\n    super() + 1.0\n}\n";
    ground.write("rules/flip/house/dear.rhai", house);
    let Err(error) = ground.open(&dear, &[]) else { panic!("it opened") };
    let at = error.location().unwrap();
    assert!(at.file.ends_with("dear.rhai") && at.line == 3, "{at}");
    assert_eq!(error.to_string(), "worth: too much");
}

/// What one answer leaves unread is a mistake of the setup, also where another answer read it.
#[test]
fn a_conflict_whose_setup_asks_knows_what_it_had_read_at_each_answer() {
    for reads in [["all", "some"], ["some", "all"]] {
        let ground = Ground::new();
        let rules = FLIP.replace(
            "fn setup(scenario) {",
            &format!(
                "fn setup(scenario) {{
    let reads = #{{}}.choose(\"red\", \"reads\", {reads:?});
    if reads == \"all\" {{ scenario.number(\"more\"); }}"
            ),
        );
        ground.write("rules/reads/rules.rhai", &rules);
        let scenario = "system = \"reads\"\ntitle = \"t\"\n[setup]\nheads = 1\nof = 2\nmore = 3\n";
        ground.write("rules/reads/scenarios/one.toml", scenario);
        let conflicts = "[[conflict]]\nname = \"first\"\nscenario = \"flip/one\"\n\
                         [[conflict]]\nname = \"second\"\nscenario = \"reads/one\"\n";
        let text = format!("title = \"A flip and another\"\n{conflicts}");
        let conflict = ground.open(&text, &["red=random"]).unwrap();
        let seating = Seating::new(&conflict, 1 << 28).unwrap();
        let seeking = Seeking { float: false, threads: 1, nodes: u64::MAX };
        let error = Odds::find(&seating, seeking, &|_| ()).unwrap_err().to_string();
        assert!(error.contains("more") && error.contains("no such key"), "{error}");
    }
}

/// The first flip alone is even and worth 1/4 to each. The second is as well, before the first is known;
/// who wins that has a half of it, and what came before counts no more.
#[test]
fn the_odds_of_the_next_conflict_are_of_that_alone() {
    let ground = Ground::new();
    let conflict = ground.open(THREE, &["blue=random"]).unwrap();
    for until in [1, 2] {
        let (results, utility) = odds(&conflict.until(until).unwrap());
        assert_eq!(results, pairs(&[("blue", "1/2"), ("red", "1/2")]));
        assert!(utility.iter().all(|(_, number)| number == "1/4"), "{utility:?}");
    }
    // Under way it is that of the conflict that is on: the third, whose question is open.
    let mut play = ground.begin(THREE, &["blue=human"]);
    let seeds = (0..).find(|seed| {
        play.anew(*seed).unwrap();
        play.asked().is_some()
    });
    assert!(seeds.is_some());
    let seating = play.seating_of_conflict().unwrap();
    let seeking = Seeking { float: false, threads: 1, nodes: u64::MAX };
    let odds = Odds::find(&seating, seeking, &|_| ()).unwrap();
    // Where there is no third, two conflicts are all, and who won has the flip: 3/8 + 1/8 of it is blue's.
    let json = serde_json::to_value(&odds).unwrap();
    assert_eq!(json["utility"]["red"], "-1", "{json}");
}

/// Heads is drawn: 2 of 2 with 3/4, else none. The second conflict draws anew.
#[test]
fn the_setup_of_each_conflict_of_a_campaign_is_drawn_by_itself() {
    let ground = Ground::new();
    let setup = "[setup]\nheads = { one_of = [0, 2], weights = [1, 3] }\nof = 2\n";
    let scenario = format!("system = \"flip\"\ntitle = \"t\"\n{setup}");
    ground.write("rules/flip/scenarios/drawn.toml", &scenario);
    let text = "title = \"t\"\n[[conflict]]\nname = \"first\"\nscenario = \"flip/drawn\"\n\
                [[conflict]]\nname = \"second\"\nscenario = \"flip/drawn\"\n";
    let conflict = ground.open(text, &[]).unwrap();
    let (results, _) = odds(&conflict.until(1).unwrap());
    assert_eq!(results, pairs(&[("blue", "1/4"), ("red", "3/4")]));
    let mut play = ground.begin(text, &[]);
    play.go(RunUntil::PersonAsked).unwrap();
    let history = play.history().to_string();
    let lines: Vec<&str> = history.lines().filter(|line| line.contains("setup.heads")).collect();
    assert_eq!(lines.len(), 2, "{history}");
    assert!(lines[0].starts_with("chance first \"setup.heads\""), "{history}");
    assert!(lines[1].starts_with("chance second \"setup.heads\""), "{history}");
    // Where the first has no heads, blue wins it, and only the second is drawn.
    let changes = Changes::read(&[], &["setup.first.heads=0".to_owned()], &[]).unwrap();
    let (catalog, limits) = (ground.catalog(), Limits::default());
    let conflict = Conflict::open(&catalog, &ground.path("c.toml"), &changes, &limits).unwrap();
    let (results, _) = odds(&conflict.until(1).unwrap());
    assert_eq!(results, pairs(&[("blue", "1")]));
    let mut play = Play::begin(conflict, 0, &limits).unwrap();
    play.go(RunUntil::PersonAsked).unwrap();
    assert_eq!(play.history().to_string().matches("setup.heads").count(), 1);
    let saved = Saved::parse("saved", &play.saved().to_text().unwrap()).unwrap();
    let (again, differs) = (Play::load(&catalog, &saved, &limits, false).unwrap(), saved.setup);
    assert_eq!(again.play.history().to_string(), play.history().to_string(), "{differs:?}");
}

/// Each names a number up to the one named before.
const NUMBERS: &str = r#"title = "Numbers"
script = '''
fn lower(setup, past) {
    let last = past[past.len() - 1];
    setup.most = last.named + 1;
    if past.len() == 1 { renamed(setup, #{ red: "blue", blue: "red" }) } else { setup }
}
fn outcome(past, left) {
    if left > 0 && past[past.len() - 1].named > 1 { return; }
    #{ result: `${past.len()} conflicts`, utility: total_utility(past) }
}
'''
[[conflict]]
name = "one"
scenario = "ask/one"
[[conflict]]
name = "two"
scenario = "ask/one"
begin = "lower"
[[conflict]]
name = "three"
scenario = "ask/one"
begin = "lower"
"#;

fn asked(play: &Play) -> (String, usize) {
    play.asked().map(|asked| (asked.who.clone(), asked.options.len())).unwrap_or_default()
}

#[test]
fn one_history_goes_through_all_conflicts_and_back() {
    let ground = Ground::new();
    let mut play = ground.begin(NUMBERS, &["red=human", "blue=human"]);
    assert_eq!(asked(&play), ("red".to_owned(), 3));
    play.answer(1).unwrap();
    // Red named 2, so blue has up to 3 in the second, and red begins again in the third.
    assert_eq!(asked(&play), ("blue".to_owned(), 3));
    play.answer(2).unwrap();
    assert_eq!(asked(&play), ("red".to_owned(), 4));
    assert_eq!(play.history().to_string(), "red name 2\nblue name 3\n");
    // At the beginning of the third, what is taken back is the answer that ended the second.
    play.undo(1).unwrap();
    assert_eq!(asked(&play), ("blue".to_owned(), 3));
    play.undo(1).unwrap();
    assert_eq!(asked(&play), ("red".to_owned(), 3));
    play.redo(2).unwrap();
    assert_eq!(asked(&play), ("red".to_owned(), 4));
    play.goto(1).unwrap();
    assert_eq!(asked(&play), ("blue".to_owned(), 3));
    play.fork("meek").unwrap();
    play.answer(0).unwrap();
    // Blue named 1, which ends it after two conflicts: 2 - 1 for red.
    let Position::Over { outcome, .. } = play.position() else { panic!("it is over") };
    assert_eq!(outcome.result, "2 conflicts");
    assert_eq!((outcome.utility["red"], outcome.utility["blue"]), (1.0, -1.0));
    play.fork("main").unwrap();
    assert_eq!(play.history().to_string(), "red name 2\n");
    play.redo(1).unwrap();
    play.answer(3).unwrap();
    // Red named 2 and 4, blue 3.
    let Position::Over { outcome, .. } = play.position() else { panic!("it is over") };
    assert_eq!(outcome.result, "3 conflicts");
    assert_eq!((outcome.utility["red"], outcome.utility["blue"]), (3.0, -3.0));
}

#[test]
fn a_campaign_is_saved_and_taken_up_from_the_setups_that_it_had() {
    let ground = Ground::new();
    let mut play = ground.begin(NUMBERS, &["red=human", "blue=human"]);
    play.answer(1).unwrap();
    let text = play.saved().to_text().unwrap();
    ground.write("c.history", &text);
    let read = || Saved::read_from(Path::new(&ground.path("c.history"))).unwrap();
    // Other numbers in the scenario's file are those of other conflicts.
    let scenario = "system = \"ask\"\n[setup]\nplayers = [\"red\", \"blue\"]\nmost = 9\n";
    ground.write("rules/ask/scenarios/one.toml", scenario);
    let limits = Limits::default();
    let mut loaded = Play::load(&ground.catalog(), &read(), &limits, false).unwrap();
    assert!(loaded.divergence.is_none() && loaded.ending.is_none());
    loaded.play.go(RunUntil::PersonAsked).unwrap();
    assert_eq!(asked(&loaded.play), ("blue".to_owned(), 3));
    loaded.play.undo(1).unwrap();
    assert_eq!(asked(&loaded.play), ("red".to_owned(), 3));

    // A history elsewhere may name the campaign as long as its script is what it was.
    ground.write("elsewhere/c.history", &text);
    let elsewhere = || Saved::read_from(Path::new(&ground.path("elsewhere/c.history")));
    assert!(elsewhere().is_ok());
    ground.write("c.toml", &NUMBERS.replace("last.named + 1", "last.named + 2"));
    let refused = Play::load(&ground.catalog(), &read(), &limits, false).err().unwrap();
    assert!(refused.to_string().contains("`campaign/c.toml` has changed"), "{refused}");
    let refused = elsewhere().unwrap_err();
    assert!(refused.to_string().contains("its script is not what it was"), "{refused}");
    assert_eq!(refused.location().map(|at| at.line), Some(4));
}

#[test]
fn what_a_conflict_hid_stays_hidden_in_the_next() {
    let ground = Ground::new();
    let mut play = ground.begin(NUMBERS, &["red=human", "blue=human"]);
    play.answer(1).unwrap();
    let rules = &play.conflict.rules;
    let state = play.state();
    let seen = |player: &str| rules.view(&state, player).unwrap();
    // The state has the number that red named; what is seen of the past has the result alone.
    let past = |value: &Value| value.get("campaign").unwrap().get("past").unwrap().to_string();
    assert!(past(&state.value()).contains("named"));
    for player in ["red", "blue"] {
        let seen = seen(player);
        assert!(!past(&seen).contains("named"), "{seen}");
        assert_eq!(seen.get("campaign").unwrap().get("conflict"), Some(&Value::from("two")));
    }
    // Of the second conflict red, who is not asked, sees as little as in it alone.
    assert_eq!(seen("red").get("named"), Some(&Value::from("hidden")));
    assert_eq!(seen("blue").get("named"), Some(&Value::Unit));
    assert!(rules.means_to_hide());
}

/// The second flip is under a house rule, which makes it worth twice a half: red's even chance in each
/// is worth 1/4 and 1/2.
#[test]
fn house_rules_and_parameters_are_those_of_each_conflict() {
    let ground = Ground::new();
    let text = "[[conflict]]\nname = \"a\"\nscenario = \"flip/one\"\n\
                [[conflict]]\nscenario = \"flip/one\"\nhouse = [\"double\"]\n";
    let (_, utility) = odds(&ground.open(text, &[]).unwrap());
    assert!(utility.iter().all(|(_, number)| number == "3/4"), "{utility:?}");
    // From outside it is laid over all that have it: 1/2 and 1/2, for who doubles twice has 2.
    let changes = Changes::read(&["double".to_owned()], &[], &[]).unwrap();
    let open = |changes: &Changes| {
        Conflict::open(&ground.catalog(), &ground.path("c.toml"), changes, &Limits::default())
    };
    let (_, utility) = odds(&open(&changes).unwrap());
    assert!(utility.iter().all(|(_, number)| number == "3/2"), "{utility:?}");
    let changes = Changes::read(&["duoble".to_owned()], &[], &[]).unwrap();
    let error = open(&changes).err().unwrap().to_string();
    assert_eq!(error, "unknown house rule `duoble`; did you mean `double`?");
    let changes = Changes::read(&[], &["faces=3".to_owned()], &[]).unwrap();
    let error = open(&changes).err().unwrap().to_string();
    assert_eq!(error, "params.faces: no conflict of the campaign has this parameter");
}

/// What a campaign with this text gets wrong, and on which line of which file.
fn mistake(ground: &Ground, text: &str) -> (String, String) {
    let error = match ground.open(text, &[]) {
        Err(error) => error,
        Ok(conflict) => match Play::begin(conflict, 0, &Limits::default()) {
            Ok(_) => panic!("nothing is wrong with {text}"),
            Err(error) => error,
        },
    };
    let error = error.itself();
    let at = error.location().unwrap_or_else(|| panic!("no place: {error}"));
    let file = Path::new(&at.file).file_name().unwrap().to_string_lossy().into_owned();
    (error.to_string(), format!("{file}:{}", at.line))
}

#[test]
fn mistakes_have_their_place_and_the_nearest_word() {
    let ground = Ground::new();
    let two = |script: &str, more: &str| {
        format!(
            "script = '''\n{script}\n'''\n[[conflict]]\nname = \"a\"\nscenario = \"flip/one\"\n\
             [[conflict]]\nname = \"b\"\nscenario = \"flip/one\"\n{more}\n"
        )
    };
    for (text, message, at) in [
        (
            "conflict = []\n".to_owned(),
            "`conflict` must be a list of 1 to 100 conflicts, not 0",
            "c.toml:1",
        ),
        (
            two("", "begins = \"x\""),
            "unknown key `conflict.1.begins`; did you mean `begin`?",
            "c.toml:10",
        ),
        (two("", "name = \"c\""), "duplicate key", "c.toml:10"),
        (
            two("", "").replace("\"b\"", "\"a\""),
            "`conflict.1.name` names two conflicts `a`; give each a `name`",
            "c.toml:8",
        ),
        (
            "[[conflict]]\nscenario = \"flip/noe\"\n".to_owned(),
            "unknown scenario `noe`; did you mean `one`?",
            "c.toml:2",
        ),
        (
            "[[conflict]]\nscenario = \"filp/one\"\n".to_owned(),
            "unknown system `filp`; did you mean `flip`?",
            "c.toml:2",
        ),
        (
            "[[conflict]]\nscenario = \"flip/one\"\nhouse = [\"duoble\"]\n".to_owned(),
            "unknown house rule `duoble`; did you mean `double`?",
            "c.toml:3",
        ),
        (
            two("fn later(setup, past) { setup }", "begin = \"latre\""),
            "unknown function `latre`; did you mean `later`?",
            "c.toml:10",
        ),
        (
            two("\nfn later(setup) { setup }", "begin = \"later\""),
            "later: takes `(setup, past)`, but has 1 parameter",
            "c.toml:3",
        ),
        (
            two("fn later(setup, past) { 3 }", "begin = \"later\""),
            "b: its setup must be a table, got a whole number",
            "c.toml:2",
        ),
        // A key that the function made up is its own mistake, one of the scenario's that of the file.
        (
            two("fn later(setup, past) { setup.head = 1; setup }", "begin = \"later\""),
            "setup.head: no such key (`b`); did you mean `heads`?",
            "c.toml:2",
        ),
        (
            two("fn later(setup, past) { setup.heads = -1; setup }", "begin = \"later\""),
            "setup.heads: must be a whole number of 0 or more, got -1 (`b`)",
            "c.toml:2",
        ),
        (
            two("fn later(setup, past) { setpu }", "begin = \"later\""),
            "there is no variable `setpu`; did you mean `setup`?",
            "c.toml:2",
        ),
        (
            two("\n\nfn outcome(past, left) { }", ""),
            "campaign: its conflicts are over, and `outcome(past, left)` returns nothing",
            "c.toml:4",
        ),
        (
            two("\nfn outcome(past) { }", ""),
            "outcome: takes `(past, left)`, but has 1 parameter",
            "c.toml:3",
        ),
        (
            two("fn outcome() { }", ""),
            "outcome: takes `(past, left)`, but has no parameters",
            "c.toml:2",
        ),
        (
            two("fn outcome(past, left) { #{ result: \"x\" } }", ""),
            "campaign: the outcome has no `utility`",
            "c.toml:2",
        ),
        (
            "script = \"fn f() {\\n}\"\n[[conflict]]\nscenario = \"flip/one\"\n".to_owned(),
            "`script` must be written as it is, between `'''` and `'''`",
            "c.toml:1",
        ),
    ] {
        let (told, where_) = mistake(&ground, &text);
        assert!(told.starts_with(message) || told == message, "{told}\n  is not\n{message}");
        assert_eq!(where_, at, "{told}");
    }
    ground.write("other.toml", "[[conflict]]\nscenario = \"flip/one\"\n");
    let (told, at) = mistake(&ground, "[[conflict]]\nscenario = \"other.toml\"\n");
    assert_eq!(told, "`conflict.0.scenario` names a campaign; a campaign has none in it");
    assert_eq!(at, "c.toml:2");
}

/// What the rules of a conflict get wrong is said as of them alone, with the line of their file; while they run the
/// conflict is named as the campaign's file names it.
#[test]
fn mistakes_of_the_rules_of_a_conflict_are_in_their_own_files() {
    let two = "[[conflict]]\nname = \"dawn\"\nscenario = \"flip/one\"\n[[conflict]]\nname = \"dusk\"\n\
               scenario = \"flip/one\"\nhouse = [\"double\"]\n";
    let last = FLIP.lines().count() + 1;
    for (function, message) in [
        ("step", "fn step() { this = 3; } => `step` of `dawn`: `this` must stay a map"),
        (
            "step",
            "fn step(a) {} => rules must define `step` with no parameters; it has 1 parameter",
        ),
        ("step", "fn step() { params.no } => there is no parameter `no`"),
        (
            "step",
            "fn step() { params[`no`] } => parameters are no value: read each by its name, as `params.target`",
        ),
        (
            "setup",
            "fn setup(from) { from.number(\"heads\"); from.number(\"of\"); 3 } => `setup` of `dawn`: must return a map, got a whole number",
        ),
        (
            "outcome",
            "fn outcome() { 3 } => `outcome` of `dawn`: the outcome must be a map, got a whole number",
        ),
        (
            "sides",
            "fn sides() { #{ a: 3 } } => `sides` of `dawn`: must return a map of lists of names",
        ),
        (
            "view",
            "fn view() { this } => rules must define `view` with 1 parameter; it has no parameters",
        ),
    ] {
        let (text, message) = message.split_once(" => ").unwrap();
        let ground = Ground::new();
        let rest = FLIP.replace(&format!("fn {function}("), "fn other(");
        ground.write("rules/flip/rules.rhai", &format!("{rest}{text}\n"));
        let told = mistake(&ground, two);
        assert_eq!(told, (message.to_owned(), format!("rules.rhai:{last}")), "{text}");
    }
    // An outcome that lacks who was asked is that of the conflict that was on.
    let ground = Ground::new();
    let asks = "//! # Asks\nfn setup(from) { from.number(\"heads\"); from.number(\"of\"); #{ done: false } }\n\
                fn step() { this.choose(\"red\", \"pick\", [1, 2]); this.done = true; }\n\
                fn outcome() { if this.done { #{ result: \"x\", utility: #{ blue: worth() } } } }\n\
                fn worth() { 1 }\n";
    ground.write("rules/flip/rules.rhai", asks);
    let conflict = ground.open(two, &["red=random", "blue=random"]).unwrap();
    let error = Play::begin(conflict, 0, &Limits::default()).err().unwrap();
    let told = error.itself().to_string();
    assert!(told.starts_with("`outcome` of `dusk`: `utility` lacks `red`"), "{told}");
    assert_eq!(error.itself().location().map(|at| at.line), Some(4), "{told}");
    // The calls that led there are of the rules, too: none is of the script by which campaigns are played.
    let ground = Ground::new();
    let thrown = FLIP.replace("fn worth() { 0.5 }", "fn worth() { throw \"no\" }");
    ground.write("rules/flip/rules.rhai", &thrown);
    let error = Play::begin(ground.open(two, &[]).unwrap(), 0, &Limits::default());
    let error = fracas::report::as_text(&error.err().unwrap(), false, 200);
    let calls: Vec<&str> = error.lines().filter(|line| line.starts_with("  in ")).collect();
    let [worth, outcome] = calls[..] else { panic!("{error}") };
    assert!(
        worth.starts_with("  in `worth` of `dawn`, called at ") && worth.contains("rules.rhai:9:"),
        "{error}"
    );
    assert_eq!(outcome, "  in `outcome` of `dawn`");
    assert!(!error.contains("campaign.rhai") && !error.contains("conflicts.rhai"), "{error}");
}

#[test]
fn a_campaign_without_end_is_stopped_at_the_conflict_that_has_none() {
    let ground = Ground::new();
    let endless = "fn setup(scenario) { #{} }\nfn step() {}\nfn outcome() {}\n";
    ground.write("rules/endless/rules.rhai", endless);
    ground.write("rules/endless/scenarios/one.toml", "system = \"endless\"\n");
    let text = "[[conflict]]\nscenario = \"flip/one\"\n[[conflict]]\nscenario = \"endless/one\"\n";
    let (told, at) = mistake(&ground, text);
    assert_eq!(at, "rules.rhai:2");
    assert!(told.contains("100,000 steps") || told.contains("100000 steps"), "{told}");
}

#[test]
fn a_check_finds_mistakes_of_campaigns_in_a_rules_folder() {
    let ground = Ground::new();
    let campaign = "title = \"t\"\n[[conflict]]\nscenario = \"one\"\n";
    ground.write("rules/flip/campaigns/good.toml", campaign);
    ground.write("rules/flip/campaigns/bad.toml", &campaign.replace("one", "noe"));
    let limits = Limits::default();
    let catalog = ground.catalog();
    let check = Check {
        catalog: &catalog,
        limits: &limits,
        seed: 1,
        playouts: 20,
        nodes: 10_000,
        time: None,
        rules: &[],
        threads: 1,
        progress: &|_| (),
    };
    let findings = check.folder(catalog.folder("flip").unwrap()).unwrap().findings;
    let told: Vec<String> = findings.iter().map(|finding| finding.message.clone()).collect();
    let of = |word: &str| told.iter().filter(|message| message.contains(word)).count();
    assert_eq!((of("did you mean `one`?"), of("good")), (1, 0), "{told:?}");
    assert!(check.scenario("flip/good").unwrap().findings.is_empty());
    let scripted = |name: &str, begin: &str, script: &str| {
        let text = format!("script = '''\n{script}\n'''\n{campaign}{begin}");
        ground.write(&format!("rules/flip/campaigns/{name}.toml"), &text);
        check.scenario(&format!("flip/{name}")).unwrap().findings
    };
    let found = scripted("misspelt", "", "\nfn outcom(past, left) { }");
    let says = "nothing in this campaign calls `outcom`; did you mean `outcome`?";
    assert_eq!((found[0].message.as_str(), found.len()), (says, 1));
    let at = found[0].at.as_ref().unwrap();
    assert_eq!((at.file.ends_with("misspelt.toml"), at.line), (true, 3), "{at}");
    // One that is called, or that is no misspelling by what it takes, is not warned of.
    for (name, begin, script) in [
        ("begun", "begin = \"outcom\"\n", "fn outcom(setup, past) { setup }"),
        (
            "helper",
            "begin = \"a\"\n",
            "fn outcom(a, b) { a }\nfn a(setup, past) { outcom(setup, 1) }",
        ),
        ("other", "", "fn outcom(a) { a }"),
    ] {
        assert_eq!(scripted(name, begin, script), [], "{name}");
    }
    assert!(catalog.scenario("flip/good").unwrap().campaign.is_some());
    let error = catalog.scenario("flip/godo").unwrap_err().to_string();
    assert_eq!(error, "unknown scenario `flip/godo`; did you mean `flip/good`?");
}

/// A copy elsewhere names no folder for `one`, which is only the second half of a name; in its own folder it needs
/// none, wherever it is called from.
#[test]
fn a_campaign_by_its_path_finds_the_scenarios_of_its_own_folder() {
    let ground = Ground::new();
    let text = "[[conflict]]\nscenario = \"one\"\n";
    ground.write("rules/flip/campaigns/good.toml", text);
    let error = ground.open(text, &[]).err().unwrap();
    assert_eq!(error.to_string(), "unknown scenario `one`; did you mean `ask/one`?");
    let path = ground.path("rules/flip/campaigns/good.toml");
    let (changes, limits) = (Changes::default(), Limits::default());
    let open = |catalog: &Catalog| Conflict::open(catalog, &path, &changes, &limits).unwrap();
    assert_eq!(open(&ground.catalog()).scenario.name, "flip/good");
    assert_eq!(open(&catalog()).scenario.name, path);
}

/// Whoever is there in a later conflict of the story has the conditions, slots, traits and legacies that
/// they had at the end of the one before, and nobody is there who perished.
#[test]
fn wounds_of_the_last_stand_last() {
    let conflict = Conflict::open(
        &catalog(),
        "last_stand/wolves_and_crows",
        &Changes::default(),
        &Limits::default(),
    )
    .unwrap();
    let (mut wounded, mut later, mut gone) = (0, 0, 0);
    for seed in 0..12 {
        // The states in which a conflict of the campaign begins.
        let mut begins: Vec<Value> = Vec::new();
        let on = |state: &Value| state.get("campaign").and_then(|own| own.get("on").cloned());
        let mut generator = Generator::playout(seed, 0);
        let mut run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
        while run.reach(|question| Ok(generator.sample(question))).unwrap() != Turn::Done {
            let state = run.state().unwrap().value();
            if begins.last().is_none_or(|last| on(last) != on(&state)) {
                begins.push(state);
            }
        }
        for state in begins.iter().skip(1) {
            let past = state.get("campaign").unwrap().get("past").unwrap();
            let before = past.as_list().unwrap().last().unwrap().get("people").unwrap();
            let there = state.get("people").unwrap().as_map().unwrap();
            later += 1;
            for (name, was) in before.as_map().unwrap() {
                if was.get("status") == Some(&Value::from("perished")) {
                    assert!(!there.contains_key(name), "{name} has perished");
                    gone += 1;
                    continue;
                }
                let now = |key: &str| there[name].get(key).unwrap().clone();
                assert_eq!(Some(&now("conditions")), was.get("typed_conditions"), "{name}");
                assert_eq!(Some(&now("slots")), was.get("free_slots"), "{name}");
                assert_eq!(Some(&now("traits")), was.get("traits"), "{name}");
                wounded += usize::from(now("conditions").as_list() != Some(&[]));
            }
        }
    }
    assert!(wounded > 0 && gone > 0 && later >= 12, "{wounded} {gone} {later}");
}
