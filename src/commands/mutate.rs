//! The command `mutate`: which changes of rules no case and no law would notice.

use clap::Args;

use super::{Desk, Runnable, Status, TimeArgument, one_to, whole};
use crate::analysis::Stage;
use crate::check::Mutating;
use crate::error::Error;
use crate::script::Limits;

/// Change the scripts of a system one place at a time, and list the changes that no case and no law notices
#[derive(Args, Debug)]
pub(crate) struct MutateCommand {
    /// The system whose scripts are changed
    system: String,
    /// Change the script of this house rule instead
    #[arg(long, value_name = "NAME")]
    house: Option<String>,
    /// Scenarios of at most N nodes are small: their laws are checked, and their exact odds compared
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = one_to::<u64>(u64::MAX), allow_negative_numbers = true)]
    nodes: u64,
    /// How many random playouts of each small scenario under its laws
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole, allow_negative_numbers = true)]
    playouts: u64,
    #[command(flatten)]
    limit: TimeArgument,
}

impl Runnable for MutateCommand {
    const NAME: &'static str = "mutate";
    const ALONE: bool = true;
    const KEPT: bool = false;
    const PAGE: bool = false;

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let budget = desk.limits.budget.begin(self.limit.time);
        let progress = desk.face.begins("mutants", Some(0));
        let mutating = Mutating {
            catalog: desk.catalog,
            system: &self.system,
            house: self.house.as_deref(),
            limits: &Limits { budget, ..desk.limits.clone() },
            nodes: self.nodes,
            memory: desk.memory(),
            playouts: self.playouts,
            threads: desk.threads,
            progress: &|done, all| progress(Stage::Done(done, all)),
        };
        let found = mutating.run()?;
        drop(progress);
        desk.face.show(&found.report())?;
        if let Some(cut) = found.cut {
            desk.face.say(&format!("{cut}: the mutants after these were not tried"));
        }
        Ok(match Status::of(found.cut) {
            Status::Done if found.unnoticed().next().is_some() => Status::Failed,
            status => status,
        })
    }
}
