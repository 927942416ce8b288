//! Tests of the evaluator: results of lines, and that an error leaves everything as it was.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Lab, LabConfig, LineResult};
use crate::analysis::ReportsStage;
use crate::catalog::Catalog;
use crate::commands::Audience;
use crate::error::Error;
use crate::game::Value;
use crate::script::{Budget, Limits};

fn lab() -> Lab {
    let limits = Limits { leg: 5_000, ..Limits::default() };
    Lab::new(LabConfig::new(Catalog::new(&[]).unwrap(), limits, 7), "prompt")
}

/// Runs lines one after another; the last one's result.
fn run(lines: &[&str]) -> Result<LineResult, Error> {
    let mut lab = lab();
    let mut found = Ok(LineResult::Nothing);
    for (i, line) in lines.iter().enumerate() {
        found = lab.evaluate(line, i + 1);
    }
    found
}

fn value(lines: &[&str]) -> Value {
    match run(lines).unwrap() {
        LineResult::Value(value) => value,
        other => panic!("{lines:?}: {other:?}"),
    }
}

fn error(lines: &[&str]) -> String {
    run(lines).unwrap_err().to_string()
}

#[test]
fn variables_functions_and_the_last_result_stay() {
    assert_eq!(value(&["let x = 40", "x + 2"]), Value::Int(42));
    assert_eq!(value(&["fn twice(n) { n * 2 }", "twice(21)"]), Value::Int(42));
    assert_eq!(value(&["40", "ans + 2"]), Value::Int(42));
    assert_eq!(value(&["let add = |a| a + 2;", "add.call(40)"]), Value::Int(42));
    assert_eq!(value(&["fn f() { 1 }", "fn g() { f() }", "fn f() { 2 }", "g()"]), Value::Int(2));
    assert_eq!(value(&["40", "let y = 1", "ans + 2"]), Value::Int(42), "nothing is no result");
}

#[test]
fn a_mistake_leaves_all_as_it_was() {
    assert_eq!(value(&["let x = 1", "let x = 2; throw 0", "x"]), Value::Int(1));
    assert_eq!(value(&["fn f() { 1 }", "fn f() { 2 } throw 0", "f()"]), Value::Int(1));
    assert_eq!(value(&["5", "throw 0", "ans"]), Value::Int(5));
}

#[test]
fn a_name_may_be_defined_again_for_ever() {
    let mut lab = lab();
    for i in 1..1_500 {
        lab.evaluate("let x = 1; let y = 2;", i).unwrap();
    }
    assert_eq!(lab.variables().count(), 4);
}

#[test]
fn an_endless_line_ends_and_the_next_one_counts_anew() {
    let mut lab = lab();
    for _ in 0..3 {
        let error = lab.evaluate("loop {}", 1).unwrap_err();
        assert_eq!(error.kind(), "limit", "{error}");
    }
    assert!(lab.evaluate("1 + 1", 2).is_ok());
}

#[test]
fn mistakes_suggest_what_was_meant() {
    assert_eq!(
        error(&["fn twice(n) { n * 2 }", "twce(1)"]),
        "there is no function `twce(whole number)`; did you mean `twice`?"
    );
    let message = error(&["save_csv([1], \"o.csv\")"]);
    assert!(message.ends_with("; there is `save_csv(path: text, rows: any)`"), "{message}");
    assert_eq!(error(&["save_csv(\"o.csv\", #{})"]), "rows must be a list of maps, got a map");
    // The rules' reader has a function of that name too.
    let message = error(&["table(3)"]);
    assert_eq!(
        message,
        "there is no function `table(whole number)`; there is `table(rows: list) -> table`, \
         `table(rows: list, columns: list) -> table`"
    );
}

