//! Parses TOML files, with the location of every entry, and reads their tables strictly. Everything keeps the order of
//! the file.

use std::collections::HashMap;
use std::path::Path;

use indexmap::IndexMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::FileText;
use super::file_text::own;
use crate::error::{Error, Location, missing, nearest};
use crate::game::{Value, ticked};

/// A parsed TOML file.
#[derive(Clone, Debug)]
pub struct Document {
    /// The path as shown to the user.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// Its value: a [`Value::Map`] in the order in which the file first mentions each key.
    pub root: Value,
    places: HashMap<String, DocumentPlace>,
}

#[derive(Clone, Copy, Debug)]
struct DocumentPlace {
    key: usize,
    value: usize,
    /// Behind the value; of a table it is where its key begins.
    end: usize,
}

/// Entries of a table, of which some go and others come.
#[derive(Debug, Default)]
pub(crate) struct ChangedEntries {
    /// The place of the table.
    pub table: String,
    /// The keys of those that stay, and of those that go.
    pub kept: Vec<String>,
    pub gone: Vec<String>,
    /// Those that come, as they are written.
    pub new: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct DocumentEntry {
    /// The table at the top that has it; empty for an entry of the top.
    pub table: String,
    /// Its place in that.
    pub place: String,
    /// Its key and its value as they are written.
    pub key: String,
    pub value: String,
}

impl Document {
    /// Reads a TOML file.
    pub fn read(path: &Path) -> Result<Document, Error> {
        Document::parse(FileText::read(path)?)
    }

    /// Parses the text of a TOML file.
    ///
    /// # Errors
    /// [`Error::Toml`] with its place: a mistake of syntax, a date, a number that no value holds.
    pub fn parse(text: FileText) -> Result<Document, Error> {
        let FileText { path, text } = text;
        let mut places = HashMap::new();
        let read = match DeTable::parse(&text) {
            Ok(root) => table(root.get_ref(), "", &mut places),
            Err(fault) => {
                let offset = fault.span().map_or(0, |span| span.start);
                Err((fault.message().to_owned(), offset))
            }
        };
        match read {
            Ok(root) => Ok(Document { path, text, root, places }),
            Err((message, offset)) => {
                let at = Location::in_text(&path, &text, offset);
                Err(Error::Toml { message, at, nearest: None })
            }
        }
    }

    /// The location of a value, by its place: `setup.players.red.stock`, `wars.0.attacker`. For a
    /// place that the file does not have, it is the location of the nearest table around it.
    pub fn at(&self, place: &str) -> Option<Location> {
        self.nearest(place).map(|found| self.location(found.value))
    }

    /// The location of the key of an entry; for an item of a list, of the item.
    pub(crate) fn key_at(&self, place: &str) -> Option<Location> {
        self.nearest(place).map(|found| self.location(found.key))
    }

    /// The whole text with other values at these places, and with other entries in these tables; nothing where one of
    /// the values is a table, or a place is not there.
    pub(crate) fn with(
        &self,
        changes: &[(String, String)],
        tables: &[ChangedEntries],
    ) -> Option<String> {
        let mut spans = Vec::with_capacity(changes.len());
        for (place, value) in changes {
            let (_, start, end) = self.entry(place)?;
            spans.push((start, end, value.clone()));
        }
        for table in tables {
            self.changed(table, &mut spans)?;
        }
        spans.sort_by_key(|(start, ..)| std::cmp::Reverse(*start));
        // Keys with dots may name one place twice: what is not certain is not written.
        if spans.windows(2).any(|pair| pair[1].1 > pair[0].0) {
            return None;
        }
        let mut text = self.text.clone();
        for (start, end, value) in spans {
            text.get(start..end)?;
            text.replace_range(start..end, &value);
        }
        Some(text)
    }

    /// Where the key of an entry begins, where its value does, and where that ends; nothing of a table.
    fn entry(&self, place: &str) -> Option<(usize, usize, usize)> {
        let DocumentPlace { key, value, end } = *self.places.get(place)?;
        (end > value).then_some((key, value, end))
    }

