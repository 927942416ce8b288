//! The explored game as the sides see it: who moves at each place, what the ends are worth, and what kind of game
//! that is, tested on the graph and not declared.
//!
//! The nodes of a joint decision of two sides are one place with a table of what follows.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexSet;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use serde::{Serialize, Serializer};

use super::matrix::Scalar;
use crate::analysis::exact_utility;
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::explored::{Components, ExploredGame, Share, components, is_passed, surely};
use crate::game::Value;
use crate::graph::{Ending, Explorer, Graph, InformationSets, NodeKind};
use crate::number::{Fraction, is_whole, simplest_between};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    /// It is over; the number of the ending.
    End(u32),
    Chance,
    /// A side decides. Of two the first wants much, the second little.
    Side(u32),
    /// The first two sides at once: rows for the first, and this many columns for the second.
    Both(u32),
    /// A later part of a joint decision, which play never visits by itself.
    Part,
}

impl Mover {
    pub(crate) fn decides(self) -> bool {
        matches!(self, Mover::Side(_))
    }
}

/// The places that can be reached by any play; the first is the beginning.
pub(crate) struct Board {
    /// The sides; players of no side are sides of their own. Those that decide anywhere are first,
    /// both parts in the order of the setup.
    pub seats: Vec<Seat>,
    /// The number of sides that decide anywhere.
    pub sides: usize,
    /// The relation between the utilities of two sides that decide, if one wins what the other
    /// loses.
    pub(crate) opposed: Option<Opposed>,
    /// The places, and where they lead.
    pub game: ExploredGame,
    pub movers: Vec<Mover>,
    /// The joint decisions, by the places at which they begin.
    pub joint: HashMap<u32, JointDecision>,
    /// The utility of each different ending for each seat.
    pub worth: Vec<Vec<Fraction>>,
    /// Whether some utilities are floats, whose sums are the same within a tolerance.
    pub floats: bool,
    /// Whether somewhere more sides decide together than two, or one side with several parts.
    pub(crate) crowded: bool,
}

/// A joint decision of the first two sides.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointDecision {
    /// The side of the first part.
    pub first: usize,
    /// The place of one node of the second part.
    pub second: usize,
    /// The options of the first side, and of the second.
    pub size: [usize; 2],
    /// The place that each pair of options leads to, row by row; rows are the first side's options.
    pub to: Vec<u32>,
}

impl Board {
    /// Makes the board of a graph that has been explored whole, for any play.
    pub(crate) fn of(seating: &Seating) -> Result<Board, Error> {
        let graph = &*seating.graph;
        let SeatedGame { game, seats, mut movers, endings } = SeatedGame::at(seating)?;
        let side = |mover: &Mover| if let Mover::Side(side) = mover { Some(*side) } else { None };
        let decide: BTreeSet<u32> = movers.iter().filter_map(side).collect();
        let rest = (0..seats.len() as u32).filter(|seat| !decide.contains(seat));
        let order: Vec<u32> = decide.iter().copied().chain(rest).collect();
        let mut numbers = vec![0; seats.len()];
        (0..).zip(&order).for_each(|(now, &before)| numbers[before as usize] = now);
        for mover in &mut movers {
            if let Mover::Side(side) = mover {
                *side = numbers[*side as usize];
            }
        }
        let seats: Vec<Seat> = order.iter().map(|&seat| seats[seat as usize].clone()).collect();
        let (mut worth, floats) = worths(graph, &seats, &endings);
        let opposed = (decide.len() == 2).then(|| Opposed::of(&worth, [0, 1], floats)).flatten();
        if let Some(Opposed { most, rate }) = &opposed {
            // What the second side gets is the same to the last digit, however floats were rounded.
            worth.iter_mut().for_each(|worth| worth[1] = most - rate * &worth[0]);
        }
        let (sides, joint, crowded) = (decide.len(), HashMap::new(), false);
        let mut board =
            Board { seats, sides, opposed, game, movers, joint, worth, floats, crowded };
        board.join(seating)?;
        Ok(board)
    }

