//! Opens a conflict: a scenario, the changes asked for, and the rules compiled from both.

use indexmap::IndexMap;

use super::campaign;
use super::compile::{Order, blueprint, check_rules};
use super::playable::{Changes, Conflict, DefaultAgent};
use crate::catalog::{Catalog, ParamSpecs, Scenario, Setting};
use crate::error::Error;
use crate::script::Limits;

impl Conflict {
    /// Opens a scenario by name or path.
    ///
    /// # Errors
    /// Mistakes in the scenario, the parameters or the scripts, with their places.
    pub fn open(
        catalog: &Catalog,
        scenario: &str,
        changes: &Changes,
        limits: &Limits,
    ) -> Result<Conflict, Error> {
        Conflict::of(catalog, catalog.scenario(scenario)?, changes, limits)
    }

    /// Opens a scenario that has been read, or made.
    ///
    /// # Errors
    /// As [`Conflict::open`].
    pub fn of(
        catalog: &Catalog,
        scenario: Scenario,
        changes: &Changes,
        limits: &Limits,
    ) -> Result<Conflict, Error> {
        if let Some(campaign) = scenario.campaign.clone() {
            return campaign::open(catalog, scenario, &campaign, changes, limits);
        }
        let folder = catalog.folder(&scenario.system);
        let folder = folder.map_err(|error| error.placed(|| scenario.location("system")))?.clone();
        let mut order = Order::default();
        order.scenario(&folder, &scenario, &changes.without)?;
        order.house(&folder, &changes.house)?;
        let of_setup = |setting: &&Setting| setting.of_setup().is_some();
        order.settings.extend(changes.params.iter().filter(|one| !of_setup(one)).cloned());

        let blueprint = blueprint(&folder, order, limits)?;
        let rules = blueprint.rules()?;
        let seats = changes.seats_over(&scenario);
        let setup = changes.setup_of(&scenario)?;
        check_rules(&rules, &setup)?;
        let default_agent = DefaultAgent::of(&ParamSpecs::read(folder.params()?.as_ref())?, &rules);
        Ok(Conflict {
            scenario,
            changes: changes.clone(),
            blueprint,
            rules,
            setup,
            seats,
            unseated: IndexMap::new(),
            folder,
            default_agent,
        })
    }
}
