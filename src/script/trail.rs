//! Where did a script stand when a limit stopped it? Each function tells as it is left.
//!
//! Rhai gives an error that no script may catch the place of the call, at every function that it
//! leaves, and a call from the host has no place: in the end nothing is known. So each body is
//! laid into an expression of our own, which notes the place before it is lost. A closure has
//! none: its place is that of the call that ran it.

use std::cell::RefCell;
use std::rc::Rc;

use rhai::{
    AST, ASTNode, Dynamic, Engine, EvalAltResult, Expr, Module, Position, ScriptFuncDef, StmtBlock,
    Token,
};

use super::context::Context;
use super::definition::Call;
use super::diagnostics::place;
use super::source::Sources;
use crate::error::{Frame, ScriptError};

/// The key of our expression: no name that a script could write.
const KEY: &str = "the body of a function";

/// The word that stands for a body in the text that is compiled for it.
const WORD: &str = "body";

/// A function that an error has left.
#[derive(Clone, Debug)]
struct Left {
    body: Rc<Body>,
    /// Where in the function it stood.
    at: Position,
    /// How deep the call was.
    level: usize,
}

/// What a function does, and what tells it from others.
#[derive(Debug)]
struct Body {
    function: String,
    begins: Position,
    statements: Expr,
}

/// The functions that the last error left, innermost first.
#[derive(Debug, Default)]
pub struct Trail {
    left: RefCell<Vec<Left>>,
}

impl Trail {
    /// Forgets an error that is told, or was swallowed.
    pub fn clear(&self) {
        self.left.borrow_mut().clear();
    }

    /// Gives an error the innermost place that is known, and the calls that led there.
    pub fn lead(&self, mut error: ScriptError, sources: &Sources) -> ScriptError {
        let left = self.left.borrow();
        let Some(innermost) = left.first() else { return error };
        // What no function called, the host did.
        let calls = left.iter().zip(left.iter().skip(1));
        let frame = |(callee, caller): (&Left, &Left)| Frame {
            function: sources.plain_name(&callee.body.function),
            at: sources.locate(caller.at),
        };
        error.trace = calls.map(frame).collect();
        place(error, innermost.at, sources)
    }

    /// The functions that were left, innermost first, each with where in it the script stood.
    pub fn calls(&self, sources: &Sources) -> Vec<Call> {
        let call = |left: &Left| Call {
            function: sources.plain_name(&left.body.function),
            at: sources.locate(left.at),
        };
        self.left.borrow().iter().map(call).collect()
    }

    fn note(&self, body: &Rc<Body>, error: &EvalAltResult, level: usize, halted: bool) {
        let mut left = self.left.borrow_mut();
        // A native may have swallowed an error; the next one begins further in. Where the script
        // is stopped for good, the first place is the one.
        if !halted && left.last().is_some_and(|last| last.level <= level) {
            left.clear();
        }
        let at = error.position();
        let at = if at.is_none() { body.begins } else { at };
        left.push(Left { body: body.clone(), at, level });
    }
}

