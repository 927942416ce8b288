//! What do rules call for the heavy and fiddly parts? Functions on plain data that know no system.
//!
//! A primitive takes the rule's values as arguments and returns plain data; it never asks, rolls
//! or remembers. Each family is a file whose doc comments are the documentation that people
//! read, with examples that a test runs. None panics, and none makes more than
//! 100,000 items.

mod columns;
mod counting;
mod documentation;
mod grid;
mod hands;
mod links;
mod lists;
mod order;
mod payments;
mod places;
mod stacks;
mod stress;
mod tiles;
mod values;

pub(crate) use documentation::describe;
pub(super) use documentation::of_module;
pub use documentation::{Doc, documentation};

use rhai::Module;

/// A family of primitives: its name and what registers it.
type Family = (&'static str, fn(&mut Module));

/// All families, by name.
const FAMILIES: [Family; 12] = [
    ("columns", columns::register),
    ("counting", counting::register),
    ("grid", grid::register),
    ("hands", hands::register),
    ("links", links::register),
    ("lists", lists::register),
    ("order", order::register),
    ("payments", payments::register),
    ("places", places::register),
    ("stacks", stacks::register),
    ("stress", stress::register),
    ("tiles", tiles::register),
];

/// All primitives, to be registered as a global module of an engine.
pub fn module() -> Module {
    let mut module = Module::new();
    for (_, register) in FAMILIES {
        register(&mut module);
    }
    module.build_index();
    module
}

#[cfg(test)]
mod tests;