    /// Makes the board of a graph that has been explored under the agents in all seats but one, which is the first and
    /// decides alone: the agents play like dice. In a joint decision it decides first, since it does not see what the
    /// others pick.
    pub(crate) fn facing(seating: &Seating, free: &Seat) -> Result<Board, Error> {
        let graph = &*seating.graph;
        let SeatedGame { mut game, mut seats, mut movers, endings } = SeatedGame::at(seating)?;
        for mover in &mut movers {
            if let Mover::Side(side) = mover {
                let decides = seats[*side as usize] == *free;
                *mover = if decides { Mover::Side(0) } else { Mover::Chance };
            }
        }
        seats.sort_by_key(|seat| seat != free);
        let mut late = FirstPicks { game: &game, movers: &movers, behind: Vec::new() };
        let mut changed: Vec<(usize, PlaceMoves)> = Vec::new();
        for (place, &node) in game.nodes.iter().enumerate() {
            if place % 64 == 0 {
                seating.may_continue()?;
            }
            let Some((0, parts)) = graph.part(node) else { continue };
            let is_own = late.parts(place, parts);
            if is_own.windows(2).any(|pair| pair == [false, true]) {
                changed.push((place, late.moves(place, &is_own, &mut Vec::new())));
            }
        }
        let behind = late.behind;
        if !changed.is_empty() {
            movers.resize(game.len() + behind.len(), Mover::Chance);
            let all = changed.into_iter().chain((game.len()..).zip(behind));
            let changes = all.map(|(place, PlaceMoves { mover, node, steps })| {
                movers[place] = mover;
                (place, (node, steps))
            });
            game = game.changed(&changes.collect());
        }
        let (worth, _) = worths(graph, &seats, &endings);
        let (opposed, joint, floats, crowded) = (None, HashMap::new(), false, false);
        Ok(Board { seats, sides: 1, opposed, game, movers, joint, worth, floats, crowded })
    }

    /// Makes one place of the nodes of each joint decision of the first two sides.
    fn join(&mut self, seating: &Seating) -> Result<(), Error> {
        let graph = &*seating.graph;
        let mut joined = Vec::new();
        for place in 0..self.game.len() {
            if place % 64 == 0 {
                seating.may_continue()?;
            }
            let number = self.game.nodes[place];
            let Some((nth, asked)) = graph.part(number) else { continue };
            // One place of each part.
            let mut parts = vec![self.game.place(graph.first_part(number).0).unwrap_or_default()];
            while parts.len() < asked {
                let to = parts.last().and_then(|&last| self.game.to.of(last).first());
                parts.push(to.map_or(0, |&to| to as usize));
            }
            let movers: Vec<Mover> = parts.iter().map(|&part| self.movers[part]).collect();
            match (&movers[..], nth) {
                // What one side alone decides together may as well be decided in turn.
                (movers, _) if movers.iter().all(|&mover| mover == movers[0]) => {}
                (&[Mover::Side(first @ (0 | 1)), Mover::Side(0 | 1)], 0) => {
                    joined.push((place, Some(first as usize)));
                }
                (&[Mover::Side(0 | 1), Mover::Side(0 | 1)], _) => joined.push((place, None)),
                _ => self.crowded = true,
            }
        }
        for (place, first) in joined {
            match first {
                Some(first) => self.put_together(place, first),
                None => self.movers[place] = Mover::Part,
            }
        }
        Ok(())
    }

    /// Makes a joint decision of a place at which side `first` decides, and of those it leads to, at which the
    /// other does.
    pub(crate) fn put_together(&mut self, place: usize, first: usize) {
        let seconds = self.game.to.of(place);
        let second = seconds.first().copied().unwrap_or_default() as usize;
        let [rows, columns] = [seconds.len(), self.game.to.of(second).len()];
        let to = |row: usize, column: usize| self.game.to.of(seconds[row] as usize)[column];
        let (size, to) = match first {
            0 => ([rows, columns], pairs(rows, columns).map(|(own, its)| to(own, its)).collect()),
            _ => ([columns, rows], pairs(columns, rows).map(|(own, its)| to(its, own)).collect()),
        };
        self.movers[place] = Mover::Both(size[1] as u32);
        self.joint.insert(place as u32, JointDecision { first, second, size, to });
    }

    pub(crate) fn next(&self, place: usize) -> &[u32] {
        match self.movers.get(place) {
            Some(Mover::Both(_)) => self.table_at(place).map_or(&[], |joint| &joint.to),
            Some(Mover::Chance | Mover::Side(_)) => self.game.to.of(place),
            _ => &[],
        }
    }

    fn steps(&self, place: u32) -> impl Iterator<Item = u32> {
        self.next(place as usize).iter().copied()
    }

    pub(crate) fn table_at(&self, place: usize) -> Option<&JointDecision> {
        self.joint.get(&(place as u32))
    }

    pub(crate) fn components(&self) -> Components {
        components(self.game.len(), [0], |place| self.steps(place))
    }

    pub(crate) fn is_passed(&self, places: &[u32]) -> bool {
        is_passed(places, |place| self.steps(place))
    }

