//! A graph that was seen whole, and how it is explored so far; with what can be expected at each of its places, and what
//! is measured by its ends and by whole ways: results, numbers of outcomes, drama.

use std::collections::BTreeMap;

use hashbrown::HashSet;
use indexmap::IndexSet;
use num_traits::One;

use super::ended::{MOST, Verdict, at, parts_of, worths};
use super::glossary::{Along, By, EndMeasure, FIXED, GLOSSARY, fixed, is_share, said};
use super::portrait_measure::{Measure, Spread, WeightedValues};
use crate::analysis::Stage;
use crate::analysis::visits::{Visited, VisitsError};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::explored::ExploredGame;
use crate::game::Generator;
use crate::graph::{Bounds, Ending, NodeKind, Reach, WorkerFactory, explore, explore_from};
use crate::number::{Amount, Fraction, Quantity, about, fraction};

// Exploring: one option beyond at every decision that is reached, where that is worth it.

/// What is counted while a graph is explored that may not be seen whole.
const NODES_AT_MOST: &str = "nodes at most";

/// Playouts that are fewer meet too few questions twice, however few there are: one alone never meets any again.
const TELLING: u64 = 8;
/// Where more nodes may be explored, threads do that faster than playouts one after another meet a part of them.
const TRIED: u64 = 100_000;
/// Memory for the graph of these playouts, in bytes.
const MEMORY: u64 = 64 << 20;

/// Whether playouts tell that there are far more nodes than are to be explored: where these were all, of three tenths
/// as many met, a fifth of the second half would be known already, or more where some are likelier than others (the
/// birthday problem), and there are less than half of that. The playouts are the same for every seed, on a graph of their
/// own, so that whether a conflict is explored, and in which order, depends on it alone.
pub(crate) fn is_far_larger(seating: &Seating, nodes: u64) -> Result<bool, Error> {
    // Under agents whose answers have no table nothing is explored: they need not be asked.
    if nodes > TRIED || !seating.tabulates()? {
        return Ok(false);
    }
    let seating = seating.afresh(MEMORY);
    let (mut runner, enough) = (seating.playout_runner()?, nodes / 10 * 3);
    runner.count_to(u64::MAX);
    let (mut met, mut made) = (0, 0);
    // Of the second half, in which the beginnings that many share are known.
    let (mut late, mut known) = (0, 0);
    for playout in 0..enough {
        if met >= enough {
            break;
        }
        seating.is_wanted()?;
        runner.play(Generator::playout(0, playout))?;
        let questions = runner.questions();
        if met >= enough / 2 {
            late += questions;
            known += questions - runner.ran();
        }
        met += questions;
        made += 1;
    }
    // Without room nothing is known again, however few nodes there are.
    Ok(made >= TELLING && !seating.graph.is_full() && known * 10 < late)
}

/// Explores a conflict under the agents seated, and one option further at each decision; within bounds. Where it is not
/// seen whole, how far that came.
pub(super) fn explore_beyond(
    seating: &Seating,
    bounds: Bounds,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Result<ExploredGame, Reach>, Error> {
    let graph = &seating.graph;
    progress(Stage::Begin(NODES_AT_MOST));
    let progress = &|nodes| progress(Stage::Part(NODES_AT_MOST, nodes, bounds.nodes));
    let reach = explore(graph, seating, bounds, progress)?;
    if reach != Reach::Whole {
        return Ok(Err(reach));
    }
    let policies = seating.policies()?;
    let seated = seating.game(&policies, &[graph.root()])?;
    let (explorer, _) = seating.make_worker()?;
    let (mut wide, mut starts) = (HashSet::new(), vec![graph.root()]);
    // In the order in which they are found, which is the same for any number of threads.
    let mut fresh = IndexSet::new();
    for &number in &seated.nodes {
        let node = graph.node(number);
        if node.kind() != NodeKind::Decision {
            continue;
        }
        wide.insert(number);
        for answer in 0..node.answers() {
            let known = node.to(answer);
            let to = if known == 0 { explorer.next(number, answer)? } else { known };
            if to == 0 {
                return Ok(Err(Reach::Full));
            }
            if seated.place(to).is_none() {
                fresh.insert(to);
            }
        }
    }
    drop((explorer, seated));
    if !fresh.is_empty() {
        let fresh: Vec<u32> = fresh.into_iter().collect();
        let reach = explore_from(graph, seating, bounds, &fresh, progress)?;
        if reach != Reach::Whole {
            return Ok(Err(reach));
        }
        starts.extend(fresh);
    }
    seating.game_with(&policies, &starts, &wide).map(Ok)
}

// What can be expected at each place of a graph: what each seat has in the end, and who wins.

/// A graph, with what can be expected at each of its places.
pub(super) struct ValuedGraph<'a, A> {
    pub seating: &'a Seating,
    pub(crate) visited: Visited<A>,
    pub seats: Vec<Seat>,
    /// For each seat the difference of the most and the least that it has in any end.
    pub range: Vec<f64>,
    /// What each seat can expect at each place, above the least that it has in any end, seat by seat.
    expected: Vec<A>,
    /// The seats that win at each end; none of them in a tie.
    pub ends: Vec<Option<Vec<usize>>>,
    /// The chances of each seat to win at each place, the last one that of a tie; none where there are
    /// too many seats.
    beliefs: Vec<f64>,
}

