//! Worker threads that take games in batches and return results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::super::{ExactOdds, Game, GameResult, Lineup, Referee, RefereeFactory, Results};
use crate::error::Error;
use crate::graph::shared_out;
use crate::script::{guarded, on_large_stack};

/// A batch grows while it takes less than this, and shrinks where it takes much more: handing it
/// over must cost little beside it, and nobody should wait long for one.
const SHORT: Duration = Duration::from_millis(2);
const LARGEST: usize = 256;

/// A game by its number in the schedule.
pub(super) type PlayedGame = (u64, Result<GameResult, Error>);

type ThreadReport = (Vec<PlayedGame>, Duration);

/// Threads that play; they end when this is dropped.
pub(super) struct Workers {
    sender: Sender<Vec<Game>>,
    receiver: Receiver<ThreadReport>,
    /// From this game of the schedule on, games are of no use any more.
    end: Arc<AtomicU64>,
    /// How many batches were sent and not reported yet.
    pub(super) under_way: usize,
    /// How many games a batch should have.
    pub(super) size: usize,
}

impl Workers {
    pub(super) fn new<'s>(
        scope: &'s Scope<'s, '_>,
        factory: &'s dyn RefereeFactory,
        threads: usize,
        interrupt: &'s AtomicBool,
    ) -> Workers {
        let (sender, batches) = channel();
        let (reports, receiver) = channel();
        let (batches, end) = (Arc::new(Mutex::new(batches)), Arc::new(AtomicU64::new(u64::MAX)));
        for _ in 0..threads {
            let (batches, reports, end) = (batches.clone(), reports.clone(), end.clone());
            let next = move || batches.lock().recv().ok();
            scope.spawn(move || on_large_stack(|| work(factory, &next, &reports, &end, interrupt)));
        }
        Workers { sender, receiver, end, under_way: 0, size: 1 }
    }

    pub(super) fn send(&mut self, batch: Vec<Game>) {
        self.under_way += 1;
        // The threads listen as long as this is there.
        let _ = self.sender.send(batch);
    }

    /// What has been finished; waits for the first of it for some time.
    pub(super) fn receive(&mut self, wait: Duration) -> Vec<PlayedGame> {
        let mut all = Vec::new();
        let mut next = self.receiver.recv_timeout(wait).ok();
        while let Some((done, took)) = next {
            self.under_way = self.under_way.saturating_sub(1);
            self.size = match took {
                took if took < SHORT => (self.size * 2).min(LARGEST),
                took if took > SHORT * 10 => (self.size / 2).max(1),
                _ => self.size,
            };
            all.extend(done);
            next = self.receiver.try_recv().ok();
        }
        all
    }

    pub(super) fn abandon(&self) {
        self.end.store(0, Ordering::Relaxed);
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.abandon();
    }
}

/// Plays batch after batch, the games of one lineup after those of another: to sit down takes longer
/// than many a game. Where one fails, those behind it in the schedule are not played.
fn work(
    factory: &dyn RefereeFactory,
    next: &dyn Fn() -> Option<Vec<Game>>,
    sender: &Sender<ThreadReport>,
    end: &AtomicU64,
    interrupt: &AtomicBool,
) {
    let mut referee: Option<Box<dyn Referee + '_>> = None;
    while let Some(mut batch) = next() {
        let began = Instant::now();
        let mut done = Vec::with_capacity(batch.len());
        batch.sort_by(|a, b| a.lineup.cmp(&b.lineup));
        for game in &batch {
            if game.number >= end.load(Ordering::Relaxed) || interrupt.load(Ordering::Relaxed) {
                continue;
            }
            // A referee that panics must not be waited for: its panic is an error like any other.
            let result = guarded(|| match &referee {
                Some(referee) => referee.play(game),
                None => factory.referee().and_then(|new| referee.insert(new).play(game)),
            });
            let result = result.unwrap_or_else(|panic| Err(panic.into()));
            if result.is_err() {
                end.fetch_min(game.number, Ordering::Relaxed);
            }
            done.push((game.number, result));
        }
        // Nobody listens any more where the tournament is over.
        let _ = sender.send((done, began.elapsed()));
    }
}

// Computes the pairings of a round on all threads, before its games are played.

/// How long what was found waits at most, where nothing more is found.
const TICK: Duration = Duration::from_millis(50);

/// What a thread reports: what was found of a lineup, or that a match is done.
enum SearchReport {
    Found(Lineup, Option<ExactOdds>),
    Done,
}

/// Finds out which matches of a round need no games, and keeps what is found as it comes. A match of which one lineup
/// has to be played is not looked into further. `progress` hears how many matches are done.
pub(super) fn search(
    factory: &dyn RefereeFactory,
    results: &mut Results,
    matches: &[Vec<Lineup>],
    (threads, interrupt): (usize, &AtomicBool),
    progress: &mut dyn FnMut(usize),
) -> Result<(), Error> {
    let unsettled: Vec<Vec<Lineup>> =
        matches.iter().map(|lineups| open(factory, results, lineups)).collect();
    let unsettled: &Vec<&Vec<Lineup>> = &unsettled.iter().filter(|all| !all.is_empty()).collect();
    if unsettled.is_empty() {
        return Ok(());
    }
    // Whether something that was found could not be kept.
    let is_lost = &AtomicBool::new(false);
    let cut = std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let worker = move || {
            let (referee, sender) = (factory.referee()?, sender.clone());
            Ok(move |at: usize| {
                for lineup in unsettled[at] {
                    if is_lost.load(Ordering::Relaxed) || interrupt.load(Ordering::Relaxed) {
                        return Err(Error::Interrupted);
                    }
                    let exact = referee.exact(lineup)?;
                    let played = exact.is_none();
                    // As long as a thread searches, somebody listens.
                    let _ = sender.send(SearchReport::Found(lineup.clone(), exact));
                    if played {
                        break;
                    }
                }
                let _ = sender.send(SearchReport::Done);
                Ok(())
            })
        };
        let searched = scope.spawn(move || shared_out(threads, unsettled.len(), worker));
        let mut done = matches.len() - unsettled.len();
        progress(done);
        let mut kept = Ok(());
        loop {
            let now = match receiver.recv_timeout(TICK) {
                Ok(SearchReport::Found(lineup, exact)) => {
                    results.add_exact(factory, &lineup, exact)
                }
                Ok(SearchReport::Done) => {
                    done += 1;
                    progress(done);
                    Ok(())
                }
                // A long search must not keep others from the file.
                Err(RecvTimeoutError::Timeout) => results.commit_what_is_old(),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            is_lost.fetch_or(now.is_err(), Ordering::Relaxed);
            kept = kept.and(now);
        }
        kept?;
        searched.join().map_or(Ok(None), |worked| worked.map(|worked| worked.cut))
    })?;
    results.commit()?;
    cut.map_or(Ok(()), Err)
}

/// The lineups of a match that have to be looked into; none where one of them is known to be played.
fn open(factory: &dyn RefereeFactory, results: &Results, lineups: &[Lineup]) -> Vec<Lineup> {
    let mut unsettled = Vec::new();
    for lineup in lineups {
        let bound = factory.bound(lineup);
        if !results.is_settled(lineup, bound) {
            unsettled.push(lineup.clone());
        } else if results.exact(lineup).is_none() {
            return Vec::new();
        }
    }
    unsettled
}
