//! A league that runs: others read its standings, and a signal ends it with everything kept.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fracas::tournament::Results;
use serde_json::Value;

use super::run::fracas;
use super::scratch::Scratch;

/// Too many games to come to an end.
const LONG: &str = "scenarios = [\"battle_tiles/four_by_four\"]\n\
    agents = [\"random\", \"first\", \"positional\"]\nformat = \"round_robin\"\ngames = 50000\nseed = 3\n";

/// A league that has kept some games.
fn begun(scratch: &Scratch) -> Child {
    scratch.write("cup.toml", LONG);
    let mut command =
        fracas("tournament cup.toml --json --no-exact").inside(scratch.path()).command();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let games = || Results::read(&scratch.file("cup.db")).and_then(|results| results.len());
    while games().unwrap_or(0) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended without a game");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

/// Nearly all that an answer may use is used to find an option, each as likely as the others: whatever
/// follows from these is looked into for minutes.
const SLOW: &str = "fn decide(view, decision) {\n    let i = 0;\n    while i < 100000 { i += 1; }\n    \
    uniform(decision.options)\n}\n";

/// The last option, always the same.
const LAST: &str = "fn decide(view, decision) { decision.options[decision.options.len - 1] }\n";

#[test]
fn signals_end_a_search_for_exact_pairings_and_keep_what_it_found() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let scratch = Scratch::with_duel();
        let league = LONG.replace(
            "\"random\", \"first\", \"positional\"",
            "\"first\", \"last.rhai\", \"slow.rhai\"",
        );
        scratch.write("cup.toml", league);
        scratch.write("slow.rhai", SLOW);
        scratch.write("last.rhai", LAST);
        let mut command = fracas("tournament cup.toml --json").inside(scratch.path()).command();
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The two that are quick are known, in both seatings, while it looks into the others.
        let known = || {
            let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
            let reader =
                rusqlite::Connection::open_with_flags(scratch.file("cup.db"), flags).ok()?;
            let select = "SELECT count(*) FROM exact WHERE ends IS NOT NULL";
            reader.query_row(select, [], |row| row.get::<_, i64>(0)).ok()
        };
        while known() != Some(2) {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
            std::thread::sleep(Duration::from_millis(10));
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains("the same command resumes it"), "{said}");
        assert_eq!((known(), games(&standings(&scratch))), (Some(2), 0));
    }
}

fn standings(scratch: &Scratch) -> Value {
    fracas("standings cup.db --json").inside(scratch.path()).run().succeeds().json()
}

fn games(json: &Value) -> u64 {
    json["games"].as_u64().unwrap()
}

#[test]
fn standings_are_there_while_it_runs_and_sigterm_keeps_everything() {
    let scratch = Scratch::with_duel();
    let child = begun(&scratch);
    let meanwhile = games(&standings(&scratch));
    assert!(meanwhile > 0);
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // 128 and 15, the number of SIGTERM.
    assert_eq!(output.status.code(), Some(143), "{said}");
    assert!(said.contains("the same command resumes it"), "{said}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(games(&told) >= meanwhile);
    // The file has every game of which it told, and is one file again.
    assert_eq!(standings(&scratch), told);
    assert_eq!(scratch.names().iter().filter(|name| name.contains("cup.db")).count(), 1);
}

#[test]
fn a_kill_leaves_what_was_kept_to_be_read() {
    let scratch = Scratch::with_duel();
    let mut child = begun(&scratch);
    let meanwhile = games(&standings(&scratch));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(games(&standings(&scratch)) >= meanwhile);
}
