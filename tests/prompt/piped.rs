//! Tests `fracas < FILE`: it runs all lines, prints only data on stdout, and stops at the first
//! mistake.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn fracas(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fracas"))
        .args(arguments)
        .env("FRACAS_CONFIG", "")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may stop reading at a mistake; what is left is nobody's.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn results_go_to_stdout_and_nothing_else_does() {
    let output = fracas(&[], "fn twice(n) {\n  n * 2\n}\ntwice(21)\nprint(1)\n2;\nlet x = 3\nx");
    assert_eq!(stdout(&output), "42\n1\n3\n");
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_first_mistake_ends_it_with_its_line() {
    let output = fracas(&[], "1\n\nlet x = nope;\n2\n");
    assert_eq!(stdout(&output), "1\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("stdin:3:9"), "{}", stderr(&output));
}

#[test]
fn a_mistake_that_is_no_script_has_its_line_too() {
    // The statement before it takes two lines, and the third is no text.
    let input = b"fn f() {\n}\n\xff\n  :open nowhere/at_all\n1\n";
    let output = fracas(&["--plain"], input);
    assert_eq!(output.status.code(), Some(2));
    let shown = stderr(&output);
    assert!(shown.contains("unknown system `nowhere`"), "{shown}");
    assert!(shown.contains("stdin:4:1") && shown.contains("4 |   :open nowhere"), "{shown}");
    let json = fracas(&["--json"], "1\n:opne a/b\n");
    let error: serde_json::Value =
        serde_json::from_str(stdout(&json).split_once('\n').unwrap().1).unwrap();
    let error = &error["error"];
    assert_eq!(
        (&error["file"], &error["line"], &error["kind"]),
        (&"stdin".into(), &2.into(), &"unknown".into())
    );
    assert_eq!(json.status.code(), Some(2));
    // What a function of the lab refuses has its line already, once.
    let called = stderr(&fracas(&[], "1\nscenario(\"war_die/frod\")\n"));
    assert_eq!(called.matches("stdin:2").count(), 1, "{called}");
    let late = stderr(&fracas(&[], b"\xff\n1\nnope + 1\n"));
    assert!(late.contains("stdin:3:1"), "{late}");
}

#[test]
fn wrong_usage_is_told_from_a_failing_script() {
    assert_eq!(fracas(&[], ":opne a/b\n").status.code(), Some(2));
    assert_eq!(fracas(&[], ":undo\n").status.code(), Some(2));
    assert_eq!(fracas(&[], "throw 1\n").status.code(), Some(1));
    assert_eq!(fracas(&[], "loop {}\n1\n").status.code(), Some(1));
    assert_eq!(fracas(&[], "1\n:quit\nthrow 1\n").status.code(), Some(0));
}

#[test]
fn wrong_arguments_are_told_as_in_the_shell() {
    let message = |output: &std::process::Output| {
        let error: serde_json::Value = serde_json::from_str(&stdout(output)).unwrap();
        (error["error"]["message"].clone(), error["error"]["suggestion"].clone())
    };
    for wrong in [
        "solve x --within 0",
        "solve x --time soon",
        "solve x --exakt",
        "solve x --seed -1",
        "solve x --param",
    ] {
        let mut words: Vec<&str> = wrong.split(' ').collect();
        words.push("--json");
        // At the prompt `:open` names the scenario and `:solve` the effort.
        let line = match wrong.contains("--seed") || wrong.contains("--param") {
            true => wrong.replace("solve", ":open"),
            false => wrong.replace("solve x", ":solve"),
        };
        let (shell, prompt) = (fracas(&words, ""), fracas(&["--json"], format!("{line}\n")));
        assert_eq!(message(&shell), message(&prompt), "{line}");
        assert_eq!((shell.status.code(), prompt.status.code()), (Some(2), Some(2)), "{line}");
    }
}

#[test]
fn an_unfinished_last_statement_is_an_error() {
    let output = fracas(&[], "1\nfn f() {\n  2\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("the input ends before this statement does"));
    assert!(stderr(&output).contains("stdin:2:1"), "{}", stderr(&output));
}

#[test]
fn programs_get_json() {
    let output = fracas(&["--json"], "#{ a: [1, \"x\"] }\nnope\n");
    let text = stdout(&output);
    let (first, rest) = text.split_once('\n').unwrap();
    assert_eq!(first, "{\"a\":[1,\"x\"]}");
    let error: serde_json::Value = serde_json::from_str(rest).unwrap();
    assert_eq!(error["error"]["line"], 2);
}

#[test]
fn a_person_can_play_from_the_shell_too() {
    let play = ["play", "territory/three_tokens", "--seed", "1", "--seat", "white=human"];
    let output = fracas(&play, "1\n:undo\nadvo\n2\n:history\n3\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("result: "), "{}", stdout(&output));
    assert!(stderr(&output).contains("1  white ability \"advocate\""), "{}", stderr(&output));
    let output = fracas(&play, "1\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the input ended while `white` was asked `ability`"));
}

#[cfg(unix)]
#[test]
fn rules_inside_the_program_are_written_out_where_they_are_edited() {
    let folder = tempfile::tempdir().unwrap();
    let editor = folder.path().join("editor.sh");
    let script = "#!/bin/sh\necho \"opened $1\" >&2\nsed -i 's/const FLAG = \"flag\"/const FLAG = \"peace\"/' \"$2\"\n";
    std::fs::write(&editor, script).unwrap();
    let lines = ":open war_die/ford --seat red=human --seat blue=random --seed 1\n:edit set_dice\n:options\n:edit set_dice\n";
    let mut child = Command::new(env!("CARGO_BIN_EXE_fracas"))
        .current_dir(folder.path())
        .env("VISUAL", format!("sh {}", editor.display()))
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let output = child.wait_with_output().unwrap();
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("written to `rules/war_die` now"), "{told}");
    assert!(told.contains("opened +"), "{told}");
    assert!(told.contains("changed: `rules.rhai` has changed\nsame up to here"), "{told}");
    assert!(told.contains("no rule has changed"), "the second time: {told}");
    assert!(stdout(&output).starts_with("  peace  free\n"), "{}", stdout(&output));
    assert!(folder.path().join("rules/war_die/house/cheap_mana.rhai").is_file());
    // Rules that the editor leaves broken are a mistake of the line.
    let broken = "#!/bin/sh\nsed -i 's/const FLAG = /const FLAG = = /' \"$2\"\n";
    std::fs::write(folder.path().join("editor.sh"), broken).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_fracas"))
        .current_dir(folder.path())
        .env("VISUAL", "sh editor.sh")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(b":edit war_die set_dice\n1 + 41\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()));
}

#[test]
fn programs_get_what_the_commands_tell_as_json() {
    let lines = ":open territory/three_tokens --seat white=human\n1\n:history\n:why\n:house\n:options\n:odds 5\n";
    let output = fracas(&["--json", "--seed", "1"], lines);
    let json: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json.len(), 5, "{}", stdout(&output));
    assert_eq!(json[0][0]["actions"][0]["action"], "isolationist");
    assert_eq!(json[1]["clause"], "T1");
    assert!(json[2].as_array().unwrap().iter().all(|rule| rule["laid"].is_null()));
    assert_eq!(json[3]["options"][1], "aggressor");
    assert_eq!(json[4]["options"][0]["option"], "isolationist");
}

#[test]
fn a_session_that_was_saved_runs_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.txt");
    let lines = format!(
        ":open territory/three_tokens --seat white=human\n1\nlet x = 20 +\n  1;\nx * 2\n2\n3\n:save {} --session\n",
        file.display()
    );
    let first = fracas(&["--seed", "8"], &lines);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    let again = fracas(&["--seed", "9"], std::fs::read_to_string(&file).unwrap());
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(stdout(&again), stdout(&first));
}

