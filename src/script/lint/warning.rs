//! Warnings: what a script does that is legal but probably a mistake, as fields that nothing writes or reads.

use std::collections::BTreeSet;
use std::fmt;

use rhai::{AST, Scope};

use crate::error::{Location, hint};
use crate::game::Value;
use crate::script::assemble::source::Sources;
use crate::script::lint;
use crate::script::lint::oddities::oddities;

/// A thing worth a word that does not keep the script from running.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// What is odd.
    pub message: String,
    /// Where.
    pub at: Option<Location>,
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
    /// The fields of a script.
    pub(in crate::script) fn of(ast: &AST) -> Fields {
        Fields { written: lint::written_fields(ast), declared: lint::declared_fields(ast) }
    }

    /// Adds a field that something beside the script brings.
    pub(in crate::script) fn declare(&mut self, name: &str) {
        self.written.insert(name.to_owned());
        self.declared.insert(name.to_owned());
    }

    /// Adds all names that constants hold.
    pub(in crate::script) fn declare_constants(&mut self, constants: &Scope<'_>) {
        let mut names = BTreeSet::new();
        constants.iter_raw().for_each(|(_, _, value)| lint::keys_of(value, &mut names));
        names.iter().for_each(|name| self.declare(name));
    }

    /// Adds all names in a value.
    pub(crate) fn declare_all(&mut self, value: &Value) {
        value.names(&mut |name| self.declare(name));
    }

    /// Adds the fields of another script.
    pub fn join(&mut self, other: &Fields) {
        self.written.extend(other.written.iter().cloned());
        self.declared.extend(other.declared.iter().cloned());
    }
}

/// All warnings about a script that may meet these fields.
pub(in crate::script) fn warnings(ast: &AST, fields: &Fields, sources: &Sources) -> Vec<Warning> {
    let warn = |field: lint::UnknownField| {
        let near = hint(&field.nearest);
        Warning {
            message: format!("nothing here writes the field `{}`{near}", field.name),
            at: sources.locate(field.position),
        }
    };
    let unknown = lint::unknown_fields(ast, &fields.written).into_iter().map(warn);
    let odd = oddities(ast, &fields.declared)
        .into_iter()
        .map(|odd| Warning { message: odd.message, at: sources.locate(odd.position) });
    unknown.chain(odd).collect()
}
