//! What further playouts from a question say of the utilities and of who wins, and the drama of conflicts
//! by it.

use super::drama::PlayDrama;
use super::measure::{Measure, seen};
use super::verdict::{Verdict, Verdicts, worths};
use crate::analysis::{Estimate, Fraction, Interval, Number};
use crate::conflict::Seat;
use crate::graph::Ending;

/// Further playouts from each question.
pub(super) const FURTHER: u64 = 32;

/// The drama of a conflict: by all further playouts, then by their halves; and whether somebody won.
pub(super) type Drama = ([PlayDrama; 3], bool);

/// What further playouts from a question say.
pub(super) struct Outlook {
    /// For each seat the mean of its utility, and the variance of that mean.
    pub means: Vec<(f64, f64)>,
    /// The winners of each playout.
    pub won: Vec<Vec<usize>>,
}

impl Outlook {
    /// None yet, of so many seats.
    pub(super) fn new(seats: usize) -> Outlook {
        Outlook { means: vec![(0.0, 0.0); seats], won: Vec::new() }
    }

    /// One more playout that ended so: sums and sums of squares, until it is finished.
    pub(super) fn add(&mut self, ending: &Ending, seats: &[Seat]) {
        let worths = worths(ending, seats);
        for ((sum, squares), worth) in self.means.iter_mut().zip(&worths) {
            let worth = Interval::of_fraction(worth).middle();
            *sum += worth;
            *squares += worth * worth;
        }
        self.won.push(Verdict::of(&worths).winners);
    }

    /// Sums as means.
    pub(super) fn finished(mut self) -> Outlook {
        let n = self.won.len().max(2) as f64;
        for (sum, squares) in &mut self.means {
            let mean = *sum / n;
            *squares = ((*squares - n * mean * mean) / (n - 1.0)).max(0.0) / n;
            *sum = mean;
        }
        self
    }

    /// What an end says, as surely as all playouts from there.
    pub(super) fn end(ending: &Ending, seats: &[Seat]) -> Outlook {
        let worths = worths(ending, seats);
        let won = vec![Verdict::of(&worths).winners; FURTHER as usize];
        let about = |worth: &Fraction| (Interval::of_fraction(worth).middle(), 0.0);
        Outlook { means: worths.iter().map(about).collect(), won }
    }
}

/// The drama of a conflict, by all further playouts and by each half of them.
pub(super) fn by(outlooks: &[Outlook], verdict: &[usize]) -> [PlayDrama; 3] {
    let mut verdicts = Verdicts::default();
    outlooks.iter().flat_map(|one| &one.won).for_each(|won| _ = verdicts.number(won));
    let winner = verdicts.number(verdict);
    let count = verdicts.len();
    let half = FURTHER as usize / 2;
    [0..FURTHER as usize, 0..half, half..FURTHER as usize].map(|part| {
        let beliefs = outlooks.iter().map(|one| {
            let mut beliefs = vec![0.0; count];
            let won = one.won.get(part.clone()).unwrap_or_default();
            for one in won {
                beliefs[verdicts.clone().number(one)] += 1.0 / won.len() as f64;
            }
            beliefs
        });
        PlayDrama::of(&verdicts, &beliefs.collect::<Vec<_>>(), winner)
    })
}

/// What the drama of all conflicts is, taken on to infinitely many further playouts.
pub(super) fn drama(all: &[Drama]) -> Vec<Measure> {
    type Part = fn(&PlayDrama) -> f64;
    let parts: [(&str, &str, Part, bool); 2] = [
        ("drama.comeback", "share", |course| course.comeback, true),
        ("drama.surprise", "chance", |course| course.surprise, false),
    ];
    let measure = |(name, unit, part, won): (&str, &str, Part, bool)| {
        let told = || all.iter().filter(|(_, won_by)| *won_by || !won).map(|(by, _)| by);
        let halves = |by: &[PlayDrama; 3]| (part(&by[1]) + part(&by[2])) / 2.0 - part(&by[0]);
        // The error falls with the number of playouts, or with its root: by 1 or 2.4 times this.
        let on = |by: &[PlayDrama; 3]| part(&by[0]) - 1.7 * halves(by);
        let off = told().map(halves).sum::<f64>() / told().count().max(1) as f64;
        match seen(&told().map(on).collect::<Vec<_>>())? {
            Number::Sampled(Estimate { n, mean, low, high }) => {
                let wider = 0.75 * off.abs();
                let most = if unit == "share" { 1.0 } else { f64::INFINITY };
                let (low, high) = ((low - wider).max(0.0), (high + wider).min(most));
                let estimate = Estimate { n, mean: mean.clamp(low, high), low, high };
                // What may be anything is not worth telling.
                let is_known = high - low < 2.0 * mean;
                is_known.then(|| Measure::new(name, unit, &Number::Sampled(estimate)))
            }
            _ => None,
        }
    };
    parts.into_iter().filter_map(measure).collect()
}
