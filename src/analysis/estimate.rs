//! Estimates from playouts: this many are made under a seed, and counted in their order.

use std::ops::Range;
use std::sync::atomic::Ordering;

use hashbrown::HashMap;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

use super::batches::{BATCH, FailedPlayout, Looks, PlayoutWork, batch, stopped};
use super::chances::CountedEndings;
use super::{Chances, Stage};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::game::{Generator, Value};
use crate::graph::{Ending, check_utilities};
use crate::number::Quantity;
use crate::report::{self, Block, Report, headed};
use crate::script::Budget;

/// How many playouts to make, and how.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// The seed of all playouts; playout `i` has the generator of (seed, i).
    pub seed: u64,
    /// At most this many.
    pub n: u64,
    /// When fewer are enough.
    pub enough: Enough,
    /// How many threads make them. The numbers are the same for any.
    pub threads: usize,
}

/// When playouts are enough, before the number that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Enough {
    /// Never: all are made.
    All,
    /// Once every interval is within so much of its mean.
    Within(f64),
    /// Once the answer is clear to a percent: of an estimate, every interval is within a percentage point,
    /// or a hundredth of the utilities met; of a comparison, every difference is known to be above 0, below
    /// 0, or no more than that. That is looked at whenever there are twice as many pairs, and an answer that
    /// is called clear is wrong in 5 of 100 comparisons at most, over all looks and numbers together
    /// (Bonferroni).
    Clear,
}

impl Enough {
    /// The width that intervals are to have, if one was asked for.
    pub fn within(self) -> Option<f64> {
        match self {
            Enough::Within(within) => Some(within),
            Enough::All | Enough::Clear => None,
        }
    }
}

impl Sampling {
    /// How many are made where nobody says how many.
    pub const PLAYOUTS: u64 = 10_000;

    pub(crate) fn known_total(&self) -> Option<u64> {
        (self.enough == Enough::All).then_some(self.n)
    }

    /// How many nodes are explored at most before these playouts, which may save them: about as many
    /// as they would meet. Of agents who think ahead, each node costs a thought.
    pub fn explores(&self, seating: &Seating) -> u64 {
        let most = if seating.thinks() { NODES_OF_THINKERS } else { NODES };
        self.n.saturating_mul(NODES_A_PLAYOUT).clamp(NODES_OF_THINKERS, most)
    }
}

/// Whether work came to its end: a `bool` in place of the reason why it did not.
pub(super) mod complete {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::error::Cut;

    pub(crate) fn serialize<S: Serializer>(
        cut: &Option<Cut>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(cut.is_none())
    }

    /// A script of the lab knows no reason, only that there was one.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Cut>, D::Error> {
        Ok((!bool::deserialize(deserializer)?).then_some(Cut::Interrupted))
    }
}

/// Behind a number of playouts that is smaller than it might have been.
const ENOUGH: &str = "; the answer is clear, `-n` makes more";

/// This many playouts are made for somebody in haste.
pub(super) const IN_HASTE: u64 = 100;

/// Makes a few playouts for somebody who wanted it to stop before there was anything to show.
pub(super) fn in_haste<T>(
    budget: &Budget,
    sampling: Sampling,
    make: impl FnOnce(Sampling) -> T,
) -> T {
    let raise = |up| budget.interrupt().iter().for_each(|flag| flag.store(up, Ordering::Relaxed));
    raise(false);
    let made = make(Sampling { n: sampling.n.min(IN_HASTE), ..sampling });
    raise(true);
    made
}

/// Nodes for each playout that may be explored to save it.
const NODES_A_PLAYOUT: u64 = 20;
/// More nodes would take minutes, however many the playouts.
const NODES: u64 = 50_000;
/// Fewer are explored in seconds, whoever plays.
const NODES_OF_THINKERS: u64 = 2_000;

