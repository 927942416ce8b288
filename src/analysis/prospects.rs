//! The odds after each option, for a player who knows no more than they see.
//!
//! Where all that may happen can be explored, each number is exact. The places that look alike to the
//! player are weighed by how likely the seated agents come there (Bayes' rule), the player's own
//! decisions left out: those they know. Else playouts go on from such places, met at random.

mod explored;
mod search;

use std::time::Duration;

use serde_json::{Value as Json, json};

use self::search::Search;
use super::{Chances, Stage};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::game::{History, Value};
use crate::script::on_large_stack;

/// An open decision.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// What was decided and fell before it.
    pub history: &'a History,
    /// Who is asked.
    pub who: &'a str,
    /// What for.
    pub name: &'a str,
    /// Whether all is seen that is hidden from who is asked.
    pub revealed: bool,
}

impl Place<'_> {
    /// What the one who is asked goes by, as a line of a [`Solution`](crate::analysis::Solution) is
    /// known by it. Nothing where the same side has answered a part of the same joint decision: what
    /// that was the history does not tell yet.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Usage`] where the place has no node.
    pub fn key(self, seating: &Seating) -> Result<Option<String>, Error> {
        on_large_stack(|| Search::begin(seating, self)?.key())
    }
}

/// How prospects are to be found.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many threads explore.
    pub threads: usize,
    /// At most so many nodes are explored; 0 explores none.
    pub nodes: u64,
    /// Where that does not suffice, so many playouts are made for each option.
    pub n: u64,
    /// Their seed.
    pub seed: u64,
    /// After so long it stops with the playouts there are; half of that is for exploring.
    pub time: Option<Duration>,
}

/// What comes of each option.
#[derive(Clone, Debug)]
pub struct Prospects {
    /// The options, each with the chances after it, as far as they were found.
    pub options: Vec<(Value, Chances)>,
    /// How many nodes were explored, where the numbers are exact; else the playouts of each option.
    pub exact: Option<u64>,
    /// How many playouts there were of each option; 0 where the numbers are exact.
    pub n: u64,
    /// The seed of the playouts.
    pub seed: u64,
    /// Whether places that look alike were weighed: something is hidden.
    pub hidden: bool,
    /// From how many places that look alike the playouts went on, met at random; 0 where none were
    /// sought.
    pub worlds: usize,
    /// What stopped it before it was done, if anything did.
    pub cut: Option<Cut>,
}

impl Prospects {
    /// Finds them under the agents seated.
    ///
    /// # Errors
    /// Those of the rules and agents; [`Error::Usage`] where the place has no node, or nothing like it
    /// was met; [`Error::Interrupted`] or [`Error::Bound`] where nothing was found before.
    pub fn find(
        seating: &Seating,
        place: Place<'_>,
        effort: Effort,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Prospects, Error> {
        let seating = seating.under(seating.budget().begin(effort.time));
        on_large_stack(|| Search::begin(&seating, place)?.find(effort, progress))
    }

    /// The greatest chance with which more falls after an option than what is listed of dice without a
    /// last value.
    pub fn cut_off(&self) -> f64 {
        self.options.iter().map(|(_, chances)| chances.cut_off).fold(0.0, f64::max)
    }

    /// For programs.
    pub fn as_json(&self) -> Json {
        let option = |(option, chances): &(Value, Chances)| {
            let mut json = serde_json::Map::new();
            json.insert("option".to_owned(), json!(option));
            chances.write_json(&mut json);
            Json::Object(json)
        };
        json!({
            "exact": self.exact.is_some() && self.cut_off() == 0.0,
            "nodes": self.exact,
            "n": self.n,
            "seed": self.seed,
            "hidden": self.hidden,
            "worlds": self.worlds,
            "interrupted": self.cut == Some(Cut::Interrupted),
            "cut": self.cut.map(|cut| cut.to_string()),
            "options": self.options.iter().map(option).collect::<Vec<Json>>(),
        })
    }
}
