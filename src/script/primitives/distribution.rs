//! The script functions that make distributions: `dice`, `uniform`, `weighted`, `successes`,
//! `pairs_won`.

mod dice;
mod pool;

use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::One;
use rhai::{Array, FuncRegistration, INT, ImmutableString, Map, Module, Position};

use self::dice::parse_dice;
use self::pool::Pool;
use crate::game::{Distribution, Value};
use crate::script::diagnostics::type_names::a_word;
use crate::script::primitives::{Doc, of_module};
use crate::script::sandbox::fuel::charge;
use crate::script::sandbox::limits::{Fault, TEXT, fail};
use crate::script::value::{from_value, to_value};

/// Merging one value with its equals takes the time of this many operations.
const VALUE: u64 = 8;

pub(crate) fn documentation() -> Vec<Doc> {
    let mut docs = of_module("distributions", module());
    docs.retain(|doc| !doc.text.is_empty());
    docs.sort_by(|a, b| a.name.cmp(&b.name));
    docs
}

pub(in crate::script) fn module() -> Module {
    let mut module = Module::new();
    module.set_custom_type::<Dist>("Distribution");
    FuncRegistration::new("dice")
        .with_params_info(["text: &str", "Distribution"])
        .with_comments([
            "/// The sum of dice, written as players write it: terms of dice and numbers with `+` and `-`.",
            "///",
            "/// # Example",
            "/// `dice(\"2d6+1\").values()` is `[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]`",
        ])
        .set_into_module(&mut module, |text: ImmutableString| parse_dice(&text));
    pool::register(&mut module);
    FuncRegistration::new("successes")
        .with_params_info(["n: int", "sides: int", "target: int", "Distribution"])
        .with_comments([
            "/// How many of `n` dice with `sides` sides reach `target` or more.",
            "///",
            "/// # Example",
            "/// `successes(2, 6, 5).weights()` is `[16, 16, 4]`",
        ])
        .set_into_module(&mut module, |n: INT, sides: INT, target: INT| {
            successes(Pool::new(n, sides, target))
        });
    FuncRegistration::new("successes")
        .with_params_info(["n: int", "sides: int", "target: int", "options: Map", "Distribution"])
        .with_comments([
            "/// How many dice of a pool succeed that explode or are rolled again.",
            "/// `options`, each may be left out:",
            "/// `explode`: a face; each die that shows it rolls one more die, and that one too.",
            "/// `reroll`: a list of faces; dice that show one are rolled again until none is left.",
            "///",
            "/// Dice that explode have no greatest number of successes: the list ends with the first `k` for",
            "/// which more than `k` are less likely than 1 in 2 to the power of 40, and `k` is given the rest.",
            "/// Numbers that were computed from such dice are not called exact, and say how far off they may be.",
            "///",
            "/// # Example",
            "/// `successes(2, 6, 5, #{ reroll: [1] }).weights()` is `[9, 12, 4]`",
            "/// `successes(1, 2, 2, #{ explode: 2 }).values().len()` is `41`",
        ])
        .set_into_module(&mut module, |n: INT, sides: INT, target: INT, options: Map| {
            successes(Pool::new(n, sides, target).and_then(|pool| pool.with(&options)))
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
            let values: Result<Vec<Value>, String> = values.collect();
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
            charge(printing(dist.0.weights()));
            let number = |weight: &BigUint| match INT::try_from(weight.clone()) {
                Ok(weight) => weight.into(),
                Err(_) => weight.to_string().into(),
            };
            dist.0.weights().iter().map(number).collect::<Array>()
        });
    FuncRegistration::new("to_string").set_into_module(&mut module, move |dist: &mut Dist| {
        charge(printing(dist.0.weights()));
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

fn weigh_all(values: Vec<Value>, weight: &BigUint) -> Vec<(Value, BigUint)> {
    values.into_iter().map(|value| (value, weight.clone())).collect()
}

/// A distribution of weighted values; the function is named where they are none.
pub(in crate::script) fn make(
    function: &str,
    pairs: Result<Vec<(Value, BigUint)>, String>,
) -> Result<Dist, Fault> {
    let made = pairs.and_then(|pairs| Distribution::new(pairs).map_err(|error| error.to_string()));
    match made {
        Ok(distribution) => Ok(Dist(Arc::new(distribution))),
        Err(message) => fail(format!("{function}: {message}"), Position::NONE),
    }
}

fn successes(pool: Result<Pool, String>) -> Result<Dist, Fault> {
    let pool = pool.or_else(|message| fail(format!("successes: {message}"), Position::NONE))?;
    let mut dist = make("successes", Ok(pool.weigh()))?;
    if let (Some(beyond), Some(whole)) = (pool.beyond(), Arc::get_mut(&mut dist.0)) {
        *whole = whole.clone().cut_off(beyond);
    }
    // Each weight takes a few products of numbers as long as itself; of dice that explode one for each die.
    charge(pool.products() * words_of(dist.0.weights()));
    Ok(dist)
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
    fn successes_are_binomial() {
        let dist = |n, target| successes(Pool::new(n, 6, target)).unwrap();
        // Two dice, 5 or more: 16, 16 and 4 of 36.
        assert_eq!(weights(&dist(2, 5)), [16, 16, 4]);
        assert_eq!(dist(3, 7).0.values(), [Value::Int(0)]);
        assert_eq!(dist(0, 3).0.values(), [Value::Int(0)]);
    }
}
