//! Portraits of scenarios for scripts.

use std::time::Duration;

use indexmap::IndexMap;

use super::desk::Done;
use super::options::Options;
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
    pub(super) fn portrait(&self, options: &IndexMap<String, Value>) -> Result<Done, Error> {
        let desk = &self.desk;
        let options = Options::of(options, &OPTIONS)?;
        let measures = options.texts("measures", "a name or a list of names")?;
        let n = options.whole("n")?.unwrap_or(Portraying::PLAYOUTS).max(1);
        let time = options.above_0("time")?.and_then(|time| Duration::try_from_secs_f64(time).ok());
        let within = options.above_0("within")?;
        let seed = options.whole("seed")?;
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
