//! Tests of messages about mistakes: the place, the calls that led there, the right form.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::*;
use crate::error::Cut;
use crate::script::Budget;

/// The place of a mistake and the calls that led there, as `function < line of its call`.
fn way(error: &ScriptError) -> (usize, Vec<String>) {
    let line = |at: &crate::error::Location| at.line.to_string();
    let message_of = |frame: &crate::error::CallFrame| {
        format!("{} < {}", frame.function, frame.at.as_ref().map(line).unwrap_or_default())
    };
    (error.at.as_ref().unwrap().line, error.trace.iter().map(message_of).collect())
}

#[test]
fn a_limit_names_the_innermost_place_and_the_calls_that_led_there() {
    let deep = |what: &str| {
        format!(
            "fn step() {{\n  help(1);\n}}\nfn help(x) {{\n  deeper(x);\n}}\nfn deeper(x) {{\n  let a = [];\n  {what}\n}}"
        )
    };
    for what in ["while true { }", "loop { a.push(1); }", "for i in 0..99999999 { let y = i; }"] {
        let error = run_error(&deep(what));
        assert!(matches!(error.fault, ScriptFault::Limit(_)), "{error}");
        assert_eq!(
            way(&error),
            (9, vec!["deeper < 5".to_owned(), "help < 2".to_owned()]),
            "{what}"
        );
    }
    let error = run_error(
        "fn step() {\n  this.ask();\n}\nfn ask() {\n  loop {\n    this.choose(\"red\", \"pick\", [1, 2]);\n  }\n}",
    );
    assert_eq!(error.fault, ScriptFault::Limit(Limit::Questions(100_000)));
    assert_eq!(way(&error), (6, vec!["ask < 2".to_owned()]));
}

#[test]
fn a_limit_in_an_override_names_its_file_and_the_one_that_called_it() {
    let base = "fn price(n) { n }\nfn step() {\n  price(1);\n}";
    let rules = load(&[base, "\nfn price(n) {\n  super(n);\n  loop { }\n}"], &[]).unwrap();
    let error = script_error(play(&rules, &nothing()));
    assert_eq!(error.at.as_ref().unwrap().to_string(), "h1.rhai:4:8");
    assert_eq!(error.line.as_deref(), Some("  loop { }"));
    assert_eq!(error.trace[0].at.as_ref().unwrap().to_string(), "base.rhai:3:3");
}

#[test]
fn an_error_within_what_orders_a_list_is_told_with_the_calls_that_led_there() {
    let error = run_error(
        "fn large(a) {\n  a += a;\n  true\n}\nfn step() {\n  let big = [];\n  big.pad(9000, 1);\n  [2, 1].sort(|x, y| { large(big); 0 });\n}",
    );
    let calls = ["large < 8", "a closure < 8", "sort < 8"].map(str::to_owned);
    assert_eq!(way(&error), (2, calls.to_vec()), "{error}");
}

#[test]
fn this_in_setup_is_answered_with_where_it_is_bound() {
    let setup = "fn setup(scenario) { this.round = 1; #{} } fn step() {} fn outcome() {}";
    let error = script_error(play(&alone(setup, Limits::default()), &nothing()));
    let says = "`this` is not bound here, only in functions that are called on a value";
    assert!(error.to_string().starts_with(says), "{error}");
}

#[test]
fn a_call_that_fits_no_form_names_the_documented_one() {
    for (line, message) in [
        ("this.emit(3);", "there is no function `emit(whole number)`; there is `this.emit(text)`"),
        (
            "this.choose(3, \"x\", [1, 2]);",
            "there is no function `choose(whole number, text, list)`; \
             there is `this.choose(player, name, options)`",
        ),
        (
            "let map = #{ a: 1 }; map.filter(|value| value > 0);",
            "`filter` of a map takes no closure: write a loop",
        ),
    ] {
        assert_eq!(run_error(&format!("fn step() {{ {line} }}")).to_string(), message);
    }
    let error = run_error("fn step() { deal_out(\"x\", [1]); }").to_string();
    assert!(error.contains("; there is `deal_out(amount: whole number"), "{error}");
    let message_of = |line: &str| script_error(load(&[line], &[])).to_string();
    for (line, message) in [
        (
            "fn step() { this.choose(\"red\", [1, 2]); }",
            "`choose` is called with 2 arguments; there is `this.choose(player, name, options)`",
        ),
        (
            "fn step() { choose(\"red\", \"bid\", [1, 2]); }",
            "`choose` is called without `this`; there is `this.choose(player, name, options)`",
        ),
        (
            "fn prize(n, m) { n + m } fn step() { prize(1) }",
            "`prize` is called with 1 argument; there is `prize(n, m)`",
        ),
        // What it is called on is an argument of theirs.
        (
            "fn step() { let x = 0.5; x.round(2); }",
            "`round` is called with 2 arguments, the value before the dot among them; it takes 1",
        ),
        (
            "fn step() { let x = 0.5; round(x, 2); }",
            "`round` is called with 2 arguments; it takes 1",
        ),
        (
            "fn step() { this.list.count_of(1, 2); }",
            "`count_of` is called with 3 arguments, the value before the dot among them; there is \
             `count_of(list: list, value: any) -> whole number`",
        ),
        (
            "fn read(scenario) { scenario.number(1, 2, 3); } fn step() { }",
            "`number` is called with 3 arguments; there is `number(key [, default])`",
        ),
    ] {
        assert_eq!(message_of(line), message);
    }
    assert!(message_of("fn step() { d(1) }").ends_with("no function `d`"));
    let house = load(&["fn price(n) { n } fn step() { price(1) }", "fn price(n) { supr(n) }"], &[]);
    assert_eq!(script_error(house).nearest.as_deref(), Some("super"));
}

