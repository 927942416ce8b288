//! The trait of agents, what they know and answer; the simplest agents; and who sits where: agents answer for the
//! players in their seats, and chance falls by the generator.

use crate::error::{AgentFault, Error};
use crate::game::{Answer, Decision, Generator, Question, Stop};
use crate::number::Quantity;

/// Why an agent answered as it did: what it expects of each option.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The player's expected utility after each option, in order.
    pub values: Vec<f64>,
    /// What the player had in each of these playouts, option by option; empty where what follows is computed.
    pub met: Vec<Vec<f64>>,
    /// Of how many playouts of each option it is the mean; 0 where what follows is computed.
    pub playouts: u64,
    /// How often places that look alike were drawn at random to find those that are weighed; 0 where these are all there are.
    pub drawn: u64,
}

impl Worth {
    /// Whether nothing of it was drawn at random.
    pub(crate) fn is_exact(&self) -> bool {
        (self.playouts, self.drawn) == (0, 0)
    }

    /// By how much, at 95 %, what each option gives up against the best may be another than by the means; 0 where they
    /// are computed.
    pub(crate) fn off(&self) -> Vec<f64> {
        let values = &self.values;
        let best = (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b]));
        let Some(best) = best.and_then(|best| self.met.get(best)) else {
            return vec![0.0; values.len()];
        };
        let all = || self.met.iter().flatten().copied();
        let spread = all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min);
        let off = |own: &Vec<f64>| -> f64 {
            if std::ptr::eq(own, best) {
                return 0.0;
            }
            let apart = best.iter().zip(own).map(|(best, own)| best - own);
            let apart = Quantity::mean_of(&apart.collect::<Vec<_>>());
            match apart.map_or(f64::INFINITY, |apart| apart.half_width()) {
                off if off.is_finite() => off,
                // By the rule of three, what never varied may do so in three of as many.
                _ => 3.0 / self.playouts as f64 * spread,
            }
        };
        self.met.iter().map(off).collect()
    }
}

/// What the answers of an agent depend on, beside who is asked for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoesBy {
    /// What the player sees at the moment: it has one answer to all that looks the same.
    View,
    /// What the player saw and did since the step began: its answers are known by their places alone.
    Place,
    /// Also on what it draws itself: it is asked anew each time.
    Draw,
    /// Also on what the player saw and did since the beginning: it is asked anew each time, in games that are
    /// played from there.
    Game,
}

/// Picks actions for one or more players.
pub trait Agent {
    /// What messages and tables call it.
    fn name(&self) -> &str;

    /// What it answers before anything is drawn at random. An agent that is no person is pure: the
    /// same view, player, name and options have the same answer, unless it
    /// [goes by](Agent::goes_by) more. It may use the standpoint to think ahead, never to learn
    /// what is hidden from the player.
    fn answer(
        &mut self,
        decision: &Decision<'_>,
        standpoint: Standpoint<'_>,
    ) -> Result<Answer, Stop>;

    /// Picks the index of an option. The generator is this question's own: an agent may draw from
    /// it as much as it likes without moving anybody else's dice.
    fn pick(
        &mut self,
        decision: &Decision<'_>,
        standpoint: Standpoint<'_>,
        generator: &mut Generator,
    ) -> Result<usize, Stop> {
        Ok(self.answer(decision, standpoint)?.draw(decision.options.len(), generator))
    }

    /// What each option of its last answer was worth, where it weighed them and just thought about it.
    fn worth(&self) -> Option<&Worth> {
        None
    }

    /// The operations that its last answer took, where it is a script.
    fn operations(&self) -> u64 {
        0
    }

    fn goes_by(&self) -> GoesBy {
        GoesBy::View
    }

    /// The answer that it gives to every question, for any view and options, if there is one.
    fn always(&self) -> Option<Answer> {
        None
    }
}

/// The place of a question. People, and agents that go by what they see, need none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standpoint<'a> {
    /// A node of the graph that is played on, by its number; 0 is the beginning.
    pub node: u32,
    /// The indices of all answers since, of players and of chance, oldest first; those of a joint
    /// decision are in the order in which its players are asked.
    pub answers: &'a [u32],
}

impl<'a> Standpoint<'a> {
    /// At a node itself.
    pub fn at(node: u32) -> Standpoint<'static> {
        Standpoint { node, answers: &[] }
    }

    /// After these answers since the beginning.
    pub fn after(answers: &'a [u32]) -> Standpoint<'a> {
        Standpoint { node: 0, answers }
    }

    /// The node of the question, if it has one; else 0.
    pub fn known(&self) -> u32 {
        if self.answers.is_empty() { self.node } else { 0 }
    }
}

/// Answers for each player through the agent at the player's seat.
///
/// Every question, of a player or of chance, has one output of the generator to itself; of a joint
/// decision each player's does, in the order asked. So no agent can move the dice of another
/// question, and where all seats are `random` the answers are those of
/// [`Generator::sample`].
pub struct SeatedAgents {
    generator: Generator,
    agents: Vec<Box<dyn Agent>>,
    /// Which of the agents answers for a player. Few enough to be searched one by one.
    seats: Vec<(String, usize)>,
    /// The agent for everybody who has none.
    otherwise: Always,
    /// The indices of all answers since the beginning.
    trail: Vec<u32>,
    /// The seat whose agent was called for last.
    asked: Option<usize>,
}

