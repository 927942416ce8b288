//! Chooses the seed of playouts beside the open conflict: never its own, which would tell what chance will do.

use super::Session;
use crate::conflict::Position;
use crate::error::Error;

impl Session {
    /// The seed of playouts beside the open conflict: the one named, else the one after the conflict's own.
    ///
    /// # Errors
    /// [`Error::Usage`] where the conflict's own is named while a person plays who is not to know what is
    /// hidden and what will fall.
    pub(super) fn seed_apart(&self, named: Option<u64>) -> Result<u64, Error> {
        let play = self.open()?;
        let own = play.seed;
        let goes_on = matches!(play.position(), Position::Asked(_));
        match named {
            Some(seed) if seed == own && goes_on && !self.revealed && !play.people().is_empty() => {
                Err(Error::usage(format!(
                    "seed {own} is that of the open conflict, so a playout under it would tell what is \
                     hidden and what will fall; name another one, or `:reveal` first"
                )))
            }
            Some(seed) => Ok(seed),
            None => Ok(own.wrapping_add(1)),
        }
    }

    /// The seed that the lab leaves out where a line names none.
    pub(super) fn seed_left_out(&self) -> Option<u64> {
        self.play.as_ref().map(|play| play.seed)
    }
}
