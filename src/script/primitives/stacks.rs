//! What can be done with stacks of tokens and with counts of them? A stack is a list, top first.

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, Dynamic, INT, Map};

use super::values::{
    Changed, Checked, amount, bound, error, fail, find, no_entry, not_negative, texts,
};

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "stacks", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// Pairs two stacks, top with top, downwards. The shorter one is padded at its bottom with `"blank"`.
    ///
    /// `a`, `b`: lists of anything, top first. The result is a list of pairs `[from a, from b]`.
    ///
    /// # Example
    /// `match_stacks(["a", "b"], ["c"])` is `[["a", "c"], ["b", "blank"]]`
    #[rhai_fn(pure)]
    pub fn match_stacks(a: &mut Array, b: Array) -> Array {
        pair(a, b, "blank".into())
    }

    /// Pairs two stacks, top with top, padding the shorter one at its bottom with a blank of your own.
    ///
    /// `a`, `b`: lists of anything, top first. `blank`: what stands where a token is missing.
    ///
    /// # Example
    /// `match_stacks([1, 2], [3], 0)` is `[[1, 3], [2, 0]]`
    #[rhai_fn(name = "match_stacks", pure)]
    pub fn match_stacks_with(a: &mut Array, b: Array, blank: Dynamic) -> Array {
        pair(a, b, blank)
    }

    /// Takes one token of a name from counts. Changes `counts` itself and returns it.
    ///
    /// `counts`: name -> whole number. `what`: a name. The name stays, with 0 if that was the last.
    /// Errors: the name is not there, or has 0 left.
    ///
    /// # Example
    /// `remove_token(#{ red: 2, blue: 1 }, "red")` is `#{ red: 1, blue: 1 }`
    /// `let left = #{ red: 1 }; left.remove_token("red"); left` is `#{ red: 0 }`
    #[rhai_fn(return_raw)]
    pub fn remove_token(counts: &mut Changed<Map>, what: &str) -> Checked<Map> {
        subtract("remove_token", counts, what, 1)?;
        Ok(counts.clone())
    }

    /// Takes several tokens of a name from counts. Changes `counts` itself and returns it.
    ///
    /// `counts`: name -> whole number. `what`: a name. `number`: how many, 0 or more.
    /// Errors: the name is not there, or has fewer left; then nothing is changed.
    ///
    /// # Example
    /// `remove_token(#{ red: 5 }, "red", 3)` is `#{ red: 2 }`
    #[rhai_fn(name = "remove_token", return_raw)]
    pub fn remove_tokens(counts: &mut Changed<Map>, what: &str, number: INT) -> Checked<Map> {
        subtract("remove_token", counts, what, number)?;
        Ok(counts.clone())
    }

    /// Takes the first token that equals a value from a stack. Changes `stack` itself and returns it.
    ///
    /// `stack`: a list, top first. `what`: any value. Error: no token equals it.
    ///
    /// # Example
    /// `remove_token(["a", "b", "a"], "a")` is `["b", "a"]`
    /// `let slots = [1, 1, 2]; slots.remove_token(1); slots` is `[1, 2]`
    #[rhai_fn(name = "remove_token", return_raw)]
    pub fn remove_from_stack(stack: &mut Changed<Array>, what: Dynamic) -> Checked<Array> {
        take_first("remove_token", stack, &what)?;
        Ok(stack.clone())
    }

    /// Takes one token of each name from counts, all at once. Changes `counts` itself and returns it.
    ///
    /// `counts`: name -> whole number. `whats`: a list of names; one named twice loses two.
    /// Errors: a name that is not there, or has too few left; then nothing is changed.
    ///
    /// # Example
    /// `remove_each(#{ red: 4, blue: 4, green: 5 }, ["red", "blue"])` is `#{ red: 3, blue: 3, green: 5 }`
    #[rhai_fn(return_raw)]
    pub fn remove_each(counts: &mut Changed<Map>, whats: Array) -> Checked<Map> {
        let mut rest = counts.clone();
        for name in texts("remove_each", "whats", &whats)? {
            subtract("remove_each", &mut rest, &name, 1)?;
        }
        counts.clone_from(&rest);
        Ok(rest)
    }

    /// Takes from a stack the first equal token for each value. Changes `stack` itself and returns it.
    ///
    /// `stack`: a list, top first. `whats`: a list of values; one named twice is taken twice.
    /// Error: a value without an equal token left; then nothing is changed.
    ///
    /// # Example
    /// `remove_each([1, 1, 1, 2, 2, 3], [2, 1])` is `[1, 1, 2, 3]`
    #[rhai_fn(name = "remove_each", return_raw)]
    pub fn remove_each_from_stack(stack: &mut Changed<Array>, whats: Array) -> Checked<Array> {
        bound("remove_each", stack, whats.len())?;
        let mut rest = stack.clone();
        for what in &whats {
            take_first("remove_each", &mut rest, what)?;
        }
        stack.clone_from(&rest);
        Ok(rest)
    }

    /// Adds one token of a name to counts. Changes `counts` itself and returns it.
    ///
    /// `counts`: name -> whole number. `what`: a name; a new one starts at 0.
    ///
    /// # Example
    /// `add_token(#{ red: 2 }, "blue")` is `#{ red: 2, blue: 1 }`
    #[rhai_fn(return_raw)]
    pub fn add_token(counts: &mut Changed<Map>, what: &str) -> Checked<Map> {
        add(counts, what, 1)?;
        Ok(counts.clone())
    }

    /// Adds several tokens of a name to counts. Changes `counts` itself and returns it.
    ///
    /// `counts`: name -> whole number. `what`: a name; a new one starts at 0. `number`: how many, 0 or more.
    ///
    /// # Example
    /// `add_token(#{ red: 2 }, "red", 3)` is `#{ red: 5 }`
    #[rhai_fn(name = "add_token", return_raw)]
    pub fn add_tokens(counts: &mut Changed<Map>, what: &str, number: INT) -> Checked<Map> {
        add(counts, what, number)?;
        Ok(counts.clone())
    }

    /// Adds counts to counts, name by name. Changes `counts` itself and returns it.
    ///
    /// `counts`, `more`: name -> whole number of 0 or more; a new name starts at 0.
    ///
    /// # Example
    /// `add_each(#{ red: 2, blue: 1 }, #{ red: 3, green: 1 })` is `#{ red: 5, blue: 1, green: 1 }`
    #[rhai_fn(return_raw)]
    pub fn add_each(counts: &mut Changed<Map>, more: Map) -> Checked<Map> {
        let mut sums = counts.clone();
        for (name, number) in &more {
            let number = amount("add_each", format_args!("more.{name}"), number)?;
            add(&mut sums, name, number)?;
        }
        counts.clone_from(&sums);
        Ok(sums)
    }

    /// Takes as many tokens of a name as there are, up to a number, and returns how many. Changes `counts` itself.
    ///
    /// `counts`: name -> whole number. `what`: a name. `number`: the most to take, 0 or more.
    /// Error: the name is not there.
    ///
    /// # Example
    /// `take_up_to(#{ red: 4 }, "red", 6)` is `4`
    /// `let supply = #{ red: 4 }; supply.take_up_to("red", 1); supply` is `#{ red: 3 }`
    #[rhai_fn(return_raw)]
    pub fn take_up_to(counts: &mut Changed<Map>, what: &str, number: INT) -> Checked<INT> {
        let have = have("take_up_to", counts, what)?;
        let taken = have.min(not_negative("take_up_to", "number", number)?);
        subtract("take_up_to", counts, what, taken)?;
        Ok(taken)
    }

    /// Puts a token on top of a stack. Changes `stack` itself and returns it.
    ///
    /// `stack`: a list, top first. `token`: any value.
    ///
    /// # Example
    /// `put_on_top(["b", "c"], "a")` is `["a", "b", "c"]`
    #[rhai_fn()]
    pub fn put_on_top(stack: &mut Changed<Array>, token: Dynamic) -> Array {
        stack.insert(0, token);
        stack.clone()
    }

    /// Puts a token under a stack. Changes `stack` itself and returns it.
    ///
    /// `stack`: a list, top first. `token`: any value.
    ///
    /// # Example
    /// `put_at_bottom(["a", "b"], "c")` is `["a", "b", "c"]`
    #[rhai_fn()]
    pub fn put_at_bottom(stack: &mut Changed<Array>, token: Dynamic) -> Array {
        stack.push(token);
        stack.clone()
    }
}

