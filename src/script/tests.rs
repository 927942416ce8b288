//! Tests of running scripts: play, step, view, limits and pauses, on tiny rules.

#[cfg(test)]
mod mistakes;

use std::rc::Rc;

use indexmap::IndexMap;

use super::*;
use crate::error::{Error, Limit, ScriptError, ScriptFault};
use crate::game::{Question, Value};

/// What was asked, seen and heard in a playout.
#[derive(Default)]
struct Noted {
    asked: Vec<String>,
    seen: Vec<Value>,
    heard: Vec<String>,
}

/// Plays to the end; all answers are the option of one number, or else the last one.
fn noted(
    rules: &Rc<Rules>,
    setup: &Setup,
    index: usize,
    ear: Ear,
) -> Result<(FinishedPlayout, Noted), Error> {
    let (mut run, mut noted) = (Run::begin(rules, setup, ear), Noted::default());
    loop {
        match run.next()? {
            Turn::Question => {
                let (asked, options) = match run.question() {
                    Question::Decision(one, _) => {
                        noted.seen.push(one.scene.view(one.player)?);
                        (format!("{} {}", one.player, one.name), one.options.len())
                    }
                    Question::Chance(chance) => {
                        let asked = format!("roll {} {}", chance.roller, chance.name);
                        (asked, chance.distribution.values().len())
                    }
                };
                noted.asked.push(asked);
                run.answer(index.min(options - 1));
            }
            Turn::Event => noted.heard.push(run.event().to_owned()),
            Turn::Step => {}
            Turn::Done => return Ok((run.into_end().unwrap(), noted)),
        }
    }
}

fn play(rules: &Rc<Rules>, setup: &Setup) -> Result<FinishedPlayout, Error> {
    noted(rules, setup, 0, Ear::Events).map(|(played, _)| played)
}

/// The rest of a system whose `step` is what a test is about.
const FRAME: &str = "
fn setup(scenario) { #{ done: false, got: () } }
fn outcome() { if this.done { #{ result: \"end\", utility: #{ red: 1 }, got: this.got } } }
";

fn nothing() -> Setup {
    Setup::new(Value::Map(IndexMap::new()))
}

fn layer(name: &str, text: &str) -> Layer {
    Layer {
        name: name.to_owned(),
        files: vec![(format!("{name}.rhai"), text.to_owned())],
        ..Layer::default()
    }
}

fn params(pairs: &[(&str, i64)]) -> IndexMap<String, Value> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), Value::Int(*value))).collect()
}

fn load(layers: &[&str], values: &[(&str, i64)]) -> Result<Rc<Rules>, Error> {
    let base = layer("base", &format!("{}{FRAME}", layers[0]));
    let house: Vec<Layer> = layers[1..]
        .iter()
        .enumerate()
        .map(|(i, text)| layer(&format!("h{}", i + 1), text))
        .collect();
    Rules::load(base, &house, params(values), Limits::default())
}

/// Rules of one script.
fn alone(text: &str, limits: Limits) -> Rc<Rules> {
    Rules::load(layer("base", text), &[], IndexMap::new(), limits).unwrap()
}

/// Plays and returns what the step left in `got`.
fn got(layers: &[&str], values: &[(&str, i64)], index: usize) -> Value {
    heard(layers, values, index).0
}

/// The same, with what was asked and heard.
fn heard(layers: &[&str], values: &[(&str, i64)], index: usize) -> (Value, Noted) {
    let rules = load(layers, values).unwrap_or_else(|error| panic!("{error}: {error:?}"));
    let played = noted(&rules, &nothing(), index, Ear::Events);
    let (played, noted) = played.unwrap_or_else(|error| panic!("{error:?}"));
    (played.outcome.value().get("got").cloned().unwrap(), noted)
}

fn script_error<T>(result: Result<T, Error>) -> ScriptError {
    match result {
        Err(Error::Script(error)) => *error,
        Err(other) => panic!("another error: {other:?}"),
        Ok(_) => panic!("it is right"),
    }
}

