//! The handbook: every function that scripts can call or must define, with its documentation.

mod contract;
mod definitions;
mod entry;
mod find;
mod system;
mod text;

pub use definitions::{Reader, definitions, of_system};
pub use entry::{
    CONTRACT_FAMILY, Entry, LAB, LANGUAGE, MEASURES, WISHES, YOURS, entries, families,
};
pub use find::{Found, find};
pub use system::{constants_of, of_rules};
