//! A solution of a conflict: the value of each side, and a strategy from which nobody gains much by
//! deviating; saved as JSON that an agent can play. Or the reason why there is none.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value as Json};

use crate::agents::SavedHeader;
use crate::conflict::{Conflict, Players, Seat, replace};
use crate::error::Error;
use crate::explored::ExploredGame;
use crate::game::Value;
use crate::graph::{Answered, Graph, SeenPart};
use crate::number::Quantity;
use crate::number::open_end::high;

/// A solution of a conflict, however it was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// The method, which also says what kind of solution it is: `backward induction`, `Nash equilibrium`, …
    pub method: String,
    /// Whether all numbers are fractions and nobody gains anything by playing otherwise.
    pub exact: bool,
    /// Side -> its expected utility, in the order of the setup.
    pub value: IndexMap<String, Quantity>,
    /// Of which equilibrium that is, where several were found, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_of: Option<String>,
    /// Side -> its expected utility as a number.
    pub value_number: IndexMap<String, f64>,
    /// The greatest gain that any side has from deviating: no perfect opponent wins more than that
    /// beyond its value. In utility. Never less than the mean of the sides' gains, which others
    /// call by this name (NashConv over the number of sides: Lanctot and others, OpenSpiel, 2019).
    /// Infinite (null) if nothing is known of it, because play may never end or the search was stopped.
    #[serde(deserialize_with = "high")]
    pub exploitability: f64,
    /// Side -> the most that it gains by playing otherwise while all others play as the solution
    /// says, in the order of the setup.
    pub gains: IndexMap<String, f64>,
    /// The strategy at each information set, the most reached ones first.
    pub strategy: Vec<StrategyLine>,
    /// Further equilibria, if a method finds several; each as this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Solution>,
    /// Notes for the reader, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Whether the search was stopped before it was as near as required.
    #[serde(skip)]
    pub interrupted: bool,
    /// Whether all equilibria are mixtures of those found.
    #[serde(skip)]
    pub(crate) is_all: bool,
}

/// The strategy at one information set.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct StrategyLine {
    /// The player who decides.
    pub player: String,
    /// The name of the decision.
    pub name: String,
    /// The parts of the view that are not the same at all the player's information sets with this
    /// decision, by their paths.
    pub seen: Arc<[SeenPart]>,
    /// The player's information beside the view, if the view does not contain it: own answers since
    /// the beginning of the step, and those given for the same side at the same time.
    #[serde(default)]
    pub answered: Vec<Answered>,
    /// The player's information as one text: see `Insight`. A saved
    /// strategy is looked up by it.
    #[serde(skip)]
    pub key: Arc<str>,
    #[serde(skip)]
    pub(crate) node: u32,
    /// The rules' picture of what the player sees there, for lines that people are shown and that differ
    /// in what is seen.
    #[serde(default)]
    pub picture: Option<String>,
    /// The probability of reaching the information set when all play this solution.
    pub reach: f64,
    /// The options, in the order of the rules.
    pub options: Vec<Choice>,
}

/// An option with its weight and its utility.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The option, as people read it.
    pub option: String,
    /// The probability of picking it; the weights of a line sum to 1.
    pub weight: Quantity,
    /// The expected utility of the player's side after it, if all else is played as the solution
    /// says.
    pub utility: Quantity,
    /// The weight as a number.
    pub weight_number: f64,
    pub(crate) utility_number: f64,
    /// The option that is never worse and sometimes better, if there is one.
    #[serde(default, rename = "dominated_by", skip_serializing_if = "Option::is_none")]
    pub dominated: Option<String>,
}

impl Choice {
    pub(crate) fn new(
        option: &Value,
        weight: impl Into<Quantity>,
        utility: impl Into<Quantity>,
    ) -> Choice {
        let (weight, utility) = (weight.into(), utility.into());
        Choice {
            option: option.to_string(),
            weight_number: weight.value,
            utility_number: utility.value,
            weight,
            utility,
            dominated: None,
        }
    }
}

impl Solution {
    /// Sorts the lines: the most reached first, others as they were.
    pub fn sort(&mut self) {
        self.strategy.sort_by(|a, b| b.reach.total_cmp(&a.reach));
        self.further.iter_mut().for_each(Solution::sort);
    }

