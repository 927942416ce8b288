//! The graph as the sides see it: endings with their utilities, and who moves where.
//!
//! The nodes of a joint decision of two sides are one spot with a table of what follows.

use hashbrown::HashMap;
use num_bigint::{BigInt, BigUint};

use super::board_number::BoardNumber;
use super::board_number::{Opposed, same, slack};
use crate::analysis::{Fraction, exact_utility, is_whole};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::explored::{Components, ExploredGame, components};
use crate::game::Value;
use crate::graph::{Ending, Graph, NodeKind, Offer, Policies, StoredQuestion};

/// The nodes that can be reached by any play, by their places; the first is the beginning.
pub(crate) struct Board {
    /// The sides; players of no side are sides of their own. Those that decide anywhere are first,
    /// both parts in the order of the setup.
    pub seats: Vec<Seat>,
    /// The number of sides that decide anywhere.
    pub sides: usize,
    /// The relation between the utilities of two sides that decide, if one wins what the other
    /// loses.
    pub(crate) opposed: Option<Opposed>,
    /// The kind of each place.
    pub(crate) spots: Vec<BoardNode>,
    /// The graph's node at each place.
    pub nodes: Vec<u32>,
    /// The utility of each different ending for each seat.
    pub worth: Vec<Vec<Fraction>>,
    /// Whether some utilities are floats, whose sums are the same within a tolerance.
    pub floats: bool,
    /// The probabilities of each different question to chance.
    pub odds: Vec<Vec<Fraction>>,
    /// Places where more sides decide together than two, or one side with several parts.
    pub(crate) crowded: Option<usize>,
}

/// The kind of a place. The places that follow are places of the board again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BoardNode {
    /// It is over; the number of the ending in [`Board::worth`].
    End(usize),
    /// Chance decides, by these [`Board::odds`].
    Chance(usize, Vec<u32>),
    /// A side decides.
    Turn(usize, Vec<u32>),
    /// The first two sides decide together.
    Joint(JointDecision),
    /// A later part of a joint decision; play never visits it by itself.
    Part,
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
        let ReachableSeats { game, seats, mut of_actors, .. } = ReachableSeats::at(seating)?;
        let mut decide: Vec<usize> = game
            .nodes
            .iter()
            .map(|&number| graph.node(number))
            .filter(|node| node.kind() == NodeKind::Decision)
            .filter_map(|node| of_actors.get(&node.actor()).copied())
            .collect();
        decide.sort_unstable();
        decide.dedup();
        let sides = decide.len();
        decide.extend(
            (0..seats.len()).filter(|seat| !decide[..sides].contains(seat)).collect::<Vec<_>>(),
        );
        let mut of_seats = vec![0; seats.len()];
        decide.iter().enumerate().for_each(|(now, &before)| of_seats[before] = now);
        of_actors.values_mut().for_each(|seat| *seat = of_seats[*seat]);
        let seats = decide.iter().map(|&seat| seats[seat].clone()).collect();
        let mut board = Board {
            seats,
            sides,
            opposed: None,
            spots: Vec::with_capacity(game.len()),
            nodes: game.nodes.clone(),
            worth: Vec::new(),
            floats: false,
            odds: Vec::new(),
            crowded: None,
        };
        let mut drawing =
            BoardBuilder { graph, game, of_actors, ends: HashMap::new(), odds: HashMap::new() };
        for place in 0..board.nodes.len() {
            if place % 64 == 0 {
                seating.may_continue()?;
            }
            let spot = drawing.spot(&mut board, place);
            board.spots.push(spot);
        }
        if sides == 2 {
            board.opposed = Opposed::of(&board.worth, &slack(&board.worth, board.floats));
        }
        if let Some(Opposed { most, rate }) = &board.opposed {
            // What the second side gets is the same to the last digit, however floats were rounded.
            board.worth.iter_mut().for_each(|worth| worth[1] = most - rate * &worth[0]);
        }
        Ok(board)
    }

    /// The places that follow a place.
    pub(crate) fn next(&self, place: usize) -> &[u32] {
        match self.spots.get(place) {
            Some(
                BoardNode::Chance(_, to)
                | BoardNode::Turn(_, to)
                | BoardNode::Joint(JointDecision { to, .. }),
            ) => to,
            _ => &[],
        }
    }

    /// The places that lead back to each other, in the order of the walk.
    pub(crate) fn components(&self) -> Components {
        components(self.spots.len(), [0], |place| self.next(place as usize).iter().copied())
    }

    /// The sum of the utilities of all players whose side decides, if it is the same at all ends.
    pub(crate) fn constant(&self) -> Option<Fraction> {
        let sides = || self.seats.iter().take(self.sides);
        // A side is worth the mean of its players.
        let sum = |worth: &Vec<Fraction>| -> Fraction {
            let sums = worth.iter().zip(sides());
            sums.map(|(mean, seat)| mean * BigInt::from(seat.players.len().max(1))).sum()
        };
        same(self.worth.iter().map(sum), &slack(&self.worth, self.floats))
    }

    /// The question asked at a place; none at an end.
    pub(crate) fn question<'a>(
        &self,
        graph: &'a Graph,
        place: usize,
    ) -> Option<&'a StoredQuestion> {
        graph.question_at(*self.nodes.get(place)?)
    }
}

