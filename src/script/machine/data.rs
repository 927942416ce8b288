//! Plain data: what states, options and outcomes must be.

use super::convert::{to_dynamic, to_plain};
use super::size::Size;
use super::value::Value;
use crate::game::{self, Outcome};
use crate::script::value::{DEEPEST, check_data, to_value};

/// Checks that a value is plain data: maps, lists, texts, whole numbers, truth values, `()`.
///
/// # Errors
/// A text that names the place and the kind of what is not, from `place` down.
pub(crate) fn check(value: &Value, place: &str) -> Result<(), String> {
    if is_whole(value) {
        return Ok(());
    }
    check_data(&to_dynamic(value), place).map(|_| ())
}

/// A value as plain data, in which numbers need not be whole.
///
/// # Errors
/// A text that names the place of what is no plain data, from `place` down.
pub(crate) fn plain(value: &Value, place: &str) -> Result<game::Value, String> {
    if is_whole(value) {
        return Ok(to_plain(value));
    }
    to_value(&to_dynamic(value), place)
}

/// The outcome that a script returned.
///
/// # Errors
/// What makes it none, or no plain data.
pub(crate) fn outcome_of(returned: Value) -> Result<Outcome, String> {
    match &returned {
        Value::Map(map) if is_whole(&returned) => {
            let of = |key| map.get(key).map(to_plain);
            let (result, utility) = (of("result"), of("utility"));
            Outcome::read(result, utility, move || to_plain(&returned))
        }
        other => Outcome::new(plain(other, "outcome")?),
    }
}

/// Whether that can be said without a look into it; its size is never too small.
#[inline]
pub(super) fn is_whole(value: &Value) -> bool {
    is_whole_size(value.size())
}

/// The same of the size of a value.
#[inline]
pub(super) fn is_whole_size(size: Size) -> bool {
    size.strange == 0 && size.depth as usize <= DEEPEST
}
