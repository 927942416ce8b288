//! The primitives: functions on plain data for the heavy and fiddly parts of rules.
//!
//! A primitive takes the rule's values as arguments and returns plain data; it knows no system, and
//! never asks, rolls or remembers. Each family is a file whose doc comments are the documentation
//! that people read, with examples that a test runs. None panics, and none makes more than 100,000
//! items. Rules call them on the machine's values; the lab and the prompt through Rhai.

pub(super) mod distribution;

mod adapter;
mod board;
mod campaign;
mod counting;
mod documentation;
mod grid;
mod lists;
mod order;
mod payments;
mod primitive;
mod read_arguments;
mod stacks;
mod stress;

pub(super) use campaign::pair;
pub use documentation::documentation;
pub(crate) use documentation::{Doc, describe};
pub(crate) use primitive::Primitive;

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use rhai::Module;

const FAMILIES: [(&str, &[Primitive]); 13] = [
    ("campaign", campaign::FAMILY),
    ("columns", lists::COLUMNS),
    ("counting", counting::FAMILY),
    ("grid", grid::GRID),
    ("hands", board::HANDS),
    ("links", board::LINKS),
    ("lists", lists::LISTS),
    ("order", order::FAMILY),
    ("payments", payments::FAMILY),
    ("places", board::PLACES),
    ("stacks", stacks::FAMILY),
    ("stress", stress::FAMILY),
    ("tiles", grid::TILES),
];

fn all() -> impl Iterator<Item = &'static Primitive> {
    FAMILIES.iter().flat_map(|(_, family)| *family)
}

/// By name, the forms for each number of arguments.
type Forms = HashMap<&'static str, BTreeMap<usize, Vec<Primitive>>>;

static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    let mut forms = Forms::new();
    for primitive in all() {
        let named = forms.entry(primitive.name).or_default();
        named.entry(primitive.parameters.len()).or_default().push(*primitive);
    }
    forms
});

/// The forms of a primitive that take this many arguments; none where there is no such primitive.
pub fn forms(name: &str, arguments: usize) -> &'static [Primitive] {
    let forms = FORMS.get(name).and_then(|forms| forms.get(&arguments));
    forms.map_or(&[], Vec::as_slice)
}

/// Whether a primitive changes its first argument.
pub fn changes(name: &str) -> bool {
    all().any(|one| one.name == name && one.changes())
}

/// All primitives, to be registered as a global module of an engine.
pub fn module() -> Module {
    let mut module = Module::new();
    for primitive in all() {
        adapter::register(&mut module, *primitive);
    }
    module.build_index();
    module
}

#[cfg(test)]
mod tests;
