//! Information sets: decisions that a player cannot distinguish, because the question, the view and
//! the player's own answers since the beginning of the step are the same.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::answer_cache::sight;
use super::explorer::Explorer;
use super::node::{Node, NodeKind};
use super::store::Graph;
use super::store::question::StoredQuestion;
use crate::error::Error;
use crate::game::Value;

/// What the player who decides at a node goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Insight {
    /// The question, the view, and the own answers since the beginning of the step, as one text:
    /// the same at all nodes of an information set, in any graph of the same game.
    pub key: String,
    /// Whether nothing of the state is hidden from the player, now or at the beginning of the
    /// step. Then only what others answered since may be.
    pub whole: bool,
}

impl Insight {
    pub(crate) fn of(explorer: &Explorer, node: u32) -> Result<Insight, Error> {
        let (mut key, player, sees) = explorer.visit(node, |decision| {
            let view = decision.scene.view(decision.player)?;
            let sees = view == decision.scene.state();
            Ok((sight(decision, &view), decision.player.to_owned(), sees))
        })?;
        let graph = explorer.graph();
        key.push_str(&own_words(graph, node));
        let state = graph.state_bytes(graph.node(node));
        let whole = match state.as_deref().and_then(|bytes| explorer.rules().read_state(bytes)) {
            Some(state) if sees => explorer.rules().view(&state, &player)? == state.value(),
            _ => false,
        };
        Ok(Insight { key, whole })
    }
}

/// Views are made at decisions alone.
pub(super) const NOBODY: &str = "nobody decides at this node of the graph";

/// Decisions that a player cannot distinguish.
#[derive(Clone, Debug)]
pub struct InformationSet {
    /// Who decides at each of them, what for, and what is offered.
    pub asked: Arc<StoredQuestion>,
    pub(crate) seen: Vec<SeenPart>,
    /// What distinguishes it from others: see `Insight::key`.
    pub key: Arc<str>,
    /// The nodes, in the order in which they were asked for.
    pub nodes: Vec<u32>,
}

impl InformationSet {
    /// What the player sees at each of them, made again; nothing where that fails.
    pub(crate) fn view(&self, explorer: &Explorer) -> Option<Value> {
        view_at(explorer, *self.nodes.first()?)
    }
}

/// What the player who decides at a node sees; nothing where nobody does, or the rules fail.
pub(crate) fn view_at(explorer: &Explorer, node: u32) -> Option<Value> {
    explorer.visit(node, |decision| Ok(decision.scene.view(decision.player)?)).ok()
}

/// A part of a view that is no map, by its path. It is kept as a text and shared, since views are most of what a large
/// game's information sets and strategies take.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "(String, Value)", from = "(String, Value)")]
pub struct SeenPart {
    /// The keys that lead to it, with dots between.
    pub path: Arc<str>,
    /// What is there, as [`Value::literal`] writes it.
    pub literal: Arc<str>,
}

impl SeenPart {
    fn value(&self) -> Value {
        serde_json::from_str(&self.literal).unwrap_or_default()
    }
}

impl From<(String, Value)> for SeenPart {
    fn from((path, value): (String, Value)) -> SeenPart {
        SeenPart { path: path.into(), literal: value.literal().into() }
    }
}

impl From<SeenPart> for (String, Value) {
    fn from(part: SeenPart) -> (String, Value) {
        (part.path.as_ref().to_owned(), part.value())
    }
}

impl fmt::Display for SeenPart {
    /// As a person reads it: `path: value`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.value())
    }
}

/// The information sets of a graph, as far as somebody asked for them.
#[derive(Debug, Default)]
pub struct InformationSets {
    sets: Vec<InformationSet>,
    asked: HashMap<u32, Arc<StoredQuestion>>,
    /// The paths and parts of views, each once.
    texts: HashSet<Arc<str>>,
    of_nodes: HashMap<u32, usize>,
    known: HashMap<Arc<str>, usize>,
}

impl InformationSets {
    /// The number of the information set to which a decision belongs.
    pub fn of(&mut self, explorer: &Explorer, node: u32) -> Result<usize, Error> {
        if let Some(&set) = self.of_nodes.get(&node) {
            return Ok(set);
        }
        let (key, view) = explorer.visit(node, |decision| {
            let view = decision.scene.view(decision.player)?;
            Ok((sight(decision, &view), view))
        })?;
        let graph = explorer.graph();
        let key: Arc<str> = format!("{key}{}", own_words(graph, node)).into();
        let set = match self.known.get(&key) {
            Some(&set) => set,
            None => {
                let at = graph.node(node);
                let asked = graph.question(at).ok_or_else(|| Error::usage(NOBODY))?;
                let asked = self.asked.entry(at.what()).or_insert_with(|| Arc::new(asked.clone()));
                let (asked, seen) = (asked.clone(), self.parts(view));
                self.known.insert(key.clone(), self.sets.len());
                self.sets.push(InformationSet { asked, seen, key, nodes: Vec::new() });
                self.sets.len() - 1
            }
        };
        self.sets[set].nodes.push(node);
        self.of_nodes.insert(node, set);
        Ok(set)
    }

