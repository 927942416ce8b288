//! The command `:watch`; notices changed files of the open conflict and reloads it.

use clap::ValueEnum;

use crate::catalog::Catalog;
use crate::conflict::{Play, RuleChanges, Snapshot};
use crate::error::Error;
use crate::repl::{Reply, Said, Session};

/// On or off.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum Switch {
    /// From now on
    On,
    /// No more
    Off,
}

/// Watches the files of the open rules, or no more.
pub(super) fn watch(
    session: &mut Session,
    switch: Option<Switch>,
    reply: &mut Reply,
) -> Result<(), Error> {
    session.watches = match switch {
        Some(Switch::On) => true,
        Some(Switch::Off) => false,
        None => !session.watches,
    };
    session.mark_files();
    let folders = session.play.as_ref().map(Play::folders_of_files).unwrap_or_default();
    let folders: Vec<String> = folders.iter().map(|path| format!("`{}`", path.display())).collect();
    reply.note(match (session.watches, &session.play) {
        (false, _) => "files are no longer watched".to_owned(),
        (true, None) => "no conflict is open yet; the files of the next one will be watched".to_owned(),
        (true, Some(_)) if folders.is_empty() => {
            "these rules are built into the program, so there is no file to watch; `:edit` writes them out"
                .to_owned()
        }
        (true, Some(_)) => format!("watched: {}", folders.join(", ")),
    });
    Ok(())
}

/// Finds out from another thread whether files of the open conflict have changed, without the session.
#[derive(Clone, Debug)]
pub(crate) struct FileWatch {
    catalog: Catalog,
    snapshot: Snapshot,
    /// Their digest when they were last read.
    digest: String,
}

impl FileWatch {
    /// Whether a file has changed since they were last read.
    pub(crate) fn has_changed(&self) -> bool {
        self.snapshot.digest_of_files(&self.catalog) != self.digest
    }
}

impl Session {
    /// Looks at the files from another thread while a line is typed; nothing where files are not watched.
    pub(crate) fn file_watch(&self) -> Option<FileWatch> {
        let play = self.play.as_ref().filter(|_| self.watches)?;
        let digest = self.files_digest.clone()?;
        Some(FileWatch { catalog: self.catalog.clone(), snapshot: play.snapshot(), digest })
    }

    /// Reports before the next line: if a watched file has changed, the open conflict is played again under
    /// the rules as they are now.
    pub fn look_again(&mut self) -> Reply {
        if self.watches { self.changed() } else { Reply::default() }
    }

    /// Notes the digest of the files as they are now, so that later changes are noticed.
    pub(in crate::repl) fn mark_files(&mut self) {
        self.files_digest = self.play.as_ref().map(|play| play.digest_of_files());
    }

    /// If a file has changed, plays the open conflict again and reports what differs.
    pub(in crate::repl) fn changed(&mut self) -> Reply {
        let mut reply = Reply::default();
        let Some(play) = &self.play else { return reply };
        // Rules that did not compile are not tried again until they change.
        if self.files_digest.as_ref().is_none_or(|files| *files == play.digest_of_files()) {
            return reply;
        }
        if let Err(error) = self.replay_under(&RuleChanges::default(), &mut reply) {
            reply.said.push(Said::Error(error));
        }
        reply
    }
}
