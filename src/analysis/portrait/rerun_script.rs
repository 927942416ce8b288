//! Gives the answers of a playout once more to a run of the script alone.

use crate::conflict::Seating;
use crate::error::Error;
use crate::game::{Outcome, Stop};
use crate::graph::PlayoutRunner;
use crate::script::{Counted, Ear, Run};

/// Runs a playout once more, by the script alone: how it ended, and which functions ran.
pub(super) fn replay(
    seating: &Seating,
    runner: &PlayoutRunner,
    answers: &[u32],
) -> Result<(Outcome, Counted), Error> {
    let rules = runner.explorer().rules();
    let mut given = answers.iter().map(|answer| *answer as usize);
    rules.count_calls();
    let run = Run::begin(rules, &seating.setup, Ear::Deaf);
    let played = run.finish(|_| given.next().ok_or(Stop::Pause));
    let counted = rules.counted();
    Ok((played?.outcome, counted))
}
