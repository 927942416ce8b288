//! Makes playouts on many threads, in batches that are counted in order, so that the results do not
//! depend on the number of threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::game::Generator;
use crate::graph::{PlayoutRunner, WorkerFactory};
use crate::script::on_large_stack;

/// Playouts that one thread makes before it passes them on.
pub(super) const BATCH: u64 = 256;

/// When to check whether there are enough: less and less often, because a check takes longer than a
/// batch.
pub(super) struct Looks {
    next: u64,
    /// The part of what was made that is made before the next check.
    apart: u64,
}

/// Fewer playouts than this are never enough.
const FIRST_LOOK: u64 = 1024;

impl Looks {
    /// Whenever a sixteenth more was made: of what is no test, looking often does no harm.
    pub(super) fn often() -> Looks {
        Looks { next: FIRST_LOOK, apart: 16 }
    }

    /// Whenever twice as many were made.
    pub(super) fn doubling() -> Looks {
        Looks { next: FIRST_LOOK, apart: 1 }
    }

    /// How many checks there are before `n` were made, where each comes after twice as many.
    pub(super) fn doublings(n: u64) -> u32 {
        (n.max(FIRST_LOOK + 1) - 1).ilog2() - FIRST_LOOK.ilog2() + 1
    }

    /// Whether a check is due after `made` playouts.
    pub(super) fn is_due(&mut self, made: u64) -> bool {
        let due = made >= self.next;
        if due {
            self.next = made + made / self.apart;
        }
        due
    }
}

/// The number of playouts to make, and of threads that make them.
pub(crate) struct PlayoutWork<'a> {
    /// The most playouts to make.
    pub n: u64,
    pub threads: usize,
    /// Called with the number of playouts done.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// A playout that failed.
#[derive(Debug)]
pub struct FailedPlayout {
    /// Its number, if a single one failed.
    pub playout: Option<u64>,
    pub error: Error,
}

impl FailedPlayout {
    /// A playout that failed, with what led there and the words that play it again.
    pub fn of(
        runner: &mut PlayoutRunner,
        (seed, playout): (u64, u64),
        seating: &Seating,
        error: Error,
    ) -> FailedPlayout {
        let error = error.reached(|| {
            // Of one that is too large the words alone lead there; `play` shows how it ends.
            let history = runner.history_of_failed(Generator::playout(seed, playout));
            let history = history.unwrap_or_default();
            let mut words = seating.words();
            words.extend(["--seed".to_owned(), Generator::seed_of(seed, playout).to_string()]);
            Some((history, words))
        });
        FailedPlayout { playout: Some(playout), error }
    }
}

impl From<Error> for FailedPlayout {
    fn from(error: Error) -> FailedPlayout {
        FailedPlayout { playout: None, error }
    }
}

impl From<FailedPlayout> for Error {
    fn from(failed: FailedPlayout) -> Error {
        failed.error
    }
}

/// Makes the playouts of a batch, each by its number. What was made before somebody stopped it counts, however long a batch
/// takes.
pub(super) fn batch<T>(
    playouts: Range<u64>,
    mut one: impl FnMut(u64) -> Result<T, FailedPlayout>,
) -> Result<Vec<T>, FailedPlayout> {
    let mut made = Vec::new();
    for playout in playouts {
        match one(playout) {
            Err(failed) if failed.error.is_asked_for() && !made.is_empty() => break,
            one => made.push(one?),
        }
    }
    Ok(made)
}

/// What stopped playouts, if anything did; of a last batch that is short nobody says so but the budget.
pub(super) fn stopped(cut: Option<Cut>, is_short: bool, seating: &Seating) -> Option<Cut> {
    let over = || seating.is_wanted().err().and_then(|error| error.cut());
    cut.or_else(|| is_short.then(over).flatten())
}

impl PlayoutWork<'_> {
    /// Makes batches on all threads, each with a maker of its own, and consumes them in order until
    /// `consume` says that it has enough; the batches beyond are thrown away. Returns what stopped it before, if
    /// anything did: somebody, or its time was over.
    ///
    /// # Errors
    /// Those of the makers, the first in the order of the batches; [`Error::Interrupted`] or
    /// [`Error::Bound`] where nothing was consumed before.
    pub(crate) fn in_order<T: Send, M: FnMut(Range<u64>) -> Result<T, FailedPlayout>>(
        &self,
        maker: &(dyn Fn() -> Result<M, Error> + Sync),
        consume: &mut (dyn FnMut(T) -> bool + Send),
    ) -> Result<Option<Cut>, FailedPlayout> {
        let queue = Queue { waiting: BTreeMap::new(), next: 0, consume, failed: None };
        let shared = SharedBatches {
            work: self,
            taken: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            queue: Mutex::new(queue),
        };
        std::thread::scope(|scope| {
            let batches = self.n.div_ceil(BATCH).max(1);
            for _ in 1..batches.min(self.threads as u64) {
                scope.spawn(|| on_large_stack(|| shared.make(maker)));
            }
            on_large_stack(|| shared.make(maker));
        });
        let queue = shared.queue.into_inner();
        match queue.failed {
            None => Ok(None),
            Some(failed) => match failed.error.cut() {
                Some(cut) if queue.next > 0 && cut.is_asked_for() => Ok(Some(cut)),
                _ => Err(failed),
            },
        }
    }
}

