//! Tests that a stranger's script does no harm: each script here attacks the host, and must end
//! with the fault that its first line names.
//!
//! The scripts run in child processes, because a successful attack would end the test process. A
//! child is this test binary again; an environment variable names the scripts that it runs. It
//! writes a line before and after each script, so if a child dies, the output shows which script
//! killed it.

mod child;
#[cfg(target_os = "linux")]
mod ways;

use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use crate::support::same_as_file;

/// The environment variable with the file that lists a child's scripts.
const GROUP: &str = "FRACAS_HOSTILE_GROUP";
/// If this is set, every script's time and memory is shown, and a child run by hand shows the
/// errors.
const SHOW: &str = "FRACAS_HOSTILE_SHOW";
/// Scripts in one process: enough that a small leak in each would add up and show.
const IN_GROUP: usize = 25;
/// Processes at a time.
const WORKERS: usize = 2;
/// The most memory that the process may ever hold, in KiB.
const LARGEST: u64 = 300 << 10;
/// A child that is silent for so long hangs, on the slowest machine: a script that works ends by its
/// operations, most of them within a tenth of a second.
const SILENCE: Duration = Duration::from_secs(600);

/// How one script ended.
struct Ended {
    name: String,
    fault: String,
    millis: u64,
    /// In KiB; `None` if the system does not report it.
    peak: Option<u64>,
    /// The line that the error names.
    line: Option<usize>,
}

impl Ended {
    /// The script, its fault and its place, for the contract.
    fn words(&self) -> String {
        let line = self.line.map_or_else(|| "-".to_owned(), |line| line.to_string());
        format!("{}:{line} {}", self.name, self.fault)
    }
}

#[test]
fn hostile_scripts_end_with_the_fault_they_are_told_to() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut scripts: Vec<PathBuf> = Vec::new();
    for folder in ["rules", "house", "agents"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap();
        scripts.extend(entries.map(|entry| entry.unwrap().path()));
    }
    scripts.sort();
    assert!(scripts.len() >= 90, "there are only {} scripts", scripts.len());

    let groups: Mutex<VecDeque<&[PathBuf]>> = Mutex::new(scripts.chunks(IN_GROUP).collect());
    let ended: Mutex<Vec<Ended>> = Mutex::default();
    let faults: Mutex<Vec<String>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(group) = next(&groups) {
                    match run_group(group) {
                        Ok(all) => ended.lock().unwrap().extend(all),
                        Err(fault) => faults.lock().unwrap().push(fault),
                    }
                }
            });
        }
    });

    let (ended, mut faults) = (ended.into_inner().unwrap(), faults.into_inner().unwrap());
    let mut stated = 0;
    for one in &ended {
        let path = root.join(&one.name);
        let text = std::fs::read_to_string(&path).unwrap();
        let wanted = text.lines().next().and_then(|line| line.strip_prefix("//! expect: "));
        faults.extend(judge(one, wanted.unwrap_or("nothing it names")));
        if let Some(line) = text.lines().find_map(|line| line.strip_prefix("//! at: ")) {
            stated += 1;
            let told = one.line.map_or_else(|| "none".to_owned(), |line| line.to_string());
            if told != line {
                faults.push(format!("{}: wanted line {line}, got {told}", one.name));
            }
        }
    }
    assert!(stated >= 20, "only {stated} scripts state where they end");
    let known: BTreeSet<String> = ended.iter().map(Ended::words).collect();
    let known: String = known.iter().map(|line| format!("{line}\n")).collect();
    same_as_file(&root.join("../contract/expected/hostile_scripts.txt"), &known);
    let slowest = ended.iter().max_by_key(|one| one.millis);
    let unmeasured = ended.iter().filter(|one| one.peak.is_none()).count();
    if unmeasured > 0 {
        // Written past the harness, which shows nothing of a test that passes.
        let warning =
            format!("MEMORY NOT MEASURED for {unmeasured} hostile scripts: no /proc here");
        let _ = writeln!(std::io::stderr(), "{warning}");
    }
    if let Some(slow) = slowest {
        let total: u64 = ended.iter().map(|one| one.millis).sum();
        println!("{} scripts, {total} ms; slowest {} ({} ms)", ended.len(), slow.name, slow.millis);
        if std::env::var_os(SHOW).is_some() {
            ended.iter().for_each(|one| {
                println!("{} {} {}", one.millis, one.peak.unwrap_or_default(), one.name)
            });
        }
    }
    let measured = ended.iter().filter_map(|one| Some((one.peak?, &one.name)));
    if let Some((peak, name)) = measured.max() {
        println!("largest {name} ({} MiB)", peak >> 10);
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert_eq!(ended.len(), scripts.len(), "every script has run");
}

