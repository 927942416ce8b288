//! Finds changes of a loop's variable that nothing reads: a loop changes copies of the items.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use super::{MOST, Oddity};
use crate::script::primitives;

/// Functions of the language that change the list, map or text they are called on.
const CHANGING: [&str; 22] = [
    "push",
    "append",
    "insert",
    "pop",
    "shift",
    "remove",
    "reverse",
    "truncate",
    "chop",
    "clear",
    "sort",
    "dedup",
    "drain",
    "retain",
    "splice",
    "pad",
    "set",
    "mixin",
    "fill_with",
    "trim",
    "replace",
    "make_upper",
];

/// Changes of a loop's variable that nothing reads any more: `for d in list { d += 1 }` changes a
/// copy of each item.
pub(in crate::script) fn changed_copies(ast: &AST) -> Vec<Oddity> {
    let mut found = Vec::new();
    let mut changing: BTreeSet<String> = CHANGING.iter().map(|&name| name.to_owned()).collect();
    changing.extend(
        primitives::documentation().into_iter().filter(|doc| doc.changes).map(|doc| doc.name),
    );
    ast.walk(&mut |path: &[ASTNode]| {
        if let Some(ASTNode::Stmt(Stmt::For(parts, _))) = path.last()
            && found.len() < MOST
        {
            let (variable, _, flow) = &**parts;
            let mut uses = Uses::of(&variable.name, &changing);
            for statement in flow.body.iter() {
                statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| uses.look(path));
            }
            if let Some(position) = uses.useless() {
                let name = &variable.name;
                let list = words(&flow.expr);
                let mended = match &list {
                    Some(list) => {
                        format!("; did you mean `for ({name}, i) in {list} {{ {list}[i] … }}`?")
                    }
                    None => String::new(),
                };
                let message =
                    format!("`{name}` is a copy, and nothing reads it after this change{mended}");
                found.push(Oddity { message, position });
            }
        }
        true
    });
    found
}

/// How a loop's body uses the loop's variable.
struct Uses<'a> {
    name: &'a str,
    changing: &'a BTreeSet<String>,
    /// Where it is changed, and where the inner loop begins in which it is, if it is in one.
    changes: Vec<(Position, Option<Position>)>,
    /// Where it is read, and the change that reads it for itself.
    reads: Vec<(Position, Option<Position>)>,
    /// Where its name stands because it is changed.
    targets: Vec<Position>,
    /// Whether another variable of that name comes in between, or a closure holds it.
    hazy: bool,
}

impl<'a> Uses<'a> {
    fn of(name: &'a str, changing: &'a BTreeSet<String>) -> Uses<'a> {
        let (changes, reads, targets) = (Vec::new(), Vec::new(), Vec::new());
        Uses { name, changing, changes, reads, targets, hazy: false }
    }

    fn look(&mut self, path: &[ASTNode]) -> bool {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                self.change(&assignment.1.lhs, path);
            }
            Some(ASTNode::Stmt(Stmt::Expr(expression)))
                if last_call(expression).is_some_and(|name| self.changing.contains(name)) =>
            {
                self.change(expression, path);
            }
            Some(ASTNode::Stmt(Stmt::Var(declared, ..))) => {
                self.hazy |= declared.0.name == self.name
            }
            Some(ASTNode::Stmt(Stmt::For(parts, _))) => self.hazy |= parts.0.name == self.name,
            Some(ASTNode::Stmt(Stmt::Share(shared))) => {
                self.hazy |= shared.iter().any(|(shared, _)| shared.name == self.name);
            }
            Some(ASTNode::Expr(Expr::Variable(variable, _, position)))
                if variable.1 == self.name && !self.targets.contains(position) =>
            {
                let own = path.iter().rev().find_map(|node| match node {
                    ASTNode::Stmt(Stmt::Assignment(assignment)) => {
                        root(&assignment.1.lhs, self.name)
                    }
                    _ => None,
                });
                self.reads.push((*position, own));
            }
            _ => {}
        }
        true
    }

    fn change(&mut self, target: &Expr, path: &[ASTNode]) {
        let Some(position) = root(target, self.name) else { return };
        let inner = path.iter().find_map(|node| match node {
            ASTNode::Stmt(inner @ (Stmt::While(..) | Stmt::Do(..) | Stmt::For(..))) => {
                Some(inner.position())
            }
            _ => None,
        });
        self.targets.push(position);
        self.changes.push((position, inner));
    }

    /// The first change that nothing reads.
    fn useless(&self) -> Option<Position> {
        let place = |position: &Position| (position.line(), position.position());
        let is_read = |(change, inner): &(Position, Option<Position>)| {
            let since = inner.as_ref().unwrap_or(change);
            self.reads
                .iter()
                .any(|(read, own)| place(read) > place(since) && own.as_ref() != Some(change))
        };
        let change = self.changes.iter().find(|change| !is_read(change));
        change.filter(|_| !self.hazy).map(|(position, _)| *position)
    }
}

/// Where a chain `name.a[0].b` begins, if it begins with this variable.
fn root(chain: &Expr, name: &str) -> Option<Position> {
    match chain {
        Expr::Variable(variable, _, position) if variable.1 == name => Some(*position),
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => root(&parts.lhs, name),
        _ => None,
    }
}

/// The method that a chain ends with.
fn last_call(chain: &Expr) -> Option<&str> {
    match chain {
        Expr::MethodCall(call, _) => Some(&call.name),
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => last_call(&parts.rhs),
        _ => None,
    }
}

/// A chain of names as it is written: `this.tiles.red`.
fn words(chain: &Expr) -> Option<String> {
    match chain {
        Expr::ThisPtr(_) => Some("this".to_owned()),
        Expr::Variable(variable, ..) => Some(variable.1.to_string()),
        Expr::Property(property, _) => Some(property.2.to_string()),
        Expr::Dot(parts, ..) => Some(format!("{}.{}", words(&parts.lhs)?, words(&parts.rhs)?)),
        _ => None,
    }
}
