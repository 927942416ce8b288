//! Writes a house rule into the rules that it is laid over, so that it is no house rule any more: its functions and
//! constants, its parameters as defaults, its prose; comments stay where they are.

use std::path::Path;

use indexmap::IndexMap;

use super::compile::layer;
use super::{Order, as_toml, compile, replace, replaceable};
use crate::catalog::{Document, FileKind, FileText, Folder, ParamSpecs, below};
use crate::error::Error;
use crate::game::Value;
use crate::report::{enumerated, ticked};
use crate::rulebook::leading;
use crate::script::{
    Definition, Limits, TokenKind, clauses, definitions, house_params, occurrences, tokens,
};

#[derive(Default)]
pub(crate) struct Promotion {
    /// Each file that changes, with its new text, and what changes in it.
    pub changes: Vec<(FileText, Vec<String>)>,
    /// The file of the house rule, which goes.
    pub source: String,
    /// The clauses of the functions that change: their prose stays as it is.
    pub clauses: Vec<String>,
    set: Vec<String>,
}

/// Lines of a script that become others; from the first, up to the last without it.
struct Replacement {
    /// The number of the script.
    file: usize,
    from: usize,
    to: usize,
    text: String,
    /// What is said of it.
    what: String,
}

/// The tables of files whose keys are data of the rules.
const DATA: [&str; 3] = ["setup", "expect", "outcome"];

impl Promotion {
    /// Finds what is to be written, and tests that the rules compile then.
    pub(crate) fn of(folder: &Folder, name: &str, limits: &Limits) -> Result<Promotion, Error> {
        let house = folder.find(FileKind::House, name)?;
        if !folder.names(FileKind::House).iter().any(|own| own == name) {
            return Err(Error::usage(format!(
                "`{name}` is not in the folder `{}`, and only what is there becomes a part of the rules",
                FileKind::House.folder()
            )));
        }
        let scripts = folder.scripts()?;
        let base: Vec<Definition> =
            scripts.iter().flat_map(|file| definitions(&file.path, &file.text, 0)).collect();
        let own = definitions(&house.path, &house.text, 1);
        let mut promotion = Promotion { source: house.path.clone(), ..Promotion::default() };
        promotion.scripts(name, (&scripts, &base), (&house, &own), folder, limits)?;
        promotion.params(name, folder, &house)?;
        promotion.lists(name, folder)?;
        let files = promotion.changes.iter().map(|(file, _)| file.clone()).collect();
        compile(&folder.edited(files), Order::default(), limits)?;
        Ok(promotion)
    }

    /// Writes the files, and removes that of the house rule. Where that fails, what was written before has its old text
    /// again, or is named.
    pub(crate) fn write(&self) -> Result<(), Error> {
        let files = || self.changes.iter().map(|(file, _)| file);
        files().try_for_each(|file| replaceable(Path::new(&file.path)))?;
        let read = |file: &FileText| FileText::read(Path::new(&file.path));
        let old: Vec<FileText> = files().map(read).collect::<Result<_, Error>>()?;
        for (number, file) in files().enumerate() {
            let written = replace(Path::new(&file.path), file.text.as_bytes());
            written.map_err(|error| put_back(&old[..number], error))?;
        }
        let removed = std::fs::remove_file(&self.source);
        let failed = |error| Error::file("remove", Path::new(&self.source), error);
        removed.map_err(|error| put_back(&old, failed(error)))
    }

