//! Reads values of a setup, and records what was read, so that unread keys can be reported and a run that was
//! suspended is resumed with what it had read.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use parking_lot::Mutex;

use super::{ONE_OF, Setup};
use crate::error::{Error, missing, misspelt, nearest};
use crate::game::Value;
use crate::report::tame_message;

struct SharedReads {
    setup: Setup,
    notes: Mutex<Arc<ReadKeys>>,
}

/// A table of the setup, or a value in a list of it.
#[derive(Clone)]
pub struct Reader {
    shared: Arc<SharedReads>,
    value: Arc<Value>,
    path: String,
}

impl SharedReads {
    /// A message that says whose the place is, unless the value there is that name itself.
    fn of_whom(&self, place: &str, there: Option<&Value>, message: String) -> String {
        let called = &self.notes.lock().called;
        let above = place.match_indices('.').map(|(at, _)| &place[..at]).chain([place]);
        match above.filter_map(|path| called.get(path)).next_back() {
            Some(name) if there.and_then(Value::as_text) != Some(name) => {
                format!("{message} (`{name}`)")
            }
            _ => message,
        }
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.path)
    }
}

impl Reader {
    /// The whole setup, of which nothing has been read.
    pub fn new(setup: &Setup) -> Reader {
        let shared = SharedReads { setup: setup.clone(), notes: Mutex::default() };
        Reader { shared: Arc::new(shared), value: setup.value.clone(), path: "setup".to_owned() }
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.shared.setup
    }

    pub(super) fn notes(&self) -> Arc<ReadKeys> {
        self.shared.notes.lock().clone()
    }

    /// Forgets what was read, for what had been read at another time.
    pub(super) fn restore(&self, notes: Arc<ReadKeys>) {
        *self.shared.notes.lock() = notes;
    }

    /// Whether both read one setup.
    pub(super) fn is(&self, other: &Reader) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// The most bytes that it may take, with what it reads.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Reader>() + self.path.len() + self.value.bytes()
    }

    /// The dotted path to this table.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The keys, in the order of the file.
    pub fn keys(&self) -> Result<Vec<&str>, Error> {
        Ok(self.entries()?.keys().map(String::as_str).collect())
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> Result<bool, Error> {
        self.mark(key, Mark::Asked);
        Ok(self.entries()?.contains_key(key))
    }

    /// The value under a key, read whole.
    pub fn get(&self, key: &str) -> Result<Option<&Value>, Error> {
        self.mark(key, Mark::Whole);
        Ok(self.entries()?.get(key))
    }

    /// The value under a key that must be there.
    pub fn need(&self, key: &str) -> Result<&Value, Error> {
        match self.get(key)? {
            Some(value) => Ok(value),
            None => {
                let notes = self.notes();
                let is_read = |key: &str| notes.of(&self.path, key) > Some(Mark::Asked);
                let unread = self.keys()?.into_iter().filter(|key| !is_read(key));
                let meant = misspelt(key, unread.clone());
                let mut error = self.fault(key, missing(key, unread), None);
                // The misspelt key is the place to mend.
                if let (Error::Setup { at, .. }, Some(meant)) = (&mut error, meant) {
                    let place = format!("{}.{meant}", self.path);
                    *at = (self.shared.setup.locate)(&place).or_else(|| at.take());
                }
                Err(error)
            }
        }
    }

    /// The table under a key; an absent one is empty.
    pub fn table(&self, key: &str) -> Result<Reader, Error> {
        self.mark(key, Mark::Opened);
        let empty = Value::Map(IndexMap::new());
        let value = self.entries()?.get(key).cloned().unwrap_or(empty);
        if value.as_map().is_none() {
            return Err(self.wrong(key, "a table", &value));
        }
        Ok(self.child(key, value))
    }

    /// The tables of the list under a key; an absent list is empty.
    pub fn tables(&self, key: &str) -> Result<Vec<Reader>, Error> {
        self.mark(key, Mark::Opened);
        let list = match self.entries()?.get(key) {
            None => return Ok(Vec::new()),
            Some(Value::List(list)) => list,
            Some(other) => return Err(self.wrong(key, "a list of tables", other)),
        };
        let inner = self.child(key, Value::Unit);
        let open = |(index, value): (usize, &Value)| {
            let index = index.to_string();
            if value.as_map().is_none() {
                return Err(inner.wrong(&index, "a table", value));
            }
            inner.mark(&index, Mark::Opened);
            Ok(inner.child(&index, value.clone()))
        };
        list.iter().enumerate().map(open).collect()
    }

    /// Gives the table a name: from now on mistakes in it say whose they are.
    pub fn call(&self, name: &str) {
        self.note(|notes| notes.called.insert(self.path.clone(), name.to_owned()));
    }

    /// A mistake at a key of this table.
    pub fn fault(&self, key: &str, message: String, nearest: Option<String>) -> Error {
        let place = if key.is_empty() { self.path.clone() } else { format!("{}.{key}", self.path) };
        let message = self.shared.of_whom(&place, self.value.get(key), message);
        // What is in the setup and has no place of its own was changed: the table around it is not to blame.
        let is_changed = self.value.get(key).is_some();
        let around = || (self.shared.setup.locate)(&self.path).filter(|_| !is_changed);
        let at = (self.shared.setup.locate)(&place).or_else(around);
        Error::Setup { place, message, nearest, at }
    }

    /// The mistake of a value of the wrong kind.
    pub fn wrong(&self, key: &str, wanted: &str, got: &Value) -> Error {
        self.wrong_near(key, wanted, got, None)
    }

    pub(crate) fn wrong_near(
        &self,
        key: &str,
        wanted: &str,
        got: &Value,
        near: Option<String>,
    ) -> Error {
        let near = near.or_else(|| {
            // A misspelled draw is a table where the rules want none.
            let keys = got.as_map().into_iter().flatten();
            keys.filter_map(|(key, _)| nearest(key, [ONE_OF])).next()
        });
        let got = match got {
            Value::Map(_) | Value::List(_) => got.kind().to_owned(),
            scalar => scalar.literal(),
        };
        self.fault(key, format!("must be {wanted}, got {got}"), near)
    }

    /// Refuses the first key or text with a control character: names appear in every line that
    /// shows a question.
    pub(crate) fn check_names(&self) -> Result<(), Error> {
        self.check_plain(&self.value, &self.path)
    }

    fn check_plain(&self, value: &Value, path: &str) -> Result<(), Error> {
        let check = |text: &str, place: &str| {
            if !text.chars().any(char::is_control) {
                return Ok(());
            }
            let at = (self.shared.setup.locate)(place);
            let message = format!("`{}` holds a control character", tame_message(text));
            Err(Error::Setup { place: path.to_owned(), message, nearest: None, at })
        };
        value.as_text().map_or(Ok(()), |text| check(text, path))?;
        parts(value).into_iter().try_for_each(|(key, part)| {
            let place = format!("{path}.{key}");
            check(&key, &place)?;
            self.check_plain(part, &place)
        })
    }

    /// Reports the first key that nobody has read.
    pub fn finish(&self) -> Result<(), Error> {
        self.check_read(&self.value, &self.path)
    }

    fn check_read(&self, value: &Value, path: &str) -> Result<(), Error> {
        let notes = self.notes();
        for (key, part) in parts(value) {
            let place = format!("{path}.{key}");
            match notes.of(path, &key) {
                Some(Mark::Whole) => {}
                Some(Mark::Opened) => self.check_read(part, &place)?,
                Some(Mark::Asked) | None => {
                    let asked = notes.marks.keys().filter(|(table, _)| table == path);
                    let known = asked.map(|(_, key)| key.as_str());
                    let message = self.shared.of_whom(&place, None, "no such key".to_owned());
                    return Err(self.setup().wrong(place, message, nearest(&key, known)));
                }
            }
        }
        Ok(())
    }

    fn entries(&self) -> Result<&IndexMap<String, Value>, Error> {
        match &*self.value {
            Value::Map(map) => Ok(map),
            other => Err(self.wrong("", "a table", other)),
        }
    }

    fn child(&self, key: &str, value: Value) -> Reader {
        let path = format!("{}.{key}", self.path);
        Reader { shared: self.shared.clone(), value: Arc::new(value), path }
    }

    fn note<T>(&self, write: impl FnOnce(&mut ReadKeys) -> T) {
        write(Arc::make_mut(&mut self.shared.notes.lock()));
    }

    fn mark(&self, key: &str, mark: Mark) {
        let place = (self.path.clone(), key.to_owned());
        self.note(|notes| {
            let held = notes.marks.entry(place).or_insert(mark);
            *held = mark.max(*held);
        });
    }
}