#[test]
fn a_line_that_is_no_text_is_told_with_its_number_and_the_next_one_comes() {
    let output = fracas(&[], b"1 + 1\n\xff\xfe\n2 + 3\n");
    assert_eq!(stdout(&output), "2\n5\n");
    assert!(
        stderr(&output).contains("cannot read `stdin`: line 2 is not UTF-8 text"),
        "{output:?}"
    );
    // It is known at the end that something was left out.
    assert_eq!(output.status.code(), Some(2));
    let play = ["play", "territory/three_tokens", "--seed", "1", "--seat", "white=human"];
    let output = fracas(&play, b"1\n\xff\n2\n3\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("line 2 is not UTF-8 text"), "{}", stderr(&output));
}

#[test]
fn the_open_conflict_is_no_mistyped_answer() {
    let lines = ":open war_die/ford --seat red=human --seed 3\nconflict\n";
    let output = fracas(&[], lines);
    assert_eq!(stdout(&output), "scenario war_die/ford with human at red\n", "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn to_differ_from_other_rules_is_an_answer_and_no_mistake() {
    let lines = ":open war_die/ford --seat red=random --seat blue=random --seed 1\n:play\n:diff --set players.red.mana=0 --set players.red.ore=0\n1 + 41\n";
    let output = fracas(&[], lines);
    assert!(stderr(&output).contains("the history diverges at entry"), "{}", stderr(&output));
    assert!(stdout(&output).ends_with("\n42\n"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn that_nothing_was_left_is_said_only_where_it_is_known() {
    for line in [":load\n", ":load #1\n"] {
        let said = stderr(&fracas(&[], line));
        assert!(said.contains("only at a terminal") && !said.contains("no conflict"), "{said}");
    }
}
