//! Progress of long work: a line that is redrawn on a terminal, plain lines elsewhere. Work that reports
//! nothing for long is not silent either: what it does is shown again, with how long it has taken.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use parking_lot::Mutex;

use super::output::{Output, shown, write_now};
use crate::analysis::{PLAYOUTS, Stage};
use crate::report::{cut_behind_word, many};

/// Work shorter than this shows nothing.
const SILENT: Duration = Duration::from_millis(500);
/// A line on a terminal is drawn again after this.
const AGAIN: Duration = Duration::from_millis(100);
/// Plain lines begin after this time, and come this far apart.
const FIRST: Duration = Duration::from_secs(4);
const APART: Duration = Duration::from_secs(30);
/// Work that reports nothing for this long is shown with how long it has taken.
const STILL: Duration = Duration::from_secs(1);
/// The work that is counted in points of a sweep.
pub(super) const POINTS: &str = "points";
/// How full the memory is, in percent, is said from here on.
const WORTH_SAYING: u64 = 5;
/// The columns of a bar, with the space behind it.
const BAR: usize = 21;

/// Reports the progress of long work; a line on a terminal disappears when this is dropped.
pub(super) struct Progress {
    line: Arc<ProgressLine>,
    /// Ends with the sender.
    reminder: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

/// The line of some work, which the work and a thread beside it write.
struct ProgressLine {
    way: ReportStyle,
    what: &'static str,
    total: Option<u64>,
    begun: Instant,
    /// When something was shown last, if anything was.
    shown: Mutex<Option<Instant>>,
    /// What is known so far; empty where nothing is.
    known: Mutex<String>,
    /// How much of the memory is taken, in percent.
    memory: AtomicU64,
    /// What is being done, and when that was reported.
    latest: Mutex<(Doing, Instant)>,
    part: Mutex<Option<WorkPart>>,
}

/// A part of the work, in which what is done begins at nothing again.
#[derive(Clone, Copy)]
struct WorkPart {
    /// The first has 1.
    number: u32,
    what: &'static str,
    /// How many were done at its first report, if there was one.
    before: Option<u64>,
    begun: Instant,
}

impl WorkPart {
    fn begin<'a>(latest: &'a mut Option<WorkPart>, what: &'static str) -> &'a mut WorkPart {
        // A part that reported nothing was not seen.
        let number = latest.map_or(1, |last| last.number + u32::from(last.before.is_some()));
        latest.insert(WorkPart { number, what, before: None, begun: Instant::now() })
    }
}

enum Doing {
    Words(String),
    /// How many were known before, how many are done, and of how many, if that is known.
    Count(u64, u64, Option<u64>),
}

enum ReportStyle {
    /// Nobody wants to know.
    Quiet,
    /// Lines that stay.
    Lines,
    /// A line that is drawn again, in this many columns.
    Bar(ProgressBar, usize),
}

impl Progress {
    /// Work of this many `what`, if it is known how many.
    pub(super) fn new(output: &Output, what: &'static str, total: Option<u64>) -> Progress {
        let way = if output.quiet {
            ReportStyle::Quiet
        } else if output.plain || !std::io::stderr().is_terminal() {
            ReportStyle::Lines
        } else {
            let terminal = ProgressTerminal::new(output);
            let columns = terminal.columns();
            ReportStyle::Bar(bar(total, terminal), columns)
        };
        let begun = Instant::now();
        let line = Arc::new(ProgressLine {
            way,
            what,
            total,
            begun,
            shown: Mutex::default(),
            known: Mutex::default(),
            memory: AtomicU64::new(0),
            latest: Mutex::new((Doing::Count(0, 0, total), begun)),
            part: Mutex::default(),
        });
        let reminder = (!output.quiet).then(|| {
            let (sender, ends) = mpsc::channel::<()>();
            let line = line.clone();
            let reminds = move || {
                while ends.recv_timeout(STILL) == Err(mpsc::RecvTimeoutError::Timeout) {
                    line.remind();
                }
            };
            (sender, std::thread::spawn(reminds))
        });
        Progress { line, reminder }
    }

    /// This many are done.
    pub(super) fn at(&self, done: u64) {
        self.beyond(0, done, self.line.total);
    }

