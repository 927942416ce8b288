//! Tests that the code is built as its documents say: which module may use which, and which words
//! may not occur where.
//!
//! The floors of the building are listed in the documentation of `src/lib.rs`, from the top down;
//! they are read from there, so the list cannot fall behind the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::{catalog, path};

/// Type names that more than one type has: the machine has values of its own, which know their size, and turns of
/// its own, at which a run need not stop.
const REPEATED: [&str; 2] = ["Turn", "Value"];

/// The only two floors that know each other: an error quotes the question it is about.
const BESIDE: [&str; 2] = ["game", "error"];

pub(crate) struct Source {
    /// `src/script/sandbox/engine.rs`
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// The module it belongs to: `script`; `main` and `lib` for the roots.
    fn floor(&self) -> &str {
        let below = &self.path["src/".len()..];
        below.split(['/', '.']).next().unwrap()
    }

    fn is_root(&self) -> bool {
        matches!(self.floor(), "main" | "lib")
    }

    /// Its lines that are code, with their numbers; without comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(number, line)| (number + 1, line));
        lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// Its code above the tests at its end.
    pub(crate) fn code_without_tests(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines: Vec<&str> = self.text.lines().collect();
        let tests = lines
            .windows(2)
            .position(|pair| pair[0].trim() == "#[cfg(test)]" && pair[1].trim().ends_with('{'));
        let end = tests.unwrap_or(lines.len());
        self.code().filter(move |(number, _)| *number <= end)
    }
}

pub(crate) fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    collect(&path("src"), "src", &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 50, "the sources are not found");
    found
}

fn collect(folder: &Path, name: &str, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap().path();
        let name = format!("{name}/{}", entry.file_name().unwrap().to_str().unwrap());
        if entry.is_dir() {
            collect(&entry, &name, found);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&entry).unwrap();
            found.push(Source { path: name, text });
        }
    }
}

/// The files that are compiled for tests alone: `mod fake;` below `#[cfg(test)]`.
fn test_files(sources: &[Source]) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for source in sources {
        let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
        for pair in lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]") {
            let Some(name) = pair[1].strip_prefix("mod ").and_then(|m| m.strip_suffix(';')) else {
                continue;
            };
            let folder = match source.path.strip_suffix("/mod.rs") {
                Some(folder) => folder,
                None => source.path.trim_end_matches(".rs"),
            };
            files.insert(format!("{folder}/{name}.rs"));
        }
    }
    files
}

/// Reports all places at once, one a line.
pub(crate) fn none(what: &str, places: Vec<String>) {
    assert!(places.is_empty(), "{what}:\n  {}", places.join("\n  "));
}

/// The floors from the top down; those on one line are beside each other.
fn floors() -> Vec<Vec<String>> {
    let text = fs::read_to_string(path("src/lib.rs")).unwrap();
    let items = text.lines().filter_map(|line| line.strip_prefix("//! - "));
    let names = |line: &str| {
        let (names, _) = line.split_once(':').unwrap_or((line, ""));
        names.split(", ").map(|name| name.trim_matches(['[', ']', '`']).to_owned()).collect()
    };
    items.map(names).collect()
}

#[test]
fn dependencies_run_one_way_down_the_floors() {
    let floors = floors();
    assert!(floors.len() > 5, "`src/lib.rs` lists the floors as `//! - name: what it does`");
    let level = |name: &str| floors.iter().position(|floor| floor.iter().any(|n| n == name));
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| !source.is_root()) {
        let own = source.floor();
        let Some(here) = level(own) else {
            wrong.push(format!("{}: `{own}` stands on no floor of src/lib.rs", source.path));
            continue;
        };
        for (number, line) in source.code() {
            for (at, mark) in line.match_indices("crate::") {
                let rest = &line[at + mark.len()..];
                // `use crate::{a, b}` would hide what it names from this test.
                let name: String =
                    rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let fine = match level(&name) {
                    Some(there) => there > here || name == own,
                    None => false,
                };
                let beside = BESIDE.contains(&own) && BESIDE.contains(&name.as_str());
                if !fine && !beside {
                    let place = format!("{}:{number}", source.path);
                    wrong.push(format!("{place}: `{own}` must not know `{name}`"));
                }
            }
        }
    }
    none("dependencies run down the list of src/lib.rs", wrong);
}