    /// What is to be replaced by what where entries of a table go and others come: these take the places of those, as
    /// far as there are as many, else they come behind the last.
    fn changed(
        &self,
        changed: &ChangedEntries,
        spans: &mut Vec<(usize, usize, String)>,
    ) -> Option<()> {
        let entry = |key: &String| self.entry(&below(&changed.table, key));
        let mut new = changed.new.iter();
        let mut left = changed.kept.iter().map(entry).collect::<Option<Vec<_>>>()?;
        for key in &changed.gone {
            let (key, value, end) = entry(key)?;
            match new.next() {
                Some(new) => {
                    left.push((key, value, end));
                    spans.push((key, end, new.clone()));
                }
                None => spans.push(self.around(key, end)),
            }
        }
        for new in new {
            let &(key, _, end) = left.iter().max()?;
            let before = self.line_before(key);
            spans.push(match before.contains('{') {
                true => (end, end, format!(", {new}")),
                false => {
                    let line = self.text[end..].find('\n').map_or(self.text.len(), |at| end + at);
                    (line, line, format!("\n{before}{new}"))
                }
            });
        }
        Some(())
    }

    fn line_before(&self, at: usize) -> &str {
        let before = self.text.get(..at).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    /// An entry that goes: its line, or in a table on one line with the comma before or behind it.
    fn around(&self, key: usize, end: usize) -> (usize, usize, String) {
        let before = self.line_before(key);
        let rest = &self.text[end..];
        if !before.contains('{') {
            let line = rest.find('\n').map_or(self.text.len(), |at| end + at + 1);
            return (key - before.len(), line, String::new());
        }
        // Keys with dots begin before it.
        let start = key - (before.len() - before.rfind(['{', ',']).map_or(0, |at| at + 1));
        let comma = rest.len() - rest.trim_start().strip_prefix(',').unwrap_or(rest).len();
        match self.text[..start].ends_with(',') {
            true => (start - 1, end, String::new()),
            false => (start, end + comma, String::new()),
        }
    }

    /// The whole text with these entries, each of a table at the top or of the top itself: those that are there have
    /// other values, the others come behind the head of their table, or behind the first entry of the top. Nothing
    /// where one of them is a table, or its table has no head of its own. Whether it reads as is meant is to be tested.
    pub(crate) fn laid(&self, entries: &[DocumentEntry]) -> Option<String> {
        let place = |entry: &DocumentEntry| below(&entry.table, &entry.place);
        let (there, new): (Vec<_>, Vec<_>) =
            entries.iter().partition(|entry| self.places.contains_key(&place(entry)));
        let changes = there.into_iter().map(|entry| (place(entry), entry.value.clone()));
        let mut text = self.with(&changes.collect::<Vec<_>>(), &[])?;
        for entry in new.into_iter().rev() {
            let line = format!("{} = {}\n", entry.key, entry.value);
            let head = format!("[{}]\n", entry.table);
            let starts = |start: &str| match text.starts_with(start) {
                true => Some(0),
                false => text.find(&format!("\n{start}")).map(|at| at + 1),
            };
            let at = match &*entry.table {
                "" => {
                    let is_note = |line: &&str| line.trim().is_empty() || line.starts_with('#');
                    let notes = text.split_inclusive('\n').take_while(is_note).map(str::len);
                    let first = notes.sum::<usize>();
                    first + text[first..].find('\n')? + 1
                }
                table if self.places.contains_key(table) => starts(&head)? + head.len(),
                _ => {
                    let end = if text.ends_with('\n') { "" } else { "\n" };
                    text += &format!("{end}{head}");
                    text.len()
                }
            };
            text.insert_str(at, &line);
        }
        Some(text)
    }

    pub(super) fn from(&self, place: &str) -> Option<&str> {
        self.text.get(self.places.get(place)?.value..)
    }

    fn location(&self, offset: usize) -> Location {
        Location::in_text(&self.path, &self.text, offset)
    }

    fn nearest(&self, place: &str) -> Option<&DocumentPlace> {
        let mut place = place;
        loop {
            match (self.places.get(place), place.rsplit_once('.')) {
                (Some(found), _) => return Some(found),
                (None, Some((around, _))) => place = around,
                (None, None) => return None,
            }
        }
    }
}

type RefusedValue = (String, usize);

/// The plain value of a TOML value; `Err` gives the reason if there is none.
pub(super) fn plain(value: &DeValue<'_>) -> Result<Value, String> {
    convert(value, 0, "", &mut HashMap::new()).map_err(|(message, _)| message)
}

fn convert(
    value: &DeValue<'_>,
    offset: usize,
    place: &str,
    places: &mut HashMap<String, DocumentPlace>,
) -> Result<Value, RefusedValue> {
    let refuse = |message: String| Err((message, offset));
    match value {
        DeValue::String(text) => Ok(Value::Text(text.to_string())),
        DeValue::Boolean(truth) => Ok(Value::Bool(*truth)),
        DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
            Ok(number) => Ok(Value::Int(number)),
            Err(_) => refuse(format!("the whole number `{digits}` does not fit into 64 bits")),
        },
        DeValue::Float(digits) => match digits.as_str().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::Float(number)),
            _ => refuse(format!("`{digits}` is not a finite number")),
        },
        DeValue::Datetime(date) => {
            refuse(format!("`{date}` is a date, which no rules read; quote it to make it a text"))
        }
        DeValue::Array(items) => {
            let mut list = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                let (offset, end) = (item.span().start, item.span().end);
                let place = below(place, &index.to_string());
                places.insert(place.clone(), DocumentPlace { key: offset, value: offset, end });
                list.push(convert(item.get_ref(), offset, &place, places)?);
            }
            Ok(Value::List(list))
        }
        DeValue::Table(entries) => table(entries, place, places),
    }
}