/// Who won, as chances that are certain.
pub(super) fn won_by(winners: &[usize], states: usize) -> Vec<f64> {
    let is_so = |state| match winners.is_empty() {
        true => state + 1 == states,
        false => winners.contains(&state),
    };
    (0..states).map(|state| f64::from(u8::from(is_so(state)))).collect()
}

impl<'a, A: Amount> ValuedGraph<'a, A> {
    /// Puts an explored game into order, and values it, if its cycles can be solved.
    pub(super) fn of(
        seating: &'a Seating,
        seen: ExploredGame,
    ) -> Result<Result<ValuedGraph<'a, A>, VisitsError>, Error> {
        let (graph, seats) = (&*seating.graph, seating.players.seats());
        let may_continue = || seating.may_continue().is_ok();
        let order = seen.order(|place| seen.to.of(place as usize).iter().copied(), &may_continue);
        let (game, is_ordered) = match order {
            Some(Ok(order)) => (seen.reordered(&order), true),
            _ => (seen, false),
        };
        let mut visited = match Visited::<A>::within(seating, game)? {
            Ok(visited) => visited,
            Err(why) => return Ok(Err(why)),
        };
        visited.is_ordered = is_ordered;
        let game = &visited.game;
        let mut ends = vec![None; game.len()];
        let mut had: Vec<Option<Vec<Fraction>>> = vec![None; game.len()];
        for place in 0..game.len() {
            let Some(ending) = graph.ending(visited.node(graph, place)) else { continue };
            let worths = worths(ending, &seats);
            ends[place] = Some(Verdict::of(&worths).winners);
            had[place] = Some(worths);
        }
        let of_seat = |seat: usize| had.iter().flatten().map(move |worths| &worths[seat]);
        let each = 0..seats.len();
        let least: Vec<Fraction> =
            each.clone().map(|seat| of_seat(seat).min().cloned().unwrap_or_default()).collect();
        let most = each.map(|seat| of_seat(seat).max().cloned().unwrap_or_default());
        let range = most.zip(&least).map(|(most, least)| about(&(most - least))).collect();
        let believes = if seats.len() <= MOST { seats.len() + 1 } else { 0 };
        let mut expected = vec![A::zero(); game.len() * seats.len()];
        let mut beliefs = vec![0.0; game.len() * believes];
        for (place, (worths, winners)) in had.iter().zip(&ends).enumerate() {
            let (Some(worths), Some(winners)) = (worths, winners) else { continue };
            for (seat, worth) in worths.iter().enumerate() {
                let above = worth - &least[seat];
                let (part, whole) = (above.numer().magnitude(), above.denom().magnitude());
                expected[place * seats.len() + seat] = A::ratio(part, whole);
            }
            let wins = beliefs.get_mut(place * believes..(place + 1) * believes);
            wins.unwrap_or_default().copy_from_slice(&won_by(winners, believes));
        }
        let found = game
            .expect((&mut expected, seats.len()), &may_continue)
            .and_then(|()| game.expect((&mut beliefs, believes), &may_continue));
        seating.may_continue()?;
        let valued = ValuedGraph { seating, visited, seats, range, expected, ends, beliefs };
        Ok(found.map(|()| valued))
    }

    /// Whether a way through it is soon drawn, where its places lead back to each other.
    pub(super) fn is_soon_left(&self) -> bool {
        self.visited.is_ordered || self.often(|kind| kind != NodeKind::End) <= LONGEST
    }

    /// How many questions of such kinds a conflict has, as it is expected.
    pub(super) fn often(&self, is: impl Fn(NodeKind) -> bool) -> f64 {
        let graph = &*self.seating.graph;
        let places = (0..self.visited.game.len())
            .filter(|&place| is(self.visited.node(graph, place).kind()));
        places.map(|place| self.visited.visits[place].about()).sum()
    }

    /// What a seat can expect at a place, above its least.
    pub(super) fn expected(&self, place: usize, seat: usize) -> &A {
        &self.expected[place * self.seats.len() + seat]
    }

    /// The chance of each seat to win at a place, and last that of a tie; empty where there are too many
    /// seats.
    pub(super) fn beliefs(&self, place: usize) -> &[f64] {
        let each = self.beliefs.len() / self.visited.game.len().max(1);
        self.beliefs.get(place * each..(place + 1) * each).unwrap_or_default()
    }

    /// How likely each move of the chances from a place is, and the sum of the squares by which all of them move.
    fn moves(&self, place: usize) -> Vec<(f64, f64)> {
        let here = self.beliefs(place);
        let edges = self.visited.edges(place).filter(|edge| !edge.chance.is_zero());
        let squares = |to: usize| here.iter().zip(self.beliefs(to)).map(|(a, b)| (a - b) * (a - b));
        edges.map(|edge| (edge.chance.about(), squares(edge.to).sum())).collect()
    }

    pub(super) fn seat_of(&self, player: &str) -> Option<usize> {
        self.seats.iter().position(|seat| seat.players.iter().any(|one| one == player))
    }

    /// The ends that are reached, each with how likely it is.
    pub(super) fn ended(&self) -> impl Iterator<Item = (usize, &Ending, &A)> {
        let graph = &*self.seating.graph;
        (0..self.visited.game.len()).filter_map(move |place| {
            let ending = graph.ending(self.visited.node(graph, place))?;
            let visits = &self.visited.visits[place];
            (!visits.is_zero()).then_some((place, ending, visits))
        })
    }
}

