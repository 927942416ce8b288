//! What came of the games of two agents? Wins, draws and losses.

/// Two agents in a scenario, `a` before `b` in the spec, and which of them held the first seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meeting {
    /// The scenario's index.
    pub scenario: usize,
    /// The agent that stands first in the spec.
    pub a: usize,
    /// The other one.
    pub b: usize,
    /// Who held the first seat.
    pub first: First,
}

/// Who of two held the first seat of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum First {
    /// The agent that stands first in the spec.
    A,
    /// The other one.
    B,
    /// A third one.
    Neither,
}

/// How often one agent did better than another: a whole number of games, and the share of exact ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell {
    /// The first agent had more utility.
    pub wins: f64,
    /// Both had the same.
    pub draws: f64,
    /// The other one had more.
    pub losses: f64,
}

impl Cell {
    /// The games.
    pub fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    /// The points of the first agent: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        self.wins + self.draws / 2.0
    }

    /// The same from the other side.
    pub fn turned(self) -> Cell {
        Cell { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Both together.
    pub fn plus(self, other: Cell) -> Cell {
        Cell {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}
