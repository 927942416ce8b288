//! Finds what scripts do to no effect: texts that are not filled in, changes of a loop's copies that nothing reads,
//! fields that are written under a misspelled name.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use crate::error::nearest;
use crate::script::assemble::function_uses::statements_of;
use crate::script::primitives;

#[derive(Clone, Debug, PartialEq)]
pub(in crate::script) struct Oddity {
    pub message: String,
    pub position: Position,
}

/// Of each kind, this many are enough to see that something is wrong.
const MOST: usize = 20;
const QUOTED: usize = 40;

/// All oddities of functions. `fields` are the names that a literal, a quoted word or a setup brings.
pub(in crate::script) fn oddities(ast: &AST, fields: &BTreeSet<String>) -> Vec<Oddity> {
    let mut found = unfilled(ast);
    found.extend(changed_copies(ast));
    found.extend(misspelled(ast, fields));
    found
}

pub(in crate::script) fn returns_this(ast: &AST, name: &str) -> bool {
    let function = ast.shared_lib().iter_script_fn_info().find(|(_, _, known, ..)| *known == name);
    let Some((.., definition)) = function else { return false };
    let body = statements_of(definition);
    matches!(&body[..], [Stmt::Expr(only)] if matches!(**only, Expr::ThisPtr(_)))
}

/// Texts in plain quotes that hold `${…}`: only back-ticks fill that in.
fn unfilled(ast: &AST) -> Vec<Oddity> {
    let mut found = Vec::new();
    ast.walk(&mut |path: &[ASTNode]| {
        if let Some(ASTNode::Expr(Expr::StringConstant(text, position))) = path.last()
            && let Some(hole) = hole(text)
            && found.len() < MOST
        {
            let cut = if text.chars().count() > QUOTED { "…" } else { "" };
            let shown: String = text.chars().take(QUOTED).collect();
            let message = format!(
                "plain quotes do not fill in `{hole}`; did you mean back-ticks: `` `{shown}{cut}` ``?"
            );
            found.push(Oddity { message, position: *position });
        }
        true
    });
    found
}

fn hole(text: &str) -> Option<&str> {
    let begin = text.find("${")?;
    let end = begin + text[begin..].find('}')?;
    let inner = text[begin + 2..end].trim();
    let named = inner.starts_with(|first: char| first.is_alphabetic() || first == '_');
    named.then(|| &text[begin..=end])
}

/// Fields of the state that are written, that nothing reads, and that are nearly called like another.
fn misspelled(ast: &AST, fields: &BTreeSet<String>) -> Vec<Oddity> {
    let (mut written, mut named) = (Vec::new(), Vec::new());
    ast.walk(&mut |path: &[ASTNode]| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(assignment)))
                if !assignment.0.is_op_assignment() =>
            {
                let target = &assignment.1.lhs;
                written.extend(
                    last_property(target).filter(|_| matches!(first(target), Expr::ThisPtr(_))),
                );
            }
            Some(ASTNode::Expr(expr)) => named.extend(property(expr)),
            _ => {}
        }
        true
    });
    let places: BTreeSet<Position> = written.iter().map(|(_, position)| *position).collect();
    let mut known = fields.clone();
    known.extend(named.into_iter().filter(|(_, at)| !places.contains(at)).map(|(name, _)| name));
    let odd = |(name, position): (String, Position)| {
        // A piece of a text, as between two values that are filled in, is no name.
        let names = known.iter().filter(|known| known.trim() == known.as_str());
        let near = nearest(&name, names.map(String::as_str))?;
        let message = format!("nothing reads the field `{name}`; did you mean `{near}`?");
        Some(Oddity { message, position })
    };
    first_unknown(written, &known).filter_map(odd).collect()
}

