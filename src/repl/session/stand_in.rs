//! Picks the agent that plays for people in `:odds`, `:hint` and `:compare`, and says who sits where.

use crate::agents::{AgentSpec, HUMAN};
use crate::analysis::{Enough, Estimated, Sampling};
use crate::catalog::{FileKind, Folder};
use crate::conflict::{Conflict, Play, RuleChanges, Seating};
use crate::error::{Cut, Error};
use crate::graph::{Bounds, Reach, explore_from};
use crate::repl::Session;
use crate::script::digest;

/// The agent that plays for people in a conflict under certain rules and seats.
#[derive(Clone, Debug)]
pub(in crate::repl) struct StandIn {
    /// What it was picked for: the rules and the seats.
    picked_for: String,
    /// The word that names it.
    pub word: String,
    /// Why it is this one, in a sentence.
    pub why: String,
}

/// A conflict of no more nodes than this is small: `greedy` then knows it whole.
pub(in crate::repl) const SMALL: u64 = 6_000;
/// This many playouts try each of the rules' own agents where a conflict is not small.
const TRIED: u64 = 30;
/// Trying the agents fails after so long: rules may take minutes, and which one is picked must not depend on how
/// busy the machine is.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);
/// No more seats than these are listed.
const SEATS: usize = 8;

impl Session {
    /// The agent that plays for people in the open conflict; nothing where no person sits. It is the same
    /// at every place of the conflict, so that all commands agree.
    pub(in crate::repl) fn stand_in(&mut self) -> Result<Option<StandIn>, Error> {
        let play = self.open()?;
        if play.people().is_empty() {
            return Ok(None);
        }
        let conflict = &play.conflict;
        let picked_for = format!(
            "{:?} {} {}",
            conflict.seats,
            conflict.blueprint.identity(&conflict.setup.value),
            digest_of_agents(&conflict.folder)
        );
        if let Some(known) = self.stand_in.iter().find(|known| known.picked_for == picked_for) {
            return Ok(Some(known.clone()));
        }
        let (word, why) = self.pick_stand_in(play)?;
        let picked = StandIn { picked_for, word, why };
        self.stand_in = Some(picked.clone());
        Ok(Some(picked))
    }

    fn pick_stand_in(&self, play: &Play) -> Result<(String, String), Error> {
        let memory = self.options.limits.budget.bound() / 2;
        let threads = self.lab.threads();
        let folder = &play.conflict.folder;
        let names = folder.names(FileKind::Agent);
        let seating = Seating::new(&play.conflict, memory)?;
        let unmanned = seating.unmanned();
        let bounds = Bounds { threads, nodes: SMALL };
        match explore_from(&unmanned.graph, &unmanned, bounds, &[0], &|_| ()) {
            Ok(Reach::Whole) => {
                let why = "`greedy` takes what is best if everybody plays at random from there";
                return Ok(("greedy".to_owned(), why.to_owned()));
            }
            Err(error) if error.cut() == Some(Cut::Interrupted) => return Err(error),
            // A mistake of the rules may be far from the current place.
            Ok(_) | Err(_) => {}
        }
        if names.is_empty() {
            let why = "these rules have no agents of their own, and the conflict is too large to look \
                       ahead quickly, so `random` plays, though badly; `:odds greedy --time 20` looks ahead";
            return Ok(("random".to_owned(), why.to_owned()));
        }
        let seating = seating.under(seating.budget().begin(Some(PATIENCE)));
        let sampling =
            Sampling { seed: self.seed_apart(None)?, n: TRIED, enough: Enough::All, threads };
        let players = play.people().first().cloned().unwrap_or_default();
        let mut best = (f64::NEG_INFINITY, "random".to_owned());
        let audience = self.lab.audience();
        let progress = audience.begins("agents tried", Some(names.len() as u64 + 1));
        for (done, word) in (0..).zip(names.iter().map(String::as_str).chain(["random"])) {
            progress(done);
            let Ok(agent) = AgentSpec::read(word, folder) else { continue };
            let tried = seating.with([(players.clone(), agent)]);
            let found = Estimated::watched(&tried, sampling, &[], &|_| ());
            match found.as_ref().map_or_else(|failed| failed.error.cut(), |found| found.cut) {
                Some(Cut::Interrupted) => return Err(Error::Interrupted),
                Some(_) => {
                    let (seconds, player) =
                        (PATIENCE.as_secs(), players.first().map_or("", String::as_str));
                    return Err(Error::usage(format!(
                        "trying which agent of these rules should play for {player} took longer than {seconds} s; \
                         seat one yourself: `:seat {player} {word}`"
                    )));
                }
                None => {}
            }
            // An agent that cannot play this is none to pick.
            let Ok(found) = found else { continue };
            let own = found.chances.utility.iter().filter(|(name, _)| players.contains(name));
            let utility: f64 = own.map(|(_, number)| number.middle()).sum();
            if utility > best.0 {
                best = (utility, word.to_owned());
            }
        }
        let (best, word) = best;
        let why = match (best, word.as_str()) {
            (f64::NEG_INFINITY, _) => "none of the agents of these rules can play this".to_owned(),
            (_, "random") => format!(
                "of these rules' agents none did better than `random`, in {TRIED} playouts each"
            ),
            (_, word) => format!(
                "`{word}` did best of these rules' agents, in {TRIED} playouts each from the beginning"
            ),
        };
        Ok((word, why))
    }

