//! Reads the options of work that a script asks for, and the numbers in results.

use indexmap::IndexMap;

use crate::analysis::Number;
use crate::error::Error;
use crate::game::Value;

/// Options by their names.
pub(super) struct LabOptions<'a>(&'a IndexMap<String, Value>);

impl<'a> LabOptions<'a> {
    /// Options of which each has one of these names.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the nearest name.
    pub(super) fn of(
        options: &'a IndexMap<String, Value>,
        known: &[&str],
    ) -> Result<LabOptions<'a>, Error> {
        match options.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(Error::unknown("option", name, known.iter().copied())),
            None => Ok(LabOptions(options)),
        }
    }

    /// An option as it is.
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    /// A whole number of 0 or more.
    ///
    /// # Errors
    /// [`Error::Usage`] for anything else.
    pub(super) fn whole(&self, name: &str) -> Result<Option<u64>, Error> {
        self.read(name, "a whole number of 0 or more", |value| {
            value.as_int().and_then(|number| u64::try_from(number).ok())
        })
    }

    /// A number above 0.
    ///
    /// # Errors
    /// [`Error::Usage`] for anything else.
    pub(super) fn above_0(&self, name: &str) -> Result<Option<f64>, Error> {
        self.read(name, "a number above 0", |value| {
            value.as_number().filter(|number| number.is_finite() && *number > 0.0)
        })
    }

    /// A text, or a list of texts; empty where there is none.
    ///
    /// # Errors
    /// [`Error::Usage`] for anything else; `wanted` says what it must be.
    pub(super) fn texts(&self, name: &str, wanted: &str) -> Result<Vec<String>, Error> {
        let texts = self.read(name, wanted, |value| match value {
            Value::Text(text) => Some(vec![text.clone()]),
            Value::List(all) => Some(all.iter().map(ToString::to_string).collect()),
            _ => None,
        })?;
        Ok(texts.unwrap_or_default())
    }

    fn read<T>(
        &self,
        name: &str,
        wanted: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let refuse =
            || Error::usage(format!("the option `{name}` must be {wanted}, got `{value}`"));
        read(value).map(Some).ok_or_else(refuse)
    }
}

/// The number in a value of a result, as scripts compute with it.
///
/// # Errors
/// [`Error::Usage`] for a value without one.
pub(super) fn float_of(value: &Value) -> Result<f64, Error> {
    Number::read(value).map(|number| number.middle()).ok_or_else(|| {
        Error::usage(format!("`{value}` is no number, no fraction and no mean with an interval"))
    })
}
