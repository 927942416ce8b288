//! The players of a conflict, and the sides whose seat answers for several of them.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};

use super::Conflict;
use crate::error::{Error, ScriptFault};
use crate::game::{Actor, Stop};
use crate::handlers::{Record, Sampler};

/// The players of a conflict, and its sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Players {
    /// The players that are known, in the order of the setup where it names them.
    pub names: IndexSet<String>,
    /// Side -> the players one seat answers for.
    pub sides: IndexMap<String, Vec<String>>,
    /// Whether a probe reached an outcome. If none did, there may be players that are not known.
    pub certain: bool,
}

/// How many playouts are probed: another branch may ask another player.
const PROBES: u64 = 3;

impl Players {
    /// Finds the players by playing a few times at random: who has a utility, and who was asked.
    /// Rules that fail there can be opened all the same, to find out why.
    ///
    /// # Errors
    /// [`Error::Interrupted`], and those of the rules' `sides`.
    pub fn find(conflict: &Conflict) -> Result<Players, Error> {
        let Conflict { rules, setup, .. } = conflict;
        // Whom to expect is what is to be found out.
        rules.expect(None);
        let mut found = Players::default();
        let start = match rules.begin(setup, &sampler(0)) {
            Ok(state) => state,
            Err(stop) => return interrupted(stop).map(|_| found),
        };
        found.sides = rules.sides(&start)?.unwrap_or_default();
        found.names.extend(found.sides.values().flatten().cloned());
        // Who is sure to be a player: asked, of a side, or with a utility in every probe.
        let mut sure: BTreeSet<String> = found.names.iter().cloned().collect();
        let mut always: Option<BTreeSet<String>> = None;
        // Together they take no more than one playout may.
        let mut left = rules.limits().playout;
        for seed in 0..PROBES {
            let probe = sampler(seed);
            let played = rules.play_within(setup, &probe, left);
            left = left.saturating_sub(rules.gauge().take_due());
            let endless = match played {
                Ok(played) => {
                    found.certain = true;
                    if conflict.scenario.campaign.is_some() {
                        found.join(rules.sides(&played.state)?);
                    }
                    let utility: BTreeSet<String> = played.outcome.utility.into_keys().collect();
                    found.names.extend(utility.iter().cloned());
                    always = Some(match always {
                        Some(always) => always.intersection(&utility).cloned().collect(),
                        None => utility,
                    });
                    false
                }
                Err(stop) => is_endless(&interrupted(stop)?),
            };
            for action in probe.borrow().history().actions() {
                if let Actor::Player(player) = &action.actor {
                    found.names.insert(player.clone());
                    sure.insert(player.clone());
                }
            }
            // What runs into a limit takes long, and would again.
            if endless {
                break;
            }
        }
        // Script maps are sorted; the setup's own order is the one people know.
        let mut order = IndexSet::new();
        setup.value.names(&mut |name| _ = order.insert(name.to_owned()));
        found.names.sort_by_key(|name| order.get_index_of(name.as_str()).unwrap_or(usize::MAX));
        let seated = conflict.seats.keys().filter_map(|seat| found.of_seat(seat).ok()).flatten();
        sure.extend(always.into_iter().flatten().chain(seated));
        rules.expect(Some(sure));
        Ok(found)
    }

    /// Adds the sides of later conflicts of a campaign.
    fn join(&mut self, sides: Option<IndexMap<String, Vec<String>>>) {
        for (side, players) in sides.into_iter().flatten() {
            let known = self.sides.entry(side).or_default();
            for player in players {
                self.names.insert(player.clone());
                if !known.contains(&player) {
                    known.push(player);
                }
            }
        }
    }

    /// The players for whom a seat of this name answers.
    pub(crate) fn of_seat(&self, seat: &str) -> Result<Vec<String>, Error> {
        if let Some(players) = self.sides.get(seat) {
            return Ok(players.clone());
        }
        if self.names.contains(seat) || !self.certain {
            return Ok(vec![seat.to_owned()]);
        }
        let known = self.names.iter().chain(self.sides.keys()).map(String::as_str);
        Err(Error::unknown_player(seat, known))
    }
}

fn sampler(seed: u64) -> Rc<RefCell<Record<Sampler>>> {
    Rc::new(RefCell::new(Record::new(Sampler::new(seed, 0))))
}

/// The error of a probe; Ctrl-C is returned as an error, since it is meant for more than the probe.
fn interrupted(stop: Stop) -> Result<Error, Error> {
    match stop.into() {
        Error::Interrupted => Err(Error::Interrupted),
        error => Ok(error),
    }
}

fn is_endless(error: &Error) -> bool {
    matches!(error, Error::Script(script) if matches!(script.fault, ScriptFault::Limit(_)))
}
