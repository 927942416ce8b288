//! Does `fracas < FILE` run all lines, print data alone on stdout, and stop at the first mistake?

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn fracas(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fracas"))
        .args(arguments)
        .env("FRACAS_CONFIG", "")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may stop reading at a mistake; what is left is nobody's.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
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
fn wrong_usage_is_told_from_a_failing_script() {
    assert_eq!(fracas(&[], ":opne a/b\n").status.code(), Some(2));
    assert_eq!(fracas(&[], ":undo\n").status.code(), Some(2));
    assert_eq!(fracas(&[], "throw 1\n").status.code(), Some(1));
    assert_eq!(fracas(&[], "loop {}\n1\n").status.code(), Some(1));
    assert_eq!(fracas(&[], "1\n:quit\nthrow 1\n").status.code(), Some(0));
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
