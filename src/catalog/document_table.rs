//! Reads the tables of a file strictly: every error names its place and what was expected.

use std::path::Path;

use indexmap::IndexMap;

use super::Document;
use super::confined_paths::own;
use crate::error::{Error, Location, missing, nearest};
use crate::game::Value;

/// A table of a document, with its place: the reader of all our own file formats.
#[derive(Clone)]
pub(crate) struct DocumentTable<'a> {
    /// The document that contains it; `None` for a map that a script made.
    document: Option<&'a Document>,
    place: String,
    entries: &'a IndexMap<String, Value>,
}

impl<'a> DocumentTable<'a> {
    pub(crate) fn root(document: &'a Document) -> Result<DocumentTable<'a>, Error> {
        DocumentTable::new(document, String::new(), &document.root)
    }

    /// The table at a place with this value.
    pub(crate) fn new(
        document: &'a Document,
        place: String,
        value: &'a Value,
    ) -> Result<DocumentTable<'a>, Error> {
        DocumentTable::within(Some(document), place, value)
    }

    /// A map that is not in a file; its errors name only the path of the key.
    pub(crate) fn of_map(entries: &'a IndexMap<String, Value>) -> DocumentTable<'a> {
        DocumentTable { document: None, place: String::new(), entries }
    }

    fn within(
        document: Option<&'a Document>,
        place: String,
        value: &'a Value,
    ) -> Result<DocumentTable<'a>, Error> {
        match value {
            Value::Map(entries) => Ok(DocumentTable { document, place, entries }),
            other => {
                let message = format!("`{place}` must be a table, got {}", shown(other));
                Err(fail(document, &place, message))
            }
        }
    }

    /// Refuses keys that are not known here.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), Error> {
        let unknown = self.entries.keys().find(|key| !known.contains(&key.as_str()));
        unknown.map_or(Ok(()), |key| Err(self.unknown_key(key, known)))
    }

    /// The error of a key that is not known here; it names the nearest, or all that are.
    pub(super) fn unknown_key(&self, key: &str, known: &[&str]) -> Error {
        let (place, nearest) = (self.place(key), nearest(key, known.iter().copied()));
        let keys: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
        let listed = match nearest {
            Some(_) => String::new(),
            None => format!("; the keys here are {}", keys.join(", ")),
        };
        let message = format!("unknown key `{place}`{listed}");
        match self.document {
            Some(document) => document.key_error(&place, message, nearest),
            None => Error::Usage { message, nearest },
        }
    }

    /// The entries, in the order of the file.
    pub(crate) fn entries(&self) -> &'a IndexMap<String, Value> {
        self.entries
    }

    pub(crate) fn place(&self, key: &str) -> String {
        if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) }
    }

    /// The value of a key, if it exists.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Value> {
        self.entries.get(key)
    }

    /// The value of a key that must exist.
    pub(crate) fn need(&self, key: &str) -> Result<&'a Value, Error> {
        let there = self.entries.keys().map(String::as_str);
        self.get(key).ok_or_else(|| self.wrong(key, &missing(key, there)))
    }

    /// A text, if the key exists.
    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, Error> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(other) => Err(self.must_be(key, "a text", other)),
        }
    }

    /// A truth value; false where the key is left out.
    pub(crate) fn truth(&self, key: &str) -> Result<bool, Error> {
        match self.get(key) {
            None => Ok(false),
            Some(Value::Bool(truth)) => Ok(*truth),
            Some(other) => Err(self.must_be(key, "true or false", other)),
        }
    }

    /// A text that must exist.
    pub(crate) fn need_text(&self, key: &str) -> Result<String, Error> {
        self.need(key)?;
        self.text(key).map(Option::unwrap_or_default)
    }

    /// A list of texts; empty where the key is left out.
    pub(crate) fn texts(&self, key: &str) -> Result<Vec<String>, Error> {
        let one = |item: &Value| item.as_text().map(str::to_owned);
        match self.get(key) {
            None => Ok(Vec::new()),
            Some(value) => value
                .as_list()
                .and_then(|items| items.iter().map(one).collect())
                .ok_or_else(|| self.must_be(key, "a list of texts", value)),
        }
    }

    /// A list, if the key exists.
    pub(crate) fn list(&self, key: &str) -> Result<Option<&'a [Value]>, Error> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::List(items)) => Ok(Some(items)),
            Some(other) => Err(self.must_be(key, "a list", other)),
        }
    }

    /// The table of a key, if it exists.
    pub(crate) fn table(&self, key: &str) -> Result<Option<DocumentTable<'a>>, Error> {
        self.get(key)
            .map(|value| DocumentTable::within(self.document, self.place(key), value))
            .transpose()
    }

    /// The entries of a table within; none where the key is left out.
    pub(crate) fn map(&self, key: &str) -> Result<IndexMap<String, Value>, Error> {
        Ok(self.table(key)?.map(|table| table.entries.clone()).unwrap_or_default())
    }

    /// Where the file has the value of a key.
    pub(crate) fn location(&self, key: &str) -> Option<Location> {
        self.document?.at(&self.place(key))
    }

    /// An error about a key: `` `place` message ``.
    pub(crate) fn wrong(&self, key: &str, message: &str) -> Error {
        let place = self.place(key);
        let message = format!("`{place}` {message}");
        fail(self.document, &place, message)
    }

    /// An error about an unknown word, with the nearest of the known ones.
    pub(crate) fn unknown(&self, key: &str, word: &str, known: &[&str]) -> Error {
        let place = self.place(key);
        let words: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
        let message = format!("`{place}` must be one of {}, got `{word}`", words.join(", "));
        let nearest = nearest(word, known.iter().copied());
        match self.document {
            Some(document) => document.error(&place, message, nearest),
            None => Error::Usage { message, nearest },
        }
    }

    /// An error about the kind of a key's value.
    pub(crate) fn must_be(&self, key: &str, what: &str, got: &Value) -> Error {
        self.wrong(key, &format!("must be {what}, got {}", shown(got)))
    }
}

