//! Runs constants and `params()` before rules are compiled, and turns a stopped script into its error.
//!
//! Rhai evaluates constants that are written out. All that calls or changes something runs on the machine,
//! where values know their size and natives pay before they allocate.

use std::collections::BTreeSet;
use std::rc::Rc;

use rhai::{
    AST, ASTNode, Dynamic, Engine, EvalAltResult, Expr, FnCallExpr, FnPtr, Module, Scope, Stmt,
};

use crate::error::{Error, ScriptError, ScriptFault};
use crate::game::Stop;
use crate::script::assemble::params::{NAME, Params};
use crate::script::assemble::source::Sources;
use crate::script::assemble::statements::statements_of;
use crate::script::diagnostics::explain;
use crate::script::lint;
use crate::script::machine::{Host, Runner, Source, TOP, Value};
use crate::script::questions::context::{Context, MayAsk};
use crate::script::sandbox::meter::Stopped;

/// Runs functions without parameters and the values of constants, one after another, each with all functions
/// that it calls on a machine of its own. The natives are those of one engine.
pub(in crate::script) struct FunctionRunner {
    sources: Rc<Sources>,
    /// None once something failed.
    host: Option<Host>,
}

impl FunctionRunner {
    /// Nothing has run yet.
    pub(in crate::script) fn new(
        engine: Engine,
        context: &Rc<Context>,
        sources: Rc<Sources>,
    ) -> FunctionRunner {
        *context.sources.borrow_mut() = sources.clone();
        let host = Some(Host::new(context.clone(), engine));
        FunctionRunner { sources, host }
    }

    /// Runs a function, or else the value of a constant. The meter continues its counts.
    ///
    /// # Errors
    /// [`Error::Script`], also where it asks.
    pub(in crate::script) fn run(
        &mut self,
        (ast, constants): (&AST, &Scope<'static>),
        (function, constant): (&'static str, Option<&Expr>),
    ) -> Result<Value, ScriptError> {
        let Some(host) = self.host.take() else {
            return Err(ScriptError::of(Error::Interrupted));
        };
        let top: Vec<Stmt> =
            constant.iter().map(|expr| Stmt::Expr(Box::new((*expr).clone()))).collect();
        let called = called_from(ast, function, &top);
        // What is not called need not compile: a house rule names what is below it.
        let mut functions = Module::new();
        for (.., name, _, definition) in ast.shared_lib().iter_script_fn_info() {
            if called.contains(name) {
                functions.set_script_fn(definition.clone());
            }
        }
        let ast = AST::new(top, functions);
        if let Some(params) = constants.get(NAME).and_then(|params| params.read_lock::<Params>()) {
            lint::check_params(&ast, &params, &self.sources)?;
        }
        let params: Vec<_> = constants
            .iter()
            .filter_map(|(name, _, value)| {
                Some((name.to_owned(), value.read_lock::<Params>()?.values()))
            })
            .collect();
        let source = Source { ast: &ast, constants, params: &params };
        let runner = Runner::on(host, &source, self.sources.clone())?;
        let (function, what) =
            if constant.is_some() { (TOP, "a constant") } else { (function, function) };
        let returned = runner.call(function, MayAsk::Refused(what), Value::Unbound, &[]);
        let value = returned.map_err(|stop| ScriptError::of(stop.into()))?.value;
        self.host = Some(runner.into_host());
        Ok(value)
    }
}

/// This many operations take as long as to compile one constant, beside those for each function there is.
const CONSTANT: u64 = 1_000;

/// Charges for compiling a constant of this script.
///
/// # Errors
/// Where that is too much.
pub(in crate::script) fn charge_constant(
    context: &Context,
    ast: &AST,
    sources: &Sources,
) -> Result<(), ScriptError> {
    let functions = ast.shared_lib().iter_script_fn_info().count() as u64;
    if context.meter.charge(CONSTANT + functions) {
        return Err(ScriptError::of(stopped(context, None, sources).into()));
    }
    Ok(())
}

/// The names of a function, of all that it calls or may call, and of all that these statements may.
fn called_from(ast: &AST, function: &str, top: &[Stmt]) -> BTreeSet<String> {
    let mut open = called_in(top.to_vec());
    open.push(function.to_owned());
    let mut called: BTreeSet<String> = open.iter().cloned().collect();
    while let Some(next) = open.pop() {
        for (.., name, _, definition) in ast.shared_lib().iter_script_fn_info() {
            if *name == *next {
                let names = called_in(statements_of(definition));
                open.extend(names.into_iter().filter(|name| called.insert(name.clone())));
            }
        }
    }
    called
}

/// The names that these statements call, those of closures among them.
fn called_in(statements: Vec<Stmt>) -> Vec<String> {
    let mut names = Vec::new();
    AST::new(statements, Module::new()).walk(&mut |path: &[ASTNode]| {
        match path.last() {
            Some(
                ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
                | ASTNode::Stmt(Stmt::FnCall(call, _)),
            ) => names.push(call.name.to_string()),
            Some(ASTNode::Expr(Expr::DynamicConstant(value, _))) => closures_in(value, &mut names),
            _ => {}
        }
        true
    });
    names
}

/// The names of the closures in a constant that the parser made.
fn closures_in(value: &Dynamic, names: &mut Vec<String>) {
    if let Some(made) = value.read_lock::<FnPtr>() {
        names.push(made.fn_name().to_owned());
    } else if let Ok(items) = value.as_array_ref() {
        items.iter().for_each(|item| closures_in(item, names));
    } else if let Ok(map) = value.as_map_ref() {
        map.values().for_each(|item| closures_in(item, names));
    }
}

/// Whether an expression is written out: it calls only operators, repeats nothing and changes nothing.
pub(in crate::script) fn is_written_out(expr: &Expr) -> bool {
    let is_operator = |call: &FnCallExpr| call.op_token.is_some();
    let top = [Stmt::Expr(Box::new(expr.clone()))];
    AST::new(top, Module::new()).walk(&mut |path: &[ASTNode]| match path.last() {
        Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))) => {
            is_operator(call)
        }
        Some(ASTNode::Expr(Expr::MethodCall(..))) => false,
        Some(ASTNode::Stmt(statement)) => !matches!(
            statement,
            Stmt::While(..) | Stmt::Do(..) | Stmt::For(..) | Stmt::Assignment(..)
        ),
        _ => true,
    })
}

