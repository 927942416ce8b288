//! The command `:watch`: reloads rules by itself whenever a file of them changes.

use crate::conflict::Play;
use crate::error::Error;
use crate::repl::{Reply, Session};
use clap::ValueEnum;

/// On or off.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum Switch {
    /// From now on
    On,
    /// No more
    Off,
}

/// Watches the files of the open rules, or no more.
pub fn watch(
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
        (false, _) => "files are watched no more".to_owned(),
        (true, None) => "files are watched as soon as a conflict is open".to_owned(),
        (true, Some(_)) if folders.is_empty() => {
            "these rules are inside the program, where no file changes; `:edit` writes them out"
                .to_owned()
        }
        (true, Some(_)) => format!("watched: {}", folders.join(", ")),
    });
    Ok(())
}
