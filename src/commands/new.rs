//! The commands `new`: a small complete rules folder; and `init`: copies of the built-in ones.

use std::path::{Path, PathBuf};

use clap::Args;

use super::doc::listed_files;
use super::{CommandEntry, Desk, Faces, Runnable, Status};
use crate::catalog::Catalog;
use crate::error::Error;

/// Start a new system from a small complete rules folder
#[derive(Args, Debug)]
pub(crate) struct NewCommand {
    /// Its name: lower-case letters, digits and `_`
    name: String,
}

impl Runnable for NewCommand {
    const ENTRY: CommandEntry =
        CommandEntry { faces: Faces::Shell, ..CommandEntry::alone::<Self>("new") };

    /// Makes it in the first `--rules` folder, else in `rules/`.
    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let (name, first) = (&self.name, desk.rules.first());
        let dir = first.map_or(Path::new("rules"), PathBuf::as_path);
        if dir.join("rules.rhai").is_file() {
            let message =
                format!("`{}` is itself a rules folder, and cannot contain another", dir.display());
            return Err(Error::usage(message));
        }
        desk.face.show(&listed_files(&desk.catalog.new_system(name, dir)?))?;
        let rules = first.map(|_| format!("--rules {} ", dir.display())).unwrap_or_default();
        desk.face.say(&format!(
            "try `fracas {rules}check {name}`, `fracas {rules}test {name}`, `fracas {rules}play {name}/one_round --seat red=human`"
        ));
        Ok(Status::Done)
    }
}

/// Copy the built-in rules folders into a folder, so that you can edit them
#[derive(Args, Debug)]
pub(crate) struct InitCommand {
    /// The folder, made where it is missing
    dir: PathBuf,
}

impl Runnable for InitCommand {
    const ENTRY: CommandEntry =
        CommandEntry { faces: Faces::Shell, ..CommandEntry::alone::<Self>("init") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        desk.face.show(&listed_files(&Catalog::init(&self.dir)?))?;
        desk.face
            .say("a folder `rules` in the current folder is found by itself, another by --rules");
        Ok(Status::Done)
    }
}
