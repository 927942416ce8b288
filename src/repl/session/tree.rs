//! The tree of all ways that were played of a conflict, as far as the viewer may see it.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use crate::commands::{Names, OptionOdds, Viewer, Weighed};
use crate::conflict::Way;
use crate::game::{Entry, History};
use crate::report::{columns, filled, in_line, ticked};

/// A place of a way: after this many of its entries.
pub(in crate::repl) type Spot = (History, usize);

/// The numbers of nodes, for each viewer of their own: a number shows nothing of what others saw. A node
/// keeps its number as long as the conflict is open.
#[derive(Default)]
pub(in crate::repl) struct Numbers(Vec<(Viewer, IndexSet<u64>)>);

impl Numbers {
    /// The number of the node at the end of a visible way, by the digest of that way.
    fn of(&mut self, viewer: &Viewer, way: u64) -> usize {
        let known = self.0.iter().position(|(known, _)| known == viewer);
        let at = known.unwrap_or_else(|| {
            self.0.push((viewer.clone(), IndexSet::new()));
            self.0.len() - 1
        });
        self.0[at].1.insert_full(way).0
    }
}

/// A node of the tree: a place where lines diverge or end, or the current place of a line.
#[derive(Clone, Debug, Default, Serialize)]
pub(in crate::repl) struct LineNode {
    /// Its number, which it keeps; the beginning has 0.
    #[serde(rename = "node")]
    pub number: usize,
    /// The number of the node before; none for the beginning.
    pub before: Option<usize>,
    /// The entries that lead here from there, as they are recorded.
    pub entries: Vec<String>,
    /// The same as people name them.
    #[serde(skip)]
    pub shown: Vec<String>,
    /// The lines of play whose current place is here.
    pub lines: Vec<String>,
    /// Whether this is the current place of the conflict.
    #[serde(rename = "here")]
    pub(crate) is_here: bool,
    /// How it ended here, if it is known.
    pub end: Option<String>,
    /// What was weighed to come of the first of the entries.
    pub odds: Option<OptionOdds>,
    /// How often ways parted before.
    #[serde(skip)]
    pub depth: usize,
    /// Where it is on the first way that comes here.
    #[serde(skip)]
    pub(crate) spot: Spot,
}

/// A place between two visible entries, or behind the last one.
#[derive(Default)]
struct TreePoint {
    next: IndexMap<String, usize>,
    /// A digest of the visible entries that lead here.
    way: u64,
    /// The entry that leads here, as people name it.
    shown: String,
    lines: Vec<String>,
    is_here: bool,
    ends: bool,
    end: Option<String>,
    odds: Option<OptionOdds>,
    /// Where it is: after this many entries of the first way that comes there.
    spot: Option<(usize, usize)>,
}

/// The tree of some ways, the first of which is the line that is played; `ended` says how the way with
/// this index ended.
pub(in crate::repl) fn tree(
    ways: &[Way],
    viewer: &Viewer,
    weighed: &[Weighed],
    ended: &dyn Fn(usize) -> Option<String>,
    numbers: &mut Numbers,
) -> Vec<LineNode> {
    let points = points(ways, viewer, weighed, ended);
    let mut nodes = Vec::new();
    // Each point that is looked at next, with what is known of the node that it leads to.
    let mut open = vec![(0, LineNode::default())];
    while let Some((at, mut node)) = open.pop() {
        let point = &points[at];
        node.odds = node.odds.or_else(|| point.odds.clone());
        let only = point.next.first().filter(|_| point.next.len() == 1);
        let stops = node.before.is_none()
            || point.ends
            || !point.lines.is_empty()
            || only.is_none_or(|(_, next)| points[*next].odds.is_some());
        if let (false, Some((text, next))) = (stops, only) {
            node.entries.push(text.clone());
            node.shown.push(points[*next].shown.clone());
            open.push((*next, node));
            continue;
        }
        let depth = node.depth + usize::from(point.next.len() > 1);
        let number = numbers.of(viewer, point.way);
        let lines: BTreeSet<String> = point.lines.iter().cloned().collect();
        let spot = point.spot.map(|(way, entries)| (ways[way].history.clone(), entries));
        nodes.push(LineNode {
            number,
            lines: lines.into_iter().collect(),
            is_here: point.is_here,
            end: point.end.clone(),
            spot: spot.unwrap_or_default(),
            ..node
        });
        open.extend(point.next.iter().rev().map(|(text, next)| {
            let (entries, shown) = (vec![text.clone()], vec![points[*next].shown.clone()]);
            let before = Some(number);
            (*next, LineNode { before, entries, shown, depth, ..LineNode::default() })
        }));
    }
    nodes
}

