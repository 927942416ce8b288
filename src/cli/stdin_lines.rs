//! Lines of stdin or of a connection, read so that Ctrl-C can interrupt them, and the flag that Ctrl-C raises.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;

use crate::agents::end_programs;
use crate::catalog::unmarked;
use crate::error::Error;

/// The name of stdin in messages.
pub(super) const STDIN: &str = "stdin";

/// How long Ctrl-C may go unnoticed.
pub(super) const PATIENCE: Duration = Duration::from_millis(20);

/// Lines that somebody writes. A thread of its own reads them, for a read that waits cannot be stopped.
pub(super) struct Lines {
    /// Where they come from, for messages.
    name: &'static str,
    read: Receiver<std::io::Result<Option<String>>>,
    interrupt: Arc<AtomicBool>,
    pub(super) count: usize,
}

pub(super) enum StdinLine {
    /// Its text, without its end.
    Text(String),
    /// One with bytes that are no text, in words with its number; the next one may be read.
    NoText(Error),
}

impl Lines {
    /// Starts to read the lines of stdin; the flag ends a wait.
    pub(super) fn new(interrupt: Arc<AtomicBool>) -> Lines {
        Lines::of(STDIN, std::io::stdin(), interrupt)
    }

    /// Starts to read lines; the flag ends a wait.
    pub(super) fn of(
        name: &'static str,
        from: impl Read + Send + 'static,
        interrupt: Arc<AtomicBool>,
    ) -> Lines {
        let (send, read) = sync_channel(1);
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            let mut is_first = true;
            while let Some(line) = next_line(&mut from).transpose() {
                let line = if is_first {
                    line.map(|line| line.map(|line| unmarked(&line).to_owned()))
                } else {
                    line
                };
                is_first = false;
                // Behind a line that is too long there may be others.
                let is_last = line.as_ref().is_err_and(|why| why.kind() != ErrorKind::InvalidData);
                if send.send(line).is_err() || is_last {
                    return;
                }
            }
        });
        Lines { name, read, interrupt, count: 0 }
    }

    /// The next line; `None` where there are no more. After an error that is no interrupt it may be asked again.
    pub(super) fn next(&mut self) -> Result<Option<StdinLine>, Error> {
        loop {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            match self.read.recv_timeout(PATIENCE) {
                Ok(line) => {
                    self.count += 1;
                    return match line.map_err(|error| Error::file("read", self.name, error))? {
                        Some(line) => Ok(Some(StdinLine::Text(line))),
                        None => Ok(Some(StdinLine::NoText(Error::file(
                            "read",
                            self.name,
                            format!("line {} is not UTF-8 text, and is left out", self.count),
                        )))),
                    };
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Longer lines are refused, in bytes: one that never ends must not fill the memory.
const LONGEST: u64 = 1 << 20;

/// The next line without its end, of which there is no text where its bytes are none; nothing where there
/// are no more.
fn next_line(from: &mut impl BufRead) -> std::io::Result<Option<Option<String>>> {
    let mut bytes = Vec::new();
    if from.by_ref().take(LONGEST + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 > LONGEST {
        while !bytes.ends_with(b"\n") {
            bytes.clear();
            if from.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
        }
        let reason = "a line of it is longer than 1 MiB";
        return Err(std::io::Error::new(ErrorKind::InvalidData, reason));
    }
    Ok(Some(String::from_utf8(bytes).ok().map(|line| {
        let line = line.strip_suffix('\n').unwrap_or(&line);
        line.strip_suffix('\r').unwrap_or(line).to_owned()
    })))
}

// What ends long work: Ctrl-C, or a signal of another program. It raises one flag, at which scripts
// and readers look; twice in a row it ends the program.

/// The exit code after Ctrl-C.
const CTRL_C: u8 = 130;
/// The exit code for what raised the flag last.
static CODE: AtomicU8 = AtomicU8::new(CTRL_C);

/// The exit code of a program that was interrupted: 130 by Ctrl-C, 143 by SIGTERM, 129 where its
/// terminal is gone.
pub(super) fn code() -> u8 {
    CODE.load(Ordering::Relaxed)
}

/// Whether the program is to end rather than what it does: after any signal but Ctrl-C.
pub(super) fn is_ending() -> bool {
    code() != CTRL_C
}

/// Waits for a line of a person's, who may never type one: meanwhile a signal but Ctrl-C ends the program at once, and
/// leaves the terminal as it was, behind these letters. What was played must be kept by then.
pub(super) fn waiting<T>(letters: String, wait: impl FnOnce() -> T) -> T {
    *TERMINAL.lock() = terminal::settings().map(|settings| (letters, settings));
    if is_ending() {
        end();
    }
    let read = wait();
    *TERMINAL.lock() = None;
    read
}

/// What ends a line that is begun, and how the terminal was when somebody began to wait for it; nothing while nobody
/// does.
static TERMINAL: Mutex<Option<(String, terminal::Settings)>> = Mutex::new(None);

/// Ends the program at once.
fn end() -> ! {
    if let Some((letters, settings)) = &*TERMINAL.lock() {
        _ = std::io::stderr().write_all(letters.as_bytes());
        terminal::restore(settings);
    }
    end_programs();
    std::process::exit(i32::from(code()))
}

#[cfg(unix)]
mod terminal {
    use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};

    pub(super) type Settings = nix::sys::termios::Termios;

    pub(super) fn settings() -> Option<Settings> {
        tcgetattr(std::io::stdin()).ok()
    }

    pub(super) fn restore(settings: &Settings) {
        // A terminal that is gone needs nothing.
        _ = tcsetattr(std::io::stdin(), SetArg::TCSANOW, settings);
    }
}

#[cfg(not(unix))]
mod terminal {
    pub(super) type Settings = ();

    pub(super) fn settings() -> Option<()> {
        None
    }

    pub(super) fn restore((): &()) {}
}

/// The flag that an interrupt raises, one for the whole program; the second one before somebody has
/// lowered it ends the program.
pub(super) fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let made = || {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        listen(move |code| {
            CODE.store(code, Ordering::Relaxed);
            let waits = is_ending() && TERMINAL.lock().is_some();
            if raised.swap(true, Ordering::Relaxed) || waits {
                end();
            }
        });
        flag
    };
    FLAG.get_or_init(made).clone()
}

/// Calls back at each interrupt, with the exit code that says which it was. Where nobody can listen, it
/// ends the program as it does elsewhere.
#[cfg(unix)]
fn listen(raise: impl Fn(u8) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
        return;
    };
    std::thread::spawn(move || {
        // A shell adds 128 to the number of the signal that ended a program.
        signals.forever().for_each(|signal| raise(u8::try_from(128 + signal).unwrap_or(CTRL_C)));
    });
}

/// The same where the system does not say what it was.
#[cfg(not(unix))]
fn listen(raise: impl Fn(u8) + Send + 'static) {
    let _ = ctrlc::set_handler(move || raise(CTRL_C));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_bound_and_are_text() {
        let lines = |bytes: &[u8]| {
            let mut from = bytes;
            let all = std::iter::from_fn(|| next_line(&mut from).transpose());
            all.map(|line| line.map_err(|error| error.to_string())).take(4).collect::<Vec<_>>()
        };
        let ok = |line: &str| Ok(Some(line.to_owned()));
        assert_eq!(lines(b"a\r\n\nb"), [ok("a"), ok(""), ok("b")]);
        assert_eq!(lines(b"\xff\nb\n"), [Ok(None), ok("b")]);
        let mut long = vec![b'x'; 3 * LONGEST as usize];
        long.extend(b"\nb");
        assert_eq!(lines(&long), [Err("a line of it is longer than 1 MiB".to_owned()), ok("b")]);
    }
}
