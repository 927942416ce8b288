//! Makes playouts on the graph: looks up where each answer leads, and runs the script where that is
//! unknown, so that the next playout can look it up.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use num_bigint::BigUint;

use super::answer_cache::AnswerCache;
use super::explorer::Explorer;
use super::node::NodeKind;
use super::policies::{Policies, Policy, weighed};
use super::questions_to_nodes::RunEnd;
use super::random_playout::WorthStoring;
use super::seats_picker::SeatsPicker;
use super::seats_picker::{Remaining, too_dear, too_long};
use super::store::question::Offer;
use super::trace::Trace;
use crate::error::Error;
use crate::handlers::{Answer, Generator, SeatedAgents};

/// Makes playouts on a graph, for one thread, with agents of its own.
///
/// Its answers are those that the script alone would get from the same seats and generator, action
/// for action: every question takes one output of the generator, as in [`SeatedAgents`].
pub struct PlayoutRunner {
    explorer: Explorer,
    seats: Rc<RefCell<SeatedAgents>>,
    answers: Arc<AnswerCache>,
    policies: Policies,
    questions: u64,
    /// How many of them the script asked.
    pub(super) ran: u64,
    worth: WorthStoring,
    silent: Rc<RefCell<()>>,
}

/// Where looking up led.
enum Landing {
    /// To an end; the number of its ending.
    End(u32),
    /// To an answer at a node that leads to an unknown node.
    Open(u32, u32),
    /// To a decision whose answer has not been worked out.
    Unanswered(u32),
    /// To a decision of a player who was not asked before.
    Stranger(u32),
    /// Through more questions than a playout may have.
    TooLong,
    /// Through more operations than a playout may have.
    TooDear,
}

impl PlayoutRunner {
    /// Seats agents at a graph. Those of the same seating on other threads share the answers.
    pub fn new(
        explorer: Explorer,
        seats: SeatedAgents,
        answers: Arc<AnswerCache>,
    ) -> PlayoutRunner {
        PlayoutRunner {
            explorer,
            seats: Rc::new(RefCell::new(seats)),
            answers,
            policies: Policies::default(),
            questions: 0,
            ran: 0,
            worth: WorthStoring::of_playouts(),
            silent: Rc::default(),
        }
    }

    /// The means to make the graph larger.
    pub fn explorer(&self) -> &Explorer {
        &self.explorer
    }

    /// Seats the agents differently, by their numbers in [`SeatedAgents`]; `answers` are those of that
    /// seating.
    pub(crate) fn reseat(&mut self, routes: &[(String, usize)], answers: Arc<AnswerCache>) {
        self.seats.borrow_mut().route(routes);
        self.answers = answers;
        self.policies = Policies::default();
    }

    /// The player whose agent was called for last, and the agent's number: after an error of an
    /// agent, who erred.
    pub fn asked(&self) -> Option<(String, usize)> {
        self.seats.borrow().asked().map(|(player, agent)| (player.to_owned(), agent))
    }

