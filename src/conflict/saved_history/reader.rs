//! Reads the text of a saved history, and says where it is broken.

use std::ops::Range;

use indexmap::IndexMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Saved;
use super::writer::{OPENING, OUTCOME, RULE, UNFINISHED};
use crate::catalog::unmarked;
use crate::error::{Error, Location, nearest};
use crate::game::{History, Value};

/// The keys of a header, in the order in which they are written.
#[rustfmt::skip]
const KEYS: [&str; 16] = [
    "fracas", "system", "scenario", "title", "seed", "line", "house", "begin", "params", "scripts", "seats",
    "unseated", "lines", "taken_back", "left", "setup",
];

pub(super) fn read(path: &str, text: &str) -> Result<Saved, Error> {
    let file = SavedFile { path, text };
    let header_start = file.opening()?;
    let (header_end, body_start) = file.rule(header_start)?;
    let mut saved = Header::parse(&file, header_start..header_end)?.saved()?;
    let (body_end, outcome) = file.closing(body_start)?;
    saved.outcome = outcome;
    saved.history = History::parse(&text[body_start..body_end])
        .map_err(|(line, message)| file.at_line(file.line(body_start) + line - 1, message))?;
    Ok(saved)
}

/// The line of an entry, both from 1.
pub(super) fn line_of(text: &str, entry: usize) -> Option<usize> {
    let numbered = (1..).zip(text.lines().map(str::trim));
    let body = numbered.skip_while(|(_, line)| *line != RULE).skip(1);
    let mut entries = body.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    entries.nth(entry.checked_sub(1)?).map(|(number, _)| number)
}

/// A text with a name, for places in messages. All positions are byte offsets into the text.
struct SavedFile<'a> {
    path: &'a str,
    text: &'a str,
}

impl<'a> SavedFile<'a> {
    fn error(&self, offset: usize, message: impl Into<String>) -> Error {
        super::broken(self.path, self.text, offset, message)
    }

    fn at_line(&self, line: usize, message: String) -> Error {
        let at = Location { file: self.path.to_owned(), line, column: None };
        Error::History { message, at, nearest: None }
    }

    fn line(&self, offset: usize) -> usize {
        self.text[..offset].matches('\n').count() + 1
    }

    /// The lines from a position on: where each begins, and its text.
    fn lines(&self, start: usize) -> impl DoubleEndedIterator<Item = (Range<usize>, &'a str)> {
        let mut end = start;
        let placed = |line: &'a str| {
            end += line.len();
            (end - line.len()..end, line.trim_end())
        };
        let lines: Vec<_> = self.text[start..].split_inclusive('\n').map(placed).collect();
        lines.into_iter()
    }

    fn opening(&self) -> Result<usize, Error> {
        let format = Saved::FORMAT;
        let first = self.lines(0).next();
        let number = first.as_ref().and_then(|(_, line)| unmarked(line).strip_prefix(OPENING));
        let why = match (number.and_then(|number| number.trim_start().parse::<u32>().ok()), first) {
            (Some(number), Some((range, _))) if number == format => return Ok(range.end),
            (Some(number), _) => {
                format!("this history has format {number}, this fracas reads format {format} only")
            }
            _ => format!("this is not a saved history: line 1 is not `{OPENING} {format}`"),
        };
        Err(self.at_line(1, why))
    }

    fn rule(&self, start: usize) -> Result<(usize, usize), Error> {
        let rule = self.lines(start).find(|(_, line)| *line == RULE);
        rule.map(|(range, _)| (range.start, range.end)).ok_or_else(|| {
            let message = format!("the file was cut short: no line `{RULE}` ends the header");
            self.error(self.text.len(), message)
        })
    }

    fn closing(&self, start: usize) -> Result<(usize, Option<Value>), Error> {
        let last = self.lines(start).rfind(|(_, line)| !line.is_empty());
        match last {
            Some((range, line)) if line == UNFINISHED => Ok((range.start, None)),
            Some((range, line)) if line.starts_with(OUTCOME) => {
                let json = &line[OUTCOME.len()..];
                let outcome = serde_json::from_str(json).map_err(|error| {
                    // The error already has the place, counted in the whole file.
                    let place = format!(" at line {} column {}", error.line(), error.column());
                    let message = error.to_string().replace(&place, "");
                    self.error(range.start, format!("the outcome does not read: {message}"))
                })?;
                Ok((range.start, Some(outcome)))
            }
            _ => Err(self.error(
                self.text.len(),
                format!("the file was cut short: its last line is neither `{UNFINISHED}` nor `{OUTCOME}…`"),
            )),
        }
    }
}

struct Header<'a> {
    file: &'a SavedFile<'a>,
    start: usize,
    end: usize,
    table: DeTable<'a>,
}

