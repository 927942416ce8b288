//! Numbers on a command line, each with the error that says what it must be.

use std::time::Duration;

/// A whole number of 64 bits.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}

/// A number of things.
pub(crate) fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "must be a whole number of 0 or more".to_owned())
}

/// A number above 0.
pub(crate) fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "must be a number above 0, as in 0.01".to_owned())
}

/// A time in seconds; one that no duration is long enough for is as long as there is.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    above_zero(text).map(|time| Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX))
}
