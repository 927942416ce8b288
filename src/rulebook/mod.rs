//! The rulebook: the rules of a system in prose, by the clauses that scripts, messages and cases cite.

mod cited;
mod find;
mod prose;
mod text;

pub use cited::{cited, leading};
pub use find::Clause;
pub use prose::Rulebook;
