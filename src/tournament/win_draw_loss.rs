//! Results of games between agents: wins, draws and losses, or places.

/// Two agents in a scenario, `a` before `b` in the spec, and which of them held the first seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meeting {
    /// The scenario's index.
    pub scenario: usize,
    /// The agent that comes first in the spec.
    pub a: usize,
    /// The other one.
    pub b: usize,
    /// Who held the first seat.
    pub first: FirstSeat,
}

/// Who of two held the first seat of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FirstSeat {
    /// The agent that comes first in the spec.
    A,
    /// The other one.
    B,
    /// A third one.
    Neither,
}

/// A game of three agents or more: who did better than whom.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableGame {
    /// The scenario's index.
    pub scenario: usize,
    /// Who sat in each seat; empty where that is not known.
    pub seated: Vec<usize>,
    /// The agents in the order of the spec, each with its place; 0 is the best, equals share one.
    pub places: Vec<(usize, usize)>,
    /// Who forfeited it, if anybody did: each other has won against that one, and the others have no result against each other.
    pub forfeiter: Option<usize>,
}

impl TableGame {
    /// The seats that an agent held, in order.
    pub(crate) fn seats_of(&self, agent: usize) -> Vec<usize> {
        let own = self.seated.iter().enumerate().filter(|(_, other)| **other == agent);
        own.map(|(seat, _)| seat).collect()
    }

    /// Who held the first seat.
    pub(crate) fn holder(&self) -> usize {
        self.seated.first().copied().unwrap_or(usize::MAX)
    }

    /// The stages of the game: those that are left, and those of them that have the best place among
    /// them. What shares the last place orders nobody, so it is no stage.
    pub(crate) fn stages(&self) -> Vec<(Vec<usize>, Vec<usize>)> {
        if let Some(out) = self.forfeiter {
            let others = self.places.iter().map(|(agent, _)| *agent).filter(|agent| *agent != out);
            return others.map(|agent| (vec![agent, out], vec![agent])).collect();
        }
        let mut places: Vec<usize> = self.places.iter().map(|(_, place)| *place).collect();
        places.sort_unstable();
        places.dedup();
        places.pop();
        let those = |of: &dyn Fn(usize) -> bool| -> Vec<usize> {
            let those = self.places.iter().filter(|(_, place)| of(*place));
            those.map(|(agent, _)| *agent).collect()
        };
        let stage = |&best: &usize| (those(&|place| place >= best), those(&|place| place == best));
        places.iter().map(stage).collect()
    }

    /// The meetings of all pairs, each with its result for the agent that comes first in the spec, 0 for a win, 1 for a
    /// draw, 2 for a loss; and how many share the better place of the two, 1 for a draw or after a forfeit.
    pub(crate) fn meetings(&self) -> impl Iterator<Item = (Meeting, usize, usize)> + '_ {
        let sharing = |place: usize| match self.forfeiter {
            Some(_) => 1,
            None => self.places.iter().filter(|(_, other)| *other == place).count(),
        };
        self.places.iter().enumerate().flat_map(move |(i, &(a, mine))| {
            let with = self.places[i + 1..].iter();
            let met =
                with.filter(move |(b, _)| self.forfeiter.is_none_or(|out| a == out || *b == out));
            met.map(move |&(b, theirs)| {
                let first = FirstSeat::of(self.holder(), a, b);
                let (result, shared) = match mine.cmp(&theirs) {
                    std::cmp::Ordering::Less => (0, sharing(mine)),
                    std::cmp::Ordering::Equal => (1, 1),
                    std::cmp::Ordering::Greater => (2, sharing(theirs)),
                };
                (Meeting { scenario: self.scenario, a, b, first }, result, shared)
            })
        })
    }
}

impl FirstSeat {
    /// Which of two agents the holder of the first seat is.
    pub fn of(holder: usize, a: usize, b: usize) -> FirstSeat {
        match holder {
            holder if holder == a => FirstSeat::A,
            holder if holder == b => FirstSeat::B,
            _ => FirstSeat::Neither,
        }
    }
}

/// How often one agent did better than another: a whole number of games, or the expectation of
/// games whose odds are known.
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
    /// Counts this many more: 0 for wins, 1 for draws, 2 for losses.
    pub(super) fn count(&mut self, result: usize, games: f64) {
        match result {
            0 => self.wins += games,
            1 => self.draws += games,
            _ => self.losses += games,
        }
    }

    /// The games.
    pub fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    /// The points of the first agent: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        self.wins + self.draws / 2.0
    }

    /// The points in percent of all, whole; those of both sides add up to 100. Without games 50.
    pub(crate) fn percent(&self) -> u32 {
        let games = self.games();
        let more = self.points().max(games - self.points());
        // The side with more is rounded, halves up, and but for the error of its binary digits.
        let more =
            if games > 0.0 { (more / games * 100.0 + 0.5 + 1e-9).floor() as u32 } else { 50 };
        if self.points() * 2.0 >= games { more } else { 100 - more }
    }

    /// The same from the other side.
    pub fn turned(self) -> Cell {
        Cell { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    pub(crate) fn plus(self, other: Cell) -> Cell {
        Cell {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

/// What two agents did against each other: in games, and by odds that are known exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairRecord {
    /// The games that were played.
    pub played: Cell,
    /// What games that need not be played bring on average.
    pub known: Cell,
}

impl PairRecord {
    /// The points a game of the first agent; nothing where nothing is known.
    pub fn score(&self) -> Option<f64> {
        let all = self.played.plus(self.known);
        (all.games() > 0.0).then(|| all.points() / all.games())
    }

    /// Whether nothing of it was sampled, and something is known.
    pub fn is_exact(&self) -> bool {
        self.played.games() <= 0.0 && self.known.games() > 0.0
    }

    /// The same from the other side.
    pub fn turned(self) -> PairRecord {
        PairRecord { played: self.played.turned(), known: self.known.turned() }
    }

    pub(crate) fn plus(self, other: PairRecord) -> PairRecord {
        PairRecord { played: self.played.plus(other.played), known: self.known.plus(other.known) }
    }

    /// The score in percent of the points, whole; those of both sides add up to 100.
    pub(crate) fn percent(&self) -> Option<u32> {
        self.score().map(|_| self.played.plus(self.known).percent())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_of_both_sides_add_up() {
        // 4.6 points of 8 are 57.5 %, and 3.4 are 42.5 %: both end in a half.
        let cell = Cell { wins: 4.6, draws: 0.0, losses: 3.4 };
        assert_eq!((cell.percent(), cell.turned().percent()), (58, 42));
        let even = Cell { wins: 1.0, draws: 1.0, losses: 1.0 };
        assert_eq!((even.percent(), even.turned().percent()), (50, 50));
        for wins in 0..=200 {
            let cell = Cell { wins: f64::from(wins), draws: 0.0, losses: f64::from(200 - wins) };
            assert_eq!(cell.percent() + cell.turned().percent(), 100, "{wins}");
        }
    }
}
