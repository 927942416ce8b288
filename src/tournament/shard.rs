//! Shards: parts of a schedule that are played separately and together are all of it.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Spec, TournamentState};
use crate::error::Error;

/// A part of the schedule: of every `of` games in a row one, as if drawn at random, since a rhythm of its own could meet
/// that of seats and pairings: a part in which each pair sits in one way only takes the seat for strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// Whether a game belongs to it.
    pub fn holds(&self, number: u64) -> bool {
        self.place_in(number / self.of) == number % self.of
    }

    /// Which game of a row belongs to it.
    fn place_in(&self, row: u64) -> u64 {
        (self.index - 1 + SplitMix64::seed_from_u64(row).next_u64() % self.of) % self.of
    }

    /// How many of these games belong to it.
    pub fn count(&self, numbers: &RangeInclusive<u64>) -> u64 {
        let below = |end: u64| {
            let row = end / self.of;
            row + u64::from(self.place_in(row) < end % self.of)
        };
        below(numbers.end() + 1).saturating_sub(below(*numbers.start()))
    }

    pub(crate) fn siblings(self) -> impl Iterator<Item = Shard> {
        (1..=self.of).map(move |index| Shard { index, ..self })
    }

    pub(crate) fn is_beside(&self, other: &Shard) -> bool {
        self.of == other.of
    }

    /// Refuses to split what each round decides anew.
    pub fn check(spec: &Spec) -> Result<(), Error> {
        if TournamentState::can_be_split(spec) {
            return Ok(());
        }
        let message = format!(
            "`format = \"{}\"` looks at the results so far, so it cannot be split",
            spec.format.word()
        );
        Err(Error::usage(message))
    }
}

impl FromStr for Shard {
    type Err = Error;

    /// Reads `I/N`, the first being `1/N`.
    fn from_str(text: &str) -> Result<Shard, Error> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((index, of)) if index >= 1 && index <= of => Ok(Shard { index, of }),
            _ => {
                let message = format!("shard `{text}` is not of the form I/N with I from 1 to N");
                Err(Error::usage(message))
            }
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_has_one_seat_alone() {
        // Seats, pairings and scenarios change in such rhythms; each part has about 100 games of each beat. That number has
        // a standard deviation of 10 at most, and is within four of them.
        for (of, rhythm) in (2..=7).flat_map(|of| (2..=12).map(move |rhythm| (of, rhythm))) {
            for shard in (Shard { index: 1, of }).siblings() {
                let beat = |beat: u64| {
                    let numbers = (0..of * rhythm * 100).filter(|number| number % rhythm == beat);
                    numbers.filter(|number| shard.holds(*number)).count()
                };
                let counts: Vec<usize> = (0..rhythm).map(beat).collect();
                assert!(
                    counts.iter().all(|count| (60..=140).contains(count)),
                    "{shard}: {counts:?}"
                );
            }
        }
    }

    #[test]
    fn shards_share_the_schedule() {
        let shards: Vec<Shard> = (1..=3).map(|i| format!("{i}/3").parse().unwrap()).collect();
        for number in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.holds(number)).count(), 1);
            for shard in &shards {
                let held = (2..=number).filter(|number| shard.holds(*number)).count() as u64;
                assert_eq!(shard.count(&(2..=number)), held, "{shard} to {number}");
            }
        }
        assert_eq!(shards[1].to_string(), "2/3");
        let first: Vec<u64> = (0..10).filter(|number| shards[0].holds(*number)).collect();
        assert_eq!(first, [1, 5, 7, 9], "by SplitMix64 from the number of a row");
        for wrong in ["", "1", "0/3", "4/3", "1/0", "a/3", "1/3/3", "-1/3"] {
            let error = wrong.parse::<Shard>().unwrap_err().to_string();
            assert!(error.ends_with("is not of the form I/N with I from 1 to N"), "{error}");
        }
    }
}
