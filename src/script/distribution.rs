//! How do scripts say what may fall? `dice`, `uniform`, `weighted`, `successes`.

mod pool;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use num_bigint::BigUint;
use num_traits::{One, Zero};
use rhai::{Array, EvalAltResult, FuncRegistration, INT, ImmutableString, Map, Module, Position};

use self::pool::Pool;
use super::context::fail;
use super::engine::TEXT;
use super::limits::charge;
use super::primitives::{Doc, of_module};
use super::value::{from_value, to_value};
use crate::game::{Distribution, Value};

/// A distribution as scripts hold it: cheap to copy.
#[derive(Clone, Debug)]
pub struct Dist(pub Rc<Distribution>);

/// More values or dice than this are refused; exact weights of such pools have no end.
const MOST: i64 = 2_000;

/// Weights of more bits than this are refused.
const LONGEST_WEIGHT: i64 = 1 << 13;

/// Merging one value with its equals takes the time of so many operations.
const VALUE: u64 = 8;

/// The most letters that a text of dice may have.
const LONGEST: usize = 100;

type Result<T> = std::result::Result<T, Box<EvalAltResult>>;

/// What people may read of the functions on distributions, by name.
pub fn documentation() -> Vec<Doc> {
    let mut docs = of_module("distributions", module());
    docs.retain(|doc| !doc.text.is_empty());
    docs.sort_by(|a, b| a.name.cmp(&b.name));
    docs
}

/// The functions that make distributions, with their documentation.
pub fn module() -> Module {
    let mut module = Module::new();
    module.set_custom_type::<Dist>("Distribution");
    let dice_cache: Cache<ImmutableString> = Cache::default();
    let pools: Rc<Cache<Pool>> = Rc::default();
    FuncRegistration::new("dice")
        .with_params_info(["text: &str", "Distribution"])
        .with_comments([
            "/// The sum of dice, written as players write it: terms of dice and numbers with `+` and `-`.",
            "///",
            "/// # Example",
            "/// `dice(\"2d6+1\").values()` is `[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]`",
        ])
        .set_into_module(&mut module, move |text: ImmutableString| {
            dice_cache.find(&text, || parse_dice(&text))
        });
    let plain = pools.clone();
    FuncRegistration::new("successes")
        .with_params_info(["n: int", "sides: int", "target: int", "Distribution"])
        .with_comments([
            "/// How many of `n` dice with `sides` sides reach `target` or more.",
            "///",
            "/// # Example",
            "/// `successes(2, 6, 5).weights()` is `[16, 16, 4]`",
        ])
        .set_into_module(&mut module, move |n: INT, sides: INT, target: INT| {
            successes(&plain, Pool::new(n, sides, target))
        });
    FuncRegistration::new("successes")
        .with_params_info(["n: int", "sides: int", "target: int", "options: Map", "Distribution"])
        .with_comments([
            "/// How many dice of a pool succeed that explode or are rolled again. `options`, each may be left out:",
            "/// `explode`: a face; each die that shows it rolls one more die, and that one too.",
            "/// `reroll`: a list of faces; dice that show one are rolled again until none is left.",
            "///",
            "/// Dice that explode have no greatest number of successes: the list ends with the first `k` for",
            "/// which more than `k` are less likely than 1 in 2 to the power of 40, and `k` is given the rest.",
            "///",
            "/// # Example",
            "/// `successes(2, 6, 5, #{ reroll: [1] }).weights()` is `[9, 12, 4]`",
            "/// `successes(1, 2, 2, #{ explode: 2 }).values().len()` is `41`",
        ])
        .set_into_module(&mut module, move |n: INT, sides: INT, target: INT, options: Map| {
            successes(&pools, Pool::new(n, sides, target).and_then(|pool| pool.with(&options)))
        });
    FuncRegistration::new("uniform")
        .with_params_info(["values: Array", "Distribution"])
        .with_comments([
            "/// Each value of a list as likely as another; a value listed twice is twice as likely.",
            "///",
            "/// # Example",
            "/// `uniform([\"salt\", \"salt\", \"ochre\"]).weights()` is `[2, 1]`",
        ])
        .set_into_module(&mut module, move |values: Array| {
            charge(values.len() as u64 * VALUE);
            let values = values.iter().map(|value| to_value(value, "value"));
            let values: std::result::Result<Vec<Value>, String> = values.collect();
            make("uniform", values.map(|values| weigh_all(values, &BigUint::one())))
        });
    FuncRegistration::new("weighted")
        .with_params_info(["pairs: Array", "Distribution"])
        .with_comments([
            "/// Values with whole weights: a list of `[value, weight]`.",
            "///",
            "/// # Example",
            "/// `weighted([[\"hit\", 1], [\"miss\", 3]]).weights()` is `[1, 3]`",
        ])
        .set_into_module(&mut module, move |pairs: Array| {
            charge(pairs.len() as u64 * VALUE);
            make("weighted", weighted_pairs(&pairs))
        });
    FuncRegistration::new("values")
        .with_params_info(["distribution: Distribution", "Array"])
        .with_comments([
            "/// The different values of a distribution, in the order in which they first came.",
            "///",
            "/// # Example",
            "/// `uniform([2, 1, 2]).values()` is `[2, 1]`",
        ])
        .set_into_module(&mut module, |dist: &mut Dist| {
            dist.0.values().iter().map(from_value).collect::<Array>()
        });
    FuncRegistration::new("weights")
        .with_params_info(["distribution: Distribution", "Array"])
        .with_comments([
            "/// The weights of a distribution's values in their order: whole numbers, or texts where one is too large.",
            "///",
            "/// # Example",
            "/// `dice(\"2d2\").weights()` is `[1, 2, 1]`",
        ])
        .set_into_module(&mut module, move |dist: &mut Dist| {
            charge(words_of(dist.0.weights()));
            let number = |weight: &BigUint| match INT::try_from(weight.clone()) {
                Ok(weight) => weight.into(),
                Err(_) => weight.to_string().into(),
            };
            dist.0.weights().iter().map(number).collect::<Array>()
        });
    FuncRegistration::new("to_string").set_into_module(&mut module, move |dist: &mut Dist| {
        charge(words_of(dist.0.weights()));
        let pairs = dist.0.values().iter().zip(dist.0.weights());
        let pairs: Vec<String> = pairs.map(|(v, w)| format!("[{}, {w}]", v.literal())).collect();
        let text = format!("weighted([{}])", pairs.join(", "));
        // Within an interpolation the language does not look at the size.
        if text.len() > TEXT {
            return fail("the text of the distribution is too long", Position::NONE);
        }
        Ok(text)
    });
    module
}

