//! Distributions that natives made, kept for whoever asks for the same again.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashMap;

use super::value::{Map, Text, Value};
use crate::game::Distribution;
use crate::script::sandbox::memory::{live_bytes, uncounted};
use crate::script::sandbox::meter::Meter;

/// The most bytes that distributions from before a run take which no paused run held, and the most that one
/// run adds.
const ROOM: usize = 2 << 20;

/// What a distribution takes here beside itself and its arguments.
const BESIDE: usize = 256;

/// Distributions that were made, for whoever asks for the same again.
///
/// A run does not pay with its memory for what it is given from here, up to [`ROOM`]: whether that was made
/// in this run or before, each counts once in each run. What is beyond is given as a copy, which the run pays
/// for. So what a run may hold never depends on what ran before it. A run that is resumed has what was left of
/// the room when it was paused; what it asks for again counts once more. A run within another pays for all.
#[derive(Default)]
pub(super) struct MadeDistributions {
    made: HashMap<u64, Vec<MadeDistribution>>,
    /// What all of it takes.
    bytes: usize,
    /// What those take that some run held when others were dropped last.
    held: usize,
    /// The run that asked last.
    run: Option<u64>,
}

struct MadeDistribution {
    name: String,
    arguments: Vec<Value>,
    distribution: Arc<Distribution>,
    /// The operations that it took.
    work: u64,
    bytes: usize,
    /// The last run that it was given to, without paying for it.
    run: Option<u64>,
}

/// A call of a native.
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
    pub(super) fn get(
        &mut self,
        meter: &Meter,
        call: MakingCall<'_>,
    ) -> Option<(Arc<Distribution>, u64)> {
        let run = meter.run();
        if run.is_some() && self.run != run {
            self.run = run;
            // What is held does not count, so that all are looked through only after as much more was made.
            if self.bytes > self.held + ROOM {
                uncounted(|| self.drop_unheld());
            }
        }
        let hash = call.hash(self.made.hasher());
        let made = self.made.get_mut(&hash)?.iter_mut().find(|made| call.is(made))?;
        if run.is_none() || made.run != run {
            if run.is_none() || !meter.gives(made.bytes, ROOM) {
                return Some((Arc::new((*made.distribution).clone()), made.work));
            }
            made.run = run;
        }
        Some((made.distribution.clone(), made.work))
    }

    /// Drops what no run holds. What a paused run holds stays: it was not counted as the run's own, so the run
    /// must not be the one that frees it, or it could hold as much more.
    fn drop_unheld(&mut self) {
        self.made.retain(|_, alike| {
            alike.retain(|made| Arc::strong_count(&made.distribution) > 1);
            !alike.is_empty()
        });
        self.held = self.made.values().flatten().map(|made| made.bytes).sum();
        self.bytes = self.held;
    }

    /// Keeps what a native made in the run that asked for it last; returns what is to be given to it.
    pub(super) fn keep(
        &mut self,
        meter: &Meter,
        call: MakingCall<'_>,
        made: Arc<Distribution>,
        work: u64,
    ) -> Arc<Distribution> {
        let Some(run) = meter.run() else { return made };
        uncounted(|| {
            let before = live_bytes();
            // Copies: nobody but this keeps them from being freed.
            let arguments = call.arguments().map(owned).collect::<Option<_>>()?;
            let distribution = Arc::new((*made).clone());
            let bytes = BESIDE + usize::try_from(live_bytes() - before).unwrap_or_default();
            if !meter.gives(bytes, ROOM) {
                return None;
            }
            self.bytes += bytes;
            let hash = call.hash(self.made.hasher());
            let name = call.name.as_str().to_owned();
            let given = distribution.clone();
            let new =
                MadeDistribution { name, arguments, distribution, work, bytes, run: Some(run) };
            self.made.entry(hash).or_default().push(new);
            Some(given)
        })
        .unwrap_or(made)
    }
}

/// A copy that shares nothing, of what those natives take.
fn owned(value: &Value) -> Option<Value> {
    match value {
        Value::Text(text) => Some(Value::Text(owned_text(text))),
        Value::List(items) => Some(Value::list(items.iter().map(owned).collect::<Option<_>>()?)),
        Value::Map(entries) => {
            let copied = |(key, value)| Some((owned_text(key), owned(value)?));
            Some(Value::map(Map::from_sorted(entries.iter().map(copied).collect::<Option<_>>()?)))
        }
        other => other.is_small().then(|| other.clone()),
    }
}

