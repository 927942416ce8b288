//! The kind of game a graph is (sides, sum of utilities, information), tested on the graph and not
//! declared.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::board::{Board, Mover, Opposed, TOLERANCE};
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::{Explorer, InformationSet, InformationSets};
use crate::number::Fraction;

/// The kind of game that a graph is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameKind {
    /// The number of sides that decide anywhere.
    pub sides: usize,
    /// The sum of the utilities of all players, if it is the same at all ends.
    #[serde(rename = "sum", serialize_with = "as_text")]
    pub constant: Option<Fraction>,
    /// Whether utilities are floats, whose sums are the same within a tolerance.
    #[serde(skip)]
    pub floats: bool,
    /// Whether one side always loses in proportion to what one other wins, and all others get the same at all ends.
    #[serde(rename = "zero_sum")]
    pub is_zero_sum: bool,
    /// Whether two sides decide, and one of them loses in proportion to what the other wins.
    #[serde(skip)]
    pub(crate) opposed: bool,
    /// Whether perfect play is worth the same to each side, also where there are several ways of it.
    #[serde(skip)]
    pub(crate) settled: bool,
    /// The players' information about the state.
    pub knowing: Knowing,
    /// All that in words: `two sides, utilities sum to 0, perfect information`.
    pub words: String,
}

fn as_text<S: Serializer>(sum: &Option<Fraction>, serializer: S) -> Result<S::Ok, S::Error> {
    sum.as_ref().map(ToString::to_string).serialize(serializer)
}

/// The players' information about the state when they decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Knowing {
    /// Perfect information: everything, and decisions are made one after the other.
    Turns,
    /// Everything but what others decide at the same time.
    Joint,
    /// Not everything.
    Hidden,
}

impl GameKind {
    pub(crate) fn of(board: &Board, knowing: Knowing) -> GameKind {
        let stakes = board.stakes();
        let is_zero_sum = <[usize; 2]>::try_from(&stakes[..])
            .is_ok_and(|both| Opposed::of(&board.worth, both, board.floats).is_some());
        let kind = GameKind {
            sides: board.sides,
            constant: board.constant(),
            floats: board.floats,
            is_zero_sum,
            opposed: board.opposed.is_some(),
            settled: is_zero_sum || stakes.len() < 2 || board.sides == 0,
            knowing,
            words: String::new(),
        };
        GameKind { words: kind.in_words(), ..kind }
    }

    fn in_words(&self) -> String {
        let sides = match self.sides {
            0 => return "nobody decides".to_owned(),
            1 => "one side".to_owned(),
            2 => "two sides".to_owned(),
            many => format!("{many} sides"),
        };
        let sum = match &self.constant {
            Some(sum) => format!("utilities sum to {sum}"),
            None if self.is_zero_sum => {
                "what one side wins the other loses in proportion".to_owned()
            }
            None => "utilities do not sum to a constant".to_owned(),
        };
        let floats = match self.floats {
            true => format!(" (floats, compared within {TOLERANCE:e} of the greatest)"),
            false => String::new(),
        };
        let knowing = match self.knowing {
            Knowing::Turns => "perfect information",
            Knowing::Joint => "perfect information but for joint decisions",
            Knowing::Hidden => "hidden information",
        };
        format!("{sides}, {sum}{floats}, {knowing}")
    }
}

/// The decisions that the players cannot distinguish.
pub(crate) struct Knowledge {
    /// Place of the board -> its information set, if a player decides there.
    pub(crate) of_places: Vec<Option<usize>>,
    /// The same by the nodes of the graph.
    pub information: InformationSets,
}

impl Knowledge {
    /// Asks the rules what each player sees at each decision.
    pub(crate) fn of(
        seating: &Seating,
        explorer: &Explorer,
        board: &Board,
    ) -> Result<Knowledge, Error> {
        let mut sets = InformationSets::default();
        let mut of_places = Vec::with_capacity(board.game.len());
        for (place, mover) in board.movers.iter().enumerate() {
            of_places.push(match mover {
                Mover::End(_) | Mover::Chance => None,
                _ => Some(sets.of(explorer, board.game.nodes[place])?),
            });
            if place % 64 == 0 {
                seating.may_continue()?;
            }
        }
        Ok(Knowledge { of_places, information: sets })
    }

    pub(crate) fn sets(&self) -> &[InformationSet] {
        self.information.sets()
    }

    /// The players' information: everything, everything but what is decided at the same time, or
    /// less.
    pub(crate) fn knowing(&self, seating: &Seating, board: &Board) -> Knowing {
        let graph = &seating.graph;
        // All nodes of a set must follow from one beginning of a joint decision.
        let mut beginnings: HashMap<usize, u32> = HashMap::new();
        for (place, set) in self.of_places.iter().enumerate() {
            let Some(set) = *set else { continue };
            let (first, _) = graph.first_part(board.game.nodes[place]);
            if *beginnings.entry(set).or_insert(first) != first {
                return Knowing::Hidden;
            }
        }
        match !board.joint.is_empty() || board.crowded.is_some() {
            true => Knowing::Joint,
            false => Knowing::Turns,
        }
    }
}
