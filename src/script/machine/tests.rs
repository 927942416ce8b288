//! The language on the machine against Rhai's walker: the same value and state, or the same error
//! with its place and the calls that led there.

use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use rhai::{
    AST, Array, CallFnOptions, Dynamic, Engine, EvalAltResult, ImmutableString, Map, Scope,
};

use super::compile::{Source, compile};
use super::convert::{from_plain, plain};
use super::open_question::OpenQuestion;
use super::run::Turn;
use super::runner::{Called, Runner};
use super::value::{Size, Value};
use crate::error::Error;
use crate::game;
use crate::script::assemble::source::Sources;
use crate::script::diagnostics::explain;
use crate::script::primitives::distribution::Dist;
use crate::script::questions::context::Context;
use crate::script::sandbox::engine::{Trust, build};
use crate::script::value::{from_value, to_value};
use crate::script::{Layer, Limits, Rules, on_large_stack};

/// What programs may call.
const FUNCTIONS: &str = "
fn twice(n) { n * 2 }
fn sum(a, b) { a + b }
fn add_to(list, x) { list.push(x); list }
fn grow(x) { this.push(x); this.len }
fn grow() { this.push(9); this.len }
fn grow_twice() { this.grow(); this.grow() }
fn deep(n) { if n == 0 { this.nothing } else { this.deep(n - 1) } }
fn fails(n) { n.missing }
fn doubled() { this *= 2; this }
fn add(n) { this += n; this }
fn bump() { this += 1; this }
fn read() { this.b }
";

/// The state that each program begins with.
const STATE: &str = r#"{ "done": false, "got": null, "list": [1, 2, 3], "name": "red",
    "map": { "a": 1, "b": { "c": [4, 5] } } }"#;

