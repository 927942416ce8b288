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
            for line in std::io::stdin().lock().lines() {
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
