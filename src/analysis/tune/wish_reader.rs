//! Reads a wish as people write it: the name, and the region of numbers within which that is to be.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::error::{Error, nearest};
use crate::number::{Fraction, fraction_of_decimal};

/// Each form of a wish with what it means.
pub(crate) const WISHES: [(&str, &str); 7] = [
    (
        "MEASURE <= V",
        "A measure of the portrait is at most this much; `<`, `>=` and `>` likewise. `length <= 20`, `result.draw < 1/4`, \
         `ties >= 5 %`. A number of the outcome is named by its path: `outcome.cities.left >= 2`.",
    ),
    (
        "MEASURE = V within X",
        "A measure is no more than X away from V: `drama.comeback = 0.3 within 0.05`. What is nearer comes first.",
    ),
    ("MEASURE within X", "The same with 0 for V: `fairness.first_seat within 0.1`."),
    (
        "fairness within X",
        "The seats are no more than X apart: the greatest of `fairness.utility.SEAT` less the least. `fairness.wins`, \
         `fairness.value` and `strategy.entropy` also mean how far their seats are apart; of several equilibria, in the one \
         in which the wish holds least.",
    ),
    (
        "length, choice, luck, skill",
        "For `length.decisions`, `choice.options`, `luck.chance` and `skill.rungs`.",
    ),
    (
        "order",
        "What misses the wishes by less comes first, each miss counted in parts of what was asked for: X, or the bound V. \
         Of what holds all, what is nearest to the V of `within`, then what has more room to the bounds. Where nothing \
         holds all, and the best for one wish is not the best for another, the Pareto front is listed: a candidate \
         is on it if no other misses one wish by less and no wish by more.",
    ),
    (
        "holds",
        "`sure` and `no` are exact, or proven. From playouts a candidate is `likely` to hold all wishes, or `unlikely`, \
         where an error in any candidate has a chance of 5 % at most; else the answer is `cannot tell`. All wishes are tested at \
         once (Berger, Technometrics 24, 1982), the number of candidates is corrected for by Holm (Scandinavian \
         Journal of Statistics 6, 1979); p is the corrected probability.\n\nUp to 32 candidates are measured in full. Of \
         more, each gets few playouts under the same seed, the better half of them twice as many, and so on until 32 \
         are left (successive halving: Karnin, Koren and Somekh, 2013).",
    ),
];

const WITHIN: &str = "within";
/// A longer number is a mistake.
const LONGEST: usize = 40;

/// An end of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Where it is.
    pub at: Fraction,
    /// Whether that itself is outside.
    pub open: bool,
}

/// Where a number is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The lower end, where there is one.
    pub low: Option<Bound>,
    /// The upper end, where there is one.
    pub high: Option<Bound>,
}

impl Region {
    /// What is in both.
    pub fn and(&self, other: &Region) -> Region {
        let tighter = |one: &Option<Bound>,
                       other: &Option<Bound>,
                       is_tighter: fn(&Fraction, &Fraction) -> bool| {
            match (one, other) {
                (Some(one), Some(other)) if one.at == other.at => {
                    Some(Bound { at: one.at.clone(), open: one.open || other.open })
                }
                (Some(one), Some(other)) => {
                    Some(if is_tighter(&one.at, &other.at) { one } else { other }.clone())
                }
                (one, other) => one.clone().or_else(|| other.clone()),
            }
        };
        Region {
            low: tighter(&self.low, &other.low, |one, other| one > other),
            high: tighter(&self.high, &other.high, |one, other| one < other),
        }
    }

    /// Whether no number is in it.
    pub fn is_empty(&self) -> bool {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) => {
                low.at > high.at || (low.at == high.at && (low.open || high.open))
            }
            _ => false,
        }
    }
}

#[derive(Debug, PartialEq)]
pub(super) struct WishParts<'a> {
    /// What it is about.
    pub name: &'a str,
    /// The lower end of where that is to be.
    pub low: Option<Bound>,
    /// The upper end.
    pub high: Option<Bound>,
    /// The number that it is to be near.
    pub near: Option<Fraction>,
    /// The number that says how much is asked for.
    pub(crate) scale: Fraction,
}

