//! Who looks at the files while a line is typed? A thread of its own, that writes above the line.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::output::Output;
use crate::render;
use crate::repl::{Reply, Said, Session, Shadow};

/// An editor writes a file in several strokes; after so long without one it has done.
const CALM: Duration = Duration::from_millis(60);

/// Writes a text above the line that is being typed.
pub type Printer = Box<dyn FnMut(String) + Send>;

/// Watches the files of the open conflict, and tells of changes while a line is typed.
pub struct Watch {
    watcher: Option<RecommendedWatcher>,
    folders: Vec<PathBuf>,
    shared: Arc<Mutex<Shared>>,
}

/// What the two threads share.
#[derive(Default)]
struct Shared {
    /// How the conflict is played again; nothing while no line is typed.
    shadow: Option<Shadow>,
    /// The print of the files of which people have been told.
    told: Option<String>,
}

impl Watch {
    /// A watch that looks at nothing yet. Where the system cannot watch files, they are looked at
    /// between two lines only.
    pub fn new(output: &Output, printer: Option<Printer>) -> Watch {
        let shared: Arc<Mutex<Shared>> = Arc::default();
        let (stroke, strokes) = channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // To read a file changes nothing.
            if event.is_ok_and(|event| !event.kind.is_access()) {
                let _ = stroke.send(());
            }
        });
        let watcher = watcher.ok().filter(|_| printer.is_some());
        if let Some(printer) = printer {
            let (shared, output) = (shared.clone(), output.clone());
            std::thread::spawn(move || listen(&strokes, &shared, &output, printer));
        }
        Watch { watcher, folders: Vec::new(), shared }
    }

    /// Looks, from here on, at the files of the open conflict, if they are to be watched.
    pub fn begin_line(&mut self, session: &Session) {
        let shadow = session.shadow();
        let play = session.play.as_ref().filter(|_| shadow.is_some());
        self.follow(play.map(|play| play.folders_of_files()).unwrap_or_default());
        self.lock().shadow = shadow;
    }

    /// Looks away: the session is at work. What it says of changed files is for those ears that have
    /// not heard of them yet.
    pub fn end_line(&mut self, session: &mut Session) -> Reply {
        self.lock().shadow = None;
        let reply = session.look_again();
        let told = self.lock().told.take();
        match told.is_some() && told.as_deref() == session.files() {
            true => Reply::default(),
            false => reply,
        }
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

    fn lock(&self) -> std::sync::MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A rules folder is watched with all within; another, of which one file matters, alone.
fn mode(folder: &Path) -> RecursiveMode {
    match folder.join("rules.rhai").is_file() {
        true => RecursiveMode::Recursive,
        false => RecursiveMode::NonRecursive,
    }
}

fn listen(strokes: &Receiver<()>, shared: &Mutex<Shared>, output: &Output, mut print: Printer) {
    while strokes.recv().is_ok() {
        while strokes.recv_timeout(CALM).is_ok() {}
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((files, reply)) = shared.shadow.as_ref().and_then(Shadow::look) else { continue };
        if shared.told.as_ref() != Some(&files) {
            shared.told = Some(files);
            print(text(&reply, output));
        }
    }
}

/// What is said, as it is written on the terminal.
fn text(reply: &Reply, output: &Output) -> String {
    let part = |said: &Said| match said {
        Said::Error(error) => output.error_text(error),
        Said::Picture(picture) => output.drawn(picture),
        said => render::tame(&said.text().unwrap_or_default()).into_owned(),
    };
    let parts: Vec<String> = reply.said.iter().map(part).collect();
    format!("{}\n", parts.join("\n"))
}
