//! The command `:diff`: compares two lines of play, or one history under two sets of rules.

use std::hash::Hash;

use clap::Args;
use imara_diff::{Algorithm, Diff as LineDiff, InternedInput};
use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use crate::catalog::{Catalog, FileText, Folder, ParamSpec, ParamSpecs};
use crate::commands::{RuleArguments, or_without};
use crate::conflict::{Course, Play};
use crate::error::Error;
use crate::game::{Outcome, Value};
use crate::repl::{Names, Session, Viewer};
use crate::report::{self, Block, Report};
use crate::script::{Definition, definitions, uncommented};

/// `:diff`.
#[derive(Args, Debug)]
#[command(mut_args(or_without))]
pub struct Diff {
    /// Another line of play
    #[arg(conflicts_with_all = ["house", "params", "set"])]
    fork: Option<String>,
    #[command(flatten)]
    rules: RuleArguments,
    /// Not the play: what differs in the rules folder from the rules inside the program
    #[arg(long, conflicts_with_all = ["fork", "house", "params", "set"])]
    shipped: bool,
}

/// More equal events in a row than this are only counted.
const ALIKE: usize = 4;

pub(super) fn diff(session: &mut Session, diff: &Diff) -> Result<(), Error> {
    let play = session.open()?;
    if diff.shipped {
        let found = differences(&play.conflict.folder)?;
        let row = |one: &ShippedChange| vec![one.file.clone(), one.change.clone()];
        let blocks = match found.is_empty() {
            true => vec![Block::sentence("the rules are as they were shipped")],
            false => vec![Block::table(
                ["file", "what differs from the shipped rules"],
                found.iter().map(row),
            )],
        };
        session.show(&Report::of(found, blocks));
        return Ok(());
    }
    let left = DiffSide { name: play.line_name().to_owned(), course: play.course() };
    let mut divergence = None;
    let (right, viewer) = match diff.fork.clone() {
        Some(fork) if fork == play.line_name() => return Err(itself(play, &fork)),
        Some(fork) => {
            let course = play.course_of(&fork)?;
            let viewer = Viewer::at(play, &course.position, session.revealed);
            (DiffSide { name: fork, course }, viewer)
        }
        None if diff.rules.is_empty() => {
            return Err(Error::usage(
                "name what the line is compared with: `:diff NAME` for another line (`:fork` lists them), \
                 `:diff --house NAME`, `:diff --house -NAME`, `:diff --param NAME=VALUE` or `:diff --set KEY=VALUE`",
            ));
        }
        None => {
            Viewer::of(play, session.revealed).may_play_again(&play.history())?;
            let changes = diff.rules.over(play)?;
            let (other, parted) = play.snapshot().play(&session.catalog, &changes)?;
            divergence = parted;
            let viewer = Viewer::of(&other, session.revealed);
            let name = diff.rules.words().join(", ");
            (DiffSide { name, course: other.course() }, viewer)
        }
    };
    // Who may see all of one line may not see all of the other.
    let viewer = viewer.or(|| Viewer::of(play, session.revealed));
    let header = ["", left.name.as_str(), right.name.as_str()];
    let table = Block::table(header, rows(&left, &right, &viewer));
    session.show(&Report::of(LineDifference::of(&left, &right, &viewer), vec![table]));
    // The table is what was asked for, from a pipe too.
    divergence.into_iter().for_each(|parted| session.note(viewer.error(parted).to_string()));
    Ok(())
}

/// What differs in a file from the one inside the program.
#[derive(Serialize)]
struct ShippedChange {
    file: String,
    change: String,
}

/// What differs in a rules folder from the one of its name inside the program: functions and constants of scripts,
/// parameters, and the other files.
fn differences(folder: &Folder) -> Result<Vec<ShippedChange>, Error> {
    let shipped = Catalog::shipped(folder.name()).ok_or_else(|| {
        Error::usage(format!(
            "`{}` is not inside the program: there is nothing to compare it with",
            folder.name()
        ))
    })?;
    let mut found = Vec::new();
    let one = |file: &String, change: String| ShippedChange { file: file.clone(), change };
    let files = |of: &Folder| -> Result<IndexMap<String, FileText>, Error> {
        of.all().map(|name| of.read(&name).map(|text| (name, text))).collect()
    };
    let (before, now) = (files(&shipped)?, files(folder)?);
    for (name, old) in &before {
        match now.get(name) {
            None => found.push(one(name, "removed".to_owned())),
            Some(new) if new.text == old.text => {}
            Some(new) => {
                let changed = changes(name, &old.text, &new.text);
                found.extend(changed.into_iter().map(|what| one(name, what)));
            }
        }
    }
    let added = now.keys().filter(|name| !before.contains_key(*name));
    found.extend(added.map(|name| one(name, "new".to_owned())));
    Ok(found)
}

