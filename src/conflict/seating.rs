//! A conflict with its agents in their seats, from which each thread makes its rules and agents; the seats of a conflict
//! under way, and what an agent would do in a player's place.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use hashbrown::HashSet;
use indexmap::IndexMap;

use super::{Conflict, Play, Players, fixed_secrets};
use crate::agents::{
    self, AgentSpec, CompiledAgents, HUMAN, LookAlikes, SharedThinking, beside_thoughts,
};
use crate::catalog::CAMPAIGN;
use crate::error::Error;
use crate::explored::ExploredGame;
use crate::game::{Answer, Decision, Generator, Stop, some_of, ticked};
use crate::graph::{
    Agent, AnswerCache, Explorer, GoesBy, Graph, PlayoutRunner, Policies, SeatedAgents, Standpoint,
    WorkerFactory, Worth,
};
use crate::script::{Blueprint, Budget, Setup};

/// A conflict with agents in its seats, ready for any number of threads. `random` sits in empty
/// seats, and the rules' default agent in those of people.
#[derive(Clone)]
pub struct Seating {
    /// What the rules are compiled from.
    pub blueprint: Blueprint,
    /// What the conflict starts from.
    pub setup: Setup,
    /// The part of the game seen so far.
    pub graph: Arc<Graph>,
    /// Who plays.
    pub players: Players,
    /// The seats of people, who cannot be asked here.
    pub people: Vec<String>,
    /// The agent that plays for people.
    pub default_agent: String,
    /// Seat -> the word of the agent in it, or of a person.
    pub named: IndexMap<String, String>,
    seats: Vec<(Vec<String>, AgentSpec)>,
    answers: Arc<AnswerCache>,
    shared: SharedThinking,
    words: Vec<String>,
}

/// No more seats than these are listed.
const SEATS: usize = 8;

/// Who sits where, with what those do and what people are called; `plays_as` has the agent that plays for a seat and its
/// word: `red (you) plays as `greedy`, blue as `patient``.
pub(crate) fn seats_in_words<'w>(
    seats: &'w IndexMap<String, String>,
    (does, person): (&str, &str),
    plays_as: impl Fn(&str, &'w str) -> &'w str,
) -> String {
    let one = |(at, (name, word)): (usize, (&'w String, &'w String))| {
        let who = if word == HUMAN { format!("{name} ({person})") } else { name.clone() };
        let does = if at == 0 { format!(" {does}") } else { String::new() };
        format!("{who}{does} as `{}`", plays_as(name, word))
    };
    some_of(seats.iter().enumerate().map(one), SEATS, ", ")
}

impl Seating {
    /// Seats the agents of a conflict at a new graph. It may take this many bytes, of those that all
    /// work with the conflict's rules may take.
    ///
    /// # Errors
    /// Those of seats that name no player or agent.
    pub fn new(conflict: &Conflict, memory: u64) -> Result<Seating, Error> {
        Seating::at(conflict, Seating::graph(conflict, memory))
    }

    /// A new graph for the agents of a conflict. It may take this many bytes; if they think ahead,
    /// they have a part of those.
    pub fn graph(conflict: &Conflict, memory: u64) -> Arc<Graph> {
        let thinker = |word: &String| {
            let word = conflict.agent_or_default(word);
            matches!(AgentSpec::read(word, &conflict.folder), Ok(AgentSpec::Thinker(_)))
        };
        let thinks = conflict.seats.values().any(thinker);
        Seating::graph_within(conflict, if thinks { beside_thoughts(memory) } else { memory })
    }

    fn graph_within(conflict: &Conflict, memory: u64) -> Arc<Graph> {
        let budget = conflict.blueprint.limits.budget.within(memory);
        Arc::new(Graph::new(conflict.blueprint.identity(&conflict.setup), &budget))
    }

    /// Seats the agents of a conflict at an existing graph.
    pub fn at(conflict: &Conflict, graph: Arc<Graph>) -> Result<Seating, Error> {
        Seating::seated(conflict, graph, &conflict.seats)
    }

    /// `random` in all seats of a conflict, whose agents need not compile, at a new graph, which may take this many
    /// bytes.
    pub(crate) fn unseated(conflict: &Conflict, memory: u64) -> Result<Seating, Error> {
        Seating::seated(conflict, Seating::graph_within(conflict, memory), &IndexMap::new())
    }

