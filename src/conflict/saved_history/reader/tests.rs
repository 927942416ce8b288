//! Tests of reading saved histories: round trips, and errors with the place of the mistake.

use proptest::prelude::*;

use super::*;
use crate::game::{Action, Actor, Entry};

const TEXT: &str = r#"fracas history 1
fracas = "0.1.0"
system = "duel"
scenario = "bluff"
title = "A \"bluff\""
seed = 18446744073709551615
house = ["cheap_mana"]

[params]
mana_value = 3
rate = 0.5

[scripts]
"rules.rhai" = "9f86"

[seats]
red = "human"
"old blue" = "search:500"

[setup]
players = { red = { mana = 1, wars = [{ region = "ford" }] }, blue = { ore = 1 } }
order = ["red", "blue"]
---
red bid 5 & blue bid "flag"
chance ayla test 4
# outcome {"result":"red","utility":{"red":1,"blue":-0.5},"paid":null}
"#;

fn saved() -> Saved {
    read("a.history", TEXT).unwrap()
}

fn message(text: &str) -> String {
    let error = read("a.history", text).unwrap_err();
    format!("{}: {error}", error.location().unwrap())
}

#[test]
fn the_text_is_the_one_in_the_documentation() {
    let saved = saved();
    assert_eq!(saved.to_text().unwrap(), TEXT);
    let names = [&saved.version, &saved.system, &saved.scenario, saved.title.as_ref().unwrap()];
    assert_eq!(names, ["0.1.0", "duel", "bluff", "A \"bluff\""]);
    assert_eq!((saved.seed, &saved.house[..]), (u64::MAX, &["cheap_mana".to_owned()][..]));
    let entries = |value: &Value| value.as_map().unwrap().clone();
    let json = |json: &str| serde_json::from_str::<Value>(json).unwrap();
    assert_eq!(saved.params, entries(&json(r#"{"mana_value": 3, "rate": 0.5}"#)));
    assert_eq!((&saved.scripts["rules.rhai"][..], &saved.seats["red"][..]), ("9f86", "human"));
    assert_eq!(saved.seats["old blue"], "search:500");
    let red = r#"{"mana": 1, "wars": [{"region": "ford"}]}"#;
    let setup = r#"{"players": {"red": RED, "blue": {"ore": 1}}, "order": ["red", "blue"]}"#;
    assert_eq!(saved.setup, json(&setup.replace("RED", red)));
    let [Entry::Together(bids), Entry::One(roll)] = &saved.history.entries[..] else { panic!() };
    assert_eq!([&bids[0].value, &bids[1].value], [&Value::Int(5), &"flag".into()]);
    assert_eq!(roll.actor, Actor::Chance("ayla".to_owned()));
    let outcome = r#"{"result": "red", "utility": {"red": 1, "blue": -0.5}, "paid": null}"#;
    assert_eq!(saved.outcome, Some(json(outcome)));
    assert_eq!(read("a.history", &TEXT.replace('\n', "\r\n")).unwrap(), saved);
    assert_eq!(read("a.history", TEXT.trim_end()).unwrap(), saved);
}

#[test]
fn every_file_that_was_cut_short_is_refused() {
    for end in (0..TEXT.trim_end().len()).filter(|&end| TEXT.is_char_boundary(end)) {
        let error = read("a.history", &TEXT[..end]).expect_err(&TEXT[..end]);
        assert_eq!(error.kind(), "history");
    }
    assert_eq!(
        message(&TEXT[..TEXT.find("# outcome").unwrap()]),
        "a.history:26:1: the file was cut short: its last line is neither `# unfinished` \
         nor `# outcome …`"
    );
    assert_eq!(
        message(&TEXT[..TEXT.find("---").unwrap()]),
        "a.history:23:1: the file was cut short: no line `---` ends the header"
    );
}

#[test]
fn what_is_broken_is_named_with_its_place() {
    let table = r#"
        fracas history 1 => fracas history 2 => 1: this history has format 2, this fracas reads format 1 only
        fracas history 1 => ELF => 1: this is not a saved history: line 1 is not `fracas history 1`
        scenario = => scenarios = => 4:1: unknown key `scenarios`; did you mean `scenario`?
        seed = 18446744073709551615 => seed = -1 => 6:8: expected a whole number from 0 to 18446744073709551615, found `-1`
        seed = 18446744073709551615 => seed = 18446744073709551616 => 6:8: expected a whole number from 0 to 18446744073709551615, found `18446744073709551616`
        scenario = "bluff"\n =>  => 22:1: the header has no `scenario`
        house = ["cheap_mana"] => house = [1] => 7:10: expected a text, found `1`
        mana_value = 3 => mana_value = 1979-05-27 => 10:14: expected a value other than a date, found `1979-05-27`
        mana_value = 3 => mana_value = 9223372036854775808 => 10:14: expected a whole number of 64 bits, found `9223372036854775808`
        red = "human" => red = 1 => 17:7: expected a text, found `1`
        chance ayla test 4 => \nchance ayla test => 26: expected an action after `test`, found ``
        {"result": => { => 26:1: the outcome does not read: expected `:`
    "#;
    for broken in table.trim().lines() {
        let parts: Vec<&str> = broken.trim().splitn(3, " => ").collect();
        let (right, wrong) = (parts[0].replace("\\n", "\n"), parts[1].replace("\\n", "\n"));
        assert_eq!(message(&TEXT.replacen(&right, &wrong, 1)), format!("a.history:{}", parts[2]));
    }
    message(&TEXT.replacen("fracas history 1", "\u{1}\u{0}ELF", 1));
    // What TOML itself refuses is reported in its own words, at its place in the file.
    assert!(message(&TEXT.replacen("title =", "title = =", 1)).starts_with("a.history:5:"));
    let twice = TEXT.replacen("house =", "seed = 3\nhouse =", 1);
    assert!(message(&twice).starts_with("a.history:7:1: duplicate key"));
}

#[test]
fn what_no_scenario_holds_is_refused_with_its_place() {
    let mut wrong = saved();
    wrong.setup = serde_json::from_str(r#"{"players": {"red": {"mana": null}}}"#).unwrap();
    let error = wrong.to_text().unwrap_err().to_string();
    assert!(error.starts_with("setup.players.red.mana: nothing cannot be saved"), "{error}");
    wrong.setup = Value::Unit;
    let error = wrong.to_text().unwrap_err().to_string();
    assert_eq!(error, "setup: must be a table to be saved, got nothing");
    let mut wrong = saved();
    wrong.params.insert("rate".to_owned(), Value::Unit);
    let error = wrong.to_text().unwrap_err().to_string();
    assert!(error.starts_with("params.rate: nothing cannot be saved"), "{error}");
    let deep = (0..1000).fold(Value::Int(1), |value, _| Value::List(vec![value]));
    let mut wrong = saved();
    wrong.setup = Value::Map([("deep".to_owned(), deep)].into_iter().collect());
    let error = wrong.to_text().unwrap_err().to_string();
    assert_eq!(error, "setup.deep: it is nested too deeply to be saved");
}

#[test]
fn a_file_is_written_and_read_and_one_that_is_no_text_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.history");
    saved().write_to(&path).unwrap();
    assert_eq!(Saved::read_from(&path).unwrap(), saved());

    // Some editors write a byte order mark.
    let marked = format!("\u{feff}{}", std::fs::read_to_string(&path).unwrap());
    std::fs::write(&path, marked).unwrap();
    assert_eq!(Saved::read_from(&path).unwrap(), saved());

    let mut wrong = saved();
    wrong.setup = Value::Unit;
    wrong.write_to(&path).unwrap_err();
    assert_eq!(Saved::read_from(&path).unwrap(), saved());
    // It is a saved history, which another may replace.
    saved().write_to(&path).unwrap();

    std::fs::write(&path, b"fracas history 1\n\xff\xfe").unwrap();
    let error = Saved::read_from(&path).unwrap_err();
    assert_eq!(error.to_string(), "this is not a saved history: it is not text in UTF-8");
    assert_eq!(error.location().unwrap().line, 2);
    assert_eq!(Saved::read_from(folder.path()).unwrap_err().kind(), "file");
}

/// Names and texts as nobody should choose them.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => "[a-z_]{1,6}",
        1 => any::<String>(),
        2 => proptest::sample::select(vec![
            "", " ", "chance", "&", "---", "#", "# outcome", "a b", "\"", "'''", "\\", "\n---\n",
            "\r\n", "\u{0}", "\u{7f}", "\u{85}", "\u{2028}", "\u{feff}", "é", "将", "null", "1",
            "=", "[x]", "a.b", "\t",
        ])
        .prop_map(str::to_owned),
    ]
}

fn any_plain(unit: bool) -> BoxedStrategy<Value> {
    let number = any::<f64>().prop_filter("must be a number", |number| number.is_finite());
    let plain = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        number.prop_map(Value::Float),
        any_text().prop_map(Value::Text),
    ];
    if unit { prop_oneof![4 => plain, 1 => Just(Value::Unit)].boxed() } else { plain.boxed() }
}

fn any_table<V: std::fmt::Debug>(
    value: impl Strategy<Value = V>,
) -> impl Strategy<Value = IndexMap<String, V>> {
    proptest::collection::vec((any_text(), value), 0..4).prop_map(IndexMap::from_iter)
}

fn any_value(unit: bool) -> impl Strategy<Value = Value> {
    any_plain(unit).prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            any_table(inner).prop_map(Value::Map),
        ]
    })
}

