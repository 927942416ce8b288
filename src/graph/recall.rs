//! Finds two histories that a player cannot tell apart, though the player did or saw something else in each:
//! rules without perfect recall (Kuhn, 1953, "Extensive Games and the Problem of Information").

use std::collections::{BTreeSet, HashMap, VecDeque};

use super::explorer::Explorer;
use super::information::{InformationSet, InformationSets, allied_words};
use super::node::NodeKind;
use super::store::Graph;
use crate::error::{Error, Forgotten};
use crate::game::{Value, brief};

pub(crate) struct NodePasts<'a> {
    explorer: &'a Explorer,
    graph: &'a Graph,
    known: &'a InformationSets,
    /// Node -> the nodes before it, each with the answer that leads on; the first is on the shortest way.
    before: HashMap<u32, Vec<(u32, usize)>>,
}

/// What a side did last before a node: at which information set it gave which answer.
type LastOwn = Option<(usize, String, usize)>;

/// At most this many histories are compared, and this many after which the side did the same last.
const PASTS: usize = 64;
const ALIKE: usize = 4;

/// Nodes one after the other, each with the answer given there.
type AnswerWay = Vec<(u32, usize)>;

/// The answers of a side in their order, each with who gave it and the name of the question.
type OwnAnswers = Vec<(String, String, String)>;

