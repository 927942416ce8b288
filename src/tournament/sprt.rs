//! A sequential probability ratio test (SPRT) on pairs of games, which decides whether one of two
//! agents is better by a given number of Elo points.
//!
//! Method: two games with exchanged seats are one observation with five values (pentanomial), so that neither the seats
//! nor what both games share counts as knowledge. The likelihood ratio is the generalised one: each hypothesis fixes
//! the expected score alone, and the distribution that fits it best is taken (Van den Bergh, "Generalized maximum
//! likelihood for multinomial distributions", proposition 1.1; Fishtest uses the same). Bounds are Wald's (1945,
//! "Sequential tests of statistical hypotheses"). Elo points are here those of the score, `1 / (1 + 10^(−Elo/400))`.

use serde::{Serialize, Serializer};
use serde_json::json;

use super::SprtBounds;

/// A value that never occurred counts as this many: else a first win would prove everything.
const UNSEEN: f64 = 1e-3;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sprt {
    bounds: SprtBounds,
    /// How often a pair of games brought the first agent 0, ½, 1, 1½, 2 points.
    pairs: [u64; 5],
}

impl Serialize for Sprt {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let SprtBounds { elo0, elo1, alpha, beta } = self.bounds;
        let (lower, upper) = self.limits();
        let json = json!({
            "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "lower_bound": lower, "upper_bound": upper,
            "llr": self.ratio(), "pentanomial": self.pairs, "verdict": self.verdict(),
        });
        json.serialize(to)
    }
}

/// Which hypothesis was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtVerdict {
    /// The first agent is better by `elo0` or less.
    Elo0,
    /// The first agent is better by `elo1` or more.
    Elo1,
}

impl Sprt {
    pub(crate) fn new(bounds: SprtBounds) -> Sprt {
        Sprt { bounds, pairs: [0; 5] }
    }

    /// Takes a pair of games: the points of the first agent in each, 0, ½ or 1.
    pub(crate) fn add(&mut self, first: f64, second: f64) {
        let value = ((first + second) * 2.0).round().clamp(0.0, 4.0) as usize;
        self.pairs[value] += 1;
    }

    /// The logarithm of the likelihood ratio of `elo1` to `elo0`.
    pub(crate) fn ratio(&self) -> f64 {
        if self.pairs == [0; 5] {
            return 0.0;
        }
        let counts = self.pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let [slope0, slope1] = [self.bounds.elo0, self.bounds.elo1].map(|elo| {
            let score = score(elo);
            (score, slope(&counts, score))
        });
        let fit = |value: f64, (score, slope): (f64, f64)| (1.0 + slope * (value - score)).ln();
        let terms = counts.iter().zip(values());
        terms.map(|(count, value)| count * (fit(value, slope0) - fit(value, slope1))).sum()
    }