    /// The size of the largest set of places that lead back to each other, and of all such sets.
    pub(crate) fn cycles(&self) -> (usize, usize) {
        let found = self.components();
        let sizes = found.iter().filter(|places| !self.is_passed(places)).map(<[u32]>::len);
        sizes.fold((0, 0), |(largest, all), size| (largest.max(size), all + size))
    }

    /// The sum of the utilities of all players, if it is the same at all ends.
    pub(crate) fn constant(&self) -> Option<Fraction> {
        // A side is worth the mean of its players.
        let sum = |worth: &Vec<Fraction>| -> Fraction {
            let sums = worth.iter().zip(&self.seats);
            sums.map(|(mean, seat)| mean * BigInt::from(seat.players.len().max(1))).sum()
        };
        same(self.worth.iter().map(sum), &slack(&self.worth, self.floats))
    }

    /// The sides that decide, and those that get more at some ends than at others.
    pub(crate) fn stakes(&self) -> Vec<usize> {
        let slack = slack(&self.worth, self.floats);
        let worth = |side: usize| self.worth.iter().map(move |worth| worth[side].clone());
        let sides = 0..self.seats.len();
        sides.filter(|&side| side < self.sides || same(worth(side), &slack).is_none()).collect()
    }
}

impl JointDecision {
    /// The places that may follow each option of a side if the other side mixes so.
    pub(crate) fn answers<W: Scalar>(&self, side: usize, other: &[W]) -> Vec<Vec<(u32, W)>> {
        let to = |own: usize, its: usize| match side {
            0 => self.to[own * self.size[1] + its],
            _ => self.to[its * self.size[1] + own],
        };
        let mixed = || other.iter().enumerate().filter(|(_, weight)| !weight.is_zero());
        let answer = |own| mixed().map(|(its, weight)| (to(own, its), weight.clone())).collect();
        (0..self.size[side]).map(answer).collect()
    }
}

/// The places that may be met under the agents seated, and who moves at each.
pub(crate) struct SeatedGame {
    pub(crate) game: ExploredGame,
    /// Who moves at each of them: the numbers of seats, and of endings.
    pub(crate) movers: Vec<Mover>,
    /// The seats of the conflict; a player of no seat has one of their own behind these.
    pub seats: Vec<Seat>,
    /// The endings that differ, by their numbers in the graph, in the order of the places.
    pub(crate) endings: Vec<u32>,
}

impl SeatedGame {
    /// Walks through a graph that has been explored under the agents seated.
    pub(crate) fn at(seating: &Seating) -> Result<SeatedGame, Error> {
        let graph = &*seating.graph;
        let policies = seating.policies()?;
        let game = seating.game(&policies, &[graph.root()])?;
        let mut seats = seating.players.seats();
        let mut of_actors = HashMap::new();
        for (number, player) in graph.actors() {
            let seat = seats.iter().position(|seat| seat.players.contains(player));
            let seat = seat.unwrap_or_else(|| {
                seats.push(Seat { name: player.clone(), players: vec![player.clone()] });
                seats.len() - 1
            });
            of_actors.insert(number, seat as u32);
        }
        let mut endings = IndexSet::new();
        let mover = |&number: &u32| {
            let node = graph.node(number);
            match node.kind() {
                NodeKind::End => Mover::End(endings.insert_full(node.what()).0 as u32),
                NodeKind::Chance | NodeKind::EvenChance => Mover::Chance,
                NodeKind::Decision => {
                    Mover::Side(of_actors.get(&node.actor()).copied().unwrap_or_default())
                }
            }
        };
        let movers = game.nodes.iter().map(mover).collect();
        Ok(SeatedGame { game, movers, seats, endings: endings.into_iter().collect() })
    }
}

/// What happens at a place that differs from the game, or is behind it.
struct PlaceMoves {
    mover: Mover,
    node: u32,
    steps: Vec<(u32, Share)>,
}

/// Brings the picks of the side that is free before all that the others pick in the same joint decision.
struct FirstPicks<'a> {
    game: &'a ExploredGame,
    movers: &'a [Mover],
    behind: Vec<PlaceMoves>,
}

