//! The script functions that make distributions: `dice`, `uniform`, `weighted`, `successes`,
//! `pairs_won`. Those of sums of dice such as `3d6` are exact: one die is added after another.

mod pool;

use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::{One, Zero};
use rhai::{Array, Engine, FuncRegistration, INT, ImmutableString, Map, Module, Position};

use self::pool::Pool;
use crate::game::{Distribution, Value};
use crate::script::diagnostics::type_names::a_word;
use crate::script::primitives::{Doc, describe};
use crate::script::sandbox::fuel::charge;
use crate::script::sandbox::limits::{Fault, TEXT, fail};
use crate::script::value::{from_value, to_value};

/// Merging one value with its equals takes the time of this many operations.
const VALUE: u64 = 8;

pub(crate) fn documentation() -> Vec<Doc> {
    let mut engine = Engine::new_raw();
    engine.register_global_module(module().into());
    let mut docs = describe("distributions", &engine, false);
    docs.retain(|doc| !doc.text.is_empty());
    docs
}

/// Registers a function whose comment is its documentation. What it returns may be the `Result` of what it says.
macro_rules! function {
    (
        $module:expr, $(#[doc = $line:literal])*
        fn $name:ident($($parameter:ident: $kind:ty),*) -> $result:ident $body:block
    ) => {
        FuncRegistration::new(stringify!($name))
            .with_params_info([
                $(concat!(stringify!($parameter), ": ", stringify!($kind)),)*
                stringify!($result),
            ])
            .with_comments([$(concat!("///", $line)),*])
            .set_into_module($module, |$($parameter: $kind),*| $body);
    };
}

pub(in crate::script) fn module() -> Module {
    let mut module = Module::new();
    module.set_custom_type::<Dist>("Distribution");
    function! { &mut module,
        /// The sum of dice, written as players write it: terms of dice and numbers with `+` and `-`.
        /// No term is more than 2,000, and there are at most 2,000 sums.
        ///
        /// # Example
        /// `dice("2d6+1").values()` is `[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]`
        fn dice(text: ImmutableString) -> Distribution {
            parse_dice(&text)
        }
    }
    function! { &mut module,
        /// Two sides throw `first` and `second` dice with `sides` sides, and lay them highest against highest,
        /// next against next, as far as both have dice: how many of these pairs the first side wins.
        /// A pair of equal dice is the second side's; where it is to be the first's, swap the two.
        /// At most 12 dice a side, with at most 100 sides.
        ///
        /// # Example
        /// `pairs_won(3, 2, 6).weights()` is `[2275, 2611, 2890]`
        fn pairs_won(first: INT, second: INT, sides: INT) -> Distribution {
            pool::pairs_won(first, second, sides)
        }
    }
    function! { &mut module,
        /// How many of `n` dice with `sides` sides reach `target` or more.
        /// At most 2,000 dice, with at most 2,000 sides; fewer dice where there are many sides.
        ///
        /// # Example
        /// `successes(2, 6, 5).weights()` is `[16, 16, 4]`
        fn successes(n: INT, sides: INT, target: INT) -> Distribution {
            successes(Pool::new(n, sides, target))
        }
    }
    function! { &mut module,
        /// How many dice of a pool succeed that explode or are rolled again.
        /// `options`, each may be left out:
        /// `explode`: a face; each die that shows it rolls one more die, and that one too.
        /// `reroll`: a list of faces; dice that show one are rolled again until none is left.
        ///
        /// Dice that explode have no greatest number of successes: the list ends with the first `k` for
        /// which more than `k` are less likely than 1 in 2 to the power of 40, and `k` is given the rest.
        /// Numbers that were computed from such dice are not called exact, and say how far off they may be.
        ///
        /// # Example
        /// `successes(2, 6, 5, #{ reroll: [1] }).weights()` is `[9, 12, 4]`
        /// `successes(1, 2, 2, #{ explode: 2 }).values().len()` is `41`
        fn successes(n: INT, sides: INT, target: INT, options: Map) -> Distribution {
            successes(Pool::new(n, sides, target).and_then(|pool| pool.with(&options)))
        }
    }
    function! { &mut module,
        /// Each value of a list as likely as another; a value listed twice is twice as likely.
        ///
        /// # Example
        /// `uniform(["salt", "salt", "ochre"]).weights()` is `[2, 1]`
        fn uniform(values: Array) -> Distribution {
            charge(values.len() as u64 * VALUE);
            let weigh = |value| Ok((to_value(value, "value")?, BigUint::one()));
            make("uniform", values.iter().map(weigh).collect())
        }
    }
    function! { &mut module,
        /// Values with whole weights: a list of `[value, weight]`.
        ///
        /// # Example
        /// `weighted([["hit", 1], ["miss", 3]]).weights()` is `[1, 3]`
        fn weighted(pairs: Array) -> Distribution {
            charge(pairs.len() as u64 * VALUE);
            make("weighted", weighted_pairs(&pairs))
        }
    }
    function! { &mut module,
        /// The different values of a distribution, in the order in which they first came.
        ///
        /// # Example
        /// `uniform([2, 1, 2]).values()` is `[2, 1]`
        fn values(distribution: &mut Dist) -> Array {
            distribution.0.values().iter().map(from_value).collect::<Array>()
        }
    }
    function! { &mut module,
        /// The weights of a distribution's values in their order: whole numbers, or texts where one is too large.
        ///
        /// # Example
        /// `dice("2d2").weights()` is `[1, 2, 1]`
        fn weights(distribution: &mut Dist) -> Array {
            let weights = distribution.0.weights();
            charge(printing(weights));
            let number = |weight: &BigUint| match INT::try_from(weight.clone()) {
                Ok(weight) => weight.into(),
                Err(_) => weight.to_string().into(),
            };
            weights.iter().map(number).collect::<Array>()
        }
    }
    FuncRegistration::new("to_string").set_into_module(&mut module, move |dist: &mut Dist| {
        charge(printing(dist.0.weights()));
        let pairs = dist.0.values().iter().zip(dist.0.weights());
        let pairs: Vec<String> = pairs.map(|(v, w)| format!("[{}, {w}]", v.literal())).collect();
        let text = format!("weighted([{}])", pairs.join(", "));
        // Within an interpolation the language does not look at the size.
        if text.len() > TEXT {
            return Err(fail("the text of the distribution is too long", Position::NONE));
        }
        Ok(text)
    });
    module
}

/// How many words of 64 bits these take.
pub(in crate::script) fn words_of(weights: &[BigUint]) -> u64 {
    weights.iter().map(words).sum()
}

fn words(weight: &BigUint) -> u64 {
    1 + weight.bits() / 64
}

/// About how many operations it takes to print these: digits are found by dividing all words again
/// and again.
fn printing(weights: &[BigUint]) -> u64 {
    weights.iter().map(words).map(|words| words * words).sum()
}

/// Reads pairs of value and weight, as `weighted` takes them.
fn weighted_pairs(pairs: &Array) -> Result<Vec<(Value, BigUint)>, String> {
    let read = |pair: &rhai::Dynamic| {
        let pair = pair.read_lock::<Array>().ok_or("each item must be `[value, weight]`")?;
        let [value, weight] = &pair[..] else {
            return Err("each item must be `[value, weight]`".to_owned());
        };
        let swapped = match value.as_int() {
            Ok(0..) if !weight.is_float() => "; the value comes first: `[value, weight]`",
            _ => "",
        };
        let weight = weight.as_int().map_err(|kind| match swapped {
            "" => format!(
                "a weight must be a whole number of 0 or more, got {}; scale them up",
                a_word(kind)
            ),
            swapped => format!("a weight must be a whole number, got {}{swapped}", a_word(kind)),
        })?;
        let weight = u64::try_from(weight).map_err(|_| {
            format!("a weight must be a whole number of 0 or more, got {weight}{swapped}")
        })?;
        Ok((to_value(value, "value")?, BigUint::from(weight)))
    };
    pairs.iter().map(read).collect()
}

/// A distribution of weighted values; the function is named where they are none.
pub(in crate::script) fn make(
    function: &str,
    pairs: Result<Vec<(Value, BigUint)>, String>,
) -> Result<Dist, Fault> {
    let made = pairs.and_then(|pairs| Distribution::new(pairs).map_err(|error| error.to_string()));
    match made {
        Ok(distribution) => Ok(Dist(Arc::new(distribution))),
        Err(message) => Err(fail(format!("{function}: {message}"), Position::NONE)),
    }
}

fn successes(pool: Result<Pool, String>) -> Result<Dist, Fault> {
    let pool = pool.map_err(|message| fail(format!("successes: {message}"), Position::NONE))?;
    let mut dist = make("successes", Ok(pool.weigh()))?;
    if let (Some(beyond), Some(whole)) = (pool.beyond(), Arc::get_mut(&mut dist.0)) {
        *whole = whole.clone().cut_off(beyond);
    }
    // Each weight takes a few products of numbers as long as itself; of dice that explode one for each die.
    charge(pool.products() * words_of(dist.0.weights()));
    Ok(dist)
}

/// More values or dice than this are refused; exact weights of such pools have no end.
const MOST: i64 = 2_000;

/// Weights of more bits than this are refused.
const LONGEST_WEIGHT: i64 = 1 << 13;

/// About how many operations a product of two weights takes, with the sum that it is added to.
const PRODUCT: u64 = 4;

/// The most letters that a text of dice may have.
const LONGEST_TEXT: usize = 100;

/// Weights of consecutive whole numbers from `lowest` on.
struct Sums {
    lowest: i64,
    weights: Vec<BigUint>,
    /// How many products it took to make them.
    work: u64,
}

impl Sums {
    fn zero() -> Sums {
        Sums { lowest: 0, weights: vec![BigUint::one()], work: 0 }
    }

    /// The distribution of the sum with one more independent number.
    fn plus(&self, other: &Sums) -> Sums {
        let mut weights = vec![BigUint::zero(); self.weights.len() + other.weights.len() - 1];
        for (i, a) in self.weights.iter().enumerate() {
            for (j, b) in other.weights.iter().enumerate() {
                weights[i + j] += a * b;
            }
        }
        let work = (self.weights.len() * other.weights.len()) as u64;
        Sums { lowest: self.lowest + other.lowest, weights, work: work + self.work + other.work }
    }

    fn negated(mut self) -> Sums {
        self.lowest = -(self.lowest + self.weights.len() as i64 - 1);
        self.weights.reverse();
        self
    }
}

/// Reads dice as players write them: `3d6`, `2d8+1`.
fn parse_dice(text: &str) -> Result<Dist, Fault> {
    let wrong = |why: &str| {
        let how = "write it as `3d6` or `2d8+1`";
        Err(fail(format!("dice: `{text}` is not dice ({why}); {how}"), Position::NONE))
    };
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if compact.is_empty() {
        return wrong("it is empty");
    }
    if compact.len() > LONGEST_TEXT {
        return wrong("it is too long");
    }
    let mut sums = Sums::zero();
    let signed = compact.replace('-', "+-");
    for term in signed.strip_prefix('+').unwrap_or(&signed).split('+') {
        let (negative, term) = (term.starts_with('-'), term.strip_prefix('-').unwrap_or(term));
        let Some(term) = parse_term(term) else {
            return wrong(&format!(
                "`{term}` is neither a number nor dice with a sum up to {MOST}"
            ));
        };
        if sums.weights.len() + term.weights.len() - 1 > MOST as usize {
            return wrong(&format!("it has more than {MOST} sums"));
        }
        sums = sums.plus(&if negative { term.negated() } else { term });
    }
    charge(sums.work * PRODUCT);
    make("dice", Ok((sums.lowest..).map(Value::Int).zip(sums.weights).collect()))
}

/// `3d6`, `d8` or `4`.
fn parse_term(term: &str) -> Option<Sums> {
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| (0..=MOST).contains(n));
    let Some((count, sides)) = term.split_once(['d', 'D']) else {
        return Some(Sums { lowest: number(term)?, ..Sums::zero() });
    };
    let count = if count.is_empty() { 1 } else { number(count)? };
    let sides = number(sides).filter(|&sides| sides > 0)?;
    if count * sides > MOST {
        return None;
    }
    let die = Sums { lowest: 1, weights: vec![BigUint::one(); sides as usize], work: 0 };
    Some((0..count).fold(Sums::zero(), |sums, _| sums.plus(&die)))
}