    /// Puts functions and constants in the place of those that they override, new ones at the end.
    fn scripts(
        &mut self,
        name: &str,
        (scripts, base): (&[FileText], &[Definition]),
        (house, own): (&FileText, &[Definition]),
        folder: &Folder,
        limits: &Limits,
    ) -> Result<(), Error> {
        let order = Order::of_house(folder, &[name.to_owned()])?;
        // Functions of other systems that the rules import can be overridden, too.
        let imported = compile(folder, order, limits)?.definitions();
        let mut edits: Vec<Replacement> = Vec::new();
        let mut added: Vec<String> = loose(house, own);
        let mut new: Vec<String> = Vec::new();
        own.iter().try_for_each(|one| apart(name, one, own))?;
        let sets = |one: &&Definition| one.name == PARAMS && one.parameters.is_empty();
        // What it sets become defaults; what is said of it is kept.
        for one in own.iter().filter(sets) {
            let said = own_text(one).lines().map(str::trim).filter(|line| line.starts_with("//"));
            let said: Vec<String> = said.map(|line| line.replacen("///", "//", 1)).collect();
            added.extend((!said.is_empty()).then(|| said.join("\n")));
        }
        for own in own.iter().filter(|one| !sets(one)) {
            let Some(below) = own.overridden(base) else {
                if own.overridden(&imported).is_some() {
                    let why = format!("it overrides `{}` of another system", own.name);
                    return Err(refused(name, &why));
                }
                added.push(own_text(own).to_owned());
                new.push(format!("`{}` is new", own.name));
                continue;
            };
            if own.constant
                && let Some(user) = base.iter().find(|one| one.constant && names(one, &own.name))
            {
                let (own, user) = (&own.name, &user.name);
                let why = format!(
                    "it changes the constant `{own}` and leaves `{user}` as it is, which is made of it"
                );
                return Err(refused(name, &why));
            }
            let file = scripts.iter().position(|file| file.path == below.at.file);
            let file = file.ok_or_else(|| refused(name, "a file of the rules has changed"))?;
            apart(name, below, base)?;
            edits.push(replaced(name, (below, file), own, base));
            let cited = [own, below].into_iter().filter_map(|one| clauses(&one.comments));
            self.cite(cited.map(|(cited, _)| cited));
        }
        for (number, file) in scripts.iter().enumerate() {
            let mut here: Vec<_> = edits.iter().filter(|edit| edit.file == number).collect();
            here.sort_by_key(|edit| edit.from);
            let mut done: Vec<String> = here.iter().map(|edit| edit.what.clone()).collect();
            // Lines keep their ends; new ones have those of the file.
            let end = if file.text.contains("\r\n") { "\r\n" } else { "\n" };
            let ended =
                |text: &str| text.lines().map(|line| format!("{line}{end}")).collect::<Vec<_>>();
            let mut lines: Vec<String> =
                file.text.split_inclusive('\n').map(str::to_owned).collect();
            if let Some(last) = lines.last_mut().filter(|last| !last.ends_with('\n')) {
                last.push_str(end);
            }
            for edit in here.into_iter().rev() {
                lines.splice(edit.from..edit.to, ended(&edit.text));
            }
            // The first file is the one with the prose.
            if number == 0 {
                for text in &added {
                    lines.extend(ended(&format!("\n{text}")));
                }
                done.append(&mut new);
                if let Some((at, prose, what)) = prose_of(house, &lines.concat()) {
                    lines.splice(at..at, ended(&prose));
                    done.push(what);
                }
            }
            if !done.is_empty() {
                let file = FileText { path: file.path.clone(), text: lines.concat() };
                self.changes.push((file, done));
            }
        }
        Ok(())
    }