    /// The parts of a view that are no maps, by their paths, in the order of these; lists are kept whole.
    fn parts(&mut self, view: Value) -> Vec<SeenPart> {
        let mut parts = BTreeMap::new();
        let mut open = vec![(String::new(), view)];
        while let Some((path, value)) = open.pop() {
            match value {
                Value::Map(map) => open.extend(map.into_iter().map(|(key, item)| {
                    let path = if path.is_empty() { key } else { format!("{path}.{key}") };
                    (path, item)
                })),
                other => _ = parts.insert(path, other),
            }
        }
        let mut shared = |text: String| match self.texts.get(text.as_str()) {
            Some(known) => known.clone(),
            None => {
                let text: Arc<str> = text.into();
                self.texts.insert(text.clone());
                text
            }
        };
        let parts = parts.into_iter();
        parts
            .map(|(path, part)| SeenPart { path: shared(path), literal: shared(part.literal()) })
            .collect()
    }

    pub(crate) fn number(&self, node: u32) -> Option<usize> {
        self.of_nodes.get(&node).copied()
    }

    /// All that are known, by their numbers.
    pub fn sets(&self) -> &[InformationSet] {
        &self.sets
    }
}

/// What the player who decides at a node answered since the beginning of the step: the numbers of
/// the questions and of the answers. Which answers they were to later ones the player remembers,
/// even where the view does not show it.
pub(crate) fn own_answers(graph: &Graph, node: u32) -> Vec<(u32, u32)> {
    let actor = graph.node(node).actor();
    let given = graph.back(node).map(|(before, answer)| (graph.node(before), answer));
    let given = given.filter(|(at, _)| at.decides(actor));
    let mut own: Vec<(u32, u32)> = given.map(|(at, answer)| (at.what(), answer)).collect();
    own.reverse();
    own
}

/// The own answers as a text: the names of the questions and what was answered. It leaves out how
/// many others were asked at the same time, since the player may not know that.
fn own_words(graph: &Graph, node: u32) -> String {
    let word = |(_, name, value): Answered| {
        format!(" {}: {}", Value::from(&*name).literal(), value.literal())
    };
    own_answered(graph, node).into_iter().map(word).collect()
}

/// An answer by which a player knows more than the view shows: who gave it, to which question.
pub(crate) type Answered = (String, String, Value);

/// What the player who decides at a node answered since the beginning of the step.
pub(crate) fn own_answered(graph: &Graph, node: u32) -> Vec<Answered> {
    let answered = |(question, answer): (u32, u32)| {
        let asked = graph.question_of(question)?;
        let value = asked.values().get(answer as usize)?;
        Some((asked.who.clone(), asked.name.clone(), value.clone()))
    };
    own_answers(graph, node).into_iter().filter_map(answered).collect()
}

/// What the players of one side picked so far in the joint decision that a node is a part of.
/// Nobody sees what others pick at the same time, but a seat that answers for several players knows
/// its earlier picks.
pub(crate) fn allied_answered(graph: &Graph, node: u32, side: &[String]) -> Vec<Answered> {
    let (_, nth) = graph.first_part(node);
    let picked = graph.back(node).take(nth).filter_map(|(before, answer)| {
        let asked = graph.question_at(before).filter(|asked| side.contains(&asked.who))?;
        let value = asked.values().get(answer as usize).cloned().unwrap_or_default();
        Some((asked.who.clone(), asked.name.clone(), value))
    });
    let mut answered: Vec<Answered> = picked.collect();
    answered.reverse();
    answered
}

/// The same as a text; empty if there are none.
pub(crate) fn allied_words(graph: &Graph, node: u32, side: &[String]) -> String {
    let answered = allied_answered(graph, node, side).into_iter();
    answered.map(|(who, _, value)| format!("{who} picks {value}")).collect::<Vec<_>>().join(", ")
}

/// An answer that somebody is not shown before they are asked in the same step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unseen {
    /// Who is asked.
    pub player: String,
    /// What for.
    pub name: String,
    /// Who answered before, or for whom it fell.
    pub of: String,
    /// To what.
    pub question: String,
    /// Whether it fell.
    pub chance: bool,
}

