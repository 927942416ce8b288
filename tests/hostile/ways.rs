//! Runs hostile scripts through every way in, each in a fresh process with limits of memory and processor.
//!
//! `cargo test` takes one way for each script, another for each; all of them, and thousands of random
//! compositions, take long: `cargo test --test main -- --ignored --nocapture hostile::ways` prints each as it ends;
//! `FRACAS_HOSTILE_PART=3/40` runs a part of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use super::child::{BASE, complete, expand};
use crate::commands::run::limited;

/// How a script gets in, and what is done with it. `play` and the like are lines of the program.
const WAYS: [&str; 14] = [
    "play x/one",
    "estimate x/one -n 3",
    "odds x/one --time 20",
    "solve x/one --time 20",
    "compare x/one --param worth=2 -n 3",
    "check x",
    "test x",
    "tournament cup.toml",
    "prompt",
    "import",
    "params",
    "sweep x/one worth=1,2 -n 3",
    "portrait x/one -n 3",
    "tune x/one --vary worth=1,2 --want length.steps<9 -n 3",
];

/// The processor's time of one process in seconds, and its addresses in MiB: 512 of them are the stack's, of
/// which little is used, and some 100 are the program's.
const SECONDS: u64 = 60;
const ADDRESSES: u64 = 512 + 100 + 300;

/// A folder with a system `x` made of a script, and the line to run in it, with what is typed.
fn laid(folder: &Path, kind: &str, script: &str, way: &str) -> (String, &'static str) {
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let params = "[worth]\ndefault = 1\nmin = 0\nmax = 9\nmeaning = \"what it is worth\"\n";
    let asks = BASE.replace(
        "price(params.worth);",
        "this.choose(\"red\", \"p\", [1, 2, 3]); price(params.worth);",
    );
    let rules = match kind {
        "rules" => complete(script),
        _ => asks,
    };
    let mut scenario = "system = \"x\"\n".to_owned();
    match kind {
        "house" => {
            write("rules/x/house/h.rhai", script);
            scenario += "house = [\"h\"]\n";
        }
        "agents" => {
            write("rules/x/agents/a.rhai", script);
            scenario += "seats.red = \"a\"\n";
        }
        _ => {}
    }
    write("rules/x/params.toml", params);
    write(
        "rules/x/cases/c.toml",
        "system = \"x\"\n[[case]]\ntitle = \"t\"\n[case.expect]\nresult = \"end\"\n",
    );
    let agents = if kind == "agents" { "[\"first\", \"a\"]" } else { "[\"first\", \"random\"]" };
    write(
        "cup.toml",
        &format!(
            "scenarios = [\"x/one\"]\nagents = {agents}\nformat = \"round_robin\"\ngames = 4\n"
        ),
    );
    let (line, typed) = match way {
        "prompt" => (String::new(), ":open x/one\n:state\n:odds 2\n:play\n:undo\n:why\n"),
        "import" => {
            write("rules/y/rules.rhai", &rules);
            write("rules/y/params.toml", params);
            let text =
                format!("import \"y\" as y;\n{BASE}").replace("price(params.worth)", "y::step()");
            write("rules/x/rules.rhai", &text);
            ("play x/one".to_owned(), "")
        }
        "params" => {
            write("rules/x/house/p.rhai", &format!("fn params() {{ step(); #{{}} }}\n{script}"));
            ("play x/one --house p".to_owned(), "")
        }
        line => (line.to_owned(), ""),
    };
    if way != "import" {
        write("rules/x/rules.rhai", &rules);
    }
    write("rules/x/scenarios/one.toml", &format!("{scenario}[setup]\n"));
    (line, typed)
}

