//! Determinization: nodes that look to the player like the one at hand, found by playing at random
//! using only what the player knows.
//!
//! Method: the worlds of information-set Monte Carlo tree search (Cowling, Powley and Whitehouse,
//! 2012, "Information Set Monte Carlo Tree Search"), drawn by rejection; where few ways lead there, all of them, by
//! Bayes' rule.

use std::rc::Rc;

use indexmap::IndexMap;

use super::search_graph::forecast::shares;
use super::search_graph::{Halted, SearchGraph, World, unless_spent};
use crate::game::Generator;
use crate::graph::{NodeKind, own_answers};

/// With more ways than this, not all are enumerated.
pub(super) const MOST: usize = 2_000;

#[derive(Clone, Copy, Debug)]
pub(super) struct WorldsWanted {
    /// This many are enough.
    pub enough: usize,
    /// This many rounds are played at random to find them, at most.
    pub rounds: u64,
}

pub(super) const FOR_A_THOUGHT: WorldsWanted = WorldsWanted { enough: 32, rounds: 1000 };

impl SearchGraph {
    /// Worlds where nothing of the state was hidden at the beginning of the step, nor is now: the step
    /// is played from there. Only chance and what others answered since may differ.
    pub(super) fn worlds_of_step(
        &mut self,
        node: u32,
        seed: u64,
        WorldsWanted { enough, rounds }: WorldsWanted,
    ) -> Result<Vec<u32>, Halted> {
        let (begins, _) = self.graph().first_part(node);
        if self.is_certain(node) {
            return Ok(vec![begins]);
        }
        let player = self.graph().node(node).actor();
        let first = self.graph().back(begins).last().map_or(begins, |(first, _)| first);
        let sought = (self.question_at(node), self.set_of(node)?);
        let own = self.own_questions(node);
        let mut worlds = Vec::new();
        for round in 0..rounds {
            if worlds.len() >= enough {
                break;
            }
            self.look_up()?;
            let mut rng = Generator::playout(seed, round);
            let met = self.through_step(first, player, &own, sought, &mut rng);
            let Some(met) = unless_spent(met.map(Some), None)? else { break };
            worlds.extend(met);
        }
        Ok(worlds)
    }

    /// Whether nobody else has answered since the beginning of the step, before the joint decision that a node is part of.
    pub(super) fn is_certain(&self, node: u32) -> bool {
        let graph = self.graph();
        let player = graph.node(node).actor();
        graph.back(graph.first_part(node).0).all(|(before, _)| graph.node(before).decides(player))
    }

    /// All such worlds, each with how likely they are if all but the player answer at random; `None` if
    /// the step has too many ways.
    pub(super) fn all_of_step(&mut self, node: u32) -> Result<Option<Vec<World>>, Halted> {
        let player = self.graph().node(node).actor();
        let first = self.graph().back(node).last().map_or(node, |(first, _)| first);
        let (set, own) = (self.set_of(node)?, self.own_questions(node));
        let (mut open, mut met, mut worlds) = (vec![(first, 0, 1.0)], 0, Vec::new());
        while let Some((at, answered, share)) = open.pop() {
            met += 1;
            if at == 0 || met > MOST || self.graph().node(at).answers() > MOST {
                return Ok(None);
            }
            let is_step = at == first || self.graph().node(at).before().0 != 0;
            let here = self.graph().node(at);
            if here.kind() == NodeKind::End || !is_step {
                continue;
            }
            if !here.decides(player) {
                for (answer, likely) in shares(self, at).into_iter().enumerate() {
                    open.push((self.next(at, answer)?, answered, share * likely));
                }
                continue;
            }
            match own.get(answered) {
                Some(&(asked, answer)) if asked == self.question_at(at) => {
                    open.push((self.next(at, answer as usize)?, answered + 1, share));
                }
                None if self.asks_alike(at, node) && self.set_of(at)? == set => {
                    worlds.push((at, share));
                }
                _ => {}
            }
        }
        Ok(Some(worlds))
    }

