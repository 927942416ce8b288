//! Finds the natives of compiled rules: primitives, Rhai's own that are ported to the machine's
//! values, and the rest; and says which change what they are called on.

mod basic_values;
mod lists;
mod loops;

use crate::script::primitives;

pub(super) use basic_values::Loop;
pub(crate) use basic_values::Native;
pub(super) use lists::index_of;

pub(super) fn native(name: &str, count: usize) -> Native {
    let forms = primitives::forms(name, count);
    if !forms.is_empty() {
        return Native::Primitive(forms);
    }
    let families = [lists::PORTED, basic_values::PORTED, loops::PORTED];
    let mut all = families.into_iter().flatten();
    let found = all.find(|(known, arguments, _)| *known == name && *arguments == count);
    found.map_or(Native::Rhai, |(.., native)| *native)
}

/// Those that take the same time however much they are given.
pub(super) const LIGHT: [&str; 9] =
    ["push", "pop", "insert", "len", "is_empty", "get", "get_or", "set", "add_token"];

/// Rhai's own functions that change what they are called on.
const CHANGERS: &str = "append chop clear crop dedup drain extract fill_with insert make_lower make_upper mixin pad \
    pop push remove replace retain reverse set shift sort sort_by sort_desc splice split trim truncate";

pub(super) fn changes(name: &str) -> bool {
    CHANGERS.split(' ').any(|one| one == name) || primitives::changes(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_changes_what_it_is_called_on_is_known_to() {
        let families = [lists::PORTED, basic_values::PORTED];
        for (name, _, native) in families.into_iter().flatten() {
            let changing = matches!(native, Native::Change(_));
            assert!(!changing || changes(name), "`{name}`");
        }
        assert!(changes("retain") && changes("sort") && !changes("filter"));
    }
}
