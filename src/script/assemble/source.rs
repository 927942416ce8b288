//! Finds the file and line of a position. All scripts of one rules object share one line space.
//!
//! Rhai's positions name no file, and functions of several files meet in one library. So each
//! file is compiled with as many empty lines before it as the files before have lines: a line
//! number then belongs to exactly one file, in errors of closures and merged layers too.

use rhai::Position;

use crate::error::{Limit, Location, ScriptError, ScriptFault};
use crate::script::assemble::function_uses::CLOSURE;
use crate::script::assemble::imports::{self, NotedImport};
use crate::script::assemble::layers::Import;
use crate::script::assemble::replace_tokens::plain_name;
use crate::script::lexer::is_word;

/// Bytes that one script file may have.
const SOURCE: usize = 64 << 10;
/// Bytes that all files of one rules may have together, those of imports and house rules too. A file
/// that is imported twice counts twice, as it is compiled twice.
const SOURCES: usize = 512 << 10;

/// The last line number a position can hold; lines past it would be indistinguishable.
const LAST_LINE: usize = u16::MAX as usize - 1;

#[derive(Clone, Debug)]
struct SourceFile {
    path: String,
    text: String,
    /// What is parsed, where that is not the text itself.
    parsed: Option<String>,
    /// How many lines are before it.
    offset: usize,
    /// How many it has itself.
    lines: usize,
    /// Whether nobody wrote it, so that no place in it is shown: a script of the host's own, which plays campaigns.
    is_of_host: bool,
}

/// The files of one rules object, in the order they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    files: Vec<SourceFile>,
    lines: usize,
    bytes: usize,
    imports: Vec<NotedImport>,
    pub(in crate::script) house: Vec<String>,
}

impl Sources {
    /// Adds a file and returns its number.
    ///
    /// # Errors
    /// A [`Limit`] where the file, or all files together, are too long.
    pub(crate) fn add(&mut self, path: &str, text: &str) -> Result<usize, ScriptError> {
        let own = text.lines().count();
        let lines = own + 1;
        let bounds = [
            (text.len() > SOURCE, Limit::Source(SOURCE)),
            (self.bytes + text.len() > SOURCES, Limit::Sources(SOURCES)),
            (self.lines + lines > LAST_LINE, Limit::Lines(LAST_LINE)),
        ];
        if let Some((_, limit)) = bounds.into_iter().find(|(is_passed, _)| *is_passed) {
            let at = Some(Location::top(path));
            return Err(ScriptError { at, ..ScriptError::new(ScriptFault::Limit(limit)) });
        }
        self.bytes += text.len();
        let (path, text, offset) = (path.to_owned(), text.to_owned(), self.lines);
        self.files.push(SourceFile {
            path,
            text,
            parsed: None,
            offset,
            lines: own,
            is_of_host: false,
        });
        self.lines += lines;
        Ok(self.files.len() - 1)
    }

    /// What is parsed of a file, in place of its text; as wide, line by line.
    pub(crate) fn parse_instead(&mut self, file: usize, text: String) {
        self.files[file].parsed = Some(text);
    }

    /// What is parsed of a file, without its place in the line space.
    pub(crate) fn parsed(&self, file: usize) -> &str {
        let file = &self.files[file];
        file.parsed.as_deref().unwrap_or(&file.text)
    }

    /// What is parsed of a file, moved down to its place in the line space.
    pub(crate) fn placed(&self, file: usize) -> String {
        format!("{}{}", "\n".repeat(self.files[file].offset), self.parsed(file))
    }

    /// Notes that nobody wrote a file.
    pub(in crate::script) fn note_of_host(&mut self, file: usize) {
        self.files[file].is_of_host = true;
    }

    /// Notes an import, for [`Sources::plain_name`].
    pub(in crate::script) fn note_import(&mut self, import: &Import) {
        self.imports.push((import.name.clone(), import.conflicts.clone()));
    }

    /// Whether a function is of the host's own scripts: its name is printed nowhere.
    pub(in crate::script) fn is_of_host(&self, name: &str) -> bool {
        let is_campaign = self.files.iter().any(|file| file.is_of_host);
        is_campaign
            && imports::of_import(name, &self.imports).is_none()
            && !name.starts_with(CLOSURE)
    }