#[test]
fn mistakes_have_their_place_in_the_session() {
    let mut lab = lab();
    lab.evaluate("fn half(n) {\n    n / 0\n}", 3).unwrap();
    let error = lab.evaluate("let x = 1;\nhalf(2)", 9).unwrap_err();
    assert_eq!(error.location().unwrap().to_string(), "prompt:4:7");
    let Error::Script(script) = error else { panic!() };
    assert_eq!(script.line.as_deref(), Some("    n / 0"));
    assert_eq!(script.trace[0].at.as_ref().unwrap().to_string(), "prompt:10:1");
}

#[test]
fn what_can_go_on_is_unfinished() {
    let lab = lab();
    for text in [
        "fn f() {",
        "if true {",
        "[1,",
        "1 +",
        "let x =",
        "foo(",
        "#{ a: 1,",
        "/* a",
        "`a",
        "dice(\"3d6\")\n  .values(",
        "fn f() {\n  // }",
        "fn",
        "fn f(",
        "let",
        "ans = #{",
        "while true",
        "switch 1 {",
        "1 + // one",
        "for x in",
    ] {
        assert!(lab.is_unfinished(text), "{text}");
    }
    for text in [
        "1",
        "",
        "let x = )",
        "\"abc",
        "1 + 1;",
        "}",
        "fn f() {}",
        "[1, 2]",
        "foo(]",
        "nothing",
        "// a comment",
    ] {
        assert!(!lab.is_unfinished(text), "{text}");
    }
}

#[test]
fn every_function_of_the_lab_is_documented_and_none_else() {
    let named = |entry: crate::handbook::HandbookEntry| entry.name;
    let told: std::collections::BTreeSet<String> =
        super::documentation().into_iter().map(named).collect();
    let mut bare = crate::script::build(
        &crate::script::Context::new(Limits::default()),
        crate::script::Trust::Lab,
    );
    let without: std::collections::BTreeSet<String> =
        super::evaluator::functions::of_host(&bare).into_iter().map(named).collect();
    bare.set_strict_variables(true);
    let with: std::collections::BTreeSet<String> =
        lab().language().into_iter().map(named).collect();
    let own: std::collections::BTreeSet<String> = with.difference(&without).cloned().collect();
    assert_eq!(own, told);
}

#[test]
fn a_mistake_of_the_lab_has_the_scripts_place_and_can_be_caught() {
    let mut lab = lab();
    lab.evaluate("fn open(name) {\n    scenario(name)\n}", 3).unwrap();
    let error = lab.evaluate("open(\"nowhere/at_all\")", 9).unwrap_err();
    assert_eq!((error.kind(), error.exit_code()), ("unknown", 1));
    assert_eq!(error.location().unwrap().to_string(), "prompt:4:5");
    let Error::Called { call, .. } = error else { panic!() };
    assert_eq!(call.trace[0].at.as_ref().unwrap().to_string(), "prompt:9:1");

    let caught =
        "let kind = (); try { scenario(\"nowhere/at_all\") } catch (e) { kind = e.kind; } kind";
    assert_eq!(value(&[caught]), Value::Text("unknown".to_owned()));
    // Primitives and scripts refuse in the same form, in the words of a mistake that nobody catches.
    for refused in ["total([\"a\"])", "dice(\"x\")", "throw \"no\""] {
        let caught = format!(
            "let e = (); try {{ {refused} }} catch (c) {{ e = c.kind + \": \" + c.message; }} e"
        );
        let error = lab.evaluate(refused, 20).unwrap_err();
        assert_eq!(value(&[&caught]), Value::Text(format!("{}: {error}", error.kind())));
    }
}

#[test]
fn files_outside_of_the_folder_are_refused_before_anything_is_written() {
    for (path, why) in [
        ("../out.csv", "no `..`"),
        ("a/../../out.csv", "no `..`"),
        ("/tmp/out.csv", "write a path from there"),
        ("", "not a file name"),
    ] {
        for line in [
            format!("save_csv(\"{path}\", [#{{ a: 1 }}])"),
            format!("save_json(\"{path}\", 1)"),
            format!("save_svg(\"{path}\", plot([#{{ a: 1 }}], \"a\", \"a\"))"),
        ] {
            let message = error(&[&line]);
            assert!(message.contains(why), "{line}: {message}");
        }
    }
}

