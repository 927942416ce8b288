//! The tree of all ways that were played of a conflict, as far as whoever looks may see it.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use indexmap::{IndexMap, IndexSet};

use super::weighed::{Odds, Weighed};
use super::{Eyes, Names};
use crate::conflict::Way;
use crate::game::{Entry, History};
use crate::render::{columns, filled, in_line};

/// A place of a way: after so many of its entries.
pub(super) type Spot = (History, usize);

/// The numbers of nodes, for each viewer of their own: a number tells nothing of what others saw. A node
/// keeps its number as long as the conflict is open.
#[derive(Default)]
pub(super) struct Numbers(Vec<(Eyes, IndexSet<u64>)>);

impl Numbers {
    /// The number of the node at the end of a visible way, by the digest of that way.
    fn of(&mut self, eyes: &Eyes, way: u64) -> usize {
        let known = self.0.iter().position(|(viewer, _)| viewer == eyes);
        let at = known.unwrap_or_else(|| {
            self.0.push((eyes.clone(), IndexSet::new()));
            self.0.len() - 1
        });
        self.0[at].1.insert_full(way).0
    }
}

/// A node of the tree: a place where ways part, end, or somebody stands.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Its number, which it keeps.
    pub number: usize,
    /// The place of the node before in the list of nodes; none for the beginning.
    pub before: Option<usize>,
    /// The entries that lead here from there, as they are recorded.
    pub entries: Vec<String>,
    /// The same as people name them.
    pub shown: Vec<String>,
    /// The lines of play that stand here.
    pub lines: Vec<String>,
    /// Whether the conflict stands here.
    pub is_here: bool,
    /// How it ended here, if it is known.
    pub end: Option<String>,
    /// What was weighed to come of the first of the entries.
    pub odds: Option<Odds>,
    /// How often ways parted before.
    pub depth: usize,
    /// Where it is on the first way that comes here.
    pub spot: Spot,
}

/// A place between two visible entries, or behind the last one.
#[derive(Default)]
struct Point {
    next: IndexMap<String, usize>,
    /// A digest of the visible entries that lead here.
    way: u64,
    /// The entry that leads here, as people name it.
    shown: String,
    lines: Vec<String>,
    is_here: bool,
    ends: bool,
    end: Option<String>,
    odds: Option<Odds>,
    /// Where it is: after so many entries of the first way that comes there.
    spot: Option<(usize, usize)>,
}

/// A point that is looked at next.
#[derive(Default)]
struct Step {
    at: usize,
    /// The node before it, and what leads there from it.
    before: Option<usize>,
    entries: Vec<String>,
    shown: Vec<String>,
    odds: Option<Odds>,
    depth: usize,
}