    /// This many are done, of which some were known before: they say nothing about how fast it goes.
    /// How many there are in all may have changed since, but not whether that is known.
    pub(super) fn beyond(&self, known: u64, done: u64, total: Option<u64>) {
        *self.line.latest.lock() = (Doing::Count(known, done, total), Instant::now());
        self.line.show(|| self.line.counted(known, done, total));
    }

    /// Shows in words what is being done, if an update is due.
    pub(super) fn doing(&self, words: impl FnOnce() -> String) {
        let words = words();
        *self.line.latest.lock() = (Doing::Words(words.clone()), Instant::now());
        self.line.show(|| words);
    }

    /// Prints something once, above the line that is redrawn.
    pub(super) fn say(&self, text: &str) {
        let line = format!("{text}\n");
        match &self.line.way {
            ReportStyle::Quiet => {}
            ReportStyle::Bar(bar, _) => bar.suspend(|| write_now(&line)),
            ReportStyle::Lines => write_now(&line),
        }
    }

    /// Shows the stage of a search for odds or for an equilibrium.
    pub(super) fn stage(&self, stage: Stage) {
        match stage {
            Stage::Nodes(nodes, memory) => {
                self.line.memory.store(memory, Ordering::Relaxed);
                self.at(nodes);
            }
            Stage::Playouts(done, _) if self.line.what == PLAYOUTS => self.at(done),
            Stage::Playouts(done, total) => self.part(PLAYOUTS, done, total),
            Stage::Points(done, _) if self.line.what == POINTS => self.at(done),
            Stage::Points(done, total) => self.part(POINTS, done, total),
            Stage::Done(done, total) => self.beyond(0, done, Some(total)),
            Stage::Resumed(known, done, total) => self.beyond(known, done, total),
            Stage::Begin(what) if what != self.line.what => {
                WorkPart::begin(&mut self.line.part.lock(), what);
            }
            Stage::Begin(_) => {}
            Stage::Part(what, done, total) => self.part(what, done, Some(total.max(done))),
            Stage::Known(text) => *self.line.known.lock() = text,
            Stage::Doing(text) => self.doing(|| text),
            Stage::Notice(text) => {
                self.say(&text);
                // It is a sign of life, too: the next line can wait.
                *self.line.shown.lock() = Some(Instant::now());
            }
            Stage::Near(iterations, off) => {
                self.doing(|| {
                    format!("{}, exploitability {off:.2e}", many(iterations, "iteration"))
                });
            }
        }
    }

    /// How many are done of a part of the work, and the number of the part behind the first.
    fn part(&self, what: &'static str, done: u64, total: Option<u64>) {
        let (WorkPart { number, begun, .. }, before) = self.line.part(what, done);
        let number = if number > 1 { format!("part {number}: ") } else { String::new() };
        let pace = pace(done.saturating_sub(before), done, total, begun.elapsed());
        let line = line(done, what, total);
        self.doing(|| format!("{number}{line}{pace}{}", self.line.so_far()));
    }
}

impl ProgressLine {
    /// Shows a line, if an update is due.
    fn show(&self, words: impl FnOnce() -> String) {
        let (first, apart) = match self.way {
            ReportStyle::Lines => (FIRST, APART),
            _ => (SILENT, AGAIN),
        };
        if !self.is_due(first, apart) {
            return;
        }
        let line = words();
        match &self.way {
            ReportStyle::Quiet => {}
            ReportStyle::Bar(bar, columns) => {
                let left = columns.saturating_sub(if self.total.is_some() { BAR } else { 0 });
                bar.set_message(cut_behind_word(&line, left));
            }
            ReportStyle::Lines => write_now(&format!("{line}\n")),
        }
    }

    /// Shows what is being done once more, where nothing was reported for long.
    fn remind(&self) {
        let words = {
            let latest = self.latest.lock();
            if latest.1.elapsed() < STILL {
                return;
            }
            match &latest.0 {
                Doing::Words(words) => words.clone(),
                Doing::Count(known, done, total) => self.counted(*known, *done, *total),
            }
        };
        let taken = Duration::from_secs(self.begun.elapsed().as_secs());
        self.show(|| format!("{words}, after {}", HumanDuration(taken)));
    }

    /// The part of the work in which this many are done, and how many were at its first report. Threads may
    /// report out of order.
    fn part(&self, what: &'static str, done: u64) -> (WorkPart, u64) {
        let mut latest = self.part.lock();
        let part = match &mut *latest {
            Some(part) if part.what == what => part,
            latest => WorkPart::begin(latest, what),
        };
        let before = *part.before.get_or_insert(done);
        (*part, before)
    }

