//! The trait of handlers that can skip a question which somebody else answered, and use up the same random
//! numbers; and all handlers behind `&mut` and `Box`.

use crate::game::{Chance, Decision, Handler, Stop};

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

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<H: Handler + ?Sized> Handler for $pointer {
            fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop> {
                (**self).decide(decision)
            }

            fn decide_together(&mut self, decisions: &[Decision<'_>]) -> Result<Vec<usize>, Stop> {
                (**self).decide_together(decisions)
            }

            fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop> {
                (**self).roll(chance)
            }

            fn event(&mut self, text: &str) {
                (**self).event(text);
            }

            fn listens(&self) -> bool {
                (**self).listens()
            }

            fn deliberates(&self) -> bool {
                (**self).deliberates()
            }
        }

        impl<H: Skip + ?Sized> Skip for $pointer {
            fn skip_question(&mut self) {
                (**self).skip_question();
            }

            fn skip_decision(&mut self, decision: &Decision<'_>, answer: usize) {
                (**self).skip_decision(decision, answer);
            }

            fn skip_together(&mut self, decisions: &[Decision<'_>], answers: &[usize]) {
                (**self).skip_together(decisions, answers);
            }

            fn skip_roll(&mut self, chance: &Chance<'_>, answer: usize) {
                (**self).skip_roll(chance, answer);
            }
        }
    )+};
}

forward!(&mut H, Box<H>);
