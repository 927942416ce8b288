//! What does a blow do to somebody with slots for harm, and how is an amount dealt out?

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, Map};

use super::values::{Checked, amount, fail, not_negative, texts};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "stress", functions);
}

#[export_module]
mod functions {
    use super::*;

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
    #[rhai_fn(return_raw, pure)]
    pub fn apply_stress(slots: &mut Array, stress: INT) -> Checked<Map> {
        not_negative("apply_stress", "stress", stress)?;
        let mut ratings = Vec::with_capacity(slots.len());
        for (i, slot) in slots.iter().enumerate() {
            ratings.push(amount("apply_stress", format_args!("slots[{i}]"), slot)?);
        }
        let highest = ratings.iter().copied().max().unwrap_or(0);
        ratings.retain(|&rating| stress > 0 && rating >= stress);
        ratings.sort_unstable();
        ratings.dedup();
        let suffices = stress == 0 || !ratings.is_empty();
        let (taken, rest) = if suffices { (0, 0) } else { (highest, stress - highest) };
        let mut result = Map::new();
        let options: Array = ratings.into_iter().map(Dynamic::from_int).collect();
        result.insert("options".into(), options.into());
        result.insert("taken".into(), taken.into());
        result.insert("rest".into(), rest.into());
        Ok(result)
    }

    /// Deals an amount out one by one, in the order of the names, again and again.
    ///
    /// `amount`: a whole number of 0 or more. `names`: who gets of it, each once; at least one if there is an amount.
    /// The result is a map name -> share; the first names get one more where it does not come out even.
    ///
    /// # Example
    /// `deal_out(5, ["ayla", "bran", "cole"])` is `#{ ayla: 2, bran: 2, cole: 1 }`
    #[rhai_fn(return_raw)]
    pub fn deal_out(amount: INT, names: Array) -> Checked<Map> {
        let all = texts("deal_out", "names", &names)?;
        let count = all.len() as INT;
        if not_negative("deal_out", "amount", amount)? > 0 && count == 0 {
            return fail("deal_out", format!("there are no `names` to deal {amount} to"));
        }
        let mut shares = Map::new();
        for (i, name) in all.iter().enumerate() {
            let share = amount / count + INT::from((i as INT) < amount % count);
            if shares.insert(name.as_str().into(), share.into()).is_some() {
                return fail("deal_out", format!("`names` has `{name}` twice"));
            }
        }
        Ok(shares)
    }
}
