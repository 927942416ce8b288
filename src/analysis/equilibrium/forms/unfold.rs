//! Unfolds a game so that every node is reached in one way, for methods that need each way by
//! itself.

use hashbrown::HashMap;

use super::plan::{NodePlan, TreeError};
use super::tree::{Role, Tree};
use crate::error::Error;
use crate::script::Budget;

/// A game in which every node is reached in one way, and the information sets of the folded game.
pub(crate) struct Unfolded {
    /// The game.
    pub tree: Tree,
    /// For each of its information sets the one of the folded game.
    pub sets: Vec<u32>,
}

/// Unfolds a game. An information set of one node, or of nodes that follow from one, becomes one
/// for each way there; others stay whole, because all ways there look the same to the side that
/// decides.
///
/// # Errors
/// [`Error::Unsolved`] where there are more nodes than the bound; as [`Budget::go_on`].
pub(crate) fn unfold(tree: &Tree, bound: usize, budget: &Budget) -> Result<Unfolded, Error> {
    let too_large = || {
        Error::unsolved(format!(
            "each way through the game counts by itself here, and there are more than {bound} nodes \
             to go through"
        ))
    };
    let mut plans: Vec<NodePlan> = Vec::new();
    let mut sets: Vec<u32> = Vec::new();
    let mut known = vec![usize::MAX; tree.sets().len()];
    // The nodes that are made, by the folded ones they come from.
    let mut from: Vec<u32> = vec![0];
    // And those before them.
    let mut before: Vec<usize> = vec![0];
    let mut of_beginnings: HashMap<(u32, usize), usize> = HashMap::new();
    while let Some(&node) = from.get(plans.len()) {
        if plans.len().is_multiple_of(256) {
            budget.go_on()?;
        }
        let node = node as usize;
        let to = &tree.to()[tree.answers(node)];
        if from.len() + to.len() > bound {
            return Err(too_large());
        }
        let places = from.len()..from.len() + to.len();
        from.extend(to);
        before.resize(from.len(), plans.len());
        plans.push(match tree.roles()[node] {
            Role::End(ending) => NodePlan::End(tree.payoffs(ending).to_vec()),
            Role::Chance => {
                let chances = tree.chances()[tree.answers(node)].iter().copied();
                NodePlan::Chance(chances.zip(places).collect())
            }
            Role::Set(folded) => {
                let set = &tree.sets()[folded as usize];
                let mut at = plans.len();
                let whole = match tree.recall().beginning(folded) {
                    Some(beginning) => {
                        while at > 0 && from[at] != beginning {
                            at = before[at];
                        }
                        of_beginnings.entry((folded, at)).or_insert(usize::MAX)
                    }
                    None => &mut known[folded as usize],
                };
                if set.nodes.len() == 1 || *whole == usize::MAX {
                    *whole = sets.len();
                    sets.push(folded);
                }
                NodePlan::Decision { side: set.side as usize, set: *whole, to: places.collect() }
            }
        });
    }
    let made = Tree::new_while(tree.sides().to_vec(), &plans, &|| budget.go_on().is_ok());
    if matches!(made, Err(TreeError::Stopped)) {
        budget.go_on()?;
    }
    let tree = made?;
    Ok(Unfolded { tree, sets })
}
