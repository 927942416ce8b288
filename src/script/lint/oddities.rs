//! Finds what scripts do to no effect: texts that are not filled in, copies that are changed,
//! fields that are written under a misspelled name.

mod copies;

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use self::copies::changed_copies;
use crate::error::nearest;
use crate::script::assemble::statements::statements_of;

/// Something odd, and where.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::script) struct Oddity {
    /// What is odd.
    pub message: String,
    /// Where.
    pub position: Position,
}

/// Of each kind, this many are enough to see that something is wrong.
pub(in crate::script) const MOST: usize = 20;
/// At most this many characters of a text are quoted.
const QUOTED: usize = 40;

/// All oddities of functions. `fields` are the names that a literal, a quoted word or a setup brings.
pub(in crate::script) fn oddities(ast: &AST, fields: &BTreeSet<String>) -> Vec<Oddity> {
    let mut found = unfilled(ast);
    found.extend(changed_copies(ast));
    found.extend(misspelled(ast, fields));
    found
}

/// Whether all that a function does is to return `this`.
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

/// The first `${…}` of a text.
fn hole(text: &str) -> Option<&str> {
    let begin = text.find("${")?;
    let end = begin + text[begin..].find('}')?;
    let inner = text[begin + 2..end].trim();
    let named = inner.starts_with(|first: char| first.is_alphabetic() || first == '_');
    named.then(|| &text[begin..=end])
}

/// Fields of the state that are written, that nothing reads, and that are nearly called like another.
fn misspelled(ast: &AST, fields: &BTreeSet<String>) -> Vec<Oddity> {
    let mut written: Vec<(String, Position)> = Vec::new();
    let mut named: Vec<(String, Position)> = Vec::new();
    ast.walk(&mut |path: &[ASTNode]| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(assignment)))
                if !assignment.0.is_op_assignment() =>
            {
                let target = &assignment.1.lhs;
                if begins_with_this(target)
                    && let Some(last) = last_property(target)
                {
                    written.push(last);
                }
            }
            Some(ASTNode::Expr(Expr::Property(property, position))) => {
                named.push((property.2.to_string(), *position));
            }
            _ => {}
        }
        true
    });
    let places: BTreeSet<Position> = written.iter().map(|(_, position)| *position).collect();
    let mut known = fields.clone();
    known.extend(named.into_iter().filter(|(_, at)| !places.contains(at)).map(|(name, _)| name));
    written.sort_by_key(|(_, position)| (position.line(), position.position()));
    let mut seen = BTreeSet::new();
    written
        .into_iter()
        .filter(|(name, _)| !known.contains(name) && seen.insert(name.clone()))
        .take(MOST)
        .filter_map(|(name, position)| {
            // A piece of a text, as between two values that are filled in, is no name.
            let names = known.iter().filter(|known| known.trim() == known.as_str());
            let near = nearest(&name, names.map(String::as_str))?;
            let message = format!("nothing reads the field `{name}`; did you mean `{near}`?");
            Some(Oddity { message, position })
        })
        .collect()
}

fn begins_with_this(chain: &Expr) -> bool {
    match chain {
        Expr::ThisPtr(_) => true,
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => begins_with_this(&parts.lhs),
        _ => false,
    }
}

/// The field that an assignment to `a.b.c` writes, and where: `c`.
fn last_property(target: &Expr) -> Option<(String, Position)> {
    match target {
        Expr::Property(property, position) => Some((property.2.to_string(), *position)),
        Expr::Dot(parts, ..) => last_property(&parts.rhs),
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
        let fields = crate::script::lint::declared_fields(&ast);
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
