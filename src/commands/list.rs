//! The command `list`: the systems, and what their rules folders hold.

use clap::Args;

use super::{Desk, Runnable, Status};
use crate::error::Error;
use crate::listing::{self, Detail, ScenarioSummary};

/// List the systems; of one: scenarios, parameters, house rules, agents, functions
#[derive(Args, Debug)]
pub(crate) struct ListCommand {
    /// The system, or a scenario as in `system/name`; without one, all systems
    system: Option<String>,
    /// List its functions
    #[arg(long, requires = "system")]
    functions: bool,
    /// Show all of it in tables
    #[arg(long, requires = "system", conflicts_with = "functions")]
    all: bool,
}

impl Runnable for ListCommand {
    const NAME: &'static str = "list";
    const ALIAS: Option<&'static str> = Some("l");
    const ALONE: bool = true;
    const KEPT: bool = false;
    const OPEN_TO_ALL: bool = true;
    const PAGE: bool = false;

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let (catalog, limits) = (desk.catalog, &desk.limits);
        let Some(name) = &self.system else {
            desk.face.show(&listing::systems(catalog, limits).report())?;
            return Ok(Status::Done);
        };
        let is_scenario = name.ends_with(".toml") || name.contains('/');
        match is_scenario && catalog.folder(name).is_err() {
            true => desk.face.show(&ScenarioSummary::of(&catalog.scenario(name)?).report())?,
            false => {
                let listed = listing::system(catalog, name, limits)?;
                desk.face.show(&listed.report(self.detail()))?;
            }
        }
        Ok(Status::Done)
    }
}

impl ListCommand {
    fn detail(&self) -> Detail {
        match (self.functions, self.all) {
            (true, _) => Detail::Functions,
            (_, true) => Detail::All,
            _ => Detail::Short,
        }
    }
}
