//! Which function is the one in force? Rules at the bottom, house rules laid over them in order.
//!
//! Functions override by name and number of parameters, and callers in any layer see the top one.
//! Within an override, `super(…)` calls the one below: while a layer is parsed, the reserved word
//! becomes the name under which the function below is kept.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{AST, Engine, Module, Scope, ScriptFuncDef, Shared, Token};

use super::constants;
use super::context::Context;
use super::diagnostics::{explain_parse, place, plain_name};
use super::source::Sources;
use crate::error::{Location, ScriptError, ScriptFault, nearest};

/// Stands between a function's name and the number of the layer it lies below. Rhai calls nothing
/// whose name is no identifier, so this must be part of one; scripts may not use it.
pub const BELOW: &str = "__below";

/// The functions of the contract, each with its number of parameters.
pub const CONTRACT: [(&str, usize); 8] = [
    ("setup", 1),
    ("step", 0),
    ("outcome", 0),
    ("view", 1),
    ("picture", 0),
    ("laws", 0),
    ("sides", 0),
    ("params", 0),
];

/// Scripts that stand or fall together: the rules, or one house rule.
#[derive(Clone, Debug)]
pub struct Layer {
    /// What people call it: the system's name, or the house rule's.
    pub name: String,
    /// Its files, path and text; the first opens with the prose.
    pub files: Vec<(String, String)>,
}

/// A function in force, or kept below one.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, without the mark of the layer below.
    pub name: String,
    /// The names of its parameters.
    pub params: Vec<String>,
    /// The `///` lines above it, without the slashes.
    pub comments: String,
    /// The number of its layer.
    pub layer: usize,
    /// Where it is defined.
    pub at: Option<Location>,
}

/// The layers joined into one script.
pub struct Joined {
    /// All functions, for calling.
    pub ast: AST,
    /// The functions in force, by name and number of parameters.
    pub functions: Vec<Function>,
    /// The `//!` lines of each layer, without the marks.
    pub prose: Vec<String>,
    /// The constants of all layers; those of a higher layer win.
    pub constants: Scope<'static>,
}

type Key = (String, usize);
type Defined = BTreeMap<Key, (Shared<ScriptFuncDef>, usize)>;

/// Compiles and joins the layers. `scope` holds what every script may name, such as `params`.
///
/// # Errors
/// Syntax, dead overrides, functions defined twice in a layer.
pub fn join(
    engine: &mut Engine,
    context: &Context,
    layers: &[Layer],
    scope: &Scope<'static>,
    sources: &mut Sources,
) -> Result<Joined, ScriptError> {
    let numbers = number_files(layers, sources)?;
    let parsing = map_super(engine);
    let constants = constants::collect(engine, context, &numbers, scope, sources)?;

    let mut library = Module::new();
    let mut defined = Defined::new();
    let mut prose = Vec::new();
    for (layer, files) in numbers.iter().enumerate() {
        parsing.enter(layer);
        let mut own = Defined::new();
        let mut words = String::new();
        for &file in files {
            let ast = engine
                .compile_with_scope(&constants, sources.placed(file))
                .map_err(|error| explain_parse(&error, sources))?;
            constants::refuse_statements(&ast, sources)?;
            words.push_str(&strip_marks(ast.doc(), "//!"));
            take_functions(&ast, layer, &mut own, sources)?;
        }
        prose.push(words);
        if layer > 0 {
            refuse_dead(&layers[layer].name, &own, &defined, sources)?;
        }
        for (key, definition) in own {
            if let Some((below, _)) = defined.get(&key) {
                library.set_script_fn(renamed(below, layer));
            }
            defined.insert(key, definition);
        }
    }
    let functions = defined.values().map(|(def, layer)| describe(def, *layer, sources)).collect();
    for (definition, _) in defined.into_values() {
        library.set_script_fn(definition);
    }
    Ok(Joined { ast: AST::new_from_module(library), functions, prose, constants })
}

/// Compiles one layer alone and keeps only its function of this name without parameters.
///
/// # Errors
/// Syntax.
pub fn only(
    engine: &mut Engine,
    context: &Context,
    layer: &Layer,
    scope: &Scope<'static>,
    sources: &mut Sources,
    name: &str,
) -> Result<Option<(AST, Option<Location>)>, ScriptError> {
    let files = number_files(std::slice::from_ref(layer), sources)?;
    let parsing = map_super(engine);
    // As if something lay below, so that overrides that call it parse.
    parsing.enter(1);
    let constants = constants::collect(engine, context, &files, scope, sources)?;
    for &file in files.iter().flatten() {
        let ast = engine
            .compile_with_scope(&constants, sources.placed(file))
            .map_err(|error| explain_parse(&error, sources))?;
        if let Some(function) = ast.shared_lib().get_script_fn(name, 0) {
            let at = sources.locate(function.body.start_position());
            constants::publish(engine, &constants);
            return Ok(Some((ast.clone_functions_only(), at)));
        }
    }
    Ok(None)
}

