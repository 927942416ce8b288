//! What can a script call, and what must it define? Everything with a text, in one list.

mod contract;
mod entry;
mod find;
mod system;

pub use entry::{Entry, entries, families};
pub use find::{Found, find};
pub use system::of_rules;
