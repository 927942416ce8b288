//! Asks an agent what it would do in a player's place, without changing the conflict.

use std::cell::RefCell;
use std::rc::Rc;

use super::{Play, Position, Seating};
use crate::agents::{self, AgentSpec, HUMAN, SharedThinking};
use crate::catalog::CAMPAIGN;
use crate::error::Error;
use crate::game::{Answer, Asked, Decision, Stop};
use crate::graph::{Agent, Standpoint, Worth};
use crate::script::Blueprint;

impl Play {
    /// The decision that a player is to take now: of a person, else of who comes first.
    pub fn decision(&self) -> Option<&Asked> {
        let next = match self.position() {
            Position::Asked(moment) => moment.asked.first().filter(|asked| !asked.chance),
            Position::Over { .. } => None,
        };
        self.asked().or(next)
    }

    /// What an agent would answer to the open decision, and what it expects of each option, where it
    /// weighs them. It goes by what the player may see.
    ///
    /// # Errors
    /// [`Error::Usage`] where no player is asked; [`Error::Unknown`] for an agent that is not there;
    /// else its own.
    pub fn advice(&self, word: &str) -> Result<(Answer, Option<Worth>), Error> {
        let asked = self.decision().ok_or_else(|| Error::usage("no player is asked now"))?;
        // It thinks anew, on the graph that is there: of old thoughts the answers alone are kept.
        let SharedThinking { blueprint, setup, graph, scenario, .. } = self.shared().clone();
        let afresh = SharedThinking::new(blueprint, setup, graph, &scenario);
        let inner = agents::find(word, &self.conflict.folder, &afresh)?;
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
        Seating::at(&self.conflict, self.shared().graph.clone())
    }

    /// These seats, with an agent in those of people and in that of the player who is asked, from here on.
    pub(crate) fn seating_with(&self, word: &str, seating: &Seating) -> Result<Seating, Error> {
        let mut players: Vec<String> = self.people().concat();
        if let Some(asked) = self.decision() {
            let seat = self.seat_of(&asked.who).map(|(seat, _)| seat);
            let own = seat.and_then(|seat| self.players.of_seat(seat).ok());
            players.extend(own.unwrap_or_else(|| vec![asked.who.clone()]));
        }
        if word == HUMAN {
            return Err(Error::usage("a person is asked already; name an agent"));
        }
        let found = AgentSpec::read(word, &self.conflict.folder)?;
        found.check(&self.conflict.blueprint)?;
        found.suits(seating.graph.identity())?;
        let named: std::collections::BTreeSet<String> = players.into_iter().collect();
        Ok(seating.with([(named.into_iter().collect(), found)]))
    }

    /// As [`Play::seating`], but in a campaign only to the end of the conflict that is on.
    pub fn seating_of_conflict(&self) -> Result<Seating, Error> {
        if self.conflict.scenario.campaign.is_none() {
            return self.seating();
        }
        let state = self.state().value();
        let past = state.get(CAMPAIGN).and_then(|campaign| campaign.get("past")?.as_list());
        let conflict = self.conflict.until(past.map_or(0, <[_]>::len) + 1)?;
        let SharedThinking { blueprint, setup, scenario, .. } = self.shared().clone();
        let blueprint = Blueprint { base: conflict.blueprint.base.clone(), ..blueprint };
        Seating::at(&conflict, SharedThinking::alone(blueprint, setup, &scenario).graph)
    }
}

/// An agent whose first answer is heard, and ends the playout.
struct Aside {
    inner: Box<dyn Agent>,
    heard: Rc<RefCell<Option<WeighedAnswer>>>,
}

/// An answer, with what each option was worth to the agent where it says so.
type WeighedAnswer = (Answer, Option<Worth>);

impl Agent for Aside {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn answer(&mut self, decision: &Decision<'_>, at: Standpoint<'_>) -> Result<Answer, Stop> {
        let answer = self.inner.answer(decision, at)?;
        *self.heard.borrow_mut() = Some((answer, self.inner.worth().cloned()));
        Err(Stop::Pause)
    }

    fn deliberates(&self) -> bool {
        true
    }
}
