//! Opens a conflict: a scenario, the changes asked for, and the rules compiled from both.

use indexmap::IndexMap;

use super::campaign;
use super::compile::{Order, blueprint, check_rules};
use super::playable::{Changes, Conflict, DefaultAgent};
use crate::catalog::{Catalog, ParamSpecs, Scenario, give};
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

    /// Opens a scenario that has been read, or made; one that is named by its path under the rules folder that it is in.
    pub fn of(
        catalog: &Catalog,
        mut scenario: Scenario,
        changes: &Changes,
        limits: &Limits,
    ) -> Result<Conflict, Error> {
        let catalog = &*catalog.around(&scenario.name);
        let (folder, blueprint, specs) = match scenario.campaign.clone() {
            Some(campaign) => campaign::open(catalog, &mut scenario, &campaign, changes, limits)?,
            None => {
                let folder = catalog.folder(&scenario.system);
                let folder =
                    folder.map_err(|error| error.placed(|| scenario.location("system")))?;
                let mut order = Order::default();
                order.scenario(folder, &scenario, &changes.without)?;
                order.house(folder, &changes.house)?;
                let params = changes.params.iter().filter(|one| one.of_setup().is_none());
                order.settings.extend(params.cloned());
                let specs = ParamSpecs::read(folder.params()?.as_ref())?;
                (folder.clone(), blueprint(folder, order, limits)?, specs)
            }
        };
        let rules = blueprint.rules().map_err(|error| match scenario.campaign {
            Some(_) => campaign::of_its_rules(&blueprint, error),
            None => error,
        })?;
        let setup = changes.setup_of(&scenario)?;
        if scenario.campaign.is_none() {
            check_rules(&rules, &setup)?;
        }
        let mut seats = scenario.seats.clone();
        changes.seats.iter().for_each(|(seat, agent)| give(&mut seats, seat, agent));
        Ok(Conflict {
            seats,
            default_agent: DefaultAgent::of(&specs, &rules),
            scenario,
            changes: changes.clone(),
            blueprint,
            rules,
            setup,
            unseated: IndexMap::new(),
            folder,
        })
    }
}