#[test]
fn an_agent_that_reads_a_field_of_no_map_is_told_so() {
    let step = "fn step() { this.got = 3; this.choose(\"red\", \"pick\", [1, 2]); }";
    let mut run = Run::begin(&load(&[step], &[]).unwrap(), &nothing(), Ear::Deaf);
    while run.next().unwrap() != Turn::Question {}
    let Question::Decision(asked, _) = run.question() else { panic!("a decision") };
    let message_of = |body: &str| {
        let script = layer("a", &format!("fn decide(view, decision) {{ {body} }}"));
        let agent =
            AgentScript::load(&script, &IndexMap::new(), None, Limits::for_agents()).unwrap();
        agent.pick(&asked).unwrap_err().to_string()
    };
    assert_eq!(message_of("view.got.players"), "agent `a`: a whole number has no field `players`");
    assert_eq!(
        message_of("let all = view.got == 3; all[\"x\"]"),
        "agent `a`: a truth value has no items to pick by `[…]`"
    );
}

#[test]
fn what_a_player_keeps_is_no_memory_of_the_script() {
    let ends = |step: &str| {
        let limits = Limits { memory: 1 << 20, held: 1 << 20, ..Limits::default() };
        let rules = alone(&format!("{step}{FRAME}"), limits);
        // A kilobyte of each question, as a history keeps.
        let mut kept: Vec<Vec<u8>> = Vec::new();
        let run = Run::begin(&rules, &nothing(), Ear::Deaf);
        let played = run.finish(|_| {
            kept.push(vec![0; 1024]);
            Ok(0)
        });
        played.map(|_| ()).map_err(Error::from)
    };
    // Ten thousand kilobytes of the player's are past a limit of one megabyte, but not the script's.
    ends("fn step() { for i in 0..10000 { this.choose(\"red\", \"pick\", [1, 2]); } this.done = true; }").unwrap();
    let hog = "fn step() { let m = #{}; let n = #{}; for i in 0..100000 { this.choose(\"red\", \"pick\", [1, 2]); m[`a long key of the map: ${i}`] = [i]; n[`a long key of the map: ${i}`] = [i]; } }";
    let error = ends(hog).unwrap_err();
    assert!(error.to_string().contains("1 MiB alive"), "{error}");
}

#[test]
fn what_stops_constants_from_being_read_is_no_mistake_of_the_rules() {
    let slow = format!(
        "const N = {{ let n = 0; while n < 100_000 {{ n += 1; }} n }}; fn step() {{}}{FRAME}"
    );
    let load = |budget: Budget| {
        let limits = Limits { budget, ..Limits::default() };
        Rules::load(layer("base", &slow), &[], IndexMap::new(), limits).map(|_| ())
    };
    load(Budget::default()).unwrap();
    let raised = Some(Arc::new(AtomicBool::new(true)));
    let interrupted = load(Budget::default().interrupted_by(raised));
    assert!(matches!(interrupted, Err(Error::Interrupted)), "{interrupted:?}");
    let bound = load(Budget::default().begin(Some(Duration::ZERO)));
    assert!(matches!(bound, Err(Error::Bound(Cut::Time(_)))), "{bound:?}");
}

#[test]
fn a_limit_on_time_that_ends_a_step_over_a_large_state_is_named() {
    let large = "
fn setup(scenario) { let a = []; for i in 0..4000 { a.push(i); } #{ done: false, a: a } }
fn step() { this.emit(\"x\"); }
fn outcome() { }";
    let budget = Budget::default().begin(None);
    let rules = alone(large, Limits { budget: budget.clone(), ..Limits::default() });
    let mut run = Run::begin(&rules, &nothing(), Ear::Events);
    assert_eq!((run.next().unwrap(), run.next().unwrap()), (Turn::Step, Turn::Event));
    budget.cut_by(Cut::Time(Duration::from_secs(7)));
    let error = run.next().unwrap_err();
    assert!(matches!(error, Error::Bound(Cut::Time(time)) if time.as_secs() == 7), "{error}");
}
