//! A wish for a rule: a measure of its portrait, and within which bounds that is to be.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::analysis::portrait::{Meaning, MeasureSelection};
use crate::conflict::{Conflict, Seating};
use crate::error::{Error, nearest};
use crate::number::{Fraction, fraction_of_decimal};

/// The measure that a group's name means: the one that is most often asked for.
const SHORT: [(&str, &str); 4] = [
    ("length", "length.decisions"),
    ("choice", "choice.options"),
    ("luck", "luck.chance"),
    ("skill", "skill.rungs"),
];
/// What has a number for each seat: wishes are about how far these are apart.
const BY_SEAT: [&str; 4] =
    ["fairness.utility", "fairness.wins", "fairness.value", "strategy.entropy"];
/// The name that means the first of these.
const FAIRNESS: &str = "fairness";
/// Groups of which no measure is meant more than the others, each with one of them.
const SEVERAL: [(&str, &str); 3] =
    [("drama", "drama.comeback"), ("strategy", "strategy.unused"), ("result", "result.RESULT")];
const CLAUSES: &str = "clauses";
const RESULT: &str = "result.";
/// What only some ends have.
const OF_ENDS: [&str; 2] = [RESULT, "parts."];

/// What a wish is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Subject {
    Measure(String),
    /// How far the greatest of the measures with these words before a seat is above the least.
    Spread(String),
}

impl Subject {
    pub(crate) fn name(&self) -> &str {
        match self {
            Subject::Measure(name) | Subject::Spread(name) => name,
        }
    }

    pub(crate) fn title(&self) -> String {
        match self {
            Subject::Measure(name) => name.clone(),
            Subject::Spread(name) => format!("spread of {name}"),
        }
    }

    pub(crate) fn is_share(&self) -> bool {
        let meaning = Meaning::of(self.name());
        meaning.is_some_and(|meaning| meaning.unit == "share") || self.name() == "fairness.wins"
    }

