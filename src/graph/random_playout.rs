//! Random playouts on the graph, and single steps along an answer.

use super::explorer::{Explorer, Way};
use super::node::{Kind, Node};
use super::question::{LiveQuestion, Offer};
use super::remaining::{pay, too_long};
use super::store::Graph;
use super::walk::Picker;
use crate::error::Error;
use crate::game::Stop;
use crate::handlers::{Generator, Standpoint};

/// Receives the decisions on a random way.
pub trait Notes: Clone + 'static {
    /// A decision at this node; 0 if it has none.
    fn meets(&mut self, node: u32);

    /// A question, which was looked up or else asked by the script.
    #[inline]
    fn counts(&mut self, _looked_up: bool) {}
}

/// Notes nothing.
impl Notes for () {
    #[inline]
    fn meets(&mut self, _: u32) {}
}

/// Notes all of them, in order.
impl Notes for Vec<u32> {
    fn meets(&mut self, node: u32) {
        self.push(node);
    }
}

impl Graph {
    /// Draws an answer at a node that is no end: options alike, what falls by its weights.
    #[inline]
    pub fn draw(&self, node: Node<'_>, generator: &mut Generator) -> usize {
        if node.kind() == Kind::Chance
            && let Some(Offer::Chance(weighed)) = self.question(node).map(|asked| &asked.offer)
        {
            return generator.fall(weighed);
        }
        generator.index(node.answers())
    }
}

impl Explorer {
    /// The node at which the conflict begins; 0 where the graph has no room for it.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn beginning(&self) -> Result<u32, Error> {
        if self.graph().root() == 0 {
            self.run((0, 0), true, || Halt)?;
        }
        Ok(self.graph().root())
    }

    /// The node that an answer at a node leads to; 0 where the graph has no room for it.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn next(&self, node: u32, answer: usize) -> Result<u32, Error> {
        let at = self.graph().node(node);
        if node == 0 || answer >= at.answers() {
            return Ok(0);
        }
        if let to @ 1.. = at.to(answer) {
            return Ok(to);
        }
        self.keep_run_at(node)?;
        self.run((node, answer as u32), true, || Halt)?;
        Ok(self.graph().node(node).to(answer))
    }

    /// The node after these answers since a state between two steps, as canonical bytes, or since
    /// the beginning; 0 where the graph has no room for it.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn go(&self, state: Option<&[u8]>, answers: &[u32]) -> Result<u32, Error> {
        let mut at = match state {
            None => self.beginning()?,
            Some(state) => {
                let known = || self.graph().known(state, self.graph().tag(state));
                match known() {
                    Some(node) => node,
                    None => match self.run_from(state, Halt)? {
                        (Way::Known(node), _) => node,
                        _ => known().unwrap_or_default(),
                    },
                }
            }
        };
        for &answer in answers {
            at = self.next(at, answer as usize)?;
            if at == 0 {
                break;
            }
        }
        Ok(at)
    }

    /// Plays from an answer at a node (0 is the beginning) to the end, each option equally likely;
    /// returns the number of the ending. What is reached is kept, if wanted. Each question draws
    /// what [`Generator::index`] and [`Generator::fall`] draw, kept or not.
    ///
    /// # Errors
    /// Those of the rules; that of the limit where it takes too many questions, or more operations than
    /// are `left`, of which it takes its own.
    pub fn wander<N: Notes>(
        &self,
        (mut at, mut answer): (u32, u32),
        generator: &mut Generator,
        notes: &mut N,
        (stores, left): (bool, &mut u64),
    ) -> Result<u32, Error> {
        let graph = &**self.graph();
        let (most, dear) = (self.rules().limits().questions, self.rules().limits().playout);
        for _ in 0..=most {
            let to = if at == 0 { graph.root() } else { graph.node(at).to(answer as usize) };
            at = match to {
                0 => {
                    let picker = || {
                        let (generator, notes) = (generator.clone(), notes.clone());
                        RandomPicker { generator, notes, left: *left, dear }
                    };
                    let (way, picker) = self.run((at, answer), stores, picker)?;
                    (*generator, *notes, *left) = (picker.generator, picker.notes, picker.left);
                    match way {
                        Way::Over(ending) => return Ok(ending),
                        Way::Known(node) => {
                            pay(left, graph.head(node), dear)?;
                            node
                        }
                        Way::Paused => return Err(Error::Interrupted),
                    }
                }
                known => {
                    pay(left, graph.cost((at, answer), known), dear)?;
                    known
                }
            };
            let node = graph.node(at);
            match node.kind() {
                Kind::End => return Ok(node.what()),
                Kind::Decision => notes.meets(at),
                _ => {}
            }
            notes.counts(true);
            answer = graph.draw(node, generator) as u32;
        }
        Err(too_long(most))
    }
}

/// Leaves at the first question.
pub(super) struct Halt;

impl Picker for Halt {
    fn pick(&mut self, _: Standpoint<'_>, _: &LiveQuestion<'_>) -> Result<usize, Stop> {
        Err(Stop::Pause)
    }
}

/// Draws every answer.
struct RandomPicker<N> {
    generator: Generator,
    notes: N,
    /// The operations that are left, of so many.
    left: u64,
    dear: u64,
}

impl<N: Notes> Picker for RandomPicker<N> {
    fn pay(&mut self, cost: u64) -> Result<(), Stop> {
        Ok(pay(&mut self.left, cost, self.dear)?)
    }

    fn pick(&mut self, at: Standpoint<'_>, asking: &LiveQuestion<'_>) -> Result<usize, Stop> {
        self.notes.counts(false);
        Ok(match asking {
            LiveQuestion::Chance(chance) => self.generator.fall(chance.distribution),
            LiveQuestion::Decision(decision, _) => {
                self.notes.meets(at.known());
                self.generator.index(decision.options.len())
            }
        })
    }
}
