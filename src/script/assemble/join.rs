//! Joins rules and house rules into one script: later layers override functions of earlier ones.
//!
//! Functions override by name and number of parameters, and callers in any layer see the top one.
//! Within an override, `super(…)` calls the one below: while a layer is parsed, the reserved word
//! becomes the name under which the function below is kept.

use std::rc::Rc;

use hashbrown::HashMap;
use rhai::{AST, Engine, Module, Position, Scope, ScriptFuncDef, Shared};

use crate::error::{Location, ScriptError, ScriptFault};
use crate::script::assemble::constants;
use crate::script::assemble::definition::bare_lines;
use crate::script::assemble::file_order::Files;
use crate::script::assemble::function_uses::CLOSURE;
use crate::script::assemble::layers::{DefinedFunctions, Layer};
use crate::script::assemble::replace_tokens::{BELOW, Plan, below, map_tokens};
use crate::script::assemble::source::{Sources, TextSide};
use crate::script::diagnostics::{explain_parse, place};
use crate::script::lint::dead_override::House;
use crate::script::questions::context::Context;

/// A function in force, or kept below one.
#[derive(Clone, Debug)]
pub struct RuleFunction {
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
    /// Whether it is of the rules themselves: no closure, and not of what they import.
    pub(in crate::script) is_own: bool,
}

pub(in crate::script) struct Joined {
    /// All functions, for calling.
    pub ast: AST,
    /// The functions in force, by name and number of parameters.
    pub functions: Vec<RuleFunction>,
    /// The `//!` lines of each layer, without the marks.
    pub prose: Vec<String>,
    /// The constants of all layers; those of a higher layer win.
    pub constants: Scope<'static>,
}

/// Compiles and joins the layers. `scope` holds what every script may name, such as `params`,
/// whose values are `params`.
pub(in crate::script) fn join(
    engine: &mut Engine,
    context: &Rc<Context>,
    layers: &[Layer],
    scope: &Scope<'static>,
    sources: &mut Sources,
) -> Result<Joined, ScriptError> {
    let parsing = map_tokens(engine);
    let files = Files::with_imports(engine, &parsing, layers, sources)?;
    let read = constants::collect(engine, context, &parsing, &files, scope, sources)?;

    let mut library = Library::default();
    let mut prose = vec![String::new(); layers.len()];
    let imports = layers.first().map_or(&[][..], |base| &base.imports);
    let above = imports.iter().map(|import| import.house.len()).max().unwrap_or_default();
    for layer in 0..layers.len().max(above + 1) {
        let mut own = DefinedFunctions::new();
        for &(_, file) in files.all.iter().filter(|(of, _)| *of == layer) {
            let ast = &read.asts[file];
            take_functions(ast, layer, &mut own, sources)?;
            if files.import_of(file).is_none() {
                // House rules over what an agent imports are laid above its own layers, and have no part here.
                if let Some(prose) = prose.get_mut(layer) {
                    prose.extend(ast.doc().lines().map(|line| bare_prose(line) + "\n"));
                }
            }
        }
        // House rules of a campaign are laid over its conflicts, and looked at there.
        // House rules over what an agent imports are not among its layers.
        let named = layers.get(layer).filter(|_| layer > 0 && layers[0].campaign.is_empty());
        if let Some(Layer { name, .. }) = named {
            let house = House { layer, name, files: &files.all, read: &read };
            house.refuse_dead(&own, &library.defined, sources)?;
        }
        library.lay(layer, own);
    }
    let functions = library.defined.values();
    let functions = functions.map(|(def, layer)| describe(def, *layer, sources)).collect();
    Ok(Joined { ast: library.into_ast(), functions, prose, constants: read.constants })
}

/// The functions in force, and those kept below them.
#[derive(Default)]
struct Library {
    module: Module,
    defined: DefinedFunctions,
}

impl Library {
    fn lay(&mut self, layer: usize, own: DefinedFunctions) {
        for (key, definition) in own {
            if let Some((below, _)) = self.defined.get(&key) {
                self.module.set_script_fn(renamed(below, layer));
            }
            self.defined.insert(key, definition);
        }
    }