/// The places in code that hold one of some words, outside of some files.
fn places(words: &[&str], allowed: impl Fn(&Source) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources().iter().filter(|source| !allowed(source)) {
        for (number, line) in source.code() {
            if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                found.push(format!("{}:{number}: {word}", source.path));
            }
        }
    }
    found
}

#[test]
fn rhai_is_named_only_where_scripts_run() {
    let scripts = |source: &Source| matches!(source.floor(), "script" | "lab");
    none("Rhai is known to script/ and lab/ alone", places(&["rhai::", "use rhai"], scripts));
}

#[test]
fn the_line_editor_is_named_only_by_the_editor() {
    let editor = |source: &Source| source.path.starts_with("src/repl/editor");
    none("rustyline is known to repl/editor alone", places(&["rustyline::"], editor));
}

#[test]
fn the_ground_knows_no_scripts_and_nobody_who_answers() {
    let elsewhere = |source: &Source| source.floor() != "game";
    let words = ["rhai::", "crate::script", "crate::graph"];
    none("game/ is the ground", places(&words, elsewhere));
}

#[test]
fn nothing_prints_but_the_commands_and_the_prompt() {
    let speaks = |source: &Source| matches!(source.floor(), "main" | "cli" | "repl");
    let words = ["print!", "println!", "eprint!", "eprintln!", "dbg!", "stdout()", "stderr()"];
    none("the library never prints", places(&words, speaks));
}

#[test]
fn the_host_names_no_system_that_ships() {
    let shipped: Vec<String> = catalog().folders().map(|folder| folder.name().to_owned()).collect();
    assert!(!shipped.is_empty());
    let mut found = Vec::new();
    for source in &sources() {
        for (number, line) in source.code() {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            if let Some(word) = words.find(|word| shipped.iter().any(|system| system == word)) {
                found.push(format!("{}:{number}: {word}", source.path));
            }
        }
    }
    none("Rust knows no conflict system by name", found);
}

#[test]
fn every_file_opens_by_saying_what_it_holds() {
    let opens = |source: &Source| {
        let first: Vec<&str> = source.text.lines().take_while(|l| l.starts_with("//! ")).collect();
        // Up to the end of the first sentence.
        let opening = first.join(" ");
        let sentence = opening.split_inclusive(['.', '?']).next().unwrap_or_default().to_owned();
        !sentence.is_empty() && !sentence.ends_with('?')
    };
    let files = sources().into_iter().filter(|source| !opens(source)).map(|source| source.path);
    none("a file opens with one `//!` sentence that says what it holds", files.collect());
}

/// Words that are not used in comments, messages and documents of `src/`: readers have to read them twice.
const RETIRED: [&str; 18] = [
    "by lot",
    "come to",
    "comes to",
    "go on",
    "goes on",
    "is met",
    "lie",
    "lies",
    "nothing but",
    "so many",
    "stand",
    "stands",
    "stood",
    "tells",
    "told",
    "went on",
    "whatever",
    "wherever",
];

/// Where a retired word is the right one.
const RIGHT: [&str; 7] = [
    "stand alone",
    "stand for",
    "stands for",
    "stand out",
    "stands out",
    "stand still",
    "stand-in",
];