// What the ends say.

/// What the ends say, where this seat is the first.
pub(super) fn results<A: Amount>(valued: &ValuedGraph<'_, A>, first: usize) -> Vec<Measure> {
    let mut all: BTreeMap<EndMeasure, WeightedValues<A>> = BTreeMap::new();
    for (_, ending, chance) in valued.ended() {
        for (measure, value) in said(ending, &valued.seats, first) {
            all.entry(measure).or_default().add(value, chance);
        }
    }
    let measure = |((entry, _, name), values): (EndMeasure, WeightedValues<A>)| {
        if is_share(entry) {
            return Measure::new(name, &values.chance(&Fraction::one()).quantity());
        }
        Measure::new(name, &values.mean()).spreading(values.spread())
    };
    all.into_iter().map(measure).collect()
}

/// The means of parts of utilities, where they are wanted, and of the numbers of these names that outcomes have; and
/// whether all ends were read for the parts. Where these are not asked for by name, none is known if the first end has
/// none.
pub(super) fn outcomes<A: Amount>(
    valued: &ValuedGraph<'_, A>,
    parts: Option<bool>,
    names: &[String],
) -> Result<(Vec<Measure>, bool), Error> {
    if parts.is_none() && names.is_empty() {
        return Ok((Vec::new(), false));
    }
    let (mut reads_parts, mut is_sure) = (parts.is_some(), parts == Some(true));
    let (explorer, _) = valued.seating.make_worker()?;
    let mut all: BTreeMap<String, WeightedValues<A>> = BTreeMap::new();
    for (place, _, chance) in valued.ended() {
        if !reads_parts && names.is_empty() {
            break;
        }
        valued.seating.may_continue()?;
        let Some(outcome) = explorer.outcome(valued.visited.game.nodes[place])? else { continue };
        is_sure |= reads_parts && outcome.get("parts").is_some();
        reads_parts &= is_sure;
        let of_parts =
            if reads_parts { parts_of(&outcome, &valued.seats) } else { BTreeMap::new() };
        let number =
            |name: &String| Some((format!("outcome.{name}"), fraction(at(&outcome, name)?)?));
        for (name, number) in of_parts.into_iter().chain(names.iter().filter_map(number)) {
            all.entry(name).or_default().add(number, chance);
        }
    }
    let measure = |(name, all): (String, WeightedValues<A>)| {
        if name.starts_with("parts.") {
            return Some(Measure::new(name, &all.mean()));
        }
        let mean = all.share_of(&all.mean())?;
        Some(Measure::new(name, &mean).spreading(all.spread()))
    };
    Ok((all.into_iter().filter_map(measure).collect(), reads_parts))
}

// Ways: grouped by what matters of them, or drawn at random where there are too many groups.

