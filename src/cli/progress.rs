//! How far has it come? A line that is drawn again on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::output::{Output, write_now};

/// Work shorter than this shows nothing.
const SILENT: Duration = Duration::from_millis(500);
/// A line on a terminal is drawn again after this; plain lines come further apart.
const AGAIN: Duration = Duration::from_millis(100);
const APART: Duration = Duration::from_secs(5);
/// The cells of a bar.
const CELLS: u64 = 20;
/// Columns at the end of a line that stay free: a terminal shows Ctrl-C there as `^C`, which would go
/// to the next line where there is no room for it, and leave this one on the screen for good.
const FREE: usize = 4;
/// Goes to the beginning of the line and erases it (ECMA-48, EL).
const ERASE: &str = "\r\x1b[2K";

/// Tells how far long work has come; a line on a terminal is gone when it is dropped.
pub struct Progress {
    way: Way,
    what: &'static str,
    total: Option<u64>,
    begun: Instant,
    /// When something was shown last, if anything was.
    shown: Mutex<Option<Instant>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Nobody wants to know.
    Quiet,
    /// Lines that stay.
    Lines,
    /// A line that is drawn again, in so many columns.
    Bar(usize),
}

impl Progress {
    /// Work of so many `what`, if it is known how many.
    pub fn new(output: &Output, what: &'static str, total: Option<u64>) -> Progress {
        let way = if output.quiet() {
            Way::Quiet
        } else if output.plain() || !std::io::stderr().is_terminal() {
            Way::Lines
        } else {
            Way::Bar(output.width().saturating_sub(FREE))
        };
        Progress { way, what, total, begun: Instant::now(), shown: Mutex::default() }
    }

    /// So many are done.
    pub fn at(&self, done: u64) {
        self.beyond(0, done);
    }

    /// So many are done, of which some were known before: they say nothing about how fast it goes.
    pub fn beyond(&self, known: u64, done: u64) {
        let (first, apart) = match self.way {
            Way::Quiet => return,
            Way::Lines => (APART, APART),
            Way::Bar(_) => (SILENT, AGAIN),
        };
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = self.begun.elapsed();
        if shown.map_or(taken < first, |last| last.elapsed() < apart) {
            return;
        }
        *shown = Some(Instant::now());
        let pace = pace(done.saturating_sub(known), done, self.total, taken);
        let line = format!("{}{pace}", line(done, self.what, self.total));
        match self.way {
            Way::Bar(columns) => {
                let bar = self.total.map(|total| bar(done, total)).unwrap_or_default();
                let line: String = format!("{bar}{line}").chars().take(columns).collect();
                write_now(&format!("{ERASE}{line}"));
            }
            _ => write_now(&format!("{line}\n")),
        }
    }

    /// Says something once, above what is drawn again.
    pub fn say(&self, text: &str) {
        match self.way {
            Way::Quiet => {}
            Way::Bar(_) => write_now(&format!("{ERASE}{text}\n")),
            Way::Lines => write_now(&format!("{text}\n")),
        }
    }

    /// So many iterations were made, and so far off are they still.
    pub fn near(&self, iterations: u64, off: f64) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if self.begun.elapsed() > SILENT && shown.is_none_or(|last| last.elapsed() >= SILENT) {
            *shown = Some(Instant::now());
            drop(shown);
            self.say(&format!("{iterations} iterations, exploitability {off:.2e}"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let shown = self.shown.get_mut().unwrap_or_else(PoisonError::into_inner);
        if matches!(self.way, Way::Bar(_)) && shown.is_some() {
            write_now(ERASE);
        }
    }
}

fn bar(done: u64, total: u64) -> String {
    let cells = u128::from(done.min(total)) * u128::from(CELLS) / u128::from(total.max(1));
    let full = "█".repeat(cells as usize);
    format!("{full}{} ", "░".repeat(CELLS as usize - cells as usize))
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

/// How fast it goes, if so many were done in this time, and how long the rest will take at that.
fn pace(now: u64, done: u64, total: Option<u64>, taken: Duration) -> String {
    let a_second = now as f64 / taken.as_secs_f64().max(1e-9);
    let rate = match a_second {
        fast if fast >= 1.0 => format!(", {fast:.0} a second"),
        _ => String::new(),
    };
    let left = total.filter(|_| a_second > 0.0).map(|total| total.saturating_sub(done) as f64);
    match left {
        Some(left) => format!("{rate}, {} left", rough(left / a_second)),
        None => rate,
    }
}

/// A time in seconds as people say it, in the largest unit that says enough.
fn rough(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] =
        [(86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute"), (1.0, "second")];
    let (unit, name) =
        UNITS.into_iter().find(|(unit, _)| seconds >= 1.5 * unit).unwrap_or(UNITS[3]);
    match (seconds / unit).round() {
        1.0 => format!("1 {name}"),
        count => format!("{count} {name}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_much_is_done_and_how_long_it_takes() {
        assert_eq!(line(25, "playouts", Some(200)), "12 % done (25 of 200 playouts)");
        assert_eq!(line(25, "nodes", None), "25 nodes");
        let taken = Duration::from_secs(5);
        assert_eq!(pace(25, 25, Some(200), taken), ", 5 a second, 35 seconds left");
        assert_eq!(pace(25, 25, None, taken), ", 5 a second");
        assert_eq!(pace(0, 0, Some(200), taken), "");
        assert_eq!(pace(26_819, 26_819, None, taken), ", 5364 a second");
    }

    #[test]
    fn what_was_known_before_is_not_taken_for_speed() {
        // Of 1000, 900 were known: 50 in five seconds leave 50 for five more.
        let pace = pace(50, 950, Some(1000), Duration::from_secs(5));
        assert_eq!(pace, ", 10 a second, 5 seconds left");
    }

    #[test]
    fn times_are_rough() {
        for (seconds, said) in [
            (0.2, "0 seconds"),
            (1.4, "1 second"),
            (89.0, "89 seconds"),
            (90.0, "2 minutes"),
            (5_399.0, "90 minutes"),
            (7_300.0, "2 hours"),
            (200_000.0, "2 days"),
        ] {
            assert_eq!(rough(seconds), said);
        }
    }

    #[test]
    fn a_bar_fills_from_the_left() {
        assert_eq!(bar(0, 10), format!("{} ", "░".repeat(20)));
        assert_eq!(bar(5, 10), format!("{}{} ", "█".repeat(10), "░".repeat(10)));
        for (done, total) in [(10, 10), (12, 10)] {
            assert_eq!(bar(done, total), format!("{} ", "█".repeat(20)));
        }
        assert_eq!(bar(0, 0), format!("{} ", "░".repeat(20)));
    }
}
