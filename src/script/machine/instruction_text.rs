//! Instructions in words: what `fracas doc --code` prints beside the lines of a script.

use serde::{Serialize, Serializer};

use super::code::{CONSTANT, Op, Path, Program, Reg, StepTarget, THIS};
use super::convert::to_dynamic;
use super::natives::Native;
use super::value::Value;
use crate::error::Location;
use crate::script::Rules;
use crate::script::assemble::replace_tokens::BELOW;

/// An instruction of a function, as people read it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CodeLine {
    /// Its number in the function; jumps name it.
    pub number: usize,
    /// What it does.
    #[serde(rename = "does")]
    pub text: String,
    /// The place in the script that it comes from, as `FILE:LINE:COLUMN`.
    #[serde(serialize_with = "in_a_word")]
    pub at: Option<Location>,
}

/// A function's instructions.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Listing {
    /// The function's name.
    #[serde(rename = "function")]
    pub name: String,
    /// How many parameters it has.
    pub params: u16,
    /// Where its body begins, as `FILE:LINE:COLUMN`.
    #[serde(serialize_with = "in_a_word")]
    pub at: Option<Location>,
    /// The instructions in their order.
    #[serde(rename = "code")]
    pub lines: Vec<CodeLine>,
}

fn in_a_word<S: Serializer>(at: &Option<Location>, serializer: S) -> Result<S::Ok, S::Error> {
    at.as_ref().map(ToString::to_string).serialize(serializer)
}

impl Rules {
    /// The instructions of the functions of a name, the overridden ones too.
    pub(crate) fn listings(&self, name: &str) -> Vec<Listing> {
        let program = self.runner.program();
        let named = program
            .functions
            .iter()
            .filter(|function| self.sources.plain_name(&function.name) == name);
        named
            .map(|function| Listing {
                name: name.to_owned(),
                params: function.params,
                at: self.sources.locate(function.begins),
                lines: function
                    .code
                    .iter()
                    .zip(&function.places)
                    .enumerate()
                    .map(|(number, (op, place))| CodeLine {
                        number,
                        text: InstructionWords(program).op(*op),
                        at: self.sources.locate(place.at),
                    })
                    .collect(),
            })
            .collect()
    }
}

/// Says what instructions of a program do.
struct InstructionWords<'p>(&'p Program);

