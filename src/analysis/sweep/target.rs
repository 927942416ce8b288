//! The number that a sweep looks at: the odds of a result, or the utility of a player or side.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::analysis::{Chances, Fraction, Number, mean, share};
use crate::conflict::{Players, mean_of_players};
use crate::error::{Error, nearest};
use crate::graph::Ending;

use super::{PointOdds, SweepPoint};

/// The prefix of a result that has the same name as a player.
const RESULT: &str = "result:";

/// A number that every point has, under the name that a person gave it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Target {
    /// The name, without a prefix.
    #[serde(rename = "of")]
    pub name: String,
    /// The kind of number.
    #[serde(serialize_with = "in_a_word")]
    #[schemars(with = "String", extend("enum" = ["odds", "utility"]))]
    pub measure: TargetKind,
}

/// The kind of number that a name refers to.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetKind {
    /// The odds of a result.
    Odds,
    /// The utility of these players: of one, or the mean of a side's members.
    Utility(Vec<String>),
}

fn in_a_word<S: Serializer>(measure: &TargetKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match measure {
        TargetKind::Odds => "odds",
        TargetKind::Utility(_) => "utility",
    })
}

impl Target {
    /// The number that a word names: the utility of a side or player of that name, else the odds of
    /// a result; with `result:` before it, always a result.
    pub fn read(word: &str, players: &Players) -> Target {
        let target = |name: &str, measure| Target { name: name.to_owned(), measure };
        match word.strip_prefix(RESULT) {
            Some(name) => target(name, TargetKind::Odds),
            None if players.sides.contains_key(word) || players.names.contains(word) => {
                let members = players.sides.get(word).cloned();
                target(word, TargetKind::Utility(members.unwrap_or_else(|| vec![word.to_owned()])))
            }
            None => target(word, TargetKind::Odds),
        }
    }

    /// The odds of a result.
    pub fn result(name: &str) -> Target {
        Target { name: name.to_owned(), measure: TargetKind::Odds }
    }

    /// The utility of a player.
    pub fn player(name: &str) -> Target {
        Target { name: name.to_owned(), measure: TargetKind::Utility(vec![name.to_owned()]) }
    }

    /// Its name in a line: `odds of red`, `utility of red`.
    pub fn title(&self) -> String {
        match &self.measure {
            TargetKind::Odds => format!("odds of {}", self.name),
            TargetKind::Utility(members) if members.len() > 1 => {
                format!("mean utility in {}", self.name)
            }
            TargetKind::Utility(_) => format!("utility of {}", self.name),
        }
    }

    /// Whether a point has it: a result that it may end with, or all the players.
    pub fn is_met(&self, point: &SweepPoint) -> bool {
        let chances = point.chances();
        match &self.measure {
            TargetKind::Odds => chances.results.contains_key(&self.name),
            TargetKind::Utility(members) => {
                members.iter().all(|player| chances.utility.contains_key(player))
            }
        }
    }

    /// The error that no point has it, with the nearest name that some point has.
    pub fn unknown<'a>(&self, points: impl IntoIterator<Item = &'a SweepPoint>) -> Error {
        let known: Vec<&String> = points
            .into_iter()
            .flat_map(|point| point.chances().results.keys().chain(point.chances().utility.keys()))
            .collect();
        let nearest = nearest(&self.name, known.into_iter().map(String::as_str));
        let what = "result, player or side";
        Error::Unknown { what, name: self.name.clone(), nearest, known: Vec::new(), at: None }
    }

    /// The number at a point; `None` if its players are not among those of the point.
    pub fn number(&self, point: &SweepPoint) -> Option<Number> {
        let chances = point.chances();
        match (&self.measure, &point.found) {
            (TargetKind::Odds, found) => chances.results.get(&self.name).cloned().or(match found {
                PointOdds::Exact(_) => Some(Number::Exact(Fraction::default())),
                PointOdds::Sampled { estimated, .. } => share(0, estimated.n).map(Number::Sampled),
            }),
            (TargetKind::Utility(members), _) if members.len() == 1 => {
                chances.utility.get(members.first()?).cloned()
            }
            (TargetKind::Utility(members), PointOdds::Exact(_)) => {
                average(chances, members).map(Number::Exact)
            }
            (TargetKind::Utility(members), PointOdds::Sampled { tally, .. }) => {
                let seen: Vec<(f64, u64)> = tally
                    .iter()
                    .map(|(ending, count)| (average_of_ending(ending, members), count))
                    .collect();
                mean(&seen).map(Number::Sampled)
            }
        }
    }

    /// The exact number less the even one: odds of 1/2, the mean of all players' utilities.
    pub fn excess(&self, chances: &Chances) -> Option<Fraction> {
        match &self.measure {
            TargetKind::Odds => {
                let odds = match chances.results.get(&self.name) {
                    Some(number) => number.exact()?.clone(),
                    None => Fraction::default(),
                };
                Some(odds - Fraction::new(1.into(), 2.into()))
            }
            TargetKind::Utility(members) => {
                let all: Vec<String> = chances.utility.keys().cloned().collect();
                Some(average(chances, members)? - average(chances, &all)?)
            }
        }
    }

    /// The number of one playout less the even one; its mean is [`Target::excess`].
    pub fn score(&self, ending: &Ending, players: &[String]) -> f64 {
        match &self.measure {
            TargetKind::Odds if ending.result == self.name => 0.5,
            TargetKind::Odds => -0.5,
            TargetKind::Utility(members) => {
                average_of_ending(ending, members) - average_of_ending(ending, players)
            }
        }
    }
}

/// The exact mean of players' utilities.
fn average(chances: &Chances, players: &[String]) -> Option<Fraction> {
    let mut sum = Fraction::default();
    for player in players {
        sum += chances.utility.get(player)?.exact()?;
    }
    Some(sum / Fraction::from_integer(players.len().max(1).into()))
}

/// The mean of players' utilities in one ending.
fn average_of_ending(ending: &Ending, players: &[String]) -> f64 {
    mean_of_players(players, |player| ending.utility.get(player)?.as_utility())
}