/// The names that are not known, in the order of the text, each where it is first. There are [`MOST`] at most: each is
/// compared with all known names, and thousands of each would take minutes.
pub(in crate::script) fn first_unknown(
    mut named: Vec<(String, Position)>,
    known: &BTreeSet<String>,
) -> impl Iterator<Item = (String, Position)> {
    named.sort_by_key(|(_, position)| *position);
    let mut seen = known.clone();
    named.into_iter().filter(move |(name, _)| seen.insert(name.clone())).take(MOST)
}

pub(in crate::script) fn property(expr: &Expr) -> Option<(String, Position)> {
    match expr {
        Expr::Property(property, position) => Some((property.2.to_string(), *position)),
        _ => None,
    }
}

/// Where a chain begins: `a` of `a.b.c`, `a[0]` and `a`.
pub(in crate::script) fn first(chain: &Expr) -> &Expr {
    match chain {
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => first(&parts.lhs),
        other => other,
    }
}

/// Where a chain ends: `c` of `a.b.c` and `a[0].c`.
pub(in crate::script) fn last(chain: &Expr) -> &Expr {
    match chain {
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => last(&parts.rhs),
        other => other,
    }
}

/// The field that an assignment to `a.b.c` writes, and where: `c`. What is behind an index is of an item, not of the state.
fn last_property(target: &Expr) -> Option<(String, Position)> {
    match target {
        Expr::Dot(parts, ..) => last_property(&parts.rhs),
        other => property(other),
    }
}

/// Functions of the language that change the list, map or text they are called on.
const CHANGING: &str = "push append insert pop shift remove reverse truncate chop clear sort dedup drain retain \
    splice pad set mixin fill_with trim replace make_upper";