    pub(super) fn domain(&self) -> Region {
        let bound =
            |number: i64| Some(Bound { at: Fraction::from_integer(number.into()), open: false });
        match self {
            _ if self.is_share() => Region { low: bound(0), high: bound(1) },
            Subject::Measure(name) if !Meaning::is_never_negative(name) => {
                Region { low: None, high: None }
            }
            _ => Region { low: bound(0), high: None },
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// As it was written.
    pub text: String,
    /// What it is about.
    pub(crate) subject: Subject,
    pub region: Region,
    /// The number that it is to be near, for a wish with `within`.
    pub near: Option<f64>,
    /// How much a miss by 1 counts: in parts of what was asked for.
    pub(crate) scale: f64,
    /// For the share of a result and a part of a utility, those that ends of playouts at random have.
    pub of_ends: BTreeSet<String>,
}

/// All wishes of a tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct Wishes {
    /// The wishes, at least one.
    pub all: Vec<Wish>,
    /// The measures that they need.
    pub wanted: MeasureSelection,
}

impl Wishes {
    /// Reads wishes as people write them: `fairness within 0.05`, `length <= 20`,
    /// `drama.comeback = 0.3 within 0.1`.
    ///
    /// # Errors
    /// [`Error::Usage`] for what is no wish, or cannot be, alone or beside the others;
    /// [`Error::Unknown`] with the nearest measure.
    pub fn read(texts: &[String], conflict: &Conflict, seating: &Seating) -> Result<Wishes, Error> {
        if texts.is_empty() {
            return Err(Error::usage(
                "nothing is wanted: say what, as in `fairness within 0.05` or `length <= 20`",
            ));
        }
        let read = |text: &String| one(text, conflict, seating);
        let all: Vec<Wish> = texts.iter().map(read).collect::<Result<_, _>>()?;
        for (number, wish) in all.iter().enumerate() {
            if wish.region.and(&wish.subject.domain()).is_empty() {
                let what = if wish.subject.is_share() { "from 0 to 1" } else { "never below 0" };
                let message = format!(
                    "no rule can have `{}`: `{}` is {what}",
                    wish.text,
                    wish.subject.title()
                );
                return Err(Error::usage(message));
            }
            let apart = |other: &&Wish| {
                other.subject == wish.subject && other.region.and(&wish.region).is_empty()
            };
            if let Some(other) = all[..number].iter().find(apart) {
                let message = format!("`{}` and `{}` cannot both hold", other.text, wish.text);
                return Err(Error::usage(message));
            }
        }
        let names: Vec<String> = all.iter().map(|wish| wish.subject.name().to_owned()).collect();
        Ok(Wishes { wanted: MeasureSelection::only(&names, conflict, seating)?, all })
    }
}

fn one(text: &str, conflict: &Conflict, seating: &Seating) -> Result<Wish, Error> {
    let (name, region, near, scale) = written(text)?;
    let (subject, of_ends) = subject(name, conflict, seating)?;
    let scale = scale.abs().to_f64().filter(|scale| *scale > 0.0 && scale.is_finite());
    Ok(Wish {
        text: text.trim().to_owned(),
        subject,
        region,
        near: near.and_then(|near| near.to_f64()),
        scale: scale.unwrap_or(1.0),
        of_ends,
    })
}

fn subject(
    name: &str,
    conflict: &Conflict,
    seating: &Seating,
) -> Result<(Subject, BTreeSet<String>), Error> {
    let mut of_ends = BTreeSet::new();
    if let Some((_, one)) = SHORT.iter().find(|(group, _)| *group == name) {
        return Ok((Subject::Measure((*one).to_owned()), of_ends));
    }
    let by_seat = if name == FAIRNESS { BY_SEAT[0] } else { name };
    if BY_SEAT.contains(&by_seat) {
        if seating.players.seats().len() < 2 {
            let message = format!("`{name}` sets seats against each other, and here there is one");
            return Err(Error::usage(message));
        }
        return Ok((Subject::Spread(by_seat.to_owned()), of_ends));
    }
    if let Some((_, one)) = SEVERAL.iter().find(|(group, _)| *group == name) {
        let message = format!("`{name}` is more than one measure: name one, as in `{one}`");
        return Err(Error::usage(message));
    }
    if name == CLAUSES {
        let message = format!("`{name}` is not a number, so nothing of it can be wanted");
        return Err(Error::usage(message));
    }
    if let Some(group) = OF_ENDS.into_iter().find(|group| name.starts_with(group)) {
        of_ends = MeasureSelection::of_ends(conflict, seating)?;
        of_ends.retain(|one| one.starts_with(group));
    }
    if let Some(result) = name.strip_prefix(RESULT) {
        // What playouts at random do not end with, others may; what is much like a result is mistyped.
        if !of_ends.contains(name)
            && let Some(nearest) =
                nearest(result, of_ends.iter().filter_map(|one| one.strip_prefix(RESULT)))
        {
            let (what, name) = ("result", result.to_owned());
            let nearest = Some(nearest);
            return Err(Error::Unknown { what, name, nearest, known: Vec::new(), at: None });
        }
    }
    let read = |name: &str| MeasureSelection::read(&[name.to_owned()], conflict, seating);
    let wanted = read(name).map_err(|error| match error {
        Error::Unknown { what, name, nearest: None, known, at } => {
            let parts = name.split([' ', ':']).filter(|part| !part.is_empty());
            let dotted = parts.collect::<Vec<_>>().join(".");
            let nearest = (dotted != name && read(&dotted).is_ok()).then_some(dotted);
            Error::Unknown { what, name, nearest, known, at }
        }
        other => other,
    })?;
    let subject = Subject::Measure(match wanted.names.first() {
        Some(path) => format!("outcome.{path}"),
        None => name.to_owned(),
    });
    Ok((subject, of_ends))
}

// Reads a wish as people write it: the name, and the region of numbers within which that is to be.

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
         holds all, and the intervals show that the best for one wish is not the best for another, the Pareto front is \
         listed: a candidate is on it if no other may miss one wish by less and no wish by more.",
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    pub at: Fraction,
    /// Whether that itself is outside.
    pub open: bool,
}

/// Where a number is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub low: Option<Bound>,
    pub high: Option<Bound>,
}

impl Region {
    /// What is in both.
    pub fn and(&self, other: &Region) -> Region {
        // Of two ends at the same number the open one is tighter.
        let high = self.high.iter().chain(&other.high);
        let high = high.min_by(|one, other| one.at.cmp(&other.at).then(other.open.cmp(&one.open)));
        Region { low: self.low.clone().max(other.low.clone()), high: high.cloned() }
    }

    /// Whether no number is in it.
    pub fn is_empty(&self) -> bool {
        let ends = self.low.as_ref().zip(self.high.as_ref());
        ends.is_some_and(|(low, high)| {
            low.at > high.at || (low.at == high.at && (low.open || high.open))
        })
    }
}

/// What a wish is about, where that is to be, the number that it is to be near, and the one that says how much is asked
/// for.
type WishParts<'a> = (&'a str, Region, Option<Fraction>, Fraction);

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
        let region = Region { low: closed(&near - &off), high: closed(&near + &off) };
        return Ok((name, region, Some(near), off));
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
        return Ok((name.trim(), Region { low, high }, None, scale));
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
            let (name, Region { low, high }, near, _) = written(text).unwrap();
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
        let region = |text: &'static str| written(text).unwrap().1;
        let empty = |one, other| region(one).and(&region(other)).is_empty();
        assert!(
            empty("a <= 5", "a >= 9")
                && empty("a < 5", "a >= 5")
                && empty("a = 1 within 0", "a > 1")
        );
        assert!(!empty("a <= 5", "a >= 5") && !empty("a <= 5", "a <= 9"));
    }
}
