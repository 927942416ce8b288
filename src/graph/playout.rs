//! Makes playouts on the graph: looks up where each answer leads, and runs the script where that is
//! unknown, so that the next playout can look it up.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use num_bigint::BigUint;

use super::answer_cache::{AnswerCache, SHARDS};
use super::explorer::Explorer;
use super::node::NodeKind;
use super::policies::{Policies, Policy, weighed};
use super::random_playout::{WorthStoring, ask};
use super::seats::{GoesBy, SeatedAgents, Standpoint};
use super::store::question::Offer;
use super::trace::{PlayedPart, PlayoutCourse, Trace, Traced};
use super::walk::{Arrival, WalkAim};
use crate::error::{Error, Limit, ScriptFault};
use crate::game::{Answer, Generator, History, Question};
use crate::script::Fuel;

/// Makes playouts on a graph, for one thread, with agents of its own.
///
/// Its answers are those that the script alone would get from the same seats and generator, action
/// for action: every question takes one output of the generator, as in [`SeatedAgents`].
pub struct PlayoutRunner {
    explorer: Explorer,
    seats: SeatedAgents,
    answers: Arc<AnswerCache>,
    policies: Policies,
    questions: u64,
    /// How many of them the script asked.
    pub(super) ran: u64,
    /// The operations of the rules that the last finished playout took, or would have taken where it was known.
    spent: u64,
    worth: WorthStoring,
    /// As long as the graph has no more nodes, new ones are stored, worth it or not.
    counts_to: u64,
    /// The most questions of a playout, where they are fewer than the limit.
    most: u64,
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
}

