//! Tests the progress line on a terminal: it is redrawn in place, and erased at the end.
#![cfg(unix)]

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::run::fracas;
use super::scratch::Scratch;

/// Long enough for a machine that is busy with something else.
const PATIENCE: Duration = Duration::from_secs(600);
const ROWS: u16 = 30;

#[test]
fn the_line_of_progress_is_gone_after_ctrl_c_and_what_was_played_is_kept() {
    let scratch = Scratch::empty();
    scratch.write(
        "cup.toml",
        "scenarios = [\"war_die/campaign\"]\nagents = [\"random\", \"first\", \"cautious\"]\n\
         format = \"round_robin\"\ngames = 1500\n",
    );
    for columns in [60, 100] {
        let size = PtySize { rows: ROWS, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_fracas"));
        command.args([
            "tournament",
            "cup.toml",
            "--threads",
            "1",
            "--out",
            &format!("{columns}.db"),
        ]);
        command.cwd(scratch.path());
        command.env("TERM", "xterm");
        command.env("LC_ALL", "C.UTF-8");
        command.env_remove("COLUMNS");
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut keys = pair.master.take_writer().unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let whole = |size| NonZero::new(size).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(whole(ROWS), whole(columns), 0)));
        let shared = screen.clone();
        let reading = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                shared.lock().unwrap().process(&bytes[..count]);
            }
        });
        let shown = || screen.lock().unwrap().screen().contents();
        let since = Instant::now();
        while !shown().contains(" of 1500 games)") {
            assert!(since.elapsed() < PATIENCE, "no progress on the screen:\n{}", shown());
            std::thread::sleep(Duration::from_millis(10));
        }
        // What terminals do with the key: they raise the signal, and show `^C` where the cursor is.
        keys.write_all(b"\x03").unwrap();
        assert_eq!(child.wait().unwrap().exit_code(), 130);
        drop(pair.master);
        reading.join().unwrap();
        let shown = shown();
        let words: Vec<&str> = shown.split_whitespace().collect();
        assert!(words.join(" ").contains("the same command resumes it"), "{shown}");
        for left in ["% done", "^C", "█", "░"] {
            assert!(!shown.contains(left), "`{left}` is left on the screen:\n{shown}");
        }
        let line = format!("tournament cup.toml --out {columns}.db --shard 1/2");
        fracas(&line).inside(scratch.path()).run().exits(2).says("it was the whole");
        let line = format!("merge {columns}.db --out told{columns}.db --json");
        let json = fracas(&line).inside(scratch.path()).run().exits(1).json();
        let games = json["games"].as_u64().unwrap();
        assert!((1..1500).contains(&games), "{games} games were kept");
    }
}

#[test]
fn the_manual_is_readable_on_a_terminal() {
    let size = PtySize { rows: ROWS, cols: 100, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_fracas"));
    command.args(["man", "odds"]);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut shown = Vec::new();
    // At its end a terminal that nobody has any more is an error on some systems.
    let _ = reader.read_to_end(&mut shown);
    let shown = String::from_utf8_lossy(&shown);
    assert!(child.wait().unwrap().success(), "{shown}");
    assert!(shown.contains("Usage: fracas odds") && !shown.contains(".TH"), "{shown}");
    assert!(shown.contains("`fracas man odds | man -l -`"), "{shown}");
}