impl<'a> NodePasts<'a> {
    /// Of these nodes, which are in the order of a walk in breadth from the first.
    pub(crate) fn of(
        explorer: &'a Explorer,
        known: &'a InformationSets,
        numbers: &[u32],
    ) -> NodePasts<'a> {
        let graph = &**explorer.graph();
        let mut before: HashMap<u32, Vec<(u32, usize)>> =
            numbers.iter().map(|&number| (number, Vec::new())).collect();
        for &number in numbers {
            for (answer, to) in graph.node(number).all().enumerate() {
                before.entry(to).and_modify(|ways| ways.push((number, answer)));
            }
        }
        // Nothing is remembered from before the beginning.
        numbers.first().and_then(|first| before.insert(*first, Vec::new()));
        NodePasts { explorer, graph, known, before }
    }

    /// Where a side did something last.
    fn last_asked(&self, last: &LastOwn) -> Option<&InformationSet> {
        self.known.sets().get(last.as_ref()?.0)
    }

    /// What the players of a side forget at the nodes of an information set that look the same to it, if they
    /// forget anything there.
    pub(crate) fn forgotten(
        &self,
        set: &InformationSet,
        nodes: &[u32],
        side: &[String],
    ) -> Option<Error> {
        if nodes.len() < 2 || self.follow_from_one(nodes, side) {
            return None;
        }
        let own = |way: &AnswerWay| -> OwnAnswers {
            let own = way.iter().filter(|(node, _)| self.is_own(*node, side));
            own.filter_map(|&(node, answer)| self.words(node, answer)).collect()
        };
        let mut pasts: Vec<(u32, LastOwn, AnswerWay, OwnAnswers)> = Vec::new();
        for &node in nodes {
            for (last, way) in self.last_own(node, side) {
                let alike = pasts.iter().filter(|(_, known, ..)| *known == last).count();
                if alike < ALIKE && pasts.len() < PASTS {
                    let own = own(&way);
                    pasts.push((node, last, way, own));
                }
            }
        }
        // Best two that a player forgot, not a partner; that are not the same now, and in which the same was done: then
        // something else was seen.
        let player = &set.asked.who;
        let rank = |(one, other): &(usize, usize)| {
            let (one, other) = (&pasts[*one], &pasts[*other]);
            let of_partner = match apart(&one.3, &other.3) {
                Some(at) => [&one.3, &other.3]
                    .iter()
                    .any(|own| own.get(at).is_some_and(|(who, ..)| who != player)),
                None => self.last_asked(&one.1).is_some_and(|last| last.asked.who != *player),
            };
            (of_partner, one.0 == other.0, one.3 != other.3)
        };
        let pairs =
            (0..pasts.len()).flat_map(|one| (one + 1..pasts.len()).map(move |at| (one, at)));
        let pair =
            pairs.filter(|(one, other)| pasts[*one].1 != pasts[*other].1).min_by_key(rank)?;
        let (_, first, one, mine) = &pasts[pair.0];
        let (_, second, other, others) = &pasts[pair.1];
        let forgotten = match apart(mine, others) {
            Some(at) => {
                let mut given = [mine.get(at), others.get(at)].into_iter().flatten();
                match given.clone().find(|(who, ..)| who != player) {
                    Some((who, ..)) => Forgotten::Partner { who: who.clone(), did: true },
                    None => Forgotten::Answer { question: given.next()?.1.clone() },
                }
            }
            None => {
                let (before, otherwise) = self.last_asked(first).zip(self.last_asked(second))?;
                let who = &before.asked.who;
                if who != player {
                    Forgotten::Partner { who: who.clone(), did: false }
                } else {
                    let (saw, other) =
                        before.view(self.explorer).zip(otherwise.view(self.explorer))?;
                    let mut differ = [Vec::new(), Vec::new()];
                    differences(String::new(), &saw, &other, &mut differ);
                    Forgotten::Sight {
                        question: before.asked.name.clone(),
                        saw: Box::new(differ.map(|parts| brief(&parts.join(", ")))),
                    }
                }
            }
        };
        let description = |way: &AnswerWay| {
            let words = way.iter().filter_map(|&(node, answer)| self.words(node, answer));
            let words = words.map(|(who, name, value)| format!("{who}: {name} {value}"));
            words.collect::<Vec<_>>().join(", ")
        };
        Some(Error::Recall {
            player: player.clone(),
            decision: set.asked.name.clone(),
            sees: brief(&set.view(self.explorer).unwrap_or_default()),
            ways: Box::new([description(one), description(other)]),
            forgotten,
        })
    }

    /// Whether all these nodes follow from one, each in one way, and the side has done nothing since: then it
    /// has forgotten nothing that it knew there.
    fn follow_from_one(&self, nodes: &[u32], side: &[String]) -> bool {
        let above = |node: u32| {
            let parent = |&node: &u32| {
                let ways = self.before.get(&node)?;
                let (first, _) = ways.first()?;
                let one = ways.iter().all(|(parent, _)| parent == first);
                (one && !self.is_own(*first, side)).then_some(*first)
            };
            std::iter::successors(parent(&node), parent).collect::<Vec<_>>()
        };
        let mut all = nodes.iter().map(|&node| above(node));
        let Some(first) = all.next() else { return true };
        let others: Vec<Vec<u32>> = all.collect();
        first.iter().any(|common| others.iter().all(|above| above.contains(common)))
    }

    fn is_own(&self, node: u32, side: &[String]) -> bool {
        let at = self.graph.node(node);
        at.kind() == NodeKind::Decision
            && self.graph.question(at).is_some_and(|asked| side.contains(&asked.who))
    }

    /// What a side may have done last before a node, each with a history that leads there by it.
    fn last_own(&self, node: u32, side: &[String]) -> Vec<(LastOwn, AnswerWay)> {
        let mut found: Vec<(LastOwn, AnswerWay)> = Vec::new();
        let mut after: HashMap<u32, (u32, usize)> = HashMap::new();
        let mut open = VecDeque::from([node]);
        let to_node = |after: &HashMap<u32, (u32, usize)>, from: u32| {
            let mut way = Vec::new();
            let mut at = from;
            while let Some(&(next, answer)) = after.get(&at).filter(|_| at != node) {
                way.push((at, answer));
                at = next;
            }
            way
        };
        while let Some(at) = open.pop_front() {
            let ways = self.before.get(&at).map(Vec::as_slice).unwrap_or_default();
            let mut add = |last: LastOwn, mut way: AnswerWay| {
                if found.iter().all(|(known, _)| *known != last) {
                    way.extend(to_node(&after, at));
                    found.push((last, way));
                }
            };
            if ways.is_empty() {
                add(None, Vec::new());
            }
            let mut others = Vec::new();
            for &(from, answer) in ways {
                match self.is_own(from, side) {
                    true => {
                        let set = self.known.number(from).unwrap_or(usize::MAX);
                        let last = (set, allied_words(self.graph, from, side), answer);
                        add(Some(last), [self.to(from), vec![(from, answer)]].concat());
                    }
                    false => others.push((from, answer)),
                }
            }
            for (from, answer) in others {
                if from != node && !after.contains_key(&from) {
                    after.insert(from, (at, answer));
                    open.push_back(from);
                }
            }
        }
        found
    }

    fn to(&self, node: u32) -> AnswerWay {
        let mut way = Vec::new();
        let mut at = node;
        while let Some(&(from, answer)) = self.before.get(&at).and_then(|ways| ways.first()) {
            way.push((from, answer));
            at = from;
        }
        way.reverse();
        way
    }

    fn words(&self, node: u32, answer: usize) -> Option<(String, String, String)> {
        let asked = self.graph.question_at(node)?;
        let value = asked.values().get(answer).map(ToString::to_string).unwrap_or_default();
        Some((asked.who.clone(), asked.name.clone(), value))
    }
}

