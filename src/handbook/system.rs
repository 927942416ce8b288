//! Which functions do a system's own rules have?

use super::Entry;
use crate::script::{Function, Rules};

/// The functions of rules, in the order of their text; house rules after the rules.
pub fn of_rules(rules: &Rules) -> Vec<Entry> {
    let mut functions: Vec<&Function> = rules.functions().collect();
    functions.sort_by_key(|function| (function.layer, function.at.clone()));
    let entry = |function: &Function| Entry {
        family: rules.system().to_owned(),
        name: function.name.clone(),
        signature: format!("{}({})", function.name, function.params.join(", ")),
        text: function.comments.trim().to_owned(),
        example: String::new(),
        at: function.at.clone(),
    };
    functions.into_iter().map(entry).collect()
}