/// All places of the ways, those that look the same being one; the first is the beginning.
fn points(
    ways: &[Way],
    viewer: &Viewer,
    weighed: &[Weighed],
    ended: &dyn Fn(usize) -> Option<String>,
) -> Vec<TreePoint> {
    let mut points = vec![TreePoint::default()];
    for (number, way) in ways.iter().enumerate() {
        let seen: Vec<(usize, &Entry)> = way
            .history
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| viewer.sees(entry))
            .collect();
        let mut at = 0;
        // What nobody sees between two visible entries is not distinguished from the one before.
        let after = |entries: usize| seen.iter().filter(|(index, _)| *index < entries).count();
        let current = way.at.map(after);
        for place in 0..=seen.len() {
            let point = &mut points[at];
            let entries = seen.get(place).map_or(way.history.len(), |(index, _)| *index);
            point.spot.get_or_insert((number, entries));
            if current == Some(place) {
                point.is_here |= number == 0;
                point.lines.extend(way.name.clone());
            }
            let Some((index, entry)) = seen.get(place) else {
                point.ends = true;
                point.end = point.end.take().or_else(|| ended(number));
                break;
            };
            let text = viewer.entry(entry, Names::Recorded);
            let known = point.next.get(&text).copied();
            let next = known.unwrap_or(points.len());
            if known.is_none() {
                let shown = viewer.entry(entry, Names::OfPeople);
                let mut way = DefaultHasher::new();
                (points[at].way, &text).hash(&mut way);
                points.push(TreePoint { shown, way: way.finish(), ..TreePoint::default() });
                points[at].next.insert(text, next);
            }
            // In a joint entry, what others weighed would show what they picked.
            let mut own = weighed.iter().rev().filter(|one| viewer.see_as(&one.who));
            let odds = own.find_map(|one| one.at(&way.history, *index));
            points[next].odds = points[next].odds.take().or(odds);
            at = next;
        }
    }
    points
}

/// More entries than these of a node are counted, not listed.
const LISTED: usize = 4;
/// Deeper nodes are not indented further.
const DEEPEST: usize = 8;

