//! Writes a house rule into the rules that it is laid over, so that it is no house rule any more: its functions and
//! constants, its parameters as defaults, its prose; comments stay where they are.

use std::path::Path;

use super::{Order, as_toml, compile, replace, replaceable};
use crate::catalog::{Document, FileKind, FileText, Folder, ParamSpecs};
use crate::error::Error;
use crate::game::Value;
use crate::rulebook::leading;
use crate::script::{
    Definition, Layer, Limits, clauses, definitions, house_params, supers, tokens,
};

/// What is written where a house rule becomes a part of the rules.
pub(crate) struct Promotion {
    /// Each file that changes, with its new text, and what changes in it.
    pub changes: Vec<(FileText, Vec<String>)>,
    /// The file of the house rule, which goes.
    pub source: String,
    /// The clauses of the functions that change: their prose stays as it is.
    pub clauses: Vec<String>,
}

/// Lines of a script that become others; from the first, up to the last without it.
struct Replacement {
    from: usize,
    to: usize,
    text: String,
}

/// The tables of files whose keys are data of the rules.
const DATA: [&str; 3] = ["setup", "expect", "outcome"];

impl Promotion {
    /// Finds what is to be written, and tests that the rules compile then.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a house rule that is not there, [`Error::Usage`] for one that cannot be written into
    /// the rules with the same effect; mistakes in the scripts.
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
        let mut promotion =
            Promotion { changes: Vec::new(), source: house.path.clone(), clauses: Vec::new() };
        promotion.scripts(name, (&scripts, &base), (&house, &own), folder, limits)?;
        promotion.params(name, folder, &house)?;
        promotion.lists(name, folder)?;
        let files = promotion.changes.iter().map(|(file, _)| file.clone()).collect();
        compile(&folder.edited(files), Order::default(), limits)?;
        Ok(promotion)
    }

    /// Writes the files, and removes that of the house rule.
    ///
    /// # Errors
    /// [`Error::File`] where one cannot be written; those before it are written then.
    pub(crate) fn write(&self) -> Result<(), Error> {
        let files = || self.changes.iter().map(|(file, _)| file);
        files().try_for_each(|file| replaceable(Path::new(&file.path)))?;
        files().try_for_each(|file| replace(Path::new(&file.path), file.text.as_bytes()))?;
        std::fs::remove_file(&self.source)
            .map_err(|error| Error::file("remove", Path::new(&self.source), error))
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
        let mut order = Order::default();
        order.house(folder, &[name.to_owned()])?;
        // Functions of other systems that the rules import can be overridden, too.
        let imported = compile(folder, order, limits)?.definitions();
        let mut edits: Vec<(usize, Replacement, String)> = Vec::new();
        let mut added: Vec<String> = loose(house, own);
        let mut new: Vec<String> = Vec::new();
        for own in own.iter().filter(|own| !(own.name == PARAMS && own.parameters.is_empty())) {
            let Some(below) = own.overridden(base) else {
                if own.overridden(&imported).is_some() {
                    return Err(refused(
                        name,
                        &format!("it overrides `{}` of another system", own.name),
                    ));
                }
                added.push(own_text(own).to_owned());
                new.push(format!("`{}` is new", own.name));
                continue;
            };
            if own.constant
                && let Some(user) = base.iter().find(|one| one.constant && names(one, &own.name))
            {
                return Err(refused(
                    name,
                    &format!(
                        "it changes the constant `{}` and leaves `{}` as it is, which is made of it",
                        own.name, user.name
                    ),
                ));
            }
            let file = scripts.iter().position(|file| file.path == below.at.file);
            let file = file.ok_or_else(|| refused(name, "a file of the rules has changed"))?;
            let (edit, what) = replaced(name, below, own, base);
            let shares = |one: &&Definition| {
                one.at.file == below.at.file
                    && (one.at.line, &one.name) != (below.at.line, &below.name)
                    && one.at.line <= below.last
                    && below.at.line <= one.last
            };
            if let Some(other) = base.iter().find(shares) {
                return Err(refused(
                    name,
                    &format!("`{}` and `{}` share a line", below.name, other.name),
                ));
            }
            edits.push((file, edit, what));
            let cited = [own, below].into_iter().filter_map(|one| clauses(&one.comments));
            self.cite(cited.map(|(cited, _)| cited));
        }
        for (number, file) in scripts.iter().enumerate() {
            let of_file = |edit: &(usize, Replacement, String)| edit.0 == number;
            let (mut here, others): (Vec<_>, Vec<_>) = edits.into_iter().partition(of_file);
            edits = others;
            here.sort_by_key(|(_, edit, _)| edit.from);
            let mut done: Vec<String> = here.iter().map(|(.., what)| what.clone()).collect();
            let mut lines: Vec<String> = file.text.lines().map(str::to_owned).collect();
            for (_, edit, _) in here.into_iter().rev() {
                lines.splice(edit.from..edit.to, edit.text.lines().map(str::to_owned));
            }
            // The first file is the one with the prose.
            if number == 0 {
                for text in &added {
                    lines.push(String::new());
                    lines.extend(text.lines().map(str::to_owned));
                }
                done.append(&mut new);
                done.extend(add_prose(&mut lines, house));
            }
            if !done.is_empty() {
                let text = lines.join("\n") + "\n";
                self.changes.push((FileText { path: file.path.clone(), text }, done));
            }
        }
        Ok(())
    }

    /// Notes the clauses that texts cite.
    fn cite<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        for id in texts.flat_map(|text| leading(text).0) {
            if !self.clauses.contains(&id) {
                self.clauses.push(id);
            }
        }
    }

    /// Makes the parameters that the house rule sets the defaults.
    fn params(&mut self, name: &str, folder: &Folder, house: &FileText) -> Result<(), Error> {
        let files = vec![(house.path.clone(), house.text.clone())];
        let set = house_params(&Layer { name: name.to_owned(), files, ..Layer::default() })?;
        let Some(text) = folder.params()? else { return Ok(()) };
        let specs = ParamSpecs::read(Some(&text))?;
        let document = Document::parse(text)?;
        let mut values = Vec::new();
        let mut done = Vec::new();
        let is_default =
            |param: &str, value: &Value| specs.get(param).is_some_and(|one| one.default == *value);
        for (param, value, _) in
            set.into_iter().filter(|(param, value, _)| !is_default(param, value))
        {
            self.cite(specs.get(&param).into_iter().filter_map(|one| one.clause.as_deref()));
            let text =
                as_toml(&value).ok_or_else(|| refused(name, "TOML has no word for a value"))?;
            done.push(format!("the default of `{param}` is {value}"));
            values.push((format!("{param}.default"), text));
        }
        if values.is_empty() {
            return Ok(());
        }
        let text = document.with(&values).ok_or_else(|| {
            refused(
                name,
                &format!("`{}` does not have each default in a place of its own", document.path),
            )
        })?;
        self.changes.push((FileText { path: document.path, text }, done));
        Ok(())
    }

    /// Takes the house rule out of the lists of scenarios, campaigns and cases.
    fn lists(&mut self, name: &str, folder: &Folder) -> Result<(), Error> {
        for kind in [FileKind::Scenario, FileKind::Campaign, FileKind::Case] {
            for file in folder.names(kind) {
                // What does not read names nothing, and is as it was.
                let Ok(document) = folder.find(kind, &file).and_then(Document::parse) else {
                    continue;
                };
                let mut lists = Vec::new();
                without(&document.root, "", name, &mut lists);
                if lists.is_empty() {
                    continue;
                }
                let text = document.with(&lists).ok_or_else(|| {
                    refused(
                        name,
                        &format!(
                            "`{}` does not have each `house` in a place of its own",
                            document.path
                        ),
                    )
                })?;
                let done = vec![format!("`{name}` is no longer in `house`")];
                self.changes.push((FileText { path: document.path, text }, done));
            }
        }
        Ok(())
    }
}

