//! Distributions that natives made, kept for whoever asks for the same again.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashMap;

use super::value::{Text, Value};
use crate::game::Distribution;
use crate::script::sandbox::memory::{live_bytes, uncounted};

/// The most bytes that distributions from before a run take, and the most that one run adds.
const ROOM: usize = 2 << 20;

/// What a distribution takes here beside itself and its arguments.
const BESIDE: usize = 256;

/// Distributions that were made, for whoever asks for the same again.
///
/// A run does not pay with its memory for what it is given from here, up to [`ROOM`]: whether that was made
/// in this run or before, each counts once in each run. What is beyond is given as a copy, which the run pays
/// for. Nothing is removed while a run may still hold it. So what a run may hold never depends on what
/// ran before it.
#[derive(Default)]
pub(super) struct MadeDistributions {
    made: HashMap<u64, Vec<Made>>,
    /// What all of it takes.
    bytes: usize,
    /// The run that asked last, and the bytes that it may still be given.
    run: u64,
    left: usize,
}

struct Made {
    name: String,
    arguments: Vec<Value>,
    distribution: Arc<Distribution>,
    /// The operations that it took.
    work: u64,
    bytes: usize,
    /// The last run that it was given to, without paying for it.
    run: u64,
}

/// A call of a native.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub name: &'a Text,
    pub first: &'a Value,
    pub rest: &'a [Value],
}

impl Call<'_> {
    fn arguments(&self) -> impl Iterator<Item = &Value> {
        std::iter::once(self.first).chain(self.rest)
    }

    fn is(&self, made: &Made) -> bool {
        self.name.as_str() == made.name
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
    pub(super) fn get(&mut self, run: u64, call: Call<'_>) -> Option<(Arc<Distribution>, u64)> {
        if self.run != run {
            (self.run, self.left) = (run, ROOM);
            if self.bytes > ROOM {
                self.bytes = 0;
                uncounted(|| self.made.clear());
            }
        }
        let hash = call.hash(self.made.hasher());
        let made = self.made.get_mut(&hash)?.iter_mut().find(|made| call.is(made))?;
        if made.run != run {
            if made.bytes > self.left {
                return Some((Arc::new((*made.distribution).clone()), made.work));
            }
            self.left -= made.bytes;
            made.run = run;
        }
        Some((made.distribution.clone(), made.work))
    }

    /// Keeps what a native made in the run that asked for it last; returns what is to be given to it.
    pub(super) fn keep(
        &mut self,
        call: Call<'_>,
        made: Arc<Distribution>,
        work: u64,
    ) -> Arc<Distribution> {
        uncounted(|| {
            let before = live_bytes();
            // Copies: nobody but this keeps them from being freed.
            let arguments = call.arguments().map(owned).collect::<Option<_>>()?;
            let distribution = Arc::new((*made).clone());
            let bytes = BESIDE + usize::try_from(live_bytes() - before).unwrap_or_default();
            if bytes > self.left {
                return None;
            }
            self.left -= bytes;
            self.bytes += bytes;
            let hash = call.hash(self.made.hasher());
            let name = call.name.as_str().to_owned();
            let given = distribution.clone();
            let new = Made { name, arguments, distribution, work, bytes, run: self.run };
            self.made.entry(hash).or_default().push(new);
            Some(given)
        })
        .unwrap_or(made)
    }
}

/// A copy that shares nothing of a text or number: those natives take no others.
fn owned(value: &Value) -> Option<Value> {
    match value {
        Value::Text(text) if !text.is_kept() => Some(Value::text(text.as_str())),
        other => other.is_small().then(|| other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;

    fn made(faces: i64) -> Arc<Distribution> {
        Arc::new(
            Distribution::new((0..faces).map(|face| (game::Value::Int(face), 1u8.into()))).unwrap(),
        )
    }

    /// What a run holds after it asked for this many different distributions, and what was kept then.
    fn held(kept: &mut MadeDistributions, run: u64, names: std::ops::Range<i64>) -> (isize, usize) {
        let name = Text::word("dice");
        let before = live_bytes();
        let all: Vec<_> = names
            .map(|number| {
                let first = Value::Int(number);
                let call = Call { name: &name, first: &first, rest: &[] };
                match kept.get(run, call) {
                    Some((given, _)) => given,
                    None => kept.keep(call, made(100), 7),
                }
            })
            .collect();
        let held = live_bytes() - before;
        drop(all);
        (held, kept.bytes)
    }

    #[test]
    fn what_a_run_holds_is_the_same_whatever_was_made_before() {
        // A distribution of 100 faces takes some 10 kB, so that 1,000 are far beyond the room.
        let mut fresh = MadeDistributions::default();
        let (first, bytes) = held(&mut fresh, 1, 0..1_000);
        assert!(bytes <= ROOM && first > 0);
        assert_eq!(held(&mut fresh, 2, 0..1_000).0, first);
        // Few cost a run only the list of them, also where others were made before.
        let mut other = MadeDistributions::default();
        held(&mut other, 1, 500..700);
        let few = held(&mut MadeDistributions::default(), 1, 0..100).0;
        assert!(few < 4_096, "{few}");
        assert_eq!(held(&mut other, 2, 0..100).0, few);
        assert_eq!(held(&mut other, 2, 0..100).0, few);
        assert!(other.bytes <= 2 * ROOM);
        // However many runs there are, what is kept stays within its bound.
        for run in 3..10 {
            let names = run as i64 * 1_000;
            assert_eq!(held(&mut other, run, names..names + 1_000).0, first, "run {run}");
            assert!(other.bytes <= 2 * ROOM, "{} bytes", other.bytes);
        }
    }
}
