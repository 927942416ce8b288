//! Handbook entries for the functions that a system's own rules define.

use super::Entry;
use crate::script::{Function, Rules};

/// The functions of rules, in the order of their text; house rules after the rules.
pub fn of_rules(rules: &Rules) -> Vec<Entry> {
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