/// The tree for people: a node a line, with its number, what leads there, and what is known of it.
pub(in crate::repl) fn as_text(nodes: &[LineNode], width: usize) -> String {
    let digits = nodes.iter().map(|node| node.number).max().unwrap_or(0).to_string().len() + 1;
    let parts = |at: usize| nodes.iter().filter(|node| node.before == Some(at)).count() > 1;
    let line = |node: &LineNode| {
        let mark = if node.is_here { "*" } else { " " };
        let indent = "  ".repeat(node.depth.min(DEEPEST));
        let head = format!("{mark} {:>digits$}  {indent}", format!("#{}", node.number));
        let room = width.saturating_sub(columns(&head)).max(20);
        let below = format!("\n{}", " ".repeat(columns(&head)));
        // Below each other are those between which ways part, and those that follow one another.
        let then = if node.before.is_some_and(|at| at > 0 && !parts(at)) { "then " } else { "" };
        let said = format!("{then}{}", described(node));
        format!("{head}{}", filled(&said, room).replace('\n', &below))
    };
    nodes.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn described(node: &LineNode) -> String {
    let mut said: Vec<String> = Vec::new();
    let more = node.shown.len().saturating_sub(LISTED);
    let listed: Vec<String> = node.shown.iter().map(|entry| in_line(entry)).collect();
    match more {
        0 => said.push(listed.join(", ")),
        // The last one is the nearest.
        more => said.push(format!(
            "{}, … {more} more …, {}",
            listed[..LISTED - 1].join(", "),
            listed[listed.len() - 1]
        )),
    }
    if node.before.is_none() {
        said[0] = "the beginning".to_owned();
    }
    if !node.lines.is_empty() {
        said.push(format!("line {}", ticked(&node.lines).join(", ")));
    }
    said.extend(node.end.iter().map(|end| format!("ends: {}", in_line(end))));
    said.extend(node.odds.iter().map(OptionOdds::said));
    said.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Value;

    fn way(name: Option<&str>, text: &str, at: Option<usize>) -> Way {
        Way { name: name.map(str::to_owned), history: History::parse(text).unwrap(), at }
    }

    /// `main` is at `a x 1`, two lines diverge after it, one begins differently.
    fn ways() -> [Way; 3] {
        [
            way(Some("main"), "a x 1\nb y 1\na x 2", Some(1)),
            way(Some("bold"), "a x 1\nb y 1\na x 3\na x 4", Some(4)),
            way(None, "a x 9", None),
        ]
    }

    #[test]
    fn what_others_weighed_is_not_shown() {
        let weighed = Weighed {
            history: History::default(),
            who: "a".to_owned(),
            name: "x".to_owned(),
            by: Some("`greedy` for people".to_owned()),
            options: vec![(Value::Int(1), "a 75 %".to_owned())],
        };
        let ways = [way(Some("main"), "a x 1 & b x 2", Some(1))];
        let seen = |viewer: &Viewer| {
            let weighed = std::slice::from_ref(&weighed);
            as_text(&tree(&ways, viewer, weighed, &|_| None, &mut Numbers::default()), 80)
        };
        let of = |who: &str| seen(&Viewer::Of(vec![who.to_owned()]));
        assert!(
            of("a").contains("a x 1; line `main`; odds of 1, `greedy` for people: a 75 %"),
            "{}",
            of("a")
        );
        assert!(of("b").contains("b x 2; line `main`"), "{}", of("b"));
        assert!(!of("b").contains("odds"), "{}", of("b"));
        assert!(seen(&Viewer::All).contains("odds of 1, `greedy` for people: a 75 %"));
    }

    #[test]
    fn ways_that_differ_in_what_is_hidden_look_the_same() {
        // For `a`, what `b` did is not there: both ways are `a x 1`, then one of two.
        let viewer = Viewer::Of(vec!["a".to_owned()]);
        let ways = [
            way(Some("main"), "a x 1\nb y 1\na x 2", Some(3)),
            way(None, "a x 1\nb y 7\na x 2", None),
            way(None, "a x 1\nb y 7", None),
        ];
        let nodes = tree(&ways, &viewer, &[], &|_| None, &mut Numbers::default());
        let text = as_text(&nodes, 80);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(!text.contains('y'), "{text}");
    }

    #[test]
    fn a_node_keeps_its_number_and_the_numbers_of_others_do_not_count() {
        let [main, bold, _] = ways();
        let mut numbers = Numbers::default();
        let mut shown = |ways: &[Way], viewer: &Viewer| -> Vec<(usize, String)> {
            let nodes = tree(ways, viewer, &[], &|_| None, &mut numbers);
            nodes.iter().map(|node| (node.number, node.entries.join(", "))).collect()
        };
        let owned = |numbered: &[(usize, &str)]| -> Vec<(usize, String)> {
            numbered.iter().map(|(number, text)| (*number, (*text).to_owned())).collect()
        };
        // `main` is after `a x 1`, which is a node for that, and ends behind `a x 2`.
        let first = shown(std::slice::from_ref(&main), &Viewer::All);
        assert_eq!(first, owned(&[(0, ""), (1, "a x 1"), (2, "b y 1, a x 2")]));
        // Where `main` is elsewhere, `a x 1` is no node, and the end is still node 2. With another way the
        // place where they part is new, and so is the other end.
        let elsewhere = Way { at: Some(3), ..main.clone() };
        let second = shown(std::slice::from_ref(&elsewhere), &Viewer::All);
        assert_eq!(second, owned(&[(0, ""), (2, "a x 1, b y 1, a x 2")]));
        let both = shown(&[elsewhere.clone(), bold.clone()], &Viewer::All);
        assert_eq!(both, owned(&[(0, ""), (3, "a x 1, b y 1"), (2, "a x 2"), (4, "a x 3, a x 4")]));
        // For somebody else they are counted from the beginning.
        let others = shown(&[elsewhere, bold], &Viewer::Of(vec!["b".to_owned()]));
        assert_eq!(others, owned(&[(0, ""), (1, "b y 1")]));
    }
}
