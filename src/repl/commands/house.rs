//! The command `:house`: lays house rules over the open rules, takes them away, lists them, and writes
//! new ones.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::edit::TO_FILL;
use super::rulebook::functions_of;
use crate::catalog::FileKind;
use crate::commands::laid_at;
use crate::conflict::{Promotion, RuleChanges, replace};
use crate::error::{Error, Location};
use crate::repl::Session;
use crate::repl::session::Edited;
use crate::report::{self, Block, Report};
use crate::script::{Definition, clauses, occurrences};

/// The word that begins `:house new NAME FUNCTION`.
pub(crate) const NEW: &str = "new";

/// The word that begins `:house promote NAME`, and the one behind the name that lets it write.
pub(crate) const PROMOTE: &str = "promote";
const WRITE: &str = "write";

/// In fewer columns what a house rule changes is printed below its name, and not beside it.
const NARROW: usize = 60;

/// Lays house rules over the open rules, takes them away, or writes a new one.
pub(super) fn house(session: &mut Session, words: &[String]) -> Result<(), Error> {
    let play = session.open()?;
    let mut laid = play.conflict.rules.house().to_vec();
    match words {
        [] => return list(session),
        [promote, rest @ ..] if promote == PROMOTE => return promoted(session, rest),
        [new, name, function] if new == NEW => return write(session, name, function),
        [new, ..] if new == NEW && play.conflict.folder.find(FileKind::House, NEW).is_err() => {
            return Err(Error::usage(
                "a new house rule needs a name and what it overrides: `:house new NAME FUNCTION`; `:rules` lists \
                 the functions and constants that there are",
            ));
        }
        _ => {}
    }
    for word in words {
        match word.strip_prefix('-') {
            Some(name) => {
                laid.remove(laid_at(&laid, name)?);
            }
            None if laid.contains(word) => {
                return Err(Error::usage(format!(
                    "`{word}` is already in force; `:house -{word}` removes it"
                )));
            }
            None => {
                play.conflict.folder.find(FileKind::House, word)?;
                laid.push(word.clone());
            }
        }
    }
    session.replay_under(&RuleChanges { house: Some(laid), ..RuleChanges::default() })
}

/// A house rule of the open rules, and its place among those in force.
#[derive(Serialize)]
struct ListedHouse {
    name: String,
    laid: Option<usize>,
    title: String,
    #[serde(skip)]
    means: String,
}

fn list(session: &Session) -> Result<(), Error> {
    let play = session.open()?;
    let laid = play.conflict.rules.house();
    let mut names = laid.to_vec();
    names.extend(
        play.conflict.folder.names(FileKind::House).into_iter().filter(|name| !laid.contains(name)),
    );
    if names.is_empty() {
        session.note("these rules have no house rules; `:house new NAME FUNCTION` writes one");
        return Ok(());
    }
    let place = |name: &String| laid.iter().position(|one| one == name).map(|at| at + 1);
    let listed = |name: &String| {
        let text = play.conflict.folder.find(FileKind::House, name).ok();
        let title = text.as_ref().and_then(|text| text.title().map(str::to_owned));
        let means = text.map(|text| text.about()).unwrap_or_default();
        let (name, laid) = (name.clone(), place(name));
        ListedHouse { name, laid, title: title.unwrap_or_default(), means }
    };
    let all: Vec<ListedHouse> = names.iter().map(listed).collect();
    let short = |one: &ListedHouse| {
        let place = one.laid.map(|place| format!(" (laid: {place})")).unwrap_or_default();
        format!("{}{place}\n  {}", one.name, one.means)
    };
    let row = |one: &ListedHouse| {
        let place = one.laid.map(|place| place.to_string()).unwrap_or_default();
        vec![one.name.clone(), place, one.means.clone()]
    };
    let table = Block::table(["house rule", "laid", "what it changes"], all.iter().map(row));
    let short = Block::Sentence(all.iter().map(short).collect::<Vec<_>>().join("\n"));
    let forms = Block::Forms(vec![(NARROW, vec![table]), (0, vec![short])]);
    session.show(&Report::of(all, vec![forms]));
    Ok(())
}

/// What becomes of the files of rules where a house rule becomes a part of them.
#[derive(Serialize)]
struct Promoted<'a> {
    house: &'a str,
    files: &'a [PromotedFile<'a>],
    clauses: &'a [String],
    written: bool,
}

#[derive(Serialize)]
struct PromotedFile<'a> {
    file: &'a str,
    changes: &'a [String],
}

