//! Saves and loads the numbers of a search that was stopped, so that it can be resumed for the same
//! game.

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::catalog::{bytes, opened};
use crate::conflict::replace;
use crate::error::Error;

/// All the numbers needed to resume. Arrays are by slots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Identifies the game: a digest of rules, parameters, setup and information sets.
    pub identity: String,
    /// The number of iterations so far.
    pub iterations: u64,
    /// The seed of the random draws; `None` if nothing is drawn.
    pub seed: Option<u64>,
    /// The regrets.
    pub regrets: Vec<f64>,
    /// The sums of strategies.
    pub sums: Vec<f64>,
}

/// The file: a version and the checkpoint.
#[derive(Serialize, Deserialize)]
struct CheckpointFile<C> {
    fracas_checkpoint: u32,
    #[serde(flatten)]
    checkpoint: C,
}

/// Another version than this is not read.
const VERSION: u32 = 1;
/// What every checkpoint begins with.
const OPENING: &[u8] = b"{\"fracas_checkpoint\":";
/// Larger files are not read: 1 GiB.
const LARGEST: u64 = 1 << 30;

impl Checkpoint {
    /// Writes the file whole or not at all.
    ///
    /// # Errors
    /// [`Error::File`]; an earlier file then stays as it was.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let file = CheckpointFile { fracas_checkpoint: VERSION, checkpoint: self };
        let failed = |error: serde_json::Error| Error::file("write", path, error.to_string());
        let text = serde_json::to_vec(&file).map_err(failed)?;
        replace(path, &text)
    }

    /// Whether a search can have produced these numbers.
    fn is_possible(&self) -> bool {
        let finite = |number: &f64| number.is_finite();
        self.iterations <= 1 << 53
            && self.regrets.iter().all(finite)
            && self.sums.iter().all(|sum| sum.is_finite() && *sum >= 0.0)
    }

    /// Reads a file that was saved for the game of this identity; nothing where there is none.
    ///
    /// # Errors
    /// [`Error::File`] where it cannot be read; [`Error::Results`] where it is not a checkpoint, one
    /// of another version, or one of other rules, parameters or another setup.
    pub fn load(path: &Path, identity: &str) -> Result<Option<Checkpoint>, Error> {
        match Checkpoint::read(path)? {
            Some(kept) if kept.identity != identity => {
                Err(wrong(path, "the checkpoint is of other rules, parameters or another setup"))
            }
            kept => Ok(kept),
        }
    }

    /// Reads a file saved for any game; nothing where there is none. Before the work, so
    /// that no file is replaced that is none of ours.
    ///
    /// # Errors
    /// As [`Checkpoint::load`], but for other rules.
    pub fn read(path: &Path) -> Result<Option<Checkpoint>, Error> {
        if !path.exists() {
            return Ok(None);
        }
        // A large file of another program is not read whole to be refused.
        let mut beginning = Vec::new();
        let read = opened(path)?.take(OPENING.len() as u64).read_to_end(&mut beginning);
        read.map_err(|error| Error::file("read", path, error))?;
        if beginning != OPENING {
            return Err(wrong(path, "it is not a checkpoint; it was left as it is"));
        }
        let text = bytes(path, LARGEST)?;
        let damaged =
            |error: serde_json::Error| wrong(path, &format!("the checkpoint is damaged: {error}"));
        #[derive(Deserialize)]
        struct Any {
            fracas_checkpoint: u32,
        }
        let any: Any = serde_json::from_slice(&text).map_err(damaged)?;
        if any.fracas_checkpoint != VERSION {
            let found = any.fracas_checkpoint;
            let message = format!(
                "it is a checkpoint of version {found}, and version {VERSION} is read here"
            );
            return Err(wrong(path, &message));
        }
        let file: CheckpointFile<Checkpoint> = serde_json::from_slice(&text).map_err(damaged)?;
        if !file.checkpoint.is_possible() {
            return Err(wrong(path, "the checkpoint is damaged: it has impossible numbers"));
        }
        Ok(Some(file.checkpoint))
    }

    /// The error of a file whose numbers are not as many as the game has.
    pub(crate) fn other_numbers(path: &Path) -> Error {
        wrong(path, "the checkpoint is damaged: its numbers are not those of this game")
    }
}

fn wrong(path: &Path, message: &str) -> Error {
    Error::Results { path: path.display().to_string(), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let (regrets, sums) = (vec![0.1, 1.0 / 3.0], vec![2.0, 0.0]);
        Checkpoint { identity: "a".to_owned(), iterations: 7, seed: None, regrets, sums }
    }

    #[test]
    fn a_checkpoint_reads_back_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        assert_eq!(Checkpoint::load(&path, "a").unwrap(), None);
        checkpoint().save(&path).unwrap();
        assert_eq!(Checkpoint::load(&path, "a").unwrap(), Some(checkpoint()));
    }

    #[test]
    fn what_is_of_another_game_or_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        checkpoint().save(&path).unwrap();
        let refused = || Checkpoint::load(&path, "a").unwrap_err().to_string();
        let other = Checkpoint::load(&path, "b").unwrap_err().to_string();
        assert!(other.contains("of other rules, parameters or another setup"), "{other}");
        std::fs::write(&path, r#"{"fracas_checkpoint":2}"#).unwrap();
        assert!(refused().contains("version 2, and version 1 is read here"), "{}", refused());
        std::fs::write(&path, r#"{"fracas_checkpoint":1}"#).unwrap();
        assert!(refused().contains("damaged"), "{}", refused());
        std::fs::write(&path, "{}").unwrap();
        assert!(refused().contains("not a checkpoint"), "{}", refused());
        Checkpoint { sums: vec![2.0, -1.0], ..checkpoint() }.save(&path).unwrap();
        assert!(refused().contains("impossible numbers"), "{}", refused());
    }
}
