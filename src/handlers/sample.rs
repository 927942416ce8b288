//! A handler that samples everything: options are equally likely, dice have their exact weights.

use super::{Generator, Skip};
use crate::game::{Chance, Decision, Handler, Stop};

/// Answers everything from a seeded generator.
///
/// It answers as [`SeatedAgents`](super::SeatedAgents) do where every seat is `Random`.
#[derive(Clone, Debug)]
pub struct Sampler {
    generator: Generator,
}

impl Sampler {
    /// The sampler of one playout under a seed.
    pub fn new(seed: u64, playout: u64) -> Sampler {
        Sampler { generator: Generator::playout(seed, playout) }
    }
}

impl Handler for Sampler {
    fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop> {
        Ok(self.generator.question().index(decision.options.len()))
    }

    fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop> {
        Ok(self.generator.question().fall(chance.distribution))
    }
}

impl Skip for Sampler {
    fn skip_question(&mut self) {
        self.generator.skip_question();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handlers::fake::Fake;

    #[test]
    fn a_playout_has_its_answers_whatever_was_played_before() {
        let game = Fake::game();
        let alone: Vec<_> = (0..20).map(|i| game.run(&mut Sampler::new(5, i)).unwrap()).collect();
        let backwards: Vec<_> =
            (0..20).rev().map(|i| game.run(&mut Sampler::new(5, i)).unwrap()).collect();
        assert!(alone.iter().eq(backwards.iter().rev()));
        assert!(alone.iter().any(|answers| answers != &alone[0]));
    }

    #[test]
    fn all_answers_of_all_questions_fall() {
        let game = Fake::game();
        let mut seen: Vec<Vec<usize>> = Vec::new();
        for playout in 0..200 {
            let answers = game.run(&mut Sampler::new(1, playout)).unwrap();
            seen.resize(answers.len(), Vec::new());
            for (column, answer) in seen.iter_mut().zip(answers) {
                column.push(answer);
            }
        }
        for (column, offered) in seen.iter_mut().zip(game.offered()) {
            column.sort_unstable();
            column.dedup();
            assert_eq!(*column, (0..offered).collect::<Vec<_>>());
        }
    }
}