/// What differs between two texts of a file that are not the same: of a script by its functions and constants, of
/// `params.toml` by parameters, or why it does not read; else only that they differ.
fn changes(file: &str, old: &str, new: &str) -> Vec<String> {
    type Texts = IndexMap<(String, Option<usize>), String>;
    let texts = |text: &str| -> Result<Texts, Error> {
        if file == "params.toml" {
            let read = FileText { path: file.to_owned(), text: text.to_owned() };
            let specs = ParamSpecs::read(Some(&read))?;
            let one = |spec: &ParamSpec| ((spec.name.clone(), None), spec.default.to_string());
            return Ok(specs.iter().map(one).collect());
        }
        let one = |one: Definition| {
            let (name, arity) = one.key();
            ((name.to_owned(), arity), one.text)
        };
        Ok(match file.ends_with(".rhai") {
            true => definitions(file, text, 0).into_iter().map(one).collect(),
            false => Texts::new(),
        })
    };
    let (before, now) = match texts(old).and_then(|old| Ok((old, texts(new)?))) {
        Ok(both) => both,
        Err(error) => {
            let line = error.location().map(|at| format!("line {}: ", at.line));
            return vec![format!("{}{error}", line.unwrap_or_default())];
        }
    };
    // Functions of one name are kept apart by the number of what they are given.
    let called = |(name, arity): &(String, Option<usize>)| {
        let is_other = |key: &(String, Option<usize>)| key.0 == *name && key.1 != *arity;
        match arity.filter(|_| before.keys().chain(now.keys()).any(is_other)) {
            Some(arity) => format!("`{name}` of {}", report::many(arity as u64, "parameter")),
            None => format!("`{name}`"),
        }
    };
    let is_param = file == "params.toml";
    let mut found = Vec::new();
    for (key, old) in &before {
        let name = called(key);
        found.extend(match now.get(key) {
            None => Some(format!("{name} is gone")),
            Some(new) if new == old => None,
            Some(new) if is_param => Some(format!("{name} is {new}, was {old}")),
            Some(new) if uncommented(new) == uncommented(old) => {
                Some(format!("{name}: its comments"))
            }
            Some(_) => Some(format!("{name} is changed")),
        });
    }
    let added = now.keys().filter(|key| !before.contains_key(*key));
    found.extend(added.map(|key| format!("{} is new", called(key))));
    if found.is_empty() {
        found.push(match file.ends_with(".rhai") {
            true => "prose or comments".to_owned(),
            false => "changed".to_owned(),
        });
    }
    found
}

/// The error for comparing a line of play with itself.
fn itself(play: &Play, fork: &str) -> Error {
    let others = play.lines().into_iter().map(|(name, ..)| name).filter(|name| *name != fork);
    let others = report::ticked(others);
    let there = match others.is_empty() {
        true => "there is no other; `:fork NAME` makes one".to_owned(),
        false => format!("beside it there is {}", others.join(", ")),
    };
    Error::usage(format!("`{fork}` is the line that is played; {there}"))
}

struct DiffSide {
    name: String,
    course: Course,
}

/// The first entries that differ, of those that this viewer may see, and by their count.
fn parting(
    left: &DiffSide,
    right: &DiffSide,
    viewer: &Viewer,
    names: Names,
) -> Option<PartingEntries> {
    let [left, right] = [left, right].map(|side| viewer.entries(&side.course.history, names));
    let at = (0..left.len().max(right.len())).find(|&at| left.get(at) != right.get(at))?;
    let entry = |entries: &[String]| entries.get(at).cloned().unwrap_or_default();
    Some(PartingEntries { entry: at + 1, left: entry(&left), right: entry(&right) })
}

/// The events of both sides in rows; equal events in the same order share a row.
fn events<'a>(left: &'a DiffSide, right: &'a DiffSide) -> Vec<(Option<&'a str>, Option<&'a str>)> {
    let texts = |side: &'a DiffSide| -> Vec<&'a str> {
        side.course.events.iter().map(|heard| heard.text.as_str()).collect()
    };
    let (left, right) = (texts(left), texts(right));
    let mut pairs = alike(&left, &right);
    pairs.push((left.len(), right.len()));
    let (mut i, mut j, mut rows) = (0, 0, Vec::new());
    for (to_i, to_j) in pairs {
        for at in 0..(to_i - i).max(to_j - j) {
            let one = left.get(i + at).filter(|_| i + at < to_i).copied();
            let other = right.get(j + at).filter(|_| j + at < to_j).copied();
            rows.push((one, other));
        }
        rows.extend(left.get(to_i).map(|same| (Some(*same), Some(*same))));
        (i, j) = (to_i + 1, to_j + 1);
    }
    rows
}

fn outcome(side: &DiffSide) -> Option<&Outcome> {
    side.course.position.outcome()
}

/// The result, or who is asked next.
fn ending(side: &DiffSide) -> String {
    match (outcome(side), side.course.position.asked().first()) {
        (Some(outcome), _) => outcome.result.clone(),
        (None, Some(asked)) => format!("not over: {}, {}", asked.who, asked.name),
        (None, None) => "not over".to_owned(),
    }
}

