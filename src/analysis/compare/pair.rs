//! The two sides of a comparison: a scenario under its own rules and under changed ones, with the
//! same seats. Their difference is found by searching exact odds and making pairs of playouts in turn.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::{Compared, Refused};
use crate::analysis::batches::FailedPlayout;
use crate::analysis::estimate::{IN_HASTE, so_far};
use crate::analysis::portrait::{difference, is_far_larger};
use crate::analysis::{Chances, Enough, Sampling, Seeking, Stage, exploring, halved};
use crate::conflict::{Conflict, Seating};
use crate::error::{Cut, Error};
use crate::number::Quantity;
use crate::report;
use crate::report::{Block, Report};

/// Whether enough pairs were made, by their number, to explore before the others.
pub(super) type Pauses<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// A scenario under its own rules and under changed ones.
pub struct Pair {
    /// As the scenario has them.
    pub base: Seating,
    /// With the changes.
    pub house: Seating,
    /// The changes, in words: `cheap_mana`, `tie=attacker`.
    pub changes: Vec<String>,
    players: IndexSet<String>,
}

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The scenario's own rules.
    Base,
    /// The changed ones.
    House,
}

impl Side {
    pub(super) const BOTH: [Side; 2] = [Side::Base, Side::House];
}

/// Whether playouts met more nodes than are explored: then there are no exact odds.
struct Large<'a> {
    pair: &'a Pair,
    nodes: u64,
    /// How many each side's graph had before.
    before: [u64; 2],
}

impl Large<'_> {
    /// What is found from now on, where this many nodes are explored.
    fn than(pair: &Pair, nodes: u64) -> Large<'_> {
        let before = Side::BOTH.map(|side| pair.seating(side).graph.nodes());
        Large { pair, nodes, before }
    }

    /// The side that met more nodes, if one did. Who thinks ahead knows of nodes that are never met.
    fn side(&self) -> Option<Side> {
        let sides = Side::BOTH.into_iter().zip(self.before);
        let mut large = sides.filter(|(side, before)| {
            let seating = self.pair.seating(*side);
            seating.graph.nodes().saturating_sub(*before) > self.nodes && !seating.thinks()
        });
        large.next().map(|(side, _)| side)
    }

    /// Why there are no exact odds, if some playouts tell that a side has far more nodes, before the pairs are made.
    fn foreseen(&self) -> Option<String> {
        // What fails there is reported by the pairs.
        let is_far =
            |side: &Side| is_far_larger(self.pair.seating(*side), self.nodes).unwrap_or(false);
        let side = Side::BOTH.into_iter().find(is_far)?;
        let nodes = report::many(self.nodes, "node");
        Some(format!("{}: there are far more than {nodes}", self.pair.name(side)))
    }

    /// Why there are no exact odds, if more nodes were met: what to find takes as long as hundreds of playouts.
    fn reason(&self) -> Option<String> {
        let side = self.side()?;
        let nodes = report::many(self.nodes, "node");
        Some(format!("{}: there are more than {nodes}", self.pair.name(side)))
    }
}

impl Pair {
    /// Seats the agents of both, with graphs that together may take this many bytes; `changes` say in words how the
    /// second differs from the first.
    ///
    /// # Errors
    /// Those of seats that name no player or agent.
    pub fn between(
        base: &Conflict,
        house: &Conflict,
        changes: Vec<String>,
        memory: u64,
    ) -> Result<Pair, Error> {
        // With less there is no room for the first nodes.
        let half = (memory / 2).max(1 << 20);
        let (base, house) = (Seating::new(base, half)?, Seating::new(house, half)?);
        let players = base.players.names.iter().chain(&house.players.names).cloned().collect();
        Ok(Pair { base, house, changes, players })
    }

    /// The pair under one budget, which begins now and may take so long.
    pub fn within(&self, time: Option<Duration>) -> Pair {
        let budget = self.base.budget().begin(time);
        self.with_seatings(|seating| seating.under(budget.clone()))
    }