fn fail(document: Option<&Document>, place: &str, message: String) -> Error {
    match document {
        Some(document) => document.error(place, message, None),
        None => Error::usage(message),
    }
}

/// A value as a message shows it: a small one itself, a large one by its kind.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) if text.chars().count() <= 40 => format!("`{text}`"),
        Value::Text(_) | Value::Map(_) | Value::Unit => value.kind().to_owned(),
        Value::List(items) if items.len() > 12 => format!("a list of {}", items.len()),
        other => other.to_string(),
    }
}

/// The table of seats: player or side -> agent.
pub(super) fn seats_of(
    root: &DocumentTable<'_>,
    path: &str,
) -> Result<IndexMap<String, String>, Error> {
    let mut seats = IndexMap::new();
    if let Some(table) = root.table("seats")? {
        for player in table.entries().keys() {
            let agent = beside(&table, player, path, table.need_text(player)?)?;
            seats.insert(player.clone(), agent);
        }
    }
    Ok(seats)
}

/// A word of a file as it is read from the current folder; `key` is where the table has it.
pub(super) fn beside(
    table: &DocumentTable<'_>,
    key: &str,
    file: &str,
    word: String,
) -> Result<String, Error> {
    // A value without a file comes from the person.
    match Path::new(file).parent() {
        Some(folder) => own(folder, &word).map_err(|why| table.wrong(key, &why)),
        None => Ok(word),
    }
}

/// The same for each word of a list.
pub(super) fn all_beside(
    table: &DocumentTable<'_>,
    key: &str,
    file: &str,
) -> Result<Vec<String>, Error> {
    let words = table.texts(key)?.into_iter().enumerate();
    words.map(|(number, word)| beside(table, &format!("{key}.{number}"), file, word)).collect()
}
