//! Files of strangers in the places of ours: links, pipes, other formats. They are refused before they
//! are read, and stay as they are.

use super::run::{Ran, fracas};
use super::scratch::Scratch;

/// Runs a line of the shell in which `fracas` is the program, for 30 seconds at most.
#[cfg(unix)]
fn soon(scratch: &Scratch, line: &str) -> Ran {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_fracas")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut command = std::process::Command::new("timeout");
    command.args(["30", "sh", "-c", line]).current_dir(scratch.path());
    command.env("FRACAS_CONFIG", "").env("PATH", path).stdin(std::process::Stdio::null());
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

/// A game of one roll and one pick.
fn with_toy() -> Scratch {
    let scratch = Scratch::empty();
    scratch.write(
        "rules/toy/rules.rhai",
        "//! # Toy\nfn setup(s) { #{ done: false } }\n\
         fn step() { this.choose(\"red\", \"pick\", [1, 2]); this.done = true; }\n\
         fn outcome() { if this.done { #{ result: \"end\", utility: #{ red: 1 } } } }\n",
    );
    scratch.write("rules/toy/scenarios/one.toml", "system = \"toy\"\n[setup]\n");
    scratch
}

#[cfg(unix)]
#[test]
fn cases_that_are_links_out_of_the_folder_are_not_read() {
    use std::os::unix::fs::symlink;
    let secret = Scratch::empty();
    secret.write("s.toml", "topsecret = [\n");
    secret.write("cases/s.toml", "topsecret = [\n");
    let scratch = with_toy();
    let link = scratch.file("rules/toy/cases/s.toml");
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(secret.file("s.toml"), &link).unwrap();
    for line in
        ["test", "test toy", "test rules/toy", "test rules/toy/cases", "test .", "check toy"]
    {
        let ran = fracas(line).inside(scratch.path()).run();
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains("it is a link that leads out of its folder"), "{line}: {said}");
        assert!(!said.contains("topsecret"), "{line}: {said}");
    }
    // What a person names may be anywhere.
    fracas("test rules/toy/cases/s.toml").inside(scratch.path()).run().exits(2).says("topsecret");
    // Nor is a folder that is a link gone into.
    std::fs::remove_file(&link).unwrap();
    symlink(secret.file("cases"), scratch.file("rules/toy/cases/more")).unwrap();
    let ran = fracas("test rules/toy/cases").inside(scratch.path()).run();
    ran.exits(2).says("holds no case file");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_opened_nowhere() {
    let scratch = Scratch::with_duel();
    scratch.write(
        "cup.toml",
        "scenarios = [\"duel/one_round\"]\nagents = [\"first\", \"random\"]\nformat = \"round_robin\"\ngames = 2\nexact = false\n",
    );
    soon(&scratch, "mkfifo p p.toml p.rhai p.history").exits(0);
    for line in [
        "fracas standings p",
        "fracas merge p p --out all.db",
        "fracas tournament cup.toml --out p",
        "fracas tournament p.toml",
        "fracas replay p.history",
        "echo ':load p.history' | fracas",
        "fracas solve duel/one_round --save p",
        "fracas play duel/one_round --house p.rhai",
        "fracas play duel/one_round --seat red=p.rhai",
        "fracas play 'duel/one_round' --seat 'red=solved(p)'",
        "fracas play p.toml",
        "fracas test p.toml",
        "fracas check p.toml",
        "fracas run p.rhai",
    ] {
        let ran = soon(&scratch, line);
        assert!(matches!(ran.code, Some(1 | 2)), "{line}: {ran:?}");
    }
    soon(&scratch, "mkdir own && mkfifo own/config.toml own/init.rhai").exits(0);
    soon(&scratch, "FRACAS_CONFIG=own fracas list").exits(0);
    // Nor in the place of what SQLite has beside a file.
    soon(&scratch, "fracas tournament cup.toml --quiet").exits(0);
    for end in ["journal", "wal"] {
        soon(&scratch, &format!("mkfifo cup.db-{end}")).exits(0);
        for line in [
            "fracas standings cup.db",
            "fracas tournament cup.toml",
            "fracas merge cup.db cup.db --out b.db",
        ] {
            let ran = soon(&scratch, line).exits(2);
            ran.says("it is a pipe or a device, not a file");
        }
        std::fs::remove_file(scratch.file(&format!("cup.db-{end}"))).unwrap();
    }
}

#[test]
fn a_value_too_long_for_a_file_of_results_is_not_read() {
    let scratch = Scratch::with_duel();
    scratch.write(
        "cup.toml",
        "scenarios = [\"duel/one_round\"]\nagents = [\"first\", \"random\"]\nformat = \"round_robin\"\ngames = 2\nexact = false\n",
    );
    fracas("tournament cup.toml --quiet").inside(scratch.path()).run().succeeds();
    let whole = std::fs::read(scratch.file("cup.db")).unwrap();
    for change in [
        "UPDATE meta SET value = zeroblob(20000000)",
        "INSERT INTO endings VALUES (9, zeroblob(20000000), '[]', NULL)",
        "UPDATE seatings SET command = zeroblob(20000000)",
    ] {
        scratch.write("bad.db", &whole);
        rusqlite::Connection::open(scratch.file("bad.db")).unwrap().execute_batch(change).unwrap();
        let ran = fracas("standings bad.db").inside(scratch.path()).run();
        ran.exits(2).says("a text in it is longer than 16 MiB");
    }
}

#[test]
fn a_saved_history_names_files_in_its_own_folder_or_those_it_knew() {
    let scratch = with_toy();
    scratch.write("elsewhere/own.rhai", "//! # Own\nfn step() { this.super(); }\n");
    let saved = "play toy/one --house elsewhere/own.rhai --seat red=first --save kept/a.history";
    std::fs::create_dir(scratch.file("kept")).unwrap();
    fracas(saved).inside(scratch.path()).run().succeeds();
    // Whoever saved it can play it again, as long as the rule is what it was.
    let replay = || fracas("replay kept/a.history --verify").inside(scratch.path()).run();
    replay().succeeds().prints("the same: 1 entry");
    scratch.write("elsewhere/own.rhai", "topsecret = [\n");
    for line in ["replay kept/a.history", "replay kept/a.history --force"] {
        let ran = fracas(line).inside(scratch.path()).run().exits(2);
        let ran = ran.says("names a file outside of this file's folder, `elsewhere/own.rhai`");
        assert!(!ran.stderr.contains("topsecret"), "{ran:?}");
    }
    // Beside the history it is the rule that is meant.
    scratch.write("kept/elsewhere/own.rhai", "//! # Own\nfn step() { this.super(); }\n");
    replay().succeeds().prints("the same: 1 entry");
    // An agent's file from elsewhere is not read, and nobody is seated.
    let history =
        scratch.read("kept/a.history").replace("red = \"first\"", "red = \"elsewhere/own.rhai\"");
    assert!(history.contains("elsewhere/own.rhai\"\n"), "{history}");
    std::fs::remove_dir_all(scratch.file("kept/elsewhere")).unwrap();
    scratch.write("elsewhere/own.rhai", "//! # Own\nfn step() { this.super(); }\n");
    scratch.write("kept/a.history", history);
    let nobody = "nobody is seated for red: `elsewhere/own.rhai` is not in the folder of this file";
    let lines = ":load kept/a.history\n:goto 0\n:play\n:save kept/b.history\n";
    fracas("").inside(scratch.path()).typing(lines).succeeds().says(nobody);
    fracas("replay kept/a.history").inside(scratch.path()).run().succeeds().says(nobody);
    // Saved again, the seat still has its agent: beside the file it would be taken.
    let kept = "red = \"elsewhere/own.rhai\"\n";
    assert!(scratch.read("kept/b.history").contains(kept), "{}", scratch.read("kept/b.history"));
}

#[test]
fn a_script_reaches_no_file_outside_by_a_word_that_has_its_path_inside() {
    let secret = Scratch::empty();
    secret.write("s.json", "topsecret");
    let outside = secret.file("s.json").display().to_string();
    let scratch = with_toy();
    for word in [format!("solved({outside})"), format!("{outside}(rate=3)")] {
        let code = format!("scenario(\"toy/one\").seat(\"red\", \"{word}\")");
        let ran = fracas("").with("-e").with(&code).inside(scratch.path()).run();
        let ran = ran.exits(1).says("scripts reach only files below the current folder");
        assert!(!ran.stderr.contains("topsecret"), "{ran:?}");
    }
}