fn number_files(layers: &[Layer], sources: &mut Sources) -> Result<Vec<Vec<usize>>, ScriptError> {
    let number = |layer: &Layer, sources: &mut Sources| {
        layer.files.iter().map(|(path, text)| sources.add(path, text)).collect()
    };
    layers.iter().map(|layer| number(layer, sources)).collect()
}

/// What the token mapper must know: the layer, and the function whose body is being read.
#[derive(Default)]
struct Parsing {
    layer: Cell<usize>,
    function: RefCell<String>,
    after_fn: Cell<bool>,
}

impl Parsing {
    fn enter(&self, layer: usize) {
        self.layer.set(layer);
        self.function.borrow_mut().clear();
    }

    fn map(&self, token: Token) -> Token {
        match token {
            Token::Fn => self.after_fn.set(true),
            Token::Identifier(ref name) if self.after_fn.replace(false) => {
                name.as_str().clone_into(&mut self.function.borrow_mut());
            }
            // In the bottom layer nothing lies below: the word stays reserved and is refused.
            Token::Reserved(ref word) if **word == "super" && self.layer.get() > 0 => {
                let name = below(&self.function.borrow(), self.layer.get());
                return Token::Identifier(Box::new(name.into()));
            }
            _ => {}
        }
        token
    }
}

fn below(name: &str, layer: usize) -> String {
    format!("{name}{BELOW}{layer}")
}

fn map_super(engine: &mut Engine) -> Rc<Parsing> {
    let parsing = Rc::new(Parsing::default());
    let mapper = parsing.clone();
    // Marked as deprecated to say that it may change; the version is pinned.
    #[allow(deprecated)]
    engine.on_parse_token(move |token, _, _| mapper.map(token));
    parsing
}

fn take_functions(
    ast: &AST,
    layer: usize,
    own: &mut Defined,
    sources: &Sources,
) -> Result<(), ScriptError> {
    for (_, _, name, arity, definition) in ast.shared_lib().iter_script_fn_info() {
        let key = (name.to_owned(), arity);
        if name.contains(BELOW) {
            let fault = ScriptFault::Forbidden(format!("`{BELOW}` may be part of no name"));
            let at = definition.body.start_position();
            return Err(place(ScriptError::new(fault), at, sources));
        }
        // Closures that read alike share a name, and one definition serves them all.
        if own.contains_key(&key) && !name.starts_with("anon$") {
            let fault = ScriptFault::Syntax(format!("function `{name}` is defined twice"));
            return Err(place(ScriptError::new(fault), definition.body.start_position(), sources));
        }
        own.insert(key, (definition.clone(), layer));
    }
    Ok(())
}

fn renamed(definition: &Shared<ScriptFuncDef>, layer: usize) -> ScriptFuncDef {
    let name = below(definition.name.split(BELOW).next().unwrap_or_default(), layer);
    ScriptFuncDef { name: name.into(), ..(**definition).clone() }
}

/// A function of a house rule must override one below, be one of the contract, or be called.
fn refuse_dead(
    house: &str,
    own: &Defined,
    lower: &Defined,
    sources: &Sources,
) -> Result<(), ScriptError> {
    let called = super::lint::called_names(own.values().map(|(definition, _)| &**definition));
    for ((name, arity), (definition, _)) in own {
        let alive = lower.contains_key(&(name.clone(), *arity))
            || CONTRACT.contains(&(name.as_str(), *arity))
            || name.starts_with("anon$")
            || called.contains(&(name.clone(), *arity));
        if alive {
            continue;
        }
        let other = lower.keys().find(|(lower, _)| lower == name).map(|(_, arity)| *arity);
        let why = match other {
            Some(other) => format!("`{name}` has {other} parameters there, {arity} here"),
            None => "no function of that name lies below, and none here calls it".to_owned(),
        };
        let fault = ScriptFault::DeadOverride(format!(
            "house rule `{house}`: `{name}` overrides nothing: {why}"
        ));
        let known = lower.keys().map(|(name, _)| name.as_str());
        let known = known.filter(|name| !name.starts_with("anon$"));
        let nearest = nearest(name, known.chain(CONTRACT.iter().map(|(name, _)| *name)));
        let error = ScriptError { nearest, ..ScriptError::new(fault) };
        return Err(place(error, definition.body.start_position(), sources));
    }
    Ok(())
}

fn describe(definition: &ScriptFuncDef, layer: usize, sources: &Sources) -> Function {
    let comments: Vec<&str> = definition.comments.iter().map(|comment| &**comment).collect();
    Function {
        name: plain_name(&definition.name),
        params: definition.params.iter().map(|param| param.to_string()).collect(),
        comments: strip_marks(&comments.join("\n"), "///"),
        layer,
        at: sources.locate(definition.body.start_position()),
    }
}

/// Comment lines without their mark and one space after it.
fn strip_marks(text: &str, mark: &str) -> String {
    let strip = |line: &str| {
        let line = line.trim_start();
        let line = line.strip_prefix(mark).unwrap_or(line);
        format!("{}\n", line.strip_prefix(' ').unwrap_or(line))
    };
    text.lines().map(strip).collect()
}
