//! Recovers the history of a finished game by playing the game again.

use super::super::{Game, GameResult};
use super::Arena;
use crate::catalog::Catalog;
use crate::conflict::{Changes, Conflict, Play, Position, RunUntil, Saved};
use crate::error::Error;
use crate::game::History;
use crate::script::Limits;

impl Arena {
    /// The history of a game; of a forfeited one, up to the question at which the agent erred.
    /// Nothing where the game does not end with that result any more, for example because the limit
    /// of time ended it.
    pub fn history(
        &self,
        game: &Game,
        result: &GameResult,
        catalog: &Catalog,
        limits: &Limits,
    ) -> Result<Option<Saved>, Error> {
        let Some(table) = self.tables.get(game.lineup.scenario) else { return Ok(None) };
        let seats = table.seats().iter().zip(&game.lineup.agents);
        let seats = seats.filter_map(|(seat, &agent)| {
            self.agents.get(agent).map(|word| (seat.name.clone(), word.clone()))
        });
        let changes =
            Changes { house: table.house().to_vec(), seats: seats.collect(), ..Changes::default() };
        let conflict = Conflict::open(catalog, table.scenario(), &changes, limits)?;
        let mut play =
            Play::resume(conflict, game.seed, limits, History::default(), RunUntil::NextQuestion)?;
        let failure = play.go_furthest()?;
        let same = match (play.position(), failure.as_ref().map(Error::itself), &result.forfeit) {
            (_, Some(Error::Agent { .. }), Some(_)) => true,
            (Position::Over { outcome, .. }, None, None) => outcome.result == result.result,
            _ => false,
        };
        Ok(same.then(|| play.saved()))
    }
}