/// What rules have beside `step`.
const FRAME: &str = "
fn setup(scenario) { #{ done: false, got: (), list: [1, 2, 3], map: #{ a: 1, b: #{ c: [4, 5] } }, name: \"red\" } }
fn outcome() { if this.done { #{ result: \"end\", utility: #{ red: 1 }, got: this.got, list: this.list, map: this.map } } }
const TABLE = #{ a: #{ b: 1 } };
";

/// How many programs are functions of one script.
pub(super) const TOGETHER: usize = 50;

/// Runs programs by Rhai's own interpreter and on the machine; everything is answered with the second option.
pub(super) struct BothWays {
    engine: Engine,
    context: Rc<Context>,
    /// The names of programs, which the machine wants for as long as they run.
    names: Vec<&'static str>,
    constants: Scope<'static>,
}

impl BothWays {
    pub(super) fn new() -> BothWays {
        let context = Context::new(Limits::default());
        let mut engine = build(&context, Trust::Stranger);
        // The machine runs what is written, not what Rhai's optimizer makes of it.
        engine.set_optimization_level(rhai::OptimizationLevel::None);
        engine.register_fn(
            "choose",
            |_: &mut Map, player: ImmutableString, name: ImmutableString, options: Array| {
                let fail = |text: String| Box::<EvalAltResult>::from(text);
                let second = options.get(1).cloned();
                second.ok_or_else(|| fail(format!("`{name}`: there is no option for `{player}`")))
            },
        );
        engine.register_fn(
            "roll",
            |_: &mut Map, _: ImmutableString, _: ImmutableString, made: Dist| {
                from_value(&made.0.values()[1])
            },
        );
        // Functions see the constants of a script where it is published.
        let table = engine.eval::<Dynamic>("#{ a: #{ b: 1 } }").unwrap();
        let (mut module, mut constants) = (rhai::Module::new(), Scope::new());
        module.set_var("TABLE", table.clone());
        constants.push_constant_dynamic("TABLE", table);
        engine.register_global_module(module.into());
        let name = |number| &*Box::leak(format!("program_{number}").into_boxed_str());
        BothWays { engine, context, names: (0..TOGETHER).map(name).collect(), constants }
    }

    fn parsed(&self, text: &str) -> Result<(AST, Sources), String> {
        let mut sources = Sources::default();
        let file = sources.add("base.rhai", text).map_err(|error| error.to_string())?;
        let ast = self.engine.compile(sources.placed(file)).map_err(|error| error.to_string())?;
        Ok((ast, sources))
    }

    /// Why a program does not load, which is said when rules are loaded; nothing where it does.
    pub(super) fn refusal(&self, body: &str) -> Option<String> {
        let ast = match self.parsed(&format!("fn program() {{ {body} }}\n{FUNCTIONS}")) {
            Ok((ast, _)) => ast,
            Err(message) => return Some(message),
        };
        let source = Source { ast: &ast, constants: &self.constants };
        compile(&source).err().map(|refused| refused.message)
    }

    /// How a program ends as Rhai's own interpreter runs it, and on the machine.
    fn one(&self, body: &str) -> [String; 2] {
        match self.refusal(body) {
            Some(message) => [String::new(), message],
            None => self.run(&[body]).remove(0),
        }
    }

    /// The same of some programs that load.
    pub(super) fn run(&self, bodies: &[impl AsRef<str>]) -> Vec<[String; 2]> {
        let function =
            |(name, body): (&&str, &_)| format!("fn {name}() {{ {} }}\n", AsRef::as_ref(body));
        let functions: String = self.names.iter().zip(bodies).map(function).collect();
        let (ast, sources) = self.parsed(&(functions + FUNCTIONS)).unwrap();
        let sources = Arc::new(sources);
        let context = Context::new(Limits::default());
        let source = Source { ast: &ast, constants: &self.constants };
        let natives = build(&context, Trust::Stranger);
        let runner = Runner::new(&source, context.clone(), natives, sources.clone()).unwrap();
        let state: game::Value = serde_json::from_str(STATE).unwrap();
        let both = |name: &&'static str| {
            let meter = &self.context.meter;
            meter.start(meter.limits().leg);
            let mut walked = from_value(&state);
            let options = CallFnOptions::new().eval_ast(false).bind_this_ptr(&mut walked);
            let scope = &mut Scope::new();
            let value =
                self.engine.call_fn_with_options::<Dynamic>(options, scope, &ast, *name, ());
            let walked = match value {
                Err(error) => Err(format!("{:?}", explain(&error, &sources))),
                Ok(value) => to_value(&value, "value")
                    .and_then(|value| Ok((value, to_value(&walked, "this")?))),
            };
            context.meter.start(context.meter.limits().leg);
            let this = from_plain(&state, &runner.program().texts);
            let ran = match second(&runner, name, this) {
                Err(Error::Script(error)) => Err(format!("{error:?}")),
                Err(other) => Err(format!("{other:?}")),
                Ok(called) if !(is_exact(&called.value) && is_exact(&called.this)) => {
                    Err("a size that is not that of what is there".to_owned())
                }
                Ok(called) => plain(&called.value, "value")
                    .and_then(|value| Ok((value, plain(&called.this, "this")?))),
            };
            [shown(walked), shown(ran)]
        };
        self.names[..bodies.len()].iter().map(both).collect()
    }
}

/// Rules whose step is a program.
fn load(body: &str) -> Result<Rc<Rules>, Error> {
    let text =
        format!("fn step() {{ this.got = {{ {body} }}; this.done = true; }}{FUNCTIONS}{FRAME}");
    let base = Layer {
        name: "base".to_owned(),
        files: vec![("base.rhai".to_owned(), text)],
        ..Layer::default()
    };
    Rules::load(base, &[], IndexMap::new(), Limits::default())
}

/// What is compared: the value and the state after it, or the error with its place and calls.
fn shown(ended: Result<(game::Value, game::Value), String>) -> String {
    match ended {
        Ok((value, state)) => format!("{} {}", value.literal(), state.literal()),
        Err(error) => error,
    }
}

/// Runs a function on the machine.
fn second(runner: &Runner, name: &'static str, this: Value) -> Result<Called, Error> {
    let mut machine = runner.machine(name, this, &[])?;
    loop {
        match runner.turn(name, &mut machine)? {
            Turn::Done(value) => return Ok(runner.done(machine, value)),
            Turn::Events(_) => {}
            Turn::Asked => {
                let parts = machine.question().map_or(0, OpenQuestion::parts);
                let answered = machine.answer(&vec![1; parts]);
                runner.ran(name, answered.map_err(|fault| machine.traced(fault)))?;
            }
        }
    }
}

fn is_exact(value: &Value) -> bool {
    let (own, size) = match value {
        Value::List(list) => (Size::of_items(list.iter()), list.size()),
        Value::Map(map) => {
            let mut own = Size { depth: 1, ..Size::default() };
            for (key, item) in map.iter() {
                own.hold(Size::of_key(key));
                own.hold(item.size());
            }
            (own, map.size())
        }
        _ => return true,
    };
    own == size
        && match value {
            Value::List(list) => list.iter().all(is_exact),
            Value::Map(map) => map.iter().all(|(_, item)| is_exact(item)),
            _ => true,
        }
}

const SAME: &[&str] = &[
    // What a native is given is what it was when it was found out, also where the native changes it, or what follows.
    "let a = [1]; a.push(a); a",
    "let a = [0]; a.pad(3, a); a",
    "let x = [1]; let y = [x]; y.push(x); x.push(2); [x, y]",
    "let x = 1; let a = [5, 6]; a.insert(x, { x = 0; 7 }); [a, x]",
    "let x = 1; let a = [5, 6]; insert(a, x, { x = 0; 7 }); [a, x]",
    "let i = 0; let l = [[1], [2]]; l[i].push(i); l",
    "let n = 3; [n.max(n), max(n, 4), max(5, n)]",
    "let m = #{ a: [1] }; let a = m.a; m.a.push(a); m.a.push(2); [a, m]",
    // Numbers and operators.
    "1 + 2 * 3 - 4 / 3 % 2",
    "7 / 2 + -7 / 2 + -7 % 3",
    "2 ** 10",
    "1 << 4 | 3 & 6 ^ 1",
    "1 == 1.0",
    "let x = 0.5; x + 1 == 1.5",
    "9223372036854775807 + 1",
    "let x = 9223372036854775807; x += 1; x",
    "1 / 0",
    "1 % 0",
    "-(-5)",
    "let x = \"a\"; -x",
    "!true",
    "!1",
    "1 + \"a\"",
    "\"a\" + 1",
    "\"a\" < \"b\" && \"b\" >= \"a\"",
    "1 < \"a\"",
    "() == 0",
    "[1, [2]] == [1, [2]]",
    "#{ a: 1 } != #{ a: 2 }",
    "\"1\" == 1",
    "let b = 1; true && b",
    "let a = 1; if a { 2 }",
    "let a = 1; a && true",
    "false || { 5 > 4 }",
    "() ?? 7",
    "1 ?? this.nothing",
    // Variables, blocks, control.
    "let a = 1; { let a = 2; a += 1; } a",
    "let a = 1; let a = a + 1; a",
    "let a = if this.done { 1 } else { 2 }; a",
    "let x = { let y = 3; y * y }; x",
    "let s = 0; for i in 0..5 { if i == 3 { break; } if i == 1 { continue; } s += i; } s",
    "let s = 0; for i in 0..=5 { s += i } s",
    "let s = []; for (x, i) in [\"a\", \"b\"] { s.push(x + i) } s",
    "let s = \"\"; for c in \"abc\" { s = c + s } s",
    "let i = 0; while i < 4 { i += 2 } i",
    "let i = 0; let v = loop { i += 1; if i > 3 { break i * 10; } }; v",
    "let i = 0; do { i += 1 } while i < 3; i",
    "let i = 0; do { i += 1 } until i >= 3; i",
    "switch this.name { \"blue\" => 1, \"red\" | \"green\" => 2, _ => 3 }",
    "switch 5 { 0..3 => \"few\", 3..=5 => \"some\", _ => \"many\" }",
    "switch 2 { 1 => 1, 2 if this.done => 2, 2 => 22 }",
    "switch 2 { 1 => 1 }",
    "switch 1.0 { 1 => 1, _ => 2 }",
    "switch 1.5 { 0..2 => 1, _ => 2 }",
    "switch true { true => 1, false => 0 }",
    "let x = 5; for i in x { }",
    "let x = #{ a: 1 }; for i in x { }",
    "this.map.fresh = 1; this.map",
    "if true { this.done = true; return 5; } 6",
    "throw \"no\"",
    "throw 42",
    "throw #{ code: 1 }",
    "let x = 5; x = x + { x = 2; x }; x",
    "let f = |x| x + 1; f.call(4)",
    "let n = 3; let f = |x| x + n; [1, 2].map(f)",
    "let n = 3; [1, 5].filter(|x| x > n)",
    "[3, 1, 2].filter(|x, i| i > 0)",
    "let l = [3, 1, 2]; l.sort(|a, b| b - a); l",
    "[1, 2].some(|x| x == 2) && [1, 2].all(|x| x > 0)",
    "[1, 2, 3].reduce(|s, x| s + x, 10)",
    "[1, 2].map(|x| x.nothing)",
    "let l = [1, 2, 3]; let out = l.retain(|x| x > 1); [l, out]",
    "[5, 6].find(|x| x > 5)",
    // Lists, maps, paths.
    "this.list[0] + this.list[-1]",
    "this.list[3]",
    "this.list[-4]",
    "this.list[\"a\"]",
    "this.map[\"a\"]",
    "this.map[0]",
    "this.map.z",
    "this.map[\"z\"]",
    "this.map.b.c[1]",
    "this.map.b.z[1]",
    "this.name[0]",
    "this.name.nothing",
    "this.name.len",
    "let x = 5; x.nothing",
    "let x = 5; x.nothing = 1",
    "this.map.b.c[1] = 7; this.map.b.c",
    "this.map.b.c[5] = 7",
    "this.map.z.y = 1",
    "this.map.a += 4; this.map.a",
    "this.map.z += 4",
    "this.list += [4]; this.list += 5; this.list",
    "this.list.push(this.list.len); this.list",
    "this.map.b.c.grow()",
    "let c = this.map.b.c; c.grow(); [c, this.map.b.c]",
    "this.map.b.c.reverse(); this.map.b.c",
    "this.map?.a",
    "let x = (); x?.a",
    "let x = (); x.a",
    "this.list.remove(0) + this.list.pop()",
    "this.map.remove(\"a\"); this.map.keys()",
    "2 in this.list",
    "\"a\" in this.map && !(\"z\" in this.map)",
    "5 !in this.list",
    "let l = [1]; l.push([2]); l[1][0] = 3; l",
    "`${this.name} has ${this.list} and ${0.5} ${()}`",
    // Calls, errors within them, `this`.
    "twice(4) + twice(\"a\")",
    "this.twice(4)",
    "this.deep(3)",
    "fails(this)",
    "this.choose(\"red\", \"pick\", [1, 2, 2]) + this.roll(\"red\", \"die\", dice(\"1d6\"))",
    "this.choose(\"red\", \"pick\", [])",
    // What is read first is what it was, even if it changes meanwhile.
    "let x = 3; x + x.doubled()",
    "let t = [1, 2, 3]; t + [t.pop()]",
    "let x = 3; x < x.doubled()",
    "let a = [10, 20, 30]; let i = 0; a[i] + a[i.bump()]",
    "let a = [[10, 20], [30, 40]]; let i = 0; a[i][i.bump()]",
    "let a = [[1], [2]]; let i = 0; a[i].push({ i += 1; i }); a",
    "let a = [0, 0]; let x = 0; a[x.bump()] = x; a",
    // Letters, lists that are split, constants, closures in loops.
    "let c = []; for x in \"abc\" { c.push(x) } c.contains(\"a\")",
    "let a = [1, 2, 3]; let b = a.split(1); [a, b]",
    "let s = 0; for c in \"a\u{e9}b\" { s += 1 } s",
    "TABLE.a.b + TABLE.a.read()",
    "choose(#{}, \"red\", \"pick\", [1, 2])",
    // Characters are equal to themselves, and to the text of them alone.
    "let c = this.name[0]; [c == 'r', c == \"r\", c != 'e', c < 's', 'r' == 1, [c] == ['r'], [c] == [\"r\"]]",
    "let c = this.name[0]; [[c].contains('r'), [c].contains(\"r\"), \"r\" in [c], c in this.name, #{ a: c } == #{ a: 'r' }]",
    "let c = this.name[0]; [[\"e\", c].index_of('r'), [\"e\", c].index_of(\"r\"), [c, \"r\", 'r'].len]",
    "let l = ['b', 'a', 'b']; l.sort(); l",
    "let l = ['b', 'b', 'a']; l.dedup(); l",
    "switch this.name[0] { 'a' => 1, 'r' => 2, _ => 3 }",
    "switch this.name[0] { \"r\" => 1, 'd' => 2, _ => 3 }",
    "switch \"r\" { 'r' => 1, _ => 3 }",
    "switch 'm' { 'a' => 1, 'b' => 2, 'c' => 3, 'd' => 4, 'e' => 5, 'f' => 6, 'g' => 7, 'h' => 8, 'i' => 9, 'j' => 10,
        'k' => 11, 'l' => 12, 'm' => 13, _ => 14 }",
    "let r = []; for c in \"hanna\" { r.push(switch c { 'a' => 1, 'n' => 2, _ => 0 }) } r",
];

/// The differences that the handbook names: how Rhai ends, and how the machine does.
const OTHERWISE: &[(&str, &str, &str)] = &[
    // Rhai does not look at the condition after `continue`: 5, and then 10 more.
    ("let i = 0; do { i += 1; if i < 5 { continue; } i += 10; } while i < 3; i", "15 ", "3 "),
    (
        "let f = false; switch 5 { 0..9 if f => 1, _ => 3 }",
        "",
        "a `switch` has either ranges or conditions",
    ),
    ("let x = (); x?.y.len()", "", "before a call, write `if x != ()`"),
    ("let n = 0; for c in \"ab\".chars() { n += 1 } n", "", "cannot hold a sequence of characters"),
    ("let n = 0; for b in bits(5) { n += 1 } n", "", "cannot hold a sequence of bits"),
    (
        "let n = 0; for x in range(0.0, 2.0, 0.5) { n += 1 } n",
        "4 ",
        "cannot hold a sequence of numbers with a fraction",
    ),
];

#[test]
fn what_the_handbook_names_is_otherwise() {
    on_large_stack(|| {
        let both = BothWays::new();
        for (body, in_rhai, here) in OTHERWISE {
            let [walked, ran] = both.one(body);
            assert!(walked.contains(in_rhai) && ran.contains(here), "{body}: {walked} {ran}");
        }
    });
}

#[test]
fn the_language_is_the_walkers() {
    on_large_stack(|| {
        let both = BothWays::new();
        for body in SAME {
            let [walked, ran] = both.one(body);
            assert_eq!(walked, ran, "{body}");
            // Nothing that looks at rules before they run refuses it.
            let loaded = load(body);
            assert!(loaded.is_ok(), "{body}: {}", loaded.err().unwrap());
        }
    });
}

#[test]
fn what_is_picked_onto_a_list_is_counted_all_the_way_up() {
    let pick = r#"this.choose_onto(["map", "b", "c"], 4, "red", "pick", [[1], [[2]]])"#;
    let [_, ran] = on_large_stack(|| BothWays::new().one(pick));
    // Two are there already, and the second option goes two lists deep.
    let state = ran.strip_prefix("null ").unwrap_or_else(|| panic!("{ran}"));
    assert!(state.contains("[4,5,[[2]],[[2]]]"), "{state}");
}

#[test]
fn what_cannot_be_cloned_is_refused_with_what_to_write() {
    let both = BothWays::new();
    for (body, words) in [
        ("let n = 0; [1].for_each(|x| n += x); n", "write a loop"),
        ("let n = 0; let f = |x| x + n; n = 2; f.call(1)", "copy it"),
        ("let n = 0; for i in 0..3 { n += 1; [1].map(|x| x + n); }", "copy it"),
        ("let l = []; let f = []; for i in 0..3 { l.push(i); f.push(|| l.len()); }", "copy it"),
        ("TABLE.a.set(\"b\", 2)", "would change a constant"),
    ] {
        let error = both.refusal(body).unwrap();
        assert!(error.contains(words), "{body}: {error}");
    }
}

#[test]
fn what_grows_within_a_list_that_was_counted_anew_counts() {
    // Pushing and popping makes all sizes too large, so that the outer list is counted anew; then each
    // inner one grows by 8,000 items, less than its size was too large.
    let body = "let all = []; for i in 0..20 { all.push([]); }
        for i in 0..20 { for n in 0..9000 { all[i].push(n); all[i].pop(); } }
        for i in 0..20 { all[i].push(numbers(1, 8000)); }
        all.len()";
    let [_, ran] = BothWays::new().one(body);
    assert!(ran.contains("most: 10000"), "{ran}");
}

#[test]
fn this_in_a_closure_is_that_of_the_function_around_it() {
    let both = BothWays::new();
    for (body, got) in [
        ("this.list.filter(|x| x > this.map.a)", "[2,3]"),
        ("this.list.map(|x| twice(x) + this.map.a)", "[3,5,7]"),
        ("this.list.some(|x| this.list.len + 1 == x)", "false"),
        ("this.list.all(|x| x in this.list)", "true"),
        ("this.list.find(|x| x > this.map.a)", "2"),
        ("this.list.reduce(|s, x| s + x + this.map.a, 0)", "9"),
        ("let l = [1, 3, 2]; l.sort(|a, b| (b - a) * this.map.a); l", "[3,2,1]"),
        ("this.list.sort(|a, b| (b - a) * this.map.a); this.list", "[3,2,1]"),
        ("[1].map(|x| [2].map(|y| this.name + y))", "[[\"red2\"]]"),
        ("let n = 5; [1].map(|x| this.map.a + n)", "[6]"),
        ("[1].map(|x| this.map.read().c)", "[[4,5]]"),
        ("let f = |x| x + this.map.a; f.call(2)", "3"),
        // One that takes nothing is called on the item, as in Rhai.
        ("[1, 2].map(|| this * 2)", "[2,4]"),
    ] {
        let [_, ran] = both.one(body);
        assert!(ran.starts_with(&format!("{got} ")), "{body}: {ran}");
    }
    for body in [
        "[1].map(|x| { this.done = true; x })",
        "[1].map(|x| this.list.push(x))",
        "[1].map(|x| { this = x; x })",
        "[1].map(|x| this.list.grow())",
    ] {
        let error = both.refusal(body).unwrap();
        assert!(error.contains("a closure cannot change `this`"), "{body}: {error}");
    }
}

#[test]
fn functions_that_only_look_are_called_on_what_a_closure_captured() {
    let both = BothWays::new();
    for (body, got) in [
        ("let m = #{ b: [4, 5] }; [0, 1].map(|i| m.read()[i])", "[4,5]"),
        ("let m = #{ a: #{ b: [4, 5] } }; [0, 1].map(|i| m.a.read()[i]) + m.a.read()", "[4,5,4,5]"),
        ("let m = #{ b: [4] }; for i in 0..2 { m.read(); [0].map(|x| m.b[x]); } m.b", "[4]"),
    ] {
        let [_, ran] = both.one(body);
        assert!(ran.starts_with(&format!("{got} ")), "{body}: {ran}");
    }
    for (body, why) in [
        ("let l = [4]; [1].map(|x| l.grow())", "`l` is captured by a closure"),
        ("let l = [4]; [1].map(|x| l.grow_twice())", "`l` is captured by a closure"),
        ("let l = [4]; let f = |x| l[x]; l.grow(); f.call(0)", "`l` is captured by a closure"),
        (
            "let l = [4]; for i in 0..2 { l.grow_twice(); [0].map(|x| l[x]); }",
            "`l` changes in this loop",
        ),
    ] {
        let error = both.refusal(body).unwrap();
        assert!(error.contains(why), "{body}: {error}");
    }
}