fn rows(left: &DiffSide, right: &DiffSide, viewer: &Viewer) -> Vec<Vec<String>> {
    let row = |what: &str, one: &str, other: &str| {
        let mark = if one == other { "" } else { "* " };
        vec![format!("{mark}{what}"), one.to_owned(), other.to_owned()]
    };
    let mut rows = Vec::new();
    if let Some(parting) = parting(left, right, viewer, Names::OfPeople) {
        rows.push(row(&format!("entry {}", parting.entry), &parting.left, &parting.right));
    }
    let events = events(left, right);
    for run in events.chunk_by(|one, other| (one.0 == one.1) == (other.0 == other.1)) {
        let same = run.first().is_some_and(|(one, other)| one == other);
        let shown = if same && run.len() > ALIKE { 1 } else { run.len() };
        let texts = |(one, other): &(Option<&str>, Option<&str>)| {
            row("event", one.unwrap_or_default(), other.unwrap_or_default())
        };
        rows.extend(run.iter().take(shown).map(texts));
        if shown < run.len() {
            let left = format!("… {} more alike", run.len() - shown);
            rows.push(row("", &left, &left));
        }
    }
    rows.push(row("result", &ending(left), &ending(right)));
    for player in players(left, right) {
        rows.push(row(player, &utility(left, player), &utility(right, player)));
    }
    rows
}

/// All players who have a utility in either outcome.
fn players<'a>(left: &'a DiffSide, right: &'a DiffSide) -> IndexSet<&'a String> {
    let outcomes = [left, right].into_iter().filter_map(outcome);
    outcomes.flat_map(|outcome| outcome.utility.keys()).collect()
}

fn utility(side: &DiffSide, player: &str) -> String {
    let number = outcome(side).and_then(|outcome| outcome.utility.get(player));
    number.map(|number| report::signed(*number)).unwrap_or_default()
}

/// How two lines of play differ.
#[derive(Serialize)]
struct LineDifference<'a> {
    left: ComparedLine<'a>,
    right: ComparedLine<'a>,
    parting: Option<PartingEntries>,
    events: Vec<(Option<&'a str>, Option<&'a str>)>,
}

#[derive(Serialize)]
struct ComparedLine<'a> {
    name: &'a str,
    entries: usize,
    outcome: Option<&'a Value>,
}

/// The first entries that differ, by their number.
#[derive(Serialize)]
struct PartingEntries {
    entry: usize,
    left: String,
    right: String,
}

impl<'a> LineDifference<'a> {
    fn of(left: &'a DiffSide, right: &'a DiffSide, viewer: &Viewer) -> LineDifference<'a> {
        let events = events(left, right);
        let parting = parting(left, right, viewer, Names::Recorded);
        let [left, right] = [left, right].map(|side| ComparedLine {
            name: &side.name,
            entries: viewer.count(&side.course.history),
            outcome: outcome(side).map(Outcome::value),
        });
        LineDifference { left, right, parting, events }
    }
}

/// The places of lines that both have, in order: a longest sequence of them, unless they are so
/// long and so different that looking for it would take too much time (Myers, 1986, "An O(ND)
/// Difference Algorithm and Its Variations", in linear space and cut short by heuristics).
fn alike<T: Copy + Default + Eq + Hash>(before: &[T], now: &[T]) -> Vec<(usize, usize)> {
    let mut input = InternedInput::default();
    input.update_before(before.iter().copied());
    input.update_after(now.iter().copied());
    let diff = LineDiff::compute(Algorithm::Myers, &input);
    let kept = (0..before.len()).filter(|&at| !diff.is_removed(at as u32));
    kept.zip((0..now.len()).filter(|&at| !diff.is_added(at as u32))).collect()
}

#[cfg(test)]
mod tests {
    use super::{alike, changes};

    #[test]
    fn long_lists_that_have_nothing_in_common_are_compared_too() {
        // A table of lines by lines would take 150 GiB.
        let lines = |from: usize, to: usize| -> Vec<usize> { (from..to).collect() };
        assert_eq!(alike(&lines(0, 200_000), &lines(200_000, 300_001)), []);
        // Half of the lines come back, among as many others.
        let before = lines(0, 200_000);
        let now: Vec<usize> =
            (0..200_001).map(|at| if at % 2 == 0 { at } else { at + 1_000_000 }).collect();
        let kept = alike(&before, &now);
        assert!(kept.iter().all(|&(one, other)| before[one] == now[other]));
        assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    }

    #[test]
    fn a_parameter_is_gone_where_it_is_and_not_where_its_file_does_not_read() {
        let one = |name: &str, default: u8| {
            format!("[{name}]\ndefault = {default}\nmin = 0\nmax = 9\nmeaning = \"m\"\n")
        };
        let (first, second) = (one("first", 1), one("second", 2));
        let changed = |new: &str| changes("params.toml", &[&first[..], &second].concat(), new);
        assert_eq!(changed(&one("first", 3)), ["`first` is 3, was 1", "`second` is gone"]);
        let third = second.replace("second", "third").replace("default", "defualt");
        let broken = changed(&[&first[..], &third].concat());
        // The key is misspelt in the line behind the 5 of the first table and the name of its own.
        let [said] = &broken[..] else { panic!("{broken:?}") };
        assert!(said.starts_with("line 7: unknown key `third.defualt`"), "{said}");
    }
}
