//! Lists all systems, everything in one system, or a scenario, as text or JSON. Entries that do not load are
//! listed with their error.

mod system;
mod text;

pub(crate) use system::{
    PartSummary, ScenarioSummary, Summary, System, SystemList, system, systems,
};
pub(crate) use text::Detail;