    fn cite<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        for id in texts.flat_map(|text| leading(text).0) {
            if !self.clauses.contains(&id) {
                self.clauses.push(id);
            }
        }
    }

    fn params(&mut self, name: &str, folder: &Folder, house: &FileText) -> Result<(), Error> {
        let set = house_params(&layer(name, [house.clone()]))?;
        self.set = set.iter().map(|(param, ..)| param.clone()).collect();
        let Some(text) = folder.params()? else { return Ok(()) };
        let specs = ParamSpecs::read(Some(&text))?;
        let document = Document::parse(text)?;
        let (mut values, mut done) = (Vec::new(), Vec::new());
        for (param, value, _) in set {
            let spec = specs.get(&param);
            if spec.is_some_and(|spec| spec.default == value) {
                continue;
            }
            self.cite(spec.and_then(|spec| spec.clause.as_deref()).into_iter());
            let text = as_toml(&value);
            let text = text.ok_or_else(|| refused(name, "TOML has no word for a value"))?;
            done.push(format!("the default of `{param}` is {value}"));
            values.push((format!("{param}.default"), text));
        }
        self.edit(name, &document, values, done, "default")
    }

    fn edit(
        &mut self,
        name: &str,
        document: &Document,
        values: Vec<(String, String)>,
        done: Vec<String>,
        what: &str,
    ) -> Result<(), Error> {
        let path = &document.path;
        let text = document.with(&values, &[]).ok_or_else(|| {
            refused(name, &format!("`{path}` does not have each {what} in a place of its own"))
        })?;
        if !values.is_empty() {
            self.changes.push((FileText { path: path.clone(), text }, done));
        }
        Ok(())
    }

    /// Takes the house rule out of the lists of scenarios, campaigns and cases, also of campaigns of other systems.
    fn lists(&mut self, name: &str, folder: &Folder) -> Result<(), Error> {
        let own = |kind: FileKind| folder.names(kind).into_iter().map(move |file| (kind, file));
        for (kind, file) in [FileKind::Scenario, FileKind::Case].into_iter().flat_map(own) {
            // What does not read names nothing, and is as it was.
            if let Ok(document) = folder.find(kind, &file).and_then(Document::parse) {
                let mut lists = Vec::new();
                laid(&document.root, "", name, &mut lists);
                self.list(name, &document, lists)?;
            }
        }
        for other in folder.neighbours() {
            for file in other.names(FileKind::Campaign) {
                let Ok(scenario) = other.campaign(&file) else { continue };
                let (Some(campaign), Some(document)) = (&scenario.campaign, &scenario.document)
                else {
                    continue;
                };
                let mut lists = Vec::new();
                for (at, chapter) in campaign.chapters.iter().enumerate() {
                    let (house, own) = (chapter.house.clone(), &chapter.scenario);
                    if own.system == folder.name() && house.iter().any(|one| one == name) {
                        let place = format!("conflict.{at}.house");
                        lists.push(LaidHouse { place, house, params: Some(&own.params) });
                    }
                }
                if let Some(LaidHouse { place, .. }) = lists.first().filter(|_| other.is_embedded())
                {
                    let at = document.at(place).map(|at| at.to_string()).unwrap_or_default();
                    return Err(refused(name, &format!("{at}, inside the program, names it")));
                }
                self.list(name, document, lists)?;
            }
        }
        Ok(())
    }

    fn list(
        &mut self,
        name: &str,
        document: &Document,
        lists: Vec<LaidHouse<'_>>,
    ) -> Result<(), Error> {
        let mut changes = Vec::new();
        let at = |place: &str| document.at(place).map(|at| at.to_string()).unwrap_or_default();
        for LaidHouse { place, house, params } in lists {
            // It sets its parameters over these, and a default of the rules would not.
            let own = params.and_then(|own| self.set.iter().find(|set| own.contains_key(*set)));
            if let Some(param) = own {
                let (at, what) = (at(&place), "over which it sets another");
                let why = format!("{at} names it beside a `{param}` of its own, {what}");
                return Err(refused(name, &why));
            }
            if let Some(below) = house.iter().skip(1).position(|one| one == name) {
                let (at, below) = (at(&format!("{place}.{}", below + 1)), &house[below]);
                let why = format!("{at} lays it over `{below}`, which would change places with it");
                return Err(refused(name, &why));
            }
            let rest = house.into_iter().skip(1).map(Value::Text).collect();
            changes.extend(as_toml(&Value::List(rest)).map(|text| (place, text)));
        }
        let done = vec![format!("`{name}` is no longer in `house`")];
        self.edit(name, document, changes, done, "`house`")
    }
}

const PARAMS: &str = "params";

/// Gives files that were written already their old texts, after a mistake.
fn put_back(old: &[FileText], error: Error) -> Error {
    let is_back = |file: &&FileText| replace(Path::new(&file.path), file.text.as_bytes()).is_ok();
    let (back, changed): (Vec<&FileText>, Vec<&FileText>) = old.iter().partition(is_back);
    let mut said = String::new();
    for (files, what) in [
        (back, "what was written already has its old text again"),
        (changed, "what is changed and could not be put back"),
    ] {
        let names = ticked(files.iter().map(|file| &file.path));
        if !names.is_empty() {
            said += &format!("; {what}: {}", enumerated(&names));
        }
    }
    if said.is_empty() { error } else { Error::usage(format!("{error}{said}")) }
}

