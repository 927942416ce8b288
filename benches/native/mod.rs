//! Native versions of the conflict systems for benchmarks: each system in plain Rust, without a
//! script, with its default parameters.
//!
//! They ask the same questions in the same order, and the same generator answers. So script and
//! native code reach the same outcome for every seed: two versions of one rulebook that check each
//! other.

use std::rc::Rc;

use fracas::game::{Distribution, Generator, Value};
use fracas::script::{Ear, Rules, Run, Setup};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

pub mod attrition;
pub mod battle_tiles;
pub mod last_stand;
pub mod war_die;

/// A system written in Rust.
pub trait Native: Sized {
    /// How a playout ended, as plain data.
    type Outcome;

    /// Reads a setup that is known to be right; nothing where it has what only the scripts know.
    fn read(setup: &Value) -> Option<Self>;

    /// Plays from the setup to the outcome.
    fn play(&self, asker: &mut Asker) -> Self::Outcome;

    /// The outcome in the words of the rules.
    fn words(&self, outcome: &Self::Outcome) -> Json;
}

/// Answers as [`Generator::sample`] does: every option equally likely, one output of the generator a question.
pub struct Asker(Generator);

impl Asker {
    /// Who answers in one playout under a seed.
    pub fn new(seed: u64, playout: u64) -> Asker {
        Asker(Generator::playout(seed, playout))
    }

    /// An index of this many options. One option is not asked.
    pub fn index(&mut self, options: usize) -> usize {
        if options > 1 { self.0.question().index(options) } else { 0 }
    }

    /// One of some options.
    pub fn pick<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.index(options.len())]
    }

    /// A whole number from 0 to `most`.
    pub fn up_to(&mut self, most: i64) -> i64 {
        self.index(most as usize + 1) as i64
    }

    /// `true`, which is offered first, or `false`.
    pub fn yes(&mut self) -> bool {
        self.index(2) == 0
    }

    /// One of this many things that are equally likely; a roll is asked even where there is one.
    pub fn roll(&mut self, things: usize) -> usize {
        self.0.question().index(things)
    }

    /// The index of the value that is rolled.
    pub fn fall(&mut self, distribution: &Distribution) -> usize {
        self.0.question().fall(distribution)
    }
}

/// Reads a setup into the structs of a system.
pub fn read<T: DeserializeOwned>(setup: &Value) -> Option<T> {
    let json = serde_json::to_value(setup).expect("plain data");
    serde_json::from_value(json).ok()
}

/// The index of a name in a list that contains it.
pub fn place_of<'a>(names: impl IntoIterator<Item = &'a String>, name: &str) -> usize {
    names.into_iter().position(|other| other == name).expect("a name of the setup")
}

/// Plays a setup by script and by native rules, and checks that both end alike in each playout.
pub fn check<N: Native>(rules: &Rc<Rules>, setup: &Value, name: &str, playouts: u64) {
    let native = N::read(setup).expect("a setup that the native rules know");
    let setup = Setup::new(setup.clone());
    for playout in 0..playouts {
        let mut generator = Generator::playout(1, playout);
        let run = Run::begin(rules, &setup, Ear::Deaf);
        let script =
            run.finish(|question| Ok(generator.sample(question))).expect("it plays").outcome;
        let outcome = native.play(&mut Asker::new(1, playout));
        // What a utility is made of, which sums to it, is the rules' own: the native ones say nothing of it.
        let mut script = script.value().clone();
        if let Value::Map(map) = &mut script {
            map.shift_remove("parts");
        }
        let ours: Value = serde_json::from_value(native.words(&outcome)).expect("plain data");
        assert!(
            ours == script,
            "{name}, playout {playout} of seed 1\n  native: {}\n  script: {}",
            ours.literal(),
            script.literal()
        );
    }
}
