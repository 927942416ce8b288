//! Portraits of scenarios for scripts.

use std::time::Duration;

use indexmap::IndexMap;

use super::desk::Done;
use super::report::Kind;
use super::scenario::Opened;
use crate::analysis::{Enough, Portrait, Portraying, Sampling, Wanted};
use crate::error::{Cut, Error};
use crate::game::Value;

/// What can be said of how to measure.
const OPTIONS: [&str; 5] = ["n", "seed", "within", "time", "measures"];

impl Opened {
    /// What the conflict is like under the agents seated.
    ///
    /// # Errors
    /// Those of the options, the rules and the agents.
    pub fn portrait(&self, options: &IndexMap<String, Value>) -> Result<Done, Error> {
        let desk = &self.desk;
        if let Some(name) = options.keys().find(|name| !OPTIONS.contains(&name.as_str())) {
            return Err(Error::unknown("option", name, OPTIONS));
        }
        let whole = |name: &str| match options.get(name) {
            None => Ok(None),
            Some(value) => match value.as_int().and_then(|number| u64::try_from(number).ok()) {
                Some(number) => Ok(Some(number)),
                None => Err(wrong(name, "a whole number of 0 or more", value)),
            },
        };
        let above_0 = |name: &str| match options.get(name) {
            None => Ok(None),
            Some(value) => match value.as_number().filter(|one| one.is_finite() && *one > 0.0) {
                Some(number) => Ok(Some(number)),
                None => Err(wrong(name, "a number above 0", value)),
            },
        };
        let measures: Vec<String> = match options.get("measures") {
            None => Vec::new(),
            Some(Value::Text(name)) => vec![name.clone()],
            Some(Value::List(names)) => names.iter().map(ToString::to_string).collect(),
            Some(other) => return Err(wrong("measures", "a name or a list of names", other)),
        };
        let n = whole("n")?.unwrap_or(Portraying::PLAYOUTS).max(1);
        let time = above_0("time")?.and_then(|time| Duration::try_from_secs_f64(time).ok());
        let within = above_0("within")?;
        let seed = whole("seed")?;
        let seating = self.seated()?;
        let wanted = Wanted::read(&measures, &self.conflict, seating)?;
        let seed = seed.unwrap_or_else(|| desk.seed());
        let sampling = Sampling {
            enough: within.map_or(Enough::All, Enough::Within),
            ..desk.sampling(seed, n)
        };
        let nodes = Portraying::explores(sampling, seating);
        let portraying = Portraying { wanted: &wanted, sampling, nodes, time };
        let audience = desk.audience();
        let progress = audience.solves();
        let found = Portrait::find(&self.conflict, seating, portraying, &*progress)?;
        Ok(Done::of(Kind::Portrait, &found, found.cut == Some(Cut::Interrupted)))
    }
}

fn wrong(name: &str, wanted: &str, got: &Value) -> Error {
    Error::usage(format!("the option `{name}` must be {wanted}, got `{got}`"))
}