/// The chances that playouts show.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Estimated {
    /// Always `false`.
    pub exact: bool,
    /// The seed they were made under.
    #[serde(deserialize_with = "read_seed")]
    pub seed: u64,
    /// How many there were.
    pub n: u64,
    /// Whether all were made that were wanted.
    #[serde(default, rename = "complete", with = "complete")]
    pub cut: Option<Cut>,
    /// What they say.
    #[serde(flatten)]
    pub chances: Chances,
    /// Whether it ended since the answer was clear.
    #[serde(skip)]
    pub clear: bool,
}

/// Reads a seed back from a script of the lab, where one of more than 63 bits is a text.
pub(super) fn read_seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    value.to_string().parse().map_err(D::Error::custom)
}

impl Estimated {
    /// Makes playouts on the graph; `stage` hears how many are done, and what is known so far. Playouts begin at these
    /// nodes of the seating's graph in turn, where there are any, else at the beginning.
    ///
    /// # Errors
    /// Those of the rules and agents; [`Error::Interrupted`] or
    /// [`Error::Bound`] where not one playout was made.
    pub fn watched(
        seating: &Seating,
        sampling: Sampling,
        from: &[u32],
        stage: &(dyn Fn(Stage) + Sync),
    ) -> Result<Estimated, FailedPlayout> {
        let known = |chances: &Chances| {
            stage(Stage::Known(so_far(chances, Quantity::as_share, sampling.enough.within())));
        };
        let total = sampling.known_total();
        let progress = |done| stage(Stage::Playouts(done, total));
        Ok(made(seating, sampling, from, (&progress, &known))?.0)
    }

    pub(crate) fn counted(
        seating: &Seating,
        sampling: Sampling,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Estimated, CountedEndings), FailedPlayout> {
        made(seating, sampling, &[], (progress, &|_| ()))
    }

    /// For people and for programs.
    pub fn report(&self) -> Report<'_> {
        Report::of(self, self.blocks()).seeded(self.seed)
    }

    pub(super) fn blocks(&self) -> Vec<Block> {
        let (n, seed) = (report::many(self.n, "playout"), self.seed);
        let enough = if self.clear { ENOUGH } else { "" };
        let heading = format!("estimated from {n}, seed {seed} (95 % intervals){enough}");
        headed(heading, self.chances.blocks())
    }
}

/// Who hears how many playouts are made, and what is known so far.
pub(super) type Hearing<'a> = (&'a (dyn Fn(u64) + Sync), &'a (dyn Fn(&Chances) + Sync));

/// Of more results than these nothing is said while somebody waits.
const SHOWN: usize = 3;

/// What is known so far, in a line: the largest results with their intervals, and the utility that is waited for where
/// intervals are to be within a distance of their means.
pub(super) fn so_far(
    chances: &Chances,
    text: fn(&Quantity) -> String,
    within: Option<f64>,
) -> String {
    let mut results: Vec<(&String, &Quantity)> = chances.results.iter().collect();
    let size = |number: &Quantity| number.value.abs();
    results.sort_by(|(_, one), (_, other)| size(other).total_cmp(&size(one)));
    let shown = results.iter().take(SHOWN).map(|(name, number)| format!("{name} {}", text(number)));
    let waits_for = chances
        .waits_for(within)
        .map(|(player, number)| format!("utility of {player} {}", number.as_utility()));
    shown.chain(waits_for).collect::<Vec<_>>().join(", ")
}

/// Behind a heading that says that numbers are exact: where those come from that are not.
pub(super) fn beside_exact(seed: u64) -> String {
    format!("; 95 % intervals are from playouts, seed {seed}")
}

