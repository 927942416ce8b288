//! One function while it is compiled: its registers, its variables, its instructions.

use rhai::{Position, Stmt};

use super::{Compiled, Compiler, refuse};
use crate::script::machine::code::{CONSTANT, Op, Place, Reg, THIS};
use crate::script::machine::value::Value;

pub(super) struct Builder<'c, 's> {
    pub all: &'c mut Compiler<'s>,
    code: Vec<Op>,
    places: Vec<Place>,
    variables: Vec<Variable>,
    free: Reg,
    most: Reg,
    pub loops: Vec<OpenLoop>,
    /// Where the chain begins that is being compiled.
    pub root: Position,
    /// Whether `this` is a copy of that of the function that made the closure.
    pub copies_this: bool,
    number: u16,
    /// The register of a value that nobody wants, while that is found out.
    pub unwanted: Option<Reg>,
    /// Where the last jump goes that is known: nothing there may become part of what is before it.
    landing: usize,
}

pub(super) struct Variable {
    pub name: String,
    pub(crate) register: Reg,
    /// Where a closure has captured it: from there on it must stay as it is.
    pub(crate) captured: bool,
    pub loops: usize,
    /// Whether it is changed in a loop that it was made outside of: what captures it there would
    /// have to see changes before it.
    pub changes: bool,
    /// The functions that are called on it in such a loop, which may change it.
    pub called: Vec<u16>,
}

const CHANGES_COPY: &str = "a closure cannot change `this`, of which it has a copy: write a loop";

/// Why a variable cannot change any more.
pub(super) fn captured(name: &str) -> String {
    format!("`{name}` is captured by a closure and can no longer change: copy it, or write a loop")
}

/// The place of an instruction whose jump is not known yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hole(usize);

pub(super) struct OpenLoop {
    pub to: Option<Reg>,
    pub breaks: Vec<Hole>,
    pub continues: Vec<Hole>,
}

impl<'c, 's> Builder<'c, 's> {
    /// A function whose first parameters, `captured` of them, are what it captured.
    pub(super) fn new(
        all: &'c mut Compiler<'s>,
        params: &[&str],
        captured: usize,
        begins: Position,
    ) -> Self {
        let number = all.program.functions.len() as u16;
        let hides = all.hides.get(&number).copied().unwrap_or_default();
        let mut builder = Builder {
            all,
            code: Vec::new(),
            places: Vec::new(),
            variables: Vec::new(),
            free: THIS + 1,
            most: THIS + 1,
            loops: Vec::new(),
            root: begins,
            copies_this: false,
            number,
            unwanted: None,
            landing: 0,
        };
        for (i, param) in params.iter().enumerate() {
            let register = builder.take(begins).unwrap_or(THIS);
            // The parser captures the rules' parameters too; they are constants everywhere.
            let is_constant = i < captured && !hides && builder.all.has_params(param);
            builder.declare(if is_constant { "" } else { param }, register);
        }
        builder.variables.iter_mut().take(captured).for_each(|param| param.captured = true);
        builder
    }

    pub(super) fn body(&mut self, statements: &[Stmt]) -> Compiled<()> {
        self.returned(statements, statements.last().map_or(Position::NONE, Stmt::position))
    }

    pub(super) fn finish(self) -> (Vec<Op>, Vec<Place>, u16) {
        (self.code, self.places, self.most)
    }

    pub(super) fn take(&mut self, at: Position) -> Compiled<Reg> {
        self.take_several(1, at)
    }

    pub(super) fn copy(&mut self, from: Reg, at: Position) -> Compiled<Reg> {
        let to = self.take(at)?;
        self.emit(Op::Move { to, from }, at);
        Ok(to)
    }

    /// Registers one after another; the first of them.
    pub(super) fn take_several(&mut self, count: usize, at: Position) -> Compiled<Reg> {
        let first = self.free;
        match u16::try_from(count).ok().and_then(|count| first.checked_add(count)) {
            Some(free) if free < CONSTANT => self.free = free,
            _ => return refuse("a function has too many variables", at),
        }
        self.most = self.most.max(self.free);
        Ok(first)
    }

    /// What is free now, to be free again later.
    pub(super) fn mark(&self) -> Reg {
        self.free
    }

    /// Lets go of all registers that were taken since.
    pub(super) fn release(&mut self, mark: Reg) {
        self.free = mark;
    }

    /// Whether a register holds nothing that has a name: it can be emptied.
    pub(super) fn is_unnamed(&self, register: Reg) -> bool {
        register != THIS
            && register < CONSTANT
            && !self.variables.iter().any(|variable| variable.register == register)
    }

