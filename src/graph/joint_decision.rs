//! Joint decisions in the graph: which part of one a node is, where it begins, what others answered. They become
//! nodes in `walk.rs`.

use super::store::Graph;

impl Graph {
    /// The part of a joint decision that a node is, from 0, and how many parts there are; `None` for any other
    /// node.
    #[inline]
    pub(crate) fn part(&self, node: u32) -> Option<(usize, usize)> {
        self.question(self.node(node)).and_then(|asked| asked.part)
    }

    /// The node at which the joint decision begins that this one is a part of, and the number of the
    /// part: others may have answered since, unseen. Any other decision begins itself.
    #[inline]
    pub(crate) fn first_part(&self, node: u32) -> (u32, usize) {
        let nth = self.part(node).map_or(0, |(nth, _)| nth);
        ((0..nth).fold(node, |node, _| self.node(node).before().0), nth)
    }
}
