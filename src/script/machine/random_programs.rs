//! Tests that random programs give the same result on the machine as in Rhai's interpreter.

mod program_writer;

use std::rc::Rc;

use rhai::{CallFnOptions, Dynamic, Engine, Scope};

use self::program_writer::{CASES, program};
use super::compile::{Source, compile};
use super::convert::{from_plain, plain};
use super::open_question::OpenQuestion;
use super::run::Turn;
use super::runner::{Called, Runner};
use super::tests::walker;
use super::value::{Size, Value};
use crate::error::Error;
use crate::game;
use crate::script::assemble::source::Sources;
use crate::script::diagnostics::explain;
use crate::script::questions::context::Context;
use crate::script::sandbox::engine::{Trust, build};
use crate::script::value::{from_value, to_value};
use crate::script::{Limits, on_large_stack};

/// What programs call.
const FUNCTIONS: &str = "
fn twice(n) { n * 2 }
fn sum(a, b) { a + b }
fn add_to(list, x) { list.push(x); list }
fn grow(x) { this.push(x); this.len }
fn doubled() { this *= 2; this }
fn add(n) { this += n; this }
fn bump() { this += 1; this }
";

/// The state that each program begins with.
const STATE: &str = r#"{ "done": false, "got": null, "list": [1, 2, 3], "name": "red",
    "map": { "a": 1, "b": { "c": [4, 5] } } }"#;

/// This many programs are compiled together.
const TOGETHER: usize = 50;

/// Their names, which the machine wants for as long as the program runs.
fn names() -> Vec<&'static str> {
    (0..TOGETHER).map(|number| &*Box::leak(format!("program_{number}").into_boxed_str())).collect()
}

fn compiled(engine: &Engine, text: &str) -> Option<(rhai::AST, Sources)> {
    let mut sources = Sources::default();
    let file = sources.add("base.rhai", text).ok()?;
    Some((engine.compile(sources.placed(file)).ok()?, sources))
}

/// What is compared: the value and the state after it, or the error with its place and calls.
fn shown(ended: Result<(game::Value, game::Value), String>) -> String {
    match ended {
        Ok((value, state)) => format!("{} {}", value.literal(), state.literal()),
        Err(error) => error,
    }
}

/// Runs a function; everything is answered with the second option.
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

fn both(
    engine: &Engine,
    walks: &Context,
    names: &[&'static str],
    bodies: &[String],
) -> Vec<[String; 2]> {
    let functions: String = names
        .iter()
        .zip(bodies)
        .map(|(name, body)| format!("fn {name}() {{ {body} }}\n"))
        .collect();
    let Some((ast, sources)) = compiled(engine, &(functions + FUNCTIONS)) else {
        return Vec::new();
    };
    let sources = Rc::new(sources);
    let context = Context::new(Limits::default());
    let scope = Scope::new();
    let source = Source { ast: &ast, constants: &scope, params: &[] };
    let natives = build(&context, Trust::Stranger);
    let runner = Runner::new(&source, context.clone(), natives, sources.clone()).unwrap();
    let state: game::Value = serde_json::from_str(STATE).unwrap();
    let mut ends = Vec::new();
    for name in names.iter().take(bodies.len()) {
        walks.meter.start(walks.meter.limits().leg);
        let mut walked = from_value(&state);
        let options = CallFnOptions::new().eval_ast(false).bind_this_ptr(&mut walked);
        let scope = &mut Scope::new();
        let value = engine.call_fn_with_options::<Dynamic>(options, scope, &ast, *name, ());
        let walked = match value {
            Err(error) => Err(format!("{:?}", explain(&error, &sources))),
            Ok(value) => {
                to_value(&value, "value").and_then(|value| Ok((value, to_value(&walked, "this")?)))
            }
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
        ends.push([shown(walked), shown(ran)]);
    }
    ends
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

/// Tens of thousands of them are for `FRACAS_PROGRAMS=50000 cargo test random_programs`.
#[test]
fn random_programs_come_out_alike() {
    let count = std::env::var("FRACAS_PROGRAMS").ok().and_then(|text| text.parse().ok());
    on_large_stack(|| {
        let (engine, walks) = walker();
        let names = names();
        let (mut different, mut ran, mut next) = (Vec::new(), 0, 0);
        let count: usize = count.unwrap_or(2_000);
        while ran < count {
            let mut bodies = Vec::new();
            while bodies.len() < TOGETHER {
                let body = program(next);
                next += 1;
                let text = format!("fn program() {{ {body} }}\n{FUNCTIONS}");
                let Some((ast, _)) = compiled(&engine, &text) else { continue };
                let constants = &Scope::new();
                // What the machine refuses, it says when rules are loaded.
                if compile(&Source { ast: &ast, constants, params: &[] }).is_ok() {
                    bodies.push(body);
                }
            }
            let ends = both(&engine, &walks, &names, &bodies);
            assert_eq!(ends.len(), bodies.len());
            for (body, [walked, machine]) in bodies.iter().zip(ends) {
                ran += 1;
                // The walker has no name for a value that a closure shares.
                if walked != machine && !walked.contains("Dynamic>>") {
                    different.push(format!("{body}\n  walker:  {walked}\n  machine: {machine}"));
                }
            }
        }
        assert!(next < 2 * count as u64 + 1000, "{next} programs were written for {ran} that load");
        let shown = different.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
        assert!(different.is_empty(), "{} of {ran} differ:\n{shown}", different.len());
    });
}

/// A case that does not load would leave out every program that has it.
#[test]
fn every_kind_of_case_loads() {
    let (engine, _) = walker();
    for case in CASES {
        let (ast, _) =
            compiled(&engine, &format!("fn f(x) {{ switch x {{ {case} => 1, _ => 2 }} }}"))
                .expect(case);
        let source = Source { ast: &ast, constants: &Scope::new(), params: &[] };
        assert!(compile(&source).is_ok(), "{case}");
    }
}
