//! What does Ctrl-C do? It raises one flag, which scripts and readers look at; twice in a row it ends
//! the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The flag that Ctrl-C raises, one for the whole program; the second Ctrl-C before somebody has
/// lowered it ends the program.
pub fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let made = || {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        let handler = move || {
            if raised.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        };
        // Where no handler can be set, Ctrl-C ends the program as it does elsewhere.
        let _ = ctrlc::set_handler(handler);
        flag
    };
    FLAG.get_or_init(made).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_who_ask_look_at_the_same_flag() {
        assert!(Arc::ptr_eq(&flag(), &flag()));
    }
}
