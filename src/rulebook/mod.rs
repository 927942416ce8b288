//! The rulebook: the rules of a system in prose, by the clauses that scripts, messages and cases cite.

mod citations;
mod find;
mod prose;

pub(crate) use citations::{cited, leading};
pub(crate) use find::Clause;
pub(crate) use prose::{Rulebook, cited_above};