/// Distributions that texts or numbers name are made once.
struct Cache<K> {
    made: RefCell<HashMap<K, Dist>>,
    /// The 64-bit words of all their weights. They outlive the playout that made them, so no
    /// limit of a playout counts them.
    words: Cell<u64>,
}

/// The cache begins anew at this many words of weights: about 8 MiB with the values.
const KEPT: u64 = 1 << 18;

impl<K> Default for Cache<K> {
    fn default() -> Cache<K> {
        Cache { made: RefCell::default(), words: Cell::new(0) }
    }
}

impl<K: Hash + Eq + Clone> Cache<K> {
    fn find(&self, key: &K, make: impl FnOnce() -> Result<(Dist, u64)>) -> Result<Dist> {
        if let Some(dist) = self.made.borrow().get(key) {
            return Ok(dist.clone());
        }
        let (dist, work) = make()?;
        charge(work);
        let mut made = self.made.borrow_mut();
        let words = words_of(dist.0.weights());
        if self.words.get() + words > KEPT {
            made.clear();
            self.words.set(0);
        }
        self.words.set(self.words.get() + words);
        made.insert(key.clone(), dist.clone());
        Ok(dist)
    }
}

/// How many words of 64 bits these take.
fn words_of(weights: &[BigUint]) -> u64 {
    weights.iter().map(|weight| 1 + weight.bits() / 64).sum()
}

/// Reads pairs of value and weight, as `weighted` takes them.
///
/// # Errors
/// A text that says which pair is none.
pub fn weighted_pairs(pairs: &Array) -> std::result::Result<Vec<(Value, BigUint)>, String> {
    let read = |pair: &rhai::Dynamic| {
        let pair = pair.read_lock::<Array>().ok_or("each item must be `[value, weight]`")?;
        let [value, weight] = &pair[..] else {
            return Err("each item must be `[value, weight]`".to_owned());
        };
        let weight = weight.as_int().map_err(|kind| {
            format!("a weight must be a whole number of 0 or more, got a {kind}; scale them up")
        })?;
        let weight = u64::try_from(weight)
            .map_err(|_| format!("a weight must be a whole number of 0 or more, got {weight}"))?;
        Ok((to_value(value, "value")?, BigUint::from(weight)))
    };
    pairs.iter().map(read).collect()
}

fn weigh_all(values: Vec<Value>, weight: &BigUint) -> Vec<(Value, BigUint)> {
    values.into_iter().map(|value| (value, weight.clone())).collect()
}