    /// The pair with other seatings of the same: under another budget.
    pub(crate) fn with_seatings(&self, other: impl Fn(&Seating) -> Seating) -> Pair {
        let (base, house) = (other(&self.base), other(&self.house));
        let (changes, players) = (self.changes.clone(), self.players.clone());
        Pair { base, house, changes, players }
    }

    /// The seats of one of the two.
    pub fn seating(&self, side: Side) -> &Seating {
        match side {
            Side::Base => &self.base,
            Side::House => &self.house,
        }
    }

    /// The name of one side for people: `the rules`, `cheap_mana`.
    pub fn name(&self, side: Side) -> String {
        match side {
            Side::Base => "the rules".to_owned(),
            Side::House => report::enumerated(&report::ticked(&self.changes)),
        }
    }

    /// Whether both are the same after all: a parameter may be given the value that it has.
    pub fn is_same(&self) -> bool {
        self.base.graph.identity() == self.house.graph.identity()
    }

    /// All players, of both.
    pub fn players(&self) -> &IndexSet<String> {
        &self.players
    }

    /// Whether a result is named after a player or a side.
    pub(crate) fn is_somebody(&self, result: &str) -> bool {
        let is_side = |seating: &Seating| seating.players.sides.contains_key(result);
        self.players.contains(result) || is_side(&self.base) || is_side(&self.house)
    }
}

/// What is said where somebody interrupted the search for exact odds.
const INTERRUPTED: &str =
    "no exact odds: interrupted; a few playouts in pairs, Ctrl-C ends those too";

/// This many nodes are explored before the first pairs.
const FIRST_NODES: u64 = 2_000;
/// This many pairs are made before the other nodes: it takes about as long.
const FIRST_PAIRS: u64 = 2_048;

impl Compared {
    /// Finds the difference as well as it can be found: exactly, else from playouts in pairs. Of the time
    /// that there is, both share half, and the other half is left; where not one pair was made by then, a
    /// few are made in that. Pairs are made before the larger part of the exploring, and instead of it
    /// where they meet more nodes than are explored, or where they stop since the answer is clear.
    ///
    /// # Errors
    /// As [`Compared::sample`].
    pub fn find(
        pair: &Pair,
        float: bool,
        sampling: Sampling,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Compared, FailedPlayout> {
        let played = |done| progress(Stage::Playouts(done, sampling.known_total()));
        let known = |difference: &Chances| {
            progress(Stage::Known(so_far(
                difference,
                Quantity::as_points,
                sampling.enough.within(),
            )));
        };
        let whole = pair;
        let pair = &whole.with_seatings(halved);
        let sample = |pauses: Option<Pauses<'_>>| match Compared::sample_up_to(
            pair,
            sampling,
            pauses,
            (&played, &known),
        ) {
            Err(FailedPlayout { error, .. })
                if matches!(error.cut(), Some(Cut::Time(_))) && whole.base.is_wanted().is_ok() =>
            {
                let few = Sampling { n: sampling.n.min(IN_HASTE), ..sampling };
                let made = Compared::sample_up_to(whole, few, pauses, (&played, &known))?;
                Ok(Compared { cut: error.cut(), ..made })
            }
            made => made,
        };
        let exactly = |nodes| {
            let seeking = Seeking { float, threads: sampling.threads, nodes };
            let seen = exploring(&pair.base, progress);
            Compared::exactly(&pair.with_seatings(halved), seeking, sampling.seed, &seen)
        };
        let all = sampling.explores(&pair.base);
        let large = Large::than(pair, all);
        let paused = AtomicBool::new(false);
        let pauses = |pairs| {
            let more = pairs < sampling.n;
            let pause = more && pairs >= FIRST_PAIRS && large.side().is_none();
            paused.store(pause, Ordering::Relaxed);
            pause
        };
        let (mut notice, mut made) = (None, None);
        for nodes in if all > FIRST_NODES { vec![FIRST_NODES, all] } else { vec![all] } {
            match exactly(nodes)? {
                Ok(compared) => return Ok(compared),
                Err(refused) if refused.cut == Some(Cut::Interrupted) => {
                    progress(Stage::Notice(INTERRUPTED.to_owned()));
                    return Compared::in_haste(pair, sampling, &played);
                }
                Err(refused) => notice = Some(refused.notice()),
            }
            if nodes == all {
                break;
            }
            if let Some(reason) = large.foreseen() {
                notice = Some(Refused { reason, cut: None }.notice());
                break;
            }
            match sample(Some(&pauses)) {
                Ok(compared) => {
                    if let Some(reason) = large.reason() {
                        notice = Some(Refused { reason, cut: None }.notice());
                    } else if !compared.clear && compared.cut.is_none() {
                        made = (!paused.load(Ordering::Relaxed)).then_some(compared);
                        continue;
                    }
                    notice.into_iter().for_each(|notice| progress(Stage::Notice(notice)));
                    return Ok(compared);
                }
                // Exact odds may do without the playout that failed.
                Err(failed) if sampling.enough != Enough::Clear && !failed.error.is_asked_for() => {
                }
                Err(failed) => return Err(failed),
            }
        }
        notice.into_iter().for_each(|notice| progress(Stage::Notice(notice)));
        match made {
            Some(compared) => Ok(compared),
            None => sample(None),
        }
    }
}

