//! Compiled rules: functions with their instructions, and what those refer to: paths, calls, tables.

use hashbrown::HashMap;
use std::sync::Arc;

use rhai::Position;

use super::code::{Op, Reg};
use super::interned_texts::Texts;
use super::jump_table::SwitchTable;
use super::natives::Native;
use super::value::{KeyPlace, Text, Value};

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub to: StepTarget,
    /// Whether nothing has nothing: `?.`, `?[`.
    pub(crate) elvis: bool,
    /// The place of the key or index.
    pub at: Position,
    pub whole: Position,
}

#[derive(Clone, Debug)]
pub(crate) enum StepTarget {
    Field(Text, KeyPlace),
    Item(Reg, KeyPlace),
}

/// A place: a register, then steps into what it holds.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub root: Reg,
    pub steps: Box<[Step]>,
}

#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub name: Text,
    /// How many arguments it has, with what it is called on.
    pub count: u16,
    /// Whether it may change what it is called on.
    pub changes: bool,
    /// Whether it takes the same time however much it is given.
    pub light: bool,
    /// Whether what it makes of the same arguments is kept.
    pub keeps: bool,
    /// Where the arguments are beside what it is called on.
    pub(crate) rest: Box<[Reg]>,
    /// The registers of intermediate values among all that it is given: the first of them, and how many.
    pub(crate) between: (Reg, u16),
    pub native: Native,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub at: Position,
    /// Where the chain begins that it belongs to.
    pub root: Position,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub params: u16,
    pub(crate) registers: u16,
    pub code: Vec<Op>,
    pub places: Vec<Place>,
    pub begins: Position,
    /// Whether it is a closure that uses the `this` of the function that makes it.
    pub(crate) binds_this: bool,
}

/// Rules, compiled. Shared by all machines of a thread that run them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub functions: Vec<Function>,
    /// The functions in force, by name and number of parameters.
    pub named: HashMap<String, Vec<(usize, u16)>>,
    pub constants: Vec<Value>,
    pub paths: Vec<Path>,
    pub(crate) shapes: Vec<Box<[Text]>>,
    pub tables: Vec<SwitchTable>,
    pub(crate) sites: Vec<Site>,
    /// The texts that the script writes down.
    pub texts: Texts,
}

impl Program {
    pub(crate) fn function(&self, name: &str, params: usize) -> Option<u16> {
        let named = self.named.get(name)?;
        named.iter().find(|(count, _)| *count == params).map(|(_, number)| *number)
    }

    /// A copy for another thread, which shares with this one nothing that either writes while it runs: threads that count
    /// the uses of one list wait for each other.
    pub(crate) fn apart(&self) -> Program {
        let mut apart = self.clone();
        apart.constants.iter_mut().for_each(Value::part);
        apart
    }

    /// About how many operations it took to convert the constants that it names.
    pub(crate) fn converting(&self) -> u64 {
        self.constants.iter().map(|constant| constant.size().converting()).sum()
    }
}

pub(crate) type Shared = Arc<Program>;
