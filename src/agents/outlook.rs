//! What is to be thought about? A decision as the player knows it.

use sha2::{Digest as _, Sha256};

use super::mind::{Halted, Mind};
use super::surroundings::Digest;
use super::worlds;
use crate::graph::Insight;

/// A decision, as far as the player knows where it stands.
pub struct Outlook {
    /// The number by which nodes know the player.
    pub actor: u32,
    /// How many options there are.
    pub options: usize,
    /// Which part of a joint decision it is, from 0.
    pub nth: usize,
    /// A digest of all that the player goes by: what is thought depends on nothing else.
    pub digest: Digest,
    node: u32,
    whole: bool,
}

impl Outlook {
    /// The outlook of the player who decides at a node, for somebody who thinks in this way.
    pub fn of(mind: &mut Mind, node: u32, thinker: &str) -> Result<Outlook, Halted> {
        let Insight { key, whole } = Insight::of(mind.explorer(), node)?;
        let graph = mind.graph();
        let at = graph.node(node);
        let mut digest = Sha256::new();
        digest.update(thinker);
        digest.update([0]);
        digest.update(&key);
        if whole {
            digest.update([0]);
            digest.update(graph.state_bytes(at).unwrap_or_default());
        }
        let outlook = Outlook {
            actor: at.actor(),
            options: at.answers(),
            nth: worlds::beginning(graph, node).1,
            digest: digest.finalize().into(),
            node,
            whole,
        };
        mind.note(node, key);
        Ok(outlook)
    }

    /// The seed of the lots that are drawn in thought.
    pub fn seed(&self) -> u64 {
        self.digest.iter().take(8).fold(0, |seed, &byte| seed << 8 | u64::from(byte))
    }

    /// The nodes at which it may stand, the more often the likelier where all play at random: of a
    /// joint decision the beginning. None where none was met.
    pub fn worlds(&self, mind: &mut Mind) -> Result<Vec<u32>, Halted> {
        match self.whole {
            true => worlds::of_step(mind, self.node, self.seed()),
            false => worlds::of_game(mind, self.node),
        }
    }

    /// The number of its information set in this mind.
    pub fn set(&self, mind: &mut Mind) -> Result<u32, Halted> {
        mind.set_of(self.node)
    }
}