    fn seated(
        conflict: &Conflict,
        graph: Arc<Graph>,
        named: &IndexMap<String, String>,
    ) -> Result<Seating, Error> {
        let players = Players::find(conflict)?;
        let (mut seats, mut people) = (Vec::new(), Vec::new());
        for (seat, word) in named {
            let of_seat = players.of_seat(seat);
            let of_seat = of_seat.map_err(|error| error.placed(|| conflict.seat_key(seat)))?;
            let mut place = conflict.seat_place(seat);
            if word == HUMAN {
                place = conflict.default_agent.at.clone();
                people.push(seat.clone());
            }
            let found = conflict
                .agent(conflict.agent_or_default(word))
                .and_then(|found| found.check(&conflict.blueprint).map(|()| found))
                .and_then(|found| found.suits(graph.identity()).map(|()| found))
                .map_err(|error| error.placed(|| place))?;
            seats.push((of_seat, found));
        }
        let mut blueprint = conflict.blueprint.clone();
        blueprint.players = conflict.rules.expected();
        let (setup, scenario) = (conflict.setup.clone(), &conflict.scenario.name);
        let shared = SharedThinking::new(blueprint.clone(), setup, graph.clone(), scenario);
        for ((seat, _), (_, found)) in named.iter().zip(&seats) {
            found.greet(&shared).map_err(|error| error.placed(|| conflict.seat_place(seat)))?;
        }
        Ok(Seating {
            blueprint,
            setup: conflict.setup.clone(),
            answers: Arc::new(AnswerCache::new(&graph)),
            graph,
            players,
            people,
            default_agent: conflict.default_agent.word.clone(),
            named: named.clone(),
            seats,
            shared,
            words: conflict.words(),
        })
    }

    /// The same conflict at the same graph, with more agents, who come before those that sit there.
    /// An agent without players sits nowhere until somebody routes players to it.
    pub fn with(&self, agents: impl IntoIterator<Item = (Vec<String>, AgentSpec)>) -> Seating {
        let mut seating = Seating { answers: self.no_answers(), ..self.clone() };
        seating.seats.extend(agents);
        seating
    }

    /// The same, where agents sit in these seats in the words that play it.
    #[must_use]
    pub(crate) fn in_words(mut self, seats: &[(String, String)]) -> Seating {
        while let Some(at) = self.words.iter().position(|word| word == "--seat") {
            self.words.drain(at..(at + 2).min(self.words.len()));
        }
        let word = |(seat, agent): &(String, String)| ["--seat".into(), format!("{seat}={agent}")];
        self.words.extend(seats.iter().flat_map(word));
        self
    }

    /// The same conflict at the same graph, with `random` in all seats.
    pub fn unmanned(&self) -> Seating {
        let people = Vec::new();
        Seating { seats: Vec::new(), people, answers: self.no_answers(), ..self.clone() }
    }

