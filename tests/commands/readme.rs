//! Tests the README: its sessions print what it shows, and its command lines run.

use super::run::{Ran, fracas};
use super::scratch::Scratch;
use crate::support::is_thorough;

const README: &str = include_str!("../../README.md");

/// The lines of its first session, without the line that starts the program.
fn session() -> Vec<&'static str> {
    block(README).skip(1).collect()
}

/// The lines of the first session in a text.
fn block(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split("```text\n").nth(1).unwrap().split("```").next().unwrap().lines()
}

/// The line that is typed after a prompt: `fracas> `, `white, ability? `, `three_tokens 6> `.
fn typed(line: &str) -> Option<&str> {
    let (prompt, typed) = line.split_once("> ").or_else(|| line.split_once("? "))?;
    (!prompt.starts_with(' ')).then_some(typed)
}

/// All that is typed in the lines of a session.
fn typed_in(shown: &[&str]) -> String {
    shown.iter().filter_map(|line| typed(line)).map(|line| format!("{line}\n")).collect()
}

/// What is not typed is said, in order, since the same is asked before and after; tables come from stdout.
fn goes_as_shown(ran: &Ran, shown: &[&str]) {
    let mut told = ran.stdout.lines().map(str::trim_end);
    let mut said = ran.stderr.lines().map(str::trim_end);
    for line in shown.iter().filter(|line| typed(line).is_none() && **line != "…") {
        assert!(
            told.clone().any(|one| one == *line) && told.any(|one| one == *line)
                || said.any(|one| one == *line),
            "`{line}` is not in {ran:#?}"
        );
    }
}

#[test]
fn its_session_goes_as_it_is_shown() {
    let input = typed_in(&session());
    let ran = fracas("--seed 7").inside(&crate::support::path("")).typing(&input).succeeds();
    let said: Vec<&str> = ran.stderr.lines().chain(ran.stdout.lines()).map(str::trim_end).collect();
    // What is not typed stands among what is said; the greeting is for terminals alone.
    let shown = session().into_iter().filter(|line| typed(line).is_none());
    for line in shown.skip_while(|line| line.starts_with("fracas ") || line.starts_with('`')) {
        assert!(line == "…" || said.contains(&line.trim_end()), "`{line}` is not in {ran:#?}");
    }
}

#[cfg(unix)]
#[test]
fn its_five_minutes_go_as_they_are_shown() {
    let scratch = Scratch::empty();
    let change = "sed -i 's/lead > 0 {/lead > 1 {/' \"$2\"\n";
    scratch.write("editor.sh", change);
    let shown: Vec<&str> = block(README.split("## Five minutes").nth(1).unwrap()).collect();
    let input = typed_in(&shown);
    let editor = format!("sh {}", scratch.path().join("editor.sh").display());
    let ran = fracas("").inside(scratch.path()).where_is("VISUAL", &editor).typing(&input);
    goes_as_shown(&ran, &shown);
}

const HANDBOOK: &str = include_str!("../../rules/README.md");

/// The blocks of a language in the half hour of the handbook.
fn half_hour(language: &str) -> Vec<&'static str> {
    let section = HANDBOOK.split("## A designer's half hour\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let begins = format!("```{language}\n");
    let blocks = section.split(begins.as_str()).skip(1);
    blocks.map(|block| block.split("```").next().unwrap()).collect()
}

#[cfg(unix)]
#[test]
fn the_half_hour_of_a_designer_goes_as_it_is_shown() {
    let scratch = Scratch::empty();
    for (number, text) in half_hour("rhai").into_iter().enumerate() {
        scratch.write(&format!("edit-{}.rhai", number + 1), text);
    }
    let next = "n=$(cat n 2>/dev/null || echo 1)\ncp edit-$n.rhai \"$2\"\necho $((n + 1)) > n\n";
    scratch.write("editor.sh", next);
    fracas("init bench").inside(scratch.path()).run().succeeds();
    let texts = half_hour("text");
    let (mutated, session) = texts.split_last().unwrap();
    let shown: Vec<&str> = session.iter().flat_map(|block| block.lines()).collect();
    let input = typed_in(&shown);
    let ran = fracas("--rules bench")
        .inside(scratch.path())
        .where_is("VISUAL", "sh editor.sh")
        .keeping(scratch.path())
        .typing(&input)
        .succeeds();
    goes_as_shown(&ran, &shown);
    let mutate = "--rules bench mutate war_die --house generous";
    let ran = fracas(mutate).inside(scratch.path()).run();
    for line in mutated.lines() {
        assert!(ran.stdout.lines().any(|one| one == line), "`{line}` is not in {ran:#?}");
    }
}

/// Every `fracas …` in back-ticks, once, in the order of the text, because some read files that
/// earlier ones wrote.
fn commands() -> Vec<&'static str> {
    let mut found: Vec<&str> = Vec::new();
    for part in README.split('`').filter(|part| part.starts_with("fracas ")) {
        if !found.contains(&part) {
            found.push(part);
        }
    }
    found
}

#[test]
fn its_command_lines_run() {
    let scratch = Scratch::empty();
    let here = scratch.path();
    fracas("play territory/three_tokens --seed 7 --save game.fracas").inside(here).run().succeeds();
    for file in ["scripts/campaign.toml", "scripts/even_die.rhai"] {
        scratch.write(file, std::fs::read(crate::support::path(file)).unwrap());
    }
    assert!(commands().len() >= 8, "{:?}", commands());
    for command in commands() {
        let line = command.trim_start_matches("fracas ").replace("NAME", "choose");
        let ran = match line.as_str() {
            // All of it is tested elsewhere, and takes long.
            "test" | "check" => fracas(&line).with("--help").run(),
            // Tested on smaller systems; this one takes long.
            "mutate territory" if !is_thorough() => fracas(&line).with("--help").run(),
            _ => fracas(&line).inside(here).typing("1\n1\n1\n"),
        };
        assert_eq!(ran.code, Some(0), "`{command}`: {ran:#?}");
    }
    for options in ["--to 4", "--verify", "--force"] {
        fracas(&format!("replay game.fracas {options}")).inside(here).run().succeeds();
    }
    for options in ["--house turncoats", "--param tie_owner=nobody", "--seed 7"] {
        fracas(&format!("play territory/three_tokens {options}")).inside(here).run().succeeds();
    }
}

#[test]
fn what_the_folders_say_of_house_rules_is_what_compare_prints() {
    let mut folders = 0;
    for folder in std::fs::read_dir(crate::support::path("rules")).unwrap() {
        let file = folder.unwrap().path().join("README.md");
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let mut lines =
            text.split("```text\n").nth(1).unwrap().split("```").next().unwrap().lines();
        let command = lines.next().unwrap().strip_prefix("$ fracas ").unwrap();
        let ran = fracas(command).where_is("COLUMNS", "80").run().succeeds();
        let sentences: Vec<&str> = ran.stdout.lines().take_while(|line| !line.is_empty()).collect();
        assert_eq!(lines.collect::<Vec<_>>(), sentences, "{}", file.display());
        folders += 1;
    }
    assert_eq!(folders, 5);
}