impl InstructionWords<'_> {
    fn op(&self, op: Op) -> String {
        let r = |register: Reg| self.register(register);
        let path = |number: u16| self.path(&self.0.paths[number as usize]);
        let run = |from: Reg, count: u16| self.registers(from, count);
        match op {
            Op::Move { to, from } => format!("{} = {}", r(to), r(from)),
            Op::MoveTwo { to, a, b } => format!("{} = {}, {}", run(to, 2), r(a), r(b)),
            Op::MoveThree { to, a, b, c } => {
                format!("{} = {}, {}, {}", run(to, 3), r(a), r(b), r(c))
            }
            Op::Take { to, from } => format!("{} = take {}", r(to), r(from)),
            Op::Clear { at } => format!("empty {}", r(at)),
            Op::Binary { by, to, a, b } => format!("{} = {} {} {}", r(to), r(a), by.symbol(), r(b)),
            Op::Change { by, to, b } => format!("{} {}= {}", r(to), by.symbol(), r(b)),
            Op::Not { to, from } => format!("{} = !{}", r(to), r(from)),
            Op::Negate { to, from } => format!("{} = -{}", r(to), r(from)),
            Op::Jump { to } => format!("continue at {to}"),
            Op::JumpIf { wanted, when, to } => {
                format!("continue at {to} if {}{}", if wanted { "" } else { "not " }, r(when))
            }
            Op::JumpIfNot { wanted, when, to } => {
                format!("continue at {to} if {}{}", if wanted { "not " } else { "" }, r(when))
            }
            Op::JumpCompared { by, wanted, a, b, to } => {
                let not = if wanted { "" } else { "not " };
                format!("continue at {to} if {not}{} {} {}", r(a), by.symbol(), r(b))
            }
            Op::JumpSome { when, to } => format!("continue at {to} if {} is not ()", r(when)),
            Op::Read { to, path: from } => format!("{} = {}", r(to), path(from)),
            Op::Write { path: to, from, .. } => format!("{} = {}", path(to), r(from)),
            Op::Modify { by, path: to, from } => {
                format!("{} {}= {}", path(to), by.symbol(), r(from))
            }
            Op::List { to, from, count } => format!("{} = [{}]", r(to), run(from, count)),
            Op::Map { to, from, shape } => {
                let keys = self.0.shapes[shape as usize].iter().zip(from..);
                let entries: Vec<String> =
                    keys.map(|(key, register)| format!("{key}: {}", r(register))).collect();
                format!("{} = #{{ {} }}", r(to), entries.join(", "))
            }
            Op::Announce { to, from, count, receiver } => {
                format!("{} = {}.emit(text of {})", r(to), r(receiver), run(from, count))
            }
            Op::Text { to, from, count } => format!("{} = text of {}", r(to), run(from, count)),
            Op::Range { to, a, b, inclusive } => {
                format!("{} = {}{}{}", r(to), r(a), if inclusive { "..=" } else { ".." }, r(b))
            }
            Op::Closure { to, from, function, count } => {
                let captured = run(from, count);
                format!("{} = closure {function} with {captured}", r(to))
            }
            Op::Call { function, at, to } => {
                format!("{} = {}", r(to), self.call(function, at))
            }
            Op::CallOn { function, at, to, receiver } => {
                format!("{} = {}.{}", r(to), r(receiver), self.call(function, at))
            }
            Op::CallAt { function, at, to, path: on } => {
                format!("{} = {}.{}", r(to), path(on), self.call(function, at))
            }
            Op::CallValue { at, to, count } => {
                format!("{} = {}.call({})", r(to), r(at), run(at + 1, count))
            }
            Op::Native { site, at, to } => {
                let count = self.0.sites[site as usize].count;
                format!("{} = {}", r(to), self.native(site, at, count))
            }
            Op::NativeOn { site, at, to, receiver } => {
                let count = self.0.sites[site as usize].beside() as u16;
                format!("{} = {}.{}", r(to), r(receiver), self.native(site, at, count))
            }
            Op::NativeAt { site, at, to, path: on } => {
                let count = self.0.sites[site as usize].beside() as u16;
                format!("{} = {}.{}", r(to), path(on), self.native(site, at, count))
            }
            Op::Return { from } => format!("return {}", r(from)),
            Op::Each { state } => format!("walk through {}", r(state)),
            Op::Next { state, to, end } => {
                format!("{} = next of {}, at its end continue at {end}", r(to), r(state))
            }
            Op::Count { state, to, end } => {
                let last = r(state + 1);
                format!("{} = next from {} below {last}, then continue at {end}", r(to), r(state))
            }
            Op::Switch { on, table } => {
                let table = &self.0.tables[table as usize];
                let cases: Vec<String> = table
                    .cases()
                    .iter()
                    .map(|(case, to)| format!("{}: {to}", text(case)))
                    .collect();
                format!("switch {}: {}; else {}", r(on), cases.join(", "), table.otherwise)
            }
            Op::Throw { from } => format!("throw {}", r(from)),
            Op::Ask { what, at, to, .. } => {
                format!("{} = {}({})", r(to), what.name(), run(at, what.arguments()))
            }
        }
    }

    fn register(&self, register: Reg) -> String {
        match register {
            THIS => "this".to_owned(),
            CONSTANT.. => {
                let value = self.0.constants.get((register - CONSTANT) as usize);
                value.map(text).unwrap_or_default()
            }
            number => format!("r{number}"),
        }
    }

    fn registers(&self, from: Reg, count: u16) -> String {
        let all: Vec<String> = (from..from + count).map(|number| self.register(number)).collect();
        all.join(", ")
    }

    fn path(&self, path: &Path) -> String {
        let mut words = self.register(path.root);
        for step in &path.steps {
            let elvis = if step.elvis { "?" } else { "" };
            words += &match &step.to {
                StepTarget::Field(name, _) => format!("{elvis}.{name}"),
                StepTarget::Item(register, _) => format!("{elvis}[{}]", self.register(*register)),
            };
        }
        words
    }

    fn call(&self, function: u16, at: Reg) -> String {
        let function = &self.0.functions[function as usize];
        let name = function.name.replace(BELOW, "@");
        format!("{name}({})", self.registers(at + 1, function.params))
    }

    fn native(&self, site: u16, at: Reg, count: u16) -> String {
        let site = &self.0.sites[site as usize];
        let by_rhai = if matches!(site.native, Native::Rhai) { " by Rhai" } else { "" };
        let arguments = match site.direct {
            Some(register) => self.register(register),
            None => self.registers(at, count),
        };
        format!("{}({arguments}){by_rhai}", site.name)
    }
}

/// A constant as it would be written.
fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{text:?}"),
        other => to_dynamic(other).to_string(),
    }
}
