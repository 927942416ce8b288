//! Tests that a full disk leads to a clear error, and that earlier results are kept.
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

use super::run::fracas;
use super::scratch::Scratch;

/// A tournament of 1,200 games that are played, not computed, so that there are results to write.
const CUP: &str = "scenarios = [\"duel/strength\"]\nexact = false\n\
    agents = [\"random\", \"highest\", \"middle\"]\nformat = \"round_robin\"\ngames = 400\nseed = 3\n";

/// Runs the program where no file may be larger than this many blocks of 512 bytes, as on a full
/// disk: a write beyond that fails, but does not end the program.
fn confined(scratch: &Scratch, blocks: u32, line: &str) -> std::process::Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {line}");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_fracas")]).current_dir(scratch.path());
    command.env_remove("COLUMNS").output().unwrap()
}

fn told(scratch: &Scratch, out: &str) -> String {
    let line = format!("tournament cup.toml --quiet --json --out {out}");
    fracas(&line).inside(scratch.path()).run().succeeds().stdout
}

#[test]
fn a_full_disk_keeps_what_was_written_and_the_same_command_goes_on() {
    let scratch = Scratch::with_duel();
    scratch.write("cup.toml", CUP);
    let expected = told(&scratch, "whole.db");
    for blocks in [0, 8, 32, 48, 64] {
        let out = confined(&scratch, blocks, "tournament cup.toml --out cup.db");
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{blocks}: {said}");
        assert!(said.contains("error: cannot write `cup.db`: "), "{blocks}: {said}");
        assert!(said.contains("what was written before is kept"), "{blocks}: {said}");
    }
    assert_eq!(told(&scratch, "cup.db"), expected);
}

#[test]
fn a_merge_that_does_not_fit_leaves_nothing() {
    let scratch = Scratch::with_duel();
    scratch.write("cup.toml", CUP);
    told(&scratch, "cup.db");
    let out = confined(&scratch, 72, "merge cup.db --out all.db");
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot write `all.db`: "), "{said}");
    let left: Vec<String> =
        scratch.names().into_iter().filter(|name| name.contains("all.db")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn pages_and_lists_that_do_not_fit_are_named() {
    let scratch = Scratch::with_duel();
    scratch.write("cup.toml", CUP.replace("400", "20"));
    for option in ["--report", "--games"] {
        let line = format!("tournament cup.toml {option} /dev/full");
        let ran = fracas(&line).inside(scratch.path()).run().exits(2);
        ran.says("cannot write `/dev/full`: ");
    }
    // For programs what is wrong is on stdout, as long as that can be written.
    for line in [
        "tournament cup.toml",
        "odds duel/one_round --json",
        "odds nowhere --json",
        "help",
        "help odds",
        "odds --help",
        "--version",
    ] {
        let script = format!("exec \"$0\" {line} > /dev/full");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_fracas")]).current_dir(scratch.path());
        let out = command.output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{line}: {said}");
        let why = match line.contains("nowhere") {
            true => "unknown scenario `nowhere`",
            false => "cannot write `stdout`: no space left on device",
        };
        assert!(said.contains(why), "{line}: {said}");
    }
}

#[test]
fn files_are_written_where_nobody_reads_what_is_printed() {
    let scratch = Scratch::empty();
    for (line, file) in [
        ("play war_die/ford --seat red=first --seat blue=first --seed 3 --save", "a.fracas"),
        ("solve war_die/ford --all --efg", "a.efg"),
        ("sweep war_die/ford faces=2..4 --svg", "a.svg"),
    ] {
        fracas(&format!("{line} read.{file}")).inside(scratch.path()).run().succeeds();
        let line = format!("{line} {file}");
        let mut command = fracas(&line).inside(scratch.path()).command();
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // Whoever reads is gone before anything is printed.
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{line}");
        assert_eq!(scratch.read(file), scratch.read(&format!("read.{file}")), "{line}");
    }
}

#[test]
fn a_case_or_a_house_rule_that_does_not_fit_leaves_nothing() {
    let scratch = Scratch::with_duel();
    for (lines, file) in [
        (":open duel/one_round --seat red=human --seed 3\n:case mine\n", "cases/mine.toml"),
        (":open duel/one_round\n:house new mine beats\n", "house/mine.rhai"),
    ] {
        scratch.write("lines.txt", lines);
        let out = confined(&scratch, 0, "< lines.txt");
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(said.contains("cannot write `") && said.contains(file), "{said}");
        assert!(!scratch.file(&format!("rules/duel/{file}")).exists(), "{said}");
        assert!(!scratch.names().iter().any(|name| name.ends_with(".tmp")), "{said}");
    }
}