fn table(
    entries: &DeTable<'_>,
    place: &str,
    places: &mut HashMap<String, DocumentPlace>,
) -> Result<Value, RefusedValue> {
    // A table whose header comes after one of its parts (`[a.b]`, then `[a]`) is moved to the
    // end by the parser; the order of the file is that of the first mention.
    let mut ordered: Vec<_> = entries.iter().collect();
    ordered.sort_by_key(|(key, value)| first_mention(key.span().start, value));
    let mut map = IndexMap::with_capacity(ordered.len());
    for (key, value) in ordered {
        let name = key.get_ref().to_string();
        let place = below(place, &name);
        let key = key.span().start;
        let span = value.span();
        let (start, end) =
            if value.get_ref().is_table() { (key, key) } else { (span.start, span.end) };
        places.insert(place.clone(), DocumentPlace { key, value: start, end });
        map.insert(name, convert(value.get_ref(), start, &place, places)?);
    }
    Ok(Value::Map(map))
}

fn first_mention(key: usize, value: &Spanned<DeValue<'_>>) -> usize {
    let entries = value.get_ref().as_table().into_iter().flatten();
    entries.map(|(key, value)| first_mention(key.span().start, value)).fold(key, usize::min)
}

/// The place of an entry, by that of its table.
pub(crate) fn below(place: &str, key: &str) -> String {
    if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") }
}

/// A table of a document, with its place: the reader of all our own file formats.
#[derive(Clone)]
pub(crate) struct DocumentTable<'a> {
    /// The document that contains it; `None` for a map that a script made.
    document: Option<&'a Document>,
    pub(super) place: String,
    entries: &'a IndexMap<String, Value>,
}

