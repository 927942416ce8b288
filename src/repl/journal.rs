//! The journal of a session: the lines that were run, to be saved and run again.

/// The lines of a session that were run, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    entries: Vec<JournalEntry>,
    /// The text to append to the line that is being run, so that it does the same when run again.
    behind: Option<String>,
}

/// A line, or several that belong together.
#[derive(Clone, Debug)]
struct JournalEntry {
    text: String,
    /// Whether the lab ran it: no command, and no answer.
    is_script: bool,
}

impl Journal {
    /// How the file of its lines begins.
    pub(super) const LINES: &str = "// The lines of a session";
    /// How the file of its statements begins.
    pub(super) const SCRIPT: &str = "//! The statements of a session";

    /// Sets the text that fixes what the line that is being run leaves to chance: a seed.
    pub(super) fn fix(&mut self, behind: String) {
        self.behind = Some(behind);
    }

    pub(super) fn keep(&mut self, text: &str, is_script: bool) {
        let behind = self.behind.take();
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let text = format!("{text}{}", behind.unwrap_or_default());
        self.entries.push(JournalEntry { text, is_script });
    }

    /// Forgets the seed of a line that failed.
    pub(super) fn drop_line(&mut self) {
        self.behind = None;
    }

    /// All lines, to be read from stdin.
    pub(super) fn as_lines(&self) -> String {
        let about = format!("{}: `fracas < FILE` runs them again.\n", Journal::LINES);
        let lines = self.entries.iter().map(|entry| format!("{}\n", entry.text));
        std::iter::once(about).chain(lines).collect()
    }

    /// The statements alone; commands and answers are comments.
    pub(super) fn as_script(&self) -> String {
        let about = format!("{}. Commands and answers are comments.\n\n", Journal::SCRIPT);
        let lines = self.entries.iter().map(|entry| match entry.is_script {
            true => {
                let text = entry.text.trim_end();
                // Beside others a statement needs its end.
                let ended = text.ends_with([';', '}']);
                format!("{text}{}\n", if ended { "" } else { ";" })
            }
            false => entry.text.lines().map(|line| format!("// {line}\n")).collect(),
        });
        std::iter::once(about).chain(lines).collect()
    }
}
