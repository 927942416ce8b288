//! The setups that a run is reading: what each had read is noted when the run is paused, and is
//! known again to whoever goes on from there, whatever other answers led to meanwhile.

use std::cell::RefCell;
use std::sync::Arc;

use super::reader::{ReadKeys, Reader};

/// The setups that are being read in a run: one, or in a campaign perhaps that of a conflict.
#[derive(Default)]
pub struct Setups(RefCell<Vec<Reader>>);

/// What the setups of a paused run had read.
#[derive(Clone, Default)]
pub struct ReadSoFar(Vec<(Reader, Arc<ReadKeys>)>);

impl Setups {
    /// Begins to read one.
    pub fn open(&self, reader: &Reader) {
        self.0.borrow_mut().push(reader.clone());
    }

    /// Has read one.
    pub fn close(&self, reader: &Reader) {
        self.0.borrow_mut().retain(|open| !open.is(reader));
    }

    /// The one that was opened first.
    pub fn first(&self) -> Option<Reader> {
        self.0.borrow().first().cloned()
    }

    /// What all of them have read.
    pub fn so_far(&self) -> ReadSoFar {
        let open = self.0.borrow();
        ReadSoFar(open.iter().map(|reader| (reader.clone(), reader.notes())).collect())
    }

    /// Goes on where a run was paused, or anew from [nothing](ReadSoFar::default).
    pub fn restore(&self, read: ReadSoFar) {
        let restored = read.0.into_iter().map(|(reader, notes)| {
            reader.restore(notes);
            reader
        });
        self.0.replace(restored.collect());
    }
}

impl ReadSoFar {
    /// The most bytes that it may take; what it shares with others counts whole.
    pub fn bytes(&self) -> usize {
        self.0.iter().map(|(_, notes)| size_of::<Reader>() + notes.bytes()).sum()
    }
}
