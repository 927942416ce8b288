//! Handlers behind `&mut` and `Box`, which forward every question to the handler inside.

use super::Skip;
use crate::game::{Chance, Decision, Handler, Stop};

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