    /// The paths and texts of the scripts that play.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = &(String, String)> {
        self.seats.iter().flat_map(|(_, agent)| match agent {
            AgentSpec::Script(layer, _) => &layer.files[..],
            _ => &[],
        })
    }

    /// Who plays in each seat, in a sentence: on them all numbers rest.
    pub(crate) fn who_plays(&self) -> String {
        self.all_in_words("")
    }

    /// The same of what follows a place.
    pub(crate) fn who_plays_on(&self) -> String {
        self.all_in_words(" on")
    }

    fn all_in_words(&self, on: &str) -> String {
        let all = &self.players.names;
        let is_seated = |name: &String| {
            let of_seat = |seat: &String| self.players.of_seat(seat).unwrap_or_default();
            self.named.keys().any(|seat| of_seat(seat).contains(name))
        };
        let does = format!("plays{on}");
        let named = seats_in_words(&self.named, (&does, "a person"), |_, word| match word {
            HUMAN => &self.default_agent,
            word => word,
        });
        match (named, all.iter().all(is_seated)) {
            (named, _) if named.is_empty() => format!("all play{on} as `random`"),
            (named, true) => named,
            (_, false) if self.named.values().all(|word| word == "random") => {
                format!("all play{on} as `random`")
            }
            (named, false) => format!("{named}, all others as `random`"),
        }
    }

    /// Says who plays for people and with `how` the first of them gets another agent, where people sit, first; and
    /// what agents that think ahead are taken to know.
    pub(crate) fn in_sentences(&self, how: impl Fn(&str) -> String) -> Vec<String> {
        let first = self.people.first().map(|first| {
            let (agent, names) = (&self.default_agent, ticked(&self.people).join(", "));
            format!("`{agent}` plays for people: {names}; `{}` seats another", how(first))
        });
        let known = self.thinks().then(|| self.known_secrets());
        first.into_iter().chain(known.into_iter().flatten()).collect()
    }

    /// Says what everybody who looks ahead is taken to know although it is hidden. Work that is to stop hears of it
    /// elsewhere.
    pub(crate) fn known_secrets(&self) -> Vec<String> {
        let found = self.blueprint.rules().and_then(|rules| fixed_secrets(&rules, &self.setup));
        let known = |(secret, _)| format!("{secret}: everybody is taken to know it");
        found.unwrap_or_default().into_iter().map(known).collect()
    }

    /// The same agents at the same graph; what agents have thought so far is forgotten.
    pub(crate) fn thinking_anew(&self) -> Seating {
        Seating { shared: self.shared.afresh(&self.graph), ..self.clone() }
    }

    /// The same agents at a new graph, which may take this many bytes.
    pub fn afresh(&self, memory: u64) -> Seating {
        let budget = self.budget().within(memory);
        let graph = Arc::new(Graph::new(self.graph.identity().to_owned(), &budget));
        let (shared, answers) = (self.shared.afresh(&graph), Arc::new(AnswerCache::new(&graph)));
        Seating { graph, answers, shared, ..self.clone() }
    }

    /// The same agents at the same graph, for work that may take so much.
    pub fn under(&self, budget: Budget) -> Seating {
        let mut seating = self.clone();
        seating.blueprint.limits.budget = budget.clone();
        seating.shared.blueprint.limits.budget = budget;
        seating
    }

    /// The budget of all work that is done with them.
    pub fn budget(&self) -> &Budget {
        &self.blueprint.limits.budget
    }

    fn no_answers(&self) -> Arc<AnswerCache> {
        Arc::new(AnswerCache::new(&self.graph))
    }

    /// How many agents there are, in the order in which they were given.
    pub fn agents(&self) -> usize {
        self.seats.len()
    }

    /// Whether some of the agents think ahead, which takes its time at each decision.
    pub fn thinks(&self) -> bool {
        self.seats.iter().any(|(_, found)| matches!(found, AgentSpec::Thinker(_)))
    }

    /// The nodes that look the same to the player who decides at the end of a way, about as many as are wanted, drawn under
    /// a seed.
    pub(crate) fn look_alikes(
        &self,
        place: (u32, &[(u32, usize)]),
        wanted: (usize, u64),
    ) -> Result<LookAlikes, Error> {
        agents::look_alikes(&self.shared, place, wanted, || self.words.clone())
    }

    /// The agents in their seats, for this thread.
    pub fn seats(&self, generator: Generator) -> Result<SeatedAgents, Error> {
        let (mut seats, compiled) = (SeatedAgents::new(generator), CompiledAgents::default());
        for (players, found) in &self.seats {
            seats = seats.side(players, found.agent(&self.shared, &compiled)?);
        }
        Ok(seats)
    }

    /// Makes each agent once, and begins those that are programs, so that a mistake shows at once.
    pub(crate) fn begin_agents(&self) -> Result<(), Error> {
        self.seats(Generator::of(0))?;
        self.seats.iter().try_for_each(|(_, found)| found.greet(&self.shared).map(|_| ()))
    }

    /// What the answers of the first agent depend on, where it is a program, and what it says that it is called.
    pub(crate) fn introduction(&self) -> Result<(Option<GoesBy>, Option<String>), Error> {
        let Some((_, found)) = self.seats.first() else { return Ok((None, None)) };
        Ok((found.greet(&self.shared)?, found.own_name(&self.shared)))
    }

    pub(crate) fn doubt_agents(&self) {
        self.shared.programs.doubts.store(true, Ordering::Relaxed);
    }

    /// Ends the programs that nobody asks now; whether all ended by themselves.
    pub(crate) fn dismiss_agents(&self) -> bool {
        self.shared.programs.dismiss()
    }

    pub(crate) fn policies(&self) -> Result<Policies, Error> {
        let mut policies = Policies::default();
        policies.update_from(&self.graph, &mut self.seats(Generator::of(0))?);
        Ok(policies)
    }

    /// What follows some nodes of the graph, which has been explored from there under the agents, whose policies
    /// these are.
    pub(crate) fn game(&self, policies: &Policies, starts: &[u32]) -> Result<ExploredGame, Error> {
        self.game_with(policies, starts, &HashSet::new())
    }

    pub(crate) fn game_with(
        &self,
        policies: &Policies,
        starts: &[u32],
        wide: &HashSet<u32>,
    ) -> Result<ExploredGame, Error> {
        let agents = (policies, &*self.answers);
        ExploredGame::build(&self.graph, agents, (starts, wide), &|| self.may_continue())
    }

    /// Checks whether long work may continue, for the parts of it that do not run the script.
    pub fn may_continue(&self) -> Result<(), Error> {
        Ok(self.budget().may_continue()?)
    }

    /// Why work that asked [`Seating::may_continue`] was stopped.
    pub fn stopped(&self) -> Error {
        self.may_continue().err().unwrap_or(Error::Interrupted)
    }

    /// As [`Seating::may_continue`], for work that makes do with the memory that there is.
    pub(crate) fn is_wanted(&self) -> Result<(), Error> {
        Ok(self.budget().is_wanted()?)
    }

    /// What makes playouts on the graph, for this thread.
    pub fn playout_runner(&self) -> Result<PlayoutRunner, Error> {
        let (explorer, seats) = self.make_worker()?;
        Ok(PlayoutRunner::new(explorer, seats, self.answers.clone()))
    }
}

