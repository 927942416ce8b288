//! Replays the sessions in `tests/transcripts/*.txt` and compares what the program says.
//!
//! `> ` begins a line that is typed, `# ` a remark, `! ` an event outside the session: `! copy A B`
//! copies a file or a folder, `! replace FILE A B` replaces one word by another, `! rules DIR` finds the
//! rules of a folder first, `! show FILE` prints the file into the transcript, `! F1 LINE` presses F1
//! behind what is typed, `! the editor is left` and `! a line is awaited` are what the terminal reports
//! to the session. `DIR` is a temporary folder, `FILES` is `tests/transcripts/files`. All other lines are
//! what the session says. With `FRACAS_BLESS=1` they are rewritten: read them then.

use std::fs;
use std::path::{Path, PathBuf};

use fracas::catalog::Catalog;
use fracas::repl::{Guide, Reply, Said, Session, SessionOptions};
use fracas::report;
use fracas::script::Limits;

const WIDTH: usize = 80;

fn session() -> Session {
    let catalog = Catalog::new(&[PathBuf::from("tests/fixtures/rules")]).unwrap();
    let limits = Limits { leg: 2_000_000, ..Limits::default() };
    Session::new(
        catalog,
        SessionOptions { limits, width: WIDTH, plain: true, ..SessionOptions::default() },
    )
}

/// Runs the typed lines of a transcript and returns the transcript of this run.
fn play(transcript: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().display().to_string();
    let files = "tests/transcripts/files";
    let told = |text: &str| text.replace("DIR", &dir).replace("FILES", files);
    let mut session = session();
    let mut out = String::new();
    let mut say = |text: &str| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    for line in transcript.lines() {
        if line.starts_with('#') || line.is_empty() {
            say(line);
        } else if let Some(happens) = line.strip_prefix("! ") {
            say(line);
            match happens {
                "the editor is left" => tell(&session.edited(), &dir, &mut say),
                "a line is awaited" => tell(&session.look_again(), &dir, &mut say),
                happens => match happens.split_once(' ').unwrap_or((happens, "")) {
                    ("show", path) => {
                        let text = fs::read_to_string(told(path)).unwrap();
                        text.lines().for_each(|line| say(&format!("  | {line}")));
                    }
                    ("rules", path) => {
                        session.catalog = session.catalog.over(Path::new(&told(path)));
                    }
                    ("F1", line) => {
                        let word = Guide::default().word(&session, line, line.len());
                        tell(&session.explain(&word.unwrap_or_default()), &dir, &mut say);
                    }
                    _ => happen(&told(happens)),
                },
            }
        } else if let Some(typed) = line.strip_prefix('>') {
            say(line);
            let reply = session.line(&told(typed.strip_prefix(' ').unwrap_or(typed)));
            tell(&reply, &dir, &mut say);
            if let Some(at) = &reply.edits {
                say(&format!("  (the editor opens {at})").replace(&dir, "DIR"));
            }
            if reply.ends {
                say("# The session ends.");
                break;
            }
        }
    }
    out
}

/// Writes the reply of the session into the transcript.
fn tell(reply: &Reply, dir: &str, say: &mut impl FnMut(&str)) {
    for said in &reply.said {
        let text = match said {
            Said::Error(error) => report::as_text(error, false, WIDTH),
            said => said.text().unwrap_or_default(),
        };
        // What is said must not look like what is typed or happens, nor like an empty line between
        // the two.
        for line in text.replace(dir, "DIR").lines().filter(|line| !line.is_empty()) {
            say(&format!("  {line}"));
        }
    }
}

fn happen(words: &str) {
    match words.split_whitespace().collect::<Vec<_>>()[..] {
        ["copy", from, to] => {
            copy(Path::new(from), Path::new(to))
                .unwrap_or_else(|error| panic!("copy {from} {to}: {error}"));
        }
        ["replace", path, from, to] => {
            let text = fs::read_to_string(path).unwrap();
            assert!(text.contains(from), "`{path}` has no `{from}`");
            fs::write(path, text.replace(from, to)).unwrap();
        }
        _ => panic!("nobody knows how to `{words}`"),
    }
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        return fs::copy(from, to).map(|_| ());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn check(path: &Path) -> Result<(), String> {
    let written = fs::read_to_string(path).unwrap();
    let typed: Vec<&str> = written
        .lines()
        .filter(|line| !line.starts_with("  ") && !line.starts_with("# The session ends"))
        .collect();
    let said = play(&typed.join("\n"));
    if said == written {
        return Ok(());
    }
    if std::env::var_os("FRACAS_BLESS").is_some() {
        fs::write(path, said).unwrap();
        return Ok(());
    }
    let differs = said.lines().zip(written.lines()).position(|(now, then)| now != then);
    let at = differs.unwrap_or(said.lines().count().min(written.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or("(the end)").to_owned();
    Err(format!(
        "{}:{}\n  written: {}\n  said:    {}",
        path.display(),
        at + 1,
        line(&written),
        line(&said)
    ))
}

#[test]
fn sessions_go_as_written_down() {
    let mut paths: Vec<PathBuf> = fs::read_dir("tests/transcripts")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 6, "transcripts are missing");
    let wrong: Vec<String> = paths.iter().filter_map(|path| check(path).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The replies of a session to a text that is entered at once.
fn said(session: &mut Session, text: &str) -> Vec<String> {
    let told = |said: &Said| match said {
        Said::Error(error) => error.to_string(),
        said => said.text().unwrap_or_default(),
    };
    session.enter(text).said.iter().map(told).collect()
}

#[test]
fn what_is_pasted_runs_as_if_it_were_typed() {
    let mut session = session();
    assert_eq!(said(&mut session, "let a = 2\na * 3\na * 4"), ["6", "8"]);
    assert_eq!(said(&mut session, "fn f(n) {\n  n + 1\n}\nf(a)"), ["3"]);
    let copied =
        "fracas> let b = 5\nfracas> b * 2\n10\nfracas> fn g() {\n…   7\n… }\nfracas> g()\n7";
    assert_eq!(said(&mut session, copied), ["10", "7"]);
    assert_eq!(said(&mut session, "1\nzzzz\n2"), ["1", "there is no variable `zzzz`"]);
    assert_eq!(said(&mut session, "3"), ["3"], "nothing of the mistake is left");
}

#[test]
fn a_command_without_its_mark_is_told_or_run() {
    let mut session = session();
    let meant = |name: &str, command: &str| {
        vec![format!("unknown name `{name}`; did you mean `:{command}`?")]
    };
    // Those that people try first run, unless a variable has the name.
    assert_eq!(said(&mut session, "help"), said(&mut session, ":help"));
    assert_eq!(said(&mut session, "help odds"), said(&mut session, ":help odds"));
    assert_eq!(said(&mut session, "undo"), said(&mut session, ":undo"));
    for line in ["quit", "exit", ":exit"] {
        assert!(session.enter(line).ends, "{line}");
    }
    assert_eq!(said(&mut session, "let undo = 3; undo"), ["3"]);
    assert_eq!(said(&mut session, "undo"), ["3"]);
    for line in [":odds --help", ":odds 20 -h", ":odds greedy --help"] {
        assert_eq!(said(&mut session, line), said(&mut session, ":help odds"), "{line}");
    }
    assert_eq!(said(&mut session, "open territory/three_tokens"), meant("open", "open"));
    assert_eq!(said(&mut session, "let list = [1]; list"), ["[1]"]);
    assert_eq!(said(&mut session, "list"), ["[1]"]);
}
