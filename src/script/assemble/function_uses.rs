//! What each function of a script calls, which closures it makes, and whether it uses `this`.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{
    AST, ASTNode, Expr, FnCallExpr, FnPtr, Module, Position, ScriptFuncDef, Stmt, StmtBlock,
};

/// A function by its name and its number of parameters; of the host's, what a method is called on is one of these.
pub(in crate::script) type NameAndArity = (String, usize);

/// How the names of closures begin.
pub(in crate::script) const CLOSURE: &str = "anon$";

#[derive(Clone, Debug)]
pub(in crate::script) struct CallSite {
    /// The name and the number of arguments in the parentheses.
    pub key: NameAndArity,
    /// Whether it is called on something.
    pub method: bool,
    /// Whether it is written as an operator.
    pub operator: bool,
    pub at: Position,
}

#[derive(Debug, Default)]
struct FunctionFacts {
    calls: Vec<CallSite>,
    closures: Vec<String>,
    /// Where it first names `this`, by itself.
    this: Option<Position>,
    /// How many parameters it has beside what it captured.
    takes: usize,
}

#[derive(Debug)]
pub(in crate::script) struct FunctionUses {
    facts: BTreeMap<NameAndArity, FunctionFacts>,
    /// How many variables each closure captures, by the name that the parser gives it.
    captured: BTreeMap<String, usize>,
}

impl FunctionUses {
    /// Looks through the functions whose names are wanted.
    pub(in crate::script) fn of(ast: &AST, wanted: impl Fn(&str) -> bool) -> FunctionUses {
        let mut all = FunctionUses { facts: BTreeMap::new(), captured: captures(ast) };
        for (.., name, arity, definition) in ast.shared_lib().iter_script_fn_info() {
            if wanted(name) {
                let takes = arity - all.captured(name).min(arity);
                let uses = FunctionFacts { takes, ..uses_of(definition) };
                all.facts.insert((name.to_owned(), arity), uses);
            }
        }
        all
    }

    /// How many variables a function captures; none unless it is a closure.
    pub(in crate::script) fn captured(&self, name: &str) -> usize {
        self.captured.get(name).copied().unwrap_or_default()
    }

    /// Where a function uses the `this` that it is called on: by itself, or in a closure that takes something. The
    /// `this` of a closure that takes nothing may be the item that it is given.
    pub(in crate::script) fn this_in(&self, key: &NameAndArity) -> Option<Position> {
        let uses = self.facts.get(key)?;
        let within = |name: &String| {
            let known = self.facts.range((name.clone(), 0)..).next();
            let (key, closure) = known.filter(|((known, _), _)| known == name)?;
            if closure.takes == 0 { None } else { self.this_in(key) }
        };
        uses.this.or_else(|| uses.closures.iter().find_map(within))
    }

