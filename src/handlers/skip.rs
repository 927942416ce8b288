//! What would have been drawn? A handler that is passed over keeps its random stream in step.

use crate::game::{Chance, Decision, Handler};

/// A handler that others may answer before, and that draws and discards what it would have drawn.
///
/// So the same answers lead to the same dice, whether they were given or repeated.
pub trait Skip: Handler {
    /// A decision was answered by somebody else.
    fn skip_decision(&mut self, decision: &Decision<'_>, answer: usize);

    /// A joint decision was answered by somebody else.
    fn skip_together(&mut self, decisions: &[Decision<'_>], answers: &[usize]);

    /// What chance is asked for is known.
    fn skip_roll(&mut self, chance: &Chance<'_>, answer: usize);
}