    /// The decisions of a player in these worlds, of which some may begin a joint decision: those asked
    /// before the player answer at random. `None` if there are too many ways.
    pub(super) fn decided(
        &mut self,
        player: u32,
        worlds: &[World],
        most: usize,
    ) -> Result<Option<Vec<World>>, Halted> {
        let mut open: Vec<World> = worlds.to_vec();
        let mut all = Vec::new();
        while let Some((at, weight)) = open.pop() {
            let node = self.graph().node(at);
            if at == 0 || open.len() + all.len() > most {
                return Ok(None);
            }
            if node.decides(player) {
                all.push((at, weight));
                continue;
            }
            for (answer, share) in shares(self, at).into_iter().enumerate() {
                open.push((self.next(at, answer)?, weight * share));
            }
        }
        Ok(Some(all))
    }

    /// A decision of a player in a world, as [`SearchGraph::decided`]; 0 where there is none.
    pub(super) fn decision(
        &mut self,
        player: u32,
        world: u32,
        rng: &mut Generator,
    ) -> Result<u32, Halted> {
        let mut at = world;
        while at != 0 {
            let node = self.graph().node(at);
            if node.decides(player) {
                break;
            }
            if node.kind() == NodeKind::End {
                return Ok(0);
            }
            let answer = self.graph().draw(node, rng);
            at = self.next(at, answer)?;
        }
        Ok(at)
    }

    /// What the player who decides at a node answered since the beginning of the step, by the numbers of
    /// [`SearchGraph::question_at`].
    fn own_questions(&mut self, node: u32) -> Vec<(u32, u32)> {
        let own = own_answers(self.graph(), node);
        own.into_iter().map(|(asked, answer)| (self.question_of(asked), answer)).collect()
    }

    /// What a player answered on a way through the graph, by the numbers of [`SearchGraph::question_at`].
    pub(super) fn own_of(&mut self, player: u32, way: &[(u32, usize)]) -> Vec<(u32, u32)> {
        let mut own = Vec::new();
        for &(at, answer) in way {
            let node = self.graph().node(at);
            if node.decides(player) {
                own.push((self.question_at(at), answer as u32));
            }
        }
        own
    }

    /// Plays a step: the player answers as before, everything else is drawn at random. Returns the
    /// world that this leads to, if it looks as sought.
    fn through_step(
        &mut self,
        first: u32,
        player: u32,
        own: &[(u32, u32)],
        (question, set): (u32, u32),
        rng: &mut Generator,
    ) -> Result<Option<u32>, Halted> {
        let mut own = own.iter();
        let mut at = first;
        loop {
            let node = self.graph().node(at);
            let answer = match node.kind() {
                NodeKind::End => return Ok(None),
                NodeKind::Decision if node.actor() == player => {
                    let asks = self.question_at(at);
                    match own.next() {
                        Some(&(asked, answer)) if asked == asks => answer as usize,
                        None if asks == question && self.set_of(at)? == set => {
                            return Ok(Some(self.graph().first_part(at).0));
                        }
                        _ => return Ok(None),
                    }
                }
                _ => self.graph().draw(node, rng),
            };
            at = self.next(at, answer)?;
            if at == 0 || self.graph().node(at).before().0 == 0 {
                return Ok(None);
            }
        }
    }

    /// The decisions near the beginning that look like this one, each with how likely random play comes there, and
    /// whether there is nothing beyond.
    pub(super) fn all_of_opening(&mut self, node: u32) -> Result<(Vec<World>, bool), Halted> {
        let set = self.set_of(node)?;
        let (opening, is_all) = self.opening()?;
        let mut all = Vec::new();
        for &(at, visits) in opening.iter() {
            self.look_up()?;
            if !self.asks_alike(at, node) {
                continue;
            }
            match self.set_of(at) {
                Ok(its) if its == set => all.push((at, visits)),
                Ok(_) => {}
                // One where the rules fail may be one where nobody comes: playouts decide.
                Err(Halted::Error(error)) if error.cut().is_none() => {
                    return Ok((Vec::new(), false));
                }
                Err(halted) => return Err(halted),
            }
        }
        Ok((all, is_all))
    }