    /// The closures that name `this`, or make one that does.
    pub(in crate::script) fn closures_with_this(&self) -> BTreeSet<String> {
        let mut found: BTreeSet<String> = BTreeSet::new();
        loop {
            let before = found.len();
            for ((name, _), uses) in
                self.facts.iter().filter(|((name, _), _)| name.starts_with(CLOSURE))
            {
                if uses.this.is_some() || uses.closures.iter().any(|made| found.contains(made)) {
                    found.insert(name.clone());
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    pub(in crate::script) fn calls(&self) -> impl Iterator<Item = (&NameAndArity, &CallSite)> {
        self.facts.iter().flat_map(|(key, uses)| uses.calls.iter().map(move |call| (key, call)))
    }

    pub(in crate::script) fn has(&self, key: &NameAndArity) -> bool {
        self.facts.contains_key(key)
    }

    /// The first call of a kind that a function leads to, in itself or in what it calls, and the functions on the way.
    pub(in crate::script) fn reaches(
        &self,
        start: &NameAndArity,
        is: &impl Fn(&CallSite) -> bool,
    ) -> Option<(Vec<NameAndArity>, &CallSite)> {
        let mut seen = BTreeSet::from([start.clone()]);
        let mut ways = std::collections::VecDeque::from([vec![start.clone()]]);
        while let Some(way) = ways.pop_front() {
            let Some(uses) = way.last().and_then(|last| self.facts.get(last)) else { continue };
            let own = |call: &&CallSite| self.has(&call.key);
            if let Some(found) = uses.calls.iter().find(|call| !own(call) && is(call)) {
                return Some((way, found));
            }
            let closures = self.facts.keys().filter(|(name, _)| uses.closures.contains(name));
            let called = uses.calls.iter().filter(own).map(|call| &call.key);
            for next in called.chain(closures) {
                if seen.insert(next.clone()) {
                    ways.push_back(way.iter().chain([next]).cloned().collect());
                }
            }
        }
        None
    }
}

/// What a function calls.
pub(in crate::script) fn calls_in(definition: &ScriptFuncDef) -> Vec<CallSite> {
    uses_of(definition).calls
}

fn captures(ast: &AST) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    ast.walk(&mut |path: &[ASTNode]| {
        if let Some(ASTNode::Expr(Expr::Stmt(block))) = path.last()
            && let Some(call) = closure_in(block)
            && let Some(name) = call.args.first().and_then(closure_name)
        {
            found.insert(name, call.args.len() - 1);
        }
        true
    });
    found
}

fn uses_of(definition: &ScriptFuncDef) -> FunctionFacts {
    let mut uses = FunctionFacts::default();
    let mut call = |call: &FnCallExpr, method, at| {
        let (key, operator) = ((call.name.to_string(), call.args.len()), call.op_token.is_some());
        uses.calls.push(CallSite { key, method, operator, at });
    };
    let (mut closures, mut this) = (Vec::new(), None);
    walk(definition, &mut |path: &[ASTNode]| {
        match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(made, at)) | ASTNode::Stmt(Stmt::FnCall(made, at))) => {
                call(made, false, *at);
            }
            Some(ASTNode::Expr(Expr::MethodCall(made, at))) => call(made, true, *at),
            Some(ASTNode::Expr(Expr::ThisPtr(at))) => this = this.or(Some(*at)),
            Some(ASTNode::Expr(made)) => closures.extend(closure_name(made)),
            _ => {}
        }
        true
    });
    FunctionFacts { closures, this, ..uses }
}

/// The name that the parser gives a closure, if an expression is one.
pub(in crate::script) fn closure_name(made: &Expr) -> Option<String> {
    let Expr::DynamicConstant(value, _) = made else { return None };
    value.read_lock::<FnPtr>().map(|pointer| pointer.fn_name().to_owned())
}

/// The making of a closure that captures something, as the parser writes it.
pub(in crate::script) fn closure_in(block: &StmtBlock) -> Option<&FnCallExpr> {
    match block.statements() {
        [Stmt::Share(_), Stmt::Expr(last)] => match &**last {
            Expr::FnCall(call, _) => Some(call),
            _ => None,
        },
        [Stmt::Share(_), Stmt::FnCall(call, _)] => Some(call),
        _ => None,
    }
}

/// Shows each node of a function, with those around it.
pub(in crate::script) fn walk(
    definition: &ScriptFuncDef,
    show: &mut impl FnMut(&[ASTNode]) -> bool,
) {
    let mut module = Module::new();
    module.set_script_fn(definition.clone());
    AST::new_from_module(module).walk(show);
}

pub(in crate::script) fn statements_of(definition: &ScriptFuncDef) -> Vec<Stmt> {
    let mut statements = Vec::new();
    walk(definition, &mut |path: &[ASTNode]| {
        if let [ASTNode::Stmt(statement)] = path {
            statements.push((*statement).clone());
        }
        true
    });
    statements
}

pub(in crate::script) fn declared(ast: &AST) -> Vec<(String, Position)> {
    let constant = |statement: &Stmt| match statement {
        Stmt::Var(declared, _, at) => Some((declared.0.name.to_string(), *at)),
        _ => None,
    };
    ast.statements().iter().filter_map(constant).collect()
}
