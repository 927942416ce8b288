//! The portable random number generator: xoshiro256++, seeded through SplitMix64.
//!
//! Methods: xoshiro256++ 1.0 and SplitMix64 (Blackman and Vigna, prng.di.unimi.it), Lemire's
//! unbiased multiplication (2019, "Fast Random Integer Generation in an Interval"), and Durstenfeld's
//! form of the Fisher–Yates shuffle. With `mix(s)` the first output of SplitMix64 from state `s`:
//!
//! - the generator *of* a number `s` has the first four outputs of SplitMix64 from state `s` as its
//!   state words;
//! - the generator of playout `i` under a seed is the one of `mix(seed) ^ i`, so no playout needs
//!   another one, or depends on how many threads there are;
//! - each question takes exactly one output `q` of the playout's generator, and whoever answers it
//!   draws from the generator of `q`, as much as it likes. What a question draws therefore never
//!   moves the next one, and an answer that is already known is passed over by taking one output.
//!
//! These never change: saved histories and printed seeds rely on them. [`Answer`]s draw by it.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use super::{Distribution, DistributionError, Question, Value};

/// A stream of random numbers that is the same on every machine.
#[derive(Clone, Debug)]
pub struct Generator(GeneratorState);

/// How far a generator has come. Most questions draw one output or none, for which the state words
/// need not be made.
#[derive(Clone, Debug)]
enum GeneratorState {
    /// The generator of a number, before its first output.
    Fresh(u64),
    /// The generator of a number, after its first output.
    Drawn(u64),
    Made(Xoshiro256PlusPlus),
}

impl PartialEq for Generator {
    fn eq(&self, other: &Generator) -> bool {
        self.made() == other.made()
    }
}

impl Eq for Generator {}

impl Generator {
    /// The generator of a number: its four state words are SplitMix64's outputs from that state.
    #[inline]
    pub fn of(number: u64) -> Generator {
        Generator(GeneratorState::Fresh(number))
    }

    fn made(&self) -> Xoshiro256PlusPlus {
        match &self.0 {
            GeneratorState::Fresh(number) => Xoshiro256PlusPlus::seed_from_u64(*number),
            GeneratorState::Drawn(number) => {
                let mut made = Xoshiro256PlusPlus::seed_from_u64(*number);
                made.next_u64();
                made
            }
            GeneratorState::Made(made) => made.clone(),
        }
    }

    /// The generator of one playout under a seed.
    pub fn playout(seed: u64, playout: u64) -> Generator {
        Generator::of(SplitMix64::seed_from_u64(seed).next_u64() ^ playout)
    }

    /// The seed whose first playout is this playout of this seed: so any playout can be played by
    /// itself. Undoes SplitMix64's output, which is a bijection.
    pub fn seed_of(seed: u64, playout: u64) -> u64 {
        unmix(mix(seed.wrapping_add(GAMMA)) ^ playout).wrapping_sub(GAMMA)
    }

    /// The generator of the next question. Takes one output of this one.
    #[inline]
    pub fn question(&mut self) -> Generator {
        Generator::of(self.next_u64())
    }

    /// What [`Generator::index`] of the next question's generator is: the index of one of `len`
    /// options, each equally likely. Takes one output of this one.
    #[inline]
    pub(crate) fn question_index(&mut self, len: usize) -> usize {
        self.question().index(len)
    }

    /// Draws the answer to the next question: options are equally likely, dice have their exact weights.
    pub fn sample(&mut self, question: &Question<'_>) -> usize {
        match question {
            Question::Decision(decision, _) => self.question_index(decision.options.len()),
            Question::Chance(chance) => self.question().fall(chance.distribution),
        }
    }

    pub(crate) fn skip_question(&mut self) {
        self.next_u64();
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        match &mut self.0 {
            GeneratorState::Made(made) => made.next_u64(),
            GeneratorState::Fresh(number) => {
                let number = *number;
                self.0 = GeneratorState::Drawn(number);
                // The first output needs no more than the first and the last word of the state.
                let first = mix(number.wrapping_add(GAMMA));
                let last = mix(number.wrapping_add(GAMMA.wrapping_mul(4)));
                first.wrapping_add(last).rotate_left(23).wrapping_add(first)
            }
            GeneratorState::Drawn(_) => {
                let mut made = self.made();
                let next = made.next_u64();
                self.0 = GeneratorState::Made(made);
                next
            }
        }
    }

