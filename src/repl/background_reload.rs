//! Tells from another thread whether the files of the open conflict have changed, and leaves the session
//! as it is.

use super::Session;
use crate::catalog::Catalog;
use crate::conflict::Ground;

/// What is needed to look at the files of the open conflict on another thread.
#[derive(Clone, Debug)]
pub struct Shadow {
    catalog: Catalog,
    ground: Ground,
    /// A print of the files when they were last read.
    files: String,
}

impl Session {
    /// What looks at the files while nobody asks the session; nothing where they are not watched.
    pub fn shadow(&self) -> Option<Shadow> {
        let play = self.play.as_ref().filter(|_| self.watches)?;
        let files = self.files.clone()?;
        Some(Shadow { catalog: self.catalog.clone(), ground: play.ground(), files })
    }
}

impl Shadow {
    /// Whether a file has changed since they were last read.
    pub fn has_changed(&self) -> bool {
        self.ground.print_of_files(&self.catalog) != self.files
    }
}