/// Writes a house rule into the rules, so that it is none any more; before that, says what would be written.
fn promoted(session: &mut Session, words: &[String]) -> Result<(), Error> {
    let (name, writes) = match words {
        [name] => (name, false),
        [name, write] if write == WRITE => (name, true),
        _ => {
            return Err(Error::usage(
                "name the house rule that becomes a part of the rules: `:house promote NAME`; `:house` lists them",
            ));
        }
    };
    let play = session.open()?;
    let (folder, mut laid) = (&play.conflict.folder, play.conflict.rules.house().to_vec());
    if play.conflict.scenario.campaign.is_some() {
        return Err(Error::usage(
            "a campaign has rules of several systems; open one of its conflicts",
        ));
    }
    if folder.is_embedded() {
        let system = folder.name();
        return Err(Error::usage(format!(
            "these rules are inside the program and cannot be changed there: `:edit {system}` writes them to \
             `rules/{system}`, `fracas init rules` all there are"
        )));
    }
    match laid.iter().position(|one| one == name) {
        Some(0) => _ = laid.remove(0),
        Some(_) => {
            return Err(Error::usage(format!(
                "`{}` is below `{name}`, which would change places with it: promote that first, or `:house -{0}` \
                 removes it",
                laid[0]
            )));
        }
        None => {}
    }
    let promotion = Promotion::of(folder, name, &session.options.limits)?;
    if writes && !session.may_replay()? {
        return Err(Error::usage(
            "the rules as they are then may show what is hidden from you here; `:reveal` first",
        ));
    }
    if writes {
        promotion.write()?;
    }
    let changed = promotion.changes.iter().map(|(file, changes)| (&file.path, &changes[..]));
    let gone = ["removed: the rules have all of it".to_owned()];
    let changed = changed.chain([(&promotion.source, &gone[..])]);
    let files: Vec<_> = changed.map(|(file, changes)| PromotedFile { file, changes }).collect();
    let rows = files
        .iter()
        .flat_map(|one| one.changes.iter().map(|what| vec![one.file.to_owned(), what.clone()]));
    let width = session.options.width;
    let table = Block::table(
        ["file", if writes { "what was written" } else { "what would be written" }],
        rows,
    );
    let clauses = &promotion.clauses;
    let data = Promoted { house: name, files: &files, clauses, written: writes };
    session.show(&Report::of(data, vec![table]));
    if !promotion.clauses.is_empty() {
        let clauses = promotion.clauses.join(", ");
        let text =
            format!("the prose of {clauses} stays as it is: mend there what no longer holds");
        session.note(report::wrapped(&text, width));
    }
    if !writes {
        session
            .note(format!("nothing is written yet; `:house {PROMOTE} {name} {WRITE}` writes it"));
        return Ok(());
    }
    session.note("`:test` runs the cases: those of the rules as they were may end differently now");
    session.replay_under(&RuleChanges { house: Some(laid), ..RuleChanges::default() })
}

/// Writes a house rule that overrides a function or a constant of the open rules, and opens it in the
/// editor; when the editor is left it is laid, unless that would show what is hidden.
fn write(session: &mut Session, name: &str, overridden: &str) -> Result<(), Error> {
    let folder = session.open()?.conflict.folder.clone();
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(letter) {
        return Err(Error::usage(format!(
            "`{name}` is not a name for a house rule: lower-case letters, digits and `_`, a letter first, as in \
             `half_price`"
        )));
    }
    if name == NEW || folder.find(FileKind::House, name).is_ok() {
        return Err(Error::usage(format!(
            "there is a house rule `{name}` already; `:edit {name}` opens it"
        )));
    }
    let overridden = overridden.trim_end_matches("()");
    let all = session.open()?.conflict.rules.definitions();
    let mut own: Vec<&Definition> = all.iter().filter(|one| one.name == overridden).collect();
    own.sort_by_key(|one| std::cmp::Reverse(one.layer));
    let Some(top) = own.first() else {
        let of_clause = functions_of(&session.open()?.conflict, overridden);
        if !of_clause.is_empty() {
            return Err(Error::usage(format!(
                "`{overridden}` is a clause, and a house rule overrides a function of it: {}",
                of_clause.join(", ")
            )));
        }
        session
            .note("`:rulebook CLAUSE` names the functions of a clause, `:why` the one that asks");
        let names = all.iter().map(|one| one.name.as_str());
        return Err(Error::unknown("function or constant", overridden, names));
    };
    // A house rule need not say again by which clause its function is there.
    let commented = own.iter().find(|one| clauses(&one.comments).is_some()).unwrap_or(top);
    let text = text(name, top, &commented.comments);
    let is_head = |line: &str| line.starts_with("fn ") || line.starts_with("const ");
    let line = text.lines().position(is_head).map_or(1, |at| at + 1);
    // Of rules inside the program nothing else has to be on disk: a house rule can be a file anywhere.
    let (file, word) = match folder.disk_path() {
        Some(home) => {
            (home.join(FileKind::House.folder()).join(format!("{name}.rhai")), name.to_owned())
        }
        None => (PathBuf::from(format!("{name}.rhai")), format!("{name}.rhai")),
    };
    create(&file, &text)?;
    let file = file.display().to_string();
    let width = session.options.width;
    match session.may_replay()? {
        true => {
            session.note(format!("written to `{file}`; it is applied to the rules when the editor is left"));
            session.made = Some((word.clone(), text));
        }
        false => session.note(report::wrapped(
            &format!(
                "written to `{file}`; it is not applied when the editor is left, because other rules may show \
                 what is hidden from you here: {}",
                session.how_to_lay(&word)?
            ),
            width,
        )),
    }
    session.edits = Some(Edited { system: folder.name().to_owned(), house: Some(word.clone()) });
    session.edit_at(Location { file, line, column: None });
    Ok(())
}