    /// Brings the values into the order of the seats, and adds what programs get beside them.
    pub fn finish(&mut self, seats: &[Seat]) {
        let place = |name: &String| seats.iter().position(|seat| seat.name == *name);
        self.value.sort_by_key(|name, _| place(name).unwrap_or(usize::MAX));
        self.gains.sort_by_key(|name, _| place(name).unwrap_or(usize::MAX));
        let number = |(side, value): (&String, &Quantity)| (side.clone(), value.value);
        self.value_number = self.value.iter().map(number).collect();
        let several = self.further.len() + 1;
        self.value_of = (several > 1).then(|| format!("the first of {several} equilibria found"));
        self.further.iter_mut().for_each(|solution| solution.finish(seats));
    }

    /// The equilibria that were found: this one, and those beside it.
    pub(crate) fn equilibria(&self) -> impl Iterator<Item = &Solution> {
        std::iter::once(self).chain(&self.further)
    }

    /// Side -> its least and its greatest value over the equilibria that were found; the same twice where
    /// there is one. Equilibria that are mixtures of these have values between.
    pub(crate) fn value_ranges(&self) -> IndexMap<&str, [&Quantity; 2]> {
        let range = |(side, own)| {
            let values = || self.equilibria().filter_map(|one| one.value.get(side));
            let least = values().min_by(|a, b| a.compare(b)).unwrap_or(own);
            let greatest = values().max_by(|a, b| a.compare(b)).unwrap_or(own);
            (String::as_str(side), [least, greatest])
        };
        self.value.iter().map(range).collect()
    }

    /// What is done at all information sets that are reached, by their keys: what equilibria that are played
    /// alike have in common.
    pub(crate) fn played(&self) -> Vec<(String, Vec<String>)> {
        let weight = |choice: &Choice| match &choice.weight.fraction {
            Some(exact) => exact.to_string(),
            None => choice.weight_number.to_string(),
        };
        let met = self.strategy.iter().filter(|line| line.reach > 0.0);
        let mut met: Vec<_> = met
            .map(|line| (line.key.to_string(), line.options.iter().map(weight).collect()))
            .collect();
        met.sort();
        met
    }
}

/// The gains of sides, by their names; a side that decides nothing gains nothing.
pub(super) fn named_gains(seats: &[Seat], gains: &[f64]) -> IndexMap<String, f64> {
    let gain = |at: usize| gains.get(at).copied().unwrap_or(0.0).max(0.0);
    seats.iter().enumerate().map(|(at, seat)| (seat.name.clone(), gain(at))).collect()
}

impl Serialize for StrategyLine {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut line = to.serialize_map(None)?;
        line.serialize_entry("player", &self.player)?;
        line.serialize_entry("name", &self.name)?;
        line.serialize_entry("sees", &self.sees())?;
        line.serialize_entry("seen", &self.seen)?;
        if !self.answered.is_empty() {
            line.serialize_entry("answered", &self.answered)?;
        }
        if let Some(picture) = &self.picture {
            line.serialize_entry("picture", picture)?;
        }
        line.serialize_entry("reach", &self.reach)?;
        line.serialize_entry("options", &self.options)?;
        line.end()
    }
}

impl StrategyLine {
    /// The difference from the player's other information sets, in words.
    pub fn sees(&self) -> String {
        let seen = self.seen.iter().map(SeenPart::to_string);
        seen.chain(self.remembers()).collect::<Vec<_>>().join(", ")
    }

    /// What was answered and the view does not show, in words.
    pub(super) fn remembers(&self) -> impl Iterator<Item = String> {
        self.answered.iter().map(|(who, name, value)| match *who == self.player {
            true => format!("own {name}: {value}"),
            false => format!("{who} picks {value}"),
        })
    }

    /// Whether anything sets it off from the player's other information sets.
    pub(super) fn differs(&self) -> bool {
        !(self.seen.is_empty() && self.answered.is_empty())
    }

    /// The option that is picked most often; of several, the first.
    pub fn best(&self) -> Option<&Choice> {
        self.options.iter().rev().max_by(|a, b| a.weight_number.total_cmp(&b.weight_number))
    }
}

impl Solution {
    /// Writes the file from which `solved(FILE)` plays, whole or not at all.
    ///
    /// # Errors
    /// [`Error::File`]; an earlier file then stays as it was.
    pub fn save(&self, conflict: &Conflict, players: &Players, path: &Path) -> Result<(), Error> {
        let text = format!("{:#}\n", self.saved(conflict, players));
        replace(path, text.as_bytes())
    }

