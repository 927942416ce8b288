//! Finds where a player's `view` lacks an answer given earlier in the same step.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::Serialize;

use super::explorer::Explorer;
use super::information::{InformationSet, InformationSets};
use super::node::{Node, NodeKind};
use crate::error::Error;

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
        match chance {
            true => format!(
                "`{player}` is asked `{name}` without seeing what was rolled for `{of}` at `{question}`"
            ),
            false => format!(
                "`{player}` is asked `{name}` without seeing what `{of}` answered to `{question}`"
            ),
        }
    }
}

/// A question of a step, by its number, and the answer given to it.
type GivenAnswer = (u32, u32);

/// The nodes of an information set, each with its answer to a question, by that question and by all
/// else that was answered before them in their step.
type Alike = BTreeMap<(u32, Vec<GivenAnswer>), Vec<(u32, u32)>>;

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
        // The nodes by what else was answered before them in their step: a question is unseen where
        // it alone makes the difference.
        let mut alike: Alike = BTreeMap::new();
        for &number in &set.nodes {
            let node = graph.node(number);
            let together = graph.part(number).map_or(0, |(nth, _)| nth);
            let is_own =
                |at: Node<'_>| at.kind() == NodeKind::Decision && at.actor() == node.actor();
            let given = graph.back(number).map(|(before, answer)| (graph.node(before), answer));
            let given: Vec<(u32, u32, bool)> =
                given.map(|(at, answer)| (at.what(), answer, is_own(at))).collect();
            for (place, &(question, answer, own)) in given.iter().enumerate().skip(together) {
                if !own {
                    let rest = given.iter().enumerate().filter(|(other, _)| *other != place);
                    let rest = rest.map(|(_, &(question, answer, _))| (question, answer)).collect();
                    alike.entry((question, rest)).or_default().push((number, answer));
                }
            }
        }
        for ((question, _), nodes) in alike {
            let Some(asked) = graph.question_of(question) else { continue };
            let (first, answer) = nodes[0];
            let other = nodes.iter().find(|(_, other)| *other != answer);
            let Some(&(other, _)) = other else { continue };
            let unseen = Unseen {
                player: set.asked.who.clone(),
                name: set.asked.name.clone(),
                of: asked.who.clone(),
                question: asked.name.clone(),
                chance: asked.is_chance(),
            };
            if lost
                && (unseen.chance || found.contains(&unseen) || !is_lost(explorer, first, other)?)
            {
                continue;
            }
            found.insert(unseen);
        }
    }
    Ok(found)
}

/// The answers that get lost in the part of the graph that was seen: other players are asked after
/// them in the same step, and they are nowhere in the state.
pub(crate) fn lost(explorer: &Explorer) -> Result<BTreeSet<Unseen>, Error> {
    let graph = explorer.graph();
    let mut sets = InformationSets::default();
    let mut met: HashSet<u32> = HashSet::from([graph.root()]);
    let mut open = vec![graph.root()];
    while let Some(number) = open.pop().filter(|number| *number != 0) {
        let node = graph.node(number);
        if node.kind() == NodeKind::Decision && node.before().0 != 0 {
            sets.of(explorer, number)?;
        }
        open.extend(node.all().filter(|&next| next != 0 && met.insert(next)));
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
