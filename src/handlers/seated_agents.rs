//! A handler that routes the questions of players to the agents in their seats, and chance to the
//! generator.

use super::{Agent, Generator, Random, Skip, Standpoint};
use crate::error::Error;
use crate::game::{Chance, Decision, Handler, Stop};

/// Answers for each player through the agent at the player's seat.
///
/// Every question, of a player or of chance, has one output of the generator to itself; of a joint
/// decision each player's does, in the order asked. So no agent can move the dice of another
/// question, and where all seats are `Random` the answers are those of a
/// [`Sampler`](super::Sampler) with the same generator.
pub struct SeatedAgents {
    generator: Generator,
    agents: Vec<Box<dyn Agent>>,
    /// Which of the agents answers for a player. Few enough to be searched one by one.
    seats: Vec<(String, usize)>,
    otherwise: Box<dyn Agent>,
    /// The indices of all answers since the beginning.
    trail: Vec<u32>,
    /// The seat whose agent was called for last.
    asked: Option<usize>,
}

impl SeatedAgents {
    /// Seats with `Random` for everybody.
    pub fn new(generator: Generator) -> SeatedAgents {
        SeatedAgents {
            generator,
            agents: Vec::new(),
            seats: Vec::new(),
            otherwise: Box::new(Random),
            trail: Vec::new(),
            asked: None,
        }
    }

    /// Gives a player an agent.
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

    /// The agent for everybody who has none.
    pub fn otherwise(mut self, agent: Box<dyn Agent>) -> SeatedAgents {
        self.otherwise = agent;
        self
    }

    /// The same agents at another playout's generator.
    pub fn restart(&mut self, generator: Generator) {
        self.generator = generator;
        self.trail.clear();
    }

    /// The generator in its current state, for the next questions.
    pub fn generator(&mut self) -> &mut Generator {
        &mut self.generator
    }

    /// The agent that answers for a player.
    pub fn agent(&mut self, player: &str) -> &mut dyn Agent {
        self.asked = self.seats.iter().position(|(seated, _)| seated == player);
        match self.asked.and_then(|seat| self.seats.get(seat)) {
            Some(&(_, at)) => self.agents[at].as_mut(),
            None => self.otherwise.as_mut(),
        }
    }

    /// Which of the agents, by their numbers in the order given, answers for which player.
    pub(crate) fn routes(&self) -> &[(String, usize)] {
        &self.seats
    }

    /// Lets the agents answer for other players: each player has the agent of this number. Where
    /// there is no such agent, and for all others, it is `Random`.
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
}

impl Handler for SeatedAgents {
    fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop> {
        let mut generator = self.generator.question();
        let trail = std::mem::take(&mut self.trail);
        let agent = self.agent(decision.player);
        let picked = agent.pick(decision, Standpoint::after(&trail), &mut generator);
        self.trail = trail;
        let index = picked?;
        let offered = decision.options.len();
        if index < offered {
            self.trail.push(index as u32);
            return Ok(index);
        }
        let agent = self.agent(decision.player);
        Err(Stop::from(Error::Agent {
            agent: agent.name().to_owned(),
            message: format!(
                "picked option {} where {offered} are offered",
                index.saturating_add(1)
            ),
            at: None,
            of_the_machine: false,
        }))
    }

    fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop> {
        let fell = self.generator.question().fall(chance.distribution);
        self.trail.push(fell as u32);
        Ok(fell)
    }

    fn deliberates(&self) -> bool {
        self.agents.iter().chain([&self.otherwise]).any(|agent| agent.deliberates())
    }
}

impl Skip for SeatedAgents {
    fn skip_question(&mut self) {
        self.generator.skip_question();
    }

    fn skip_decision(&mut self, _: &Decision<'_>, answer: usize) {
        self.skip_question();
        self.trail.push(answer as u32);
    }

    fn skip_together(&mut self, _: &[Decision<'_>], answers: &[usize]) {
        for &answer in answers {
            self.skip_question();
            self.trail.push(answer as u32);
        }
    }

    fn skip_roll(&mut self, _: &Chance<'_>, answer: usize) {
        self.skip_question();
        self.trail.push(answer as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handlers::fake::{Fake, error};
    use crate::handlers::{Answer, First, Record, Replay, Sampler, Waiting};

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
        let seats = || SeatedAgents::new(Generator::of(1)).otherwise(Box::new(Counter));
        let mut record = Record::new(seats());
        let answers = Fake::game().run(&mut record).unwrap();
        // Asked are 5, chance, 3 and 2 together, 2, chance: after 0, 2, 3 and 4 answers.
        assert_eq!([answers[0], answers[2], answers[3], answers[4]], [0, 2, 1, 0]);
        let history = record.history().clone();
        for entries in 0..history.len() {
            let again = Fake::game().run(&mut Replay::new(history.prefix(entries), seats()));
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
    fn random_seats_answer_as_the_sampler_does() {
        let game = Fake::game();
        for playout in 0..50 {
            let seated = game.run(&mut SeatedAgents::new(Generator::playout(9, playout))).unwrap();
            assert_eq!(seated, game.run(&mut Sampler::new(9, playout)).unwrap());
        }
    }

    #[test]
    fn an_agent_moves_nobody_elses_dice() {
        let seats = |agent| SeatedAgents::new(Generator::playout(3, 0)).seat("red", agent);
        let few = Fake::game().run(&mut seats(Box::new(First))).unwrap();
        let many = Fake::game().run(&mut seats(Box::new(Greedy(0)))).unwrap();
        assert_eq!(few, many);
    }

    #[test]
    fn each_player_has_the_agent_of_the_seat() {
        let mut seats = SeatedAgents::new(Generator::of(1))
            .side(["red", "blue"], Box::new(First))
            .seat("blue", Box::new(Greedy(1)))
            .otherwise(Box::new(Waiting));
        let answers = Fake::game().run(&mut seats).unwrap();
        // The answers of red are the first and the third, those of blue the fourth and the fifth.
        assert_eq!([answers[0], answers[2], answers[3], answers[4]], [0, 0, 1, 1]);
        assert_eq!(seats.agent("green").name(), "waiting");
        assert!(seats.deliberates());
    }

    #[test]
    fn agents_can_be_routed_to_other_players() {
        let mut seats = SeatedAgents::new(Generator::of(1))
            .seat("red", Box::new(First))
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
        let mut seats = SeatedAgents::new(Generator::of(1)).seat("blue", Box::new(Waiting));
        assert!(matches!(Fake::game().run(&mut seats), Err(Stop::Pause)));
    }

    #[test]
    fn an_agent_that_picks_what_is_not_offered_is_named() {
        let mut seats = SeatedAgents::new(Generator::of(1)).seat("red", Box::new(Greedy(5)));
        let message = error(Fake::game().run(&mut seats).unwrap_err()).to_string();
        assert_eq!(message, "agent `greedy`: picked option 6 where 5 are offered");
    }
}
