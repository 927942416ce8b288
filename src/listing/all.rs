//! Lists all systems: the title, the number of files of each kind, and any error.

use schemars::JsonSchema;
use serde::Serialize;

use crate::catalog::{Catalog, Folder, Kind, ParamSpecs};
use crate::conflict::{Order, compile};
use crate::error::Error;
use crate::render::{ErrorReport, reported};
use crate::script::Limits;

/// All systems, by name.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Systems {
    /// The systems.
    pub systems: Vec<Summary>,
}

/// A system in the list of all systems.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Summary {
    /// The name of its folder.
    pub name: String,
    /// The title of its rules.
    pub title: Option<String>,
    /// The path of its folder.
    pub path: String,
    /// How many scenarios it has.
    pub scenarios: usize,
    /// How many campaigns it has.
    pub campaigns: usize,
    /// How many house rules it has.
    pub house: usize,
    /// How many agents it has of its own.
    pub agents: usize,
    /// How many case files it has.
    pub cases: usize,
    /// How many parameters it has; 0 where they do not load.
    pub parameters: usize,
    /// Why it does not load.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "reported")]
    #[schemars(with = "Option<ErrorReport>")]
    pub error: Option<Error>,
}

/// All systems, by name.
pub(crate) fn systems(catalog: &Catalog, limits: &Limits) -> Systems {
    Systems { systems: catalog.folders().map(|folder| summary(folder, limits)).collect() }
}

fn summary(folder: &Folder, limits: &Limits) -> Summary {
    let parameters = folder.params().and_then(|text| ParamSpecs::read(text.as_ref()));
    let count = |kind| folder.names(kind).len();
    Summary {
        name: folder.name().to_owned(),
        title: title(folder),
        path: folder.path(),
        scenarios: count(Kind::Scenario),
        campaigns: count(Kind::Campaign),
        house: count(Kind::House),
        agents: count(Kind::Agent),
        cases: count(Kind::Case),
        parameters: parameters.map(|specs| specs.iter().count()).unwrap_or_default(),
        error: compile(folder, Order::default(), limits).err(),
    }
}

/// The title of the rules of a folder, whether they compile or not.
pub(super) fn title(folder: &Folder) -> Option<String> {
    folder.scripts().ok()?.first()?.title().map(str::to_owned)
}
