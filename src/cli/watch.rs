//! Looks at the files while a line is typed, on a thread of its own that wakes the session.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use parking_lot::Mutex;

use crate::repl::editor::Herald;
use crate::repl::{Session, Shadow};

/// An editor writes a file in several strokes; after so long without one it has done.
const CALM: Duration = Duration::from_millis(60);

/// Watches the files of the open conflict while a line is typed.
pub struct Watch {
    watcher: Option<RecommendedWatcher>,
    folders: Vec<PathBuf>,
    shadow: Arc<Mutex<Option<Shadow>>>,
}

impl Watch {
    /// A watch that looks at nothing yet. Where the system cannot watch files, they are looked at
    /// between two lines only.
    pub fn new(herald: Option<Herald>) -> Watch {
        let shadow: Arc<Mutex<Option<Shadow>>> = Arc::default();
        let (stroke, strokes) = channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // To read a file changes nothing.
            if event.is_ok_and(|event| !event.kind.is_access()) {
                let _ = stroke.send(());
            }
        });
        let watcher = watcher.ok().filter(|_| herald.is_some());
        if let Some(herald) = herald {
            let shadow = shadow.clone();
            std::thread::spawn(move || listen(&strokes, &shadow, herald));
        }
        Watch { watcher, folders: Vec::new(), shadow }
    }

    /// Looks, from here on, at the files of the open conflict, if they are to be watched.
    pub fn begin_line(&mut self, session: &Session) {
        let shadow = session.shadow();
        let play = session.play.as_ref().filter(|_| shadow.is_some());
        self.follow(play.map(|play| play.folders_of_files()).unwrap_or_default());
        *self.shadow.lock() = shadow;
    }

    /// Looks away: the session is at work.
    pub fn end_line(&mut self) {
        *self.shadow.lock() = None;
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

/// A rules folder is watched with all within; another, of which one file matters, alone.
fn mode(folder: &Path) -> RecursiveMode {
    match folder.join("rules.rhai").is_file() {
        true => RecursiveMode::Recursive,
        false => RecursiveMode::NonRecursive,
    }
}

fn listen(strokes: &Receiver<()>, shadow: &Mutex<Option<Shadow>>, mut herald: Herald) {
    while strokes.recv().is_ok() {
        while strokes.recv_timeout(CALM).is_ok() {}
        if shadow.lock().as_ref().is_some_and(Shadow::has_changed) {
            herald("a file has changed; the next line plays the conflict again");
        }
    }
}