/// The tree of some ways, the first of which is the line that is played; `ended` says how the way with
/// this index ended.
pub(super) fn tree(
    ways: &[Way],
    eyes: &Eyes,
    weighed: &[Weighed],
    ended: &dyn Fn(usize) -> Option<String>,
    numbers: &mut Numbers,
) -> Vec<Node> {
    let mut points = vec![Point::default()];
    for (number, way) in ways.iter().enumerate() {
        let seen: Vec<(usize, &Entry)> =
            way.history.entries.iter().enumerate().filter(|(_, entry)| eyes.sees(entry)).collect();
        let mut at = 0;
        // What nobody sees between two visible entries is not told apart from the one before.
        let after = |entries: usize| seen.iter().filter(|(index, _)| *index < entries).count();
        let stands = way.at.map(after);
        for place in 0..=seen.len() {
            let point = &mut points[at];
            let entries = seen.get(place).map_or(way.history.len(), |(index, _)| *index);
            point.spot.get_or_insert((number, entries));
            if stands == Some(place) {
                point.is_here |= number == 0;
                point.lines.extend(way.name.clone());
            }
            let Some((index, entry)) = seen.get(place) else {
                point.ends = true;
                point.end = point.end.take().or_else(|| ended(number));
                break;
            };
            let text = eyes.entry(entry, Names::Recorded);
            let known = point.next.get(&text).copied();
            let next = known.unwrap_or(points.len());
            if known.is_none() {
                let shown = eyes.entry(entry, Names::OfPeople);
                let mut way = DefaultHasher::new();
                (points[at].way, &text).hash(&mut way);
                points.push(Point { shown, way: way.finish(), ..Point::default() });
                points[at].next.insert(text, next);
            }
            // Of a joint entry, what others weighed tells what they picked.
            let mut own = weighed.iter().rev().filter(|one| eyes.see_as(&one.who));
            let odds = own.find_map(|one| one.at(&way.history, *index));
            points[next].odds = points[next].odds.take().or(odds);
            at = next;
        }
    }
    let mut nodes = Vec::new();
    let mut open = vec![Step::default()];
    while let Some(Step { at, before, mut entries, mut shown, odds, depth }) = open.pop() {
        let point = &points[at];
        let odds = odds.or_else(|| point.odds.clone());
        let only = point.next.first().filter(|_| point.next.len() == 1);
        let stops = before.is_none()
            || point.ends
            || !point.lines.is_empty()
            || only.is_none_or(|(_, next)| points[*next].odds.is_some());
        if let (false, Some((text, next))) = (stops, only) {
            entries.push(text.clone());
            shown.push(points[*next].shown.clone());
            open.push(Step { at: *next, before, entries, shown, odds, depth });
            continue;
        }
        let place = nodes.len();
        let lines: BTreeSet<String> = point.lines.iter().cloned().collect();
        nodes.push(Node {
            number: numbers.of(eyes, point.way),
            before,
            entries,
            shown,
            lines: lines.into_iter().collect(),
            is_here: point.is_here,
            end: point.end.clone(),
            odds,
            depth,
            spot: point
                .spot
                .map(|(way, entries)| (ways[way].history.clone(), entries))
                .unwrap_or_default(),
        });
        let depth = depth + usize::from(point.next.len() > 1);
        for (text, next) in point.next.iter().rev() {
            let (entries, shown) = (vec![text.clone()], vec![points[*next].shown.clone()]);
            open.push(Step { at: *next, before: Some(place), entries, shown, odds: None, depth });
        }
    }
    nodes
}

/// More entries than these of a node are counted, not listed.
const LISTED: usize = 4;
/// Deeper nodes are not indented further.
const DEEPEST: usize = 8;

