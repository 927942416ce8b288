//! Says about how long a portrait takes, from what a few playouts cost and which parts follow.

use std::time::{Duration, Instant};

use super::Portraying;
use super::followed_playouts::FollowedPlan;
use super::skill::{SkillEffort, rungs};
use crate::agents::{AgentSpec, ThinkingPlan};
use crate::analysis::Stage;
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::{Bounds, Reach, explore};
use crate::script::on_large_stack;

/// At most this number of playouts is tried, and for this time, on a graph of at most this number of bytes; for
/// the same time it is explored.
const TRIED: u64 = 16;
const TIME: Duration = Duration::from_secs(1);
const MEMORY: u64 = 16 << 20;
/// A mean of playouts is taken to be off by factors between these.
const LEAST_OFF: f64 = 1.5;
const MOST_OFF: f64 = 3.0;
/// Shorter work is not announced.
const SHORT: Duration = Duration::from_secs(60);

impl Portraying<'_> {
    /// Announces to who waits about how long it takes, where that is long. Where a time is set or a width, which may be
    /// reached soon, nothing is said.
    pub(crate) fn foretell(&self, seating: &Seating, progress: &dyn Fn(Stage)) {
        if self.time.is_some() || self.sampling.enough.within().is_some() {
            return;
        }
        // What fails here is reported by the work itself.
        if let Ok(Some([least, most])) = on_large_stack(|| self.takes(seating)) {
            let ahead = match self.wanted.looks_ahead() && self.wanted.follows() {
                true => "it plays, then plays on from each question: ",
                false => "",
            };
            let takes = format!("{} to {}", words(least), words(most));
            let text = format!("{ahead}the portrait may take {takes}; `--time S` ends it");
            progress(Stage::Notice(text));
        }
    }

    /// How long it takes at least and at most, as far as a few playouts tell, if that is long: not where the graph
    /// is soon seen whole. A clock measures that, so nothing else depends on it.
    fn takes(&self, seating: &Seating) -> Result<Option<[Duration; 2]>, Error> {
        let trial = seating.thinking_anew().afresh(MEMORY);
        let mut runner = trial.playout_runner()?;
        let (begun, mut made, mut questions, mut decisions) = (Instant::now(), 0, 0, 0);
        let mut times = Vec::new();
        while made < TRIED && (made == 0 || begun.elapsed() < TIME) {
            trial.is_wanted()?;
            let playout = Instant::now();
            let course = runner.course((self.sampling.seed, made), false)?;
            questions += course.decisions + course.chance;
            decisions += course.decisions;
            times.push(playout.elapsed().as_secs_f64());
            made += 1;
        }
        let mean = |sum: u64| sum as f64 / made as f64;
        let (questions, decisions) = (mean(questions).max(1.0), mean(decisions));
        let playout = begun.elapsed().as_secs_f64() / made as f64;
        // Each part in playouts; what begins at a question of one takes half of one.
        let n = self.sampling.n as f64;
        let mut playouts = n + self.nodes as f64 / questions;
        if self.wanted.looks_ahead() {
            let plan = FollowedPlan::of(self.sampling.n, questions);
            if self.wanted.follows() {
                playouts += plan.playouts(questions) / 2.0;
            }
            if self.wanted.has("choice") {
                let greedy = AgentSpec::Thinker(ThinkingPlan::Greedy).playouts() as f64;
                playouts += plan.weighed as f64 * greedy / 2.0;
            }
        }
        if self.wanted.climbs() && decisions > 0.0 && seating.players.seats().len() == 2 {
            let effort = SkillEffort::of(self.sampling, (questions, decisions), None);
            playouts += rungs().iter().map(|rung| effort.takes(rung)).sum::<f64>() / questions;
        }
        let threads = self.sampling.threads.max(1);
        let seconds = playouts * playout / threads as f64;
        let off = off(&times);
        let takes = [seconds / off, seconds * off]
            .map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
        if takes[1] < SHORT {
            return Ok(None);
        }
        let trial = trial.under(trial.budget().begin(Some(TIME)));
        let bounds = Bounds { threads, nodes: self.nodes };
        let is_whole = explore(&trial.graph, &trial, bounds, &|_| ())? == Reach::Whole;
        Ok((!is_whole).then_some(takes))
    }
}

/// By what factor the mean of a few times may be off: two standard errors, and no less than a busy machine makes.
fn off(times: &[f64]) -> f64 {
    let n = times.len() as f64;
    let mean = times.iter().sum::<f64>() / n;
    let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
    let error = (squares / (n - 1.0) / n).sqrt() / mean;
    if error.is_finite() { (1.0 + 2.0 * error).clamp(LEAST_OFF, MOST_OFF) } else { MOST_OFF }
}

/// A time, no nearer than it is known.
fn words(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..95 => format!("{} seconds", (seconds + 5) / 10 * 10),
        95..5_400 => format!("{} minutes", (seconds + 30) / 60),
        _ => format!("{} hours", (seconds + 1_800) / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_of_few_or_differing_playouts_may_be_off_by_more() {
        // One says nothing of the others. Of 1 and 3 the standard error is 1, half of the mean: two are the mean.
        assert_eq!(off(&[2.0]), MOST_OFF);
        assert!((off(&[1.0, 3.0]) - 2.0).abs() < 1e-12);
        // Alike, they say how long it takes where the machine stays as busy.
        assert_eq!(off(&[2.0; 16]), LEAST_OFF);
    }

    #[test]
    fn a_time_is_no_nearer_than_it_is_known() {
        let said = |seconds: u64| words(Duration::from_secs(seconds));
        assert_eq!(said(14), "10 seconds");
        assert_eq!(said(94), "90 seconds");
        assert_eq!(said(95), "2 minutes");
        assert_eq!(said(5_400), "2 hours");
    }
}