fn make(function: &str, pairs: std::result::Result<Vec<(Value, BigUint)>, String>) -> Result<Dist> {
    let made = pairs.and_then(|pairs| Distribution::new(pairs).map_err(|error| error.to_string()));
    match made {
        Ok(distribution) => Ok(Dist(Rc::new(distribution))),
        Err(message) => fail(format!("{function}: {message}"), Position::NONE),
    }
}

fn from_sums(function: &str, sums: &Sums) -> Result<Dist> {
    let values = (sums.lowest..).map(Value::Int);
    make(function, Ok(values.zip(sums.weights.iter().cloned()).collect()))
}

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

fn parse_dice(text: &str) -> Result<(Dist, u64)> {
    let wrong = |why: &str| {
        fail(
            format!("dice: `{text}` is no dice ({why}); write it as `3d6` or `2d8+1`"),
            Position::NONE,
        )
    };
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if compact.is_empty() {
        return wrong("it is empty");
    }
    if compact.len() > LONGEST {
        return wrong("it is too long");
    }
    let mut sums = Sums::zero();
    let signed = compact.replace('-', "+-");
    for term in signed.strip_prefix('+').unwrap_or(&signed).split('+') {
        let (negative, term) = match term.strip_prefix('-') {
            Some(term) => (true, term),
            None => (false, term),
        };
        let Some(term) = parse_term(term) else {
            return wrong(&format!("`{term}` is neither dice nor a number up to {MOST}"));
        };
        if sums.weights.len() + term.weights.len() > MOST as usize {
            return wrong(&format!("it has more than {MOST} sums"));
        }
        sums = sums.plus(&if negative { term.negated() } else { term });
    }
    Ok((from_sums("dice", &sums)?, sums.work))
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

fn successes(made: &Cache<Pool>, pool: std::result::Result<Pool, String>) -> Result<Dist> {
    match pool {
        Ok(pool) => made.find(&pool, || {
            let dist = make("successes", Ok(pool.weigh()))?;
            // Each weight takes a few products of numbers as long as itself; of dice that explode
            // one for each die.
            let work = pool.products() * words_of(dist.0.weights());
            Ok((dist, work))
        }),
        Err(message) => fail(format!("successes: {message}"), Position::NONE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(dist: &Dist) -> Vec<u64> {
        dist.0.weights().iter().map(|weight| u64::try_from(weight).unwrap()).collect()
    }

    #[test]
    fn three_dice_have_sixteen_sums_of_216() {
        let dist = parse_dice("3d6").unwrap().0;
        assert_eq!(dist.0.values().len(), 16);
        assert_eq!(*dist.0.total(), BigUint::from(216u8));
        assert_eq!(weights(&dist)[..4], [1, 3, 6, 10]);
    }

    #[test]
    fn terms_add_and_subtract() {
        let dist = parse_dice("d4 - d2 + 1").unwrap().0;
        // d4 - d2 is -1, 0, 0, 1, 1, 2, 2, 3 in eighths; one more for the 1.
        assert_eq!(dist.0.values(), [0, 1, 2, 3, 4].map(Value::Int));
        assert_eq!(weights(&dist), [1, 2, 2, 2, 1]);
    }

    #[test]
    fn successes_are_binomial() {
        let dist = |n, target| successes(&Cache::default(), Pool::new(n, 6, target)).unwrap();
        // Two dice, 5 or more: 16, 16 and 4 of 36.
        assert_eq!(weights(&dist(2, 5)), [16, 16, 4]);
        assert_eq!(dist(3, 7).0.values(), [Value::Int(0)]);
        assert_eq!(dist(0, 3).0.values(), [Value::Int(0)]);
    }

    #[test]
    fn what_is_no_dice_is_said() {
        for text in ["", "3x6", "d", "2d0", "999999d6", "1d6++", "3d6 or so"] {
            let error = parse_dice(text).unwrap_err().to_string();
            assert!(error.contains("dice"), "{text}: {error}");
        }
    }

    #[test]
    fn the_examples_of_the_documentation_hold() {
        let mut engine = rhai::Engine::new();
        engine.register_global_module(module().into());
        let comments = engine.collect_fn_metadata(
            None,
            |info| Some(info.metadata.comments.iter().map(|line| line.to_string()).collect()),
            false,
        );
        let lines = comments.iter().flat_map(|text: &String| text.lines());
        let examples: Vec<(&str, &str)> = lines
            .filter_map(|line| line.trim_start_matches("///").trim().strip_prefix('`'))
            .filter_map(|line| line.strip_suffix('`')?.split_once("` is `"))
            .collect();
        assert!(examples.len() >= 8, "{examples:?}");
        for (code, result) in examples {
            let same = engine.eval::<bool>(&format!("{code} == {result}"));
            assert!(matches!(same, Ok(true)), "{code} is not {result}: {same:?}");
        }
    }
}
