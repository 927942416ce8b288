//! How is a game of hidden things learned? Whole passes while it is small, samples where it is not;
//! until it is near enough, or time is up.

use std::time::{Duration, Instant};

use super::best_response::Responder;
use super::checkpoint::Checkpoint;
use super::regret::Regret;
use super::sampling::Sampling;
use super::strategy::Strategy;
use super::tree::Tree;
use crate::error::Error;

/// Where a game has more answers than this at all its nodes, samples of it are played.
const WHOLE: usize = 4_000_000;

/// A way to learn, under way.
pub enum Learner<'a> {
    /// Whole passes.
    Whole(Regret<'a>),
    /// Samples.
    Sampled(Sampling<'a>),
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Until {
    /// The exploitability is no more than this, in utility.
    pub within: f64,
    /// So much time has gone into it.
    pub time: Option<Duration>,
}

/// How far learning has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    /// How many iterations were made.
    pub iterations: u64,
    /// The most that any side gains by its best answer.
    pub exploitability: f64,
    /// How long it took.
    pub taken: Duration,
}

/// How far learning came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learned {
    /// At the last look.
    pub told: Told,
    /// Whether somebody wanted it to stop before it was near enough.
    pub interrupted: bool,
}

/// Hears how far it has come; an error stops it.
pub type Tell<'a> = dyn FnMut(&Told) -> Result<(), Error> + 'a;

impl<'a> Learner<'a> {
    /// A learner that suits the size of the game; lots, if any, come from the seed.
    pub fn new(tree: &'a Tree, seed: u64) -> Learner<'a> {
        match tree.to().len() <= WHOLE {
            true => Learner::Whole(Regret::new(tree)),
            false => Learner::Sampled(Sampling::new(tree, seed)),
        }
    }

    /// The method in words.
    pub fn method(&self) -> &'static str {
        match self {
            Learner::Whole(_) => "counterfactual regret minimisation (CFR+)",
            Learner::Sampled(_) => "counterfactual regret minimisation (external sampling)",
        }
    }

    /// How many iterations were made.
    pub fn iterations(&self) -> u64 {
        match self {
            Learner::Whole(regret) => regret.iterations(),
            Learner::Sampled(sampling) => sampling.iterations(),
        }
    }

    /// The strategy that comes near an equilibrium.
    pub fn average(&self) -> Strategy {
        match self {
            Learner::Whole(regret) => regret.average(),
            Learner::Sampled(sampling) => sampling.average(),
        }
    }

    /// The regrets and the sums of strategies, by slots.
    pub fn numbers(&self) -> (&[f64], &[f64]) {
        match self {
            Learner::Whole(regret) => regret.numbers(),
            Learner::Sampled(sampling) => sampling.numbers(),
        }
    }

    /// Each side learns once.
    pub fn iterate(&mut self) {
        match self {
            Learner::Whole(regret) => regret.iterate(),
            Learner::Sampled(sampling) => sampling.iterate(),
        }
    }

    /// All that it takes to go on another time.
    pub fn checkpoint(&self, identity: String) -> Checkpoint {
        let (regrets, sums) = self.numbers();
        let seed = match self {
            Learner::Whole(_) => None,
            Learner::Sampled(sampling) => Some(sampling.seed()),
        };
        let (regrets, sums) = (regrets.to_vec(), sums.to_vec());
        Checkpoint { identity, iterations: self.iterations(), seed, regrets, sums }
    }

    /// Goes on from a checkpoint; nothing where its numbers are not of this game.
    pub fn resume(tree: &'a Tree, checkpoint: Checkpoint) -> Option<Learner<'a>> {
        let Checkpoint { iterations, seed, regrets, sums, .. } = checkpoint;
        match seed {
            None => Regret::resume(tree, iterations, regrets, sums).map(Learner::Whole),
            Some(seed) => {
                Sampling::resume(tree, seed, iterations, regrets, sums).map(Learner::Sampled)
            }
        }
    }

    /// Learns until it is near enough or time is up; how far that is. However short the time, it
    /// learns once.
    ///
    /// # Errors
    /// That of `tell`, which hears now and then how far it has come; but that it was interrupted, or
    /// that a bound was reached, is none. However it was stopped, the learner is as good as one that never was.
    pub fn learn(
        &mut self,
        tree: &Tree,
        until: Until,
        tell: &mut Tell<'_>,
    ) -> Result<Learned, Error> {
        let mut responder = Responder::new(tree);
        let begun = self.iterations();
        pace(until, tell, |pace| {
            while self.iterations() < begun + pace.iterations {
                self.iterate();
                if pace.is_over() {
                    break;
                }
            }
            let exploitability = responder.greatest_gain(&self.average());
            (self.iterations(), exploitability)
        })
    }
}

/// How far to go before looking next.
pub(super) struct Pace {
    /// So many iterations since the beginning.
    pub iterations: u64,
    begun: Instant,
    until: Until,
    /// When to look at the latest, so that somebody who waits hears of it.
    look: Duration,
}

/// Somebody who waits hears of it this often.
const OFTEN: Duration = Duration::from_secs(1);

impl Pace {
    /// Whether it is time to look, whatever the iterations.
    pub fn is_over(&self) -> bool {
        let taken = self.begun.elapsed();
        taken >= self.look || self.until.time.is_some_and(|time| taken >= time)
    }
}

/// Looks how far it has come after 1, 2, 4, … iterations, later after each fourth part more, and at
/// least every second; `work` says how far.
pub(super) fn pace(
    until: Until,
    tell: &mut Tell<'_>,
    mut work: impl FnMut(&Pace) -> (u64, f64),
) -> Result<Learned, Error> {
    let mut pace = Pace { iterations: 1, begun: Instant::now(), until, look: OFTEN };
    loop {
        let (iterations, exploitability) = work(&pace);
        let taken = pace.begun.elapsed();
        let told = Told { iterations, exploitability, taken };
        match tell(&told) {
            Ok(()) => {}
            Err(Error::Interrupted) => return Ok(Learned { told, interrupted: true }),
            Err(Error::Bound(_)) => return Ok(Learned { told, interrupted: false }),
            Err(error) => return Err(error),
        }
        if exploitability <= until.within || until.time.is_some_and(|time| taken >= time) {
            return Ok(Learned { told, interrupted: false });
        }
        // What looking takes is no more than a part of what learning takes.
        let took = pace.begun.elapsed();
        pace.look = took + OFTEN;
        pace.iterations += (pace.iterations / 4).max(1);
    }
}
