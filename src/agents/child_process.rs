//! A program that is spoken to by lines, as a child process with a group of its own: deadlines, the end of the
//! group, and the last lines of its stderr. Nothing here knows what the lines mean.

use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// A line of a program has at most this many bytes.
pub(super) const LONGEST: usize = 64 << 10;
/// Of what it writes to stderr this many bytes are kept: the last.
const KEPT: usize = 4 << 10;
/// Lines that nobody has asked for wait here; who writes more has to wait.
const WAITING: usize = 16;
/// Whoever waits for a line looks this often whether it is still wanted.
const TICK: Duration = Duration::from_millis(20);
/// A program whose end is wanted has this long.
const FAREWELL: Duration = Duration::from_millis(300);
/// What a program that ended wrote last has this long to arrive.
const DRAINED: Duration = Duration::from_millis(500);

/// The process groups of programs under way, for an end of this program that drops nothing.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Ends all programs under way with what they have begun: for who ends this program at once.
pub(crate) fn end_programs() {
    #[cfg(unix)]
    for &group in GROUPS.lock().iter() {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

#[derive(Debug)]
pub(super) enum Silence {
    Late,
    /// It ended: how, and the last lines of its stderr.
    Ended(String),
    /// It wrote this line before it was asked.
    Spoke(String),
    /// It wrote a line that is too long; its beginning.
    Flooded(String),
    Stopped,
}

/// A program under way. It ends with all processes that it has begun when this is dropped.
pub(super) struct ChildProcess {
    child: Child,
    /// Lines for it: a thread writes them, since it may read none.
    to: Option<Sender<String>>,
    /// The lines that it wrote; of one that is too long the beginning, as an error.
    from: Receiver<Result<String, String>>,
    stderr: Arc<Tail>,
    /// Whether its end was waited for: then its number may be another's.
    is_over: bool,
}

#[derive(Default)]
struct Tail {
    bytes: Mutex<VecDeque<u8>>,
    is_closed: AtomicBool,
}

impl ChildProcess {
    pub(super) fn begin(words: &[String]) -> std::io::Result<ChildProcess> {
        let (program, arguments) =
            words.split_first().ok_or_else(|| std::io::Error::from(ErrorKind::NotFound))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        GROUPS.lock().insert(child.id());
        let (to, lines) = channel::<String>();
        if let Some(mut stdin) = child.stdin.take() {
            std::thread::spawn(move || {
                // A program that reads no more is found out where it is waited for.
                while let Ok(line) = lines.recv() {
                    if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        let (sender, from) = sync_channel(WAITING);
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || read_lines(stdout, &sender));
        }
        let stderr = Arc::new(Tail::default());
        if let Some(from) = child.stderr.take() {
            let tail = stderr.clone();
            std::thread::spawn(move || tail.read(from));
        }
        Ok(ChildProcess { child, to: Some(to), from, stderr, is_over: false })
    }

    /// Sends a line and waits for one, at most for this long; `is_wanted` says whether the answer is still wanted.
    pub(super) fn ask(
        &mut self,
        line: &str,
        most: Duration,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<String, Silence> {
        match self.from.try_recv() {
            Ok(Ok(line)) => return Err(Silence::Spoke(line)),
            Ok(Err(line)) => return Err(Silence::Flooded(line)),
            Err(_) => {}
        }
        self.tell(line);
        let until = Instant::now() + most;
        let mut has_ended = false;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left.min(TICK)) {
                Ok(line) => return line.map_err(Silence::Flooded),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended(self.ended())),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::Late),
                Err(RecvTimeoutError::Timeout) if !is_wanted() => return Err(Silence::Stopped),
                // What it began may hold its stdout open; what it wrote itself has arrived in a tick.
                Err(RecvTimeoutError::Timeout) if has_ended => {
                    return Err(Silence::Ended(self.ended()));
                }
                Err(RecvTimeoutError::Timeout) => has_ended = self.has_ended(),
            }
        }
    }

    fn tell(&self, line: &str) {
        if let Some(to) = &self.to {
            // The thread that writes has ended where the program reads no more.
            let _ = to.send(format!("{line}\n"));
        }
    }

    /// How it ended, with the last lines of its stderr. One that only closed its stdout is ended.
    fn ended(&mut self) -> String {
        let by_itself = self.waits(FAREWELL);
        let status = self.end_group();
        let how = match status.filter(|_| by_itself) {
            Some(status) => status.to_string(),
            None => "it closed its output".to_owned(),
        };
        let until = Instant::now() + DRAINED;
        while !self.stderr.is_closed.load(Ordering::Acquire) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        let said = self.stderr.last_lines();
        if said.is_empty() { how } else { format!("{how}; its stderr ends: {said}") }
    }

    fn waits(&mut self, most: Duration) -> bool {
        let until = Instant::now() + most;
        while !self.has_ended() {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// Whether it has ended. Nobody learns its status here, so that its group keeps its number.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.is_over
            || matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), how), Ok(Some(_)))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        self.is_over || matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Ends it with all that it has begun; its status.
    fn end_group(&mut self) -> Option<ExitStatus> {
        if !std::mem::replace(&mut self.is_over, true) {
            // Once its end was waited for, its number may be another's.
            GROUPS.lock().remove(&self.child.id());
            #[cfg(unix)]
            {
                use rustix::process::{Pid, Signal, kill_process_group};
                let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            }
            let _ = self.child.kill();
        }
        self.child.wait().ok()
    }

    /// Sends a last line to all, waits a little for their ends, and ends who is left; whether nobody was.
    pub(super) fn dismiss(mut all: Vec<ChildProcess>, line: &str) -> bool {
        for process in &mut all {
            process.tell(line);
            process.to = None;
        }
        let until = Instant::now() + FAREWELL;
        let left = || until.saturating_duration_since(Instant::now());
        // None of the others has any time either where one took all of it.
        all.iter_mut().all(|process| process.waits(left()))
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.to = None;
        self.end_group();
    }
}

fn read_lines(from: impl Read, to: &SyncSender<Result<String, String>>) {
    let mut from = BufReader::new(from);
    loop {
        let mut line = Vec::new();
        let read = from.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line);
        let text = match line.last() {
            Some(b'\n') => Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
            _ if line.len() > LONGEST => Err(String::from_utf8_lossy(&line[..100]).into_owned()),
            _ => return,
        };
        // After one that is too long, or where nobody listens any more, nothing is read.
        let is_last = read.is_err() || text.is_err();
        if to.send(text).is_err() || is_last {
            return;
        }
    }
}

impl Tail {
    fn read(&self, mut from: impl Read) {
        let mut chunk = vec![0; 4 << 10];
        loop {
            match from.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => {
                    let mut bytes = self.bytes.lock();
                    bytes.extend(&chunk[..read]);
                    let over = bytes.len().saturating_sub(KEPT);
                    bytes.drain(..over);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        self.is_closed.store(true, Ordering::Release);
    }

    fn last_lines(&self) -> String {
        let bytes: Vec<u8> = self.bytes.lock().iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(3)..].join(" | ")
    }
}