impl SeatedAgents {
    /// Seats with `random` for everybody.
    pub fn new(generator: Generator) -> SeatedAgents {
        SeatedAgents {
            generator,
            agents: Vec::new(),
            seats: Vec::new(),
            otherwise: Always::RANDOM,
            trail: Vec::new(),
            asked: None,
        }
    }

    pub fn seat(self, player: impl Into<String>, agent: Box<dyn Agent>) -> SeatedAgents {
        self.side([player], agent)
    }

    /// Gives one agent to all players of a side.
    pub fn side(
        mut self,
        players: impl IntoIterator<Item = impl Into<String>>,
        agent: Box<dyn Agent>,
    ) -> SeatedAgents {
        for player in players {
            let player = player.into();
            self.seats.retain(|(seated, _)| *seated != player);
            self.seats.push((player, self.agents.len()));
        }
        self.agents.push(agent);
        self
    }

    /// The same agents at another playout's generator.
    pub fn restart(&mut self, generator: Generator) {
        self.generator = generator;
        self.trail.clear();
    }

    pub fn agent(&mut self, player: &str) -> &mut dyn Agent {
        self.asked = self.seats.iter().position(|(seated, _)| seated == player);
        match self.asked.and_then(|seat| self.seats.get(seat)) {
            Some(&(_, at)) => self.agents[at].as_mut(),
            None => &mut self.otherwise,
        }
    }

    /// Which of the agents, by their numbers in the order given, answers for which player.
    pub(crate) fn routes(&self) -> &[(String, usize)] {
        &self.seats
    }

    /// Lets the agents answer for other players: each player has the agent of this number. Where
    /// there is no such agent, and for all others, it is `random`.
    pub(crate) fn route(&mut self, routes: &[(String, usize)]) {
        self.asked = None;
        self.seats.clear();
        self.seats.extend(routes.iter().filter(|(_, at)| *at < self.agents.len()).cloned());
    }

    /// The player whose agent was called for last, and the agent's number.
    pub fn asked(&self) -> Option<(&str, usize)> {
        let (player, at) = self.seats.get(self.asked?)?;
        Some((player, *at))
    }

    /// What the one answers who is asked: an agent, or chance.
    ///
    /// # Errors
    /// Those of agents, also for an answer that is none; [`Stop::Pause`] where nobody answers yet.
    pub fn choose(&mut self, question: &Question<'_>) -> Result<usize, Stop> {
        let mut generator = self.generator.question();
        let answer = match question {
            Question::Chance(chance) => generator.fall(chance.distribution),
            Question::Decision(decision, _) => {
                let trail = std::mem::take(&mut self.trail);
                let agent = self.agent(decision.player);
                let picked = agent.pick(decision, Standpoint::after(&trail), &mut generator);
                let picked = picked.and_then(|index| offered(agent.name(), decision, index));
                self.trail = trail;
                picked?
            }
        };
        self.trail.push(answer as u32);
        Ok(answer)
    }

    /// Hears what somebody else answered, and passes over the random number of that question: so the same answers
    /// lead to the same dice, whether they were given or repeated.
    pub fn skip(&mut self, answer: usize) -> usize {
        self.generator.skip_question();
        self.trail.push(answer as u32);
        answer
    }

    /// Whether an agent in a seat has to know all that its player saw and did since the beginning.
    pub(crate) fn go_by_game(&self) -> bool {
        let mut agents = self.seats.iter().filter_map(|(_, at)| self.agents.get(*at));
        agents.any(|agent| agent.goes_by() == GoesBy::Game)
    }

    /// Whether an agent may take long to answer: all do that look at the question.
    pub fn deliberates(&self) -> bool {
        self.agents.iter().any(|agent| agent.always().is_none())
    }
}

fn offered(agent: &str, decision: &Decision<'_>, index: usize) -> Result<usize, Stop> {
    let offered = decision.options.len();
    if index < offered {
        return Ok(index);
    }
    let picked = index.saturating_add(1);
    let message = format!("picked option {picked} where {offered} are offered");
    Err(Error::agent(agent, AgentFault::Own, message).into())
}

