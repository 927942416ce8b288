//! Random playouts on the graph, and whether storing what playouts meet is worth it.

use super::explorer::Explorer;
use super::node::{Node, NodeKind};
use super::store::Graph;
use super::store::question::Offer;
use super::walk::{Arrival, WalkAim};
use crate::error::{Error, Limit};
use crate::game::{Generator, Question};
use crate::script::Fuel;

impl Graph {
    /// Draws an answer at a node that is no end: options alike, what falls by its weights.
    #[inline]
    pub fn draw(&self, node: Node<'_>, generator: &mut Generator) -> usize {
        if node.kind() == NodeKind::Chance
            && let Some(Offer::Chance(weighed)) = self.question(node).map(|asked| &asked.offer)
        {
            return generator.fall(weighed);
        }
        generator.index(node.answers())
    }
}

/// What whoever hears of a question of a random playout makes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Heard {
    /// Chance answers it, as any other.
    Draws,
    /// This answers it.
    Answers(u32),
    /// The playout ends there.
    Stops,
}

impl Explorer {
    /// Plays from an answer at a node (0 is the beginning) to the end, each option equally likely;
    /// returns the number of the ending. What is reached is kept, if wanted. Each question draws
    /// what [`Generator::index`] and [`Generator::fall`] draw, kept or not. `hear` hears of each: of a decision its
    /// node, 0 if it has none, and whether it was looked up or else asked by the script.
    pub fn wander(
        &self,
        from: (u32, u32),
        generator: &mut Generator,
        hear: &mut impl FnMut(Option<u32>, bool),
        keeping: (bool, &mut Fuel),
    ) -> Result<u32, Error> {
        let mut all = |node: Option<u32>, looked_up: bool| {
            hear(node, looked_up);
            Heard::Draws
        };
        let ending = self.wander_while(from, generator, &mut all, keeping)?;
        Ok(ending.unwrap_or_else(|| unreachable!("nobody stops it")))
    }

    /// The same, where whoever hears of the questions may answer them, and may stop before the end: then there is no ending.
    pub(crate) fn wander_while(
        &self,
        (mut at, mut answer): (u32, u32),
        generator: &mut Generator,
        hear: &mut impl FnMut(Option<u32>, bool) -> Heard,
        (stores, fuel): (bool, &mut Fuel),
    ) -> Result<Option<u32>, Error> {
        let graph = &**self.graph();
        let most = self.rules().limits().questions;
        let mut questions = 0;
        loop {
            let to = if at == 0 { graph.root() } else { graph.node(at).to(answer as usize) };
            at = match to {
                0 => match self.wander_on(
                    (at, answer),
                    generator,
                    hear,
                    (stores, fuel),
                    &mut questions,
                )? {
                    Arrival::Over(ending) => return Ok(Some(ending)),
                    Arrival::Known(node) => node,
                    // It would be answered if nobody had stopped.
                    Arrival::Asked => return Ok(None),
                },
                known => {
                    fuel.spend(graph.cost((at, answer)))?;
                    known
                }
            };
            let node = graph.node(at);
            if node.kind() == NodeKind::End {
                return Ok(Some(node.what()));
            }
            ask(&mut questions, most)?;
            answer = match hear((node.kind() == NodeKind::Decision).then_some(at), true) {
                Heard::Draws => graph.draw(node, generator) as u32,
                Heard::Answers(answer) => answer,
                Heard::Stops => return Ok(None),
            };
        }
    }

    /// The same by the script, as long as what follows is unknown.
    fn wander_on(
        &self,
        from: (u32, u32),
        generator: &mut Generator,
        hear: &mut impl FnMut(Option<u32>, bool) -> Heard,
        (stores, fuel): (bool, &mut Fuel),
        questions: &mut u64,
    ) -> Result<Arrival, Error> {
        let mut walk = self.walk(from, if stores { WalkAim::Store } else { WalkAim::Pass });
        loop {
            let arrival = walk.next()?;
            fuel.spend(walk.cost())?;
            let Some(question) = walk.question_at(arrival) else { return Ok(arrival) };
            ask(questions, self.rules().limits().questions)?;
            let node = match &question {
                Question::Chance(_) => None,
                Question::Decision(..) => Some(walk.standpoint().known()),
            };
            let answer = match (hear(node, false), &question) {
                (Heard::Stops, _) => return Ok(Arrival::Asked),
                (Heard::Answers(answer), _) => answer as usize,
                (_, Question::Chance(chance)) => generator.fall(chance.distribution),
                (_, Question::Decision(decision, _)) => generator.index(decision.options.len()),
            };
            walk.answer(answer);
        }
    }
}

