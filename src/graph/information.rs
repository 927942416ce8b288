//! Which decisions can a player not tell apart? Those with the same question, the same view, and the
//! same own answers since the beginning of the step.

use std::collections::HashMap;

use super::answers::sight;
use super::explorer::Explorer;
use super::node::Kind;
use super::store::Graph;
use crate::error::Error;
use crate::game::Value;

/// Decisions that a player cannot tell apart.
#[derive(Clone, Debug)]
pub struct InformationSet {
    /// The player who decides.
    pub player: String,
    /// What for.
    pub name: String,
    /// What is offered at each of them.
    pub options: Vec<Value>,
    /// What the player sees at each of them.
    pub view: Value,
    /// The nodes, in the order in which they were asked for.
    pub nodes: Vec<u32>,
}

/// The information sets of a graph, as far as somebody asked for them.
#[derive(Debug, Default)]
pub struct InformationSets {
    sets: Vec<InformationSet>,
    of_nodes: HashMap<u32, usize>,
    known: HashMap<String, usize>,
}

impl InformationSets {
    /// The number of the information set to which a decision belongs.
    ///
    /// # Errors
    /// Those of the rules' `view`; [`Error::Usage`] where no decision stands there.
    pub fn of(&mut self, explorer: &Explorer, node: u32) -> Result<usize, Error> {
        if let Some(&set) = self.of_nodes.get(&node) {
            return Ok(set);
        }
        let (key, view) = explorer.visit(node, |decision| {
            let view = decision.scene.view(decision.player)?;
            Ok((sight(decision, &view), view))
        })?;
        let graph = explorer.graph();
        let key = format!("{key} {:?}", own_answers(graph, node));
        let sets = &mut self.sets;
        let set = *self.known.entry(key).or_insert_with(|| {
            let question = graph.question(graph.node(node));
            sets.push(InformationSet {
                player: question.map(|asked| asked.who.clone()).unwrap_or_default(),
                name: question.map(|asked| asked.name.clone()).unwrap_or_default(),
                options: question.map(|asked| asked.values().to_vec()).unwrap_or_default(),
                view,
                nodes: Vec::new(),
            });
            sets.len() - 1
        });
        self.sets[set].nodes.push(node);
        self.of_nodes.insert(node, set);
        Ok(set)
    }

    /// All that are known, by their numbers.
    pub fn sets(&self) -> &[InformationSet] {
        &self.sets
    }
}

/// What the player who decides at a node answered since the beginning of the step: the numbers of
/// the questions and of the answers. Which answers they were to later ones the player remembers,
/// even where the view does not show it.
fn own_answers(graph: &Graph, node: u32) -> Vec<(u32, u32)> {
    let mut at = graph.node(node);
    let actor = at.actor();
    let mut own = Vec::new();
    while let (before @ 1.., answer) = at.before() {
        at = graph.node(before);
        if at.kind() == Kind::Decision && at.actor() == actor {
            own.push((at.what(), answer));
        }
    }
    own.reverse();
    own
}