impl FirstPicks<'_> {
    /// Whether the free side decides, for each part of the joint decision that begins at a place.
    fn parts(&self, place: usize, parts: usize) -> Vec<bool> {
        let next = |&place: &usize| self.game.to.of(place).first().map(|&to| to as usize);
        let places = std::iter::successors(Some(place), next).take(parts);
        places.map(|place| self.movers[place].decides()).collect()
    }

    /// The next own pick in the joint decision that begins at a place, after those already made; after the last what
    /// the others pick.
    fn moves(&mut self, place: usize, is_own: &[bool], picks: &mut Vec<usize>) -> PlaceMoves {
        let (game, mut at, mut left) = (self.game, place, picks.iter().copied());
        for own in is_own {
            // What the others pick makes no difference to what is asked.
            let pick = if *own { left.next() } else { Some(0) };
            if let Some(pick) = pick {
                at = game.to.of(at)[pick] as usize;
                continue;
            }
            let mut steps = Vec::new();
            for answer in 0..game.to.of(at).len() {
                picks.push(answer);
                let next = self.moves(place, is_own, picks);
                picks.pop();
                self.behind.push(next);
                steps.push(((game.len() + self.behind.len() - 1) as u32, surely()));
            }
            return PlaceMoves { mover: self.movers[at], node: game.nodes[at], steps };
        }
        let shares = game.weights.shares(|part, whole| (part.clone(), whole.clone()));
        let (mut steps, mut left) = (vec![(place as u32, surely())], picks.iter().copied());
        for own in is_own {
            let pick = if *own { left.next() } else { None };
            let next = |(at, (part, whole)): (u32, Share)| -> Vec<(u32, Share)> {
                let to = game.to.of(at as usize);
                if let Some(pick) = pick {
                    return vec![(to[pick], (part, whole))];
                }
                let falls = game.weights.of[game.to.range(at as usize)].iter();
                let falls = falls.map(|&share| &shares[share as usize]);
                to.iter().zip(falls).map(|(&to, (p, w))| (to, (&part * p, &whole * w))).collect()
            };
            steps = steps.into_iter().flat_map(next).collect();
        }
        PlaceMoves { mover: Mover::Chance, node: game.nodes[place], steps }
    }
}

fn pairs(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// The utilities of these endings for each seat: the mean of its players; a player without a number
/// counts 0. Beside them, whether some are floats.
pub(crate) fn worths(graph: &Graph, seats: &[Seat], endings: &[u32]) -> (Vec<Vec<Fraction>>, bool) {
    let endings: Vec<&Ending> =
        endings.iter().filter_map(|&number| graph.ending_of(number)).collect();
    let worth = |ending: &&Ending| seats.iter().map(|seat| exact_utility(seat, ending)).collect();
    let mut utilities = endings.iter().flat_map(|ending| ending.utility.values());
    let is_float = |number: &Value| matches!(number, Value::Float(float) if !is_whole(*float));
    (endings.iter().map(worth).collect(), utilities.any(is_float))
}

// Whether one side always loses in proportion to what the other wins, so that a matrix game fits.

/// Sums of utilities that are floats are the same if they differ by no more than this part of the
/// greatest utility: floats are rounded where rules add them up.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// The greatest difference between sums that count as equal: 0 if all utilities are exact.
fn slack(worth: &[Vec<Fraction>], floats: bool) -> Fraction {
    let size = worth.iter().flatten().map(Signed::abs).max().unwrap_or_default();
    match Fraction::from_float(TOLERANCE) {
        Some(tolerance) if floats => tolerance * size,
        _ => Fraction::zero(),
    }
}

/// The common value of numbers that are no further apart than the slack: the simplest fraction
/// among them.
fn same(numbers: impl Iterator<Item = Fraction> + Clone, slack: &Fraction) -> Option<Fraction> {
    let (low, high) = (numbers.clone().min()?, numbers.max()?);
    (&high - &low <= *slack).then(|| simplest_between(&(high - slack), &(low + slack)))
}

/// One of two sides wins what the other loses, if not at par: the second gets `most` less `rate`
/// times the utility of the first, at all ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opposed {
    /// The utility of the second side if the first gets nothing.
    pub most: Fraction,
    /// The loss of the second for each that the first wins; more than 0.
    pub rate: Fraction,
}

impl Opposed {
    /// The relation between the utilities of two sides, if the second falls in proportion as the first
    /// grows, within the slack.
    pub(crate) fn of(
        worth: &[Vec<Fraction>],
        [first, second]: [usize; 2],
        floats: bool,
    ) -> Option<Opposed> {
        let slack = &slack(worth, floats);
        let least = worth.iter().min_by_key(|worth| &worth[first])?;
        let most = worth.iter().max_by_key(|worth| &worth[first])?;
        let apart = &most[first] - &least[first];
        let rate = match apart.is_zero() {
            false => {
                let (rate, off) = ((&least[second] - &most[second]) / &apart, slack / &apart);
                simplest_between(&(&rate - &off), &(&rate + &off))
            }
            // Where the first always gets the same, so must the second.
            true => Fraction::from_integer(1.into()),
        };
        let sums = worth.iter().map(|worth| &worth[second] + &rate * &worth[first]);
        let most = same(sums, &(slack * Fraction::from_integer(4.into())))?;
        (rate > Fraction::zero()).then_some(Opposed { most, rate })
    }
}