impl JointDecision {
    /// Whether a side has an option that leads to one of these places for sure if the other side
    /// mixes so.
    pub(crate) fn keeps<W: BoardNumber>(
        &self,
        side: usize,
        other: &[W],
        stays: impl Fn(&u32) -> bool,
    ) -> bool {
        let to = |own: usize, its: usize| match side {
            0 => &self.to[own * self.size[1] + its],
            _ => &self.to[its * self.size[1] + own],
        };
        let mixed = || (0..self.size[1 - side]).filter(|&its| !other[its].is_zero());
        (0..self.size[side]).any(|own| mixed().all(|its| stays(to(own, its))))
    }
}

/// The data needed while the board is drawn.
struct BoardBuilder<'a> {
    graph: &'a Graph,
    game: ExploredGame,
    of_actors: HashMap<u32, usize>,
    ends: HashMap<u32, usize>,
    odds: HashMap<u32, usize>,
}

impl BoardBuilder<'_> {
    fn spot(&mut self, board: &mut Board, place: usize) -> BoardNode {
        let graph = self.graph;
        let node = graph.node(board.nodes[place]);
        match node.kind() {
            NodeKind::End => {
                let next = board.worth.len();
                let number = *self.ends.entry(node.what()).or_insert(next);
                if number == next {
                    let ending = graph.ending(node);
                    board.worth.push(worth(&board.seats, ending));
                    let mut numbers = ending.iter().flat_map(|ending| ending.utility.values());
                    board.floats |= numbers
                        .any(|number| matches!(number, Value::Float(float) if !is_whole(*float)));
                }
                BoardNode::End(number)
            }
            NodeKind::Chance | NodeKind::EvenChance => {
                let next = board.odds.len();
                let number = *self.odds.entry(node.what()).or_insert(next);
                if number == next {
                    board.odds.push(odds(graph.question(node)));
                }
                BoardNode::Chance(number, self.places(node.all()))
            }
            NodeKind::Decision => self.decision(board, place),
        }
    }

    fn decision(&mut self, board: &mut Board, place: usize) -> BoardNode {
        let number = board.nodes[place];
        let node = self.graph.node(number);
        let turn =
            |own: &BoardBuilder<'_>| BoardNode::Turn(own.seat(number), own.places(node.all()));
        let Some((nth, _)) = self.graph.part(number) else { return turn(self) };
        let parts = self.parts(number);
        let seats: Vec<usize> = parts.iter().map(|&part| self.seat(part)).collect();
        match (seats.as_slice(), nth) {
            // What one side alone decides together may as well be decided in turn.
            (seats, _) if seats.iter().all(|&seat| seat == seats[0]) => turn(self),
            (&[first @ (0 | 1), 0 | 1], 0) => self.joint(number, first),
            ([0 | 1, 0 | 1], _) => BoardNode::Part,
            _ => {
                board.crowded.get_or_insert(place);
                turn(self)
            }
        }
    }

    /// The table of a joint decision that begins at a node with the part of side `first`.
    fn joint(&self, number: u32, first: usize) -> BoardNode {
        let node = self.graph.node(number);
        let seconds: Vec<u32> = node.all().collect();
        let second = self.graph.node(seconds.first().copied().unwrap_or_default());
        let size = [seconds.len(), second.answers()];
        let to = |row: usize, column: usize| self.place(self.graph.node(seconds[row]).to(column));
        let (size, to) = match first {
            0 => (size, pairs(size).map(|(row, column)| to(row, column)).collect()),
            _ => {
                let size = [size[1], size[0]];
                (size, pairs(size).map(|(row, column)| to(column, row)).collect())
            }
        };
        let second = self.place(seconds.first().copied().unwrap_or_default()) as usize;
        BoardNode::Joint(JointDecision { first, second, size, to })
    }

    /// One node of each part of the joint decision to which a node belongs.
    fn parts(&self, number: u32) -> Vec<u32> {
        let mut parts = vec![self.graph.first_part(number).0];
        let asked = self.graph.part(number).map_or(1, |(_, asked)| asked);
        while parts.len() < asked {
            let last = parts.last().copied().unwrap_or_default();
            parts.push(self.graph.node(last).to(0));
        }
        parts
    }

    fn seat(&self, number: u32) -> usize {
        self.of_actors.get(&self.graph.node(number).actor()).copied().unwrap_or_default()
    }

    fn place(&self, number: u32) -> u32 {
        self.game.place(number).and_then(|place| u32::try_from(place).ok()).unwrap_or_default()
    }

    fn places(&self, nodes: impl Iterator<Item = u32>) -> Vec<u32> {
        nodes.map(|node| self.place(node)).collect()
    }
}