/// What each of several changes did to the same rules.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedVariants {
    /// A comparison for each, under the same random numbers.
    pub variants: Vec<Compared>,
}

impl ComparedVariants {
    /// For people: one table of what the variants change, then each as it is compared alone; and for programs.
    pub fn report(&self, pairs: &[Pair], all: bool) -> Report<'_> {
        let names: Vec<String> = pairs.iter().map(|pair| pair.name(Side::House)).collect();
        let mut header = vec!["number".to_owned(), "rules".to_owned()];
        header.extend(pairs.iter().map(|pair| format!("`{}`", pair.changes.join(","))));
        let title = Block::title("the rules, and the difference under each variant");
        let table = Block::table(header, self.rows(names.len()));
        let mut blocks = vec![Block::Group(vec![title, table])];
        let mut seed = None;
        for ((variant, pair), name) in self.variants.iter().zip(pairs).zip(&names) {
            let report = variant.report(pair, all);
            seed = seed.or(report.seed);
            blocks.push(Block::Collapsed(format!("{name} and the rules"), report.blocks));
        }
        Report::of(self, blocks).seeded(seed)
    }

    fn rows(&self, count: usize) -> Vec<Vec<String>> {
        // Each number under the rules, then how it differs under each variant that has it.
        let mut rows: IndexMap<String, Vec<String>> = IndexMap::new();
        let mut add = |name: String, base: String, variant: usize, difference: String| {
            let row = rows
                .entry(name)
                .or_insert_with(|| [vec![base], vec![String::new(); count]].concat());
            row[variant + 1] = difference;
        };
        for (index, variant) in self.variants.iter().enumerate() {
            let base = variant.base.chances();
            for (name, number) in &variant.difference.results {
                let before = base.results.get(name).map(Quantity::as_share);
                add(name.clone(), before.unwrap_or("never".to_owned()), index, number.as_points());
            }
        }
        for (index, variant) in self.variants.iter().enumerate() {
            let base = variant.base.chances();
            for (player, number) in &variant.difference.utility {
                let before = base.utility.get(player).map(Quantity::as_utility);
                let name = format!("utility of {player}");
                add(
                    name,
                    before.unwrap_or("none".to_owned()),
                    index,
                    difference("utility", number),
                );
            }
        }
        let changed = self.variants.iter().flat_map(|one| one.contrast.changed_beside_odds());
        let changed: Vec<&str> = changed.map(|one| one.name.as_str()).collect();
        for (index, variant) in self.variants.iter().enumerate() {
            for measure in &variant.contrast.measures {
                if changed.contains(&measure.name.as_str()) {
                    let [before, difference] = measure.in_words();
                    add(measure.name.clone(), before, index, difference);
                }
            }
        }
        rows.into_iter().map(|(name, row)| [vec![name], row].concat()).collect()
    }
}
