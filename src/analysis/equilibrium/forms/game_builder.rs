//! Makes a game in extensive form of an explored one, and tests perfect recall: that at each information set its side
//! remembers what it did.
//!
//! With perfect recall (Kuhn, 1953, "Extensive Games and the Problem of Information") all nodes of
//! an information set follow the same own decisions and picks. There is one exception here: an
//! information set of one node may be reached in several ways, since a side that knows exactly
//! where the game is does not need what it forgot on the way. The same holds if it knew this before
//! others decided or chance fell unseen: all nodes follow from one, and the side has done nothing
//! since.

use hashbrown::HashMap;

use super::super::stop_check::StopCheck;
use super::board::Mover;
use super::tree::{FIRST, Recall, Role, Tree, TreeError};
use crate::explored::ExploredGame;

impl Tree {
    /// Makes the game in which every side remembers what it did of an explored game, who moves at its places and
    /// in which information set, and the utilities of the endings for each side; until the caller stops it.
    /// Information sets are numbered from 0, without gaps.
    ///
    /// # Errors
    /// [`TreeError`]; [`TreeError::Stopped`] if the caller stops it.
    pub(crate) fn of(
        sides: Vec<String>,
        game: &ExploredGame,
        sets: (&[Mover], &[u32]),
        payoffs: Vec<f64>,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<Tree, TreeError> {
        let wanted = StopCheck::new(may_continue);
        let mut tree = Tree::without_recall(sides, game, sets, payoffs, &wanted)?;
        tree.recall = test(&tree, &wanted)?;
        Ok(tree)
    }
}

/// Tests that the sides remember what they did.
///
/// # Errors
/// [`TreeError::Forgets`]; [`TreeError::Stopped`].
fn test(tree: &Tree, wanted: &StopCheck<'_>) -> Result<Recall, TreeError> {
    let sides = tree.sides().len();
    let mut recall = Recall {
        before: vec![Vec::new(); tree.sets().len()],
        beginnings: HashMap::new(),
        sets: vec![Vec::new(); sides],
    };
    let parents = parents(tree, wanted)?;
    for side in 0..sides {
        test_side((tree, wanted), side, &parents, &mut recall)?;
    }
    Ok(recall)
}

/// Lists of last picks, each once; by their numbers.
#[derive(Default)]
struct Pasts {
    lists: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, u32>,
}

impl Pasts {
    fn number(&mut self, list: Vec<u32>) -> u32 {
        let free = self.lists.len() as u32;
        let lists = &mut self.lists;
        *self.numbers.entry(list).or_insert_with_key(|list| {
            lists.push(list.clone());
            free
        })
    }

    fn joined(&mut self, a: u32, b: u32) -> u32 {
        if a == b || a == NONE {
            return b;
        }
        let mut list = self.lists[a as usize].clone();
        list.extend(&self.lists[b as usize]);
        list.sort_unstable();
        list.dedup();
        self.number(list)
    }
}

const NONE: u32 = u32::MAX;

/// For each node the one that leads to it, where there is exactly one.
fn parents(tree: &Tree, wanted: &StopCheck<'_>) -> Result<Vec<Option<u32>>, TreeError> {
    let mut parents: Vec<Option<u32>> = vec![None; tree.len()];
    let mut met = vec![false; tree.len()];
    for node in 0..tree.len() {
        may_continue(wanted)?;
        for &to in &tree.to()[tree.answers(node)] {
            let again = std::mem::replace(&mut met[to as usize], true);
            let same = parents[to as usize] == Some(node as u32);
            parents[to as usize] = (!again || same).then_some(node as u32);
        }
    }
    Ok(parents)
}

fn may_continue(wanted: &StopCheck<'_>) -> Result<(), TreeError> {
    if wanted.stops() { Err(TreeError::Stopped) } else { Ok(()) }
}

/// The last node from which all nodes of an information set follow, none of them after a further
/// decision of its side, and each in one way.
fn beginning(
    (tree, wanted): (&Tree, &StopCheck<'_>),
    parents: &[Option<u32>],
    set: u32,
) -> Result<Option<u32>, TreeError> {
    let known = &tree.sets()[set as usize];
    let own = |node: u32| match tree.roles()[node as usize] {
        Role::Set(set) => tree.sets()[set as usize].side == known.side,
        _ => false,
    };
    let above = |node: u32| {
        std::iter::successors(parents[node as usize], |&node| parents[node as usize])
            .take_while(|&node| !own(node))
    };
    let Some((first, rest)) = known.nodes.split_first() else { return Ok(None) };
    'commons: for common in above(*first) {
        for &node in rest {
            may_continue(wanted)?;
            if !above(node).any(|node| node == common) {
                continue 'commons;
            }
        }
        return Ok(Some(common));
    }
    Ok(None)
}

fn test_side(
    (tree, wanted): (&Tree, &StopCheck<'_>),
    side: usize,
    parents: &[Option<u32>],
    recall: &mut Recall,
) -> Result<(), TreeError> {
    let mut pasts = Pasts::default();
    let mut past = vec![NONE; tree.len()];
    past[0] = pasts.number(vec![FIRST]);
    for node in 0..tree.len() {
        may_continue(wanted)?;
        let own = match tree.roles()[node] {
            Role::Set(set) if tree.sets()[set as usize].side as usize == side => Some(set),
            _ => None,
        };
        if let Some(set) = own {
            let known = &tree.sets()[set as usize];
            let list = &pasts.lists[past[node] as usize];
            let first = known.nodes[0] as usize;
            if first == node {
                recall.before[set as usize] = list.clone();
                recall.sets[side].push(set);
            }
            let forgets = list.len() > 1 || recall.before[set as usize] != *list;
            if known.nodes.len() > 1 && forgets && recall.beginning(set).is_none() {
                match beginning((tree, wanted), parents, set)? {
                    Some(beginning) => _ = recall.beginnings.insert(set, beginning),
                    None => return Err(TreeError::Forgets { set: set as usize }),
                }
            }
        }
        for (nth, answer) in tree.answers(node).enumerate() {
            let before = match own {
                Some(set) => pasts.number(vec![tree.sets()[set as usize].first + nth as u32]),
                None => past[node],
            };
            let to = tree.to()[answer] as usize;
            past[to] = pasts.joined(past[to], before);
        }
    }
    Ok(())
}