/// A distribution as scripts hold it: cheap to copy.
#[derive(Clone, Debug)]
pub(crate) struct Dist(pub Arc<Distribution>);

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(dist: &Dist) -> Vec<u64> {
        dist.0.weights().iter().map(|weight| u64::try_from(weight).unwrap()).collect()
    }

    #[test]
    fn dice_are_bound_by_their_greatest_sum() {
        for dice in ["1d2000", "333d6", "2d1000"] {
            assert!(parse_dice(dice).is_ok(), "{dice}");
        }
        for dice in ["334d6", "1d2001", "2d1001", "3x6"] {
            let error = parse_dice(dice).unwrap_err().to_string();
            assert!(
                error.contains("is neither a number nor dice with a sum up to 2000"),
                "{error}"
            );
        }
    }

    #[test]
    fn successes_are_binomial() {
        let dist = |n, target| successes(Pool::new(n, 6, target)).unwrap();
        // Two dice, 5 or more: 16, 16 and 4 of 36.
        assert_eq!(weights(&dist(2, 5)), [16, 16, 4]);
        assert_eq!(dist(3, 7).0.values(), [Value::Int(0)]);
        assert_eq!(dist(0, 3).0.values(), [Value::Int(0)]);
    }

    #[test]
    fn three_dice_have_sixteen_sums_of_216() {
        let dist = parse_dice("3d6").unwrap();
        assert_eq!(dist.0.values().len(), 16);
        assert_eq!(*dist.0.total(), BigUint::from(216u8));
        assert_eq!(weights(&dist)[..4], [1, 3, 6, 10]);
    }

    #[test]
    fn terms_add_and_subtract() {
        let dist = parse_dice("d4 - d2 + 1").unwrap();
        // d4 - d2 is -1, 0, 0, 1, 1, 2, 2, 3 in eighths; one more for the 1.
        assert_eq!(dist.0.values(), [0, 1, 2, 3, 4].map(Value::Int));
        assert_eq!(weights(&dist), [1, 2, 2, 2, 1]);
    }

    #[test]
    fn what_is_no_dice_is_said() {
        for text in ["", "3x6", "d", "2d0", "999999d6", "1d6++", "3d6 or so"] {
            let error = parse_dice(text).unwrap_err().to_string();
            assert!(error.contains("dice"), "{text}: {error}");
        }
    }
}
