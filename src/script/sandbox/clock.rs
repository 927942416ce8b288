//! Measures how long a script has run. Long runs are measured by the processor's time, so that
//! other work on a busy machine does not count.

use std::time::{Duration, Instant};

/// Short runs are only watched by the wall clock, which is cheaper to read.
const SHORT: Duration = Duration::from_millis(500);

/// The time that a script has run, without the time that answers took once it proved to be long.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::script) enum Clock {
    /// Not looked at yet.
    #[default]
    Unwound,
    /// Running since then.
    Wall(Instant),
    /// Running for long; the processor's time of this thread when that was found.
    Processor(Duration),
    /// Paused after running for long; the processor's time that it had used since that was found.
    Paused(Duration),
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
            Clock::Paused(used) => *self = Clock::Processor(processor_time().saturating_sub(used)),
            Clock::Processor(since) => return processor_time().saturating_sub(since) > deadline,
        }
        false
    }

    /// The clock, which counts on when it is looked at again.
    pub(in crate::script) fn paused(self) -> Clock {
        match self {
            Clock::Processor(since) => Clock::Paused(processor_time().saturating_sub(since)),
            short => short,
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
        let mut clock = Clock::Processor(processor_time()).paused();
        let start = processor_time();
        while processor_time() < start + Duration::from_millis(20) {}
        assert!(!clock.is_past(Duration::ZERO), "it counts on from here");
        assert!(!clock.is_past(Duration::from_millis(20)), "what ran meanwhile is not counted");
    }
}