/// More steps of groups than these are not gone through.
const WORK: usize = 4_000_000;
/// This many ways are drawn then.
const DRAWN: u64 = 10_000;
/// Where they lead through cycles and have more questions than these on average, none is drawn.
const LONGEST: f64 = 1_000.0;

pub(super) struct Ways<S> {
    /// The end of each, what matters of it, and its share.
    pub all: Vec<(usize, S, f64)>,
    /// Whether they were drawn.
    pub drawn: bool,
}

impl<S: Ord + Clone> Ways<S> {
    /// The ways from the beginning, where this matters of them, to the ends. `along` says what matters after an answer, by
    /// its number among those of a place, that leads to another place; `size`, how much work a group is.
    pub(super) fn of<A: Amount>(
        visited: &Visited<A>,
        seed: u64,
        (first, along): (S, impl Fn(&mut S, usize, usize, usize)),
        size: fn(&S) -> usize,
    ) -> Ways<S> {
        let grouped = Ways::grouped(visited, &first, &along, size);
        grouped.unwrap_or_else(|| Ways::drawn(visited, seed, &first, &along))
    }

    /// The same in groups; nothing where these are too many, or places lead back to each other.
    pub(super) fn grouped<A: Amount>(
        visited: &Visited<A>,
        first: &S,
        along: &impl Fn(&mut S, usize, usize, usize),
        size: fn(&S) -> usize,
    ) -> Option<Ways<S>> {
        if !visited.is_ordered {
            return None;
        }
        let mut open: Vec<BTreeMap<S, f64>> =
            (0..visited.game.len()).map(|_| BTreeMap::new()).collect();
        open[visited.root].insert(first.clone(), 1.0);
        let (mut ends, mut work) = (Vec::new(), 0);
        for place in visited.root..visited.game.len() {
            let states = std::mem::take(&mut open[place]);
            let edges = visited.edges(place);
            work += states.keys().map(size).sum::<usize>() * edges.len().max(1);
            if work > WORK {
                return None;
            }
            if edges.len() == 0 {
                ends.extend(states.into_iter().map(|(state, chance)| (place, state, chance)));
                continue;
            }
            for (number, edge) in edges.enumerate() {
                let share = edge.chance.about();
                if share == 0.0 {
                    continue;
                }
                for (state, chance) in &states {
                    let mut next = state.clone();
                    along(&mut next, place, number, edge.to);
                    *open[edge.to].entry(next).or_default() += chance * share;
                }
            }
        }
        Some(Ways { all: ends, drawn: false })
    }

    /// The mean of what `value` says of each way, over those of which it says something.
    pub(super) fn measure(
        &self,
        name: &str,
        value: impl Fn(usize, &S) -> Option<f64>,
    ) -> Option<Measure> {
        let weighed =
            self.all.iter().filter_map(|(end, state, share)| Some((value(*end, state)?, *share)));
        let weighed: Vec<(f64, f64)> = weighed.collect();
        let whole: f64 = weighed.iter().map(|(_, share)| share).sum();
        if whole <= 0.0 {
            return None;
        }
        let measure = match self.drawn {
            true => {
                let values: Vec<f64> = weighed.iter().map(|(value, _)| *value).collect();
                Measure::new(name, &Quantity::mean_of(&values)?)
            }
            false => {
                let mean = weighed.iter().map(|(value, share)| value * share).sum::<f64>() / whole;
                Measure::close(name, mean)
            }
        };
        Some(measure.spreading(Spread::of(weighed)))
    }
}

impl<S: Clone> Ways<S> {
    pub(super) fn drawn<A: Amount>(
        visited: &Visited<A>,
        seed: u64,
        first: &S,
        along: &impl Fn(&mut S, usize, usize, usize),
    ) -> Ways<S> {
        let draw = |playout| {
            let mut rng = Generator::playout(seed, playout);
            let (mut place, mut state) = (visited.root, first.clone());
            loop {
                let edges = visited.edges(place);
                // 53 bits are what a float holds.
                let lot = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                let mut below = 0.0;
                let possible = edges.enumerate().filter(|(_, edge)| !edge.chance.is_zero());
                let mut picked = None;
                for (number, edge) in possible {
                    picked = Some((number, edge.to));
                    below += edge.chance.about();
                    if lot < below {
                        break;
                    }
                }
                let Some((number, to)) = picked else {
                    return (place, state, 1.0 / DRAWN as f64);
                };
                along(&mut state, place, number, to);
                place = to;
            }
        };
        Ways { all: (0..DRAWN).map(draw).collect(), drawn: true }
    }
}

