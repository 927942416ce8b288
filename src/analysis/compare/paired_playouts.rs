//! Playouts in pairs, and how they end. Both of a pair have the same random numbers, question by question.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use indexmap::{IndexMap, IndexSet};

use super::pair::{Pair, Pauses, Side};
use crate::analysis::batches::{FailedPlayout, Looks, PlayoutWork, batch, stopped};
use crate::analysis::chances::{CountedEndings, SMALL, spread};
use crate::analysis::portrait::{DecidedBy, REPLAYED, RESULT, Tested, UTILITY, of_pairs};
use crate::analysis::{Chances, Enough, Sampling};
use crate::error::{Cut, Error};
use crate::game::Generator;
use crate::graph::{Ending, check_utilities};
use crate::number::{NORMAL_95, Quantity, passed_with};
use crate::script::on_large_stack;

/// Pairs of endings: of the rules, and of the changed ones.
pub(super) struct EndingPairs<'a> {
    pair: &'a Pair,
    seen: EndCounts,
    /// All results of a graph that was explored whole. What else a graph knows depends on the threads.
    known: BTreeSet<String>,
}

/// Changed less base: of each result's probability, and of each player's utility.
pub(super) struct Differences {
    results: BTreeMap<String, (Quantity, Tested)>,
    utility: IndexMap<String, (Quantity, Tested)>,
}

impl Differences {
    /// As how many tests all of them count where they are looked at so often.
    fn tests(&self, looks: u32) -> f64 {
        f64::from(looks) * (self.results.len() + self.utility.len()).max(1) as f64
    }

    pub(super) fn chances(&self) -> Chances {
        let number =
            |(name, (number, _)): (&String, &(Quantity, Tested))| (name.clone(), number.clone());
        Chances {
            results: self.results.iter().map(number).collect(),
            utility: self.utility.iter().map(number).collect(),
            unlisted: None,
            cut_off: 0.0,
            floats: false,
        }
    }

    /// The tests, by the names of measures; those of the last of these looks, where one ended the work.
    pub(super) fn tested(&self, looks: Option<u32>) -> BTreeMap<String, Tested> {
        let of = |tested: Tested| looks.map_or(tested, |looks| tested.among(self.tests(looks)));
        let results = self.results.iter();
        let results = results.map(|(name, (_, tested))| (format!("{RESULT}.{name}"), of(*tested)));
        let utility = self.utility.iter();
        let utility = utility.map(|(name, (_, tested))| (format!("{UTILITY}{name}"), of(*tested)));
        results.chain(utility).collect()
    }
}

/// The least and the greatest of numbers.
fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let ends = |(least, most): (f64, f64), one: f64| (least.min(one), most.max(one));
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), ends)
}

/// Numbers of endings -> how many pairs ended so, and the first of them.
type EndCounts = HashMap<(u32, u32), Ends>;

#[derive(Clone, Copy)]
struct Ends {
    count: u64,
    first: u64,
}

/// Makes pairs of playouts on the graphs of both sides, in order, up to the number after which `pauses` says so, for
/// which they tell whether a graph has more nodes than are explored: `known` hears the differences now and then. Says
/// beside the pairs what stopped it, and whether the answer was clear.
pub(super) fn play<'a>(
    pair: &'a Pair,
    sampling: Sampling,
    pauses: Option<Pauses<'_>>,
    progress: &(dyn Fn(u64) + Sync),
    known: &(dyn Fn(&Chances) + Sync),
) -> Result<(EndingPairs<'a>, Option<Cut>, bool), FailedPlayout> {
    let (mut is_enough, mut is_paused) = (false, false);
    let mut looks = match sampling.enough {
        Enough::Clear => Looks::doubling(),
        Enough::All | Enough::Within(_) => Looks::often(),
    };
    let (met, done) = work(
        pair,
        sampling,
        Quota {
            questions: u64::MAX,
            counted: REPLAYED,
            nodes: pauses.map_or(0, |_| sampling.explores(&pair.base)),
        },
        progress,
        &mut |met| {
            let made = met.pairs();
            if made < sampling.n && looks.is_due(made) {
                let difference = met.differences().chances();
                known(&difference);
                is_enough = match sampling.enough {
                    Enough::All => false,
                    Enough::Within(within) => difference.is_enough(within, made),
                    Enough::Clear => met.is_clear(Looks::doublings(sampling.n)),
                };
            }
            is_paused = !is_enough && pauses.is_some_and(|pauses| pauses(made));
            is_enough || is_paused
        },
    )?;
    let clear = is_enough && sampling.enough == Enough::Clear;
    let is_short = !is_enough && !is_paused && met.pairs() < sampling.n;
    Ok((met, stopped(done, is_short, &pair.base), clear))
}