/// Runs the top level of a script, which asks nothing; `scope` keeps its constants.
///
/// # Errors
/// [`Error::Script`], also where a limit stopped it.
pub(in crate::script) fn run_top(
    engine: &Engine,
    ast: &AST,
    context: &Context,
    scope: &mut Scope<'static>,
    sources: &Sources,
) -> Result<(), ScriptError> {
    meter_reason_or(engine.run_ast_with_scope(scope, ast), context, sources)
}

fn meter_reason_or<T>(
    result: Result<T, Box<EvalAltResult>>,
    context: &Context,
    sources: &Sources,
) -> Result<T, ScriptError> {
    if context.meter.is_halted() {
        let stop = stopped(context, result.err().as_deref(), sources);
        return Err(ScriptError::of(stop.into()));
    }
    result.map_err(|error| explain(&error, sources))
}

/// Why the script was stopped, with its place.
pub(crate) fn stopped(context: &Context, error: Option<&EvalAltResult>, sources: &Sources) -> Stop {
    match context.meter.take_stopped() {
        Some(Stopped::Paused) => Stop::Pause,
        Some(Stopped::Failed(error)) => Stop::Fail(error),
        Some(Stopped::Cut(cut)) => Error::from(cut).into(),
        None => Error::Interrupted.into(),
        Some(Stopped::Limit(limit)) => {
            let fault = ScriptFault::Limit(limit);
            let placed = error.map(|error| explain(error, sources));
            let placed = placed.unwrap_or_else(|| ScriptError::new(fault.clone()));
            Error::from(ScriptError { fault, nearest: None, ..placed }).into()
        }
    }
}
