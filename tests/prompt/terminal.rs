//! Tests the prompt on a terminal: lines, keys, Ctrl-C, history, watched files.

use super::screen::{BACKSPACE, CTRL_C, CTRL_D, Start, Terminal, UP};

#[test]
fn a_line_is_typed_and_ctrl_d_leaves() {
    let mut terminal = Terminal::new();
    terminal.wait_last("fracas>");
    assert!(terminal.lines()[0].starts_with("fracas "), "{:?}", terminal.lines());
    terminal.press("1 + 41\r");
    terminal.wait_line("42");
    terminal.wait_last("fracas>");
    assert_eq!(terminal.end_input().0, 0);
}

#[test]
fn ctrl_c_stops_a_script_and_keeps_the_session() {
    let mut terminal = Terminal::new();
    terminal.wait_last("fracas>");
    terminal.press("let kept = 42;\r");
    terminal.wait("second prompt", |lines| {
        lines.iter().filter(|line| line.starts_with("fracas>")).count() == 2
    });
    terminal.press("print(\"on\"); loop {}");
    terminal.wait_last("fracas> print(\"on\"); loop {}");
    let row = terminal.cursor().0;
    terminal.press("\r");
    // From the end of the line on, Ctrl-C is the script's.
    terminal.wait_cursor((row + 1, 0));
    terminal.press(CTRL_C);
    terminal.wait_line("error: interrupted");
    terminal.wait_last("fracas>");
    terminal.press("kept\r");
    terminal.wait_line("42");
    terminal.press(":quit\r");
    assert_eq!(terminal.exit_code().0, 0);
}

#[test]
fn ctrl_c_at_the_prompt_clears_the_line() {
    let mut terminal = Terminal::new();
    terminal.wait_last("fracas>");
    terminal.press("1 + 1");
    terminal.wait_last("fracas> 1 + 1");
    terminal.press(CTRL_C);
    terminal
        .wait("empty prompt", |lines| lines.last().is_some_and(|line| line.ends_with("fracas>")));
    assert!(!terminal.lines().iter().any(|line| line == "2"), "{:?}", terminal.lines());
    terminal.press(CTRL_C);
    terminal.wait_line("Ctrl-D or `:quit` leaves");
    terminal.press("2 + 2\r");
    terminal.wait_line("4");
    terminal.wait_last("fracas>");
    assert_eq!(terminal.end_input().0, 0);
}

#[test]
fn a_statement_goes_on_over_lines() {
    let mut terminal = Terminal::new();
    terminal.wait_last("fracas>");
    terminal.press("fn twice(n) {\r");
    terminal.press("n * 2\r");
    terminal.press("}\r");
    terminal.press("twice(21)\r");
    terminal.wait_line("42");
    // The whole statement comes back as one entry.
    terminal.press(UP);
    terminal.press(UP);
    terminal.wait("the function again", |lines| {
        lines.iter().filter(|line| line.contains("fn twice(n) {")).count() == 2
    });
    terminal.press(CTRL_C);
    // A key that comes between two prompts is the terminal's, not the editor's.
    terminal.wait_last("fracas>");
    assert_eq!(terminal.end_input().0, 0);
}

#[test]
fn the_history_is_there_in_the_next_session() {
    let mut terminal = Terminal::new();
    terminal.wait_last("fracas>");
    terminal.press("\"remember me\"\r");
    terminal.wait_line("\"remember me\"");
    let (_, folder) = terminal.end_input();
    assert!(folder.path().join("fracas/history").exists());
    let mut terminal = Terminal::open(80, folder);
    terminal.wait_last("fracas>");
    terminal.press(UP);
    terminal.wait_last("fracas> \"remember me\"");
    terminal.press("\r");
    terminal.wait_line("\"remember me\"");
    assert_eq!(terminal.end_input().0, 0);
}

