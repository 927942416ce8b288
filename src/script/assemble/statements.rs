//! Statements of scripts: those of a function, and the constants that are declared.

use rhai::{AST, ASTNode, Module, Position, ScriptFuncDef, Stmt};

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