impl WorkerFactory for Seating {
    fn make_worker(&self) -> Result<(Explorer, SeatedAgents), Error> {
        let explorer = Explorer::new(&self.graph, &self.blueprint, &self.setup)?;
        Ok((explorer, self.seats(Generator::of(0))?))
    }

    fn answers(&self) -> &Arc<AnswerCache> {
        &self.answers
    }

    fn words(&self) -> Vec<String> {
        self.words.clone()
    }

    fn budget(&self) -> &Budget {
        Seating::budget(self)
    }

    fn tabulates(&self) -> Result<bool, Error> {
        for (_, found) in self.seats.iter().filter(|(players, _)| !players.is_empty()) {
            if matches!(found.greet(&self.shared)?, Some(GoesBy::Draw | GoesBy::Game)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Play {
    /// What an agent would answer to the open decision, and what it expects of each option, where it
    /// weighs them. It goes by what the player may see.
    ///
    /// # Errors
    /// [`Error::Usage`] where no player is asked; [`Error::Unknown`] for an agent that is not there;
    /// else its own.
    pub fn advice(&self, word: &str) -> Result<WeighedAnswer, Error> {
        let asked = self.decision().ok_or_else(|| Error::usage("no player is asked now"))?;
        // It thinks anew, on the graph that is there: of old thoughts the answers alone are kept.
        let afresh = self.shared.afresh(&self.shared.graph);
        let found = AgentSpec::read(word, &self.conflict.folder)?;
        let inner = found.agent(&afresh, &self.compiled)?;
        let heard = Rc::new(RefCell::new(None));
        let aside = Aside { inner, heard: heard.clone() };
        let input = Rc::new(RefCell::new(self.given.clone()));
        let seats = self.seats(self.seed, &input)?.seat(&asked.who, Box::new(aside));
        self.run(self.history(), Some(seats))?;
        let answer = heard.borrow_mut().take();
        answer.ok_or_else(|| Error::usage(format!("`{word}` is not the one who is asked")))
    }

    /// The conflict with its agents in their seats, on the graph that its agents think on.
    pub fn seating(&self) -> Result<Seating, Error> {
        Seating::at(&self.conflict, self.shared.graph.clone())
    }

    /// These seats, with an agent in those of people and in that of the player who is asked, from here on.
    pub(crate) fn seating_with(&self, word: &str, seating: &Seating) -> Result<Seating, Error> {
        if word == HUMAN {
            return Err(Error::usage("a person is asked already; name an agent"));
        }
        let mut players = BTreeSet::from_iter(self.people().concat());
        if let Some(asked) = self.decision() {
            let seat = self.seat_of(&asked.who).map(|(seat, _)| seat);
            let own = seat.and_then(|seat| self.players.of_seat(seat).ok());
            players.extend(own.unwrap_or_else(|| vec![asked.who.clone()]));
        }
        let found = AgentSpec::read(word, &self.conflict.folder)?;
        found.check(&self.conflict.blueprint)?;
        found.suits(seating.graph.identity())?;
        Ok(seating.with([(players.into_iter().collect(), found)]))
    }

    /// As [`Play::seating`], but in a campaign only to the end of the conflict that is on.
    pub fn seating_of_conflict(&self) -> Result<Seating, Error> {
        if self.conflict.scenario.campaign.is_none() {
            return self.seating();
        }
        let state = self.state().value();
        let past = state.get(CAMPAIGN).and_then(|campaign| campaign.get("past")?.as_list());
        let conflict = self.conflict.until(past.map_or(0, <[_]>::len) + 1)?;
        let SharedThinking { blueprint: all, setup, scenario, .. } = self.shared.clone();
        let mut blueprint = conflict.blueprint.clone();
        (blueprint.limits, blueprint.players) = (all.limits, all.players);
        Seating::at(&conflict, SharedThinking::alone(blueprint, setup, &scenario).graph)
    }
}

type WeighedAnswer = (Answer, Option<Worth>);

/// An agent whose first answer is heard, and ends the playout.
struct Aside {
    inner: Box<dyn Agent>,
    heard: Rc<RefCell<Option<WeighedAnswer>>>,
}

impl Agent for Aside {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn answer(&mut self, decision: &Decision<'_>, at: Standpoint<'_>) -> Result<Answer, Stop> {
        let answer = self.inner.answer(decision, at)?;
        *self.heard.borrow_mut() = Some((answer, self.inner.worth().cloned()));
        Err(Stop::Pause)
    }
}
