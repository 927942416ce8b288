//! How far has it come? A line that is drawn again on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::Output;

/// Work shorter than this shows nothing.
const SILENT: Duration = Duration::from_millis(500);
/// Plain lines come this far apart.
const APART: Duration = Duration::from_secs(5);

/// Tells how far long work has come; gone when it is dropped.
pub struct Progress {
    way: Way,
    what: &'static str,
    total: Option<u64>,
    begun: Instant,
    told: Mutex<Instant>,
}

enum Way {
    /// Nobody wants to know.
    Quiet,
    /// Lines that stay.
    Lines,
    /// A line that is drawn again.
    Bar(ProgressBar),
}

impl Progress {
    /// Work of so many `what`, if it is known how many.
    pub fn new(output: &Output, what: &'static str, total: Option<u64>) -> Progress {
        let way = if output.quiet() {
            Way::Quiet
        } else if output.plain() || !std::io::stderr().is_terminal() {
            Way::Lines
        } else {
            Way::Bar(bar(what, total))
        };
        let now = Instant::now();
        Progress { way, what, total, begun: now, told: Mutex::new(now) }
    }

    /// So many are done.
    pub fn at(&self, done: u64) {
        match &self.way {
            Way::Quiet => {}
            Way::Bar(bar) if self.begun.elapsed() > SILENT => bar.set_position(done),
            Way::Bar(_) => {}
            Way::Lines => {
                let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
                if told.elapsed() >= APART {
                    *told = Instant::now();
                    let line = line(done, self.what, self.total);
                    eprintln!("{line}{}", pace(done, self.total, self.begun.elapsed()));
                }
            }
        }
    }
}

impl Progress {
    /// Says something once, above what is drawn again.
    pub fn say(&self, text: &str) {
        match &self.way {
            Way::Quiet => {}
            Way::Bar(bar) => bar.suspend(|| eprintln!("{text}")),
            Way::Lines => eprintln!("{text}"),
        }
    }

    /// So many iterations were made, and so far off are they still.
    pub fn near(&self, iterations: u64, off: f64) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if self.begun.elapsed() > SILENT && told.elapsed() >= SILENT {
            *told = Instant::now();
            drop(told);
            self.say(&format!("{iterations} iterations, exploitability {off:.2e}"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Way::Bar(bar) = &self.way {
            bar.finish_and_clear();
        }
    }
}

fn line(done: u64, what: &str, total: Option<u64>) -> String {
    match total.filter(|total| *total > 0) {
        Some(total) => format!(
            "{} % done ({done} of {total} {what})",
            u128::from(done) * 100 / u128::from(total)
        ),
        None => format!("{done} {what}"),
    }
}

/// How fast it goes, and how long it will take at that.
fn pace(done: u64, total: Option<u64>, taken: Duration) -> String {
    let a_second = done as f64 / taken.as_secs_f64().max(1e-9);
    let rate = match a_second {
        fast if fast >= 1.0 => format!(", {fast:.0} a second"),
        _ => String::new(),
    };
    let left = total.filter(|_| a_second > 0.0).map(|total| total.saturating_sub(done) as f64);
    match left.map(|left| Duration::try_from_secs_f64(left / a_second)) {
        Some(Ok(left)) => format!("{rate}, {} left", indicatif::HumanDuration(left)),
        _ => rate,
    }
}

fn bar(what: &str, total: Option<u64>) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let bar = ProgressBar::with_draw_target(total, target);
    let template = match total {
        Some(_) => format!("{{wide_bar}} {{pos}} of {{len}} {what}, {{per_sec}}, {{eta}} left"),
        None => format!("{{spinner}} {{pos}} {what}, {{per_sec}}, {{elapsed}}"),
    };
    // A template that does not read leaves the crate's own look.
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_line_says_how_much_is_done() {
        assert_eq!(line(25, "playouts", Some(200)), "12 % done (25 of 200 playouts)");
        assert_eq!(line(25, "nodes", None), "25 nodes");
        let taken = Duration::from_secs(5);
        assert_eq!(pace(25, Some(200), taken), ", 5 a second, 35 seconds left");
        assert_eq!(pace(25, None, taken), ", 5 a second");
        assert_eq!(pace(0, Some(200), taken), "");
    }
}