    /// The decisions near the beginning, each with how often random play comes there: answer after answer, as long as
    /// all ways are no more than [`MOST`]. And whether that is the whole game.
    fn opening(&mut self) -> Result<(Rc<[World]>, bool), Halted> {
        if let Some(known) = &self.opening {
            return Ok(known.clone());
        }
        self.allow(self.thought());
        let first = self.explorer().beginning()?;
        let mut level: IndexMap<u32, f64> = IndexMap::from([(self.there(first)?, 1.0)]);
        let (mut met, mut ways) = (IndexMap::<u32, f64>::new(), 0);
        while !level.is_empty() && !level.contains_key(&0) {
            for (&at, share) in &level {
                let node = self.graph().node(at);
                ways += node.answers();
                if node.kind() == NodeKind::Decision {
                    *met.entry(at).or_default() += share;
                }
            }
            if ways > MOST {
                break;
            }
            match self.after(&level) {
                Ok(next) => level = next,
                // A way on which the rules fail may be one that nobody takes.
                Err(Halted::Error(error)) if error.cut().is_none() => break,
                Err(Halted::Spent) => break,
                Err(halted) => return Err(halted),
            }
        }
        let opening = (met.into_iter().collect(), level.is_empty());
        Ok(self.opening.insert(opening).clone())
    }

    /// Where the answers at these nodes lead at random.
    fn after(&mut self, level: &IndexMap<u32, f64>) -> Result<IndexMap<u32, f64>, Halted> {
        let mut next = IndexMap::new();
        for (&at, share) in level {
            self.look_up()?;
            if self.graph().node(at).kind() == NodeKind::End {
                continue;
            }
            for (answer, likely) in shares(self, at).into_iter().enumerate() {
                *next.entry(self.next(at, answer)?).or_default() += share * likely;
            }
        }
        Ok(next)
    }

    /// Worlds where something is hidden: plays the game from its beginning, and takes those of the
    /// least number of rounds that find enough. The player answers at random there, too: so the rounds are the same for
    /// all thoughts of a game, and are played once.
    pub(super) fn worlds_of_game(
        &mut self,
        node: u32,
        WorldsWanted { enough, rounds }: WorldsWanted,
    ) -> Result<Vec<u32>, Halted> {
        let question = self.question_at(node);
        let set = self.set_of(node)?;
        let mut worlds = Vec::new();
        let (mut looked, mut last) = (0, 0);
        loop {
            while let Some(&(round, met)) = self.asked(question).get(looked) {
                if worlds.len() >= enough && round != last {
                    return Ok(worlds);
                }
                looked += 1;
                let Some(of) = unless_spent(self.set_of(met).map(Some), None)? else {
                    return Ok(worlds);
                };
                if of == set {
                    worlds.push(self.graph().first_part(met).0);
                    last = round;
                }
            }
            if worlds.len() >= enough || self.rounds >= rounds {
                return Ok(worlds);
            }
            self.look_up()?;
            if !self.play_round()? {
                return Ok(worlds);
            }
        }
    }

    /// Worlds where something is hidden, drawn one after the other for the player who decides at a node: the game is
    /// played from its beginning, where the player answers as before, and everything else is drawn at random.
    pub(super) fn worlds_of_player(
        &mut self,
        node: u32,
        own: &[(u32, u32)],
        seed: u64,
        WorldsWanted { enough, rounds }: WorldsWanted,
    ) -> Result<Vec<u32>, Halted> {
        let player = self.graph().node(node).actor();
        let (question, set) = (self.question_at(node), self.set_of(node)?);
        let mut worlds = Vec::new();
        for round in 0..rounds {
            if worlds.len() >= enough {
                break;
            }
            if self.is_over()? {
                break;
            }
            let mut rng = Generator::playout(seed, round);
            let met = match self.play_as_known((player, own), question, &mut rng) {
                // Of what the graph has no room for, only what is known already would be found.
                Err(Halted::Spent | Halted::Full) => break,
                met => met?,
            };
            if let Some(met) = met
                && self.set_of(met)? == set
            {
                worlds.push(self.graph().first_part(met).0);
            }
        }
        Ok(worlds)
    }
}
