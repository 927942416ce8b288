//! Finds what changed rules did: odds of both sides and their difference, exact or from playouts in
//! pairs.

mod difference;
mod diverge;
mod pair;
mod paired;
mod sentence;
mod step;

use serde_json::{Map, Value as Json, json};

pub use diverge::Way;
pub use pair::{Pair, Side};

use super::batches::{Done, Failed};
use super::chances::cut_off_text;
use super::estimate::in_haste;
use super::{Chances, Estimated, Odds, Sampling, Seeking};
use crate::error::Error;
use crate::handlers::Generator;
use crate::render;

/// What is known of one side.
#[derive(Clone, Debug)]
pub enum Known {
    /// Its odds, which were found.
    Odds(u64, Chances),
    /// What playouts say.
    Estimated(Estimated),
}

/// What the changed rules did.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The seed of the playouts: of all numbers where these are sampled, and of the one shown.
    pub seed: u64,
    /// How many pairs of playouts the numbers stand on; 0 where they are not sampled.
    pub n: u64,
    /// The rules as the scenario has them.
    pub base: Known,
    /// The changed rules.
    pub house: Known,
    /// Changed less base: of each result's probability, and of each player's utility.
    pub difference: Chances,
    /// The first playout that ends otherwise under the changed rules, if one was met.
    pub first: Option<u64>,
    /// Whether somebody wanted it to stop before its time.
    pub interrupted: bool,
}

/// Why there is no exact difference.
#[derive(Clone, Debug)]
pub struct Refused {
    /// In words, with the side.
    pub reason: String,
    /// Whether somebody wanted it to stop.
    pub interrupted: bool,
}

/// So many pairs of playouts are tried to show one that ends otherwise, where odds are exact.
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
        for side in [Side::Base, Side::House] {
            let odds = Odds::find(pair.seating(side), seeking, progress)?;
            match odds.found {
                Ok(chances) => known.push((odds.nodes, chances)),
                Err(reason) => {
                    let reason = format!("{}: {reason}", pair.name(side));
                    return Ok(Err(Refused { reason, interrupted: odds.interrupted }));
                }
            }
        }
        let [(nodes, base), (house_nodes, house)] = &known[..] else {
            return Err(Error::Interrupted);
        };
        let first = paired::first(pair, Sampling { seed, n: TRIED, within: None, threads: 1 })?;
        Ok(Ok(Compared {
            seed,
            n: 0,
            difference: difference::between(base, house).in_order(pair.players()),
            base: Known::Odds(*nodes, base.clone()),
            house: Known::Odds(*house_nodes, house.clone()),
            first,
            interrupted: false,
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
        let (met, done) = paired::play(pair, sampling, progress)?;
        let (seed, n, interrupted) = (sampling.seed, met.pairs(), done == Done::Interrupted);
        let known = |side| {
            let chances = met.side(side).in_order(&pair.seating(side).players.names);
            Known::Estimated(Estimated { seed, n, chances, interrupted })
        };
        Ok(Compared {
            seed,
            n,
            base: known(Side::Base),
            house: known(Side::House),
            difference: met.difference().in_order(pair.players()),
            first: met.first_different(),
            interrupted,
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
        Ok(Compared { interrupted: true, ..made? })
    }

    /// Whether every number is exact.
    pub fn is_exact(&self) -> bool {
        self.base.chances().is_exact() && self.house.chances().is_exact()
    }

    /// Whether every interval of a difference is within so much of its mean.
    pub fn is_within(&self, within: f64) -> bool {
        self.difference.half_width() <= within
    }

    /// The seed under which [`Compared::first`] is the first playout.
    pub fn first_seed(&self) -> Option<u64> {
        self.first.map(|playout| Generator::seed_of(self.seed, playout))
    }

    /// For programs.
    pub fn as_json(&self) -> Json {
        let mut difference = Map::new();
        self.difference.write_json(&mut difference);
        let mut json = json!({
            "exact": self.is_exact(),
            "n": self.n,
            "seed": self.seed,
            "base": self.base.as_json(),
            "house": self.house.as_json(),
            "difference": difference,
        });
        if let (Some(playout), Some(seed)) = (self.first, self.first_seed()) {
            json["first_different"] = json!({ "playout": playout, "seed": seed });
        }
        json
    }

    /// For people: a sentence that says what the changed rules did, then the numbers.
    pub fn as_text(&self, pair: &Pair, width: usize, plain: bool) -> String {
        let sentence = render::wrapped(&sentence::of(self, pair), width);
        let from = match (&self.base, &self.house) {
            (Known::Odds(base, _), Known::Odds(house, _)) => {
                let what = self.difference.title();
                let base = render::many(*base, "node");
                format!("{what}; {base} under the rules, {house} changed")
            }
            _ => format!(
                "estimated from {} pairs of playouts, seed {} (95 % intervals)",
                self.n, self.seed
            ),
        };
        let tables = self.tables(width, plain);
        format!("{sentence}\n\n{}\n{tables}", render::wrapped(&from, width))
    }

    fn tables(&self, width: usize, plain: bool) -> String {
        let (base, house) = (self.base.chances(), self.house.chances());
        let none = || "never".to_owned();
        let result = |(name, difference): (&String, &super::Number)| {
            let share = |side: &Chances| side.results.get(name).map_or_else(none, |n| n.as_share());
            vec![name.clone(), share(base), share(house), difference.as_points()]
        };
        let nothing = || "none".to_owned();
        let utility = |(name, difference): (&String, &super::Number)| {
            let worth =
                |side: &Chances| side.utility.get(name).map_or_else(nothing, |n| n.as_utility());
            vec![name.clone(), worth(base), worth(house), difference.as_utility()]
        };
        let results: Vec<_> = self.difference.results.iter().map(result).collect();
        let utility: Vec<_> = self.difference.utility.iter().map(utility).collect();
        let results =
            render::table(&["result", "rules", "changed", "points"], &results, width, plain);
        let utility =
            render::table(&["player", "rules", "changed", "difference"], &utility, width, plain);
        let cut_off = cut_off_text(self.difference.cut_off, width);
        format!("{results}{}\n\n{utility}{cut_off}", base.unlisted_text(width))
    }
}

impl Known {
    /// The numbers.
    pub fn chances(&self) -> &Chances {
        match self {
            Known::Odds(_, chances) => chances,
            Known::Estimated(estimated) => &estimated.chances,
        }
    }

    /// For programs, as `odds` or `estimate` print it.
    pub fn as_json(&self) -> Json {
        match self {
            Known::Odds(nodes, chances) => {
                let found = Ok(chances.clone());
                Odds { nodes: *nodes, found, interrupted: false, endless: false }.as_json()
            }
            Known::Estimated(estimated) => estimated.as_json(),
        }
    }
}