#[cfg(unix)]
#[test]
fn sigterm_ends_the_program_while_it_waits_and_keeps_what_was_played() {
    let mut terminal = Terminal::new();
    terminal.wait_last("fracas>");
    terminal.press(":open territory/three_tokens --seat white=human\r");
    terminal.wait_last("white, ability?");
    terminal.press("advocate\r");
    terminal.wait("the next question", |lines| {
        lines.last().is_some_and(|line| line.starts_with("white, ") && !line.contains("advocate"))
    });
    terminal.press("half a line");
    terminal.wait("half a line", |lines| {
        lines.last().is_some_and(|line| line.ends_with("half a line"))
    });
    terminal.terminate();
    terminal.wait("what is kept", |lines| {
        let kept = "territory/three_tokens was not saved; `:load #1` resumes it";
        lines.iter().any(|line| line.starts_with(kept))
    });
    let (code, folder) = terminal.exit_code();
    assert_eq!(code, 143);
    let mut terminal = Terminal::open(80, folder);
    terminal.wait_last("fracas>");
    terminal.press(":load #1\r");
    terminal.wait("the answer", |lines| lines.iter().any(|line| line.contains("advocate")));
    terminal.press(":quit\r");
    assert_eq!(terminal.exit_code().0, 0);
}

#[cfg(unix)]
#[test]
fn sigterm_ends_the_prompt_also_where_a_line_runs() {
    let mut terminal = Terminal::new();
    terminal.wait_last("fracas>");
    terminal.press("print(\"on\"); loop {}\r");
    terminal.wait_line("on");
    terminal.terminate();
    assert_eq!(terminal.exit_code().0, 143);
}

#[test]
fn that_nothing_can_be_kept_is_said_at_the_first_answer_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("fracas")).unwrap();
    std::fs::write(folder.path().join("fracas/unsaved"), "no folder").unwrap();
    let mut terminal = Terminal::open(80, folder);
    terminal.wait_last("fracas>");
    terminal.press(":open territory/three_tokens --seat white=human\r");
    terminal.wait_last("white, ability?");
    let said = |lines: &[String]| {
        lines.iter().filter(|line| line.starts_with("what is not saved is not kept: ")).count()
    };
    assert_eq!(said(&terminal.lines()), 0);
    for token in ["Token 2", "Token 3"] {
        terminal.press("advocate\r");
        terminal.wait(token, |lines| {
            lines.iter().any(|line| line.contains(token))
                && lines.last().is_some_and(|line| line == "white, ability?")
        });
    }
    assert_eq!(said(&terminal.lines()), 1, "{:#?}", terminal.lines());
    terminal.press(CTRL_D);
}

#[test]
fn a_narrow_window_is_kept_to() {
    let mut terminal = Terminal::open(40, tempfile::tempdir().unwrap());
    terminal.wait_last("fracas>");
    terminal.press(":open territory/three_tokens --seat white=human\r");
    terminal.wait_last("white, ability?");
    terminal.press("aggr\r");
    terminal.wait_line("  so far: aggressor");
    terminal.wait_last("white, ability?");
    terminal.press(":help undo\r");
    terminal.wait_line(":undo [N], or :u");
    terminal.wait_last("white, ability?");
    terminal.press("dice(\"2d6\")\r");
    terminal.wait_line("total 36, mean 7");
    terminal.wait_last("white, ability?");
    assert_eq!(terminal.end_input().0, 0);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_the_history_is_left_alone() {
    let start = Start::default();
    let place = start.folder.path().join("fracas");
    std::fs::create_dir(&place).unwrap();
    let made = std::process::Command::new("mkfifo").arg(place.join("history")).status();
    assert!(made.unwrap().success());
    let mut terminal = start.open();
    terminal.wait_last("fracas>");
    terminal.press("40 + 2\r");
    terminal.wait_end(&["fracas> 40 + 2", "42", "fracas>"]);
    terminal.leave();
}

#[test]
fn a_history_that_cannot_be_kept_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    // A file stands where the folder of the history should.
    std::fs::write(folder.path().join("fracas"), "").unwrap();
    let mut terminal = Terminal::open(120, folder);
    terminal.wait_last("fracas>");
    terminal.press("1 + 1\r");
    terminal.wait_line("2");
    terminal.press("2 + 2\r");
    terminal.wait_line("4");
    let told = |line: &&String| line.contains("cannot write the history to");
    assert_eq!(terminal.lines().iter().filter(told).count(), 1, "{:?}", terminal.lines());
    assert_eq!(terminal.end_input().0, 0);
}