fn owned_text(text: &Text) -> Text {
    if text.is_kept() { text.clone() } else { Text::new(text.as_str()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;
    use crate::script::sandbox::limits::Limits;

    fn made(faces: i64) -> Arc<Distribution> {
        Arc::new(
            Distribution::new((0..faces).map(|face| (game::Value::Int(face), 1u8.into()))).unwrap(),
        )
    }

    /// What a run holds after it asked for this many different distributions, and what was kept then.
    fn held(
        kept: &mut MadeDistributions,
        meter: &Meter,
        names: std::ops::Range<i64>,
    ) -> (isize, usize) {
        let name = Text::word("dice");
        let before = live_bytes();
        let all: Vec<_> = names
            .map(|number| {
                let first = Value::Int(number);
                let call = MakingCall { name: &name, first: &first, rest: &[] };
                match kept.get(meter, call) {
                    Some((given, _)) => given,
                    None => kept.keep(meter, call, made(100), 7),
                }
            })
            .collect();
        let held = live_bytes() - before;
        drop(all);
        (held, kept.bytes)
    }

    fn fresh_run(meter: &Meter) -> &Meter {
        meter.restart();
        meter
    }

    #[test]
    fn what_a_run_holds_is_the_same_whatever_was_made_before() {
        // A distribution of 100 faces takes some 10 kB, so that 1,000 are far beyond the room.
        let meter = Meter::new(Limits::default());
        let mut fresh = MadeDistributions::default();
        let (first, bytes) = held(&mut fresh, fresh_run(&meter), 0..1_000);
        assert!(bytes <= ROOM && first > 0);
        assert_eq!(held(&mut fresh, fresh_run(&meter), 0..1_000).0, first);
        // Few cost a run only the list of them, also where others were made before.
        let mut other = MadeDistributions::default();
        held(&mut other, fresh_run(&meter), 500..700);
        let few = held(&mut MadeDistributions::default(), fresh_run(&meter), 0..100).0;
        assert!(few < 4_096, "{few}");
        assert_eq!(held(&mut other, fresh_run(&meter), 0..100).0, few);
        assert_eq!(held(&mut other, fresh_run(&meter), 0..100).0, few);
        assert!(other.bytes <= 2 * ROOM);
        // However many runs there are, what is kept stays within its bound.
        for run in 3..10 {
            let names = run as i64 * 1_000;
            assert_eq!(
                held(&mut other, fresh_run(&meter), names..names + 1_000).0,
                first,
                "run {run}"
            );
            assert!(other.bytes <= 2 * ROOM, "{} bytes", other.bytes);
        }
    }

    #[test]
    fn a_run_that_is_resumed_has_what_was_left_of_the_room() {
        let (meter, mut kept) = (Meter::new(Limits::default()), MadeDistributions::default());
        let first = held(&mut kept, fresh_run(&meter), 0..1_000).0;
        let used = meter.pause().0;
        // Another runs meanwhile, and is given as much as anybody.
        assert_eq!(held(&mut kept, fresh_run(&meter), 5_000..6_000).0, first);
        let run = meter.run();
        meter.restart();
        meter.resume(&used);
        // Nothing was left for it: all of these are its own, of some 10 kB each.
        let resumed = held(&mut kept, &meter, 2_000..2_100).0;
        assert!(resumed > 500_000, "{resumed}");
        meter.restart();
        // No later run has the number of an earlier one.
        assert!(meter.run() > run.map(|run| run + 1));
    }

    #[test]
    fn what_a_paused_run_was_given_is_kept_until_it_lets_go_of_it() {
        let (meter, mut kept) = (Meter::new(Limits::default()), MadeDistributions::default());
        meter.restart();
        let (name, first) = (Text::word("dice"), Value::Int(1));
        let call = MakingCall { name: &name, first: &first, rest: &[] };
        assert!(kept.get(&meter, call).is_none());
        let given = kept.keep(&meter, call, made(100), 7);
        // Others run meanwhile, and make far more than is kept.
        (1..4).for_each(|run| {
            held(&mut kept, fresh_run(&meter), run * 1_000..run * 1_000 + 1_000);
        });
        assert!(kept.bytes <= kept.held + 2 * ROOM && Arc::strong_count(&given) == 2);
        assert!(kept.held > 0 && kept.held < 20_000, "{} bytes", kept.held);
        let before = live_bytes();
        drop(given);
        assert_eq!(live_bytes(), before);
        // It takes part in the next clearing.
        held(&mut kept, fresh_run(&meter), 5_000..6_000);
        fresh_run(&meter);
        assert!(kept.get(&meter, call).is_none());
    }

    #[test]
    fn a_run_within_another_pays_for_all_and_changes_nothing_for_the_other() {
        let (meter, mut kept) = (Meter::new(Limits::default()), MadeDistributions::default());
        let few = held(&mut kept, fresh_run(&meter), 0..100).0;
        // Some 10 kB each, made anew or given to the other before.
        let within =
            |kept: &mut MadeDistributions, names| meter.nested(|| held(kept, &meter, names)).0;
        assert!(within(&mut kept, 0..100).0 > 500_000);
        assert!(within(&mut kept, 1_000..2_000).0 > 5_000_000);
        assert_eq!(held(&mut kept, &meter, 0..100).0, few);
        // The room that is left is what it would be without them.
        let mut alone = MadeDistributions::default();
        let rest = held(&mut kept, &meter, 2_000..3_000);
        held(&mut alone, fresh_run(&meter), 0..100);
        held(&mut alone, &meter, 0..100);
        assert_eq!(held(&mut alone, &meter, 2_000..3_000), rest);
    }

    #[test]
    fn however_many_runs_are_resumed_from_one_question_what_is_kept_stays_within_its_bound() {
        let (meter, mut kept) = (Meter::new(Limits::default()), MadeDistributions::default());
        let used = fresh_run(&meter).pause().0;
        for answer in 0..10 {
            meter.restart();
            meter.resume(&used);
            let names = answer * 1_000;
            held(&mut kept, &meter, names..names + 1_000);
            assert!(kept.bytes > ROOM / 2 && kept.bytes <= 2 * ROOM, "{} bytes", kept.bytes);
        }
    }
}