    /// How many questions the last finished playout had, of players and of chance.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    pub(super) fn answers(&self) -> &Arc<AnswerCache> {
        &self.answers
    }

    /// Makes one playout; returns the number of its ending.
    ///
    /// # Errors
    /// Those of the rules and the agents; [`Error::Interrupted`] where a person would be asked.
    #[inline]
    pub fn play(&mut self, generator: Generator) -> Result<u32, Error> {
        let silent = self.silent.clone();
        self.play_traced(generator, &silent)
    }

    /// Makes the rest of a playout from a node on; returns the number of its ending.
    ///
    /// # Errors
    /// As [`PlayoutRunner::play`].
    pub fn play_from(&mut self, node: u32, mut generator: Generator) -> Result<u32, Error> {
        let silent = self.silent.clone();
        let mut remaining = Remaining::all(&self.explorer);
        let landing = self.look_up(node, None, &mut generator, &mut remaining, &silent);
        self.play_on(landing, generator, remaining, &silent)
    }

    /// How likely each answer is at a node, given the agents in the seats; empty at an end.
    ///
    /// # Errors
    /// Those of the rules and the agents.
    pub fn shares(&mut self, number: u32) -> Result<Vec<(usize, BigUint)>, Error> {
        let graph = self.explorer.graph().clone();
        self.policies.update_from(&graph, &mut self.seats.borrow_mut());
        let node = graph.node(number);
        let agent = node.kind() == NodeKind::Decision
            && self.policies.get(node.actor()) == Some(Policy::Agent);
        if agent {
            // Its answer may have had no room: it is what was worked out, kept or not.
            let (answer, _) = self.explorer.work_out(number, &self.seats, &self.answers)?;
            return Ok(weighed(answer, node.answers()).weights());
        }
        let shares = self.policies.shares(&graph, number, &self.answers);
        Ok(shares.map(|shares| shares.weights()).unwrap_or_default())
    }

    /// Makes one playout, and reports each answer to `trace`.
    ///
    /// # Errors
    /// As [`PlayoutRunner::play`].
    pub fn play_traced<T: Trace + Clone + 'static>(
        &mut self,
        mut generator: Generator,
        trace: &Rc<RefCell<T>>,
    ) -> Result<u32, Error> {
        let mut remaining = Remaining::all(&self.explorer);
        let graph = self.explorer.graph();
        let landing = match graph.root() {
            0 => Landing::Open(0, 0),
            root if !remaining.pays(graph.cost((0, 0), root)) => Landing::TooDear,
            root => self.look_up(root, None, &mut generator, &mut remaining, trace),
        };
        self.play_on(landing, generator, remaining, trace)
    }

    fn play_on<T: Trace + Clone + 'static>(
        &mut self,
        mut landing: Landing,
        mut generator: Generator,
        mut remaining: Remaining,
        trace: &Rc<RefCell<T>>,
    ) -> Result<u32, Error> {
        let limits = self.explorer.rules().limits().clone();
        let most = limits.questions;
        let mut asked = 0;
        loop {
            // An answer that was worked out just now, and its node: it may have had no room.
            let mut fresh = None;
            let at = match landing {
                Landing::End(ending) => {
                    return Ok(self.ended(ending, most - remaining.questions, asked));
                }
                Landing::Open(node, answer) => {
                    let before = remaining.questions;
                    let way = self.run((node, answer), &mut generator, &mut remaining, trace)?;
                    asked += before - remaining.questions;
                    match way {
                        RunEnd::Over(ending) => {
                            return Ok(self.ended(ending, most - remaining.questions, asked));
                        }
                        RunEnd::Known(node) if remaining.pays(self.explorer.graph().head(node)) => {
                            node
                        }
                        RunEnd::Known(_) => return Err(too_dear(limits.playout)),
                        RunEnd::Paused => return Err(Error::Interrupted),
                    }
                }
                Landing::Unanswered(node) => {
                    let worked_out = self.explorer.work_out(node, &self.seats, &self.answers)?;
                    fresh = Some((node, worked_out));
                    node
                }
                Landing::Stranger(node) => {
                    self.policies.update_from(self.explorer.graph(), &mut self.seats.borrow_mut());
                    node
                }
                Landing::TooLong => return Err(too_long(most)),
                Landing::TooDear => return Err(too_dear(limits.playout)),
            };
            landing = self.look_up(at, fresh, &mut generator, &mut remaining, trace);
        }
    }

    /// A playout came to its end: it had this many questions, and the script asked some of them.
    fn ended(&mut self, ending: u32, questions: u64, asked: u64) -> u32 {
        (self.questions, self.ran) = (questions, asked);
        self.worth.count(questions, asked);
        ending
    }

    /// Goes from node to node as far as they are known; `fresh` is the answer at the first.
    #[inline]
    fn look_up<T: Trace>(
        &self,
        mut at: u32,
        mut fresh: Option<(u32, (Arc<Answer>, u64))>,
        generator: &mut Generator,
        remaining: &mut Remaining,
        trace: &Rc<RefCell<T>>,
    ) -> Landing {
        let graph = &**self.explorer.graph();
        let mut trace = trace.borrow_mut();
        loop {
            let node = graph.node(at);
            let kind = node.kind();
            if kind == NodeKind::End {
                return Landing::End(node.what());
            }
            let Some(policy) = self.policies.get(node.actor()) else {
                return Landing::Stranger(at);
            };
            if remaining.questions == 0 {
                return Landing::TooLong;
            }
            let answers = node.answers();
            let answer = match (kind, policy) {
                (NodeKind::Chance, _) => match graph.question(node).map(|question| &question.offer)
                {
                    Some(Offer::Chance(weighed)) => generator.question().fall(weighed),
                    _ => 0,
                },
                (NodeKind::EvenChance, _) | (_, Policy::Any) => generator.question_index(answers),
                (_, Policy::Always(index)) => {
                    generator.skip_question();
                    index
                }
                (_, Policy::Agent) => {
                    let fresh = fresh.take().filter(|(node, _)| *node == at);
                    match fresh.map(|(_, fresh)| fresh).or_else(|| self.answers.at(at)) {
                        None => return Landing::Unanswered(at),
                        Some((_, looked)) if !remaining.pays(looked) => return Landing::TooDear,
                        Some((answer, _)) => answer.draw(answers, &mut generator.question()),
                    }
                }
            };
            remaining.questions -= 1;
            trace.at_node(graph, node, answer);
            match node.to(answer) {
                0 => return Landing::Open(at, answer as u32),
                next if remaining.pays(graph.cost((at, answer as u32), next)) => at = next,
                _ => return Landing::TooDear,
            }
        }
    }

    /// Runs the script from an answer, as long as what follows is unknown.
    fn run<T: Trace + Clone + 'static>(
        &self,
        from: (u32, u32),
        generator: &mut Generator,
        remaining: &mut Remaining,
        trace: &Rc<RefCell<T>>,
    ) -> Result<RunEnd, Error> {
        let limits = self.explorer.rules().limits();
        let most = (limits.questions, limits.playout);
        // Only a run that is kept may be run once more.
        let before = self.explorer.keeps(from.0).then(|| trace.borrow().clone());
        let picker = || {
            before.iter().for_each(|before| *trace.borrow_mut() = before.clone());
            self.seats.borrow_mut().restart(generator.clone());
            let (seats, answers) = (self.seats.clone(), self.answers.clone());
            SeatsPicker { seats, answers, trace: trace.clone(), remaining: *remaining, most }
        };
        // What an agent has thought is kept at nodes: it is worth more than they cost.
        let stores = self.worth.stores() || self.seats.borrow().deliberates();
        let (way, picker) = self.explorer.run(from, stores, picker)?;
        *remaining = picker.remaining;
        *generator = self.seats.borrow_mut().generator().clone();
        Ok(way)
    }
}
