//! Finds a difference as well as it can be found: searches exact odds and makes pairs of playouts in turn.

use std::sync::atomic::{AtomicBool, Ordering};

use super::pair::Large;
use super::{Compared, Pair, Refused};
use crate::analysis::batches::FailedPlayout;
use crate::analysis::estimate::IN_HASTE;
use crate::analysis::{Chances, Enough, Number, Sampling, Seeking, Stage, halved};
use crate::error::Cut;

/// What is said where somebody interrupted the search for exact odds.
const INTERRUPTED: &str =
    "no exact odds: interrupted; a few playouts in pairs, Ctrl-C ends those too";

/// This many nodes are explored before the first pairs.
const FIRST_NODES: u64 = 2_000;
/// This many pairs are made before the other nodes: it takes about as long.
const FIRST_PAIRS: u64 = 2_048;

impl Compared {
    /// Finds the difference as well as it can be found: exactly, else from playouts in pairs. Of the time
    /// that there is, both share half, and the other half is left; where not one pair was made by then, a
    /// few are made in that. Pairs are made before the larger part of the exploring, and instead of it
    /// where they meet more nodes than are explored, or where they stop since the answer is clear.
    ///
    /// # Errors
    /// As [`Compared::sample`].
    pub fn find(
        pair: &Pair,
        float: bool,
        sampling: Sampling,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Compared, FailedPlayout> {
        let played = |done| progress(Stage::Playouts(done, sampling.known_total()));
        let known = |difference: &Chances| progress(Stage::Known(so_far(difference)));
        let whole = pair;
        let pair = &whole.with_seatings(halved);
        let sample = |pauses: &(dyn Fn(u64) -> bool + Sync)| match Compared::sample_up_to(
            pair,
            sampling,
            pauses,
            (&played, &known),
        ) {
            Err(FailedPlayout { error, .. })
                if matches!(error.cut(), Some(Cut::Time(_))) && whole.base.is_wanted().is_ok() =>
            {
                let few = Sampling { n: sampling.n.min(IN_HASTE), ..sampling };
                let made = Compared::sample_up_to(whole, few, pauses, (&played, &known))?;
                Ok(Compared { cut: error.cut(), ..made })
            }
            made => made,
        };
        let exactly = |nodes| {
            let seeking = Seeking { float, threads: sampling.threads, nodes };
            let seen = |nodes| progress(Stage::Nodes(nodes));
            Compared::exactly(&pair.with_seatings(halved), seeking, sampling.seed, &seen)
        };
        let all = sampling.explores(&pair.base);
        let large = Large::than(pair, all);
        let paused = AtomicBool::new(false);
        let pauses = |pairs| {
            let more = pairs < sampling.n;
            let pause = more && pairs >= FIRST_PAIRS && large.reason().is_none();
            paused.store(pause, Ordering::Relaxed);
            pause
        };
        let (mut told, mut made) = (None, None);
        for nodes in if all > FIRST_NODES { vec![FIRST_NODES, all] } else { vec![all] } {
            match exactly(nodes)? {
                Ok(compared) => return Ok(compared),
                Err(refused) if refused.cut == Some(Cut::Interrupted) => {
                    progress(Stage::Told(INTERRUPTED.to_owned()));
                    return Compared::in_haste(pair, sampling, &played);
                }
                Err(refused) => told = Some(refused.told()),
            }
            if nodes == all {
                break;
            }
            match sample(&pauses) {
                Ok(compared) => {
                    if let Some(reason) = large.reason() {
                        told = Some(Refused { reason, cut: None }.told());
                    } else if !compared.clear && compared.cut.is_none() {
                        made = (!paused.load(Ordering::Relaxed)).then_some(compared);
                        continue;
                    }
                    told.into_iter().for_each(|told| progress(Stage::Told(told)));
                    return Ok(compared);
                }
                // Exact odds may do without the playout that failed.
                Err(failed) if sampling.enough != Enough::Clear && !failed.error.is_asked_for() => {
                }
                Err(failed) => return Err(failed),
            }
        }
        told.into_iter().for_each(|told| progress(Stage::Told(told)));
        match made {
            Some(compared) => Ok(compared),
            None => sample(&|_| false),
        }
    }
}

/// Of more results than these nothing is said while somebody waits.
const TOLD: usize = 3;

/// The differences known so far, in a line: the largest with their intervals.
fn so_far(difference: &Chances) -> String {
    let mut results: Vec<(&String, &Number)> = difference.results.iter().collect();
    let size = |number: &Number| number.middle().abs();
    results.sort_by(|(_, one), (_, other)| size(other).total_cmp(&size(one)));
    let told =
        results.iter().take(TOLD).map(|(name, points)| format!("{name} {}", points.as_points()));
    told.collect::<Vec<_>>().join(", ")
}
