//! What is compiled and in use, on any thread, so that threads that run the same scripts compile them once.

use std::sync::{Arc, Weak};

use parking_lot::Mutex;

/// What some thread holds; what nobody holds any more is forgotten.
pub(super) struct InUse<T>(Mutex<Vec<Weak<T>>>);

impl<T> InUse<T> {
    pub(super) const fn new() -> InUse<T> {
        InUse(Mutex::new(Vec::new()))
    }

    pub(super) fn find(&self, is_it: impl Fn(&T) -> bool) -> Option<Arc<T>> {
        let mut known = self.0.lock();
        known.retain(|compiled| compiled.strong_count() > 0);
        known.iter().filter_map(Weak::upgrade).find(|compiled| is_it(compiled))
    }

    pub(super) fn add(&self, compiled: &Arc<T>) {
        self.0.lock().push(Arc::downgrade(compiled));
    }
}
