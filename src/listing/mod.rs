//! Lists all systems, everything in one system, or a scenario, as text or JSON. Entries that do not load are
//! listed with their error.

mod system;

pub(crate) use system::{Detail, ScenarioSummary, system, systems};
