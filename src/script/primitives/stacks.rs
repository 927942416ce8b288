//! Pairs stacks of tokens, and adds and removes tokens. A stack is a list, top first.

use std::sync::LazyLock;

use crate::script::machine::value::{List, Map, Text, Value};
use macro_rules_attribute::apply;

use super::primitive::{Itself, Primitive, family, itself, primitive};
use super::read_arguments::{Checked, amount, entry, find, no_entry, not_negative};

pub(super) const FAMILY: &[Primitive] = family! {
    match_stacks, match_stacks_with as match_stacks, remove_token, remove_tokens as remove_token,
    remove_from_stack as remove_token, add_token, add_tokens as add_token, add_each, take_up_to,
    put_on_top,
};

/// Pairs two stacks, top with top, downwards. The shorter one is padded at its bottom with `"blank"`.
///
/// `a`, `b`: lists of anything, top first. The result is a list of pairs `[from a, from b]`.
///
/// # Example
/// `match_stacks(["a", "b"], ["c"])` is `[["a", "c"], ["b", "blank"]]`
#[apply(primitive!)]
pub fn match_stacks(a: &[Value], b: &[Value]) -> Vec<Value> {
    pair(a, b, &Value::Text(BLANK.clone()))
}

/// Pairs two stacks, top with top, padding the shorter one at its bottom with a blank of your own.
///
/// `a`, `b`: lists of anything, top first. `blank`: the value for a missing token.
///
/// # Example
/// `match_stacks([1, 2], [3], 0)` is `[[1, 3], [2, 0]]`
#[apply(primitive!)]
pub fn match_stacks_with(a: &[Value], b: &[Value], blank: &Value) -> Vec<Value> {
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
#[apply(primitive!)]
pub fn remove_token(counts: &mut Map, what: &Text) -> Checked<Itself<Map>> {
    subtract(counts, what, 1)?;
    itself()
}

/// Takes several tokens of a name from counts. Changes `counts` itself and returns it.
///
/// `counts`: name -> whole number. `what`: a name. `number`: how many, 0 or more.
/// Errors: the name is not there, or has fewer left; then nothing is changed.
///
/// # Example
/// `remove_token(#{ red: 5 }, "red", 3)` is `#{ red: 2 }`
#[apply(primitive!)]
pub fn remove_tokens(counts: &mut Map, what: &Text, number: i64) -> Checked<Itself<Map>> {
    subtract(counts, what, number)?;
    itself()
}

/// Takes the first token that equals a value from a stack. Changes `stack` itself and returns it.
///
/// `stack`: a list, top first. `what`: any value. Error: no token equals it.
///
/// # Example
/// `remove_token(["a", "b", "a"], "a")` is `["b", "a"]`
/// `let slots = [1, 1, 2]; slots.remove_token(1); slots` is `[1, 2]`
#[apply(primitive!)]
pub fn remove_from_stack(stack: &mut List, what: &Value) -> Checked<Itself<List>> {
    let place = find("stack", stack, what)?;
    drop(stack.remove(place));
    itself()
}

/// Adds one token of a name to counts. Changes `counts` itself and returns it.
///
/// `counts`: name -> whole number. `what`: a name; a new one starts at 0.
///
/// # Example
/// `add_token(#{ red: 2 }, "blue")` is `#{ red: 2, blue: 1 }`
#[apply(primitive!)]
pub fn add_token(counts: &mut Map, what: &Text) -> Checked<Itself<Map>> {
    add(counts, what, 1)?;
    itself()
}

/// Adds several tokens of a name to counts. Changes `counts` itself and returns it.
///
/// `counts`: name -> whole number. `what`: a name; a new one starts at 0. `number`: how many, 0 or more.
///
/// # Example
/// `add_token(#{ red: 2 }, "red", 3)` is `#{ red: 5 }`
#[apply(primitive!)]
pub fn add_tokens(counts: &mut Map, what: &Text, number: i64) -> Checked<Itself<Map>> {
    add(counts, what, number)?;
    itself()
}

/// Adds counts to counts, name by name. Changes `counts` itself and returns it.
///
/// `counts`, `more`: name -> whole number of 0 or more; a new name starts at 0.
///
/// # Example
/// `add_each(#{ red: 2, blue: 1 }, #{ red: 3, green: 1 })` is `#{ red: 5, blue: 1, green: 1 }`
#[apply(primitive!)]
pub fn add_each(counts: &mut Map, more: &Map) -> Checked<Itself<Map>> {
    let mut sums = counts.clone();
    for (name, number) in more.iter() {
        let number = amount(format_args!("more.{name}"), number)?;
        add(&mut sums, name, number)?;
    }
    *counts = sums;
    itself()
}

/// Takes as many tokens of a name as there are, up to a number, and returns how many. Changes `counts` itself.
///
/// `counts`: name -> whole number. `what`: a name. `number`: the most to take, 0 or more.
/// Error: the name is not there.
///
/// # Example
/// `take_up_to(#{ red: 4 }, "red", 6)` is `4`
/// `let supply = #{ red: 4 }; supply.take_up_to("red", 1); supply` is `#{ red: 3 }`
#[apply(primitive!)]
pub fn take_up_to(counts: &mut Map, what: &Text, number: i64) -> Checked<i64> {
    let have = amount(format_args!("counts.{what}"), entry("counts", counts, what)?)?;
    let taken = have.min(not_negative("number", number)?);
    subtract(counts, what, taken)?;
    Ok(taken)
}

/// Puts a token on top of a stack. Changes `stack` itself and returns it.
///
/// `stack`: a list, top first. `token`: any value.
///
/// # Example
/// `put_on_top(["b", "c"], "a")` is `["a", "b", "c"]`
#[apply(primitive!)]
pub fn put_on_top(stack: &mut List, token: &Value) -> Checked<Itself<List>> {
    stack.insert(0, token.clone());
    itself()
}

static BLANK: LazyLock<Text> = LazyLock::new(|| Text::word("blank"));

fn pair(a: &[Value], b: &[Value], blank: &Value) -> Vec<Value> {
    let token = |stack: &[Value], i: usize| stack.get(i).unwrap_or(blank).clone();
    (0..a.len().max(b.len())).map(|i| Value::list(vec![token(a, i), token(b, i)])).collect()
}

fn subtract(counts: &mut Map, what: &Text, number: i64) -> Checked<()> {
    let Ok(place) = counts.place(what) else {
        return Err(no_entry("counts", counts, what));
    };
    // A number takes the place of a number, so that the counts stay as large.
    let count = counts.item_mut(place);
    let have = amount(format_args!("counts.{what}"), count)?;
    if not_negative("number", number)? > have {
        return Err(format!("`counts.{what}` is {have}, so {number} cannot be taken from it"));
    }
    *count = Value::Int(have - number);
    Ok(())
}

fn add(counts: &mut Map, what: &Text, number: i64) -> Checked<()> {
    not_negative("number", number)?;
    let place = counts.place(what);
    let have = match place {
        Ok(place) => amount(format_args!("counts.{what}"), counts.item_mut(place))?,
        Err(_) => 0,
    };
    let sum =
        have.checked_add(number).ok_or_else(|| format!("`counts.{what}` becomes too large"))?;
    match place {
        Ok(place) => *counts.item_mut(place) = Value::Int(sum),
        Err(place) => counts.insert_at(place, what.clone(), Value::Int(sum)),
    }
    Ok(())
}
