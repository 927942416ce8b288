//! Distributions that natives made, kept for whoever asks for the same again.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashMap;

use super::value::{Text, Value};
use crate::game::Distribution;

/// The most bytes that are kept: where there is no room for another, all are let go of.
const ROOM: usize = 2 << 20;

/// What a distribution takes here beside itself.
const BESIDE: usize = 256;

/// Distributions that were made, for whoever asks for the same again and pays as much for it.
#[derive(Default)]
pub(super) struct MadeDistributions {
    made: HashMap<u64, Vec<MadeDistribution>>,
    bytes: usize,
}

struct MadeDistribution {
    name: Text,
    arguments: Vec<Value>,
    distribution: Arc<Distribution>,
    work: u64,
}

#[derive(Clone, Copy)]
pub(super) struct MakingCall<'a> {
    pub name: &'a Text,
    pub first: &'a Value,
    pub rest: &'a [&'a Value],
}

impl MakingCall<'_> {
    fn arguments(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }

    fn is(&self, made: &MadeDistribution) -> bool {
        *self.name == made.name
            && made.arguments.len() == self.rest.len() + 1
            && made.arguments.iter().zip(self.arguments()).all(|(a, b)| a.same(b))
    }

    fn hash(&self, by: &impl BuildHasher) -> u64 {
        let mut hasher = by.build_hasher();
        self.name.hash(&mut hasher);
        self.arguments().for_each(|argument| argument.hash(&mut hasher));
        hasher.finish()
    }
}

impl MadeDistributions {
    /// What a native made of the same arguments before, and the operations that it took.
    pub(super) fn get(&self, call: MakingCall<'_>) -> Option<(Arc<Distribution>, u64)> {
        let hash = call.hash(self.made.hasher());
        let made = self.made.get(&hash)?.iter().find(|made| call.is(made))?;
        Some((made.distribution.clone(), made.work))
    }

    pub(super) fn keep(&mut self, call: MakingCall<'_>, made: &Arc<Distribution>, work: u64) {
        let arguments: Vec<Value> = call.arguments().cloned().collect();
        let given = arguments.iter().map(|value| value.size().held()).sum::<usize>();
        let bytes = BESIDE + made.bytes() + given;
        if bytes > ROOM {
            return;
        }
        if self.bytes + bytes > ROOM {
            self.made.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        let (hash, name) = (call.hash(self.made.hasher()), call.name.clone());
        let new = MadeDistribution { name, arguments, distribution: made.clone(), work };
        self.made.entry(hash).or_default().push(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;

    #[test]
    fn what_was_made_is_given_again_and_no_more_is_kept_than_there_is_room_for() {
        let (name, mut kept) = (Text::word("dice"), MadeDistributions::default());
        let firsts: Vec<Value> = (0..1_000).map(Value::Int).collect();
        for (i, first) in firsts.iter().enumerate() {
            let call = MakingCall { name: &name, first, rest: &[] };
            assert!(kept.get(call).is_none());
            // One of 100 faces takes some 10 kB, so that 1,000 are far beyond the room.
            let falls = (0..100).map(|face| (game::Value::Int(face), 1u8.into()));
            let made = Arc::new(Distribution::new(falls).unwrap());
            kept.keep(call, &made, i as u64);
            let (again, work) = kept.get(call).unwrap();
            assert!(Arc::ptr_eq(&again, &made) && work == i as u64);
            assert!(kept.bytes <= ROOM && kept.bytes >= made.bytes());
        }
        let known = |first| kept.get(MakingCall { name: &name, first, rest: &[] }).is_some();
        assert!(!known(&firsts[0]) && known(&firsts[999]));
    }
}