/// Reads a wish.
pub(super) fn written(text: &str) -> Result<WishParts<'_>, Error> {
    let refuse = |reason: String| Error::usage(format!("the wish `{}`: {reason}", text.trim()));
    let number = |word: &str| {
        number(word).ok_or_else(|| refuse(format!("`{}` is not a number", word.trim())))
    };
    let named = |name: &'_ str| match name.trim().is_empty() {
        true => Err(refuse("name a measure, as in `length <= 20`".to_owned())),
        false => Ok(()),
    };
    let closed = |at: Fraction| Some(Bound { at, open: false });
    let before = |(left, _): &(&str, &str)| left.is_empty() || left.ends_with(char::is_whitespace);
    if let Some((left, off)) = text.rsplit_once(WITHIN).filter(before) {
        let off = number(off)?;
        if off.is_negative() {
            return Err(refuse(format!("nothing is within {off}: write a number of 0 or more")));
        }
        let (name, near) = match left.split_once('=') {
            Some((name, near)) => (name.trim(), number(near)?),
            None => (left.trim(), Fraction::zero()),
        };
        named(name)?;
        let (low, high) = (closed(&near - &off), closed(&near + &off));
        return Ok(WishParts { name, low, high, near: Some(near), scale: off });
    }
    if let Some(at) = text.rfind(['<', '>']) {
        let (name, rest) = text.split_at(at);
        let (below, rest) = (rest.starts_with('<'), &rest[1..]);
        let (open, rest) = match rest.strip_prefix('=') {
            Some(rest) => (false, rest),
            None => (true, rest),
        };
        named(name)?;
        let at = number(rest)?;
        let scale = at.clone();
        let bound = Some(Bound { at, open });
        let (low, high) = if below { (None, bound) } else { (bound, None) };
        return Ok(WishParts { name: name.trim(), low, high, near: None, scale });
    }
    let how =
        "`MEASURE within X`, `MEASURE = V within X`, or `MEASURE <= V` with `<`, `>` or `>=` too";
    if let Some((name, value)) = text.split_once('=') {
        let (name, value) = (name.trim(), value.trim());
        return Err(refuse(format!("say how near, as in `{name} = {value} within 0.1`")));
    }
    let words = text.split_whitespace().skip(1);
    let near = words.map(str::to_lowercase).find_map(|word| nearest(&word, [WITHIN]));
    Err(Error::Usage {
        message: format!("the wish `{}` does not say how much; write it as {how}", text.trim()),
        nearest: near,
    })
}

/// A number as people write it: `0.05`, `1/3`, `5 %`.
fn number(text: &str) -> Option<Fraction> {
    let text = text.trim();
    let (text, percent) = match text.strip_suffix('%') {
        Some(text) => (text.trim_end(), true),
        None => (text, false),
    };
    if text.len() > LONGEST {
        return None;
    }
    let number = match text.contains('/') {
        true => text.parse().ok()?,
        false => fraction_of_decimal(text.parse().ok()?)?,
    };
    Some(if percent { number / BigInt::from(100) } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_says_where_a_measure_is_to_be() {
        let of = |part: i64, whole: i64| Fraction::new(part.into(), whole.into());
        let read = |text: &'static str| {
            let WishParts { name, low, high, near, .. } = written(text).unwrap();
            let end = |bound: Option<Bound>| bound.map(|bound| (bound.at, bound.open));
            (name, end(low), end(high), near)
        };
        let (low, high) = (Some((of(-1, 20), false)), Some((of(1, 20), false)));
        assert_eq!(read("fairness within 0.05"), ("fairness", low, high, Some(of(0, 1))));
        let (low, high) = (Some((of(1, 5), false)), Some((of(2, 5), false)));
        assert_eq!(read("ties = 30 % within 1/10"), ("ties", low, high, Some(of(3, 10))));
        assert_eq!(read("length<=20"), ("length", None, Some((of(20, 1), false)), None));
        assert_eq!(read("a b > -1.5"), ("a b", Some((of(-3, 2), true)), None, None));
    }

    #[test]
    fn what_is_no_wish_is_refused_with_what_is_wrong() {
        let refusal = |text: &str| written(text).unwrap_err().to_string();
        assert_eq!(refusal("length <= many"), "the wish `length <= many`: `many` is not a number");
        assert_eq!(
            refusal("length = 3"),
            "the wish `length = 3`: say how near, as in `length = 3 within 0.1`"
        );
        assert_eq!(refusal(" <= 3"), "the wish `<= 3`: name a measure, as in `length <= 20`");
        assert!(
            refusal("length witin 3").ends_with("did you mean `within`?"),
            "{}",
            refusal("length witin 3")
        );
        assert!(refusal("length").starts_with("the wish `length` does not say how much"));
        assert!(refusal("length within -1").contains("nothing is within -1"));
        assert!(refusal("length <= 1/0").contains("`1/0` is not a number"));
        assert!(refusal("length <= nan").contains("is not a number"));
    }

    #[test]
    fn regions_that_have_nothing_in_common_are_empty() {
        let region = |text: &'static str| {
            let WishParts { low, high, .. } = written(text).unwrap();
            Region { low, high }
        };
        let empty = |one, other| region(one).and(&region(other)).is_empty();
        assert!(
            empty("a <= 5", "a >= 9")
                && empty("a < 5", "a >= 5")
                && empty("a = 1 within 0", "a > 1")
        );
        assert!(!empty("a <= 5", "a >= 5") && !empty("a <= 5", "a <= 9"));
    }
}
