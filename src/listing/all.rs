//! Lists all systems: the title, the number of files of each kind, and any error.

use crate::catalog::{Catalog, Folder, Kind, ParamSpecs};
use crate::conflict::{Order, compile};
use crate::error::Error;
use crate::script::Limits;

/// A system in the list of all systems.
#[derive(Debug)]
pub struct Summary {
    /// The name of its folder.
    pub name: String,
    /// The title of its rules.
    pub title: Option<String>,
    /// The path of its folder.
    pub path: String,
    /// How many of each kind the folder holds.
    pub counts: Vec<(Kind, usize)>,
    /// How many parameters it has; 0 where they do not load.
    pub parameters: usize,
    /// Why it does not load.
    pub error: Option<Error>,
}

/// The kinds that are counted, in the order in which they are shown.
const KINDS: [Kind; 4] = [Kind::Scenario, Kind::House, Kind::Agent, Kind::Case];

/// All systems, by name.
pub fn systems(catalog: &Catalog, limits: &Limits) -> Vec<Summary> {
    catalog.folders().map(|folder| summary(folder, limits)).collect()
}

fn summary(folder: &Folder, limits: &Limits) -> Summary {
    let parameters = folder.params().and_then(|text| ParamSpecs::read(text.as_ref()));
    Summary {
        name: folder.name().to_owned(),
        title: title(folder),
        path: folder.path(),
        counts: KINDS.iter().map(|&kind| (kind, folder.names(kind).len())).collect(),
        parameters: parameters.map(|specs| specs.iter().count()).unwrap_or_default(),
        error: compile(folder, Order::default(), limits).err(),
    }
}

/// The title of the rules of a folder, whether they compile or not.
pub(super) fn title(folder: &Folder) -> Option<String> {
    folder.scripts().ok()?.first()?.title().map(str::to_owned)
}