fn pair(a: &Array, b: Array, blank: Dynamic) -> Array {
    let height = a.len().max(b.len());
    let mut b = b.into_iter();
    (0..height)
        .map(|i| {
            let mine = a.get(i).unwrap_or(&blank).clone();
            let yours = b.next().unwrap_or_else(|| blank.clone());
            Dynamic::from_array(vec![mine, yours])
        })
        .collect()
}

fn have(function: &str, counts: &Map, what: &str) -> Checked<INT> {
    match counts.get(what) {
        Some(count) => match count.as_int() {
            Ok(count) if count >= 0 => Ok(count),
            _ => amount(function, format!("counts.{what}"), count),
        },
        None => Err(no_entry(function, "counts", counts, what)),
    }
}

fn subtract(function: &str, counts: &mut Map, what: &str, number: INT) -> Checked<()> {
    let have = have(function, counts, what)?;
    if not_negative(function, "number", number)? > have {
        return fail(
            function,
            format!("`counts.{what}` is {have}, so {number} cannot be taken from it"),
        );
    }
    counts.insert(what.into(), Dynamic::from_int(have - number));
    Ok(())
}

fn add(counts: &mut Map, what: &str, number: INT) -> Checked<()> {
    not_negative("add_token", "number", number)?;
    let have = if counts.contains_key(what) { have("add_token", counts, what)? } else { 0 };
    let sum = have
        .checked_add(number)
        .ok_or_else(|| error("add_token", format!("`counts.{what}` becomes too large")))?;
    counts.insert(what.into(), Dynamic::from_int(sum));
    Ok(())
}

fn take_first(function: &str, stack: &mut Array, what: &Dynamic) -> Checked<()> {
    let place = find(function, "stack", stack, what)?;
    drop(stack.remove(place));
    Ok(())
}