fn run_error(step: &str) -> ScriptError {
    let rules = load(&[step], &[]).unwrap_or_else(|error| panic!("{error}: {error:?}"));
    script_error(play(&rules, &nothing()))
}

#[test]
fn layers_parameters_constants_and_closures_are_seen_where_they_are_named() {
    let base =
        |rest: &str| format!("{rest} fn step() {{ this.got = price(5); this.done = true; }}");
    let (twice, same) = (base("fn price(n) { n * 2 }"), base("fn price(n) { n }"));
    let step = |got: &str| format!("fn step() {{ this.got = {got}; this.done = true; }}");
    let factors = step("FACTORS.map(|f| f * params.worth + NAMES.a)");
    let factors = format!("const FACTORS = [1, 10]; const NAMES = #{{ a: 1 }}; {factors}");
    let one_more = "fn price(n) { super(n) + 1 }";
    let helper =
        "fn price(n) { if params.bonus == 1 { extra(n) } else { n } } fn extra(n) { n * 9 }";
    let closures = "fn f(params) { [1, 2].map(|y| y + params.worth) }
        fn g() { [1, 2].map(|y| params.worth + y) }";
    let closures = format!("{closures} {}", step("f(#{ worth: 5 }) + g()"));
    let own = format!("fn f(params) {{ params.worth }} {}", step("f(#{ worth: 1 })"));
    let first = step("[LEAST, max(params.worth, 1), params.worth.max(4)]");
    let first = format!("const FAR = 2; const LEAST = min(params.worth, FAR); {first}");
    let body = "    if x > 0 { x.min(1); }\n".repeat(300);
    let large: String = (0..20).map(|i| format!("const A{i} = large({i});\n")).collect();
    let large = format!("fn large(x) {{\n{body}    1\n}}\n{large}{}", step("A19"));
    for (layers, params, left) in [
        // An override is seen by the callers below, and calls what it overrides.
        (&[&twice[..]][..], &[][..], "10"),
        (&[&twice, "fn price(n) { n }"], &[], "5"),
        (&[&twice, one_more], &[], "11"),
        (&[&twice, one_more, one_more, "fn price(n) { super(n) * 10 }"], &[], "120"),
        // A house rule may bring helpers that it calls, also those that a parameter switches off.
        (&[&same, "fn price(n) { half(n) } fn half(n) { n / 2 }"], &[], "2"),
        (&[&same, helper], &[("bonus", 0)], "5"),
        (&[&same, helper], &[("bonus", 1)], "45"),
        // Parameters and constants are seen everywhere, in closures too.
        (&[&factors], &[("worth", 3)], "[4,31]"),
        (&[&factors, "const FACTORS = [2];"], &[("worth", 3)], "[7]"),
        // A variable called `params` is no parameter, and a closure takes it.
        (&[&closures], &[("worth", 7)], "[6,7,8,9]"),
        (&[&own], &[("worth", 7)], "1"),
        // A parameter may be the first argument of a call.
        (&[&first], &[("worth", 3)], "[2,3,4]"),
        // A few computed constants of large functions keep the limits.
        (&[&large], &[], "1"),
        // A field that holds a closure is called as a method.
        (&[&step("{ let acts = #{ inc: |x| x + 1 }; acts.inc(2) }")], &[], "3"),
    ] {
        assert_eq!(got(layers, params, 0).literal(), left, "{layers:?}");
    }
}

#[test]
fn what_a_parameter_switches_off_is_checked_all_the_same() {
    let off = |what: &str| {
        let step = format!("fn step() {{ if params.bonus == 1 {{ {what} }} this.done = true; }}");
        script_error(load(&[&step], &[("bonus", 0)]))
    };
    let error = off("nowhere()");
    assert!(matches!(error.fault, ScriptFault::UnknownFunction(..)), "{error:?}");
    assert_eq!(off("params.bonsu").nearest.as_deref(), Some("bonus"));
}

