//! Worker threads that take games in batches and return results.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::super::{Game, GameResult, Referee, RefereeFactory};
use crate::error::Error;
use crate::script::{guarded, on_large_stack};

/// A batch grows while it takes less than this, and shrinks where it takes much more: handing it
/// over must cost little beside it, and nobody should wait long for one.
const SHORT: Duration = Duration::from_millis(2);
const LARGEST: usize = 256;

/// What became of a game.
pub(super) struct PlayedGame {
    pub number: u64,
    pub result: Result<GameResult, Error>,
}

/// The report of a thread: the games it played of a batch, and how long that took.
struct ThreadReport {
    done: Vec<PlayedGame>,
    took: Duration,
}

/// Threads that play; they end when this is dropped.
pub(super) struct Workers {
    jobs: Arc<Jobs>,
    told: Receiver<ThreadReport>,
    under_way: usize,
    size: usize,
}

#[derive(Default)]
struct Jobs {
    state: Mutex<BatchQueue>,
    changed: Condvar,
    /// Raised where the games under way are of no use any more.
    abandoned: AtomicBool,
}

#[derive(Default)]
struct BatchQueue {
    batches: VecDeque<Vec<Game>>,
    closed: bool,
}

impl Workers {
    /// Starts some threads, each with a referee of its own.
    pub(super) fn new<'s>(
        scope: &'s Scope<'s, '_>,
        panel: &'s dyn RefereeFactory,
        threads: usize,
        interrupt: &'s AtomicBool,
    ) -> Workers {
        let jobs = Arc::new(Jobs::default());
        let (tell, told) = channel();
        for _ in 0..threads {
            let (jobs, tell) = (jobs.clone(), tell.clone());
            scope.spawn(move || on_large_stack(|| work(panel, &jobs, &tell, interrupt)));
        }
        Workers { jobs, told, under_way: 0, size: 1 }
    }

    /// How many games a batch should have.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// How many batches were sent and not reported yet.
    pub(super) fn under_way(&self) -> usize {
        self.under_way
    }

    /// Sends a batch to whoever is free first.
    pub(super) fn send(&mut self, batch: Vec<Game>) {
        self.under_way += 1;
        self.jobs.state.lock().batches.push_back(batch);
        self.jobs.changed.notify_one();
    }

    /// What has been finished; waits for the first of it for some time.
    pub(super) fn receive(&mut self, wait: Duration) -> Vec<PlayedGame> {
        let mut all = Vec::new();
        let mut next = self.told.recv_timeout(wait).ok();
        while let Some(told) = next {
            self.under_way = self.under_way.saturating_sub(1);
            self.size = match told.took {
                took if took < SHORT => (self.size * 2).min(LARGEST),
                took if took > SHORT * 10 => (self.size / 2).max(1),
                _ => self.size,
            };
            all.extend(told.done);
            next = self.told.try_recv().ok();
        }
        all
    }

    /// Lets go of the batches behind a game that nobody has begun.
    pub(super) fn drop_after(&mut self, number: u64) {
        let mut state = self.jobs.state.lock();
        let before = state.batches.len();
        state.batches.retain(|batch| batch.first().is_some_and(|game| game.number < number));
        self.under_way = self.under_way.saturating_sub(before - state.batches.len());
    }

    /// Lets go of all that is under way.
    pub(super) fn abandon(&self) {
        self.jobs.abandoned.store(true, Ordering::Relaxed);
        self.jobs.state.lock().batches.clear();
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.abandon();
        self.jobs.state.lock().closed = true;
        self.jobs.changed.notify_all();
    }
}

impl Jobs {
    /// The next batch; nothing where there will be no more.
    fn next(&self) -> Option<Vec<Game>> {
        let mut state = self.state.lock();
        loop {
            if let Some(batch) = state.batches.pop_front() {
                return Some(batch);
            }
            if state.closed {
                return None;
            }
            self.changed.wait(&mut state);
        }
    }
}

/// Plays batch after batch, the games of one lineup after those of another: to sit down takes longer
/// than many a game. Where one fails, those behind it in the schedule are not played.
fn work(
    panel: &dyn RefereeFactory,
    jobs: &Jobs,
    tell: &Sender<ThreadReport>,
    interrupt: &AtomicBool,
) {
    let mut referee: Option<Box<dyn Referee + '_>> = None;
    while let Some(mut batch) = jobs.next() {
        let began = Instant::now();
        let mut done = Vec::with_capacity(batch.len());
        let mut end = u64::MAX;
        batch.sort_by(|a, b| a.lineup.cmp(&b.lineup));
        for game in &batch {
            if game.number > end {
                continue;
            }
            if interrupt.load(Ordering::Relaxed) || jobs.abandoned.load(Ordering::Relaxed) {
                break;
            }
            // A referee that panics must not be waited for: its panic is an error like any other.
            let result = guarded(|| match &referee {
                Some(referee) => referee.play(game),
                None => panel.referee().and_then(|new| referee.insert(new).play(game)),
            });
            let result = result.unwrap_or_else(|panic| Err(panic.into()));
            if result.is_err() {
                end = game.number;
            }
            done.push(PlayedGame { number: game.number, result });
        }
        // Nobody listens any more where the tournament is over.
        let _ = tell.send(ThreadReport { done, took: began.elapsed() });
    }
}