#[test]
fn a_watched_file_is_told_of_while_a_line_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let files = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/files");
    for file in ["scenario.toml", "meek.rhai", "fewer.rhai"] {
        std::fs::copy(files.join(file), folder.path().join(file)).unwrap();
    }
    let house = folder.path().join("meek.rhai");
    let scenario = folder.path().join("scenario.toml").display().to_string();
    let mut terminal = Terminal::open(120, folder);
    terminal.wait_last("fracas>");
    terminal.press(&format!(":open {scenario} --house {}\r", house.display()));
    terminal.wait_last("white, ability?");
    terminal.press(":watch on\r");
    terminal
        .wait("what is watched", |lines| lines.iter().any(|line| line.starts_with("watched: ")));
    terminal.wait_last("white, ability?");
    // What the line may become stands behind it.
    let typed = |terminal: &Terminal| {
        let begun = |line: &String| line.starts_with("white, ability? advoc");
        terminal.wait("the line", |lines| lines.iter().any(begun));
    };
    terminal.press("advoc");
    typed(&terminal);
    // The rules change while the line stands there, and the line stays.
    let text = std::fs::read_to_string(files.join("meek.rhai")).unwrap();
    std::fs::write(&house, text.replace("\"turn\"", "\"stay\"")).unwrap();
    terminal.wait_line("same up to here");
    typed(&terminal);
    // Rules that do not compile are told of too, and the old ones go on.
    std::fs::write(&house, text.replace("super();", "super()")).unwrap();
    terminal.wait_line("the old rules stay in place");
    typed(&terminal);
    terminal.press("\r");
    terminal.wait_last("white, ability?");
    terminal.press(":history\r");
    terminal.wait("the answer", |lines| {
        lines.iter().any(|line| line.contains("white ability \"advocate\""))
    });
    terminal.press(":quit\r");
    assert_eq!(terminal.exit_code().0, 0);
}

#[test]
fn a_watched_file_asks_its_new_question_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("mine/draw/rules.rhai");
    let text = "//! # Draw\n//! One draws.\nfn setup(s) { #{} }\n\
                fn step() { this.got = this.choose(\"red\", \"bold\", [\"yes\", \"never\"]); }\n\
                fn outcome() { if \"got\" in this { #{ result: \"over\", utility: #{ red: 1 } } } }\n";
    std::fs::create_dir_all(rules.parent().unwrap().join("scenarios")).unwrap();
    std::fs::write(&rules, text).unwrap();
    let scenario = rules.parent().unwrap().join("scenarios/one.toml");
    std::fs::write(scenario, "system = \"draw\"\n[setup]\n[seats]\nred = \"human\"\n").unwrap();
    std::fs::write(folder.path().join("config.toml"), "rules = [\"mine\"]\n").unwrap();
    let mut terminal = Terminal::open(80, folder);
    terminal.wait_last("fracas>");
    terminal.press(":open draw/one\r");
    terminal.wait_last("red, bold?");
    terminal.press(":watch on\r");
    terminal
        .wait("what is watched", |lines| lines.iter().any(|line| line.starts_with("watched: ")));
    terminal.wait_last("red, bold?");
    terminal.press("ye");
    let typed = |terminal: &Terminal, question: &str| {
        let begun = format!("red, {question}? ye");
        terminal.wait("the line", |lines| lines.iter().any(|line| line.starts_with(&begun)));
    };
    typed(&terminal, "bold");
    std::fs::write(&rules, text.replace("\"bold\"", "\"brave\"")).unwrap();
    // No key is pressed: the new question stands there, with what was typed, in place of the old one.
    typed(&terminal, "brave");
    assert!(!terminal.lines().iter().any(|line| line.starts_with("red, bold? ye")));
    // A file that does not compile is told of, and the line stays.
    std::fs::write(&rules, text.replace("this.got =", "this.got = =")).unwrap();
    terminal.wait_line("the old rules stay in place");
    typed(&terminal, "brave");
    std::fs::write(&rules, text).unwrap();
    typed(&terminal, "bold");
    terminal.press("s\r");
    terminal.wait_line("result: over");
    terminal.press(":quit\r");
    assert_eq!(terminal.exit_code().0, 0);
}