/// The kind of game that a graph is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameKind {
    /// The number of sides that decide anywhere.
    pub sides: usize,
    /// The sum of the utilities of all players, if it is the same at all ends.
    #[serde(rename = "sum", serialize_with = "as_text")]
    pub constant: Option<Fraction>,
    /// Whether utilities are floats, whose sums are the same within a tolerance.
    #[serde(skip)]
    pub floats: bool,
    /// Whether one side always loses in proportion to what one other wins, and all others get the same at all ends.
    #[serde(rename = "zero_sum")]
    pub is_zero_sum: bool,
    /// Whether two sides decide, and one of them loses in proportion to what the other wins.
    #[serde(skip)]
    pub(crate) opposed: bool,
    /// Whether perfect play is worth the same to each side, also where there are several ways of it.
    #[serde(skip)]
    pub(crate) settled: bool,
    /// The players' information about the state.
    pub knowing: Knowing,
    /// All that in words: `two sides, utilities sum to 0, perfect information`.
    pub words: String,
}

fn as_text<S: Serializer>(sum: &Option<Fraction>, serializer: S) -> Result<S::Ok, S::Error> {
    sum.as_ref().map(ToString::to_string).serialize(serializer)
}

/// The players' information about the state when they decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Knowing {
    /// Perfect information: everything, and decisions are made one after the other.
    Turns,
    /// Everything but what others decide at the same time.
    Joint,
    /// Not everything.
    Hidden,
}

impl GameKind {
    pub(crate) fn of(board: &Board, knowing: Knowing) -> GameKind {
        let stakes = board.stakes();
        let is_zero_sum = <[usize; 2]>::try_from(&stakes[..])
            .is_ok_and(|both| Opposed::of(&board.worth, both, board.floats).is_some());
        let kind = GameKind {
            sides: board.sides,
            constant: board.constant(),
            floats: board.floats,
            is_zero_sum,
            opposed: board.opposed.is_some(),
            settled: is_zero_sum || stakes.len() < 2 || board.sides == 0,
            knowing,
            words: String::new(),
        };
        GameKind { words: kind.in_words(), ..kind }
    }

    fn in_words(&self) -> String {
        let sides = match self.sides {
            0 => return "nobody decides".to_owned(),
            1 => "one side".to_owned(),
            2 => "two sides".to_owned(),
            many => format!("{many} sides"),
        };
        let sum = match &self.constant {
            Some(sum) => format!("utilities sum to {sum}"),
            None if self.is_zero_sum => {
                "what one side wins the other loses in proportion".to_owned()
            }
            None => "utilities do not sum to a constant".to_owned(),
        };
        let floats = match self.floats {
            true => format!(" (floats, compared within {TOLERANCE:e} of the greatest)"),
            false => String::new(),
        };
        let knowing = match self.knowing {
            Knowing::Turns => "perfect information",
            Knowing::Joint => "perfect information but for joint decisions",
            Knowing::Hidden => "hidden information",
        };
        format!("{sides}, {sum}{floats}, {knowing}")
    }
}

impl Board {
    /// Asks the rules what each player sees at each decision.
    pub(crate) fn information(
        &self,
        seating: &Seating,
        explorer: &Explorer,
    ) -> Result<InformationSets, Error> {
        let mut known = InformationSets::default();
        for (place, mover) in self.movers.iter().enumerate() {
            if !matches!(mover, Mover::End(_) | Mover::Chance) {
                known.of(explorer, self.game.nodes[place])?;
            }
            if place % 64 == 0 {
                seating.may_continue()?;
            }
        }
        Ok(known)
    }

    /// The players' information: everything, everything but what is decided at the same time, or
    /// less.
    pub(crate) fn knowing(&self, graph: &Graph, known: &InformationSets) -> Knowing {
        // All nodes of a set must follow from one beginning of a joint decision.
        let mut beginnings: HashMap<usize, u32> = HashMap::new();
        for &node in &self.game.nodes {
            let Some(set) = known.number(node) else { continue };
            let (first, _) = graph.first_part(node);
            if *beginnings.entry(set).or_insert(first) != first {
                return Knowing::Hidden;
            }
        }
        match !self.joint.is_empty() || self.crowded {
            true => Knowing::Joint,
            false => Knowing::Turns,
        }
    }
}
