//! Runs one target: makes each input from a seed, and measures how long it takes.

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use super::change::Changes;

/// Set where libFuzzer drives a target.
const LIBFUZZER: &str = "BOLERO_LIBFUZZER_ARGS";

/// A target with its seeds, and what its runs came to.
pub struct Target {
    name: &'static str,
    /// Those that are accepted come first.
    seeds: Vec<Vec<u8>>,
    /// How many are accepted.
    fine: usize,
    changes: Changes,
    runs: Cell<u64>,
    accepted: Cell<u64>,
    slowest: Cell<Duration>,
}

impl Target {
    pub fn new(name: &'static str, seeds: Vec<Vec<u8>>) -> Target {
        assert!(!seeds.is_empty(), "{name} has no seeds");
        let changes = Changes::new(&seeds);
        let (fine, runs, accepted, slowest) = Default::default();
        Target { name, seeds, fine, changes, runs, accepted, slowest }
    }

    /// Runs the seeds as they are: some of them must be fine, or all runs end early. Most inputs are made
    /// from those.
    pub fn begin(&mut self, run: &impl Fn(&[u8]) -> bool) {
        let (fine, other): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.seeds).into_iter().partition(|seed| run(seed));
        assert!(!fine.is_empty(), "{}: no seed is accepted", self.name);
        self.fine = fine.len();
        self.seeds = [fine, other].concat();
    }

    /// One run, with the input that these bytes make. What it is done with says whether it was accepted.
    pub fn run(&self, bytes: &[u8], run: &impl Fn(&[u8]) -> bool) {
        let input = self.changes.apply(bytes, &self.seeds, self.fine);
        if std::env::var_os("FRACAS_FUZZ_SHOW").is_some() {
            eprintln!("--- {}\n{}", self.name, String::from_utf8_lossy(&input));
        }
        let since = Instant::now();
        let accepted = run(&input);
        let took = since.elapsed();
        self.runs.set(self.runs.get() + 1);
        self.accepted.set(self.accepted.get() + u64::from(accepted));
        self.slowest.set(self.slowest.get().max(took));
        // libFuzzer ends the process.
        if self.runs.get().is_multiple_of(1_000) && std::env::var_os(LIBFUZZER).is_some() {
            self.tell();
        }
    }

    /// What the runs came to.
    pub fn tell(&self) {
        let (runs, accepted) = (self.runs.get(), self.accepted.get());
        let slowest = self.slowest.get().as_millis();
        eprintln!("{}: {runs} runs, {accepted} accepted, the slowest {slowest} ms", self.name);
    }
}

/// How long each target runs.
pub fn time() -> Duration {
    let seconds = std::env::var("FRACAS_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(1))
}

/// The program runs on such a stack too.
pub fn on_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 << 20).spawn(work);
    if let Err(panic) = thread.unwrap().join() {
        std::panic::resume_unwind(panic);
    }
}

/// The content of all files below a folder of the repository whose path ends so.
pub fn all(folder: &str, end: &str) -> Vec<Vec<u8>> {
    fn collect(folder: &Path, end: &str, found: &mut Vec<Vec<u8>>) {
        let mut entries: Vec<_> =
            std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                collect(&path, end, found);
            } else if path.to_str().is_some_and(|path| path.ends_with(end)) {
                found.push(std::fs::read(path).unwrap());
            }
        }
    }
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), end, &mut found);
    found
}
