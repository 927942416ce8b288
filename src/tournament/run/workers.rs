//! Worker threads that take games in batches and return results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::super::{ExactOdds, Game, GameResult, Lineup, Referee, RefereeFactory, Results};
use crate::error::Error;
use crate::script::{guarded, on_large_stack};

/// A batch grows while it takes less than this, and shrinks where it takes much more: handing it
/// over must cost little beside it, and nobody should wait long for one.
const SHORT: Duration = Duration::from_millis(2);
const LARGEST: usize = 256;

pub(super) struct PlayedGame {
    pub number: u64,
    pub result: Result<GameResult, Error>,
}

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
            done.push(PlayedGame { number: game.number, result });
        }
        // Nobody listens any more where the tournament is over.
        let _ = sender.send((done, began.elapsed()));
    }
}

// Computes the pairings of a round on all threads, before its games are played.

/// How long what was found waits at most, where nothing more is found.
const TICK: Duration = Duration::from_millis(50);

/// What a thread reports: what was found of a lineup, that a match is done, or that one failed.
enum SearchReport {
    Found(Lineup, Option<ExactOdds>),
    Done,
    Failed(usize, Error),
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
    let unsettled: Vec<&Vec<Lineup>> = unsettled.iter().filter(|all| !all.is_empty()).collect();
    if unsettled.is_empty() {
        return Ok(());
    }
    let next = AtomicUsize::new(0);
    // The first match that failed: those before it are still looked into, as one thread would have.
    let end = AtomicUsize::new(usize::MAX);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(unsettled.len()) {
            let (sender, unsettled, next) = (sender.clone(), &unsettled, &next);
            let stopped =
                |at| at > end.load(Ordering::Relaxed) || interrupt.load(Ordering::Relaxed);
            let work = move || search_in_turn(factory, unsettled, next, &stopped, &sender);
            scope.spawn(|| on_large_stack(work));
        }
        drop(sender);
        let mut done = matches.len() - unsettled.len();
        progress(done);
        let mut failed: Option<(usize, Error)> = None;
        loop {
            let kept = match receiver.recv_timeout(TICK) {
                Ok(SearchReport::Found(lineup, exact)) => {
                    results.add_exact(factory, &lineup, exact).map_err(|error| (0, error))
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

fn search_in_turn(
    factory: &dyn RefereeFactory,
    matches: &[&Vec<Lineup>],
    next: &AtomicUsize,
    stopped: &dyn Fn(usize) -> bool,
    sender: &Sender<SearchReport>,
) {
    let mut at = 0;
    let all = || -> Result<(), Error> {
        let referee = factory.referee()?;
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
                let _ = sender.send(SearchReport::Found(lineup.clone(), exact));
                if played {
                    break;
                }
            }
            let _ = sender.send(SearchReport::Done);
        }
    };
    // A thread that panics must not be waited for: its panic is an error like any other.
    if let Err(error) = guarded(all).unwrap_or_else(|panic| Err(panic.into())) {
        let _ = sender.send(SearchReport::Failed(at, error));
    }
}