struct SharedBatches<'a, T> {
    work: &'a PlayoutWork<'a>,
    /// Batches that some thread makes or has made.
    taken: AtomicU64,
    stop: AtomicBool,
    queue: Mutex<Queue<'a, T>>,
}

/// Batches on their way to be consumed.
struct Queue<'a, T> {
    waiting: BTreeMap<u64, Result<T, FailedPlayout>>,
    next: u64,
    consume: &'a mut (dyn FnMut(T) -> bool + Send),
    failed: Option<FailedPlayout>,
}

impl<T> Queue<'_, T> {
    /// Whether somebody stopped the work, or its time was over.
    fn is_cut(&self) -> bool {
        self.failed.as_ref().is_some_and(|failed| failed.error.is_asked_for())
    }
}

impl<T> SharedBatches<'_, T> {
    fn make<M: FnMut(Range<u64>) -> Result<T, FailedPlayout>>(
        &self,
        maker: &(dyn Fn() -> Result<M, Error> + Sync),
    ) {
        let mut make = match maker() {
            Ok(make) => Ok(make),
            Err(error) => Err(Some(error)),
        };
        while !self.stop.load(Ordering::Relaxed) {
            let batch = self.taken.fetch_add(1, Ordering::Relaxed);
            let first = batch.saturating_mul(BATCH);
            if first >= self.work.n {
                return;
            }
            let made = match &mut make {
                Ok(make) => make(first..self.work.n.min(first + BATCH)),
                // A thread that cannot work says so once, in the place of a batch.
                Err(error) => match error.take() {
                    Some(error) => Err(error.into()),
                    None => return,
                },
            };
            self.deliver(batch, made);
        }
    }

    fn deliver(&self, batch: u64, made: Result<T, FailedPlayout>) {
        let mut queue = self.queue.lock();
        // Whoever is stopped waits for nobody.
        let made = match made {
            Err(failed) if failed.error.is_asked_for() => {
                if !self.stop.swap(true, Ordering::Relaxed) {
                    queue.failed = Some(failed);
                }
                return;
            }
            made => made,
        };
        queue.waiting.insert(batch, made);
        loop {
            let next = queue.next;
            let Some(made) = queue.waiting.remove(&next) else { break };
            // Where somebody stopped the work, what was made before counts.
            if self.stop.load(Ordering::Relaxed) && !queue.is_cut() {
                return;
            }
            match made {
                Ok(made) => {
                    queue.next += 1;
                    if (queue.consume)(made) {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                }
                Err(error) => {
                    queue.failed = Some(error);
                    self.stop.store(true, Ordering::Relaxed);
                }
            }
        }
        // Whoever hears of progress may count on having something.
        if queue.next > 0 {
            (self.work.progress)(self.work.n.min(queue.next * BATCH));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(threads: usize, enough: u64) -> (Vec<u64>, Result<Option<Cut>, FailedPlayout>) {
        let mut consumed = Vec::new();
        let work = PlayoutWork { n: 10_000, threads, progress: &|_| () };
        let done = work.in_order(&|| Ok(|batch: Range<u64>| Ok(batch.sum::<u64>())), &mut |sum| {
            consumed.push(sum);
            consumed.len() as u64 == enough
        });
        (consumed, done)
    }

    #[test]
    fn batches_come_in_order_whoever_makes_them() {
        let (alone, done) = sums(1, u64::MAX);
        assert_eq!((alone.len(), done.unwrap()), (40, None));
        assert_eq!(alone.iter().sum::<u64>(), 9_999 * 10_000 / 2);
        for threads in [2, 5] {
            assert_eq!(sums(threads, u64::MAX).0, alone);
            assert_eq!(sums(threads, 7).0, alone[..7]);
        }
    }

    #[test]
    fn the_first_error_in_the_order_is_reported() {
        for threads in [1, 4] {
            let work = PlayoutWork { n: 10_000, threads, progress: &|_| () };
            let fail = |batch: Range<u64>| match batch.start / BATCH {
                0..5 => Ok(()),
                number => Err(Error::usage(format!("batch {number}")).into()),
            };
            let mut consumed = 0;
            let done = work.in_order(&|| Ok(fail), &mut |()| {
                consumed += 1;
                false
            });
            assert_eq!(done.unwrap_err().error.to_string(), "batch 5");
            assert_eq!(consumed, 5);
        }
    }
}