fn any_action(chance: bool) -> impl Strategy<Value = Action> {
    (any::<bool>(), any_text(), any_text(), any_value(true)).prop_map(
        move |(falls, who, name, value)| {
            let actor = if chance && falls { Actor::Chance(who) } else { Actor::Player(who) };
            Action { actor, name, value }
        },
    )
}

fn any_history() -> impl Strategy<Value = History> {
    let entry = prop_oneof![
        3 => any_action(true).prop_map(Entry::One),
        1 => proptest::collection::vec(any_action(false), 1..4).prop_map(Entry::Together),
    ];
    proptest::collection::vec(entry, 0..6).prop_map(|entries| History { entries })
}

fn any_saved() -> impl Strategy<Value = Saved> {
    (
        (any_text(), any_text(), any_text(), proptest::option::of(any_text())),
        (any::<u64>(), proptest::collection::vec(any_text(), 0..3)),
        (any_table(any_value(false)), any_table(any_text()), any_table(any_text())),
        (any_table(any_value(false)), any_history(), proptest::option::of(any_value(true))),
        (proptest::option::of(any_text()), any_table(any_history()), any_history()),
        (any_table(any_history()), any_table(any_history())),
    )
        .prop_map(|(names, numbers, tables, played, lines, other)| Saved {
            version: names.0,
            system: names.1,
            scenario: names.2,
            title: names.3,
            seed: numbers.0,
            house: numbers.1,
            params: tables.0,
            scripts: tables.1,
            seats: tables.2,
            unseated: IndexMap::new(),
            setup: Value::Map(played.0),
            begin: lines.2,
            history: played.1,
            outcome: played.2,
            line: lines.0,
            lines: lines.1,
            taken_back: other.0,
            left: other.1,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_saved_reads_back_as_itself(saved in any_saved()) {
        let text = saved.to_text().unwrap();
        let again = read("a.history", &text).unwrap();
        prop_assert_eq!(&again, &saved);
        // Maps compare without their order, texts do not.
        prop_assert_eq!(again.to_text().unwrap(), text);
    }
}
