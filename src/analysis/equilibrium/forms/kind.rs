//! The kind of game a graph is (sides, sum of utilities, information), tested on the graph and not
//! declared.

use std::collections::HashMap;

use num_traits::{Signed, Zero};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::board::{Board, BoardNode};
use crate::analysis::{Fraction, simplest_between};
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::{Explorer, InformationSet, InformationSets};

/// The kind of game that a graph is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GameKind {
    /// The number of sides that decide anywhere.
    pub sides: usize,
    /// The sum of all utilities of the players of these sides, if it is the same at all ends.
    #[serde(rename = "sum", serialize_with = "as_text")]
    #[schemars(with = "Option<String>")]
    pub constant: Option<Fraction>,
    /// Whether utilities are floats, whose sums are the same within a tolerance.
    #[serde(skip)]
    pub floats: bool,
    /// Whether there are two sides, and one always loses in proportion to what the other wins.
    #[serde(rename = "zero_sum")]
    pub opposed: bool,
    /// The players' information about the state.
    pub knowing: Knowing,
    /// All that in words: `two sides, utilities sum to 0, all is seen and decided in turn`.
    pub words: String,
}

fn as_text<S: Serializer>(sum: &Option<Fraction>, serializer: S) -> Result<S::Ok, S::Error> {
    sum.as_ref().map(ToString::to_string).serialize(serializer)
}

/// The players' information about the state when they decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Knowing {
    /// Everything: one after the other, all is seen.
    Turns,
    /// Everything but what others decide at the same time.
    Joint,
    /// Not everything.
    Hidden,
}

impl GameKind {
    /// Whether two sides play, and one wins what the other loses.
    pub fn is_zero_sum(&self) -> bool {
        self.opposed
    }

    /// With its words.
    pub(crate) fn in_words(self) -> GameKind {
        GameKind { words: self.said(), ..self }
    }

    fn said(&self) -> String {
        let sides = match self.sides {
            0 => return "nobody decides".to_owned(),
            1 => "one side".to_owned(),
            2 => "two sides".to_owned(),
            many => format!("{many} sides"),
        };
        let sum = match &self.constant {
            Some(sum) => format!("utilities sum to {sum}"),
            None if self.opposed => "what one side wins the other loses in proportion".to_owned(),
            None => "utilities sum to no constant".to_owned(),
        };
        let floats = match self.floats {
            true => format!(" (floats, compared within {TOLERANCE:e} of the greatest)"),
            false => String::new(),
        };
        let knowing = match self.knowing {
            Knowing::Turns => "all is seen and decided in turn",
            Knowing::Joint => "all is seen but what is decided at the same time",
            Knowing::Hidden => "not all is seen",
        };
        format!("{sides}, {sum}{floats}, {knowing}")
    }
}

/// The decisions that the players cannot tell apart.
pub(crate) struct Knowledge {
    /// The information sets, by their numbers.
    pub sets: Vec<InformationSet>,
    /// Place of the board -> its information set, if a player decides there.
    pub of_places: Vec<Option<usize>>,
    /// The same by the nodes of the graph.
    pub information: InformationSets,
}

impl Knowledge {
    /// Asks the rules what each player sees at each decision.
    ///
    /// # Errors
    /// Those of the rules' `view`; [`Error::Interrupted`].
    pub(crate) fn of(
        seating: &Seating,
        explorer: &Explorer,
        board: &Board,
    ) -> Result<Knowledge, Error> {
        let mut sets = InformationSets::default();
        let mut of_places = Vec::with_capacity(board.spots.len());
        for (place, spot) in board.spots.iter().enumerate() {
            let decides =
                matches!(spot, BoardNode::Turn(..) | BoardNode::Joint(_) | BoardNode::Part);
            of_places.push(match decides {
                true => Some(sets.of(explorer, board.nodes[place])?),
                false => None,
            });
            if place % 64 == 0 {
                seating.go_on()?;
            }
        }
        Ok(Knowledge { sets: sets.sets().to_vec(), of_places, information: sets })
    }

    /// The players' information: everything, everything but what is decided at the same time, or
    /// less.
    pub(crate) fn knowing(&self, seating: &Seating, board: &Board) -> Knowing {
        let graph = &seating.graph;
        // All nodes of a set must follow from one beginning of a joint decision.
        let mut beginnings: HashMap<usize, u32> = HashMap::new();
        for (place, set) in self.of_places.iter().enumerate() {
            let Some(set) = *set else { continue };
            let mut first = board.nodes[place];
            let part = board.question(graph, place).and_then(|question| question.part);
            for _ in 0..part.map_or(0, |(nth, _)| nth) {
                first = graph.node(first).before().0;
            }
            if *beginnings.entry(set).or_insert(first) != first {
                return Knowing::Hidden;
            }
        }
        let joint = board.spots.iter().any(|spot| matches!(spot, BoardNode::Joint(_)));
        match joint || board.crowded.is_some() {
            true => Knowing::Joint,
            false => Knowing::Turns,
        }
    }
}

// Tests whether one side always loses in proportion to what the other wins, so that a matrix game
// fits.

/// Sums of utilities that are floats are the same if they differ by no more than this part of the
/// greatest utility: floats are rounded where rules add them up.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// The greatest difference between sums that count as equal: 0 if all utilities are exact.
pub(crate) fn slack(worth: &[Vec<Fraction>], floats: bool) -> Fraction {
    let size = worth.iter().flatten().map(Signed::abs).max().unwrap_or_default();
    match Fraction::from_float(TOLERANCE) {
        Some(tolerance) if floats => tolerance * size,
        _ => Fraction::zero(),
    }
}

/// The common value of numbers that are no further apart than the slack: the simplest fraction
/// among them.
pub(crate) fn same(
    numbers: impl Iterator<Item = Fraction> + Clone,
    slack: &Fraction,
) -> Option<Fraction> {
    let (low, high) = (numbers.clone().min()?, numbers.max()?);
    (&high - &low <= *slack).then(|| simplest_between(&(high - slack), &(low + slack)))
}

/// One of two sides wins what the other loses, if not at par: the second gets `most` less `rate`
/// times the utility of the first, at all ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opposed {
    /// The utility of the second side if the first gets nothing.
    pub most: Fraction,
    /// The loss of the second for each that the first wins; more than 0.
    pub rate: Fraction,
}

impl Opposed {
    /// The relation between the first two utilities, if the second falls in proportion as the first
    /// grows, within the slack.
    pub(crate) fn of(worth: &[Vec<Fraction>], slack: &Fraction) -> Option<Opposed> {
        let least = worth.iter().min_by_key(|worth| &worth[0])?;
        let most = worth.iter().max_by_key(|worth| &worth[0])?;
        let apart = &most[0] - &least[0];
        let rate = match apart.is_zero() {
            false => {
                let (rate, off) = ((&least[1] - &most[1]) / &apart, slack / &apart);
                simplest_between(&(&rate - &off), &(&rate + &off))
            }
            // Where the first always gets the same, so must the second.
            true => Fraction::from_integer(1.into()),
        };
        let sums = worth.iter().map(|worth| &worth[1] + &rate * &worth[0]);
        let most = same(sums, &(slack * Fraction::from_integer(4.into())))?;
        (rate > Fraction::zero()).then_some(Opposed { most, rate })
    }
}