    pub(super) fn declare(&mut self, name: &str, register: Reg) {
        let loops = self.loops.len();
        let variable = Variable {
            name: name.to_owned(),
            register,
            captured: false,
            loops,
            changes: false,
            called: Vec::new(),
        };
        self.variables.push(variable);
    }

    pub(super) fn variable(&mut self, name: &str) -> Option<&mut Variable> {
        self.variables.iter_mut().rev().find(|variable| variable.name == name)
    }

    /// The names that mean something here, or only those that can be changed.
    pub(super) fn in_sight(&self, changes: bool) -> impl Iterator<Item = &str> {
        let variables = self.variables.iter().filter(move |one| !(changes && one.captured));
        let variables = variables.map(|variable| variable.name.as_str());
        let fixed = self.all.source.constants.iter_raw().map(|(name, ..)| name);
        variables.chain(fixed.filter(move |_| !changes))
    }

    /// Notes that the function changes its `this`; refuses it in a closure, which has a copy.
    pub(super) fn change_this(&mut self, at: Position) -> Compiled<()> {
        if self.copies_this {
            return refuse(CHANGES_COPY, at);
        }
        self.all.changing.functions.insert(self.number);
        Ok(())
    }

    /// Notes that a function is called on what begins in a register; it may change that.
    pub(super) fn call_on(&mut self, root: Reg, function: u16, at: Position) {
        let (loops, number) = (self.loops.len(), self.number);
        if root == THIS {
            match self.copies_this {
                true => self.all.refuse_if(function, CHANGES_COPY, at),
                false => self.all.changing.calls.push((number, function)),
            }
        } else if let Some(variable) = self.variable_in(root) {
            if variable.captured {
                let why = captured(&variable.name);
                self.all.refuse_if(function, why, at);
            } else if loops > variable.loops {
                variable.called.push(function);
            }
        }
    }

    pub(super) fn variable_in(&mut self, register: Reg) -> Option<&mut Variable> {
        self.variables.iter_mut().rev().find(|variable| variable.register == register)
    }

    /// Compiles within a scope of its own: its variables are gone afterwards.
    pub(super) fn scoped<T>(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Compiled<T>,
    ) -> Compiled<T> {
        let (variables, free) = (self.variables.len(), self.free);
        let result = inside(self);
        self.variables.truncate(variables);
        self.free = free;
        result
    }

    pub(super) fn emit(&mut self, op: Op, at: Position) {
        if let (Op::Move { to, from }, Some(last)) = (op, self.code.last_mut())
            && self.landing != self.places.len()
            && self.places.last().is_some_and(|place| place.at.line() == at.line())
            && let Some(joined) = joined(*last, to, from)
        {
            *last = joined;
            return;
        }
        self.code.push(op);
        self.places.push(Place { at, root: self.root });
    }

    pub(super) fn emit_jump(&mut self, op: Op, at: Position) -> Hole {
        self.emit(op, at);
        Hole(self.code.len() - 1)
    }

    pub(super) fn here(&mut self) -> u32 {
        self.landing = self.code.len();
        self.code.len() as u32
    }

    pub(super) fn land(&mut self, hole: Hole) {
        let here = self.here();
        self.aim(hole, here);
    }

    pub(super) fn land_all(&mut self, holes: Vec<Hole>) {
        for hole in holes {
            self.land(hole);
        }
    }

    pub(super) fn aim(&mut self, hole: Hole, target: u32) {
        match &mut self.code[hole.0] {
            Op::Jump { to }
            | Op::JumpIf { to, .. }
            | Op::JumpIfNot { to, .. }
            | Op::JumpCompared { to, .. }
            | Op::JumpSome { to, .. }
            | Op::Next { end: to, .. }
            | Op::Count { end: to, .. } => *to = target,
            other => unreachable!("{other:?} is not a jump"),
        }
    }

    pub(super) fn constant(&mut self, value: Value, at: Position) -> Compiled<Reg> {
        self.all.constant(value, at)
    }

    pub(super) fn unit(&mut self, to: Reg, at: Position) -> Compiled<()> {
        let from = self.constant(Value::Unit, at)?;
        self.emit(Op::Move { to, from }, at);
        Ok(())
    }
}

/// A move and the one behind it as one, where they fill registers one after another.
fn joined(last: Op, next: Reg, from: Reg) -> Option<Op> {
    match last {
        Op::Move { to, from: a } if to + 1 == next => Some(Op::MoveTwo { to, a, b: from }),
        Op::MoveTwo { to, a, b } if to + 2 == next => Some(Op::MoveThree { to, a, b, c: from }),
        _ => None,
    }
}
