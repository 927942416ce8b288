//! Which expressions have no effect: the text of an event that nobody hears need not be made.

use rhai::Expr;

use super::function::Builder;

impl Builder<'_, '_> {
    /// Whether an expression can only have a value.
    pub fn is_pure(&self, expression: &Expr) -> bool {
        match expression {
            Expr::InterpolatedString(parts, _) | Expr::Array(parts, _) => {
                parts.iter().all(|part| self.is_pure(part))
            }
            Expr::Map(parts, _) => parts.0.iter().all(|(_, part)| self.is_pure(part)),
            Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
                parts.iter().all(|part| self.is_pure(part))
            }
            Expr::FnCall(call, _) | Expr::MethodCall(call, _) => {
                (call.op_token.is_some() || self.all.source.harmless.contains(&*call.name))
                    && call.args.iter().all(|argument| self.is_pure(argument))
            }
            Expr::Dot(sides, ..) | Expr::Index(sides, ..) => {
                self.is_pure(&sides.lhs) && self.is_pure(&sides.rhs)
            }
            // A hole in a text is a block with one expression.
            Expr::Stmt(block) => block.iter().all(|statement| match statement {
                rhai::Stmt::Expr(inner) => self.is_pure(inner),
                rhai::Stmt::FnCall(call, _) => {
                    (call.op_token.is_some() || self.all.source.harmless.contains(&*call.name))
                        && call.args.iter().all(|argument| self.is_pure(argument))
                }
                rhai::Stmt::If(parts, _) => {
                    self.is_pure(&parts.expr)
                        && [&parts.body, &parts.branch]
                            .iter()
                            .all(|block| self.is_pure(&Expr::Stmt(Box::new((*block).clone()))))
                }
                rhai::Stmt::Noop(_) => true,
                _ => false,
            }),
            Expr::Variable(..) | Expr::ThisPtr(_) | Expr::Property(..) => true,
            other => other.is_constant(),
        }
    }
}
