//! Marks slots as harmed, and distributes an amount among names.

use crate::script::machine::value::{Map, Text, Value};
use macro_rules_attribute::apply;

use super::primitive::{Primitive, family, primitive};
use super::read_arguments::{Checked, amount, not_negative, texts};

pub(super) const FAMILY: &[Primitive] = family! { apply_stress, deal_out };

/// What stress does to free slots: which of them may take it, or what the highest takes and what is left over.
///
/// `slots`: the ratings of the free slots, whole numbers. `stress`: 0 or more. Nothing is changed.
/// The result is `#{ options, taken, rest }`.
/// `options`: the ratings that suffice, each once, lowest first; then `taken` and `rest` are 0.
/// Where none suffices, `options` is empty, `taken` is the highest free rating (0 if no slot is
/// free) and `rest` the stress beyond it. Stress 0 needs no slot.
///
/// # Example
/// `apply_stress([1, 1, 2, 3], 2)` is `#{ options: [2, 3], taken: 0, rest: 0 }`
/// `apply_stress([1, 2, 3], 5)` is `#{ options: [], taken: 3, rest: 2 }`
/// `apply_stress([], 2)` is `#{ options: [], taken: 0, rest: 2 }`
#[apply(primitive!)]
pub fn apply_stress(slots: &[Value], stress: i64) -> Checked<Map> {
    not_negative("stress", stress)?;
    let mut ratings = Vec::with_capacity(slots.len());
    for (i, slot) in slots.iter().enumerate() {
        ratings.push(amount(format_args!("slots[{i}]"), slot)?);
    }
    let highest = ratings.iter().copied().max().unwrap_or(0);
    ratings.retain(|&rating| stress > 0 && rating >= stress);
    ratings.sort_unstable();
    ratings.dedup();
    let suffices = stress == 0 || !ratings.is_empty();
    let (taken, rest) = if suffices { (0, 0) } else { (highest, stress - highest) };
    let found = [
        ("options", Value::list(ratings.into_iter().map(Value::Int).collect())),
        ("taken", Value::Int(taken)),
        ("rest", Value::Int(rest)),
    ];
    Ok(found.into_iter().map(|(key, value)| (Text::word(key), value)).collect())
}

/// Deals an amount out one by one, in the order of the names, again and again.
///
/// `amount`: a whole number of 0 or more. `names`: who gets of it, each once; at least one if there is an amount.
/// The result is a map name -> share; the first names get one more where it does not come out even.
///
/// # Example
/// `deal_out(5, ["ayla", "bran", "cole"])` is `#{ ayla: 2, bran: 2, cole: 1 }`
#[apply(primitive!)]
pub fn deal_out(amount: i64, names: &[Value]) -> Checked<Map> {
    let all = texts("names", names)?;
    let count = all.len() as i64;
    if not_negative("amount", amount)? > 0 && count == 0 {
        return Err(format!("there are no `names` to deal {amount} to"));
    }
    let mut shares = Map::default();
    for (i, name) in all.into_iter().enumerate() {
        let share = amount / count + i64::from((i as i64) < amount % count);
        if shares.get_text(name).is_some() {
            return Err(format!("`names` has `{name}` twice"));
        }
        shares.insert(name.clone(), Value::Int(share));
    }
    Ok(shares)
}
