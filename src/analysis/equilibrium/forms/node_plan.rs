//! A game as a list of nodes that name each other, before it is a [`Tree`](super::tree::Tree), and their order.

use super::super::stop_check::StopCheck;
use crate::error::Error;

/// The plan of a node; nodes are named by their places in a list, the first is the beginning.
#[derive(Clone, Debug)]
pub(crate) enum NodePlan {
    /// The utility for each side.
    End(Vec<f64>),
    /// The nodes that follow, each with its chance; the chances sum to 1.
    Chance(Vec<(f64, usize)>),
    /// A side decides in an information set; each option leads somewhere.
    Decision {
        side: usize,
        /// The number of the information set.
        set: usize,
        /// The nodes that the options lead to.
        to: Vec<usize>,
    },
}

impl NodePlan {
    /// The nodes that follow, answer by answer.
    pub(crate) fn to(&self) -> Vec<usize> {
        match self {
            NodePlan::End(_) => Vec::new(),
            NodePlan::Chance(falls) => falls.iter().map(|(_, to)| *to).collect(),
            NodePlan::Decision { to, .. } => to.clone(),
        }
    }
}

/// The reasons why a list of plans is no game that can be solved here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TreeError {
    /// A node that leads back to itself; its name.
    #[error("states form a cycle")]
    Cycle(usize),
    /// An information set whose nodes do not offer the same options; its number.
    #[error("an information set does not offer the same options everywhere")]
    Options(usize),
    /// No side, or no node.
    #[error("nobody plays")]
    Nobody,
    /// More than the arrays can count.
    #[error("there are more than 4 billion answers")]
    Large,
    /// The caller stopped it, or a bound was reached.
    #[error("interrupted")]
    Stopped,
    /// A side forgets what it did or saw before the nodes of one information set.
    #[error("a side forgets what it did or saw")]
    Forgets {
        /// The number of the information set.
        set: usize,
    },
}

impl From<TreeError> for Error {
    fn from(error: TreeError) -> Error {
        match error {
            TreeError::Stopped => Error::Interrupted,
            other => Error::unsolved(other.to_string()),
        }
    }
}

/// The names of all nodes that can be reached, each after all that it leads to.
///
/// # Errors
/// [`TreeError::Cycle`]; [`TreeError::Large`]; [`TreeError::Stopped`].
pub(crate) fn order(plans: &[NodePlan], wanted: &StopCheck<'_>) -> Result<Vec<u32>, TreeError> {
    if u32::try_from(plans.len()).is_err() {
        return Err(TreeError::Large);
    }
    #[derive(Clone, Copy, PartialEq)]
    enum VisitState {
        New,
        Open,
        Done,
    }
    let mut marks = vec![VisitState::New; plans.len()];
    let mut done = Vec::with_capacity(plans.len());
    let mut open = vec![(0usize, plans[0].to())];
    marks[0] = VisitState::Open;
    // Depth first; what was finished last comes first (Tarjan, 1976).
    while let Some((name, rest)) = open.last_mut() {
        if wanted.stops() {
            return Err(TreeError::Stopped);
        }
        match rest.pop() {
            Some(next) => match marks[next] {
                VisitState::New => {
                    marks[next] = VisitState::Open;
                    open.push((next, plans[next].to()));
                }
                VisitState::Open => return Err(TreeError::Cycle(next)),
                VisitState::Done => {}
            },
            None => {
                marks[*name] = VisitState::Done;
                done.push(*name as u32);
                open.pop();
            }
        }
    }
    done.reverse();
    Ok(done)
}
