//! The position of a question: a node and the answers since, for agents that think ahead from it.

/// The place of a question. People, and agents that go by what they see, need none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standpoint<'a> {
    /// A node of the graph that is played on, by its number; 0 is the beginning.
    pub node: u32,
    /// The indices of all answers since, of players and of chance, oldest first; those of a joint
    /// decision are in the order in which its players are asked.
    pub answers: &'a [u32],
}

impl<'a> Standpoint<'a> {
    /// At a node itself.
    pub fn at(node: u32) -> Standpoint<'static> {
        Standpoint { node, answers: &[] }
    }

    /// After these answers since the beginning.
    pub fn after(answers: &'a [u32]) -> Standpoint<'a> {
        Standpoint { node: 0, answers }
    }

    /// The node of the question, if it has one; else 0.
    pub fn known(&self) -> u32 {
        if self.answers.is_empty() { self.node } else { 0 }
    }
}
