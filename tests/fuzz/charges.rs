//! The target for what natives are charged: no call takes much more time than other calls of as many operations.
//!
//! It prints the median of the natives, and each that takes more than three times as much. By hand, on one core that
//! has nothing else to do: `FRACAS_FUZZ_SECONDS=600 cargo test --test fuzz charges -- --nocapture`.

use std::cell::RefCell;

use rustix::time::{ClockId, clock_gettime};

use super::calls::{CALLS, Dearest, repeat};
use crate::target;

/// The table is printed when the target is done.
#[derive(Default)]
struct Charges(RefCell<Dearest>);

impl Charges {
    fn run(&self, call: &[u8]) -> bool {
        let Ok(call) = std::str::from_utf8(call) else { return false };
        // In nanoseconds of this thread.
        let now = || {
            let now = clock_gettime(ClockId::ThreadCPUTime);
            now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
        };
        let taken = repeat(call, &now);
        taken.inspect(|taken| self.0.borrow_mut().note(call, *taken)).is_some()
    }
}

impl Drop for Charges {
    fn drop(&mut self) {
        let dearest = self.0.borrow();
        let (median, beyond) = dearest.beyond(3.0);
        eprintln!(
            "an operation takes {median:.0} ns, and of these natives more than three times as long:"
        );
        for (each, call) in beyond {
            eprintln!("{:8.1} times  {call}", each / median);
        }
    }
}

target!(charges, CALLS.iter().map(|call| call.as_bytes().to_vec()).collect(), {
    let charges = Charges::default();
    move |call: &[u8]| charges.run(call)
});