/// What rules make players forget of their own, in the part of a graph that was explored: for each decision at most once.
pub(crate) fn forgotten(explorer: &Explorer, sides: &[Vec<String>]) -> Result<Vec<Error>, Error> {
    let graph = explorer.graph();
    let mut known = InformationSets::default();
    let numbers = graph.reached();
    for &number in &numbers {
        if graph.node(number).kind() == NodeKind::Decision {
            known.of(explorer, number)?;
        }
    }
    let pasts = NodePasts::of(explorer, &known, &numbers);
    let mut named: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut found = Vec::new();
    for set in known.sets() {
        let player = &set.asked.who;
        let own = sides.iter().find(|side| side.contains(player));
        let own = own.cloned().unwrap_or_else(|| vec![player.clone()]);
        let mut alike: HashMap<String, Vec<u32>> = HashMap::new();
        for &node in &set.nodes {
            alike.entry(allied_words(graph, node, &own)).or_default().push(node);
        }
        let mut alike: Vec<Vec<u32>> = alike.into_values().collect();
        alike.sort_unstable();
        // What a partner knew nobody need be shown.
        let is_own = |error: &Error| {
            !matches!(error, Error::Recall { forgotten: Forgotten::Partner { .. }, .. })
        };
        let mut all = alike.iter().filter_map(|nodes| pasts.forgotten(set, nodes, &own));
        let lost = all.find(is_own);
        if let Some(lost) = lost
            && named.insert((player, &set.asked.name))
        {
            found.push(lost);
        }
    }
    Ok(found)
}

/// The first place at which two lists of answers differ.
fn apart(one: &OwnAnswers, other: &OwnAnswers) -> Option<usize> {
    (0..one.len().max(other.len())).find(|&at| one.get(at) != other.get(at))
}

/// The parts of two views that differ, by their paths.
fn differences(path: String, one: &Value, other: &Value, found: &mut [Vec<String>; 2]) {
    match (one, other) {
        (Value::Map(one), Value::Map(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            for key in keys {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let nothing = Value::default();
                let part = |map: Option<&Value>| map.unwrap_or(&nothing).clone();
                differences(path, &part(one.get(key)), &part(other.get(key)), found);
            }
        }
        _ if one == other => {}
        _ => {
            for (parts, value) in found.iter_mut().zip([one, other]) {
                parts.push(format!("{path}: {value}"));
            }
        }
    }
}
