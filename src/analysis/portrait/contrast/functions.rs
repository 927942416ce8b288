//! The functions of the rules under both sides of a comparison.

use std::ops::AddAssign;

/// A function: the clause of the rules that it is of, its name, and the house rule that it belongs to.
pub(crate) type Name = (Option<String>, String, Option<String>);

/// A function, and how often each side runs it.
#[derive(Clone, Debug)]
pub(crate) struct Function<N> {
    /// Its clause, its name and its house rule.
    pub name: Name,
    /// How often as the rules are.
    pub base: N,
    /// How often under the changed rules.
    pub house: N,
}

/// The functions of both sides, in their order: where a house rule's function runs in place of that of the
/// rules, both are one.
pub(crate) fn side_by_side<N: Copy + Default + AddAssign + PartialOrd>(
    base: impl Iterator<Item = (Name, N)>,
    house: impl Iterator<Item = (Name, N)>,
) -> Vec<Function<N>> {
    let mut found: Vec<Function<N>> = Vec::new();
    let none = N::default();
    let base = base.map(|(name, often)| (name, often, none));
    let house = house.map(|(name, often)| (name, none, often));
    for (name, base, house) in base.chain(house) {
        let is = |one: &&mut Function<N>| (&one.name.1, &one.name.2) == (&name.1, &name.2);
        if let Some(known) = found.iter_mut().find(is) {
            known.base += base;
            known.house += house;
            continue;
        }
        found.push(Function { name, base, house });
    }
    let replaced = |one: &Function<N>| one.name.2.is_none() && one.base > none && one.house == none;
    let old: Vec<Function<N>> = found.iter().filter(|one| replaced(one)).cloned().collect();
    for Function { name: (clause, function, _), base, .. } in old {
        let new = found.iter_mut().find(|one| {
            let is_new = one.name.2.is_some() && one.base == none && one.house > none;
            one.name.1 == function && is_new
        });
        if let Some(new) = new {
            new.base = base;
            new.name.0 = clause.or(new.name.0.take());
            found.retain(|one| one.name.1 != function || !replaced(one));
        }
    }
    found
}