#[test]
fn a_conflict_from_the_shell_is_played_with_the_line_editor() {
    let arguments = &["play", "territory/three_tokens", "--seat", "white=human"];
    let mut terminal = Start { arguments, ..Start::default() }.open();
    terminal.wait_last("white, ability?");
    terminal.press("aggrx");
    terminal.wait("the line", |lines| lines.iter().any(|line| line.contains("? aggrx")));
    terminal.press(BACKSPACE);
    terminal.press("\r");
    terminal.wait("the token", |lines| lines.iter().any(|line| line.contains("  aggressor")));
    terminal.wait_last("white, ability?");
    // What was answered comes back, and Ctrl-C clears it first, then leaves.
    terminal.press(":history\r");
    terminal.wait("the answer", |lines| {
        lines.iter().any(|line| line.contains("white ability \"aggressor\""))
    });
    terminal.wait_last("white, ability?");
    terminal.press(UP);
    let again = |lines: &[String]| {
        lines.last().is_some_and(|line| line.starts_with("white, ability? :history"))
    };
    terminal.wait("the line again", again);
    terminal.press(CTRL_C);
    terminal.wait("an empty line", |lines| {
        lines.last().is_some_and(|line| line.ends_with("white, ability?"))
    });
    terminal.press(CTRL_C);
    assert_eq!(terminal.exit_code().0, 130);
}

#[test]
fn a_persons_own_file_is_run_before_the_first_line() {
    let folder = tempfile::tempdir().unwrap();
    let own = "//! Mine.\nlet six = 6;\nfn twice(n) { n * 2 }\nfn refuse() {\n    throw \"no\"\n}\nprint(\"ready\");\n";
    std::fs::write(folder.path().join("init.rhai"), own).unwrap();
    let mut terminal = Terminal::open(80, folder);
    terminal.wait_line("ready");
    terminal.wait_last("fracas>");
    terminal.press("twice(six) + 1\r");
    terminal.wait_line("13");
    terminal.press("refuse()\r");
    terminal.wait("the place in the file", |lines| {
        lines.iter().any(|line| line.contains("init.rhai:5"))
    });
}

#[test]
fn a_mistake_in_a_persons_own_file_is_told_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("init.rhai"), "let x = 1;\nlet y = nope;\n").unwrap();
    let mut terminal = Terminal::open(80, folder);
    terminal.wait("the place of the mistake", |lines| {
        lines.iter().any(|line| line.contains("init.rhai:2:9"))
    });
    terminal.wait_last("fracas>");
    terminal.press("20 + 1\r");
    terminal.wait_line("21");
}

#[test]
fn what_was_not_saved_is_kept_when_the_terminal_is_left_and_offered_at_the_next() {
    let mut terminal = Terminal::new();
    terminal.press(":open territory/three_tokens --seat white=human\r");
    terminal.wait_last("white, ability?");
    terminal.press("advocate\r");
    terminal.wait("the second question", |lines| {
        lines.iter().filter(|line| line.starts_with("white, ability?")).count() == 2
    });
    terminal.press(CTRL_D);
    terminal.wait("where it is kept", |lines| {
        lines.iter().any(|line| line.starts_with("territory/three_tokens was not saved; `:load"))
    });
    let (code, folder) = terminal.exit_code();
    assert_eq!(code, 0);
    let mut terminal = Terminal::open(120, folder);
    terminal.wait_last("fracas>");
    let offer = "a conflict was not saved: territory/three_tokens, just now; `:load #1` resumes it";
    assert_eq!(terminal.lines()[2], offer);
    terminal.press(":load #1\r");
    terminal.wait_last("white, ability?");
    terminal.press(":history\r");
    terminal.wait_line("   1  white ability \"advocate\"");
    terminal.press(CTRL_D);
}

