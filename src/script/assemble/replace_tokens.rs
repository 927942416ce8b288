//! Replaces tokens while Rhai parses: `super` becomes the name of the function below.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{Engine, OptimizationLevel, Token};

use super::function_uses::CLOSURE;

/// Which tokens of a file are replaced, by their number from the file's start.
pub(in crate::script) type Plan = BTreeMap<usize, Token>;

/// Separates a function's name from the number of the layer above it. Rhai calls nothing
/// whose name is no identifier, so this must be part of one; scripts may not use it.
pub(in crate::script) const BELOW: &str = "__below";

/// The name under which the function below an override is kept.
pub(in crate::script) fn below(name: &str, layer: usize) -> String {
    format!("{name}{BELOW}{layer}")
}

#[derive(Default)]
pub(in crate::script) struct Parsing {
    /// The number of the layer: the bottom one has nothing below.
    layer: Cell<usize>,
    function: RefCell<String>,
    after_fn: Cell<bool>,
    /// The number of the next token.
    count: Cell<usize>,
    plan: RefCell<Plan>,
    written: RefCell<Option<Vec<Token>>>,
}

pub(in crate::script) fn map_tokens(engine: &mut Engine) -> Rc<Parsing> {
    let parsing = Rc::new(Parsing::default());
    let mapper = parsing.clone();
    // Marked as deprecated to say that it may change; the version is pinned.
    #[allow(deprecated)]
    engine.on_parse_token(move |token, _, _| mapper.map(token));
    parsing
}

impl Parsing {
    /// The next file is of this layer, with these tokens replaced.
    pub(in crate::script) fn rewrite(&self, layer: usize, plan: Plan) {
        self.layer.set(layer);
        self.function.borrow_mut().clear();
        self.after_fn.set(false);
        self.count.set(0);
        self.plan.replace(plan);
        self.written.replace(None);
    }

    /// As [`Parsing::rewrite`]; the tokens are written down as they are then.
    pub(in crate::script) fn record(&self, layer: usize, plan: Plan) {
        self.rewrite(layer, plan);
        self.written.replace(Some(Vec::new()));
    }

    /// The tokens written down since [`Parsing::record`].
    pub(in crate::script) fn take_recorded(&self) -> Vec<Token> {
        self.written.take().unwrap_or_default()
    }

    fn map(&self, token: Token) -> Token {
        let number = self.count.replace(self.count.get() + 1);
        let planned = self.plan.borrow().get(&number).cloned();
        if let Some(written) = &mut *self.written.borrow_mut() {
            written.push(planned.clone().unwrap_or_else(|| token.clone()));
        }
        let (is_planned, token) = (planned.is_some(), planned.unwrap_or(token));
        match token {
            Token::Identifier(ref name) if self.after_fn.replace(false) => {
                name.as_str().clone_into(&mut self.function.borrow_mut());
            }
            _ if is_planned => {}
            Token::Fn => self.after_fn.set(true),
            // Only `super` may call a function below.
            Token::Identifier(name) if name.contains(BELOW) => return Token::Reserved(name),
            // In the bottom layer the word stays reserved and is refused.
            Token::Reserved(ref word) if word.as_str() == "super" && self.layer.get() > 0 => {
                let name = below(&self.function.borrow(), self.layer.get());
                return Token::Identifier(Box::new(name.into()));
            }
            _ => {}
        }
        token
    }
}

/// Parses with nothing folded. Names that higher layers or later files define are not known yet, so variables are not
/// checked here; the compilation that counts checks them.
pub(in crate::script) fn as_written<T>(engine: &mut Engine, parse: impl FnOnce(&Engine) -> T) -> T {
    engine.set_strict_variables(false).set_optimization_level(OptimizationLevel::None);
    let parsed = parse(engine);
    engine.set_strict_variables(true).set_optimization_level(OptimizationLevel::Simple);
    parsed
}

pub(in crate::script) fn word(token: &Token) -> Option<&str> {
    match token {
        Token::Identifier(name) | Token::Reserved(name) => Some(name.as_str()),
        _ => None,
    }
}

/// A function's name as its author wrote it: without the mark of the layer below.
pub(in crate::script) fn plain_name(name: &str) -> String {
    match name.split_once(BELOW) {
        Some((name, _)) => name.to_owned(),
        None if name.starts_with(CLOSURE) => "a closure".to_owned(),
        None => name.to_owned(),
    }
}
