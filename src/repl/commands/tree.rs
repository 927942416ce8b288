//! The command `:tree`: all ways that were played, undone and forked ones too; and `:goto` to a place of one.

use serde_json::json;

use crate::arguments::count;
use crate::error::Error;
use crate::game::Outcome;
use crate::render;
use crate::repl::session::tree::{LineNode, as_text, tree};
use crate::repl::{Reply, Session};

/// Where `:goto` goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// After this many entries of the history.
    Entries(usize),
    /// To a node of the tree.
    Node(usize),
}

/// Reads `7`, or `#7` for a node.
pub(super) fn stop(text: &str) -> Result<Stop, String> {
    match text.strip_prefix('#') {
        Some(node) => node
            .parse()
            .map(Stop::Node)
            .map_err(|_| "must be the number of a node of `:tree`, as in #3".to_owned()),
        None => count(text).map(Stop::Entries),
    }
}

/// Prints the tree.
pub(super) fn show(session: &mut Session, reply: &mut Reply) -> Result<(), Error> {
    let nodes = nodes(session)?;
    if session.options.json {
        let node = |node: &LineNode| {
            json!({
                "node": node.number,
                "before": node.before.map(|at| nodes[at].number),
                "entries": node.entries,
                "lines": node.lines,
                "here": node.is_here,
                "end": node.end,
                "odds": node.odds.as_ref().map(|weighed| &weighed.odds),
            })
        };
        let all: Vec<_> = nodes.iter().map(node).collect();
        reply.data(json!(all).to_string());
        return Ok(());
    }
    reply.data(as_text(&nodes, session.options.width));
    if nodes.len() == 1 {
        reply.note("nothing has been decided yet");
    }
    Ok(())
}

/// Moves to a node of the tree that was printed last.
pub(super) fn goto(session: &mut Session, number: usize, reply: &mut Reply) -> Result<(), Error> {
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
        reply.note(format!("on the line `{now}`"));
    }
    session.tell_anew(reply);
    Ok(())
}

/// The nodes of the tree; where they are is kept for `:goto`.
fn nodes(session: &mut Session) -> Result<Vec<LineNode>, Error> {
    let eyes = session.eyes()?;
    let play = session.open_mut()?;
    let ways = play.ways();
    let mut ends: Vec<Option<String>> = Vec::new();
    for way in &ways {
        let found = match play.end_of(&way.history) {
            Some(outcome) => Some(outcome.clone()),
            // That it ends at all under the current rules may show what is hidden.
            None if eyes.misses(&way.history) => None,
            None => match play.find_end(&way.history) {
                Err(error) if error.cut().is_some() => return Err(error),
                // The rules of now do not follow it.
                found => found.unwrap_or_default(),
            },
        };
        ends.push(found.as_ref().map(short));
    }
    let ended = |way: usize| ends.get(way).cloned().flatten();
    let nodes = tree(&ways, &eyes, &session.weighed, &ended, &mut session.numbers);
    session.tree = nodes.iter().map(|node| (node.number, node.spot.clone())).collect();
    Ok(nodes)
}

/// An outcome in a line: the result and the utilities.
fn short(outcome: &Outcome) -> String {
    let utility = outcome.utility.iter();
    let utility = utility.map(|(player, number)| format!("{player} {}", render::signed(*number)));
    format!("{}: {}", outcome.result, utility.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_a_mark_is_a_node() {
        assert_eq!([stop("3"), stop("#3")], [Ok(Stop::Entries(3)), Ok(Stop::Node(3))]);
        assert!(stop("#").is_err() && stop("#-1").is_err() && stop("x").is_err());
    }
}
