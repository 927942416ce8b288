//! Determinization: nodes that look to the player like the one at hand, found by playing at random
//! using only what the player knows.
//!
//! Method: the worlds of information-set Monte Carlo tree search (Cowling, Powley and Whitehouse,
//! 2012, "Information Set Monte Carlo Tree Search"), drawn by rejection; where few ways lead there, all of them, by
//! Bayes' rule.

use indexmap::IndexMap;

use super::search_graph::forecast::shares;
use super::search_graph::{Halted, SearchGraph, World, unless_spent};
use crate::game::Generator;
use crate::graph::{NodeKind, own_answers};

/// With more ways than this, not all are enumerated.
pub(super) const MOST: usize = 2_000;

/// How many worlds are sought.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorldsWanted {
    /// This many are enough.
    pub enough: usize,
    /// This many rounds are played at random to find them, at most.
    pub rounds: u64,
}

/// What suffices for a thought.
pub(super) const FOR_A_THOUGHT: WorldsWanted = WorldsWanted { enough: 32, rounds: 1000 };

/// Worlds where nothing of the state was hidden at the beginning of the step, nor is now: the step
/// is played from there. Only chance and what others answered since may differ.
pub(super) fn of_step(
    search_graph: &mut SearchGraph,
    node: u32,
    seed: u64,
    WorldsWanted { enough, rounds }: WorldsWanted,
) -> Result<Vec<u32>, Halted> {
    let graph = search_graph.graph();
    let (begins, _) = graph.first_part(node);
    let player = graph.node(node).actor();
    let (mut first, mut certain) = (begins, true);
    for (before, _) in graph.back(begins) {
        first = before;
        let at = graph.node(first);
        certain &= at.kind() == NodeKind::Decision && at.actor() == player;
    }
    if certain {
        return Ok(vec![begins]);
    }
    let sought = (search_graph.question_at(node), search_graph.set_of(node)?);
    let own = own_questions(search_graph, node);
    let mut worlds = Vec::new();
    for round in 0..rounds {
        if worlds.len() >= enough {
            break;
        }
        let mut rng = Generator::playout(seed, round);
        let met = through_step(search_graph, first, player, &own, sought, &mut rng);
        let Some(met) = unless_spent(met.map(Some), None)? else { break };
        worlds.extend(met);
    }
    Ok(worlds)
}

