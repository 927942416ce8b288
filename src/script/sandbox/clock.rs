//! Measures how long a script has run. Long runs are measured by the processor's time, so that
//! other work on a busy machine does not count.

use std::time::{Duration, Instant};

/// Short runs are only watched by the wall clock, which is cheaper to read.
const SHORT: Duration = Duration::from_millis(500);

/// The time that a script has run, without the time that answers took.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::script) enum Clock {
    /// Not looked at yet.
    #[default]
    Unwound,
    /// Running since then.
    Wall(Instant),
    /// Running for long; the processor's time of this thread when that was found.
    Processor(Duration),
}

impl Clock {
    /// Looks at the time; true when more than `deadline` has been used since the run proved to be
    /// long.
    pub(in crate::script) fn is_past(&mut self, deadline: Duration) -> bool {
        match *self {
            Clock::Unwound => *self = Clock::Wall(Instant::now()),
            Clock::Wall(since) if since.elapsed() > SHORT => {
                *self = Clock::Processor(processor_time());
            }
            Clock::Wall(_) => {}
            Clock::Processor(since) => return processor_time().saturating_sub(since) > deadline,
        }
        false
    }

    /// A clock that does not count what runs from now until [`PausedClock::end`].
    pub(in crate::script) fn pause(self) -> PausedClock {
        PausedClock {
            clock: self,
            wall: matches!(self, Clock::Wall(_)).then(Instant::now),
            processor: matches!(self, Clock::Processor(_)).then(processor_time),
        }
    }
}

/// A paused clock.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct PausedClock {
    clock: Clock,
    wall: Option<Instant>,
    processor: Option<Duration>,
}

impl PausedClock {
    /// The clock, as if nothing had run since it was paused.
    pub(in crate::script) fn end(self) -> Clock {
        match (self.clock, self.wall, self.processor) {
            (Clock::Wall(since), Some(paused), _) => Clock::Wall(since + paused.elapsed()),
            (Clock::Processor(since), _, Some(paused)) => {
                Clock::Processor(since + processor_time().saturating_sub(paused))
            }
            (clock, ..) => clock,
        }
    }
}

/// The processor's time that this thread has used.
#[cfg(unix)]
pub(crate) fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// The wall clock, where the processor's time cannot be read.
#[cfg(not(unix))]
pub fn processor_time() -> Duration {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_counts_work_and_not_waiting() {
        let mut clock = Clock::Processor(processor_time());
        std::thread::sleep(Duration::from_millis(30));
        assert!(!clock.is_past(Duration::from_millis(20)), "sleeping is no work");
        let start = Instant::now();
        while !clock.is_past(Duration::from_millis(5)) {
            assert!(start.elapsed() < Duration::from_secs(60), "work is counted");
        }
    }

    #[test]
    fn a_paused_clock_stands_still() {
        let since = Instant::now();
        let pause = Clock::Wall(since).pause();
        std::thread::sleep(Duration::from_millis(2));
        match pause.end() {
            Clock::Wall(moved) => assert!(moved >= since + Duration::from_millis(2)),
            other => panic!("{other:?}"),
        }
    }
}
