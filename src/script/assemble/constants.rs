//! Reads the named constants of scripts, and refuses anything else at the top level but functions.

use std::rc::Rc;
use std::sync::Arc;

use rhai::{AST, ASTFlags, Dynamic, Engine, FnPtr, Position, Scope, Stmt, Token};

use crate::error::{ScriptError, ScriptFault};
use crate::script::assemble::file_order::Files;
use crate::script::assemble::function_uses::declared;
use crate::script::assemble::replace_tokens::{Parsing, as_written};
use crate::script::assemble::run_alone::{Callable, is_written_out, run_alone, run_top};
use crate::script::assemble::source::Sources;
use crate::script::diagnostics::{explain_parse, place};
use crate::script::machine::{Host, TOP, Value, to_dynamic};
use crate::script::primitives::distribution::Dist;
use crate::script::questions::context::Context;
use crate::script::sandbox::engine::{Trust, build};
use crate::script::value::to_value;

/// What a first reading of the files finds.
pub(in crate::script) struct FirstReading {
    /// What the scripts may name, including their constants.
    pub constants: Scope<'static>,
    /// The tokens of each file, by its number.
    pub tokens: Vec<Vec<Token>>,
    /// Each file as it is written, nothing folded or left out: what is checked for mistakes.
    pub(crate) asts: Vec<AST>,
    /// The constants that each file declares, by its number, each with its place.
    pub declared: Vec<Vec<(String, Position)>>,
}

/// Reads every file, with the number of its layer, once: records its tokens, and runs its top level
/// for the constants. Those of a later file replace earlier ones, and every function sees them by
/// plain name.
pub(in crate::script) fn collect(
    engine: &mut Engine,
    context: &Rc<Context>,
    parsing: &Parsing,
    files: &Files,
    scope: &Scope<'static>,
    sources: &Sources,
) -> Result<FirstReading, ScriptError> {
    let mut read = FirstReading {
        constants: scope.clone(),
        tokens: Vec::new(),
        asts: Vec::new(),
        declared: Vec::new(),
    };
    let mut read_file = |engine: &Engine, layer, file| {
        parsing.record(layer, files.plan(file));
        let ast =
            engine.compile(sources.placed(file)).map_err(|error| explain_parse(&error, sources))?;
        read.tokens.push(parsing.take_recorded());
        refuse_statements(&ast, sources)?;
        read.declared.push(declared(&ast));
        evaluate(engine, &ast, context, &mut read.constants, sources)?;
        check_constants(&ast, &read.constants, sources)?;
        read.asts.push(ast);
        Ok(())
    };
    let mut all = files.all.iter();
    as_written(engine, |engine| all.try_for_each(|&(layer, file)| read_file(engine, layer, file)))?;
    Ok(read)
}

fn evaluate(
    engine: &Engine,
    ast: &AST,
    context: &Rc<Context>,
    constants: &mut Scope<'static>,
    sources: &Sources,
) -> Result<(), ScriptError> {
    let alone =
        |statement: &Stmt| matches!(statement, Stmt::Var(var, ..) if !is_written_out(&var.1));
    if !ast.statements().iter().any(alone) {
        return run_top(engine, ast, context, constants, sources);
    }
    let mut host = Host::new(context.clone(), build(context, Trust::Stranger));
    let (callable, shared) = (Callable::new(ast), Arc::new(sources.clone()));
    for statement in ast.statements() {
        match statement {
            Stmt::Var(var, _, at) if alone(statement) => {
                let ran = run_alone(host, &shared, (&callable, constants), (TOP, Some(&var.1)));
                let (value, next) = ran.map_err(|error| match error.at {
                    None => place(error, *at, sources),
                    Some(_) => error,
                })?;
                host = next;
                let captures = match &value {
                    Value::Function(closure) => !closure.captured.is_empty(),
                    _ => false,
                };
                let value = to_dynamic(&value);
                check_flat(&value, captures, &var.0.name, *at, sources)?;
                constants.push_constant_dynamic(var.0.name.as_str(), value);
            }
            other => {
                let ast = AST::new([other.clone()], ast.shared_lib().clone());
                run_top(engine, &ast, context, constants, sources)?;
            }
        }
    }
    Ok(())
}

fn check_constants(
    ast: &AST,
    constants: &Scope<'static>,
    sources: &Sources,
) -> Result<(), ScriptError> {
    for statement in ast.statements() {
        if let Stmt::Var(declared, _, at) = statement
            && let Some(value) = constants.get(&declared.0.name)
        {
            let captures = value.read_lock::<FnPtr>().is_some_and(|made| made.is_curried());
            check_flat(value, captures, &declared.0.name, *at, sources)?;
        }
    }
    Ok(())
}

/// A constant lives as long as its rules and is dropped with them, on any stack: it must be flat.
fn check_flat(
    value: &Dynamic,
    captures: bool,
    name: &str,
    at: Position,
    sources: &Sources,
) -> Result<(), ScriptError> {
    if value.is::<Dist>() || value.is::<FnPtr>() && !captures {
        return Ok(());
    }
    to_value(value, "const").map(drop).map_err(|what| {
        let fault = ScriptFault::Forbidden(format!("`{name}`: {what}"));
        place(ScriptError::new(fault), at, sources)
    })
}

/// Refuses a top level that does more than define constants and functions.
fn refuse_statements(ast: &AST, sources: &Sources) -> Result<(), ScriptError> {
    for statement in ast.statements() {
        match statement {
            Stmt::Noop(_) => {}
            Stmt::Var(_, flags, _) if flags.contains(ASTFlags::CONSTANT) => {}
            other => {
                let fault = ScriptFault::Forbidden(
                    "only `const` and `fn` may be outside of functions".to_owned(),
                );
                return Err(place(ScriptError::new(fault), other.position(), sources));
            }
        }
    }
    Ok(())
}
