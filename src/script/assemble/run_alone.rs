//! Runs constants and `params()` before rules are compiled.
//!
//! Rhai evaluates constants that are written out. All that calls or changes something runs on the machine,
//! where values know their size and natives pay before they allocate.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use rhai::{
    AST, ASTNode, Dynamic, Engine, Expr, FnCallExpr, FnPtr, Module, Scope, ScriptFuncDef, Stmt,
};

use crate::error::ScriptError;
use crate::script::assemble::function_uses::statements_of;
use crate::script::assemble::source::Sources;
use crate::script::diagnostics::{explain, stopped};
use crate::script::lint;
use crate::script::machine::{Host, Runner, Source, Value};
use crate::script::questions::context::Context;

/// Runs a function without parameters, or else the value of a constant, with all functions that it calls, on a machine
/// of its own. The natives are those of the host, whose meter continues its counts. Returns the value, and the host for
/// the next call; a failure ends it.
pub(in crate::script) fn run_alone(
    host: Host,
    sources: &Arc<Sources>,
    (callable, constants): (&Callable<'_>, &Scope<'static>),
    (function, constant): (&'static str, Option<&Expr>),
) -> Result<(Value, Host), ScriptError> {
    let context = host.context.clone();
    let top: Vec<Stmt> =
        constant.iter().map(|expr| Stmt::Expr(Box::new((*expr).clone()))).collect();
    // What is not called need not compile: a house rule names what is below it.
    let (functions, compiling) = callable.reached(function, &top);
    charge(&context, ONE + compiling, sources)?;
    let ast = AST::new(top, functions);
    lint::check_params(&ast, constants, sources)?;
    let runner = Runner::on(host, &Source { ast: &ast, constants }, sources.clone())?;
    // Each constant that it names became one of the machine's.
    charge(&context, runner.program().converting(), sources)?;
    let what = if constant.is_some() { "a constant" } else { function };
    let returned = runner.call(function, what, Value::Unbound, &[]);
    let value = returned.map_err(ScriptError::of)?.value;
    Ok((value, runner.into_host()))
}

/// This many operations take as long as to compile one constant, beside those for what it calls.
const ONE: u64 = 1_000;

/// This many take as long as to compile an expression or a statement; an item of a constant list or map, which
/// Rhai made one expression, takes one.
const OF_A_NODE: u64 = 25;

fn charge(context: &Context, operations: u64, sources: &Sources) -> Result<(), ScriptError> {
    if context.meter.charge(operations) {
        return Err(ScriptError::of(stopped(context, None, sources)));
    }
    Ok(())
}

/// The functions of a script by their names, each with what it calls.
pub(in crate::script) struct Callable<'a>(HashMap<&'a str, Vec<Body<'a>>>);

struct Body<'a> {
    definition: &'a Rc<ScriptFuncDef>,
    calls: CalledNames,
}

impl<'a> Callable<'a> {
    /// Reads each function once.
    pub(in crate::script) fn new(ast: &'a AST) -> Callable<'a> {
        let mut all: HashMap<&str, Vec<Body<'_>>> = HashMap::new();
        for (.., name, _, definition) in ast.shared_lib().iter_script_fn_info() {
            let calls = CalledNames::of(&statements_of(definition));
            all.entry(name).or_default().push(Body { definition, calls });
        }
        Callable(all)
    }

    /// A function, all that it calls or may call, and all that these statements may; and the operations that
    /// compiling all of it costs.
    fn reached(&self, function: &str, top: &[Stmt]) -> (Module, u64) {
        let mut functions = Module::new();
        let CalledNames { names, mut compiling } = CalledNames::of(top);
        let mut open: Vec<&str> = names.iter().map(String::as_str).chain([function]).collect();
        let mut called: HashSet<&str> = open.iter().copied().collect();
        while let Some(next) = open.pop() {
            for Body { definition, calls } in self.0.get(next).into_iter().flatten() {
                functions.set_script_fn((*definition).clone());
                compiling += calls.compiling;
                let names = calls.names.iter().map(String::as_str);
                open.extend(names.filter(|name| called.insert(name)));
            }
        }
        (functions, compiling)
    }
}

/// What statements call, and what compiling them costs.
struct CalledNames {
    /// The names, those of closures among them.
    names: Vec<String>,
    compiling: u64,
}

impl CalledNames {
    fn of(statements: &[Stmt]) -> CalledNames {
        let (mut names, mut compiling) = (Vec::new(), 0);
        let mut look = |path: &[ASTNode]| {
            compiling += OF_A_NODE;
            match path.last() {
                Some(
                    ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
                    | ASTNode::Stmt(Stmt::FnCall(call, _)),
                ) => names.push(call.name.to_string()),
                Some(ASTNode::Expr(Expr::DynamicConstant(value, _))) => {
                    compiling += closures_in(value, &mut names);
                }
                _ => {}
            }
            true
        };
        statements.iter().all(|statement| statement.walk(&mut Vec::new(), &mut look));
        CalledNames { names, compiling }
    }
}

/// Adds the names of the closures in a constant that the parser made; returns how many items it has.
fn closures_in(value: &Dynamic, names: &mut Vec<String>) -> u64 {
    if let Some(made) = value.read_lock::<FnPtr>() {
        names.push(made.fn_name().to_owned());
        1
    } else if let Ok(items) = value.as_array_ref() {
        1 + items.iter().map(|item| closures_in(item, names)).sum::<u64>()
    } else if let Ok(map) = value.as_map_ref() {
        1 + map.values().map(|item| closures_in(item, names)).sum::<u64>()
    } else {
        1
    }
}

/// Whether an expression is written out: it calls only operators, repeats nothing and changes nothing.
pub(in crate::script) fn is_written_out(expr: &Expr) -> bool {
    let is_operator = |call: &FnCallExpr| call.op_token.is_some();
    expr.walk(&mut Vec::new(), &mut |path: &[ASTNode]| match path.last() {
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
pub(in crate::script) fn run_top(
    engine: &Engine,
    ast: &AST,
    context: &Context,
    scope: &mut Scope<'static>,
    sources: &Sources,
) -> Result<(), ScriptError> {
    let result = engine.run_ast_with_scope(scope, ast);
    if context.meter.is_halted() {
        return Err(ScriptError::of(stopped(context, result.err().as_deref(), sources)));
    }
    result.map_err(|error| explain(&error, sources))
}