struct Playout<'t, T> {
    generator: Generator,
    trace: &'t mut T,
    /// How many questions it may have, had, and had asked by the script.
    most: u64,
    questions: u64,
    asked: u64,
    fuel: Fuel,
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
            seats,
            answers,
            policies: Policies::default(),
            questions: 0,
            ran: 0,
            spent: 0,
            worth: WorthStoring::of_playouts(),
            counts_to: 0,
            most: u64::MAX,
        }
    }

    /// The means to make the graph larger.
    pub fn explorer(&self) -> &Explorer {
        &self.explorer
    }

    /// Seats the agents differently, by their numbers in [`SeatedAgents`]; `answers` are those of that
    /// seating.
    pub(crate) fn reseat(&mut self, routes: &[(String, usize)], answers: Arc<AnswerCache>) {
        self.seats.route(routes);
        self.answers = answers;
        self.policies = Policies::default();
    }

    /// Stores nodes until there are more than this, worth it or not, so that playouts tell who would explore this many
    /// that there are more.
    pub(crate) fn count_to(&mut self, nodes: u64) {
        self.counts_to = nodes;
    }

    /// The player whose agent was called for last, and the agent's number: after an error of an
    /// agent, who erred.
    pub fn asked(&self) -> Option<(String, usize)> {
        self.seats.asked().map(|(player, agent)| (player.to_owned(), agent))
    }

    /// How many questions the last finished playout had, of players and of chance.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// How many of these the script asked; the others were known.
    pub(crate) fn ran(&self) -> u64 {
        self.ran
    }

    /// The operations of the last finished playout's rules, whether they ran or were known, and of all views and
    /// agents' answers at known nodes that this seating worked out up to then.
    pub(crate) fn operations(&self) -> (u64, u64) {
        (self.spent, self.answers.thought())
    }

    /// Makes one playout; returns the number of its ending.
    ///
    /// # Errors
    /// Those of the rules and the agents; [`Error::Interrupted`] where a person would be asked.
    #[inline]
    pub fn play(&mut self, generator: Generator) -> Result<u32, Error> {
        self.play_traced(generator, &mut ())
    }

    /// Makes the rest of a playout from a node on, and reports each answer to `trace`; returns the number of its
    /// ending.
    pub fn play_from<T: Trace>(
        &mut self,
        node: u32,
        generator: Generator,
        trace: &mut T,
    ) -> Result<u32, Error> {
        let mut playout = self.playout(generator, trace);
        let landing = self.look_up(node, None, &mut playout)?;
        self.play_on(landing, playout)
    }

    /// How likely each answer is at a node, given the agents in the seats; empty at an end.
    pub fn shares(&mut self, number: u32) -> Result<Vec<(usize, BigUint)>, Error> {
        let graph = self.explorer.graph().clone();
        self.policies.update_from(&graph, &mut self.seats);
        let node = graph.node(number);
        let agent = node.kind() == NodeKind::Decision
            && self.policies.get(node.actor()) == Some(Policy::Agent);
        if agent {
            // Its answer may have had no room: it is what was worked out, kept or not.
            let answer = self.explorer.work_out(number, &mut self.seats, &self.answers)?;
            return Ok(weighed(answer, node.answers()).weights());
        }
        let shares = self.policies.shares(&graph, number, &self.answers);
        Ok(shares.map(|shares| shares.weights()).unwrap_or_default())
    }

    /// Makes one playout, and reports each answer to `trace`.
    pub fn play_traced<T: Trace>(
        &mut self,
        generator: Generator,
        trace: &mut T,
    ) -> Result<u32, Error> {
        if self.seats.go_by_game() {
            return self.play_whole(generator, trace);
        }
        let mut playout = self.playout(generator, trace);
        let graph = self.explorer.graph();
        let landing = match graph.root() {
            0 => Landing::Open(0, 0),
            // Little is known where nothing is stored: to run on from there costs more than to run from the beginning.
            _ if !self.stores() && !graph.is_whole() => Landing::Open(0, 0),
            root => {
                playout.fuel.spend(graph.cost((0, 0)))?;
                self.look_up(root, None, &mut playout)?
            }
        };
        self.play_on(landing, playout)
    }

    /// Makes the rest of a playout whose beginning is known, up to this many questions in all: the number of its
    /// ending, or nothing where more are asked.
    pub(crate) fn play_until(
        &mut self,
        generator: Generator,
        beginning: &mut PlayedPart,
        most: u64,
    ) -> Result<Option<u32>, Error> {
        beginning.rewind();
        self.cut(most, |runner| runner.play_traced(generator, beginning))
    }

    /// The history of the first questions of a playout, where it is not too large.
    pub(crate) fn history_until(
        &mut self,
        generator: Generator,
        most: u64,
    ) -> Result<Option<History>, Error> {
        let mut trace = Traced::default();
        self.cut(most, |runner| runner.play_traced(generator, &mut trace))?;
        Ok(trace.whole())
    }

    /// The end of a playout of this many questions at most; nothing where it would have more.
    fn cut<T>(
        &mut self,
        most: u64,
        play: impl FnOnce(&mut PlayoutRunner) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.most = most;
        let played = play(self);
        self.most = u64::MAX;
        let is_cut = |error: &Error| match error {
            Error::Script(error) => error.fault == ScriptFault::Limit(Limit::Questions(most)),
            _ => false,
        };
        let limit = self.explorer.rules().limits().questions;
        match played {
            Err(error) if most < limit && is_cut(&error) => Ok(None),
            other => other.map(Some),
        }
    }

    /// The history of a playout that failed, where it is not too large. It is made again, and fails where it failed:
    /// to record all playouts would take longer than to repeat the few that fail.
    pub(crate) fn history_of_failed(&mut self, generator: Generator) -> Option<History> {
        let mut trace = Traced::default();
        let _ = self.play_traced(generator, &mut trace);
        trace.whole()
    }

    /// As [`PlayoutRunner::play_traced`], by the script alone, which runs on where the way is known.
    pub(super) fn play_whole<T: Trace>(
        &mut self,
        generator: Generator,
        trace: &mut T,
    ) -> Result<u32, Error> {
        let mut playout = self.playout(generator, trace);
        match self.run((0, 0), true, &mut playout)? {
            Arrival::Over(ending) => Ok(self.ended(ending, &playout)),
            Arrival::Known(_) | Arrival::Asked => unreachable!("it runs to its end"),
        }
    }

    fn playout<'t, T>(&self, generator: Generator, trace: &'t mut T) -> Playout<'t, T> {
        let limits = self.explorer.rules().limits();
        let (most, fuel) = (limits.questions.min(self.most), Fuel::new(limits.playout));
        Playout { generator, trace, most, questions: 0, asked: 0, fuel }
    }

    fn play_on<T: Trace>(
        &mut self,
        mut landing: Landing,
        mut playout: Playout<'_, T>,
    ) -> Result<u32, Error> {
        loop {
            // An answer that was worked out just now, and its node: it may have had no room.
            let mut fresh = None;
            let at = match landing {
                Landing::End(ending) => return Ok(self.ended(ending, &playout)),
                Landing::Open(node, answer) => {
                    match self.run((node, answer), false, &mut playout)? {
                        Arrival::Known(node) => node,
                        Arrival::Over(ending) => return Ok(self.ended(ending, &playout)),
                        Arrival::Asked => unreachable!("it is answered"),
                    }
                }
                Landing::Unanswered(node) => {
                    let mut lot = playout.generator.clone().question();
                    let answer = self.explorer.visit(node, |decision| {
                        let agent = self.seats.agent(decision.player);
                        let at = Standpoint::at(node);
                        match agent.goes_by() {
                            GoesBy::View | GoesBy::Place => {
                                self.answers.work_out(at, decision, agent)
                            }
                            // What it draws is the question's own, as where the script asks.
                            GoesBy::Draw | GoesBy::Game => {
                                let picked = agent.pick(decision, at, &mut lot)?;
                                Ok(Arc::new(Answer::Option(picked)))
                            }
                        }
                    })?;
                    fresh = Some((node, answer));
                    node
                }
                Landing::Stranger(node) => {
                    self.policies.update_from(self.explorer.graph(), &mut self.seats);
                    node
                }
            };
            landing = self.look_up(at, fresh, &mut playout)?;
        }
    }

    /// Whether new nodes are stored. What an agent has thought is kept at nodes: it is worth more than they cost.
    fn stores(&self) -> bool {
        self.worth.stores()
            || self.seats.deliberates()
            || self.explorer.graph().nodes() <= self.counts_to
    }

    fn ended<T>(&mut self, ending: u32, playout: &Playout<'_, T>) -> u32 {
        (self.questions, self.ran) = (playout.questions, playout.asked);
        self.spent = playout.fuel.spent();
        self.worth.count(self.questions, self.ran);
        ending
    }

    /// Goes from node to node as far as they are known; `fresh` is the answer at the first.
    #[inline]
    fn look_up<T: Trace>(
        &self,
        mut at: u32,
        mut fresh: Option<(u32, Arc<Answer>)>,
        playout: &mut Playout<'_, T>,
    ) -> Result<Landing, Limit> {
        let graph = &**self.explorer.graph();
        let generator = &mut playout.generator;
        loop {
            let node = graph.node(at);
            let kind = node.kind();
            if kind == NodeKind::End {
                return Ok(Landing::End(node.what()));
            }
            let Some(policy) = self.policies.get(node.actor()) else {
                return Ok(Landing::Stranger(at));
            };
            if playout.questions == playout.most {
                return Err(Limit::Questions(playout.most));
            }
            let answers = node.answers();
            let given = playout.trace.given(playout.questions);
            let answer = match (kind, policy) {
                _ if given.is_some() => {
                    generator.skip_question();
                    given.unwrap_or_default()
                }
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
                    match fresh.map(|(_, answer)| answer).or_else(|| self.answers.at(at)) {
                        None => return Ok(Landing::Unanswered(at)),
                        Some(answer) => answer.draw(answers, &mut generator.question()),
                    }
                }
            };
            playout.questions += 1;
            playout.trace.at_node(graph, node, answer);
            match node.to(answer) {
                0 => return Ok(Landing::Open(at, answer as u32)),
                next => {
                    playout.fuel.spend(node.cost(answer))?;
                    at = next;
                }
            }
        }
    }

    /// Runs the script from an answer, as long as what follows is unknown, or to the end.
    fn run<T: Trace>(
        &mut self,
        from: (u32, u32),
        whole: bool,
        playout: &mut Playout<'_, T>,
    ) -> Result<Arrival, Error> {
        // Who has to know the whole game hears of all answers where none of them has a node.
        let aim = match self.stores() && !self.seats.go_by_game() {
            false => WalkAim::Pass,
            true if whole => WalkAim::StoreAll,
            true => WalkAim::Store,
        };
        let mut walk = self.explorer.walk(from, aim);
        loop {
            let arrival = walk.next()?;
            playout.fuel.spend(walk.cost())?;
            let Some(question) = walk.question_at(arrival) else { return Ok(arrival) };
            let given = playout.trace.given(playout.questions);
            ask(&mut playout.questions, playout.most)?;
            // Where it runs on to count, what was known could have been looked up.
            playout.asked += u64::from(!walk.knew);
            let mut lot = playout.generator.question();
            let answer = match &question {
                _ if given.is_some() => given.unwrap_or_default(),
                Question::Chance(chance) => lot.fall(chance.distribution),
                Question::Decision(decision, _) => {
                    let options = decision.options.len();
                    let agent = self.seats.agent(decision.player);
                    match agent.always() {
                        Some(always) => always.draw(options, &mut lot),
                        None if matches!(agent.goes_by(), GoesBy::Draw | GoesBy::Game) => {
                            let picked = agent.pick(decision, walk.standpoint(), &mut lot);
                            picked.map_err(|stop| walk.blames(stop.into()))?
                        }
                        None => {
                            let answer = self.answers.work_out(walk.standpoint(), decision, agent);
                            let answer = answer.map_err(|stop| walk.blames(stop.into()))?;
                            answer.draw(options, &mut lot)
                        }
                    }
                }
            };
            playout.trace.asked(&question, answer);
            walk.answer(answer);
        }
    }

    /// Makes a playout of a seed, by its number; returns the number of its ending. How it went is kept,
    /// if there is room, where the script had to run for this playout and the one before; if wanted, with what
    /// the script ran.
    pub(crate) fn play_and_keep(&mut self, number: (u64, u64), counts: bool) -> Result<u32, Error> {
        // Where playouts are looked up, making one again takes no longer than to keep it.
        if self.ran == 0 {
            return self.play(Generator::playout(number.0, number.1));
        }
        let course = self.made(number, counts)?;
        let ending = course.ending;
        if self.ran > 0 {
            self.answers.keep_course(number, course);
        }
        Ok(ending)
    }

    /// How a playout of a seed goes, by its number; if wanted, with what the script runs, where it runs the whole.
    /// One that was kept is not made again, and is kept no longer.
    pub(crate) fn course(
        &mut self,
        number: (u64, u64),
        counts: bool,
    ) -> Result<PlayoutCourse, Error> {
        match self.answers.take_course(number) {
            Some(kept) => Ok(kept),
            None => self.made(number, counts),
        }
    }

    fn made(&mut self, (seed, playout): (u64, u64), counts: bool) -> Result<PlayoutCourse, Error> {
        let (mut course, generator) = (PlayoutCourse::default(), Generator::playout(seed, playout));
        // What an agent has thought is kept at nodes, which the script alone does not look up.
        course.ending = match counts && !self.seats.deliberates() {
            true => self.play_counted(generator, &mut course)?,
            false => self.play_traced(generator, &mut course)?,
        };
        Ok(course)
    }

    /// Makes a playout by the script from its beginning to its end, which counts what it runs; what it meets is
    /// stored all the same.
    fn play_counted(
        &mut self,
        generator: Generator,
        course: &mut PlayoutCourse,
    ) -> Result<u32, Error> {
        let rules = self.explorer.rules().clone();
        rules.count_calls();
        let ending = self.play_whole(generator, course);
        course.counted = Some(rules.counted());
        ending
    }
}

