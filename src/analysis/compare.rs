//! Finds what changed rules did: odds of both sides and their difference, exact or from playouts in
//! pairs.

mod diverge;
mod pair;
mod paired;
mod portraits;
mod step;
mod text;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use diverge::Way;
pub use pair::{Pair, Side};
pub use portraits::{Contrasting, alone};

use super::batches::Failed;
use super::estimate::{IN_HASTE, in_haste, read_seed};
use super::portrait::Contrast;
use super::{
    Chances, Enough, Estimated, FoundOdds, Number, Odds, Sampling, Seeking, Stage, complete, halved,
};
use crate::error::{Cut, Error};
use crate::handlers::Generator;

/// What is known of one side.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Known {
    /// Its odds, which were found.
    Odds(FoundOdds),
    /// What playouts say.
    Estimated(Estimated),
}

/// What the changed rules did.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Compared {
    /// Whether every number is exact.
    pub exact: bool,
    /// How many pairs of playouts the numbers stand on; 0 where they are not sampled.
    pub n: u64,
    /// The seed of the playouts: of all numbers where these are sampled, and of the one shown.
    #[serde(deserialize_with = "read_seed")]
    pub seed: u64,
    /// Whether all was done that was wanted.
    #[serde(default, rename = "complete", with = "complete")]
    #[schemars(with = "bool")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    fn told(&self) -> String {
        match self.cut {
            // How much time there was is said at the end.
            Some(Cut::Time(_)) => "there was no time for exact odds: playouts in pairs".to_owned(),
            _ => format!("exact odds are out of reach ({}): playouts in pairs", self.reason),
        }
    }
}

/// So many nodes are explored before the first pairs, where these may do.
const FIRST_NODES: u64 = 2_000;
/// So many pairs are made before the other nodes: it takes about as long.
const FIRST_PAIRS: u64 = 2_048;

/// So many pairs of playouts are tried to show one that ends otherwise, where odds are exact.
const TRIED: u64 = 10_000;

impl Compared {
    /// Finds the difference as well as it can be found: exactly, else from playouts in pairs. Of the time
    /// that there is, both share half, and the other half is left; where not one pair was made by then, a
    /// few are made in that. Where playouts stop as soon as the answer is clear, as many as that may
    /// take go before the larger part of the exploring.
    ///
    /// # Errors
    /// As [`Compared::sample`].
    pub fn find(
        pair: &Pair,
        float: bool,
        sampling: Sampling,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Compared, Failed> {
        let played = |done| progress(Stage::Playouts(done, sampling.known_total()));
        let known = |difference: &Chances| progress(Stage::Known(so_far(difference)));
        let whole = pair;
        let pair = &whole.with_seatings(halved);
        let sample = |pause| match Compared::sample_up_to(pair, sampling, pause, (&played, &known))
        {
            Err(Failed { error, .. })
                if matches!(error.cut(), Some(Cut::Time(_))) && whole.base.is_wanted().is_ok() =>
            {
                let few = Sampling { n: sampling.n.min(IN_HASTE), ..sampling };
                let made = Compared::sample_up_to(whole, few, pause, (&played, &known))?;
                Ok(Compared { cut: error.cut(), ..made })
            }
            made => made,
        };
        let exactly = |nodes| {
            let seeking = Seeking { float, threads: sampling.threads, nodes };
            let seen = |nodes| progress(Stage::Nodes(nodes));
            Compared::exactly(&pair.with_seatings(halved), seeking, sampling.seed, &seen)
        };
        let all = sampling.explores(&pair.base);
        let mut tries = vec![all];
        if sampling.enough == Enough::Clear && all > FIRST_NODES {
            tries.insert(0, FIRST_NODES);
        }
        let mut told = None;
        for nodes in tries {
            match exactly(nodes)? {
                Ok(compared) => return Ok(compared),
                Err(refused) if refused.cut == Some(Cut::Interrupted) => {
                    progress(Stage::Told(
                        "no exact odds: interrupted; a few playouts in pairs, \
                                          Ctrl-C ends those too"
                            .to_owned(),
                    ));
                    return Compared::in_haste(pair, sampling, &played);
                }
                Err(refused) if nodes < all => {
                    let compared = sample(FIRST_PAIRS)?;
                    if compared.clear || compared.cut.is_some() {
                        progress(Stage::Told(refused.told()));
                        return Ok(compared);
                    }
                }
                Err(refused) => told = Some(refused.told()),
            }
        }
        told.into_iter().for_each(|told| progress(Stage::Told(told)));
        sample(u64::MAX)
    }

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
        for side in [Side::Base, Side::House] {
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
        let first =
            paired::first(pair, Sampling { seed, n: TRIED, enough: Enough::All, threads: 1 })?;
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
    ) -> Result<Compared, Failed> {
        Compared::sample_up_to(pair, sampling, u64::MAX, (progress, &|_| ()))
    }

    /// As [`Compared::sample`], with a pause after so many pairs; hears the differences so far.
    fn sample_up_to(
        pair: &Pair,
        sampling: Sampling,
        pause: u64,
        (progress, known): Hearing<'_>,
    ) -> Result<Compared, Failed> {
        let (met, cut, clear) = paired::play(pair, sampling, pause, progress, known)?;
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
    ) -> Result<Compared, Failed> {
        let budget = pair.base.budget();
        let made = in_haste(budget, sampling, |few| Compared::sample(pair, few, progress));
        Ok(Compared { cut: Some(Cut::Interrupted), ..made? })
    }

    /// Whether every interval of a difference is within so much of its mean.
    pub fn is_within(&self, within: f64) -> bool {
        self.difference.half_width() <= within
    }
}

/// Who hears how many pairs are made, and the differences so far.
type Hearing<'a> = (&'a (dyn Fn(u64) + Sync), &'a (dyn Fn(&Chances) + Sync));

/// Of more results than these nothing is said while somebody waits.
const TOLD: usize = 3;

/// The differences known so far, in a line: the largest with their intervals.
fn so_far(difference: &Chances) -> String {
    let mut results: Vec<(&String, &Number)> = difference.results.iter().collect();
    let size = |number: &Number| number.middle().abs();
    results.sort_by(|(_, one), (_, other)| size(other).total_cmp(&size(one)));
    let told =
        results.iter().take(TOLD).map(|(name, points)| format!("{name} {}", points.as_points()));
    told.collect::<Vec<_>>().join(", ")
}

impl Known {
    /// The numbers.
    pub fn chances(&self) -> &Chances {
        match self {
            Known::Odds(odds) => &odds.chances,
            Known::Estimated(estimated) => &estimated.chances,
        }
    }

    /// For people, as `odds` or `estimate` prints it.
    pub fn as_text(&self, width: usize, plain: bool) -> String {
        match self {
            Known::Odds(odds) => odds.as_text(width, plain),
            Known::Estimated(estimated) => estimated.as_text(width, plain),
        }
    }
}
