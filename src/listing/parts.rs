//! Lists the scenarios, house rules, agents and parameters of one system.

use schemars::JsonSchema;
use serde::Serialize;

use crate::agents;
use crate::catalog::{Folder, Kind, ParamSpec, ParamSpecs, Scenario};
use crate::conflict::{Order, compile};
use crate::error::Error;
use crate::game::Value;
use crate::render::{ErrorReport, reported};
use crate::script::Limits;

/// A scenario, a house rule or an agent: each has a file of its own.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PartSummary {
    /// The word that names it: `war_die/bluff`, `cheap_mana`, `miser`.
    pub name: String,
    /// Its title.
    pub title: Option<String>,
    /// Why it does not load.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "reported")]
    #[schemars(with = "Option<ErrorReport>")]
    pub error: Option<Error>,
}

/// A parameter of the rules.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Parameter {
    /// Its name.
    pub name: String,
    /// Its default value.
    pub default: Value,
    /// The allowed values, in words.
    pub allowed: String,
    /// Its meaning, in words.
    pub meaning: String,
    /// The clause of the rules that it belongs to.
    pub clause: Option<String>,
}

impl From<&ParamSpec> for Parameter {
    fn from(spec: &ParamSpec) -> Parameter {
        Parameter {
            name: spec.name.clone(),
            default: spec.default.clone(),
            allowed: spec.allowed(),
            meaning: spec.meaning.clone(),
            clause: spec.clause.clone(),
        }
    }
}

/// The parameters of a folder, in the order of the file.
pub(super) fn parameters(folder: &Folder) -> Result<Vec<Parameter>, Error> {
    let specs = ParamSpecs::read(folder.params()?.as_ref())?;
    Ok(specs.iter().map(Parameter::from).collect())
}

/// The scenarios of a folder, by name.
pub(super) fn scenarios(folder: &Folder) -> Vec<PartSummary> {
    read(folder, Kind::Scenario, |name| folder.scenario(name))
}

/// The campaigns of a folder, by name.
pub(super) fn campaigns(folder: &Folder) -> Vec<PartSummary> {
    read(folder, Kind::Campaign, |name| folder.campaign(name))
}

fn read(
    folder: &Folder,
    kind: Kind,
    read: impl Fn(&str) -> Result<Scenario, Error>,
) -> Vec<PartSummary> {
    let item = |name: &String| {
        let (title, error) = match read(name) {
            Ok(scenario) => (scenario.title, None),
            Err(error) => (None, Some(error)),
        };
        PartSummary { name: format!("{}/{name}", folder.name()), title, error }
    };
    folder.names(kind).iter().map(item).collect()
}

/// The house rules of a folder, each compiled over the rules alone.
pub(super) fn house(folder: &Folder, limits: &Limits) -> Vec<PartSummary> {
    scripts(folder, Kind::House, |name| {
        let mut order = Order::default();
        order.house(folder, &[name.to_owned()])?;
        compile(folder, order, limits).map(|_| ())
    })
}

/// The agents of a folder.
pub(super) fn agents(folder: &Folder, limits: &Limits) -> Vec<PartSummary> {
    scripts(folder, Kind::Agent, |name| agents::check(name, folder, limits))
}

fn scripts(
    folder: &Folder,
    kind: Kind,
    load: impl Fn(&str) -> Result<(), Error>,
) -> Vec<PartSummary> {
    let item = |name: &String| {
        let text = folder.find(kind, name).ok();
        let title = text.as_ref().and_then(|text| text.title()).map(str::to_owned);
        PartSummary { name: name.clone(), title, error: load(name).err() }
    };
    folder.names(kind).iter().map(item).collect()
}
