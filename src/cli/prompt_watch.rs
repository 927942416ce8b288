//! Watches the files of the open conflict while a line is typed at the prompt.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use parking_lot::Mutex;

use crate::repl::editor::Herald;
use crate::repl::{FileWatch, Session};

/// An editor writes a file in several steps. After this long without a change, it has finished.
const CALM: Duration = Duration::from_millis(60);

/// Watches the files of the open conflict while a line is typed.
pub(super) struct PromptWatch {
    watcher: Option<RecommendedWatcher>,
    folders: Vec<PathBuf>,
    files: Arc<Mutex<Option<FileWatch>>>,
}

impl PromptWatch {
    /// A watch that looks at nothing yet. Where the system cannot watch files, they are looked at
    /// between two lines only.
    pub(super) fn new(herald: Option<Herald>) -> PromptWatch {
        let files: Arc<Mutex<Option<FileWatch>>> = Arc::default();
        let (stroke, strokes) = channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // To read a file changes nothing.
            if event.is_ok_and(|event| !event.kind.is_access()) {
                let _ = stroke.send(());
            }
        });
        let watcher = watcher.ok().filter(|_| herald.is_some());
        if let Some(herald) = herald {
            let files = files.clone();
            std::thread::spawn(move || listen(&strokes, &files, herald));
        }
        PromptWatch { watcher, folders: Vec::new(), files }
    }

    /// Looks, from here on, at the files of the open conflict, if they are to be watched.
    pub(super) fn begin_line(&mut self, session: &Session) {
        let files = session.file_watch();
        let play = session.play.as_ref().filter(|_| files.is_some());
        self.follow(play.map(|play| play.folders_of_files()).unwrap_or_default());
        *self.files.lock() = files;
    }

    /// Looks away: the session is at work.
    pub(super) fn end_line(&mut self) {
        *self.files.lock() = None;
    }

    fn follow(&mut self, folders: Vec<PathBuf>) {
        let Some(watcher) = self.watcher.as_mut().filter(|_| folders != self.folders) else {
            return;
        };
        for folder in &self.folders {
            let _ = watcher.unwatch(folder);
        }
        for folder in &folders {
            // What cannot be watched is looked at between two lines.
            let _ = watcher.watch(folder, mode(folder));
        }
        self.folders = folders;
    }
}

/// A rules folder is watched with its subfolders. Any other folder is watched for one file in it, so without.
fn mode(folder: &Path) -> RecursiveMode {
    match folder.join("rules.rhai").is_file() {
        true => RecursiveMode::Recursive,
        false => RecursiveMode::NonRecursive,
    }
}

fn listen(strokes: &Receiver<()>, files: &Mutex<Option<FileWatch>>, mut herald: Herald) {
    while strokes.recv().is_ok() {
        while strokes.recv_timeout(CALM).is_ok() {}
        if files.lock().as_ref().is_some_and(FileWatch::has_changed) {
            herald("a file has changed; the next line plays the conflict again");
        }
    }
}
