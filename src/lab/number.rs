//! Reads numbers from results: exact ones are texts such as `17/36`, sampled ones maps with a mean.

use crate::analysis::Number;
use crate::error::Error;
use crate::game::Value;

/// The number in a value of a result, as scripts compute with it.
///
/// # Errors
/// [`Error::Usage`] for a value without one.
pub(super) fn float_of(value: &Value) -> Result<f64, Error> {
    Number::read(value).map(|number| number.middle()).ok_or_else(|| {
        Error::usage(format!("`{value}` is no number, no fraction and no mean with an interval"))
    })
}
