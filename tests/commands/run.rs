//! Runs the program in tests, as a sentence: `fracas("list").inside(&folder).run().succeeds()`.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A command line of the program, to be run.
pub struct Fracas(Command);

/// The program with arguments that are separated by spaces; an argument in `''` may contain spaces.
pub fn fracas(line: &str) -> Fracas {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fracas"));
    command.args(words(line)).stdin(Stdio::null());
    for name in ["NO_COLOR", "COLUMNS", "ACCESSIBLE", "LC_ALL", "LC_CTYPE", "LANG"] {
        command.env_remove(name);
    }
    // What whoever runs the tests wants every time is not what is tested.
    command.env("FRACAS_CONFIG", "");
    Fracas(command)
}

/// The program with the words of a line, its process limited to so many seconds of the processor and so
/// many MiB of addresses: 512 of them are the stack's, of which little is used.
#[cfg(unix)]
pub fn limited(line: &str, seconds: u64, addresses: u64) -> Fracas {
    let program = env!("CARGO_BIN_EXE_fracas");
    let script =
        format!("ulimit -t {seconds}; ulimit -v {}; exec {program} {line}", addresses << 10);
    let mut command = Command::new("sh");
    command.args(["-c", &script]).stdin(Stdio::null()).env("FRACAS_CONFIG", "");
    Fracas(command)
}

impl Fracas {
    /// In this folder.
    pub fn inside(mut self, folder: &Path) -> Fracas {
        self.0.current_dir(folder);
        self
    }

    /// With one more argument.
    pub fn with(mut self, argument: &str) -> Fracas {
        self.0.arg(argument);
        self
    }

    /// With this environment variable.
    pub fn where_is(mut self, name: &str, value: &str) -> Fracas {
        self.0.env(name, value);
        self
    }

    /// With settings, and a place for what it keeps, in this folder.
    pub fn keeping(self, folder: &Path) -> Fracas {
        let folder = folder.display().to_string();
        self.where_is("FRACAS_CONFIG", &folder).where_is("XDG_STATE_HOME", &folder)
    }

    /// Runs to the end with this text as its input.
    pub fn typing(mut self, text: &str) -> Ran {
        use std::io::Write;
        self.0.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.0.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        // Whoever does not read to the end is not to be waited for.
        let _ = stdin.write_all(text.as_bytes());
        drop(stdin);
        Ran::new(&child.wait_with_output().expect("the program ends"))
    }

    /// Runs to the end.
    pub fn run(mut self) -> Ran {
        Ran::new(&self.0.output().expect("the program starts"))
    }

    /// The command itself, for all that this builder cannot express.
    pub fn command(self) -> Command {
        self.0
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    fn new(output: &Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
        Ran {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        self
    }

    #[track_caller]
    pub fn succeeds(self) -> Ran {
        self.exits(0)
    }

    #[track_caller]
    pub fn prints(self, text: &str) -> Ran {
        assert!(self.stdout.contains(text), "no `{text}` in {self:#?}");
        self
    }

    #[track_caller]
    pub fn prints_nothing(self) -> Ran {
        assert_eq!(self.stdout, "", "{self:?}");
        self
    }

    #[track_caller]
    pub fn says(self, text: &str) -> Ran {
        assert!(self.stderr.contains(text), "no `{text}` in {self:#?}");
        self
    }

    #[track_caller]
    pub fn says_nothing(self) -> Ran {
        assert_eq!(self.stderr, "", "{self:?}");
        self
    }

    /// All of stdout as one JSON value.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {self:#?}"))
    }
}

/// The words of a line; text between `'` is one word.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}