impl<'a> Header<'a> {
    fn parse(file: &'a SavedFile<'a>, range: Range<usize>) -> Result<Header<'a>, Error> {
        let text = &file.text[range.clone()];
        let table = DeTable::parse(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            file.error(range.start + offset, error.message())
        })?;
        let header = Header { file, start: range.start, end: range.end, table: table.into_inner() };
        for key in header.table.keys() {
            let name: &str = key.get_ref();
            if !KEYS.contains(&name) {
                return Err(Error::History {
                    message: format!("unknown key `{name}`"),
                    at: Location::in_text(file.path, file.text, range.start + key.span().start),
                    nearest: nearest(name, KEYS),
                });
            }
        }
        Ok(header)
    }

    fn saved(&self) -> Result<Saved, Error> {
        Ok(Saved {
            version: self.needed("fracas", Header::text)?,
            system: self.needed("system", Header::text)?,
            scenario: self.needed("scenario", Header::text)?,
            title: self.read("title", Header::text)?,
            seed: self.needed("seed", Header::number)?,
            house: self.read("house", Header::texts)?.unwrap_or_default(),
            begin: self.read("begin", Header::entries)?.unwrap_or_default(),
            params: self.table_of("params", Header::value)?,
            scripts: self.table_of("scripts", Header::text)?,
            seats: self.table_of("seats", Header::text)?,
            unseated: self.table_of("unseated", Header::text)?,
            line: self.read("line", Header::text)?,
            lines: self.table_of("lines", Header::entries)?,
            taken_back: self.table_of("taken_back", Header::entries)?,
            left: self.table_of("left", Header::entries)?,
            setup: Value::Map(self.needed("setup", |h, v| h.table(v, Header::value))?),
            ..Saved::default()
        })
    }

    fn table_of<T>(
        &self,
        key: &str,
        convert: impl Fn(&Self, &Spanned<DeValue<'_>>) -> Result<T, Error>,
    ) -> Result<IndexMap<String, T>, Error> {
        Ok(self.read(key, |_, value| self.table(value, convert))?.unwrap_or_default())
    }

    fn read<T>(
        &self,
        key: &str,
        convert: impl FnOnce(&Self, &Spanned<DeValue<'_>>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let found = self.table.iter().find(|(name, _)| name.get_ref() == key);
        found.map(|(_, value)| convert(self, value)).transpose()
    }

    fn needed<T>(
        &self,
        key: &str,
        convert: impl FnOnce(&Self, &Spanned<DeValue<'_>>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.read(key, convert)?
            .ok_or_else(|| self.file.error(self.end, format!("the header has no `{key}`")))
    }

    fn wrong(&self, value: &Spanned<DeValue<'_>>, expected: &str) -> Error {
        let message = format!("expected {expected}, found `{}`", self.source(value));
        self.file.error(self.start + value.span().start, message)
    }

    /// A value as written in the file, cut to a length that fits a message.
    fn source(&self, value: &Spanned<DeValue<'_>>) -> String {
        let span = value.span();
        let source = self.file.text.get(self.start + span.start..self.start + span.end);
        let line = source.unwrap_or_default().lines().next().unwrap_or_default();
        if line.chars().count() > 40 {
            line.chars().take(39).chain(['…']).collect()
        } else {
            line.to_owned()
        }
    }

    fn text(&self, value: &Spanned<DeValue<'_>>) -> Result<String, Error> {
        let text = value.get_ref().as_str().ok_or_else(|| self.wrong(value, "a text"))?;
        Ok(text.to_owned())
    }

    fn number(&self, value: &Spanned<DeValue<'_>>) -> Result<u64, Error> {
        let number = value.get_ref().as_integer();
        let number = number.and_then(|one| u64::from_str_radix(one.as_str(), one.radix()).ok());
        number.ok_or_else(|| self.wrong(value, "a whole number from 0 to 18446744073709551615"))
    }

    fn texts(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Error> {
        let items = value.get_ref().as_array().ok_or_else(|| self.wrong(value, "a list"))?;
        items.iter().map(|item| self.text(item)).collect()
    }

    fn entries(&self, value: &Spanned<DeValue<'_>>) -> Result<History, Error> {
        let lines = self.texts(value)?;
        History::parse(&lines.join("\n"))
            .map_err(|(_, message)| self.file.error(self.start + value.span().start, message))
    }

    fn table<T>(
        &self,
        value: &Spanned<DeValue<'_>>,
        convert: impl Fn(&Self, &Spanned<DeValue<'_>>) -> Result<T, Error>,
    ) -> Result<IndexMap<String, T>, Error> {
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong(value, "a table"))?;
        let mut all = IndexMap::new();
        for (name, item) in table {
            all.insert(name.get_ref().to_string(), convert(self, item)?);
        }
        Ok(all)
    }

    fn value(&self, value: &Spanned<DeValue<'_>>) -> Result<Value, Error> {
        Ok(match value.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map(Value::Int)
                .map_err(|_| self.wrong(value, "a whole number of 64 bits"))?,
            DeValue::Float(number) => number
                .as_str()
                .parse()
                .map(Value::Float)
                .map_err(|_| self.wrong(value, "a number"))?,
            DeValue::Boolean(truth) => Value::Bool(*truth),
            DeValue::Datetime(_) => return Err(self.wrong(value, "a value other than a date")),
            DeValue::Array(items) => {
                Value::List(items.iter().map(|item| self.value(item)).collect::<Result<_, _>>()?)
            }
            DeValue::Table(_) => Value::Map(self.table(value, Header::value)?),
        })
    }
}

#[cfg(test)]
mod tests;
