//! How is a game of hidden things learned? Whole passes while it is small, samples where it is not;
//! until it is near enough, or time is up.

use std::time::{Duration, Instant};

use super::best_response::Responder;
use super::checkpoint::Checkpoint;
use super::regret::Regret;
use super::sampling::Sampling;
use super::strategy::Strategy;
use super::tree::Tree;
use super::wanted::Wanted;
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
#[derive(Clone, Debug, PartialEq)]
pub struct Learned<J> {
    /// At the last look.
    pub told: Told,
    /// What was judged then.
    pub judged: J,
    /// Whether somebody wanted it to stop before it was near enough.
    pub interrupted: bool,
}

/// A strategy, with what each side gains by its best answer.
pub type Judged = (Strategy, Vec<f64>);

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

    /// Each side learns once. Where it was stopped nothing is said, and all is as before.
    pub fn iterate_while(&mut self, wanted: &Wanted<'_>) -> Option<()> {
        match self {
            Learner::Whole(regret) => regret.iterate_while(wanted),
            Learner::Sampled(sampling) => sampling.iterate_while(wanted),
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
    /// learns once. `go_on` is asked all the while; what was judged last before it refused counts.
    ///
    /// # Errors
    /// That of `tell`, which hears now and then how far it has come; but that it was interrupted, or
    /// that a bound was reached, is none once something was judged. However it was stopped, the
    /// learner is as good as one that never was.
    pub fn learn(
        &mut self,
        tree: &Tree,
        until: Until,
        tell: &mut Tell<'_>,
        go_on: &dyn Fn() -> Result<(), Error>,
    ) -> Result<Learned<Judged>, Error> {
        let mut responder = Responder::new(tree);
        let begun = self.iterations();
        let is_wanted = || go_on().is_ok();
        let wanted = Wanted::new(&is_wanted);
        pace(until, tell, go_on, |pace| {
            while self.iterations() < begun + pace.iterations {
                self.iterate_while(&wanted)?;
                if pace.is_over() {
                    break;
                }
            }
            let strategy = self.average();
            let gains = pace.judging(|| responder.gains(&strategy, &wanted))?;
            let greatest = gains.iter().copied().fold(0.0, f64::max);
            Some((self.iterations(), greatest, (strategy, gains)))
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
    /// How long it took to judge the last time: so much time is left for the next.
    judged: Duration,
}

/// Somebody who waits hears of it this often.
const OFTEN: Duration = Duration::from_secs(1);

impl Pace {
    /// Whether it is time to look, whatever the iterations.
    pub fn is_over(&self) -> bool {
        self.begun.elapsed() >= self.look || self.is_late()
    }

    /// Whether no more time is left than judging takes.
    fn is_late(&self) -> bool {
        self.until.time.is_some_and(|time| self.begun.elapsed() + self.judged >= time)
    }

    /// Judges what was learned.
    pub fn judging<T>(&mut self, judge: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let judged = judge();
        self.judged = begun.elapsed();
        judged
    }
}

/// Looks how far it has come after 1, 2, 4, … iterations, later after each fourth part more, and at
/// least every second; `work` says how far, and nothing where `go_on` refused.
pub(super) fn pace<J>(
    until: Until,
    tell: &mut Tell<'_>,
    go_on: &dyn Fn() -> Result<(), Error>,
    mut work: impl FnMut(&mut Pace) -> Option<(u64, f64, J)>,
) -> Result<Learned<J>, Error> {
    let (begun, judged) = (Instant::now(), Duration::ZERO);
    let mut pace = Pace { iterations: 1, begun, until, look: OFTEN, judged };
    let mut last: Option<Learned<J>> = None;
    loop {
        let heard = match work(&mut pace) {
            Some((iterations, exploitability, judged)) => {
                let told = Told { iterations, exploitability, taken: pace.begun.elapsed() };
                last = Some(Learned { told, judged, interrupted: false });
                tell(&told).and_then(|()| go_on())
            }
            None => go_on().and(Err(Error::Interrupted)),
        };
        let is_near = |learned: &Learned<J>| learned.told.exploitability <= until.within;
        match (heard, last.take()) {
            (Err(Error::Interrupted), Some(learned)) => {
                return Ok(Learned { interrupted: true, ..learned });
            }
            (Err(Error::Bound(_)), Some(learned)) => return Ok(learned),
            (Err(error), _) => return Err(error),
            (Ok(()), Some(learned)) if is_near(&learned) || pace.is_late() => return Ok(learned),
            (Ok(()), learned) => last = learned,
        }
        // What looking takes is no more than a part of what learning takes.
        let took = pace.begun.elapsed();
        pace.look = took + OFTEN;
        pace.iterations += (pace.iterations / 4).max(1);
    }
}