/// What is wrong with how the program ends in a folder; nothing where it keeps to its limits and codes.
fn run(folder: &Path, line: &str, typed: &str) -> Option<String> {
    // Of one thread, for a stack is laid for each; the prompt's too.
    let threads = "--threads 1 --graph-memory 64M --quiet";
    fs::write(folder.join("typed"), typed).unwrap();
    let stdin = fs::File::open(folder.join("typed")).unwrap();
    let limited = limited(&format!("{line} {threads}"), SECONDS, ADDRESSES).inside(folder);
    let output = limited.command().stdin(Stdio::from(stdin)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let shown = String::from_utf8_lossy(&output.stdout);
    let whole = said.len() + shown.len();
    let bad = ["panicked", "our mistake", "memory allocation", "\u{1b}"];
    let code = output.status.code();
    let fault = match code {
        Some(0..=2) if whole > 2 << 20 => format!("prints {whole} bytes"),
        Some(0..=2) => bad.iter().find(|bad| said.contains(**bad))?.to_string(),
        _ => format!("ends with {}", output.status),
    };
    Some(format!("{fault}: {}", said.chars().take(300).collect::<String>()))
}

/// All scripts, each with the folder that says what it is.
fn scripts() -> Vec<(&'static str, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut all = Vec::new();
    for kind in ["rules", "house", "agents"] {
        let entries = fs::read_dir(root.join(kind)).unwrap();
        all.extend(entries.map(|entry| (kind, entry.unwrap().path())));
    }
    all.sort();
    all
}

/// Runs scripts through ways in, two at a time; each is the kind, the name, the text and the way.
fn survive(runs: Vec<(&'static str, String, String, &'static str)>) {
    assert!(runs.len() > 10);
    let halves = runs.split_at(runs.len() / 2);
    let faults_of = |runs: &[(&'static str, String, String, &'static str)]| -> Vec<String> {
        let fault = |(kind, name, text, way): &(&'static str, String, String, &'static str)| {
            let folder = tempfile::tempdir().unwrap();
            let (line, typed) = laid(folder.path(), kind, text, way);
            let begun = Instant::now();
            let fault = run(folder.path(), &line, typed);
            let how = fault.as_deref().unwrap_or("harmless");
            println!("{:6.1} s  {name}, {way}: {how}", begun.elapsed().as_secs_f64());
            fault.map(|fault| format!("{name}, {way}: {fault}"))
        };
        runs.iter().filter_map(fault).collect()
    };
    let faults = std::thread::scope(|scope| {
        let other = scope.spawn(|| faults_of(halves.1));
        let mut faults = faults_of(halves.0);
        faults.extend(other.join().unwrap());
        faults
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn read((kind, path): &(&'static str, PathBuf)) -> (&'static str, String, String) {
    let name = format!("{kind}/{}", path.file_name().unwrap().to_str().unwrap());
    (kind, name, expand(&fs::read_to_string(path).unwrap()))
}

#[test]
fn each_script_is_harmless_in_one_way() {
    let scripts = scripts();
    let runs = scripts.iter().enumerate().map(|(number, script)| {
        let (kind, name, text) = read(script);
        (kind, name, text, WAYS[number % WAYS.len()])
    });
    survive(runs.collect());
}

#[test]
#[ignore = "takes half an hour"]
fn each_script_is_harmless_in_every_way() {
    let runs = scripts();
    let runs = runs.iter().flat_map(|script| {
        let (kind, name, text) = read(script);
        WAYS.map(|way| (kind, name.clone(), text.clone(), way))
    });
    survive(part(runs.collect()));
}

/// Only a part of the runs where the environment says which: `FRACAS_HOSTILE_PART=3/40` takes each fortieth
/// from the third on.
fn part<T>(runs: Vec<T>) -> Vec<T> {
    let Ok(part) = std::env::var("FRACAS_HOSTILE_PART") else { return runs };
    let (number, of) = part.split_once('/').expect("a part reads like 3/40");
    let (number, of): (usize, usize) = (number.parse().unwrap(), of.parse().unwrap());
    println!("part {number} of {of} of {} runs", runs.len());
    runs.into_iter().skip(number - 1).step_by(of).collect()
}

/// Large values, and values that are small.
const VALUES: [&str; 12] = [
    "1",
    "-1",
    "\"x\"",
    "[]",
    "#{}",
    "text",
    "list",
    "map",
    "texts",
    "lists",
    "maps",
    "9223372036854775807",
];

/// What takes values: `A`, `B` and `C` stand for some.
const CALLS: [&str; 44] = [
    "A.pad(9900, B)",
    "A.pad(B, C)",
    "A + B",
    "A += B",
    "A.append(B)",
    "A.push(B)",
    "A.insert(0, B)",
    "A[0] = B",
    "A[B]",
    "A.k = B",
    "A[B] = C",
    "`${A}${B}`",
    "A.to_string()",
    "A.to_json()",
    "to_json(A)",
    "replaced(A, B, C)",
    "map_of(A, B)",
    "counts(A)",
    "uniform(A)",
    "weighted(A)",
    "dice(A)",
    "successes(A, B, C)",
    "A.split(B)",
    "A.replace(B, C)",
    "A.map(|x| B)",
    "A.filter(|x| x == B)",
    "A.reduce(|s, x| s + B)",
    "A.sort(|a, b| a == B)",
    "A.sort()",
    "A.dedup()",
    "A.contains(B)",
    "A == B",
    "A in B",
    "A.keys()",
    "A.values()",
    "A.mixin(B)",
    "A.extract(0, 5000)",
    "A.splice(0, 1, B)",
    "A.chop(3)",
    "A.reverse()",
    "this.state = A",
    "this.emit(`${A}`)",
    "throw A",
    "range(0, 9900)",
];

/// A step that composes host functions on large values; the same for the same number.
fn composed(number: u64) -> String {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize
    };
    let mut step = "let text = \"x\"; text.pad(200000, \"y\"); let list = []; list.pad(9000, 7); \
        let map = #{}; for i in 0..900 { map[`key ${i}`] = i; } let texts = [text]; let lists = [list]; \
        let maps = #{ a: map };\n"
        .to_owned();
    for at in 0..1 + below(6) {
        let call = CALLS[below(CALLS.len())];
        let mut filled = String::new();
        for letter in call.chars() {
            match letter {
                // What is changed must be a name.
                'A' => filled.push_str(["text", "list", "map", "texts", "lists", "maps"][below(6)]),
                'B' | 'C' => filled.push_str(VALUES[below(VALUES.len())]),
                other => filled.push(other),
            }
        }
        let is_statement = call.contains(" = ") || call.contains("+=") || call.starts_with("throw");
        match is_statement {
            true => step.push_str(&format!("{filled};\n")),
            false => step.push_str(&format!("let r{at} = (); r{at} = {filled}; list = [r{at}];\n")),
        }
    }
    format!("fn step() {{ {step} this.done = true; }}")
}

fn compositions(numbers: std::ops::Range<u64>) {
    let run = |number: u64| {
        let way = WAYS[number as usize % 4];
        ("rules", format!("composition {number}"), composed(number), way)
    };
    survive(part(numbers.map(run).collect()));
}

#[test]
fn compositions_of_host_functions_on_large_values_are_harmless() {
    compositions(0..40);
}

#[test]
#[ignore = "takes half an hour"]
fn thousands_of_compositions_are_harmless() {
    compositions(40..4_000);
}