// Drama: how the chances to win move along a conflict.
//
// Suspense and surprise after Ely, Frankel and Kamenica, Suspense and Surprise, Journal of Political
// Economy 123, 2015: what they call the state is here whether each seat wins, and whether there is a tie.
// Both are summed over the conflict.

/// The drama of a graph; nothing where nobody wins.
pub(super) fn drama<A: Amount>(valued: &ValuedGraph<'_, A>, seed: u64) -> Vec<Measure> {
    let visited = &valued.visited;
    let is_won = |place: usize| valued.ends[place].as_ref().is_some_and(|won| !won.is_empty());
    let reached = |place: usize| visited.is_visited(place) && is_won(place);
    if valued.seats.len() < 2
        || !(0..visited.game.len()).any(reached)
        || valued.beliefs(0).is_empty()
    {
        return Vec::new();
    }
    let mut all: Vec<Measure> = Vec::new();
    for meaning in &GLOSSARY {
        all.extend(match meaning.by {
            By::Way(note, value) => {
                let goes_on = |way: &mut Along, _: usize, _: usize, to: usize| {
                    note(way, valued.beliefs(to));
                };
                let mut begins = Along::new();
                note(&mut begins, valued.beliefs(visited.root));
                let winners = |end: usize| valued.ends[end].as_deref().unwrap_or_default();
                let ways = Ways::of(visited, seed, (begins, goes_on), size);
                ways.measure(meaning.name, |end, way| value(way, winners(end)))
            }
            By::Winner(note, value) => by_winner(valued, meaning.name, seed, note, value),
            By::Moves(of) => {
                let at = |place: usize| match visited.visits[place].about() {
                    0.0 => 0.0,
                    visits => visits * of(&valued.moves(place)),
                };
                let all = (0..visited.game.len()).map(at);
                Some(Measure::close(meaning.name, all.fold(0.0, |sum, one| sum + one)))
            }
            By::Leg(_) | By::Ratio(_) | By::End(_) | By::Study => None,
        });
    }
    all
}

/// How much work a group is: what is noted of it is compared.
fn size(way: &Along) -> usize {
    way.len().div_ceil(2)
}

/// The mean of what is another number for each winner, over the conflicts that somebody wins; of several winners the
/// mean of theirs.
fn by_winner<A: Amount>(
    valued: &ValuedGraph<'_, A>,
    name: &str,
    seed: u64,
    note: fn(&mut Along, f64),
    value: fn(&Along) -> f64,
) -> Option<Measure> {
    let (visited, seats) = (&valued.visited, valued.seats.len());
    let winners = |end: usize| valued.ends[end].as_deref().unwrap_or_default();
    let along = |way: &mut Along, seat: usize, to: usize| note(way, valued.beliefs(to)[seat]);
    let begin = |seat: usize| {
        let mut begins = Along::new();
        along(&mut begins, seat, visited.root);
        begins
    };
    let of_seat = |seat: usize| {
        let goes_on = |way: &mut Along, _, _, to: usize| along(way, seat, to);
        Ways::grouped(visited, &begin(seat), &goes_on, size)
    };
    let grouped: Option<Vec<Ways<Along>>> = (0..seats).map(of_seat).collect();
    // What differs in the last digits alone is the same.
    let ways = match grouped {
        Some(grouped) => {
            let of_seat = |(seat, ways): (usize, Ways<Along>)| {
                let own =
                    ways.all.into_iter().filter(move |(end, ..)| winners(*end).contains(&seat));
                let part = |end: usize| 1.0 / winners(end).len() as f64;
                own.map(move |(end, way, chance)| (end, fixed(value(&way)), chance * part(end)))
            };
            let all = grouped.into_iter().enumerate().flat_map(of_seat).collect();
            Ways { all, drawn: false }
        }
        None => {
            let begins: Vec<Along> = (0..seats).map(begin).collect();
            let goes_on = |ways: &mut Vec<Along>, _: usize, _: usize, to: usize| {
                ways.iter_mut().enumerate().for_each(|(seat, way)| along(way, seat, to));
            };
            let Ways { all, drawn } = Ways::drawn(visited, seed, &begins, &goes_on);
            let mean = |(end, ways, chance): (usize, Vec<Along>, f64)| {
                let own = winners(end);
                let sum: f64 = own.iter().map(|seat| value(&ways[*seat])).sum();
                (!own.is_empty()).then(|| (end, fixed(sum / own.len() as f64), chance))
            };
            Ways { all: all.into_iter().filter_map(mean).collect(), drawn }
        }
    };
    ways.measure(name, |_, value| Some(*value as f64 / FIXED))
}