/// Lets an engine run wrapped functions.
pub fn register(engine: &mut Engine, context: &Rc<Context>) {
    let context = context.clone();
    let run = move |inside: &mut rhai::EvalContext<'_, '_, '_, '_, '_, '_>,
                    _: &[rhai::Expression<'_>],
                    state: &Dynamic| {
        let Some(body) = state.read_lock::<Rc<Body>>() else { return Ok(Dynamic::UNIT) };
        inside.eval_expression_tree(&(&body.statements).into()).inspect_err(|error| {
            let halted = context.meter.is_halted();
            if halted || error.is_system_exception() {
                context.trail.note(&body, error, inside.call_level(), halted);
            }
        })
    };
    // It cannot fail where there are scripts at all.
    let _ = engine.register_custom_syntax_handler(KEY, false, run);
}

/// The same functions, each that could be stopped with its body in an expression that notes where it
/// was left. The bodies cannot be walked any more.
pub fn wrap(ast: &AST) -> AST {
    let maker = Maker::new();
    let mut module = Module::new();
    for (.., definition) in ast.shared_lib().iter_script_fn_info() {
        module.set_script_fn(maker.wrap(definition));
    }
    AST::new_from_module(module)
}

/// Where a function begins, wrapped or not.
pub fn begins(definition: &ScriptFuncDef) -> Position {
    if let [rhai::Stmt::Expr(expression)] = &statements_of(definition)[..]
        && let Expr::Custom(custom, _) = &**expression
        && let Some(body) = custom.state.read_lock::<Rc<Body>>()
    {
        return body.begins;
    }
    definition.body.start_position()
}

/// Makes bodies. The type of a body has no public name, so one is compiled for each and handed on.
struct Maker {
    engine: Engine,
    next: Rc<RefCell<Dynamic>>,
}

impl Maker {
    fn new() -> Maker {
        let mut engine = Engine::new_raw();
        let next: Rc<RefCell<Dynamic>> = Rc::default();
        let hand_over = next.clone();
        let parse = move |_: &[rhai::ImmutableString], _: &str, state: &mut Dynamic| {
            *state = hand_over.take();
            Ok(None)
        };
        engine
            .register_custom_syntax_with_state_raw(KEY, parse, false, |_, _, _| Ok(Dynamic::UNIT));
        // Marked as deprecated to say that it may change; the version is pinned.
        #[allow(deprecated)]
        engine.on_parse_token(|token, _, _| match token {
            Token::Identifier(word) if word.as_str() == WORD => Token::Custom(Box::new(KEY.into())),
            other => other,
        });
        Maker { engine, next }
    }

    fn wrap(&self, definition: &ScriptFuncDef) -> ScriptFuncDef {
        let plain = || definition.clone();
        let begins = definition.body.start_position();
        let statements = statements_of(definition);
        if statements.is_empty() || runs_straight_on(definition) {
            return plain();
        }
        let block = StmtBlock::new(statements, begins, definition.body.end_position());
        let body = Body {
            function: definition.name.to_string(),
            begins,
            statements: Expr::Stmt(Box::new(block)),
        };
        *self.next.borrow_mut() = Dynamic::from(Rc::new(body));
        let Ok(made) = self.engine.compile(format!("fn f() {{ {WORD} }}")) else { return plain() };
        match made.shared_lib().get_script_fn("f", 0) {
            Some(made) => ScriptFuncDef { body: made.body.clone(), ..plain() },
            None => plain(),
        }
    }
}

/// Whether a function calls nothing and repeats nothing. It is over so soon that nothing is stopped
/// there, and the place of its call is as good.
fn runs_straight_on(definition: &ScriptFuncDef) -> bool {
    let mut straight = true;
    bare(definition).walk(&mut |path: &[ASTNode]| {
        straight = match path.last() {
            Some(ASTNode::Stmt(statement)) => !matches!(
                statement,
                rhai::Stmt::For(..)
                    | rhai::Stmt::While(..)
                    | rhai::Stmt::Do(..)
                    | rhai::Stmt::FnCall(..)
            ),
            Some(ASTNode::Expr(Expr::FnCall(call, _))) => call.is_operator_call(),
            Some(ASTNode::Expr(Expr::MethodCall(..) | Expr::Custom(..))) => false,
            _ => true,
        };
        straight
    });
    straight
}

/// A script with one function.
fn bare(definition: &ScriptFuncDef) -> AST {
    let mut module = Module::new();
    module.set_script_fn(definition.clone());
    AST::new_from_module(module)
}

/// The statements of a function's body.
pub(super) fn statements_of(definition: &ScriptFuncDef) -> Vec<rhai::Stmt> {
    let mut statements = Vec::new();
    bare(definition).walk(&mut |path: &[ASTNode]| {
        if let [ASTNode::Stmt(statement)] = path {
            statements.push((*statement).clone());
        }
        true
    });
    statements
}
