//! A wish for a rule: a measure of its portrait, and within which bounds that is to be.

use std::collections::BTreeSet;

use num_traits::{Signed, ToPrimitive};

use super::wish_reader::{Bound, Region, WishParts, written};
use crate::analysis::portrait::{Meaning, MeasureSelection};
use crate::conflict::{Conflict, Seating};
use crate::error::{Error, nearest};
use crate::number::Fraction;

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

/// What a wish is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Subject {
    Measure(String),
    /// How far the greatest of the measures with these words before a seat is above the least.
    Spread(String),
}

impl Subject {
    /// The measure, or the group of measures.
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

    /// The result whose share it is, if it is one.
    pub(crate) fn result(&self) -> Option<&str> {
        self.name().strip_prefix(RESULT)
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

/// One wish.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// As it was written.
    pub text: String,
    /// What it is about.
    pub(crate) subject: Subject,
    /// Where that is to be.
    pub region: Region,
    /// The number that it is to be near, for a wish with `within`.
    pub near: Option<f64>,
    /// How much a miss by 1 counts: in parts of what was asked for.
    pub(crate) scale: f64,
    /// For the share of a result, the results with which playouts at random end.
    pub results: BTreeSet<String>,
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
    let WishParts { name, low, high, near, scale } = written(text)?;
    let (subject, results) = subject(name, conflict, seating)?;
    let scale = scale.abs().to_f64().filter(|scale| *scale > 0.0 && scale.is_finite());
    Ok(Wish {
        text: text.trim().to_owned(),
        subject,
        region: Region { low, high },
        near: near.and_then(|near| near.to_f64()),
        scale: scale.unwrap_or(1.0),
        results,
    })
}

fn subject(
    name: &str,
    conflict: &Conflict,
    seating: &Seating,
) -> Result<(Subject, BTreeSet<String>), Error> {
    let mut results = BTreeSet::new();
    if let Some((_, one)) = SHORT.iter().find(|(group, _)| *group == name) {
        return Ok((Subject::Measure((*one).to_owned()), results));
    }
    let by_seat = if name == FAIRNESS { BY_SEAT[0] } else { name };
    if BY_SEAT.contains(&by_seat) {
        if seating.players.seats().len() < 2 {
            let message = format!("`{name}` sets seats against each other, and here there is one");
            return Err(Error::usage(message));
        }
        return Ok((Subject::Spread(by_seat.to_owned()), results));
    }
    if let Some((_, one)) = SEVERAL.iter().find(|(group, _)| *group == name) {
        let message = format!("`{name}` is more than one measure: name one, as in `{one}`");
        return Err(Error::usage(message));
    }
    if name == CLAUSES {
        let message = format!("`{name}` is not a number, so nothing of it can be wanted");
        return Err(Error::usage(message));
    }
    if let Some(result) = name.strip_prefix(RESULT) {
        results = MeasureSelection::results(conflict)?;
        // What playouts at random do not end with, others may; what is much like a result is mistyped.
        if !results.contains(result)
            && let Some(nearest) = nearest(result, results.iter().map(String::as_str))
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
    Ok((subject, results))
}
