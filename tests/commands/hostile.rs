//! Tests that text from rules cannot send control sequences to the user's terminal.

use super::run::{Ran, fracas};
use super::scratch::Scratch;

/// Rules with control sequences of a terminal in every text that they can write.
const RULES: &str = r#"//! # Evil \x1b[2J title
/// Begins \x1b[2J it.
fn setup(scenario) { #{ over: false, picked: 0 } }
/// Asks \x9b2J.
fn step() { this.picked = this.choose("red", "bid", ["\x1b[2Ja", "\u009b2Jb"]); this.emit("\x1b]0;x\x07"); this.over = true; }
/// Ends.
fn outcome() {
    if !this.over { return; }
    let ended = #{ result: "\x1b[2Jwon", utility: #{} , "k\x1b[1m": "\u009b2J" };
    ended.utility["re\x1b[31md"] = 1;
    ended.utility.red = 0;
    ended
}
fn picture() { "\x1b[2J" }
"#;

#[track_caller]
fn is_tame(ran: &Ran) {
    let wild = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(!ran.stdout.contains(wild) && !ran.stderr.contains(wild), "{ran:?}");
}

#[test]
fn rules_cannot_command_the_terminal() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    // The comments hold the characters themselves, the texts hold escapes.
    let mut lines: Vec<String> = RULES.lines().map(str::to_owned).collect();
    for line in lines.iter_mut().filter(|line| line.starts_with("//")) {
        *line = line.replace("\\x1b", "\u{1b}").replace("\\x9b", "\u{9b}");
    }
    scratch.write("rules/evil/rules.rhai", lines.join("\n"));
    let scenario = "title = \"\\u001b[2J\"\nsystem = \"evil\"\n[setup]\n";
    scratch.write("rules/evil/scenarios/one.toml", scenario);
    let mut played = 0;
    for json in ["", " --json"] {
        let run = |line: &str| fracas(&format!("{line}{json}")).inside(here);
        let ran = run("play evil/one --seed 1 --save saved.txt").run();
        played += usize::from(ran.code == Some(0));
        is_tame(&ran);
        for line in ["replay saved.txt", "list", "list evil", "doc evil", "check evil"] {
            is_tame(&run(line).run());
        }
        is_tame(&run("").typing(":open evil/one\n:options\n:history\n:list evil\n"));
    }
    assert_eq!(played, 2, "the rules are played, or nothing has been tried");
}

#[test]
fn a_quoted_line_cannot_command_the_terminal_even_in_colours() {
    let scratch = Scratch::with_duel();
    scratch.write("bad.toml", "system = \"duel\u{1b}[2J\u{9b}2J\"\n");
    let ran = fracas("play bad.toml --color always").inside(scratch.path()).run().exits(2);
    assert!(!ran.stderr.contains("\u{1b}[2J") && !ran.stderr.contains('\u{9b}'), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_pipe_given_as_a_script_is_refused_at_once() {
    let scratch = Scratch::with_duel();
    let here = scratch.path();
    let pipe = scratch.file("pipe.rhai");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    fracas("play duel/one_round --house ./pipe.rhai")
        .inside(here)
        .run()
        .exits(2)
        .says("it is a pipe or a device");
    // A file that is called as typed lines are is not quoted for them.
    let stdin = scratch.file("stdin");
    assert!(std::process::Command::new("mkfifo").arg(stdin).status().unwrap().success());
    fracas("").inside(here).typing(":open duel/one_rond\n").exits(2);
}