impl Session {
    /// What applies a house rule to the open conflict, now or where something is hidden from whoever looks.
    pub(super) fn how_to_lay(&self, name: &str) -> Result<String, Error> {
        let scenario = &self.open()?.conflict.scenario.name;
        Ok(match self.may_replay()? {
            true => format!("`:house {name}` applies it"),
            false => format!(
                "`:open {scenario} --house {name}` begins a new conflict with it, `:reveal` and then `:house \
                 {name}` apply it to this one"
            ),
        })
    }
}

/// Writes a file that is not there yet, whole or not at all.
pub(super) fn create(file: &Path, text: &str) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::file("write", file, error);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    if file.symlink_metadata().is_ok() {
        return Err(failed(std::io::ErrorKind::AlreadyExists.into()));
    }
    replace(file, text.as_bytes())
}

/// The text of a new house rule: a title to fill in, and what it overrides, as it is below. A function is
/// copied with a remark that shows how to call the one below; of one that calls it already, a copy would
/// do so twice, so that the new one calls it and shows the text in remarks.
fn text(name: &str, top: &Definition, comment: &str) -> String {
    let mut title = name.replace('_', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let heading = format!("//! # {title}\n//! {TO_FILL}\n\n");
    if top.constant {
        return format!("{heading}{}\n", top.text);
    }
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let body: Vec<&str> = top.text.lines().skip_while(is_comment).collect();
    let comment: String =
        comment.lines().map(|line| format!("/// {line}").trim_end().to_owned() + "\n").collect();
    let arguments = top.parameters.join(", ");
    let is_method = occurrences(&top.text, "this").next().is_some();
    let method = if is_method { "this." } else { "" };
    let below = format!("{method}super({arguments})");
    let head = format!("fn {}({arguments}) {{", top.name);
    if top.calls_super() {
        let quoted: String = body.iter().map(|line| format!("    // {line}\n")).collect();
        return format!(
            "{heading}{comment}{head}\n    {below}\n    // As it is below:\n{quoted}}}\n"
        );
    }
    let body = body.join("\n");
    let body = body.trim_start_matches("private ");
    let (first, rest) = body.split_once('{').unwrap_or((body, "}"));
    let remark = format!("    // The rules without this one: `{below}`.");
    let rest = match rest.split_once('\n') {
        Some((behind, rest)) if behind.trim().is_empty() => rest.to_owned(),
        // All of it is on one line.
        _ => format!("    {}\n}}", rest.trim_end().trim_end_matches('}').trim()),
    };
    format!("{heading}{comment}{first}{{\n{remark}\n{rest}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(text: &str, parameters: &[&str], constant: bool) -> String {
        let at = Location { file: "a.rhai".to_owned(), line: 1, column: None };
        let top = Definition {
            name: "cost".to_owned(),
            constant,
            parameters: parameters.iter().map(ToString::to_string).collect(),
            layer: 0,
            at,
            last: 1,
            comments: String::new(),
            text: text.to_owned(),
        };
        let text = super::text("half_price", &top, "W6. The cost.");
        text.strip_prefix("//! # Half price\n//! What it changes, and why.\n\n").unwrap().to_owned()
    }

    #[test]
    fn a_new_house_rule_has_the_text_of_the_function_and_calls_the_one_below() {
        assert_eq!(
            new("/// W6. The cost.\nfn cost(n) {\n    n * 2\n}", &["n"], false),
            "/// W6. The cost.\nfn cost(n) {\n    // The rules without this one: `super(n)`.\n    n * 2\n}\n"
        );
        assert_eq!(
            new("fn cost() { this.n }", &[], false),
            "/// W6. The cost.\nfn cost() {\n    // The rules without this one: `this.super()`.\n    this.n\n}\n"
        );
        assert_eq!(
            new("private fn cost(a, b) {\n    super(a, b)\n}", &["a", "b"], false),
            "/// W6. The cost.\nfn cost(a, b) {\n    super(a, b)\n    // As it is below:\n    // private fn cost(a, b) {\n    //     super(a, b)\n    // }\n}\n"
        );
        assert_eq!(new("// W1.\nconst COST = 3;", &[], true), "// W1.\nconst COST = 3;\n");
    }
}
