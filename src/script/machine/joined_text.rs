//! Joins values into one text, as the language prints them, within the limit.

use std::fmt::Write;

use rhai::Position;

use super::code::Program;
use super::convert::to_dynamic;
use super::host::Host;
use super::value::{Size, Text, Value};
use crate::script::sandbox::limits::{Fault, TEXT, too_large};

/// The most bytes that one item, one key or a short text takes when it is printed.
const PRINTED: usize = 512;

/// The bytes of most printed numbers.
const NUMBER: usize = 8;

/// This many bytes a byte of a text within a list may take: letters that cannot be printed are written
/// as numbers.
const ESCAPED: usize = 10;

/// What is known of the text of values one after another before it is made.
#[derive(Default)]
pub(super) struct TextEstimate {
    /// A length that it does not pass.
    pub longest: usize,
    pub size: Size,
    /// What it takes to convert them for the language to print them.
    pub converting: u64,
}

impl TextEstimate {
    pub(super) fn of(parts: &[Value]) -> TextEstimate {
        let mut known = TextEstimate::default();
        for part in parts {
            let length = match part {
                Value::Text(text) => {
                    known.size.hold(Size::of_text(text.as_str()));
                    text.as_str().len()
                }
                small if small.is_weightless() => PRINTED,
                other => {
                    let size = other.size();
                    known.size.hold(size);
                    known.converting += converting(other);
                    let items = size.items as usize + 2 * size.entries as usize + 1;
                    let printed = items.saturating_mul(PRINTED);
                    // A distribution prints all that may fall.
                    let strange = if size.strange > 0 { usize::MAX } else { 0 };
                    printed.saturating_add(ESCAPED * size.bytes as usize).saturating_add(strange)
                }
            };
            known.longest = known.longest.saturating_add(length);
        }
        known
    }
}

pub(super) fn copied(parts: &[Value]) -> Size {
    let mut size = Size::default();
    for part in parts {
        if let Value::Text(text) = part {
            size.hold(Size::of_text(text.as_str()));
        }
    }
    size
}

fn converting(part: &Value) -> u64 {
    match part {
        Value::Text(_) | Value::Int(_) | Value::Bool(_) | Value::Char(_) => 0,
        other => other.size().converting(),
    }
}

/// Values one after another as one text; to convert one that is neither a text nor a number is charged.
pub(super) fn joined(
    parts: &[Value],
    host: &Host,
    program: &Program,
    at: Position,
) -> Result<Text, Fault> {
    let room = |part: &Value| part.as_text().map_or(NUMBER, |text| text.as_str().len());
    let mut text = String::with_capacity(parts.iter().map(room).sum::<usize>().min(TEXT));
    for part in parts {
        match part {
            Value::Text(part) => text.push_str(part.as_str()),
            // Writing to a text cannot fail.
            Value::Int(number) => write!(text, "{number}").unwrap_or_default(),
            Value::Bool(truth) => write!(text, "{truth}").unwrap_or_default(),
            Value::Char(letter) => text.push(*letter),
            other => {
                host.charge(converting(other), at)?;
                let mut arguments = [to_dynamic(other)];
                let printed = host.native("to_string", &mut arguments, at)?;
                text.push_str(&printed.to_string());
            }
        }
        if text.len() > TEXT {
            return Err(too_large("Length of string", at));
        }
    }
    Ok(program.texts.known(&text).unwrap_or_else(|| Text::new(text)))
}