impl<'a> DocumentTable<'a> {
    pub(crate) fn root(document: &'a Document) -> Result<DocumentTable<'a>, Error> {
        DocumentTable::within(Some(document), String::new(), &document.root)
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
                Err(fail(document, &place, message, None))
            }
        }
    }

    pub(crate) fn only(&self, known: &[&str]) -> Result<(), Error> {
        let unknown = self.entries.keys().find(|key| !known.contains(&key.as_str()));
        unknown.map_or(Ok(()), |key| Err(self.unknown_key(key, known)))
    }

    /// The error of a key that is not known here; it names the nearest, or all that are.
    pub(super) fn unknown_key(&self, key: &str, known: &[&str]) -> Error {
        let (place, nearest) = (self.place(key), nearest(key, known.iter().copied()));
        let listed = match nearest {
            Some(_) => String::new(),
            None => format!("; the keys here are {}", ticked(known).join(", ")),
        };
        let message = format!("unknown key `{place}`{listed}");
        match self.document {
            Some(document) => {
                let found = document.nearest(&place).map_or(0, |found| found.key);
                Error::Toml { message, at: document.location(found), nearest }
            }
            None => Error::Usage { message, nearest },
        }
    }

    pub(crate) fn entries(&self) -> &'a IndexMap<String, Value> {
        self.entries
    }

    pub(crate) fn place(&self, key: &str) -> String {
        below(&self.place, key)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'a Value> {
        self.entries.get(key)
    }

    pub(crate) fn need(&self, key: &str) -> Result<&'a Value, Error> {
        self.get(key).ok_or_else(|| self.wrong(key, &missing(key, self.entries.keys())))
    }

    /// What is read of the value of a key; nothing where that is left out.
    pub(crate) fn read<T>(
        &self,
        key: &str,
        what: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.get(key) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| self.must_be(key, what, value))
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, Error> {
        self.read(key, "a text", |value| value.as_text().map(str::to_owned))
    }

    /// A truth value; false where the key is left out.
    pub(crate) fn truth(&self, key: &str) -> Result<bool, Error> {
        let truth =
            |value: &Value| if let Value::Bool(truth) = value { Some(*truth) } else { None };
        self.read(key, "true or false", truth).map(Option::unwrap_or_default)
    }

    pub(crate) fn need_text(&self, key: &str) -> Result<String, Error> {
        self.need(key)?;
        self.text(key).map(Option::unwrap_or_default)
    }

    /// A list of texts; empty where the key is left out.
    pub(crate) fn texts(&self, key: &str) -> Result<Vec<String>, Error> {
        let one = |item: &Value| item.as_text().map(str::to_owned);
        let all = |value: &Value| value.as_list()?.iter().map(one).collect();
        self.read(key, "a list of texts", all).map(Option::unwrap_or_default)
    }

    pub(crate) fn list(&self, key: &str) -> Result<Option<&'a [Value]>, Error> {
        self.read(key, "a list", Value::as_list)
    }

    pub(crate) fn table(&self, key: &str) -> Result<Option<DocumentTable<'a>>, Error> {
        let table = |value| DocumentTable::within(self.document, self.place(key), value);
        self.get(key).map(table).transpose()
    }

    pub(crate) fn table_at(
        &self,
        key: &str,
        index: usize,
        item: &'a Value,
    ) -> Result<DocumentTable<'a>, Error> {
        DocumentTable::within(self.document, self.place(&format!("{key}.{index}")), item)
    }

    /// The entries of a table within; none where the key is left out.
    pub(crate) fn map(&self, key: &str) -> Result<IndexMap<String, Value>, Error> {
        Ok(self.table(key)?.map(|table| table.entries.clone()).unwrap_or_default())
    }

    /// The word of a key as it is read from the current folder.
    pub(super) fn beside(&self, key: &str, word: String) -> Result<String, Error> {
        // A value without a file comes from the person.
        match self.document.and_then(|document| Path::new(&document.path).parent()) {
            Some(folder) => own(folder, &word).map_err(|why| self.wrong(key, &why)),
            None => Ok(word),
        }
    }

    pub(super) fn all_beside(&self, key: &str) -> Result<Vec<String>, Error> {
        let words = self.texts(key)?.into_iter().enumerate();
        words.map(|(number, word)| self.beside(&format!("{key}.{number}"), word)).collect()
    }

    pub(super) fn seats(&self) -> Result<IndexMap<String, String>, Error> {
        let mut seats = IndexMap::new();
        if let Some(table) = self.table("seats")? {
            for player in table.entries.keys() {
                seats.insert(player.clone(), table.beside(player, table.need_text(player)?)?);
            }
        }
        Ok(seats)
    }

    pub(crate) fn is_of_file(&self) -> bool {
        self.document.is_some()
    }

    pub(crate) fn location(&self, key: &str) -> Option<Location> {
        self.document?.at(&self.place(key))
    }

    /// An error about a key: `` `place` message ``.
    pub(crate) fn wrong(&self, key: &str, message: &str) -> Error {
        let place = self.place(key);
        fail(self.document, &place, format!("`{place}` {message}"), None)
    }

    /// An error about an unknown word, with the nearest of the known ones.
    pub(crate) fn unknown(&self, key: &str, word: &str, known: &[&str]) -> Error {
        let place = self.place(key);
        let message =
            format!("`{place}` must be one of {}, got `{word}`", ticked(known).join(", "));
        fail(self.document, &place, message, nearest(word, known.iter().copied()))
    }

    pub(crate) fn must_be(&self, key: &str, what: &str, got: &Value) -> Error {
        self.wrong(key, &format!("must be {what}, got {}", shown(got)))
    }
}