    /// Below the first of these `elo0` is accepted, above the second `elo1`.
    pub(crate) fn limits(&self) -> (f64, f64) {
        let SprtBounds { alpha, beta, .. } = self.bounds;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// What a verdict says of two agents, in a sentence.
    pub(crate) fn sentence(&self, verdict: SprtVerdict, [first, second]: [&str; 2]) -> String {
        let SprtBounds { elo0, elo1, .. } = self.bounds;
        let is = match verdict {
            SprtVerdict::Elo0 if elo0 < 0.0 => "worse".to_owned(),
            SprtVerdict::Elo0 if elo0 == 0.0 => "not better".to_owned(),
            SprtVerdict::Elo0 => format!("not {elo1} points better"),
            SprtVerdict::Elo1 if elo1 > 0.0 => "better".to_owned(),
            SprtVerdict::Elo1 if elo1 == 0.0 => "not worse".to_owned(),
            SprtVerdict::Elo1 => format!("not {} points worse", -elo0),
        };
        let preferred = match verdict {
            SprtVerdict::Elo0 => format!("H0 ({elo0}) preferred to H1 ({elo1})"),
            SprtVerdict::Elo1 => format!("H1 ({elo1}) preferred to H0 ({elo0})"),
        };
        format!("`{first}` is {is} than `{second}`: {preferred}")
    }

    pub(crate) fn verdict(&self) -> Option<SprtVerdict> {
        let (ratio, (low, high)) = (self.ratio(), self.limits());
        if ratio <= low {
            Some(SprtVerdict::Elo0)
        } else if ratio >= high {
            Some(SprtVerdict::Elo1)
        } else {
            None
        }
    }
}

/// The expected score of somebody this many Elo points better.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

fn values() -> impl Iterator<Item = f64> {
    (0..5).map(|value| f64::from(value) / 4.0)
}

/// The `x` with `Σ pᵢ (aᵢ − s) / (1 + x (aᵢ − s)) = 0`: the best distribution whose mean is `s` has
/// the probabilities `pᵢ / (1 + x (aᵢ − s))`. The sum falls in `x`, so halving finds it.
fn slope(counts: &[f64; 5], score: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    let sum = |x: f64| -> f64 {
        let terms = counts.iter().zip(values());
        terms.map(|(count, value)| count * (value - score) / (1.0 + x * (value - score))).sum()
    };
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if sum(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Generator;

    const BOUNDS: SprtBounds = SprtBounds { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };

    #[test]
    fn the_ratio_is_the_published_one() {
        // The statistics of a test of engines, montytest.muzhen.org, test 69d3c8dc7c5b3724e29d2712:
        // pairs 13, 37, 50, 25, 3; elo0 0, elo1 2.716 (rounded); "Logistic (exact) -0.53772".
        let bounds = SprtBounds { elo1: 2.716, ..BOUNDS };
        let sprt = Sprt { bounds, pairs: [13, 37, 50, 25, 3] };
        assert!((sprt.ratio() + 0.53772).abs() < 2e-4, "{}", sprt.ratio());
        // The bounds there, for errors of 0.05 each: ±2.9444, the logarithm of 19.
        let (low, high) = sprt.limits();
        assert!((low + 19f64.ln()).abs() < 1e-12 && (high - 19f64.ln()).abs() < 1e-12);
        assert_eq!(sprt.verdict(), None);
    }

    #[test]
    fn nothing_is_decided_by_nothing_and_little_by_one_win() {
        let mut sprt = Sprt::new(BOUNDS);
        assert_eq!((sprt.ratio(), sprt.verdict()), (0.0, None));
        sprt.add(1.0, 1.0);
        assert_eq!(sprt.verdict(), None);
        (0..10_000).for_each(|_| sprt.add(1.0, 1.0));
        assert_eq!(sprt.verdict(), Some(SprtVerdict::Elo1));
        let mut level = Sprt::new(BOUNDS);
        (0..10_000).for_each(|_| level.add(0.5, 0.5));
        assert_eq!(level.verdict(), Some(SprtVerdict::Elo0));
    }

    #[test]
    fn a_verdict_names_the_hypothesis_that_was_preferred() {
        let said = |elo0, elo1, verdict| {
            let sprt = Sprt::new(SprtBounds { elo0, elo1, ..BOUNDS });
            sprt.sentence(verdict, ["k", "l"])
        };
        let [lost, won] = [SprtVerdict::Elo0, SprtVerdict::Elo1];
        for (elo0, elo1, verdict, expected) in [
            (0.0, 40.0, lost, "`k` is not better than `l`: H0 (0) preferred to H1 (40)"),
            (0.0, 40.0, won, "`k` is better than `l`: H1 (40) preferred to H0 (0)"),
            (-40.0, 0.0, lost, "`k` is worse than `l`: H0 (-40) preferred to H1 (0)"),
            (-40.0, 0.0, won, "`k` is not worse than `l`: H1 (0) preferred to H0 (-40)"),
            (-5.0, 5.0, lost, "`k` is worse than `l`: H0 (-5) preferred to H1 (5)"),
            (5.0, 9.0, lost, "`k` is not 9 points better than `l`: H0 (5) preferred to H1 (9)"),
            (-9.0, -5.0, won, "`k` is not 9 points worse than `l`: H1 (-5) preferred to H0 (-9)"),
        ] {
            assert_eq!(said(elo0, elo1, verdict), expected);
        }
    }

    #[test]
    fn wrong_verdicts_are_as_rare_as_promised() {
        let narrow = SprtBounds { elo0: 5.0, elo1: 10.0, ..BOUNDS };
        // How often pairs bring 0, ½, 1, 1½ and 2 points, before they are tilted to what is true.
        for (bounds, shape) in [
            (BOUNDS, [0.25, 0.0, 0.5, 0.0, 0.25]),
            // Many small losses and few great wins.
            (BOUNDS, [0.0, 0.3, 0.55, 0.0, 0.15]),
            (narrow, [0.005, 0.04, 0.91, 0.04, 0.005]),
        ] {
            let (low, high) = (bounds.elo0, bounds.elo1);
            for (elo, wrong) in [(low, SprtVerdict::Elo1), (high, SprtVerdict::Elo0)] {
                let chances = tilted(shape, score(elo));
                let errors = (0..200).filter(|&seed| verdict(bounds, &chances, seed) == wrong);
                let errors = errors.count();
                // 200 tests at 5 % err 10 times; 20 or more in less than 1 of 250 such runs.
                assert!(errors < 20, "{errors} of 200 at {elo}, {shape:?}");
            }
        }
    }

    /// The verdict on pairs whose values have these chances.
    fn verdict(bounds: SprtBounds, chances: &[f64; 5], seed: u64) -> SprtVerdict {
        let mut generator = Generator::playout(3, seed);
        let mut sprt = Sprt::new(bounds);
        loop {
            let mut left = (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            // The last value has what is left.
            let passed = chances[..4].iter().position(|chance| {
                left -= chance;
                left < 0.0
            });
            let points = passed.unwrap_or(4) as f64 / 4.0;
            sprt.add(points, points);
            if let Some(verdict) = sprt.verdict() {
                return verdict;
            }
        }
    }

    /// The distribution on the five values that is most like a shape and has this mean.
    fn tilted(shape: [f64; 5], score: f64) -> [f64; 5] {
        let x = slope(&shape, score);
        let likely =
            shape.iter().zip(values()).map(|(share, value)| share / (1.0 + x * (value - score)));
        let chances = <[f64; 5]>::try_from(likely.collect::<Vec<_>>()).unwrap();
        let mean: f64 = chances.iter().zip(values()).map(|(chance, value)| chance * value).sum();
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{chances:?}");
        assert!((mean - score).abs() < 1e-9, "{chances:?} have the mean {mean}, not {score}");
        chances
    }
}
