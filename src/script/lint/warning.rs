//! Warnings: what a script does that is legal but probably a mistake, as fields that nothing writes or reads.

use std::collections::BTreeSet;
use std::fmt;

use rhai::{AST, Scope};

use crate::error::{Location, hint, nearest};
use crate::game::Value;
use crate::script::assemble::function_uses::FunctionUses;
use crate::script::assemble::join::RuleFunction;
use crate::script::assemble::layers::CONTRACT;
use crate::script::assemble::source::Sources;
use crate::script::lint;
use crate::script::lint::oddities::{Oddity, oddities};

/// A thing worth a word that does not keep the script from running.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// What is odd.
    pub message: String,
    /// Where.
    pub at: Option<Location>,
}

impl Warning {
    /// Of a function that nothing calls, given by its name, the number of its parameters and its place: where it is nearly
    /// called like one that `place` may define with as many, and does not.
    pub(crate) fn of_idle(
        (name, parameters, at): (&str, usize, Option<Location>),
        absent: &[(&str, usize)],
        place: &str,
    ) -> Option<Warning> {
        let meant = absent.iter().filter(|(_, count)| *count == parameters);
        let near = nearest(name, meant.map(|(name, _)| *name));
        near.is_some().then(|| Warning {
            message: format!("nothing in {place} calls `{name}`{}", hint(&near)),
            at,
        })
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
        write!(f, "warning: {at}{}", self.message)
    }
}

/// The fields that there may be.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// All that something brings or writes.
    pub(in crate::script) written: BTreeSet<String>,
    /// Those that more than an assignment brings.
    declared: BTreeSet<String>,
}

impl Fields {
    pub(in crate::script) fn of(ast: &AST) -> Fields {
        let [declared, mut written] = lint::fields(ast);
        written.extend(declared.iter().cloned());
        Fields { written, declared }
    }

    /// Adds a field that something beside the script brings.
    pub(in crate::script) fn declare(&mut self, name: &str) {
        self.written.insert(name.to_owned());
        self.declared.insert(name.to_owned());
    }

    pub(in crate::script) fn declare_constants(&mut self, constants: &Scope<'_>) {
        let mut names = BTreeSet::new();
        constants.iter_raw().for_each(|(_, _, value)| lint::keys_of(value, &mut names));
        names.iter().for_each(|name| self.declare(name));
    }

    pub(crate) fn declare_all(&mut self, value: &Value) {
        value.names(&mut |name| self.declare(name));
    }

    /// Adds the fields of another script.
    pub fn join(&mut self, other: &Fields) {
        self.written.extend(other.written.iter().cloned());
        self.declared.extend(other.declared.iter().cloned());
    }
}

pub(in crate::script) fn warnings(ast: &AST, fields: &Fields, sources: &Sources) -> Vec<Warning> {
    let unknown = lint::unknown_fields(ast, &fields.written).into_iter();
    let odd = unknown.chain(oddities(ast, &fields.declared));
    odd.map(|Oddity { message, position }| Warning { message, at: sources.locate(position) })
        .collect()
}

/// Warnings about functions of rules that nothing in the rules calls, and that are nearly called like one which rules
/// may define and these do not. Agents and systems that import these rules may call any function: only one that takes
/// as many parameters as the one of the nearest name is warned of.
pub(in crate::script) fn misspelled(ast: &AST, functions: &[&RuleFunction]) -> Vec<Warning> {
    let uses = FunctionUses::of(ast, |_| true);
    let called: BTreeSet<&str> = uses.calls().map(|(_, call)| &*call.key.0).collect();
    let is_idle = |function: &&RuleFunction| {
        let name = &function.name;
        CONTRACT.iter().all(|(known, _)| known != name) && !called.contains(&**name)
    };
    let is_absent = |name: &str| functions.iter().all(|function| function.name != name);
    let absent: Vec<(&str, usize)> =
        CONTRACT.iter().copied().filter(|(name, _)| is_absent(name)).collect();
    let warned = |function: &RuleFunction| {
        let of = (function.name.as_str(), function.params.len(), function.at.clone());
        Warning::of_idle(of, &absent, "these rules")
    };
    functions.iter().copied().filter(is_idle).filter_map(warned).collect()
}