    /// The name that a function has in its own rules.
    pub(in crate::script) fn own_name<'n>(&self, name: &'n str) -> &'n str {
        imports::of_import(name, &self.imports).map_or(name, |(_, own)| own)
    }

    pub(crate) fn plain_name(&self, name: &str) -> String {
        imports::shown(&plain_name(name), &self.imports)
    }

    /// As [`Sources::plain_name`], without the conflicts of a campaign: as it is written in its file.
    pub(in crate::script) fn written_name(&self, name: &str) -> String {
        let name = self.plain_name(name);
        name.split_once(" of ").map_or(name.clone(), |(own, _)| own.to_owned())
    }

    pub(crate) fn path(&self, file: usize) -> &str {
        &self.files[file].path
    }

    /// The text of the file with this path.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|file| file.path == path).map(|file| file.text.as_str())
    }

    /// File, line and column of a position; past a file's end it is clamped to the end. Nothing in files that nobody
    /// wrote.
    pub(crate) fn locate(&self, position: Position) -> Option<Location> {
        let line = position.line()?;
        let file = self.files.iter().rev().find(|file| file.offset < line)?;
        if file.is_of_host {
            return None;
        }
        let last = file.lines.max(1);
        let line = line - file.offset;
        if line > last {
            let end = file.text.lines().last().map_or(0, |text| text.chars().count());
            return Some(Location { file: file.path.clone(), line: last, column: Some(end + 1) });
        }
        Some(Location { file: file.path.clone(), line, column: position.position() })
    }

    /// The occurrence of a word that is nearest before a position, or after it; the position itself
    /// if there is none. Rhai places a function at the bracket of its body, not at its name.
    pub(crate) fn word(&self, word: &str, from: Position, side: TextSide) -> Position {
        let Some(at) = self.locate(from) else { return from };
        let text = self.text(&at.file).unwrap_or_default();
        let here = (at.line, at.column.unwrap_or(1));
        let mut places = (1..).zip(text.lines()).flat_map(|(line, text)| {
            let found = words(text).filter(|(_, found)| *found == word);
            found.map(move |(column, _)| (line, column))
        });
        let place = match side {
            TextSide::Before => places.take_while(|place| *place < here).last(),
            TextSide::After => places.find(|place| *place > here),
        };
        let placed = |(line, column): (usize, usize)| {
            let line = u16::try_from(from.line()? + line - at.line).ok()?;
            Some(Position::new(line, u16::try_from(column).ok()?))
        };
        place.and_then(placed).unwrap_or(from)
    }

    /// The source line at a location, without its end.
    pub(crate) fn line_at(&self, location: &Location) -> Option<&str> {
        self.text(&location.file)?.lines().nth(location.line.checked_sub(1)?)
    }
}

/// Which side of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextSide {
    /// Above it, or to its left.
    Before,
    /// Below it, or to its right.
    After,
}

fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut column = 1;
    line.split_inclusive(|c| !is_word(c)).map(move |part| {
        let start = column;
        column += part.chars().count();
        (start, part.trim_end_matches(|c| !is_word(c)))
    })
}

/// How many characters the word has that begins at a column (from 1) of a line: at least 1.
pub(in crate::script) fn word_width(line: &str, column: usize) -> usize {
    let rest = || line.chars().skip(column.saturating_sub(1));
    match rest().next() {
        Some('"') => 2 + rest().skip(1).take_while(|c| *c != '"').count(),
        _ => rest().take_while(|c| is_word(*c)).count().max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_number_belongs_to_one_file() {
        let mut sources = Sources::default();
        sources.add("a", "one\ntwo\n").unwrap();
        sources.add("b", "three\n").unwrap();
        let at = |line| sources.locate(Position::new(line, 2)).unwrap().to_string();
        assert_eq!(at(2), "a:2:2");
        assert_eq!(at(4), "b:1:2");
        assert_eq!(at(3), "a:2:4", "past the end is the end");
        assert_eq!(sources.placed(1), "\n\n\nthree\n");
    }

    #[test]
    fn all_files_together_have_a_bound() {
        let mut sources = Sources::default();
        let file = "x".repeat(SOURCE);
        for number in 0..SOURCES / SOURCE {
            sources.add(&format!("f{number}"), &file).unwrap();
        }
        let error = sources.add("last", "x").unwrap_err();
        assert_eq!(error.fault, ScriptFault::Limit(Limit::Sources(SOURCES)));
        let error = Sources::default().add("long", &"\n".repeat(LAST_LINE)).unwrap_err();
        assert_eq!(error.fault, ScriptFault::Limit(Limit::Lines(LAST_LINE)));
    }

    #[test]
    fn a_word_is_found_on_either_side_of_a_place() {
        let mut sources = Sources::default();
        sources.add("a", "fn step() { }\n").unwrap();
        sources.add("b", "step;\nfn step(stepped,\n  é) { #{ n: 1, step: 2 } }\n").unwrap();
        let named = |word, side| {
            let at = sources.word(word, Position::new(5, 6), side);
            sources.locate(at).unwrap().to_string()
        };
        // The bracket of the body is in the third line of `b`, which is the fifth of all: the
        // first file has one line, and one more for its end.
        assert_eq!(named("step", TextSide::Before), "b:2:4");
        assert_eq!(named("step", TextSide::After), "b:3:17");
        assert_eq!(named("none", TextSide::Before), "b:3:6");
    }

    #[test]
    fn a_caret_is_as_wide_as_the_word() {
        assert_eq!(word_width("let abc = 1", 5), 3);
        assert_eq!(word_width("x = \"red\"", 5), 5);
        assert_eq!(word_width("x", 9), 1);
    }
}
