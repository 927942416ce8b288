//! The command `bench`: how many playouts a second a conflict takes.

use std::time::Duration;

use clap::Args;

use super::{CommandEntry, Desk, Runnable, Status, seconds};
use crate::analysis::Speed;
use crate::error::Error;

/// Measure playouts per second: the script alone, new ones through the graph, the same ones again
#[derive(Args, Debug)]
pub(crate) struct BenchCommand {
    /// CPU seconds to spend on each measurement
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds, allow_negative_numbers = true)]
    time: Duration,
}

impl Runnable for BenchCommand {
    const ENTRY: CommandEntry = CommandEntry {
        page: false,
        seed: Some(super::SEED),
        kept: false,
        ..CommandEntry::new::<Self>("bench")
    };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let seed = desk.seed()?;
        let seating = desk.seating(None)?;
        desk.face.say(&format!("seed {seed}"));
        let speed = Speed::measure(&seating, seed, self.time)?;
        desk.face.show(&speed.report())?;
        Ok(Status::Done)
    }
}