/// Makes playouts that begin at these nodes in turn, or at the beginning where there are none.
fn made(
    seating: &Seating,
    sampling: Sampling,
    from: &[u32],
    (progress, known): Hearing<'_>,
) -> Result<(Estimated, CountedEndings), FailedPlayout> {
    let graph = &seating.graph;
    // What else a graph knows depends on the threads, unless it was explored whole; and from a place on it may be out of
    // reach.
    let whole = from.is_empty() && graph.is_whole();
    let described = |counts: &HashMap<u32, u64>| {
        let counts = counts.iter().map(|(&number, &count)| (number, count));
        let possible = whole.then(|| graph.endings().map(|(number, _)| (number, 0)));
        CountedEndings::new(counts.chain(possible.into_iter().flatten()), |number| {
            graph.ending_of(number)
        })
    };
    let chances = |tally: &CountedEndings| Chances::sampled(tally).in_order(&seating.players.names);
    let (mut made, mut looks, mut is_enough) = (0, Looks::often(), false);
    let mut counted: HashMap<u32, u64> = HashMap::new();
    let work = PlayoutWork { n: sampling.n, threads: sampling.threads, progress };
    let done = work.in_order(
        &|| {
            let mut runner = seating.playout_runner()?;
            Ok(move |playouts: Range<u64>| {
                seating.is_wanted()?;
                batch(playouts, |playout| {
                    let number = (sampling.seed, playout);
                    let rng = Generator::playout(number.0, playout);
                    match from.get((playout % from.len().max(1) as u64) as usize) {
                        // What led to a place that only looks like the one at hand is nobody's.
                        Some(&node) => Ok(runner.play_from(node, rng, &mut ())?),
                        None => runner.play(rng).map_err(|error| {
                            FailedPlayout::of(&mut runner, number, seating, error)
                        }),
                    }
                })
            })
        },
        &mut |endings: Vec<u32>| {
            endings.into_iter().for_each(|ending| *counted.entry(ending).or_default() += 1);
            made += BATCH;
            if !looks.is_due(made) {
                return false;
            }
            let tally = described(&counted);
            let found = chances(&tally);
            known(&found);
            is_enough = match sampling.enough {
                Enough::All => false,
                Enough::Within(within) => found.is_enough(within, made),
                Enough::Clear => found.is_clear(tally.spread()),
            };
            is_enough && made < sampling.n
        },
    )?;
    check_utilities(graph, seating)?;
    let tally = described(&counted);
    let (seed, n) = (sampling.seed, tally.playouts());
    let clear = is_enough && sampling.enough == Enough::Clear;
    let cut = stopped(done, !is_enough && n < sampling.n, seating);
    let chances = chances(&tally);
    let estimated = Estimated { exact: false, seed, n, chances, cut, clear };
    Ok((estimated, tally))
}

/// Playouts from some places, as many from each, with the same random numbers from each.
pub(super) struct Rounds {
    /// The numbers of the endings of each place's.
    pub ends: Vec<Vec<u32>>,
    /// What ended them, if anything did.
    pub cut: Option<Cut>,
}

impl Rounds {
    /// None yet, from this many places.
    pub(super) fn of(places: usize) -> Rounds {
        Rounds { ends: vec![Vec::new(); places], cut: None }
    }

    pub(super) fn made(&self) -> u64 {
        self.ends.first().map_or(0, |ends| ends.len() as u64)
    }

    /// Makes whole rounds, each by its number, until there are this many or something stops it, which is an error where
    /// there is none.
    pub(super) fn make(
        &mut self,
        n: u64,
        progress: &dyn Fn(u64),
        mut round: impl FnMut(u64) -> Result<Vec<u32>, Error>,
    ) -> Result<(), Error> {
        while !self.ends.is_empty() && self.made() < n && self.cut.is_none() {
            let made = self.made();
            progress(made);
            match round(made) {
                Ok(ends) => self.ends.iter_mut().zip(ends).for_each(|(all, end)| all.push(end)),
                Err(error) => match error.cut() {
                    Some(cut) if made > 0 => self.cut = Some(cut),
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }

    /// The chances of playouts that ended so.
    pub(super) fn chances<'a>(ends: &[u32], ending: impl Fn(u32) -> Option<&'a Ending>) -> Chances {
        Chances::sampled(&CountedEndings::new(ends.iter().map(|&end| (end, 1)), ending))
    }
}