fn refused(name: &str, why: &str) -> Error {
    Error::usage(format!("`{name}` cannot be written into the rules with the same effect: {why}"))
}

/// Refuses a definition on whose lines another is.
fn apart(name: &str, one: &Definition, all: &[Definition]) -> Result<(), Error> {
    let is_beside = |other: &&Definition| {
        other.at.file == one.at.file
            && other.key() != one.key()
            && other.at.line <= one.last
            && one.at.line <= other.last
    };
    all.iter().find(is_beside).map_or(Ok(()), |other| {
        let why = format!(
            "`{}` and `{}` share a line, {}; give each lines of its own",
            one.name, other.name, one.at
        );
        Err(refused(name, &why))
    })
}

/// The comments of a house rule that are at no function or constant.
fn loose(house: &FileText, own: &[Definition]) -> Vec<String> {
    let of_one = |line: usize| own.iter().any(|one| (first(one)..one.last).contains(&line));
    let lines: Vec<&str> = house.text.lines().collect();
    let is_loose = |at: usize| {
        !of_one(at) && !lines[at].trim().is_empty() && !lines[at].trim_start().starts_with("//!")
    };
    let mut found: Vec<String> = Vec::new();
    for at in (0..lines.len()).filter(|at| is_loose(*at)) {
        match found.last_mut().filter(|_| at > 0 && is_loose(at - 1)) {
            Some(text) => *text += &format!("\n{}", lines[at]),
            None => found.push(lines[at].to_owned()),
        }
    }
    found
}

/// The number of the first line of a definition, its comment included, from 0 on.
fn first(one: &Definition) -> usize {
    one.last.saturating_sub(own_text(one).lines().count())
}