    /// A whole number from 0 to `n - 1`, each equally likely (Lemire's method); 0 for `n` 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        lemire(n, || self.next_u64())
    }

    /// An index into a list of that length, each equally likely; 0 for an empty one.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// A whole number from 0 to `n - 1` for an `n` of any size; 0 for `n` 0.
    ///
    /// As [`Generator::below`] where `n` fits 64 bits. Else as many outputs as `n - 1` has words of
    /// 64 bits, the lowest first, are cut to its length in bits, until the number is below `n`.
    pub(crate) fn below_big(&mut self, n: &BigUint) -> BigUint {
        if let Some(small) = n.to_u64() {
            return self.below(small).into();
        }
        let bits = (n - 1u8).bits();
        loop {
            let mut digits = Vec::new();
            for _ in 0..bits.div_ceil(64) {
                let word = self.next_u64();
                digits.extend([word as u32, (word >> 32) as u32]);
            }
            let number = BigUint::new(digits) & ((BigUint::from(1u8) << bits) - 1u8);
            if number < *n {
                return number;
            }
        }
    }

    /// The index of a value of a distribution, by the exact weights.
    pub fn fall(&mut self, distribution: &Distribution) -> usize {
        match distribution.cumulative() {
            Some(sums) => {
                let point = self.below(sums.last().copied().unwrap_or_default());
                sums.partition_point(|&sum| sum <= point)
            }
            None => distribution.index_at(&self.below_big(distribution.total())),
        }
    }

    /// Brings a list into a random order, each order equally likely (Fisher–Yates, from the end).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

/// What SplitMix64 adds to its state before each output.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// What SplitMix64 makes of its state: its output.
fn mix(state: u64) -> u64 {
    let state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ state >> 31
}

/// The state of which [`mix`] makes this: each of its steps undone, the last first. The factors are
/// the inverses of those of `mix` modulo 2^64.
fn unmix(output: u64) -> u64 {
    let state = output ^ output >> 31 ^ output >> 62;
    let state = state.wrapping_mul(0x3196_42b2_d24d_8ec3);
    let state = state ^ state >> 27 ^ state >> 54;
    let state = state.wrapping_mul(0x96de_1b17_3f11_9089);
    state ^ state >> 30 ^ state >> 60
}

/// Lemire's method: the high half of `word · n`, where words whose low half would favour a number
/// are drawn anew.
fn lemire(n: u64, mut next: impl FnMut() -> u64) -> u64 {
    if n == 0 {
        return 0;
    }
    loop {
        let product = u128::from(next()) * u128::from(n);
        let low = product as u64;
        // The remainder is a slow division, needed only where the low half is small.
        if low >= n || low >= n.wrapping_neg() % n {
            return (product >> 64) as u64;
        }
    }
}

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Each option with the same probability.
    Any,
    /// The option at this index.
    Option(usize),
    /// Indices of options, each with its weight.
    Weights(Weights),
}

impl Answer {
    /// What weights over indices answer; nothing where none is above 0.
    pub(crate) fn weighed(pairs: impl IntoIterator<Item = (usize, BigUint)>) -> Option<Answer> {
        let weights = Weights::new(pairs).ok()?;
        Some(match weights.0.values() {
            [only] => Answer::Option(index_of(only)),
            _ => Answer::Weights(weights),
        })
    }

    /// Draws the index of one of `len` options.
    pub fn draw(&self, len: usize, generator: &mut Generator) -> usize {
        match self {
            Answer::Any => generator.index(len),
            Answer::Option(index) => *index,
            Answer::Weights(weights) => weights.draw(generator),
        }
    }
}

/// Indices of options with positive exact weights, in the order in which they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(Distribution);

impl Weights {
    /// Weights over indices; equal indices are merged, those of weight 0 dropped.
    pub(crate) fn new(
        pairs: impl IntoIterator<Item = (usize, BigUint)>,
    ) -> Result<Weights, DistributionError> {
        let pairs = pairs.into_iter().map(|(index, weight)| (Value::Int(index as i64), weight));
        Distribution::new(pairs).map(Weights)
    }

    /// The indices with their weights, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &BigUint)> {
        self.0.values().iter().map(index_of).zip(self.0.weights())
    }

    /// Draws an index by the weights.
    pub fn draw(&self, generator: &mut Generator) -> usize {
        index_of(&self.0.values()[generator.fall(&self.0)])
    }
}

