//! Scenarios as immutable values of scripts: each change makes another scenario.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::context::LabContext;
use super::files;
use crate::agents::HUMAN;
use crate::catalog::{Scenario, Setting};
use crate::conflict::{Changes, Conflict, Play, Played, Seating};
use crate::error::Error;
use crate::game::Value;
use crate::graph::Graph;

#[derive(Clone)]
pub(super) struct Opened {
    pub(super) desk: Rc<LabContext>,
    pub(super) changes: Changes,
    pub(super) conflict: Rc<Conflict>,
    /// Seats do not change what can happen: all that differ by them alone share a graph.
    graph: Rc<OnceCell<Arc<Graph>>>,
    seating: Rc<OnceCell<Seating>>,
    play: Rc<RefCell<Option<Play>>>,
}

impl Opened {
    /// The scenario that a word names, or that a map describes as a file would.
    pub(super) fn find(desk: &Rc<LabContext>, word: &str) -> Result<Opened, Error> {
        let word = files::word(desk, word)?;
        let scenario = desk.catalog.borrow().scenario(&word)?;
        Opened::of(desk, scenario, Changes::default())
    }

    /// A scenario that a script made, with the keys of a scenario's file.
    pub(super) fn made(desk: &Rc<LabContext>, value: &Value) -> Result<Opened, Error> {
        let system = value.get("system").and_then(Value::as_text).unwrap_or("a scenario");
        let mut scenario = Scenario::from_value(&format!("{system}/made"), value)?;
        for word in scenario.house.iter_mut().chain(scenario.seats.values_mut()) {
            *word = files::word(desk, word)?;
        }
        Opened::of(desk, scenario, Changes::default())
    }

    /// A conflict at its beginning, with the agents who sit there.
    pub(super) fn at(desk: &Rc<LabContext>, conflict: Conflict) -> Opened {
        let seats = conflict.seats.clone().into_iter().collect();
        let changes = Changes { seats, ..conflict.changes.clone() };
        Opened {
            desk: desk.clone(),
            changes,
            conflict: Rc::new(conflict),
            graph: Rc::default(),
            seating: Rc::default(),
            play: Rc::default(),
        }
    }

    fn of(desk: &Rc<LabContext>, scenario: Scenario, changes: Changes) -> Result<Opened, Error> {
        let conflict = Conflict::of(&desk.catalog.borrow(), scenario, &changes, &desk.limits)?;
        Ok(Opened { changes, ..Opened::at(desk, conflict) })
    }

    fn changed(&self, change: impl FnOnce(&mut Changes)) -> Result<Opened, Error> {
        let mut changes = self.changes.clone();
        change(&mut changes);
        Opened::of(&self.desk, self.conflict.scenario.clone(), changes)
    }

    /// With a house rule more, by name or path.
    pub(super) fn house(&self, name: &str) -> Result<Opened, Error> {
        let name = files::word(&self.desk, name)?;
        self.changed(|changes| changes.house.push(name))
    }

    pub(super) fn with(&self, params: &Value) -> Result<Opened, Error> {
        let Value::Map(params) = params else {
            let message = format!("parameters must be a map, got {}", params.kind());
            return Err(Error::usage(message));
        };
        self.changed(|changes| changes.params.extend(params.iter().map(Setting::of)))
    }

    pub(super) fn setup(&self, setup: Value) -> Result<Opened, Error> {
        if setup.as_map().is_none() {
            return Err(Error::usage(format!("a setup must be a map, got {}", setup.kind())));
        }
        if self.conflict.scenario.campaign.is_some() {
            return Err(Error::usage("a campaign makes its setups itself: change its file"));
        }
        // The file no longer has what it had.
        let scenario = Scenario { setup, document: None, ..self.conflict.scenario.clone() };
        Opened::of(&self.desk, scenario, self.changes.clone())
    }

    pub(super) fn seat(&self, seat: &str, agent: &str) -> Result<Opened, Error> {
        let agent = files::word(&self.desk, agent)?;
        let mut seated = self.changed(|changes| changes.seats.push((seat.to_owned(), agent)))?;
        seated.graph = self.graph.clone();
        // A seat that nobody has is reported where it is given, not where it is played.
        seated.seating()?;
        Ok(seated)
    }

    /// The agents in their seats, at the graph. The default agent plays for people.
    pub(super) fn seating(&self) -> Result<&Seating, Error> {
        if let Some(seating) = self.seating.get() {
            return Ok(seating);
        }
        let conflict = &self.conflict;
        let graph = || Seating::graph(conflict, self.desk.memory());
        let seating = Seating::at(conflict, self.graph.get_or_init(graph).clone())?;
        Ok(self.seating.get_or_init(|| seating))
    }

    pub(super) fn is_seated(&self) -> bool {
        self.seating.get().is_some()
    }

    /// The agents in their seats, where numbers are asked for; says who plays for people.
    pub(super) fn seated(&self) -> Result<&Seating, Error> {
        let first = self.seating.get().is_none();
        let seating = self.seating()?;
        if first {
            let people = seating.in_sentences(|seat| format!(".seat(\"{seat}\", AGENT)"));
            people.iter().for_each(|people| self.desk.note(people));
        }
        Ok(seating)
    }

    /// The whole conflict under a seed; the default agent plays for people.
    pub(super) fn play(&self, seed: u64) -> Result<Played, Error> {
        let mut play = self.play.borrow_mut();
        if let Some(play) = &mut *play {
            play.anew(seed)?;
            return Ok(play.played());
        }
        self.seated()?;
        let scenario = self.conflict.scenario.clone();
        let catalog = self.desk.catalog.borrow();
        let mut conflict = Conflict::of(&catalog, scenario, &self.changes, &self.desk.limits)?;
        for agent in conflict.seats.values_mut().filter(|agent| *agent == HUMAN) {
            conflict.default_agent.word.clone_into(agent);
        }
        let begun = Play::begin(conflict, seed, &self.desk.limits)?;
        Ok(play.insert(begun).played())
    }

    /// What it is, in a line.
    pub(super) fn title(&self) -> String {
        let Conflict { scenario, changes, .. } = &*self.conflict;
        let house = changes.house.iter().map(|name| format!("house rule {name}"));
        let params = changes.params.iter().map(|one| format!("{} = {}", one.name, one.value));
        let seats = changes.seats.iter().map(|(seat, agent)| format!("{agent} at {seat}"));
        let with: Vec<String> = house.chain(params).chain(seats).collect();
        match &with[..] {
            [] => format!("scenario {}", scenario.name),
            with => format!("scenario {} with {}", scenario.name, with.join(", ")),
        }
    }
}
