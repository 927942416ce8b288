//! The handbook: every function that scripts can call or must define, with its documentation.

mod definitions;
mod entry;
mod find;

pub(crate) use definitions::{ScriptKind, constants_of, definitions, of_rules, of_system};
pub use entry::HandbookEntry;
pub(crate) use entry::{
    CONTRACT_FAMILY, LAB, LANGUAGE, MEASURES, WISHES, YOURS, entries, families,
};
pub(crate) use find::{HandbookMatch, find};