    /// The open conflict once more, under other rules, with the stand-in in the seats of people.
    pub(in crate::repl) fn manned(
        &self,
        changes: &RuleChanges,
        stand_in: Option<&StandIn>,
    ) -> Result<Conflict, Error> {
        let mut conflict = self.open()?.snapshot().conflict(&self.catalog, changes)?;
        if let Some(StandIn { word, .. }) = stand_in {
            conflict.seats.values_mut().filter(|agent| *agent == HUMAN).for_each(|agent| {
                agent.clone_from(word);
            });
        }
        Ok(conflict)
    }
}

/// A digest of the scripts of the rules' agents as they are now: one that was edited may play differently.
fn digest_of_agents(folder: &Folder) -> String {
    let text = |name: &String| match folder.find(FileKind::Agent, name) {
        Ok(script) => format!("{name}\n{}", script.text),
        Err(error) => format!("{name}\n{error}"),
    };
    let names = folder.names(FileKind::Agent);
    digest(&names.iter().map(text).collect::<Vec<_>>().join("\n"))
}

/// Playouts of each option, where nothing else was said; and where an agent plays for people whom nobody
/// named: scripts that weigh their moves take ten times as long as chance.
const PLAYOUTS: u64 = 1_000;
const PLAYOUTS_OF_STAND_IN: u64 = 200;

/// How many playouts of each option are made where nobody says how many.
pub(in crate::repl) fn playouts(stand_in: Option<&StandIn>) -> u64 {
    match stand_in {
        Some(stand_in) if stand_in.word != "random" => PLAYOUTS_OF_STAND_IN,
        _ => PLAYOUTS,
    }
}

/// The seats of the open conflict with this agent in those of people, and where it was `named`, in that of the
/// player who is asked.
pub(in crate::repl) fn seating(
    play: &Play,
    whole: bool,
    named: Option<&str>,
    word: Option<&str>,
) -> Result<Seating, Error> {
    let seated = if whole { play.seating()? } else { play.seating_of_conflict()? };
    match (named, word) {
        (Some(named), _) => play.seating_with(named, &seated),
        (None, Some(word)) => play.seating_of_people(word, &seated),
        (None, None) => Ok(seated),
    }
}

/// Who sits where, with an agent in the seats of people and in one more: `red (you) plays as `greedy`, blue
/// as `patient``.
pub(in crate::repl) fn seats_in_words(play: &Play, word: &str, seat: Option<&str>) -> String {
    let seats = &play.conflict.seats;
    let people = seats.values().filter(|agent| *agent == HUMAN).count();
    let one = |(at, (name, agent)): (usize, (&String, &String))| {
        let is_person = agent == HUMAN;
        let who = match (is_person, people) {
            (true, 1) => format!("{name} (you)"),
            (true, _) => format!("{name} (a person)"),
            (false, _) => name.clone(),
        };
        let agent = if is_person || seat == Some(name) { word } else { agent };
        match at {
            0 => format!("{who} plays as `{agent}`"),
            _ => format!("{who} as `{agent}`"),
        }
    };
    let mut parts: Vec<String> = seats.iter().enumerate().take(SEATS).map(one).collect();
    if seats.len() > SEATS {
        parts.push(format!("and {} more", seats.len() - SEATS));
    }
    parts.join(", ")
}
