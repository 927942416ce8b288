//! Compiles chains: `this.a[b].c`, `x.f(y).z`. What is read along one is one instruction.

use rhai::{ASTFlags, Expr, FnCallExpr, Position};

use super::function::Builder;
use super::{Compiled, refuse};
use crate::script::machine::code::{CONSTANT, Op, Reg, Step, StepTarget, THIS};
use crate::script::machine::natives::changes;
use crate::script::machine::value::{KeyPlace, Value};

struct Link<'e> {
    what: What<'e>,
    /// `?.` or `?[`.
    elvis: bool,
    /// The place of the dot or bracket.
    whole: Position,
}

impl Link<'_> {
    fn is_calm(&self) -> bool {
        match &self.what {
            What::Field(..) => true,
            What::Item(index) => is_calm(index),
            What::Call(call, _) => call.args.iter().all(is_calm),
        }
    }
}

enum What<'e> {
    Field(&'e str, Position),
    Item(&'e Expr),
    Call(&'e FnCallExpr, Position),
}

pub(super) fn is_chain(expression: &Expr) -> bool {
    matches!(expression, Expr::Dot(..) | Expr::Index(..))
}

fn links(chain: &Expr) -> (&Expr, Vec<Link<'_>>) {
    let mut root = None;
    let mut links = Vec::new();
    let mut rest = chain;
    while let Expr::Dot(sides, flags, whole) | Expr::Index(sides, flags, whole) = rest {
        root = root.or(Some(&sides.lhs));
        let elvis = flags.contains(ASTFlags::NEGATED);
        // What follows belongs to this chain, unless it is all of the last link.
        let continues = !flags.contains(ASTFlags::BREAK) && is_chain(&sides.rhs);
        let link = match &sides.rhs {
            Expr::Dot(inner, ..) | Expr::Index(inner, ..) if continues => &inner.lhs,
            last => last,
        };
        let what = match (rest, link) {
            (Expr::Dot(..), Expr::Property(name, at)) => What::Field(&name.2, *at),
            (Expr::Dot(..), Expr::MethodCall(call, at)) => What::Call(call, *at),
            (_, index) => What::Item(index),
        };
        links.push(Link { what, elvis, whole: *whole });
        if !continues {
            break;
        }
        rest = &sides.rhs;
    }
    (root.unwrap_or(chain), links)
}

/// A place while it is being compiled: a register, and the steps from there.
pub(super) struct ChainPlace {
    pub root: Reg,
    pub steps: Vec<Step>,
    pub at: Position,
}

impl ChainPlace {
    fn step(&mut self, to: StepTarget, at: Position, link: &Link<'_>) {
        self.steps.push(Step { to, elvis: link.elvis, at, whole: link.whole });
        self.at = at;
    }
}

/// Arguments that were found out before their call.
pub(super) type Ahead = Vec<Option<Reg>>;

impl Builder<'_, '_> {
    pub(super) fn chain(&mut self, chain: &Expr, to: Reg) -> Compiled<()> {
        let (root, links) = links(chain);
        if let Some(value) = self.parameter_in(root, &links) {
            let from = self.constant(value, chain.position())?;
            if links.len() == 1 {
                self.emit(Op::Move { to, from }, chain.position());
                return Ok(());
            }
            return self.walk(from, &links[1..], chain.position(), to);
        }
        let mut from = match root {
            Expr::ThisPtr(_) => THIS,
            other => self.operand(other)?,
        };
        // What is written down in place may be changed: it is nobody's.
        let written = from >= CONSTANT && !matches!(root, Expr::Variable(..));
        if let (true, Some(What::Call(call, at))) = (written, links.first().map(|link| &link.what))
            && changes(&call.name)
        {
            from = self.copy(from, *at)?;
        }
        let outer = std::mem::replace(&mut self.root, root.position());
        let walked = self.walk(from, &links, root.position(), to);
        self.root = outer;
        walked
    }

    fn parameter_in(&mut self, root: &Expr, links: &[Link<'_>]) -> Option<Value> {
        match (root, &links.first()?.what) {
            (Expr::Variable(parts, ..), What::Field(field, _))
                if self.variable(&parts.1).is_none() =>
            {
                self.all.parameter(&parts.1, field)
            }
            _ => None,
        }
    }

    fn walk(&mut self, root: Reg, links: &[Link<'_>], at: Position, to: Reg) -> Compiled<()> {
        let place = self.place(root, links, at, Some(to))?;
        // Nothing is left to read behind a call.
        if place.steps.is_empty() { Ok(()) } else { self.read(to, place) }
    }

    /// Calls a native on what a chain of fields and items leads to from a variable: it is read where it
    /// is, as nothing happens between. Returns false for any other chain.
    pub(super) fn native_at(
        &mut self,
        chain: &Expr,
        (name, rest): (&str, &[Expr]),
        at: Position,
        to: Reg,
    ) -> Compiled<bool> {
        let (root, links) = links(chain);
        let plain = |link: &Link<'_>| match link.what {
            What::Field(..) => !link.elvis,
            What::Item(index) => !link.elvis && is_simple(index),
            What::Call(..) => false,
        };
        let register = match root {
            Expr::ThisPtr(_) => Some(THIS),
            Expr::Variable(parts, ..) => self.variable(&parts.1).map(|known| known.register),
            _ => None,
        };
        let Some(register) = register.filter(|_| links.iter().all(plain)) else { return Ok(false) };
        let outer = std::mem::replace(&mut self.root, root.position());
        let place = self.place(register, &links, chain.position(), None)?;
        let between = self.mark();
        let arguments = self.native_arguments(name, rest, register)?;
        self.native((name, rest.len() + 1), place, (arguments, between), at, to)?;
        self.root = outer;
        Ok(true)
    }

    /// Writes to the place that a chain leads to, with the instruction for its path.
    pub(super) fn write_at(
        &mut self,
        chain: &Expr,
        at: Position,
        write: impl FnOnce(u16) -> Op,
    ) -> Compiled<()> {
        let outer = self.root;
        let (root, links) = links(chain);
        let register = match root {
            Expr::ThisPtr(at) => {
                self.change_this(*at)?;
                THIS
            }
            Expr::Variable(parts, _, at) => match self.changeable(&parts.1, *at)? {
                Some(register) => register,
                None => return self.unknown_variable(&parts.1, true, *at),
            },
            other => self.operand(other)?,
        };
        let place = self.place(register, &links, chain.position(), None)?;
        self.root = root.position();
        let path = self.path_of(place)?;
        self.emit(write(path), at);
        self.root = outer;
        Ok(())
    }

    /// Compiles all calls of a chain; returns the place that is left to read. Where the last link is a
    /// call, that has no steps: it is `to`, if given.
    fn place(
        &mut self,
        root: Reg,
        links: &[Link<'_>],
        at: Position,
        to: Option<Reg>,
    ) -> Compiled<ChainPlace> {
        let ahead = self.ahead(root, links)?;
        let mut place = ChainPlace { root, steps: Vec::new(), at };
        let mut ahead = ahead.into_iter();
        for (i, link) in links.iter().enumerate() {
            match &link.what {
                What::Field(name, at) => {
                    let field = StepTarget::Field(self.all.text(name), KeyPlace::default());
                    place.step(field, *at, link);
                }
                What::Item(index) => {
                    let at = index.start_position();
                    let register = match ahead.next().flatten() {
                        Some(register) => register,
                        None => {
                            let calm = links[i + 1..].iter().all(Link::is_calm) && is_calm(index);
                            self.index(index, place.root, calm)?
                        }
                    };
                    place.step(StepTarget::Item(register, KeyPlace::default()), at, link);
                }
                What::Call(call, at) => {
                    if link.elvis || place.steps.iter().any(|step| step.elvis) {
                        return refuse("before a call, write `if x != ()` in place of `?.`", *at);
                    }
                    let arguments: Ahead = ahead.by_ref().take(call.args.len()).collect();
                    let last = i + 1 == links.len();
                    let result = match to {
                        Some(to) if last => to,
                        _ => self.take(*at)?,
                    };
                    self.method(call, *at, place, &arguments, result)?;
                    self.root = *at;
                    place = ChainPlace { root: result, steps: Vec::new(), at: *at };
                }
            }
        }
        Ok(place)
    }

    /// The language finds out all indices and arguments of a chain before it walks along it. That
    /// makes a difference only where a call comes before something that calls.
    fn ahead(&mut self, root: Reg, links: &[Link<'_>]) -> Compiled<Ahead> {
        let first = links.iter().position(|link| matches!(link.what, What::Call(..)));
        let behind = first.map_or(&links[..0], |first| &links[first + 1..]);
        let calls = |link: &Link<'_>| match &link.what {
            What::Field(..) => false,
            What::Item(index) => !is_simple(index),
            What::Call(call, _) => !call.args.iter().all(is_simple),
        };
        if !behind.iter().any(calls) {
            let count = |link: &Link<'_>| match &link.what {
                What::Field(..) => 0,
                What::Item(_) => 1,
                What::Call(call, _) => call.args.len(),
            };
            return Ok(vec![None; links.iter().map(count).sum()]);
        }
        let mut ahead = Vec::new();
        for link in links {
            match &link.what {
                What::Field(..) => {}
                What::Item(index) => ahead.push(Some(self.index(index, root, false)?)),
                What::Call(call, _) => {
                    for argument in &call.args {
                        let register = self.take(argument.position())?;
                        self.value(argument, register)?;
                        ahead.push(Some(register));
                    }
                }
            }
        }
        Ok(ahead)
    }

    /// The register of an index; another one than that of what is indexed, and than that of any
    /// variable unless what follows is `calm`.
    fn index(&mut self, index: &Expr, root: Reg, calm: bool) -> Compiled<Reg> {
        let register = self.operand(index)?;
        let stays = calm || self.is_unnamed(register);
        if register >= CONSTANT || register != root && stays {
            return Ok(register);
        }
        self.copy(register, index.position())
    }
}

/// Whether finding out an expression leaves all variables as they are.
pub(super) fn is_calm(expression: &Expr) -> bool {
    match expression {
        Expr::Dot(..) | Expr::Index(..) => {
            let (root, links) = links(expression);
            let variable = matches!(root, Expr::Variable(..));
            let calls = |link: &Link<'_>| matches!(link.what, What::Call(..));
            is_calm(root)
                && links.iter().all(Link::is_calm)
                && !(variable && links.iter().any(calls))
        }
        Expr::FnCall(call, _) => {
            let on_variable = matches!(call.args.first(), Some(Expr::Variable(..)));
            let changing = call.op_token.is_none() && on_variable && changes(&call.name);
            !changing && call.args.iter().all(is_calm)
        }
        Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
            parts.iter().all(is_calm)
        }
        Expr::Array(parts, _) | Expr::InterpolatedString(parts, _) => parts.iter().all(is_calm),
        Expr::Map(parts, _) => parts.0.iter().all(|(_, part)| is_calm(part)),
        other => is_simple(other),
    }
}

/// Whether finding out an expression calls nothing that could change anything.
pub(super) fn is_simple(expression: &Expr) -> bool {
    expression.is_constant() || matches!(expression, Expr::Variable(..) | Expr::ThisPtr(_))
}
