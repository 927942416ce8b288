//! Benchmarks of the prompt: its start and memory, the time for a key among 10,000 entries of
//! history and 400 options, and the time to undo 200 decisions. The rules measured are in
//! `benches/rules`.
//!
//! `cargo bench --bench prompt`. Times are wall-clock times, the best of several rounds; of the start
//! also the time on the processor, which a busy machine does not lengthen.

use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use fracas::catalog::Catalog;
use fracas::repl::guide::TypingSpace;
use fracas::repl::{Guide, Session, SessionOptions};
use fracas::script::on_large_stack;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// How often each is tried; the best counts.
const ROUNDS: usize = 9;
const ENTRIES: usize = 10_000;
const DECISIONS: usize = 200;

const START: Duration = Duration::from_millis(30);
const MEMORY: u64 = 30 << 20;
const KEY: Duration = Duration::from_millis(16);
/// A delay that nobody notices.
const STEP: Duration = Duration::from_millis(100);

fn main() {
    // `cargo test` runs benches with `--test`: nothing is measured then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    on_large_stack(|| {
        start();
        keys();
        undo();
    });
}

fn told(what: &str, took: Duration, promised: Duration) {
    let mark = if took <= promised { "" } else { "  TOO SLOW" };
    println!("{what}: {took:.1?} (promised {promised:?}){mark}");
}

fn entry(i: usize) -> String {
    format!("let value_{i} = fewest_first(#{{ a: {i} }}, [\"a\"]).len() + {i}")
}

/// From the shell to the first prompt on a terminal, with a full history.
fn start() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("fracas");
    std::fs::create_dir_all(&state).expect("a folder");
    let lines: Vec<String> = (0..ENTRIES).map(entry).collect();
    std::fs::write(state.join("history"), format!("#V2\n{}\n", lines.join("\n"))).expect("a file");
    let (mut best, mut least, mut most) = (Duration::MAX, Duration::MAX, 0);
    for _ in 0..ROUNDS {
        let (took, on_processor, bytes) = first_prompt(folder.path());
        best = best.min(took);
        least = least.min(on_processor);
        most = most.max(bytes);
    }
    told("start to the first prompt", best, START);
    told("  of that on the processor", least, START);
    let mark = if most <= MEMORY { "" } else { "  TOO MUCH" };
    println!("memory at the first prompt: {} KiB (promised {}){mark}", most >> 10, MEMORY >> 10);
}

/// How long it takes to the first prompt, on the clock and on the processor, and the memory by then.
fn first_prompt(state: &Path) -> (Duration, Duration, u64) {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("a terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_fracas"));
    command.env("XDG_STATE_HOME", state);
    command.env("TERM", "xterm-256color");
    command.cwd(state);
    let mut reader = pair.master.try_clone_reader().expect("a reader");
    let begun = Instant::now();
    let mut child = pair.slave.spawn_command(command).expect("the program starts");
    let mut written: Vec<u8> = Vec::new();
    let mut bytes = [0; 4096];
    while !written.windows(7).any(|window| window == b"fracas>") {
        let count = reader.read(&mut bytes).expect("it writes");
        assert!(count > 0, "it ended");
        written.extend(&bytes[..count]);
    }
    let took = begun.elapsed();
    let on_processor = child.process_id().map(processor_time).unwrap_or_default();
    let taken = child.process_id().map_or(0, peak);
    let mut keys = pair.master.take_writer().expect("a writer");
    keys.write_all(b"\x04").expect("it reads");
    child.wait().expect("it ends");
    (took, on_processor, taken)
}

/// The time that all threads of a process have run so far, where the system reports it.
fn processor_time(process: u32) -> Duration {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return Duration::ZERO;
    };
    let of_thread = |thread: std::fs::DirEntry| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    };
    Duration::from_nanos(threads.flatten().filter_map(of_thread).sum())
}

/// The peak memory of a process in bytes, where the system reports it.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse::<u64>().ok()).unwrap_or_default() << 10
}

fn opened(scenario: &str) -> Session {
    let rules = format!("{}/benches/rules", env!("CARGO_MANIFEST_DIR"));
    let catalog = Catalog::new(&[rules.into()]).expect("the rules folders");
    let mut session = Session::new(catalog, SessionOptions::default());
    let reply = session.line(&format!(":open many_marks/{scenario}"));
    assert!(reply.error().is_none(), "{:?}", reply.error());
    session
}

/// All work at a key: tests whether the line is finished, finds its hint, and colours it.
fn keys() {
    let session = opened("many_fields");
    let guide = Guide::default();
    let entries: Vec<String> = (0..ENTRIES).map(entry).collect();
    let history =
        |begins: &str| entries.iter().rev().find(|entry| entry.starts_with(begins)).cloned();
    let place = TypingSpace { columns: 80, rows: 24, room: 40, coloured: true };
    let lines = [
        "f",
        "field 1",
        "field 400",
        "fewest_first(",
        "zzz",
        ":open ",
        "let value_1 =",
        "fn f(n) {\n    if n > 1 {\n        n * 2\n    } else {\n        fewest_first(#{ a: n }, [\"a\"])",
    ];
    for (i, line) in lines.into_iter().enumerate() {
        let key = || {
            let begun = Instant::now();
            session.is_unfinished(line);
            guide.hint(&session, line, line.len(), place, &history);
            guide.paint(&session, line, Some(line.len()));
            begun.elapsed()
        };
        if i == 0 {
            told("the very first key", key(), KEY);
        }
        let best = (0..ROUNDS).map(|_| key()).min().unwrap_or_default();
        told(&format!("a key after `{}`", line.lines().next().unwrap_or_default()), best, KEY);
        let tab = || {
            let begun = Instant::now();
            guide.complete(&session, line, line.len());
            begun.elapsed()
        };
        let best = (0..ROUNDS).map(|_| tab()).min().unwrap_or_default();
        told("  Tab there", best, KEY);
    }
}

/// A conflict of many decisions, taken back one by one.
fn undo() {
    let mut session = opened("few_fields");
    for i in 1..=DECISIONS {
        assert!(session.line(&format!("field {}", i % 4 + 1)).error().is_none(), "decision {i}");
    }
    let mut worst = Duration::ZERO;
    let begun = Instant::now();
    for _ in 0..DECISIONS {
        let step = Instant::now();
        assert!(session.line(":undo").error().is_none(), "it is taken back");
        worst = worst.max(step.elapsed());
    }
    println!("{DECISIONS} decisions undone: {:.1?} in all", begun.elapsed());
    told("the slowest of them", worst, STEP);
}