/// The tree for people: a node a line, with its number, what leads there, and what is known of it.
pub(super) fn as_text(nodes: &[Node], width: usize) -> String {
    let digits = nodes.iter().map(|node| node.number).max().unwrap_or(0).to_string().len() + 1;
    let parts = |at: usize| nodes.iter().filter(|node| node.before == Some(at)).count() > 1;
    let line = |node: &Node| {
        let mark = if node.is_here { "*" } else { " " };
        let indent = "  ".repeat(node.depth.min(DEEPEST));
        let head = format!("{mark} {:>digits$}  {indent}", format!("#{}", node.number));
        let room = width.saturating_sub(columns(&head)).max(20);
        let below = format!("\n{}", " ".repeat(columns(&head)));
        // Below each other stand those between which ways part, and those that follow one another.
        let then = if node.before.is_some_and(|at| at > 0 && !parts(at)) { "then " } else { "" };
        let said = format!("{then}{}", described(node));
        format!("{head}{}", filled(&said, room).replace('\n', &below))
    };
    nodes.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn described(node: &Node) -> String {
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
        let names: Vec<String> = node.lines.iter().map(|name| format!("`{name}`")).collect();
        said.push(format!("line {}", names.join(", ")));
    }
    said.extend(node.end.iter().map(|end| format!("ends: {}", in_line(end))));
    said.extend(node.odds.iter().map(Odds::said));
    said.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Value;

    fn way(name: Option<&str>, text: &str, at: Option<usize>) -> Way {
        Way { name: name.map(str::to_owned), history: History::parse(text).unwrap(), at }
    }

    /// `main` stands after `a x 1`, two ways part behind it, one begins otherwise.
    fn ways() -> [Way; 3] {
        [
            way(Some("main"), "a x 1\nb y 1\na x 2", Some(1)),
            way(Some("bold"), "a x 1\nb y 1\na x 3\na x 4", Some(4)),
            way(None, "a x 9", None),
        ]
    }

    #[test]
    fn nodes_are_where_ways_part_end_or_stand() {
        let weighed = Weighed {
            history: History::default(),
            who: "a".to_owned(),
            name: "x".to_owned(),
            by: Some("`greedy` for people".to_owned()),
            options: vec![(Value::Int(9), "b 75 %".to_owned())],
        };
        let ended = |way: usize| (way == 2).then(|| "b: b +1".to_owned());
        let nodes = tree(&ways(), &Eyes::All, &[weighed], &ended, &mut Numbers::default());
        let text = as_text(&nodes, 80);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "  #0  the beginning",
                "* #1    a x 1; line `main`",
                "  #2    then b y 1",
                "  #3      a x 2",
                "  #4      a x 3, a x 4; line `bold`",
                "  #5    a x 9; ends: b: b +1; odds of 9, `greedy` for people: b 75 %",
            ]
        );
        assert_eq!(nodes[4].spot, (ways()[1].history.clone(), 4));
    }

    #[test]
    fn what_others_weighed_is_not_told() {
        let weighed = Weighed {
            history: History::default(),
            who: "a".to_owned(),
            name: "x".to_owned(),
            by: Some("`greedy` for people".to_owned()),
            options: vec![(Value::Int(1), "a 75 %".to_owned())],
        };
        let ways = [way(Some("main"), "a x 1 & b x 2", Some(1))];
        let seen = |eyes: &Eyes| {
            let weighed = std::slice::from_ref(&weighed);
            as_text(&tree(&ways, eyes, weighed, &|_| None, &mut Numbers::default()), 80)
        };
        let of = |who: &str| seen(&Eyes::Of(vec![who.to_owned()]));
        assert!(
            of("a").contains("a x 1; line `main`; odds of 1, `greedy` for people: a 75 %"),
            "{}",
            of("a")
        );
        assert!(of("b").contains("b x 2; line `main`"), "{}", of("b"));
        assert!(!of("b").contains("odds"), "{}", of("b"));
        assert!(seen(&Eyes::All).contains("odds of 1, `greedy` for people: a 75 %"));
    }

    #[test]
    fn what_is_hidden_tells_no_ways_apart() {
        // For `a`, what `b` did is not there: both ways are `a x 1`, then one of two.
        let eyes = Eyes::Of(vec!["a".to_owned()]);
        let ways = [
            way(Some("main"), "a x 1\nb y 1\na x 2", Some(3)),
            way(None, "a x 1\nb y 7\na x 2", None),
            way(None, "a x 1\nb y 7", None),
        ];
        let nodes = tree(&ways, &eyes, &[], &|_| None, &mut Numbers::default());
        let text = as_text(&nodes, 80);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(!text.contains('y'), "{text}");
    }

    #[test]
    fn a_node_keeps_its_number_and_the_numbers_of_others_do_not_count() {
        let [main, bold, _] = ways();
        let mut numbers = Numbers::default();
        let mut shown = |ways: &[Way], eyes: &Eyes| -> Vec<(usize, String)> {
            let nodes = tree(ways, eyes, &[], &|_| None, &mut numbers);
            nodes.iter().map(|node| (node.number, node.entries.join(", "))).collect()
        };
        let told = |numbered: &[(usize, &str)]| -> Vec<(usize, String)> {
            numbered.iter().map(|(number, text)| (*number, (*text).to_owned())).collect()
        };
        // `main` stands after `a x 1`, which is a node for that, and ends behind `a x 2`.
        let first = shown(std::slice::from_ref(&main), &Eyes::All);
        assert_eq!(first, told(&[(0, ""), (1, "a x 1"), (2, "b y 1, a x 2")]));
        // Where it stands elsewhere, `a x 1` is no node, and the end is still node 2. With another way the
        // place where they part is new, and so is the other end.
        let elsewhere = Way { at: Some(3), ..main.clone() };
        let second = shown(std::slice::from_ref(&elsewhere), &Eyes::All);
        assert_eq!(second, told(&[(0, ""), (2, "a x 1, b y 1, a x 2")]));
        let both = shown(&[elsewhere.clone(), bold.clone()], &Eyes::All);
        assert_eq!(both, told(&[(0, ""), (3, "a x 1, b y 1"), (2, "a x 2"), (4, "a x 3, a x 4")]));
        // For somebody else they are counted from the beginning.
        let others = shown(&[elsewhere, bold], &Eyes::Of(vec!["b".to_owned()]));
        assert_eq!(others, told(&[(0, ""), (1, "b y 1")]));
    }
}