/// An error about a place of a file, or the nearest table around it, or the first line.
fn fail(
    document: Option<&Document>,
    place: &str,
    message: String,
    nearest: Option<String>,
) -> Error {
    let Some(document) = document else { return Error::Usage { message, nearest } };
    let found = document.nearest(place).map_or(0, |found| found.value);
    Error::Toml { message, at: document.location(found), nearest }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Document, Error> {
        Document::parse(FileText { path: "a.toml".into(), text: text.into() })
    }

    fn keys(value: &Value) -> Vec<&str> {
        value.as_map().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn entries_are_laid_in_their_tables_and_notes_stay() {
        let document = parse(
            "# Note.\nsystem = \"x\" # one\n\n[params]\na = 1 # two\n[setup]\nred = { ore = 1 }\n",
        )
        .unwrap();
        let entry = |table: &str, place: &str, value: &str| DocumentEntry {
            table: table.to_owned(),
            place: place.to_owned(),
            key: place.to_owned(),
            value: value.to_owned(),
        };
        let all = [
            entry("", "title", "\"t\""),
            entry("params", "b", "3"),
            entry("params", "a", "2"),
            entry("setup", "red.ore", "4"),
            entry("seats", "red", "\"first\""),
        ];
        assert_eq!(
            document.laid(&all).as_deref(),
            Some(
                "# Note.\nsystem = \"x\" # one\ntitle = \"t\"\n\n[params]\nb = 3\na = 2 # two\n[setup]\n\
                 red = { ore = 4 }\n[seats]\nred = \"first\"\n"
            )
        );
        // A table has no value, and one within another no head of its own.
        assert_eq!(document.laid(&[entry("setup", "red", "1")]), None);
        let dotted = parse("system = \"x\"\nparams.a = 1\n").unwrap();
        assert_eq!(dotted.laid(&[entry("params", "b", "1")]), None);
    }

    #[test]
    fn every_place_has_its_line_and_column() {
        let document = parse(
            "system = \"x\"\n[setup]\nwars = [ { attacker = \"red\" } ]\n[setup.players.red]\nstock = 3\n[[case]]\na = 1\n[[case]]\n",
        )
        .unwrap();
        let at = |place: &str| document.at(place).map(|at| (at.line, at.column.unwrap()));
        assert_eq!(at("system"), Some((1, 10)));
        assert_eq!(at("setup"), Some((2, 2)));
        assert_eq!(at("setup.wars.0.attacker"), Some((3, 23)));
        assert_eq!(at("setup.players.red"), Some((4, 16)));
        assert_eq!(at("setup.players.red.stock"), Some((5, 9)));
        assert_eq!(at("case.1"), Some((8, 1)));
        assert_eq!(document.key_at("setup.players.red.stock").unwrap().column, Some(1));
        // The table around it says what is missing.
        assert_eq!(at("setup.players.red.hand.0"), Some((4, 16)));
        assert_eq!(at("nothing.here"), None);
    }

    #[test]
    fn the_order_is_that_of_the_first_mention() {
        let document =
            parse("[p.red.hand]\n[p.blue]\n[p.red]\nz = 1\na.y = 1\na.b = 2\n[p.amber]\n").unwrap();
        let players = document.root.get("p").unwrap();
        assert_eq!(keys(players), ["red", "blue", "amber"]);
        assert_eq!(keys(players.get("red").unwrap()), ["hand", "z", "a"]);
        assert_eq!(keys(players.get("red").unwrap().get("a").unwrap()), ["y", "b"]);
    }

    #[test]
    fn numbers_keep_their_kind() {
        let document = parse("a = 0x1_0\nb = -1_000\nc = 1e2\nd = true\ne = 'x'\n").unwrap();
        let root = document.root.as_map().unwrap();
        assert!(matches!(root["a"], Value::Int(16)));
        assert!(matches!(root["b"], Value::Int(-1000)));
        assert!(matches!(root["c"], Value::Float(100.0)));
        assert_eq!(root["d"], Value::Bool(true));
        assert_eq!(root["e"], Value::from("x"));
    }

    #[test]
    fn what_is_no_value_is_refused_at_its_place() {
        for (text, at, words) in [
            ("a = 1\nb =\n", "a.toml:2:4", ""),
            ("a = 1\na = 2\n", "a.toml:2:1", "duplicate key"),
            ("a = 1979-05-27\n", "a.toml:1:5", "is a date"),
            ("a = [1, 99999999999999999999]\n", "a.toml:1:9", "does not fit"),
            ("a = 1e999\n", "a.toml:1:5", "not a finite number"),
            ("a = { b = nan }\n", "a.toml:1:11", "not a finite number"),
            ("[a\n", "a.toml:1:3", ""),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.kind(), "toml");
            assert_eq!(error.location().unwrap().to_string(), at, "{text}: {error}");
            assert!(error.to_string().contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn nesting_without_end_is_refused() {
        for text in [
            format!("a = {}", "[".repeat(100_000)),
            format!("{} = 1", vec!["a"; 100_000].join(".")),
            format!("a = {}", "{a=".repeat(100_000)),
        ] {
            assert_eq!(parse(&text).unwrap_err().kind(), "toml");
        }
    }
}