/// Changes of a loop's variable that nothing reads any more: `for d in list { d += 1 }` changes a
/// copy of each item.
fn changed_copies(ast: &AST) -> Vec<Oddity> {
    let mut found = Vec::new();
    let documented = primitives::documentation().into_iter().filter(|doc| doc.changes);
    let names = CHANGING.split(' ').map(str::to_owned).chain(documented.map(|doc| doc.name));
    let changing: BTreeSet<String> = names.collect();
    ast.walk(&mut |path: &[ASTNode]| {
        if let Some(ASTNode::Stmt(Stmt::For(parts, _))) = path.last()
            && found.len() < MOST
        {
            let (variable, _, flow) = &**parts;
            let (changes, reads) = (Vec::new(), Vec::new());
            let mut uses =
                Uses { name: &variable.name, changing: &changing, changes, reads, hazy: false };
            for statement in flow.body.iter() {
                statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| uses.look(path));
            }
            if let Some(position) = uses.useless() {
                let name = &variable.name;
                let mended = words(&flow.expr).map(|list| {
                    format!("; did you mean `for ({name}, i) in {list} {{ {list}[i] … }}`?")
                });
                let mended = mended.unwrap_or_default();
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
    /// Whether another variable of that name comes in between, or a closure holds it.
    hazy: bool,
}

impl Uses<'_> {
    fn look(&mut self, path: &[ASTNode]) -> bool {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                self.change(&assignment.1.lhs, path);
            }
            Some(ASTNode::Stmt(Stmt::Expr(expression))) => {
                if let Expr::MethodCall(call, _) = last(expression)
                    && self.changing.contains(call.name.as_str())
                {
                    self.change(expression, path);
                }
            }
            Some(ASTNode::Stmt(Stmt::Var(declared, ..))) => {
                self.hazy |= declared.0.name == self.name
            }
            Some(ASTNode::Stmt(Stmt::For(parts, _))) => self.hazy |= parts.0.name == self.name,
            Some(ASTNode::Stmt(Stmt::Share(shared))) => {
                self.hazy |= shared.iter().any(|(shared, _)| shared.name == self.name);
            }
            Some(ASTNode::Expr(Expr::Variable(variable, _, position)))
                if variable.1 == self.name
                    && self.changes.iter().all(|(change, _)| change != position) =>
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
        self.changes.push((position, inner));
    }

    /// The first change that nothing reads.
    fn useless(&self) -> Option<Position> {
        let is_read = |(change, inner): &(Position, Option<Position>)| {
            let since = inner.as_ref().unwrap_or(change);
            self.reads.iter().any(|(read, own)| read > since && own.as_ref() != Some(change))
        };
        let change = self.changes.iter().find(|change| !is_read(change));
        change.filter(|_| !self.hazy).map(|(position, _)| *position)
    }
}

/// Where a chain `name.a[0].b` begins, if it begins with this variable.
fn root(chain: &Expr, name: &str) -> Option<Position> {
    match first(chain) {
        Expr::Variable(variable, _, position) if variable.1 == name => Some(*position),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(script: &str) -> Vec<String> {
        let mut engine = rhai::Engine::new();
        engine.set_optimization_level(rhai::OptimizationLevel::None);
        let ast = engine.compile(script).unwrap();
        let [fields, _] = crate::script::lint::fields(&ast);
        oddities(&ast, &fields).into_iter().map(|odd| odd.message).collect()
    }

    #[test]
    fn what_has_no_effect_is_found() {
        for (script, said) in [
            ("fn f(x) { \"${x} wins\" }", "plain quotes do not fill in `${x}`"),
            ("fn f(l) { for d in l { d += 1; } }", "`for (d, i) in l { l[i] … }`"),
            ("fn f(l) { for d in l { d = d + 1; } }", "`d` is a copy"),
            ("fn f(l) { for d in l { print(d.x); d.x = 1; } }", "`d` is a copy"),
            ("fn f(l) { for d in l { d.x.push(2); } }", "`d` is a copy"),
            ("fn f() { for d in this.dice { d[0] = 1; } }", "in this.dice { this.dice[i]"),
            ("fn f() { this.trun = 1; this.turn }", "`trun`; did you mean `turn`?"),
            ("fn f() { this.a.trun = 1; #{ turn: 2 } }", "`trun`; did you mean `turn`?"),
        ] {
            let found = found(script);
            assert!(found.len() == 1 && found[0].contains(said), "{script}: {found:?}");
        }
    }

    #[test]
    fn a_view_of_everything_is_one_that_is_nothing_but_this() {
        let engine = rhai::Engine::new();
        let whole = |script: &str| returns_this(&engine.compile(script).unwrap(), "view");
        assert!(whole("fn view(player) { this }"));
        assert!(!whole("fn view(player) { let seen = this; seen.x = 1; seen }"));
        assert!(!whole("fn view(player) { #{ x: this.x } }"));
        assert!(!whole("fn other(player) { this }"));
    }

    #[test]
    fn what_has_an_effect_is_not() {
        for script in [
            "fn f(x) { `${x} wins` }",
            "fn f(x) { \"$5 {each}\" + \"${}\" + \"${5}\" }",
            "fn f(l) { for d in l { d += 1; print(d); } }",
            "fn f(l) { for d in l { while d > 0 { d -= 1; } } }",
            "fn f(l) { let all = []; for d in l { d.push(1); all.push(d); } all }",
            "fn f(l) { for d in l { let d = 2; d += 1; } }",
            "fn f(l) { for d in l { let last = d.pop(); print(last); } }",
            "fn f(l) { for (d, i) in l { l[i] += 1; } }",
            "fn f(l) { for d in l { l[d] = 1; this.x[d] = 2; } }",
            "fn f(l) { for d in l { this.sum += d; } }",
            "fn f(l) { for d in l { d += 1; let g = || d; g.call(); } }",
            // Nothing that is read is called nearly so, or a literal brings it.
            "fn f() { this.winner = 1; this.turn }",
            "fn f() { this.turns = 1; #{ turns: 0, turn: this.turn } }",
            "fn f() { this.turn = 1; } fn g() { this.turn }",
            "fn f(seen) { seen.trun = 1; this.turn }",
        ] {
            assert_eq!(found(script), [""; 0], "{script}");
        }
    }
}
