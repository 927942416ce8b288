//! The rulebook: the rules of a system in prose, by the clauses that scripts, messages and cases cite.

mod find;
mod prose;

pub(crate) use find::Clause;
pub(crate) use prose::{Rulebook, cited, cited_above, leading};