/// The words of a line for people: its comment, and the texts in it; not what is in back-ticks.
fn prose(line: &str) -> String {
    let begins =
        line.match_indices("//").find(|(at, _)| line[..*at].matches('"').count().is_multiple_of(2));
    let (code, comment) = line.split_at(begins.map_or(line.len(), |(at, _)| at));
    let texts: Vec<&str> = code.split('"').skip(1).step_by(2).collect();
    let all = format!("{comment} {}", texts.join(" ")).to_lowercase();
    let mut plain: String = all.split('`').step_by(2).collect();
    RIGHT.iter().for_each(|words| plain = plain.replace(words, ""));
    let words = plain.split(|c: char| !c.is_alphanumeric() && c != '_');
    format!(" {} ", words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
}

#[test]
fn comments_and_messages_use_no_retired_words() {
    let mut found = Vec::new();
    for source in &sources() {
        for (number, line) in source.text.lines().enumerate() {
            let prose = prose(line);
            if let Some(word) = RETIRED.iter().find(|word| prose.contains(&format!(" {word} "))) {
                found.push(format!("{}:{}: {word}", source.path, number + 1));
            }
        }
    }
    none("say it with a word of today (CONTRIBUTING.md, Style)", found);
}

/// The name of the type that a line declares; not of an associated type.
fn declared(line: &str) -> Option<&str> {
    let words = line.trim_start();
    let words = match words.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ").map_or(words, |(_, rest)| rest),
        None => words.strip_prefix("pub ").unwrap_or(words),
    };
    let (keyword, rest) = words.split_once(' ')?;
    let kinds = ["struct", "enum", "trait", "union"];
    let is_type = kinds.contains(&keyword) || keyword == "type" && !line.starts_with(' ');
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (is_type && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn a_type_name_is_declared_once() {
    let sources = sources();
    let tests = test_files(&sources);
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let is_test = |path: &String| tests.contains(path) || path.contains("/tests/");
    for source in sources.iter().filter(|source| !is_test(&source.path)) {
        for (number, line) in source.code_without_tests() {
            if let Some(name) = declared(line) {
                places.entry(name).or_default().push(format!("{}:{number}", source.path));
            }
        }
    }
    assert!(places.len() > 500, "only {} types are found", places.len());
    let is_wrong = |name: &str, at: &Vec<String>| (at.len() > 1) != REPEATED.contains(&name);
    let wrong = places.iter().filter(|(name, at)| is_wrong(name, at));
    none(
        "one name, one type (a name of REPEATED has more than one)",
        wrong.map(|(name, at)| format!("{name}: {}", at.join(", "))).collect(),
    );
}

#[test]
fn the_architecture_names_files_that_exist() {
    let text = fs::read_to_string(path("ARCHITECTURE.md")).unwrap();
    let named: Vec<&str> = text.split('`').filter(|word| word.ends_with(".rs")).collect();
    assert!(named.len() > 20, "only {} files are named", named.len());
    let exists = |name: &str| path("src").join(name).is_file() || path(name).is_file();
    let lost = named.into_iter().filter(|name| !exists(name)).map(str::to_owned);
    none("ARCHITECTURE.md names files that do not exist", lost.collect());
}

#[test]
fn the_architecture_names_functions_that_exist() {
    let text = fs::read_to_string(path("ARCHITECTURE.md")).unwrap();
    let sources = sources();
    let named = text.split('`').filter_map(|word| Some((word, word.split_once("::")?)));
    let is_function = |(of, name): (&str, &str)| {
        of.starts_with(char::is_uppercase) && name.starts_with(char::is_lowercase)
    };
    let named: Vec<_> = named.filter(|(_, parts)| is_function(*parts)).collect();
    assert!(named.len() > 10, "only {} functions are named", named.len());
    let exists = |of: &str, name: &str| {
        let functions = [format!("fn {name}("), format!("fn {name}<")];
        let is_word = |line: &str, word: &str| {
            line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|one| one == word)
        };
        let is_of =
            |line: &str| line.contains("impl") || line.contains("struct") || line.contains("trait");
        sources.iter().any(|source| {
            let code = || source.code_without_tests().map(|(_, line)| line);
            code().any(|line| functions.iter().any(|function| line.contains(function)))
                && code().any(|line| is_word(line, of) && is_of(line))
        })
    };
    let lost = named.into_iter().filter(|(_, (of, name))| !exists(of, name));
    none(
        "ARCHITECTURE.md names functions that do not exist",
        lost.map(|(word, _)| word.to_owned()).collect(),
    );
}

#[test]
fn nothing_panics_outside_of_tests() {
    let sources = sources();
    let tests = test_files(&sources);
    assert!(!tests.is_empty());
    let words = [".unwrap()", "panic!(", "todo!(", "unimplemented!("];
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| !tests.contains(&source.path)) {
        for (number, line) in source.code_without_tests() {
            if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                found.push(format!("{}:{number}: {word}", source.path));
            }
        }
    }
    none("no input may reach a panic", found);
}

#[test]
fn every_crate_says_what_it_is_for() {
    let manifest = fs::read_to_string(path("Cargo.toml")).unwrap();
    let mut silent = Vec::new();
    let mut within = false;
    let mut before = "";
    for line in manifest.lines() {
        if line.starts_with('[') {
            within = line.ends_with("dependencies]");
        } else if within
            && line.contains('=')
            && !line.starts_with([' ', '#', ']', '}'])
            && !before.starts_with("# ")
        {
            silent.push(line.to_owned());
        }
        before = line;
    }
    none("a comment above each crate says why it is here", silent);
}