/// All such worlds, each with how likely they are if all but the player answer at random; `None` if
/// the step has too many ways.
pub(super) fn all_of_step(
    search_graph: &mut SearchGraph,
    node: u32,
) -> Result<Option<Vec<World>>, Halted> {
    let player = search_graph.graph().node(node).actor();
    let first = search_graph.graph().back(node).last().map_or(node, |(first, _)| first);
    let (set, own) = (search_graph.set_of(node)?, own_questions(search_graph, node));
    let (mut open, mut met, mut worlds) = (vec![(first, 0, 1.0)], 0, Vec::new());
    while let Some((at, answered, share)) = open.pop() {
        met += 1;
        if at == 0 || met > MOST || search_graph.graph().node(at).answers() > MOST {
            return Ok(None);
        }
        let is_step = at == first || search_graph.graph().node(at).before().0 != 0;
        let here = search_graph.graph().node(at);
        if here.kind() == NodeKind::End || !is_step {
            continue;
        }
        if here.kind() != NodeKind::Decision || here.actor() != player {
            for (answer, likely) in shares(search_graph, at).into_iter().enumerate() {
                open.push((search_graph.next(at, answer)?, answered, share * likely));
            }
            continue;
        }
        match own.get(answered) {
            Some(&(asked, answer)) if asked == search_graph.question_at(at) => {
                open.push((search_graph.next(at, answer as usize)?, answered + 1, share));
            }
            None if search_graph.asks_alike(at, node) && search_graph.set_of(at)? == set => {
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
    search_graph: &mut SearchGraph,
    player: u32,
    worlds: &[World],
    most: usize,
) -> Result<Option<Vec<World>>, Halted> {
    let mut open: Vec<World> = worlds.to_vec();
    let mut all = Vec::new();
    while let Some((at, weight)) = open.pop() {
        let node = search_graph.graph().node(at);
        if at == 0 || open.len() + all.len() > most {
            return Ok(None);
        }
        if node.kind() == NodeKind::Decision && node.actor() == player {
            all.push((at, weight));
            continue;
        }
        for (answer, share) in shares(search_graph, at).into_iter().enumerate() {
            open.push((search_graph.next(at, answer)?, weight * share));
        }
    }
    Ok(Some(all))
}

/// A decision of a player in a world, as [`decided`]; 0 where there is none.
pub(super) fn decision(
    search_graph: &mut SearchGraph,
    player: u32,
    world: u32,
    rng: &mut Generator,
) -> Result<u32, Halted> {
    let mut at = world;
    while at != 0 {
        let node = search_graph.graph().node(at);
        if node.kind() == NodeKind::Decision && node.actor() == player {
            break;
        }
        if node.kind() == NodeKind::End {
            return Ok(0);
        }
        let answer = search_graph.graph().draw(node, rng);
        at = search_graph.next(at, answer)?;
    }
    Ok(at)
}

/// What the player who decides at a node answered since the beginning of the step, by the numbers of
/// [`SearchGraph::question_at`].
fn own_questions(search_graph: &mut SearchGraph, node: u32) -> Vec<(u32, u32)> {
    let own = own_answers(search_graph.graph(), node);
    own.into_iter().map(|(asked, answer)| (search_graph.question_of(asked), answer)).collect()
}

/// Plays a step: the player answers as before, everything else is drawn at random. Returns the
/// world that this leads to, if it looks as sought.
fn through_step(
    search_graph: &mut SearchGraph,
    first: u32,
    player: u32,
    own: &[(u32, u32)],
    (question, set): (u32, u32),
    rng: &mut Generator,
) -> Result<Option<u32>, Halted> {
    let mut own = own.iter();
    let mut at = first;
    loop {
        let node = search_graph.graph().node(at);
        let answer = match node.kind() {
            NodeKind::End => return Ok(None),
            NodeKind::Decision if node.actor() == player => {
                let asks = search_graph.question_at(at);
                match own.next() {
                    Some(&(asked, answer)) if asked == asks => answer as usize,
                    None if asks == question && search_graph.set_of(at)? == set => {
                        return Ok(Some(search_graph.graph().first_part(at).0));
                    }
                    _ => return Ok(None),
                }
            }
            _ => search_graph.graph().draw(node, rng),
        };
        at = search_graph.next(at, answer)?;
        if at == 0 || search_graph.graph().node(at).before().0 == 0 {
            return Ok(None);
        }
    }
}

/// The decisions near the beginning that look like this one, each with how likely random play comes there.
pub(super) fn all_of_opening(
    search_graph: &mut SearchGraph,
    node: u32,
) -> Result<Vec<World>, Halted> {
    let set = search_graph.set_of(node)?;
    let opening = search_graph.opening(opening)?;
    let mut all = Vec::new();
    for &(at, visits) in opening.iter() {
        search_graph.look_up()?;
        if !search_graph.asks_alike(at, node) {
            continue;
        }
        match search_graph.set_of(at) {
            Ok(its) if its == set => all.push((at, visits)),
            Ok(_) => {}
            // One where the rules fail may be one where nobody comes: playouts decide.
            Err(Halted::Error(error)) if error.cut().is_none() => return Ok(Vec::new()),
            Err(halted) => return Err(halted),
        }
    }
    Ok(all)
}

/// The decisions near the beginning, each with how often random play comes there: answer after answer, as long as all
/// ways are no more than [`MOST`].
fn opening(search_graph: &mut SearchGraph) -> Result<Vec<World>, Halted> {
    search_graph.allow(search_graph.thought());
    let first = search_graph.explorer().beginning()?;
    let mut level: IndexMap<u32, f64> = IndexMap::from([(search_graph.there(first)?, 1.0)]);
    let (mut met, mut ways) = (IndexMap::<u32, f64>::new(), 0);
    while !level.is_empty() && !level.contains_key(&0) {
        for (&at, share) in &level {
            let node = search_graph.graph().node(at);
            ways += node.answers();
            if node.kind() == NodeKind::Decision {
                *met.entry(at).or_default() += share;
            }
        }
        if ways > MOST {
            break;
        }
        match after(search_graph, &level) {
            Ok(next) => level = next,
            // A way on which the rules fail may be one that nobody takes.
            Err(Halted::Error(error)) if error.cut().is_none() => break,
            Err(Halted::Spent) => break,
            Err(halted) => return Err(halted),
        }
    }
    Ok(met.into_iter().collect())
}

/// Where the answers at these nodes lead at random.
fn after(
    search_graph: &mut SearchGraph,
    level: &IndexMap<u32, f64>,
) -> Result<IndexMap<u32, f64>, Halted> {
    let mut next = IndexMap::new();
    for (&at, share) in level {
        search_graph.look_up()?;
        if search_graph.graph().node(at).kind() == NodeKind::End {
            continue;
        }
        for (answer, likely) in shares(search_graph, at).into_iter().enumerate() {
            *next.entry(search_graph.next(at, answer)?).or_default() += share * likely;
        }
    }
    Ok(next)
}

/// Worlds where something is hidden: plays the game from its beginning, and takes those of the
/// least number of rounds that find enough.
pub(super) fn of_game(
    search_graph: &mut SearchGraph,
    node: u32,
    WorldsWanted { enough, rounds }: WorldsWanted,
) -> Result<Vec<u32>, Halted> {
    let question = search_graph.question_at(node);
    let set = search_graph.set_of(node)?;
    let mut worlds = Vec::new();
    let (mut looked, mut last) = (0, 0);
    loop {
        while let Some(&(round, met)) = search_graph.asked(question).get(looked) {
            if worlds.len() >= enough && round != last {
                return Ok(worlds);
            }
            looked += 1;
            let Some(of) = unless_spent(search_graph.set_of(met).map(Some), None)? else {
                return Ok(worlds);
            };
            if of == set {
                worlds.push(search_graph.graph().first_part(met).0);
                last = round;
            }
        }
        if worlds.len() >= enough || search_graph.rounds() >= rounds {
            return Ok(worlds);
        }
        search_graph.look_up()?;
        if !search_graph.play_round()? {
            return Ok(worlds);
        }
    }
}