/// The places that may be met under the agents seated, and which seat answers at each.
pub(crate) struct ReachableSeats {
    /// How the agents in the seats answer.
    pub(crate) policies: Policies,
    /// The places that may be met.
    pub(crate) game: ExploredGame,
    /// The seats of the conflict; a player of no seat has one of their own behind these.
    pub seats: Vec<Seat>,
    /// The seat of each player, by the numbers by which nodes know players.
    pub(crate) of_actors: HashMap<u32, usize>,
}

impl ReachableSeats {
    /// Walks through a graph that has been explored under the agents seated.
    pub(crate) fn at(seating: &Seating) -> Result<ReachableSeats, Error> {
        let policies = seating.policies()?;
        let game = seating.game(&policies, &[seating.graph.root()])?;
        let mut seats = seating.players.seats();
        let mut of_actors = HashMap::new();
        for (number, player) in seating.graph.actors() {
            let seat = seats.iter().position(|seat| seat.players.contains(player));
            let seat = seat.unwrap_or_else(|| {
                seats.push(Seat { name: player.clone(), players: vec![player.clone()] });
                seats.len() - 1
            });
            of_actors.insert(number, seat);
        }
        Ok(ReachableSeats { policies, game, seats, of_actors })
    }
}

fn pairs([rows, columns]: [usize; 2]) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// The utility of an ending for each seat: the mean of its players; a player without a number
/// counts 0.
fn worth(seats: &[Seat], ending: Option<&Ending>) -> Vec<Fraction> {
    let utility = |seat| ending.map(|ending| exact_utility(seat, ending)).unwrap_or_default();
    seats.iter().map(utility).collect()
}

/// The probability of each value that chance may pick.
fn odds(question: Option<&StoredQuestion>) -> Vec<Fraction> {
    let Some(Offer::Chance(weighed)) = question.map(|question| &question.offer) else {
        return Vec::new();
    };
    let total = BigInt::from(weighed.total().clone());
    let share = |weight: &BigUint| Fraction::new(weight.clone().into(), total.clone());
    weighed.weights().iter().map(share).collect()
}
