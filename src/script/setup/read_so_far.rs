//! What a run has read of each setup. It is noted when the run is suspended, and restored when the run is resumed,
//! after any other answers meanwhile.

use std::cell::RefCell;
use std::sync::Arc;

use super::read_marks::ReadKeys;
use super::reader::Reader;

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
        if open.is_empty() {
            return ReadSoFar::default();
        }
        ReadSoFar(open.iter().map(|reader| (reader.clone(), reader.notes())).collect())
    }

    /// Resumes where a run was paused, or begins anew from [nothing](ReadSoFar::default).
    pub(crate) fn restore(&self, read: ReadSoFar) {
        let mut open = self.0.borrow_mut();
        if open.is_empty() && read.0.is_empty() {
            return;
        }
        open.clear();
        for (reader, notes) in read.0 {
            reader.restore(notes);
            open.push(reader);
        }
    }
}

impl ReadSoFar {
    /// The most bytes that it may take; what it shares with others counts whole.
    pub fn bytes(&self) -> usize {
        let one = |(reader, notes): &(Reader, Arc<ReadKeys>)| reader.bytes() + notes.bytes();
        self.0.iter().map(one).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Value;
    use crate::script::Setup;
    use crate::script::sandbox::memory::live_bytes;

    #[test]
    fn what_was_read_takes_no_more_than_it_counts() {
        for keys in [1, 3, 7, 8, 29, 200] {
            let entries = (0..keys).map(|key| (format!("key {key}"), Value::Int(key)));
            let reader = Reader::new(&Setup::new(Value::Map(entries.collect())));
            let before = live_bytes();
            for key in 0..keys {
                reader.get(&format!("key {key}")).unwrap();
            }
            reader.call("name");
            let held = usize::try_from(live_bytes() - before).unwrap();
            let counted = reader.notes().bytes();
            assert!(held > 0 && held <= counted, "{keys} keys: {held} of {counted}");
        }
    }
}
