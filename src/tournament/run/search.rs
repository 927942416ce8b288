//! Computes the pairings of a round on all threads, before its games are played.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::super::{ExactOdds, Lineup, RefereeFactory, Results};
use crate::error::Error;
use crate::script::{guarded, on_large_stack};

/// How long what was found waits at most, where nothing more is found.
const TICK: Duration = Duration::from_millis(50);

/// What a thread reports: what was found of a lineup, that a match is done, or that one failed.
enum SearchReport {
    Found(Lineup, Option<ExactOdds>),
    Done,
    Failed(usize, Error),
}

/// Finds out which matches of a round need no games, and keeps what is found as it comes. A match of
/// which one lineup has to be played is not looked into further. `progress` hears how many matches
/// are done.
///
/// # Errors
/// Those of the referees, of several the first by the number of the match, and of the results;
/// [`Error::Interrupted`].
pub(super) fn search(
    panel: &dyn RefereeFactory,
    results: &mut Results,
    matches: &[Vec<Lineup>],
    (threads, interrupt): (usize, &AtomicBool),
    progress: &mut dyn FnMut(usize),
) -> Result<(), Error> {
    let unsettled: Vec<Vec<Lineup>> =
        matches.iter().map(|lineups| open(panel, results, lineups)).collect();
    let unsettled: Vec<&Vec<Lineup>> = unsettled.iter().filter(|all| !all.is_empty()).collect();
    if unsettled.is_empty() {
        return Ok(());
    }
    let next = AtomicUsize::new(0);
    // The first match that failed: those before it are still looked into, as one thread would have.
    let end = AtomicUsize::new(usize::MAX);
    let (tell, told) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(unsettled.len()) {
            let (tell, unsettled, next) = (tell.clone(), &unsettled, &next);
            let stopped =
                |at| at > end.load(Ordering::Relaxed) || interrupt.load(Ordering::Relaxed);
            let work = move || work(panel, unsettled, next, &stopped, &tell);
            scope.spawn(|| on_large_stack(work));
        }
        drop(tell);
        let mut done = matches.len() - unsettled.len();
        progress(done);
        let mut failed: Option<(usize, Error)> = None;
        loop {
            let kept = match told.recv_timeout(TICK) {
                Ok(SearchReport::Found(lineup, exact)) => {
                    results.add_exact(panel, &lineup, exact).map_err(|error| (0, error))
                }
                Ok(SearchReport::Done) => {
                    done += 1;
                    progress(done);
                    Ok(())
                }
                Ok(SearchReport::Failed(at, error)) => Err((at, error)),
                // A long search must not keep others from the file.
                Err(RecvTimeoutError::Timeout) => {
                    results.commit_what_is_old().map_err(|error| (0, error))
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Err((at, error)) = kept {
                end.fetch_min(at, Ordering::Relaxed);
                if failed.as_ref().is_none_or(|(first, _)| at < *first) {
                    failed = Some((at, error));
                }
            }
        }
        failed.map_or(Ok(()), |(_, error)| Err(error))
    })?;
    results.commit()?;
    if interrupt.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
}

/// The lineups of a match that have to be looked into; none where one of them is known to be played.
fn open(panel: &dyn RefereeFactory, results: &Results, lineups: &[Lineup]) -> Vec<Lineup> {
    let mut unsettled = Vec::new();
    for lineup in lineups {
        let bound = panel.bound(lineup);
        if !results.is_settled(lineup, bound) {
            unsettled.push(lineup.clone());
        } else if results.exact(lineup).is_none() {
            return Vec::new();
        }
    }
    unsettled
}

fn work(
    panel: &dyn RefereeFactory,
    matches: &[&Vec<Lineup>],
    next: &AtomicUsize,
    stopped: &dyn Fn(usize) -> bool,
    tell: &Sender<SearchReport>,
) {
    let mut at = 0;
    let all = || -> Result<(), Error> {
        let referee = panel.referee()?;
        loop {
            at = next.fetch_add(1, Ordering::Relaxed);
            let Some(lineups) = matches.get(at) else { return Ok(()) };
            for lineup in *lineups {
                if stopped(at) {
                    return Ok(());
                }
                let exact = referee.exact(lineup)?;
                let played = exact.is_none();
                // Nobody listens any more where another thread has failed.
                let _ = tell.send(SearchReport::Found(lineup.clone(), exact));
                if played {
                    break;
                }
            }
            let _ = tell.send(SearchReport::Done);
        }
    };
    // A thread that panics must not be waited for: its panic is an error like any other.
    if let Err(error) = guarded(all).unwrap_or_else(|panic| Err(panic.into())) {
        let _ = tell.send(SearchReport::Failed(at, error));
    }
}
