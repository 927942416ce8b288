//! Runs the program at a pseudoterminal (pty) and reads back the screen that a person sees. No test
//! sleeps for a fixed time: each waits for a text on the screen.

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

pub const CTRL_C: &str = "\u{3}";
pub const CTRL_D: &str = "\u{4}";
pub const CTRL_R: &str = "\u{12}";
pub const UP: &str = "\u{1b}[A";
pub const DOWN: &str = "\u{1b}[B";
pub const RIGHT: &str = "\u{1b}[C";
pub const LEFT: &str = "\u{1b}[D";
pub const F1: &str = "\u{1b}OP";
pub const ALT_ENTER: &str = "\u{1b}\r";
pub const BACKSPACE: &str = "\u{7f}";
pub const TAB: &str = "\t";

/// Long enough for a machine that is busy with something else.
const PATIENCE: Duration = Duration::from_secs(600);

/// How the program is started.
pub struct Start {
    pub columns: u16,
    pub rows: u16,
    pub arguments: &'static [&'static str],
    pub environment: &'static [(&'static str, &'static str)],
    pub folder: tempfile::TempDir,
}

impl Default for Start {
    fn default() -> Start {
        let folder = tempfile::tempdir().unwrap();
        Start { columns: 80, rows: 30, arguments: &[], environment: &[], folder }
    }
}

/// The program at a terminal.
pub struct Terminal {
    screen: Arc<Mutex<vt100::Parser>>,
    /// Everything that the program has written, byte by byte.
    written: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    folder: tempfile::TempDir,
    master: Box<dyn MasterPty + Send>,
}

impl Start {
    pub fn open(self) -> Terminal {
        let pair = native_pty_system().openpty(size(self.columns, self.rows)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_fracas"));
        command.args(["--seed", "7"]);
        command.args(self.arguments);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        for name in ["COLUMNS", "NO_COLOR", "ACCESSIBLE"] {
            command.env_remove(name);
        }
        // A pager that waits for keys would be another program to test.
        command.env("PAGER", "");
        command.env("XDG_STATE_HOME", self.folder.path());
        // What whoever runs the tests wants every time is not what is tested.
        command.env("FRACAS_CONFIG", self.folder.path());
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        for (name, value) in self.environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let parser = vt100::Parser::new(whole(self.rows), whole(self.columns), 0);
        let screen = Arc::new(Mutex::new(parser));
        let written = Arc::new(Mutex::new(Vec::new()));
        let (shown, kept) = (screen.clone(), written.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                kept.lock().unwrap().extend(&bytes[..count]);
                shown.lock().unwrap().process(&bytes[..count]);
            }
        });
        Terminal { screen, written, keys, child, folder: self.folder, master: pair.master }
    }
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn whole(size: u16) -> NonZero<u16> {
    NonZero::new(size).unwrap()
}

impl Terminal {
    pub fn open(columns: u16, folder: tempfile::TempDir) -> Terminal {
        Start { columns, folder, ..Start::default() }.open()
    }

    /// A terminal of 80 columns, at its first prompt.
    pub fn new() -> Terminal {
        let terminal = Start::default().open();
        terminal.wait_last("fracas>");
        terminal
    }

    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Changes the size of the window.
    pub fn resize(&self, columns: u16, rows: u16) {
        // The screen first: what is drawn anew is drawn for the new size.
        self.screen.lock().unwrap().screen_mut().set_size(whole(rows), whole(columns));
        self.master.resize(size(columns, rows)).unwrap();
    }

    /// The rows of the screen, without the empty ones at its end.
    pub fn lines(&self) -> Vec<String> {
        let screen = self.screen.lock().unwrap();
        let screen = screen.screen();
        let rows = screen.rows(0, screen.size().1.get());
        let mut lines: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    /// Row and column of the cursor, from 0.
    pub fn cursor(&self) -> (u16, u16) {
        self.screen.lock().unwrap().screen().cursor_position()
    }

    /// The look of the first letter of a text, on the last row that contains it: its colour, and
    /// whether it is dim, bold and underlined.
    pub fn look(&self, text: &str) -> Option<(vt100::Color, bool, bool, bool)> {
        let screen = self.screen.lock().unwrap();
        let screen = screen.screen();
        let (rows, columns) = screen.size();
        let found = (0..rows.get()).rev().find_map(|row| {
            let letters: Vec<String> = (0..columns.get())
                .map(|column| {
                    let cell = screen.cell(row, column).map(|cell| cell.contents().to_owned());
                    cell.filter(|text| !text.is_empty()).unwrap_or_else(|| " ".to_owned())
                })
                .collect();
            let wanted: Vec<String> = text.chars().map(String::from).collect();
            let at = letters.windows(wanted.len()).position(|window| *window == wanted[..])?;
            Some((row, u16::try_from(at).unwrap()))
        });
        let (row, column) = found?;
        let cell = screen.cell(row, column)?;
        Some((cell.fgcolor(), cell.dim(), cell.bold(), cell.underline()))
    }

    /// Everything that the program has written.
    pub fn written(&self) -> Vec<u8> {
        self.written.lock().unwrap().clone()
    }

    pub fn wait(&self, what: &str, done: impl Fn(&[String]) -> bool) {
        self.until(what, || done(&self.lines()));
    }

    /// Waits until a condition holds.
    pub fn until(&self, what: &str, done: impl Fn() -> bool) {
        let since = Instant::now();
        while !done() {
            let lines = self.lines();
            assert!(since.elapsed() < PATIENCE, "no {what} on the screen:\n{}", lines.join("\n"));
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until this is the last line.
    pub fn wait_last(&self, last: &str) {
        self.wait(last, |lines| lines.last().is_some_and(|line| line == last));
    }

    /// Waits until this is one of the lines.
    pub fn wait_line(&self, text: &str) {
        self.wait(text, |lines| lines.iter().any(|line| line == text));
    }

    /// Waits until these are the last lines.
    pub fn wait_end(&self, end: &[&str]) {
        self.wait(&end.join("\n"), |lines| {
            lines.len() >= end.len() && lines[lines.len() - end.len()..] == *end
        });
    }

    /// Waits until the cursor is at a row and column.
    pub fn wait_cursor(&self, place: (u16, u16)) {
        self.until(&format!("cursor at {place:?}"), || self.cursor() == place);
    }

    /// Leaves with Ctrl-D; the exit code must be 0.
    pub fn leave(self) {
        assert_eq!(self.end_input().0, 0);
    }

    /// Presses Ctrl-D until the program ends: where a command still runs, the terminal itself takes it, as the
    /// end of a line that nobody reads.
    pub fn end_input(mut self) -> (u32, tempfile::TempDir) {
        let mut pressed: Option<Instant> = None;
        let since = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(since.elapsed() < PATIENCE, "it does not end:\n{}", self.lines().join("\n"));
            if pressed.is_none_or(|at| at.elapsed() > Duration::from_secs(1)) {
                // It may have ended by now.
                let _ = self.keys.write_all(CTRL_D.as_bytes()).and_then(|()| self.keys.flush());
                pressed = Some(Instant::now());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.exit_code()
    }

    /// Sends SIGTERM.
    #[cfg(unix)]
    pub fn terminate(&self) {
        let number = self.child.process_id().unwrap().to_string();
        let sent = std::process::Command::new("kill").args(["-TERM", &number]).status();
        assert!(sent.unwrap().success());
    }

    pub fn exit_code(mut self) -> (u32, tempfile::TempDir) {
        let since = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status.exit_code(), self.folder);
            }
            assert!(since.elapsed() < PATIENCE, "it does not end:\n{}", self.lines().join("\n"));
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
