//! Who won: the verdict of an ending, and what each seat has of it.

use crate::analysis::{Fraction, exact_utility};
use crate::conflict::Seat;
use crate::graph::Ending;

/// What an ending is worth to each seat: the mean of its players.
pub(super) fn worths(ending: &Ending, seats: &[Seat]) -> Vec<Fraction> {
    seats.iter().map(|seat| exact_utility(seat, ending)).collect()
}

/// Who won, and by how much.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Verdict {
    /// The numbers of the seats that have most; none where all have the same.
    pub winners: Vec<usize>,
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

/// The verdicts that are possible, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdicts(Vec<Vec<usize>>);

/// Of more verdicts than these the drama is not told.
pub(super) const MOST: usize = 32;

impl Verdicts {
    /// The number of a verdict, a new one where it was not met before.
    pub(super) fn number(&mut self, winners: &[usize]) -> usize {
        match self.0.iter().position(|known| known == winners) {
            Some(known) => known,
            None => {
                self.0.push(winners.to_vec());
                self.0.len() - 1
            }
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether somebody wins by a verdict.
    pub(super) fn is_won(&self, number: usize) -> bool {
        self.0.get(number).is_some_and(|winners| !winners.is_empty())
    }

    /// The verdict by which somebody wins that is likelier than all others by which somebody does.
    pub(super) fn leader(&self, beliefs: &[f64]) -> Option<usize> {
        let mut won = (0..beliefs.len()).filter(|&number| self.is_won(number)).collect::<Vec<_>>();
        won.sort_by(|a, b| beliefs[*b].total_cmp(&beliefs[*a]));
        match won[..] {
            [] => None,
            [only] => Some(only),
            [first, second, ..] => (beliefs[first] > beliefs[second] + SAME).then_some(first),
        }
    }
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
        let mut verdicts = Verdicts::default();
        let [tie, first, second] = [&[][..], &[0], &[1]].map(|winners| verdicts.number(winners));
        assert_eq!((tie, first, second, verdicts.number(&[0])), (0, 1, 2, 1));
        assert_eq!(verdicts.leader(&[0.9, 0.05, 0.05]), None);
        assert_eq!(verdicts.leader(&[0.0, 0.4, 0.6]), Some(second));
    }
}