/// The function of a house rule that sets parameters.
const PARAMS: &str = "params";

fn refused(name: &str, why: &str) -> Error {
    Error::usage(format!("`{name}` cannot be written into the rules with the same effect: {why}"))
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

/// The text of a definition without the prose of a file right above it.
fn own_text(one: &Definition) -> &str {
    let mut text = one.text.as_str();
    while let Some((_, rest)) =
        text.split_once('\n').filter(|(line, _)| line.trim_start().starts_with("//!"))
    {
        text = rest;
    }
    text
}

/// The comment of a definition, and what is below it.
fn parts(one: &Definition) -> (Vec<&str>, String) {
    let lines: Vec<&str> = own_text(one).lines().collect();
    let comment = lines.iter().take_while(|line| line.trim_start().starts_with("//")).count();
    (lines[..comment].to_vec(), lines[comment..].join("\n"))
}

/// Whether the value of a constant names another.
fn names(one: &Definition, name: &str) -> bool {
    let (_, body) = parts(one);
    let words =
        tokens(&body).into_iter().filter(|token| !token.is_gap() && token.of(&body) == name);
    one.name != name && words.count() > 0
}

/// What a definition becomes that a house rule overrides. One that is called as `super` is kept under another name.
fn replaced(
    house: &str,
    below: &Definition,
    own: &Definition,
    base: &[Definition],
) -> (Replacement, String) {
    let (from, to) = (first(below), below.last);
    let ((mut comment, mut body), (below_comment, below_body)) = (parts(own), parts(below));
    let cites = |one: &Definition| clauses(&one.comments).is_some();
    let takes_over = comment.is_empty() || cites(below) && !cites(own);
    if takes_over {
        comment.splice(..0, below_comment.iter().copied());
    }
    let calls: Vec<_> = supers(&body).collect();
    if calls.is_empty() {
        comment.push(&body);
        let what = format!("`{}` is replaced", own.name);
        return (Replacement { from, to, text: comment.join("\n") }, what);
    }
    let mut kept = format!("{}_without_{house}", own.name);
    while base.iter().any(|one| one.name == kept) {
        kept.push('_');
    }
    for call in calls.iter().rev() {
        body.replace_range(call.start..call.end, &kept);
    }
    let mut below_body = below_body;
    let head = tokens(&below_body)
        .into_iter()
        .skip_while(|token| token.of(&below_body) != "fn")
        .find(|token| token.of(&below_body) == below.name);
    if let Some(head) = head {
        below_body.replace_range(head.start..head.end, &kept);
    }
    let remark = [format!("/// `{}` as it was before `{house}`.", below.name)];
    let below_comment = match takes_over {
        true => remark.join("\n"),
        false => below_comment.join("\n"),
    };
    comment.push(&body);
    let text = format!("{}\n\n{below_comment}\n{below_body}", comment.join("\n"));
    let what = format!("`{}` is replaced, and calls what it was: `{kept}`", own.name);
    (Replacement { from, to, text: text.replace("\n\n\n", "\n\n") }, what)
}

/// Adds the prose of a house rule to that of the rules, its title a heading; a clause at the beginning of an item is
/// one of the rules already, and is cited.
fn add_prose(lines: &mut Vec<String>, house: &FileText) -> Option<String> {
    let prose: Vec<String> = house
        .text
        .lines()
        .map_while(|line| line.trim_start().strip_prefix("//!"))
        .map(|line| match line.strip_prefix(" # ") {
            Some(title) => format!("//! ## {title}"),
            None => match line.strip_prefix(" - ").and_then(|item| Some((clause(item)?, item))) {
                Some((id, item)) => format!("//! - ({id}){}", &item[id.len()..]),
                None => format!("//!{line}"),
            },
        })
        .collect();
    let title = house.title().map(str::to_owned);
    let end = lines.iter().take_while(|line| line.trim_start().starts_with("//!")).count();
    let between = if end == 0 { None } else { Some("//!".to_owned()) };
    let behind = (end == 0).then(String::new);
    let said = title.map_or_else(|| "its prose".to_owned(), |title| format!("\"{title}\""));
    let is_there = !prose.is_empty();
    if is_there {
        lines.splice(end..end, between.into_iter().chain(prose).chain(behind));
    }
    is_there.then(|| format!("{said} is a part of the prose"))
}

fn clause(item: &str) -> Option<&str> {
    let word = item.split_whitespace().next()?.trim_end_matches([',', '.', ':']);
    crate::script::is_clause(word).then_some(word)
}

/// The lists called `house` that have a name, by their places, as they are without it.
fn without(value: &Value, place: &str, name: &str, found: &mut Vec<(String, String)>) {
    let below =
        |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match value {
        Value::Map(map) => {
            for (key, value) in map.iter().filter(|(key, _)| !DATA.contains(&key.as_str())) {
                let is_name = |one: &&Value| matches!(one, Value::Text(text) if text == name);
                match value {
                    Value::List(items)
                        if key == "house" && items.iter().any(|one| is_name(&one)) =>
                    {
                        let rest = items.iter().filter(|one| !is_name(one)).cloned().collect();
                        found.extend(as_toml(&Value::List(rest)).map(|text| (below(key), text)));
                    }
                    value => without(value, &below(key), name, found),
                }
            }
        }
        Value::List(items) => {
            for (at, item) in items.iter().enumerate() {
                without(item, &below(&at.to_string()), name, found);
            }
        }
        _ => {}
    }
}
