//! Compiles rules: from the syntax tree of the layers that were joined to a program.
//!
//! Everything is refused here that the machine does not know, with its place and what to write
//! instead: what compiles, runs.

mod calls;
mod chains;
mod closures;
mod conditions;
mod expressions;
mod function;
mod statements;

use std::collections::BTreeSet;

use hashbrown::HashMap;
use rhai::{AST, Dynamic, Position, Scope, Stmt};

use self::function::Builder;
use super::arithmetic::compare;
use super::code::{Binary, CONSTANT, Function, Path, Program, Reg};
use super::convert::{from_dynamic, from_plain};
use super::value::{Map, Text, Value};
use crate::game;
use crate::script::assemble::function_uses::{CLOSURE, FunctionUses, statements_of};
use crate::script::assemble::params::Params;
use crate::script::diagnostics::type_names::not_held;

/// What is compiled: rules with their house rules, parsed and joined.
pub(crate) struct Source<'a> {
    /// All functions; one that an override calls has the name under which it is kept. Statements outside of
    /// them become a function [`TOP`].
    pub ast: &'a AST,
    /// What the scripts may name, the parameters too.
    pub constants: &'a Scope<'static>,
}

/// The function that statements outside of all others become; no script can have one of that name.
pub(crate) const TOP: &str = "const";

/// Something that rules cannot do, with its place and what to write instead.
#[derive(Debug)]
pub(super) struct NotCompiled {
    pub message: String,
    pub at: Position,
}

type Compiled<T> = Result<T, NotCompiled>;

fn refuse<T>(message: impl Into<String>, at: Position) -> Compiled<T> {
    Err(NotCompiled { message: message.into(), at })
}

pub(super) fn compile(source: &Source<'_>) -> Compiled<Program> {
    let (program, known, hides) = (Program::default(), HashMap::new(), HashMap::new());
    let closures = FunctionUses::of(source.ast, |name| name.starts_with(CLOSURE));
    let with_this = closures.closures_with_this();
    let changing = Changing::default();
    let mut compiler = Compiler { source, program, known, hides, with_this, changing };
    let mut functions: Vec<_> = source.ast.shared_lib().iter_script_fn_info().collect();
    // In the order of the text, which is the same in every process.
    functions.sort_by_key(|(.., f)| (f.body.start_position(), f.name.clone()));
    for (number, (.., definition)) in functions.iter().enumerate() {
        let at = definition.body.start_position();
        let Ok(number) = u16::try_from(number) else { return refuse("too many functions", at) };
        let named = compiler.program.named.entry(definition.name.to_string()).or_default();
        named.push((definition.params.len(), number));
    }
    for (.., definition) in functions {
        let begins = definition.body.start_position();
        let params: Vec<&str> = definition.params.iter().map(|param| param.as_str()).collect();
        let captured = closures.captured(&definition.name);
        let body = statements_of(definition);
        compiler.function(&definition.name, (&params, captured), &body, begins)?;
    }
    if let [first, ..] = source.ast.statements() {
        let number = compiler.program.functions.len() as u16;
        compiler.program.named.entry(TOP.to_owned()).or_default().push((0, number));
        compiler.function(TOP, (&[], 0), source.ast.statements(), first.position())?;
    }
    compiler.changing.refused()?;
    Ok(compiler.program)
}

/// What all functions share while they are compiled.
struct Compiler<'a> {
    source: &'a Source<'a>,
    program: Program,
    /// The constants of the script that are in the program already, by name.
    known: HashMap<String, Reg>,
    /// The closures that capture a name of parameters: whether a variable of that name hides them.
    hides: HashMap<u16, bool>,
    /// The closures that use the `this` of the function that makes them.
    with_this: BTreeSet<String>,
    changing: Changing,
}

/// Which functions change the `this` that they are called on. It is known only when all are compiled: a function may
/// call one that comes later in the text.
#[derive(Default)]
struct Changing {
    /// Those that do so themselves.
    functions: BTreeSet<u16>,
    /// Who calls whom on its own `this`.
    calls: Vec<(u16, u16)>,
    /// What is refused if this function changes what it is called on.
    refusals: Vec<(u16, NotCompiled)>,
}

impl Changing {
    fn refused(mut self) -> Compiled<()> {
        loop {
            let before = self.functions.len();
            for (caller, callee) in &self.calls {
                if self.functions.contains(callee) {
                    self.functions.insert(*caller);
                }
            }
            if self.functions.len() == before {
                break;
            }
        }
        let changes = |(function, _): &(u16, NotCompiled)| self.functions.contains(function);
        self.refusals.into_iter().find(changes).map_or(Ok(()), |(_, refusal)| Err(refusal))
    }
}