/// An agent of this name that answers every question alike.
#[derive(Clone, Debug)]
pub struct Always(&'static str, Answer);

impl Always {
    /// Picks the first option.
    pub const FIRST: Always = Always("first", Answer::Option(0));
    /// Picks each option with the same probability.
    pub(crate) const RANDOM: Always = Always("random", Answer::Any);
}

impl Agent for Always {
    fn name(&self) -> &str {
        self.0
    }

    fn answer(&mut self, _: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
        Ok(self.1.clone())
    }

    fn always(&self) -> Option<Answer> {
        Some(self.1.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Fake, Follow, Record, failure};

    /// Answers nothing: the playout unwinds with [`Stop::Pause`] where it is asked.
    #[derive(Clone, Copy, Debug, Default)]
    struct Waiting;

    impl Agent for Waiting {
        fn name(&self) -> &str {
            "waiting"
        }

        fn answer(&mut self, _: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
            Err(Stop::Pause)
        }
    }

    fn run(mut seats: SeatedAgents) -> Result<Vec<usize>, Stop> {
        Fake::game().run(&mut |question| seats.choose(question))
    }

    /// Picks the option that the number of answers before it says.
    struct Counter;

    impl Agent for Counter {
        fn name(&self) -> &str {
            "counter"
        }

        fn answer(&mut self, decision: &Decision<'_>, at: Standpoint<'_>) -> Result<Answer, Stop> {
            Ok(Answer::Option(at.answers.len() % decision.options.len()))
        }
    }

    #[test]
    fn an_agent_hears_of_all_answers_given_or_repeated() {
        let seats = || SeatedAgents::new(Generator::of(1)).side(["red", "blue"], Box::new(Counter));
        let (mut record, mut first) = (Record::default(), seats());
        let answers = Fake::game().run(&mut |question| {
            let answer = first.choose(question)?;
            record.note(question, answer);
            Ok(answer)
        });
        let answers = answers.unwrap();
        // Asked are 5, chance, 3 and 2 together, 2, chance: after 0, 2, 3 and 4 answers.
        assert_eq!([answers[0], answers[2], answers[3], answers[4]], [0, 2, 1, 0]);
        for entries in 0..record.history.len() {
            let (mut follow, mut seats) = (Follow::new(record.history.prefix(entries)), seats());
            let again = Fake::game().run(&mut |question| match follow.answer(question)? {
                Some(answer) => Ok(seats.skip(answer)),
                None => seats.choose(question),
            });
            assert_eq!(again.unwrap(), answers, "{entries} repeated");
        }
    }

    /// Draws many numbers, then answers this index, even one that is not offered.
    struct Greedy(usize);

    impl Agent for Greedy {
        fn name(&self) -> &str {
            "greedy"
        }

        fn answer(&mut self, _: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
            Ok(Answer::Option(self.0))
        }

        fn pick(
            &mut self,
            _: &Decision<'_>,
            _: Standpoint<'_>,
            generator: &mut Generator,
        ) -> Result<usize, Stop> {
            (0..100).for_each(|_| generator.skip_question());
            Ok(self.0)
        }
    }

    #[test]
    fn random_seats_answer_as_the_generator_does() {
        for playout in 0..50 {
            let seated = run(SeatedAgents::new(Generator::playout(9, playout))).unwrap();
            let mut generator = Generator::playout(9, playout);
            let sampled = Fake::game().run(&mut |question| Ok(generator.sample(question)));
            assert_eq!(seated, sampled.unwrap());
        }
    }

    #[test]
    fn an_agent_moves_nobody_elses_dice() {
        let seats = |agent| SeatedAgents::new(Generator::playout(3, 0)).seat("red", agent);
        let few = run(seats(Box::new(Always::FIRST))).unwrap();
        let many = run(seats(Box::new(Greedy(0)))).unwrap();
        assert_eq!(few, many);
    }

    #[test]
    fn each_player_has_the_agent_of_the_seat() {
        let mut seats = SeatedAgents::new(Generator::of(1))
            .side(["red", "blue"], Box::new(Always::FIRST))
            .seat("blue", Box::new(Greedy(1)));
        let answers = Fake::game().run(&mut |question| seats.choose(question)).unwrap();
        // The answers of red are the first and the third, those of blue the fourth and the fifth.
        assert_eq!([answers[0], answers[2], answers[3], answers[4]], [0, 0, 1, 1]);
        assert_eq!(seats.agent("green").name(), "random");
        assert!(seats.deliberates());
    }

    #[test]
    fn agents_can_be_routed_to_other_players() {
        let mut seats = SeatedAgents::new(Generator::of(1))
            .seat("red", Box::new(Always::FIRST))
            .side([] as [&str; 0], Box::new(Greedy(0)));
        assert_eq!(seats.routes(), [("red".to_owned(), 0)]);
        seats.route(&[("blue".to_owned(), 1), ("red".to_owned(), 7)]);
        assert_eq!(seats.agent("blue").name(), "greedy");
        assert_eq!(seats.asked(), Some(("blue", 1)));
        assert_eq!(seats.agent("red").name(), "random");
        assert_eq!(seats.asked(), None);
    }

    #[test]
    fn where_nobody_sits_the_playout_pauses() {
        let seats = SeatedAgents::new(Generator::of(1)).seat("blue", Box::new(Waiting));
        assert!(matches!(run(seats), Err(Stop::Pause)));
    }

    #[test]
    fn an_agent_that_picks_what_is_not_offered_is_named() {
        let seats = SeatedAgents::new(Generator::of(1)).seat("red", Box::new(Greedy(5)));
        let message = failure(run(seats).unwrap_err()).to_string();
        assert_eq!(message, "agent `greedy`: picked option 6 where 5 are offered");
    }
}