/// The text of a definition without the prose of a file above it.
fn own_text(one: &Definition) -> &str {
    let (mut at, mut begins) = (0, 0);
    for line in one.text.split_inclusive('\n').take_while(|line| is_comment(line)) {
        at += line.len();
        begins = if line.trim_start().starts_with("//!") { at } else { begins };
    }
    &one.text[begins..]
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

fn parts(one: &Definition) -> (Vec<&str>, String) {
    let lines: Vec<&str> = own_text(one).lines().collect();
    let comment = lines.iter().take_while(|line| is_comment(line)).count();
    (lines[..comment].to_vec(), lines[comment..].join("\n"))
}

/// Whether the value of a constant names another.
fn names(one: &Definition, name: &str) -> bool {
    one.name != name && occurrences(&parts(one).1, name).next().is_some()
}

/// What a definition becomes that a house rule overrides. One that is called as `super` is kept under another name.
fn replaced(
    house: &str,
    (below, file): (&Definition, usize),
    own: &Definition,
    base: &[Definition],
) -> Replacement {
    let (from, to) = (first(below), below.last);
    let ((mut comment, mut body), (below_comment, mut below_body)) = (parts(own), parts(below));
    let cites = |one: &Definition| clauses(&one.comments).is_some();
    let takes_over = comment.is_empty() || cites(below) && !cites(own);
    if takes_over {
        comment.splice(..0, below_comment.iter().copied());
    }
    let calls: Vec<_> = occurrences(&body, "super").collect();
    if calls.is_empty() {
        comment.push(&body);
        let what = format!("`{}` is replaced", own.name);
        return Replacement { file, from, to, text: comment.join("\n"), what };
    }
    // The name of a file may have letters that no function's has.
    let house_word = house.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    let mut kept = format!("{}_without_{house_word}", own.name);
    while base.iter().any(|one| one.name == kept) {
        kept.push('_');
    }
    for call in calls.iter().rev() {
        body.replace_range(call.start..call.end, &kept);
    }
    let mut head = tokens(&below_body).into_iter();
    let mut head = head.by_ref().skip_while(|token| token.of(&below_body) != "fn");
    if let Some(head) = head.find(|token| token.of(&below_body) == below.name) {
        below_body.replace_range(head.start..head.end, &kept);
    }
    let remark = format!("/// `{}` as it was before `{house}`.", below.name);
    let below_comment = if takes_over { vec![remark.as_str()] } else { below_comment };
    comment.extend([body.as_str(), ""]);
    comment.extend(below_comment.into_iter().chain([below_body.as_str()]));
    let what = format!("`{}` is replaced, and calls what it was: `{kept}`", own.name);
    Replacement { file, from, to, text: comment.join("\n"), what }
}

/// The line of the rules before which the prose of a house rule comes, behind theirs, its title a heading; that prose,
/// and what it is called. A clause at the beginning of an item is one of the rules already, and is cited.
fn prose_of(house: &FileText, rules: &str) -> Option<(usize, String, String)> {
    let lines: Vec<&str> = house.text.lines().collect();
    let own = prose_lines(&house.text).into_iter();
    let own: Vec<&str> =
        own.filter_map(|at| lines.get(at)?.trim_start().strip_prefix("//!")).collect();
    if own.is_empty() {
        return None;
    }
    let title = own.iter().find_map(|line| line.trim().strip_prefix("# ")).map(str::trim);
    let laid = own.iter().map(|line| match line.strip_prefix(" # ") {
        Some(title) => format!("//! ## {title}"),
        None => match line.strip_prefix(" - ").and_then(|item| Some((clause(item)?, item))) {
            Some((id, item)) => format!("//! - ({id}){}", &item[id.len()..]),
            None => format!("//!{line}"),
        },
    });
    let laid = laid.collect::<Vec<_>>().join("\n");
    let said = title.map_or_else(|| "its prose".to_owned(), |title| format!("\"{title}\""));
    let there = prose_lines(rules);
    let (at, text) = match there.first() {
        Some(&first) => {
            let next = there.iter().zip(first..).take_while(|(at, next)| *at == next).count();
            (first + next, format!("//!\n{laid}"))
        }
        None => (0, format!("{laid}\n\n")),
    };
    Some((at, text, format!("{said} is a part of the prose")))
}

fn prose_lines(text: &str) -> Vec<usize> {
    let (mut line, mut found) = (0, Vec::new());
    for token in tokens(text) {
        let part = token.of(text);
        if token.kind == TokenKind::LineComment && part.starts_with("//!") {
            found.push(line);
        }
        line += part.matches('\n').count();
    }
    found
}

fn clause(item: &str) -> Option<&str> {
    let word = item.split_whitespace().next()?.trim_end_matches([',', '.', ':']);
    crate::script::is_clause(word).then_some(word)
}

struct LaidHouse<'a> {
    place: String,
    house: Vec<String>,
    params: Option<&'a IndexMap<String, Value>>,
}

fn laid<'a>(value: &'a Value, place: &str, name: &str, found: &mut Vec<LaidHouse<'a>>) {
    match value {
        Value::Map(map) => {
            for (key, value) in map.iter().filter(|(key, _)| !DATA.contains(&key.as_str())) {
                let place = below(place, key);
                match value {
                    Value::List(items) if key == "house" => {
                        let texts = items.iter().map(|one| one.as_text().map(str::to_owned));
                        let house = texts.collect::<Option<Vec<String>>>();
                        let house = house.filter(|house| house.iter().any(|one| one == name));
                        let params = map.get("params").and_then(Value::as_map);
                        found.extend(house.map(|house| LaidHouse { place, house, params }));
                    }
                    value => laid(value, &place, name, found),
                }
            }
        }
        Value::List(items) => {
            for (at, item) in items.iter().enumerate() {
                laid(item, &below(place, &at.to_string()), name, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_last_step_fails_all_files_have_their_old_texts() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let change = |name: &str| {
            std::fs::write(path(name), format!("old {name}")).unwrap();
            (FileText { path: path(name), text: "new".to_owned() }, Vec::new())
        };
        let promotion = Promotion {
            changes: vec![change("a"), change("b")],
            source: path("none"),
            ..Promotion::default()
        };
        let message = promotion.write().unwrap_err().to_string();
        let (a, b) = (path("a"), path("b"));
        let says = format!("; what was written already has its old text again: `{a}` and `{b}`");
        assert!(message.ends_with(&says), "{message}");
        for name in ["a", "b"] {
            assert_eq!(std::fs::read_to_string(path(name)).unwrap(), format!("old {name}"));
        }
    }
}
