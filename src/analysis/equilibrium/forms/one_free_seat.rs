//! A stochastic game for one free seat, with agents in all others.
//!
//! In a joint decision the free seat's parts come first, and what the others pick falls after them: it
//! does not see what they pick, so it decides once and not at a node for each of their picks.

use std::collections::HashMap;

use super::board::{Mover, SeatedGame};
use super::cyclic_game::StochasticGame;
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::explored::ExploredGame;
use crate::graph::{Explorer, InformationSets, NodeKind, Policies, WorkerFactory, allied_words};
use crate::number::{Amount, Interval};

/// The nodes under the agents, one seat free.
pub(crate) struct OneFreeSeat<'a> {
    pub seating: &'a Seating,
    pub(crate) explored: ExploredGame,
    pub seats: Vec<Seat>,
    /// The places of the explored game, and behind them those that a joint decision needs more.
    pub game: StochasticGame,
    /// The endings, by their numbers in the graph.
    pub endings: Vec<u32>,
    /// What the free seat is asked, by the place.
    pub sets: HashMap<usize, FreeQuestion>,
}

/// What the free seat is asked at a place.
pub(crate) struct FreeQuestion {
    /// The number of the information set.
    pub set: usize,
    /// What the seat picked already in the same joint decision.
    pub(crate) allied: String,
    /// A node of the graph at which this is asked.
    pub node: u32,
}

/// What happens at a place.
struct PlaceMoves {
    mover: Mover,
    steps: Vec<(u32, Interval)>,
    asked: Option<FreeQuestion>,
}

/// What is needed while the game is made.
struct StochasticGameBuilder<'a, 'b> {
    seating: &'a Seating,
    explorer: &'b Explorer,
    known: &'b mut InformationSets,
    free: &'b Seat,
    policies: &'b Policies,
    explored: &'b ExploredGame,
    /// The players of the free seat, by the numbers by which nodes know them.
    own: Vec<u32>,
    /// The places behind those of the game.
    behind: Vec<PlaceMoves>,
}

impl<'a> OneFreeSeat<'a> {
    /// Draws a graph that has been explored under the agents, with one seat free.
    pub(crate) fn draw(
        seating: &'a Seating,
        explorer: &Explorer,
        known: &mut InformationSets,
        free: &Seat,
    ) -> Result<OneFreeSeat<'a>, Error> {
        let graph = &*seating.graph;
        let SeatedGame { policies, game: explored, movers, seats, endings } =
            SeatedGame::at(seating)?;
        let own = graph.actors().filter(|(_, player)| free.players.contains(player));
        let mut drawing = StochasticGameBuilder {
            seating,
            explorer,
            known,
            free,
            policies: &policies,
            explored: &explored,
            own: own.map(|(actor, _)| actor).collect(),
            behind: Vec::new(),
        };
        let (mut game, mut sets) = (StochasticGame::default(), HashMap::new());
        let mut push = |game: &mut StochasticGame, spot: PlaceMoves| {
            spot.asked.into_iter().for_each(|asked| _ = sets.insert(game.len(), asked));
            game.push(spot.mover, spot.steps);
        };
        for (place, &number) in explored.nodes.iter().enumerate() {
            if place % 64 == 0 {
                seating.may_continue()?;
            }
            push(
                &mut game,
                match movers[place] {
                    mover @ Mover::End(_) => PlaceMoves { mover, steps: Vec::new(), asked: None },
                    _ => drawing.spot(number)?,
                },
            );
        }
        let behind = drawing.behind;
        behind.into_iter().for_each(|spot| push(&mut game, spot));
        Ok(OneFreeSeat { seating, explored, seats, game, endings, sets })
    }
}

impl StochasticGameBuilder<'_, '_> {
    fn spot(&mut self, number: u32) -> Result<PlaceMoves, Error> {
        let node = self.seating.graph.node(number);
        if self.is_late(number) {
            return self.own_part(number, &mut Vec::new());
        }
        if self.is_own(number) && self.is_late(self.seating.graph.first_part(number).0) {
            // It was decided at the first part.
            return Ok(PlaceMoves { mover: Mover::Chance, steps: Vec::new(), asked: None });
        }
        if self.is_own(number) {
            let steps =
                (0..node.answers()).map(|answer| (self.place(node.to(answer)), Interval::one()));
            let steps = steps.collect();
            return Ok(PlaceMoves { mover: Mover::MOST, steps, asked: Some(self.asked(number)?) });
        }
        let steps = self.shares(number).into_iter();
        let steps = steps.map(|(answer, share)| (self.place(node.to(answer)), share)).collect();
        Ok(PlaceMoves { mover: Mover::Chance, steps, asked: None })
    }

