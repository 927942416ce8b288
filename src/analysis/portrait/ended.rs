//! What measures read of a conflict: what is counted from question to question; at the end what each seat has, who wins
//! and by how much; on the way there who leads.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use crate::analysis::exact_utility;
use crate::conflict::Seat;
use crate::game::Value;
use crate::graph::Ending;
use crate::number::{Fraction, fraction};

/// What is counted of a playout, or of its part from a question to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Leg {
    pub decisions: u64,
    /// How often something is rolled.
    pub chance: u64,
    /// How many options the decisions have together.
    pub options: u64,
    /// How many steps are begun, if the script ran it to count them.
    pub steps: Option<u64>,
}

pub(crate) struct Ended<'a> {
    pub result: &'a str,
    pub seats: &'a [Seat],
    /// The number of the first seat.
    pub first: usize,
    /// What each seat has.
    pub worths: Vec<Fraction>,
    pub verdict: Verdict,
}

impl<'a> Ended<'a> {
    pub(super) fn of(ending: &'a Ending, seats: &'a [Seat], first: usize) -> Ended<'a> {
        let worths = worths(ending, seats);
        Ended { result: &ending.result, seats, first, verdict: Verdict::of(&worths), worths }
    }

    pub(super) fn each(&self, number: impl Fn(usize) -> Fraction) -> Vec<(String, Fraction)> {
        self.seats.iter().enumerate().map(|(at, seat)| (seat.name.clone(), number(at))).collect()
    }

    /// What is only there where several seats are.
    pub(super) fn several(&self, numbers: Vec<(String, Fraction)>) -> Vec<(String, Fraction)> {
        if self.seats.len() > 1 { numbers } else { Vec::new() }
    }

    /// What the first seat has more than the others have on average; nothing where there is no other.
    pub(super) fn advantage(&self) -> Option<Fraction> {
        let others = BigInt::from(self.worths.len().checked_sub(1).filter(|count| *count > 0)?);
        let own = self.worths.get(self.first)?;
        Some(own - (self.worths.iter().sum::<Fraction>() - own) / others)
    }
}

/// What the utility of each seat is made of, by the names of the measures.
pub(super) fn parts_of(outcome: &Value, seats: &[Seat]) -> BTreeMap<String, Fraction> {
    let mut all: BTreeMap<String, Fraction> = BTreeMap::new();
    let Some(parts) = outcome.get("parts") else { return all };
    for seat in seats {
        let players = BigInt::from(seat.players.len());
        let own = seat.players.iter().filter_map(|player| parts.get(player)?.as_map()).flatten();
        for (label, part) in own.filter_map(|(label, part)| Some((label, fraction(part)?))) {
            // "2 mana paid" and "3 mana paid" are one part.
            let counted = label.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let kind = counted.strip_prefix(' ').filter(|_| counted.len() < label.len());
            let name = format!("parts.{}.{}", seat.name, kind.unwrap_or(label));
            *all.entry(name).or_default() += part / &players;
        }
    }
    all
}

/// What an outcome has at a path of keys with points between them, if it may be a number.
pub(super) fn at<'a>(outcome: &'a Value, path: &str) -> Option<&'a Value> {
    let found = path.split('.').try_fold(outcome, |value, key| value.get(key))?;
    is_number(path.split('.').next().unwrap_or(path), found).then_some(found)
}

/// Whether what is below a key of an outcome is a number; a pair is a fraction only in utilities and their parts.
pub(super) fn is_number(key: &str, value: &Value) -> bool {
    let is_pair = value.as_pair().is_some() && matches!(key, "utility" | "parts");
    is_pair || value.as_number().is_some_and(f64::is_finite)
}

/// What an ending is worth to each seat: the mean of its players.
pub(super) fn worths(ending: &Ending, seats: &[Seat]) -> Vec<Fraction> {
    seats.iter().map(|seat| exact_utility(seat, ending)).collect()
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// The numbers of the seats that have most; none where all have the same.
    pub(crate) winners: Vec<usize>,
    /// How much more they have than the next; 0 where all have the same.
    pub margin: Fraction,
}

impl Verdict {
    /// The verdict where each seat has so much.
    pub(super) fn of(worths: &[Fraction]) -> Verdict {
        let most = worths.iter().max().cloned().unwrap_or_default();
        let winners: Vec<usize> = (0..worths.len()).filter(|&seat| worths[seat] == most).collect();
        match worths.iter().filter(|worth| **worth < most).max() {
            Some(next) => Verdict { winners, margin: &most - next },
            None => Verdict { winners: Vec::new(), margin: Fraction::default() },
        }
    }
}

/// Of more seats than these the drama is not computed.
pub(super) const MOST: usize = 32;

/// The seat that is likelier to win than every other, by the chances of all seats and that of a tie.
pub(super) fn leader(beliefs: &[f64]) -> Option<usize> {
    let (_, seats) = beliefs.split_last()?;
    let first = (0..seats.len()).max_by(|a, b| seats[*a].total_cmp(&seats[*b]))?;
    let leads = |seat: usize| seat == first || seats[first] > seats[seat] + SAME;
    (0..seats.len()).all(leads).then_some(first)
}

/// Chances that differ by less are the same but for rounding.
pub(super) const SAME: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(worths: &[i64]) -> (Vec<usize>, String) {
        let worths: Vec<Fraction> =
            worths.iter().map(|&n| Fraction::from_integer(n.into())).collect();
        let Verdict { winners, margin } = Verdict::of(&worths);
        (winners, margin.to_string())
    }

    #[test]
    fn those_win_who_have_most_unless_all_have_the_same() {
        assert_eq!(verdict(&[1, -1]), (vec![0], "2".to_owned()));
        assert_eq!(verdict(&[3, 3, 1, 0]), (vec![0, 1], "2".to_owned()));
        assert_eq!(verdict(&[2, 2]), (Vec::new(), "0".to_owned()));
        assert_eq!(verdict(&[5]), (Vec::new(), "0".to_owned()));
    }

    #[test]
    fn nobody_leads_where_two_are_equally_likely_to_win() {
        // The last chance is that of a tie, which leads nobody.
        assert_eq!(leader(&[0.05, 0.05, 0.9]), None);
        assert_eq!(leader(&[0.4, 0.6, 0.0]), Some(1));
        // Three seats of which the second wins alone with 0.25 and with the third with 0.2.
        assert_eq!(leader(&[0.35, 0.45, 0.4, 0.0]), Some(1));
        assert_eq!(leader(&[0.0, 0.0, 0.0, 1.0]), None);
    }

    #[test]
    fn a_pair_is_a_number_only_in_utilities() {
        let pair = || Value::List([Value::Int(1), Value::Int(2)].into());
        let map = |key: &str, value| Value::Map([(key.to_owned(), value)].into_iter().collect());
        let outcome = |key: &str| map(key, map("red", pair()));
        assert_eq!(at(&outcome("utility"), "utility.red"), Some(&pair()));
        assert_eq!(at(&outcome("won"), "won.red"), None);
        assert_eq!(at(&map("won", Value::Float(0.5)), "won"), Some(&Value::Float(0.5)));
        assert_eq!(at(&map("won", Value::Float(f64::NAN)), "won"), None);
    }
}