#[test]
fn the_screen_is_cleared_between_two_people() {
    let arguments =
        &["play", "territory/three_tokens", "--seat", "white=human", "--seat", "black=human"];
    let mut terminal = Start { arguments, ..Start::default() }.open();
    let holds =
        |text: &'static str| move |lines: &[String]| lines.iter().any(|line| line.contains(text));
    // Somebody sits down before anything is shown.
    terminal.wait_last("it is white's turn: press Enter");
    assert!(!holds("Token 1 of your 3")(&terminal.lines()));
    terminal.press("\r");
    for token in ["Token 1 of your 3", "Token 2 of your 3", "Token 3 of your 3"] {
        terminal.wait(token, |lines| {
            lines.iter().any(|line| line.contains(token))
                && lines.last().is_some_and(|line| line == "white, ability?")
        });
        terminal.press("aggressor\r");
    }
    // Of what white has seen and typed nothing is left on the screen.
    terminal.wait_last("it is black's turn: press Enter");
    terminal.wait("an empty screen", |lines| !lines.iter().any(|line| line.contains("aggressor")));
    assert!(String::from_utf8_lossy(&terminal.written()).contains("\u{1b}[3J"));
    terminal.press("\r");
    terminal.wait_last("black, ability?");
    let lines = terminal.lines();
    let faces = lines.iter().filter(|line| line.contains("(face down)")).count();
    assert_eq!(faces, 3, "{lines:#?}");
    terminal.press(CTRL_C);
    assert_eq!(terminal.exit_code().0, 130);
}

/// A program that is run in place of another one.
fn program(folder: &tempfile::TempDir, name: &str, lines: &str) -> &'static str {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.path().join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string().leak()
}

#[test]
fn a_command_that_is_begun_in_the_pager_is_typed_at_the_prompt() {
    let folder = tempfile::tempdir().unwrap();
    // `less` leaves at a `:` with the code of that letter, 58.
    let pager = program(&folder, "pager", "sed s/^/one:/\nexit 58");
    let environment: &[(&str, &str)] = vec![("PAGER", pager)].leak();
    let mut terminal = Start { rows: 12, environment, folder, ..Start::default() }.open();
    terminal.wait_last("fracas>");
    terminal.press(":help\r");
    // What the line may become stands behind it.
    terminal
        .wait("a command", |lines| lines.last().is_some_and(|line| line.starts_with("fracas> :")));
    terminal.press("quit\r");
    assert_eq!(terminal.exit_code().0, 0);
}

#[test]
fn words_that_are_typed_in_the_pager_are_lines_of_the_prompt() {
    // `less` leaves at the first letter, with its code; a `q` alone is its own.
    for (code, begun, rest) in [(101, "fracas> e", "xit\r"), (113, "fracas>", "uit\r")] {
        let folder = tempfile::tempdir().unwrap();
        let pager = program(&folder, "pager", &format!("sed s/^/one:/\nexit {code}"));
        let environment: &[(&str, &str)] = vec![("PAGER", pager)].leak();
        let mut terminal = Start { rows: 12, environment, folder, ..Start::default() }.open();
        terminal.wait_last("fracas>");
        terminal.press(":help\r");
        terminal.wait("the next line", |lines| {
            lines.iter().any(|line| line.starts_with("one:"))
                && lines.last().is_some_and(|line| line.starts_with(begun))
        });
        terminal.press(rest);
        assert_eq!(terminal.exit_code().0, 0);
    }
}

