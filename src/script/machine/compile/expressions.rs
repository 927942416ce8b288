//! Compiles expressions: literals, variables, texts with holes, what is built of them.

use rhai::{Expr, Position};

use super::chains::{is_calm, is_chain};
use super::function::{Builder, captured};
use super::{Compiled, refuse};
use crate::error::{hint, nearest};
use crate::script::assemble::function_uses::closure_in;
use crate::script::assemble::replace_tokens::BELOW;
use crate::script::machine::code::{CONSTANT, Op, Path, Reg, THIS};
use crate::script::machine::value::{Text, Value};

/// Whether the register that takes the value is written once all else has been read.
pub(super) fn writes_last(expression: &Expr) -> bool {
    !matches!(expression, Expr::And(..) | Expr::Or(..) | Expr::Coalesce(..) | Expr::Stmt(..))
}

impl Builder<'_, '_> {
    /// An expression's value, in a register of the builder's choice: that of the variable or constant
    /// that it is, else one for an intermediate value.
    pub(super) fn operand(&mut self, expression: &Expr) -> Compiled<Reg> {
        if let Some(register) = self.at_hand(expression)? {
            return Ok(register);
        }
        let to = self.take(expression.position())?;
        self.value(expression, to)?;
        Ok(to)
    }

    /// The register that holds the value already, if one does.
    pub(super) fn at_hand(&mut self, expression: &Expr) -> Compiled<Option<Reg>> {
        match expression {
            Expr::Variable(parts, _, at) => {
                if let Some(variable) = self.variable(&parts.1) {
                    return Ok(Some(variable.register));
                }
                self.all.named(&parts.1, *at)
            }
            other if self.binds_this(other) => Ok(None),
            other => match self.literal(other)? {
                Some(value) => Ok(Some(self.constant(value, other.position())?)),
                None => Ok(None),
            },
        }
    }

    /// Two operands. The first is read when the second has been found out: it must not change
    /// meanwhile.
    pub(super) fn operands(&mut self, a: &Expr, b: &Expr) -> Compiled<(Reg, Reg)> {
        let mut first = self.operand(a)?;
        if !self.is_unnamed(first) && first < CONSTANT && !is_calm(b) {
            first = self.copy(first, a.position())?;
        }
        Ok((first, self.operand(b)?))
    }

    pub(super) fn literal(&mut self, expression: &Expr) -> Compiled<Option<Value>> {
        let at = expression.position();
        Ok(Some(match expression {
            Expr::Unit(_) => Value::Unit,
            Expr::BoolConstant(truth, _) => Value::Bool(*truth),
            Expr::IntegerConstant(number, _) => Value::Int(*number),
            Expr::FloatConstant(number, _) => Value::Float(**number),
            Expr::CharConstant(letter, _) => Value::Char(*letter),
            Expr::StringConstant(text, _) => Value::Text(self.all.text(text)),
            Expr::Stmt(block) if block.is_empty() => Value::Unit,
            Expr::DynamicConstant(value, _) => self.all.literal(value, at)?,
            Expr::Array(..) | Expr::Map(..) | Expr::InterpolatedString(..)
                if expression.is_constant() =>
            {
                let Some(value) = expression.get_literal_value(None) else { return Ok(None) };
                self.all.literal(&value, at)?
            }
            _ => return Ok(None),
        }))
    }