    fn into_ast(mut self) -> AST {
        for (definition, _) in self.defined.into_values() {
            self.module.set_script_fn(definition);
        }
        AST::new_from_module(self.module)
    }
}

/// Compiles one layer alone and keeps only its function of this name without parameters.
pub(in crate::script) fn only(
    engine: &mut Engine,
    context: &Rc<Context>,
    layer: &Layer,
    scope: &Scope<'static>,
    sources: &mut Sources,
    name: &str,
) -> Result<Option<(AST, Scope<'static>, Position)>, ScriptError> {
    // Numbered as if something lay below, so that overrides that call it parse.
    let files = Files::number(std::slice::from_ref(layer), 1, sources)?;
    let parsing = map_tokens(engine);
    let read = constants::collect(engine, context, &parsing, &files, scope, sources)?;
    let constants = read.constants;
    // The layer may name constants of those below it, which are not known here.
    engine.set_strict_variables(false);
    for (layer, file) in files.all {
        parsing.rewrite(layer, Plan::new());
        let ast = engine
            .compile_with_scope(&constants, sources.placed(file))
            .map_err(|error| explain_parse(&error, sources))?;
        if let Some(function) = ast.shared_lib().get_script_fn(name, 0) {
            let at = function.body.start_position();
            return Ok(Some((ast, constants, at)));
        }
    }
    Ok(None)
}

fn take_functions(
    ast: &AST,
    layer: usize,
    own: &mut DefinedFunctions,
    sources: &Sources,
) -> Result<(), ScriptError> {
    for (_, _, name, arity, definition) in ast.shared_lib().iter_script_fn_info() {
        let key = (name.to_owned(), arity);
        let fault = if name.contains(BELOW) {
            Some(ScriptFault::Forbidden(format!("`{BELOW}` may be part of no name")))
        } else if let Some((first, _)) = own.get(&key).filter(|_| !name.starts_with(CLOSURE)) {
            // Closures that read alike share a name, and one definition serves them all.
            let first = sources.word(name, first.body.start_position(), TextSide::Before);
            Some(ScriptFault::twice(name, sources.locate(first)))
        } else {
            None
        };
        if let Some(fault) = fault {
            let at = sources.word(name, definition.body.start_position(), TextSide::Before);
            return Err(place(ScriptError::new(fault), at, sources));
        }
        own.insert(key, (definition.clone(), layer));
    }
    Ok(())
}

fn renamed(definition: &Shared<ScriptFuncDef>, layer: usize) -> ScriptFuncDef {
    let name = below(definition.name.split(BELOW).next().unwrap_or_default(), layer);
    ScriptFuncDef { name: name.into(), ..(**definition).clone() }
}

fn describe(definition: &ScriptFuncDef, layer: usize, sources: &Sources) -> RuleFunction {
    RuleFunction {
        is_own: !definition.name.starts_with(CLOSURE)
            && sources.own_name(&definition.name) == definition.name,
        name: sources.plain_name(&definition.name),
        params: definition.params.iter().map(|param| param.to_string()).collect(),
        comments: comments_of(definition),
        layer,
        at: sources.locate(definition.body.start_position()),
    }
}

fn comments_of(definition: &ScriptFuncDef) -> String {
    bare_lines(definition.comments.iter().flat_map(|comment| comment.lines()))
}

/// The `///` lines above each function, by where its body begins.
pub(in crate::script) fn comments(ast: &AST) -> HashMap<Position, String> {
    let functions = ast.shared_lib().iter_script_fn_info();
    functions.map(|(.., one)| (one.body.start_position(), comments_of(one))).collect()
}

/// A line of prose without its mark and one space after it.
fn bare_prose(line: &str) -> String {
    let line = line.trim_start();
    let line = line.strip_prefix("//!").unwrap_or(line);
    line.strip_prefix(' ').unwrap_or(line).to_owned()
}