fn index_of(value: &Value) -> usize {
    value.as_int().and_then(|index| usize::try_from(index).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published algorithms once more, written plainly.
    mod plain {
        pub(super) fn splitmix(state: &mut u64) -> u64 {
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = *state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }

        pub(super) fn xoshiro(s: &mut [u64; 4]) -> u64 {
            let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
            let t = s[1] << 17;
            s[2] ^= s[0];
            s[3] ^= s[1];
            s[1] ^= s[2];
            s[0] ^= s[3];
            s[2] ^= t;
            s[3] = s[3].rotate_left(45);
            result
        }

        pub(super) fn words(mut number: u64) -> [u64; 4] {
            std::array::from_fn(|_| splitmix(&mut number))
        }

        pub(super) fn playout(mut seed: u64, playout: u64) -> [u64; 4] {
            words(splitmix(&mut seed) ^ playout)
        }
    }

    #[test]
    fn splitmix64_gives_the_published_outputs() {
        let expected = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ];
        let mut crates = SplitMix64::seed_from_u64(1234567);
        let mut state = 1234567;
        for number in expected {
            assert_eq!((crates.next_u64(), plain::splitmix(&mut state)), (number, number));
        }
    }

    #[test]
    fn xoshiro256_plus_plus_gives_the_published_outputs() {
        let expected = [
            41943041,
            58720359,
            3588806011781223,
            3591011842654386,
            9228616714210784205,
            9973669472204895162,
            14011001112246962877,
            12406186145184390807,
            15849039046786891736,
            10450023813501588000,
        ];
        let mut words = [1, 2, 3, 4];
        let bytes: Vec<u8> = words.iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
        let mut generator = Xoshiro256PlusPlus::from_seed(bytes.try_into().unwrap_or_default());
        for number in expected {
            assert_eq!((generator.next_u64(), plain::xoshiro(&mut words)), (number, number));
        }
    }

    #[test]
    fn a_playout_has_the_stream_that_its_definition_says() {
        // Worked out outside of this program, from the definition at the top of the file.
        let golden = [
            ((0, 0), [9579327875526494010, 14425024493257680155, 12536166511277982743]),
            ((0, 1), [5226295891941712017, 5547022123706608281, 18144476329041699521]),
            ((1, 0), [8089978747140965633, 5687923198772495674, 15915821081677751511]),
            ((42, 7), [3409545882473857721, 11773385008288523278, 15640253386848488616]),
            (
                (u64::MAX, u64::MAX),
                [6881029436186680218, 2321481997698272487, 10913521594457807991],
            ),
        ];
        for ((seed, playout), expected) in golden {
            let mut generator = Generator::playout(seed, playout);
            let mut words = plain::playout(seed, playout);
            for number in expected {
                assert_eq!((generator.next_u64(), plain::xoshiro(&mut words)), (number, number));
            }
        }
    }

    #[test]
    fn a_question_has_a_generator_of_its_own_and_takes_one_output() {
        let (mut asked, mut skipped) = (Generator::playout(42, 7), Generator::playout(42, 7));
        let mut question = asked.question();
        let mut words = plain::words(3409545882473857721);
        assert_eq!(question.next_u64(), plain::xoshiro(&mut words));
        skipped.skip_question();
        assert_eq!(asked, skipped);
        assert_eq!(asked.next_u64(), 11773385008288523278);
    }

    #[test]
    fn every_playout_is_the_first_of_some_seed() {
        for seed in [0, 1, 42, u64::MAX] {
            assert_eq!(Generator::seed_of(seed, 0), seed);
            for playout in [1, 7, 1000, u64::MAX] {
                let first = Generator::playout(Generator::seed_of(seed, playout), 0);
                assert_eq!(first, Generator::playout(seed, playout));
            }
        }
    }

    #[test]
    fn dice_orders_and_large_numbers_fall_as_the_definition_says() {
        let mut generator = Generator::playout(42, 7);
        let dice: Vec<u64> = (0..12).map(|_| generator.question().below(6)).collect();
        assert_eq!(dice, [5, 4, 3, 3, 0, 5, 4, 2, 3, 0, 5, 0]);

        let mut cards = [0, 1, 2, 3, 4, 5, 6, 7];
        Generator::playout(42, 7).question().shuffle(&mut cards);
        assert_eq!(cards, [2, 1, 3, 5, 4, 0, 7, 6]);

        let bound = BigUint::from(3u8).pow(50);
        let mut generator = Generator::playout(42, 7);
        assert_eq!(generator.below_big(&bound).to_string(), "472498312249878928949945");
        assert_eq!(generator.below_big(&bound).to_string(), "498599419998230805764506");
    }

    #[test]
    fn a_word_that_would_favour_a_number_is_drawn_anew() {
        let from = |words: &[u64], n| {
            let mut words = words.iter().copied();
            (lemire(n, || words.next().unwrap_or(u64::MAX)), words.count())
        };
        // 2^64 = 3 · 6148914691236517205 + 1: of all words just one, 0, is too many.
        assert_eq!(from(&[0, 1, 9], 3), (0, 1));
        assert_eq!(from(&[6148914691236517205], 3), (0, 0));
        assert_eq!(from(&[6148914691236517206], 3), (1, 0));
        assert_eq!(from(&[u64::MAX], 3), (2, 0));
        // A power of two divides evenly, so no word is.
        assert_eq!(from(&[0, 1], 1 << 63), (0, 1));
        assert_eq!(from(&[0, 1], 0), (0, 2));
        assert_eq!(from(&[u64::MAX], 1), (0, 0));
    }

    #[test]
    fn every_point_below_the_total_falls_to_its_value() {
        let weights = [3u32, 1, 4, 1, 5];
        let pairs = weights.iter().zip(0..).map(|(&weight, i)| (Value::Int(i), weight.into()));
        let dist = Distribution::new(pairs).unwrap();
        let mut counts = [0u32; 5];
        for point in 0..14u32 {
            counts[dist.index_at(&BigUint::from(point))] += 1;
        }
        assert_eq!(counts, weights);
    }

    #[test]
    fn weights_beyond_64_bits_fall_too() {
        let huge = BigUint::from(1u8) << 100;
        let dist = Distribution::new([(Value::Int(0), 1u8.into()), (Value::Int(1), huge)]).unwrap();
        assert_eq!(dist.cumulative(), None);
        let mut generator = Generator::of(1);
        assert!((0..64).all(|_| generator.fall(&dist) == 1));
    }
}
