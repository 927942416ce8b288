//! Shares numbered pieces of work among threads; what comes of it is in the order of the numbers.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::Error;
use crate::script::{guarded, on_large_stack};

/// What came of work, in order: all of it, or what was done before it was cut.
pub(crate) struct Worked<T> {
    /// The results from the first on.
    pub done: Vec<T>,
    /// Why it was cut, if it was: [`Error::Interrupted`] or [`Error::Bound`].
    pub cut: Option<Error>,
}

/// Does this many pieces of work. Each thread makes a worker of its own, and takes the next piece when it is done
/// with one.
///
/// # Errors
/// That of the first piece that fails. That it was cut is no error.
pub(crate) fn shared_out<T: Send, W: FnMut(usize) -> Result<T, Error>>(
    threads: usize,
    count: usize,
    worker: impl Fn() -> Result<W, Error> + Sync,
) -> Result<Worked<T>, Error> {
    let threads = threads.clamp(1, count.max(1));
    let next = AtomicUsize::new(0);
    let part = || -> Vec<(usize, Result<T, Error>)> {
        let mut made = Vec::new();
        let mut work = None;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return made;
            }
            let one = || {
                let work = match &mut work {
                    Some(work) => work,
                    none => none.insert(worker()?),
                };
                work(number)
            };
            let one = guarded(one).unwrap_or_else(|panic| Err(panic.into()));
            if one.is_err() {
                // Those before it are taken already, so that the first that fails is the same on any number of threads.
                next.store(count, Ordering::Relaxed);
            }
            made.push((number, one));
        }
    };
    let mut all: Vec<(usize, Result<T, Error>)> = std::thread::scope(|scope| {
        let part = &part;
        let others = (1..threads).map(|_| scope.spawn(move || on_large_stack(part)));
        let others: Vec<_> = others.collect();
        let mut all = on_large_stack(part);
        // A worker's panic is one of its pieces; no thread has another.
        all.extend(others.into_iter().flat_map(|thread| thread.join().unwrap_or_default()));
        all
    });
    all.sort_by_key(|(number, _)| *number);
    let mut done = Vec::with_capacity(all.len());
    for (number, one) in all {
        match one {
            Ok(_) if number != done.len() => break,
            Ok(one) => done.push(one),
            Err(error) if error.cut().is_some() => return Ok(Worked { done, cut: Some(error) }),
            Err(error) => return Err(error),
        }
    }
    let whole = done.len() == count;
    Ok(Worked { done, cut: (!whole).then_some(Error::Interrupted) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_in_order_however_many_threads_there_are() {
        for threads in [1, 2, 5] {
            let worked =
                shared_out(threads, 11, || Ok(|number: usize| Ok(number * number))).unwrap();
            assert!(worked.cut.is_none());
            assert_eq!(worked.done, (0..11).map(|number| number * number).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_was_done_before_a_cut_stays_and_an_error_does_not() {
        let cut = |number| if number < 4 { Ok(number) } else { Err(Error::Interrupted) };
        let worked = shared_out(3, 9, || Ok(cut)).unwrap();
        assert_eq!((worked.done, worked.cut.is_some()), (vec![0, 1, 2, 3], true));
        let wrong = |number: usize| match number {
            0..4 => Ok(number),
            number => Err(Error::usage(format!("piece {number}"))),
        };
        let failed = shared_out(3, 9, || Ok(wrong));
        assert_eq!(failed.err().map(|error| error.to_string()), Some("piece 4".to_owned()));
    }
}