/// Pairs are tried for this many questions at most: the graphs are known, and one example is wanted.
const QUESTIONS: u64 = 1_000_000;

/// The first pair that ends differently, among this many; fewer where they are long.
pub(super) fn first(pair: &Pair, sampling: Sampling) -> Result<Option<u64>, Error> {
    if pair.is_same() {
        return Ok(None);
    }
    let alone = Sampling { threads: 1, ..sampling };
    let quota = Quota { questions: QUESTIONS, counted: 0, nodes: 0 };
    match work(pair, alone, quota, &|_| (), &mut |met| met.first_different().is_some()) {
        Ok((met, _)) => Ok(met.first_different()),
        // What is known already is reported nevertheless.
        Err(failed) if failed.error.is_asked_for() => Ok(None),
        // So is what playouts run into that have no end within their limits.
        Err(failed) if failed.error.is_limit() => Ok(None),
        Err(failed) => Err(failed.error),
    }
}

/// How many questions a thread looks up or asks at most, and in how many pairs it is counted what the script runs: the
/// portraits of both sides need that. This many nodes more than there are may be met before it is known that a graph is
/// too large.
#[derive(Clone, Copy)]
struct Quota {
    questions: u64,
    counted: u64,
    nodes: u64,
}

/// Makes pairs until there are enough, or until a thread has had its questions.
fn work<'a>(
    pair: &'a Pair,
    sampling: Sampling,
    Quota { questions, counted, nodes }: Quota,
    progress: &(dyn Fn(u64) + Sync),
    enough: &mut (dyn FnMut(&EndingPairs<'a>) -> bool + Send),
) -> Result<(EndingPairs<'a>, Option<Cut>), FailedPlayout> {
    let whole = [&pair.base, &pair.house].into_iter().filter(|side| side.graph.is_whole());
    let known = whole.flat_map(|side| {
        side.graph.endings().map(|(_, ending)| ending.result.clone()).collect::<Vec<_>>()
    });
    let mut met = EndingPairs { pair, seen: EndCounts::new(), known: known.collect() };
    let most = [&pair.base, &pair.house].map(|side| side.graph.nodes().saturating_add(nodes));
    let work = PlayoutWork { n: sampling.n, threads: sampling.threads, progress };
    let done = work.in_order(
        &|| {
            let (mut base, mut house) = (pair.base.playout_runner()?, pair.house.playout_runner()?);
            base.count_to(most[0]);
            house.count_to(most[1]);
            let mut left = questions;
            Ok(move |playouts: Range<u64>| {
                pair.base.is_wanted()?;
                // Portraits of both sides need the same playouts.
                let both = batch(playouts, |playout| {
                    if left == 0 {
                        return Ok(None);
                    }
                    let (number, counts) = ((sampling.seed, playout), playout < counted);
                    let first = base.play_and_keep(number, counts);
                    let first = first
                        .map_err(|error| FailedPlayout::of(&mut base, number, &pair.base, error))?;
                    let second = house.play_and_keep(number, counts).map_err(|error| {
                        FailedPlayout::of(&mut house, number, &pair.house, error)
                    })?;
                    left = left.saturating_sub(base.questions() + house.questions());
                    Ok(Some((playout, (first, second))))
                })?;
                Ok(both.into_iter().flatten().collect())
            })
        },
        &mut |both: Vec<(u64, (u32, u32))>| {
            for (playout, ends) in both {
                // Batches come in their order, so what is there came first.
                met.seen.entry(ends).or_insert(Ends { count: 0, first: playout }).count += 1;
            }
            enough(&met)
        },
    )?;
    for seating in [&pair.base, &pair.house] {
        check_utilities(&seating.graph, seating)?;
    }
    Ok((met, done))
}

impl Pair {
    /// The side under whose rules a failing playout fails.
    pub fn failing(&self, seed: u64, playout: u64) -> Side {
        let fails = on_large_stack(|| {
            let mut runner = self.base.playout_runner()?;
            runner.play(Generator::playout(seed, playout)).map(|_| ())
        });
        if fails.is_err() { Side::Base } else { Side::House }
    }
}

impl EndingPairs<'_> {
    pub(super) fn pairs(&self) -> u64 {
        self.seen.values().map(|ends| ends.count).sum()
    }

    pub(super) fn side(&self, side: Side) -> Chances {
        let of_side = |(&(base, house), ends): (&(u32, u32), &Ends)| {
            (if side == Side::Base { base } else { house }, ends.count)
        };
        let (counts, graph) = (self.seen.iter().map(of_side), &self.pair.seating(side).graph);
        let counted = CountedEndings::new(counts, |number| graph.ending_of(number));
        Chances::sampled(&counted).listing(self.results())
    }

    /// All results that are known, of either side: what the one met the other may meet too.
    fn results(&self) -> BTreeSet<&String> {
        let met = self.endings().flat_map(|(base, house, _)| [&base.result, &house.result]);
        self.known.iter().chain(met).collect()
    }

    /// Whether every difference is clear: above 0, below 0, or small. With this many looks at this, and
    /// this many numbers, each has its part of the five in a hundred times that any of them is taken for
    /// clear and is not (Bonferroni). Where few pairs differ, only a share is clear, whose pairs differ by 1 at most.
    pub(super) fn is_clear(&self, looks: u32) -> bool {
        let all = self.differences();
        let tests = all.tests(looks);
        let wider = passed_with(0.025 / tests) / NORMAL_95;
        let clear = |small: f64| {
            move |(number, tested): &(Quantity, Tested)| {
                let (middle, (low, high)) = (number.value, number.range());
                let (low, high) =
                    (middle + wider * (low - middle), middle + wider * (high - middle));
                let is_small = (-small..=small).contains(&low) && high <= small;
                // What is the same in all pairs is clear to a percent of them.
                let is_same = number.is_unvaried() && middle == 0.0;
                is_same || tested.is_clear_among(tests) || is_small
            }
        };
        let spread = self.spread();
        let is_decided = |(_, tested): &(Quantity, Tested)| tested.decided_by != DecidedBy::Few;
        all.results.values().all(clear(SMALL))
            && all.utility.values().all(clear(SMALL * spread))
            && all.utility.values().all(is_decided)
    }

    fn spread(&self) -> f64 {
        spread(self.endings().flat_map(|(base, house, _)| [base, house]))
    }

    pub(super) fn first_different(&self) -> Option<u64> {
        let differ = self.endings().filter(|(base, house, _)| base != house);
        differ.map(|(.., ends)| ends.first).min()
    }

    /// Changed less base, each with its paired interval and its test.
    pub(super) fn differences(&self) -> Differences {
        let met: Vec<(&Ending, &Ending, Ends)> = self.endings().collect();
        let both = || met.iter().flat_map(|(base, house, _)| [*base, *house]);
        let results = self.results();
        let players: IndexSet<&String> = both().flat_map(|ending| ending.utility.keys()).collect();
        let share = |result: &String| {
            let pair = |(base, house, ends): &(&Ending, &Ending, Ends)| {
                let is = |ending: &Ending| f64::from(u8::from(ending.result == *result));
                (is(house) - is(base), ends.count)
            };
            of_pairs(&met.iter().map(pair).collect::<Vec<_>>(), true, (0.0, 0.0))
        };
        let utility = |player: &String| {
            let worth = |ending: &Ending| {
                ending.utility.get(player).and_then(|n| n.as_utility()).unwrap_or_default()
            };
            let pair = |(base, house, ends): &(&Ending, &Ending, Ends)| {
                ((worth(house), worth(base)), ends.count)
            };
            let mut pairs: Vec<((f64, f64), u64)> = met.iter().map(pair).collect();
            // The order in which endings were met must not move the last digit.
            pairs.sort_by(|(a, n), (b, m)| {
                a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(n.cmp(m))
            });
            let [base, house] = Side::BOTH.map(|side| range(self.possible(side).map(worth)));
            let apart: Vec<(f64, u64)> =
                pairs.iter().map(|((house, base), count)| (house - base, *count)).collect();
            of_pairs(&apart, false, (house.0 - base.1, house.1 - base.0))
        };
        let named = |name: &String, found| Some((name.clone(), found?));
        Differences {
            results: results.into_iter().filter_map(|name| named(name, share(name))).collect(),
            utility: players.into_iter().filter_map(|name| named(name, utility(name))).collect(),
        }
    }

    /// The ends of one side that were met, or all of a graph that was explored whole.
    fn possible(&self, side: Side) -> impl Iterator<Item = &Ending> {
        let graph = &self.pair.seating(side).graph;
        let whole = graph.is_whole().then(|| graph.endings().map(|(_, ending)| ending));
        let met = self.endings().map(move |(base, house, _)| match side {
            Side::Base => base,
            Side::House => house,
        });
        whole.into_iter().flatten().chain(met)
    }

    fn endings(&self) -> impl Iterator<Item = (&Ending, &Ending, Ends)> {
        let Pair { base, house, .. } = self.pair;
        self.seen.iter().filter_map(|(&(first, second), &ends)| {
            Some((base.graph.ending_of(first)?, house.graph.ending_of(second)?, ends))
        })
    }
}
