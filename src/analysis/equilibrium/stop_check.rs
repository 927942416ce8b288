//! Asks now and then whether long work is still wanted: once in this many steps, for asking takes time.

use std::cell::Cell;

/// Whether work is still wanted. All loops of one piece of work count their steps together.
pub struct StopCheck<'a> {
    may_continue: &'a dyn Fn() -> bool,
    steps: Cell<u32>,
}

/// This many steps are made before somebody is asked.
const STEPS: u32 = 1024;

impl<'a> StopCheck<'a> {
    /// Nobody was asked yet.
    pub fn new(may_continue: &'a dyn Fn() -> bool) -> StopCheck<'a> {
        StopCheck { may_continue, steps: Cell::new(0) }
    }

    /// Counts a step, and returns whether the work is to stop there.
    #[inline]
    pub fn stops(&self) -> bool {
        let steps = self.steps.get() + 1;
        self.steps.set(steps % STEPS);
        steps == STEPS && !(self.may_continue)()
    }
}

/// Work that nobody stops.
pub(super) const ALWAYS: &dyn Fn() -> bool = &|| true;

#[cfg(test)]
mod tests {
    use super::super::forms::strategy::even;
    use super::super::forms::tree::{Tree, TreeError};
    use super::super::methods::best_response::Responder;
    use super::super::methods::learner::{Learner, Until};
    use super::super::test_games::{plans, tree_while, zero_sum};
    use super::*;
    use crate::error::Error;

    /// Thousands of nodes, each reached in one way.
    fn large() -> Tree {
        let tree = (0..).map(|seed| zero_sum(seed, 3000)).find(|tree| tree.len() > 5000);
        tree.unwrap()
    }

    /// How often work asks whether to continue. Refused at any of these, it stops there and asks no more.
    #[track_caller]
    fn asks(work: impl Fn(&dyn Fn() -> bool) -> bool) -> usize {
        let until = |refused: usize| {
            let asked = Cell::new(0);
            let done = work(&|| {
                asked.set(asked.get() + 1);
                asked.get() <= refused
            });
            (done, asked.get())
        };
        let (done, all) = until(usize::MAX);
        assert!(done);
        for refused in 0..all {
            assert_eq!(until(refused), (false, refused + 1));
        }
        all
    }

    #[test]
    fn making_a_tree_asks_in_each_of_its_passes() {
        let (tree, plans) = (large(), plans(&large()));
        let sides = tree.sides().to_vec();
        let asked =
            asks(|may_continue| match tree_while::<f64>(sides.clone(), &plans, may_continue) {
                Ok(_) => true,
                Err(error) => {
                    assert_eq!(error, TreeError::Stopped);
                    false
                }
            });
        // Nodes are brought into order, found to lead nowhere back and laid, their parents found, and each of two sides
        // tested.
        assert_eq!(asked, 6 * tree.len() / STEPS as usize);
    }

    #[test]
    fn a_best_response_asks_in_each_of_its_passes() {
        let tree = large();
        let even = even(&tree);
        let asked = asks(|may_continue| {
            Responder::new(&tree).best(0, &even, &StopCheck::new(may_continue)).is_some()
        });
        // How likely each node is reached; then each unit in order and valued, of which there are fewer.
        let ends = tree.all_payoffs().count();
        assert!(asked >= (tree.len() + 3 * ends) / STEPS as usize, "{asked}");
        // What was stopped answers as well another time.
        let mut responder = Responder::new(&tree);
        let best = responder.best(1, &even, &StopCheck::new(ALWAYS));
        assert_eq!(responder.best(0, &even, &StopCheck::new(&|| false)), None);
        assert_eq!(responder.best(1, &even, &StopCheck::new(ALWAYS)), best);
    }

    #[test]
    fn an_iteration_asks_all_the_while() {
        let tree = large();
        let asked = asks(|may_continue| {
            Learner::whole(&tree).iterate_while(&StopCheck::new(may_continue)).is_some()
        });
        // For each of two sides once down and once up.
        assert_eq!(asked, 4 * tree.len() / STEPS as usize);
        let asked = asks(|may_continue| {
            let (mut sampling, wanted) = (Learner::sampled(&tree, 3), StopCheck::new(may_continue));
            (0..40).all(|_| sampling.iterate_while(&wanted).is_some())
        });
        assert!(asked > 0);
    }

    #[test]
    fn learning_that_is_stopped_hands_on_what_was_judged_last() {
        let tree = large();
        let until = Until { within: 0.0, time: None, work: None };
        let (mut stopped, mut judged) = (0, 0);
        for refused in [0, 20, 60, 100, 200] {
            let asked = Cell::new(0);
            let mut learner = Learner::new(&tree, 0);
            let learned = learner.learn(&tree, until, &mut |_| Ok(()), &|| {
                asked.set(asked.get() + 1);
                if asked.get() > refused { Err(Error::Interrupted) } else { Ok(()) }
            });
            match learned {
                Err(error) => {
                    assert!(matches!(error, Error::Interrupted));
                    stopped += 1;
                }
                Ok(learned) => {
                    assert!(learned.interrupted);
                    let (strategy, gains) = learned.judged;
                    let again = Responder::new(&tree).gains(&strategy, &StopCheck::new(ALWAYS));
                    assert_eq!(again, Some(gains));
                    judged += 1;
                }
            }
        }
        assert!(stopped > 0 && judged > 0, "{stopped} {judged}");
    }
}
