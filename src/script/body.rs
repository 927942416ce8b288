//! The statements of a function, which Rhai shows only of a whole script.

use rhai::{AST, ASTNode, Module, ScriptFuncDef, Stmt};

/// The statements of a function's body.
pub(super) fn statements_of(definition: &ScriptFuncDef) -> Vec<Stmt> {
    let mut module = Module::new();
    module.set_script_fn(definition.clone());
    let mut statements = Vec::new();
    AST::new_from_module(module).walk(&mut |path: &[ASTNode]| {
        if let [ASTNode::Stmt(statement)] = path {
            statements.push((*statement).clone());
        }
        true
    });
    statements
}