impl AnswerCache {
    /// Keeps how a playout went, if there is room: all of them take no more than runs that are paused.
    fn keep_course(&self, number: (u64, u64), mut course: PlayoutCourse) {
        course.answers.shrink_to_fit();
        let (own, whole) = (course.bytes(), course.whole());
        let taken = self.of_courses.fetch_add(whole, Ordering::Relaxed);
        let shard = &self.courses[number.1 as usize % SHARDS];
        let fits = taken + whole <= self.graph.runs().bound();
        if !fits || !self.keep(shard, number, course, own) {
            self.of_courses.fetch_sub(whole, Ordering::Relaxed);
        }
    }

    fn take_course(&self, number: (u64, u64)) -> Option<PlayoutCourse> {
        let course = self.courses[number.1 as usize % SHARDS].lock().remove(&number)?;
        self.of_courses.fetch_sub(course.whole(), Ordering::Relaxed);
        self.bytes.fetch_sub(course.bytes(), Ordering::Relaxed);
        self.graph.shrank(course.bytes());
        Some(course)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::graph::explorer::tests::explorer;
    use crate::script::{Budget, Limits};

    #[test]
    fn playouts_that_give_the_graph_up_go_as_those_that_do_not() {
        let runner = |trial: u64| {
            // Billions of ways: nearly every playout leaves the known ones at its second question of five or six.
            let step = "this.n = this.n * 80 + this.choose(\"red\", \"pick\", numbers(1, 80));\
                this.done = this.n > 3000000000;";
            let explorer = explorer(step, Limits::default());
            let answers = AnswerCache::new(explorer.graph());
            let seats = SeatedAgents::new(Generator::of(1));
            let mut runner = PlayoutRunner::new(explorer, seats, Arc::new(answers));
            runner.worth = WorthStoring::after(trial);
            runner
        };
        let (mut gives_up, mut stays) = (runner(30), runner(1_000_000));
        for playout in 0..200 {
            let course = |runner: &mut PlayoutRunner| {
                let mut course = PlayoutCourse::default();
                let ending = runner.play_traced(Generator::playout(1, playout), &mut course);
                (ending.unwrap(), course)
            };
            assert_eq!(course(&mut gives_up), course(&mut stays), "playout {playout}");
        }
        assert_eq!(gives_up.ran, gives_up.questions(), "nothing is looked up any more");
        assert!(gives_up.explorer().graph().nodes() < 100);
        assert!(stays.explorer().graph().nodes() > 400 && stays.ran < stays.questions());
    }

    /// Plays for somebody random at a conflict of four steps, each of which calls `twice` where 2 is picked; with the
    /// number of that function.
    fn runner() -> (PlayoutRunner, u16) {
        let step = "this.n += 1; if this.choose(\"red\", \"pick\", [1, 2]) == 2 { twice(); } \
                    this.done = this.n == 4; } fn twice() { ";
        let explorer = explorer(step, Limits::default());
        let twice = explorer.rules().countable().into_iter().find(|one| one.name == "twice");
        let answers = Arc::new(AnswerCache::new(explorer.graph()));
        let seats = SeatedAgents::new(Generator::of(0));
        (PlayoutRunner::new(explorer, seats, answers), twice.unwrap().number)
    }

    #[test]
    fn what_a_playout_runs_is_counted_whole_where_its_way_is_known() {
        let ((mut counting, twice), (mut by_graph, _)) = (runner(), runner());
        for playout in 0..50 {
            let course = counting.course((3, playout), true).unwrap();
            let counted = course.counted.unwrap();
            let picked = course.answers.iter().filter(|answer| **answer == 1).count() as u64;
            let called = counted.calls.iter().find(|(function, _)| *function == twice);
            assert_eq!((counted.steps, called.map_or(0, |called| called.1)), (4, picked));
            assert_eq!(by_graph.course((3, playout), false).unwrap().answers, course.answers);
        }
        let nodes = |runner: &PlayoutRunner| runner.explorer().graph().nodes();
        assert_eq!(nodes(&counting), nodes(&by_graph));
    }

    #[test]
    fn room_for_playouts_is_given_back_where_one_is_taken_or_refused() {
        let graph = Arc::new(Graph::new(String::new(), &Budget::default().within(1 << 20)));
        let answers = AnswerCache::new(&graph);
        let course =
            |length: usize| PlayoutCourse { answers: vec![0; length], ..PlayoutCourse::default() };
        let bound = graph.runs().bound();
        // Too long for all the room that there is.
        for number in 0..10 {
            answers.keep_course((1, number), course(bound as usize));
        }
        assert_eq!(answers.of_courses.load(Ordering::Relaxed), 0);
        for number in 0..1_000 {
            answers.keep_course((1, number), course(8));
            assert_eq!(answers.take_course((1, number)), Some(course(8)), "playout {number}");
        }
        assert_eq!(answers.of_courses.load(Ordering::Relaxed), 0);
        // The same one twice takes room once.
        answers.keep_course((1, 7), course(8));
        answers.keep_course((1, 7), course(8));
        assert_eq!(answers.of_courses.load(Ordering::Relaxed), course(8).whole());
    }
}
