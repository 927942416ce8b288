//! What ends long work: Ctrl-C, or a signal of another program. It raises one flag, at which scripts
//! and readers look; twice in a row it ends the program.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

/// The exit code after Ctrl-C.
const CTRL_C: u8 = 130;
/// The exit code for what raised the flag last.
static CODE: AtomicU8 = AtomicU8::new(CTRL_C);

/// The exit code of a program that was interrupted: 130 by Ctrl-C, 143 by SIGTERM, 129 where its
/// terminal is gone.
pub(super) fn code() -> u8 {
    CODE.load(Ordering::Relaxed)
}

/// The flag that an interrupt raises, one for the whole program; the second one before somebody has
/// lowered it ends the program.
pub(super) fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let made = || {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        listen(move |code| {
            CODE.store(code, Ordering::Relaxed);
            if raised.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(code));
            }
        });
        flag
    };
    FLAG.get_or_init(made).clone()
}

/// Calls back at each interrupt, with the exit code that says which it was. Where nobody can listen, it
/// ends the program as it does elsewhere.
#[cfg(unix)]
fn listen(raise: impl Fn(u8) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
        return;
    };
    std::thread::spawn(move || {
        // A shell adds 128 to the number of the signal that ended a program.
        signals.forever().for_each(|signal| raise(u8::try_from(128 + signal).unwrap_or(CTRL_C)));
    });
}

/// The same where the system does not say what it was.
#[cfg(not(unix))]
fn listen(raise: impl Fn(u8) + Send + 'static) {
    let _ = ctrlc::set_handler(move || raise(CTRL_C));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_who_ask_look_at_the_same_flag() {
        assert!(Arc::ptr_eq(&flag(), &flag()));
    }
}
