//! Tests that one Ctrl-C ends a command at once, with the exit code 130.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::run::fracas;
use super::scratch::Scratch;

/// Longer than any machine takes, however slow and busy it is: what takes so long hangs.
const PATIENCE: Duration = Duration::from_secs(600);

/// Sends Ctrl-C as soon as the program catches it: before that it would end any program.
pub fn interrupt(child: &Child) {
    while !catches_interrupts(child.id()) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Whether a process that lives has a handler for SIGINT, where the system reports it.
fn catches_interrupts(id: u32) -> bool {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{id}/status")) else { return true };
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Signals are counted from 1, and SIGINT is the second.
    status.contains("State:\tZ") || caught.is_none_or(|mask| mask & 0b10 != 0)
}

#[track_caller]
pub fn ends_with_130(mut child: Child) {
    let since = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(130));
            return;
        }
        if since.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_wait_for_a_line_ends_and_what_was_played_is_kept() {
    let scratch = Scratch::with_duel();
    let line = "play duel/three_rounds --seed 1 --seat red=human --save kept.txt";
    let mut command = fracas(line).inside(scratch.path()).command();
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let stdin = child.stdin.take();
    let mut stderr = child.stderr.take().unwrap();
    let mut said = Vec::new();
    // The question tells that it waits.
    while !said.ends_with(b"?\n") {
        let mut byte = [0];
        stderr.read_exact(&mut byte).unwrap();
        said.push(byte[0]);
    }
    interrupt(&child);
    std::thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
    ends_with_130(child);
    drop(stdin);
    assert!(scratch.file("kept.txt").exists());
}

#[test]
fn long_work_reports_progress_in_a_pipe_and_ends() {
    // A step that takes long, and more playouts, or cases, than any machine is through with in some seconds. The cases
    // are in a folder of their own, since `check` reads them before it plays.
    let [playouts, cases] = [(); 2].map(|()| {
        let scratch = Scratch::with_duel();
        scratch.edit("rules/duel/rules.rhai", "fn step() {", "fn step() { for i in 0..200000 {}");
        scratch
    });
    let text = cases.read("rules/duel/cases/rounds.toml");
    let (head, rest) = text.split_once("[[case]]").unwrap();
    let many = format!("[[case]]{rest}\n").repeat(300);
    cases.write("rules/duel/cases/rounds.toml", format!("{head}{many}"));
    // All at once, since the first line comes after four seconds.
    let begun = [
        (&cases, "test --threads 1 --plain", "cases"),
        (&playouts, "check duel --playouts 100000000 --threads 1", "checking `duel/"),
        (&playouts, "solve battle_tiles/dealt --threads 1", "nodes"),
        (
            &playouts,
            "portrait battle_tiles/dealt -n 100000000 --threads 1 --plain",
            "the portrait may take ",
        ),
    ]
    .map(|(scratch, line, what)| {
        let mut command = fracas(line).inside(scratch.path()).command();
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        (line, what, child)
    });
    for (line, what, mut child) in begun {
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let said = lines.find(|said| said.as_ref().unwrap().contains(what));
        assert!(said.is_some(), "{line}: ended without a word of {what}");
        interrupt(&child);
        ends_with_130(child);
    }
}

/// Interrupts a command after ever longer waits until `enough` accepts what it printed; returns that, and what it
/// said on the error stream.
pub fn interrupted(
    line: &str,
    scratch: &Scratch,
    enough: impl Fn(&Value) -> bool,
) -> (Value, String) {
    for millis in [100, 1_000, 10_000, 100_000] {
        let mut command = fracas(line).inside(scratch.path()).command();
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let mut said = vec![0];
        stderr.read_exact(&mut said).unwrap();
        let rest = std::thread::spawn(move || {
            stderr.read_to_end(&mut said).unwrap();
            String::from_utf8(said).unwrap()
        });
        std::thread::sleep(Duration::from_millis(millis));
        interrupt(&child);
        ends_with_130(child);
        let mut printed = String::new();
        stdout.read_to_string(&mut printed).unwrap();
        let json: Value = serde_json::from_str(&printed).unwrap();
        if enough(&json) {
            return (json, rest.join().unwrap());
        }
    }
    panic!("{line}: nothing is known after two minutes");
}

#[test]
fn odds_and_estimates_that_take_long_do_and_say_what_they_have() {
    let (scratch, seats) = (Scratch::empty(), "--seat red=random --seat blue=random --json");
    let odds = format!("odds battle_tiles/dealt {seats}");
    interrupted(&odds, &scratch, |json| json["reason"].is_string());
    let estimate = format!("estimate battle_tiles/dealt {seats} -n 100000000");
    let (json, _) = interrupted(&estimate, &scratch, |json| json["n"].as_u64() > Some(0));
    assert_eq!(json["complete"], false);
    assert!(json["utility"]["red"]["mean"].is_number(), "{json}");
}
