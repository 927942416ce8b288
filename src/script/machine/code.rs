//! The instructions that rules compile to.
//!
//! An instruction works on the registers of its function: 0 is `this`, then come the parameters,
//! then variables and intermediate values. A register number from [`CONSTANT`] on is one of the
//! program's constants, which can be read like registers.

pub(crate) use super::program::{Function, Path, Place, Program, Shared, Site, Step, StepTarget};
use crate::script::questions::effects::Effect;

/// A register of a function, or from [`CONSTANT`] on a constant of the program.
pub(crate) type Reg = u16;

pub(crate) const CONSTANT: Reg = 0x8000;

pub(crate) const THIS: Reg = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    ExclusiveOr,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// One instruction. `to` takes the result, or is where a jump goes. Aligned, so that its address is found by a shift.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) enum Op {
    Move {
        to: Reg,
        from: Reg,
    },
    /// Copies two values into registers one after another: most moves are those of arguments.
    MoveTwo {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// The same with three.
    MoveThree {
        to: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    /// Takes a value out of the register where it lay between.
    Take {
        to: Reg,
        from: Reg,
    },
    /// Lets go of a value, so that whoever else has it need not copy it to change it.
    Clear {
        at: Reg,
    },
    Binary {
        by: Binary,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// `to += b`, and the like.
    Change {
        by: Binary,
        to: Reg,
        b: Reg,
    },
    Not {
        to: Reg,
        from: Reg,
    },
    Negate {
        to: Reg,
        from: Reg,
    },
    Jump {
        to: u32,
    },
    /// Jumps where a truth value is as wanted.
    JumpIf {
        wanted: bool,
        when: Reg,
        to: u32,
    },
    /// Jumps where `!` of a truth value is as wanted.
    JumpIfNot {
        wanted: bool,
        when: Reg,
        to: u32,
    },
    /// Jumps where a comparison comes out as wanted.
    JumpCompared {
        by: Binary,
        wanted: bool,
        a: Reg,
        b: Reg,
        to: u32,
    },
    /// Jumps where a value is something.
    JumpSome {
        when: Reg,
        to: u32,
    },
    Read {
        to: Reg,
        path: u16,
    },
    /// Writes a value at a path; `take` where it lay in between and is not needed any more.
    Write {
        path: u16,
        from: Reg,
        take: bool,
    },
    /// `path += from`, and the like.
    Modify {
        by: Binary,
        path: u16,
        from: Reg,
    },
    /// A list of the values in registers one after another, which are taken.
    List {
        to: Reg,
        from: Reg,
        count: u16,
    },
    /// A map whose keys the shape names in their order, of the values in registers.
    Map {
        to: Reg,
        from: Reg,
        shape: u16,
    },
    /// Announces a text of parts on the value in a register.
    Announce {
        to: Reg,
        from: Reg,
        count: u16,
        receiver: Reg,
    },
    /// The text of values in registers one after another.
    Text {
        to: Reg,
        from: Reg,
        count: u16,
    },
    Range {
        to: Reg,
        a: Reg,
        b: Reg,
        inclusive: bool,
    },
    /// A closure that captures values in registers one after another.
    Closure {
        to: Reg,
        from: Reg,
        function: u16,
        count: u16,
    },
    /// Calls a function of the script. Its arguments are in the registers after `at`, which becomes
    /// its `this`: what is called on nothing.
    Call {
        function: u16,
        at: Reg,
        to: Reg,
    },
    /// The same on the value in a register, which the function may change.
    CallOn {
        function: u16,
        at: Reg,
        to: Reg,
        receiver: Reg,
    },
    /// The same on the value at a path.
    CallAt {
        function: u16,
        at: Reg,
        to: Reg,
        path: u16,
    },
    /// Calls the closure in `at` with the arguments behind it.
    CallValue {
        at: Reg,
        to: Reg,
        count: u16,
    },
    /// Calls a native on the value at a path, which it may change. The site says where its other arguments are. Nobody
    /// wants what it returns where `to` is [`THIS`].
    Native {
        site: u16,
        path: u16,
        to: Reg,
    },
    Return {
        from: Reg,
    },
    /// Begins to walk through what is in a register: `state` holds it, the one behind it the number of the last item.
    Each {
        state: Reg,
    },
    /// The next item, or the end.
    Next {
        state: Reg,
        to: Reg,
        end: u32,
    },
    /// The next number below the one in `state + 1`, or the end.
    Count {
        state: Reg,
        to: Reg,
        end: u32,
    },
    /// Continues where the table says.
    Switch {
        on: Reg,
        table: u16,
    },
    Throw {
        from: Reg,
    },
    /// Asks; the arguments are in the registers from `at` on.
    Ask {
        what: Effect,
        at: Reg,
        to: Reg,
        receiver: Reg,
    },
}

impl Binary {
    pub(crate) fn compares(self) -> bool {
        use Binary::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        matches!(self, Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
    }

    /// All of them, with how they are written.
    pub(crate) const ALL: [(Binary, &str); 17] = [
        (Binary::Add, "+"),
        (Binary::Subtract, "-"),
        (Binary::Multiply, "*"),
        (Binary::Divide, "/"),
        (Binary::Remainder, "%"),
        (Binary::Power, "**"),
        (Binary::ShiftLeft, "<<"),
        (Binary::ShiftRight, ">>"),
        (Binary::And, "&"),
        (Binary::Or, "|"),
        (Binary::ExclusiveOr, "^"),
        (Binary::Equal, "=="),
        (Binary::NotEqual, "!="),
        (Binary::Less, "<"),
        (Binary::LessOrEqual, "<="),
        (Binary::Greater, ">"),
        (Binary::GreaterOrEqual, ">="),
    ];

    pub(crate) fn written(symbol: &str) -> Option<Binary> {
        Binary::ALL.iter().find(|(_, written)| *written == symbol).map(|(by, _)| *by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_takes_16_bytes() {
        assert_eq!(size_of::<Op>(), 16);
    }
}
