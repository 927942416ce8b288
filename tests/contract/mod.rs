//! The contract: what each command prints for programs, on rules that never change. A change of the program that
//! means to change none of it changes no file here; `FRACAS_BLESS=1 cargo test --test main contract` writes them anew.

use std::path::Path;
use std::sync::Mutex;

use sha2::{Digest as _, Sha256};

use crate::commands::run::fracas;
use crate::support::{blessing, is_thorough, path, same_as_file};

/// Files that a line may read, beside those that other lines wrote.
const INPUTS: &str = "tests/contract/inputs";

/// Longer texts are kept as their beginning and a digest.
const LONG: usize = 50_000;

/// The lines below a heading of `lines.txt`, which share a folder.
struct Section {
    name: String,
    lines: Vec<String>,
}

#[test]
fn what_commands_print_for_programs_is_what_the_contract_says() {
    let thorough = blessing() || is_thorough();
    let sections = Mutex::new(sections());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(section) = next(&sections) {
                    kept(&section, thorough);
                }
            });
        }
    });
}

/// The lock is held for this call only.
fn next(sections: &Mutex<Vec<Section>>) -> Option<Section> {
    sections.lock().unwrap().pop()
}

fn sections() -> Vec<Section> {
    let text = std::fs::read_to_string(path("tests/contract/lines.txt")).unwrap();
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines().skip_while(|line| !line.is_empty()).filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(name) => sections.push(Section { name: name.to_owned(), lines: Vec::new() }),
            None => sections.last_mut().unwrap().lines.push(line.to_owned()),
        }
    }
    assert!(sections.iter().map(|section| section.lines.len()).sum::<usize>() > 250);
    sections
}

/// Runs the lines of a section and compares what they print. A line that is only run when there is time has a file
/// of its own, so that it can be left out.
fn kept(section: &Section, thorough: bool) {
    let folder = tempfile::tempdir().unwrap();
    for input in std::fs::read_dir(path(INPUTS)).unwrap() {
        let input = input.unwrap().path();
        std::fs::copy(&input, folder.path().join(input.file_name().unwrap())).unwrap();
    }
    let file = |part: &str| {
        let name = section.name.replace([' ', ','], "_").replace("__", "_");
        path(&format!("tests/contract/expected/{name}{part}.txt"))
    };
    let (mut quick, mut slow) = (String::new(), String::new());
    for line in &section.lines {
        match line.strip_prefix('*') {
            None => quick += &printed(line, folder.path()),
            Some(line) if thorough => slow += &printed(line, folder.path()),
            Some(_) => {}
        }
    }
    same_as_file(&file(""), &quick);
    if !slow.is_empty() {
        same_as_file(&file("_slow"), &slow);
    }
}

/// A line, its exit code and what it prints, without the places of this machine.
fn printed(line: &str, folder: &Path) -> String {
    let rules = path("tests/contract/rules");
    let (words, typed) = match line.strip_prefix("< ") {
        Some(file) => ("", std::fs::read_to_string(folder.join(file)).unwrap()),
        None => (line, String::new()),
    };
    let words = format!("{words} --json --quiet --seed 7 --threads 1");
    let ran = fracas(&words).with("--rules").with(rules.to_str().unwrap()).inside(folder);
    let ran = ran.typing(&typed);
    assert!(!ran.stderr.contains("panicked"), "{line}: {ran:?}");
    let text = ran.stdout.replace(rules.to_str().unwrap(), "RULES");
    let text = short(text.replace(folder.to_str().unwrap(), "HERE").trim_end());
    let mut text = format!("$ {line}\nexit {}\n{text}\n", ran.code.unwrap_or(-1));
    if let Some(saved) = line.split_once("--save ").map(|(_, name)| name) {
        let saved = std::fs::read_to_string(folder.join(saved)).unwrap_or_default();
        text += &format!("{}\n", saved.trim_end());
    }
    text + "\n"
}

/// A text as it is, or of a long one the beginning and a digest.
fn short(text: &str) -> String {
    if text.len() <= LONG {
        return text.to_owned();
    }
    let digest: String =
        Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let begin: Vec<&str> = text.lines().take(30).collect();
    format!("{}\n… {} bytes in all, {digest}", begin.join("\n"), text.len())
}
