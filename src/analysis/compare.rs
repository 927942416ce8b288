//! Finds what changed rules did: odds of both sides and their difference, exact or from playouts in
//! pairs.

mod diverge;
mod pair;
mod paired_playouts;
mod portraits;
mod text;

use serde::{Deserialize, Serialize};

pub use diverge::DivergingPlayout;
pub use pair::{ComparedVariants, Pair, Side};
pub use portraits::{Contrasting, alone};

use super::batches::FailedPlayout;
use super::estimate::{in_haste, read_seed};
use super::portrait::Contrast;
use super::{Chances, Enough, Estimated, FoundOdds, Odds, Sampling, Seeking, complete};
use crate::error::{Cut, Error};
use crate::game::Generator;
use crate::report::Block;

/// What is known of one side.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Known {
    /// Its odds, which were found.
    Odds(FoundOdds),
    /// What playouts say.
    Estimated(Estimated),
}

/// What the changed rules did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// Whether every number is exact.
    pub exact: bool,
    /// The number of pairs of playouts behind the numbers; 0 where they are not sampled.
    pub n: u64,
    /// The seed of the playouts: of all numbers where these are sampled, and of the one shown.
    #[serde(deserialize_with = "read_seed")]
    pub seed: u64,
    /// Whether all was done that was wanted.
    #[serde(default, rename = "complete", with = "complete")]
    pub cut: Option<Cut>,
    /// The rules as the scenario has them.
    pub base: Known,
    /// The changed rules.
    pub house: Known,
    /// Changed less base: of each result's probability, and of each player's utility.
    pub difference: Chances,
    /// The first playout that ends otherwise under the changed rules, if one was met.
    #[serde(default, rename = "first_different", skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstDifferent>,
    /// What became of the conflict beside its odds.
    #[serde(flatten)]
    pub contrast: Contrast,
    /// Whether it ended since the answer was clear.
    #[serde(skip)]
    pub clear: bool,
}

/// The first playout that ends otherwise under changed rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstDifferent {
    /// Its number among the playouts, from 0.
    pub playout: u64,
    /// The seed under which it is the first playout.
    #[serde(deserialize_with = "read_seed")]
    pub seed: u64,
}

impl FirstDifferent {
    fn of(seed: u64, playout: Option<u64>) -> Option<FirstDifferent> {
        playout.map(|playout| FirstDifferent { playout, seed: Generator::seed_of(seed, playout) })
    }
}

/// Why there is no exact difference.
#[derive(Clone, Debug)]
pub struct Refused {
    /// In words, with the side.
    pub reason: String,
    /// What stopped the search, if anything did.
    pub cut: Option<Cut>,
}

impl Refused {
    fn notice(&self) -> String {
        match self.cut {
            // How much time there was is said at the end.
            Some(Cut::Time(_)) => {
                "there was not enough time for exact odds; playouts in pairs are used".to_owned()
            }
            _ => format!("exact odds are out of reach ({}): playouts in pairs", self.reason),
        }
    }
}

/// This many pairs of playouts are tried to show one that ends otherwise, where odds are exact.
const TRIED: u64 = 10_000;

impl Compared {
    /// Finds the odds of both sides and their difference, as far as they are within reach.
    /// `progress` hears of the nodes seen so far on a side.
    ///
    /// # Errors
    /// Those of the rules and agents.
    pub fn exactly(
        pair: &Pair,
        seeking: Seeking,
        seed: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Result<Compared, Refused>, Error> {
        let mut known = Vec::new();
        for side in Side::BOTH {
            let odds = Odds::find(pair.seating(side), seeking, progress)?;
            match odds.found {
                Ok(found) => known.push(found),
                Err(unreached) => {
                    let reason = format!("{}: {unreached}", pair.name(side));
                    return Ok(Err(Refused { reason, cut: odds.cut }));
                }
            }
        }
        let [base, house] = &known[..] else {
            return Err(Error::Interrupted);
        };
        let tried = Sampling { seed, n: TRIED, enough: Enough::All, threads: 1 };
        let first = paired_playouts::first(pair, tried)?;
        Ok(Ok(Compared {
            exact: base.exact && house.exact,
            n: 0,
            seed,
            difference: house.less(base).in_order(pair.players()),
            base: Known::Odds(base.clone()),
            house: Known::Odds(house.clone()),
            first: FirstDifferent::of(seed, first),
            cut: None,
            contrast: Contrast::default(),
            clear: false,
        }))
    }

    /// Makes playouts in pairs under common random numbers: the `i`-th question of playout `p` has
    /// the same random number on both sides, so the answers agree as long as the questions do.
    /// `progress` hears how many pairs are done.
    ///
    /// # Errors
    /// Those of the rules and agents; [`Error::Interrupted`] where not one pair was made.
    pub fn sample(
        pair: &Pair,
        sampling: Sampling,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Compared, FailedPlayout> {
        Compared::sample_up_to(pair, sampling, &|_| false, (progress, &|_| ()))
    }

    /// As [`Compared::sample`], up to the number of pairs after which `pauses` says so; hears the
    /// differences so far.
    fn sample_up_to(
        pair: &Pair,
        sampling: Sampling,
        pauses: &(dyn Fn(u64) -> bool + Sync),
        (progress, known): Hearing<'_>,
    ) -> Result<Compared, FailedPlayout> {
        let (met, cut, clear) = paired_playouts::play(pair, sampling, pauses, progress, known)?;
        let (seed, n) = (sampling.seed, met.pairs());
        let known = |side| {
            let chances = met.side(side).in_order(&pair.seating(side).players.names);
            Known::Estimated(Estimated { exact: false, seed, n, chances, cut, clear })
        };
        Ok(Compared {
            exact: false,
            n,
            seed,
            base: known(Side::Base),
            house: known(Side::House),
            difference: met.difference().in_order(pair.players()),
            first: FirstDifferent::of(seed, met.first_different()),
            cut,
            contrast: Contrast::default(),
            clear,
        })
    }

    /// Makes a few of the pairs for somebody who interrupted the search for exact odds: they have waited
    /// for something. Another interruption ends it.
    ///
    /// # Errors
    /// As [`Compared::sample`].
    pub fn in_haste(
        pair: &Pair,
        sampling: Sampling,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Compared, FailedPlayout> {
        let budget = pair.base.budget();
        let made = in_haste(budget, sampling, |few| Compared::sample(pair, few, progress));
        Ok(Compared { cut: Some(Cut::Interrupted), ..made? })
    }
}

/// Who hears how many pairs are made, and the differences so far.
type Hearing<'a> = (&'a (dyn Fn(u64) + Sync), &'a (dyn Fn(&Chances) + Sync));

impl Known {
    /// The numbers.
    pub fn chances(&self) -> &Chances {
        match self {
            Known::Odds(odds) => &odds.chances,
            Known::Estimated(estimated) => &estimated.chances,
        }
    }

    /// For people, as `odds` or `estimate` prints it.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        match self {
            Known::Odds(odds) => odds.blocks(),
            Known::Estimated(estimated) => estimated.blocks(),
        }
    }
}