    /// The content of the file: the header, and all that is printed for programs, with the key of
    /// each information set.
    pub fn saved(&self, conflict: &Conflict, players: &Players) -> Json {
        let several = players.sides.iter().filter(|(_, players)| players.len() > 1);
        let header = SavedHeader {
            fracas_solution: SavedHeader::VERSION,
            system: conflict.folder.name().to_owned(),
            scenario: conflict.scenario.name.clone(),
            sides: several.map(|(side, players)| (side.clone(), players.clone())).collect(),
            identity: conflict.blueprint.identity(&conflict.setup),
        };
        let mut json = match serde_json::to_value(header) {
            Ok(Json::Object(header)) => header,
            // A header of texts and a number is always an object.
            _ => Map::new(),
        };
        if let Ok(Json::Object(mut solution)) = serde_json::to_value(self) {
            self.add_keys(&mut solution);
            json.extend(solution);
        }
        Json::Object(json)
    }

    fn add_keys(&self, json: &mut Map<String, Json>) {
        let lines = json.get_mut("strategy").and_then(Json::as_array_mut).into_iter().flatten();
        for (fields, line) in lines.filter_map(Json::as_object_mut).zip(&self.strategy) {
            let place = fields.keys().position(|key| key == "reach").unwrap_or_default();
            fields.shift_insert(place, "key".to_owned(), (*line.key).into());
        }
        let further = json.get_mut("further").and_then(Json::as_array_mut).into_iter().flatten();
        for (fields, one) in further.filter_map(Json::as_object_mut).zip(&self.further) {
            one.add_keys(fields);
        }
    }
}

/// The reason why a conflict is not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnsolvedReason {
    #[error("interrupted while it was computed")]
    Stopped,

    #[error("a joint decision cannot be solved: floats are too coarse for its numbers")]
    Rounded,

    #[error("{size} states form a cycle, more than the {most} that can be solved together")]
    Large { size: usize, most: usize, place: usize },

    #[error("the players may play for ever in a cycle of {size} states")]
    Endless { size: usize, place: usize },

    #[error("{size} states form a cycle, and what one side wins the other need not lose")]
    Cycle { size: usize, place: usize },

    #[error("{size} states with joint decisions form a cycle: their values need not be fractions")]
    Irrational { size: usize, place: usize },

    #[error("{size} states form a cycle in a conflict without perfect information")]
    Around { size: usize, place: usize },

    #[error(
        "a player forgets what they did or saw: without perfect recall there is no strategy to compute"
    )]
    Forgets { node: u32 },

    #[error(
        "there is no pure equilibrium, and more than {most} sets of options that mixed ones may use"
    )]
    Wide { most: usize },

    /// Too many pure strategies for a table, and too much for their sequences.
    #[error("the sides have {} and {} pure strategies, {beyond}", counts[0], counts[1])]
    Strategies { counts: [String; 2], beyond: String },

    /// The reason that regret minimisation gives.
    #[error("{0}")]
    Hidden(String),

    #[error("no method fits {words}")]
    Kind { words: String },

    #[error("in a cycle of {size} states the best choice does not converge")]
    Unsettled { size: usize, place: usize },
}

impl From<Error> for UnsolvedReason {
    fn from(error: Error) -> UnsolvedReason {
        match error {
            Error::Interrupted | Error::Bound(_) => UnsolvedReason::Stopped,
            Error::Unsolved { message } => UnsolvedReason::Hidden(message),
            error => UnsolvedReason::Hidden(error.to_string()),
        }
    }
}

impl UnsolvedReason {
    /// In words, with the question that is asked there.
    pub(crate) fn in_words(&self, game: &ExploredGame, graph: &Graph) -> String {
        let place = match self {
            UnsolvedReason::Large { place, .. }
            | UnsolvedReason::Endless { place, .. }
            | UnsolvedReason::Cycle { place, .. }
            | UnsolvedReason::Irrational { place, .. }
            | UnsolvedReason::Around { place, .. }
            | UnsolvedReason::Unsettled { place, .. } => Some(*place),
            UnsolvedReason::Forgets { node } => game.place(*node),
            _ => None,
        };
        let asked = place.map(|place| game.asked_in_brackets(graph, place));
        format!("{self}{}", asked.unwrap_or_default())
    }
}