#[test]
fn the_tip_at_the_start_opens_a_conflict_that_asks() {
    let mut terminal = Terminal::new();
    let lines = terminal.lines();
    let tip = lines.iter().find_map(|line| line.split("try `").nth(1)).unwrap();
    let tip = tip.split('`').next().unwrap().to_owned();
    terminal.press(&format!("{tip} --seat white=human\r"));
    terminal.wait_last("white, ability?");
    terminal.leave();
}

#[test]
fn a_folder_of_rules_folders_names_the_scenario_of_the_tip() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    std::fs::create_dir_all(own.join("mine/scenarios")).unwrap();
    for (file, text) in [
        ("mine/rules.rhai", "//! # Mine\n"),
        ("mine/scenarios/a.toml", "system = \"mine\"\n"),
        ("mine/scenarios/b.toml", "system = \"mine\"\n"),
        ("first", "mine/b\n"),
    ] {
        std::fs::write(own.join(file), text).unwrap();
    }
    let arguments: &[&str] = vec!["--rules", own.display().to_string().leak()].leak();
    let terminal = Start { arguments, folder, ..Start::default() }.open();
    terminal.wait_last("fracas>");
    let lines = terminal.lines();
    assert!(lines.iter().any(|line| line.contains("try `:open mine/b`")), "{lines:?}");
    terminal.leave();
}

#[test]
fn the_end_of_a_conflict_from_the_shell_can_be_taken_back() {
    let arguments = &["play", "territory/three_tokens", "--seat", "white=human", "--plain"];
    let mut terminal = Start { rows: 120, arguments, ..Start::default() }.open();
    for token in ["Token 1", "Token 2", "Token 3"] {
        terminal.wait(token, |lines| {
            lines.iter().any(|line| line.contains(token))
                && lines.last().is_some_and(|line| line == "white, ability?")
        });
        terminal.press("3\r");
    }
    let over = "the conflict is over: `:undo` takes the last answer back, Enter leaves";
    terminal.wait_line(over);
    let has = |lines: &[String], text: &str| lines.iter().any(|line| line.contains(text));
    let lines = terminal.lines();
    assert_eq!(lines.iter().filter(|line| line.starts_with("result: ")).count(), 1, "{lines:#?}");
    // The result and the picture stay in the window; the rest is what somebody asks for.
    assert!(has(&lines, "`:state` shows the rest of the outcome"), "{lines:#?}");
    assert!(!has(&lines, "territories:"), "{lines:#?}");
    terminal.press(":state\r");
    terminal.wait("the rest", |lines| has(lines, "territories:"));
    terminal.press(":undo\r");
    terminal.wait_last("white, ability?");
    terminal.press("3\r");
    terminal.wait("the end again", |lines| lines.iter().filter(|line| *line == over).count() == 2);
    terminal.press("\r");
    assert_eq!(terminal.exit_code().0, 0);
}

#[test]
fn rules_are_edited_without_an_open_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let editor = program(&folder, "nano", "echo edited $1 $2");
    let environment: &[(&str, &str)] = vec![("VISUAL", editor)].leak();
    let mut terminal = Start { columns: 120, environment, folder, ..Start::default() }.open();
    terminal.wait_last("fracas>");
    terminal.press(":edit territory meet\r");
    terminal.wait("the editor", |lines| {
        let says = |text: &str| lines.iter().any(|line| line.contains(text));
        says("`nano` opens ") && says("Ctrl-X leaves") && says("edited +")
    });
    terminal.wait_line("the rules of `territory` compile");
    terminal.wait_last("fracas>");
    terminal.leave();
}

#[test]
fn what_is_typed_while_a_command_runs_is_typed_at_the_next_prompt() {
    let mut terminal = Terminal::new();
    terminal.press(":open war_die/ford --seat red=human --seed 1\r");
    terminal.wait("the question", |lines| {
        lines.last().is_some_and(|line| line.starts_with("red, bid?"))
    });
    terminal.press(":odds\r:seat blue first\r");
    terminal.wait_line("blue is seated: first");
    terminal.leave();
}