/// What a table or a list holds, by its keys or numbers.
pub(super) fn parts(value: &Value) -> Vec<(String, &Value)> {
    match value {
        Value::Map(map) => map.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::List(list) => {
            list.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect()
        }
        _ => Vec::new(),
    }
}

/// How much of a value has been read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// Nothing: the rules asked whether it is there.
    Asked,
    /// It was opened; what is in it is marked by itself.
    Opened,
    /// All of it.
    Whole,
}

#[derive(Clone, Default)]
pub(super) struct ReadKeys {
    /// By table and key, in the order in which the rules asked for them: one is suggested for a key that nobody read.
    pub marks: IndexMap<(String, String), Mark>,
    /// What tables of lists are called, by their path.
    pub called: HashMap<String, String>,
}

impl ReadKeys {
    pub(super) fn bytes(&self) -> usize {
        // What an entry and a key take beside their letters, in tables that have just grown.
        const NOTE: usize = 160;
        let marks = self.marks.keys().map(|(table, key)| 2 * NOTE + table.len() + key.len());
        let called = self.called.iter().map(|(path, name)| 2 * NOTE + path.len() + name.len());
        marks.chain(called).sum()
    }

    fn of(&self, table: &str, key: &str) -> Option<Mark> {
        self.marks.get(&(table.to_owned(), key.to_owned())).copied()
    }
}

/// The setups that are being read in a run: one, or in a campaign perhaps that of a conflict.
#[derive(Default)]
pub struct Setups(RefCell<Vec<Reader>>);

/// What the setups of a paused run had read.
#[derive(Clone, Default)]
pub struct ReadSoFar(Vec<(Reader, Arc<ReadKeys>)>);

impl Setups {
    pub fn open(&self, reader: &Reader) {
        self.0.borrow_mut().push(reader.clone());
    }

    pub fn close(&self, reader: &Reader) {
        self.0.borrow_mut().retain(|open| !open.is(reader));
    }

    pub fn so_far(&self) -> ReadSoFar {
        let open = self.0.borrow();
        ReadSoFar(open.iter().map(|reader| (reader.clone(), reader.notes())).collect())
    }

    /// Resumes where a run was paused, or begins anew from [nothing](ReadSoFar::default).
    pub(crate) fn restore(&self, read: ReadSoFar) {
        let mut open = self.0.borrow_mut();
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
