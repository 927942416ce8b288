//! Handbook entries for the functions and constants that a system's own rules define.

use super::Entry;
use crate::render::cut;
use crate::script::{Definition, Function, Rules};

/// The longest line of a constant that stands for it.
const LONGEST: usize = 60;

/// The functions of rules, in the order of their text; house rules after the rules.
pub(crate) fn of_rules(rules: &Rules) -> Vec<Entry> {
    let mut functions: Vec<&Function> = rules.functions().collect();
    functions.sort_by_key(|function| (function.layer, function.at.clone()));
    let family = |layer: usize| match layer.checked_sub(1).and_then(|i| rules.house().get(i)) {
        Some(house) => format!("house rule {house}"),
        None => rules.system().to_owned(),
    };
    let entry = |function: &Function| Entry {
        family: family(function.layer),
        name: function.name.clone(),
        signature: format!("{}({})", function.name, function.params.join(", ")),
        text: function.comments.trim().to_owned(),
        example: String::new(),
        at: function.at.clone(),
    };
    functions.into_iter().map(entry).collect()
}

/// The constants of rules that are in force, in the order of their text; a house rule's instead of those
/// that it replaces.
pub(crate) fn constants_of(rules: &Rules) -> Vec<Entry> {
    let all = rules.definitions();
    let constants: Vec<&Definition> = all.iter().filter(|one| one.constant).collect();
    let is_top = |one: &&Definition| {
        constants.iter().all(|other| other.name != one.name || other.layer <= one.layer)
    };
    let entry = |one: &Definition| {
        let source = one.text.lines().find(|line| line.trim_start().starts_with("const "));
        Entry {
            family: match one.layer.checked_sub(1).and_then(|at| rules.house().get(at)) {
                Some(house) => format!("house rule {house}"),
                None => rules.system().to_owned(),
            },
            name: one.name.clone(),
            signature: cut(source.unwrap_or_default().trim(), LONGEST),
            text: one.comments.trim().to_owned(),
            example: String::new(),
            at: Some(one.at.clone()),
        }
    };
    constants.iter().copied().filter(is_top).map(entry).collect()
}
