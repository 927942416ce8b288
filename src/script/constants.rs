//! What are a script's named constants? Its top level holds nothing else beside functions.

use rhai::{AST, ASTFlags, Engine, Module, OptimizationLevel, Scope, Stmt};

use super::diagnostics::{explain, explain_parse, place};
use super::source::Sources;
use crate::error::{ScriptError, ScriptFault};

/// Runs the top level of every file once and keeps its constants; a higher layer's replace those
/// below. They are then seen by plain name in every function.
///
/// # Errors
/// Anything at the top level that is neither `const` nor `fn`, and errors of running it.
pub fn collect(
    engine: &mut Engine,
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
                define(engine, &ast, &mut constants, sources)?;
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
    ast: &AST,
    constants: &mut Scope<'static>,
    sources: &Sources,
) -> Result<(), ScriptError> {
    refuse_statements(ast, sources)?;
    engine.run_ast_with_scope(constants, ast).map_err(|error| explain(&error, sources))
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