/// The next group. The lock is held for this call only.
fn next<'a>(groups: &Mutex<VecDeque<&'a [PathBuf]>>) -> Option<&'a [PathBuf]> {
    groups.lock().unwrap().pop_front()
}

/// The faults in how a script ended.
fn judge(one: &Ended, wanted: &str) -> Vec<String> {
    let Ended { name, fault, millis, peak, line } = one;
    let mut faults = Vec::new();
    if fault != wanted {
        faults.push(format!("{name}: wanted `{wanted}`, got `{fault}` ({millis} ms)"));
    }
    if let Some(peak) = peak.filter(|peak| *peak > LARGEST) {
        faults.push(format!("{name}: took {} MiB", peak >> 10));
    }
    // A setup's errors have their place in the scenario, and here there is none; a playout that takes too
    // much does so in no one line.
    if line.is_none() && !["fine", "setup", "answer", "playout"].contains(&fault.as_str()) {
        faults.push(format!("{name}: `{fault}` names no file and line"));
    }
    faults
}

/// Runs a child and reads what it reports.
fn run_group(scripts: &[PathBuf]) -> Result<Vec<Ended>, String> {
    let cwd = tempfile::tempdir().unwrap();
    let list = tempfile::NamedTempFile::new().unwrap();
    let names: Vec<String> = scripts.iter().map(|path| path.display().to_string()).collect();
    std::fs::write(list.path(), names.join("\n")).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "hostile::child::runs_the_scripts_it_is_told_to", "--nocapture"])
        .env(GROUP, list.path())
        .env_remove(SHOW)
        .current_dir(cwd.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let (send, lines) = mpsc::channel();
    std::thread::spawn(move || {
        BufReader::new(out).lines().map_while(Result::ok).all(|line| send.send(line).is_ok())
    });
    let complaints = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = err.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });

    let (mut ended, mut running, mut other) =
        (Vec::new(), String::from("no script"), String::new());
    loop {
        match lines.recv_timeout(SILENCE) {
            Ok(line) => match line.split_once("@@ ").map(|(_, told)| told.split(' ').collect()) {
                Some(told) => read(&told, &mut running, &mut ended),
                None => other.push_str(&line),
            },
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{running}: hangs"));
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait().unwrap();
    let complaints = complaints.join().unwrap();
    if !status.success() {
        return Err(format!("{running}: kills its process ({status}): {complaints}"));
    }
    for word in ["LEAKED", "panicked", "overflow", "\u{1b}"] {
        if other.contains(word) || complaints.contains(word) {
            return Err(format!("after {running}: output has {word:?}: {other}{complaints}"));
        }
    }
    match std::fs::read_dir(cwd.path()).unwrap().next() {
        Some(file) => Err(format!("one of these made a file: {names:?}: {file:?}")),
        None => Ok(ended),
    }
}

/// `begin NAME` or `end NAME MILLIS PEAK LINE FAULT…`; a peak or line that is not known is `-`.
fn read(told: &Vec<&str>, running: &mut String, ended: &mut Vec<Ended>) {
    match told[..] {
        ["begin", name] => name.clone_into(running),
        ["end", name, millis, peak, line, ref fault @ ..] => ended.push(Ended {
            name: name.to_owned(),
            fault: fault.join(" "),
            millis: millis.parse().unwrap(),
            peak: (peak != "-").then(|| peak.parse().unwrap()),
            line: (line != "-").then(|| line.parse().unwrap()),
        }),
        _ => panic!("a child told {told:?}"),
    }
}
