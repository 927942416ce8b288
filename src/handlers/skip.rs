//! The trait of handlers that skip a question answered elsewhere and keep their random stream in
//! step.

use crate::game::{Chance, Decision, Handler};

/// A handler that others may answer before, and that draws and discards what it would have drawn.
///
/// So the same answers lead to the same dice, whether they were given or repeated.
pub(crate) trait Skip: Handler {
    /// One question of any kind was answered, in any way.
    fn skip_question(&mut self);

    /// A decision was answered by somebody else.
    fn skip_decision(&mut self, _decision: &Decision<'_>, _answer: usize) {
        self.skip_question();
    }

    /// A joint decision was answered by somebody else: a question for each player.
    fn skip_together(&mut self, decisions: &[Decision<'_>], _answers: &[usize]) {
        decisions.iter().for_each(|_| self.skip_question());
    }

    /// What chance is asked for is known.
    fn skip_roll(&mut self, _chance: &Chance<'_>, _answer: usize) {
        self.skip_question();
    }
}