impl Unseen {
    /// In words: `` `blue` is asked `accept` without seeing what `red` answered to `offer` ``.
    pub fn words(&self) -> String {
        let Unseen { player, name, of, question, chance } = self;
        let unseen = match chance {
            true => format!("was rolled for `{of}` at `{question}`"),
            false => format!("`{of}` answered to `{question}`"),
        };
        format!("`{player}` is asked `{name}` without seeing what {unseen}")
    }
}

/// Who was asked, what for, and other questions with their answers.
type AskedAlike<'g> = (&'g str, &'g str, Vec<(u32, u32)>);

/// What the answers before each decision of these information sets were that its player does not see;
/// those of the same joint decision are left out. With `lost` only answers of other players that
/// are nowhere in the state, though something else follows from them: nobody can be shown those.
pub(crate) fn unseen(
    explorer: &Explorer,
    sets: &[InformationSet],
    lost: bool,
) -> Result<BTreeSet<Unseen>, Error> {
    let graph = explorer.graph();
    let mut found = BTreeSet::new();
    for set in sets.iter().filter(|set| set.nodes.len() > 1) {
        // By who was asked what, a node of the set with what was answered there. For answers that get lost, also by what
        // else was answered: only where one alone makes the difference, something else follows from it.
        let mut alike: BTreeMap<AskedAlike<'_>, (u32, Vec<String>)> = BTreeMap::new();
        for &number in &set.nodes {
            let node = graph.node(number);
            let together = graph.part(number).map_or(0, |(nth, _)| nth);
            let given: Vec<(Node<'_>, u32)> =
                graph.back(number).map(|(before, answer)| (graph.node(before), answer)).collect();
            let is_own = |at: &Node<'_>| at.decides(node.actor());
            // Whoever deals from one deck asks with other cards each time, so a question is what it is called.
            let mut asked: BTreeMap<(&str, &str), (u32, Vec<String>)> = BTreeMap::new();
            for (at, answer) in given.iter().skip(together).filter(|(at, _)| !is_own(at)) {
                let Some(question) = graph.question(*at) else { continue };
                let all = asked.entry((&question.who, &question.name));
                let (_, answers) = all.or_insert((at.what(), Vec::new()));
                answers.extend(question.values().get(*answer as usize).map(Value::literal));
            }
            for ((of, name), (question, mut answers)) in asked {
                answers.sort();
                let others = given.iter().map(|(at, answer)| (at.what(), *answer));
                let is_other = |&(other, _): &(u32, u32)| {
                    graph
                        .question_of(other)
                        .is_none_or(|other| (&*other.who, &*other.name) != (of, name))
                };
                let rest = if lost { others.filter(is_other).collect() } else { Vec::new() };
                let known = alike.entry((of, name, rest)).or_insert((number, answers.clone()));
                let unseen = Unseen {
                    player: set.asked.who.clone(),
                    name: set.asked.name.clone(),
                    of: of.to_owned(),
                    question: name.to_owned(),
                    chance: graph.question_of(question).is_some_and(StoredQuestion::is_chance),
                };
                if known.1 == answers
                    || found.contains(&unseen)
                    || (lost && (unseen.chance || !is_lost(explorer, known.0, number)?))
                {
                    continue;
                }
                found.insert(unseen);
            }
        }
    }
    Ok(found)
}

/// The answers that get lost in the part of the graph that was seen: other players are asked after
/// them in the same step, and they are nowhere in the state.
pub(crate) fn lost(explorer: &Explorer) -> Result<BTreeSet<Unseen>, Error> {
    let graph = explorer.graph();
    let mut sets = InformationSets::default();
    for number in graph.reached() {
        let node = graph.node(number);
        if node.kind() == NodeKind::Decision && node.before().0 != 0 {
            sets.of(explorer, number)?;
        }
    }
    unseen(explorer, sets.sets(), true)
}

/// Whether the state is the same at two nodes, and something else follows from one than the other.
fn is_lost(explorer: &Explorer, one: u32, other: u32) -> Result<bool, Error> {
    let graph = explorer.graph();
    let (one_node, other_node) = (graph.node(one), graph.node(other));
    let both = one_node.all().zip(other_node.all());
    let differ = both.filter(|(a, b)| *a != 0 && *b != 0).any(|(a, b)| {
        let (a, b) = (graph.node(a), graph.node(b));
        (a.kind(), a.what(), a.state()) != (b.kind(), b.what(), b.state())
    });
    if !differ {
        return Ok(false);
    }
    let state = |node| explorer.visit(node, |decision| Ok(decision.scene.state()));
    Ok(state(one)? == state(other)?)
}