/// Most of anything that an instruction can name.
const MOST: usize = 0x7fff;

impl Compiler<'_> {
    fn function(
        &mut self,
        name: &str,
        (params, captured): (&[&str], usize),
        body: &[Stmt],
        begins: Position,
    ) -> Compiled<()> {
        let copies_this = params.len() > captured && self.with_this.contains(name);
        let mut builder = Builder::new(self, params, captured, begins);
        builder.copies_this = copies_this;
        builder.body(body)?;
        let (code, places, registers) = builder.finish();
        let (name, params) = (name.to_owned(), params.len() as u16);
        let binds_this = self.with_this.contains(&name);
        let function = Function { name, params, registers, code, places, begins, binds_this };
        self.program.functions.push(function);
        Ok(())
    }

    /// The number under which a value can be read as a register.
    fn constant(&mut self, value: Value, at: Position) -> Compiled<Reg> {
        let simple = |known: &Value| match (known, &value) {
            (Value::Text(a), Value::Text(b)) => a.is(b),
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Unit, Value::Unit) => true,
            _ => false,
        };
        let constants = &mut self.program.constants;
        let number = match constants.iter().position(simple) {
            Some(number) => number,
            None => {
                constants.push(value);
                constants.len() - 1
            }
        };
        if number > MOST {
            return refuse("too many constants", at);
        }
        Ok(CONSTANT + number as Reg)
    }

    fn text(&mut self, text: &str) -> Text {
        self.program.texts.intern(text)
    }

    fn literal(&mut self, value: &Dynamic, at: Position) -> Compiled<Value> {
        if let Ok(text) = value.as_immutable_string_ref() {
            return Ok(Value::Text(self.text(&text)));
        }
        if let Some(function) = self.function_of(value, at)? {
            return Ok(function);
        }
        if let Ok(items) = value.as_array_ref() {
            let items = items.iter().map(|item| self.literal(item, at));
            return Ok(Value::list(items.collect::<Compiled<_>>()?));
        }
        if let Ok(map) = value.as_map_ref() {
            let mut made = Map::default();
            for (key, item) in map.iter() {
                made.insert(self.text(key), self.literal(item, at)?);
            }
            return Ok(Value::map(made));
        }
        match from_dynamic(value, &self.program.texts) {
            Some(value) => Ok(value),
            None => refuse(not_held(value.type_name()), at),
        }
    }

    fn named(&mut self, name: &str, at: Position) -> Compiled<Option<Reg>> {
        if let Some(known) = self.known.get(name) {
            return Ok(Some(*known));
        }
        let Some(value) = self.source.constants.get(name) else { return Ok(None) };
        let value = self.literal(value, at)?;
        let number = self.constant(value, at)?;
        self.known.insert(name.to_owned(), number);
        Ok(Some(number))
    }

    /// How two constants compare, as parameters of rules often do.
    fn compared(&self, by: Binary, a: Reg, b: Reg) -> Option<bool> {
        let constant = |register: Reg| {
            let number = register.checked_sub(CONSTANT)?;
            self.program.constants.get(number as usize)
        };
        compare(by, constant(a)?, constant(b)?)
    }

    fn has_params(&self, name: &str) -> bool {
        Params::named(name, self.source.constants).is_some()
    }

    fn parameter(&mut self, name: &str, field: &str) -> Option<Value> {
        let value = Params::named(name, self.source.constants)?.get(field)?;
        if let game::Value::Text(text) = &value {
            return Some(Value::Text(self.program.texts.intern(text)));
        }
        Some(from_plain(&value, &self.program.texts))
    }

    fn refuse_if(&mut self, function: u16, message: impl Into<String>, at: Position) {
        self.changing.refusals.push((function, NotCompiled { message: message.into(), at }));
    }

    fn path(&mut self, path: Path, at: Position) -> Compiled<u16> {
        add(&mut self.program.paths, path, at)
    }

    fn shape(&mut self, shape: Box<[Text]>, at: Position) -> Compiled<u16> {
        if let Some(known) = self.program.shapes.iter().position(|known| *known == shape) {
            return number(known + 1, at);
        }
        add(&mut self.program.shapes, shape, at)
    }
}

/// Adds something to a list of the program; its number there.
fn add<T>(all: &mut Vec<T>, new: T, at: Position) -> Compiled<u16> {
    all.push(new);
    number(all.len(), at)
}

/// The number of the last one of a list of this length.
fn number(count: usize, at: Position) -> Compiled<u16> {
    match u16::try_from(count - 1) {
        Ok(number) => Ok(number),
        Err(_) => refuse("the rules are too long", at),
    }
}
