//! What is a player offered? Plain data, each value once, made into values only where one looks.

use std::collections::HashSet;

use rhai::{Array, Dynamic, EvalAltResult, Position};

use super::context::fail;
use super::value::{check_data, to_value};
use crate::game::{Options, Value};

/// What a script offers, made into values only where a handler looks.
pub struct Offered<'a>(pub &'a [Dynamic]);

impl Options for Offered<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn value(&self, index: usize) -> Value {
        to_value(&self.0[index], "option").unwrap_or_default()
    }
}

/// What a player is offered: plain data, each value once, since an action is its value.
///
/// # Errors
/// No option at all, or one that is no plain data.
pub fn distinct(
    name: &str,
    player: &str,
    options: Array,
    at: Position,
) -> Result<Array, Box<EvalAltResult>> {
    if options.is_empty() {
        return fail(format!("`{name}`: there is no option for `{player}`"), at);
    }
    for option in &options {
        if let Err(message) = check_data(option, "option") {
            return fail(format!("`{name}`: {message}"), at);
        }
    }
    if options.len() <= FEW {
        let again = |i: usize| (0..i).any(|j| same(&options[i], &options[j]));
        if !(1..options.len()).any(again) {
            return Ok(options);
        }
    }
    let mut seen = HashSet::with_capacity(options.len());
    Ok(options.into_iter().filter(|option| seen.insert(literal(option))).collect())
}

/// So few options are compared with each other; more are told apart by what they read as.
const FEW: usize = 12;

fn same(a: &Dynamic, b: &Dynamic) -> bool {
    match (a.as_int(), b.as_int()) {
        (Ok(a), Ok(b)) => return a == b,
        (Err(_), Err(_)) => {}
        _ => return false,
    }
    match (a.as_immutable_string_ref(), b.as_immutable_string_ref()) {
        (Ok(a), Ok(b)) => *a == *b,
        (Err(_), Err(_)) => literal(a) == literal(b),
        _ => false,
    }
}

fn literal(option: &Dynamic) -> String {
    to_value(option, "option").unwrap_or_default().literal()
}
