//! What did a line come to? The result, free of the language.

use std::ops::{Range, RangeInclusive};
use std::rc::Rc;

use rhai::{Dynamic, INT};

use crate::game::{Distribution, Value};
use crate::script::{Dist, to_value};

/// The result of a line.
#[derive(Clone, Debug)]
pub enum Found {
    /// Nothing worth a word: the line defined or changed something, or ended in `;`.
    Nothing,
    /// Plain data.
    Value(Value),
    /// What may fall.
    Distribution(Rc<Distribution>),
    /// Anything else, in the language's own words.
    Other(String),
}

impl Found {
    /// The result that a value of the language is.
    pub(super) fn of(value: &Dynamic) -> Found {
        if value.is_unit() {
            return Found::Nothing;
        }
        if let Some(dist) = value.read_lock::<Dist>() {
            return Found::Distribution(dist.0.clone());
        }
        if let Some(range) = value.read_lock::<Range<INT>>() {
            return Found::Other(format!("{}..{}", range.start, range.end));
        }
        if let Some(range) = value.read_lock::<RangeInclusive<INT>>() {
            return Found::Other(format!("{}..={}", range.start(), range.end()));
        }
        match to_value(value, "the result") {
            Ok(value) => Found::Value(value),
            Err(_) if value.is_fnptr() => Found::Other("a closure".to_owned()),
            Err(_) => Found::Other(value.to_string()),
        }
    }
}
