//! Shares numbered pieces of work among threads; what comes of it is in the order of the numbers.

use crate::error::Error;
use crate::script::{guarded, on_large_stack};

/// What came of work, in order: all of it, or what was done before it was cut.
pub(super) struct Worked<T> {
    /// The results from the first on.
    pub done: Vec<T>,
    /// Why it was cut, if it was: [`Error::Interrupted`] or [`Error::Bound`].
    pub cut: Option<Error>,
}

/// Does this many pieces of work. Each thread makes a worker of its own.
///
/// # Errors
/// That of the first piece that fails. That it was cut is no error.
pub(super) fn striped<T: Send, W: FnMut(usize) -> Result<T, Error>>(
    threads: usize,
    count: usize,
    worker: impl Fn() -> Result<W, Error> + Sync,
) -> Result<Worked<T>, Error> {
    let threads = threads.clamp(1, count.max(1));
    let stripe = |first: usize| -> Vec<(usize, Result<T, Error>)> {
        let mut work = match worker() {
            Ok(work) => work,
            Err(error) => return vec![(first, Err(error))],
        };
        let mut made = Vec::new();
        for number in (first..count).step_by(threads) {
            let one = guarded(|| work(number)).unwrap_or_else(|panic| Err(panic.into()));
            let fails = one.is_err();
            made.push((number, one));
            if fails {
                break;
            }
        }
        made
    };
    let mut all: Vec<(usize, Result<T, Error>)> = std::thread::scope(|scope| {
        let stripe = &stripe;
        let others =
            (1..threads).map(|first| scope.spawn(move || on_large_stack(|| stripe(first))));
        let others: Vec<_> = others.collect();
        let mut all = on_large_stack(|| stripe(0));
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
            let worked = striped(threads, 11, || Ok(|number: usize| Ok(number * number))).unwrap();
            assert!(worked.cut.is_none());
            assert_eq!(worked.done, (0..11).map(|number| number * number).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_was_done_before_a_cut_stays_and_an_error_does_not() {
        let cut = |number| if number < 4 { Ok(number) } else { Err(Error::Interrupted) };
        let worked = striped(3, 9, || Ok(cut)).unwrap();
        assert_eq!((worked.done, worked.cut.is_some()), (vec![0, 1, 2, 3], true));
        let wrong = |number: usize| match number {
            0..4 => Ok(number),
            number => Err(Error::usage(format!("piece {number}"))),
        };
        let failed = striped(3, 9, || Ok(wrong));
        assert_eq!(failed.err().map(|error| error.to_string()), Some("piece 4".to_owned()));
    }
}