    pub(super) fn value(&mut self, expression: &Expr, to: Reg) -> Compiled<()> {
        if let Some(from) = self.at_hand(expression)? {
            if from != to {
                self.emit(Op::Move { to, from }, expression.position());
            }
            return Ok(());
        }
        let mark = self.mark();
        match expression {
            Expr::Variable(parts, _, at) => {
                return self.unknown_variable(&parts.1, false, *at);
            }
            Expr::ThisPtr(at) => {
                let path = self.all.path(Path { root: THIS, steps: Box::default() }, *at)?;
                self.root = *at;
                self.emit(Op::Read { to, path }, *at);
            }
            Expr::InterpolatedString(parts, at) => {
                let (from, count) = self.one_after_another(parts.iter(), *at)?;
                self.emit(Op::Text { to, from, count }, *at);
            }
            Expr::Array(items, at) => {
                let (from, count) = self.one_after_another(items.iter(), *at)?;
                self.emit(Op::List { to, from, count }, *at);
            }
            Expr::Map(parts, at) => self.map(&parts.0, *at, to)?,
            made if self.binds_this(made) => self.closure_with_this(made, to)?,
            Expr::Stmt(block) => match closure_in(block) {
                Some(call) => self.closure(call, block.position(), to)?,
                None => self.block(block.statements(), Some(to))?,
            },
            Expr::FnCall(call, at) => self.call(call, *at, to)?,
            Expr::And(..) | Expr::Or(..) => self.truth(expression, to)?,
            Expr::Coalesce(parts, at) => self.coalesce(parts, *at, to)?,
            chain if is_chain(chain) => self.chain(chain, to)?,
            other => return refuse("rules cannot use this kind of expression", other.position()),
        }
        self.release(mark);
        Ok(())
    }

    /// The values of some expressions in registers one after another: the first, and how many.
    pub(super) fn one_after_another<'e>(
        &mut self,
        items: impl ExactSizeIterator<Item = &'e Expr>,
        at: Position,
    ) -> Compiled<(Reg, u16)> {
        let count = items.len();
        let from = self.take_several(count, at)?;
        for (i, item) in items.enumerate() {
            self.value(item, from + i as Reg)?;
        }
        Ok((from, count as u16))
    }

    fn map(&mut self, entries: &[(rhai::Ident, Expr)], at: Position, to: Reg) -> Compiled<()> {
        let mut keys: Vec<&str> = entries.iter().map(|(key, _)| key.name.as_str()).collect();
        keys.sort_unstable();
        let from = self.take_several(keys.len(), at)?;
        for (key, value) in entries {
            let place = keys.binary_search(&key.name.as_str()).unwrap_or_default();
            self.value(value, from + place as Reg)?;
        }
        let shape: Box<[Text]> = keys.iter().map(|key| self.all.text(key)).collect();
        let shape = self.all.shape(shape, at)?;
        self.emit(Op::Map { to, from, shape }, at);
        Ok(())
    }

    fn coalesce(&mut self, parts: &[Expr], at: Position, to: Reg) -> Compiled<()> {
        let mut ends = Vec::new();
        // Whether it is something decides what follows.
        self.unwanted.take_if(|unwanted| *unwanted == to);
        for (i, part) in parts.iter().enumerate() {
            self.value(part, to)?;
            if i + 1 < parts.len() {
                ends.push(self.emit_jump(Op::JumpSome { when: to, to: 0 }, at));
            }
        }
        self.land_all(ends);
        Ok(())
    }

    /// The register of a variable that is going to be changed.
    pub(super) fn changeable(&mut self, name: &str, at: Position) -> Compiled<Option<Reg>> {
        let loops = self.loops.len();
        let Some(variable) = self.variable(name) else { return Ok(None) };
        if variable.captured {
            return refuse(captured(name), at);
        }
        variable.changes |= loops > variable.loops;
        Ok(Some(variable.register))
    }

    /// Refuses a name that is not there, which was to be read or to be changed.
    pub(super) fn unknown_variable<T>(
        &self,
        name: &str,
        changes: bool,
        at: Position,
    ) -> Compiled<T> {
        if let Some((overridden, _)) = name.split_once(BELOW) {
            return refuse(
                format!(
                    "`super` is `{overridden}` of the rules below, and can only be called: `this.super(…)` or `super(…)`"
                ),
                at,
            );
        }
        if self.all.has_params(name) {
            return refuse(format!("read parameters one by one: `{name}.name`"), at);
        }
        if changes && self.all.source.constants.get(name).is_some() {
            return refuse(format!("`{name}` is a constant"), at);
        }
        let hint = if self.all.program.named.contains_key(name) {
            // The parser takes the name for that of the function.
            "; where a function has the same name, a closure captures no variable: rename it".into()
        } else {
            hint(&nearest(name, self.in_sight(changes)))
        };
        refuse(format!("there is no variable `{name}`{hint}"), at)
    }
}