    /// How many are done, how fast that goes, and what is known so far.
    fn counted(&self, known: u64, done: u64, total: Option<u64>) -> String {
        let pace = pace(done.saturating_sub(known), done, total, self.begun.elapsed());
        if let (ReportStyle::Bar(bar, _), Some(total)) = (&self.way, total) {
            bar.set_length(total);
            bar.set_position(done);
        }
        // Whoever waits for more than there is room for sees it coming.
        let memory = match self.memory.load(Ordering::Relaxed) {
            taken if taken >= WORTH_SAYING => format!(", {taken} % of the memory"),
            _ => String::new(),
        };
        format!("{}{pace}{memory}{}", line(done, self.what, total), self.so_far())
    }

    fn so_far(&self) -> String {
        let known = self.known.lock();
        if known.is_empty() { String::new() } else { format!("; so far {known}") }
    }

    /// Whether an update is due: not at the start, nor soon after the last one.
    fn is_due(&self, first: Duration, apart: Duration) -> bool {
        let mut shown = self.shown.lock();
        let due = shown.map_or(self.begun.elapsed() >= first, |last| last.elapsed() >= apart);
        if due {
            *shown = Some(Instant::now());
        }
        due
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.reminder.take() {
            drop(sender);
            // It has nothing to return, and a line that is not shown is no loss.
            let _ = thread.join();
        }
        if let ReportStyle::Bar(bar, _) = &self.line.way {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: Option<u64>, terminal: ProgressTerminal) -> ProgressBar {
    let target = ProgressDrawTarget::term_like_with_hz(Box::new(terminal), 10);
    let bar = ProgressBar::with_draw_target(total, target);
    let template = if total.is_some() { "{bar:20} {msg}" } else { "{msg}" };
    // A template that does not read leaves the crate's own look.
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
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

/// How fast it goes, if this many were done in this time, and how long the rest will take at that.
fn pace(now: u64, done: u64, total: Option<u64>, taken: Duration) -> String {
    let a_second = now as f64 / taken.as_secs_f64().max(1e-9);
    let rate = match a_second {
        fast if fast >= 1.0 => format!(", {fast:.0} a second"),
        _ => String::new(),
    };
    let left = total.filter(|_| a_second > 0.0).map(|total| total.saturating_sub(done) as f64);
    match left.map(|left| Duration::try_from_secs_f64(left / a_second)) {
        Some(Ok(left)) => format!("{rate}, {} left", HumanDuration(left)),
        _ => rate,
    }
}

/// Columns at the end of a line that stay free: a terminal shows Ctrl-C there as `^C`. Without room
/// for it, `^C` would wrap to the next line and leave this one on the screen.
const FREE: usize = 4;

/// A terminal on stderr that reports fewer columns than it has. Its cursor moves follow ECMA-48.
#[derive(Debug)]
pub(super) struct ProgressTerminal {
    columns: u16,
}

impl ProgressTerminal {
    pub(super) fn new(output: &Output) -> ProgressTerminal {
        let columns = output.width().saturating_sub(FREE).max(1);
        ProgressTerminal { columns: u16::try_from(columns).unwrap_or(u16::MAX) }
    }

    pub(super) fn columns(&self) -> usize {
        usize::from(self.columns)
    }
}

/// Moves the cursor by this many places, if by any.
fn moved(places: usize, way: char) -> io::Result<()> {
    if places == 0 { Ok(()) } else { write!(io::stderr(), "\x1b[{places}{way}") }
}

impl TermLike for ProgressTerminal {
    fn width(&self) -> u16 {
        self.columns
    }

    fn move_cursor_up(&self, places: usize) -> io::Result<()> {
        moved(places, 'A')
    }

    fn move_cursor_down(&self, places: usize) -> io::Result<()> {
        moved(places, 'B')
    }

    fn move_cursor_right(&self, places: usize) -> io::Result<()> {
        moved(places, 'C')
    }

    fn move_cursor_left(&self, places: usize) -> io::Result<()> {
        moved(places, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        writeln!(io::stderr(), "{}", shown(text))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        write!(io::stderr(), "{}", shown(text))
    }

    fn clear_line(&self) -> io::Result<()> {
        write!(io::stderr(), "\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
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

    fn line_of(latest: Doing, ago: Duration) -> ProgressLine {
        let begun = Instant::now().checked_sub(ago).unwrap();
        ProgressLine {
            way: ReportStyle::Quiet,
            what: PLAYOUTS,
            total: None,
            begun,
            shown: Mutex::default(),
            known: Mutex::default(),
            memory: AtomicU64::new(0),
            latest: Mutex::new((latest, begun)),
            part: Mutex::default(),
        }
    }

    #[test]
    fn what_is_known_so_far_follows_how_far_it_is() {
        let line = Arc::new(line_of(Doing::Count(0, 0, None), Duration::ZERO));
        let progress = Progress { line: line.clone(), reminder: None };
        assert_eq!(line.so_far(), "");
        progress.stage(Stage::Known("red 43.2 % (41.0 to 45.4)".to_owned()));
        assert_eq!(line.so_far(), "; so far red 43.2 % (41.0 to 45.4)");
    }

    #[test]
    fn how_full_the_memory_is_follows_how_many_nodes_there_are() {
        let line = Arc::new(line_of(Doing::Count(0, 0, None), Duration::ZERO));
        let progress = Progress { line: line.clone(), reminder: None };
        let shown = |taken| {
            progress.stage(Stage::Nodes(30, taken));
            line.counted(0, 30, None)
        };
        assert!(!shown(4).contains("memory"));
        assert!(shown(62).ends_with(", 62 % of the memory"), "{}", shown(62));
    }

    #[test]
    fn parts_of_the_work_are_numbered() {
        let line = Arc::new(line_of(Doing::Count(0, 0, None), Duration::ZERO));
        let progress = Progress { line: line.clone(), reminder: None };
        let told = |stage| {
            progress.stage(stage);
            match &line.latest.lock().0 {
                Doing::Words(words) => words.clone(),
                Doing::Count(..) => String::new(),
            }
        };
        assert_eq!(told(Stage::Part("nodes at most", 9, 9)), "100 % done (9 of 9 nodes at most)");
        let first = told(Stage::Part("questions", 1, 4));
        assert!(first.starts_with("part 2: 25 % done (1 of 4 questions)"), "{first}");
        // Another thread was slower to say so, which makes no difference to the pace.
        line.part.lock().as_mut().unwrap().begun = Instant::now() - Duration::from_secs(9);
        let late = told(Stage::Part("questions", 0, 4));
        assert!(late.starts_with("part 2: 0 % done"), "{late}");
        assert!(line.part("questions", 2).0.begun.elapsed() > Duration::from_secs(8));
        // Another part of the same name, which may begin with more than the last one ended with.
        progress.stage(Stage::Begin("questions"));
        let third = told(Stage::Part("questions", 3, 4));
        assert!(third.starts_with("part 3: 75 % done (3 of 4 questions)"), "{third}");
        // One that reported nothing is not counted.
        progress.stage(Stage::Begin("playouts"));
        progress.stage(Stage::Begin("answers"));
        let fourth = told(Stage::Part("answers", 1, 4));
        assert!(fourth.starts_with("part 4: 25 % done (1 of 4 answers)"), "{fourth}");
    }

    #[test]
    fn a_line_that_stays_puts_off_the_next_one() {
        let mut line = line_of(Doing::Count(0, 0, None), FIRST);
        line.way = ReportStyle::Lines;
        let progress = Progress { line: Arc::new(line), reminder: None };
        progress.stage(Stage::Notice("the first line of the test of progress".to_owned()));
        assert!(!progress.line.is_due(FIRST, APART));
    }

    #[test]
    fn work_that_reports_nothing_is_shown_again_and_no_other() {
        let words = || Doing::Words("solving".to_owned());
        for (ago, is_shown) in [(Duration::ZERO, false), (Duration::from_secs(9), true)] {
            let line = line_of(words(), ago);
            line.remind();
            assert_eq!(line.shown.lock().is_some(), is_shown);
        }
    }

    #[test]
    fn what_was_known_before_is_not_taken_for_speed() {
        // Of 1000, 900 were known: 50 in five seconds leave 50 for five more.
        let pace = pace(50, 950, Some(1000), Duration::from_secs(5));
        assert_eq!(pace, ", 10 a second, 5 seconds left");
    }
}
