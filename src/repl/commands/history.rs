//! The commands that move along the history and between lines of play: `:undo`, `:redo`, `:goto`, `:fork`,
//! `:tree`, `:history`.

use serde::Serialize;

use crate::commands::count;
use crate::conflict::Line;
use crate::error::{Error, unless_cut};
use crate::game::{Action, Entry};
use crate::repl::session::tree::{self, LineNode};
use crate::repl::{Session, Viewer};
use crate::report::{self, Block, Report, many};

pub(super) fn undo(session: &mut Session, count: usize) -> Result<(), Error> {
    let taken = session.open_mut()?.undo(count)?;
    if taken < count {
        session.note(format!("took back {taken}; there was no more to take back"));
    }
    session.report_anew();
    Ok(())
}

pub(super) fn redo(session: &mut Session, count: usize) -> Result<(), Error> {
    let made = session.open_mut()?.redo(count)?;
    if made < count {
        session.note(format!("made {made} again; there was no more to make again"));
    }
    session.report_anew();
    Ok(())
}

/// Moves to the question after this many entries, or to a node of the tree.
pub(super) fn goto(session: &mut Session, target: GotoTarget) -> Result<(), Error> {
    let count = match target {
        GotoTarget::Entries(count) => count,
        GotoTarget::Node(number) => return goto_node(session, number),
    };
    let (play, viewer) = (session.open()?, session.viewer()?);
    let entries = play.line(play.line_name()).map(|line| &line.whole().entries[..]);
    let entries = entries.unwrap_or_default();
    let seen = || entries.iter().enumerate().filter(|(_, entry)| viewer.sees(entry));
    let shown = seen().count();
    if count > shown {
        return Err(Error::usage(format!(
            "the history has {}, not {count}",
            many(shown as u64, "entry")
        )));
    }
    // Before the next entry that this viewer sees, so that nothing between them is distinguished.
    let at = seen().nth(count).map_or(entries.len(), |(at, _)| at);
    session.open_mut()?.goto(at)?;
    session.report_anew();
    Ok(())
}

/// A line of play.
#[derive(Serialize)]
struct ListedLine<'a> {
    name: &'a str,
    entries: usize,
    played: bool,
}

/// Goes over to a line of play, or lists them.
pub(super) fn fork(session: &mut Session, name: Option<&str>) -> Result<(), Error> {
    let Some(name) = name else {
        let (play, viewer) = (session.open()?, session.viewer()?);
        let row = |(name, line, played)| {
            let entries = viewer.count(&Line::played(line));
            let mark = if played { "*" } else { " " };
            let line = format!("{mark} {name}: {}", many(entries as u64, "entry"));
            (ListedLine { name, entries, played }, line)
        };
        session.list(play.lines().into_iter().map(row));
        return Ok(());
    };
    let new = session.open_mut()?.fork(name)?;
    session.note(format!("on the {}line `{name}`", if new { "new " } else { "" }));
    session.report_anew();
    Ok(())
}

/// An entry of the history, as far as the viewer saw it.
#[derive(Serialize)]
struct SeenEntry {
    entry: usize,
    taken_back: bool,
    actions: Vec<Action>,
}

pub(super) fn history(session: &Session) -> Result<(), Error> {
    let play = session.open()?;
    let viewer = session.viewer()?;
    let Some(line) = play.line(play.line_name()) else { return Ok(()) };
    let (whole, at) = (line.whole(), line.at());
    let seen = whole.entries.iter().enumerate().filter(|(_, entry)| viewer.sees(entry));
    let row = |(entry, (index, seen)): (usize, (usize, &Entry))| {
        let own = seen.actions().iter().filter(|one| viewer.sees_action(one));
        SeenEntry { entry, taken_back: index >= at, actions: own.cloned().collect() }
    };
    let rows: Vec<SeenEntry> = (1..).zip(seen).map(row).collect();
    if viewer != Viewer::All {
        let left = "of the decisions and rolls of others, only what was announced is listed";
        session.note(format!("{left}; `:reveal` shows all"));
    } else if rows.is_empty() {
        session.note("nothing has been decided yet");
    }
    // Those who see everything need no note about the result.
    let events = if viewer == Viewer::All { &[] } else { play.events() };
    let lines = viewer.history(whole, at, events);
    if session.options.json || !lines.is_empty() {
        session.show(&Report::of(rows, vec![Block::Code(lines.join("\n"))]));
    }
    Ok(())
}

/// Where `:goto` goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GotoTarget {
    /// After this many entries of the history.
    Entries(usize),
    /// To a node of the tree.
    Node(usize),
}

/// Reads `7`, or `#7` for a node.
pub(super) fn stop(text: &str) -> Result<GotoTarget, String> {
    match text.strip_prefix('#') {
        Some(node) => node
            .parse()
            .map(GotoTarget::Node)
            .map_err(|_| "must be the number of a node of `:tree`, as in #3".to_owned()),
        None => count(text).map(GotoTarget::Entries).map_err(|why| {
            format!("{why}, or a node of `:tree`, as in #3; `:fork NAME` goes to a line")
        }),
    }
}

pub(super) fn tree(session: &mut Session) -> Result<(), Error> {
    let nodes = nodes(session)?;
    let drawn = Block::Code(tree::as_text(&nodes, session.options.width));
    session.show(&Report::of(&nodes, vec![drawn]));
    if nodes.len() == 1 {
        session.note("nothing has been decided yet");
    }
    Ok(())
}

/// Moves to a node of the tree that was printed last.
fn goto_node(session: &mut Session, number: usize) -> Result<(), Error> {
    if session.tree.is_empty() {
        nodes(session)?;
    }
    let found = session.tree.iter().find(|(own, _)| *own == number);
    let Some((history, entries)) = found.map(|(_, spot)| spot.clone()) else {
        return Err(Error::usage(format!(
            "the tree has no node #{number}; `:tree` shows it with the numbers of its nodes"
        )));
    };
    let line = session.open()?.line_name().to_owned();
    session.open_mut()?.goto_way(&history, entries)?;
    let now = session.open()?.line_name();
    if now != line {
        session.note(format!("on the line `{now}`"));
    }
    session.report_anew();
    Ok(())
}

/// The nodes of the tree; where they are is kept for `:goto`.
fn nodes(session: &mut Session) -> Result<Vec<LineNode>, Error> {
    let viewer = session.viewer()?;
    let play = session.open_mut()?;
    let ways = play.ways();
    let mut ends: Vec<Option<String>> = Vec::new();
    for way in &ways {
        let found = match play.end_of(&way.history) {
            Some(outcome) => Some(outcome.clone()),
            // That it ends at all under the current rules may show what is hidden.
            None if viewer.misses(&way.history) => None,
            // Nothing where the rules of now do not follow it.
            None => unless_cut(play.find_end(&way.history))?.flatten(),
        };
        ends.push(found.as_ref().map(report::outcome_line));
    }
    let ended = |way: usize| ends.get(way).cloned().flatten();
    let nodes = tree::tree(&ways, &viewer, &session.weighed, &ended, &mut session.numbers);
    session.tree = nodes.iter().map(|node| (node.number, node.spot.clone())).collect();
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_a_mark_is_a_node() {
        assert_eq!([stop("3"), stop("#3")], [Ok(GotoTarget::Entries(3)), Ok(GotoTarget::Node(3))]);
        assert!(stop("#").is_err() && stop("#-1").is_err() && stop("x").is_err());
    }
}