/// Counts a question of at most `most`.
#[inline]
pub(super) fn ask(questions: &mut u64, most: u64) -> Result<(), Limit> {
    if *questions == most {
        return Err(Limit::Questions(most));
    }
    *questions += 1;
    Ok(())
}

/// What looking up has saved so far.
#[derive(Debug)]
pub(crate) struct WorthStoring {
    /// Questions of playouts that came to their end since the last verdict, and how many of those the
    /// script had to ask.
    questions: u64,
    asked: u64,
    /// A verdict is made after this many questions that the script asked, a first one after a [`FIRST`] of them.
    trial: u64,
    /// Whether enough was looked up at the first verdict.
    hopeful: bool,
    /// Whether the graph was found to save too little.
    lost: bool,
}

/// What part of a trial is enough to see that a conflict is far too large: where a graph is worth its cost, a third of
/// all questions and more are looked up by then, elsewhere hardly one in ten.
const FIRST: u64 = 20;

impl WorthStoring {
    pub(crate) fn of_playouts() -> WorthStoring {
        WorthStoring::after(60_000)
    }

    /// For the playouts of a search, which begin at many places.
    pub(crate) fn of_thoughts() -> WorthStoring {
        WorthStoring::after(30_000)
    }

    /// With a verdict after this many questions that the script asked.
    pub(super) fn after(trial: u64) -> WorthStoring {
        WorthStoring { questions: 0, asked: 0, trial, hopeful: false, lost: false }
    }

    /// Whether to store new nodes. Each node costs about as much as it saves when it is looked up once:
    /// where fewer than a quarter of all questions are looked up, the conflict is too large, and so it is where at
    /// the first verdict fewer than an eighth are.
    pub(crate) fn stores(&self) -> bool {
        !self.lost
    }

    /// Counts a playout: its questions, and how many of them the script had to ask.
    pub(crate) fn count(&mut self, questions: u64, asked: u64) {
        if self.lost {
            return;
        }
        self.questions += questions;
        self.asked += asked;
        let looked_up = self.questions - self.asked;
        if !self.hopeful && self.asked >= self.trial / FIRST {
            self.hopeful = looked_up * 8 >= self.questions;
            self.lost = !self.hopeful;
        }
        if self.asked >= self.trial {
            self.lost = looked_up * 4 < self.questions;
            (self.questions, self.asked) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::explorer::tests::explorer;
    use crate::script::Limits;

    #[test]
    fn a_playout_that_the_script_asks_has_no_more_questions_than_it_may() {
        let limits = Limits { questions: 5, ..Limits::default() };
        let wander = |more: u64| {
            let step = format!(
                "this.n += 1; this.choose(\"red\", \"pick\", [1, 2]); this.done = this.n == {more};"
            );
            let explorer = explorer(&step, limits.clone());
            let (mut rng, mut fuel) = (Generator::of(3), Fuel::new(u64::MAX));
            explorer.wander((0, 0), &mut rng, &mut |_, _| {}, (false, &mut fuel)).map(|_| ())
        };
        wander(5).unwrap();
        let error = wander(6).unwrap_err();
        assert_eq!(error.to_string(), Error::from(Limit::Questions(5)).to_string());
    }

    #[test]
    fn a_graph_that_is_seldom_looked_up_grows_no_more() {
        let mut worth = WorthStoring::of_playouts();
        // Ten of forty questions looked up: just enough.
        (0..2_000).for_each(|_| worth.count(40, 30));
        assert!(worth.stores());
        (0..2_000).for_each(|_| worth.count(40, 31));
        assert!(!worth.stores());
        // A twentieth of 60,000 shows that one question in ten is too few, and that one in five may become enough.
        let after_a_twentieth = |asked: u64| {
            let mut worth = WorthStoring::of_playouts();
            (0..3_000 / asked + 1).for_each(|_| worth.count(40, asked));
            worth.stores()
        };
        assert!(!after_a_twentieth(36) && after_a_twentieth(32));
    }
}
