//! Lists all systems, or everything in one system, as text or JSON. Entries that do not load are
//! listed with their error.

mod system;
mod text;

pub(crate) use system::{PartSummary, Summary, System, SystemList, system, systems};
pub(crate) use text::Detail;