    /// Whether a joint decision begins at a node in which the free seat comes after another.
    fn is_late(&self, number: u32) -> bool {
        let Some((0, parts)) = self.seating.graph.part(number) else { return false };
        let (mut at, mut others) = (number, false);
        for nth in 0..parts {
            match self.is_own(at) {
                true if others => return true,
                true => {}
                false => others = true,
            }
            if nth + 1 < parts {
                at = self.after(at);
            }
        }
        false
    }

    /// The next part of the free seat in the joint decision that begins at a node, when it picked so
    /// far; after the last what the others pick.
    fn own_part(&mut self, number: u32, picks: &mut Vec<usize>) -> Result<PlaceMoves, Error> {
        let graph = self.seating.graph.clone();
        let mut left = picks.iter();
        let mut at = number;
        let mut asked = None;
        for nth in 0..self.parts(number) {
            match self.is_own(at) {
                true => match left.next() {
                    Some(&pick) => at = graph.node(at).to(pick),
                    None => {
                        asked = Some(at);
                        break;
                    }
                },
                false if nth + 1 < self.parts(number) => at = self.after(at),
                false => {}
            }
        }
        let Some(at) = asked else { return Ok(self.fallen(number, picks)) };
        let mut steps = Vec::new();
        for answer in 0..graph.node(at).answers() {
            self.seating.may_continue()?;
            picks.push(answer);
            let next = self.own_part(number, picks)?;
            picks.pop();
            self.behind.push(next);
            let last = self.explored.len() + self.behind.len() - 1;
            steps.push((last as u32, Interval::one()));
        }
        Ok(PlaceMoves { mover: Mover::MOST, steps, asked: Some(self.asked(at)?) })
    }

    /// Where a joint decision leads when the free seat picked so.
    fn fallen(&self, number: u32, picks: &[usize]) -> PlaceMoves {
        let graph = &self.seating.graph;
        let mut open = vec![(number, Interval::one())];
        let mut left = picks.iter();
        for _ in 0..self.parts(number) {
            let own = open.first().is_some_and(|(at, _)| self.is_own(*at));
            let pick = if own { left.next() } else { None };
            let next = open.iter().flat_map(|&(at, share)| {
                let answers = match pick {
                    Some(&pick) => vec![(pick, Interval::one())],
                    None => self.shares(at),
                };
                let to = move |(answer, part): (usize, Interval)| {
                    (graph.node(at).to(answer), share.times(part))
                };
                answers.into_iter().map(to)
            });
            open = next.collect();
        }
        let steps = open.into_iter().map(|(at, share)| (self.place(at), share)).collect();
        PlaceMoves { mover: Mover::Chance, steps, asked: None }
    }

    fn parts(&self, number: u32) -> usize {
        self.seating.graph.part(number).map_or(1, |(_, parts)| parts)
    }

    /// The node after one answer that may be given.
    fn after(&self, number: u32) -> u32 {
        let answer = self.shares(number).first().map_or(0, |(answer, _)| *answer);
        self.seating.graph.node(number).to(answer)
    }

    fn shares(&self, number: u32) -> Vec<(usize, Interval)> {
        let shares = self.policies.shares(&self.seating.graph, number, self.seating.answers());
        let weights = shares.map(|shares| shares.weights()).unwrap_or_default();
        let total = weights.iter().map(|(_, weight)| weight).sum();
        let share = |(answer, weight): &(usize, _)| (*answer, Interval::of_ratio(weight, &total));
        weights.iter().map(share).collect()
    }

    fn asked(&mut self, node: u32) -> Result<FreeQuestion, Error> {
        let allied = allied_words(&self.seating.graph, node, &self.free.players);
        Ok(FreeQuestion { set: self.known.of(self.explorer, node)?, allied, node })
    }

    fn is_own(&self, number: u32) -> bool {
        let node = self.seating.graph.node(number);
        node.kind() == NodeKind::Decision && self.own.contains(&node.actor())
    }

    fn place(&self, number: u32) -> u32 {
        self.explored.place(number).unwrap_or_default() as u32
    }
}
