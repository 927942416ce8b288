//! Which lines come from stdin? Ctrl-C ends the wait for the next one.

use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::error::Error;

/// How long Ctrl-C may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(20);

/// The lines of stdin. A thread of its own reads them, for a read that waits cannot be stopped.
pub struct Lines {
    read: Receiver<std::io::Result<String>>,
    interrupt: Arc<AtomicBool>,
}

impl Lines {
    /// The lines from here on; the flag ends a wait.
    pub fn new(interrupt: Arc<AtomicBool>) -> Lines {
        let (send, read) = sync_channel(1);
        std::thread::spawn(move || {
            for (number, line) in std::io::stdin().lock().lines().enumerate() {
                let line = if number == 0 { line.map(without_mark) } else { line };
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Lines { read, interrupt }
    }

    /// The next line without its end; `None` where there are no more.
    ///
    /// # Errors
    /// [`Error::File`] where stdin cannot be read; [`Error::Interrupted`].
    pub fn next(&mut self) -> Result<Option<String>, Error> {
        loop {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            match self.read.recv_timeout(PATIENCE) {
                Ok(Ok(line)) => return Ok(Some(line)),
                Ok(Err(error)) => return Err(Error::file("read", "stdin", error)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The first line of a file without the byte order mark that some editors put before it.
fn without_mark(line: String) -> String {
    line.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        assert_eq!(without_mark("\u{feff}:list".to_owned()), ":list");
        assert_eq!(without_mark(":list".to_owned()), ":list");
    }
}