#[test]
fn an_option_listed_twice_is_offered_once() {
    let step = "fn step() {
        let one = this.choose(\"red\", \"same\", [\"a\", \"a\"]);
        this.got = [one, this.choose(\"red\", \"pick\", [3, 3, 4, 3])];
        this.done = true;
    }";
    assert_eq!(got(&[step], &[], 1), Value::List(vec!["a".into(), 4.into()]));
}

#[test]
fn super_that_is_not_called_is_refused_in_plain_words() {
    let base = "fn price(n) { n }\nfn step() { this.got = price(1); this.done = true; }";
    for uses in ["let s = super; s", "super.price(n)"] {
        let error = script_error(load(&[base, &format!("fn price(n) {{ {uses} }}")], &[]));
        let says = "`super` is `price` of the rules below, and can only be called: `this.super(…)` or `super(…)`";
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[test]
fn a_house_rule_names_the_constants_below_it_and_still_gives_its_parameters() {
    let house = "fn params() { #{ worth: 2 } }\nfn price() { FULL / 2 }";
    let base =
        "const FULL = 8;\nfn price() { FULL }\nfn step() { this.got = price(); this.done = true; }";
    assert_eq!(got(&[base, house], &[("worth", 1)], 0), 4.into());
    let params = super::assemble::house_params::house_params(&layer("house", house)).unwrap();
    assert_eq!(params.len(), 1);
    assert_eq!((params[0].0.as_str(), &params[0].1), ("worth", &2.into()));
}

#[test]
fn a_field_that_nothing_writes_is_warned_of() {
    let rules = load(&["fn step() { this.gott = 1; this.done = this.don; }"], &[]).unwrap();
    let warnings = rules.warnings([]);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].message.contains("`don`; did you mean `done`?"), "{warnings:?}");
    assert!(warnings[1].message.contains("`gott`; did you mean `got`?"), "{warnings:?}");
    // A setup that has such a key brings the field.
    let setup: Value = serde_json::from_str(r#"{"red": {"don": 1}}"#).unwrap();
    assert_eq!(rules.warnings([&setup]).len(), 1);
}

#[test]
fn swapped_values_and_weights_are_named_where_they_can_be_told_apart() {
    let message = |pairs: &str| {
        run_error(&format!("fn step() {{ this.got = weighted({pairs}).weights(); }}")).to_string()
    };
    let swapped = "the value comes first: `[value, weight]`";
    let text = message("[[3, \"red\"], [1, \"blue\"]]");
    assert!(text.contains("got a text") && text.contains(swapped), "{text}");
    let text = message("[[3, -1], [1, 2]]");
    assert!(text.contains("got -1") && text.contains(swapped), "{text}");
    let text = message("[[\"red\", 0.5]]");
    assert!(text.contains("got a number") && text.contains("scale them up"), "{text}");
}

#[test]
fn one_option_is_not_asked_and_a_roll_always_is() {
    let step = "fn step() {
        let a = this.choose(\"red\", \"lone\", [7]);
        let b = this.choose(\"red\", \"pick\", [1, 2, 3]);
        let c = this.roll(\"red\", \"die\", uniform([5]));
        let d = this.choose_secretly(\"bid\", #{ blue: [1, 2], red: [9] });
        this.emit(`b is ${b}`);
        this.got = [a, b, c, d.blue, d.red];
        this.done = true;
    }";
    let (got, noted) = heard(&[step], &[], 1);
    assert_eq!(got, Value::List([7, 2, 5, 2, 9].map(Value::Int).to_vec()));
    assert_eq!(noted.asked, ["red pick", "roll red die", "blue bid"]);
    assert_eq!(noted.heard, ["b is 2"]);
}

#[test]
fn a_view_is_made_in_the_middle_of_a_step() {
    let step = "
fn view(player) { #{ mine: this[player] } }
fn step() {
    this.red = 5;
    this.choose(\"red\", \"pick\", [1, 2]);
    this.done = true;
}";
    let rules = load(&[step], &[]).unwrap();
    let (_, noted) = noted(&rules, &nothing(), 0, Ear::Events).unwrap();
    assert_eq!(noted.seen[0].get("mine"), Some(&Value::Int(5)));
}

#[test]
fn as_many_steps_as_the_limit_says_may_pass_without_a_question() {
    // Red is asked in the step after the idle ones, in which the conflict also ends.
    let played = |idle: u64| {
        let text = format!(
            "fn setup(scenario) {{ #{{ left: {idle}, done: false }} }}
             fn step() {{
                 if this.left > 0 {{ this.left -= 1; return; }}
                 this.choose(\"red\", \"way\", [1, 2]);
                 this.done = true;
             }}
             fn outcome() {{ if this.done {{ #{{ result: \"end\", utility: #{{ red: 1 }} }} }} }}"
        );
        play(&alone(&text, Limits { steps: 5, ..Limits::default() }), &nothing())
    };
    assert!(played(5).is_ok());
    assert_eq!(script_error(played(6)).fault, ScriptFault::Limit(Limit::Steps(5)));
}

#[test]
fn the_setup_is_read_strictly() {
    let base = "
fn setup(scenario) {
    let players = scenario.table(\"players\");
    let order = [];
    for name in players.keys() {
        let player = players.table(name);
        order.push(name);
        player.number(\"stock\", 0);
        player.word(\"kind\", [\"rich\", \"poor\"], \"poor\");
    }
    #{ order: order }
}
fn step() {} fn outcome() { #{ result: \"x\", utility: #{}, order: this.order } }";
    let rules = alone(base, Limits::default());
    let play = |json: &str| play(&rules, &Setup::new(serde_json::from_str(json).unwrap()));
    let played = play(r#"{"players": {"red": {"stock": 1}, "blue": {}}}"#).unwrap();
    let order = played.outcome.value().get("order").cloned().unwrap();
    assert_eq!(order, Value::List(vec!["red".into(), "blue".into()]), "in the order of the file");
    let error = |json: &str| play(json).unwrap_err().to_string();
    assert_eq!(
        error(r#"{"players": {"red": {"stock": -3}}}"#),
        "setup.players.red.stock: must be a whole number of 0 or more, got -3"
    );
    assert_eq!(
        error(r#"{"players": {"red": {"stok": 3}}}"#),
        "setup.players.red.stok: no such key; did you mean `stock`?"
    );
    assert_eq!(
        error(r#"{"players": {"red": {"kind": "por"}}}"#),
        "setup.players.red.kind: must be one of `rich`, `poor`, got \"por\"; did you mean `poor`?"
    );
    assert_eq!(error(r#"{"players": 3}"#), "setup.players: must be a table, got 3");
}

#[test]
fn players_can_be_asked_different_things_together() {
    let step = "fn step() {
        this.got = this.choose_secretly(#{ red: #{ attack: [1, 2] }, blue: #{ defend: [3, 4] }, green: #{ wait: [5] } });
        this.done = true;
    }";
    let (got, noted) = heard(&[step], &[], 1);
    assert_eq!(noted.asked, ["blue defend", "red attack"]);
    let answer = |player| got.get(player).cloned();
    assert_eq!(answer("red"), Some(Value::Int(2)));
    assert_eq!(answer("blue"), Some(Value::Int(4)));
    assert_eq!(answer("green"), Some(Value::Int(5)));
    let error =
        run_error("fn step() { this.choose_secretly(#{ red: #{ a: [1, 2], b: [3, 4] } }); }");
    assert!(error.to_string().contains("`red` must have one question"), "{error}");
}

/// A step that asks, where `this.got.red` has a 9.
fn with_a_nine(ask: &str) -> String {
    format!("fn step() {{ this.got = #{{ red: [9] }}; {ask} this.done = true; }}")
}

fn says(ask: &str, message: &str) {
    let error = run_error(&with_a_nine(ask)).to_string();
    assert!(error.contains(message), "{error}");
}

fn numbers(numbers: &[i64]) -> Value {
    Value::List(numbers.iter().map(|n| Value::Int(*n)).collect())
}

#[test]
fn a_list_of_the_state_is_filled_by_asking_again_and_again() {
    let fill = with_a_nine(r#"this.choose_onto(["got", "red"], 3, "red", "next", [1, 2]);"#);
    let (filled, noted) = heard(&[&fill], &[], 1);
    // One is there already, so two are asked for.
    assert_eq!(noted.asked, ["red next", "red next"]);
    let red = |got: &Value| got.get("red").cloned().unwrap();
    assert_eq!(red(&filled), numbers(&[9, 2, 2]));
    // One option alone is not asked, and a list that is long enough is left as it is.
    let one = with_a_nine(r#"this.choose_onto(["got", "red"], 2, "red", "next", [5]);"#);
    assert_eq!(red(&got(&[&one], &[], 0)), numbers(&[9, 5]));
    let enough = with_a_nine(r#"this.choose_onto(["got", "red"], -1, "red", "next", [1, 2]);"#);
    assert_eq!(red(&got(&[&enough], &[], 0)), numbers(&[9]));
    says(r#"this.choose_onto(["got", "blue"], 2, "red", "next", [1, 2]);"#, "no list `got.blue`");
    says(r#"this.choose_onto(["got"], 2, "red", "next", [1, 2]);"#, "no list `got`");
    says(r#"this.choose_onto([], 2, "red", "next", [1, 2]);"#, "the place of the list is empty");
    says(r#"this.choose_onto([1], 2, "red", "next", [1, 2]);"#, "a list of texts");
    says(r#"this.choose_onto(["got", "red"], 1000000, "red", "next", [1, 2]);"#, "at most");
    says(r#"this.choose_onto(["got", "red"], 2, "red", "next", []);"#, "no option");
}

#[test]
fn several_are_picked_one_after_another_until_done_is() {
    let red = |index: usize, ask: &str| {
        let (got, noted) = heard(&[&with_a_nine(ask)], &[], index);
        (got.get("red").cloned().unwrap(), noted.asked.len())
    };
    let pick = |numbers: &str| {
        format!(r#"this.choose_several(["got", "red"], "red", "next", [1, 9, 2, 3], {numbers});"#)
    };
    // 9 is picked already: 1, 2 and 3 remain. At length 1 the second option is 2, at 2 it is 3, and
    // at 3, which is enough, "done" is beside the 1.
    assert_eq!(red(1, &pick("3")), (numbers(&[9, 2, 3]), 3));
    // Always the first option: in the end there is nothing to pick.
    assert_eq!(red(0, &pick("3")), (numbers(&[9, 1, 2, 3]), 3));
    // The last one is not asked for where it cannot be left out.
    assert_eq!(red(0, &pick("4")), (numbers(&[9, 1, 2, 3]), 2));
    // As many as there are, where there are fewer than `least`.
    assert_eq!(red(1, &pick("9")), (numbers(&[9, 2, 3, 1]), 2));
    assert_eq!(red(0, &pick("3, 3")), (numbers(&[9, 1, 2]), 2));
    assert_eq!(red(0, &pick("0, 0")), (numbers(&[9]), 0));
    let none = r#"this.choose_several(["got", "red"], "red", "next", [], 2);"#;
    assert_eq!(red(0, none), (numbers(&[9]), 0));
    says(r#"this.choose_several(["got", "blue"], "red", "next", [1], 1);"#, "no list `got.blue`");
    says(r#"this.choose_several([1], "red", "next", [1, 2], 1);"#, "a list of texts");
    says(r#"this.choose_several(["got", "red"], "red", "next", [1, "done"], 1);"#, "`done` ends");
    let part = with_a_nine(r#"this.got.choose_several(["red"], "red", "next", [1, 2], 1);"#);
    let refused = load(&[&part], &[]).err().unwrap().to_string();
    assert!(refused.contains("`this` or a variable"), "{refused}");
}

#[test]
fn events_are_announced_in_order_and_change_nothing_where_nobody_hears_them() {
    let functions = "
        fn lines(n) { let lines = []; for i in 0..n { lines += `line ${i}`; } lines }
        fn name(n) { `number ${n}` }
        fn take() { this.left.pop() }";
    for (body, heard, got) in [
        ("this.emit_each(lines(2));", &["line 0", "line 1"][..], "null"),
        (
            "let n = 1;
             this.emit(`first ${name(n)}, ${params.worth}`);
             switch n { 1 => this.emit(\"arm\"), _ => () }
             if n == 1 { this.emit(\"block \" + (n + 1)) }
             for i in 0..2 { this.emit(`loop ${[1, 2].map(|x| x + i)}`); }
             this.got = n;
             this.emit(\"last\")",
            &["first number 1, 7", "arm", "block 2", "loop [1, 2]", "loop [2, 3]", "last"],
            "1",
        ),
        // An event whose text has an effect is made even unheard, and one that does more than say something.
        (
            "this.left = [1, 2, 3];
             this.emit(`took ${this.take()}`);
             this.emit(`popped ${this.left.pop()}`);
             this.got = this.left;",
            &["took 3", "popped 2"],
            "[1]",
        ),
        ("this.emit(`${n += 1; n}`); this.got = n;", &["1"], "1"),
        ("this.emit(if n == 0 { this.got = 5; return; } else { \"\" }); this.got = n;", &[], "5"),
        ("let x = this.emit(\"as a value\"); this.got = n;", &["as a value"], "0"),
    ] {
        let step = format!("{functions} fn step() {{ let n = 0; this.done = true; {body} }}");
        let (said, [loud, quiet]) = heard_and_not(&step, &[("worth", 7)]);
        assert_eq!(said, heard, "{body}");
        assert_eq!(loud, quiet, "{body}");
        assert_eq!(loud.get("got").unwrap().literal(), got, "{body}");
    }
    let error = run_error("fn step() { this.emit_each([1]); this.done = true; }");
    assert!(error.to_string().contains("announces texts"), "{error}");
}

#[test]
fn an_event_of_lists_and_numbers_costs_the_same_heard_or_not() {
    let step = "
        fn step() {
            let list = []; for i in 0..40 { list += `item ${i}`; }
            this.emit(`${list} ${#{ a: list }} ${1.5} ${0..3}`);
            this.done = true;
        }";
    let (heard, _) = heard_and_not(step, &[]);
    assert!(heard[0].contains("\"item 39\"") && heard[0].contains("1.5"), "{heard:?}");
}

#[test]
fn a_table_of_a_list_can_say_whose_it_is() {
    let base = "
fn setup(scenario) {
    for own in scenario.tables(\"people\") {
        own.called(own.text(\"name\"));
        if own.text(\"name\") == \"zoe\" { own.fail(\"name\", \"`zoe` may not come\"); }
        if own.has(\"note\") { own.fail(\"note\", \"nobody writes to `bran`\"); }
        own.table(\"dice\").number(\"vigor\", 0);
    }
    #{}
}
fn step() {} fn outcome() { #{ result: \"x\", utility: #{} } }";
    let rules = alone(base, Limits::default());
    let error = |dice: &str| {
        let text =
            format!(r#"{{"people": [{{"name": "ayla"}}, {{"name": "bran", "dice": {dice}}}]}}"#);
        let setup = Setup::new(serde_json::from_str(&text).unwrap());
        play(&rules, &setup).unwrap_err().to_string()
    };
    assert_eq!(
        error(r#"{"vigor": -1}"#),
        "setup.people.1.dice.vigor: must be a whole number of 0 or more, got -1 (`bran`)"
    );
    assert_eq!(
        error(r#"{"vigour": 1}"#),
        "setup.people.1.dice.vigour: no such key (`bran`); did you mean `vigor`?"
    );
    // Where the name itself is at fault, whose it is needs no word. All else has it, however the
    // rules' own message reads.
    assert_eq!(error("{}, \"note\": 1"), "setup.people.1.note: nobody writes to `bran` (`bran`)");
    assert_eq!(error("{}, \"name\": \"zoe\""), "setup.people.1.name: `zoe` may not come");
}

/// Plays with and without somebody who hears the events: what was heard, and both ends.
fn heard_and_not(step: &str, values: &[(&str, i64)]) -> (Vec<String>, [Value; 2]) {
    let rules = load(&[step], values).unwrap_or_else(|error| panic!("{error}: {error:?}"));
    let played = |ear| noted(&rules, &nothing(), 0, ear).unwrap();
    let ((loud, noted), (quiet, _)) = (played(Ear::Events), played(Ear::Deaf));
    assert_eq!(loud.cost, quiet.cost, "heard and not");
    (noted.heard, [loud, quiet].map(|played| played.outcome.value().clone()))
}

#[test]
fn a_run_stops_at_each_step_event_and_question_and_its_clones_run_on_by_themselves() {
    let step = "
fn step() {
    this.emit(\"go\");
    let both = this.choose_secretly(\"side\", #{ blue: [1, 2], red: [30, 40] });
    this.got = both.blue + both.red;
    this.done = true;
}";
    let rules = load(&[step], &[]).unwrap();
    let setup = nothing();
    let mut run = Run::begin(&rules, &setup, Ear::Events);
    assert!(run.state().is_none() && run.outcome().is_none());
    assert_eq!(run.next().unwrap(), Turn::Step);
    assert_eq!(run.state().unwrap().value().get("done"), Some(&Value::Bool(false)));
    assert_eq!((run.next().unwrap(), run.event()), (Turn::Event, "go"));
    // Each of those who decide together is asked in turn, and nothing moves before the last has answered.
    let mut seen = Vec::new();
    for (nth, player) in ["blue", "red"].into_iter().enumerate() {
        // Nobody answers yet, so it stays where it is.
        assert_eq!((run.next().unwrap(), run.next().unwrap()), (Turn::Question, Turn::Question));
        let Question::Decision(decision, part) = run.question() else { panic!("a decision") };
        assert_eq!((decision.player, part), (player, Some((nth, 2))));
        assert_eq!(decision.scene.together().len(), 2);
        seen.push(decision.scene.view(player).unwrap());
        run.answer(nth);
    }
    assert_eq!(seen[0], seen[1]);
    let mut clone = run.clone();
    for run in [&mut run, &mut clone] {
        assert_eq!(run.next().unwrap(), Turn::Step);
        assert_eq!(run.next().unwrap(), Turn::Done);
        assert_eq!(run.outcome().unwrap().value().get("got"), Some(&Value::Int(41)));
        assert_eq!(run.next().unwrap(), Turn::Done);
    }
}

#[test]
fn whoever_answers_may_run_and_look_at_the_rules_meanwhile() {
    let step = "
fn view(player) { loop {} }
fn step() {
    this.got = this.choose(\"red\", \"pick\", [1, 2]);
    this.emit(\"unheard\");
    this.done = true;
}";
    let rules = load(&[step], &[]).unwrap();
    let play = |meanwhile: &dyn Fn()| {
        let played = Run::begin(&rules, &nothing(), Ear::Deaf).finish(|question| {
            meanwhile();
            let Question::Decision(decision, _) = question else { panic!("a decision") };
            // A view that never ends is an error of the look, and the playout continues.
            let error = decision.scene.view("red").unwrap_err().to_string();
            assert!(error.contains("operations"), "{error}");
            Ok(1)
        });
        played.unwrap()
    };
    let played = play(&|| drop(play(&|| ())));
    assert_eq!(played.outcome.value().get("got"), Some(&Value::Int(2)));
    assert!(played.cost < 1_000, "what was looked at does not count");
}

#[test]
fn constants_and_parameters_may_call_what_is_in_their_file() {
    let text = "const FOURS = fours(3);\nconst MORE = FOURS.map(|n| n + 1);\nconst DIE = dice(\"1d4\");\n\
        const BEST = { let best = 0; for n in MORE { best += n; } best };\n\
        fn fours(count) { let all = []; for i in 0..count { all.push(4); } all[0] = 5; all }\n\
        fn unused() { below_this(UNKNOWN) }\n\
        fn params() { let all = #{}; all.worth = BEST + fours(1).len; all }";
    let params = super::assemble::house_params::house_params(&layer("h", text)).unwrap();
    let named: Vec<_> = params.into_iter().map(|(name, value, _)| (name, value)).collect();
    // 5 + 1 + 4 + 1 + 4 + 1, and a list of one.
    assert_eq!(named, [("worth".to_owned(), Value::Int(17))]);
}

#[test]
fn only_names_that_somebody_wrote_down_are_kept() {
    let text = "
fn setup(scenario) {
    let names = [];
    let table = scenario.table(\"names\");
    for name in table.keys() { names.push(name); table.number(name, 0); }
    for i in 0..3 { names.push(`reckoned ${i}`); }
    #{ done: false, names: names }
}
fn step() { this.done = this.names.len == 5; }
fn outcome() { if this.done { #{ result: \"end\", utility: #{ red: 1 } } } }";
    let rules = alone(text, Limits::default());
    let written = ["written in a setup", "another written in a setup"];
    let names = written.map(|name| (name.to_owned(), Value::Int(1))).into();
    let setup = Setup::new(Value::Map([("names".to_owned(), Value::Map(names))].into()));
    for _ in 0..2 {
        let played = play(&rules, &setup).unwrap();
        let names = played.state.value().get("names").unwrap().as_list().unwrap().len();
        assert_eq!(names, 5);
    }
    use super::machine::Text;
    assert!(written.iter().all(|name| Text::is_name(name)));
    assert!((0..3).all(|i| !Text::is_name(&format!("reckoned {i}"))), "nothing stays of a run");
}

#[test]
fn what_reads_a_letter_of_a_long_text_pays_for_going_through_it() {
    // 200,000 bytes are about 1,500 operations, so that 5,000,000 are spent after some 3,200 of them.
    let step = |read: &str, times: u32| {
        format!(
            "fn step() {{ let t = \"x\"; t.pad(200000, \"y\"); for i in 0..{times} {{ let c = {read}; }} this.done = true; }}"
        )
    };
    let fault = run_error(&step("t[0]", 4_000)).fault;
    assert!(matches!(fault, ScriptFault::Limit(Limit::Operations(_))), "{fault}");
    got(&[&step("t[0]", 1_000)], &[], 0);
    let short =
        "fn step() { let t = \"xyz\"; for i in 0..100_000 { let c = t[0]; } this.done = true; }";
    got(&[short], &[], 0);
}

#[test]
fn whoever_searches_a_long_text_pays_for_each_letter() {
    // 100,000 letters and half of as many are 18,750 operations, so that 5,000,000 are spent after some 260 of them.
    // Two texts that nearly match are the slowest.
    let step = |search: &str, times: u32| {
        format!(
            "fn step() {{ let t = \"x\"; t.pad(100000, \"x\"); let n = \"x\"; n.pad(49999, \"x\"); n += \"y\"; \
             for i in 0..{times} {{ let c = {search}; }} this.done = true; }}"
        )
    };
    for search in ["t.contains(n)", "n in t", "t.index_of(n)", "t.split(n)"] {
        let fault = run_error(&step(search, 400)).fault;
        assert!(matches!(fault, ScriptFault::Limit(Limit::Operations(_))), "{search}: {fault}");
        got(&[&step(search, 150)], &[], 0);
    }
}

#[test]
fn constants_that_are_computed_are_charged_for_each() {
    let load = |constants: usize| {
        let file = |half: usize| {
            let all = (0..constants / 2).map(|i| format!("const A{half}_{i}=abs({i});\n"));
            (format!("file{half}.rhai"), all.collect::<String>())
        };
        let rules = ("rules.rhai".to_owned(), format!("fn step() {{}}{FRAME}"));
        let files = vec![file(0), file(1), rules];
        let base = Layer { name: "base".to_owned(), files, ..Layer::default() };
        Rules::load(base, &[], IndexMap::new(), Limits::default()).map(|_| ())
    };
    load(2_000).unwrap();
    // Each takes 1,000 operations, and all of them 5,000,000 at most.
    let error = script_error(load(5_400));
    assert_eq!(error.fault, ScriptFault::Limit(Limit::Operations(5_000_000)), "{error}");
    assert!(error.at.is_some());
}
