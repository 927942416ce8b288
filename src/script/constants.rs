//! What are a script's named constants? Its top level holds nothing else beside functions.

use rhai::{AST, ASTFlags, Dynamic, Engine, FnPtr, Module, OptimizationLevel, Scope, Stmt};

use super::context::Context;
use super::diagnostics::{explain_parse, place};
use super::distribution::Dist;
use super::run::run_top;
use super::source::Sources;
use super::value::to_value;
use crate::error::{ScriptError, ScriptFault};

/// Runs the top level of every file once and keeps its constants; a higher layer's replace those
/// below. They are then seen by plain name in every function.
///
/// # Errors
/// Anything at the top level that is neither `const` nor `fn`, and errors of running it.
pub fn collect(
    engine: &mut Engine,
    context: &Context,
    layers: &[Vec<usize>],
    scope: &Scope<'static>,
    sources: &Sources,
) -> Result<Scope<'static>, ScriptError> {
    let mut constants = scope.clone();
    // Names that higher layers or later files define are not known yet, so variables are not
    // checked here; the compilation that counts checks them.
    engine.set_strict_variables(false).set_optimization_level(OptimizationLevel::None);
    let mut run = || {
        for file in layers.iter().flatten() {
            if sources.text(sources.path(*file)).is_some_and(|text| text.contains("const")) {
                let ast = engine
                    .compile(sources.placed(*file))
                    .map_err(|error| explain_parse(&error, sources))?;
                define(engine, context, &ast, &mut constants, sources)?;
            }
        }
        Ok(())
    };
    let result = run();
    engine.set_strict_variables(true).set_optimization_level(OptimizationLevel::Simple);
    result.map(|()| constants)
}

fn define(
    engine: &Engine,
    context: &Context,
    ast: &AST,
    constants: &mut Scope<'static>,
    sources: &Sources,
) -> Result<(), ScriptError> {
    refuse_statements(ast, sources)?;
    run_top(engine, ast, context, constants, sources)?;
    for statement in ast.statements() {
        if let Stmt::Var(declared, _, at) = statement
            && let Some(value) = constants.get(&declared.0.name)
            && let Err(what) = check_constant(value)
        {
            let fault = ScriptFault::Forbidden(format!("`{}`: {what}", declared.0.name));
            return Err(place(ScriptError::new(fault), *at, sources));
        }
    }
    Ok(())
}

/// A constant lives as long as its rules, and is dropped wherever they are: it must be flat.
fn check_constant(value: &Dynamic) -> Result<(), String> {
    if value.is::<Dist>() || value.read_lock::<FnPtr>().is_some_and(|f| !f.is_curried()) {
        return Ok(());
    }
    to_value(value, "const").map(|_| ())
}

/// Refuses a top level that does more than define constants and functions.
pub fn refuse_statements(ast: &AST, sources: &Sources) -> Result<(), ScriptError> {
    for statement in ast.statements() {
        match statement {
            Stmt::Noop(_) => {}
            Stmt::Var(_, flags, _) if flags.contains(ASTFlags::CONSTANT) => {}
            other => {
                let fault = ScriptFault::Forbidden(
                    "only `const` and `fn` may stand outside of functions".to_owned(),
                );
                return Err(place(ScriptError::new(fault), other.position(), sources));
            }
        }
    }
    Ok(())
}

/// Lets every function of the engine's scripts see the constants by plain name.
pub fn publish(engine: &mut Engine, constants: &Scope<'static>) {
    let mut module = Module::new();
    for (name, _, value) in constants.iter() {
        module.set_var(name, value);
    }
    engine.register_global_module(module.into());
}