#[test]
fn rows_have_columns_for_what_is_nested_and_csv_quotes_what_it_must() {
    use super::table::Sheet;
    let rows: Value = serde_json::from_str(
        r#"[{"n": 1, "odds": {"mean": 0.5, "low": 0.4, "high": 0.6}, "deep": {"a": "x,y"}},
            {"n": 2, "odds": "1/3", "deep": {"a": "say \"no\""}}]"#,
    )
    .unwrap();
    let sheet = Sheet::of(&rows).unwrap();
    assert_eq!(sheet.columns, ["n", "odds", "deep.a"]);
    assert_eq!(
        sheet.csv(),
        "n,odds,odds.low,odds.high,deep.a\r\n1,0.5,0.4,0.6,\"x,y\"\r\n2,1/3,,,\"say \"\"no\"\"\"\r\n"
    );
    let error = Sheet::with(&rows, vec!["deep.b".to_owned()]).unwrap_err();
    assert_eq!(error.to_string(), "unknown column `deep.b`; did you mean `deep.a`?");
}

/// Presses Ctrl-C as soon as anything begins.
struct Hasty(Arc<AtomicBool>);

impl Audience for Hasty {
    fn begins(&self, _: &'static str, _: Option<u64>) -> ReportsStage {
        self.0.store(true, Ordering::Relaxed);
        Box::new(|_| ())
    }
}

#[test]
fn what_is_stopped_with_nothing_to_show_says_how_far_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "//! # Coin\nfn setup(s) { #{ fell: 0 } }\n\
                 fn step() { this.fell = this.roll(\"coin\", \"side\", uniform([1, 2])); }\n\
                 fn outcome() { if this.fell > 0 { #{ result: \"over\", utility: #{ red: 1 } } } }\n";
    std::fs::create_dir_all(folder.path().join("coin/scenarios")).unwrap();
    std::fs::write(folder.path().join("coin/rules.rhai"), rules).unwrap();
    std::fs::write(folder.path().join("coin/scenarios/one.toml"), "system = \"coin\"\n").unwrap();
    let catalog = Catalog::new(&[folder.path().to_owned()]).unwrap();
    let flag = Arc::<AtomicBool>::default();
    let budget = Budget::new(1 << 30).interrupted_by(Some(flag.clone()));
    let limits = Limits { budget, ..Limits::default() };
    let mut lab = Lab::new(LabConfig::new(catalog, limits, 7), "prompt");
    lab.listen(Rc::new(Hasty(flag)));
    let stopped = lab.evaluate("scenario(\"coin/one\").estimate(5000)", 1);
    assert!(matches!(stopped, Err(Error::Interrupted)));
    let notes = lab.take_notes();
    let told = "interrupted after 0 of 5000 playouts: there is nothing to show yet";
    assert!(notes.iter().any(|note| note == told), "{notes:?}");
}

#[test]
fn rows_that_have_little_in_common_are_no_table_without_end() {
    // This many rows with a column each that nobody shares: 4000 · 4000 cells.
    let rows = |count: i64| {
        let row = |n| Value::Map([(format!("k{n}"), Value::Int(n))].into_iter().collect());
        Value::List((0..count).map(row).collect())
    };
    let refused = super::table::Sheet::of(&rows(4_000)).unwrap_err().to_string();
    assert!(refused.contains("4000 rows and 4000 columns"), "{refused}");
    assert_eq!(super::table::Sheet::of(&rows(40)).unwrap().columns.len(), 40);
    // One row of very many columns is read in one go.
    let wide = (0..200_000).map(|n| (format!("k{n}"), Value::Int(n))).collect();
    let wide = super::table::Sheet::of(&Value::List(vec![Value::Map(wide)])).unwrap();
    assert_eq!(wide.columns.len(), 200_000);
}
