//! The options that scripts hand over as a map.

use indexmap::IndexMap;

use crate::error::Error;
use crate::game::Value;

/// Options by their names.
pub struct Options<'a>(&'a IndexMap<String, Value>);

impl<'a> Options<'a> {
    /// Options of which the names are known.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the nearest name.
    pub fn new(
        options: &'a IndexMap<String, Value>,
        names: &[&'static str],
    ) -> Result<Options<'a>, Error> {
        match options.keys().find(|name| !names.contains(&name.as_str())) {
            Some(name) => Err(Error::unknown("option", name, names.iter().copied())),
            None => Ok(Options(options)),
        }
    }

    /// A whole number of 0 or more, if it is given.
    ///
    /// # Errors
    /// [`Error::Usage`] for anything else.
    pub fn whole(&self, name: &str) -> Result<Option<u64>, Error> {
        match self.0.get(name) {
            None => Ok(None),
            Some(value) => match value.as_int().and_then(|number| u64::try_from(number).ok()) {
                Some(number) => Ok(Some(number)),
                None => Err(wrong(name, "a whole number of 0 or more", value)),
            },
        }
    }

    /// A number above 0, if it is given.
    ///
    /// # Errors
    /// [`Error::Usage`] for anything else.
    pub fn above_0(&self, name: &str) -> Result<Option<f64>, Error> {
        match self.0.get(name) {
            None => Ok(None),
            Some(value) => match value.as_number().filter(|one| one.is_finite() && *one > 0.0) {
                Some(number) => Ok(Some(number)),
                None => Err(wrong(name, "a number above 0", value)),
            },
        }
    }

    /// A name or a list of names; none where it is not given.
    ///
    /// # Errors
    /// [`Error::Usage`] for anything else.
    pub fn names(&self, name: &str) -> Result<Vec<String>, Error> {
        match self.0.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Text(name)) => Ok(vec![name.clone()]),
            Some(Value::List(names)) => Ok(names.iter().map(ToString::to_string).collect()),
            Some(other) => Err(wrong(name, "a name or a list of names", other)),
        }
    }
}

fn wrong(name: &str, wanted: &str, got: &Value) -> Error {
    Error::usage(format!("the option `{name}` must be {wanted}, got `{got}`"))
}
